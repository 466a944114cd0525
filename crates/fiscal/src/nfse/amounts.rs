//! Amounts that the Sefin computes: base, rate and amount of the ISSQN, total withheld, net amount.
//!
//! Law: rules E0427, E0428, E1287 to E1311, E1506, E1508 of anexo I; half to even at the second decimal (NT 007). The
//! issuer sends none of these.

use crate::value::{amount, product};
use crate::xml::Element;
use rust_decimal::Decimal;

/// Decisions of the município that the ISSQN is due to, about a service on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MunicipalTerms {
    /// True when its convênio is active.
    pub is_active: bool,
    /// Its rate for the service, in per cent.
    pub rate: Decimal,
    /// Benefit that the DPS names.
    pub benefit: Option<BenefitTerms>,
}

/// A benefit of a município.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenefitTerms {
    /// Kind, 1 to 4.
    pub tipo: u8,
    /// Rate of kind 4, in per cent.
    pub rate: Option<Decimal>,
}

impl BenefitTerms {
    /// Exemption.
    pub const EXEMPTION: u8 = 1;
    /// Reduction of the base in per cent.
    pub const PERCENTAGE: u8 = 2;
    /// Reduction of the base in R$.
    pub const VALUE: u8 = 3;
    /// A special rate.
    pub const RATE: u8 = 4;
}

/// Amounts of an NFS-e in R$ with two decimals. Absent ones are not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NfseAmounts {
    /// Deduction in per cent or by documents.
    pub vCalcDR: Option<Decimal>,
    /// Kind of the benefit.
    pub tpBM: Option<u8>,
    /// Reduction of the benefit in per cent.
    pub vCalcBM: Option<Decimal>,
    /// Base of the ISSQN.
    pub vBC: Option<Decimal>,
    /// Rate of the ISSQN in per cent.
    pub pAliqAplic: Option<Decimal>,
    /// Amount of the ISSQN.
    pub vISSQN: Option<Decimal>,
    /// Total withheld.
    pub vTotalRet: Option<Decimal>,
    /// Net amount.
    pub vLiq: Decimal,
    /// Reimbursements, which are not part of the bases.
    pub vCalcReeRepRes: Decimal,
    /// Price minus discount, deduction and benefit; below zero it breaks E0427.
    pub remainder: Decimal,
}

const ISSQN: &str = "valores/trib/tribMun";

/// Computes the amounts of an `infDPS`. Without terms the ISSQN is known only where the DPS states its rate.
pub fn of(inf: &Element, terms: Option<&MunicipalTerms>) -> NfseAmounts {
    let money = |path: &str| number(inf, path).unwrap_or_default();
    let service = money("valores/vServPrest/vServ");
    let unconditional = money("valores/vDescCondIncond/vDescIncond");
    let benefit = terms.and_then(|terms| terms.benefit).filter(|_| inf.at("valores/trib/tribMun/BM").is_some());
    let vCalcDR = share(inf, "valores/vDedRed/pDR", service - unconditional).or_else(|| documents(inf));
    let deducted = vCalcDR.unwrap_or_else(|| money("valores/vDedRed/vDR"));
    let vCalcBM = share(inf, "valores/trib/tribMun/BM/pRedBCBM", service - unconditional - deducted);
    let reduced = vCalcBM.unwrap_or_else(|| money("valores/trib/tribMun/BM/vRedBCBM"));
    let vCalcReeRepRes = reimbursed(inf);
    let remainder = service - unconditional - deducted - reduced;
    let base = remainder - vCalcReeRepRes;
    let rate = if is_computed(inf) { rate(inf, terms, benefit) } else { None };
    let tax = rate.map(|rate| cents(percent(base, rate)));
    let withheld = ["vRetCP", "vRetIRRF", "vRetCSLL"].iter().map(|tag| money(&format!("valores/trib/tribFed/{tag}")));
    let by_others = matches!(inf.text_at("valores/trib/tribMun/tpRetISSQN"), Some("2" | "3"));
    let total = withheld.sum::<Decimal>() + tax.filter(|_| by_others).unwrap_or_default();
    let conditional = money("valores/vDescCondIncond/vDescCond");
    let shown = is_computed(inf);
    NfseAmounts {
        vCalcDR: vCalcDR.filter(|_| shown),
        tpBM: benefit.filter(|_| shown).map(|benefit| benefit.tipo),
        vCalcBM: vCalcBM.filter(|_| shown),
        vBC: shown.then_some(base),
        pAliqAplic: rate,
        vISSQN: tax,
        vTotalRet: Some(total).filter(|total| shown && !total.is_zero()),
        vLiq: service - unconditional - conditional - total,
        vCalcReeRepRes,
        remainder,
    }
}

/// True when the NFS-e has more than the net amount. False for a MEI, for untaxed or suspended services, for special
/// regimes (E1302 to E1311), and for a company that pays the ISSQN within the Simples without withholding, as NFS-e of
/// the Sefin show (01/2026 and 03/2026).
fn is_computed(inf: &Element) -> bool {
    let is_inside =
        inf.text_at("prest/regTrib/opSimpNac") == Some("3") && inf.text_at("prest/regTrib/regApTribSN") == Some("1");
    let is_withheld = matches!(inf.text_at("valores/trib/tribMun/tpRetISSQN"), Some("2" | "3"));
    inf.text_at("prest/regTrib/opSimpNac") != Some("2")
        && (!is_inside || is_withheld)
        && inf.text_at("prest/regTrib/regEspTrib") == Some("0")
        && inf.text_at("valores/trib/tribMun/tribISSQN") == Some("1")
        && inf.at(ISSQN).is_some_and(|group| group.child("exigSusp").is_none())
}

/// Returns the rate: of the DPS, of the benefit, or of the município. Within the Simples there is no rate here.
fn rate(inf: &Element, terms: Option<&MunicipalTerms>, benefit: Option<BenefitTerms>) -> Option<Decimal> {
    if let Some(said) = number(inf, "valores/trib/tribMun/pAliq") {
        return Some(said);
    }
    match benefit {
        Some(benefit) if benefit.tipo == BenefitTerms::EXEMPTION => return None,
        Some(benefit) if benefit.tipo == BenefitTerms::RATE => return benefit.rate,
        _ => {}
    }
    let is_inside = inf.text_at("prest/regTrib/regApTribSN") == Some("1");
    terms.filter(|_| !is_inside).map(|terms| terms.rate)
}

/// Share of an amount, by the percentage in a field.
fn share(inf: &Element, path: &str, of: Decimal) -> Option<Decimal> {
    number(inf, path).map(|share| cents(percent(of, share)))
}

fn percent(of: Decimal, share: Decimal) -> Decimal {
    product(&[of, share, Decimal::new(1, 2)])
}

fn documents(inf: &Element) -> Option<Decimal> {
    let documents = inf.at("valores/vDedRed/documentos")?.children();
    Some(documents.filter_map(|one| number(one, "vDeducaoReducao")).sum())
}

fn reimbursed(inf: &Element) -> Decimal {
    let documents = inf.at("IBSCBS/valores/gReeRepRes").into_iter().flat_map(Element::children);
    documents.filter_map(|one| number(one, "vlrReeRepRes")).sum()
}

/// Returns the number at a path.
pub fn number(element: &Element, path: &str) -> Option<Decimal> {
    element.text_at(path).and_then(amount)
}

/// Rounds to two decimals, half to even.
pub fn cents(amount: Decimal) -> Decimal {
    let mut rounded = amount.round_dp(2);
    rounded.rescale(2);
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLES: [(&str, [Option<&str>; 4], &str); 6] = [
        (
            include_str!("../../tests/golden/nfse/exemplo_retencoes_ibs_cbs/expected.xml"),
            [Some("10000.00"), Some("5.00"), Some("500.00"), Some("1115.00")],
            "8885.00",
        ),
        (
            include_str!("../../tests/golden/nfse/exemplo_simples_nacional_retido/expected.xml"),
            [Some("900.00"), Some("2.01"), Some("18.09"), Some("18.09")],
            "881.91",
        ),
        (
            include_str!("../../tests/golden/nfse/exemplo_simples/expected.xml"),
            [Some("1000.00"), Some("5.00"), Some("50.00"), None],
            "1000.00",
        ),
        (include_str!("../../tests/golden/nfse/mei/expected.xml"), [None; 4], "1000.00"),
        (include_str!("../../tests/golden/nfse/exemplo_exportacao/expected.xml"), [None; 4], "5400.00"),
        (include_str!("../../tests/golden/nfse/exigibilidade_suspensa/expected.xml"), [None; 4], "1000.00"),
    ];

    #[test]
    fn the_worked_examples_have_their_amounts() {
        let terms = MunicipalTerms { is_active: true, rate: Decimal::new(5, 0), benefit: None };
        for (dps, [vBC, pAliqAplic, vISSQN, vTotalRet], vLiq) in EXAMPLES {
            let dps = crate::xml::read(dps.as_bytes()).unwrap();
            let found = of(dps.child("infDPS").unwrap(), Some(&terms));
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
