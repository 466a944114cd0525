//! Input that is never ignored: refused with its path, or set by the service with a notice.
//!
//! Rows come from requests of new users and developers of other services.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::retail;

/// A member of `nota` and what stands there.
type Row = (&'static str, Value);

fn with(mut body: Value, (path, value): &Row) -> Value {
    let at = path.split('.').fold(&mut body["nota"], |at, name| &mut at[name]);
    *at = value.clone();
    body
}

/// The members that a refusal names.
fn named(refused: &Value) -> Vec<&str> {
    refused["erros"].as_array().unwrap().iter().map(|erro| erro["campo"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_where_it_stands() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let rows: &[Row] = &[
        ("identificacao.nNF", json!("5.234")),
        ("identificacao.nNF", json!("abc")),
        ("identificacao.nNF", json!(0)),
        ("identificacao.nNF", json!(true)),
        ("identificacao.nNF", json!(1_000_000_000)),
        ("identificacao.serie", json!("abc")),
        ("identificacao.serie", json!("1.0")),
        ("identificacao", json!("texto")),
        ("emitente", json!("x")),
        ("destinatario", json!(["JOAO"])),
        ("total", json!("texto")),
        ("cobranca", json!("a prazo")),
        ("transportador", json!(7)),
    ];
    for row in rows {
        let refused =
            client.post("/v1/nfe/emitir", &with(body::emission(NUMERIC), row)).await.refused(422, "documento_invalido");
        let campo = format!("nota.{}", row.0);
        assert!(named(&refused).contains(&campo.as_str()), "{row:?}: {refused}");
        let own = row.0.rsplit('.').next().unwrap();
        let said = refused["erros"].to_string();
        assert!(said.contains(own) || said.contains("inteiro"), "{row:?}: {said}");
        assert!(!said.contains("]{"), "an expression: {said}");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_the_service_decides_is_told() {
    let app = TestApp::start().await;
    let client = retail::seller(&app).await.test;
    let rows: &[Row] = &[
        ("identificacao.indPres", json!(2)),
        ("identificacao.cNF", json!("12345678")),
        ("identificacao.tpNF", json!(0)),
    ];
    for row in rows {
        let accepted = client.post("/v1/nfce/emitir", &with(body::counter_sale(NUMERIC), row)).await.ok(202);
        let campo = format!("nota.{}", row.0);
        let is_told = |aviso: &Value| aviso["campo"] == campo.as_str() && aviso["codigo"] == "campo_ignorado";
        assert!(accepted["avisos"].as_array().unwrap().iter().any(is_told), "{row:?}: {accepted}");
        assert_eq!(ended(&client, &accepted).await["nota"]["status"], "autorizada", "{row:?}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_member_that_stands_twice_is_named_by_its_path() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let sent = body::emission(NUMERIC).to_string();
    let twice = sent.replacen("\"CFOP\":5102", "\"CFOP\":5102,\"CFOP\":5405", 1);
    assert_ne!(sent, twice);
    for (path, text, campo) in [
        ("/v1/nfe/emitir", twice, "nota.produtos[0].CFOP"),
        ("/v1/nfe/cancelar", r#"{"job_id":"a","job_id":"b"}"#.to_owned(), "job_id"),
        ("/v1/auth/login", r#"{"email":"a","senha":"b","senha":"c"}"#.to_owned(), "senha"),
    ] {
        let headers = [("content-type", "application/json")];
        let refused = client.send(http::Method::POST, path, &headers, text.into()).await.refused(400, "json_invalido");
        assert_eq!(named(&refused), [campo], "{refused}");
    }
    app.finish().await;
}

#[tokio::test]
async fn names_of_two_documents_do_nothing_to_either() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let (first, second) =
        (issued(&client, &body::emission(NUMERIC)).await, issued(&client, &body::emission(NUMERIC)).await);
    for (path, words) in [
        ("/v1/nfe/cancelar", json!({ "justificativa": "Venda desfeita pelo cliente" })),
        ("/v1/nfe/carta-correcao", json!({ "correcao": "O peso correto da mercadoria é de 2 kg" })),
    ] {
        for chave in [&second["nota"]["chave"], &json!("35261100000000000000000000000000000000000000")] {
            let mut act = words.clone();
            act["cpf_cnpj"] = NUMERIC.into();
            act["job_id"] = first["job_id"].clone();
            act["chave"] = chave.clone();
            let refused = client.post(path, &act).await.refused(422, "validacao");
            assert_eq!(named(&refused), ["chave"], "{path}: {refused}");
        }
    }
    for job in [&first, &second] {
        assert_eq!(status(&client, job).await, "autorizada");
    }
    let mut both = json!({ "cpf_cnpj": NUMERIC, "justificativa": "Venda desfeita pelo cliente" });
    both["job_id"] = first["job_id"].clone();
    both["chave"] = first["nota"]["chave"].clone();
    let accepted = client.post("/v1/nfe/cancelar", &both).await.ok(202);
    ended(&client, &accepted).await;
    assert_eq!(
        (status(&client, &first).await, status(&client, &second).await),
        ("cancelada".into(), "autorizada".into())
    );
    app.finish().await;
}

async fn status(client: &Client, job: &Value) -> Value {
    client.get(job["consulta"].as_str().unwrap()).await.ok(200)["nota"]["status"].clone()
}

#[tokio::test]
async fn a_remedy_names_a_route_that_exists_and_a_file_its_kinds() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let unknown = with(body::emission(NUMERIC), &("produtos", json!([{ "NCM": "99999999" }])));
    let mut item = body::item("100.00");
    item["NCM"] = json!("99999999");
    let mut sent = unknown;
    sent["nota"]["produtos"] = json!([item]);
    let accepted = client.post("/v1/nfe/emitir", &sent).await.ok(202);
    let remarks = accepted["avisos"].to_string();
    assert!(remarks.contains("POST /v1/ncm/buscar"), "{remarks}");
    client.post("/v1/ncm/buscar", &json!({ "descricao": "caderno" })).await.ok(200);
    let job = ended(&client, &accepted).await;
    let path = format!("/v1/nfe/{}/file/xpto", job["job_id"].as_str().unwrap());
    let refused = client.get(&path).await.refused(404, "nao_encontrado");
    let mensagem = refused["mensagem"].as_str().unwrap();
    assert!(mensagem.contains("xml_cancelamento") && !mensagem.contains("conta da chave"), "{mensagem}");
    app.finish().await;
}
