//! Search along a company's numbers when the authority does not know the cursor's number.

use crate::house::{CNPJ, House, LETTERED, cnpj, on_both};
use engine::received::{DistributionOutcome, SyncError, SyncOutcome};
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use serde_json::json;
use simulator::clock::ClockMode;
use std::time::Duration;
use store::Visibility;
use store::notes::ListWindow;
use store::received::ReceivedFilter;

/// The hour without queries, and its minute.
const HOUR: u64 = 3_661;

/// Moves both clocks.
fn later(house: &House, moved: &mut u64) {
    *moved += HOUR;
    house.clock.forward(Duration::from_secs(HOUR));
    let by = jiff::SignedDuration::from_secs(i64::try_from(*moved).unwrap());
    house.simulator.clock().set_mode(ClockMode::Shifted(by));
}

fn receiver() -> CnpjCpf {
    CnpjCpf::parse(LETTERED).unwrap()
}

/// Issues a note of the fixture's company for another one of the account.
async fn issue_to_the_other(house: &House, text: &str) {
    let mut nota = (house.issues.nota)(text);
    nota["destinatario"]["CNPJCPF"] = json!(LETTERED);
    house.ended(house.issue_nota(nota).await).await;
}

async fn sync(house: &House) -> Result<SyncOutcome, SyncError> {
    house.engine.sync_received(&house.caller, receiver(), Tipo::Nfe).await
}

async fn received(house: &House) -> (usize, u64) {
    let page = ListWindow { limit: 20, skip: 0 };
    let (found, total) = house
        .engine
        .store()
        .received_documents(Visibility::of(&house.caller), ReceivedFilter::default(), page)
        .await
        .unwrap();
    (found.len(), total)
}

on_both! {
    async fn a_number_beyond_the_authority_s_own_is_left_and_notes_come_again(house) {
        let mut moved = 0;
        assert_ne!(cnpj(), receiver(), "{CNPJ} issues");
        house.company(LETTERED).await;
        house.certificate(LETTERED, 365).await;
        issue_to_the_other(&house, "Caderno").await;
        let first = sync(&house).await.unwrap();
        assert_eq!((first.kept.notas, first.cursor.ult_nsu), (1, 1), "{first:?}");
        // an answer that counted far beyond, once
        house.damage("UPDATE distribution SET ult_nsu = 1000000, max_nsu = 1000000").await;
        issue_to_the_other(&house, "Caneta").await;
        later(&house, &mut moved);
        let refused = sync(&house).await.unwrap();
        assert_eq!((refused.handing, refused.said.0.as_ref().unwrap().as_str()), (DistributionOutcome::Refused, "589"));
        assert!(refused.said.1.contains("a busca volta"), "{:?}", refused.said);
        assert_eq!((refused.cursor.ult_nsu, refused.cursor.reset.map(|(from, _)| from)), (1, Some(1_000_000)));
        assert!(matches!(sync(&house).await, Err(SyncError::NotBefore(_))), "not before the law's hour");
        let shown = house.engine.diagnosis(&house.caller, 10, 0).await.unwrap();
        let company = shown.companies.iter().find(|one| one.company.cpf_cnpj == receiver()).unwrap();
        assert_eq!(company.resets.iter().map(|one| (one.de, one.para)).collect::<Vec<_>>(), [(1_000_000, 1)]);
        later(&house, &mut moved);
        let back = sync(&house).await.unwrap();
        assert_eq!((back.kept.notas, back.cursor.ult_nsu, back.cursor.reset), (1, 2, None), "{back:?}");
        assert_eq!(received(&house).await, (2, 2), "nothing lost, nothing twice");
        assert!(house.simulator.requests().iter().all(|one| one.cStat != Some(656)));
        house.close().await;
    }

    async fn an_authority_that_counts_anew_is_walked_from_the_beginning(house) {
        let mut moved = 0;
        house.company(LETTERED).await;
        house.certificate(LETTERED, 365).await;
        issue_to_the_other(&house, "Caderno").await;
        assert_eq!(sync(&house).await.unwrap().kept.notas, 1);
        // the stored documents were distributed under numbers that no longer exist
        house.damage("UPDATE received_files SET nsu = nsu + 500; UPDATE distribution SET ult_nsu = 501, max_nsu = 501").await;
        issue_to_the_other(&house, "Caneta").await;
        later(&house, &mut moved);
        assert_eq!(sync(&house).await.unwrap().cursor.ult_nsu, 0);
        later(&house, &mut moved);
        let anew = sync(&house).await.unwrap();
        assert_eq!((anew.kept.notas, anew.cursor.ult_nsu, anew.cursor.reset), (1, 2, None), "{anew:?}");
        assert_eq!(received(&house).await, (2, 2));
        house.close().await;
    }
}
