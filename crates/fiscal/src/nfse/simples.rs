//! Companies of the Simples Nacional issue by the national emitter: the companies, first days, legal acts and notices
//! on both routes.
//!
//! Law: Resolução CGSN 140/2018 as changed by Resolução CGSN 169/2022 (MEI) and 191/2026 (ME and EPP). No published
//! rule states how the Sefin applies E0039 to a ME or EPP of a município without the national emitter, so these notices
//! refuse nothing.

use super::calendar::EffectiveDay;
use crate::finding::Notice;
use jiff::civil::date;
use serde_json::Value;

/// A company that issues by the national emitter in every município.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimplesDuty {
    /// MEI (`opSimpNac` 2).
    Mei,
    /// ME or EPP of the Simples (`opSimpNac` 3).
    Small,
}

/// First day of the duty of the MEI.
const MEI_FROM: EffectiveDay = EffectiveDay { from: date(2023, 9, 1), source: "Resolução CGSN 169, de 27/07/2022" };
/// First day of the duty of ME and EPP.
const SMALL_FROM: EffectiveDay =
    EffectiveDay { from: date(2026, 11, 1), source: "Resolução CGSN 191, de 04/08/2026, DOU de 10/08/2026" };

/// Code of the notices.
const CODIGO: &str = "emissor_nacional_obrigatorio";

impl SimplesDuty {
    /// Returns the duty of a regime at an instant, if it has begun.
    pub fn of(opSimpNac: &str, instant: &str) -> Option<SimplesDuty> {
        let obliged = match opSimpNac {
            "2" => SimplesDuty::Mei,
            "3" => SimplesDuty::Small,
            _ => return None,
        };
        obliged.since().has_come(instant).then_some(obliged)
    }

    fn since(self) -> &'static EffectiveDay {
        match self {
            SimplesDuty::Mei => &MEI_FROM,
            SimplesDuty::Small => &SMALL_FROM,
        }
    }

    fn who(self) -> &'static str {
        match self {
            SimplesDuty::Mei => "o MEI",
            SimplesDuty::Small => "a ME ou EPP do Simples Nacional",
        }
    }

    /// Sentence about the duty: company, obligation, first day and legal act.
    fn duty(self) -> String {
        let EffectiveDay { from, source } = self.since();
        format!(
            "Desde {} {} emite a NFS-e pelo emissor nacional, pela web ou por API ({source})",
            from.strftime("%d/%m/%Y"),
            self.who()
        )
    }

    /// Notice on a document for the provider of a município.
    pub fn municipal_notice(self, campo: String) -> Notice {
        let mensagem = format!(
            "{}, e esta nota vai ao provedor municipal. Emita por POST /v1/nfse/emitir, que a recebe com qualquer provedor configurado; se a prefeitura \
             ainda exige a dela, confirme com ela por escrito.",
            self.duty()
        );
        Notice::of(campo, CODIGO, &mensagem, None)
    }

    /// Notice on a document that goes to the Sefin Nacional although the configuration, the table or the convênio of
    /// the município indicates otherwise (`why`).
    pub fn national_notice(self, why: &str) -> Notice {
        let mensagem = format!(
            "{}: {why}, e a nota vai pela Sefin Nacional. Não se sabe como a Sefin aplica E0039 e E0084 {} de município sem o emissor nacional aberto a todos; \
             se ela recusar, confirme com a prefeitura.",
            self.duty(),
            match self {
                SimplesDuty::Mei => "ao MEI",
                SimplesDuty::Small => "à ME ou EPP",
            }
        );
        Notice::of("cpf_cnpj".to_owned(), CODIGO, &mensagem, None)
    }
}

/// Returns the sentences about all duties, for a query about a município.
pub fn duties() -> impl Iterator<Item = String> {
    [SimplesDuty::Mei, SimplesDuty::Small].into_iter().map(SimplesDuty::duty)
}

/// Returns `opSimpNac` of a company: of the document, of the configuration, or by its CRT.
pub fn regime(groups: &Value, configuration: &serde_json::Map<String, Value>, CRT: Option<&Value>) -> String {
    let said = ["prest", "prestador"].iter().find_map(|group| groups.get(*group)?.get("regTrib")?.get("opSimpNac"));
    let said = said.or_else(|| groups.get("codigo_opcao_simples_nacional"));
    let configured = || configuration.get("regime")?.get("opSimpNac");
    let text = said.and_then(plain).or_else(|| configured().and_then(plain));
    text.unwrap_or_else(|| by_crt(CRT.and_then(plain).as_deref()).to_owned())
}

/// Returns `opSimpNac` for the CRT of a company.
pub(crate) fn by_crt(CRT: Option<&str>) -> &'static str {
    match CRT {
        Some("1") => "3",
        Some("4") => "2",
        _ => "1",
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn a_duty_begins_on_its_day_where_the_instant_was_written() {
        for (regime, instant, expected) in [
            ("3", "2026-10-31T23:59:59-03:00", None),
            ("3", "2026-11-01T00:00:00-03:00", Some(SimplesDuty::Small)),
            ("2", "2023-08-31T23:59:59-03:00", None),
            ("2", "2023-09-01T00:00:00-05:00", Some(SimplesDuty::Mei)),
            ("1", "2026-11-28T10:00:00-03:00", None),
        ] {
            assert_eq!(SimplesDuty::of(regime, instant), expected, "{regime} {instant}");
        }
    }

    #[test]
    fn a_notice_names_the_act_and_its_day() {
        let told = SimplesDuty::Small.municipal_notice("nota.optante_simples_nacional".to_owned()).mensagem;
        assert!(told.contains("Resolução CGSN 191") && told.contains("01/11/2026"), "{told}");
        let told = SimplesDuty::Mei.national_notice("a configuração diz webiss").mensagem;
        assert!(told.contains("Resolução CGSN 169") && told.contains("01/09/2023") && told.contains("E0039"), "{told}");
        assert_eq!(duties().count(), 2);
    }

    #[test]
    fn a_regime_is_as_said_as_configured_or_by_the_crt() {
        let configured = |code: Value| Map::from_iter([("regime".to_owned(), json!({ "opSimpNac": code }))]);
        let nota = json!({ "prest": { "regTrib": { "opSimpNac": "2" } } });
        assert_eq!(regime(&nota, &configured(json!(3)), None), "2");
        assert_eq!(regime(&json!({ "prest": {} }), &configured(json!(3)), Some(&json!(3))), "3");
        assert_eq!(regime(&json!({}), &Map::new(), Some(&json!(4))), "2");
        assert_eq!(regime(&json!({}), &configured(Value::Null), None), "1");
    }
}
