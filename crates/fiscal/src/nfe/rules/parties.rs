//! Groups C, D, E and GA: issuer, addressee, authorised downloaders. Rules about borders are in `borders`.

use super::broken_field::{BrokenField, BrokenFields};
use super::identification::exists;
use super::nfe_view::{NfeItem, NfeView, text, text_in};
use super::options::{StateChoice, StateChoices};
use super::{NfeRuleContext, unregistered};
use crate::value::{Cnpj, Cpf, TpAmb, Uf, ie, suframa};
use crate::xml::ElementView;

/// The addressee's name in homologação (MOC 7.0 anexo I, E04-20).
pub const NAME_IN_HOMOLOGACAO: &str = "NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";

/// C02-10.
pub(super) fn issuer_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cnpj(note.text("emit/CNPJ")).then(|| BrokenField::at("emit/CNPJ")));
}

/// C02-30: series of a CNPJ.
pub(super) fn series_suits_a_cnpj(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let suits = note.ide.serie.parse::<u16>().is_ok_and(|serie| serie <= 909);
    found.extend((note.has("emit/CNPJ") && !suits).then(|| BrokenField::at("ide/serie")));
}

/// C02a-10: series of a CPF; the Nota Fiscal Fácil (`tpEmis` 3) has its own.
pub(super) fn series_suits_a_cpf(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let suits = note.ide.serie.parse::<u16>().is_ok_and(|serie| matches!(serie, 890..=899 | 910..=969));
    found.extend((note.has("emit/CPF") && note.ide.tpEmis != "3" && !suits).then(|| BrokenField::at("ide/serie")));
}

/// C02a-20.
pub(super) fn issuer_cpf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cpf(note.text("emit/CPF")).then(|| BrokenField::at("emit/CPF")));
}

/// C10-10.
pub(super) fn issuer_cmun_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((!exists(note.text("emit/enderEmit/cMun"))).then(|| BrokenField::at("emit/enderEmit/cMun")));
}

/// C10-20.
pub(super) fn issuer_cmun_is_of_the_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let differs = note.text("emit/enderEmit/cMun").get(..2) != Some(note.ide.cUF);
    found.extend(differs.then(|| BrokenField::at("emit/enderEmit/cMun")));
}

/// C12-10: the abbreviation belongs to the state of the authority (here: of `cUF`). Issuers without IE use another
/// authority (NT 2026.007).
pub(super) fn issuer_uf_is_of_the_authority(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let asked = note.ide.cUF.parse().ok().and_then(Uf::from_code);
    let differs = asked.is_some_and(|uf| uf.sigla() != note.text("emit/enderEmit/UF"));
    let differs = differs && !unregistered::may_lack_ie(note, facts);
    found.extend(differs.then(|| BrokenField::at("emit/enderEmit/UF")));
}

/// C17-10, in force until NT 2026.007 removed it. C17-20 refuses zeros since then.
pub(super) fn issuer_ie_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.text("emit/IE").bytes().all(|digit| digit == b'0');
    found.extend(lacks.then(|| BrokenField::at("emit/IE")));
}

/// C17-20.
pub(super) fn issuer_ie_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_ie(note.text("emit/enderEmit/UF"), note.text("emit/IE")).then(|| BrokenField::at("emit/IE")));
}

/// C17-30: an issuer without registration uses only the Fisco's own site, in its series.
pub(super) fn issuer_ie_is_not_isento(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let own = note.is_55() && note.ide.serie.parse::<u16>().is_ok_and(|serie| matches!(serie, 890..=919));
    found.extend((note.text("emit/IE") == "ISENTO" && !own).then(|| BrokenField::at("emit/IE")));
}

/// C18-14: substitution is interstate. A state may accept it inside.
pub(super) fn substitute_ie_is_interstate(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let refused = match note.ide.idDest {
        "1" => note.has("emit/IEST") && !facts.options(note).has(StateChoice::IestEmOperacaoInterna),
        "3" => note.has("emit/IEST"),
        _ => false,
    };
    found.extend(refused.then(|| BrokenField::at("emit/IEST")));
}

/// C18-20: a vehicle invoiced by its maker (Convênio ICMS 51/00) states the dealer's place of delivery.
pub(super) fn direct_vehicle_has_a_delivery(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = sells_vehicles_directly(note) && note.text("entrega/UF").is_empty();
    found.extend(lacks.then(|| BrokenField::at("entrega/UF")));
}

/// C18-30: the substitute's IE belongs to the state of the addressee, or of a vehicle's delivery.
pub(super) fn substitute_ie_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let IEST = note.text("emit/IEST");
    if IEST.is_empty() {
        return;
    }
    let uf = if sells_vehicles_directly(note) { "entrega/UF" } else { "dest/enderDest/UF" };
    found.extend(wrong_ie(note.text(uf), IEST).then(|| BrokenField::at("emit/IEST")));
}

fn sells_vehicles_directly(note: &NfeView<'_>) -> bool {
    note.items.iter().any(|item| text_in(item.prod.veicProd, "tpOp") == "2")
}

/// C18-40.
pub(super) fn substitute_ie_is_its_own(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let IEST = note.text("emit/IEST");
    let same = !IEST.is_empty() && (IEST == note.text("emit/IE") || IEST == note.text("dest/IE"));
    found.extend(same.then(|| BrokenField::at("emit/IEST")));
}

/// D01-10: group of documents that the Fisco itself issues.
pub(super) fn is_not_the_fiscos(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = note.has("avulsa") && !matches!(note.ide.procEmi, "1" | "2");
    found.extend(wrong.then(|| BrokenField::at("avulsa")));
}

/// E01-10.
pub(super) fn has_an_addressee(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(note.dest().is_none().then(|| BrokenField::at("dest")));
}

/// E02-10.
pub(super) fn addressee_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cnpj(note.text("dest/CNPJ")).then(|| BrokenField::at("dest/CNPJ")));
}

/// E03-10.
pub(super) fn addressee_cpf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cpf(note.text("dest/CPF")).then(|| BrokenField::at("dest/CPF")));
}

/// E03a-20: a foreigner in Brazil buys as a final consumer.
pub(super) fn foreigner_is_a_consumer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = !is_abroad(note) && note.has("dest/idEstrangeiro") && note.ide.indFinal != "1";
    found.extend(wrong.then(|| BrokenField::at("dest/idEstrangeiro")));
}

/// E03a-30: a foreigner has no IE.
pub(super) fn foreigner_has_no_ie(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let both = note.has("dest/idEstrangeiro") && !note.text("dest/IE").is_empty();
    found.extend(both.then(|| BrokenField::at("dest/IE")));
}

/// E03a-60: characters of a foreign identification.
pub(super) fn foreign_id_is_plain(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b":.+- /()".contains(&byte);
    let odd = !note.text("dest/idEstrangeiro").bytes().all(plain);
    found.extend(odd.then(|| BrokenField::at("dest/idEstrangeiro")));
}

/// E04-10.
pub(super) fn addressee_has_a_name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(note.dest().is_some_and(|dest| dest.child("xNome").is_none()).then(|| BrokenField::at("dest/xNome")));
}

/// E04-20.
pub(super) fn name_of_homologacao(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let stated = note.dest().and_then(|dest| dest.text_at("xNome"));
    let wrong = stated.is_some_and(|name| name != NAME_IN_HOMOLOGACAO);
    found.extend((facts.ambiente == TpAmb::Homologacao && wrong).then(|| BrokenField::at("dest/xNome")));
}

/// E05-10.
pub(super) fn addressee_has_an_address(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.dest().is_some_and(|dest| dest.child("enderDest").is_none());
    found.extend(lacks.then(|| BrokenField::at("dest/enderDest")));
}

/// E10-10.
pub(super) fn addressee_cmun_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = here(note).is_some_and(|address| !exists(text(address, "cMun")));
    found.extend(wrong.then(|| BrokenField::at("dest/enderDest/cMun")));
}

/// E10-20.
pub(super) fn addressee_cmun_is_of_the_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let differs = |address: ElementView<'_>| {
        let state = text(address, "cMun").get(..2).and_then(|code| code.parse().ok()).and_then(Uf::from_code);
        state.is_none_or(|uf| uf.sigla() != text(address, "UF"))
    };
    found.extend(here(note).is_some_and(differs).then(|| BrokenField::at("dest/enderDest/cMun")));
}

/// E10-30.
pub(super) fn foreign_cmun(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = note.text("dest/enderDest/UF") == "EX" && note.text("dest/enderDest/cMun") != "9999999";
    found.extend(wrong.then(|| BrokenField::at("dest/enderDest/cMun")));
}

/// E16a-30 and E16a-35: states without unregistered contributors. Substituted, exempt and untaxed operations are
/// accepted.
pub(super) fn state_knows_the_exempt(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let state = Uf::from_sigla(note.text("dest/enderDest/UF"));
    let exempt = note.text("dest/indIEDest") == "2" && matches!(note.ide.idDest, "1" | "2");
    let substituted = |item: &NfeItem<'_>| {
        item.icms.is_some_and(|icms| icms.child("vICMSST").is_some() || icms.child("vICMSSTRet").is_some())
    };
    let untaxed =
        |item: &NfeItem<'_>| matches!(item.cst(), "40" | "41") || matches!(item.csosn(), "103" | "300" | "400");
    let excepted = note.items.iter().any(substituted) || note.items.iter().all(untaxed);
    let refused = exempt && !excepted && StateChoices::of(state).has(StateChoice::SemContribuinteIsento);
    found.extend(refused.then(|| BrokenField::at("dest/indIEDest")));
}

/// E16a-40.
pub(super) fn no_contributor_is_a_consumer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.tpNF == "1" && !is_abroad(note) && note.text("dest/indIEDest") == "9";
    found.extend((applies && note.ide.indFinal != "1").then(|| BrokenField::at("ide/indFinal")));
}

/// E17-20.
pub(super) fn contributor_has_an_ie(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.text("dest/indIEDest") == "1" && note.text("dest/IE").is_empty();
    found.extend(lacks.then(|| BrokenField::at("dest/IE")));
}

/// E17-30.
pub(super) fn exempt_has_no_ie(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let has = note.text("dest/indIEDest") == "2" && !note.text("dest/IE").is_empty();
    found.extend(has.then(|| BrokenField::at("dest/IE")));
}

/// E17-40.
pub(super) fn foreigner_abroad_has_no_ie(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let has = !note.text("dest/IE").is_empty() && note.text("dest/enderDest/UF") == "EX";
    found.extend(has.then(|| BrokenField::at("dest/IE")));
}

/// E17-50.
pub(super) fn addressee_ie_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_ie(note.text("dest/enderDest/UF"), note.text("dest/IE")).then(|| BrokenField::at("dest/IE")));
}

/// E18-20: SUFRAMA, modulo 11.
pub(super) fn isuf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let isuf = note.text("dest/ISUF");
    found.extend((!isuf.is_empty() && !suframa::is_right(isuf)).then(|| BrokenField::at("dest/ISUF")));
}

/// E18-30.
pub(super) fn isuf_is_of_the_region(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let inside = suframa::covers(note.text("dest/enderDest/UF"), note.text("dest/enderDest/cMun"));
    found.extend((note.has("dest/ISUF") && !inside).then(|| BrokenField::at("dest/ISUF")));
}

/// GA02-10.
pub(super) fn downloader_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(downloaders(note, "CNPJ", wrong_cnpj));
}

/// GA03-10.
pub(super) fn downloader_cpf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(downloaders(note, "CPF", wrong_cpf));
}

fn downloaders(note: &NfeView<'_>, tag: &'static str, wrong: fn(&str) -> bool) -> Vec<BrokenField> {
    let each = note.inf().children().filter(|child| child.name() == "autXML").enumerate();
    let bad = each.filter(|(_, one)| wrong(text(*one, tag)));
    bad.map(|(index, _)| BrokenField::at(&format!("autXML[{index}]/{tag}"))).collect()
}

pub(super) fn is_abroad(note: &NfeView<'_>) -> bool {
    note.ide.idDest == "3"
}

/// Returns the addressee's address when it is in Brazil.
fn here<'a>(note: &NfeView<'a>) -> Option<ElementView<'a>> {
    note.inf().at("dest/enderDest").filter(|address| text(*address, "UF") != "EX")
}

/// True for a CNPJ that is given and wrong.
pub(super) fn wrong_cnpj(text: &str) -> bool {
    !text.is_empty() && Cnpj::parse(text).is_err()
}

/// True for a CPF that is given and wrong.
pub(super) fn wrong_cpf(text: &str) -> bool {
    !text.is_empty() && Cpf::parse(text).is_err()
}

/// True for an IE that is given and wrong for its state.
pub(super) fn wrong_ie(uf: &str, text: &str) -> bool {
    let checkable = !text.is_empty() && text != "ISENTO";
    checkable && Uf::from_sigla(uf).is_some_and(|uf| ie::check(uf, text).is_err())
}
