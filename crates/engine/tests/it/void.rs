//! Voiding of numbers: reported once, whatever happens to the reply, and never given to a note.

use crate::house::{House, cnpj, on_both};
use engine::acceptance::void::VoidError;
use engine::jobs::query::{FileError, FileKind};
use engine::order::void::VoidRequest;
use fiscal::lifecycle::DocumentState;
use simulator::faults::{Fault, FaultType};
use store::jobs::{Job, JobAct, JobStatus, RegistrationResult};
use store::numbers::NumberState::{self, Used, Voided, Voiding};
use uuid::Uuid;

const SERVICE: &str = "NFeInutilizacao4";

fn request(from: u32, until: u32) -> VoidRequest {
    VoidRequest {
        cpf_cnpj: cnpj(),
        modelo: 55,
        serie: None,
        nNFIni: from,
        nNFFin: until,
        ano: None,
        justificativa: "Numeração pulada por falha do sistema".to_owned(),
        referencia: None,
        webhook_url: None,
    }
}

async fn void(house: &House, from: u32, until: u32) -> Result<Job, VoidError> {
    match house.engine.void(&house.caller, request(from, until)).await? {
        RegistrationResult::New(job) | RegistrationResult::Replay { job, .. } => Ok(job),
    }
}

async fn ended(house: &House, from: u32, until: u32) -> Job {
    let job = void(house, from, until).await.unwrap();
    house.ended(job.id).await
}

fn code(job: &Job) -> u16 {
    job.event_result.as_ref().and_then(|(codigo, _)| codigo.number()).unwrap_or_default()
}

fn voided(job: &Job) -> bool {
    job.act.as_ref().and_then(JobAct::void).is_some_and(|range| range.voided)
}

async fn states(house: &House) -> Vec<(u64, NumberState)> {
    house.ledger().await.iter().map(|row| (row.numero, row.state)).collect()
}

async fn xml(house: &House, job: Uuid) -> Result<String, FileError> {
    house.engine.download(store::Visibility::of(&house.caller), job, FileKind::Xml).await.map(|file| file.text)
}

/// Ranges that the authority has voided.
fn there(house: &House) -> Vec<(u32, u32)> {
    house.simulator.voided().iter().map(|range| (range.de, range.ate)).collect()
}

on_both! {
    async fn a_range_is_voided_and_notes_step_over_it(house) {
        let job = ended(&house, 1, 3).await;
        assert_eq!((job.status, code(&job), voided(&job)), (JobStatus::Completed, 102, true), "{job:#?}");
        let file = xml(&house, job.id).await.unwrap();
        assert!(file.contains("<ProcInutNFe") && file.contains("<nNFIni>1</nNFIni><nNFFin>3</nNFFin>"), "{file}");
        let note = house.ended(house.issue("Caderno").await).await.document.unwrap();
        assert_eq!((note.state, note.numero), (DocumentState::Authorized, 4));
        assert_eq!(states(&house).await, [(1, Voided), (2, Voided), (3, Voided), (4, Used)]);
        assert_eq!(there(&house), [(1, 3)]);
        house.close().await;
    }

    async fn a_lost_reply_does_not_void_twice(house) {
        let faults = [FaultType::ResetAfter, FaultType::ResetBefore, FaultType::HalfReply, FaultType::SoapFault, FaultType::Garbage];
        for (fault, number) in faults.into_iter().zip(1..) {
            house.simulator.add_fault(Fault::new(fault).on(SERVICE));
            let job = void(&house, number * 10, number * 10 + 4).await.unwrap();
            let job = house.ended_soon(job.id).await;
            let processed = matches!(fault, FaultType::ResetAfter | FaultType::HalfReply | FaultType::Garbage);
            let expected = if processed { 563 } else { 102 };
            assert_eq!((code(&job), voided(&job)), (expected, true), "{fault:?} {job:#?}");
            let protocol = job.act.as_ref().and_then(JobAct::void).and_then(|range| range.nProt.clone());
            let granted = house.simulator.voided().last().cloned().unwrap();
            assert_eq!(protocol, Some(granted.nProt), "the protocol of the one that was granted");
        }
        assert_eq!(there(&house), [(10, 14), (20, 24), (30, 34), (40, 44), (50, 54)]);
        house.close().await;
    }

    async fn a_refused_range_is_free_again(house) {
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(203).on(SERVICE));
        let job = ended(&house, 1, 2).await;
        assert_eq!((job.status, code(&job), voided(&job)), (JobStatus::Completed, 203, false));
        assert!(matches!(xml(&house, job.id).await, Err(FileError::NotProduced)));
        assert_eq!(states(&house).await, []);
        let note = house.ended(house.issue("Caderno").await).await.document.unwrap();
        assert_eq!(note.numero, 1);
        house.close().await;
    }

    async fn what_another_system_voided_is_given_to_no_note(house) {
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(256).on(SERVICE).times(2));
        let one = ended(&house, 1, 1).await;
        let several = ended(&house, 2, 3).await;
        assert_eq!((code(&one), code(&several), voided(&one), voided(&several)), (256, 256, false, false));
        assert_eq!(states(&house).await, [(1, Voided)], "which of several it means it does not say");
        house.close().await;
    }

    async fn only_free_numbers_are_voided(house) {
        house.ended(house.issue("Caderno").await).await;
        let held = void(&house, 1, 6).await;
        assert!(matches!(held, Err(VoidError::Held { numero: 1, state: Used })), "{held:?}");
        house.simulator.add_fault(Fault::new(FaultType::Refuse).times(2));
        let waiting = void(&house, 5, 6).await.unwrap();
        let held = void(&house, 6, 7).await;
        assert!(matches!(held, Err(VoidError::Held { numero: 6, state: Voiding | Voided })), "{held:?}");
        assert_eq!(code(&house.ended_soon(waiting.id).await), 102);
        house.close().await;
    }

    async fn what_the_law_does_not_take_is_not_registered(house) {
        for (from, until, campo) in [(5, 4, "numero_final"), (1, 10_001, "numero_final")] {
            let refused = void(&house, from, until).await;
            assert!(matches!(&refused, Err(VoidError::Invalid { campo: named, .. }) if *named == campo), "{refused:?}");
        }
        let refused = house.engine.void(&house.caller, VoidRequest { serie: Some(910), ..request(1, 1) }).await;
        assert!(matches!(refused, Err(VoidError::Invalid { campo: "serie", .. })), "{refused:?}");
        let refused = house.engine.void(&house.caller, VoidRequest { ano: Some(98), ..request(1, 1) }).await;
        assert!(matches!(refused, Err(VoidError::Invalid { campo: "ano", .. })), "{refused:?}");
        let short = VoidRequest { justificativa: "curta \u{1F600}".to_owned(), ..request(1, 1) };
        let refused = house.engine.void(&house.caller, short).await;
        assert!(matches!(refused, Err(VoidError::Layout(_))), "{refused:?}");
        assert_eq!(states(&house).await, []);
        house.close().await;
    }

    async fn more_than_an_hour_takes_wait_and_earn_no_656(house) {
        house.simulator.configure(|settings| settings.limites = true);
        let mut jobs = Vec::new();
        for number in 1..=25 {
            jobs.push(void(&house, number, number).await.unwrap().id);
        }
        let mut waiting = 0;
        for id in jobs {
            let decided = |job: &Job| {
                job.concluido_em.is_some() || job.erro.as_ref().is_some_and(|erro| erro.codigo == "limite_de_consultas")
            };
            waiting += usize::from(house.job_when(id, "ended or waits", decided).await.concluido_em.is_none());
        }
        assert_eq!((waiting, there(&house).len()), (5, 20));
        assert!(house.simulator.requests().iter().all(|one| one.cStat != Some(656)));
        house.close().await;
    }
}
