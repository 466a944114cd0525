//! Codes of the authorities and their official texts: NF-e and NFC-e here, CT-e in `cte`, municipal NFS-e in `abrasf`.
//!
//! Law: MOC 7.0 anexo I (tables of results) and NT 2025.002.

pub mod abrasf;
pub mod cte;
mod motivo;

pub use motivo::{motivo, motivos};

use crate::evidence::CodeMeaning;

/// Class of a `cStat` in a reply to an authorisation or a query by key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeClass {
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

impl CodeClass {
    /// The meaning of the code in an answer without a protocol.
    pub fn meaning(self) -> CodeMeaning {
        match self {
            CodeClass::Authorized => CodeMeaning::Registered,
            CodeClass::Denied | CodeClass::Rejected => CodeMeaning::Refusal,
            CodeClass::Cancelled | CodeClass::DeniedBefore | CodeClass::Duplicate => CodeMeaning::Duplicate,
            CodeClass::DuplicateOtherKey => CodeMeaning::DuplicateOtherKey,
            CodeClass::Unknown => CodeMeaning::NeverSeen,
            CodeClass::Pending => CodeMeaning::Pending,
            CodeClass::ServiceDown | CodeClass::UndueUse => CodeMeaning::Service,
            CodeClass::Unlisted => CodeMeaning::Unlisted,
        }
    }
}

/// First code of refusals; lower codes are successes and states (MOC 7.0, anexo I, tables of results), those of NT
/// 2026.007 excepted.
pub const FIRST_REFUSAL: u16 = 200;
/// "Erro não catalogado": an internal error of the authority.
const UNCATALOGUED: u16 = 999;

/// Class of a code that [`class`] does not name: a refusal when the official list has it.
fn listed(cStat: u16, text: Option<&str>) -> CodeClass {
    match text {
        Some(_) if cStat >= FIRST_REFUSAL && cStat != UNCATALOGUED => CodeClass::Rejected,
        _ => CodeClass::Unlisted,
    }
}

pub fn class(cStat: u16) -> CodeClass {
    match cStat {
        100 | 120 | 150 => CodeClass::Authorized,
        101 | 151 | 155 | 218 => CodeClass::Cancelled,
        110 | 301..=303 => CodeClass::Denied,
        205 => CodeClass::DeniedBefore,
        103 | 105 | 635 => CodeClass::Pending,
        107 | 108 | 109 | 113 | 114 => CodeClass::ServiceDown,
        656 => CodeClass::UndueUse,
        204 => CodeClass::Duplicate,
        // a query by key answers 561, 562 or 613, an authorisation 539
        539 | 561 | 562 | 613 => CodeClass::DuplicateOtherKey,
        217 => CodeClass::Unknown,
        // refusals among the low numbers: EPEC is blocked for this issuer, and NT 2026.007
        142 | 156..=159 | 161..=171 | 178..=186 | 188 => CodeClass::Rejected,
        _ => listed(cStat, motivo(cStat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_codes() {
        for (code, expected) in [
            (100, CodeClass::Authorized),
            (120, CodeClass::Authorized),
            (150, CodeClass::Authorized),
            (101, CodeClass::Cancelled),
            (155, CodeClass::Cancelled),
            (205, CodeClass::DeniedBefore),
            (110, CodeClass::Denied),
            (302, CodeClass::Denied),
            (105, CodeClass::Pending),
            (108, CodeClass::ServiceDown),
            (656, CodeClass::UndueUse),
            (204, CodeClass::Duplicate),
            (539, CodeClass::DuplicateOtherKey),
            (613, CodeClass::DuplicateOtherKey),
            (217, CodeClass::Unknown),
            (610, CodeClass::Rejected),
            (225, CodeClass::Rejected),
            (121, CodeClass::Unlisted),
            (142, CodeClass::Rejected),
            (155, CodeClass::Cancelled),
            (156, CodeClass::Rejected),
            (160, CodeClass::Unlisted),
            (171, CodeClass::Rejected),
            (172, CodeClass::Unlisted),
            (177, CodeClass::Unlisted),
            (180, CodeClass::Rejected),
            (187, CodeClass::Unlisted),
            (188, CodeClass::Rejected),
            (189, CodeClass::Unlisted),
            (199, CodeClass::Unlisted),
            (999, CodeClass::Unlisted),
            (9_999, CodeClass::Unlisted),
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
