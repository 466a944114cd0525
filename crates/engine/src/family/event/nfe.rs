//! Events of an NF-e: the type that an order registers, and its content.

use super::ordered_event::{EventHeader, OrderedEvent};
use crate::family::emission::VER_PROC;
use crate::order::act::CartaCorrecao;
use crate::order::event_error::EventError;
use crate::order::{DocumentOrder, Order};
use fiscal::event::{self, EventDetail, NfeEventKind};
use fiscal::finding::Notice;
use fiscal::value::ChaveAcesso;

/// Checks an event of an NF-e; returns its notices, or everything that stops it.
pub(crate) fn check(said: &OrderedEvent<'_>) -> Result<Vec<Notice>, EventError> {
    let detail = of(said).ok_or(EventError::WrongModel)?;
    let faults = event::check(&detail);
    if faults.is_empty() { Ok(Vec::new()) } else { Err(EventError::Invalid(faults)) }
}

/// Returns the unsigned event of an NF-e and its `Id`.
pub(crate) fn write(said: &OrderedEvent<'_>, occasion: &EventHeader) -> Option<(String, String)> {
    Some(event::build(&said.envelope(occasion)?, &of(said)?))
}

fn of<'s>(said: &'s OrderedEvent<'_>) -> Option<EventDetail<'s>> {
    detail(said.order, &said.chave.acesso()?, said.nProt)
}

/// Detail of the event of an order; `None` when it registers none. `nProt` is the document's.
fn detail<'o>(order: &'o Order, chave: &ChaveAcesso, nProt: &'o str) -> Option<EventDetail<'o>> {
    let (uf, verAplic) = (chave.parts().uf, VER_PROC);
    Some(match order {
        Order::Emissao(_) | Order::Inutilizacao(_) | Order::Evento(_) | Order::AnaliseFiscal(_) => return None,
        Order::Cancelamento(DocumentOrder { act, .. }) => {
            let xJust = act.justificativa.as_str();
            match act.chave_substituta {
                Some(chNFeRef) => EventDetail::CancelamentoPorSubstituicao { uf, verAplic, nProt, xJust, chNFeRef },
                None => EventDetail::Cancelamento { nProt, xJust },
            }
        }
        Order::CartaCorrecao(DocumentOrder { act, .. }) => match act {
            CartaCorrecao::Texto { correcao } => EventDetail::CartaCorrecao { xCorrecao: correcao },
            CartaCorrecao::Campos { .. } => return None,
        },
        Order::Manifestacao(said) => {
            EventDetail::Manifestacao { kind: said.tipo.kind()?, xJust: said.justificativa.as_deref() }
        }
        Order::AtorInteressado(DocumentOrder { act, .. }) => {
            let permite = Some(act.permite);
            EventDetail::AtorInteressado { uf, tpAutor: ISSUER, verAplic, autXML: act.ator, permite }
        }
    })
}

/// Type of the event that an order registers.
pub(crate) fn kind(order: &Order) -> Option<NfeEventKind> {
    match order {
        Order::Emissao(_) | Order::Inutilizacao(_) | Order::Evento(_) | Order::AnaliseFiscal(_) => None,
        Order::Cancelamento(DocumentOrder { act, .. })
            if act.chave_substituta.is_some() || act.por_substituicao == Some(true) =>
        {
            Some(NfeEventKind::CancelamentoPorSubstituicao)
        }
        Order::Cancelamento(_) => Some(NfeEventKind::Cancelamento),
        Order::CartaCorrecao(_) => Some(NfeEventKind::CartaCorrecao),
        Order::AtorInteressado(_) => Some(NfeEventKind::AtorInteressado),
        Order::Manifestacao(said) => said.tipo.kind(),
    }
}

/// `tpAutor` of the document's issuer.
const ISSUER: u8 = 1;
