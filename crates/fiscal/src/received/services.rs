//! A national NFS-e: always in full, with the declaration (DPS) that its issuer signed.
//!
//! Law: layout of the NFS-e 1.01 (`infNFSe`, `infDPS`).

use super::{About, Document, NotRead, Situation, key_of, may, must, number};
use crate::xml::Element;

/// Data of an NFS-e alone. Parties are CNPJ or CPF; one abroad is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Services {
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

pub(super) fn whole(root: &Element) -> Result<Document, NotRead> {
    let inf = root.child("infNFSe").ok_or(NotRead::Missing("infNFSe"))?;
    let dps = inf.at("DPS/infDPS").ok_or(NotRead::Missing("infDPS"))?;
    let issuer = inf.child("emit").ok_or(NotRead::Missing("emit"))?;
    let party = |group: &str| dps.child(group).and_then(number);
    Ok(Document {
        chave: key_of(inf, &["NFS"], KEY).ok_or(NotRead::Missing("Id"))?,
        emitente: number(issuer).ok_or(NotRead::Missing("emit/CNPJ"))?,
        xNome: must(issuer, "xNome")?,
        IE: None,
        destinatario: None,
        dhEmi: must(dps, "dhEmi")?,
        dhRecbto: may(inf, "dhProc"),
        nProt: None,
        // the document never changes; its later states are in its events
        situation: Situation::Authorized,
        whole: true,
        about: About::Services(Services {
            nNFSe: must(inf, "nNFSe")?,
            dCompet: must(dps, "dCompet")?,
            cLocEmi: must(dps, "cLocEmi")?,
            cTribNac: must(dps, "serv/cServ/cTribNac")?,
            xDescServ: may(dps, "serv/cServ/xDescServ").unwrap_or_default(),
            vServ: must(dps, "valores/vServPrest/vServ")?,
            vLiq: may(inf, "valores/vLiq"),
            prestador: party("prest"),
            tomador: party("toma"),
            intermediario: party("interm"),
        }),
    })
}

/// Characters of an access key of the NFS-e.
const KEY: usize = 50;
