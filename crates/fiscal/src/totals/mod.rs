//! Sums of authorised documents by type, CFOP, CST and tax, read from their XML.
//!
//! Law: MOC 7.0, anexo I (`det/imposto`), MOC CT-e 4.00 (`imp`), anexo I of the national NFS-e, ABRASF 1.00 to 2.04.
//! The amounts are those that the documents state; nothing is calculated anew.
//! Must not know: files, CSV.

mod documents;
mod rules;

pub use documents::{DocumentSum, DocumentTotals};

use crate::tipo::Tipo;
use crate::value;
use crate::xml::{self, Element, MalformedXml};
use rules::{TaxRule, rules_of};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// Name of the row that counts items themselves.
pub const ITEMS: &str = "Itens";
/// Longest code that is taken from a document.
const CODE: usize = 8;

/// Row of the sums: documents of one type, with one CFOP, one CST (or CSOSN) and one tax.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaxKey {
    /// Type of document, as its word.
    pub tipo: &'static str,
    /// Empty where the type has none.
    pub cfop: String,
    /// CST or CSOSN; empty where the tax has none.
    pub cst: String,
    /// Name of the tax.
    pub imposto: &'static str,
}

/// Sums of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaxSum {
    /// Number of items (of documents, for types without items).
    pub itens: u64,
    /// Value of the items.
    pub valor: Decimal,
    /// Taxable base.
    pub base: Decimal,
    /// Amount of the tax.
    pub imposto: Decimal,
}

/// Sums of many documents; its size follows the number of distinct rows, not of documents.
#[derive(Debug, Clone, Default)]
pub struct TaxTotals {
    rows: BTreeMap<TaxKey, TaxSum>,
}

/// An item, or a whole document of a type without items.
struct TaxedItem<'x> {
    cfop: String,
    valor: Decimal,
    taxes: &'x Element,
}

impl TaxTotals {
    /// Adds a document.
    pub fn add(&mut self, tipo: Tipo, xml: &str) -> Result<(), MalformedXml> {
        let root = xml::read(xml.as_bytes())?;
        let rules = rules_of(tipo, &root);
        for item in items(tipo, &root) {
            self.add_item(tipo, &item, rules);
        }
        Ok(())
    }

    /// Rows by type, CFOP, CST and tax.
    pub fn rows(&self) -> impl Iterator<Item = (&TaxKey, &TaxSum)> {
        self.rows.iter()
    }

    fn add_item(&mut self, tipo: Tipo, item: &TaxedItem<'_>, rules: &[TaxRule]) {
        self.add_row(tipo, item, (ITEMS, String::new()), Decimal::ZERO, Decimal::ZERO);
        for rule in rules {
            if let Some(tax) = rule.read(item.taxes) {
                self.add_row(tipo, item, (rule.imposto, code(tax.cst)), tax.base, tax.valor);
            }
        }
    }

    fn add_row(
        &mut self,
        tipo: Tipo,
        item: &TaxedItem<'_>,
        (imposto, cst): (&'static str, String),
        base: Decimal,
        valor: Decimal,
    ) {
        let key = TaxKey { tipo: tipo.word(), cfop: item.cfop.clone(), cst, imposto };
        let sum = self.rows.entry(key).or_default();
        sum.itens += 1;
        sum.valor += item.valor;
        sum.base += base;
        sum.imposto += valor;
    }
}

fn items(tipo: Tipo, root: &Element) -> Vec<TaxedItem<'_>> {
    match tipo {
        Tipo::Nfe | Tipo::Nfce => {
            let details = descendant(root, "infNFe").into_iter().flat_map(Element::children);
            let details = details.filter(|child| child.name.as_str() == "det");
            details.filter_map(goods).collect()
        }
        Tipo::Cte => {
            let inf = descendant(root, "infCte");
            inf.and_then(|inf| {
                let cfop = code(inf.text_at("ide/CFOP").unwrap_or_default());
                let valor = amount(inf.text_at("vPrest/vTPrest"));
                Some(TaxedItem { cfop, valor, taxes: inf.child("imp")? })
            })
            .into_iter()
            .collect()
        }
        Tipo::Nfse => {
            let valor = first_text(root, &["vServ", "ValorServicos"]);
            vec![TaxedItem { cfop: String::new(), valor: amount(valor), taxes: root }]
        }
    }
}

fn goods(det: &Element) -> Option<TaxedItem<'_>> {
    let cfop = code(det.text_at("prod/CFOP").unwrap_or_default());
    Some(TaxedItem { cfop, valor: amount(det.text_at("prod/vProd")), taxes: det.child("imposto")? })
}

/// First element of a local name, at any depth.
fn descendant<'x>(element: &'x Element, name: &str) -> Option<&'x Element> {
    element.children().find_map(|child| match child.name.as_str() == name {
        true => Some(child),
        false => descendant(child, name),
    })
}

/// Text of the first name that the element contains: at any depth, or as a path of children, `a/b`.
fn first_text<'x>(element: &'x Element, names: &[&str]) -> Option<&'x str> {
    let find = |name: &&str| match name.contains('/') {
        true => name.split('/').try_fold(element, |at, name| at.children().find(|child| child.name.as_str() == name)),
        false => descendant(element, name),
    };
    names.iter().find_map(find).map(Element::text)
}

fn amount(text: Option<&str>) -> Decimal {
    text.and_then(value::amount).unwrap_or_default()
}

/// Letters and digits of a code, shortened.
fn code(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).take(CODE).collect()
}

#[cfg(test)]
mod tests;
