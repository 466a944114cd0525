//! CTeRecepcaoEventoV4: an event per call. Rules common to all events are in `general`, in the order of the manual;
//! those of a kind are in a file of their own.
//!
//! Law: MOC CT-e 4.00 anexo I, rules N01 to N26 and those of each event (O, Q).

mod cancel;
mod correct;
mod deliver;
mod disagree;
mod general;
mod other;

use super::{ServiceMessage, query};
use crate::ledger::{Ledger, LedgerDocument, LedgerEvent, LedgerStatus};
use crate::limits::CallSubject;
use crate::magic;
use crate::sefaz::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, document_checks, root};
use crate::settings::SimulatorSettings;
use crate::simulator_state::SimulatorState;
use crate::soap::escaped;
use fiscal::event::cte::CteEventKind;
use fiscal::xml::Element;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let evento = &message.payload;
    let settings = world.settings();
    let case = CteEventCase { request, settings: &settings, evento };
    world.ledger().count(case.chave()).eventos += 1;
    let (outcome, written) = match register(world, &case) {
        Ok(registered) => registered,
        Err(refusal) => {
            too_often(world, &case, &refusal)?;
            let written = inf_evento(&case, &refusal, None);
            (refusal, written)
        }
    };
    let chaves = vec![case.chave().to_owned()];
    Ok(ServiceAnswer { xml: root(&request.place, &written), cStat: outcome.cStat, chaves })
}

/// An event before the databases.
struct CteEventCase<'c> {
    request: &'c ServiceRequest<'c>,
    settings: &'c SimulatorSettings,
    evento: &'c Element,
}

impl<'c> CteEventCase<'c> {
    fn text(&self, tag: &str) -> &'c str {
        self.evento.child("infEvento").and_then(|inf| inf.text_at(tag)).unwrap_or("")
    }
    /// Content of the event: the element inside of `detEvento`.
    fn event_content(&self) -> Option<&'c Element> {
        self.evento.at("infEvento/detEvento")?.children().next()
    }
    fn detail(&self, path: &str) -> Option<&'c str> {
        self.event_content()?.text_at(path)
    }
    fn chave(&self) -> &'c str {
        self.text("chCTe")
    }
    /// Characters of the key.
    fn key(&self, range: std::ops::Range<usize>) -> &'c str {
        self.chave().get(range).unwrap_or("")
    }
    /// CNPJ or CPF of the author.
    fn author(&self) -> &'c str {
        match self.text("CNPJ") {
            "" => self.text("CPF"),
            cnpj => cnpj,
        }
    }
    fn sequence(&self) -> u16 {
        self.text("nSeqEvento").parse().unwrap_or(0)
    }
    fn dhEvento(&self) -> Option<jiff::Timestamp> {
        self.text("dhEvento").parse().ok()
    }
}

fn register(world: &SimulatorState, case: &CteEventCase<'_>) -> Result<(Refusal, String), Refusal> {
    let request = case.request;
    let source = document_checks::standing_alone(
        request.body.get(case.evento.span.clone()).unwrap_or_default(),
        request.place.dialect().namespace,
    );
    first(case.settings, general::faults(world, case, &source))?;
    // 629 was checked: there is a kind.
    let kind = CteEventKind::from_code(case.text("tpEvento")).ok_or_else(|| Refusal::new(629))?;
    if let Some(cStat) = magic::of_text(case.detail("xJust").or_else(|| magic_correction(case))) {
        return Err(Refusal::new(cStat));
    }
    let mut ledger = world.ledger();
    repeated(case, &ledger)?;
    first(case.settings, general::author(case, kind))?;
    let stored = query::stored(&ledger, request, case.chave(), |_| true)?;
    first(case.settings, general::tomador(case, kind, stored))?;
    first(case.settings, general::dates(case, stored))?;
    first(case.settings, against(kind, case, &ledger, stored))?;
    let outcome = Refusal::new(if stored.situacao == LedgerStatus::Autorizada { 135 } else { 134 });
    let cUF = case.key(0..2).parse().unwrap_or(0);
    let nProt = ledger.next_protocol(&request.place, cUF, request.now);
    let written = inf_evento(case, &outcome, Some((kind, &nProt)));
    if let Some(stored) = ledger.document_mut(request.place.ambiente, case.chave()) {
        if kind == CteEventKind::Cancelamento {
            stored.situacao = LedgerStatus::Cancelada;
        }
        stored.eventos.push(LedgerEvent {
            tpEvento: case.text("tpEvento").to_owned(),
            nSeqEvento: case.sequence(),
            cStat: outcome.cStat,
            nProt,
            evento: source.as_ref().into(),
            ret_evento: format!("<retEventoCTe versao=\"4.00\">{written}</retEventoCTe>"),
        });
    }
    Ok((outcome, written))
}

/// The rules of a kind against its document, in order.
fn against(kind: CteEventKind, case: &CteEventCase<'_>, ledger: &Ledger, stored: &LedgerDocument) -> Vec<Refusal> {
    let mut all = broken([(636, !(1..=kind.most()).contains(&case.sequence()))]);
    all.extend(match kind {
        CteEventKind::Cancelamento => cancel::against(case, ledger, stored),
        CteEventKind::CartaCorrecao => correct::against(case, ledger, stored),
        CteEventKind::ComprovanteEntrega | CteEventKind::InsucessoEntrega => deliver::against(kind, case, stored),
        CteEventKind::CancelamentoComprovanteEntrega | CteEventKind::CancelamentoInsucessoEntrega => {
            deliver::undone(kind, case, stored)
        }
        CteEventKind::Desacordo | CteEventKind::CancelamentoDesacordo => disagree::against(kind, case, ledger, stored),
        CteEventKind::RegistroMultimodal => other::multimodal(ledger, stored),
        CteEventKind::InformacoesGtv => other::gtv(case, ledger, stored),
    });
    all
}

/// The value of a correction that holds a magic value.
fn magic_correction<'c>(case: &CteEventCase<'c>) -> Option<&'c str> {
    let corrections = case.event_content()?.children().filter(|child| child.name == "infCorrecao");
    corrections.filter_map(|one| one.text_at("valorAlterado")).find(|text| text.contains("[SIM:"))
}

/// 631: the document has an event of this kind and number.
fn repeated(case: &CteEventCase<'_>, ledger: &Ledger) -> Result<(), Refusal> {
    let (kind, sequence) = (case.text("tpEvento"), case.sequence());
    let same = |event: &&LedgerEvent| event.tpEvento == kind && event.nSeqEvento == sequence;
    match ledger.events(case.request.place.ambiente, case.chave()).iter().find(same) {
        Some(event) => {
            let at = crate::sefaz::text_between(event.ret_evento.as_bytes(), "<dhRegEvento>").unwrap_or("");
            let extra = format!("[nProt:{}][dhRegEvento:{at}]", event.nProt);
            first(case.settings, vec![Refusal::with(631, extra)])
        }
        None => Ok(()),
    }
}

/// `infEvento` of the answer.
fn inf_evento(case: &CteEventCase<'_>, outcome: &Refusal, given: Option<(CteEventKind, &str)>) -> String {
    let place = case.request.place;
    let id = given.map(|(_, nProt)| format!(" Id=\"ID{nProt}\"")).unwrap_or_default();
    let xEvento = given.map(|(kind, _)| format!("<xEvento>{}</xEvento>", kind.description())).unwrap_or_default();
    let nProt = given.map(|(_, nProt)| format!("<nProt>{nProt}</nProt>")).unwrap_or_default();
    format!(
        "<infEvento{id}><tpAmb>{}</tpAmb><verAplic>{VER_APLIC}</verAplic><cOrgao>{}</cOrgao><cStat>{}</cStat><xMotivo>{}</xMotivo>\
         <chCTe>{}</chCTe><tpEvento>{}</tpEvento>{xEvento}<nSeqEvento>{}</nSeqEvento><dhRegEvento>{}</dhRegEvento>{nProt}</infEvento>",
        place.ambiente.code(),
        escaped(case.text("cOrgao")),
        outcome.cStat,
        outcome.xMotivo_in(&place),
        escaped(case.chave()),
        escaped(case.text("tpEvento")),
        escaped(case.text("nSeqEvento")),
        case.request.dh(),
    )
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

/// Undue use: the same rejection of the same event more than 20 times in an hour.
fn too_often(world: &SimulatorState, case: &CteEventCase<'_>, refusal: &Refusal) -> Result<(), Refusal> {
    let request = case.request;
    let subject = CallSubject {
        transmitter: request.transmitter().to_owned(),
        service: request.place.service,
        about: format!("{} {} {}", case.chave(), case.text("tpEvento"), refusal.cStat),
    };
    let exceeded = case.settings.limites && world.limits().exceeded(subject, request.now.as_second());
    if exceeded { Err(Refusal::new(request.place.dialect().undue_use)) } else { Ok(()) }
}
