//! The convênio of a município with the national system, and what follows from it for whoever issues there.
//!
//! Law: `reference/nfse.md` 2 (parameters of municípios); anexo I, E0037 to E0039.

use super::rules::book;
use crate::finding::Notice;
use crate::value::Codigo;
use serde::{Deserialize, Serialize};

/// What a município agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Convention {
    /// Whether there is one.
    pub exists: bool,
    /// Whether it is active (`aderenteAmbienteNacional`).
    pub active: bool,
    /// Whether who is established there issues by the national emitter (`aderenteEmissorNacional`).
    pub emitter: bool,
}

impl Convention {
    /// Of a município without any.
    pub const NONE: Convention = Convention { exists: false, active: false, emitter: false };

    /// The code by which the Sefin refuses a declaration issued there. A MEI issues by the national emitter everywhere.
    pub fn refusal(&self, is_mei: bool) -> Option<&'static str> {
        match self {
            Convention { exists: false, .. } => Some("E0037"),
            Convention { active: false, .. } => Some("E0038"),
            Convention { emitter: false, .. } if !is_mei => Some("E0039"),
            _ => None,
        }
    }

    /// The same, as it is told.
    pub fn foreseen(&self, is_mei: bool) -> Option<Notice> {
        let codigo = self.refusal(is_mei)?;
        let official = book::mensagem(codigo).unwrap_or("Rejeição");
        let mensagem = format!(
            "A Sefin deve rejeitar com {codigo}: {official} O convênio do município foi consultado; confirme com a prefeitura por onde se emite lá."
        );
        let notice = Notice::of("nota.cLocEmi".to_owned(), "rejeicao_prevista", &mensagem, None);
        Some(Notice { codigo_status: Codigo::parse(codigo).ok(), ..notice })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convention_says_by_which_rule_a_declaration_is_refused() {
        let convention = |active, emitter| Convention { exists: true, active, emitter };
        for (given, is_mei, refusal) in [
            (Convention::NONE, true, Some("E0037")),
            (convention(false, true), true, Some("E0038")),
            (convention(true, false), false, Some("E0039")),
            (convention(true, false), true, None),
            (convention(true, true), false, None),
        ] {
            assert_eq!(given.refusal(is_mei), refusal, "{given:?}");
            assert_eq!(
                given.foreseen(is_mei).and_then(|told| told.codigo_status),
                refusal.map(|code| Codigo::parse(code).unwrap())
            );
        }
    }
}
