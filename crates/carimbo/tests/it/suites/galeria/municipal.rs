//! Municipal notes: as a city hall made them of an RPS, a trial, one that was refused, a preview, and what becomes of a
//! note.

use serde_json::{Value, json};

use super::{Gallery, Made};
use crate::support::app::ended;
use crate::support::body::NUMERIC;
use crate::support::client::Client;

const ROUTE: &str = "/v1/nfse/govdigital/emitir";
/// Lavras, whose city hall has GovDigital.
const LAVRAS: &str = "3138203";

pub(super) async fn all(gallery: &mut Gallery) {
    let seller = gallery.company(NUMERIC, 1, None).await.live;
    configured(&seller, 1).await;
    let note = issued(gallery, &seller, service(), "autorizada").await;
    let code = note.job["nota"]["codigo_verificacao"].as_str().unwrap_or("sem código").to_owned();
    let told = ["COOPERATIVA AGRÍCOLA DO RIO GRANDE LTDA", "1.500,00", "Lavras", &code];
    gallery.draw(&seller, &note, "", "nfse-municipal", &told).await;
    fates(gallery, &seller, note).await;
    let trial = gallery.company(NUMERIC, 2, None).await.test;
    configured(&trial, 2).await;
    let note = issued(gallery, &trial, service(), "autorizada").await;
    gallery.draw(&trial, &note, "", "nfse-municipal-homologacao", &["SEM VALOR FISCAL"]).await;
}

async fn fates(gallery: &mut Gallery, client: &Client, note: Made) {
    let mut nota = service();
    nota["servico"]["discriminacao"] = json!("Suporte técnico [SIM:codigo=E45]");
    let refused = issued(gallery, client, nota, "rejeitada").await.void();
    gallery.draw(client, &refused, "", "nfse-municipal-rejeitada", &["REJEITADA", "E45", "2,00%"]).await;
    let preview = client.post("/v1/nfse/previa", &json!({ "cpf_cnpj": NUMERIC, "nota": service() })).await;
    assert_eq!(preview.status.as_u16(), 200, "{}", preview.text());
    gallery.keep("nfse-municipal-previa", &preview.bytes, "POST /v1/nfse/previa", "o PDF é a resposta", &service());
    let why = "Serviço contratado e não prestado ao tomador";
    let body = json!({ "cpf_cnpj": NUMERIC, "job_id": note.job["job_id"], "justificativa": why, "codigo_motivo": 2 });
    let cancelled = gallery.registered(client, "nfse", "/v1/nfse/cancelar", body).await;
    gallery.draw(client, &cancelled, "", "evento-cancelamento-nfse-municipal", &["NFS-e CANCELADA"]).await;
    gallery.draw(client, &note, "", "nfse-municipal-cancelada", &["CANCELADA"]).await;
}

/// By the city hall of Lavras from here on.
async fn configured(client: &Client, ambiente: u8) {
    let settings = json!({ "ambiente": ambiente, "codigo_municipio": LAVRAS, "inscricao_municipal": "12345", "serie": "1",
        "provedor": "govdigital", "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
    client.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
}

/// Posts a note and waits for its end, which must be this.
async fn issued(gallery: &mut Gallery, client: &Client, nota: Value, status: &str) -> Made {
    let body = json!({ "cpf_cnpj": NUMERIC, "nota": nota });
    let accepted = client.post(ROUTE, &body).await.ok(202);
    let job = ended(client, &accepted).await;
    gallery.must(job["nota"]["status"] == status, || {
        format!("{status}: {} {} {}", job["nota"], job["avisos"], job["erro"])
    });
    Made { tipo: "nfse", job, request: format!("POST {ROUTE}"), body, counts: true }
}

/// The example of the guide, for a company that is its tomador.
fn service() -> Value {
    let mut body: Value = serde_json::from_str(include_str!("../../../rps.json")).unwrap();
    let mut nota = body["nota"].take();
    nota["tomador"] = json!({
        "cnpj": "99888777000100", "razao_social": "COOPERATIVA AGRÍCOLA DO RIO GRANDE LTDA", "telefone": "3538291100", "email": "fiscal@exemplo.com.br",
        "endereco": {
            "logradouro": "Praça Doutor Augusto Silva", "numero": "415", "complemento": "Sala 3", "bairro": "Centro", "codigo_municipio": LAVRAS,
            "uf": "MG", "cep": "37200000"
        }
    });
    nota
}
