//! Shared state of the authorities: one writer wins, nothing is lost by closing the store, budgets are one bucket.

use crate::world::{NOW, on_both};
use fiscal::value::TpAmb;
use store::authorities::{BudgetedCall, Circuit, CircuitKey, CircuitState, CompanyBlock};

fn key() -> CircuitKey {
    CircuitKey { authority: "SP".to_owned(), modelo: 55, ambiente: TpAmb::Homologacao }
}

fn circuit(state: CircuitState, version: i64) -> Circuit {
    Circuit {
        key: key(),
        state,
        since: NOW,
        opened_at: Some(NOW - 3),
        reason: Some("109 Serviço Paralisado sem Previsão".to_owned()),
        polled_at: 0,
        status_answer: None,
        status_answered_at: None,
        version,
    }
}

fn spending(sobre: &str, most: u32, now_ms: i64) -> BudgetedCall {
    BudgetedCall {
        transmissor: "11222333".to_owned(),
        servico: "SP NFeConsultaProtocolo4".to_owned(),
        sobre: sobre.to_owned(),
        most,
        quick: most,
        apart_ms: 0,
        window_ms: 3_600_000,
        now_ms,
    }
}

on_both! {
    async fn a_circuit_is_changed_by_who_saw_it_as_it_is(world) {
        assert!(world.store.change_circuit(circuit(CircuitState::Open, 0)).await.unwrap());
        assert!(!world.store.change_circuit(circuit(CircuitState::HalfOpen, 0)).await.unwrap());
        let kept = world.store.authorities(NOW).await.unwrap().circuits.remove(0);
        assert_eq!(kept, Circuit { version: 1, ..circuit(CircuitState::Open, 0) });
        assert!(world.store.change_circuit(circuit(CircuitState::HalfOpen, kept.version)).await.unwrap());
        let kept = world.store.authorities(NOW).await.unwrap().circuits.remove(0);
        assert_eq!((kept.state, kept.version), (CircuitState::HalfOpen, 2));
    }

    async fn a_status_service_is_asked_by_one_in_three_minutes(world) {
        let claims = |now| world.store.claim_poll(key(), now, 180);
        let mut first = 0;
        for claimed in [claims(NOW).await, claims(NOW).await, claims(NOW + 179).await] {
            first += u32::from(claimed.unwrap());
        }
        assert_eq!(first, 1);
        assert!(claims(NOW + 180).await.unwrap());
        world.store.save_status_answer(key(), 107, "Servico em Operacao".to_owned(), NOW + 181).await.unwrap();
        let kept = world.store.authorities(NOW).await.unwrap().circuits.remove(0);
        assert_eq!((kept.state, kept.polled_at), (CircuitState::Closed, NOW + 180));
        assert_eq!((kept.status_answer, kept.status_answered_at), (Some((107, "Servico em Operacao".to_owned())), Some(NOW + 181)));
    }

    async fn a_block_lasts_until_its_end_and_is_never_shortened(world) {
        let block = |until| CompanyBlock { transmissor: "11222333".to_owned(), authority: "SP".to_owned(), until };
        world.store.save_block(block(NOW + 3_600)).await.unwrap();
        world.store.save_block(block(NOW + 60)).await.unwrap();
        assert_eq!(world.store.authorities(NOW).await.unwrap().blocks, [block(NOW + 3_600)]);
        assert!(world.store.authorities(NOW + 3_600).await.unwrap().blocks.is_empty());
    }

    async fn an_hour_takes_so_many_calls_about_one_thing_and_no_more(world) {
        for minute in 0..10 {
            assert_eq!(world.store.spend_budget(spending("chave", 10, minute * 60_000)).await.unwrap(), None);
        }
        assert_eq!(world.store.spend_budget(spending("chave", 10, 600_000)).await.unwrap(), Some(3_000_000));
        assert_eq!(world.store.spend_budget(spending("outra", 10, 600_000)).await.unwrap(), None);
        assert_eq!(world.store.subject_usage(spending("chave", 10, 600_000)).await.unwrap(), 10);
        assert_eq!(world.store.spend_budget(spending("chave", 10, 3_599_999)).await.unwrap(), Some(1));
        assert_eq!(world.store.spend_budget(spending("chave", 10, 3_600_000)).await.unwrap(), None);
        world.store.forget_budgets(3_600_000).await.unwrap();
        assert_eq!(world.store.subject_usage(spending("outra", 10, 600_000)).await.unwrap(), 0);
        assert_eq!(world.store.subject_usage(spending("chave", 10, 3_600_000)).await.unwrap(), 10);
    }

    async fn the_first_calls_are_quick_and_the_others_apart(world) {
        let paced = |now_ms| BudgetedCall { quick: 6, apart_ms: 720_000, ..spending("nota", 10, now_ms) };
        let mut spent_at = Vec::new();
        for second in 0..3_600 {
            if world.store.spend_budget(paced(second * 1_000)).await.unwrap().is_none() {
                spent_at.push(second);
            }
        }
        assert_eq!(spent_at, [0, 1, 2, 3, 4, 5, 725, 1_445, 2_165, 2_885]);
        assert_eq!(world.store.spend_budget(paced(3_000_000)).await.unwrap(), Some(600_000), "the hour is spent");
    }

    async fn callers_at_once_spend_from_one_bucket(world) {
        let mut spenders = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let store = world.store.clone();
            spenders.spawn(async move { store.spend_budget(spending("chave", 10, NOW)).await.unwrap().is_none() });
        }
        let allowed = spenders.join_all().await.into_iter().filter(|allowed| *allowed).count();
        assert_eq!(allowed, 10);
    }
}
