//! The integrator: HTTP only, one reference per note, and never a second note for a lost answer.

use crate::city_halls;
use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::time::Duration;

/// Longest wait for an answer; only a halted process takes longer.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub(crate) struct Caller {
    client: Client<HttpConnector, Full<Bytes>>,
    api_key: String,
}

impl Caller {
    pub(crate) fn new(api_key: &str) -> Caller {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Caller { client, api_key: api_key.to_owned() }
    }

    /// Status and body; `None` when no answer came.
    pub(crate) async fn post(&self, base_url: &str, path: &str, body: &Value) -> Option<(StatusCode, Value)> {
        self.call(Request::post(format!("{base_url}{path}")), body.to_string()).await
    }

    pub(crate) async fn get(&self, base_url: &str, path: &str) -> Option<(StatusCode, Value)> {
        self.call(Request::get(format!("{base_url}{path}")), String::new()).await
    }

    /// Bytes of a file; `None` when no answer came, or another than 200.
    pub(crate) async fn file(&self, base_url: &str, path: &str) -> Option<Bytes> {
        let request = Request::get(format!("{base_url}{path}")).header("X-API-Key", &self.api_key);
        let response = self.client.request(request.body(Full::default()).unwrap()).await.ok()?;
        let is_there = response.status() == StatusCode::OK;
        Some(response.into_body().collect().await.ok()?.to_bytes()).filter(|_| is_there)
    }

    async fn call(&self, request: http::request::Builder, body: String) -> Option<(StatusCode, Value)> {
        let request = request
            .header("X-API-Key", &self.api_key)
            .header("Content-Type", "application/json")
            .body(Full::new(Bytes::from(body)))
            .unwrap();
        let answered = async {
            let response = self.client.request(request).await.ok()?;
            let status = response.status();
            let bytes = response.into_body().collect().await.ok()?.to_bytes();
            Some((status, serde_json::from_slice(&bytes).ok()?))
        };
        tokio::time::timeout(PATIENCE, answered).await.ok()?
    }
}

/// An NF-e that every authority authorises, or that is rejected by a mark in its product.
pub(crate) fn emission(cnpj: &str, referencia: &str, webhook_url: &str, rejected: bool) -> Value {
    let magic = if rejected { " [SIM:cStat=778]" } else { "" };
    json!({
        "cpf_cnpj": cnpj,
        "referencia_externa": referencia,
        "webhook_url": webhook_url,
        "nota": {
            "identificacao": {"natOp": "VENDA DE MERCADORIA", "tpNF": 1, "idDest": 1, "indFinal": 1, "indPres": 1},
            "destinatario": {
                "CNPJCPF": "11444777000161",
                "xNome": "NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL",
                "xLgr": "Rua Direita", "nro": "10", "xBairro": "Centro", "cMun": 3_550_308, "xMun": "São Paulo",
                "UF": "SP", "CEP": "01002000", "indIEDest": 9
            },
            "produtos": [{
                "cProd": referencia, "cEAN": "SEM GTIN", "xProd": format!("Caderno {referencia}{magic}"),
                "NCM": "48201000", "CFOP": 5102, "uCom": "UN", "qCom": 2, "vUnCom": "50.00", "vProd": "100.00",
                "cEANTrib": "SEM GTIN", "uTrib": "UN", "qTrib": 2, "vUnTrib": "50.00", "indTot": 1,
                "icms": {"orig": 0, "CSOSN": "102"}, "pis": {"CST": "99"}, "cofins": {"CST": "99"}
            }],
            "total": {"vProd": "100.00", "vNF": "100.00"},
            "transportador": {"modFrete": 9},
            "pagamentos": [{"tPag": "01", "vPag": "100.00"}]
        }
    })
}

/// A correction by the emission's job.
pub(crate) fn correction(cnpj: &str, job_id: &str, tipo: &str) -> Value {
    let mut body = json!({"cpf_cnpj": cnpj, "job_id": job_id});
    match tipo {
        "cte" => body["correcoes"] = json!([{"grupo": "compl", "campo": "xObs", "valor": "Entrega pela rua lateral"}]),
        _ => body["correcao"] = "O peso bruto correto é 12,5 kg".into(),
    }
    body
}

/// A CT-e or a CT-e OS: the guide's own.
pub(crate) fn transport(cnpj: &str, referencia: &str, webhook_url: &str, passengers: bool) -> Value {
    let guide = match passengers {
        true => include_str!("../../../../docs/guides/cte-os.json"),
        false => include_str!("../../../../docs/guides/cte.json"),
    };
    let mut body: Value = serde_json::from_str(guide).unwrap();
    body["cpf_cnpj"] = cnpj.into();
    body["referencia_externa"] = referencia.into();
    body["webhook_url"] = webhook_url.into();
    body
}

/// The smallest national NFS-e. The service's text contains the order, since a DPS has no random code that
/// distinguishes it from another of its second.
pub(crate) fn service(cnpj: &str, referencia: &str, webhook_url: &str) -> Value {
    let mut body: Value = serde_json::from_str(include_str!("../servico.json")).unwrap();
    body["cpf_cnpj"] = cnpj.into();
    body["referencia_externa"] = referencia.into();
    body["webhook_url"] = webhook_url.into();
    body["nota"]["serv"]["cServ"]["xDescServ"] = format!("Desenvolvimento de sistemas, {referencia}").into();
    body
}

/// An RPS of a city hall that takes lots.
pub(crate) fn municipal(cnpj: &str, referencia: &str, webhook_url: &str) -> Value {
    let mut body = city_halls::rps(cnpj, referencia, "");
    body["webhook_url"] = webhook_url.into();
    body
}

/// A request to void three numbers that no document will use; the entry's position in the book determines company and
/// numbers.
pub(crate) fn voiding(cnpj: &str, turn: usize) -> Value {
    let from = turn * 10 + 1;
    json!({"cpf_cnpj": cnpj, "numero_inicial": from, "numero_final": from + 2,
        "justificativa": "Numeração pulada por falha do sistema"})
}

/// A sale at the counter.
pub(crate) fn sale(cnpj: &str, referencia: &str, webhook_url: &str, offline: bool) -> Value {
    let mut body = emission(cnpj, referencia, webhook_url, false);
    body["nota"]["identificacao"] = json!({"natOp": "VENDA AO CONSUMIDOR", "tpEmis": if offline { 9 } else { 1 }});
    if let Some(nota) = body["nota"].as_object_mut() {
        nota.remove("destinatario");
    }
    body
}

/// A cancellation by the emission's job.
pub(crate) fn cancellation(cnpj: &str, job_id: &str) -> Value {
    json!({"cpf_cnpj": cnpj, "job_id": job_id, "justificativa": "Pedido duplicado pelo cliente"})
}
