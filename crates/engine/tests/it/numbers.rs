//! Numbers: a rejection leaves no gap, and a number that the authority has otherwise is not given twice.

use crate::house::{House, key, on_both};
use crate::nota::nota;
use fiscal::lifecycle::DocumentState;
use serde_json::json;
use store::jobs::{JobDocument, JobStatus};
use store::numbers::NumberState;

async fn settled(house: &House, nota: serde_json::Value) -> JobDocument {
    let job = house.ended(house.issue_nota(nota).await).await;
    assert_eq!(job.status, JobStatus::Completed, "{job:#?}");
    job.document.unwrap()
}

on_both! {
    async fn a_rejected_number_is_given_to_the_next_note(house) {
        let rejected = settled(&house, nota("Caderno [SIM:cStat=778]")).await;
        assert_eq!((rejected.state, rejected.codigo), (DocumentState::Rejected, Some(778.into())));
        assert!(rejected.xMotivo.unwrap().starts_with("Rejeição: Informado NCM inexistente"));
        let next = settled(&house, nota("Caderno")).await;
        assert_eq!((next.state, next.numero), (DocumentState::Authorized, rejected.numero));
        house.close().await;
    }

    async fn the_number_the_payload_asks_for_wins(house) {
        let mut asked = nota("Caderno");
        asked["identificacao"]["nNF"] = json!(500);
        assert_eq!(settled(&house, asked).await.numero, 500);
        assert_eq!(settled(&house, nota("Caneta")).await.numero, 501);
        house.close().await;
    }

    async fn a_number_used_twice_is_refused_before_it_is_sent(house) {
        let mut asked = nota("Caderno");
        asked["identificacao"]["nNF"] = json!(7);
        let first = settled(&house, asked.clone()).await;
        let again = house.ended(house.issue_nota(asked).await).await;
        assert_eq!(again.erro.unwrap().codigo, "numero_em_uso");
        assert!(again.document.is_none());
        assert_eq!(house.simulator.counts(&key(&first)).gravada, 1);
        house.close().await;
    }

    async fn a_number_the_authority_has_under_another_key_is_not_given_again(house) {
        let job = house.ended(house.issue_nota(nota("Caderno [SIM:cStat=539]")).await).await;
        assert_eq!((job.status, job.erro.unwrap().codigo.as_str()), (JobStatus::Failed, "em_duvida"));
        let uncertain = job.document.unwrap();
        assert_eq!(uncertain.state, DocumentState::InDoubt, "the document that has the number may be this sale's");
        let next = settled(&house, nota("Caderno")).await;
        assert_eq!((next.state, next.numero), (DocumentState::Authorized, uncertain.numero + 1));
        assert_eq!(house.ledger().await[0].state, NumberState::Reserved);
        house.close().await;
    }

    async fn a_denied_note_uses_its_number(house) {
        let denied = settled(&house, nota("Caderno [SIM:cStat=302]")).await;
        assert_eq!((denied.state, denied.codigo), (DocumentState::Denied, Some(302.into())));
        assert_eq!(settled(&house, nota("Caderno")).await.numero, denied.numero + 1);
        house.close().await;
    }
}
