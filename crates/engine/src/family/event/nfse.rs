//! Events of a national NFS-e that its issuer or a party to it requests.
//!
//! Law: anexo II (events) and the layout of pedRegEvento 1.01; `docs/contract.md`, "NFS-e" (codes of the reason).

use super::act_history::ActHistory;
use super::event_type::{EventDestination, EventType};
use super::ordered_event::{EventHeader, OrderedEvent};
use crate::family::emission::VER_PROC;
use crate::order::event_error::EventError;
use crate::order::{DocumentOrder, Order};
use fiscal::finding::{Notice, Violation};
use fiscal::nfse::event::{BuiltEvent, NfseEventRequest, build};
use fiscal::nfse::event_matrix::{self, RegisteredKinds};
use fiscal::nfse::registered::{ANALYSIS, AnalysisState, CANCELLATION, RegisteredNfseEvent};
use fiscal::value::{Chave, CnpjCpf, TpAmb};

/// Code of other reasons, when the caller gives none.
pub(crate) const OTHER: &str = "9";
/// E0822: the deadline of the município is over.
const TOO_LATE: [(&str, &str); 1] = [(
    "E0822",
    "O prazo em que o prestador cancela a nota terminou neste município. Peça a ele a análise fiscal com POST /v1/nfse/solicitar-analise; se for deferida, a \
     nota é cancelada por ela.",
)];

/// Type of the event that an order registers.
pub(crate) fn kind(order: &Order) -> Option<EventType> {
    let of = |code, cancels| EventType {
        code,
        most: 1,
        receiver: EventDestination::Authorizer,
        is_queryable: true,
        cancels,
        follows: None,
        analysis: None,
        too_late: &[],
    };
    match order {
        Order::Cancelamento(_) => Some(EventType { too_late: &TOO_LATE, ..of(CANCELLATION, true) }),
        Order::AnaliseFiscal(_) => {
            Some(EventType { analysis: Some(AnalysisState::Pending.word()), ..of(ANALYSIS, false) })
        }
        Order::Manifestacao(said) => Some(of(said.national_event()?, false)),
        _ => None,
    }
}

/// Checks an event; the layout gives no notices.
pub(crate) fn check(said: &OrderedEvent<'_>) -> Result<Vec<Notice>, EventError> {
    let autor = match said.order {
        Order::Cancelamento(DocumentOrder { cpf_cnpj, .. }) => *cpf_cnpj,
        Order::AnaliseFiscal(DocumentOrder { cpf_cnpj, .. }) => *cpf_cnpj,
        Order::Manifestacao(said) => said.cpf_cnpj,
        _ => return Err(EventError::WrongModel),
    };
    // no check of the layout depends on the environment
    written(said, autor, TpAmb::Homologacao).map(|_| Vec::new()).map_err(EventError::Refused)
}

/// Returns the unsigned request and its `Id`.
pub(crate) fn write(said: &OrderedEvent<'_>, occasion: &EventHeader) -> Option<(String, String)> {
    let BuiltEvent { id, xml, .. } = written(said, occasion.autor, occasion.ambiente).ok()?;
    Some((xml, id))
}

/// Checks a new event against the registered ones: a notice when the authority will refuse it, an error when one is
/// under way already.
pub(crate) fn check_history(history: &ActHistory<'_>) -> Result<Vec<Notice>, String> {
    let pending = AnalysisState::Pending.word();
    if matches!(history.order, Order::AnaliseFiscal(_)) && history.document.analise_fiscal.as_deref() == Some(pending) {
        return Err("O município ainda não respondeu ao pedido de análise fiscal desta nota (analise_fiscal \"pendente\"). Espere a resposta dele: a \
                    autoridade recusaria o segundo pedido com E0848."
            .to_owned());
    }
    let Some(wanted) = kind(history.order) else { return Ok(Vec::new()) };
    let registered = history.events.iter().filter(|row| row.registered);
    let kinds: Vec<&str> = registered.map(|row| row.tpEvento.as_str()).collect();
    let blocked = history.last.and_then(RegisteredNfseEvent::of).and_then(|event| event.codEvento);
    let registered = RegisteredKinds { kinds: &kinds, blocked: blocked.as_deref() };
    Ok(event_matrix::hindrance_notice(registered, wanted.code, "chave").into_iter().collect())
}

fn written<'s>(said: &'s OrderedEvent<'_>, autor: CnpjCpf, ambiente: TpAmb) -> Result<BuiltEvent, Vec<Violation>> {
    let alien = || vec![Violation::of("chave", "valor_invalido", "Este evento é só da NFS-e.")];
    let Chave::Nfse(chave) = &said.chave else { return Err(alien()) };
    let tpEvento = kind(said.order).ok_or_else(alien)?.code;
    let or_other = |given: &'s Option<String>| Some(given.as_deref().unwrap_or(OTHER));
    let (cMotivo, xMotivo) = match said.order {
        Order::Cancelamento(DocumentOrder { act, .. }) => {
            (or_other(&act.codigo_motivo), Some(act.justificativa.as_str()))
        }
        Order::AnaliseFiscal(DocumentOrder { act, .. }) => {
            (or_other(&act.codigo_motivo), Some(act.justificativa.as_str()))
        }
        Order::Manifestacao(said) => (said.codigo_motivo.as_deref(), said.justificativa.as_deref()),
        _ => return Err(alien()),
    };
    let request =
        NfseEventRequest { ambiente, verAplic: VER_PROC, dhEvento: said.now, autor, chave, tpEvento, cMotivo, xMotivo };
    build(&request)
}
