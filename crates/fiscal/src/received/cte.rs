//! CT-e (cteProc), CT-e OS (cteOSProc), simplified CT-e (cteSimpProc) and GTV-e (GTVeProc): always in full, without
//! summaries.
//!
//! Law: NT 2015.002 v1.04; MOC CT-e 4.00 anexo I (`toma3`, `toma4`, `tomaTerceiro`).

use super::{
    DistributedDetails, DistributedDocument, DistributionReadError, KEY, key_of, number, optional_member,
    optional_protocol, required_member, situation_by_code,
};
use crate::cte::rules;
use crate::xml::Element;

/// Data of a CT-e alone. Parties are CNPJ or CPF; one abroad is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CteDetails {
    /// Road, air, water, rail, pipeline, multimodal: `01` to `06`.
    pub modal: String,
    /// Kind of service, by the codes of its model.
    pub tpServ: String,
    /// Normal, complementary, substitute…
    pub tpCTe: String,
    /// Total of the service, as written; a GTV-e has none.
    pub vTPrest: Option<String>,
    /// Sender.
    pub remetente: Option<String>,
    /// Party that delivers the cargo to the carrier on behalf of the sender.
    pub expedidor: Option<String>,
    /// Party that receives the cargo on behalf of the addressee.
    pub recebedor: Option<String>,
    /// Payer of the service, in any role.
    pub tomador: Option<String>,
}

/// Reads the element `document` of the archive.
pub(super) fn whole(root: &Element, document: &str) -> Result<DistributedDocument, DistributionReadError> {
    let inf =
        root.child(document).and_then(|one| one.child("infCte")).ok_or(DistributionReadError::Missing("infCte"))?;
    let issuer = inf.child("emit").ok_or(DistributionReadError::Missing("emit"))?;
    let party = |group: &str| inf.child(group).and_then(number);
    Ok(DistributedDocument {
        chave: key_of(inf, &["CTe", "GTVe"], KEY).ok_or(DistributionReadError::Missing("Id"))?,
        emitente: number(issuer).ok_or(DistributionReadError::Missing("emit/CNPJ"))?,
        xNome: required_member(issuer, "xNome")?,
        IE: optional_member(issuer, "IE"),
        destinatario: party("dest"),
        dhEmi: required_member(inf, "ide/dhEmi")?,
        dhRecbto: optional_member(root, "protCTe/infProt/dhRecbto"),
        nProt: optional_protocol(root, "protCTe/infProt/nProt"),
        situation: situation_by_code(root.text_at("protCTe/infProt/cStat")),
        whole: true,
        details: DistributedDetails::Transport(CteDetails {
            modal: required_member(inf, "ide/modal")?,
            tpServ: required_member(inf, "ide/tpServ")?,
            tpCTe: required_member(inf, "ide/tpCTe")?,
            vTPrest: optional_member(inf, "vPrest/vTPrest").or_else(|| optional_member(inf, "total/vTPrest")),
            remetente: party("rem"),
            expedidor: party("exped"),
            recebedor: party("receb"),
            tomador: tomador(inf).and_then(number),
        }),
    })
}

/// The payer. A GTV-e has other codes: 0 the sender, 1 the addressee, or a third party.
fn tomador(inf: &Element) -> Option<&Element> {
    let of_gtve = || match inf.text_at("ide/toma/toma")? {
        "0" => inf.child("rem"),
        _ => inf.child("dest"),
    };
    rules::tomador(inf).or_else(|| inf.at("ide/tomaTerceiro")).or_else(of_gtve)
}
