//! The ledger of events: sequence numbers are given in the order of requests, never twice, and freed only when nothing
//! was registered.

use crate::world::{NOW, World, chave, line, on_both, outcome};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::Codigo;
use std::collections::BTreeSet;
use store::Error;
use store::Visibility;
use store::events::NewEvent;
use store::jobs::{
    EventAct, EventOutcome, Job, JobAct, JobFailure, Lease, NewAct, NewJob, Operacao, RegisteredEvent,
    RegistrationResult, StoredFile, WithdrawalResult,
};
use store::webhooks::Evento;
use uuid::Uuid;

const KEY: u64 = 77;

fn new_event() -> NewEvent {
    NewEvent { chave: chave(KEY), tpEvento: "110110".to_owned(), most: 20 }
}

fn correction(world: &World, alvo: Option<Uuid>) -> NewJob {
    NewJob { operacao: Operacao::CartaCorrecao, alvo, act: Some(NewAct::Event(new_event())), ..world.job() }
}

fn event(job: &Job) -> EventAct {
    job.act.as_ref().and_then(JobAct::event).cloned().expect("an event")
}

async fn asked(world: &World) -> (Uuid, u16) {
    match world.store.register(correction(world, None), NOW).await.unwrap() {
        RegistrationResult::New(job) => (job.id, event(&job).nSeqEvento),
        RegistrationResult::Replay { .. } => panic!("a replay"),
    }
}

async fn claimed(world: &World, job: Uuid) -> Lease {
    let claimed = world.claim(100).await.into_iter().find(|claimed| claimed.job.id == job).expect("the job is ready");
    assert_eq!(claimed.job.operacao, Operacao::CartaCorrecao);
    claimed.lease
}

fn registered(nSeqEvento: u16) -> EventOutcome {
    let act = EventAct {
        chave: chave(KEY),
        tpEvento: "110110".to_owned(),
        nSeqEvento,
        nProt: Some("135260000000099".to_owned()),
        dhRegEvento: Some("2026-11-20T12:00:00-03:00".to_owned()),
    };
    let event =
        RegisteredEvent { act, proc_evento: Some("<procEventoNFe/>".to_owned()), cancels: false, analysis: None };
    let xMotivo = "Evento registrado e vinculado a NF-e".to_owned();
    EventOutcome {
        codigo: Codigo::from(135),
        xMotivo,
        registered: Some(event),
        evento: Evento::EventoRegistrado,
        erro: None,
    }
}

fn refused() -> EventOutcome {
    let evento = Evento::EventoRejeitado;
    EventOutcome {
        codigo: Codigo::from(580),
        xMotivo: "Evento exige uma NF-e autorizada".to_owned(),
        registered: None,
        evento,
        erro: None,
    }
}

async fn numbers(world: &World) -> Vec<(u16, bool)> {
    let rows = world.store.events(world.tenant, chave(KEY).as_str()).await.unwrap();
    rows.into_iter().map(|row| (row.nSeqEvento, row.registered)).collect()
}

fn failure() -> JobFailure {
    JobFailure {
        codigo: "certificado_expirado".to_owned(),
        etapa: "assinatura".to_owned(),
        mensagem: "O certificado expirou.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

on_both! {
    async fn corrections_are_numbered_as_they_were_asked_for(world) {
        let (first, one) = asked(&world).await;
        let lease = claimed(&world, first).await;
        assert_eq!(world.store.hold_event(lease, new_event()).await.unwrap(), 1);
        world.store.settle_event(lease, registered(1), NOW, line("x")).await.unwrap();
        let (second, two) = asked(&world).await;
        assert_eq!((one, two), (1, 2));
        assert_eq!(numbers(&world).await, [(1, true), (2, false)]);
        let job = world.store.job(Visibility::whole(world.tenant), first).await.unwrap();
        assert_eq!(event(&job).nProt.as_deref(), Some("135260000000099"));
        assert_eq!(world.store.file(world.tenant, first, StoredFile::Event).await.unwrap(), "<procEventoNFe/>");
        // A refused event frees its number, and the next one takes it.
        let lease = claimed(&world, second).await;
        world.store.settle_event(lease, refused(), NOW, line("x")).await.unwrap();
        assert_eq!(numbers(&world).await, [(1, true)]);
        assert_eq!(asked(&world).await.1, 2);
    }

    async fn of_twenty_that_want_the_same_at_once_one_is_registered(world) {
        let asking: Vec<_> = (0..20).map(|_| {
            let (store, job) = (world.store.clone(), correction(&world, None));
            tokio::spawn(async move { store.register(job, NOW).await })
        }).collect();
        let (mut new, mut same) = (BTreeSet::new(), BTreeSet::new());
        for one in asking {
            match one.await.unwrap().unwrap() {
                RegistrationResult::New(job) => assert!(new.insert(job.id)),
                RegistrationResult::Replay { job, divergent } => assert!(!divergent && (same.insert(job.id) || !same.is_empty())),
            }
        }
        assert_eq!((new.len(), &new), (1, &same));
        assert_eq!(world.store.queue_depth(NOW).await.unwrap().pending, 1);
    }

    async fn of_twenty_that_want_something_else_at_once_one_is_registered_and_named(world) {
        let asking: Vec<_> = (0..20).map(|number| {
            let job = NewJob { payload: format!("{{\"correcao\":{number}}}").into(), ..correction(&world, None) };
            let store = world.store.clone();
            tokio::spawn(async move { store.register(job, NOW).await })
        }).collect();
        let (mut new, mut named) = (BTreeSet::new(), BTreeSet::new());
        for one in asking {
            match one.await.unwrap() {
                Ok(RegistrationResult::New(job)) => assert!(new.insert(job.id)),
                Err(Error::UnderWay { job, tipo }) => assert!(tipo == Tipo::Nfe && (named.insert(job) || !named.is_empty())),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((new.len(), &new), (1, &named));
        assert_eq!(numbers(&world).await, [(1, false)], "nothing of the refused ones stays");
        assert_eq!(world.store.queue_depth(NOW).await.unwrap().pending, 1);
        // Another kind of act is independent.
        let other = NewEvent { tpEvento: "110111".to_owned(), most: 1, ..new_event() };
        let act = Some(NewAct::Event(other));
        let job = NewJob { operacao: Operacao::Cancelamento, act, ..world.job() };
        assert!(matches!(world.store.register(job, NOW).await, Ok(RegistrationResult::New(_))));
    }

    async fn no_number_is_given_beyond_the_last(world) {
        for number in 1..=20 {
            let (job, given) = asked(&world).await;
            assert_eq!(given, number);
            let lease = claimed(&world, job).await;
            world.store.settle_event(lease, registered(number), NOW, line("x")).await.unwrap();
        }
        let more = world.store.register(correction(&world, None), NOW).await;
        assert!(matches!(more, Err(Error::EventsExhausted)));
        assert_eq!(world.store.queue_depth(NOW).await.unwrap().pending, 0, "nothing of the refused one stays");
    }

    async fn a_job_that_ends_before_it_is_sent_gives_its_number_back(world) {
        let (withdrawn, one) = asked(&world).await;
        let gone = world.store.withdraw(world.tenant, withdrawn, NOW, line("x"), None).await.unwrap();
        assert_eq!(gone, WithdrawalResult::Cancelled);
        let (failed, again) = asked(&world).await;
        assert_eq!((one, again), (1, 1));
        let lease = claimed(&world, failed).await;
        world.store.fail_job(lease, failure(), None, NOW, Vec::new()).await.unwrap();
        let (third, number) = asked(&world).await;
        assert_eq!(number, 1);
        // A requeue must wait for the end of the act under way.
        let early = world.store.requeue(world.tenant, failed, None, NOW, line("x"), None).await;
        assert!(matches!(early, Err(Error::UnderWay { job, .. }) if job == third));
        let lease = claimed(&world, third).await;
        world.store.settle_event(lease, registered(1), NOW, line("x")).await.unwrap();
        // Then it takes the next number.
        world.store.requeue(world.tenant, failed, None, NOW, line("x"), None).await.unwrap();
        let lease = claimed(&world, failed).await;
        assert_eq!(world.store.hold_event(lease, new_event()).await.unwrap(), 2);
        let job = world.store.job(Visibility::whole(world.tenant), failed).await.unwrap();
        assert_eq!(event(&job).nSeqEvento, 2);
    }

    async fn a_number_that_is_another_systems_is_stepped_over(world) {
        let (job, one) = asked(&world).await;
        assert_eq!(one, 1);
        let lease = claimed(&world, job).await;
        world.store.begin_event(lease, "<evento/>".to_owned(), NOW, Vec::new()).await.unwrap();
        let next = world.store.renumber_event(lease, new_event()).await.unwrap();
        assert_eq!(next, 2);
        assert_eq!(numbers(&world).await, [(1, true), (2, false)]);
        assert_eq!(world.store.job(Visibility::whole(world.tenant), job).await.unwrap().event_xml, None);
        world.store.settle_event(lease, registered(2), NOW, line("x")).await.unwrap();
        let rows = world.store.events(world.tenant, chave(KEY).as_str()).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.job_id).collect::<Vec<_>>(), [None, Some(job)]);
    }

    async fn an_event_that_does_not_cancel_leaves_its_document(world) {
        let (emission, _) = world.sending().await;
        world.store.settle(emission, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        let id = world.register(correction(&world, Some(emission.job_id))).await;
        let lease = claimed(&world, id).await;
        world.store.settle_event(lease, registered(1), NOW, line("x")).await.unwrap();
        let emission = world.store.job(Visibility::whole(world.tenant), emission.job_id).await.unwrap();
        assert_eq!(emission.document.unwrap().state, DocumentState::Authorized);
    }
}
