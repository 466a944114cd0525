//! A thin typed view of a read `NFe`: only what the rules look at. Absent numbers are zero, absent texts are empty.

use super::Broken;
use crate::value::{Uf, amount};
use crate::xml::Element;
use jiff::civil::Date;
use rust_decimal::Decimal;

/// The document as the rules see it.
pub struct Note<'a> {
    nfe: &'a Element,
    inf: &'a Element,
    /// Found once: most rules ask for a field of it.
    ide: Option<&'a Element>,
    /// Known once: every rule is of a model.
    is_55: bool,
    is_retail: bool,
    /// Read once: many tables are asked about it.
    day: Option<Date>,
    /// Known once: whether an item carries `IBSCBS`.
    is_of_reform: bool,
    /// `total/ICMSTot`, found once: each total has its rules.
    totals: Option<&'a Element>,
    /// `ide/NFref`, in order.
    pub references: Vec<&'a Element>,
    /// `det`, in order.
    pub items: Vec<Item<'a>>,
}

/// One `det`.
pub struct Item<'a> {
    /// Position, from 0.
    pub index: usize,
    /// The element.
    pub det: &'a Element,
    /// The chosen child of `imposto/ICMS` (`ICMS00`, `ICMSSN102`, …).
    pub icms: Option<&'a Element>,
    /// Found once: every rule of the item asks below one of the two.
    prod: Option<&'a Element>,
    imposto: Option<&'a Element>,
    comb: Option<&'a Element>,
    /// `imposto/IBSCBS`: a fifth of all rules asks for it.
    ibscbs: Option<&'a Element>,
    /// Whether `prod` has a group that few items have: their rules ask this first.
    particular: bool,
}

impl<'a> Note<'a> {
    /// Views an `NFe` element; `None` when it has no `infNFe`.
    pub fn of(nfe: &'a Element) -> Option<Note<'a>> {
        let inf = nfe.child("infNFe")?;
        let ide = inf.child("ide");
        let references = ide.into_iter().flat_map(Element::children).filter(|child| child.name == "NFref").collect();
        let dets = inf.children().filter(|child| child.name == "det");
        let items: Vec<Item<'a>> = dets.enumerate().map(|(index, det)| Item::of(index, det)).collect();
        let is_of_reform = items.iter().any(|item| item.ibscbs.is_some());
        let of_ide = |tag| ide.and_then(|ide| ide.child(tag)).map_or("", Element::text);
        let is_55 = of_ide("mod") == "55";
        let is_retail = !is_55 || of_ide("tpImp") == "6";
        let day = of_ide("dhEmi").get(..10).and_then(|day| day.parse().ok());
        let totals = inf.at("total/ICMSTot");
        Some(Note { nfe, inf, ide, is_55, is_retail, day, is_of_reform, totals, references, items })
    }

    /// `infNFe`.
    pub fn inf(&self) -> &'a Element {
        self.inf
    }

    /// Text of a field of `infNFeSupl`, beside `infNFe`.
    pub fn supplement(&self, tag: &str) -> Option<&'a str> {
        self.nfe.child("infNFeSupl")?.text_at(tag).filter(|text| !text.trim().is_empty())
    }

    /// `DigestValue` of the signature; `None` before it is signed.
    pub fn digest(&self) -> Option<&'a str> {
        self.nfe.text_at("Signature/SignedInfo/Reference/DigestValue")
    }

    /// Text at a path below `infNFe`.
    pub fn text(&self, path: &str) -> &'a str {
        self.inf.text_at(path).unwrap_or_default()
    }

    /// Text of a field of `ide`.
    pub fn ide(&self, tag: &str) -> &'a str {
        self.ide.and_then(|ide| ide.child(tag)).map_or("", Element::text)
    }

    /// The day of emission, by the note's own clock: tables with validity are asked about it.
    pub fn day(&self) -> Option<Date> {
        self.day
    }

    /// Whether something stands at a path below `infNFe`.
    pub fn has(&self, path: &str) -> bool {
        self.inf.at(path).is_some()
    }

    /// The addressee.
    pub fn dest(&self) -> Option<&'a Element> {
        self.inf.child("dest")
    }

    /// Whether this is model 55.
    pub fn is_55(&self) -> bool {
        self.is_55
    }

    /// Whether this is retail: an NFC-e, or an NF-e printed like one (DANFE simplificado tipo 2, NT 2026.002).
    pub fn is_retail(&self) -> bool {
        self.is_retail
    }

    /// Whether an item carries `IBSCBS`.
    pub fn is_of_reform(&self) -> bool {
        self.is_of_reform
    }

    /// State of the issuer, by `cUF`.
    pub fn uf(&self) -> Option<Uf> {
        self.ide("cUF").parse().ok().and_then(Uf::from_code)
    }

    /// A field of `total/ICMSTot`.
    pub fn total(&self, tag: &str) -> Decimal {
        self.totals.map_or(Decimal::ZERO, |totals| decimal(totals, tag))
    }

    /// The repeated children of a group, each with the path that names it.
    pub fn each(&self, group: &str, tag: &'static str) -> Vec<(String, &'a Element)> {
        let parent = self.inf.at(group);
        let children = parent.into_iter().flat_map(Element::children).filter(|child| child.name == tag);
        children.enumerate().map(|(index, child)| (format!("infNFe/{group}/{tag}[{index}]"), child)).collect()
    }

    /// Sum of a field over the items.
    pub fn sum(&self, of: impl Fn(&Item<'a>) -> Decimal) -> Decimal {
        self.items.iter().map(of).sum()
    }
}

impl<'a> Item<'a> {
    fn of(index: usize, det: &'a Element) -> Item<'a> {
        let imposto = det.child("imposto");
        let icms = imposto.and_then(|imposto| chosen(imposto, "ICMS"));
        let ibscbs = imposto.and_then(|imposto| imposto.child("IBSCBS"));
        let prod = det.child("prod");
        let mut item = Item { index, det, icms, prod, imposto, comb: None, ibscbs, particular: false };
        for child in item.prod.into_iter().flat_map(Element::children) {
            match &*child.name {
                "comb" => item.comb = Some(child),
                "DI" | "detExport" | "rastro" | "veicProd" | "med" => item.particular = true,
                _ => {}
            }
        }
        item
    }

    /// What stands at a path below `det`.
    pub(super) fn at(&self, path: &str) -> Option<&'a Element> {
        match path.split_once('/') {
            Some(("prod", rest)) => self.prod?.at(rest),
            Some(("imposto", rest)) => self.imposto?.at(rest),
            _ => self.det.at(path),
        }
    }

    /// Text at a path below `det`.
    pub fn text(&self, path: &str) -> &'a str {
        self.at(path).map_or("", Element::text)
    }

    /// Number at a path below `det`.
    pub fn decimal(&self, path: &str) -> Decimal {
        self.at(path).and_then(|element| amount(element.text())).unwrap_or_default()
    }

    /// Whether something stands at a path below `det`.
    pub fn has(&self, path: &str) -> bool {
        self.at(path).is_some()
    }

    /// The groups of `prod` that few items have (`DI`, `detExport`, `rastro`, `veicProd`, `med`), each with its position.
    pub fn groups(&self, tag: &'static str) -> impl Iterator<Item = (usize, &'a Element)> {
        let prod = self.prod.filter(|_| self.particular);
        prod.into_iter().flat_map(Element::children).filter(move |child| child.name == tag).enumerate()
    }

    /// Number of the chosen ICMS group.
    pub fn icms(&self, tag: &str) -> Decimal {
        self.icms.map_or(Decimal::ZERO, |icms| decimal(icms, tag))
    }

    /// CST of the chosen ICMS group; empty with a CSOSN.
    pub fn cst(&self) -> &'a str {
        self.icms.map_or("", |icms| text(icms, "CST"))
    }

    /// CSOSN of the chosen ICMS group; empty with a CST.
    pub fn csosn(&self) -> &'a str {
        self.icms.map_or("", |icms| text(icms, "CSOSN"))
    }

    /// Number of the chosen child of a group of `imposto` (`PIS`, `COFINS`).
    pub fn tax(&self, tax: &str, tag: &str) -> Decimal {
        self.imposto.and_then(|imposto| chosen(imposto, tax)).map_or(Decimal::ZERO, |group| decimal(group, tag))
    }

    /// Its group of IBS and CBS.
    pub fn ibscbs(&self) -> Option<&'a Element> {
        self.ibscbs
    }

    /// What the item says of a fuel.
    pub fn comb(&self) -> Option<&'a Element> {
        self.comb
    }

    /// A service item, taxed by ISSQN.
    pub fn is_service(&self) -> bool {
        self.has("imposto/ISSQN")
    }

    /// This item broke a rule at a path below `det`.
    pub fn broken(&self, path: &str) -> Broken {
        let item = u32::try_from(self.index + 1).ok();
        Broken { item, ..Broken::under(format!("infNFe/det[{}]/{path}", self.index)) }
    }
}

/// Text at a path below an element.
pub(super) fn text<'a>(element: &'a Element, path: &str) -> &'a str {
    element.text_at(path).unwrap_or_default()
}

/// Number at a path below an element.
pub(super) fn decimal(element: &Element, path: &str) -> Decimal {
    amount(text(element, path)).unwrap_or_default()
}

/// The one child of a group that is a choice.
fn chosen<'a>(element: &'a Element, path: &str) -> Option<&'a Element> {
    element.at(path).and_then(|group| group.children().next())
}
