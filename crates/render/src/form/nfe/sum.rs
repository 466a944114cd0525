//! Parts of a note's total, so that a reader of the form can add them up.
//!
//! Law: MOC 7.0, anexo I, rule W16-10 (`vNF` from its parts) with its exceptions: a deduction counts where the item's
//! flag is set; ICMS-ST, FCP-ST and returned IPI of a vehicle invoiced directly are left out; an import is not checked.
//! Must not know: the form that shows it.

use crate::form::dfe::Dfe;
use crate::form::stored::StoredElement;
use rust_decimal::Decimal;

/// An amount between the products and the total, with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalPart {
    pub label: &'static str,
    /// Amount added to the total; negative when subtracted.
    pub amount: Decimal,
    /// The forms on A4 have no cell for it.
    unusual: bool,
}

/// All amounts from the sum of the products (first) to the total; zero amounts are left out, except the first. An
/// unreadable number counts as zero.
pub fn parts(note: Dfe<'_>) -> Vec<TotalPart> {
    let total = |tag: &str| number(note.text(&format!("total/ICMSTot/{tag}")));
    let mut parts = vec![
        part("Subtotal", total("vProd")),
        part("Serviços", number(note.text("total/ISSQNtot/vServ"))),
        part("Desconto", -total("vDesc")),
        part("Frete", total("vFrete")),
        part("Seguro", total("vSeg")),
        part("Outras despesas", total("vOutro")),
        part("Imposto de importação", total("vII")),
        part("IPI", total("vIPI")),
        without_cell_part("IPI devolvido", total("vIPIDevol") - of_direct_sales(note, "impostoDevol/IPI/vIPIDevol")),
        part("ICMS ST", total("vST") - of_direct_sales(note, "vICMSST")),
        part("FCP ST", total("vFCPST") - of_direct_sales(note, "vFCPST")),
        without_cell_part("ICMS monofásico retido", total("vICMSMonoReten")),
        without_cell_part("ICMS desonerado deduzido", -flagged_tax(note, &["ICMS"], "vICMSDeson", "indDeduzDeson")),
        without_cell_part("PIS ST", flagged_tax(note, &["PISST"], "vPIS", "indSomaPISST")),
        without_cell_part("COFINS ST", flagged_tax(note, &["COFINSST"], "vCOFINS", "indSomaCOFINSST")),
    ];
    let told = parts.iter().try_fold(Decimal::ZERO, |sum, part| sum.checked_add(part.amount));
    let rest = told.and_then(|told| total("vNF").checked_sub(told));
    parts.push(without_cell_part(REST, rest.unwrap_or_default()));
    let mut place = 0;
    parts.retain(|part| {
        place += 1;
        place == 1 || !part.amount.is_zero()
    });
    parts
}

/// Parts that the blocks of an A4 form do not show.
pub(super) fn without_a_cell(note: Dfe<'_>) -> impl Iterator<Item = TotalPart> {
    parts(note).into_iter().filter(|part| part.unusual && part.label != REST)
}

/// Difference between the total and its parts (an import), which no field names.
const REST: &str = "Demais valores";

fn part(label: &'static str, amount: Decimal) -> TotalPart {
    TotalPart { label, amount, unusual: false }
}

fn without_cell_part(label: &'static str, amount: Decimal) -> TotalPart {
    TotalPart { label, amount, unusual: true }
}

fn number(text: &str) -> Decimal {
    fiscal::value::amount(text).unwrap_or_default()
}

/// Sum of a tax over the items that carry a flag.
fn flagged_tax(note: Dfe<'_>, groups: &[&str], tag: &str, flag: &str) -> Decimal {
    let told = |group: StoredElement<'_>| {
        if group.text_at(flag) == Some("1") { number(group.text_at(tag).unwrap_or_default()) } else { Decimal::ZERO }
    };
    let of = |det: StoredElement<'_>| {
        let taxes = det.child("imposto");
        let found = groups.iter().filter_map(|name| taxes?.child(name));
        // the ICMS is one group deeper
        found.map(|group| group.children().map(told).sum::<Decimal>() + told(group)).sum::<Decimal>()
    };
    note.all("", "det").map(of).sum()
}

/// Sum of a tax over the vehicles invoiced to their buyer directly (`tpOp` 2).
fn of_direct_sales(note: Dfe<'_>, tag: &str) -> Decimal {
    let direct = |det: &StoredElement<'_>| det.text_at("prod/veicProd/tpOp") == Some("2");
    let of = |det: StoredElement<'_>| {
        let icms = det.at("imposto/ICMS").and_then(|group| group.children().next());
        let told = icms.and_then(|icms| icms.text_at(tag)).or_else(|| det.text_at(tag));
        number(told.unwrap_or_default())
    };
    note.all("", "det").filter(direct).map(of).sum()
}
