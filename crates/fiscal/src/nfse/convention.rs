//! The convênio of a município with the national system, and its consequences for issuers there.
//!
//! Law: OpenAPI of the parameters of municípios (2025-12); anexo I, E0037 to E0039 and E0084.

use super::rules::book;
use super::simples::SimplesDuty;
use crate::finding::Notice;
use crate::value::Codigo;
use serde::{Deserialize, Serialize};

/// Convênio of a município.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Convention {
    /// True when there is one.
    pub exists: bool,
    /// True when it is active (`aderenteAmbienteNacional`).
    pub active: bool,
    /// True when the national emitter is used there (`aderenteEmissorNacional`).
    pub emitter: bool,
    /// True when every CNPJ of the município may issue by it (`situacaoEmissaoPadraoContribuintesRFB`). Otherwise only
    /// those that the município enabled in the CNC may. `None` when the answer lacks the flag.
    #[serde(default)]
    pub by_default: Option<bool>,
}

impl Convention {
    /// A município without a convênio.
    pub const NONE: Convention = Convention { exists: false, active: false, emitter: false, by_default: None };

    /// True when any company of the município issues by the national emitter.
    pub fn is_open(&self) -> bool {
        self.emitter && self.by_default != Some(false)
    }

    /// Returns the code by which the Sefin refuses a declaration issued there. A MEI issues by the national emitter
    /// everywhere. No text states whether a ME or EPP of the Simples does.
    pub fn refusal(&self, obliged: Option<SimplesDuty>) -> Option<&'static str> {
        match self {
            Convention { exists: false, .. } => Some("E0037"),
            Convention { active: false, .. } => Some("E0038"),
            Convention { emitter: false, .. } if obliged.is_none() => Some("E0039"),
            _ => None,
        }
    }

    /// Returns the refusal as a notice. For a company of the Simples returns its duty where the emitter is not open to
    /// all.
    pub fn predicted_refusal(&self, obliged: Option<SimplesDuty>) -> Option<Notice> {
        let Some(codigo) = self.refusal(obliged) else { return self.doubt(obliged) };
        let official = book::mensagem(codigo).unwrap_or("Rejeição");
        let mensagem = format!(
            "A Sefin deve rejeitar com {codigo}: {official} O convênio do município foi consultado; confirme com a prefeitura por onde se emite lá."
        );
        let notice = Notice::of("nota.cLocEmi".to_owned(), "rejeicao_prevista", &mensagem, None);
        Some(Notice { codigo_status: Codigo::parse(codigo).ok(), ..notice })
    }

    /// Returns the notice about a case that the two flags do not decide.
    fn doubt(&self, obliged: Option<SimplesDuty>) -> Option<Notice> {
        match obliged {
            _ if self.is_open() => None,
            Some(obliged) if !self.emitter => {
                Some(obliged.national_notice("o convênio do município diz que o emissor nacional não é usado lá"))
            }
            Some(SimplesDuty::Mei) => None,
            _ => {
                let mensagem = "A Sefin pode rejeitar com E0084: o convênio do município tem o emissor nacional, mas só para quem a prefeitura habilitou no \
                                cadastro nacional (CNC). Confirme com ela que a empresa está habilitada.";
                let notice = Notice::of("nota.cLocEmi".to_owned(), "rejeicao_possivel", mensagem, None);
                Some(Notice { codigo_status: Codigo::parse("E0084").ok(), ..notice })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convention(active: bool, emitter: bool, by_default: Option<bool>) -> Convention {
        Convention { exists: true, active, emitter, by_default }
    }

    #[test]
    fn a_convention_says_by_which_rule_a_declaration_is_refused() {
        let (mei, small) = (Some(SimplesDuty::Mei), Some(SimplesDuty::Small));
        for (given, obliged, refusal) in [
            (Convention::NONE, mei, Some("E0037")),
            (convention(false, true, None), mei, Some("E0038")),
            (convention(true, false, None), None, Some("E0039")),
            (convention(true, false, None), mei, None),
            (convention(true, false, None), small, None),
            (convention(true, true, None), None, None),
        ] {
            assert_eq!(given.refusal(obliged), refusal, "{given:?}");
        }
        let told = convention(true, false, None).predicted_refusal(None).and_then(|told| told.codigo_status);
        assert_eq!(told, Codigo::parse("E0039").ok());
    }

    #[test]
    fn both_flags_say_who_may_issue() {
        let open = |emitter, by_default| convention(true, emitter, by_default).is_open();
        assert_eq!((open(true, Some(true)), open(true, None), open(true, Some(false))), (true, true, false));
        assert!(!open(false, Some(true)));
        let told = |given: Convention, obliged| given.predicted_refusal(obliged).map(|told| told.codigo);
        assert_eq!(told(convention(true, true, Some(false)), None).as_deref(), Some("rejeicao_possivel"));
        assert_eq!(
            told(convention(true, false, None), Some(SimplesDuty::Small)).as_deref(),
            Some("emissor_nacional_obrigatorio")
        );
        assert_eq!(told(convention(true, true, Some(true)), Some(SimplesDuty::Small)), None);
    }

    #[test]
    fn what_was_kept_before_the_second_flag_is_read() {
        let kept = r#"{"exists":true,"active":true,"emitter":true}"#;
        assert_eq!(serde_json::from_str::<Convention>(kept).unwrap(), convention(true, true, None));
    }
}
