//! Group W: each total is the sum of its items, and `vNF` the sum of its parts.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeItem, NfeView, decimal_in, text_in};
use super::options::StateChoice;
use super::retail::limited;
use crate::value::amount;
use crate::xml::ElementView;
use rust_decimal::Decimal;

/// Defines one rule per total: name, field, amount of an item.
macro_rules! totals {
    ($($(#[$doc:meta])* $name:ident $tag:literal = |$item:ident| $part:expr;)*) => {
        $($(#[$doc])* pub(super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            let sum = note.sum(|$item: &NfeItem<'_>| $part);
            found.extend((note.total($tag) != sum).then(|| BrokenField::at(concat!("total/ICMSTot/", $tag))));
        })*
    };
}

totals! {
    /// W03-10: except for ICMSST and for exempt groups, which have no base.
    vbc_is_the_sum "vBC" = |item| item.icms("vBC");
    /// W04-10: CST 40, 41 and 50 have none.
    vicms_is_the_sum "vICMS" = |item| item.icms("vICMS");
    /// W04a-10.
    vicmsdeson_is_the_sum "vICMSDeson" = |item| item.icms("vICMSDeson");
    /// W04b-10.
    vfcp_is_the_sum "vFCP" = |item| item.icms("vFCP");
    /// W04c-10.
    vfcpufdest_is_the_sum "vFCPUFDest" = |item| decimal_in(item.imposto.ICMSUFDest, "vFCPUFDest");
    /// W04e-10.
    vicmsufdest_is_the_sum "vICMSUFDest" = |item| decimal_in(item.imposto.ICMSUFDest, "vICMSUFDest");
    /// W04g-10.
    vicmsufremet_is_the_sum "vICMSUFRemet" = |item| decimal_in(item.imposto.ICMSUFDest, "vICMSUFRemet");
    /// W05-10.
    vbcst_is_the_sum "vBCST" = |item| item.icms("vBCST");
    /// W06-10.
    vst_is_the_sum "vST" = |item| item.icms("vICMSST");
    /// W06a-10.
    vfcpst_is_the_sum "vFCPST" = |item| item.icms("vFCPST");
    /// W06b-10.
    vfcpstret_is_the_sum "vFCPSTRet" = |item| item.icms("vFCPSTRet");
    /// W07-10: products that take part in the total. Services are in ISSQNtot.
    vprod_is_the_sum "vProd" = |item| if takes_part(item) { item.prod.vProd } else { Decimal::ZERO };
    /// W08-10.
    vfrete_is_the_sum "vFrete" = |item| item.prod.vFrete;
    /// W09-10.
    vseg_is_the_sum "vSeg" = |item| item.prod.vSeg;
    /// W10-10.
    vdesc_is_the_sum "vDesc" = |item| item.prod.vDesc;
    /// W11-10.
    vii_is_the_sum "vII" = |item| decimal_in(item.imposto.II, "vII");
    /// W12-10.
    vipi_is_the_sum "vIPI" = |item| decimal_in(item.imposto.IPI, "IPITrib/vIPI");
    /// W12a-10.
    vipidevol_is_the_sum "vIPIDevol" = |item| item.decimal("impostoDevol/IPI/vIPIDevol");
    /// W13-10: of items with an ICMS group.
    vpis_is_the_sum "vPIS" = |item| contribution(item, item.imposto.PIS, "vPIS");
    /// W14-10.
    vcofins_is_the_sum "vCOFINS" = |item| contribution(item, item.imposto.COFINS, "vCOFINS");
    /// W15-10.
    voutro_is_the_sum "vOutro" = |item| item.prod.vOutro;
    /// W16a-10: optional in both places. Absent counts as zero.
    vtottrib_is_the_sum "vTotTrib" = |item| item.imposto.vTotTrib;
}

fn takes_part(item: &NfeItem<'_>) -> bool {
    item.prod.indTot == "1" && !item.is_service()
}

fn contribution(item: &NfeItem<'_>, tax: Option<ElementView<'_>>, tag: &str) -> Decimal {
    if item.icms.is_some() { item.tax(tax, tag) } else { Decimal::ZERO }
}

/// W03-20, where the state sets a limit; R$ 200.000,00 is the highest it may set.
pub(super) fn vbc_is_below_the_limit(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let above = facts.options(note).has(StateChoice::LimitaBaseDoIcms) && note.total("vBC") > HIGHEST_BASE;
    let limit = || format!("[Valor Limite: R$ {HIGHEST_BASE:.2}]");
    found.extend(above.then(|| BrokenField::at("total/ICMSTot/vBC").about(limit())));
}

const HIGHEST_BASE: Decimal = Decimal::from_parts(200_000, 0, 0, false, 0);

/// W18-10.
pub(super) fn vserv_is_the_sum(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let counts = |item: &NfeItem<'_>| item.is_service() && item.prod.indTot == "1";
    let sum = note.sum(|item| if counts(item) { item.prod.vProd } else { Decimal::ZERO });
    let stated = amount(note.text("total/ISSQNtot/vServ")).unwrap_or_default();
    found.extend((stated != sum).then(|| BrokenField::at("total/ISSQNtot/vServ")));
}

/// W16-10, with its exceptions: imports are not checked; vehicles invoiced directly exclude the substitution.
/// `vICMSDeson` counts where the item marks it (`indDeduzDeson`); a total that does not subtract it is accepted as well
/// (exception 3).
pub(super) fn vnf_is_made_of_its_parts(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let import = note.items.iter().any(|item| item.prod.CFOP.starts_with('3'));
    let stated = note.total("vNF");
    let differs = |computed: Decimal| (stated - computed).abs() > HALF_REAL;
    let parts = parts(note);
    let wrong = differs(parts) && differs(parts - deduction(note));
    found.extend((!import && wrong).then(|| BrokenField::at("total/ICMSTot/vNF")));
}

/// W16-20, where the state set a limit.
pub(super) fn vnf_is_below_the_limit(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let limit = facts.options(note).limit.filter(|limit| note.total("vNF") > *limit);
    found.extend(limit.map(|limit| BrokenField::at("total/ICMSTot/vNF").about(limited(limit))));
}

fn parts(note: &NfeView<'_>) -> Decimal {
    let direct_vehicle = note.items.iter().any(|item| text_in(item.prod.veicProd, "tpOp") == "2");
    let mut sum: Decimal = ALWAYS.iter().map(|tag| note.total(tag)).sum::<Decimal>() - note.total("vDesc");
    if !direct_vehicle {
        sum += SUBSTITUTION.iter().map(|tag| note.total(tag)).sum::<Decimal>();
    }
    let services = amount(note.text("total/ISSQNtot/vServ")).unwrap_or_default();
    sum + services + note.sum(added_contributions)
}

/// PIS and COFINS by substitution, where the item adds them to the total.
fn added_contributions(item: &NfeItem<'_>) -> Decimal {
    let (pis, cofins) = (item.imposto.PISST, item.imposto.COFINSST);
    [(pis, "vPIS", "indSomaPISST"), (cofins, "vCOFINS", "indSomaCOFINSST")]
        .into_iter()
        .filter(|(group, _, flag)| text_in(*group, flag) == "1")
        .map(|(group, tag, _)| decimal_in(group, tag))
        .sum()
}

/// Exempted ICMS that its item deducts.
fn deduction(note: &NfeView<'_>) -> Decimal {
    let deducts = |item: &NfeItem<'_>| item.icms.is_some_and(|icms| icms.text_at("indDeduzDeson") == Some("1"));
    note.sum(|item| if deducts(item) { item.icms("vICMSDeson") } else { Decimal::ZERO })
}

const ALWAYS: [&str; 7] = ["vProd", "vFrete", "vSeg", "vOutro", "vII", "vIPI", "vICMSMonoReten"];
const SUBSTITUTION: [&str; 3] = ["vST", "vFCPST", "vIPIDevol"];

/// Tolerance of W16-10.
const HALF_REAL: Decimal = Decimal::from_parts(50, 0, 0, false, 2);
