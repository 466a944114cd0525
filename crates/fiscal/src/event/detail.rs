//! What each kind of event says: `detEvento`, in the order of its layout.

use super::{Epec, TpEvento, fixed, orgao_autor, person};
use crate::value::{ChaveAcesso, CnpjCpf, Uf};
use crate::xml::Writer;

/// The content of an event.
#[derive(Debug, Clone, Copy)]
pub enum Detail<'a> {
    /// 110110: what is to be read instead of what the note says. Each correction replaces the one before.
    CartaCorrecao {
        /// 15–1000.
        xCorrecao: &'a str,
    },
    /// 110111.
    Cancelamento {
        /// Protocol of the authorisation.
        nProt: &'a str,
        /// 15–255.
        xJust: &'a str,
    },
    /// 110112: an NFC-e that another one, issued in contingency, took the place of (NT 2018.004).
    CancelamentoPorSubstituicao {
        /// State of the issuer.
        uf: Uf,
        /// Our name and version.
        verAplic: &'a str,
        /// Protocol of the authorisation.
        nProt: &'a str,
        /// 15–255.
        xJust: &'a str,
        /// The document that took its place.
        chNFeRef: ChaveAcesso,
    },
    /// 110140: the note to come, in short (NT 2014.001).
    Epec(&'a Epec),
    /// 110150: who else may fetch the note (NT 2020.007).
    AtorInteressado {
        /// State of the author.
        uf: Uf,
        /// 1 issuer, 2 addressee, 3 carrier.
        tpAutor: u8,
        /// Our name and version.
        verAplic: &'a str,
        /// Who may fetch it.
        autXML: CnpjCpf,
        /// Whether that one may name others; a carrier does not say.
        permite: Option<bool>,
    },
    /// 210200, 210210, 210220, 210240: what the addressee says of the note (NT 2020.001).
    Manifestacao {
        /// Which of the four.
        kind: TpEvento,
        /// 15–255: required of 210240, possible in 210220.
        xJust: Option<&'a str>,
    },
}

impl Detail<'_> {
    /// Which event this is.
    pub fn kind(&self) -> TpEvento {
        match self {
            Detail::CartaCorrecao { .. } => TpEvento::CartaCorrecao,
            Detail::Cancelamento { .. } => TpEvento::Cancelamento,
            Detail::CancelamentoPorSubstituicao { .. } => TpEvento::CancelamentoPorSubstituicao,
            Detail::Epec(_) => TpEvento::Epec,
            Detail::AtorInteressado { .. } => TpEvento::AtorInteressado,
            Detail::Manifestacao { kind, .. } => *kind,
        }
    }

    pub(super) fn write(&self, xml: &mut Writer) {
        xml.leaf("descEvento", self.kind().description());
        match self {
            Detail::CartaCorrecao { xCorrecao } => {
                xml.leaf("xCorrecao", xCorrecao);
                xml.leaf("xCondUso", fixed(self.kind().code(), "xCondUso"));
            }
            Detail::Cancelamento { nProt, xJust } => {
                xml.leaf("nProt", nProt);
                xml.leaf("xJust", xJust);
            }
            Detail::CancelamentoPorSubstituicao { uf, verAplic, nProt, xJust, chNFeRef } => {
                orgao_autor(xml, *uf);
                xml.leaf("tpAutor", ISSUER);
                xml.leaf("verAplic", verAplic);
                xml.leaf("nProt", nProt);
                xml.leaf("xJust", xJust);
                xml.leaf("chNFeRef", chNFeRef.as_str());
            }
            Detail::Manifestacao { xJust: Some(xJust), .. } => xml.leaf("xJust", xJust),
            Detail::Manifestacao { xJust: None, .. } => {}
            Detail::Epec(epec) => epec.write(xml),
            Detail::AtorInteressado { uf, tpAutor, verAplic, autXML, permite } => {
                orgao_autor(xml, *uf);
                xml.leaf("tpAutor", &tpAutor.to_string());
                xml.leaf("verAplic", verAplic);
                xml.open("autXML");
                person(xml, *autXML);
                xml.close("autXML");
                if let Some(permite) = permite {
                    xml.leaf("tpAutorizacao", if *permite { "1" } else { "0" });
                }
                if *permite == Some(true) {
                    xml.leaf("xCondUso", fixed(self.kind().code(), "xCondUso"));
                }
            }
        }
    }
}

/// `tpAutor` of what an issuer does.
pub(super) const ISSUER: &str = "1";
