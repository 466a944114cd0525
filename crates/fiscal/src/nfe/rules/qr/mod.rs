//! Group ZX: the QR code and the address for queries, as far as the document decides it. Rules that need the CSC
//! registry (462, 463, 464) or the signer's key (583) are absent.
//!
//! Law: MOC 7.0, anexo I, ZX01-10 to ZX03-20, with the numbers that NT 2025.001 gave version 3.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::NfeView;
use crate::nfe::qr::{self, NfceAddresses, OfflineParameters, QrParameters, QrSeal, QrSyntaxError};
use crate::value::{TpAmb, amount};

/// ZX02-10: the code exists.
pub(super) fn code_is_there(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = facts.finished && note.supplement("qrCode").is_none();
    found.extend(lacks.then(|| at("infNFeSupl/qrCode")));
}

/// ZX02-20: the code's address is the state's.
pub(super) fn address_is_the_states(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Some((address, _)) = facts.finished.then(|| parted(note)).flatten() else { return };
    let differs = expected(note).is_some_and(|right| !right.qr.eq_ignore_ascii_case(address));
    found.extend(differs.then(|| at("infNFeSupl/qrCode")));
}

/// ZX03-20: the address for queries by key is the state's.
pub(super) fn key_address_is_the_states(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let stated = facts.finished.then(|| note.supplement("urlChave")).flatten();
    let differs = stated.zip(expected(note)).is_some_and(|(stated, right)| !right.chave.eq_ignore_ascii_case(stated));
    found.extend(differs.then(|| at("infNFeSupl/urlChave")));
}

/// ZX02-224 and its neighbours: no parameter is missing. The schema requires it too.
pub(super) fn parameters_are_there(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Some((_, p)) = facts.finished.then(|| parted(note)).flatten() else { return };
    if let Err(QrSyntaxError::Missing(name)) = qr::read(p) {
        found.push(of_parameter(name));
    }
}

/// ZX02-236: the version is 2 or 3.
pub(super) fn version_is_known(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Some((_, p)) = facts.finished.then(|| parted(note)).flatten() else { return };
    let unknown = matches!(qr::read(p), Err(QrSyntaxError::Version(_)));
    found.extend(unknown.then(|| of_parameter("versao")));
}

/// ZX02-220: model 55 requires version 3.
pub(super) fn nfe_uses_version_3(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Some((_, p)) = facts.finished.then(|| parted(note)).flatten() else { return };
    let other = match qr::read(p) {
        Ok(qr) => qr.versao != 3,
        Err(unreadable) => matches!(unreadable, QrSyntaxError::Version(_)),
    };
    found.extend(other.then(|| of_parameter("versao")));
}

/// ZX02-222: a natural person has no CSC.
pub(super) fn person_uses_version_3(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = code(note, facts).is_some_and(|qr| qr.versao == 2) && note.has("emit/CPF");
    found.extend(wrong.then(|| of_parameter("versao")));
}

/// ZX02-228: the key.
pub(super) fn key_is_the_notes(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let own = note.inf().attribute("Id").and_then(|id| id.strip_prefix("NFe")).unwrap_or_default();
    differs(note, facts, found, "chave", |qr| qr.chave != own);
}

/// ZX02-244: the environment.
pub(super) fn environment_is_the_notes(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    differs(note, facts, found, "tpAmb", |qr| qr.tpAmb != note.ide.tpAmb);
}

/// ZX02-260: an offline document has an offline code, any other has not.
pub(super) fn kind_is_the_notes(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(qr) = code(note, facts) else { return };
    let lacks = note.ide.tpEmis == "9" && qr.offline.is_none();
    found.extend(lacks.then(|| of_parameter("dia")));
}

/// ZX02-268: the day of an offline document.
pub(super) fn day_is_the_notes(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let day = note.ide.dhEmi.get(8..10);
    offline_differs(note, facts, found, "dia", |offline| Some(offline.dia) != day);
}

/// ZX02-276: the total of an offline document.
pub(super) fn total_is_the_notes(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let total = note.total("vNF");
    let other = |offline: &OfflineParameters<'_>| amount(offline.vNF) != Some(total);
    offline_differs(note, facts, found, "vNF", other);
}

/// ZX02-296: the digest of an offline document.
pub(super) fn digest_is_the_notes(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let digest = note.digest().unwrap_or_default();
    differs(note, facts, found, "digVal", |qr| !qr.has_digest(digest));
}

/// ZX02-328: the consumer of an offline document, in version 3.
pub(super) fn consumer_is_the_notes(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let of = |tag: &str| note.dest().and_then(|dest| dest.text_at(tag)).filter(|text| !text.is_empty());
    let right = match (of("CNPJ"), of("CPF"), note.has("dest/idEstrangeiro")) {
        (Some(cnpj), _, _) => ("1", cnpj),
        (_, Some(cpf), _) => ("2", cpf),
        (_, _, true) => ("3", ""),
        _ => ("", ""),
    };
    offline_differs(note, facts, found, "idDest", |offline| offline.consumer.is_some_and(|told| told != right));
}

/// ZX02-330: no signature online.
pub(super) fn online_is_not_signed(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(qr) = code(note, facts).filter(|qr| qr.versao == 3) else { return };
    let signed = note.ide.tpEmis != "9" && matches!(qr.seal, QrSeal::Signature(_));
    found.extend(signed.then(|| of_parameter("assinatura")));
}

/// ZX02-334: a signature offline.
pub(super) fn offline_is_signed(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(qr) = code(note, facts).filter(|qr| qr.versao == 3) else { return };
    let lacks = note.ide.tpEmis == "9" && !matches!(qr.seal, QrSeal::Signature(_));
    found.extend(lacks.then(|| of_parameter("assinatura")));
}

fn differs(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
    name: &str,
    wrong: impl FnOnce(&QrParameters<'_>) -> bool,
) {
    found.extend(code(note, facts).filter(wrong).map(|_| of_parameter(name)));
}

fn offline_differs(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
    name: &str,
    wrong: impl FnOnce(&OfflineParameters<'_>) -> bool,
) {
    differs(note, facts, found, name, |qr| qr.offline.as_ref().is_some_and(wrong));
}

/// Returns the code of a finished document if it is readable. Another rule reports an unreadable code.
fn code<'a>(note: &NfeView<'a>, facts: &NfeRuleContext) -> Option<QrParameters<'a>> {
    if !facts.finished {
        return None;
    }
    qr::read(parted(note)?.1).ok()
}

/// Splits the code into address and parameters.
fn parted<'a>(note: &NfeView<'a>) -> Option<(&'a str, &'a str)> {
    let text = note.supplement("qrCode")?.trim();
    Some(text.split_once("?p=").unwrap_or((text, "")))
}

fn expected(note: &NfeView<'_>) -> Option<NfceAddresses> {
    let uf = note.uf()?;
    let ambiente = if note.ide.tpAmb == "1" { TpAmb::Producao } else { TpAmb::Homologacao };
    Some(qr::addresses(uf, ambiente))
}

fn at(path: &str) -> BrokenField {
    BrokenField::under(path.to_owned())
}

/// Creates a break at a parameter of the code. The authority's text names the parameter.
fn of_parameter(name: &str) -> BrokenField {
    at(&format!("infNFeSupl/qrCode?{name}")).about(format!("[Param: {name}]"))
}

#[cfg(test)]
mod tests;
