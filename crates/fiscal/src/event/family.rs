//! The envelope of an event, one row per family of documents.
//!
//! Law: MOC 7.0 visão geral 5.8 (`evento`), MOC CT-e 4.00 anexo I (`eventoCTe`). Must not know the content of an event.

use super::EventEnvelope;
use crate::layout::{self, Layout};
use crate::value::ChaveAcesso;
use crate::xml::{CanonicalWriter, Element};

/// Envelope of a family's events.
pub struct EventFamily {
    /// Models of the family, as in access keys.
    pub models: &'static [u8],
    /// Namespace of every element.
    pub namespace: &'static str,
    /// `evento`.
    pub root: &'static str,
    /// Root of the authority's answer: `retEvento`.
    pub answer: &'static str,
    /// Version of the root.
    pub versao: &'static str,
    /// True when the version is repeated as `verEvento`.
    pub ver_evento: bool,
    /// Tag of the key: `chNFe`.
    pub key: &'static str,
    /// Digits of `nSeqEvento` in the `Id`.
    pub sequence_in_id: usize,
    /// Digits of the element `nSeqEvento`.
    pub sequence: usize,
    /// Attribute of `detEvento` with its version.
    pub detail_version: &'static str,
    /// Layout of `detEvento` for a code.
    pub det_evento: fn(&str) -> Option<&'static Layout>,
}

/// NF-e and NFC-e.
pub static NFE: EventFamily = EventFamily {
    models: &[55, 65],
    namespace: "http://www.portalfiscal.inf.br/nfe",
    root: "evento",
    answer: "retEvento",
    versao: "1.00",
    ver_evento: true,
    key: "chNFe",
    sequence_in_id: 2,
    sequence: 1,
    detail_version: "versao",
    det_evento: layout::nfe_det_evento,
};

/// CT-e and CT-e OS.
pub static CTE: EventFamily = EventFamily {
    models: &[57, 67],
    namespace: "http://www.portalfiscal.inf.br/cte",
    root: "eventoCTe",
    answer: "retEventoCTe",
    versao: "4.00",
    ver_evento: false,
    key: "chCTe",
    sequence_in_id: 3,
    sequence: 3,
    detail_version: "versaoEvento",
    det_evento: layout::cte_det_evento,
};

static ALL: [&EventFamily; 2] = [&NFE, &CTE];

impl EventFamily {
    /// The family of a key; a model that is no CT-e counts as NF-e.
    pub fn of(chave: &ChaveAcesso) -> &'static EventFamily {
        let modelo = chave.parts().modelo;
        ALL.into_iter().find(|family| family.models.contains(&modelo)).unwrap_or(&NFE)
    }

    /// The family of a stored event, which is stored with its answer.
    pub fn of_archive(archive: &Element) -> Option<&'static EventFamily> {
        ALL.into_iter().find(|family| archive.child(family.root).is_some())
    }

    /// `Id` of an event.
    pub fn id(&self, chave: &ChaveAcesso, tpEvento: &str, nSeqEvento: u16) -> String {
        format!("ID{tpEvento}{chave}{nSeqEvento:0width$}", width = self.sequence_in_id)
    }

    /// Canonical, unsigned event and its `Id`; `detail` writes the content of `detEvento`.
    pub(super) fn wrap(
        &self,
        envelope: &EventEnvelope<'_>,
        cOrgao: u8,
        tpEvento: &str,
        detail: impl FnOnce(&mut CanonicalWriter),
    ) -> (String, String) {
        let EventEnvelope { chave, ambiente, autor, dhEvento, nSeqEvento } = *envelope;
        let id = self.id(&chave, tpEvento, nSeqEvento);
        let mut xml = CanonicalWriter::with_capacity(1_024);
        xml.open_with(self.root, &[("xmlns", self.namespace), ("versao", self.versao)]);
        xml.open_with("infEvento", &[("Id", &id)]);
        xml.leaf("cOrgao", &cOrgao.to_string());
        xml.leaf("tpAmb", ambiente.code());
        xml.leaf(autor.tag(), autor.as_str());
        xml.leaf(self.key, chave.as_str());
        xml.leaf("dhEvento", dhEvento);
        xml.leaf("tpEvento", tpEvento);
        xml.leaf("nSeqEvento", &format!("{nSeqEvento:0width$}", width = self.sequence));
        if self.ver_evento {
            xml.leaf("verEvento", self.versao);
        }
        xml.open_with("detEvento", &[(self.detail_version, self.versao)]);
        detail(&mut xml);
        xml.close("detEvento");
        xml.close("infEvento");
        xml.close(self.root);
        (xml.finish(), id)
    }

    /// A text that the layout fixes, byte for byte; where it allows two spellings, the one without accents.
    pub(super) fn fixed(&self, tpEvento: &str, tag: &str) -> &'static str {
        let values = self.values(tpEvento, tag);
        values.iter().find(|value| value.is_ascii()).or(values.first()).copied().unwrap_or_default()
    }

    /// A fixed text for display: where the layout allows two spellings, the one with accents.
    pub fn accented<'t>(&self, tpEvento: &str, tag: &str, text: &'t str) -> &'t str {
        let values = self.values(tpEvento, tag);
        let spelled = values.iter().find(|value| !value.is_ascii()).filter(|_| values.contains(&text));
        spelled.copied().unwrap_or(text)
    }

    fn values(&self, tpEvento: &str, tag: &str) -> &'static [&'static str] {
        (self.det_evento)(tpEvento).map_or(&[], |layout| layout.enumeration(tag))
    }
}
