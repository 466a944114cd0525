//! Contingency: a company loses nothing when its authority stops. Its notes go by the SVC, return to the normal
//! authority when that works, and none exists twice.

use crate::house::{House, act_on, cnpj, key, on_both, options};
use engine::order::act_request::{ActRequest, DocumentAct, DocumentTarget};
use engine::worker::Worker;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use serde_json::json;
use simulator::LedgerStatus;
use simulator::clock::ClockMode;
use simulator::faults::{Fault, FaultType};
use simulator::settings::ServiceMode;
use std::collections::BTreeSet;
use std::time::Duration;
use store::audit::Actor;
use store::jobs::{ClaimRequest, Job, JobDocument, JobFailure, JobStatus, RegistrationResult};
use store::numbers::NumberState;
use uuid::Uuid;

const AUTHORISATION: &str = "NFeAutorizacao4";
/// Seconds until a status service may be queried again.
const NEXT_POLL: u64 = 181;

/// Moves both clocks.
fn later(house: &House, moved: &mut u64, seconds: u64) {
    *moved += seconds;
    house.clock.forward(Duration::from_secs(seconds));
    let by = jiff::SignedDuration::from_secs(i64::try_from(*moved).unwrap());
    house.simulator.clock().set_mode(ClockMode::Shifted(by));
}

/// Opens SP's circuit, so that notes go to its SVC.
async fn fall_over(house: &House) -> Job {
    let first = house.issue("Caderno").await;
    let second = house.issue("Caneta").await;
    house.ended(second).await;
    house.ended(first).await
}

/// Makes the only job's document the superseded one, and the job begins anew.
async fn set_aside(house: &House) -> Uuid {
    let (store, now) = (house.engine.store(), house.clock_s());
    let later = now + 3600;
    let if_unreadable = JobFailure {
        codigo: "erro_interno".into(),
        etapa: "transmissao".into(),
        mensagem: String::new(),
        repetivel: false,
        proxima_tentativa_em: None,
    };
    let request = ClaimRequest {
        now: later,
        leases_now: later,
        lease_until: later + 60,
        limit: 1,
        except_authorities: Vec::new(),
        if_unreadable,
    };
    let lease = store.claim(request).await.unwrap().remove(0).lease;
    let twin = Uuid::now_v7();
    store.supersede_document(lease, twin, now, now, Vec::new()).await.unwrap();
    store.retry_at(lease, now, None, now, Vec::new()).await.unwrap();
    twin
}

fn assert_by_svc(house: &House, job: &Job) {
    let document = job.document.as_ref().unwrap();
    assert_eq!((document.state, document.tipo_emissao), (DocumentState::Authorized, 6), "{job:#?}");
    let contingencia = document.contingencia.as_ref().unwrap();
    assert_eq!((contingencia.tipo.as_str(), contingencia.autoridade.as_deref()), ("svc", Some("SVC-AN")));
    assert!(contingencia.justificativa.starts_with("Autorizador SP fora de operação: 109"), "{contingencia:?}");
    assert_eq!(key(document).get(34..35), Some("6"));
    let requests = house.simulator.requests();
    let who: Vec<&str> = requests
        .iter()
        .filter(|one| one.chaves.contains(&key(document)) && one.cStat == Some(100))
        .map(|one| one.autoridade.as_str())
        .collect();
    assert_eq!(who, ["svc-an"]);
}

async fn configure(house: &House, contingencia: &str) {
    let configuracao = json!({"ambiente": 2, "crt": 1, "serie": "1", "contingencia": contingencia});
    let (tenant, by) = (house.caller.tenant_id, Actor::operator());
    house.engine.store().configure_company(tenant, cnpj(), "nfe", configuracao, &by, 0).await.unwrap();
}

/// `true` if its authority's circuit is open and no earlier call is still running, whose late answer would open it once
/// more.
fn waits_for_the_authority(job: &Job) -> bool {
    job.status == JobStatus::Pending
        && job.erro.as_ref().is_some_and(|erro| erro.mensagem.contains("fora de operação (109"))
}

/// Issues notes until one is issued normally; returns how many went by the SVC before.
async fn until_normal(house: &House) -> usize {
    for by_svc in 0..50 {
        let job = house.ended(house.issue("Caderno").await).await;
        if job.document.unwrap().tipo_emissao == 1 {
            return by_svc;
        }
    }
    panic!("the normal way was never taken again");
}

fn is_authorised(job: &Job) -> bool {
    job.document.as_ref().is_some_and(|it| it.state == DocumentState::Authorized)
}

/// A note that gets no reply from its falling authority, which then stays down long enough for a second issue: its job,
/// and the first document.
async fn lost_for_long(house: &House, fault: FaultType, moved: &mut u64) -> (Uuid, JobDocument) {
    house.simulator.add_fault(Fault::new(fault).on(AUTHORISATION).containing("Caderno [D]"));
    house.simulator.add_fault(Fault::new(FaultType::Empty200).on("NFeConsultaProtocolo4").times(u64::MAX));
    let id = house.issue("Caderno [D]").await;
    let in_doubt = |job: &Job| job.document.as_ref().is_some_and(|it| it.state == DocumentState::InDoubt);
    let first = house.job_when(id, "in doubt", in_doubt).await.document.unwrap();
    house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
    fall_over(house).await;
    later(house, moved, 301);
    (id, first)
}

fn cancellation_of(note: Uuid) -> ActRequest {
    let act = DocumentAct::Cancelar {
        justificativa: "Pedido cancelado pelo cliente".to_owned(),
        substituta: None,
        codigo_motivo: None,
        codigo_cancelamento: None,
    };
    let target = DocumentTarget::Job(note);
    act_on(Tipo::Nfe, target, act)
}

fn registered(registered: RegistrationResult) -> Job {
    let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = registered;
    job
}

on_both! {
    async fn a_stopped_authority_is_left_for_its_svc_and_taken_again(house) {
        let mut moved = 0;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        assert_by_svc(&house, &fall_over(&house).await);
        let third = house.ended(house.issue("Lápis").await).await;
        assert_by_svc(&house, &third);
        assert!(house.history(third.id).await.contains("Em contingência (SVC-AN, tpEmis 6)"));
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        until_normal(&house).await;
        let ledger = house.ledger().await;
        assert!(ledger.iter().all(|row| row.state == NumberState::Used), "{ledger:?}");
        assert_eq!(ledger.len(), house.simulator.documents(None).len());
        house.close().await;
    }

    async fn without_contingency_a_note_waits_and_leaves_when_the_authority_works(house) {
        let mut moved = 0;
        configure(&house, "nenhuma").await;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        let (first, second) = (house.issue("Caderno").await, house.issue("Caneta").await);
        for id in [first, second] {
            house.job_when(id, "waits", waits_for_the_authority).await;
        }
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        for id in [first, second] {
            let document = house.ended(id).await.document.unwrap();
            assert_eq!((document.state, document.tipo_emissao), (DocumentState::Authorized, 1));
        }
        house.close().await;
    }

    async fn an_svc_that_the_state_has_not_switched_on_is_not_used(house) {
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao), ("svc-an", ServiceMode::SvcDesabilitada)]);
        let (first, second) = (house.issue("Caderno").await, house.issue("Caneta").await);
        for id in [first, second] {
            house.job_when(id, "waits", waits_for_the_authority).await;
        }
        let asked = |one: &simulator::RequestRecord| one.autoridade == "svc-an" && one.servico == AUTHORISATION;
        assert!(!house.simulator.requests().iter().any(asked));
        house.close().await;
    }

    async fn an_svc_switched_off_in_the_middle_sends_its_note_back(house) {
        let mut moved = 0;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        fall_over(&house).await;
        // the state works again, and reports it by switching its SVC off
        house.stand(&[("svc-an", ServiceMode::SvcDesabilitada)]);
        later(&house, &mut moved, 61);
        let document = house.ended(house.issue("Lápis").await).await.document.unwrap();
        assert_eq!((document.state, document.tipo_emissao), (DocumentState::Authorized, 1));
        assert_eq!(house.simulator.counts(&key(&document)).gravada, 1);
        house.close().await;
    }

    async fn a_note_in_doubt_waits_for_its_authority_while_the_outage_is_short(house) {
        house.simulator.add_fault(Fault::new(FaultType::ResetAfter).on(AUTHORISATION).containing("Caderno [D]"));
        house.simulator.add_fault(Fault::new(FaultType::Empty200).on("NFeConsultaProtocolo4").times(3));
        let doubtful = house.issue("Caderno [D]").await;
        let in_doubt = |job: &Job| job.document.as_ref().is_some_and(|it| it.state == DocumentState::InDoubt);
        house.job_when(doubtful, "in doubt", in_doubt).await;
        let chave = house.job(doubtful).await.document.unwrap().chave.unwrap();
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        assert_by_svc(&house, &fall_over(&house).await);
        house.stand(&[]);
        let settled = house.ended(doubtful).await.document.unwrap();
        assert_eq!((settled.state, settled.tipo_emissao, settled.chave), (DocumentState::Authorized, 1, Some(chave)));
        assert_eq!(house.simulator.counts(chave.as_str()).recebida, 1);
        house.close().await;
    }

    async fn a_note_in_doubt_goes_by_the_svc_under_another_number_and_the_first_is_cancelled(house) {
        let mut moved = 0;
        let (id, first) = lost_for_long(&house, FaultType::ResetAfter, &mut moved).await;
        let job = house.job_when(id, "authorised by the SVC", is_authorised).await;
        let document = job.document.clone().unwrap();
        assert_eq!(document.tipo_emissao, 6, "{job:#?}");
        assert!(document.numero != first.numero && document.chave != first.chave);
        let twin = job.act.as_ref().and_then(store::jobs::JobAct::replaces).unwrap();
        house.simulator.faults().clear();
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        let cancelled = |job: &Job| job.document.as_ref().is_some_and(|it| it.state == DocumentState::Cancelled);
        let twin = house.job_when(twin, "cancelled", cancelled).await.document.unwrap();
        assert_eq!(twin.chave, first.chave);
        let there = house.simulator.document(TpAmb::Homologacao, &key(&first)).unwrap();
        assert_eq!((there.situacao, there.eventos[0].tpEvento.as_str()), (LedgerStatus::Cancelada, "110111"));
        assert_eq!(house.simulator.counts(&key(&first)).recebida, 1, "never sent again");
        let ledger = house.ledger().await;
        assert!(ledger.iter().all(|row| row.state == NumberState::Used), "{ledger:?}");
        house.close().await;
    }

    async fn a_first_note_that_was_never_received_gives_its_number_back(house) {
        let mut moved = 0;
        let (id, first) = lost_for_long(&house, FaultType::ResetBefore, &mut moved).await;
        let job = house.job_when(id, "authorised by the SVC", is_authorised).await;
        let twin = job.act.as_ref().and_then(store::jobs::JobAct::replaces).unwrap();
        house.simulator.faults().clear();
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        // one query that does not find it proves nothing; the next one has its turn in the hour
        let asked_once = |job: &Job| {
            let has_no_turn = |erro: &store::jobs::JobFailure| erro.codigo == "limite_de_consultas";
            job.status == JobStatus::Cancelled || job.erro.as_ref().is_some_and(has_no_turn)
        };
        house.job_when(twin, "asked", asked_once).await;
        later(&house, &mut moved, 13 * 60);
        house.job_when(twin, "dropped", |job| job.status == JobStatus::Cancelled).await;
        assert_eq!(house.simulator.counts(&key(&first)).recebida, 0, "never sent again");
        let next = house.ended(house.issue("Depois").await).await.document.unwrap();
        assert_eq!((next.numero, next.state), (first.numero, DocumentState::Authorized));
        house.close().await;
    }

    async fn a_sale_that_goes_the_usual_way_after_all_takes_the_number_of_its_first_note_under_another_key(house) {
        let mut house = house;
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on(AUTHORISATION));
        house.simulator.add_fault(Fault::new(FaultType::Empty200).on("NFeConsultaProtocolo4").times(2));
        let id = house.issue("Caderno").await;
        let in_doubt = |job: &Job| job.document.as_ref().is_some_and(|it| it.state == DocumentState::InDoubt);
        let first = house.job_when(id, "in doubt", in_doubt).await.document.unwrap();
        house.stop_worker(Duration::from_secs(20)).await;
        // killed right after the sale was to be issued again
        let twin = set_aside(&house).await;
        house.start();
        house.job_when(twin, "dropped", |job| job.status == JobStatus::Cancelled).await;
        let document = house.ended(id).await.document.unwrap();
        assert_eq!((document.state, document.tipo_emissao, document.numero), (DocumentState::Authorized, 1, first.numero));
        assert_ne!(document.chave, first.chave);
        house.close().await;
    }

    async fn a_restart_remembers_who_does_not_work(house) {
        let mut house = house;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        fall_over(&house).await;
        house.stop_worker(Duration::from_secs(20)).await;
        let asked = house.simulator.requests().len();
        let engine = house.another_engine().await;
        let worker = Worker::start(engine.clone(), options());
        let job = house.ended(house.issue("Lápis").await).await;
        assert_by_svc(&house, &job);
        let requests = house.simulator.requests();
        let new: Vec<&str> = requests[asked..].iter().map(|one| one.autoridade.as_str()).collect();
        assert_eq!(new, ["svc-an"], "SP was not asked again");
        worker.stop(Duration::from_secs(20)).await;
        engine.store().close().await;
        house.start();
        house.close().await;
    }

    async fn a_note_of_the_svc_is_cancelled_at_the_svc(house) {
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        let issued = fall_over(&house).await;
        let request = cancellation_of(issued.id);
        let cancellation = registered(house.engine.act(&house.caller, request).await.unwrap());
        house.ended(cancellation.id).await;
        assert_eq!(house.job(issued.id).await.document.unwrap().state, DocumentState::Cancelled);
        let requests = house.simulator.requests();
        let event = requests.iter().find(|one| one.servico == "NFeRecepcaoEvento4").unwrap();
        assert_eq!(event.autoridade, "svc-an");
        house.close().await;
    }

    async fn a_block_by_656_outlives_the_process(house) {
        let mut house = house;
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(656).on(AUTHORISATION));
        let blocked = |job: &Job| job.erro.as_ref().is_some_and(|erro| erro.codigo == "consumo_indevido");
        house.job_when(house.issue("Caderno").await, "blocked", blocked).await;
        house.stop_worker(Duration::from_secs(20)).await;
        let asked = house.simulator.requests().len();
        let engine = house.another_engine().await;
        let worker = Worker::start(engine.clone(), options());
        let second = house.issue("Caneta").await;
        house.job_when(second, "blocked", blocked).await;
        assert_eq!(house.simulator.requests().len(), asked, "nothing is sent inside the block");
        worker.stop(Duration::from_secs(20)).await;
        engine.store().close().await;
        house.start();
        house.close().await;
    }

    async fn a_receipt_outlives_the_process(house) {
        let mut house = house;
        house.simulator.add_fault(Fault::new(FaultType::Async).on(AUTHORISATION));
        let id = house.issue("Caderno").await;
        let pending = |job: &Job| job.document.as_ref().is_some_and(|it| it.nRec.is_some());
        house.job_when(id, "has a receipt", pending).await;
        house.stop_worker(Duration::from_secs(20)).await;
        let engine = house.another_engine().await;
        let worker = Worker::start(engine.clone(), options());
        let job = house.ended_soon(id).await;
        assert_eq!(job.document.as_ref().unwrap().state, DocumentState::Authorized);
        let key = key(&job.document.unwrap());
        assert_eq!(house.simulator.counts(&key).consultada, 0, "asked by its receipt, not by its key");
        worker.stop(Duration::from_secs(20)).await;
        engine.store().close().await;
        house.start();
        house.close().await;
    }

    async fn one_key_has_one_bucket_however_it_is_asked_for(house) {
        house.simulator.configure(|settings| settings.limites = true);
        let issued = house.ended(house.issue("Caderno").await).await;
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(501).on("NFeRecepcaoEvento4").times(1_000));
        let mut waiting = BTreeSet::new();
        for _ in 0..30 {
            let request = cancellation_of(issued.id);
            // while one waits, another order is answered with it
            let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) =
                house.engine.act(&house.caller, request).await.unwrap();
            let ended_or_waits = |job: &Job| {
                job.concluido_em.is_some() || job.erro.as_ref().is_some_and(|erro| erro.codigo == "limite_de_consultas")
            };
            let job = house.job_when(job.id, "ended or waits", ended_or_waits).await;
            waiting.extend(job.concluido_em.is_none().then_some(job.id));
        }
        let events = house.simulator.requests().iter().filter(|one| one.servico == "NFeRecepcaoEvento4").count();
        assert_eq!((waiting.len(), events), (1, 20));
        assert!(house.simulator.requests().iter().all(|one| one.cStat != Some(656)));
        house.close().await;
    }
}
