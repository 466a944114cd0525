//! IBS and CBS of an NFS-e, computed by the Sefin from the classification in a DPS.
//!
//! Law: rules E1521 to E1590 of anexo I; LC 214/2025 for the rates of the competence; the formulas of `vBC` and
//! `vTotNF` in the annotations of layout 1.01; the table of classifications for reductions. Presumptive credits and
//! purchases of governments are not computed.

use fiscal::nfse::amounts::{NfseAmounts, cents, number};
use fiscal::nfse::incidence;
use fiscal::reference::ibscbs::{self, REFORM_IN_FULL};
use fiscal::value::municipio;
use fiscal::xml::{CanonicalWriter, Element};
use jiff::civil::Date;
use rust_decimal::Decimal;

/// `pCBS` of a competence without a rate, neither by a resolution of the Senate nor in the settings: a round number of
/// the sandbox, no estimate.
const OF_THE_SANDBOX: Decimal = Decimal::from_parts(100, 0, 0, false, 2);

/// IBS and CBS of a note. From the first competence in full on, PIS and COFINS leave the base and the taxes are added
/// to the note (annotations of `vBC` and `vTotNF`).
pub(super) struct ReformTaxes {
    base: Decimal,
    uf: ReformTax,
    mun: ReformTax,
    cbs: ReformTax,
    total: Decimal,
    is_invented: bool,
}

/// A tax of a base.
struct ReformTax {
    rate: Decimal,
    reduction: Option<Decimal>,
    effective: Decimal,
    deferred: Option<Decimal>,
    due: Decimal,
}

impl ReformTax {
    fn of(base: Decimal, rate: Decimal, reduction: Decimal, deferral: Option<Decimal>) -> ReformTax {
        let share = |of: Decimal, percent: Decimal| of * percent / Decimal::ONE_HUNDRED;
        let effective = cents(rate - share(rate, reduction));
        let whole = cents(share(base, effective));
        let deferred = deferral.map(|percent| cents(share(whole, percent)));
        let due = whole - deferred.unwrap_or_default();
        ReformTax { rate, reduction: Some(reduction).filter(|percent| !percent.is_zero()), effective, deferred, due }
    }
}

/// Taxes of a DPS that has the group, when its competence has rates; `pCBS` is the settings' where the law has none.
pub(super) fn of(inf: &Element, amounts: &NfseAmounts, pCBS: Option<Decimal>) -> Option<ReformTaxes> {
    let class = inf.at("IBSCBS/valores/trib/gIBSCBS")?;
    let on: Date = inf.text_at("dCompet")?.parse().ok()?;
    let rates = ibscbs::rates(on)?;
    let fixed = rates.cbs.or(pCBS);
    let row = class.text_at("cClassTrib").and_then(|code| ibscbs::find_class(code, on));
    let is_taxed = class
        .text_at("CST")
        .and_then(|code| ibscbs::find_cst(code, on))
        .is_none_or(|cst| cst.has(ibscbs::cst::TRIBUTA));
    let base = base(inf, amounts, on);
    let tax = |rate: Decimal, reduction: Option<Decimal>, deferral: &str| {
        let rate = if is_taxed { rate } else { Decimal::ZERO };
        ReformTax::of(base, rate, reduction.unwrap_or_default(), number(class, &format!("gDif/{deferral}")))
    };
    let of_ibs = row.map(|row| row.reduction_of_ibs());
    let uf = tax(rates.ibs_uf, of_ibs, "pDifUF");
    let mun = tax(rates.ibs_mun, of_ibs, "pDifMun");
    let cbs = tax(fixed.unwrap_or(OF_THE_SANDBOX), row.map(|row| row.reduction_of_cbs()), "pDifCBS");
    let added = if on < REFORM_IN_FULL { Decimal::ZERO } else { uf.due + mun.due + cbs.due };
    Some(ReformTaxes { base, uf, mun, cbs, total: amounts.vLiq + added, is_invented: is_taxed && fixed.is_none() })
}

fn base(inf: &Element, amounts: &NfseAmounts, on: Date) -> Decimal {
    let money = |path: &str| number(inf, path).unwrap_or_default();
    let contributions = money("valores/trib/tribFed/piscofins/vPis") + money("valores/trib/tribFed/piscofins/vCofins");
    money("valores/vServPrest/vServ")
        - money("valores/vDescCondIncond/vDescIncond")
        - amounts.vCalcReeRepRes
        - amounts.vISSQN.unwrap_or_default()
        - if on < REFORM_IN_FULL { contributions } else { Decimal::ZERO }
}

impl ReformTaxes {
    /// Remark of the note about a rate that no law has.
    pub(super) fn remark(&self) -> Option<String> {
        let rate = self.cbs.rate;
        self.is_invented.then(|| format!("SIMULADOR: pCBS {rate} é da sandbox, sem valor legal"))
    }
    /// Writes the group `IBSCBS`.
    pub(super) fn write(&self, xml: &mut CanonicalWriter, inf: &Element, amounts: &NfseAmounts) {
        let (place, name) = place(inf);
        xml.open("IBSCBS");
        xml.leaf("cLocalidadeIncid", &place);
        xml.leaf("xLocalidadeIncid", &name);
        xml.open("valores");
        money(xml, "vBC", self.base);
        if !amounts.vCalcReeRepRes.is_zero() {
            money(xml, "vCalcReeRepRes", amounts.vCalcReeRepRes);
        }
        rates(xml, "uf", ["pIBSUF", "pRedAliqUF", "pAliqEfetUF"], &self.uf);
        rates(xml, "mun", ["pIBSMun", "pRedAliqMun", "pAliqEfetMun"], &self.mun);
        rates(xml, "fed", ["pCBS", "pRedAliqCBS", "pAliqEfetCBS"], &self.cbs);
        xml.close("valores");
        totals(xml, self);
        xml.close("IBSCBS");
    }
}

/// Place where the operation counts as done: that of the service, of the real estate or of the event by its indicator,
/// else the home of the addressee.
fn place(inf: &Element) -> (String, String) {
    let indicator = inf.text_at("IBSCBS/cIndOp").unwrap_or_default();
    let done = inf.text_at("serv/locPrest/cLocPrestacao").filter(|code| *code != incidence::SEA);
    let home = ["IBSCBS/dest/end/endNac/cMun", "toma/end/endNac/cMun"].iter().find_map(|path| inf.text_at(path));
    let abroad = ["IBSCBS/dest/end/endExt", "toma/end/endExt"].iter().any(|path| inf.at(path).is_some());
    let at_home = indicator.starts_with(AT_HOME);
    let code = if at_home { home.or(if abroad { None } else { done }) } else { done.or(home) };
    let found = code.and_then(|code| code.parse().ok()).and_then(municipio::find);
    match found {
        Some(found) => (format!("{:07}", found.codigo), found.nome.to_owned()),
        // Six digits by the text of E1521; the type of the field has seven.
        None => ("9999999".to_owned(), "Exterior".to_owned()),
    }
}

/// Indicators of operations that count as done at the home of the addressee (table of indicators: 10, the remaining
/// services).
const AT_HOME: &str = "10";

fn rates(xml: &mut CanonicalWriter, group: &str, [rate, reduction, effective]: [&str; 3], tax: &ReformTax) {
    xml.open(group);
    money(xml, rate, tax.rate);
    if let Some(percent) = tax.reduction {
        money(xml, reduction, percent);
    }
    money(xml, effective, tax.effective);
    xml.close(group);
}

fn totals(xml: &mut CanonicalWriter, computed: &ReformTaxes) {
    let ReformTaxes { uf, mun, cbs, total, .. } = computed;
    xml.open("totCIBS");
    money(xml, "vTotNF", *total);
    xml.open("gIBS");
    money(xml, "vIBSTot", uf.due + mun.due);
    for (group, deferred, due, tax) in
        [("gIBSUFTot", "vDifUF", "vIBSUF", uf), ("gIBSMunTot", "vDifMun", "vIBSMun", mun)]
    {
        xml.open(group);
        optional(xml, deferred, tax.deferred);
        money(xml, due, tax.due);
        xml.close(group);
    }
    xml.close("gIBS");
    xml.open("gCBS");
    optional(xml, "vDifCBS", cbs.deferred);
    money(xml, "vCBS", cbs.due);
    xml.close("gCBS");
    xml.close("totCIBS");
}

/// Writes a number with two decimals.
pub(super) fn money(xml: &mut CanonicalWriter, tag: &str, amount: Decimal) {
    xml.leaf(tag, &cents(amount).to_string());
}

/// Writes a number with two decimals, when there is one.
pub(super) fn optional(xml: &mut CanonicalWriter, tag: &str, amount: Option<Decimal>) {
    if let Some(amount) = amount {
        money(xml, tag, amount);
    }
}
