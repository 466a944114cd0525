//! Lists of notes and their totals.

use crate::world::{CNPJ, NOW, OTHER_CNPJ, World, cancelled, chave, chave_of, on_both, outcome, prepared};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use store::Visibility;
use store::jobs::{NewJob, Operacao};
use store::notes::{ListWindow, NoteFilter, Period};
use uuid::Uuid;

const ALL: ListWindow = ListWindow { limit: 100, skip: 0 };

/// A note that ended in this state; returns its job.
async fn note(world: &World, state: DocumentState) -> Uuid {
    let lease = world.sending_anew().await;
    world.store.settle(lease, outcome(state), NOW, Vec::new()).await.unwrap();
    lease.job_id
}

async fn found(world: &World, filter: NoteFilter) -> (Vec<Uuid>, u64) {
    let (jobs, total) = world.store.notes(Visibility::whole(world.tenant), filter, ALL).await.unwrap();
    (jobs.iter().map(|job| job.id).collect(), total)
}

pub(crate) async fn cancel(world: &World, target: Uuid) {
    world.register(NewJob { operacao: Operacao::Cancelamento, alvo: Some(target), ..world.job() }).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    let event = cancelled(chave_of(target));
    world.store.settle_event(lease, event, NOW, Vec::new()).await.unwrap();
}

on_both! {
    async fn notes_are_listed_newest_first_and_counted(world) {
        let rejected = note(&world, DocumentState::Rejected).await;
        let first = note(&world, DocumentState::Authorized).await;
        let second = note(&world, DocumentState::Authorized).await;
        let denied = note(&world, DocumentState::Denied).await;
        // A document that no authority decided is no note.
        world.sending().await;
        world.begun().await;
        assert_eq!(found(&world, NoteFilter::default()).await, (vec![denied, second, first, rejected], 4));
        let state = |state| NoteFilter { state: Some(state), ..NoteFilter::default() };
        assert_eq!(found(&world, state(DocumentState::Authorized)).await, (vec![second, first], 2));
        assert_eq!(found(&world, state(DocumentState::Denied)).await, (vec![denied], 1));
        assert_eq!(found(&world, state(DocumentState::Sending)).await, (vec![], 0));
        let (page, total) =
            world.store.notes(Visibility::whole(world.tenant), NoteFilter::default(), ListWindow { limit: 2, skip: 1 }).await.unwrap();
        assert_eq!((page.iter().map(|job| job.id).collect::<Vec<_>>(), total), (vec![second, first], 4));
        let beyond = world.store.notes(Visibility::whole(world.tenant), NoteFilter::default(), ListWindow { limit: 2, skip: 4 }).await.unwrap();
        assert!(beyond.0.is_empty() && beyond.1 == 4);
        assert_eq!(world.store.notes(Visibility::whole(Uuid::now_v7()), NoteFilter::default(), ALL).await.unwrap().1, 0);
    }

    async fn a_cancellation_moves_a_note_between_the_totals(world) {
        let target = note(&world, DocumentState::Authorized).await;
        let kept = note(&world, DocumentState::Authorized).await;
        cancel(&world, target).await;
        let state = |state| NoteFilter { state: Some(state), ..NoteFilter::default() };
        assert_eq!(found(&world, state(DocumentState::Cancelled)).await, (vec![target], 1));
        assert_eq!(found(&world, state(DocumentState::Authorized)).await, (vec![kept], 1));
        // Settled twice, as after a lost reply: counted once.
        cancel(&world, target).await;
        assert_eq!(found(&world, state(DocumentState::Cancelled)).await, (vec![target], 1));
        assert_eq!(found(&world, NoteFilter::default()).await.1, 2);
    }

    async fn every_filter_narrows_list_and_total_alike(world) {
        let id = note(&world, DocumentState::Authorized).await;
        let job = world.store.job(Visibility::whole(world.tenant), id).await.unwrap();
        let document = job.document.unwrap();
        let here = |text: &str| CnpjCpf::parse(text).ok();
        let all = NoteFilter::default;
        let now = i64::try_from(id.get_timestamp().unwrap().to_unix().0).unwrap();
        let within = |from: i64, until: i64| Period { from: Some(now + from), until: Some(now + until) };
        let hit = [
            NoteFilter { tipo: Some("nfe".to_owned()), ..all() },
            NoteFilter { emitente: here(CNPJ), ..all() },
            NoteFilter { destinatario: here(OTHER_CNPJ), ..all() },
            NoteFilter { ambiente: Some(TpAmb::Homologacao), ..all() },
            NoteFilter { serie: Some(Serie::from(1)), ..all() },
            NoteFilter { numero: Some(document.numero), ..all() },
            NoteFilter { chave: document.chave.map(|chave| chave.to_string()), ..all() },
            NoteFilter { periodo: within(0, 1), ..all() },
            NoteFilter { periodo: Period { from: Some(now), until: None }, tipo: Some("nfe".to_owned()), ..all() },
        ];
        for filter in hit {
            assert_eq!(found(&world, filter.clone()).await, (vec![id], 1), "{filter:?}");
        }
        let miss = [
            NoteFilter { tipo: Some("nfce".to_owned()), ..all() },
            NoteFilter { emitente: here(OTHER_CNPJ), ..all() },
            NoteFilter { destinatario: here(CNPJ), ..all() },
            NoteFilter { ambiente: Some(TpAmb::Producao), ..all() },
            NoteFilter { serie: Some(Serie::from(2)), ..all() },
            NoteFilter { numero: Some(document.numero + 1), ..all() },
            NoteFilter { chave: Some(chave(document.numero).to_string()), ..all() },
            NoteFilter { periodo: within(-9, 0), ..all() },
            NoteFilter { periodo: within(1, 9), emitente: here(CNPJ), ..all() },
        ];
        for filter in miss {
            assert_eq!(found(&world, filter.clone()).await, (vec![], 0), "{filter:?}");
        }
    }

    async fn notes_that_settle_at_once_are_all_counted(world) {
        let mut leases = Vec::new();
        for _ in 0..24 {
            leases.push(world.sending().await.0);
        }
        let settling = leases.into_iter().map(|lease| {
            let store = world.store.clone();
            tokio::spawn(async move { store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await })
        });
        for settled in settling.collect::<Vec<_>>() {
            settled.await.unwrap().unwrap();
        }
        assert_eq!(found(&world, NoteFilter::default()).await.1, 24);
    }

    async fn a_listed_job_has_its_document_and_no_payload(world) {
        let id = note(&world, DocumentState::Authorized).await;
        let (jobs, _) = world.store.notes(Visibility::whole(world.tenant), NoteFilter::default(), ALL).await.unwrap();
        assert_eq!((jobs[0].id, jobs[0].payload.len()), (id, 0));
        let document = jobs[0].document.as_ref().unwrap();
        assert_eq!((document.valor.as_str(), document.destinatario.as_deref()), (prepared(chave(1)).valor.as_str(), Some(OTHER_CNPJ)));
        // For a job that acts on another's document, that document.
        cancel(&world, id).await;
        let cancellation = NewJob { operacao: Operacao::Cancelamento, alvo: Some(id), ..world.job() };
        let cancellation = world.register(cancellation).await;
        let listed = world.store.jobs(Visibility::whole(world.tenant), vec![cancellation, Uuid::now_v7(), id]).await.unwrap();
        assert_eq!(listed.iter().map(|job| job.id).collect::<Vec<_>>(), [cancellation, id]);
        assert_eq!(listed[0].document.as_ref().unwrap().state, DocumentState::Cancelled);
        assert!(world.store.jobs(Visibility::whole(Uuid::now_v7()), vec![id]).await.unwrap().is_empty());
    }
}
