//! Bodies that cost more than they should: numbers at the limits of arithmetic, thousands of wrong names, of empty
//! items, of values. Each is answered soon and shortly, and `/health` answers in the meantime.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Method;
use serde_json::{Map, Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::{Answer, Client};

const VERIFY: &str = "/v1/nfe/verificar-campos";
const ROUTES: [&str; 6] =
    [VERIFY, "/v1/nfe/emitir", "/v1/nfe/previa", "/v1/nfe/preparar", "/v1/nfce/emitir", "/v1/nfce/verificar-campos"];

/// Documents of the other families, and the type that issues each.
const OTHERS: [(&str, &str); 3] = [
    ("cte", include_str!("../../../../../../docs/guides/cte.json")),
    ("cte", include_str!("../../../../../../docs/guides/cte-os.json")),
    ("nfse", include_str!("../../../servico.json")),
];

/// A company that issues what [`OTHERS`] are, too.
async fn with_all_types(app: &TestApp) -> Client {
    let client = app.issuer(NUMERIC).await.test;
    let transport = json!({ "ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "taf": "123456789012" });
    client.put(&format!("/v1/empresas/{NUMERIC}/cte"), &transport).await.ok(200);
    let services =
        json!({ "ambiente": 2, "codigo_municipio": "3550308", "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
    client.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &services).await.ok(200);
    client
}

/// Every amount of a service that something is computed of: discounts, deductions by documents, a benefit, taxes kept
/// back, reimbursements.
fn amounts_of_a_service() -> Value {
    let deduction = json!({ "nDoc": "123", "tpDedRed": 99, "xDescOutDed": "Material da obra", "dtEmiDoc": "2026-10-02",
        "vDedutivelRedutivel": 100, "vDeducaoReducao": 50 });
    json!({
        "vServPrest": { "vReceb": 1500, "vServ": 1500 },
        "vDescCondIncond": { "vDescIncond": 10, "vDescCond": 5 },
        "vDedRed": { "documentos": { "docDedRed": [deduction.clone(), deduction] } },
        "trib": {
            "tribMun": { "tribISSQN": 1, "tpRetISSQN": 2, "pAliq": 5, "BM": { "nBM": "35503080100001", "pRedBCBM": 40 } },
            "tribFed": {
                "piscofins": { "CST": "01", "vBCPisCofins": 1500, "pAliqPis": 1, "pAliqCofins": 3, "vPis": 15, "vCofins": 45, "tpRetPisCofins": 3 },
                "vRetCP": 1, "vRetIRRF": 15, "vRetCSLL": 60
            },
            "totTrib": { "vTotTrib": { "vTotTribFed": 100, "vTotTribEst": 0, "vTotTribMun": 50 } }
        }
    })
}

/// And of what is paid back within it.
fn reimbursements() -> Value {
    let paid_back = json!({ "docOutro": { "nDoc": "FAT 99", "xDoc": "Fatura" }, "dtEmiDoc": "2026-11-15", "dtCompDoc": "2026-11-15",
        "tpReeRepRes": "99", "xTpReeRepRes": "Repasse", "vlrReeRepRes": 800 });
    json!({
        "finNFSe": "0", "indFinal": "0", "cIndOp": "100301", "indDest": "0",
        "valores": {
            "gReeRepRes": { "documentos": [paid_back.clone(), paid_back] },
            "trib": { "gIBSCBS": { "CST": "000", "cClassTrib": "000001" } }
        }
    })
}

/// Puts a number in the place of each that a value holds, or of one of them alone; gives how many there are.
fn put_number(value: &mut Value, number: &str, alone: Option<usize>) -> usize {
    fn walk(value: &mut Value, number: &str, alone: Option<usize>, seen: &mut usize) {
        match value {
            Value::Number(_) => {
                if alone.is_none_or(|alone| alone == *seen) {
                    *value = body::number(number);
                }
                *seen += 1;
            }
            Value::Array(all) => all.iter_mut().for_each(|one| walk(one, number, alone, seen)),
            Value::Object(members) => members.values_mut().for_each(|one| walk(one, number, alone, seen)),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    let mut seen = 0;
    walk(value, number, alone, &mut seen);
    seen
}

/// The answer to a body, and the longest that `/health` took while it was made.
async fn while_healthy(app: &TestApp, client: &Client, path: &str, body: &Value) -> (Answer, Duration) {
    let (begun, sent) = (Instant::now(), client.post(path, body));
    tokio::pin!(sent);
    let mut longest = Duration::ZERO;
    loop {
        let asked = Instant::now();
        tokio::select! {
            answer = &mut sent => {
                // a debug build on a busy machine; before, this took minutes
                assert!(begun.elapsed() < Duration::from_secs(60), "{path}: {:?}", begun.elapsed());
                return (answer, longest);
            }
            health = app.anonymous().get("/health") => {
                health.ok(200);
                longest = longest.max(asked.elapsed());
            }
        }
    }
}

/// No list of an answer is longer than this, and it is no larger than a page.
#[track_caller]
fn assert_short(answer: &Answer) {
    assert!(answer.bytes.len() < 150_000, "{} bytes", answer.bytes.len());
    for (name, list) in answer.json().as_object().unwrap() {
        assert!(list.as_array().is_none_or(|list| list.len() <= 101), "{name}");
    }
}

fn strange_names(count: usize) -> Map<String, Value> {
    (0..count).map(|at| (format!("vProduto{at}"), json!(1))).collect()
}

#[tokio::test]
async fn numbers_at_the_limits_of_arithmetic_are_refused_and_nothing_falls_over() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let numbers = [
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "922337203685477.5807",
        "100000000000000",
        "1e28",
        "1e999999999",
        "1e-999999999",
    ];
    for number in numbers.into_iter().map(str::to_owned).chain(["9".repeat(10_000)]) {
        for path in ROUTES {
            let mut body = body::emission(NUMERIC);
            let mut item = body::item("1");
            for field in ["vProd", "vUnCom", "qCom", "vFrete", "vOutro"] {
                item[field] = body::number(&number);
            }
            body["nota"]["produtos"] = json!([item.clone(), item]);
            body["nota"]["pagamentos"] =
                json!([{ "tPag": "01", "vPag": body::number(&number) }, { "tPag": "17", "vPag": number }]);
            let answer = client.post(path, &body).await;
            let expected: &[u16] = if path.ends_with("verificar-campos") { &[200] } else { &[422, 409] };
            assert!(expected.contains(&answer.status.as_u16()), "{path} {number}: {} {}", answer.status, answer.text());
        }
        let located = client.get(&format!("/v1/jobs/localizar?valor={number}")).await;
        assert!(located.status.is_client_error(), "{number}: {}", located.status);
    }
    app.finish().await;
}

#[tokio::test]
async fn numbers_at_the_limits_of_arithmetic_break_no_document_of_another_family() {
    let app = TestApp::start().await;
    let client = with_all_types(&app).await;
    // the greatest that a field of fifteen digits holds, the greatest that we count with, and beyond
    let numbers =
        ["9999999999999.99", "-9999999999999.99", "99999999999999.9999999999", "79228162514264337593543950335", "1e28"];
    for (tipo, document) in OTHERS {
        let mut document: Value = serde_json::from_str(document).unwrap();
        if tipo == "nfse" {
            document["nota"]["valores"] = amounts_of_a_service();
            document["nota"]["IBSCBS"] = reimbursements();
        }
        let (verify, issue) = (format!("/v1/{tipo}/verificar-campos"), format!("/v1/{tipo}/emitir"));
        for number in numbers {
            let mut whole = document.clone();
            let count = put_number(&mut whole["nota"], number, None);
            assert!(count > 3, "{count} numbers: {document}");
            client.post(&verify, &whole).await.ok(200);
            let refused = client.post(&issue, &whole).await;
            assert_eq!(refused.status, 422, "{issue} {number}: {}", refused.text());
            for alone in 0..count {
                let mut one = document.clone();
                put_number(&mut one["nota"], number, Some(alone));
                let answer = client.post(&verify, &one).await;
                assert_eq!(answer.status, 200, "{number} in the place of the {alone}th: {}", answer.text());
            }
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn thousands_of_wrong_names_in_another_family_are_answered_shortly() {
    let app = TestApp::start().await;
    let client = with_all_types(&app).await;
    for (tipo, document) in OTHERS {
        let mut document: Value = serde_json::from_str(document).unwrap();
        document["nota"].as_object_mut().unwrap().extend(strange_names(15_000));
        for path in ["verificar-campos", "emitir?estrito=true"] {
            let (answer, longest) = while_healthy(&app, &client, &format!("/v1/{tipo}/{path}"), &document).await;
            println!("{tipo}/{path}: /health {longest:?}, {} bytes", answer.bytes.len());
            assert_short(&answer);
            let answer = answer.json();
            let (told, omitted) = match path {
                "verificar-campos" => (&answer["campos_desconhecidos"], &answer["omitidos"]["campos_desconhecidos"]),
                _ => (&answer["erros"], &answer["erros_omitidos"]),
            };
            assert_eq!(told.as_array().unwrap().len(), 100, "{tipo}/{path}: {answer}");
            assert!(omitted.as_u64().is_some_and(|omitted| omitted >= 500), "{tipo}/{path}: {omitted}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn thousands_of_wrong_names_are_answered_shortly_and_hold_up_nobody() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut bodies = Vec::new();
    let mut names = body::emission(NUMERIC);
    names["nota"].as_object_mut().unwrap().extend(strange_names(15_000));
    bodies.push(names);
    let mut names = body::emission(NUMERIC);
    names["nota"]["produtos"][0].as_object_mut().unwrap().extend(strange_names(15_000));
    bodies.push(names);
    let mut names = body::emission(NUMERIC);
    names["nota"]["produtos"][0]["icms"].as_object_mut().unwrap().extend(strange_names(15_000));
    bodies.push(names);
    let mut names = body::emission(NUMERIC);
    names["nota"][&"v".repeat(500_000)] = json!(1);
    bodies.push(names);
    for body in &bodies {
        let (answer, longest) = while_healthy(&app, &client, VERIFY, body).await;
        assert_short(&answer);
        println!("/health {longest:?}, {} bytes", answer.bytes.len());
        let answer = answer.ok(200);
        let told = answer["campos_desconhecidos"].as_array().unwrap();
        assert!(!told.is_empty() && told[0]["campo"].as_str().unwrap().len() < 100, "{}", told[0]);
        if told.len() == 100 {
            let omitted = answer["omitidos"]["campos_desconhecidos"].as_u64().unwrap();
            assert!((500..=900).contains(&omitted), "{omitted}: a search stops at a thousand");
        }
    }
    let mut misspelt = body::emission(NUMERIC);
    misspelt["nota"]["produtos"][0]["vProdd"] = json!(1);
    misspelt["nota"]["produtos"][0].as_object_mut().unwrap().extend(strange_names(15_000));
    let answer = client.post(VERIFY, &misspelt).await.ok(200);
    assert_eq!(answer["campos_desconhecidos"][0]["sugestao"], "vProd", "the first are told the right name");
    let mut wrapped = body::emission(NUMERIC);
    wrapped.as_object_mut().unwrap().extend(strange_names(15_000));
    assert_short(&client.post(VERIFY, &wrapped).await);
    app.finish().await;
}

#[tokio::test]
async fn remarks_are_stored_a_hundred_at_most_and_the_others_are_counted() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0].as_object_mut().unwrap().extend(strange_names(300));
    let accepted = client.post("/v1/nfe/emitir", &body).await.ok(202);
    let job = ended(&client, &accepted).await;
    assert_eq!(job["status"], "completed", "{job}");
    for avisos in [&accepted["avisos"], &job["avisos"]] {
        let avisos = avisos.as_array().unwrap();
        assert_eq!(avisos.len(), 101);
        assert_eq!(avisos[100]["codigo"], "avisos_omitidos");
        assert!(avisos[100]["mensagem"].as_str().unwrap().contains("verificar-campos"));
    }
    app.finish().await;
}

#[tokio::test]
async fn empty_items_are_counted_before_anybody_looks_at_them() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    // the company issues no NFC-e, which is refused before its items are examined
    for path in ROUTES.into_iter().filter(|path| *path != "/v1/nfce/emitir") {
        let mut body = body::emission(NUMERIC);
        body["nota"]["produtos"] = json!(vec![json!({}); 30_000]);
        let (answer, _) = while_healthy(&app, &client, path, &body).await;
        assert_short(&answer);
        let erros = answer.json()["erros"].take();
        let of_items = erros.as_array().unwrap().iter().find(|error| error["campo"] == "nota.produtos");
        assert!(of_items.unwrap()["mensagem"].as_str().unwrap().contains("990"), "{path}: {erros}");
        body["nota"]["produtos"] = json!(vec![json!({}); 990]);
        let (answer, _) = while_healthy(&app, &client, path, &body).await;
        assert_short(&answer);
        let answer = answer.json();
        let omitted = if path.ends_with("verificar-campos") {
            &answer["omitidos"]["campos_ausentes"]
        } else {
            &answer["erros_omitidos"]
        };
        assert!(omitted.as_u64().unwrap() > 100, "{path}: {omitted}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_body_of_too_many_values_is_refused_before_it_is_read() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let many = format!("{{\"cpf_cnpj\":\"{NUMERIC}\",\"nota\":[{}0]}}", "0,".repeat(480_000));
    let headers = [("content-type", "application/json")];
    let others = ["/v1/cte/emitir", "/v1/cte/verificar-campos", "/v1/cte/previa", "/v1/nfse/emitir"];
    for path in ROUTES.into_iter().chain(others).chain(["/v1/nfse/verificar-campos", "/v1/nfse/previa"]) {
        let answer = client.send(Method::POST, path, &headers, Bytes::from(many.clone())).await;
        let body = answer.refused(413, "corpo_grande");
        assert!(body["detail"].as_str().unwrap().contains("valores demais"), "{body}");
    }
    app.finish().await;
}
