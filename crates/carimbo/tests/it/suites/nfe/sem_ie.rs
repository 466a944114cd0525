//! NT 2026.007: a company without inscrição estadual, on both sides of the day, and the register of the Receita
//! Federal.

use serde_json::{Value, json};
use simulator::settings::{FederalRecord, SimulatorSettings, TaxpayerRecord};

use crate::support::app::{Tenant, TestApp, ended, issued};
use crate::support::body::{self, NUMERIC, number};
use crate::support::client::Client;

/// Day of the rates of the notes.
const A_DAY: &str = "2026-11-20T10:00:00-03:00";

/// An issuer of São Paulo without registered IE, in production too.
async fn without_ie(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    let company = format!("/v1/empresas/{NUMERIC}");
    tenant.test.put(&company, &json!({ "inscricao_estadual": null, "crt": 3 })).await.ok(200);
    tenant.test.put(&format!("{company}/nfe"), &json!({ "ambiente": 1, "crt": 3 })).await.ok(200);
    tenant
}

/// A note with IBS and CBS, without ICMS.
fn note() -> Value {
    let mut body = body::emission(NUMERIC);
    let item = &mut body["nota"]["produtos"][0];
    item.as_object_mut().unwrap().remove("icms");
    let tax = |rate: &str, value: &str| json!({ "valor_bc": number("100.00"), "aliquota": number(rate), "valor": number(value) });
    item["ibscbs"] = json!({
        "cst": "000", "classificacao": "000001",
        "ibs_uf": tax("0.10", "0.10"), "ibs_mun": tax("0.00", "0.00"), "cbs": tax("0.90", "0.90"),
    });
    body
}

/// Returns predicted codes.
fn foreseen(job: &Value) -> Vec<u64> {
    let notices = job["avisos"].as_array().unwrap().iter();
    let sure = notices.filter(|notice| notice["codigo"] == "rejeicao_prevista");
    sure.filter_map(|notice| notice["codigo_status"].as_u64()).collect()
}

fn outcome(job: &Value) -> (Value, Value) {
    (job["nota"]["status"].clone(), job["nota"]["codigo_status"].clone())
}

/// Returns the authority that holds a document.
async fn holder(app: &TestApp, job: &Value) -> Value {
    let chave = job["nota"]["chave"].as_str().unwrap();
    let documents = app.control.get(&format!("/_sim/documentos/{chave}")).await.ok(200);
    documents["autoridade"].clone()
}

/// Issues a note before and one after a day, by a client of one environment.
async fn both_sides(app: &TestApp, client: &Client, before: &str, after: &str) -> Value {
    app.stand_at(before.parse().unwrap()).await;
    let refused = issued(client, &note()).await;
    assert!(foreseen(&refused).contains(&229), "{refused}");
    assert_eq!(refused["nota"]["status"], "rejeitada", "{refused}");
    app.stand_at(after.parse().unwrap()).await;
    let authorised = issued(client, &note()).await;
    assert_eq!(
        (foreseen(&authorised), outcome(&authorised)),
        (vec![], (json!("autorizada"), json!(100))),
        "{authorised}"
    );
    authorised
}

#[tokio::test]
async fn its_notes_are_authorised_by_the_svrs_from_the_day_on() {
    let app = TestApp::start().await;
    let tenant = without_ie(&app).await;
    both_sides(&app, &tenant.test, "2026-08-31T23:50:00-03:00", "2026-09-01T00:00:10-03:00").await;
    let job = both_sides(&app, &tenant.live, "2026-11-02T23:50:00-03:00", "2026-11-03T00:00:10-03:00").await;
    assert_eq!(holder(&app, &job).await, "svrs");
    let cfop = json!("nota.produtos[0].CFOP");
    let possible = |notice: &&Value| (&notice["codigo_status"], &notice["campo"]) == (&json!(159), &cfop);
    let notice = job["avisos"].as_array().unwrap().iter().find(possible).unwrap_or_else(|| panic!("{job}"));
    assert_eq!(notice["codigo"], "rejeicao_possivel");
    let xml = tenant.live.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(!xml.split_once("<emit>").unwrap().1.split_once("</emit>").unwrap().0.contains("<IE>"), "{xml}");
    let pdf = tenant.live.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
    assert!(pdf.bytes.starts_with(b"%PDF"));
    // its events go where it is
    let why = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Locação desfeita pelo cliente" });
    let cancelled = tenant.live.post("/v1/nfe/cancelar", &why).await.ok(202);
    assert_eq!(ended(&tenant.live, &cancelled).await["nota"]["status"], "cancelada");
    app.finish().await;
}

/// The day is the end of C17-10: a law that moves it moves the notes' authority too.
#[tokio::test]
async fn a_law_that_still_demands_the_ie_leaves_the_note_with_its_state() {
    let written = json!({ "regras": [{ "codigo": 229, "ate": "2099-12-31", "fonte": "ensaio" }] });
    let law = fiscal::law::Law::read(written).unwrap();
    let app = TestApp::start_with(|parts| parts.law = std::sync::Arc::new(law.clone())).await;
    app.simulate(|settings| settings.lei = law);
    let tenant = without_ie(&app).await;
    let refused = issued(&tenant.test, &note()).await;
    assert!(foreseen(&refused).contains(&229) && refused["nota"]["status"] == "rejeitada", "{refused}");
    app.finish().await;
}

#[tokio::test]
async fn what_it_may_not_say_is_foreseen_and_refused_alike() {
    let app = TestApp::start().await;
    app.stand_at(A_DAY.parse().unwrap()).await;
    let tenant = without_ie(&app).await;
    let mut with_icms = note();
    with_icms["nota"]["produtos"][0]["icms"] = json!({ "orig": 0, "CST": "41" });
    let mut without_group = note();
    without_group["nota"]["produtos"][0].as_object_mut().unwrap().remove("ibscbs");
    let mut substitute = note();
    substitute["nota"]["emitente"] = json!({ "IEST": "110042490114" });
    for (body, code) in [(with_icms, 161), (without_group, 162), (substitute, 158)] {
        let job = issued(&tenant.live, &body).await;
        assert!(foreseen(&job).contains(&code), "{code}: {job}");
        assert_eq!(job["nota"]["status"], "rejeitada", "{code}: {job}");
        assert!(foreseen(&job).contains(&job["nota"]["codigo_status"].as_u64().unwrap()), "{code}: {job}");
    }
    app.finish().await;
}

/// C17-11 and 1P10-40: only the SVRS accepts it, and no SVC replaces it. The authorities of the state refuse such a
/// note.
#[tokio::test]
async fn it_waits_while_the_svrs_stands_still_and_goes_to_no_svc() {
    let app = TestApp::start().await;
    app.stand_at(A_DAY.parse().unwrap()).await;
    let tenant = without_ie(&app).await;
    let stopped = json!([{ "modo": "paralisado_momentaneamente", "autoridade": "svrs" }]);
    app.control.put("/_sim/servicos", &stopped).await.ok(200);
    let accepted = tenant.live.post("/v1/nfe/emitir", &note()).await.ok(202);
    let waiting =
        crate::support::app::job_when(&tenant.live, &accepted, |job| job["tentativas"].as_u64() >= Some(1)).await;
    assert_ne!(waiting["status"], "completed", "{waiting}");
    app.control.put("/_sim/servicos", &json!([])).await.ok(200);
    app.forward(3_600).await;
    let job = ended(&tenant.live, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&json!("autorizada"), &json!(1)), "{job}");
    assert_eq!(holder(&app, &job).await, "svrs");
    app.finish().await;
}

/// The CCC has its registration: 163.
#[tokio::test]
async fn a_registration_that_the_state_knows_is_asked_for() {
    let app = TestApp::start().await;
    app.stand_at(A_DAY.parse().unwrap()).await;
    app.simulate(|settings| {
        let listed = TaxpayerRecord { ie: ["110042490114".to_owned()].into(), ..TaxpayerRecord::default() };
        settings.contribuintes.insert(NUMERIC.to_owned(), listed);
    });
    let tenant = without_ie(&app).await;
    let job = issued(&tenant.live, &note()).await;
    assert_eq!((foreseen(&job), outcome(&job)), (vec![], (json!("rejeitada"), json!(163))), "{job}");
    app.finish().await;
}

fn lists(record: FederalRecord) -> impl FnOnce(&mut SimulatorSettings) {
    move |settings| {
        let listed = TaxpayerRecord { receita: record, ..TaxpayerRecord::default() };
        settings.contribuintes.insert(NUMERIC.to_owned(), listed);
    }
}

/// The company declares the Simples, the Receita Federal another regime: refused from the day on, never predicted.
#[tokio::test]
async fn the_crt_is_compared_with_the_list_from_its_day_on() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    app.simulate(lists(FederalRecord { regTrib: Some(9), ..FederalRecord::default() }));
    for (client, before, after) in [
        (&tenant.test, "2026-08-31T23:50:00-03:00", "2026-09-01T00:00:10-03:00"),
        (&tenant.live, "2026-11-02T23:50:00-03:00", "2026-11-03T00:00:10-03:00"),
    ] {
        app.stand_at(before.parse().unwrap()).await;
        let job = issued(client, &body::emission(NUMERIC)).await;
        assert_eq!(outcome(&job), (json!("autorizada"), json!(100)), "{job}");
        app.stand_at(after.parse().unwrap()).await;
        let job = issued(client, &body::emission(NUMERIC)).await;
        assert_eq!((foreseen(&job), outcome(&job)), (vec![], (json!("rejeitada"), json!(180))), "{job}");
    }
    // a refusal with a known outcome: the next note gets the number, and the page of codes names the remedy
    let page = app.anonymous().get("/docs/guia/codigos").await.text();
    assert!(page.contains("3 para quem não está, 4 para o MEI") && page.contains("/docs/guia/regime-tributario"));
    app.finish().await;
}
