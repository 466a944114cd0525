//! 110140, EPEC: the summary of an NF-e to be sent later, read from that NF-e (NT 2014.001, 3.2).

use super::detail::ISSUER;
use crate::xml::{CanonicalWriter, Element};

/// Summary of an NF-e to be sent later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpecSummary {
    pub cOrgaoAutor: String,
    pub verAplic: String,
    pub dhEmi: String,
    pub tpNF: String,
    pub IE: String,
    /// `dest/UF`, `EX` abroad.
    pub UF: String,
    /// Tag and number: `CNPJ`, `CPF` or `idEstrangeiro`.
    pub dest: (&'static str, String),
    pub IEDest: Option<String>,
    pub vNF: String,
    pub vICMS: String,
    pub vST: String,
}

impl EpecSummary {
    /// Reads `<NFe>` or `<infNFe>`; `None` when a needed member is missing. `verAplic` is the name and version of this
    /// service.
    pub fn of(note: &Element, verAplic: &str) -> Option<EpecSummary> {
        let inf = if note.name == "infNFe" { note } else { note.child("infNFe")? };
        let text = |path: &str| inf.text_at(path).map(str::to_owned);
        let dest = ["CNPJ", "CPF", "idEstrangeiro"];
        let dest = dest.into_iter().find_map(|tag| Some((tag, text(&format!("dest/{tag}"))?)))?;
        let abroad = || (dest.0 == "idEstrangeiro").then(|| "EX".to_owned());
        Some(EpecSummary {
            cOrgaoAutor: text("ide/cUF")?,
            verAplic: verAplic.to_owned(),
            dhEmi: text("ide/dhEmi")?,
            tpNF: text("ide/tpNF")?,
            IE: text("emit/IE")?,
            UF: text("dest/enderDest/UF").or_else(abroad).or_else(|| text("emit/enderEmit/UF"))?,
            IEDest: text("dest/IE").filter(|ie| !ie.is_empty()),
            vNF: text("total/ICMSTot/vNF")?,
            vICMS: text("total/ICMSTot/vICMS")?,
            vST: text("total/ICMSTot/vST")?,
            dest,
        })
    }

    pub(super) fn write(&self, xml: &mut CanonicalWriter) {
        xml.leaf("cOrgaoAutor", &self.cOrgaoAutor);
        xml.leaf("tpAutor", ISSUER);
        xml.leaf("verAplic", &self.verAplic);
        xml.leaf("dhEmi", &self.dhEmi);
        xml.leaf("tpNF", &self.tpNF);
        xml.leaf("IE", &self.IE);
        xml.open("dest");
        xml.leaf("UF", &self.UF);
        xml.leaf(self.dest.0, &self.dest.1);
        if let Some(IE) = &self.IEDest {
            xml.leaf("IE", IE);
        }
        xml.leaf("vNF", &self.vNF);
        xml.leaf("vICMS", &self.vICMS);
        xml.leaf("vST", &self.vST);
        xml.close("dest");
    }
}
