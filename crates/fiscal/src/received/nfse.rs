//! A national NFS-e: always in full, with the declaration (DPS) that its issuer signed.
//!
//! Law: layout of the NFS-e 1.01 (`infNFSe`, `infDPS`).

use super::{
    DistributedDetails, DistributedDocument, DistributionReadError, ReceivedSituation, key_of, number, optional_member,
    required_member,
};
use crate::xml::Element;

/// Data of an NFS-e alone. Parties are CNPJ or CPF; one abroad is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NfseDetails {
    /// `nNFSe`, given by its authority.
    pub nNFSe: String,
    /// `dCompet`: month of the service.
    pub dCompet: String,
    /// Município of the issuer, IBGE.
    pub cLocEmi: String,
    /// Code of the service in the national list.
    pub cTribNac: String,
    /// Description of the service, shortened.
    pub xDescServ: String,
    /// Price as written.
    pub vServ: String,
    /// Amount due.
    pub vLiq: Option<String>,
    /// Provider of the service.
    pub prestador: Option<String>,
    /// Customer of the service.
    pub tomador: Option<String>,
    /// Intermediary of the service.
    pub intermediario: Option<String>,
}

pub(super) fn whole(root: &Element) -> Result<DistributedDocument, DistributionReadError> {
    let inf = root.child("infNFSe").ok_or(DistributionReadError::Missing("infNFSe"))?;
    let dps = inf.at("DPS/infDPS").ok_or(DistributionReadError::Missing("infDPS"))?;
    let issuer = inf.child("emit").ok_or(DistributionReadError::Missing("emit"))?;
    let party = |group: &str| dps.child(group).and_then(number);
    Ok(DistributedDocument {
        chave: key_of(inf, &["NFS"], KEY).ok_or(DistributionReadError::Missing("Id"))?,
        emitente: number(issuer).ok_or(DistributionReadError::Missing("emit/CNPJ"))?,
        xNome: required_member(issuer, "xNome")?,
        IE: None,
        destinatario: None,
        dhEmi: required_member(dps, "dhEmi")?,
        dhRecbto: optional_member(inf, "dhProc"),
        nProt: None,
        // the document never changes; its later states are in its events
        situation: ReceivedSituation::Authorized,
        whole: true,
        details: DistributedDetails::Services(NfseDetails {
            nNFSe: required_member(inf, "nNFSe")?,
            dCompet: required_member(dps, "dCompet")?,
            cLocEmi: required_member(dps, "cLocEmi")?,
            cTribNac: required_member(dps, "serv/cServ/cTribNac")?,
            xDescServ: optional_member(dps, "serv/cServ/xDescServ").unwrap_or_default(),
            vServ: required_member(dps, "valores/vServPrest/vServ")?,
            vLiq: optional_member(inf, "valores/vLiq"),
            prestador: party("prest"),
            tomador: party("toma"),
            intermediario: party("interm"),
        }),
    })
}

/// Characters of an access key of the NFS-e.
const KEY: usize = 50;
