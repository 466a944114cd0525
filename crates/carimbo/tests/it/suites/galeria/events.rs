//! Forms of events: those of the issuer on its note, and those of the recipient.

use serde_json::{Value, json};

use super::{Gallery, notes};
use crate::support::app::ended;
use crate::support::body::{ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;

/// Parties of the notes of the gallery.
const PARTIES: [&str; 3] = ["Distribuidora Aurora", "SUPERMERCADO IRMÃOS MENDONÇA", "12.ABC.345/01DE-35"];

pub(super) async fn all(gallery: &mut Gallery, client: &Client) {
    emitters(gallery, client).await;
    addressees(gallery, client).await;
    substituted(gallery, client).await;
}

/// Correction, cancellation and the carrier who may fetch the note.
async fn emitters(gallery: &mut Gallery, client: &Client) {
    let note = gallery.issued(client, "nfe", notes::invoice(5), "autorizada").await;
    let words = "Onde se lê no endereço do destinatário RUA DO ROSÁRIO 415, leia-se RUA DO ROSÁRIO 451. O peso bruto correto é 1.301,250 kg.";
    let correction = gallery.event(client, &note, "/v1/nfe/carta-correcao", "correcao", words).await;
    let told = [&PARTIES[..], &[words, "A Carta de Correção é disciplinada", "11.222.333/0001-81 - EMITENTE"]].concat();
    gallery.draw(client, &correction, "", "evento-carta-de-correcao", &told).await;
    let body = json!({
        "cpf_cnpj": NUMERIC, "job_id": note.job["job_id"], "ator": "60.701.190/0001-04", "permite_subcontratacao": true
    });
    let actor = gallery.registered(client, "nfe", "/v1/nfe/ator-interessado", body).await;
    let told = [
        &PARTIES[..],
        &[
            "ATOR INTERESSADO",
            "TRANSPORTADOR AUTORIZADO",
            "60.701.190/0001-04 - TRANSPORTES RÁPIDO",
            "declara que permite",
        ],
    ];
    gallery.draw(client, &actor, "", "evento-ator-interessado", &told.concat()).await;
    let why = "Pedido desfeito pelo cliente antes da saída da mercadoria";
    let cancellation = gallery.event(client, &note, "/v1/nfe/cancelar", "justificativa", why).await;
    gallery.draw(client, &cancellation, "", "evento-cancelamento", &[&PARTIES[..], &[why]].concat()).await;
    let told = ["CANCELADA", "protocolo de cancelamento"];
    gallery.draw(client, &note.void(), "", "situacao-cancelada", &told).await;
}

/// The four events of a recipient: at the first it knows the note by its summary, then whole.
async fn addressees(gallery: &mut Gallery, client: &Client) {
    let receiver = gallery.company(ALPHANUMERIC, 1, None).await.live;
    let note = gallery.issued(client, "nfe", notes::invoice(5), "autorizada").await;
    let said = |tipo: &str| json!({ "cpf_cnpj": ALPHANUMERIC, "chave": note.job["nota"]["chave"], "tipo": tipo });
    synchronised(gallery, &receiver).await;
    manifested(gallery, &receiver, said("ciencia"), "CIÊNCIA DA OPERAÇÃO", &PARTIES[..1]).await;
    gallery.app.forward(3_700).await;
    synchronised(gallery, &receiver).await;
    for (tipo, title) in
        [("desconhecimento", "DESCONHECIMENTO DA OPERAÇÃO"), ("confirmacao", "CONFIRMAÇÃO DA OPERAÇÃO")]
    {
        manifested(gallery, &receiver, said(tipo), title, &PARTIES).await;
    }
    let mut refused = said("nao_realizada");
    refused["justificativa"] = json!("Mercadoria recusada na entrega: embalagens violadas");
    manifested(gallery, &receiver, refused, "OPERAÇÃO NÃO REALIZADA", &PARTIES).await;
}

async fn manifested(gallery: &mut Gallery, client: &Client, body: Value, title: &str, parties: &[&str]) {
    let name = format!("evento-manifestacao-{}", body["tipo"].as_str().unwrap().replace('_', "-"));
    let word = gallery.registered(client, "nfe", "/v1/nfe/manifestar", body).await;
    let told = [&[title, "O destinatário", "12.ABC.345/01DE-35 - DESTINATÁRIO"], parties].concat();
    gallery.draw(client, &word, "", &name, &told).await;
}

/// Fetches documents that others issued to a company.
async fn synchronised(gallery: &mut Gallery, client: &Client) {
    let told = client.post("/v1/nfe/recebidas/sincronizar", &json!({ "cpf_cnpj": ALPHANUMERIC })).await;
    gallery.must(told.status == 200, || told.text());
}

/// A receipt that was issued again offline, and is cancelled for the second.
async fn substituted(gallery: &mut Gallery, client: &Client) {
    let first = gallery.issued(client, "nfce", notes::sale(3, false), "autorizada").await;
    let mut again = notes::sale(3, false);
    again["identificacao"]["tpEmis"] = json!(9);
    let made = gallery.begun(client, "nfce", NUMERIC, again).await;
    let second = ended(client, &made.job).await;
    let body = json!({
        "cpf_cnpj": NUMERIC, "job_id": first.job["job_id"], "job_id_substituto": second["job_id"],
        "justificativa": "Venda emitida de novo em contingência"
    });
    let cancelled = gallery.registered(client, "nfce", "/v1/nfce/cancelar", body).await;
    let told = ["CANCELAMENTO POR SUBSTITUIÇÃO DE NFC-e", "CHAVE DE ACESSO DA NOTA SUBSTITUTA"];
    gallery.draw(client, &cancelled, "", "evento-cancelamento-por-substituicao", &told).await;
}
