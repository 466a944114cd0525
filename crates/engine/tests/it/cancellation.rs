//! Cancellation: an event registered once, whatever happens to its reply.

use crate::house::{House, act_on, key, on_both};
use engine::order::act_request::{DocumentAct, DocumentTarget};
use engine::order::event_error::EventError;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use simulator::LedgerStatus;
use simulator::faults::{Fault, FaultType};
use store::jobs::{Job, JobStatus, RegistrationResult};
use uuid::Uuid;

const EVENT: &str = "NFeRecepcaoEvento4";

async fn cancel(house: &House, target: DocumentTarget) -> Result<Job, EventError> {
    let act = DocumentAct::Cancelar {
        justificativa: "Pedido duplicado pelo cliente".to_owned(),
        substituta: None,
        codigo_motivo: None,
        codigo_cancelamento: None,
    };
    let request = act_on(Tipo::Nfe, target, act);
    match house.engine.act(&house.caller, request).await? {
        RegistrationResult::New(job) | RegistrationResult::Replay { job, .. } => Ok(job),
    }
}

async fn authorised(house: &House) -> Uuid {
    let id = house.issue("Caderno").await;
    assert_eq!(house.ended(id).await.document.unwrap().state, DocumentState::Authorized);
    id
}

/// Cancelled on both sides, by one event.
async fn assert_cancelled(house: &House, emission: Uuid, cancellation: Uuid) {
    let job = house.ended(cancellation).await;
    assert_eq!(job.status, JobStatus::Completed, "{job:#?}");
    assert_eq!(job.event_result.as_ref().and_then(|(codigo, _)| codigo.number()), Some(135), "{job:#?}");
    let document = house.job(emission).await.document.unwrap();
    assert_eq!(document.state, DocumentState::Cancelled);
    let there = house.simulator.document(TpAmb::Homologacao, &key(&document)).unwrap();
    assert_eq!((there.situacao, there.eventos.len()), (LedgerStatus::Cancelada, 1));
    let arquivo = engine::jobs::query::FileKind::XmlCancelamento;
    let file = house.engine.download(store::Visibility::of(&house.caller), cancellation, arquivo).await.unwrap();
    assert!(file.text.contains("<procEventoNFe"), "{}", file.text);
}

on_both! {
    async fn an_authorised_note_is_cancelled_by_its_job_or_its_key(house) {
        let by_job = authorised(&house).await;
        let by_key = authorised(&house).await;
        let chave = key(&house.job(by_key).await.document.unwrap());
        let first = cancel(&house, DocumentTarget::Job(by_job)).await.unwrap();
        let second = cancel(&house, DocumentTarget::Chave(chave)).await.unwrap();
        assert_cancelled(&house, by_job, first.id).await;
        assert_cancelled(&house, by_key, second.id).await;
        house.close().await;
    }

    async fn only_an_authorised_note_of_the_company_can_be_cancelled(house) {
        let rejected = house.issue("Caderno [SIM:cStat=778]").await;
        house.ended(rejected).await;
        assert!(matches!(cancel(&house, DocumentTarget::Job(rejected)).await, Err(EventError::NotAuthorized)));
        let unknown = cancel(&house, DocumentTarget::Job(Uuid::now_v7())).await;
        assert!(matches!(unknown, Err(EventError::UnknownDocument)));
        house.close().await;
    }

    async fn a_lost_reply_does_not_register_a_second_event(house) {
        for fault in [FaultType::ResetAfter, FaultType::ResetBefore, FaultType::HalfReply, FaultType::SoapFault, FaultType::Garbage] {
            let note = authorised(&house).await;
            house.simulator.add_fault(Fault::new(fault).on(EVENT));
            let job = cancel(&house, DocumentTarget::Job(note)).await.unwrap();
            assert_cancelled(&house, note, job.id).await;
        }
        house.close().await;
    }

    async fn two_cancellations_of_one_note_find_the_same_event(house) {
        let note = authorised(&house).await;
        let first = cancel(&house, DocumentTarget::Job(note)).await.unwrap();
        let second = cancel(&house, DocumentTarget::Job(note)).await;
        assert_cancelled(&house, note, first.id).await;
        if let Ok(second) = second {
            assert_cancelled(&house, note, second.id).await;
        }
        house.close().await;
    }

    async fn a_refused_cancellation_leaves_the_note_authorised(house) {
        let note = authorised(&house).await;
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(501).on(EVENT));
        let job = cancel(&house, DocumentTarget::Job(note)).await.unwrap();
        let ended = house.ended(job.id).await;
        assert_eq!(ended.status, JobStatus::Completed);
        assert_eq!(ended.event_result.unwrap().0.number(), Some(501));
        assert_eq!(house.job(note).await.document.unwrap().state, DocumentState::Authorized);
        house.close().await;
    }
}
