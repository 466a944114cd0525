//! Gauges of the store's load and of its waiting work.

use crate::world::{NOW, chave, line, on_both, prepared, reserve};
use fiscal::lifecycle::DocumentState;
use store::Error;
use store::jobs::{Contingencia, NumberRequest};

on_both! {
    async fn a_write_is_tried_for_itself_and_its_failure_is_no_failure_to_read(world) {
        for now in [NOW, NOW + 5] {
            world.store.probe(now).await.unwrap();
        }
        world.place.run("DROP TABLE probe").await;
        assert!(matches!(world.store.probe(NOW + 10).await, Err(Error::Unavailable(_))));
        world.store.ping().await.unwrap();
    }

    async fn documents_in_doubt_are_counted_until_they_are_settled(world) {
        assert_eq!(world.store.waiting_work(NOW).await.unwrap().in_doubt, 0);
        world.register(world.job()).await;
        let lease = world.claim(1).await.remove(0).lease;
        world.store.reserve(lease, reserve(None), NOW).await.unwrap();
        world.store.begin_sending(lease, prepared(chave(1)), NOW, Vec::new()).await.unwrap();
        world.store.mark_state(lease, DocumentState::InDoubt, None, NOW, Vec::new()).await.unwrap();
        let waiting = world.store.waiting_work(NOW).await.unwrap();
        assert_eq!((waiting.in_doubt, waiting.given_out, waiting.deadline), (1, 0, None));
    }

    async fn what_was_given_out_is_counted_with_the_nearest_of_its_deadlines(world) {
        for prazo_transmissao in [Some(NOW + 900), Some(NOW + 300), None] {
            world.register(world.job()).await;
            let lease = world.claim(1).await.remove(0).lease;
            let contingencia = Contingencia {
                tipo: "offline".to_owned(),
                autoridade: None,
                desde: "2026-11-22T14:00:00-03:00".to_owned(),
                justificativa: "sem comunicacao com a autoridade".to_owned(),
                prazo_transmissao,
                protocolo: None,
                no_lugar_de: None,
                epec_recusado: None,
                registrado_em: None,
            };
            let reserve = NumberRequest { contingencia: Some(contingencia), ..reserve(None) };
            world.store.reserve(lease, reserve, NOW).await.unwrap();
        }
        let waiting = world.store.waiting_work(NOW).await.unwrap();
        assert_eq!((waiting.given_out, waiting.deadline), (2, Some(NOW + 300)));
    }

    async fn a_long_history_reads_back_in_its_order(world) {
        let id = world.register(world.job()).await;
        let long = "<retEnviNFe>Autorizado o uso da NF-e</retEnviNFe>".repeat(100);
        for text in ["primeira", &long, "última"] {
            world.store.append_log(world.tenant, id, line(text)).await.unwrap();
        }
        let log: Vec<String> = world.store.log(world.tenant, id).await.unwrap().into_iter().map(|line| line.text).collect();
        assert_eq!(log, ["primeira", long.as_str(), "última"]);
    }

    async fn what_is_in_use_is_no_more_than_there_is(world) {
        world.store.ping().await.unwrap();
        let load = world.store.current_load();
        assert!(load.in_use + load.idle >= 1 && load.in_use + load.idle <= 16, "{load:?}");
        assert_eq!(load.writer.is_some(), world.store.kind() == "sqlite");
    }
}
