//! Codes of the authorities and their official texts: NF-e and NFC-e here, CT-e in `cte`, municipal NFS-e in `abrasf`.
//!
//! Law: MOC 7.0 anexo I (tables of results) and NT 2025.002.

pub mod abrasf;
pub mod cte;
mod motivo;

pub use motivo::{motivo, motivos};

use crate::evidence::Meaning;

/// Class of a `cStat` in a reply to an authorisation or a query by key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// 100, 120, 150.
    Authorized,
    /// 101, 151, 155, 218.
    Cancelled,
    /// 110, 301, 302, 303: denied when a protocol comes with it. Since NT 2023.002 (NFC-e) and NT 2024.001 (NF-e) there
    /// is no denial: 302 and 303 come without a protocol and refuse.
    Denied,
    /// 205: the key was denied before.
    DeniedBefore,
    /// 103, 105, 635: query again later.
    Pending,
    /// 107, 108, 109, 113, 114: states of the service, not of the document.
    ServiceDown,
    /// 656: too many calls.
    UndueUse,
    /// 204: the key is registered already.
    Duplicate,
    /// 539, 561, 562, 613: the number is registered under another key.
    DuplicateOtherKey,
    /// 217: not registered.
    Unknown,
    /// A rule of the official list refuses the document.
    Rejected,
    /// In no list of the family, or 999, the authority's error without a code.
    Unlisted,
}

impl Class {
    /// The meaning of the code in an answer without a protocol.
    pub fn meaning(self) -> Meaning {
        match self {
            Class::Authorized => Meaning::Registered,
            Class::Denied | Class::Rejected => Meaning::Refusal,
            Class::Cancelled | Class::DeniedBefore | Class::Duplicate => Meaning::Duplicate,
            Class::DuplicateOtherKey => Meaning::DuplicateOtherKey,
            Class::Unknown => Meaning::NeverSeen,
            Class::Pending => Meaning::Pending,
            Class::ServiceDown | Class::UndueUse => Meaning::Service,
            Class::Unlisted => Meaning::Unlisted,
        }
    }
}

/// First code of refusals; lower codes are successes and states (MOC 7.0, anexo I, tables of results), those of NT
/// 2026.007 excepted.
pub const FIRST_REFUSAL: u16 = 200;
/// "Erro não catalogado": an internal error of the authority.
const UNCATALOGUED: u16 = 999;

/// Class of a code that [`class`] does not name: a refusal when the official list has it.
fn listed(cStat: u16, text: Option<&str>) -> Class {
    match text {
        Some(_) if cStat >= FIRST_REFUSAL && cStat != UNCATALOGUED => Class::Rejected,
        _ => Class::Unlisted,
    }
}

pub fn class(cStat: u16) -> Class {
    match cStat {
        100 | 120 | 150 => Class::Authorized,
        101 | 151 | 155 | 218 => Class::Cancelled,
        110 | 301..=303 => Class::Denied,
        205 => Class::DeniedBefore,
        103 | 105 | 635 => Class::Pending,
        107 | 108 | 109 | 113 | 114 => Class::ServiceDown,
        656 => Class::UndueUse,
        204 => Class::Duplicate,
        // a query by key answers 561, 562 or 613, an authorisation 539
        539 | 561 | 562 | 613 => Class::DuplicateOtherKey,
        217 => Class::Unknown,
        // refusals among the low numbers: EPEC is blocked for this issuer, and NT 2026.007
        142 | 156..=159 | 161..=171 | 178..=186 | 188 => Class::Rejected,
        _ => listed(cStat, motivo(cStat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_codes() {
        for (code, expected) in [
            (100, Class::Authorized),
            (120, Class::Authorized),
            (150, Class::Authorized),
            (101, Class::Cancelled),
            (155, Class::Cancelled),
            (205, Class::DeniedBefore),
            (110, Class::Denied),
            (302, Class::Denied),
            (105, Class::Pending),
            (108, Class::ServiceDown),
            (656, Class::UndueUse),
            (204, Class::Duplicate),
            (539, Class::DuplicateOtherKey),
            (613, Class::DuplicateOtherKey),
            (217, Class::Unknown),
            (610, Class::Rejected),
            (225, Class::Rejected),
            (121, Class::Unlisted),
            (142, Class::Rejected),
            (155, Class::Cancelled),
            (156, Class::Rejected),
            (160, Class::Unlisted),
            (171, Class::Rejected),
            (172, Class::Unlisted),
            (177, Class::Unlisted),
            (180, Class::Rejected),
            (187, Class::Unlisted),
            (188, Class::Rejected),
            (189, Class::Unlisted),
            (199, Class::Unlisted),
            (999, Class::Unlisted),
            (9_999, Class::Unlisted),
        ] {
            assert_eq!(class(code), expected, "{code}");
        }
    }

    #[test]
    fn knows_the_official_texts() {
        assert_eq!(motivo(100), Some("Autorizado o uso da NF-e"));
        assert!(motivo(610).is_some_and(|text| text.starts_with("Rejeição: Total da NF difere")));
        assert_eq!(motivo(1), None);
    }

    #[test]
    fn every_rejection_says_that_it_is_one() {
        for code in 200..1300 {
            let Some(text) = motivo(code) else { continue };
            let marked = ["Rejeição: ", "Uso Denegado: "].iter().any(|mark| text.starts_with(mark));
            assert!(marked, "{code} {text}");
        }
    }
}
