//! Checks of a document before the databases: signature (stage 3), magic values, rules of the addressed authority, the
//! rule table (4–9).

use super::{Refusal, ServiceRequest, qr, registry};
use crate::magic;
use crate::message_codes;
use crate::rule_switch::RuleSwitch;
use crate::settings::SimulatorSettings;
use crate::signature;
use crate::simulator_state::SimulatorState;
use fiscal::law::RuleEffect;
use fiscal::nfe::rules::{AuthorizerKind, NfeRuleContext, NfeView, in_force};
use fiscal::value::Uf;
use fiscal::xml::{Element, FlatDocument};
use jiff::Timestamp;
use std::borrow::Cow;

/// Verdict on a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DocumentVerdict {
    /// Every rule passed; remarks of rules switched to `warn`.
    Authorize(Vec<Refusal>),
    /// Every rule passed; process it as a batch with receipt.
    Queue,
    /// Denied by a magic value or a scripted code.
    Deny(u16),
    /// A rule refused it.
    Reject(Refusal),
    /// The message as a whole is refused.
    Message(Refusal),
}

/// A document and its verdict, with its facts for the databases.
pub(super) struct CheckedDocument {
    pub(super) verdict: DocumentVerdict,
    pub(super) chave: String,
    pub(super) digest: String,
    /// The document standing alone, with its namespace.
    pub(super) source: String,
    pub(super) emitente: String,
    pub(super) ie: String,
    pub(super) nome: String,
    pub(super) destinatario: Option<String>,
    pub(super) serie: u16,
    pub(super) nNF: u32,
    pub(super) tpEmis: u8,
    pub(super) cUF: u8,
    pub(super) issued_at: Option<Timestamp>,
    /// Facts for the registries.
    pub(super) registry_facts: registry::RegistryFacts,
}

/// Key in `infNFe/@Id`, without the literal; empty when there is none.
pub(super) fn key(nfe: &Element) -> &str {
    nfe.child("infNFe").and_then(|inf| inf.attribute("Id")).and_then(|id| id.strip_prefix("NFe")).unwrap_or("")
}

/// CNPJ or CPF of `emit`.
pub(super) fn issuer(nfe: &Element) -> &str {
    holder(nfe, "infNFe/emit").unwrap_or("")
}

fn holder<'a>(nfe: &'a Element, group: &str) -> Option<&'a str> {
    let group = nfe.at(group)?;
    group.text_at("CNPJ").or_else(|| group.text_at("CPF")).filter(|text| !text.is_empty())
}

pub(super) fn check_document(world: &SimulatorState, request: &ServiceRequest<'_>, nfe: &Element) -> CheckedDocument {
    let source =
        standing_alone(request.body.get(nfe.span.clone()).unwrap_or_default(), request.place.dialect().namespace);
    let examined = signature::examine(nfe, "infNFe", &source, world, request.now);
    let read = FlatDocument::of(nfe);
    let note = NfeView::of(read.root());
    let settings = world.settings();
    let facts = NfeRuleContext::new(request.now, request.place.ambiente).under(&settings.lei);
    let number = |path: &str| nfe.text_at(path).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    let mut judged = CheckedDocument {
        verdict: DocumentVerdict::Authorize(Vec::new()),
        chave: key(nfe).to_owned(),
        digest: examined.digest.clone(),
        source: source.into_owned(),
        emitente: issuer(nfe).to_owned(),
        ie: nfe.text_at("infNFe/emit/IE").unwrap_or("").to_owned(),
        nome: nfe.text_at("infNFe/emit/xNome").unwrap_or("").to_owned(),
        destinatario: holder(nfe, "infNFe/dest").map(str::to_owned),
        serie: u16::try_from(number("infNFe/ide/serie")).unwrap_or(0),
        nNF: number("infNFe/ide/nNF"),
        tpEmis: u8::try_from(number("infNFe/ide/tpEmis")).unwrap_or(1),
        cUF: u8::try_from(number("infNFe/ide/cUF")).unwrap_or(request.place.authority.cUF()),
        issued_at: nfe.text_at("infNFe/ide/dhEmi").and_then(|text| text.parse().ok()),
        registry_facts: note.as_ref().map(|note| registry::RegistryFacts::of(note, &facts)).unwrap_or_default(),
    };
    judged.verdict = verdict(world, request, nfe, note.as_ref(), &judged, &examined);
    judged
}

fn verdict(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    nfe: &Element,
    note: Option<&NfeView<'_>>,
    judged: &CheckedDocument,
    examined: &signature::ExaminedSignature,
) -> DocumentVerdict {
    let mut faults = examined.faults.clone();
    let signer = examined.signer.as_ref().map_or("", |signer| signer.holder());
    if faults.is_empty() {
        faults.extend(signer_mismatch(signer, &judged.emitente));
    }
    let settings = world.settings();
    if let Some(cStat) = settings.first_on(&faults) {
        return DocumentVerdict::Reject(Refusal::new(cStat));
    }
    if let Some(cStat) = request.scripted_code().or_else(|| magic::of_document(nfe, judged.destinatario.as_deref())) {
        return asked_for(cStat);
    }
    let retail = request.place.modelo == 65 || nfe.text_at("infNFe/ide/tpImp") == Some("6");
    let sealed = retail
        .then(|| qr::faults(&settings, nfe, &judged.emitente, judged.issued_at, examined.signer.as_deref()))
        .flatten();
    by_rules(&settings, request, note, judged, sealed)
}

/// The document as in a file of its own: with the namespace it may have inherited from the batch.
pub(super) fn standing_alone<'d>(document: &'d [u8], namespace: &str) -> Cow<'d, str> {
    let text = String::from_utf8_lossy(document);
    let tag_end = text.find('>').unwrap_or(text.len());
    let Some(tag) = text.get(..tag_end).filter(|tag| !tag.contains("xmlns=")) else {
        return text;
    };
    let name_end = tag.find(|character: char| character.is_ascii_whitespace()).unwrap_or(tag.len());
    let (name, rest) = text.split_at(name_end);
    Cow::Owned(format!("{name} xmlns=\"{namespace}\"{rest}"))
}

/// 213, or 227 of a certificate of a person, when the signer is not the issuer.
pub(super) fn signer_mismatch(signer: &str, issuer: &str) -> Option<u16> {
    (!same_base(signer, issuer)).then_some(if signer.len() == 11 { 227 } else { 213 })
}

/// True for companies with the same first 8 positions, and for equal CPFs.
pub(super) fn same_base(signer: &str, issuer: &str) -> bool {
    match (signer.len(), issuer.len()) {
        (14, 14) => signer.get(..8) == issuer.get(..8),
        _ => signer == issuer,
    }
}

fn asked_for(cStat: u16) -> DocumentVerdict {
    match cStat {
        100 | 120 | 150 => DocumentVerdict::Authorize(Vec::new()),
        103 => DocumentVerdict::Queue,
        110 | 301..=303 => DocumentVerdict::Deny(cStat),
        cStat if message_codes::is_of_nfe(cStat) => DocumentVerdict::Message(Refusal::new(cStat)),
        cStat => DocumentVerdict::Reject(Refusal::new(cStat)),
    }
}

/// The rule of the table that follows those of the QR code.
const KEY_ADDRESS: u16 = 878;

/// The rule of the table that follows C17-11.
const ISSUER_IE: u16 = 209;

/// The first rule that is broken and on. Two rules of stage 4 are not in the table, because they depend on the
/// addressed authority: B02-10 (226), which comes before B03-10 (897), and C17-11 (166) before C17-20.
fn by_rules(
    settings: &SimulatorSettings,
    request: &ServiceRequest<'_>,
    note: Option<&NfeView<'_>>,
    judged: &CheckedDocument,
    sealed: Option<u16>,
) -> DocumentVerdict {
    let Some(note) = note else { return DocumentVerdict::Message(Refusal::new(225)) };
    let asked = AuthorizerKind::by(request.place.contingency().unwrap_or(1));
    let uf = Uf::from_code(judged.cUF);
    let facts = NfeRuleContext::new(request.now, request.place.ambiente).under(&settings.lei).at(asked);
    let facts = facts.choosing(settings.options(uf));
    let switch_of = |cStat: u16| settings.switch(cStat);
    let taken = judged.ie.is_empty() && settings.accepts_unregistered(&request.place, request.now);
    let foreign = !taken && !uf.is_some_and(|uf| request.place.serves(uf)) && switch_of(226) == RuleSwitch::On;
    let elsewhere = judged.ie.is_empty()
        && judged.registry_facts.enforces(166)
        && !request.place.authority.is_svrs()
        && switch_of(166) == RuleSwitch::On;
    let (mut remarks, mut broken) = (Vec::new(), Vec::new());
    let mut sealed = sealed.filter(|cStat| switch_of(*cStat) == RuleSwitch::On);
    for (rule, effect) in in_force(note, &facts) {
        if let Some(cStat) = sealed.take_if(|_| rule.cStat == KEY_ADDRESS) {
            return DocumentVerdict::Reject(Refusal::new(cStat));
        }
        if foreign && rule.cStat == 897 {
            return DocumentVerdict::Reject(Refusal::new(226));
        }
        if elsewhere && rule.cStat == ISSUER_IE {
            return DocumentVerdict::Reject(Refusal::new(166));
        }
        let switch = match (switch_of(rule.cStat), effect) {
            (RuleSwitch::On, RuleEffect::Aviso) => RuleSwitch::Warn,
            (switch, _) => switch,
        };
        if switch == RuleSwitch::Off {
            continue;
        }
        rule.find_breaks(note, &facts, &mut broken);
        let Some(place) = broken.drain(..).next() else { continue };
        let parameter = place.path.strip_prefix("infNFeSupl/qrCode?").map(|name| format!("[Param: {name}]"));
        let extra = parameter.unwrap_or_else(|| place.appended());
        let refusal = Refusal { text: Some(rule.xMotivo()), ..Refusal::with(rule.cStat, extra) };
        match switch {
            RuleSwitch::Warn => remarks.push(refusal),
            _ => return DocumentVerdict::Reject(refusal),
        }
    }
    DocumentVerdict::Authorize(remarks)
}
