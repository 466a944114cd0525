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
use crate::answer::{Batch, Delivered, Handing};
use crate::call::{Call, Method, Reply};
use crate::sefaz::{Unreadable, Wanted};
use crate::table::{Endpoint, Service};
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
pub(crate) fn distribution(endpoint: &Endpoint, company: CnpjCpf, wanted: Wanted) -> Option<Call> {
    let (nsu, in_batches) = match wanted {
        Wanted::After(nsu) => (nsu, true),
        Wanted::Nsu(nsu) => (nsu, false),
        Wanted::Chave(_) => return None,
    };
    let of = if company.tag() == "CNPJ" { format!("cnpjConsulta={}&", company.as_str()) } else { String::new() };
    let path = format!("DFe/{nsu}?{of}lote={in_batches}");
    Some(ask(&endpoint.url, &endpoint.authority, Method::Get, Service::DistribuicaoDFe, "contribuintes", &path))
}

/// Reads the answer to [`distribution`].
pub(crate) fn read_distribution(reply: &Reply) -> Result<Batch, Unreadable> {
    match reply.status {
        StatusCode::OK => found(&value(reply)?, reply),
        // only an answer of the ADN itself means that there is nothing; a gateway's page proves nothing
        StatusCode::NOT_FOUND => {
            let answer = value(reply)?;
            if text(&answer, "StatusProcessamento") == Some(NONE) {
                without(&answer, Handing::None, reply)
            } else {
                Err(status(reply))
            }
        }
        StatusCode::BAD_REQUEST => without(&value(reply)?, Handing::Refused, reply),
        StatusCode::TOO_MANY_REQUESTS => Ok(rest(reply, Handing::UndueUse, "Muitas requisições")),
        // a gateway's outage proves nothing, but its Retry-After is respected
        StatusCode::SERVICE_UNAVAILABLE if reply.retry_after_s.is_some() => {
            Ok(rest(reply, Handing::Stopped, "Serviço indisponível"))
        }
        _ => Err(status(reply)),
    }
}

/// An answer that asks for a pause, whatever its body.
fn rest(reply: &Reply, handing: Handing, xMotivo: &str) -> Batch {
    Batch {
        handing,
        codigo: reply.status.as_u16().into(),
        xMotivo: xMotivo.to_owned(),
        ultNSU: None,
        maxNSU: None,
        documents: Vec::new(),
        retry_after_s: reply.retry_after_s,
    }
}

fn found(answer: &Value, reply: &Reply) -> Result<Batch, Unreadable> {
    let pieces = list(answer, "LoteDFe");
    if pieces.len() > MOST {
        return Err(Unreadable::Content(format!("{} documentos em uma resposta, onde cabem {MOST}", pieces.len())));
    }
    if pieces.is_empty() {
        let refused = text(answer, "StatusProcessamento") == Some(REFUSED);
        return without(answer, if refused { Handing::Refused } else { Handing::None }, reply);
    }
    let mut room = LARGEST;
    let mut documents: Vec<Delivered> =
        pieces.iter().map(|piece| delivered(piece, &mut room)).collect::<Result<_, _>>()?;
    documents.sort_by_key(|document| document.nsu);
    Ok(Batch {
        handing: Handing::Some,
        codigo: StatusCode::OK.as_u16().into(),
        xMotivo: text(answer, "StatusProcessamento").unwrap_or(FOUND).chars().take(MOST_WORDS).collect(),
        ultNSU: documents.iter().filter_map(|document| document.nsu).max(),
        maxNSU: None,
        documents,
        retry_after_s: None,
    })
}

/// An answer without documents, with its reason.
fn without(answer: &Value, handing: Handing, reply: &Reply) -> Result<Batch, Unreadable> {
    let said = errors(answer).into_iter().next();
    let (codigo, xMotivo) = match (said, handing) {
        (Some(said), _) => (said.codigo, said.descricao),
        (None, Handing::None) => (Codigo::from(reply.status.as_u16()), NONE.to_owned()),
        (None, _) => return Err(status(reply)),
    };
    Ok(Batch { handing, codigo, xMotivo, ultNSU: None, maxNSU: None, documents: Vec::new(), retry_after_s: None })
}

/// Reads a document. One that cannot be unpacked is passed on as received, so that it does not stop the others.
fn delivered(piece: &Value, room: &mut u64) -> Result<Delivered, Unreadable> {
    let nsu = member(piece, "NSU").and_then(|nsu| nsu.as_u64().or_else(|| nsu.as_str()?.trim().parse().ok()));
    let nsu = nsu.ok_or_else(|| Unreadable::Content("um documento sem NSU".to_owned()))?;
    let packed = text(piece, "ArquivoXml").unwrap_or_default();
    let content = unpack_at_most(packed, LARGEST_ONE.min(*room));
    *room = room.saturating_sub(content.as_ref().map_or(0, |xml| xml.len() as u64));
    let schema = text(piece, "TipoDocumento").unwrap_or_default().chars().take(MOST_WORDS).collect();
    Ok(Delivered { nsu: Some(nsu), schema, content: content.map_err(|why| (why, packed.replace('\0', " "))) })
}

/// Characters kept of a text of the ADN.
const MOST_WORDS: usize = 60;
