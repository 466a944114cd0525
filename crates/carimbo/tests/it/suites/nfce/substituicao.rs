//! `POST /v1/nfce/cancelar` by substitution: the same sale was issued again offline, and the first note is cancelled
//! for it.

use fiscal::value::{ChaveAcesso, ChaveParts};
use serde_json::{Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC, number};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::retail::seller;

const PATH: &str = "/v1/nfce/cancelar";

fn sale() -> Value {
    body::counter_sale(NUMERIC)
}

/// The sale, offline.
fn again() -> Value {
    let mut body = sale();
    body["nota"]["identificacao"]["tpEmis"] = json!(9);
    body
}

async fn sold(client: &Client, body: &Value) -> Value {
    let accepted = client.post("/v1/nfce/emitir", body).await.ok(202);
    let job = ended(client, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    job
}

fn wish(cancelled: &Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, "job_id": cancelled["job_id"], "justificativa": "Venda emitida de novo em contingência" })
}

async fn asked(client: &Client, request: &Value) -> Value {
    let accepted = client.post(PATH, request).await.ok(202);
    ended(client, &accepted).await
}

#[tokio::test]
async fn the_first_note_is_cancelled_for_the_second_long_after_half_an_hour() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    for by in ["job_id_substituto", "chave_substituta"] {
        let (first, second) = (sold(&client, &sale()).await, sold(&client, &again()).await);
        app.control.put("/_sim/relogio", &json!({ "modo": "deslocado", "segundos": 1_860 })).await.ok(200);
        assert_eq!(asked(&client, &wish(&first)).await["evento_fiscal"]["codigo_status"], 501, "too late otherwise");
        let mut request = wish(&first);
        request[by] = if by == "chave_substituta" { second["nota"]["chave"].clone() } else { second["job_id"].clone() };
        let job = asked(&client, &request).await;
        let event = &job["evento_fiscal"];
        assert_eq!((&event["codigo"], &event["codigo_status"]), (&json!("110112"), &json!(135)), "{job}");
        assert_eq!((&job["nota"]["status"], &job["mensagem"]), (&json!("cancelada"), &json!("Nota cancelada")));
        let note = client.get(first["consulta"].as_str().unwrap()).await.ok(200);
        let file = client.get(note["arquivos"]["xml_cancelamento"].as_str().unwrap()).await.text();
        judge::accepts_proc_evento(&file, &app.ca_file());
        assert!(file.contains(&format!("<chNFeRef>{}</chNFeRef>", second["nota"]["chave"].as_str().unwrap())));
        let kept = client.get(second["consulta"].as_str().unwrap()).await.ok(200);
        assert_eq!(kept["nota"]["status"], "autorizada");
        client.post(PATH, &request).await.refused(409, "estado_invalido");
        app.control.put("/_sim/relogio", &json!({ "modo": "real" })).await.ok(200);
    }
    app.finish().await;
}

/// An item of 100.00 with its own ICMS.
fn taxed() -> Value {
    let mut item = body::item("100.00");
    item["icms"] = json!({ "orig": 0, "CSOSN": "900", "modBC": 3, "vBC": number("100.00"), "pICMS": number("18.00"),
        "vICMS": number("18.00") });
    item
}

/// Half of the sale.
fn half() -> Value {
    let mut item = body::item("50.00");
    item["qCom"] = json!(10);
    item
}

/// Sales that differ in one point, with the authority's code for each (NT 2018.004).
fn bent() -> Vec<(u16, Value)> {
    let changed = |change: fn(&mut Value)| {
        let mut body = again();
        change(&mut body["nota"]);
        body
    };
    vec![
        (
            914,
            changed(|nota| {
                let then = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(3);
                let offset = jiff::tz::TimeZone::fixed(jiff::tz::offset(-3));
                let then = then.to_zoned(offset).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
                nota["identificacao"]["dhEmi"] = json!(then);
                nota["identificacao"]["dhCont"] = json!(then);
                nota["identificacao"]["xJust"] = json!("Sem internet desde a abertura da loja");
            }),
        ),
        (
            915,
            changed(|nota| {
                nota["produtos"][0] = body::item("90.00");
                nota["produtos"][0]["qCom"] = json!(18);
                nota["pagamentos"][0]["vPag"] = number("90.00");
            }),
        ),
        (916, changed(|nota| nota["produtos"][0] = taxed())),
        (918, changed(|nota| nota["produtos"] = json!([half(), half()]))),
        (919, changed(|nota| nota["produtos"][0]["cProd"] = json!("OUTRO"))),
    ]
}

#[tokio::test]
async fn another_sale_takes_the_place_of_none() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let first = sold(&client, &sale()).await;
    let refused = async |substitute: &Value, cStat: u16| {
        let mut request = wish(&first);
        request["chave_substituta"] = substitute.clone();
        let job = asked(&client, &request).await;
        assert_eq!(job["evento_fiscal"]["codigo_status"], cStat, "{job}");
        assert_eq!(job["nota"]["status"], "autorizada");
    };
    for (cStat, body) in bent() {
        refused(&sold(&client, &body).await["nota"]["chave"], cStat).await;
    }
    let online = sold(&client, &sale()).await;
    refused(&online["nota"]["chave"], 920).await;
    refused(&first["nota"]["chave"], 920).await;
    // a note that was never sent, and one that is no longer valid
    let right = sold(&client, &again()).await;
    let parts = ChaveAcesso::parse(right["nota"]["chave"].as_str().unwrap()).unwrap().parts();
    let unknown = ChaveAcesso::compose(&ChaveParts { nNF: parts.nNF + 1_000, ..parts });
    refused(&json!(unknown.as_str()), 912).await;
    assert_eq!(asked(&client, &wish(&right)).await["nota"]["status"], "cancelada");
    refused(&right["nota"]["chave"], 913).await;
    app.finish().await;
}

#[tokio::test]
async fn the_addressee_stays_the_same() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let to = |mut body: Value, cpf: &str| {
        body["nota"]["destinatario"] = json!({ "CNPJCPF": cpf, "xNome": "Maria da Silva", "indIEDest": 9 });
        body
    };
    let first = sold(&client, &to(sale(), "52998224725")).await;
    for (cpf, cStat) in [("11144477735", 917), ("52998224725", 135)] {
        let mut request = wish(&first);
        request["chave_substituta"] = sold(&client, &to(again(), cpf)).await["nota"]["chave"].clone();
        assert_eq!(asked(&client, &request).await["evento_fiscal"]["codigo_status"], cStat);
    }
    app.finish().await;
}

#[tokio::test]
async fn the_substitute_is_checked_like_the_note() {
    let app = TestApp::start().await;
    let tenant = seller(&app).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let client = &tenant.test;
    let first = sold(client, &sale()).await;
    let refused = async |member: &str, value: Value, status: u16, codigo: &str| {
        let mut request = wish(&first);
        request[member] = value;
        let error = client.post(PATH, &request).await.refused(status, codigo);
        assert_eq!(error["erros"][0]["campo"], member, "{error}");
    };
    refused("chave_substituta", json!("1".repeat(44)), 422, "validacao").await;
    refused("job_id_substituto", json!("1"), 400, "requisicao_invalida").await;
    refused("job_id_substituto", json!(uuid::Uuid::now_v7()), 422, "validacao").await;
    // an NF-e has no such cancellation
    let note = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let note = ended(client, &note).await;
    let mut request = wish(&note);
    request["job_id_substituto"] = first["job_id"].clone();
    client.post("/v1/nfe/cancelar", &request).await.refused(422, "validacao");
    // the same request twice is one job
    let second = sold(client, &again()).await;
    let mut request = wish(&first);
    request["job_id_substituto"] = second["job_id"].clone();
    // a key of another document than the job's: nothing is done
    request["chave_substituta"] = first["nota"]["chave"].clone();
    let error = client.post(PATH, &request).await.refused(422, "validacao");
    assert_eq!(error["erros"][0]["campo"], "chave_substituta", "{error}");
    request["chave_substituta"] = second["nota"]["chave"].clone();
    request["referencia_externa"] = json!("CANC1");
    let job = asked(client, &request).await;
    assert_eq!(job["nota"]["status"], "cancelada");
    let replay = client.post(PATH, &request).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["payload_divergente"]), (&job["job_id"], &json!(false)));
    app.finish().await;
}
