//! Restrictions of retail: the NFC-e, and the NF-e printed like one (`tpImp` 6).
//!
//! Law: MOC 7.0, anexo I (rows of model 65), extended to the DANFE simplificado tipo 2 by NT 2026.002.

use super::broken_field::{BrokenField, BrokenFields};
use super::items::each;
use super::nfe_view::{NfeView, optional_text, text};
use super::options::StateChoice;
use super::{NfeRuleContext, payment};
use crate::reference::cfop::{self, Cfop};
use crate::value::TpAmb;
use rust_decimal::Decimal;

/// Description of the first item in homologação (I04-10).
pub const DESCRIPTION_IN_HOMOLOGACAO: &str = "NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";

/// Defines rules for groups or fields that retail does not have: name and path, of the document or of an item
/// (`det/…`).
macro_rules! forbidden {
    ($($(#[$doc:meta])* $name:ident $path:literal;)*) => {
        $($(#[$doc])* pub(super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            match $path.strip_prefix("det/") {
                Some(path) => each(note, found, path, |item| item.has(path)),
                None => found.extend(note.has($path).then(|| BrokenField::at($path))),
            }
        })*
    };
}

forbidden! {
    /// B10-10.
    has_no_exit_date "ide/dhSaiEnt";
    /// BA01-10.
    refers_to_nothing "ide/NFref";
    /// C18-10.
    has_no_substitute_ie "emit/IEST";
    /// E17-10.
    addressee_has_no_ie "dest/IE";
    /// E18-10.
    addressee_has_no_isuf "dest/ISUF";
    /// F01-10.
    is_collected_nowhere "retirada";
    /// J01-10.
    has_no_new_vehicle "det/prod/veicProd";
    /// L01-10.
    has_no_weapon "det/prod/arma";
    /// LB01-10.
    has_no_recopi "det/prod/nRECOPI";
    /// N12-50.
    has_no_shared_icms "det/imposto/ICMS/ICMSPart";
    /// N12-60.
    has_no_passed_on_icms "det/imposto/ICMS/ICMSST";
    /// NA01-10.
    has_no_destination_share "det/imposto/ICMSUFDest";
    /// O01-10.
    has_no_ipi "det/imposto/IPI";
    /// P01-10.
    has_no_ii "det/imposto/II";
    /// R01-10.
    has_no_pis_st "det/imposto/PISST";
    /// T01-10.
    has_no_cofins_st "det/imposto/COFINSST";
    /// UA01-20.
    gives_no_tax_back "det/impostoDevol";
    /// X11-10.
    retains_no_freight_tax "transp/retTransp";
    /// X18-10.
    has_no_vehicle "transp/veicTransp";
    /// X22-10.
    has_no_trailer "transp/reboque";
    /// X25a-10.
    has_no_wagon "transp/vagao";
    /// X25b-10.
    has_no_ferry "transp/balsa";
    /// Y01-10.
    is_not_invoiced "cobr";
    /// ZA01-30.
    is_not_exported "exporta";
    /// ZB01-10.
    has_no_purchase_order "compra";
    /// ZC01-10.
    has_no_cane "cana";
}

/// Defines rules for fields of `ide` with fixed values.
macro_rules! fixed {
    ($($(#[$doc:meta])* $name:ident $tag:ident in $($value:literal)|+;)*) => {
        $($(#[$doc])* pub(super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            let fits = matches!(note.ide.$tag, $($value)|+);
            found.extend((!fits).then(|| BrokenField::at(concat!("ide/", stringify!($tag)))));
        })*
    };
}

fixed! {
    /// B11-10.
    is_a_sale tpNF in "1";
    /// B11a-10.
    stays_inside idDest in "1";
    /// B21-10.
    is_printed_as_nfce tpImp in "4" | "5";
    /// B25-20.
    is_normal finNFe in "1";
    /// B25a-10.
    is_for_a_consumer indFinal in "1";
    /// B25b-20: sold in the shop, delivered, or sold outside the shop.
    is_sold_face_to_face indPres in "1" | "4" | "5";
}

fn is_delivered(note: &NfeView<'_>) -> bool {
    note.ide.indPres == "4"
}

/// E01-20.
pub(super) fn delivery_has_an_addressee(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((is_delivered(note) && note.dest().is_none()).then(|| BrokenField::at("dest")));
}

/// E02-20.
pub(super) fn is_not_for_itself(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let CNPJ = note.text("dest/CNPJ");
    found.extend((!CNPJ.is_empty() && CNPJ == note.text("emit/CNPJ")).then(|| BrokenField::at("dest/CNPJ")));
}

/// E05-20.
pub(super) fn delivery_has_an_address(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = is_delivered(note) && note.dest().is_some() && !note.has("dest/enderDest");
    found.extend(lacks.then(|| BrokenField::at("dest/enderDest")));
}

/// E16a-10.
pub(super) fn addressee_is_no_contributor(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let contributor = note.dest().is_some() && note.text("dest/indIEDest") != "9";
    found.extend(contributor.then(|| BrokenField::at("dest/indIEDest")));
}

/// I04-10.
pub(super) fn description_of_homologacao(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let first = note.items.first().filter(|item| optional_text(item.prod.xProd) != DESCRIPTION_IN_HOMOLOGACAO);
    found.extend(first.filter(|_| facts.ambiente == TpAmb::Homologacao).map(|item| item.broken("prod/xProd")));
}

/// I08-150.
pub(super) fn cfop_is_of_retail(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let options = facts.options(note);
    each(note, found, "prod/CFOP", |item| match item.prod.CFOP {
        "5949" => {
            let other = item.csosn() == "900" || matches!(item.cst(), "40" | "90");
            !(other && options.has(StateChoice::Cfop5949NoVarejo))
        }
        code => !cfop::find(code).is_some_and(Cfop::is_for_nfce),
    });
}

/// I17b-10.
pub(super) fn every_item_counts(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/indTot", |item| item.prod.indTot == "0");
}

/// W16-30.
pub(super) fn total_is_below_the_limit(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let limit = facts.options(note).retail_limit;
    found.extend((note.total("vNF") > limit).then(|| BrokenField::at("total/ICMSTot/vNF").about(limited(limit))));
}

/// W16-40.
pub(super) fn great_buyer_is_identified(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let unknown = !["CNPJ", "CPF", "idEstrangeiro"].iter().any(|tag| note.has(&format!("dest/{tag}")));
    above_limit(note, facts, found, "dest", unknown);
}

/// W16-50, where the state demands it.
pub(super) fn great_buyer_has_a_name(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let wanted = facts.options(note).has(StateChoice::ExigeNomeAcimaDoLimite);
    above_limit(note, facts, found, "dest/xNome", wanted && !note.has("dest/xNome"));
}

/// W16-60, where the state demands it.
pub(super) fn great_buyer_has_an_address(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let wanted = facts.options(note).has(StateChoice::ExigeEnderecoAcimaDoLimite);
    above_limit(note, facts, found, "dest/enderDest", wanted && !note.has("dest/enderDest"));
}

fn above_limit(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields, path: &str, breaks: bool) {
    let limit = facts.options(note).unidentified_limit;
    found.extend((breaks && note.total("vNF") > limit).then(|| BrokenField::at(path).about(limited(limit))));
}

/// Text that the authority appends: the limit.
pub(super) fn limited(limit: Decimal) -> String {
    format!("[R$ {limit:.2}]")
}

/// X02-10.
pub(super) fn has_no_freight(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let freight = note.text("transp/modFrete") != "9" && !is_delivered(note);
    found.extend(freight.then(|| BrokenField::at("transp/modFrete")));
}

/// YA02-10.
pub(super) fn is_not_paid_by_bill(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    payment::each(note, found, "tPag", |one| text(one, "tPag") == "14");
}

/// YA02-40.
pub(super) fn is_paid(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    payment::each(note, found, "tPag", |one| text(one, "tPag") == "90");
}

/// YA03-10: except for adjustments, returns, and unpaid or later paid documents.
pub(super) fn payments_make_the_total(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let each = note.each("pag", "detPag");
    let excepted = matches!(note.ide.finNFe, "3" | "4")
        || each.iter().any(|(_, payment)| matches!(text(*payment, "tPag"), "90" | "91"));
    let paid: Decimal = each.iter().map(|(_, payment)| super::nfe_view::decimal(*payment, "vPag")).sum();
    found.extend((!excepted && paid < note.total("vNF")).then(|| BrokenField::at("pag/detPag[0]/vPag")));
}

/// YA04-10: payments by card and Pix have the card group.
pub(super) fn card_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    payment::each(note, found, "card", |one| {
        matches!(text(one, "tPag"), "03" | "04" | "17") && one.child("card").is_none()
    });
}
