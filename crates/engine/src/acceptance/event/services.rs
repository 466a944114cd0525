//! The events of a national NFS-e that its issuer asks for.
//!
//! Law: anexo II (events) and the layout of pedRegEvento 1.01; `spec/not-shown.md` 11.2 (codes of the reason).

use super::EventError;
use super::kind::{EventType, Receiver};
use super::ordered::{Occasion, OrderedEvent};
use crate::acceptance::issue::VER_PROC;
use crate::acceptance::order::{OnDocument, Order};
use fiscal::finding::{Notice, Violation};
use fiscal::nfse::event::{BuiltEvent, EventRequest, build};
use fiscal::value::{Chave, CnpjCpf, TpAmb};

/// `e101101`.
const CANCELLATION: &str = "101101";
/// Of a caller who gives none: other reasons.
const OTHER: &str = "9";

/// The event that an order registers.
pub(crate) fn kind(order: &Order) -> Option<EventType> {
    let Order::Cancelamento(_) = order else { return None };
    Some(EventType {
        code: CANCELLATION,
        most: 1,
        receiver: Receiver::Authorizer,
        told_by_query: true,
        cancels: true,
        follows: None,
    })
}

/// Everything that stops it; the layout has nothing to remark.
pub(crate) fn check(said: &OrderedEvent<'_>) -> Result<Vec<Notice>, EventError> {
    let Order::Cancelamento(OnDocument { cpf_cnpj, .. }) = said.order else { return Err(EventError::WrongModel) };
    // the environment changes nothing that the layout looks at
    written(said, *cpf_cnpj, TpAmb::Homologacao).map(|_| Vec::new()).map_err(EventError::Refused)
}

/// The unsigned request and its `Id`.
pub(crate) fn write(said: &OrderedEvent<'_>, occasion: &Occasion) -> Option<(String, String)> {
    let BuiltEvent { id, xml, .. } = written(said, occasion.autor, occasion.ambiente).ok()?;
    Some((xml, id))
}

fn written(said: &OrderedEvent<'_>, autor: CnpjCpf, ambiente: TpAmb) -> Result<BuiltEvent, Vec<Violation>> {
    let (Order::Cancelamento(OnDocument { act, .. }), Chave::Nfse(chave)) = (said.order, &said.chave) else {
        return Err(vec![Violation::of("chave", "valor_invalido", "Este evento é só da NFS-e.")]);
    };
    let request = EventRequest {
        ambiente,
        verAplic: VER_PROC,
        dhEvento: said.now,
        autor,
        chave,
        tpEvento: CANCELLATION,
        cMotivo: Some(act.codigo_motivo.as_deref().unwrap_or(OTHER)),
        xMotivo: Some(&act.justificativa),
    };
    build(&request)
}
