//! Benefits of municípios.

use super::{DpsFacts, RuleOutcome};
use fiscal::nfse::amounts::{BenefitTerms, number};
use fiscal::nfse::incidence;
use rust_decimal::Decimal;

/// True when the prestador is established outside of the município of the tax: by the register, else by the município
/// of issue.
fn is_established_elsewhere(facts: &DpsFacts<'_>) -> bool {
    let home = facts.provider.and_then(|provider| provider.municipio).map(|codigo| format!("{codigo:07}"));
    let home = home.as_deref().unwrap_or(facts.text("cLocEmi"));
    incidence::of(facts.inf).is_some_and(|due| due != home)
}

const GROUP: &str = "valores/trib/tribMun/BM";

pub(super) fn rules(facts: &DpsFacts<'_>) -> Vec<RuleOutcome> {
    if !facts.has(GROUP) {
        return Vec::new();
    }
    // A service without ISSQN has no benefit at all (E0533).
    let Some(due) = facts.due.as_deref() else { return Vec::new() };
    if !facts.is_active() {
        return vec![("E0537", true)];
    }
    let Some(benefit) = due.beneficios.get(facts.text("valores/trib/tribMun/BM/nBM")) else {
        return vec![("E0541", true)];
    };
    let service = facts.text("serv/cServ/cTribNac");
    let is_inside = facts.regime() == "3" && facts.text("prest/regTrib/regApTribSN") == "1";
    let is_of_works = service.starts_with("0702") || service.starts_with("0705");
    let amount = number(facts.inf, "valores/trib/tribMun/BM/vRedBCBM");
    let price = number(facts.inf, "valores/vServPrest/vServ").unwrap_or_default();
    let expired = benefit.fim.is_some_and(|last| facts.dCompet > last) || facts.dCompet < benefit.inicio;
    let share = number(facts.inf, "valores/trib/tribMun/BM/pRedBCBM");
    let highest = benefit.reducao.unwrap_or(Decimal::ONE_HUNDRED);
    let is_exempt = benefit.tipo == BenefitTerms::EXEMPTION;
    let withheld = matches!(facts.text("valores/trib/tribMun/tpRetISSQN"), "2" | "3");
    vec![
        ("E0439", is_exempt && facts.has("valores/vDedRed")),
        ("E0536", is_inside && !is_of_works),
        ("E0544", expired),
        ("E0548", benefit.restrito && is_established_elsewhere(facts)),
        ("E0550", !benefit.servicos.is_empty() && !benefit.servicos.contains(service)),
        ("E0565", amount.is_some() && benefit.tipo != BenefitTerms::VALUE),
        ("E0567", amount.is_none() && benefit.tipo == BenefitTerms::VALUE),
        ("E0574", amount.is_some_and(|amount| amount > price)),
        ("E0577", share.is_some() && benefit.tipo != BenefitTerms::PERCENTAGE),
        ("E0579", share.is_none() && benefit.tipo == BenefitTerms::PERCENTAGE),
        ("E0586", share.is_some_and(|share| share <= Decimal::ZERO || share > highest)),
        ("E0594", is_exempt && withheld),
    ]
}
