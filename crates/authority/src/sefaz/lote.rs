//! Services of NF-e and NFC-e alone: the receipt of a lote (MOC 7.0, anexo I: consReciNFe) and the voiding of numbers
//! (inutNFe).

use super::call::{message, plain};
use super::dialect::NFE;
use super::payload::Payload;
use super::reply::{by_form, child, of_lote, rejection, words};
use super::{Unreadable, splice};
use crate::answer::{Answer, VoidAnswer};
use crate::call::{Call, Reply};
use crate::table::Endpoint;
use fiscal::cstat::Class;
use fiscal::value::TpAmb;

/// Query by the receipt of a lote.
#[derive(Debug, Clone, Copy)]
pub struct Receipt {
    /// Builds the call.
    pub ask: fn(&Endpoint, TpAmb, nRec: &str) -> Call,
    /// Reads the reply.
    pub read: fn(&Reply) -> Result<Answer, Unreadable>,
}

/// Voiding of unused numbers.
#[derive(Debug, Clone, Copy)]
pub struct Void {
    /// Builds the call from a signed request.
    pub ask: fn(&Endpoint, signed: &str) -> Call,
    /// Reads the reply.
    pub read: fn(&Reply) -> Result<VoidAnswer, Unreadable>,
    /// Request and answer as stored and returned.
    pub archive: fn(signed: &str, answered: &str) -> String,
}

pub(super) const RECEIPT: Receipt = Receipt { ask: receipt, read: read_receipt };
pub(super) const VOID: Void = Void { ask: void, read: read_void, archive: proc_inut };

/// NFeRetAutorizacao4.
pub fn receipt(endpoint: &Endpoint, ambiente: TpAmb, nRec: &str) -> Call {
    message(&NFE, endpoint, "consReciNFe", &[("tpAmb", ambiente.code()), ("nRec", nRec)])
}

/// Reads retConsReciNFe.
pub fn read_receipt(reply: &Reply) -> Result<Answer, Unreadable> {
    let payload = Payload::find(reply, "retConsReciNFe")?;
    // 106, 223, 248…: the query was refused, which proves nothing about the document
    of_lote(&NFE, &payload, "nRec", |_, said| Answer::Unavailable(said))
}

/// NFeInutilizacao4 with a signed request.
pub fn void(endpoint: &Endpoint, signed_request: &str) -> Call {
    plain(&NFE, endpoint, &[signed_request])
}

/// Reads retInutNFe.
pub fn read_void(reply: &Reply) -> Result<VoidAnswer, Unreadable> {
    let payload = Payload::find(reply, "retInutNFe")?;
    let message = payload.element();
    let info = child(message, "infInut")?;
    let said = rejection(info)?;
    let optional = |name| info.text_at(name).filter(|text| !text.is_empty()).map(words);
    Ok(match (said.codigo.number(), NFE.class(&said.codigo)) {
        (Some(102), _) if optional("nProt").is_none() => {
            return Err(Unreadable::Content("cStat 102 sem nProt".to_owned()));
        }
        (Some(102 | 563), _) => VoidAnswer::Voided {
            codigo: said.codigo,
            xMotivo: said.xMotivo,
            nProt: optional("nProt").map(by_form).transpose()?,
            dhRecbto: optional("dhRecbto"),
            xml: payload.verbatim(message)?,
        },
        (_, Class::ServiceDown | Class::UndueUse) => VoidAnswer::Unavailable(said),
        _ => VoidAnswer::Rejected(said),
    })
}

/// ProcInutNFe: the exact bytes sent and received, joined, with the XML declaration.
pub fn proc_inut(signed_request: &str, ret_inut: &str) -> String {
    let open = r#"<ProcInutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">"#;
    splice(open, &[signed_request, ret_inut], "</ProcInutNFe>")
}
