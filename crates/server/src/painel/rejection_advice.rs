//! Codes of authorities in words: the rule's text, the remedies that the documentation has, and its page.

use fiscal::value::Codigo;
use fiscal::{abrasf, cstat, nfse};
use store::numbers::NumberedKind;

use crate::api::docs::table_pages::{CTE_RULES, MUNICIPAL_CODES, NFE_RULES, NFSE_RULES, STATUS_CODES};
use crate::api::docs::{cte_rules, remedies, rules};

/// Meaning and remedies of a code of an authority.
pub(super) struct RejectionAdvice {
    /// Official text of the rule.
    pub(super) meaning: Option<String>,
    /// Markdown.
    pub(super) remedies: Vec<&'static str>,
    /// Page of the documentation.
    pub(super) page: String,
}

impl RejectionAdvice {
    pub(super) fn of(counted: NumberedKind, codigo: &Codigo) -> RejectionAdvice {
        let number = codigo.number().unwrap_or_default();
        match counted {
            NumberedKind::Nfe | NumberedKind::Nfce => of_goods(number),
            NumberedKind::Cte | NumberedKind::CteOs => of_transport(number),
            NumberedKind::Dps => RejectionAdvice {
                meaning: nfse::rules::book::mensagem(codigo.as_str()).map(|text| plain(&text.replace("{}", "…"))),
                remedies: nfse::rules::advice(codigo.as_str()).into_iter().collect(),
                page: format!("{}#{}", NFSE_RULES.address, codigo.as_str()),
            },
            NumberedKind::Rps => RejectionAdvice {
                meaning: abrasf::rules::motivo(codigo).map(str::to_owned),
                remedies: cstat::abrasf::remedy(codigo).into_iter().collect(),
                page: MUNICIPAL_CODES.address.to_owned(),
            },
        }
    }
}

fn of_goods(number: u16) -> RejectionAdvice {
    let mut rules = fiscal::nfe::rules::RULES.iter().filter(|rule| rule.cStat == number);
    let rule = rules.clone().next();
    let page = match rule {
        Some(rule) => format!("{}#{}", NFE_RULES.address, rules::anchor(rule)),
        None => format!("{}#{number}", STATUS_CODES.address),
    };
    let remedies = [rules.find_map(|rule| rule.remedy()), remedies::remedy(number)];
    RejectionAdvice {
        meaning: cstat::motivo(number).map(plain),
        remedies: remedies.into_iter().flatten().collect(),
        page,
    }
}

fn of_transport(number: u16) -> RejectionAdvice {
    let mut rules = fiscal::cte::rules::all().filter(|rule| rule.cStat == number);
    let rule = fiscal::cte::rules::all().find(|rule| rule.cStat == number);
    let page = match rule {
        Some(rule) => format!("{}#{}", CTE_RULES.address, cte_rules::anchor(rule)),
        None => CTE_RULES.address.to_owned(),
    };
    let remedies = rules.find_map(|rule| rule.remedy()).into_iter().collect();
    RejectionAdvice { meaning: cstat::cte::motivo(number).map(plain), remedies, page }
}

fn plain(text: &str) -> String {
    text.trim_start_matches("Rejeição: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_leads_to_its_rule_or_to_the_list_of_codes() {
        let advice = |counted, codigo: &str| RejectionAdvice::of(counted, &Codigo::parse(codigo).unwrap());
        assert_eq!(advice(NumberedKind::Nfe, "539").page, "/docs/guia/codigos#539");
        assert!(!advice(NumberedKind::Nfe, "539").remedies.is_empty());
        assert!(advice(NumberedKind::Dps, "E0014").page.ends_with("regras-da-nfse#E0014"));
        assert!(advice(NumberedKind::Rps, "E10").page.ends_with("codigos-das-prefeituras"));
    }
}
