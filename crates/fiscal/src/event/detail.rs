//! Content of each kind of event: `detEvento`, in the order of its layout.

use super::{EpecSummary, NfeEventKind, fixed, orgao_autor, person};
use crate::value::{ChaveAcesso, CnpjCpf, Uf};
use crate::xml::CanonicalWriter;

/// The content of an event.
#[derive(Debug, Clone, Copy)]
pub enum EventDetail<'a> {
    /// 110110: a correction of the document. Each correction replaces the earlier one.
    CartaCorrecao {
        /// 15 to 1000 characters.
        xCorrecao: &'a str,
    },
    /// 110111.
    Cancelamento {
        /// Protocol of the authorisation.
        nProt: &'a str,
        /// 15 to 255 characters.
        xJust: &'a str,
    },
    /// 110112: cancels an NFC-e that was replaced by another one, issued in contingency (NT 2018.004).
    CancelamentoPorSubstituicao {
        /// State of the issuer.
        uf: Uf,
        /// Name and version of this service.
        verAplic: &'a str,
        /// Protocol of the authorisation.
        nProt: &'a str,
        /// 15 to 255 characters.
        xJust: &'a str,
        /// Key of the document that replaced it.
        chNFeRef: ChaveAcesso,
    },
    /// 110140: summary of the NF-e to be sent later (NT 2014.001).
    Epec(&'a EpecSummary),
    /// 110150: permits another party to download the NF-e (NT 2020.007).
    AtorInteressado {
        /// State of the author.
        uf: Uf,
        /// 1 issuer, 2 addressee, 3 carrier.
        tpAutor: u8,
        /// Name and version of this service.
        verAplic: &'a str,
        /// The permitted party.
        autXML: CnpjCpf,
        /// True when that party may permit others; absent from a carrier's event.
        permite: Option<bool>,
    },
    /// 210200, 210210, 210220, 210240: the addressee's statement about the NF-e (NT 2020.001).
    Manifestacao {
        /// Its kind, one of the four.
        kind: NfeEventKind,
        /// 15 to 255 characters: required of 210240, optional in 210220.
        xJust: Option<&'a str>,
    },
}

impl EventDetail<'_> {
    pub fn kind(&self) -> NfeEventKind {
        match self {
            EventDetail::CartaCorrecao { .. } => NfeEventKind::CartaCorrecao,
            EventDetail::Cancelamento { .. } => NfeEventKind::Cancelamento,
            EventDetail::CancelamentoPorSubstituicao { .. } => NfeEventKind::CancelamentoPorSubstituicao,
            EventDetail::Epec(_) => NfeEventKind::Epec,
            EventDetail::AtorInteressado { .. } => NfeEventKind::AtorInteressado,
            EventDetail::Manifestacao { kind, .. } => *kind,
        }
    }

    pub(super) fn write(&self, xml: &mut CanonicalWriter) {
        xml.leaf("descEvento", self.kind().description());
        match self {
            EventDetail::CartaCorrecao { xCorrecao } => {
                xml.leaf("xCorrecao", xCorrecao);
                xml.leaf("xCondUso", fixed(self.kind().code(), "xCondUso"));
            }
            EventDetail::Cancelamento { nProt, xJust } => {
                xml.leaf("nProt", nProt);
                xml.leaf("xJust", xJust);
            }
            EventDetail::CancelamentoPorSubstituicao { uf, verAplic, nProt, xJust, chNFeRef } => {
                orgao_autor(xml, *uf);
                xml.leaf("tpAutor", ISSUER);
                xml.leaf("verAplic", verAplic);
                xml.leaf("nProt", nProt);
                xml.leaf("xJust", xJust);
                xml.leaf("chNFeRef", chNFeRef.as_str());
            }
            EventDetail::Manifestacao { xJust: Some(xJust), .. } => xml.leaf("xJust", xJust),
            EventDetail::Manifestacao { xJust: None, .. } => {}
            EventDetail::Epec(epec) => epec.write(xml),
            EventDetail::AtorInteressado { uf, tpAutor, verAplic, autXML, permite } => {
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

/// `tpAutor` of an issuer.
pub(super) const ISSUER: &str = "1";
