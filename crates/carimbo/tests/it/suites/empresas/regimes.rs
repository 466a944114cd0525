//! `regimes` of `POST` and `PUT /v1/empresas`: how rows are kept, and the CRT of documents on both sides of a midnight.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::retail::seller;

const NEW_YEAR: &str = "2027-01-01";

/// The company of the tests becomes a MEI on this day; items of CRT 1 and 4 are alike.
async fn becomes_mei(client: &Client, day: &str) {
    let change = json!({ "regimes": [{ "a_partir_de": day, "crt": 4 }] });
    client.put(&format!("/v1/empresas/{NUMERIC}"), &change).await.ok(200);
}

/// An emission whose item is taxed by IBS and CBS in no year: the authority asks a MEI for the group.
fn emission() -> Value {
    untaxed(body::emission(NUMERIC))
}

fn untaxed(mut body: Value) -> Value {
    body["nota"]["produtos"][0]["ibscbs"] = json!({ "cst": "410", "classificacao": "410001" });
    body
}

fn emission_at(dhEmi: &str) -> Value {
    let mut body = emission();
    body["nota"]["identificacao"]["dhEmi"] = json!(dhEmi);
    body
}

/// `dhEmi` and CRT of a document as it was authorised.
async fn written(client: &Client, job: &Value) -> (String, String) {
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    (text_of(&xml, "dhEmi"), text_of(&xml, "CRT"))
}

fn text_of(xml: &str, tag: &str) -> String {
    let (_, rest) = xml.split_once(&format!("<{tag}>")).unwrap_or_else(|| panic!("no {tag} in {xml}"));
    rest.split_once('<').unwrap().0.to_owned()
}

#[tokio::test]
async fn rows_are_kept_by_day_replaced_as_a_whole_and_cleared_by_null() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let mut company = body::company(NUMERIC);
    company["regimes"] = json!([{ "a_partir_de": "2027-07-01", "crt": 1, "ibs_cbs_regular": true, "crtt": 2 },
        { "a_partir_de": NEW_YEAR, "crt": "3" }]);
    let made = client.post("/v1/empresas", &company).await.ok(201);
    let kept = json!([{ "a_partir_de": NEW_YEAR, "crt": 3, "ibs_cbs_regular": false },
        { "a_partir_de": "2027-07-01", "crt": 1, "ibs_cbs_regular": true }]);
    assert_eq!((&made["regimes"], &made["crt"]), (&kept, &json!(1)));
    let remark = &made["avisos"][0];
    assert_eq!((&remark["campo"], &remark["sugestao"]), (&"regimes[0].crtt".into(), &"crt".into()));

    let path = format!("/v1/empresas/{NUMERIC}");
    let email = client.put(&path, &json!({ "email": "fiscal@exemplo.com.br" })).await.ok(200);
    assert_eq!(email["regimes"], kept, "what is not sent stays");
    let again = client.put(&path, &client.get(&path).await.ok(200)).await.ok(200);
    assert_eq!((&again["regimes"], &again["avisos"]), (&kept, &json!([])), "what is shown may be sent back");
    let one = json!({ "regimes": [{ "a_partir_de": "2028-01-01", "crt": 2 }] });
    assert_eq!(client.put(&path, &one).await.ok(200)["regimes"].as_array().unwrap().len(), 1);
    assert_eq!(client.put(&path, &json!({ "regimes": null })).await.ok(200)["regimes"], json!([]));
    app.finish().await;
}

#[tokio::test]
async fn every_wrong_row_is_named_with_its_remedy_and_nothing_is_kept() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let path = format!("/v1/empresas/{NUMERIC}");
    let wrong = json!({ "crt": 9, "regimes": [
        { "a_partir_de": NEW_YEAR, "crt": 3, "ibs_cbs_regular": true },
        { "a_partir_de": "1/7/2027", "crt": 5 },
        { "a_partir_de": "2028-01-01", "crt": 1 },
        { "a_partir_de": "2028-01-01", "crt": 3 },
        "2029"
    ] });
    let error = client.put(&path, &wrong).await.refused(422, "validacao");
    let said =
        |erro: &Value| (erro["campo"].as_str().unwrap().to_owned(), erro["mensagem"].as_str().unwrap().to_owned());
    let (fields, texts): (Vec<String>, Vec<String>) = error["erros"].as_array().unwrap().iter().map(said).unzip();
    let expected = [
        "crt",
        "regimes[0].ibs_cbs_regular",
        "regimes[1].a_partir_de",
        "regimes[1].crt",
        "regimes[4]",
        "regimes[3].a_partir_de",
    ];
    assert_eq!(fields, expected);
    assert!(texts[1].contains("crt 1 ou 2"), "{}", texts[1]);
    assert!(texts[2].contains("AAAA-MM-DD"), "{}", texts[2]);
    assert!(texts[5].contains("uma linha por dia"), "{}", texts[5]);
    assert_eq!(client.get(&path).await.ok(200)["regimes"], json!([]));
    app.finish().await;
}

#[tokio::test]
async fn a_dated_row_wins_from_its_day_on_in_the_offset_of_each_document() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    becomes_mei(&client, NEW_YEAR).await;
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "crt": 1 })).await.ok(200);
    // ten in the morning in São Paulo: every midnight below is over, none for a month
    app.stand_at("2027-01-01T13:00:00Z".parse().unwrap()).await;
    for offset in ["-03:00", "-05:00", "-02:00"] {
        for (local, crt) in [("2026-12-31T23:59:59", "1"), ("2027-01-01T00:00:00", "4")] {
            let dhEmi = format!("{local}{offset}");
            let job = issued(&client, &emission_at(&dhEmi)).await;
            assert_eq!(written(&client, &job).await, (dhEmi, crt.to_owned()));
        }
    }
    let mut own = emission_at("2027-01-01T09:00:00-03:00");
    own["nota"]["emitente"] = json!({ "CRT": 1 });
    assert_eq!(written(&client, &issued(&client, &own).await).await.1, "1", "what the payload says is left as it is");
    app.finish().await;
}

#[tokio::test]
async fn the_night_needs_nobody() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    becomes_mei(&client, NEW_YEAR).await;
    // the clock goes on while a note is issued: its minute is certain, its second is not
    for (moment, minute, crt) in
        [("2027-01-01T02:59:00Z", "2026-12-31T23:59", "1"), ("2027-01-01T03:00:00Z", "2027-01-01T00:00", "4")]
    {
        app.stand_at(moment.parse().unwrap()).await;
        let (dhEmi, written) = written(&client, &issued(&client, &emission()).await).await;
        assert_eq!((&dhEmi[..16], written.as_str()), (minute, crt));
    }
    app.finish().await;
}

#[tokio::test]
async fn a_document_accepted_in_one_regime_and_dated_in_the_next_carries_the_next() {
    let mut app = TestApp::start_with(|parts| parts.worker = None).await;
    let client = app.issuer(NUMERIC).await.test;
    becomes_mei(&client, NEW_YEAR).await;
    app.stand_at("2027-01-01T02:55:00Z".parse().unwrap()).await;
    let accepted = client.post("/v1/nfe/emitir", &emission()).await.ok(202);
    // so long after its order that it is dated when it is signed
    app.stand_at("2027-01-01T03:06:00Z".parse().unwrap()).await;
    app.restart(async |_| {}, |_| {}).await;
    let (dhEmi, crt) = written(&client, &ended(&client, &accepted).await).await;
    assert_eq!((&dhEmi[..16], crt.as_str()), ("2027-01-01T00:06", "4"));
    app.finish().await;
}

#[tokio::test]
async fn what_is_checked_beforehand_is_what_will_be_signed() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let change = json!({ "regimes": [{ "a_partir_de": NEW_YEAR, "crt": 3 }] });
    client.put(&format!("/v1/empresas/{NUMERIC}"), &change).await.ok(200);
    app.stand_at("2027-01-01T13:00:00Z".parse().unwrap()).await;
    // an item with CSOSN, which CRT 3 may not have
    for (dhEmi, refused) in [("2026-12-31T23:59:59-03:00", false), ("2027-01-01T00:00:00-03:00", true)] {
        let checked = client.post("/v1/nfe/verificar-campos", &emission_at(dhEmi)).await.ok(200);
        let is_591 = |found: &Value| found["codigo_status"] == 591;
        assert_eq!(
            checked["rejeicoes_previstas"].as_array().unwrap().iter().any(is_591),
            refused,
            "{dhEmi}: {checked:#}"
        );
        let job = issued(&client, &emission_at(dhEmi)).await;
        assert_eq!(job["nota"]["codigo_status"] == 591, refused, "{dhEmi}: {job:#}");
    }
    app.finish().await;
}

#[tokio::test]
async fn retail_carries_the_regime_of_its_day_too() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    becomes_mei(&client, NEW_YEAR).await;
    for (moment, crt) in [("2027-01-01T02:59:00Z", "1"), ("2027-01-01T03:00:00Z", "4")] {
        app.stand_at(moment.parse().unwrap()).await;
        let accepted = client.post("/v1/nfce/emitir", &untaxed(body::counter_sale(NUMERIC))).await.ok(202);
        assert_eq!(written(&client, &ended(&client, &accepted).await).await.1, crt, "{moment}");
    }
    app.finish().await;
}
