//! A copy of the database is put back after its documents were authorised: each is restored to its document, and no
//! number is given twice.

use crate::house::{House, key, of_each, on_both};
use engine::acceptance::issue::IssueError;
use engine::restored::MarkKeeper;
use fiscal::lifecycle::DocumentState;
use simulator::faults::{Fault, FaultType};
use simulator::settings::ServiceMode;
use std::collections::BTreeSet;
use std::time::Duration;
use store::jobs::{JobDocument, JobStatus, RegistrationResult};
use uuid::Uuid;

/// Identity at the authority, and digest.
fn identity(document: &JobDocument) -> (Option<String>, Option<String>) {
    (document.asked_by.clone(), document.digest.clone())
}

async fn authorized(house: &House, id: Uuid) -> JobDocument {
    let job = house.ended_soon(id).await;
    let document = job.document.unwrap();
    assert_eq!(document.state, DocumentState::Authorized, "{:?}\n{}", job.erro, house.history(id).await);
    document
}

/// Orders that the copy holds unnumbered, and one that was registered after it.
async fn lost_and_kept(house: &mut House) -> (Vec<Uuid>, Vec<JobDocument>) {
    let keeper = MarkKeeper::start(house.engine.clone(), Some(house.mark())).await.unwrap();
    keeper.stop().await;
    house.stop_worker(Duration::from_secs(5)).await;
    let mut kept = Vec::new();
    for text in ["Caderno", "Caneta", "Borracha"] {
        kept.push(house.issue(text).await);
    }
    house.take_copy().await;
    house.start();
    let mut before = Vec::new();
    let lost = house.issue("Perdida").await;
    for id in kept.iter().copied().chain([lost]) {
        before.push(authorized(house, id).await);
    }
    let keeper = MarkKeeper::start(house.engine.clone(), Some(house.mark())).await.unwrap();
    keeper.stop().await;
    (kept, before)
}

/// Puts the copy back; documents in flight at that time have arrived.
async fn put_back(house: &mut House) -> MarkKeeper {
    house.put_copy_back().await;
    let keeper = MarkKeeper::start(house.engine.clone(), Some(house.mark())).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    keeper
}

async fn each_comes_back(mut house: House) {
    let (kept, before) = lost_and_kept(&mut house).await;
    let keeper = put_back(&mut house).await;
    assert!(house.engine.restored().is_some(), "the mark beside the database is ahead of it");
    house.start();
    for (id, before) in kept.iter().zip(&before) {
        let document = authorized(&house, *id).await;
        assert_eq!(identity(&document), identity(before), "{}", house.history(*id).await);
        assert_eq!((document.numero, &document.nProt), (before.numero, &before.nProt));
    }
    let next = house.issue("Depois").await;
    let document = authorized(&house, next).await;
    let used: BTreeSet<u64> = before.iter().map(|one| one.numero).collect();
    assert_eq!(Some(document.numero), used.last().map(|last| last + 1));
    let listed = house.engine.store().restored_series().await.unwrap();
    assert_eq!((listed[0].found, listed[0].unclaimed, listed[0].progress.is_cleared), (4, 1, true));
    keeper.stop().await;
    house.close().await;
}

of_each! {
    async fn every_document_of_the_copy_comes_back_as_it_was(house) {
        each_comes_back(house).await;
    }
}

of_each! {
    services
    async fn every_declaration_of_the_copy_comes_back_as_it_was(house) {
        each_comes_back(house).await;
    }
}

on_both! {
    async fn no_number_is_given_while_the_authority_does_not_say_where_the_series_stands(house) {
        let mut house = house;
        let (kept, before) = lost_and_kept(&mut house).await;
        let keeper = put_back(&mut house).await;
        house.simulator.add_fault(Fault::new(FaultType::HttpStatus).status(503).times(2).on(house.issues.query));
        house.start();
        let waits = |job: &store::jobs::Job| job.erro.as_ref().is_some_and(|erro| erro.etapa == "consulta");
        let job = house.job_when(kept[0], "waits for the authority", waits).await;
        assert!(job.document.is_none());
        assert_eq!(identity(&authorized(&house, kept[0]).await), identity(&before[0]));
        keeper.stop().await;
        house.close().await;
    }

    async fn a_note_that_went_by_the_svc_after_the_copy_is_left_to_people_and_its_number_to_nobody(house) {
        let mut house = house;
        MarkKeeper::start(house.engine.clone(), Some(house.mark())).await.unwrap().stop().await;
        house.stop_worker(Duration::from_secs(5)).await;
        let sale = house.issue("Caderno").await;
        house.take_copy().await;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        house.start();
        let before = authorized(&house, sale).await;
        assert_eq!(before.tipo_emissao, 6);
        MarkKeeper::start(house.engine.clone(), Some(house.mark())).await.unwrap().stop().await;
        house.stand(&[]);
        let keeper = put_back(&mut house).await;
        house.start();
        let is_left = |job: &store::jobs::Job| job.erro.as_ref().is_some_and(|erro| erro.codigo == "registro_incerto" && erro.mensagem.contains("emitida depois da cópia"));
        let job = house.job_when(sale, "is left to people", is_left).await;
        assert!(job.erro.unwrap().mensagem.contains(&key(&before)), "it says which document");
        let next = authorized(&house, house.issue("Depois").await).await;
        assert_eq!(next.numero, before.numero + 1);
        keeper.stop().await;
        house.close().await;
    }

    async fn an_unknown_reference_is_uncertain_until_the_caller_or_the_operator_answers_for_it(house) {
        let named = |reference: &str| {
            let mut request = house.request((house.issues.nota)("Caderno"));
            request.referencia = Some(reference.to_owned());
            request
        };
        house.try_issue(named("ANTES")).await.unwrap();
        let now = house.clock_s();
        house.engine.store().record_restored(now - 600, now).await.unwrap();
        let keeper = MarkKeeper::start(house.engine.clone(), None).await.unwrap();
        assert!(matches!(house.try_issue(named("PERDIDA")).await, Err(IssueError::UncertainReference(it)) if it.copia_de == now - 600));
        let known = house.try_issue(named("ANTES")).await.unwrap();
        assert!(matches!(known.registered, RegistrationResult::Replay { .. }));
        let mut new = named("NOVA");
        new.referencia_nova = true;
        assert!(matches!(house.try_issue(new).await.unwrap().registered, RegistrationResult::New(_)));
        keeper.stop().await;
        house.engine.store().end_restored().await.unwrap();
        let keeper = MarkKeeper::start(house.engine.clone(), None).await.unwrap();
        let registered = house.try_issue(named("PERDIDA")).await.unwrap().registered;
        assert!(matches!(registered, RegistrationResult::New(job) if job.status == JobStatus::Pending));
        keeper.stop().await;
        house.close().await;
    }
}
