//! What can be summed from the items when the caller does not say it.
//!
//! Law: MOC 7.0 anexo I, group W (ICMSTot, ISSQNtot, vNF by rule W16-10); NT 2025.002, group W31 on (IBS, CBS, IS).

use super::part::*;
use crate::map::Walker;
use rust_decimal::Decimal;
use serde_json::{Map, Value};

/// Sums over the items, in ten-thousandths.
#[derive(Debug, Clone)]
pub(super) struct Totals {
    sums: [i64; crate::map::PARTS],
    vServ: i64,
    vPISISS: i64,
    vCOFINSISS: i64,
    vNF: i64,
}

/// One, in ten-thousandths.
const ONE: i64 = 10_000;

impl Totals {
    pub(super) fn new() -> Totals {
        Totals { sums: [0; crate::map::PARTS], vServ: 0, vPISISS: 0, vCOFINSISS: 0, vNF: 0 }
    }

    /// Adds the item that was just written, and clears its parts.
    pub(super) fn add(&mut self, walker: &mut Walker) {
        let part = |part: u8| walker.parts.of(part);
        let product = if part(indTot) == ONE { part(vProd) } else { 0 };
        let added = ADDED.iter().map(|added| part(*added));
        let conditional = CONDITIONAL
            .iter()
            .map(|(value, flag, sign)| if part(*flag) == ONE { part(*value).saturating_mul(*sign) } else { 0 });
        // the layout refuses a sum that was stopped at the greatest number
        self.vNF = [product, part(vDesc).saturating_neg()]
            .into_iter()
            .chain(added)
            .chain(conditional)
            .fold(self.vNF, i64::saturating_add);
        let service = part(hasISSQN) > 0;
        for (part, value) in walker.parts.take() {
            let sum = match part {
                _ if service && part == vProd => &mut self.vServ,
                _ if service && part == vPIS => &mut self.vPISISS,
                _ if service && part == vCOFINS => &mut self.vCOFINSISS,
                _ => &mut self.sums[usize::from(part)],
            };
            *sum = sum.saturating_add(if part == vProd { product } else { value });
        }
    }

    /// Whether any item counted in a part.
    fn has(&self, part: u8) -> bool {
        self.sums.get(usize::from(part)).is_some_and(|sum| *sum != 0)
    }

    fn of(&self, part: u8) -> Value {
        money(self.sums.get(usize::from(part)).copied().unwrap_or(0))
    }

    /// `vNF` by its formula.
    pub(super) fn vNF(&self) -> Decimal {
        decimal(self.vNF)
    }

    /// Everything that can be summed, under official names, as the weakest layer of `total`.
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
        if self.has(vIS) {
            put("ISTot", group([("vIS", self.of(vIS))]));
        }
        if self.has(hasIBSCBS) {
            put("IBSCBSTot", Value::Object(self.ibscbs()));
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
        if self.has(hasGIBSCBS) {
            let uf = [("vDif", self.of(vDifUF)), ("vDevTrib", self.of(vDevTribUF)), ("vIBSUF", self.of(vIBSUF))];
            let mun = [("vDif", self.of(vDifMun)), ("vDevTrib", self.of(vDevTribMun)), ("vIBSMun", self.of(vIBSMun))];
            let whole = self.sums.get(usize::from(vIBSUF)).copied().unwrap_or(0)
                + self.sums.get(usize::from(vIBSMun)).copied().unwrap_or(0);
            let ibs = [
                ("gIBSUF", group(uf)),
                ("gIBSMun", group(mun)),
                ("vIBS", money(whole)),
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
        let estornos = [vIBSEstCred, vCBSEstCred].map(|part| self.sums.get(usize::from(part)).copied().unwrap_or(0));
        if estornos.iter().any(|sum| *sum != 0) {
            let [ibs, cbs] = estornos.map(money);
            total.insert("gEstornoCred".to_owned(), group([("vIBSEstCred", ibs), ("vCBSEstCred", cbs)]));
        }
        total
    }
}

fn decimal(ten_thousandths: i64) -> Decimal {
    Decimal::new(ten_thousandths, 4)
}

fn money(ten_thousandths: i64) -> Value {
    Value::String(decimal(ten_thousandths).to_string())
}

fn group<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(tag, value)| (tag.to_owned(), value)).collect())
}

/// Added to `vNF` from every item.
const ADDED: &[u8] = &[vST, vFCPST, vICMSMonoReten, vFrete, vSeg, vOutro, vII, vIPI, vIPIDevol];

/// Added to or taken from `vNF` when the item says so: value, flag, sign.
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

/// Written only when some item has them.
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
