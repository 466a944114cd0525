//! Groups N, NA and U: taxes of the items.

use super::identification::exists;
use super::items::{CENT, each};
use super::note::{Item, Note, decimal, text};
use super::options::Choice;
use super::{Broken, Facts};
use rust_decimal::{Decimal, RoundingStrategy};

type Found = Vec<Broken>;

/// N12-10: an export is not taxed.
pub(super) fn export_is_not_taxed(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let applies = note.ide("finNFe") != "4";
    each(note, found, "imposto/ICMS", |item| {
        let free = item.cst() == "41" || item.csosn() == "300";
        applies && item.text("prod/CFOP").starts_with('7') && item.icms.is_some() && !free
    });
}

/// N12-20: Simples Nacional and MEI use a CSOSN; monophasic fuels are the exception (NT 2023.001).
pub(super) fn simples_has_a_csosn(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let simples = is_simples(note);
    each(note, found, "imposto/ICMS", |item| simples && !item.cst().is_empty() && !is_monophasic(item.cst()));
}

/// N12a-10.
pub(super) fn csosn_is_for_simples(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let other = !is_simples(note);
    each(note, found, "imposto/ICMS", |item| other && !item.csosn().is_empty());
}

/// N12-70.
pub(super) fn cst_suits_a_consumer(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let vehicles = note.items.iter().any(|item| item.has("prod/veicProd"));
    let applies = to_no_contributor(note) && !vehicles;
    each(note, found, "imposto/ICMS", |item| {
        let suits = matches!(item.cst(), "" | "00" | "20" | "40" | "41" | "60") || is_monophasic(item.cst());
        applies && !suits && !is_movement(item)
    });
}

/// Suspended or fuel movements, which N12-70 excepts (exceptions 2 and 5). Which CFOPs are remittances or returns stands in
/// the official CFOP table; without it every item with CST 50 is left to the authority.
fn is_movement(item: &Item<'_>) -> bool {
    item.cst() == "50" || (item.cst() == "30" && item.has("prod/comb"))
}

/// N12a-70.
pub(super) fn csosn_suits_a_consumer(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let applies = to_no_contributor(note);
    each(note, found, "imposto/ICMS", |item| {
        let suits = matches!(item.csosn(), "" | "102" | "103" | "300" | "400" | "500");
        let repair = matches!(item.text("prod/CFOP"), "5912" | "5913" | "5915" | "5916" | "6915" | "6916");
        applies && !suits && !repair
    });
}

fn to_no_contributor(note: &Note<'_>) -> bool {
    note.text("dest/indIEDest") == "9" && note.ide("tpNF") == "1"
}

/// N12-80.
pub(super) fn cst_suits_an_exempt_contributor(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let applies = note.text("dest/indIEDest") == "2";
    each(note, found, "imposto/ICMS", |item| {
        let repair = matches!(item.text("prod/CFOP").get(1..), Some("912" | "913" | "915" | "916"));
        applies && (item.cst() == "51" || (item.cst() == "50" && !repair))
    });
}

/// N16-04: 4 % for imported content between states (Senate Resolution 13/2012).
pub(super) fn imported_rate_is_at_most_4(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let applies = note.ide("idDest") == "2" && note.ide("tpNF") == "1";
    each(note, found, "imposto/ICMS", |item| {
        let on_order = matches!(item.text("prod/CFOP"), "6118" | "6119" | "6122" | "6123");
        applies && is_imported(item) && !on_order && item.icms("pICMS") > Decimal::from(4)
    });
}

/// N16-20: 12 %, or 7 % from South and Southeast (without ES) to the other regions and ES.
pub(super) fn interstate_rate_is_at_most_12(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let normal = note.ide("idDest") == "2" && note.ide("tpNF") == "1" && note.ide("finNFe") == "1";
    let elsewhere = !matches!(note.text("entrega/UF"), "") && note.text("entrega/UF") != note.text("dest/enderDest/UF");
    let vehicles = note.items.iter().any(|item| matches!(item.text("prod/veicProd/tpOp"), "2" | "3"));
    let ceiling = interstate_ceiling(note.text("emit/enderEmit/UF"), note.text("dest/enderDest/UF"));
    each(note, found, "imposto/ICMS", |item| {
        let on_order = matches!(item.text("prod/CFOP"), "6118" | "6119" | "6122" | "6123");
        let applies = normal && !elsewhere && !vehicles && !on_order && !is_imported(item);
        applies && item.icms("pICMS") > ceiling
    });
}

fn interstate_ceiling(from: &str, to: &str) -> Decimal {
    let rich = |uf: &str| matches!(uf, "SP" | "RJ" | "MG" | "PR" | "SC" | "RS");
    Decimal::from(if rich(from) && !rich(to) { 7 } else { 12 })
}

fn is_imported(item: &Item<'_>) -> bool {
    item.icms.is_some_and(|icms| matches!(text(icms, "orig"), "1" | "2" | "3" | "8"))
}

/// N16a-10: CST 51, tax of the operation.
pub(super) fn deferred_operation(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ICMS/ICMS51/vICMSOp", |item| {
        let told = item.has("imposto/ICMS/ICMS51/vICMSOp");
        told && differs(item.icms("vICMSOp"), percent(item.icms("vBC"), item.icms("pICMS")))
    });
}

/// N16c-10: CST 51, the deferred part.
pub(super) fn deferred_part(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ICMS/ICMS51/vICMSDif", |item| {
        let told = item.has("imposto/ICMS/ICMS51/vICMSDif");
        told && differs(item.icms("vICMSDif"), percent(item.icms("vICMSOp"), item.icms("pDif")))
    });
}

/// N17-10: CST 51, what remains.
pub(super) fn deferred_rest(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ICMS/ICMS51/vICMS", |item| {
        let told = ["vICMS", "vICMSOp", "vICMSDif"].iter().all(|tag| item.has(&format!("imposto/ICMS/ICMS51/{tag}")));
        told && differs(item.icms("vICMS"), item.icms("vICMSOp") - item.icms("vICMSDif"))
    });
}

/// N17-20.
pub(super) fn icms_is_base_times_rate(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let normal = note.ide("finNFe") == "1";
    each(note, found, "imposto/ICMS", |item| {
        let applies = normal && matches!(item.cst(), "00" | "10" | "20" | "70") && !is_shared(item);
        applies && differs(item.icms("vICMS"), percent(item.icms("vBC"), item.icms("pICMS")))
    });
}

/// ICMSPart: the operation's base is shared between states, so the product does not hold.
fn is_shared(item: &Item<'_>) -> bool {
    item.icms.is_some_and(|icms| icms.name == "ICMSPart")
}

/// N17b-10.
pub(super) fn fcp_rate_is_not_zero(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ICMS", |item| {
        item.icms.is_some_and(|icms| icms.child("pFCP").is_some() && decimal(icms, "pFCP").is_zero())
    });
}

/// N17c-10.
pub(super) fn fcp_is_base_times_rate(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let normal = note.ide("finNFe") == "1";
    each(note, found, "imposto/ICMS", |item| {
        let base = if item.cst() == "00" { item.icms("vBC") } else { item.icms("vBCFCP") };
        let told = item.icms.is_some_and(|icms| icms.child("vFCP").is_some());
        normal && told && differs(item.icms("vFCP"), percent(base, item.icms("pFCP")))
    });
}

/// NA01-20. CRT 1 and 4 are exempt (STF, ADI 5464).
pub(super) fn destination_share_is_told(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let delivered_here = note.text("entrega/UF") == note.text("emit/enderEmit/UF") && note.has("entrega");
    let applies = is_shared_sale(note) && note.ide("tpNF") == "1" && !is_simples(note) && !delivered_here;
    let old = note.ide("finNFe") == "4";
    each(note, found, "imposto/ICMSUFDest", |item| {
        let exempt = item.is_service() || item.has("prod/comb") || is_shared(item) || is_untaxed(item);
        applies && !old && !exempt && !item.has("imposto/ICMSUFDest")
    });
}

/// NA01-30.
pub(super) fn destination_share_is_due(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let delivered = note.text("entrega/UF");
    let elsewhere = !delivered.is_empty() && delivered != note.text("emit/enderEmit/UF");
    let due = is_shared_sale(note) || elsewhere;
    each(note, found, "imposto/ICMSUFDest", |item| item.has("imposto/ICMSUFDest") && (!due || item.is_service()));
}

fn is_shared_sale(note: &Note<'_>) -> bool {
    note.ide("idDest") == "2" && note.ide("indFinal") == "1" && note.text("dest/indIEDest") == "9"
}

fn is_untaxed(item: &Item<'_>) -> bool {
    matches!(item.cst(), "40" | "41" | "50") || matches!(item.csosn(), "300" | "400")
}

/// NA09-10 and NA09-20: 4 % is for imported content, 7 and 12 % for the rest.
pub(super) fn interstate_rate_suits_the_origin(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ICMSUFDest/pICMSInter", |item| {
        let four = share(item, "pICMSInter") == Decimal::from(4);
        item.has("imposto/ICMSUFDest") && four != is_imported(item)
    });
}

/// NA09-30: 7 or 12 %, by the two states.
pub(super) fn interstate_rate_suits_the_states(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let (from, to) = (note.text("emit/enderEmit/UF"), note.text("dest/enderDest/UF"));
    let delivered = note.text("entrega/UF");
    let collected = note.text("retirada/UF");
    let elsewhere = (!delivered.is_empty() && delivered != from) || (!collected.is_empty() && collected != to);
    let applies = note.ide("tpNF") == "1" && note.ide("finNFe") == "1" && !elsewhere;
    let right = interstate_ceiling(from, to);
    each(note, found, "imposto/ICMSUFDest/pICMSInter", |item| {
        let rate = share(item, "pICMSInter");
        let of_two = rate == Decimal::from(7) || rate == Decimal::from(12);
        applies && item.has("imposto/ICMSUFDest") && of_two && rate != right
    });
}

/// NA11-10: all of it goes to the destination since 2019 (EC 87/2015).
pub(super) fn destination_takes_all(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ICMSUFDest/pICMSInterPart", |item| {
        item.has("imposto/ICMSUFDest") && share(item, "pICMSInterPart") != Decimal::ONE_HUNDRED
    });
}

/// NA15-10.
pub(super) fn destination_share_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ICMSUFDest/vICMSUFDest", |item| {
        let difference = share(item, "pICMSUFDest") - share(item, "pICMSInter");
        let whole = share(item, "vBCUFDest") * difference / Decimal::ONE_HUNDRED;
        let expected = percent(whole, share(item, "pICMSInterPart"));
        item.has("imposto/ICMSUFDest") && differs(share(item, "vICMSUFDest"), expected)
    });
}

fn share(item: &Item<'_>, tag: &str) -> Decimal {
    item.decimal(&format!("imposto/ICMSUFDest/{tag}"))
}

/// U01-10.
pub(super) fn service_has_a_municipal_registration(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let lacks = note.text("emit/IM").is_empty();
    each(note, found, "imposto/ISSQN", |item| lacks && item.is_service());
}

/// U01-30: a service has no bar code.
pub(super) fn service_has_no_gtin(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let coded = |item: &Item<'_>| ["prod/cEAN", "prod/cEANTrib"].iter().any(|path| item.text(path) != "SEM GTIN");
    each(note, found, "prod/cEAN", |item| item.is_service() && coded(item));
}

/// U05-10: a service rendered abroad has no município.
pub(super) fn service_cmunfg_exists(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let abroad = note.text("dest/enderDest/UF") == "EX";
    each(note, found, "imposto/ISSQN/cMunFG", |item| {
        let cMunFG = item.text("imposto/ISSQN/cMunFG");
        item.has("imposto/ISSQN/cMunFG") && !exists(cMunFG) && !(abroad && cMunFG == "9999999")
    });
}

/// U14-10.
pub(super) fn service_cmun_exists(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, "imposto/ISSQN/cMun", |item| {
        let cMun = item.text("imposto/ISSQN/cMun");
        item.has("imposto/ISSQN/cMun") && cMun != "9999999" && !exists(cMun)
    });
}

/// I05f-10: a code of a benefit, and a CST that means none.
pub(super) fn benefit_suits_the_cst(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let checked = facts.options(note).has(Choice::ConfereCBenef);
    each(note, found, "prod/cBenef", |item| {
        checked && has_benefit_code(item) && matches!(item.cst(), "00" | "10" | "60")
    });
}

/// I05f-30: what the benefit is worth, and why.
pub(super) fn benefit_has_its_value(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let checked = facts.options(note).has(Choice::ExigeDesoneracao);
    each(note, found, "imposto/ICMS", |item| {
        let told =
            item.icms.is_some_and(|icms| icms.child("vICMSDeson").is_some() && icms.child("motDesICMS").is_some());
        checked && has_benefit_code(item) && !told
    });
}

/// N12-84: a CST that means a benefit, and no code of it.
pub(super) fn benefit_has_its_code(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let checked = facts.options(note).has(Choice::ExigeCBenef);
    each(note, found, "prod/cBenef", |item| {
        let benefit = matches!(item.cst(), "20" | "30" | "40" | "41" | "50" | "51" | "60" | "70" | "90");
        let full = item.cst() == "90" && item.icms("pRedBC").is_zero() && item.icms("pRedBCST").is_zero();
        checked && benefit && !full && item.text("prod/cBenef").is_empty()
    });
}

fn has_benefit_code(item: &Item<'_>) -> bool {
    !matches!(item.text("prod/cBenef"), "" | "SEM CBENEF")
}

fn is_simples(note: &Note<'_>) -> bool {
    matches!(note.text("emit/CRT"), "1" | "4")
}

fn is_monophasic(cst: &str) -> bool {
    matches!(cst, "02" | "15" | "53" | "61")
}

/// Commercial rounding to cents.
fn percent(base: Decimal, rate: Decimal) -> Decimal {
    let product = base.checked_mul(rate).unwrap_or_default() / Decimal::ONE_HUNDRED;
    product.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

fn differs(stated: Decimal, computed: Decimal) -> bool {
    (stated - computed).abs() > CENT
}
