//! Values of an NFC-e (model 65) that the service decides against the caller, and those it fills in.
//!
//! Law: `docs/contract.md`, "Emission" (NFC-e); MOC 7.0, anexo I, rules 705 to 717, 789, 866, 869. The caller decides
//! `indPres` (4, 5), `tpImp` (4, 5), `tpEmis` (1, 9) and `modFrete`. Every other value is overruled with a notice.

use super::groups::INF_NFE;
use super::items;
use crate::finding::Notice;
use crate::map::{GroupScope, LayoutWalker};
use crate::nota::root_scope;
use crate::value::{TpAmb, amount};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// `xProd` of the first retail item in homologação (rule 373).
pub(super) const TEST_PRODUCT: &str = "NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";

/// Fields of `ide` with a single value in an NFC-e.
const FIXED: [(&str, &str); 4] = [("tpNF", "1"), ("idDest", "1"), ("finNFe", "1"), ("indFinal", "1")];

/// Adds the forced values of `ide`.
pub(super) fn force(ide: &GroupScope<'_>, forced: &mut Map<String, Value>) {
    for (tag, value) in FIXED.into_iter().chain(LIMITED.map(|field| (field.tag, field.of(ide)))) {
        forced.insert(tag.to_owned(), Value::String(value.to_owned()));
    }
}

/// A field that is limited to some values in an NFC-e.
struct LimitedField {
    tag: &'static str,
    taken: &'static [&'static str],
    otherwise: &'static str,
}

/// `indPres`: at the counter (1), by delivery (4), outside the shop (5). `tpImp`: on paper (4), or as a message (5).
const LIMITED: [LimitedField; 2] = [
    LimitedField { tag: "indPres", taken: &["1", "4", "5"], otherwise: "1" },
    LimitedField { tag: "tpImp", taken: &["4", "5"], otherwise: "4" },
];

impl LimitedField {
    /// Returns the value to write.
    fn of(&self, ide: &GroupScope<'_>) -> &'static str {
        let given = ide.text(self.tag).map(str::trim);
        self.taken.iter().find(|taken| Some(**taken) == given).copied().unwrap_or(self.otherwise)
    }
}

/// Returns the payload without the named members of `ide`, which the document cannot contain.
pub(super) fn without_members<'a>(root: &'a Map<String, Value>, unsaid: &[&str]) -> Cow<'a, Map<String, Value>> {
    let groups = ["identificacao", "ide"];
    let tells = |group: &Value| unsaid.iter().any(|name| group.get(*name).is_some());
    if !groups.iter().filter_map(|group| root.get(*group)).any(tells) {
        return Cow::Borrowed(root);
    }
    let mut root = root.clone();
    for group in groups {
        if let Some(Value::Object(ide)) = root.get_mut(group) {
            unsaid.iter().for_each(|name| drop(ide.shift_remove(*name)));
        }
    }
    Cow::Owned(root)
}

/// Adds a notice for each value of the caller that the service overruled.
pub(super) fn report(root: &Map<String, Value>, tpEmis: u8, ambiente: TpAmb, walker: &mut LayoutWalker) {
    let scope = root_scope(root);
    let ide = scope.below(INF_NFE.child("ide"), "ide");
    let tpEmis = tpEmis.to_string();
    let limited = LIMITED.map(|field| (field.tag, field.of(&ide)));
    for (name, right) in FIXED.into_iter().chain([("tpEmis", tpEmis.as_str())]).chain(limited) {
        overruled(&ide, name, right, walker);
    }
    if ide.text("dhSaiEnt").is_some() {
        let mensagem = "dhSaiEnt não existe na NFC-e e foi ignorado.";
        walker.add_notice(|| Notice::of(format!("{}.dhSaiEnt", ide.base_path()), "campo_ignorado", mensagem, None));
    }
    let dest = scope.below(INF_NFE.child("dest"), "dest");
    overruled(&dest, "indIEDest", "9", walker);
    report_test_item(root, ambiente, walker);
}

/// Adds a notice about the fixed description of the first retail item in homologação.
pub(super) fn report_test_item(root: &Map<String, Value>, ambiente: TpAmb, walker: &mut LayoutWalker) {
    let otherwise = |list: &Value| items::member(&list[0], "xProd").is_none_or(|xProd| xProd != TEST_PRODUCT);
    let first = items::given(root).filter(|(_, list)| otherwise(list));
    if let Some((name, list)) = first.filter(|_| ambiente == TpAmb::Homologacao) {
        let mensagem = "Em homologação o primeiro item leva a descrição que a SEFAZ exige no lugar da informada.";
        let home = if list[0]["prod"]["xProd"].is_null() { "" } else { ".prod" };
        let campo = format!("nota.{name}[0]{home}.xProd");
        walker.add_notice(|| Notice::of(campo, "texto_de_homologacao", mensagem, Some(TEST_PRODUCT)));
    }
}

fn overruled(group: &GroupScope<'_>, name: &str, right: &str, walker: &mut LayoutWalker) {
    if let Some((campo, _)) = group.differing_value(name, right) {
        let mensagem = format!("{name} é {right} na NFC-e; o valor informado foi ignorado.");
        walker.add_notice(|| Notice::of(campo, "campo_ignorado", &mensagem, Some(right)));
    }
}

/// Returns `vTroco` when the payload has none and its payments exceed `vNF`. A payment that is no number is refused
/// elsewhere.
pub(super) fn computed_change(root: &Map<String, Value>, vNF: Decimal) -> Map<String, Value> {
    let pag = root_scope(root).below(INF_NFE.child("pag"), "pag");
    let mut change = Map::new();
    let told = ["vTroco", "troco"].iter().any(|name| pag.text(name).is_some());
    if let Some(paid) = paid(root).filter(|paid| !told && *paid > vNF) {
        let mut over = paid - vNF;
        over.rescale(2);
        change.insert("vTroco".to_owned(), Value::String(over.to_string()));
    }
    change
}

fn paid(root: &Map<String, Value>) -> Option<Decimal> {
    let inside = |name: &str| root.get("pag").and_then(|pag| pag.get(name));
    let found = ["detPag", "pagamentos"].into_iter().find_map(|name| inside(name).or_else(|| root.get(name)));
    let value = |payment: &Value| match payment.get("vPag")? {
        Value::String(text) => amount(text.trim()),
        Value::Number(number) => amount(number.as_str()),
        _ => None,
    };
    match found? {
        Value::Array(payments) => payments.iter().map(value).sum(),
        payment => value(payment),
    }
}
