//! Typed view of an `NFe`, limited to the fields that the rules read. Absent numbers are zero, absent texts are empty.

use super::BrokenField;
use super::groups::{Ide, Imposto, Prod};
use crate::reference::ibscbs::{ClassTrib, Cst, find_class, find_cst};
use crate::value::{Uf, amount};
use crate::xml::ElementView;
use jiff::civil::Date;
use rust_decimal::Decimal;

/// An NF-e or NFC-e as the rules see it.
pub struct NfeView<'a> {
    nfe: ElementView<'a>,
    inf: ElementView<'a>,
    /// Fields that most rules read.
    pub ide: Ide<'a>,
    /// Cached: every rule depends on the model.
    is_55: bool,
    is_retail: bool,
    /// Cached: many table look-ups depend on it.
    day: Option<Date>,
    /// Cached: an item carries `IBSCBS`.
    is_of_reform: bool,
    /// `total/ICMSTot`, cached: each total has its rules.
    totals: Option<ElementView<'a>>,
    /// `ide/NFref`, in order.
    pub references: Vec<ElementView<'a>>,
    /// `det`, in order.
    pub items: Vec<NfeItem<'a>>,
}

/// An item (`det`).
pub struct NfeItem<'a> {
    /// Position, from 0.
    pub index: usize,
    /// The element.
    pub det: ElementView<'a>,
    /// The chosen child of `imposto/ICMS` (`ICMS00`, `ICMSSN102`, …).
    pub icms: Option<ElementView<'a>>,
    /// `prod`, for its groups that may repeat.
    group: Option<ElementView<'a>>,
    /// Goods of the item. Every rule of an item reads a field of `prod` or `imposto`.
    pub prod: Prod<'a>,
    /// Taxes of the item.
    pub imposto: Imposto<'a>,
    /// True when `det` has other groups. Most items have none, and many rules ask for them.
    is_more: bool,
    /// True when the chosen ICMS group has more than origin and situation. Most items lack most numbers.
    has_icms_numbers: bool,
    /// CST of the chosen ICMS group; empty with a CSOSN.
    cst: &'a str,
    /// CSOSN of the chosen ICMS group; empty with a CST.
    csosn: &'a str,
    /// `IBSCBS`, in a document with a readable day.
    pub(super) reform: Option<ReformGroup<'a>>,
}

/// `IBSCBS` of an item with the table rows of its codes, looked up once for seventy rules.
#[derive(Clone, Copy)]
pub(super) struct ReformGroup<'a> {
    pub(super) group: ElementView<'a>,
    pub(super) cst: Option<&'static Cst>,
    pub(super) class: Option<&'static ClassTrib>,
}

impl<'a> ReformGroup<'a> {
    fn of(group: ElementView<'a>, day: Date) -> ReformGroup<'a> {
        let code = |tag| group.text_at(tag).unwrap_or_default();
        ReformGroup { group, cst: find_cst(code("CST"), day), class: find_class(code("cClassTrib"), day) }
    }
}

impl<'a> NfeView<'a> {
    /// Creates the view of an `NFe` element; `None` without `infNFe`.
    pub fn of(nfe: ElementView<'a>) -> Option<NfeView<'a>> {
        let inf = nfe.child("infNFe")?;
        let ide = inf.child("ide");
        let references =
            ide.into_iter().flat_map(ElementView::children).filter(|child| child.name() == "NFref").collect();
        let ide = Ide::of(ide);
        let day = ide.dhEmi.get(..10).and_then(|day| day.parse().ok());
        let dets = inf.children().filter(|child| child.name() == "det");
        // Exact capacity: an item has almost a kilobyte, and moving hundreds of them takes longer than counting them.
        let mut items = Vec::with_capacity(dets.clone().count());
        items.extend(dets.enumerate().map(|(index, det)| NfeItem::of(index, det, day)));
        let is_of_reform = items.iter().any(|item| item.imposto.IBSCBS.is_some());
        let is_55 = ide.r#mod == "55";
        let is_retail = !is_55 || ide.tpImp == "6";
        let totals = inf.at("total/ICMSTot");
        Some(NfeView { nfe, inf, ide, is_55, is_retail, day, is_of_reform, totals, references, items })
    }

    /// `infNFe`.
    pub fn inf(&self) -> ElementView<'a> {
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

    /// Day of emission in the document's own offset, for tables with validity.
    pub fn day(&self) -> Option<Date> {
        self.day
    }

    /// True when an element exists at a path below `infNFe`.
    pub fn has(&self, path: &str) -> bool {
        self.inf.at(path).is_some()
    }

    /// The addressee.
    pub fn dest(&self) -> Option<ElementView<'a>> {
        self.inf.child("dest")
    }

    /// True for model 55.
    pub fn is_55(&self) -> bool {
        self.is_55
    }

    /// True for retail: an NFC-e, or an NF-e printed like one (DANFE simplificado tipo 2, NT 2026.002).
    pub fn is_retail(&self) -> bool {
        self.is_retail
    }

    /// True when an item carries `IBSCBS`.
    pub fn is_of_reform(&self) -> bool {
        self.is_of_reform
    }

    /// State of the issuer, by `cUF`.
    pub fn uf(&self) -> Option<Uf> {
        self.ide.cUF.parse().ok().and_then(Uf::from_code)
    }

    /// A field of `total/ICMSTot`.
    pub fn total(&self, tag: &str) -> Decimal {
        self.totals.map_or(Decimal::ZERO, |totals| decimal(totals, tag))
    }

    /// Returns the repeated children of a group, each with its path.
    pub fn each(&self, group: &str, tag: &'static str) -> Vec<(String, ElementView<'a>)> {
        let parent = self.inf.at(group);
        let children = parent.into_iter().flat_map(ElementView::children).filter(|child| child.name() == tag);
        children.enumerate().map(|(index, child)| (format!("infNFe/{group}/{tag}[{index}]"), child)).collect()
    }

    /// Sum of a field over the items.
    pub fn sum(&self, of: impl Fn(&NfeItem<'a>) -> Decimal) -> Decimal {
        self.items.iter().map(of).sum()
    }
}

impl<'a> NfeItem<'a> {
    fn of(index: usize, det: ElementView<'a>, day: Option<Date>) -> NfeItem<'a> {
        let (mut group, mut taxes, mut is_more) = (None, None, false);
        for child in det.children() {
            match child.name() {
                "prod" => drop(group.get_or_insert(child)),
                "imposto" => drop(taxes.get_or_insert(child)),
                _ => is_more = true,
            }
        }
        let (prod, imposto) = (Prod::of(group), Imposto::of(taxes));
        let icms = imposto.ICMS.and_then(chosen);
        let of_icms = |tag| icms.map_or("", |icms| text(icms, tag));
        let has_icms_numbers = icms.is_some_and(|icms| icms.children().any(|child| !is_situation(child.name())));
        let (cst, csosn) = (of_icms("CST"), of_icms("CSOSN"));
        let reform = imposto.IBSCBS.zip(day).map(|(group, day)| ReformGroup::of(group, day));
        NfeItem { index, det, icms, is_more, has_icms_numbers, cst, csosn, group, prod, imposto, reform }
    }

    /// Returns the element at a path below `det`.
    pub(super) fn at(&self, path: &str) -> Option<ElementView<'a>> {
        let first = path.split_once('/').map_or(path, |(first, _)| first);
        if self.is_more || matches!(first, "prod" | "imposto") { self.det.at(path) } else { None }
    }

    /// Text at a path below `det`.
    pub fn text(&self, path: &str) -> &'a str {
        self.at(path).map_or("", ElementView::text)
    }

    /// Number at a path below `det`.
    pub fn decimal(&self, path: &str) -> Decimal {
        self.at(path).and_then(|element| amount(element.text())).unwrap_or_default()
    }

    /// True when an element exists at a path below `det`.
    pub fn has(&self, path: &str) -> bool {
        self.at(path).is_some()
    }

    /// Returns the groups of `prod` that may repeat or are rare, each with its position.
    pub fn groups(&self, tag: &'static str) -> impl Iterator<Item = (usize, ElementView<'a>)> {
        let Prod { DI, detExport, rastro, veicProd, med, .. } = &self.prod;
        let particular = [DI, detExport, rastro, veicProd, med].iter().any(|group| group.is_some());
        let prod = self.group.filter(|_| particular);
        prod.into_iter().flat_map(ElementView::children).filter(move |child| child.name() == tag).enumerate()
    }

    /// Number of the chosen ICMS group.
    pub fn icms(&self, tag: &str) -> Decimal {
        let icms = self.icms.filter(|_| self.has_icms_numbers || is_situation(tag));
        icms.map_or(Decimal::ZERO, |icms| decimal(icms, tag))
    }

    /// CST of the chosen ICMS group; empty with a CSOSN.
    pub fn cst(&self) -> &'a str {
        self.cst
    }

    /// CSOSN of the chosen ICMS group; empty with a CST.
    pub fn csosn(&self) -> &'a str {
        self.csosn
    }

    /// Number of the chosen child of a tax (`PIS`, `COFINS`).
    pub(super) fn tax(&self, tax: Option<ElementView<'a>>, tag: &str) -> Decimal {
        decimal_in(tax.and_then(chosen), tag)
    }

    /// True for a service, taxed by ISSQN.
    pub fn is_service(&self) -> bool {
        self.imposto.ISSQN.is_some()
    }

    /// Creates a break of a rule at a path below `det`.
    pub fn broken(&self, path: &str) -> BrokenField {
        let item = u32::try_from(self.index + 1).ok();
        BrokenField { item, ..BrokenField::under(format!("infNFe/det[{}]/{path}", self.index)) }
    }
}

/// Text at a path below an element.
pub(super) fn text<'a>(element: ElementView<'a>, path: &str) -> &'a str {
    element.text_at(path).unwrap_or_default()
}

/// Number at a path below an element.
pub(super) fn decimal(element: ElementView<'_>, path: &str) -> Decimal {
    amount(text(element, path)).unwrap_or_default()
}

/// Text of an element that may be absent.
pub(super) fn optional_text(element: Option<ElementView<'_>>) -> &str {
    element.map_or("", ElementView::text)
}

/// Text at a path below a group that may be absent.
pub(super) fn text_in<'a>(group: Option<ElementView<'a>>, path: &str) -> &'a str {
    group.map_or("", |group| text(group, path))
}

/// Number at a path below a group that may be absent.
pub(super) fn decimal_in(group: Option<ElementView<'_>>, path: &str) -> Decimal {
    group.map_or(Decimal::ZERO, |group| decimal(group, path))
}

/// True when an element exists at a path below a group that may be absent.
pub(super) fn has_in(group: Option<ElementView<'_>>, path: &str) -> bool {
    group.is_some_and(|group| group.at(path).is_some())
}

/// True for tags of an ICMS group that are not numbers.
fn is_situation(tag: &str) -> bool {
    matches!(tag, "orig" | "CST" | "CSOSN")
}

/// Returns the only child of a group that is a choice.
fn chosen(group: ElementView<'_>) -> Option<ElementView<'_>> {
    group.children().next()
}
