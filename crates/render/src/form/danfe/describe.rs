//! The description of an item: its name, and all that the layout knows of it and the table has no column for.
//!
//! Law: MOC 7.0, Anexo II, 3.1.7 (additional information of the product); NT 2026.010, model (NCM and cClassTrib below the name).

use crate::form::value;
use fiscal::xml::Element;
use std::fmt::Write as _;

/// The whole text; paragraphs are separated by line feeds.
pub(super) fn item(det: &Element, reform: bool) -> String {
    let at = |path: &str| det.text_at(path).unwrap_or_default();
    let mut out = at("prod/xProd").to_owned();
    paragraph(&mut out, at("infAdProd"));
    for found in details(det) {
        paragraph(&mut out, &found);
    }
    if !reform {
        paragraph(&mut out, &tributable(det));
    }
    if reform {
        let mut codes = format!("[NCM {}]", at("prod/NCM"));
        let class = at("imposto/IBSCBS/cClassTrib");
        if !class.is_empty() {
            let _ = write!(codes, " [cClassTrib {class}]");
        }
        if !at("prod/vDesc").is_empty() {
            paragraph(&mut out, &format!("Desconto: {}", value::amount(at("prod/vDesc"))));
        }
        paragraph(&mut out, &codes);
    }
    out
}

fn paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push('\n');
        out.push_str(text);
    }
}

fn details(det: &Element) -> Vec<String> {
    let Some(prod) = det.child("prod") else { return Vec::new() };
    let groups = |name: &'static str| prod.children().filter(move |child| child.name == *name);
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
    let own = [
        ("FCI", "nFCI"),
        ("Pedido", "xPed"),
        ("Item do pedido", "nItemPed"),
        ("Benefício", "cBenef"),
        ("CEST", "CEST"),
    ];
    found.push(named(prod, &own));
    found.extend(substitution(det));
    found.extend(poverty_fund(det));
    found.retain(|text| !text.is_empty());
    found
}

/// ICMS by substitution has no column.
fn substitution(det: &Element) -> Option<String> {
    let group = det.at("imposto/ICMS")?.children().next()?;
    let told = group.text_at("vICMSST").filter(|text| text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)))?;
    let base = group.text_at("vBCST").unwrap_or_default();
    Some(format!("ICMS ST: base {} valor {}", value::amount(base), value::amount(told)))
}

/// What the item gives to the fund against poverty (3.1.7).
fn poverty_fund(det: &Element) -> Option<String> {
    let group = det.at("imposto/ICMS")?.children().next()?;
    let at = |tag: &str| group.text_at(tag).unwrap_or_default();
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

/// Quantity and price in the tributable unit, when the price differs from the commercial one (3.1.7): the old table has one line of figures.
fn tributable(det: &Element) -> String {
    let at = |path: &str| det.text_at(path).unwrap_or_default();
    let price = |path: &str| value::quantity(at(path), 2);
    if at("prod/uCom") == at("prod/uTrib") && price("prod/vUnCom") == price("prod/vUnTrib") {
        return String::new();
    }
    let quantity = value::quantity(at("prod/qTrib"), 0);
    format!("Unid. tributável: {quantity} {} x {}", at("prod/uTrib"), price("prod/vUnTrib"))
}

/// The members that a group has, each after its name.
fn named(group: &Element, tags: &[(&str, &str)]) -> String {
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
