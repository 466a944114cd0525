//! An item of a note for the table of items: its groups and its taxes.
//!
//! Law: NT 2026.010, 4.3 (stacked taxes; the effective rate when a reduction exists).

use crate::form::stored::StoredElement;

/// An item, with the groups that columns read.
pub(super) struct DanfeItem<'x> {
    pub(super) det: StoredElement<'x>,
    pub(super) prod: Option<StoredElement<'x>>,
    /// Only group below `ICMS`.
    pub(super) icms: Option<StoredElement<'x>>,
    ipi: Option<StoredElement<'x>>,
    pub(super) taxes: Vec<ItemTax<'x>>,
}

impl<'x> DanfeItem<'x> {
    pub(super) fn of(det: StoredElement<'x>, reform: bool) -> DanfeItem<'x> {
        let taxes = det.child("imposto");
        let icms = taxes.and_then(|taxes| taxes.child("ICMS")?.children().next());
        let ipi = taxes.and_then(|taxes| taxes.at("IPI/IPITrib"));
        let mut item = DanfeItem { det, prod: det.child("prod"), icms, ipi, taxes: Vec::new() };
        if reform {
            item.taxes = taxes_of(&item);
        }
        item
    }

    pub(super) fn prod(&self, tag: &str) -> &'x str {
        text_in(self.prod, tag)
    }

    pub(super) fn icms(&self, tag: &str) -> &'x str {
        text_in(self.icms, tag)
    }

    pub(super) fn ipi(&self, tag: &str) -> &'x str {
        text_in(self.ipi, tag)
    }
}

pub(super) fn text_in<'x>(group: Option<StoredElement<'x>>, tag: &str) -> &'x str {
    group.and_then(|group| group.child(tag)).map(|element| element.text()).unwrap_or_default()
}

/// A tax of an item.
pub(super) struct ItemTax<'x> {
    pub(super) label: &'static str,
    pub(super) base: Option<(&'static str, &'x str)>,
    pub(super) rate: &'x str,
    pub(super) value: &'x str,
}

/// Taxes whose group the item has, in reading order: ICMS, CBS, IBS of the state, IPI, IBS of the city, IS.
fn taxes_of<'x>(item: &DanfeItem<'x>) -> Vec<ItemTax<'x>> {
    let imposto = item.det.child("imposto");
    let new = imposto.and_then(|all| all.at("IBSCBS/gIBSCBS"));
    let of = |group: &str, rate: &str, value: &str| {
        let group = new.and_then(|new| new.child(group));
        let reduced = text_in(group.and_then(|group| group.child("gRed")), "pAliqEfet");
        (if reduced.is_empty() { text_in(group, rate) } else { reduced }, text_in(group, value))
    };
    let is = imposto.and_then(|all| all.child("IS"));
    let icms = Some(("ICMS", item.icms("vBC")));
    let (cbs, state, city) =
        (of("gCBS", "pCBS", "vCBS"), of("gIBSUF", "pIBSUF", "vIBSUF"), of("gIBSMun", "pIBSMun", "vIBSMun"));
    let tax = |label, base, (rate, value)| ItemTax { label, base, rate, value };
    let all = [
        tax("ICMS", icms, (item.icms("pICMS"), item.icms("vICMS"))),
        tax("CBS", None, cbs),
        tax("IBS UF", Some(("IBS/CBS", text_in(new, "vBC"))), state),
        tax("IPI", Some(("IPI", item.ipi("vBC"))), (item.ipi("pIPI"), item.ipi("vIPI"))),
        tax("IBS MUN", None, city),
        tax("IS", Some(("IS", text_in(is, "vBCIS"))), (text_in(is, "pIS"), text_in(is, "vIS"))),
    ];
    all.into_iter().filter(|tax| !tax.value.is_empty()).collect()
}
