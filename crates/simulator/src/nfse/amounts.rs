//! What the Sefin computes: base, rate and amount of the ISSQN, what is withheld, what is left.
//!
//! Law: rules E1287 to E1311, E1506, E1508 of anexo I; half to even at the second decimal (NT 007). The issuer says none of it.

use super::municipality::{Benefit, Municipality};
use fiscal::value::amount;
use fiscal::xml::Element;
use rust_decimal::Decimal;

/// Amounts of an NFS-e, R$ with two decimals; what is absent is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) vCalcDR: Option<Decimal>,
    pub(super) tpBM: Option<u8>,
    pub(super) vCalcBM: Option<Decimal>,
    pub(super) vBC: Option<Decimal>,
    /// Per cent.
    pub(super) pAliqAplic: Option<Decimal>,
    pub(super) vISSQN: Option<Decimal>,
    pub(super) vTotalRet: Option<Decimal>,
    pub(super) vLiq: Decimal,
    /// What is only passed on: no part of the bases.
    pub(super) vCalcReeRepRes: Decimal,
}

const ISSQN: &str = "valores/trib/tribMun";

/// Computes them; `due` is the município the ISSQN is due to.
pub(super) fn of(inf: &Element, due: Option<&Municipality>) -> Amounts {
    let money = |path: &str| number(inf, path).unwrap_or_default();
    let service = money("valores/vServPrest/vServ");
    let unconditional = money("valores/vDescCondIncond/vDescIncond");
    let benefit = inf.text_at("valores/trib/tribMun/BM/nBM").and_then(|number| due?.beneficios.get(number));
    let vCalcDR = deduction_in_per_cent(inf, service).or_else(|| documents(inf));
    let vCalcBM =
        number(inf, "valores/trib/tribMun/BM/pRedBCBM").map(|share| cents(service * share / Decimal::ONE_HUNDRED));
    let vCalcReeRepRes = reimbursed(inf);
    let deducted = vCalcDR.unwrap_or_else(|| money("valores/vDedRed/vDR"));
    let reduced = vCalcBM.unwrap_or_else(|| money("valores/trib/tribMun/BM/vRedBCBM"));
    let base = service - unconditional - deducted - reduced - vCalcReeRepRes;
    let rate = if is_computed(inf) { rate(inf, due, benefit) } else { None };
    let tax = rate.map(|rate| cents(base * rate / Decimal::ONE_HUNDRED));
    let withheld = ["vRetCP", "vRetIRRF", "vRetCSLL"].iter().map(|tag| money(&format!("valores/trib/tribFed/{tag}")));
    let by_others = matches!(inf.text_at("valores/trib/tribMun/tpRetISSQN"), Some("2" | "3"));
    let total = withheld.sum::<Decimal>() + tax.filter(|_| by_others).unwrap_or_default();
    let conditional = money("valores/vDescCondIncond/vDescCond");
    let shown = is_computed(inf);
    Amounts {
        vCalcDR: vCalcDR.filter(|_| shown),
        tpBM: benefit.filter(|_| shown).map(|benefit| benefit.tipo),
        vCalcBM: vCalcBM.filter(|_| shown),
        vBC: shown.then_some(base),
        pAliqAplic: rate,
        vISSQN: tax,
        vTotalRet: Some(total).filter(|total| shown && !total.is_zero()),
        vLiq: service - unconditional - conditional - total,
        vCalcReeRepRes,
    }
}

/// Whether more than what is left is told: not of MEI, of what is not taxed or is suspended, of special regimes (E1302 to E1311).
fn is_computed(inf: &Element) -> bool {
    inf.text_at("prest/regTrib/opSimpNac") != Some("2")
        && inf.text_at("prest/regTrib/regEspTrib") == Some("0")
        && inf.text_at("valores/trib/tribMun/tribISSQN") == Some("1")
        && inf.at(ISSQN).is_some_and(|group| group.child("exigSusp").is_none())
}

/// The rate: as said, of the benefit, of the município. What is paid inside of the Simples has none here.
fn rate(inf: &Element, due: Option<&Municipality>, benefit: Option<&Benefit>) -> Option<Decimal> {
    if let Some(said) = number(inf, "valores/trib/tribMun/pAliq") {
        return Some(said);
    }
    match benefit {
        Some(benefit) if benefit.tipo == Benefit::EXEMPTION => return None,
        Some(benefit) if benefit.tipo == Benefit::RATE => return benefit.aliquota,
        _ => {}
    }
    let is_inside = inf.text_at("prest/regTrib/regApTribSN") == Some("1");
    let cTribNac = inf.text_at("serv/cServ/cTribNac").unwrap_or_default();
    due.filter(|_| !is_inside).map(|due| due.rate(cTribNac))
}

fn deduction_in_per_cent(inf: &Element, service: Decimal) -> Option<Decimal> {
    number(inf, "valores/vDedRed/pDR").map(|share| cents(service * share / Decimal::ONE_HUNDRED))
}

fn documents(inf: &Element) -> Option<Decimal> {
    let documents = inf.at("valores/vDedRed/documentos")?.children();
    Some(documents.filter_map(|one| number(one, "vDeducaoReducao")).sum())
}

fn reimbursed(inf: &Element) -> Decimal {
    let documents = inf.at("IBSCBS/valores/gReeRepRes").into_iter().flat_map(Element::children);
    documents.filter_map(|one| number(one, "vlrReeRepRes")).sum()
}

/// A number at a path.
pub(super) fn number(element: &Element, path: &str) -> Option<Decimal> {
    element.text_at(path).and_then(amount)
}

/// Two decimals, half to even.
pub(super) fn cents(amount: Decimal) -> Decimal {
    let mut rounded = amount.round_dp(2);
    rounded.rescale(2);
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLES: [(&str, [Option<&str>; 4], &str); 6] = [
        (
            include_str!("../../../fiscal/tests/golden/nfse/exemplo_retencoes_ibs_cbs/expected.xml"),
            [Some("10000.00"), Some("5.00"), Some("500.00"), Some("1115.00")],
            "8885.00",
        ),
        (
            include_str!("../../../fiscal/tests/golden/nfse/exemplo_simples_nacional_retido/expected.xml"),
            [Some("900.00"), Some("2.01"), Some("18.09"), Some("18.09")],
            "881.91",
        ),
        (
            include_str!("../../../fiscal/tests/golden/nfse/exemplo_simples/expected.xml"),
            [Some("1000.00"), Some("5.00"), Some("50.00"), None],
            "1000.00",
        ),
        (include_str!("../../../fiscal/tests/golden/nfse/mei/expected.xml"), [None; 4], "1000.00"),
        (include_str!("../../../fiscal/tests/golden/nfse/exemplo_exportacao/expected.xml"), [None; 4], "5400.00"),
        (include_str!("../../../fiscal/tests/golden/nfse/exigibilidade_suspensa/expected.xml"), [None; 4], "1000.00"),
    ];

    #[test]
    fn the_worked_examples_have_their_amounts() {
        let due = Municipality::default();
        for (dps, [vBC, pAliqAplic, vISSQN, vTotalRet], vLiq) in EXAMPLES {
            let dps = fiscal::xml::read(dps.as_bytes()).unwrap();
            let found = of(dps.child("infDPS").unwrap(), Some(&due));
            let number = |text: Option<&str>| text.and_then(amount);
            assert_eq!((found.vBC, found.pAliqAplic), (number(vBC), number(pAliqAplic)), "{vLiq}");
            assert_eq!((found.vISSQN, found.vTotalRet), (number(vISSQN), number(vTotalRet)), "{vLiq}");
            assert_eq!(Some(found.vLiq), amount(vLiq));
        }
    }

    #[test]
    fn halves_go_to_the_even_cent() {
        let rounded = |text: &str| cents(amount(text).unwrap()).to_string();
        assert_eq!(
            (rounded("9.135").as_str(), rounded("82.225").as_str(), rounded("1").as_str()),
            ("9.14", "82.22", "1.00")
        );
    }
}
