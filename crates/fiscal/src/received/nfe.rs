//! NF-e: its summary (resNFe), or in full (nfeProc).

use super::{
    DistributedDetails, DistributedDocument, DistributionReadError, KEY, ReceivedSituation, key, key_of, number,
    optional_member, optional_protocol, required_member, situation_by_code,
};
use crate::xml::Element;

/// Data of an NF-e alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NfeDetails {
    /// 0 in, 1 out, from the issuer's view.
    pub tpNF: String,
    /// Total, as written.
    pub vNF: String,
}

pub(super) fn summary(root: &Element) -> Result<DistributedDocument, DistributionReadError> {
    Ok(DistributedDocument {
        chave: key(root, "chNFe")?,
        emitente: number(root).ok_or(DistributionReadError::Missing("CNPJ"))?,
        xNome: required_member(root, "xNome")?,
        IE: optional_member(root, "IE"),
        destinatario: None,
        dhEmi: required_member(root, "dhEmi")?,
        dhRecbto: optional_member(root, "dhRecbto"),
        nProt: optional_protocol(root, "nProt"),
        situation: match root.text_at("cSitNFe") {
            Some("3") => ReceivedSituation::Cancelled,
            Some("2") => ReceivedSituation::Denied,
            _ => ReceivedSituation::Authorized,
        },
        whole: false,
        details: DistributedDetails::Goods(NfeDetails {
            tpNF: required_member(root, "tpNF")?,
            vNF: required_member(root, "vNF")?,
        }),
    })
}

pub(super) fn whole(root: &Element) -> Result<DistributedDocument, DistributionReadError> {
    let inf = root.at("NFe/infNFe").ok_or(DistributionReadError::Missing("infNFe"))?;
    let issuer = inf.child("emit").ok_or(DistributionReadError::Missing("emit"))?;
    Ok(DistributedDocument {
        chave: key_of(inf, &["NFe"], KEY).ok_or(DistributionReadError::Missing("Id"))?,
        emitente: number(issuer).ok_or(DistributionReadError::Missing("emit/CNPJ"))?,
        xNome: required_member(issuer, "xNome")?,
        IE: optional_member(issuer, "IE"),
        destinatario: inf.child("dest").and_then(number),
        dhEmi: required_member(inf, "ide/dhEmi")?,
        dhRecbto: optional_member(root, "protNFe/infProt/dhRecbto"),
        nProt: optional_protocol(root, "protNFe/infProt/nProt"),
        situation: situation_by_code(root.text_at("protNFe/infProt/cStat")),
        whole: true,
        details: DistributedDetails::Goods(NfeDetails {
            tpNF: required_member(inf, "ide/tpNF")?,
            vNF: required_member(inf, "total/ICMSTot/vNF")?,
        }),
    })
}
