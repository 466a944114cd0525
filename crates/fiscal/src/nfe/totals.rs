//! Totals summed from the items when the caller does not send them.
//!
//! Law: MOC 7.0, anexo I, group W (ICMSTot, ISSQNtot, vNF by rule W16-10); NT 2025.002, group W31 on (IBS, CBS, IS); NT
//! 2026.005 (those of the Simples); NT 2026.008 (net values).

use super::part_numbers::*;
use crate::map::{LayoutWalker, PartSums};
use crate::reference::ibscbs::is_in_full;
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::{Map, Value};

/// Sums over the items, in ten-thousandths.
#[derive(Debug, Clone)]
pub(super) struct ItemTotals {
    sums: [i64; crate::map::PARTS],
    vServ: i64,
    vPISISS: i64,
    vCOFINSISS: i64,
    vNF: i64,
    /// True when an item states its net value, which may be zero.
    is_net: bool,
}

/// The number one, in ten-thousandths.
const ONE: i64 = 10_000;

impl ItemTotals {
    pub(super) fn new() -> ItemTotals {
        ItemTotals { sums: [0; crate::map::PARTS], vServ: 0, vPISISS: 0, vCOFINSISS: 0, vNF: 0, is_net: false }
    }

    /// Adds the item that was just written, and resets its parts.
    pub(super) fn add(&mut self, walker: &mut LayoutWalker) {
        let parts = &mut walker.parts;
        let product = if parts.of(indTot) == ONE { parts.of(vProd) } else { 0 };
        self.vNF = self.vNF.saturating_add(amount(parts, product));
        let service = parts.of(hasISSQN) > 0;
        let outside = parts.of(hasICMS) == 0;
        if parts.of(vIBS) == 0 {
            // a `vIBS` summed by the service was not counted
            parts.count(vIBS, parts.of(vIBSUF).saturating_add(parts.of(vIBSMun)));
        }
        for (part, value) in parts.drain() {
            self.is_net |= part == vProdLiq;
            let sum = match part {
                _ if service && part == vProd => &mut self.vServ,
                _ if service && part == vPIS => &mut self.vPISISS,
                _ if service && part == vCOFINS => &mut self.vCOFINSISS,
                // an item outside ICMS leaves its contributions out of ICMSTot (rules W13-10 and W14-10)
                _ if outside && (part == vPIS || part == vCOFINS) => continue,
                _ => &mut self.sums[usize::from(part)],
            };
            *sum = sum.saturating_add(if part == vProd { product } else { value });
        }
    }

    /// True when any item counted in a part.
    fn has(&self, part: u8) -> bool {
        self.sums.get(usize::from(part)).is_some_and(|sum| *sum != 0)
    }

    fn sum(&self, part: u8) -> i64 {
        self.sums.get(usize::from(part)).copied().unwrap_or(0)
    }

    fn of(&self, part: u8) -> Value {
        money(self.sum(part))
    }

    /// Returns `vNF` by its formula.
    pub(super) fn vNF(&self) -> Decimal {
        decimal(self.vNF)
    }

    /// Returns all sums under official names, as the weakest layer of `total`.
    pub(super) fn record(&self, dhEmi: &str) -> Map<String, Value> {
        let mut total = Map::with_capacity(40);
        let mut put = |tag: &str, value: Value| total.insert(tag.to_owned(), value);
        for (tag, part) in ICMS_TOT {
            put(tag, self.of(*part));
        }
        let optional = OPTIONAL.iter().filter(|(_, part)| self.has(*part));
        for (tag, part) in optional {
            put(tag, self.of(*part));
        }
        if self.has(hasUFDest) {
            for (tag, part) in
                [("vFCPUFDest", vFCPUFDest), ("vICMSUFDest", vICMSUFDest), ("vICMSUFRemet", vICMSUFRemet)]
            {
                put(tag, self.of(part));
            }
        }
        put("vNF", money(self.vNF));
        if self.has(hasISSQN) {
            put("ISSQNtot", Value::Object(self.issqn(dhEmi)));
        }
        if self.has(hasIS) {
            put("ISTot", group([("vIS", self.of(vIS))]));
        }
        if self.has(hasIBSCBS) {
            put("IBSCBSTot", Value::Object(self.ibscbs()));
        }
        if self.is_net {
            put("vProdLiqTot", self.of(vProdLiq));
        }
        // From the full reform on, its taxes are part of `vProd` already and nothing is added (NT 2026.008, VB01-10).
        // Imports are excepted: no text states how their taxes enter `vNFTot`, so it is left to the caller.
        let is_told = self.has(hasIBSCBS) && is_in_full(dhEmi) && !self.has(hasII);
        if is_told && (0..TOO_MUCH).contains(&self.vNF) {
            put("vNFTot", money(self.vNF));
        }
        total
    }

    fn issqn(&self, dhEmi: &str) -> Map<String, Value> {
        let mut total = Map::new();
        let day = dhEmi.get(..10).unwrap_or(dhEmi).to_owned();
        total.insert("dCompet".to_owned(), Value::String(day));
        let own = [("vServ", self.vServ), ("vPIS", self.vPISISS), ("vCOFINS", self.vCOFINSISS)];
        let shared =
            ISSQN_TOT.iter().map(|(tag, part)| (*tag, self.sums.get(usize::from(*part)).copied().unwrap_or(0)));
        for (tag, value) in own.into_iter().chain(shared).filter(|(_, value)| *value != 0) {
            total.insert(tag.to_owned(), money(value));
        }
        total
    }

    fn ibscbs(&self) -> Map<String, Value> {
        let mut total = Map::new();
        total.insert("vBCIBSCBS".to_owned(), self.of(vBCIBSCBS));
        let credits = [vCredPresIBS, vCredPresCondSusIBS, vCredPresCBS, vCredPresCondSusCBS];
        if self.has(hasGIBSCBS) || credits.into_iter().any(|credit| self.has(credit)) {
            let uf = [("vDif", self.of(vDifUF)), ("vDevTrib", self.of(vDevTribUF)), ("vIBSUF", self.of(vIBSUF))];
            let mun = [("vDif", self.of(vDifMun)), ("vDevTrib", self.of(vDevTribMun)), ("vIBSMun", self.of(vIBSMun))];
            let ibs = [
                ("gIBSUF", group(uf)),
                ("gIBSMun", group(mun)),
                ("vIBS", self.of(vIBS)),
                ("vCredPres", self.of(vCredPresIBS)),
                ("vCredPresCondSus", self.of(vCredPresCondSusIBS)),
            ];
            let cbs = [
                ("vDif", self.of(vDifCBS)),
                ("vDevTrib", self.of(vDevTribCBS)),
                ("vCBS", self.of(vCBS)),
                ("vCredPres", self.of(vCredPresCBS)),
                ("vCredPresCondSus", self.of(vCredPresCondSusCBS)),
            ];
            total.insert("gIBS".to_owned(), group(ibs));
            total.insert("gCBS".to_owned(), group(cbs));
        }
        if self.has(hasMono) {
            total.insert("gMono".to_owned(), group(MONO_TOT.map(|(tag, part)| (tag, self.of(part)))));
        }
        if self.has(hasTribSN) {
            let sums = [("vIBSSN", self.of(vIBSSN)), ("vCBSSN", self.of(vCBSSN))];
            total.insert("gTribSN".to_owned(), group(sums));
        }
        let estornos = [vIBSEstCred, vCBSEstCred].map(|part| self.sums.get(usize::from(part)).copied().unwrap_or(0));
        if estornos.iter().any(|sum| *sum != 0) {
            let [ibs, cbs] = estornos.map(money);
            total.insert("gEstornoCred".to_owned(), group([("vIBSEstCred", ibs), ("vCBSEstCred", cbs)]));
        }
        total
    }
}

/// Returns the amount that an item adds to `vNF` (rule W16-10). The layout refuses a sum that saturated.
fn amount(parts: &PartSums, product: i64) -> i64 {
    let added = ADDED.iter().map(|added| parts.of(*added)).fold(product, i64::saturating_add);
    let mut amount = added.saturating_sub(parts.of(vDesc));
    for (value, flag, sign) in CONDITIONAL {
        if parts.of(*flag) == ONE {
            amount = amount.saturating_add(parts.of(*value).saturating_mul(*sign));
        }
    }
    // a vehicle invoiced directly to its buyer: another taxpayer owes the substitution
    let substitution = if parts.of(tpOp) == DIRECT_SALE { 0 } else { 1 };
    SUBSTITUTION.iter().fold(amount, |amount, part| amount.saturating_add(parts.of(*part) * substitution))
}

fn decimal(ten_thousandths: i64) -> Decimal {
    Decimal::new(ten_thousandths, 4)
}

fn money(ten_thousandths: i64) -> Value {
    if ten_thousandths == 0 {
        // most of the thirty totals of a document are zero
        return Value::String("0.00".to_owned());
    }
    let cents = decimal(ten_thousandths).round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    Value::String(cents.to_string())
}

fn group<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(tag, value)| (tag.to_owned(), value)).collect())
}

/// Parts added to `vNF` from every item.
const ADDED: &[u8] = &[vICMSMonoReten, vFrete, vSeg, vOutro, vII, vIPI];

/// Parts added to `vNF` unless the item is a vehicle invoiced directly.
const SUBSTITUTION: &[u8] = &[vST, vFCPST, vIPIDevol];

/// `tpOp` 2, in ten-thousandths.
const DIRECT_SALE: i64 = 2 * ONE;

/// Smallest amount with more than thirteen digits before the point, in ten-thousandths: no total can hold it.
const TOO_MUCH: i64 = 10_i64.pow(13) * ONE;

/// Parts that a flag of the item adds to or subtracts from `vNF`: value, flag, sign.
const CONDITIONAL: &[(u8, u8, i64)] =
    &[(vICMSDeson, indDeduzDeson, -1), (vPISST, indSomaPISST, 1), (vCOFINSST, indSomaCOFINSST, 1)];

const ICMS_TOT: &[(&str, u8)] = &[
    ("vBC", vBC),
    ("vICMS", vICMS),
    ("vICMSDeson", vICMSDeson),
    ("vFCP", vFCP),
    ("vBCST", vBCST),
    ("vST", vST),
    ("vFCPST", vFCPST),
    ("vFCPSTRet", vFCPSTRet),
    ("vProd", vProd),
    ("vFrete", vFrete),
    ("vSeg", vSeg),
    ("vDesc", vDesc),
    ("vII", vII),
    ("vIPI", vIPI),
    ("vIPIDevol", vIPIDevol),
    ("vPIS", vPIS),
    ("vCOFINS", vCOFINS),
    ("vOutro", vOutro),
];

/// Totals written only when some item has them.
const OPTIONAL: &[(&str, u8)] = &[
    ("vTotTrib", vTotTrib),
    ("qBCMono", qBCMono),
    ("vICMSMono", vICMSMono),
    ("qBCMonoReten", qBCMonoReten),
    ("vICMSMonoReten", vICMSMonoReten),
    ("qBCMonoRet", qBCMonoRet),
    ("vICMSMonoRet", vICMSMonoRet),
];

const ISSQN_TOT: &[(&str, u8)] = &[
    ("vBC", vBCISS),
    ("vISS", vISS),
    ("vDeducao", vDeducao),
    ("vOutro", vOutroISS),
    ("vDescIncond", vDescIncond),
    ("vDescCond", vDescCond),
    ("vISSRet", vISSRet),
];

const MONO_TOT: [(&str, u8); 6] = [
    ("vIBSMono", vIBSMono),
    ("vCBSMono", vCBSMono),
    ("vIBSMonoReten", vIBSMonoReten),
    ("vCBSMonoReten", vCBSMonoReten),
    ("vIBSMonoRet", vIBSMonoRet),
    ("vCBSMonoRet", vCBSMonoRet),
];
