//! Voided numbers: held while the authority is asked, then voided for ever, or in their former state again.

use crate::hand::Hand;
use crate::world::{NOW, World, line, on_both, outcome, series};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Codigo, Serie};
use store::Error;
use store::Visibility;
use store::jobs::{
    Job, JobAct, JobFailure, Lease, NewAct, NewJob, NewVoid, Operacao, RegistrationResult, StoredFile, VoidAct,
    VoidEnd, VoidOutcome, WithdrawalResult,
};
use store::notes::{ListWindow, NoteFilter};
use store::numbers::NumberState::{Released, Reserved, Used, Voided, Voiding};
use store::numbers::{NumberState, SequenceRange};
use uuid::Uuid;

fn range(from: u64, until: u64) -> SequenceRange {
    SequenceRange { from, until }
}

fn void(world: &World, range: SequenceRange) -> NewJob {
    let (nNFIni, nNFFin) = (u32::try_from(range.from).unwrap(), u32::try_from(range.until).unwrap());
    let act =
        VoidAct { cUF: 35, ano: 26, modelo: 55, serie: 1, nNFIni, nNFFin, voided: false, nProt: None, dhRecbto: None };
    let act = NewAct::Void(NewVoid { series: series(), range, act });
    NewJob { operacao: Operacao::Inutilizacao, act: Some(act), cota: None, ..world.job() }
}

async fn asked(world: &World, from: u64, until: u64) -> Uuid {
    match world.store.register(void(world, range(from, until)), NOW).await.unwrap() {
        RegistrationResult::New(job) => job.id,
        RegistrationResult::Replay { .. } => panic!("a replay"),
    }
}

async fn claimed(world: &World, job: Uuid) -> Lease {
    let claimed = world.claim(1).await.pop().expect("a job is ready");
    assert_eq!(claimed.job.id, job, "the oldest that is ready");
    claimed.lease
}

fn act(job: &Job) -> VoidAct {
    job.act.as_ref().and_then(JobAct::void).cloned().expect("a range")
}

fn said(end: VoidEnd) -> VoidOutcome {
    VoidOutcome { codigo: Codigo::from(102), xMotivo: "Inutilização de número homologado".to_owned(), end }
}

async fn granted(world: &World, job: Uuid) {
    let lease = claimed(world, job).await;
    grant(world, lease).await;
}

async fn grant(world: &World, lease: Lease) {
    let job = lease.job_id;
    let act = act(&world.store.job(Visibility::whole(world.tenant), job).await.unwrap());
    let act = VoidAct { voided: true, nProt: Some("135260000000102".to_owned()), ..act };
    let end = VoidEnd::Voided(act, Some("<ProcInutNFe/>".to_owned()));
    world.store.settle_void(lease, said(end), NOW, line("x")).await.unwrap();
}

async fn ledger(world: &World) -> Vec<(u64, NumberState)> {
    world.store.ledger(world.tenant, series()).await.unwrap().iter().map(|row| (row.numero, row.state)).collect()
}

async fn held(world: &World, from: u64, until: u64) -> (u64, NumberState) {
    match world.store.register(void(world, range(from, until)), NOW).await {
        Err(Error::NumberHeld { numero, state }) => (numero, state),
        other => panic!("{other:?}"),
    }
}

fn failure() -> JobFailure {
    let (codigo, etapa) = ("certificado_expirado".to_owned(), "assinatura".to_owned());
    JobFailure {
        codigo,
        etapa,
        mensagem: "O certificado expirou.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

async fn refuse(world: &World, lease: Lease) {
    world.store.settle_void(lease, said(VoidEnd::Refused), NOW, line("x")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_that_is_stepped_over_as_its_void_is_refused_is_not_lost() {
    let world = World::postgres().await;
    let job = asked(&world, 1, 2).await;
    let lease = claimed(&world, job).await;
    // A note takes the third.
    let hand = Hand::of(&world, "UPDATE sequences SET next = 4").await;
    let store = world.store.clone();
    let end = said(VoidEnd::Refused);
    let refusing = tokio::spawn(async move { store.settle_void(lease, end, NOW, line("x")).await.unwrap() });
    hand.until_waiting(1, &refusing).await;
    hand.lets_go().await;
    refusing.await.unwrap();
    assert_eq!(ledger(&world).await, [(1, Released), (2, Released)]);
}

on_both! {
    async fn numbers_that_were_stepped_over_while_their_void_was_refused_are_the_next_notes(world) {
        for ends in [false, true] {
            let from = if ends { 3 } else { 1 };
            let job = asked(&world, from, from).await;
            let lease = claimed(&world, job).await;
            let (after, numero) = world.numbered(None).await;
            assert_eq!(numero, from + 1);
            if ends {
                world.store.retry_at(lease, NOW, None, NOW, Vec::new()).await.unwrap();
                world.store.withdraw(world.tenant, job, NOW, Vec::new(), None).await.unwrap();
            } else {
                refuse(&world, lease).await;
            }
            assert_eq!(world.numbered(None).await.1, from, "withdrawn: {ends}");
            world.store.settle(after, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        }
        assert_eq!(world.numbered(None).await.1, 5);
    }

    async fn numbers_of_before_our_first_are_nobodys_after_a_refusal(world) {
        world.store.set_next_number(world.tenant, series(), 10).await.unwrap();
        let job = asked(&world, 8, 11).await;
        let lease = claimed(&world, job).await;
        assert_eq!(world.numbered(None).await.1, 12);
        refuse(&world, lease).await;
        assert_eq!(ledger(&world).await, [(10, Released), (11, Released), (12, Reserved)], "8 and 9 may be another system's");
    }

    async fn a_voided_number_is_never_given_to_a_note(world) {
        let (first, _) = world.numbered(None).await;
        let job = asked(&world, 2, 4).await;
        assert_eq!(ledger(&world).await, [(1, Reserved), (2, Voiding), (3, Voiding), (4, Voiding)]);
        let lease = claimed(&world, job).await;
        assert_eq!(world.numbered(None).await.1, 5, "while the authority is asked");
        grant(&world, lease).await;
        assert_eq!(world.numbered(None).await.1, 6, "and for ever");
        let lease = world.begun().await;
        let taken = world.store.reserve(lease, crate::world::reserve(Some(3)), NOW).await;
        assert!(matches!(taken, Err(Error::NumberTaken { numero: 3 })));
        world.store.settle(first, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        let (last, next) = world.store.numbering(world.tenant, series()).await.unwrap();
        assert_eq!((last, next), (Some(1), Some(7)));
        let job = world.store.job(Visibility::whole(world.tenant), job).await.unwrap();
        assert_eq!((act(&job).voided, act(&job).nProt.as_deref()), (true, Some("135260000000102")));
        assert_eq!(world.store.file(world.tenant, job.id, StoredFile::Event).await.unwrap(), "<ProcInutNFe/>");
    }

    async fn a_refusal_leaves_every_number_as_it_was(world) {
        let (first, _) = world.numbered(None).await;
        world.store.settle(first, outcome(DocumentState::Rejected), NOW, Vec::new()).await.unwrap();
        let job = asked(&world, 1, 3).await;
        assert_eq!(ledger(&world).await, [(1, Voiding), (2, Voiding), (3, Voiding)]);
        let lease = claimed(&world, job).await;
        world.store.settle_void(lease, said(VoidEnd::Refused), NOW, line("x")).await.unwrap();
        assert_eq!(ledger(&world).await, [(1, Released)]);
        assert!(!act(&world.store.job(Visibility::whole(world.tenant), job).await.unwrap()).voided);
        assert_eq!(world.numbered(None).await.1, 1);
    }

    async fn a_number_that_is_gone_at_the_authority_is_given_to_nobody(world) {
        for (number, state) in [(1, Voided), (2, Used)] {
            let job = asked(&world, number, number).await;
            let lease = claimed(&world, job).await;
            world.store.settle_void(lease, said(VoidEnd::Gone(state)), NOW, line("x")).await.unwrap();
        }
        assert_eq!(ledger(&world).await, [(1, Voided), (2, Used)]);
        assert_eq!(world.numbered(None).await.1, 3);
    }

    async fn a_range_with_a_number_that_is_not_free_is_refused_whole(world) {
        let (first, _) = world.numbered(None).await;
        assert_eq!(held(&world, 1, 9).await, (1, Reserved));
        world.store.settle(first, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        assert_eq!(held(&world, 1, 9).await, (1, Used));
        let job = asked(&world, 5, 6).await;
        assert_eq!(held(&world, 2, 9).await, (5, Voiding));
        granted(&world, job).await;
        assert_eq!(held(&world, 6, 6).await, (6, Voided));
        assert_eq!(ledger(&world).await, [(1, Used), (5, Voided), (6, Voided)], "nothing of the refused ones stays");
        assert_eq!(world.store.queue_depth(NOW).await.unwrap().pending, 0);
    }

    async fn of_many_that_ask_for_one_range_at_once_one_gets_it(world) {
        let asking: Vec<_> = (0..10).map(|_| {
            let (store, job) = (world.store.clone(), void(&world, range(1, 50)));
            tokio::spawn(async move { store.register(job, NOW).await })
        }).collect();
        let mut new = 0;
        for one in asking {
            match one.await.unwrap() {
                Ok(RegistrationResult::New(_)) => new += 1,
                Err(Error::NumberHeld { state, .. }) => assert_eq!(state, Voiding),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((new, ledger(&world).await.len()), (1, 50));
    }

    async fn a_job_that_ends_before_it_is_sent_gives_its_range_back(world) {
        let withdrawn = asked(&world, 1, 2).await;
        let gone = world.store.withdraw(world.tenant, withdrawn, NOW, line("x"), None).await.unwrap();
        assert_eq!((gone, ledger(&world).await), (WithdrawalResult::Cancelled, Vec::new()));
        let failed = asked(&world, 1, 2).await;
        let lease = claimed(&world, failed).await;
        world.store.hold_range(lease, series(), range(1, 2)).await.unwrap();
        world.store.fail_job(lease, failure(), None, NOW, Vec::new()).await.unwrap();
        assert_eq!(ledger(&world).await, []);
        // A requeued job takes the range again, unless a number of it is taken.
        world.store.requeue(world.tenant, failed, None, NOW, line("x"), None).await.unwrap();
        let lease = claimed(&world, failed).await;
        world.store.hold_range(lease, series(), range(1, 2)).await.unwrap();
        assert_eq!(ledger(&world).await, [(1, Voiding), (2, Voiding)]);
        // A request that may have been sent stays.
        world.store.begin_event(lease, "<inutNFe/>".to_owned(), NOW, Vec::new()).await.unwrap();
        world.store.retry_at(lease, NOW, None, NOW, Vec::new()).await.unwrap();
        let kept = world.store.withdraw(world.tenant, failed, NOW, line("x"), None).await.unwrap();
        assert_eq!((kept, ledger(&world).await.len()), (WithdrawalResult::MayHaveLeft, 2));
    }

    async fn gaps_are_what_no_note_has_or_will_be_given(world) {
        let gaps = async || world.store.gaps(world.tenant, series(), 100).await.unwrap();
        assert_eq!(gaps().await, []);
        world.store.set_next_number(world.tenant, series(), 10).await.unwrap();
        let (ten, _) = world.numbered(None).await;
        world.numbered(Some(14)).await;
        assert_eq!(gaps().await, [range(11, 13)]);
        // Released: the next note's, so no gap.
        world.store.settle(ten, outcome(DocumentState::Rejected), NOW, Vec::new()).await.unwrap();
        assert_eq!(gaps().await, [range(11, 13)]);
        let job = asked(&world, 12, 12).await;
        granted(&world, job).await;
        assert_eq!(gaps().await, [range(11, 11), range(13, 13)]);
        assert_eq!(world.store.gaps(world.tenant, series(), 1).await.unwrap(), [range(11, 11)]);
    }

    async fn voided_ranges_are_listed_by_what_they_are(world) {
        let (first, second) = (asked(&world, 1, 3).await, asked(&world, 7, 7).await);
        granted(&world, first).await;
        let window = ListWindow { limit: 20, skip: 0 };
        let ids = async |filter: NoteFilter| {
            let (jobs, total) = world.store.voided(Visibility::whole(world.tenant), filter, window).await.unwrap();
            assert_eq!(jobs.len() as u64, total);
            jobs.iter().map(|job| job.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(NoteFilter::default()).await, [first], "the other one is not decided");
        granted(&world, second).await;
        assert_eq!(ids(NoteFilter::default()).await, [second, first]);
        assert_eq!(ids(NoteFilter { numero: Some(2), serie: Some(Serie::from(1)), ..NoteFilter::default() }).await, [first]);
        assert_eq!(ids(NoteFilter { tipo: Some("nfce".to_owned()), ..NoteFilter::default() }).await, Vec::<Uuid>::new());
        assert_eq!(ids(NoteFilter { chave: Some("1".repeat(44)), ..NoteFilter::default() }).await, Vec::<Uuid>::new());
        let (page, total) =
            world.store.voided(Visibility::whole(world.tenant), NoteFilter::default(), ListWindow { limit: 1, skip: 1 }).await.unwrap();
        assert_eq!((page.len(), page[0].id, total), (1, first, 2));
    }
}
