//! NF-e: its summary (resNFe), or in full (nfeProc).

use super::{About, Document, KEY, NotRead, Situation, judged, key, key_of, may, may_protocol, must, number};
use crate::xml::Element;

/// Data of an NF-e alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goods {
    /// 0 in, 1 out, from the issuer's view.
    pub tpNF: String,
    /// Total, as written.
    pub vNF: String,
}

pub(super) fn summary(root: &Element) -> Result<Document, NotRead> {
    Ok(Document {
        chave: key(root, "chNFe")?,
        emitente: number(root).ok_or(NotRead::Missing("CNPJ"))?,
        xNome: must(root, "xNome")?,
        IE: may(root, "IE"),
        destinatario: None,
        dhEmi: must(root, "dhEmi")?,
        dhRecbto: may(root, "dhRecbto"),
        nProt: may_protocol(root, "nProt"),
        situation: match root.text_at("cSitNFe") {
            Some("3") => Situation::Cancelled,
            Some("2") => Situation::Denied,
            _ => Situation::Authorized,
        },
        whole: false,
        about: About::Goods(Goods { tpNF: must(root, "tpNF")?, vNF: must(root, "vNF")? }),
    })
}

pub(super) fn whole(root: &Element) -> Result<Document, NotRead> {
    let inf = root.at("NFe/infNFe").ok_or(NotRead::Missing("infNFe"))?;
    let issuer = inf.child("emit").ok_or(NotRead::Missing("emit"))?;
    Ok(Document {
        chave: key_of(inf, &["NFe"], KEY).ok_or(NotRead::Missing("Id"))?,
        emitente: number(issuer).ok_or(NotRead::Missing("emit/CNPJ"))?,
        xNome: must(issuer, "xNome")?,
        IE: may(issuer, "IE"),
        destinatario: inf.child("dest").and_then(number),
        dhEmi: must(inf, "ide/dhEmi")?,
        dhRecbto: may(root, "protNFe/infProt/dhRecbto"),
        nProt: may_protocol(root, "protNFe/infProt/nProt"),
        situation: judged(root.text_at("protNFe/infProt/cStat")),
        whole: true,
        about: About::Goods(Goods { tpNF: must(inf, "ide/tpNF")?, vNF: must(inf, "total/ICMSTot/vNF")? }),
    })
}
