//! Services of NF-e and NFC-e alone: the receipt of a lote (MOC 7.0, anexo I: consReciNFe) and the voiding of numbers
//! (inutNFe).

use super::call::{message, plain};
use super::dialect::NFE;
use super::payload::ReplyPayload;
use super::reply::{checked_protocol, child, of_lote, rejection, words};
use super::{UnreadableReply, splice};
use crate::answer::{AuthorizationAnswer, VoidAnswer};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::table::Endpoint;
use fiscal::cstat::CodeClass;
use fiscal::value::TpAmb;

/// Query by the receipt of a lote.
#[derive(Debug, Clone, Copy)]
pub struct ReceiptService {
    /// Builds the call.
    pub ask: fn(&Endpoint, TpAmb, nRec: &str) -> AuthorityCall,
    /// Reads the reply.
    pub read: fn(&AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply>,
}

/// Voiding of unused numbers.
#[derive(Debug, Clone, Copy)]
pub struct VoidingService {
    /// Builds the call from a signed request.
    pub ask: fn(&Endpoint, signed: &str) -> AuthorityCall,
    /// Reads the reply.
    pub read: fn(&AuthorityReply) -> Result<VoidAnswer, UnreadableReply>,
    /// Request and answer as stored and returned.
    pub archive: fn(signed: &str, answered: &str) -> String,
}

pub(super) const RECEIPT: ReceiptService = ReceiptService { ask: receipt, read: read_receipt };
pub(super) const VOID: VoidingService = VoidingService { ask: void, read: read_void, archive: proc_inut };

/// NFeRetAutorizacao4.
pub fn receipt(endpoint: &Endpoint, ambiente: TpAmb, nRec: &str) -> AuthorityCall {
    message(&NFE, endpoint, "consReciNFe", &[("tpAmb", ambiente.code()), ("nRec", nRec)])
}

/// Reads retConsReciNFe.
pub fn read_receipt(reply: &AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply> {
    let payload = ReplyPayload::find(reply, "retConsReciNFe")?;
    // 106, 223, 248…: the query was refused, which proves nothing about the document
    of_lote(&NFE, &payload, "nRec", |_, said| AuthorizationAnswer::Unavailable(said))
}

/// NFeInutilizacao4 with a signed request.
pub fn void(endpoint: &Endpoint, signed_request: &str) -> AuthorityCall {
    plain(&NFE, endpoint, &[signed_request])
}

/// Reads retInutNFe.
pub fn read_void(reply: &AuthorityReply) -> Result<VoidAnswer, UnreadableReply> {
    let payload = ReplyPayload::find(reply, "retInutNFe")?;
    let message = payload.element();
    let info = child(message, "infInut")?;
    let said = rejection(info)?;
    let optional = |name| info.text_at(name).filter(|text| !text.is_empty()).map(words);
    Ok(match (said.codigo.number(), NFE.class(&said.codigo)) {
        (Some(102), _) if optional("nProt").is_none() => {
            return Err(UnreadableReply::Content("cStat 102 sem nProt".to_owned()));
        }
        (Some(102 | 563), _) => VoidAnswer::Voided {
            codigo: said.codigo,
            xMotivo: said.xMotivo,
            nProt: optional("nProt").map(checked_protocol).transpose()?,
            dhRecbto: optional("dhRecbto"),
            xml: payload.verbatim(message)?,
        },
        (_, CodeClass::ServiceDown | CodeClass::UndueUse) => VoidAnswer::Unavailable(said),
        _ => VoidAnswer::Rejected(said),
    })
}

/// ProcInutNFe: the exact bytes sent and received, joined, with the XML declaration.
pub fn proc_inut(signed_request: &str, ret_inut: &str) -> String {
    let open = r#"<ProcInutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">"#;
    splice(open, &[signed_request, ret_inut], "</ProcInutNFe>")
}
