//! The Ambiente de Dados Nacional for a taxpayer: documents issued by a company, to it or through it, and their events,
//! by NSU.
//!
//! The OpenAPI states neither the size of an answer nor the end of the numbers, so the caller continues from the
//! greatest number until an answer is empty. Its JSON is declared as text, so the Content-Type is ignored.
//!
//! Law: OpenAPI of the ADN contribuinte (2025-12), `GET /DFe/{NSU}`.

use super::call::ask;
use super::json::{errors, list, member, status, text, value};
use super::packed::unpack_at_most;
use crate::answer::{DistributionBatch, DistributionItem, DistributionOutcome};
use crate::call::{AuthorityCall, AuthorityReply, CallMethod};
use crate::sefaz::{RequestedDocuments, UnreadableReply};
use crate::table::endpoint::Endpoint;
use crate::table::service::AuthorityService;
use fiscal::value::{CnpjCpf, Codigo};
use http::StatusCode;
use serde_json::Value;

/// Most documents read of an answer. The size of a batch is not published; clients have seen fifty.
const MOST: usize = 200;
/// Bytes of all documents of an answer, unpacked.
const LARGEST: u64 = 40 << 20;
/// Bytes of a document, unpacked.
const LARGEST_ONE: u64 = 4 << 20;
/// `StatusProcessamento` of an answer with documents.
const FOUND: &str = "DOCUMENTOS_LOCALIZADOS";
/// `StatusProcessamento` of a refusal.
const REFUSED: &str = "REJEICAO";
/// `StatusProcessamento` of an answer without documents.
const NONE: &str = "NENHUM_DOCUMENTO_LOCALIZADO";

/// Query of the documents after a number, or of the document with a number. A certificate covers every establishment of
/// its root; a person has one number.
pub(crate) fn distribution(endpoint: &Endpoint, company: CnpjCpf, wanted: RequestedDocuments) -> Option<AuthorityCall> {
    let (nsu, in_batches) = match wanted {
        RequestedDocuments::After(nsu) => (nsu, true),
        RequestedDocuments::Nsu(nsu) => (nsu, false),
        RequestedDocuments::Chave(_) => return None,
    };
    let of = if company.tag() == "CNPJ" { format!("cnpjConsulta={}&", company.as_str()) } else { String::new() };
    let path = format!("DFe/{nsu}?{of}lote={in_batches}");
    Some(ask(
        &endpoint.url,
        &endpoint.authority,
        CallMethod::Get,
        AuthorityService::DistribuicaoDFe,
        "contribuintes",
        &path,
    ))
}

/// Reads the answer to [`distribution`].
pub(crate) fn read_distribution(reply: &AuthorityReply) -> Result<DistributionBatch, UnreadableReply> {
    match reply.status {
        StatusCode::OK => documents_found(&value(reply)?, reply),
        // only an answer of the ADN itself means that there is nothing; a gateway's page proves nothing
        StatusCode::NOT_FOUND => {
            let answer = value(reply)?;
            if text(&answer, "StatusProcessamento") == Some(NONE) {
                without_documents(&answer, DistributionOutcome::None, reply)
            } else {
                Err(status(reply))
            }
        }
        StatusCode::BAD_REQUEST => without_documents(&value(reply)?, DistributionOutcome::Refused, reply),
        StatusCode::TOO_MANY_REQUESTS => {
            Ok(pause_requested(reply, DistributionOutcome::UndueUse, "Muitas requisições"))
        }
        // a gateway's outage proves nothing, but its Retry-After is respected
        StatusCode::SERVICE_UNAVAILABLE if reply.retry_after_s.is_some() => {
            Ok(pause_requested(reply, DistributionOutcome::Stopped, "Serviço indisponível"))
        }
        _ => Err(status(reply)),
    }
}

/// An answer that asks for a pause, whatever its body.
fn pause_requested(reply: &AuthorityReply, handing: DistributionOutcome, xMotivo: &str) -> DistributionBatch {
    DistributionBatch {
        outcome: handing,
        codigo: reply.status.as_u16().into(),
        xMotivo: xMotivo.to_owned(),
        ultNSU: None,
        maxNSU: None,
        documents: Vec::new(),
        retry_after_s: reply.retry_after_s,
    }
}

fn documents_found(answer: &Value, reply: &AuthorityReply) -> Result<DistributionBatch, UnreadableReply> {
    let pieces = list(answer, "LoteDFe");
    if pieces.len() > MOST {
        return Err(UnreadableReply::Content(format!(
            "{} documentos em uma resposta, onde cabem {MOST}",
            pieces.len()
        )));
    }
    if pieces.is_empty() {
        let refused = text(answer, "StatusProcessamento") == Some(REFUSED);
        return without_documents(
            answer,
            if refused { DistributionOutcome::Refused } else { DistributionOutcome::None },
            reply,
        );
    }
    let mut room = LARGEST;
    let mut documents: Vec<DistributionItem> =
        pieces.iter().map(|piece| read_distributed(piece, &mut room)).collect::<Result<_, _>>()?;
    documents.sort_by_key(|document| document.nsu);
    Ok(DistributionBatch {
        outcome: DistributionOutcome::Some,
        codigo: StatusCode::OK.as_u16().into(),
        xMotivo: text(answer, "StatusProcessamento").unwrap_or(FOUND).chars().take(MOST_WORDS).collect(),
        ultNSU: documents.iter().filter_map(|document| document.nsu).max(),
        maxNSU: None,
        documents,
        retry_after_s: None,
    })
}

/// An answer without documents, with its reason.
fn without_documents(
    answer: &Value,
    handing: DistributionOutcome,
    reply: &AuthorityReply,
) -> Result<DistributionBatch, UnreadableReply> {
    let said = errors(answer).into_iter().next();
    let (codigo, xMotivo) = match (said, handing) {
        (Some(said), _) => (said.codigo, said.descricao),
        (None, DistributionOutcome::None) => (Codigo::from(reply.status.as_u16()), NONE.to_owned()),
        (None, _) => return Err(status(reply)),
    };
    Ok(DistributionBatch {
        outcome: handing,
        codigo,
        xMotivo,
        ultNSU: None,
        maxNSU: None,
        documents: Vec::new(),
        retry_after_s: None,
    })
}

/// Reads a document. One that cannot be unpacked is passed on as received, so that it does not stop the others.
fn read_distributed(piece: &Value, room: &mut u64) -> Result<DistributionItem, UnreadableReply> {
    let nsu = member(piece, "NSU").and_then(|nsu| nsu.as_u64().or_else(|| nsu.as_str()?.trim().parse().ok()));
    let nsu = nsu.ok_or_else(|| UnreadableReply::Content("um documento sem NSU".to_owned()))?;
    let packed = text(piece, "ArquivoXml").unwrap_or_default();
    let content = unpack_at_most(packed, LARGEST_ONE.min(*room));
    *room = room.saturating_sub(content.as_ref().map_or(0, |xml| xml.len() as u64));
    let schema = text(piece, "TipoDocumento").unwrap_or_default().chars().take(MOST_WORDS).collect();
    Ok(DistributionItem { nsu: Some(nsu), schema, content: content.map_err(|why| (why, packed.replace('\0', " "))) })
}

/// Characters kept of a text of the ADN.
const MOST_WORDS: usize = 60;
