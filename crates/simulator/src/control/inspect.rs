//! Inspection: documents, requests, totals, and the files a client needs to reach the simulator.

use super::{ControlBody, ControlError, ControlState};
use crate::ledger::{ArrivalCounts, Ledger, LedgerDocument, RequestRecord};
use crate::pki::CertificateSubject;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use fiscal::value::TpAmb;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(super) struct DocumentFilter {
    emitente: Option<String>,
    ambiente: Option<TpAmb>,
}

/// A document with its counts.
#[derive(Serialize)]
pub(super) struct CountedDocument {
    #[serde(flatten)]
    document: LedgerDocument,
    contagem: ArrivalCounts,
}

fn with_counts(ledger: &Ledger, document: &LedgerDocument) -> CountedDocument {
    let contagem = ledger.counts.get(&document.chave).copied().unwrap_or_default();
    CountedDocument { document: document.clone(), contagem }
}

pub(super) async fn documents(
    State(console): State<ControlState>,
    Query(filter): Query<DocumentFilter>,
) -> Json<Value> {
    let ledger = console.world.ledger();
    let mut documents: Vec<CountedDocument> = ledger
        .documents()
        .filter(|one| filter.emitente.as_deref().is_none_or(|emitente| one.emitente == emitente))
        .filter(|one| filter.ambiente.is_none_or(|ambiente| one.ambiente == ambiente))
        .map(|one| with_counts(&ledger, one))
        .collect();
    documents.sort_by(|one, other| one.document.chave.cmp(&other.document.chave));
    Json(json!({ "total": documents.len(), "documentos": documents }))
}

pub(super) async fn document(
    State(console): State<ControlState>,
    Path(chave): Path<String>,
) -> Result<Json<Value>, ControlError> {
    let ledger = console.world.ledger();
    if let Some(document) = document_in_either(&ledger, &chave) {
        return Ok(Json(json!(with_counts(&ledger, document))));
    }
    match ledger.counts.get(&chave) {
        Some(contagem) => Ok(Json(json!({ "chave": chave, "situacao": null, "contagem": contagem }))),
        None => Err(ControlError::not_found(format!("a chave {chave} nunca foi vista"))),
    }
}

/// The document of a key in either environment: a key does not name one.
fn document_in_either<'a>(ledger: &'a Ledger, chave: &str) -> Option<&'a LedgerDocument> {
    ledger.document(TpAmb::Homologacao, chave).or_else(|| ledger.document(TpAmb::Producao, chave))
}

pub(super) async fn document_xml(
    State(console): State<ControlState>,
    Path(chave): Path<String>,
) -> Result<impl IntoResponse, ControlError> {
    let ledger = console.world.ledger();
    let xml = document_in_either(&ledger, &chave).and_then(|document| document.xml.clone());
    let xml = xml.ok_or_else(|| ControlError::not_found(format!("não há XML da chave {chave}")))?;
    Ok(([(CONTENT_TYPE, "application/xml; charset=utf-8")], xml.to_string()))
}

#[derive(Deserialize)]
pub(super) struct SinceQuery {
    #[serde(default)]
    desde: u64,
}

pub(super) async fn requests(State(console): State<ControlState>, Query(since): Query<SinceQuery>) -> Json<Value> {
    let ledger = console.world.ledger();
    let requests: Vec<&RequestRecord> = ledger.received.iter().filter(|one| one.sequencia > since.desde).collect();
    Json(json!({ "total": ledger.requests, "requisicoes": requests }))
}

pub(super) async fn totals(State(console): State<ControlState>) -> Json<Value> {
    let ledger = console.world.ledger();
    let stored = ledger.documents().count();
    let more_than_once = ledger.counts.values().filter(|counts| counts.gravada > 1).count();
    Json(json!({
        "requisicoes": ledger.requests,
        "por_servico": ledger.by_service,
        "documentos": stored,
        "gravadas_mais_de_uma_vez": more_than_once,
        "inutilizacoes": ledger.voided,
        "recibos": ledger.receipts.len(),
    }))
}

pub(super) async fn ca_pem(State(console): State<ControlState>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/x-pem-file")], console.pki.ca_pem().to_vec())
}

pub(super) async fn endpoints(State(console): State<ControlState>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/toml")], crate::endpoints_toml(&console.world.address()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CertificateRequest {
    nome: String,
    cpf_cnpj: String,
    senha: String,
    #[serde(default = "a_year")]
    dias: i64,
    #[serde(default)]
    nao_confiavel: bool,
}

fn a_year() -> i64 {
    365
}

pub(super) async fn issue_certificate(
    State(console): State<ControlState>,
    ControlBody(wanted): ControlBody<CertificateRequest>,
) -> Result<impl IntoResponse, ControlError> {
    let made = tokio::task::spawn_blocking(move || {
        let mut subject = CertificateSubject::new(&wanted.nome, &wanted.cpf_cnpj).valid_for_days(wanted.dias);
        if wanted.nao_confiavel {
            subject = subject.untrusted();
        }
        console.pki.issue(&subject, &wanted.senha)
    });
    match made.await {
        Ok(Ok(pfx)) => Ok(([(CONTENT_TYPE, "application/x-pkcs12")], pfx)),
        _ => Err(ControlError::bad_request("o certificado não pôde ser emitido")),
    }
}
