//! A caller that repeats orders on one note: those beyond the hour's limit wait for the next one, are then done, and
//! never earn a 656.

use crate::house::{House, act_on, key, on_both};
use engine::order::act_request::{DocumentAct, DocumentTarget};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use jiff::SignedDuration;
use simulator::clock::ClockMode;
use simulator::faults::{Fault, FaultType};
use std::time::Duration;
use store::jobs::{Job, JobStatus, RegistrationResult};
use uuid::Uuid;

const EVENT: &str = "NFeRecepcaoEvento4";
/// More than an hour, and the minute by which clocks may differ.
const LATER_S: u64 = 3_700;

async fn cancel(house: &House, note: Uuid) -> Uuid {
    let act = DocumentAct::Cancelar {
        justificativa: "Pedido duplicado pelo cliente".to_owned(),
        substituta: None,
        codigo_motivo: None,
        codigo_cancelamento: None,
    };
    let target = DocumentTarget::Job(note);
    let request = act_on(Tipo::Nfe, target, act);
    match house.engine.act(&house.caller, request).await.unwrap() {
        RegistrationResult::New(job) | RegistrationResult::Replay { job, .. } => job.id,
    }
}

async fn authorised(house: &House) -> (Uuid, String) {
    let job = house.ended(house.issue("Caderno").await).await;
    let document = job.document.unwrap();
    assert_eq!(document.state, DocumentState::Authorized);
    (job.id, key(&document))
}

/// `true` if the job waits for the next hour, `false` once it has ended.
async fn waits(house: &House, id: Uuid) -> bool {
    let now = house.clock_s();
    let decided = |job: &Job| {
        let erro = job.erro.as_ref().filter(|erro| erro.codigo == "limite_de_consultas");
        job.concluido_em.is_some() || erro.and_then(|erro| erro.proxima_tentativa_em).is_some_and(|at| at > now + 60)
    };
    house.job_when(id, "ended or waits", decided).await.concluido_em.is_none()
}

fn events_sent(house: &House) -> usize {
    house.simulator.requests().iter().filter(|one| one.servico == EVENT).count()
}

/// Moves both clocks, the authorities' first: an event of the future would be refused.
fn an_hour_later(house: &House, hours: u64) {
    let by = SignedDuration::from_secs(i64::try_from(hours * LATER_S).unwrap());
    house.simulator.clock().set_mode(ClockMode::Shifted(by));
    house.clock.forward(Duration::from_secs(LATER_S));
}

on_both! {
    async fn what_waited_is_sent_without_a_question_an_hour_later(house) {
        house.simulator.configure(|settings| settings.limites = true);
        let (note, chave) = authorised(&house).await;
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(501).on(EVENT).times(1_000));
        for hours in 1..=3_u8 {
            // one after the other, since only one at a time is under way: until the hour has no room for the next
            let mut asked = 0;
            while !waits(&house, cancel(&house, note).await).await {
                asked += 1;
                assert!(asked <= 20, "more than an hour takes");
            }
            assert_eq!(events_sent(&house), 20 * usize::from(hours));
            an_hour_later(&house, u64::from(hours));
        }
        assert_eq!(house.simulator.counts(&chave).consultada, 0, "nothing had left us: there was nothing to ask for");
        assert!(house.simulator.requests().iter().all(|one| one.cStat != Some(656)));
        house.close().await;
    }

    async fn a_cancellation_in_doubt_keeps_questions_for_when_the_authority_is_back(house) {
        let (note, _) = authorised(&house).await;
        house.simulator.add_fault(Fault::new(FaultType::ResetAfter).on(EVENT));
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on("NFeConsultaProtocolo4").times(1_000));
        let job = cancel(&house, note).await;
        assert!(waits(&house, job).await);
        house.simulator.faults().clear();
        let minutes = 13 * 60;
        house.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_secs(minutes)));
        house.clock.forward(Duration::from_secs(minutes.unsigned_abs()));
        assert_eq!(house.ended(job).await.status, JobStatus::Completed, "not an hour later");
        house.close().await;
    }

    async fn once_the_note_is_cancelled_its_other_cancellations_ask_nobody(house) {
        let mut house = house;
        house.simulator.configure(|settings| settings.limites = true);
        let (note, chave) = authorised(&house).await;
        house.stop_worker(Duration::from_secs(20)).await;
        let mut jobs = Vec::new();
        for _ in 0..40 {
            jobs.push(cancel(&house, note).await);
        }
        house.start();
        for id in jobs {
            let job = house.ended(id).await;
            assert_eq!(job.event_result.as_ref().and_then(|(codigo, _)| codigo.number()), Some(135), "{job:#?}");
        }
        let there = house.simulator.document(TpAmb::Homologacao, &chave).unwrap();
        assert_eq!(there.eventos.len(), 1);
        assert!(house.simulator.requests().iter().all(|one| one.cStat != Some(656)));
        house.close().await;
    }
}
