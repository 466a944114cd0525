//! The versions of ABRASF, and what differs between them as data.
//!
//! Source: the XSD of each version; `reference/nfse.md` §8.1 to §8.3.

use std::fmt;

/// A version of the layout, or a provider's own that is an official one with additions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the versions")]
pub enum Version {
    V100,
    V200,
    V201,
    V202,
    V203,
    V204,
    GovDigital201,
}

struct Row {
    version: Version,
    /// As a table or a configuration names it.
    word: &'static str,
    /// Attribute `versao` of a lot.
    versao: &'static str,
}

const fn row(version: Version, word: &'static str, versao: &'static str) -> Row {
    Row { version, word, versao }
}

static ROWS: [Row; 7] = [
    row(Version::V100, "1.00", "1.00"),
    row(Version::V200, "2.00", "2.00"),
    row(Version::V201, "2.01", "2.01"),
    row(Version::V202, "2.02", "2.02"),
    row(Version::V203, "2.03", "2.03"),
    row(Version::V204, "2.04", "2.04"),
    row(Version::GovDigital201, "govdigital-2.01", "2.01"),
];

impl Version {
    /// All, the oldest first.
    pub const ALL: [Version; 7] = [
        Version::V100,
        Version::V200,
        Version::V201,
        Version::V202,
        Version::V203,
        Version::V204,
        Version::GovDigital201,
    ];

    /// By its word: `2.04`, `govdigital-2.01`.
    pub fn parse(word: &str) -> Option<Version> {
        ROWS.iter().find(|row| row.word == word.trim()).map(|row| row.version)
    }

    /// As a table or a configuration names it.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// As messages name it: `2.01`.
    pub fn versao(self) -> &'static str {
        self.row().versao
    }

    /// Whether the RPS is the document itself (`InfRps`); since 2.00 it is a declaration that may name one.
    pub fn is_first(self) -> bool {
        self == Version::V100
    }

    fn row(self) -> &'static Row {
        &ROWS[match self {
            Version::V100 => 0,
            Version::V200 => 1,
            Version::V201 => 2,
            Version::V202 => 3,
            Version::V203 => 4,
            Version::V204 => 5,
            Version::GovDigital201 => 6,
        }]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_its_own_row() {
        for version in Version::ALL {
            assert_eq!(version.row().version, version);
            assert_eq!(Version::parse(version.word()), Some(version));
        }
        assert_eq!(Version::parse("2.05"), None);
    }
}
