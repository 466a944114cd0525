//! Acts on a municipal NFS-e: its provider cancels it by a message of its own, not by an event.
//!
//! Law: ABRASF, `CancelarNfse` (codes 1 to 5); `docs/contract.md`, "NFS-e" (`codigo_cancelamento`, and the reasons of
//! GovDigital).

use super::event_type::{EventDestination, EventType};
use super::nfse::OTHER;
use super::ordered_event::OrderedEvent;
use crate::order::event_error::EventError;
use crate::order::{DocumentOrder, Order};
use fiscal::abrasf::message::{CancellationRequest, cancel};
use fiscal::abrasf::{AbrasfDialect, CancellationForm, UnsignedMessage, substitution};
use fiscal::finding::Notice;
use fiscal::value::{Chave, ChaveRps, TpAmb};

/// Type of the only act, in the ledger of events.
pub(crate) const CANCELLATION: &str = "cancelamento";

/// Code of a note that was issued with an error, as cancellation and as reason.
pub(crate) const ERROR: &str = "1";

/// Returns the event type of an order on a municipal note.
pub(crate) fn kind(order: &Order) -> Option<EventType> {
    match order {
        Order::Cancelamento(_) => Some(EventType {
            code: CANCELLATION,
            most: 1,
            receiver: EventDestination::Authorizer,
            is_queryable: true,
            cancels: true,
            follows: None,
            analysis: None,
            too_late: &[],
        }),
        _ => None,
    }
}

/// Returns the notice about an assumed cancellation code.
pub(crate) fn check(said: &OrderedEvent<'_>) -> Result<Vec<Notice>, EventError> {
    let Order::Cancelamento(DocumentOrder { act, .. }) = said.order else { return Err(EventError::WrongModel) };
    let by_code = said.dialect.is_some_and(|dialect| dialect.cancellation_form == CancellationForm::Code);
    if act.codigo_cancelamento.is_some() || !by_code {
        return Ok(Vec::new());
    }
    let codigo = code_of(act.codigo_motivo.as_deref().unwrap_or(OTHER));
    let mensagem = format!(
        "codigo_cancelamento não foi informado: será usado \"{codigo}\" (1 erro na emissão, 2 serviço não prestado, 3 erro de assinatura, 4 duplicidade, 5 \
         erro de processamento; em muitos municípios 3 e 5 são da prefeitura)."
    );
    Ok(vec![Notice::of("codigo_cancelamento".to_owned(), "assumido_padrao", &mensagem, None)])
}

/// Key of the note that an RPS replaces, which the provider substitutes with the new one.
pub(crate) fn replaced(signed: &str, asked_by: &str, ambiente: TpAmb) -> Option<Chave> {
    let before = substitution::replaced_rps(signed, &asked_by.parse().ok()?)?;
    ChaveRps::of(ambiente, &before).map(Chave::from)
}

/// Returns the message and the elements to sign.
pub(crate) fn message(said: &OrderedEvent<'_>, dialect: &AbrasfDialect) -> Option<UnsignedMessage> {
    let Order::Cancelamento(DocumentOrder { act, .. }) = said.order else { return None };
    let rps = said.chave.rps()?;
    let motivo = act.codigo_motivo.as_deref().unwrap_or(OTHER);
    let codigo = act.codigo_cancelamento.as_deref();
    let what = CancellationRequest {
        numero: &said.numero?.to_string(),
        municipio: rps.municipio,
        prestador: rps.issuer(),
        codigo: codigo.or_else(|| (dialect.cancellation_form == CancellationForm::Code).then(|| code_of(motivo))),
        motivo,
        justificativa: &act.justificativa,
    };
    Some(cancel(dialect, &what))
}

/// Code of a service that was not rendered, else that of an error.
fn code_of(motivo: &str) -> &'static str {
    if motivo == "2" { "2" } else { ERROR }
}
