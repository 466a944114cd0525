//! The number ledger: no number twice, none lost.

use crate::hand::Hand;
use crate::world::{NOW, World, chave, on_both, outcome, prepared, reserve, series};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Serie, TpAmb};
use store::Error;
use store::Visibility;
use store::installation::KeyCode;
use store::jobs::{JobFailure, Lease, NumberRequest};
use store::numbers::NumberState::{Released, Reserved, Used};
use store::numbers::{NumberState, NumberedKind, Series};

async fn ledger(world: &World) -> Vec<(u64, NumberState)> {
    world.store.ledger(world.tenant, series()).await.unwrap().iter().map(|row| (row.numero, row.state)).collect()
}

async fn numbering(world: &World) -> (Option<u64>, u64) {
    let (last, next) = world.store.numbering(world.tenant, series()).await.unwrap();
    (last, next.expect("a number is left"))
}

async fn end(world: &World, lease: Lease, state: DocumentState) {
    world.store.settle(lease, outcome(state), NOW, Vec::new()).await.unwrap();
}

fn failure() -> JobFailure {
    let (codigo, etapa) = ("empresa_sem_certificado".to_owned(), "assinatura".to_owned());
    JobFailure {
        codigo,
        etapa,
        mensagem: "Envie o certificado.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_released_number_that_another_took_meanwhile_is_not_taken_as_well() {
    let world = World::postgres().await;
    let (first, _) = world.numbered(None).await;
    end(&world, first, DocumentState::Rejected).await;
    let lease = world.begun().await;
    let hand = Hand::of(&world, "UPDATE numbers SET state = 'used' WHERE numero = 1").await;
    let store = world.store.clone();
    let reserving = tokio::spawn(async move { store.reserve(lease, reserve(None), NOW).await.unwrap().numero });
    hand.until_waiting(1, &reserving).await;
    hand.lets_go().await;
    assert_eq!(reserving.await.unwrap(), 2);
    assert_eq!(ledger(&world).await, [(1, Used), (2, Reserved)]);
}

on_both! {
    async fn numbers_are_given_in_order_from_one(world) {
        assert_eq!(numbering(&world).await, (None, 1));
        for expected in 1..=3 {
            assert_eq!(world.numbered(None).await.1, expected);
        }
        assert_eq!(ledger(&world).await, [(1, Reserved), (2, Reserved), (3, Reserved)]);
        assert_eq!(numbering(&world).await, (None, 4));
    }

    async fn a_rejected_number_is_given_to_the_next_note(world) {
        let (first, _) = world.numbered(None).await;
        let (second, _) = world.numbered(None).await;
        end(&world, first, DocumentState::Rejected).await;
        assert_eq!(ledger(&world).await, [(1, Released), (2, Reserved)]);
        assert_eq!(numbering(&world).await, (None, 1));
        let (third, numero) = world.numbered(None).await;
        assert_eq!(numero, 1);
        let row = world.store.ledger(world.tenant, series()).await.unwrap().remove(0);
        assert_eq!((row.state, row.job_id), (Reserved, Some(third.job_id)));
        end(&world, third, DocumentState::Authorized).await;
        end(&world, second, DocumentState::Denied).await;
        assert_eq!(ledger(&world).await, [(1, Used), (2, Used)]);
        assert_eq!(numbering(&world).await, (Some(2), 3));
    }

    async fn the_second_reservation_of_a_job_gives_the_first_ones_number(world) {
        let (lease, numero) = world.numbered(None).await;
        let other = NumberRequest { codigo_aleatorio: KeyCode::Fixed(87_654_321), dhEmi: "2027-01-01T00:00:00-03:00".to_owned(), ..reserve(Some(50)) };
        let document = world.store.reserve(lease, other, NOW).await.unwrap();
        assert_eq!((document.numero, document.codigo_aleatorio, document.dhEmi.as_str()), (numero, 12_345_678, reserve(None).dhEmi.as_str()));
        assert_eq!(ledger(&world).await, [(1, Reserved)]);
    }

    async fn a_number_that_never_left_us_is_released_when_the_job_is_given_up(world) {
        let (lease, _) = world.numbered(None).await;
        world.store.fail_job(lease, failure(), Some(DocumentState::Failed), NOW, Vec::new()).await.unwrap();
        assert_eq!(ledger(&world).await, [(1, Released)]);
        assert_eq!(world.numbered(None).await.1, 1);
    }

    async fn a_number_that_may_have_left_stays_reserved(world) {
        let (lease, _) = world.sending().await;
        world.store.mark_state(lease, DocumentState::InDoubt, None, NOW, Vec::new()).await.unwrap();
        world.store.fail_job(lease, failure(), None, NOW, Vec::new()).await.unwrap();
        assert_eq!(ledger(&world).await, [(1, Reserved)]);
        let job = world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap();
        assert_eq!(job.document.unwrap().state, DocumentState::InDoubt);
        assert_eq!(world.numbered(None).await.1, 2);
    }

    async fn a_rejected_number_that_the_authority_keeps_is_not_given_again(world) {
        let (lease, _) = world.sending().await;
        let gone = store::jobs::DocumentOutcome { number_is_gone: true, ..outcome(DocumentState::Rejected) };
        world.store.settle(lease, gone, NOW, Vec::new()).await.unwrap();
        assert_eq!(ledger(&world).await, [(1, Used)]);
        assert_eq!(world.numbered(None).await.1, 2);
        let (typo, _) = world.numbered(Some(999_999_999)).await;
        let gone = store::jobs::DocumentOutcome { number_is_gone: true, ..outcome(DocumentState::Rejected) };
        world.store.settle(typo, gone, NOW, Vec::new()).await.unwrap();
        assert_eq!(world.numbered(None).await.1, 3);
    }

    async fn an_asked_number_is_given_once(world) {
        let (lease, numero) = world.numbered(Some(7)).await;
        assert_eq!(numero, 7);
        let second = world.begun().await;
        let taken = world.store.reserve(second, reserve(Some(7)), NOW).await;
        assert!(matches!(taken, Err(Error::NumberTaken { numero: 7 })));
        end(&world, lease, DocumentState::Authorized).await;
        let used = world.store.reserve(second, reserve(Some(7)), NOW).await;
        assert!(matches!(used, Err(Error::NumberTaken { numero: 7 })));
        assert_eq!(numbering(&world).await, (Some(7), 8));
        assert_eq!(world.store.reserve(second, reserve(None), NOW).await.unwrap().numero, 8);
    }

    async fn an_asked_number_that_was_rejected_does_not_pull_the_sequence_up(world) {
        let (typo, _) = world.numbered(Some(999_999_999)).await;
        end(&world, typo, DocumentState::Rejected).await;
        assert_eq!(world.numbered(None).await.1, 1);
        assert_eq!(world.numbered(Some(999_999_999)).await.1, 999_999_999);
    }

    async fn automatic_numbers_step_over_asked_ones(world) {
        world.numbered(Some(2)).await;
        world.numbered(Some(3)).await;
        assert_eq!(numbering(&world).await, (None, 1));
        assert_eq!(world.numbered(None).await.1, 1);
        assert_eq!(world.numbered(None).await.1, 4);
    }

    async fn the_next_number_moves_up_and_never_back(world) {
        world.store.set_next_number(world.tenant, series(), 100).await.unwrap();
        assert_eq!(world.numbered(None).await.1, 100);
        world.store.set_next_number(world.tenant, series(), 5).await.unwrap();
        assert_eq!(world.numbered(None).await.1, 101);
        assert_eq!(numbering(&world).await, (None, 102));
    }

    async fn the_end_of_a_series_is_said(world) {
        world.store.set_next_number(world.tenant, series(), 999_999_999).await.unwrap();
        assert_eq!(world.numbered(None).await.1, 999_999_999);
        let lease = world.begun().await;
        let none = world.store.reserve(lease, reserve(None), NOW).await;
        assert!(matches!(none, Err(Error::SeriesExhausted)));
        assert_eq!(world.store.numbering(world.tenant, series()).await.unwrap().1, None);
        let listed = world.store.numberings(Visibility::whole(world.tenant), None).await.unwrap();
        assert!(listed.iter().all(|sequence| sequence.next.is_none()), "{listed:?}");
    }

    async fn environments_and_series_count_apart(world) {
        world.numbered(None).await;
        for other in [
            Series { ambiente: TpAmb::Producao, ..series() },
            Series { serie: Serie::from(2), ..series() },
            Series { counted: NumberedKind::Nfce, ..series() },
        ] {
            let lease = world.begun().await;
            let first = NumberRequest { series: other, ..reserve(None) };
            assert_eq!(world.store.reserve(lease, first, NOW).await.unwrap().numero, 1);
        }
    }

    async fn a_failed_reservation_leaves_nothing(world) {
        world.numbered(Some(1)).await;
        let lease = world.begun().await;
        let refused = world.store.reserve(lease, reserve(Some(1)), NOW).await;
        assert!(matches!(refused, Err(Error::NumberTaken { numero: 1 })));
        assert!(world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap().document.is_none());
        assert!(world.store.log(world.tenant, lease.job_id).await.unwrap().is_empty());
    }

    async fn a_settled_key_keeps_its_number_when_the_job_is_read_again(world) {
        let (lease, numero) = world.numbered(None).await;
        world.store.begin_sending(lease, prepared(chave(numero)), NOW, Vec::new()).await.unwrap();
        end(&world, lease, DocumentState::Authorized).await;
        let job = world.store.job_by_chave(Visibility::whole(world.tenant), chave(numero).as_str()).await.unwrap();
        assert_eq!(job.document.unwrap().numero, numero);
    }
}
