//! Decisions of a município beside its convênio and its rate: a benefit, the special regimes, its own law of
//! withholding; and the refusals that follow from them.
//!
//! Law: anexo I of 2026-02-09 (E0177, E0439, E0536 to E0550, E0565 to E0594); OpenAPI of the parameters of municípios
//! (2025-12). The latter publishes no names for groups and variants of the special regimes; a name without meaning
//! predicts nothing.

use super::amounts::{self, BenefitTerms, MunicipalTerms, cents, number};
use super::rules::has_no_floor;
use crate::value::amount;
use crate::xml::Element;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Period in days, `AAAA-MM-DD`, both ends included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidityPeriod {
    /// First day.
    pub inicio: Option<String>,
    /// Last day.
    pub fim: Option<String>,
}

impl ValidityPeriod {
    /// True when the period contains a day.
    pub fn contains_day(&self, day: &str) -> bool {
        self.inicio.as_deref().is_none_or(|first| first <= day) && self.fim.as_deref().is_none_or(|last| day <= last)
    }
}

/// Benefit of a município, as it publishes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MunicipalBenefit {
    /// Kind, 1 to 4.
    pub tipo: u8,
    /// Rate of kind 4, in per cent.
    pub aliquota: Option<String>,
    /// Highest reduction of kind 2, in per cent.
    pub reducao: Option<String>,
    /// Period of validity.
    pub vigencia: ValidityPeriod,
    /// Services it applies to (`cTribNac`), each with a period; empty for all.
    pub servicos: Vec<(String, ValidityPeriod)>,
    /// Taxpayers it applies to (CNPJ, CPF), each with a period; empty for all.
    pub contribuintes: Vec<(String, ValidityPeriod)>,
}

impl MunicipalBenefit {
    /// Returns the benefit as the amounts need it.
    pub fn terms(&self) -> BenefitTerms {
        BenefitTerms { tipo: self.tipo, rate: self.aliquota.as_deref().and_then(amount) }
    }
}

/// Decision of a município about a special regime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecialRegime {
    /// `regEspTrib`.
    pub codigo: u8,
    /// True when the regime is barred.
    pub vedado: bool,
    /// Period of the decision.
    pub vigencia: ValidityPeriod,
}

/// Service whose ISSQN must be withheld by a law of the município.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithholdingLaw {
    /// `cTribNac`.
    pub servico: String,
    /// Period of the law.
    pub vigencia: ValidityPeriod,
}

/// Code of a refusal, and a path below `infDPS`.
pub type CodeAtPath = (&'static str, &'static str);

const GROUP: &str = "valores/trib/tribMun/BM";
const NUMBER: &str = "valores/trib/tribMun/BM/nBM";
const AMOUNT: &str = "valores/trib/tribMun/BM/vRedBCBM";
const SHARE: &str = "valores/trib/tribMun/BM/pRedBCBM";
const WITHHELD: &str = "valores/trib/tribMun/tpRetISSQN";
const DEDUCTION: &str = "valores/vDedRed";
const REGIME: &str = "prest/regTrib/regEspTrib";

/// Returns the benefit that a declaration names.
pub fn declared_benefit(inf: &Element) -> Option<&str> {
    inf.text_at(NUMBER)
}

/// Returns the special regime that a declaration names.
pub fn declared_regime(inf: &Element) -> Option<u8> {
    inf.text_at(REGIME)?.parse().ok().filter(|regime| *regime != 0)
}

/// Returns the refusals by the declared benefit. `benefit` is `None` when it does not exist.
pub fn by_benefit(inf: &Element, benefit: Option<&MunicipalBenefit>, is_active: bool) -> Vec<CodeAtPath> {
    if inf.at(GROUP).is_none() {
        return Vec::new();
    }
    let benefit = match benefit {
        _ if !is_active => return vec![("E0537", GROUP)],
        None => return vec![("E0541", NUMBER)],
        Some(benefit) => benefit,
    };
    let text = |path: &str| inf.text_at(path).unwrap_or_default();
    let (day, service) = (text("dCompet"), text("serv/cServ/cTribNac"));
    let issuer = ["prest/CNPJ", "prest/CPF"].iter().find_map(|path| inf.text_at(path)).unwrap_or_default();
    let is_for = |list: &[(String, ValidityPeriod)], one: &str| {
        list.is_empty() || list.iter().any(|(listed, days)| listed == one && days.contains_day(day))
    };
    let is_of_works = service.starts_with("0702") || service.starts_with("0705");
    let is_inside = text("prest/regTrib/opSimpNac") == "3" && text("prest/regTrib/regApTribSN") == "1";
    let (reduced, share) = (number(inf, AMOUNT), number(inf, SHARE));
    let price = number(inf, PRICE).unwrap_or_default();
    let most = benefit.reducao.as_deref().and_then(amount).unwrap_or(Decimal::ONE_HUNDRED);
    let (is_value, is_share) = (benefit.tipo == BenefitTerms::VALUE, benefit.tipo == BenefitTerms::PERCENTAGE);
    let is_exempt = benefit.tipo == BenefitTerms::EXEMPTION;
    let rules = [
        ("E0439", DEDUCTION, is_exempt && inf.at(DEDUCTION).is_some()),
        ("E0536", GROUP, is_inside && !is_of_works),
        ("E0544", NUMBER, !benefit.vigencia.contains_day(day)),
        ("E0550", NUMBER, !is_for(&benefit.servicos, service) || !is_for(&benefit.contribuintes, issuer)),
        ("E0565", AMOUNT, reduced.is_some() && !is_value),
        ("E0567", GROUP, reduced.is_none() && is_value),
        ("E0574", AMOUNT, reduced.is_some_and(|reduced| reduced > price)),
        ("E0577", SHARE, share.is_some() && !is_share),
        ("E0579", GROUP, share.is_none() && is_share),
        ("E0586", SHARE, share.is_some_and(|share| share <= Decimal::ZERO || share > most)),
        ("E0594", WITHHELD, is_exempt && matches!(text(WITHHELD), "2" | "3")),
    ];
    rules.into_iter().filter(|(.., broken)| *broken).map(|(codigo, path, _)| (codigo, path)).collect()
}

/// Returns the refusals by the minimum tax: no deduction or benefit may leave less than two per cent of the price (the
/// discount does not count).
pub fn by_floor(inf: &Element, terms: &MunicipalTerms) -> Vec<CodeAtPath> {
    let amounts = amounts::of(inf, Some(terms));
    let service = inf.text_at("serv/cServ/cTribNac").unwrap_or_default();
    let Some(rate) = amounts.pAliqAplic.filter(|_| !has_no_floor(service)) else { return Vec::new() };
    let price = number(inf, PRICE).unwrap_or_default();
    let is_too_low = |taken: Option<Decimal>| taken.is_some_and(|taken| (price - cents(taken)) * rate < price * FLOOR);
    let by_share = amounts.vCalcDR.filter(|_| inf.at(DEDUCTED_SHARE).is_some());
    let (deducted, reduced) = (number(inf, DEDUCTED), number(inf, AMOUNT));
    let (deduction, benefit) = (amounts.vCalcDR.or(deducted), amounts.vCalcBM.or(reduced));
    let both =
        (deduction.is_some() || benefit.is_some()).then(|| deduction.unwrap_or_default() + benefit.unwrap_or_default());
    let rules = [
        ("E0429", PRICE, both),
        ("E0444", DEDUCTED_SHARE, by_share),
        ("E0447", DEDUCTED, deducted),
        ("E0575", AMOUNT, reduced),
        ("E0587", SHARE, amounts.vCalcBM),
    ];
    rules.into_iter().filter(|(.., taken)| is_too_low(*taken)).map(|(codigo, path, _)| (codigo, path)).collect()
}

/// Minimum tax in per cent of the price.
const FLOOR: Decimal = Decimal::TWO;
const PRICE: &str = "valores/vServPrest/vServ";
const DEDUCTED: &str = "valores/vDedRed/vDR";
const DEDUCTED_SHARE: &str = "valores/vDedRed/pDR";

/// Returns the refusals by the special regimes of the município.
pub fn by_regimes(inf: &Element, regimes: &[SpecialRegime]) -> Vec<CodeAtPath> {
    let Some(own) = declared_regime(inf) else { return Vec::new() };
    let day = inf.text_at("dCompet").unwrap_or_default();
    let barred = regimes.iter().any(|one| one.codigo == own && one.vedado && one.vigencia.contains_day(day));
    if barred { vec![("E0177", REGIME)] } else { Vec::new() }
}

/// True when the tax is not withheld although a law of the município requires it. No rule refuses this: withholding is
/// the tomador's duty.
pub fn misses_withholding(inf: &Element, laws: &[WithholdingLaw]) -> bool {
    let text = |path: &str| inf.text_at(path).unwrap_or_default();
    let listed =
        |law: &WithholdingLaw| law.servico == text("serv/cServ/cTribNac") && law.vigencia.contains_day(text("dCompet"));
    text(WITHHELD) == "1" && text("valores/trib/tribMun/tribISSQN") == "1" && laws.iter().any(listed)
}

/// Path of the notice on withholding.
pub(super) fn withholding_path() -> &'static str {
    WITHHELD
}

/// Returns the code of a special regime from the name of its variant: the code itself, or the words of the law in any
/// spelling.
pub fn regime_called(name: &str) -> Option<u8> {
    if let Ok(codigo) = name.trim().parse::<u8>() {
        return matches!(codigo, 1..=6 | 9).then_some(codigo);
    }
    let name: String = name.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).map(plain).collect();
    NAMES.iter().find(|(part, _)| name.contains(part)).map(|(_, codigo)| *codigo)
}

fn plain(letter: char) -> char {
    match letter {
        'á' | 'ã' | 'â' => 'a',
        'é' | 'ê' => 'e',
        'í' => 'i',
        'ó' | 'õ' | 'ô' => 'o',
        other => other,
    }
}

const NAMES: [(&str, u8); 7] = [
    ("cooperad", 1),
    ("estimativa", 2),
    ("microempresa", 3),
    ("notario", 4),
    ("autonomo", 5),
    ("sociedade", 6),
    ("outro", 9),
];

/// Returns the terms of a declaration from a rate and a benefit.
pub(super) fn terms(is_active: bool, rate: Decimal, benefit: Option<&MunicipalBenefit>) -> MunicipalTerms {
    MunicipalTerms { is_active, rate, benefit: benefit.map(MunicipalBenefit::terms) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    fn inf(bm: &str, more: &str) -> Element {
        xml::read(written(bm, more).as_bytes()).unwrap()
    }

    fn written(bm: &str, more: &str) -> String {
        format!(
            "<infDPS><dCompet>2026-11-20</dCompet><prest><CNPJ>11222333000181</CNPJ><regTrib><opSimpNac>1</opSimpNac><regEspTrib>2</regEspTrib></regTrib></prest>\
             <serv><cServ><cTribNac>010101</cTribNac></cServ></serv><valores><vServPrest><vServ>100.00</vServ></vServPrest>{more}<trib><tribMun>\
             <tribISSQN>1</tribISSQN><BM><nBM>1</nBM>{bm}</BM><tpRetISSQN>1</tpRetISSQN></tribMun></trib></valores></infDPS>"
        )
    }

    fn benefit(tipo: u8) -> MunicipalBenefit {
        let vigencia = ValidityPeriod { inicio: Some("2024-01-01".to_owned()), fim: None };
        let reducao = Some("40".to_owned());
        MunicipalBenefit { tipo, aliquota: None, reducao, vigencia, servicos: Vec::new(), contribuintes: Vec::new() }
    }

    fn codes(bm: &str, more: &str, benefit: Option<MunicipalBenefit>) -> Vec<&'static str> {
        by_benefit(&inf(bm, more), benefit.as_ref(), true).into_iter().map(|(codigo, _)| codigo).collect()
    }

    #[test]
    fn a_benefit_foretells_what_its_description_refuses() {
        let share = "<pRedBCBM>30.00</pRedBCBM>";
        assert_eq!(codes(share, "", Some(benefit(2))), [""; 0]);
        assert_eq!(codes(share, "", None), ["E0541"]);
        assert_eq!(codes("<pRedBCBM>40.01</pRedBCBM>", "", Some(benefit(2))), ["E0586"]);
        assert_eq!(codes("", "", Some(benefit(2))), ["E0579"]);
        assert_eq!(codes("<vRedBCBM>100.01</vRedBCBM>", "", Some(benefit(3))), ["E0574"]);
        assert_eq!(codes(share, "", Some(benefit(3))), ["E0567", "E0577"]);
        assert_eq!(codes("", "<vDedRed><vDR>1.00</vDR></vDedRed>", Some(benefit(1))), ["E0439"]);
        let ended = ValidityPeriod { inicio: None, fim: Some("2026-11-19".to_owned()) };
        assert_eq!(codes(share, "", Some(MunicipalBenefit { vigencia: ended.clone(), ..benefit(2) })), ["E0544"]);
        let others = vec![("170101".to_owned(), ValidityPeriod::default())];
        assert_eq!(codes(share, "", Some(MunicipalBenefit { servicos: others, ..benefit(2) })), ["E0550"]);
        let late = vec![("11222333000181".to_owned(), ended)];
        assert_eq!(codes(share, "", Some(MunicipalBenefit { contribuintes: late, ..benefit(2) })), ["E0550"]);
        let idle = by_benefit(&inf(share, ""), Some(&benefit(2)), false);
        assert_eq!(idle.first().map(|(codigo, _)| *codigo), Some("E0537"));
    }

    #[test]
    fn nothing_leaves_less_than_two_per_cent_of_the_price() {
        let foretold = |bm: &str, service: &str| {
            let xml = written(bm, "").replace("010101", service).replace("<regEspTrib>2", "<regEspTrib>0");
            let terms = terms(true, Decimal::TWO, Some(&benefit(2)));
            by_floor(&xml::read(xml.as_bytes()).unwrap(), &terms)
                .into_iter()
                .map(|(codigo, _)| codigo)
                .collect::<Vec<_>>()
        };
        assert_eq!(foretold("<pRedBCBM>1.00</pRedBCBM>", "010101"), ["E0429", "E0587"]);
        assert_eq!(foretold("<vRedBCBM>1.00</vRedBCBM>", "010101"), ["E0429", "E0575"]);
        assert_eq!((foretold("", "010101").len(), foretold("<vRedBCBM>1.00</vRedBCBM>", "160101").len()), (0, 0));
    }

    #[test]
    fn a_barred_regime_is_foretold_on_its_days() {
        let regime = |codigo, vedado, fim: Option<&str>| {
            let vigencia = ValidityPeriod { inicio: None, fim: fim.map(str::to_owned) };
            by_regimes(&inf("", ""), &[SpecialRegime { codigo, vedado, vigencia }]).len()
        };
        assert_eq!((regime(2, true, None), regime(2, true, Some("2026-11-20"))), (1, 1));
        assert_eq!((regime(2, false, None), regime(3, true, None), regime(2, true, Some("2026-11-19"))), (0, 0, 0));
    }

    #[test]
    fn variants_are_known_by_their_code_or_by_the_words_of_the_law() {
        let names = [
            "1",
            "atoCooperado",
            "Estimativa",
            "Notário ou Registrador",
            "PROFISSIONAL AUTÔNOMO",
            "sociedadeDeProfissionais",
        ];
        assert_eq!(names.map(regime_called), [1, 1, 2, 4, 5, 6].map(Some));
        assert_eq!((regime_called("7"), regime_called("x")), (None, None));
    }

    #[test]
    fn a_law_of_withholding_is_missed_where_nobody_withholds() {
        let law = |servico: &str| [WithholdingLaw { servico: servico.to_owned(), vigencia: ValidityPeriod::default() }];
        assert!(misses_withholding(&inf("", ""), &law("010101")) && !misses_withholding(&inf("", ""), &law("170101")));
    }
}
