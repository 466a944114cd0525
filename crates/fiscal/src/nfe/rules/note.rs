//! A thin typed view of a read `NFe`: only what the rules look at. Absent numbers are zero, absent texts are empty.

use super::Broken;
use super::groups::{Ide, Imposto, Prod};
use crate::reference::ibscbs::{ClassTrib, Cst, find_class, find_cst};
use crate::value::{Uf, amount};
use crate::xml::View;
use jiff::civil::Date;
use rust_decimal::Decimal;

/// The document as the rules see it.
pub struct Note<'a> {
    nfe: View<'a>,
    inf: View<'a>,
    /// Most rules ask for a field of it.
    pub ide: Ide<'a>,
    /// Known once: every rule is of a model.
    is_55: bool,
    is_retail: bool,
    /// Read once: many tables are asked about it.
    day: Option<Date>,
    /// Known once: whether an item carries `IBSCBS`.
    is_of_reform: bool,
    /// `total/ICMSTot`, found once: each total has its rules.
    totals: Option<View<'a>>,
    /// `ide/NFref`, in order.
    pub references: Vec<View<'a>>,
    /// `det`, in order.
    pub items: Vec<Item<'a>>,
}

/// One `det`.
pub struct Item<'a> {
    /// Position, from 0.
    pub index: usize,
    /// The element.
    pub det: View<'a>,
    /// The chosen child of `imposto/ICMS` (`ICMS00`, `ICMSSN102`, …).
    pub icms: Option<View<'a>>,
    /// `prod`, for the groups of it that may repeat.
    group: Option<View<'a>>,
    /// What it is, and how it is taxed: every rule of the item asks for a field of one of the two.
    pub prod: Prod<'a>,
    /// See `prod`.
    pub imposto: Imposto<'a>,
    /// Whether `det` holds more than those two: most items do not, and many rules ask.
    is_more: bool,
    /// Whether the chosen ICMS group says more than origin and situation: most numbers of most items are not there.
    has_icms_numbers: bool,
    /// CST of the chosen ICMS group; empty with a CSOSN.
    cst: &'a str,
    /// CSOSN of the chosen ICMS group; empty with a CST.
    csosn: &'a str,
    /// `IBSCBS`, of a note that says its day.
    pub(super) reform: Option<Reform<'a>>,
}

/// `IBSCBS` of an item with the rows of its codes, looked up once: seventy rules ask for them.
#[derive(Clone, Copy)]
pub(super) struct Reform<'a> {
    pub(super) group: View<'a>,
    pub(super) cst: Option<&'static Cst>,
    pub(super) class: Option<&'static ClassTrib>,
}

impl<'a> Reform<'a> {
    fn of(group: View<'a>, day: Date) -> Reform<'a> {
        let code = |tag| group.text_at(tag).unwrap_or_default();
        Reform { group, cst: find_cst(code("CST"), day), class: find_class(code("cClassTrib"), day) }
    }
}

impl<'a> Note<'a> {
    /// Views an `NFe` element; `None` when it has no `infNFe`.
    pub fn of(nfe: View<'a>) -> Option<Note<'a>> {
        let inf = nfe.child("infNFe")?;
        let ide = inf.child("ide");
        let references = ide.into_iter().flat_map(View::children).filter(|child| child.name() == "NFref").collect();
        let ide = Ide::of(ide);
        let day = ide.dhEmi.get(..10).and_then(|day| day.parse().ok());
        let dets = inf.children().filter(|child| child.name() == "det");
        // as many as there are: an item takes up almost a kilobyte, and to move hundreds of them takes longer than to
        // count them
        let mut items = Vec::with_capacity(dets.clone().count());
        items.extend(dets.enumerate().map(|(index, det)| Item::of(index, det, day)));
        let is_of_reform = items.iter().any(|item| item.imposto.IBSCBS.is_some());
        let is_55 = ide.r#mod == "55";
        let is_retail = !is_55 || ide.tpImp == "6";
        let totals = inf.at("total/ICMSTot");
        Some(Note { nfe, inf, ide, is_55, is_retail, day, is_of_reform, totals, references, items })
    }

    /// `infNFe`.
    pub fn inf(&self) -> View<'a> {
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

    /// The day of emission, by the note's own clock: tables with validity are asked about it.
    pub fn day(&self) -> Option<Date> {
        self.day
    }

    /// Whether something stands at a path below `infNFe`.
    pub fn has(&self, path: &str) -> bool {
        self.inf.at(path).is_some()
    }

    /// The addressee.
    pub fn dest(&self) -> Option<View<'a>> {
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
        self.ide.cUF.parse().ok().and_then(Uf::from_code)
    }

    /// A field of `total/ICMSTot`.
    pub fn total(&self, tag: &str) -> Decimal {
        self.totals.map_or(Decimal::ZERO, |totals| decimal(totals, tag))
    }

    /// The repeated children of a group, each with the path that names it.
    pub fn each(&self, group: &str, tag: &'static str) -> Vec<(String, View<'a>)> {
        let parent = self.inf.at(group);
        let children = parent.into_iter().flat_map(View::children).filter(|child| child.name() == tag);
        children.enumerate().map(|(index, child)| (format!("infNFe/{group}/{tag}[{index}]"), child)).collect()
    }

    /// Sum of a field over the items.
    pub fn sum(&self, of: impl Fn(&Item<'a>) -> Decimal) -> Decimal {
        self.items.iter().map(of).sum()
    }
}

impl<'a> Item<'a> {
    fn of(index: usize, det: View<'a>, day: Option<Date>) -> Item<'a> {
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
        let reform = imposto.IBSCBS.zip(day).map(|(group, day)| Reform::of(group, day));
        Item { index, det, icms, is_more, has_icms_numbers, cst, csosn, group, prod, imposto, reform }
    }

    /// What stands at a path below `det`.
    pub(super) fn at(&self, path: &str) -> Option<View<'a>> {
        let first = path.split_once('/').map_or(path, |(first, _)| first);
        if self.is_more || matches!(first, "prod" | "imposto") { self.det.at(path) } else { None }
    }

    /// Text at a path below `det`.
    pub fn text(&self, path: &str) -> &'a str {
        self.at(path).map_or("", View::text)
    }

    /// Number at a path below `det`.
    pub fn decimal(&self, path: &str) -> Decimal {
        self.at(path).and_then(|element| amount(element.text())).unwrap_or_default()
    }

    /// Whether something stands at a path below `det`.
    pub fn has(&self, path: &str) -> bool {
        self.at(path).is_some()
    }

    /// The groups of `prod` that may stand there more than once, or that few items have, each with its position.
    pub fn groups(&self, tag: &'static str) -> impl Iterator<Item = (usize, View<'a>)> {
        let Prod { DI, detExport, rastro, veicProd, med, .. } = &self.prod;
        let particular = [DI, detExport, rastro, veicProd, med].iter().any(|group| group.is_some());
        let prod = self.group.filter(|_| particular);
        prod.into_iter().flat_map(View::children).filter(move |child| child.name() == tag).enumerate()
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
    pub(super) fn tax(&self, tax: Option<View<'a>>, tag: &str) -> Decimal {
        decimal_in(tax.and_then(chosen), tag)
    }

    /// A service item, taxed by ISSQN.
    pub fn is_service(&self) -> bool {
        self.imposto.ISSQN.is_some()
    }

    /// This item broke a rule at a path below `det`.
    pub fn broken(&self, path: &str) -> Broken {
        let item = u32::try_from(self.index + 1).ok();
        Broken { item, ..Broken::under(format!("infNFe/det[{}]/{path}", self.index)) }
    }
}

/// Text at a path below an element.
pub(super) fn text<'a>(element: View<'a>, path: &str) -> &'a str {
    element.text_at(path).unwrap_or_default()
}

/// Number at a path below an element.
pub(super) fn decimal(element: View<'_>, path: &str) -> Decimal {
    amount(text(element, path)).unwrap_or_default()
}

/// Text of an element that may be absent.
pub(super) fn said(element: Option<View<'_>>) -> &str {
    element.map_or("", View::text)
}

/// Text at a path below a group that may be absent.
pub(super) fn text_in<'a>(group: Option<View<'a>>, path: &str) -> &'a str {
    group.map_or("", |group| text(group, path))
}

/// Number at a path below a group that may be absent.
pub(super) fn decimal_in(group: Option<View<'_>>, path: &str) -> Decimal {
    group.map_or(Decimal::ZERO, |group| decimal(group, path))
}

/// Whether something stands at a path below a group that may be absent.
pub(super) fn has_in(group: Option<View<'_>>, path: &str) -> bool {
    group.is_some_and(|group| group.at(path).is_some())
}

/// Tags of an ICMS group that are no numbers.
fn is_situation(tag: &str) -> bool {
    matches!(tag, "orig" | "CST" | "CSOSN")
}

/// The one child of a group that is a choice.
fn chosen(group: View<'_>) -> Option<View<'_>> {
    group.children().next()
}
