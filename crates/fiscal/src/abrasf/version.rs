//! Versions of ABRASF and their differences, as data.
//!
//! Source: the XSD of each version.

use crate::layout::{self, Body, Complex, ContentModel, Layout};
use crate::map::members;
use std::fmt;

/// A version of the layout, official or a provider's own extension of an official one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AbrasfVersion {
    V100,
    V200,
    V201,
    V202,
    V203,
    V204,
    GovDigital201,
}

struct VersionRow {
    version: AbrasfVersion,
    /// Name in tables and configurations.
    word: &'static str,
    /// Attribute `versao` of a lot.
    versao: &'static str,
    /// Layout of a message by its root.
    message: fn(&str) -> Option<&'static Layout>,
}

const fn row(
    version: AbrasfVersion,
    word: &'static str,
    versao: &'static str,
    message: fn(&str) -> Option<&'static Layout>,
) -> VersionRow {
    VersionRow { version, word, versao, message }
}

static ROWS: [VersionRow; 7] = [
    row(AbrasfVersion::V100, "1.00", "1.00", layout::abrasf_100),
    row(AbrasfVersion::V200, "2.00", "2.00", layout::abrasf_200),
    row(AbrasfVersion::V201, "2.01", "2.01", layout::abrasf_201),
    row(AbrasfVersion::V202, "2.02", "2.02", layout::abrasf_202),
    row(AbrasfVersion::V203, "2.03", "2.03", layout::abrasf_203),
    row(AbrasfVersion::V204, "2.04", "2.04", layout::abrasf_204),
    row(AbrasfVersion::GovDigital201, "govdigital-2.01", "2.01", layout::abrasf_govdigital_201),
];

impl AbrasfVersion {
    /// All versions, oldest first.
    pub const ALL: [AbrasfVersion; 7] = [
        AbrasfVersion::V100,
        AbrasfVersion::V200,
        AbrasfVersion::V201,
        AbrasfVersion::V202,
        AbrasfVersion::V203,
        AbrasfVersion::V204,
        AbrasfVersion::GovDigital201,
    ];

    /// Parses a version's name: `2.04`, `govdigital-2.01`.
    pub fn parse(word: &str) -> Option<AbrasfVersion> {
        ROWS.iter().find(|row| row.word == word.trim()).map(|row| row.version)
    }

    /// Name in tables and configurations.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// Version as written in messages: `2.01`.
    pub fn versao(self) -> &'static str {
        self.row().versao
    }

    /// True when the RPS is the document itself (`InfRps`); since 2.00 it is a declaration that may name an RPS.
    pub fn is_first(self) -> bool {
        self == AbrasfVersion::V100
    }

    /// The layout of a message by its root (`GerarNfseEnvio`, `CompNfse`), where the version has it.
    pub fn layout(self, root: &str) -> Option<&'static Layout> {
        (self.row().message)(root)
    }

    /// The type of the signed element: `InfRps`, since 2.00 `InfDeclaracaoPrestacaoServico`.
    pub(super) fn inf(self) -> Option<&'static Complex> {
        let mut complex = group(&self.layout("EnviarLoteRpsEnvio")?.root.kind)?;
        for tag in ["LoteRps", "ListaRps", "Rps", self.inf_tag()] {
            complex = group(&members(complex).into_iter().find(|element| element.name == tag)?.kind)?;
        }
        Some(complex)
    }

    /// Most RPS of one lot by the layout: 1 in 2.00, `u32::MAX` where it has no bound.
    pub fn most_rps_of_lot(self) -> u32 {
        let list = || self.layout("EnviarLoteRpsEnvio")?.root.child("LoteRps")?.child("ListaRps");
        match list().and_then(|list| group(&list.kind)?.content.as_ref()).map(|content| &content.body) {
            Some(Body::Sequence([rps])) => rps.max,
            _ => 1,
        }
    }

    /// True when a lot names the prestador as a group; else document and registration stand bare in it.
    pub(super) fn lot_has_prestador(self) -> bool {
        let lot = self.layout("EnviarLoteRpsEnvio").and_then(|layout| layout.root.child("LoteRps"));
        lot.is_some_and(|lot| lot.child("Prestador").is_some())
    }

    /// Tag of the signed element.
    pub(super) fn inf_tag(self) -> &'static str {
        if self.is_first() { "InfRps" } else { "InfDeclaracaoPrestacaoServico" }
    }

    fn row(self) -> &'static VersionRow {
        &ROWS[match self {
            AbrasfVersion::V100 => 0,
            AbrasfVersion::V200 => 1,
            AbrasfVersion::V201 => 2,
            AbrasfVersion::V202 => 3,
            AbrasfVersion::V203 => 4,
            AbrasfVersion::V204 => 5,
            AbrasfVersion::GovDigital201 => 6,
        }]
    }
}

fn group(kind: &'static ContentModel) -> Option<&'static Complex> {
    match kind {
        ContentModel::Group(complex) => Some(complex),
        ContentModel::Leaf(_) | ContentModel::Foreign(_) => None,
    }
}

impl fmt::Display for AbrasfVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_its_own_row() {
        for version in AbrasfVersion::ALL {
            assert_eq!(version.row().version, version);
            assert_eq!(AbrasfVersion::parse(version.word()), Some(version));
            assert!(version.inf().is_some(), "{version}");
            assert!(version.layout("CancelarNfseEnvio").is_some() && version.layout("NFe").is_none(), "{version}");
        }
        assert_eq!(AbrasfVersion::parse("2.05"), None);
        assert_eq!((AbrasfVersion::V200.most_rps_of_lot(), AbrasfVersion::V204.most_rps_of_lot()), (1, u32::MAX));
    }
}
