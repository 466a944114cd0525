//! Examples in the current year: rates of IBS and CBS, and taxes that end, change on 2027-01-01.
//!
//! The files are written for 2026; the examples for 2027 are derived from them, so that both stay up to date.

use fiscal::law::Law;
use fiscal::reference::ibscbs::{REFORM_IN_FULL, ReformRates};
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::{Map, Number, Value, json};

/// Converts a payload of 2026 to 2027. An unreadable one stays unchanged.
pub(super) fn of_2027(text: &str, law: &Law) -> String {
    let (Ok(mut body), Some(rates)) = (serde_json::from_str::<Value>(text), law.rates(REFORM_IN_FULL)) else {
        return text.to_owned();
    };
    let before = body.clone();
    if let Some(nota) = body.get_mut("nota") {
        convert_item(nota, &rates);
    }
    if body == before { text.to_owned() } else { layout::filled(&body) }
}

fn convert_item(nota: &mut Value, rates: &ReformRates) {
    let finality = nota.pointer("/identificacao/finNFe").and_then(Value::as_i64);
    let is_entry = nota.pointer("/identificacao/tpNF").and_then(Value::as_i64) == Some(0);
    // a document that refers to one of 2026 repeats its taxes and may omit the new ones (UB12-10, exception 1)
    let repeats = matches!(finality, Some(2 | 4));
    let mut less = Decimal::ZERO;
    for item in nota.get_mut("produtos").and_then(Value::as_array_mut).into_iter().flatten() {
        if finality == Some(2) {
            let _ = item.as_object_mut().map(|item| item.shift_remove("ibscbs"));
        }
        if !repeats {
            let contributions = end_contributions(item, is_entry);
            less += end_ipi(item);
            turn_rates(item, contributions, rates);
        }
    }
    if let Some(paid) = nota.pointer_mut("/pagamentos/0/vPag").filter(|paid| number(paid) > Decimal::ZERO) {
        *paid = money(number(paid) - less);
    }
}

/// Removes the amounts of PIS and COFINS from their groups; returns their sum.
fn end_contributions(item: &mut Value, is_entry: bool) -> Decimal {
    let mut ended = Decimal::ZERO;
    for (group, rate, value) in [("pis", "pPIS", "vPIS"), ("cofins", "pCOFINS", "vCOFINS")] {
        let due = item.pointer(&format!("/{group}/{value}")).map(number).unwrap_or_default();
        if due > Decimal::ZERO {
            ended += due;
            let zero = money(Decimal::ZERO);
            item[group] = json!({ "CST": if is_entry { "98" } else { "49" }, "vBC": zero, rate: zero, value: zero });
        }
    }
    ended
}

/// Sets the rate of the IPI to zero; returns its former amount.
fn end_ipi(item: &mut Value) -> Decimal {
    let due = item.pointer("/ipi/vIPI").map(number).unwrap_or_default();
    if due > Decimal::ZERO {
        item["ipi"]["pIPI"] = money(Decimal::ZERO);
        item["ipi"]["vIPI"] = money(Decimal::ZERO);
    }
    due
}

/// Applies the rates of the year to the base, which no longer excludes the contributions; a CBS without a known rate
/// stays as it is. A rate of zero is another taxation.
fn turn_rates(item: &mut Value, contributions: Decimal, rates: &ReformRates) {
    let Some(group) = item.get_mut("ibscbs").and_then(Value::as_object_mut) else { return };
    turn_regular(group, contributions, rates);
    if group.get("ibs_uf").and_then(|part| part.get("aliquota")).map(number).is_none_or(|rate| rate.is_zero()) {
        return;
    }
    let parts = [("ibs_uf", Some(rates.ibs_uf)), ("ibs_mun", Some(rates.ibs_mun)), ("cbs", rates.cbs)];
    for (name, rate) in parts {
        let Some(part) = group.get_mut(name).and_then(Value::as_object_mut) else { continue };
        let rate = rate.unwrap_or_else(|| number(&part["aliquota"]));
        let base = number(&part["valor_bc"]) + contributions;
        let mut effective = rate;
        if let Some(reduced) = part.get_mut("reducao").and_then(Value::as_object_mut) {
            effective = rate * (Decimal::ONE_HUNDRED - number(&reduced["percentual"])) / Decimal::ONE_HUNDRED;
            reduced.insert("aliquota_efetiva".to_owned(), percent(effective));
        }
        part.insert("valor_bc".to_owned(), money(base));
        part.insert("aliquota".to_owned(), percent(rate));
        part.insert("valor".to_owned(), money(base * effective / Decimal::ONE_HUNDRED));
    }
}

/// Applies the rates to the tax due without the benefit.
fn turn_regular(group: &mut Map<String, Value>, contributions: Decimal, rates: &ReformRates) {
    let base = group.get("ibs_uf").map(|part| number(&part["valor_bc"])).unwrap_or_default() + contributions;
    let Some(regular) = group.get_mut("trib_regular").and_then(Value::as_object_mut) else { return };
    for (name, rate) in [("IBSUF", Some(rates.ibs_uf)), ("IBSMun", Some(rates.ibs_mun)), ("CBS", rates.cbs)] {
        let Some(rate) = rate else { continue };
        regular.insert(format!("pAliqEfetReg{name}"), percent(rate));
        regular.insert(format!("vTribReg{name}"), money(base * rate / Decimal::ONE_HUNDRED));
    }
}

fn number(value: &Value) -> Decimal {
    value.as_number().and_then(|number| number.as_str().parse().ok()).unwrap_or_default()
}

fn money(value: Decimal) -> Value {
    written(value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero), 2)
}

fn percent(value: Decimal) -> Value {
    let digits = value.normalize().scale().clamp(2, 4);
    written(value, digits)
}

fn written(mut value: Decimal, digits: u32) -> Value {
    value.rescale(digits);
    Value::Number(Number::from_string_unchecked(value.to_string()))
}

/// JSON in the format of the examples: a value on one line if it fits, members filling lines, two spaces a level.
mod layout {
    use serde_json::Value;

    const WIDTH: usize = 118;

    pub(super) fn filled(value: &Value) -> String {
        let mut text = String::new();
        write(&mut text, value, 0, 0);
        text.push('\n');
        text
    }

    /// Writes a value on a line that already has `before` characters.
    fn write(text: &mut String, value: &Value, level: usize, before: usize) {
        let line = inline(value);
        if before + line.chars().count() < WIDTH || !(value.is_object() || value.is_array()) {
            return text.push_str(&line);
        }
        let (open, close, members) = members(value);
        text.push(open);
        let indent = "  ".repeat(level + 1);
        let mut at = WIDTH;
        for (index, (name, member)) in members.iter().enumerate() {
            let said = name.len() + inline(member).chars().count() + 2;
            if at + said > WIDTH {
                text.push('\n');
                text.push_str(&indent);
                at = indent.len();
            } else {
                text.push(' ');
            }
            text.push_str(name);
            let begun = text.len();
            write(text, member, level + 1, indent.len() + name.len());
            let is_broken = text.get(begun..).is_some_and(|written| written.contains('\n'));
            at = if is_broken { WIDTH } else { at + said };
            if index + 1 < members.len() {
                text.push(',');
            }
        }
        text.push('\n');
        text.push_str(&"  ".repeat(level));
        text.push(close);
    }

    /// Brackets and entries of a value, each with the text before it.
    fn members(value: &Value) -> (char, char, Vec<(String, &Value)>) {
        match value {
            Value::Array(items) => ('[', ']', items.iter().map(|item| (String::new(), item)).collect()),
            _ => {
                let members = value.as_object().into_iter().flatten();
                (
                    '{',
                    '}',
                    members.map(|(name, member)| (format!("{}: ", Value::from(name.as_str())), member)).collect(),
                )
            }
        }
    }

    fn inline(value: &Value) -> String {
        match value {
            Value::Object(_) | Value::Array(_) => {
                let (open, close, members) = members(value);
                let said: Vec<String> =
                    members.iter().map(|(name, member)| format!("{name}{}", inline(member))).collect();
                let space = if open == '{' { " " } else { "" };
                format!("{open}{space}{}{space}{close}", said.join(", "))
            }
            other => other.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMAL: &str = include_str!("../../../../../docs/guides/receitas/regime-normal-completa.json");

    #[test]
    fn the_rates_turn_and_ended_taxes_are_zero() {
        let law = Law::read(json!({ "cbs_2027": "8.7" })).unwrap();
        let turned: Value = serde_json::from_str(&of_2027(NORMAL, &law)).unwrap();
        let item = &turned["nota"]["produtos"][0];
        // 3,400.00 minus 612.00 of ICMS
        assert_eq!(item["ibscbs"]["ibs_uf"].to_string(), r#"{"valor_bc":2788.00,"aliquota":0.05,"valor":1.39}"#);
        assert_eq!(item["ibscbs"]["ibs_mun"].to_string(), r#"{"valor_bc":2788.00,"aliquota":0.05,"valor":1.39}"#);
        assert_eq!(item["ibscbs"]["cbs"].to_string(), r#"{"valor_bc":2788.00,"aliquota":8.70,"valor":242.56}"#);
        assert_eq!(item["pis"].to_string(), r#"{"CST":"49","vBC":0.00,"pPIS":0.00,"vPIS":0.00}"#);
        assert_eq!(
            (item["ipi"]["vIPI"].to_string(), turned["nota"]["pagamentos"][0]["vPag"].to_string()),
            ("0.00".into(), "3400.00".into())
        );
    }

    #[test]
    fn a_cbs_that_nobody_knows_is_not_invented() {
        let turned: Value = serde_json::from_str(&of_2027(NORMAL, Law::printed())).unwrap();
        assert_eq!(turned["nota"]["produtos"][0]["ibscbs"]["cbs"]["aliquota"].to_string(), "0.90");
    }

    #[test]
    fn what_no_law_turns_stays_letter_for_letter() {
        let simples = include_str!("../../../../../docs/guides/nota.json");
        assert_eq!(of_2027(simples, Law::printed()), simples);
        assert_eq!(of_2027("{", Law::printed()), "{");
    }

    #[test]
    fn it_is_written_as_the_files_are() {
        for line in of_2027(NORMAL, Law::printed()).lines() {
            assert!(line.chars().count() <= 120, "{line}");
        }
    }
}
