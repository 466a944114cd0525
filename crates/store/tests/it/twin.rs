//! A sale issued again while its first document is in doubt, and a note in place of one that was given out.

use crate::world::{CNPJ, NOW, World, chave, line, on_both, outcome, prepared, reserve, series, unreadable};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, Serie};
use store::Error;
use store::Visibility;
use store::events::NewEvent;
use store::installation::KeyCode;
use store::jobs::{
    Contingencia, DocumentOutcome, JobAct, JobDocument, JobStatus, Lease, NewAct, NewJob, NumberRequest, Operacao,
    SignedDocument, StoredFile, SupersededOutcome, WithdrawalResult,
};
use store::numbers::NumberState::{self, Kept, Released, Reserved, Used};
use store::numbers::Series;
use uuid::Uuid;

async fn ledger(world: &World) -> Vec<(u64, NumberState)> {
    world.store.ledger(world.tenant, series()).await.unwrap().iter().map(|row| (row.numero, row.state)).collect()
}

fn offline() -> NumberRequest {
    let contingencia = Contingencia {
        tipo: "offline".to_owned(),
        autoridade: None,
        desde: "2026-11-20T09:59:00-03:00".to_owned(),
        justificativa: "Sem resposta do autorizador".to_owned(),
        prazo_transmissao: Some(NOW + 86_400),
        protocolo: None,
        registrado_em: None,
        no_lugar_de: None,
        epec_recusado: None,
    };
    NumberRequest { tipo_emissao: 9, contingencia: Some(contingencia), fresh: true, ..reserve(None) }
}

/// A note in place of one that was given out and rejected, and the job of that one.
async fn in_place(world: &World) -> (Lease, Uuid) {
    let lease = world.begun().await;
    world.store.reserve(lease, offline(), NOW).await.unwrap();
    let signed = SignedDocument { state: DocumentState::Issued, ..prepared(chave(1)) };
    world.store.begin_sending(lease, signed, NOW, Vec::new()).await.unwrap();
    world.store.mark_state(lease, DocumentState::Sending, None, NOW, Vec::new()).await.unwrap();
    let kept = DocumentOutcome { number_is_kept: true, ..outcome(DocumentState::Rejected) };
    world.store.settle(lease, kept, NOW, Vec::new()).await.unwrap();
    let place = world.begun().await;
    world.store.reserve(place, reserve(Some(1)), NOW).await.unwrap();
    (place, lease.job_id)
}

/// Checks that the number is still that job's, and that no other note gets it.
async fn is_kept(world: &World, kept_by: Uuid) {
    let row = world.store.ledger(world.tenant, series()).await.unwrap().remove(0);
    assert_eq!((row.numero, row.state, row.job_id), (1, Kept, Some(kept_by)));
    assert_eq!(world.numbered(None).await.1, 2);
}

/// A sale whose first document was superseded, and the lease of the superseded document's job.
async fn set_aside(world: &World) -> (Lease, Uuid) {
    let (sale, _) = world.sending().await;
    world.store.mark_state(sale, DocumentState::InDoubt, None, NOW, Vec::new()).await.unwrap();
    let twin = Uuid::now_v7();
    world.store.supersede_document(sale, twin, NOW, NOW, line("De novo.")).await.unwrap();
    (sale, twin)
}

async fn claimed(world: &World, twin: Uuid) -> Lease {
    let claimed = world.claim(5).await.pop().unwrap();
    assert_eq!(claimed.job.id, twin);
    claimed.lease
}

async fn document(world: &World, job: Uuid) -> Option<JobDocument> {
    world.store.job(Visibility::whole(world.tenant), job).await.unwrap().document
}

fn cancellation(world: &World, twin: Uuid) -> NewJob {
    let event = NewEvent { chave: chave(1), tpEvento: "110111".to_owned(), most: 1 };
    NewJob {
        operacao: Operacao::Cancelamento,
        alvo: Some(twin),
        act: Some(NewAct::Event(event)),
        cota: None,
        ..world.job()
    }
}

/// The second document, given out.
async fn issue_again(world: &World, sale: Lease) -> JobDocument {
    let second = world.store.reserve(sale, offline(), NOW).await.unwrap();
    let given = SignedDocument { state: DocumentState::Issued, ..prepared(chave(second.numero)) };
    world.store.begin_sending(sale, given, NOW, Vec::new()).await.unwrap();
    second
}

on_both! {
    async fn the_document_in_doubt_gets_a_job_of_its_own_with_its_number_and_file(world) {
        let (sale, twin) = set_aside(&world).await;
        assert!(document(&world, sale.job_id).await.is_none());
        let job = world.store.job(Visibility::whole(world.tenant), twin).await.unwrap();
        assert_eq!((job.status, job.referencia.clone(), &job.act), (JobStatus::Pending, None, &Some(JobAct::ReplacedBy(sale.job_id))));
        assert_eq!(job.request_id.as_deref(), Some("pedido-1"));
        let first = job.document.unwrap();
        assert_eq!((first.state, first.numero, first.chave), (DocumentState::InDoubt, 1, Some(chave(1))));
        assert_eq!(world.store.file(world.tenant, twin, StoredFile::Signed).await.unwrap(), format!("<NFe>{}</NFe>", chave(1)));
        let row = world.store.ledger(world.tenant, series()).await.unwrap().remove(0);
        assert_eq!((row.state, row.job_id), (Reserved, Some(twin)));
        let again = world.store.job(Visibility::whole(world.tenant), sale.job_id).await.unwrap();
        assert_eq!(again.act, Some(JobAct::Replaces(twin)));
        let withdrawn = world.store.withdraw(world.tenant, twin, NOW, Vec::new(), None).await.unwrap();
        assert_eq!(withdrawn, WithdrawalResult::MayHaveLeft);
        // The sale starts over, under a number that was never given.
        assert_eq!(issue_again(&world, sale).await.numero, 2);
        let twice = world.store.supersede_document(sale, Uuid::now_v7(), NOW, NOW, Vec::new()).await;
        assert!(matches!(twice, Err(Error::Conflict(_))), "a document that was given out is in no doubt");
    }

    async fn a_numbered_document_gets_its_number_of_contingency_from_its_own_series(world) {
        let lease = world.begun().await;
        world.store.reserve(lease, reserve(None), NOW).await.unwrap();
        // The company uses another series by now.
        let other = Series { serie: Serie::from(2), ..series() };
        let document = world.store.reserve(lease, NumberRequest { series: other, ..offline() }, NOW).await.unwrap();
        assert_eq!((document.serie, document.numero), (Serie::from(1), 2));
        assert_eq!(ledger(&world).await, [(1, Released), (2, Reserved)]);
        assert!(world.store.ledger(world.tenant, other).await.unwrap().is_empty());
    }

    async fn a_sale_that_waits_with_its_first_document_in_doubt_is_not_withdrawn(world) {
        let (sale, _) = set_aside(&world).await;
        world.store.retry_at(sale, NOW, None, NOW, Vec::new()).await.unwrap();
        let withdrawn = world.store.withdraw(world.tenant, sale.job_id, NOW, Vec::new(), None).await.unwrap();
        assert_eq!(withdrawn, WithdrawalResult::MayHaveLeft);
    }

    async fn a_twin_authorised_before_the_second_document_comes_home(world) {
        let (sale, twin) = set_aside(&world).await;
        world.store.reserve(sale, offline(), NOW).await.unwrap();
        let lease = claimed(&world, twin).await;
        let done = world.store.settle_superseded(lease, sale.job_id, outcome(DocumentState::Authorized), cancellation(&world, twin), NOW, line("x"));
        assert_eq!(done.await.unwrap(), SupersededOutcome::Restored);
        let job = world.store.job(Visibility::whole(world.tenant), sale.job_id).await.unwrap();
        assert_eq!((job.status, &job.act), (JobStatus::Completed, &None));
        let first = job.document.unwrap();
        assert_eq!((first.state, first.numero, first.nProt.is_some()), (DocumentState::Authorized, 1, true));
        assert_eq!(world.store.file(world.tenant, sale.job_id, StoredFile::Authorized).await.unwrap(), "<nfeProc/>");
        assert_eq!(world.store.job(Visibility::whole(world.tenant), twin).await.unwrap().status, JobStatus::Cancelled);
        assert_eq!(ledger(&world).await, [(1, Used), (2, Released)]);
        assert_eq!(world.store.queue_depth(NOW).await.unwrap().pending, 0, "no cancellation");
        // The worker that still had the sale has lost it.
        let late = world.store.begin_sending(sale, prepared(chave(2)), NOW, Vec::new()).await;
        assert!(matches!(late, Err(Error::LeaseLost)));
    }

    async fn a_twin_authorised_after_the_second_document_is_to_be_cancelled(world) {
        let (sale, twin) = set_aside(&world).await;
        issue_again(&world, sale).await;
        let lease = claimed(&world, twin).await;
        let cancellation = cancellation(&world, twin);
        let id = cancellation.id;
        let done = world.store.settle_superseded(lease, sale.job_id, outcome(DocumentState::Authorized), cancellation, NOW, line("x"));
        assert_eq!(done.await.unwrap(), SupersededOutcome::Cancelling);
        assert_eq!(document(&world, twin).await.unwrap().state, DocumentState::Authorized);
        assert_eq!(document(&world, sale.job_id).await.unwrap().state, DocumentState::Issued);
        assert_eq!(ledger(&world).await, [(1, Used), (2, Reserved)]);
        let job = world.store.job(Visibility::whole(world.tenant), id).await.unwrap();
        assert_eq!((job.status, job.alvo), (JobStatus::Pending, Some(twin)));
    }

    async fn a_sale_whose_second_document_is_refused_exchanges_it_for_its_first_one(world) {
        let (sale, twin) = set_aside(&world).await;
        issue_again(&world, sale).await;
        let refusal = DocumentOutcome { number_is_kept: true, ..outcome(DocumentState::Rejected) };
        let exchanged = world.store.swap_documents(sale, twin, refusal.clone(), NOW, line("x")).await.unwrap();
        assert!(!exchanged, "the first one is in doubt");
        let lease = claimed(&world, twin).await;
        let cancellation = cancellation(&world, twin);
        let cancels = cancellation.id;
        let authorized = outcome(DocumentState::Authorized);
        world.store.settle_superseded(lease, sale.job_id, authorized, cancellation, NOW, line("x")).await.unwrap();
        assert!(world.store.swap_documents(sale, twin, refusal, NOW, line("x")).await.unwrap());
        let job = world.store.job(Visibility::whole(world.tenant), sale.job_id).await.unwrap();
        assert_eq!((job.status, &job.act), (JobStatus::Completed, &None));
        let first = job.document.unwrap();
        assert_eq!((first.state, first.numero, first.chave), (DocumentState::Authorized, 1, Some(chave(1))));
        assert_eq!(world.store.file(world.tenant, sale.job_id, StoredFile::Authorized).await.unwrap(), "<nfeProc/>");
        let second = document(&world, twin).await.unwrap();
        assert_eq!((second.state, second.numero, second.chave), (DocumentState::Rejected, 2, Some(chave(2))));
        let rows = world.store.ledger(world.tenant, series()).await.unwrap();
        let rows: Vec<_> = rows.iter().map(|row| (row.numero, row.state, row.job_id)).collect();
        assert_eq!(rows, [(1, Used, Some(sale.job_id)), (2, Kept, Some(twin))]);
        let withdrawn = world.store.job(Visibility::whole(world.tenant), cancels).await.unwrap();
        assert_eq!(withdrawn.status, JobStatus::Cancelled);
        assert_eq!(world.store.queue_depth(NOW).await.unwrap().pending, 0);
    }

    async fn a_first_document_whose_cancellation_is_in_hand_is_not_exchanged(world) {
        let (sale, twin) = set_aside(&world).await;
        issue_again(&world, sale).await;
        let lease = claimed(&world, twin).await;
        let cancellation = cancellation(&world, twin);
        let cancels = cancellation.id;
        world.store.settle_superseded(lease, sale.job_id, outcome(DocumentState::Authorized), cancellation, NOW, line("x")).await.unwrap();
        assert_eq!(claimed(&world, cancels).await.job_id, cancels);
        assert!(!world.store.swap_documents(sale, twin, outcome(DocumentState::Rejected), NOW, line("x")).await.unwrap());
        assert_eq!(document(&world, twin).await.unwrap().state, DocumentState::Authorized);
        assert_eq!(document(&world, sale.job_id).await.unwrap().state, DocumentState::Issued);
    }

    async fn a_twin_that_was_never_seen_gives_its_number_back(world) {
        let (sale, twin) = set_aside(&world).await;
        issue_again(&world, sale).await;
        let lease = claimed(&world, twin).await;
        world.store.drop_superseded(lease, NOW, line("Nunca vista.")).await.unwrap();
        assert_eq!(world.store.job(Visibility::whole(world.tenant), twin).await.unwrap().status, JobStatus::Cancelled);
        assert_eq!(document(&world, twin).await.unwrap().state, DocumentState::Failed);
        assert_eq!(ledger(&world).await, [(1, Released), (2, Reserved)]);
        let next = world.begun().await;
        let fresh = world.store.reserve(next, offline(), NOW).await.unwrap();
        assert_eq!(fresh.numero, 3, "a document of contingency takes no number that another had");
        assert_eq!(world.numbered(None).await.1, 1);
    }

    async fn the_number_of_a_rejected_note_that_was_given_out_waits_for_the_one_in_its_place(world) {
        let lease = world.begun().await;
        let given = issue_again(&world, lease).await;
        world.store.mark_state(lease, DocumentState::Sending, None, NOW, Vec::new()).await.unwrap();
        let kept = DocumentOutcome { number_is_kept: true, ..outcome(DocumentState::Rejected) };
        world.store.settle(lease, kept, NOW, Vec::new()).await.unwrap();
        assert_eq!(ledger(&world).await, [(1, Kept)]);
        assert_eq!(world.store.number_holder(world.tenant, series(), 1).await.unwrap(), Some(lease.job_id));
        assert_eq!(world.numbered(None).await.1, 2, "nobody gets it by chance");
        let place = world.begun().await;
        let asked = NumberRequest { codigo_aleatorio: KeyCode::Fixed(87_654_321), dhEmi: "2026-11-21T00:00:00-03:00".to_owned(), ..reserve(Some(1)) };
        let second = world.store.reserve(place, asked.clone(), NOW).await.unwrap();
        let instant = prepared(chave(1)).dhEmi;
        assert_eq!((second.numero, second.codigo_aleatorio, second.tipo_emissao, second.dhEmi), (1, given.codigo_aleatorio, 9, instant));
        assert_eq!(document(&world, lease.job_id).await.unwrap().chave, None);
        // A second claim finds the values fixed by the first one, whatever emission mode is right then.
        let again = world.store.reserve(place, asked, NOW).await.unwrap();
        assert_eq!(again.tipo_emissao, 9);
        let signed = SignedDocument { state: DocumentState::Issued, ..prepared(chave(1)) };
        world.store.begin_sending(place, signed, NOW, Vec::new()).await.unwrap();
        assert_eq!(world.store.job_by_chave(Visibility::whole(world.tenant), chave(1).as_str()).await.unwrap().id, place.job_id);
    }

    async fn a_deadline_is_told_once(world) {
        let lease = world.begun().await;
        issue_again(&world, lease).await;
        assert!(world.store.warn_of_deadline(lease, NOW, line("Prazo.")).await.unwrap());
        assert!(!world.store.warn_of_deadline(lease, NOW, line("Prazo.")).await.unwrap());
        let waiting = world.store.unsettled(Visibility::whole(world.tenant), 10).await.unwrap();
        assert_eq!(waiting.iter().map(|job| job.id).collect::<Vec<_>>(), [lease.job_id]);
        assert_eq!(waiting[0].cpf_cnpj, CnpjCpf::parse(CNPJ).unwrap());
    }

    async fn a_note_in_the_place_of_another_that_is_given_up_leaves_it_its_number(world) {
        let (place, kept_by) = in_place(&world).await;
        world.store.fail_job(place, unreadable(), Some(DocumentState::Failed), NOW, Vec::new()).await.unwrap();
        is_kept(&world, kept_by).await;
        // After a requeue it is in the same place again.
        world.store.requeue(world.tenant, place.job_id, Some(DocumentState::Failed), NOW, Vec::new(), None).await.unwrap();
        let place = claimed(&world, place.job_id).await;
        let document = world.store.reserve(place, reserve(Some(1)), NOW).await.unwrap();
        assert_eq!(document.contingencia.and_then(|it| it.no_lugar_de), Some(kept_by));
    }

    async fn a_note_in_the_place_of_another_that_is_withdrawn_likewise(world) {
        let (place, kept_by) = in_place(&world).await;
        world.store.retry_at(place, NOW, None, NOW, Vec::new()).await.unwrap();
        let withdrawn = world.store.withdraw(world.tenant, place.job_id, NOW, Vec::new(), None).await.unwrap();
        assert_eq!(withdrawn, WithdrawalResult::Cancelled);
        is_kept(&world, kept_by).await;
    }
}
