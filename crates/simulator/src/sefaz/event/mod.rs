//! NFeRecepcaoEvento4: rules common to all events, in the order of the manual; each kind has a file for its own rules.
//!
//! A kind is a variant of `NfeEventKind` and a file.
//! Law: MOC 7.0 visão geral, 5.8, rules P and Q (573 is checked right after 594, as authorities do).
//! Must not know: the arrival of a request.

mod actor;
pub(crate) mod authority;
mod cancel;
mod correct;
mod epec;
mod general;
mod manifest;
mod request;
mod substitute;

use super::message::ServiceMessage;
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, document_checks, root};
use crate::ledger::{Ledger, LedgerDocument, LedgerEvent};
use crate::limits::CallSubject;
use crate::magic;
use crate::settings::SimulatorSettings;
use crate::simulator_state::SimulatorState;
use fiscal::event::NfeEventKind;
use fiscal::xml::Element;
use request::EchoedFields;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let idLote = message.payload.text_at("idLote").unwrap_or("0").to_owned();
    let mut answer = ServiceAnswer::default();
    let mut replies = String::new();
    for evento in message.payload.children().filter(|child| child.name == "evento") {
        let asked = EchoedFields::of(evento);
        world.ledger().count(&asked.chNFe).eventos += 1;
        let registered = match register(world, request, evento, &asked) {
            Ok(registered) => registered,
            Err(refusal) => {
                too_often(world, request, &asked, &refusal)?;
                RegistrationReply { cStat: refusal.cStat, xml: asked.refused(request, &refusal) }
            }
        };
        answer.cStat = registered.cStat;
        answer.chaves.push(asked.chNFe);
        replies.push_str(&registered.xml);
    }
    let (tpAmb, cOrgao) = (request.place.ambiente.code(), request.place.authority.cOrgao());
    let xMotivo = Refusal::new(128).xMotivo();
    let content = format!(
        "<idLote>{idLote}</idLote><tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cOrgao>{cOrgao}</cOrgao><cStat>128</cStat>\
         <xMotivo>{xMotivo}</xMotivo>{replies}"
    );
    answer.xml = root(&request.place, &content);
    Ok(answer)
}

struct RegistrationReply {
    cStat: u16,
    xml: String,
}

/// An event before the databases.
struct NfeEventCase<'c> {
    request: &'c ServiceRequest<'c>,
    settings: &'c SimulatorSettings,
    asked: &'c EchoedFields,
    evento: &'c Element,
}

impl NfeEventCase<'_> {
    /// A field of `detEvento`.
    fn detail(&self, path: &str) -> Option<&str> {
        self.evento.at("infEvento/detEvento").and_then(|detail| detail.text_at(path))
    }

    fn dhEvento(&self) -> Option<jiff::Timestamp> {
        self.evento.text_at("infEvento/dhEvento").and_then(|text| text.parse().ok())
    }
}

/// The rules of a kind that need no database, in order.
fn fields(kind: NfeEventKind, case: &NfeEventCase<'_>) -> Vec<Refusal> {
    match kind {
        NfeEventKind::Cancelamento => Vec::new(),
        NfeEventKind::CancelamentoPorSubstituicao => substitute::fields(case),
        NfeEventKind::CartaCorrecao => correct::fields(case),
        NfeEventKind::Epec => epec::fields(case),
        NfeEventKind::AtorInteressado => actor::fields(case),
        NfeEventKind::Confirmacao
        | NfeEventKind::Ciencia
        | NfeEventKind::Desconhecimento
        | NfeEventKind::NaoRealizada => manifest::fields(case),
    }
}

/// The rules of a kind against its document, in order.
fn against(kind: NfeEventKind, case: &NfeEventCase<'_>, ledger: &Ledger, stored: &LedgerDocument) -> Vec<Refusal> {
    match kind {
        NfeEventKind::Cancelamento => cancel::against(case, stored),
        NfeEventKind::CancelamentoPorSubstituicao => substitute::against(case, ledger, stored),
        NfeEventKind::CartaCorrecao => correct::against(case, stored),
        // Checked by itself: its document does not exist yet.
        NfeEventKind::Epec => Vec::new(),
        NfeEventKind::AtorInteressado => actor::against(case, stored),
        NfeEventKind::Confirmacao
        | NfeEventKind::Ciencia
        | NfeEventKind::Desconhecimento
        | NfeEventKind::NaoRealizada => manifest::against(kind, case, stored),
    }
}

fn register(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    evento: &Element,
    asked: &EchoedFields,
) -> Result<RegistrationReply, Refusal> {
    let source = document_checks::standing_alone(
        request.body.get(evento.span.clone()).unwrap_or_default(),
        request.place.dialect().namespace,
    );
    let settings = world.settings();
    let case = NfeEventCase { request, settings: &settings, asked, evento };
    first(&settings, general::faults(world, &case, &source))?;
    // 491 was checked: there is a kind.
    let kind = NfeEventKind::from_code(&asked.tpEvento).ok_or_else(|| Refusal::new(491))?;
    first(&settings, fields(kind, &case))?;
    if let Some(cStat) = magic::of_text(case.detail("xJust").or_else(|| case.detail("xCorrecao"))) {
        return Err(Refusal::new(cStat));
    }
    let mut ledger = world.ledger();
    if kind == NfeEventKind::Epec {
        return epec::register(&case, &mut ledger, source.as_ref());
    }
    repeated(&case, &ledger)?;
    if kind.is_manifestation() {
        if ledger.document(request.place.ambiente, &asked.chNFe).is_none() {
            return Ok(manifest::unbound(kind, &case, &mut ledger, source.as_ref()));
        }
    } else {
        first(&settings, general::taxpayer(&case))?;
    }
    let stored = ledger.document(request.place.ambiente, &asked.chNFe).ok_or_else(|| Refusal::new(494))?;
    first(&settings, general::place(&case, stored))?;
    first(&settings, against(kind, &case, &ledger, stored))?;
    let late = kind == NfeEventKind::Cancelamento && cancel::is_late(stored, request.now);
    let (dest, outcome) = (stored.destinatario.clone(), Refusal::new(if late { 155 } else { 135 }));
    let cUF = asked.chNFe.get(..2).and_then(|code| code.parse().ok()).unwrap_or(0);
    let nProt = ledger.next_event_protocol(&request.place, cUF, request.now);
    let xml = asked.registered(request, kind, &outcome, &nProt, dest.as_deref());
    if let Some(stored) = ledger.document_mut(request.place.ambiente, &asked.chNFe) {
        if matches!(kind, NfeEventKind::Cancelamento | NfeEventKind::CancelamentoPorSubstituicao) {
            stored.situacao = crate::ledger::LedgerStatus::Cancelada;
        }
        stored.eventos.push(event(asked, outcome.cStat, nProt, source.as_ref(), &xml));
    }
    Ok(RegistrationReply { cStat: outcome.cStat, xml })
}

fn event(asked: &EchoedFields, cStat: u16, nProt: String, source: &str, ret_evento: &str) -> LedgerEvent {
    LedgerEvent {
        tpEvento: asked.tpEvento.clone(),
        nSeqEvento: asked.sequence().into(),
        cStat,
        nProt,
        evento: source.into(),
        ret_evento: ret_evento.to_owned(),
    }
}

/// 573: the document has an event of this kind and number.
fn repeated(case: &NfeEventCase<'_>, ledger: &Ledger) -> Result<(), Refusal> {
    let (asked, ambiente) = (case.asked, case.request.place.ambiente);
    let same =
        |event: &&LedgerEvent| event.tpEvento == asked.tpEvento && event.nSeqEvento == u16::from(asked.sequence());
    match ledger.events(ambiente, &asked.chNFe).iter().find(same) {
        Some(event) => first(case.settings, vec![Refusal::with(573, format!("[nProt:{}]", event.nProt))]),
        None => Ok(()),
    }
}

/// The first refusal whose rule is not switched off.
fn first(settings: &SimulatorSettings, refusals: Vec<Refusal>) -> Result<(), Refusal> {
    match refusals.into_iter().find(|refusal| settings.first_on(&[refusal.cStat]).is_some()) {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

/// Refusals of the broken rules.
fn broken<const N: usize>(rules: [(u16, bool); N]) -> Vec<Refusal> {
    rules.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| Refusal::new(cStat)).collect()
}

/// Undue use: the same rejection of the same event more than 20 times in an hour (656).
fn too_often(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    asked: &EchoedFields,
    refusal: &Refusal,
) -> Result<(), Refusal> {
    let subject = CallSubject {
        transmitter: request.transmitter().to_owned(),
        service: request.place.service,
        about: format!("{} {} {}", asked.chNFe, asked.tpEvento, refusal.cStat),
    };
    let limited = world.settings().limites;
    if limited && world.limits().exceeded(subject, request.now.as_second()) {
        return Err(Refusal::new(656));
    }
    Ok(())
}
