//! The control plane over HTTP, as an integrator uses it.

use crate::bench::{Bench, CNPJ, Note, start};
use crate::raw;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

impl Bench {
    /// Status and body.
    pub(crate) async fn control(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Bytes) {
        let address = self.simulator.control_url().replace("http://", "");
        let stream = TcpStream::connect(&address).await.unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = http::Request::builder().method(method).uri(path).header("host", &address);
        let response = sender.send_request(request.body(Full::new(Bytes::from(body))).unwrap()).await.unwrap();
        (response.status().as_u16(), response.into_body().collect().await.unwrap().to_bytes())
    }
    pub(crate) async fn json(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let (status, bytes) = self.control(method, path, body).await;
        assert!((200..300).contains(&status), "{method} {path}: {status} {}", String::from_utf8_lossy(&bytes));
        if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes).unwrap() }
    }
}

#[tokio::test]
async fn describes_itself() {
    let bench = start().await;
    let described = bench.json("GET", "/_sim", None).await;
    assert_eq!(described["https"], bench.simulator.https_url());
    assert!(described["tipos_de_falha"]["reset_after"].is_string());
    assert_eq!(bench.control("GET", "/_sim/nada", None).await.0, 404);
}

#[tokio::test]
async fn faults_are_scripted_listed_and_removed() {
    let bench = start().await;
    let fault = json!({ "servico": "NFeAutorizacao4", "tipo": "reset_after", "vezes": 3 });
    let id = bench.json("POST", "/_sim/falhas", Some(fault)).await["id"].clone();
    let chance = json!({ "tipo": "latency", "ms": 1, "probabilidade": "0.2", "semente": 7 });
    bench.json("POST", "/_sim/falhas", Some(chance)).await;
    let signed = bench.sign(&Note::new(1));
    let call =
        authority::sefaz::NFE.authorize(&bench.endpoint(authority::table::AuthorityService::Autorizacao), 1, &signed);
    assert!(bench.send(&call).await.is_err());
    let listed = bench.json("GET", "/_sim/falhas", None).await;
    assert_eq!((&listed[0]["ocorrencias"], &listed[0]["restantes"]), (&json!(1), &json!(2)));
    assert_eq!(listed[1]["probabilidade"], "0.2");
    bench.json("DELETE", &format!("/_sim/falhas/{id}"), None).await;
    assert_eq!(bench.verdict(&signed).await.0, 204);
    assert_eq!(bench.control("POST", "/_sim/falhas", Some(json!({ "tipo": "outra" }))).await.0, 400);
    assert_eq!(bench.control("POST", "/_sim/falhas", Some(json!({ "tipo": "latency", "servico": "X" }))).await.0, 400);
    let impossible = json!({ "tipo": "latency", "probabilidade": "1.5" });
    assert_eq!(bench.control("POST", "/_sim/falhas", Some(impossible)).await.0, 400);
}

#[tokio::test]
async fn documents_are_listed_with_how_often_they_came() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1));
    bench.verdict(&signed).await;
    bench.verdict(&signed).await;
    let listed = bench.json("GET", &format!("/_sim/documentos?emitente={CNPJ}"), None).await;
    let (document, chave) = (&listed["documentos"][0], Note::new(1).chave());
    assert_eq!((&listed["total"], &document["chave"]), (&json!(1), &json!(chave.as_str())));
    assert_eq!((&document["contagem"]["recebida"], &document["contagem"]["gravada"]), (&json!(2), &json!(1)));
    let none = bench.json("GET", "/_sim/documentos?emitente=99999999000191", None).await;
    assert_eq!(none["total"], 0);
    let one = bench.json("GET", &format!("/_sim/documentos/{}", chave.as_str()), None).await;
    assert_eq!(one["situacao"], "autorizada");
    let (status, xml) = bench.control("GET", &format!("/_sim/documentos/{}/xml", chave.as_str()), None).await;
    assert_eq!((status, &xml[..]), (200, signed.as_bytes()));
    let requests = bench.json("GET", "/_sim/requisicoes?desde=1", None).await;
    assert_eq!(
        (&requests["requisicoes"][0]["cStat"], &requests["requisicoes"][0]["transmissor"]),
        (&json!(204), &json!(CNPJ))
    );
    let totals = bench.json("GET", "/_sim/contadores", None).await;
    assert_eq!((&totals["documentos"], &totals["gravadas_mais_de_uma_vez"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn clock_rules_modes_and_registry_are_set_and_reset() {
    let bench = start().await;
    bench.json("PUT", "/_sim/relogio", Some(json!({ "modo": "fixo", "instante": "2026-11-20T10:00:00-03:00" }))).await;
    assert_eq!(bench.json("GET", "/_sim/relogio", None).await["agora"], "2026-11-20T10:00:00-03:00");
    bench.json("PUT", "/_sim/relogio", Some(json!({ "modo": "deslocado", "segundos": 0 }))).await;
    bench.json("PUT", "/_sim/regras", Some(json!({ "703": "off" }))).await;
    let late = json!({ "cancelamento_tardio": true, "limites": false });
    assert_eq!(bench.json("PATCH", "/_sim/configuracao", Some(late)).await["regras"]["703"], "off");
    let modes = json!([{ "modo": "paralisado_sem_previsao", "autoridade": "sp" }]);
    bench.json("PUT", "/_sim/servicos", Some(modes)).await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 109);
    bench.json("PUT", "/_sim/servicos", Some(json!([]))).await;
    bench.json("PUT", "/_sim/contribuintes/11144477735", Some(json!({ "destinatario_irregular": true }))).await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 302);
    bench.json("POST", "/_sim/reset", None).await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    assert_eq!(bench.control("PATCH", "/_sim/configuracao", Some(json!({ "outra": 1 }))).await.0, 400);
}

#[tokio::test]
async fn gives_what_a_client_needs_to_reach_it() {
    let bench = start().await;
    let (_, pem) = bench.control("GET", "/_sim/ca.pem", None).await;
    assert_eq!(&pem[..], bench.simulator.pki().ca_pem());
    let (_, toml) = bench.control("GET", "/_sim/enderecos.toml", None).await;
    assert_eq!(&toml[..], bench.simulator.endpoints_toml().as_bytes());
    let wanted = json!({ "nome": "OUTRA", "cpf_cnpj": "12ABC34501DE35", "senha": "x" });
    let (status, pfx) = bench.control("POST", "/_sim/certificados", Some(wanted)).await;
    assert_eq!(status, 200);
    let certificate = signing::Certificate::from_pfx(&pfx, "x").unwrap();
    assert_eq!(certificate.holder().cnpj.as_deref(), Some("12ABC34501DE35"));
}

#[tokio::test]
async fn serves_a_wsdl_with_the_official_operation() {
    let bench = start().await;
    let address = bench.simulator.https_url().replace("https://", "");
    let (mut sender, _connection) = raw::connect(&bench, Some(&bench.certificate), None).await.unwrap();
    let request = http::Request::get("/nfe/sp/hom/NFeAutorizacao4?wsdl").header("host", &address);
    let response = sender.send_request(request.body(Full::new(Bytes::new())).unwrap()).await.unwrap();
    let wsdl = response.into_body().collect().await.unwrap().to_bytes();
    let definitions = fiscal::xml::read(&wsdl).unwrap();
    assert_eq!(definitions.at("portType/operation").unwrap().attribute("name"), Some("nfeAutorizacaoLote"));
    let expected = format!("https://{address}/nfe/sp/hom/NFeAutorizacao4");
    assert_eq!(definitions.at("service/port/address").unwrap().attribute("location"), Some(expected.as_str()));
}
