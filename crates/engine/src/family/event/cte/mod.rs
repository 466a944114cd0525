//! Events of a CT-e: the type that a job registers, and its content.
//!
//! Law: MOC CT-e 4.00, anexo I, rules of each event. `history` checks the document's state.

pub(crate) mod history;

use super::event_type::{EventDestination, EventType};
use super::ordered_event::{EventHeader, OrderedEvent};
use crate::order::act::CartaCorrecao;
use crate::order::event_error::EventError;
use crate::order::{DocumentOrder, Order};
use fiscal::event::cte::{self, CteCorrection};
use fiscal::event::family;
use fiscal::finding::{Notice, Violation};
use fiscal::value::{Uf, brasilia};
use serde_json::{Map, Value, json};

/// Type of the event that an order registers.
pub(crate) fn kind(order: &Order) -> Option<EventType> {
    cte_event(order).map(EventType::from)
}

/// Returns the type in the family's own enum.
fn cte_event(order: &Order) -> Option<cte::CteEventKind> {
    match order {
        Order::Cancelamento(_) => Some(cte::CteEventKind::Cancelamento),
        Order::CartaCorrecao(_) => Some(cte::CteEventKind::CartaCorrecao),
        Order::Evento(DocumentOrder { act, .. }) => Some(act.tipo),
        Order::Emissao(_)
        | Order::AtorInteressado(_)
        | Order::AnaliseFiscal(_)
        | Order::Manifestacao(_)
        | Order::Inutilizacao(_) => None,
    }
}

/// Checks an event; returns its notices, or everything that stops it.
pub(crate) fn check(said: &OrderedEvent<'_>) -> Result<Vec<Notice>, EventError> {
    let kind = cte_event(said.order).ok_or(EventError::WrongModel)?;
    let modelo = said.chave.acesso().ok_or(EventError::WrongModel)?.parts().modelo;
    if !kind.models().contains(&modelo) {
        return Err(EventError::Refused(vec![of_another_model(kind)]));
    }
    let barred = cte::refusals(modelo, corrections(said.order));
    if !barred.is_empty() {
        return Err(EventError::Refused(barred));
    }
    let written = written(kind, said).map_err(EventError::Refused)?;
    let before = earlier_count(said);
    let notices = written.notices.into_iter();
    Ok(notices.map(|notice| Notice { campo: interface_path(kind, &notice.campo, before), ..notice }).collect())
}

/// Returns the unsigned event and its `Id`.
pub(crate) fn write(said: &OrderedEvent<'_>, occasion: &EventHeader) -> Option<(String, String)> {
    let kind = cte_event(said.order)?;
    Some(cte::build(&said.envelope(occasion)?, &written(kind, said).ok()?))
}

fn written(kind: cte::CteEventKind, said: &OrderedEvent<'_>) -> Result<cte::CteEventContent, Vec<Violation>> {
    // a key without a state is of no document of ours
    let offset = said.chave.uf().map_or(brasilia::HOURS, Uf::utc_offset_hours);
    let before = earlier_count(said);
    let in_asked = |found: Violation| Violation { campo: interface_path(kind, &found.campo, before), ..found };
    let found = |found: Vec<Violation>| found.into_iter().map(in_asked).collect();
    cte::body(kind, &members(kind, said), offset).map_err(found)
}

/// Members of the event under official tags: the caller's, and those that the service fills in.
fn members(kind: cte::CteEventKind, said: &OrderedEvent<'_>) -> Map<String, Value> {
    let (mut members, justificativa) = match said.order {
        Order::Evento(DocumentOrder { act, .. }) => (act.dados.clone(), None),
        Order::Cancelamento(DocumentOrder { act, .. }) => (Map::new(), Some(act.justificativa.as_str())),
        _ => (Map::new(), None),
    };
    if kind.names_protocol() && !said.nProt.is_empty() {
        members.insert("nProt".to_owned(), json!(said.nProt));
    }
    let photographed = members.contains_key("hashTentativaEntrega");
    let mut fill = |tag: &str, value: Option<&str>| {
        if let (None, Some(value)) = (members.get(tag), value) {
            members.insert(tag.to_owned(), json!(value));
        }
    };
    let former = said.former.nProt.as_deref();
    match kind {
        cte::CteEventKind::Cancelamento => fill("xJust", justificativa),
        cte::CteEventKind::CartaCorrecao => {
            let all = cte::merged(&earlier_corrections(said), corrections(said.order));
            members.insert("correcoes".to_owned(), json!(all));
        }
        cte::CteEventKind::ComprovanteEntrega => fill("dhHashEntrega", Some(said.now)),
        cte::CteEventKind::InsucessoEntrega => fill("dhHashTentativaEntrega", photographed.then_some(said.now)),
        cte::CteEventKind::CancelamentoComprovanteEntrega => fill("nProtCE", former),
        cte::CteEventKind::CancelamentoInsucessoEntrega => fill("nProtIE", former),
        cte::CteEventKind::CancelamentoDesacordo => fill("nProtEvPrestDes", former),
        cte::CteEventKind::RegistroMultimodal | cte::CteEventKind::InformacoesGtv | cte::CteEventKind::Desacordo => {}
    }
    members
}

fn corrections(order: &Order) -> &[CteCorrection] {
    match order {
        Order::CartaCorrecao(DocumentOrder { act: CartaCorrecao::Campos { correcoes }, .. }) => correcoes,
        _ => &[],
    }
}

/// Corrections of the last letter: only the newest letter counts, so each repeats the earlier ones.
fn earlier_corrections(said: &OrderedEvent<'_>) -> Vec<CteCorrection> {
    let Some(archive) = said.former.xml.as_deref().and_then(|xml| fiscal::xml::read(xml.as_bytes()).ok()) else {
        return Vec::new();
    };
    let letter = archive.at(&format!("{}/infEvento/detEvento/evCCeCTe", family::CTE.root));
    let groups = letter.into_iter().flat_map(|letter| letter.children().filter(|child| child.name == "infCorrecao"));
    groups.filter_map(CteCorrection::of).collect()
}

/// Count of earlier corrections in front of the caller's.
fn earlier_count(said: &OrderedEvent<'_>) -> usize {
    let new = corrections(said.order);
    cte::merged(&earlier_corrections(said), new).len() - new.len()
}

/// Path in the interface. `before` is the count of corrections in front of the caller's.
fn interface_path(kind: cte::CteEventKind, campo: &str, before: usize) -> String {
    match (kind, campo) {
        (cte::CteEventKind::Cancelamento, "xJust") => "justificativa".to_owned(),
        (cte::CteEventKind::CartaCorrecao, campo) => counted_by_caller(campo, before),
        (cte::CteEventKind::Cancelamento, campo) => campo.to_owned(),
        (_, campo) => format!("dados.{campo}"),
    }
}

/// Renumbers a path: `correcoes[3].valor` of a letter that repeats two is the caller's `correcoes[1].valor`.
fn counted_by_caller(campo: &str, before: usize) -> String {
    let split = campo.strip_prefix("correcoes[").and_then(|rest| rest.split_once(']'));
    let own = split.and_then(|(at, rest)| Some((at.parse::<usize>().ok()?.checked_sub(before)?, rest)));
    own.map_or_else(|| campo.to_owned(), |(at, rest)| format!("correcoes[{at}]{rest}"))
}

fn of_another_model(kind: cte::CteEventKind) -> Violation {
    let (documents, cStat) = match kind.models() {
        [67] => ("do CT-e OS (modelo 67)", 721),
        _ => ("do CT-e de carga (modelo 57)", 732),
    };
    let mensagem = format!("O evento {} é só {documents}. A autoridade responderia {cStat}.", kind.word());
    Violation::of("chave", "valor_invalido", &mensagem)
}

impl From<cte::CteEventKind> for EventType {
    fn from(kind: cte::CteEventKind) -> EventType {
        let cancels = kind == cte::CteEventKind::Cancelamento;
        EventType {
            code: kind.code(),
            most: kind.most(),
            receiver: if cancels { EventDestination::Authorizer } else { EventDestination::Home },
            is_queryable: true,
            cancels,
            follows: kind.follows().map(cte::CteEventKind::code),
            analysis: None,
            too_late: &[],
        }
    }
}
