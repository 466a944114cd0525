//! Description of an item: its name, and all contents without a column.
//!
//! Law: MOC 7.0, Anexo II, 3.1.7 (additional information of the product); NT 2026.010, model (NCM and cClassTrib below
//! the name).

use super::item::DanfeItem;
use crate::form::stored::StoredElement;
use crate::form::value;
use std::borrow::Cow;

/// Paragraphs of the description.
pub(super) fn item<'x>(item: &DanfeItem<'x>, reform: bool) -> Vec<Cow<'x, str>> {
    let mut out = vec![Cow::Borrowed(item.prod("xProd"))];
    let more = item.det.text_at("infAdProd").unwrap_or_default();
    if !more.is_empty() {
        out.push(more.into());
    }
    out.extend(details(item).into_iter().map(Cow::Owned));
    if !reform {
        out.extend(tributable(item).map(Cow::Owned));
    }
    if reform {
        if !item.prod("vDesc").is_empty() {
            out.push(["Desconto: ", &value::amount(item.prod("vDesc"))].concat().into());
        }
        let class = item.det.text_at("imposto/IBSCBS/cClassTrib").unwrap_or_default();
        let codes = match class {
            "" => ["[NCM ", item.prod("NCM"), "]"].concat(),
            class => ["[NCM ", item.prod("NCM"), "] [cClassTrib ", class, "]"].concat(),
        };
        out.push(codes.into());
    }
    out
}

fn details(item: &DanfeItem<'_>) -> Vec<String> {
    let Some(prod) = item.prod else { return Vec::new() };
    let mut found = Vec::new();
    // most items have none of the groups
    if prod.children().any(|child| child.children().next().is_some()) {
        found.extend(groups(prod));
    }
    let own = [
        ("FCI", "nFCI"),
        ("Pedido", "xPed"),
        ("Item do pedido", "nItemPed"),
        ("Benefício", "cBenef"),
        ("CEST", "CEST"),
    ];
    found.push(named(prod, &own));
    found.extend(substitution(item));
    found.extend(poverty_fund(item));
    found.retain(|text| !text.is_empty());
    found
}

/// Lots, medicines, weapons, fuels, vehicles, imports.
fn groups(prod: StoredElement<'_>) -> Vec<String> {
    let groups = |name: &'static str| prod.children().filter(move |child| child.name() == name);
    let mut found: Vec<String> = Vec::new();
    found.extend(groups("rastro").map(|lot| {
        named(lot, &[("Lote", "nLote"), ("Qtd", "qLote"), ("Fab", "dFab"), ("Val", "dVal"), ("Agreg", "cAgreg")])
    }));
    found.extend(groups("med").map(|med| named(med, &[("ANVISA", "cProdANVISA"), ("PMC", "vPMC")])));
    found.extend(groups("arma").map(|arma| named(arma, &[("Arma nº", "nSerie"), ("Cano", "nCano"), ("", "descr")])));
    found.extend(groups("comb").map(|comb| {
        named(comb, &[("ANP", "cProdANP"), ("", "descANP"), ("CODIF", "CODIF"), ("UF de consumo", "UFCons")])
    }));
    found.extend(groups("veicProd").map(|car| {
        let tags = [("Chassi", "chassi"), ("Cor", "xCor"), ("Motor", "nMotor"), ("Ano", "anoMod"), ("Série", "nSerie")];
        named(car, &tags)
    }));
    found.extend(
        groups("DI").map(|di| named(di, &[("DI", "nDI"), ("de", "dDI"), ("em", "xLocDesemb"), ("", "UFDesemb")])),
    );
    found
}

/// ICMS-ST, which has no column.
fn substitution(item: &DanfeItem<'_>) -> Option<String> {
    let group = item.icms?;
    let told = group.text_at("vICMSST").filter(|text| text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)))?;
    let base = group.text_at("vBCST").unwrap_or_default();
    Some(format!("ICMS ST: base {} valor {}", value::amount(base), value::amount(told)))
}

/// Amounts of the fund against poverty (3.1.7).
fn poverty_fund(item: &DanfeItem<'_>) -> Option<String> {
    let at = |tag: &str| item.icms(tag);
    let told = [("FCP", "vBCFCP", "pFCP", "vFCP"), ("FCP ST", "vBCFCPST", "pFCPST", "vFCPST")]
        .into_iter()
        .filter(|(_, _, _, tag)| at(tag).bytes().any(|byte| (b'1'..=b'9').contains(&byte)))
        .map(|(name, base, rate, tag)| {
            let base = if at(base).is_empty() { String::new() } else { format!("base {} ", value::amount(at(base))) };
            format!("{name}: {base}{} valor {}", value::rate(at(rate)), value::amount(at(tag)))
        });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// Quantity and price in the tributable unit, when the price differs from the commercial one (3.1.7): the classic table
/// has one line of figures.
fn tributable(item: &DanfeItem<'_>) -> Option<String> {
    let price = |tag: &str| value::quantity(item.prod(tag), 2);
    if item.prod("uCom") == item.prod("uTrib") && price("vUnCom") == price("vUnTrib") {
        return None;
    }
    let quantity = value::quantity(item.prod("qTrib"), 0);
    Some(format!("Unid. tributável: {quantity} {} x {}", item.prod("uTrib"), price("vUnTrib")))
}

/// Members of a group that are present, each after its name.
fn named(group: StoredElement<'_>, tags: &[(&str, &str)]) -> String {
    let told = tags.iter().filter_map(|(name, tag)| {
        let text = group.text_at(tag).filter(|text| !text.is_empty())?;
        let text = match tag.as_bytes()[0] {
            b'd' if text.len() == 10 => value::date(text),
            b'q' => value::quantity(text, 0),
            b'v' => value::amount(text),
            _ => text.to_owned(),
        };
        Some(if name.is_empty() { text } else { format!("{name}: {text}") })
    });
    told.collect::<Vec<_>>().join(" ")
}
