//! Offline CT-e: a CT-e or CT-e OS whose authorities do not answer is given out offline (`tpEmis` 2, NT 2026.004), and
//! the same bytes are transmitted once when its authority works.

use crate::house::{House, cnpj, key, of_each, options};
use engine::jobs::query::FileKind;
use engine::worker::Worker;
use fiscal::lifecycle::DocumentState;
use fiscal::value::TpAmb;
use jiff::Timestamp;
use serde_json::json;
use simulator::clock::ClockMode;
use simulator::faults::{Fault, FaultType};
use simulator::settings::ServiceMode;
use std::collections::BTreeSet;
use std::time::Duration;
use store::Visibility;
use store::audit::Actor;
use store::jobs::{Job, JobDocument, JobStatus};
use store::numbers::NumberState;
use uuid::Uuid;

/// Seconds until a status service may be queried again.
const NEXT_POLL: u64 = 181;
const WEEK_S: i64 = 168 * 3_600;

/// Stops São Paulo, without an open contingency authority.
fn nobody_answers(house: &House) {
    house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao), ("svc-rs", ServiceMode::SvcDesabilitada)]);
}

/// Moves both clocks.
fn later(house: &House, moved: &mut u64, seconds: u64) {
    *moved += seconds;
    house.clock.forward(Duration::from_secs(seconds));
    let by = jiff::SignedDuration::from_secs(i64::try_from(*moved).unwrap());
    house.simulator.clock().set_mode(ClockMode::Shifted(by));
}

async fn configure(house: &House, contingencia: &str) {
    let mut configuracao = house.issues.configuration();
    configuracao["contingencia"] = json!(contingencia);
    let (tenant, by) = (house.caller.tenant_id, Actor::operator());
    house.engine.store().configure_company(tenant, cnpj(), house.issues.tipo, configuracao, &by, 0).await.unwrap();
}

fn is_given_out(job: &Job) -> bool {
    job.document.as_ref().is_some_and(|it| it.state == DocumentState::Issued && it.tipo_emissao == 2)
}

/// Documents given out while no authority answers. Several, since one alone would not open the circuit.
async fn given_out(house: &House, many: usize) -> Vec<(Uuid, JobDocument)> {
    configure(house, "offline").await;
    nobody_answers(house);
    let mut ids = Vec::new();
    for _ in 0..many.max(2) {
        ids.push(house.issue("Caderno").await);
    }
    let mut found = Vec::new();
    for id in ids {
        found.push((id, house.job_when(id, "given out", is_given_out).await.document.unwrap()));
    }
    found
}

async fn text(house: &House, id: Uuid, arquivo: FileKind) -> String {
    house.engine.download(Visibility::of(&house.caller), id, arquivo).await.unwrap().text
}

/// Asserts that it is authorised under the key and with the bytes that were given out, there once.
async fn assert_authorised_once(house: &House, (id, before): &(Uuid, JobDocument)) {
    let after = house.ended(*id).await.document.unwrap();
    assert_eq!((after.state, after.tipo_emissao), (DocumentState::Authorized, 2), "{}", house.history(*id).await);
    assert_eq!((after.chave, &after.digest, &after.dhEmi), (before.chave, &before.digest, &before.dhEmi));
    let there = house.simulator.document(TpAmb::Homologacao, &key(before)).unwrap();
    assert_eq!(Some(there.digVal), before.digest);
    let counts = house.simulator.counts(&key(before));
    assert_eq!(counts.gravada, 1);
}

/// Waits until all have ended; a trial that fails makes the others wait for the next query, and so for time to pass.
async fn all_ended(house: &House, moved: &mut u64, given: &[(Uuid, JobDocument)]) {
    for (id, _) in given {
        let mut rounds = 0;
        while house.job(*id).await.concluido_em.is_none() {
            assert!(rounds < 60, "{}", house.history(*id).await);
            rounds += 1;
            tokio::time::sleep(Duration::from_secs(1)).await;
            if rounds % 5 == 0 {
                later(house, moved, NEXT_POLL);
            }
        }
    }
}

fn second(instant: &str) -> i64 {
    instant.parse::<Timestamp>().unwrap().as_second()
}

of_each! { transport
    async fn what_is_given_out_while_nobody_answers_is_transmitted_once_with_the_same_bytes(house) {
        let mut moved = 0;
        let given = given_out(&house, 3).await;
        let mut signed = Vec::new();
        for (id, document) in &given {
            let contingencia = document.contingencia.as_ref().unwrap();
            assert_eq!((contingencia.tipo.as_str(), contingencia.autoridade.as_deref()), ("offline", None));
            assert_eq!(contingencia.prazo_transmissao, Some(second(&document.dhEmi) + WEEK_S));
            assert!(second(&contingencia.desde) <= second(&document.dhEmi), "{contingencia:?}");
            assert!((15..=256).contains(&contingencia.justificativa.chars().count()), "{contingencia:?}");
            let xml = text(&house, *id, FileKind::Xml).await;
            assert!(xml.contains("<tpEmis>2</tpEmis>") && xml.contains("<dhCont>") && xml.contains("&amp;sign="), "{xml}");
            assert_eq!(house.simulator.counts(&key(document)).recebida, 0, "nothing has left us");
            signed.push(xml);
        }
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        for (given, signed) in given.iter().zip(signed) {
            assert_authorised_once(&house, given).await;
            assert_eq!(house.simulator.counts(&key(&given.1)).recebida, 1);
            assert!(text(&house, given.0, FileKind::Xml).await.contains(&signed), "the same bytes");
        }
        let who: Vec<String> =
            house.simulator.requests().into_iter().filter(|one| one.cStat == Some(100)).map(|one| one.autoridade).collect();
        assert_eq!(who, ["sp"; 3], "the home authority alone");
        // the others are those under which one was sent as normal: the normal mode takes them
        let ledger = house.ledger().await;
        let used: BTreeSet<u64> =
            ledger.iter().filter(|row| row.state == NumberState::Used).map(|row| row.numero).collect();
        assert_eq!(used, given.iter().map(|(_, document)| document.numero).collect(), "{ledger:?}");
        assert!(ledger.iter().all(|row| matches!(row.state, NumberState::Used | NumberState::Released)), "{ledger:?}");
        house.close().await;
    }

    async fn the_svc_goes_first_where_it_is_open(house) {
        configure(&house, "offline").await;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        let ids = [house.issue("Caderno").await, house.issue("Caneta").await];
        for id in ids {
            let document = house.ended(id).await.document.unwrap();
            assert_eq!((document.state, document.tipo_emissao), (DocumentState::Authorized, 7));
        }
        house.close().await;
    }

    async fn a_number_that_was_sent_as_normal_is_of_no_document_of_contingency(house) {
        let mut moved = 0;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        let ids = [house.issue("Caderno").await, house.issue("Caneta").await];
        let (mut normal, mut by_svc) = (BTreeSet::new(), BTreeSet::new());
        for id in ids {
            let document = house.ended(id).await.document.unwrap();
            assert_eq!((document.state, document.tipo_emissao), (DocumentState::Authorized, 7));
            assert_eq!(key(&document)[25..34].parse::<u64>().unwrap(), document.numero);
            by_svc.insert(document.numero);
            let history = house.history(id).await;
            let keys = history.split("chave ").skip(1).filter_map(|rest| rest.get(..44));
            normal.extend(keys.filter(|key| &key[34..35] == "1").filter_map(|key| key[25..34].parse::<u64>().ok()));
        }
        assert!(!normal.is_empty(), "nobody found out that the authority is out");
        assert_eq!((by_svc.len(), normal.intersection(&by_svc).count()), (2, 0), "{normal:?} {by_svc:?}");
        // they are the next ones of the normal mode: no gap is left
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        let mut rounds = 0;
        while house.ledger().await.iter().any(|row| row.state == NumberState::Released) {
            rounds += 1;
            assert!(rounds < 50, "{:?}", house.ledger().await);
            house.ended(house.issue("Lápis").await).await;
        }
        let ledger = house.ledger().await;
        assert!(ledger.iter().all(|row| row.state == NumberState::Used), "{ledger:?}");
        assert_eq!(ledger.len(), house.simulator.documents(None).len());
        house.close().await;
    }

    async fn a_number_that_the_caller_asked_for_waits_for_the_authority_it_was_sent_to(house) {
        let mut moved = 0;
        house.stand(&[("sp", ServiceMode::ParalisadoSemPrevisao)]);
        let mut asked = (house.issues.nota)("Caderno");
        asked["identificacao"]["nCT"] = json!(50);
        let ids = [house.issue_nota(asked).await, house.issue("Caneta").await];
        let waits = |job: &Job| job.erro.as_ref().is_some_and(|erro| erro.mensagem.contains("em contingência ele não se repete"));
        house.job_when(ids[0], "waits", waits).await;
        assert_eq!(house.ended(ids[1]).await.document.unwrap().tipo_emissao, 7);
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        let document = house.ended(ids[0]).await.document.unwrap();
        assert_eq!((document.state, document.tipo_emissao, document.numero), (DocumentState::Authorized, 1, 50));
        house.close().await;
    }

    async fn who_has_not_chosen_it_waits(house) {
        nobody_answers(&house);
        let ids = [house.issue("Caderno").await, house.issue("Caneta").await];
        let waits = |job: &Job| {
            job.status == JobStatus::Pending
                && job.erro.as_ref().is_some_and(|erro| erro.mensagem.contains("fora de operação (109"))
        };
        for id in ids {
            let job = house.job_when(id, "waits", waits).await;
            assert!(job.document.is_none_or(|document| document.tipo_emissao != 2));
        }
        house.close().await;
    }

    async fn a_process_that_dies_before_and_while_it_transmits_costs_nothing(house) {
        let (mut house, mut moved) = (house, 0);
        let given = given_out(&house, 2).await;
        house.kill_worker().await;
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        // the process that takes over dies between the call and its reply
        house.simulator.add_fault(Fault::new(FaultType::SlowBody).ms(2_000).on(house.issues.authorisation).times(2));
        house.start();
        let received = || given.iter().any(|(_, document)| house.simulator.counts(&key(document)).gravada > 0);
        while !received() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        house.kill_worker().await;
        let engine = house.another_engine().await;
        let worker = Worker::start(engine.clone(), options());
        all_ended(&house, &mut moved, &given).await;
        for given in &given {
            assert_authorised_once(&house, given).await;
        }
        worker.stop(Duration::from_secs(20)).await;
        engine.store().close().await;
        house.start();
        house.close().await;
    }

    async fn two_nodes_transmit_each_document_once(house) {
        let mut moved = 0;
        let mut given = given_out(&house, 2).await;
        let engine = house.another_engine().await;
        let worker = Worker::start(engine.clone(), options());
        given.extend(given_out(&house, 6).await);
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        all_ended(&house, &mut moved, &given).await;
        for given in &given {
            assert_authorised_once(&house, given).await;
            assert_eq!(house.simulator.counts(&key(&given.1)).recebida, 1);
        }
        assert_eq!(house.simulator.documents(None).len(), 8);
        worker.stop(Duration::from_secs(20)).await;
        engine.store().close().await;
        house.close().await;
    }

    async fn a_reply_that_is_lost_is_asked_for(house) {
        let mut moved = 0;
        let given = given_out(&house, 2).await;
        house.simulator.add_fault(Fault::new(FaultType::ResetAfter).on(house.issues.authorisation).times(2));
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        all_ended(&house, &mut moved, &given).await;
        for given in &given {
            assert_authorised_once(&house, given).await;
            let counts = house.simulator.counts(&key(&given.1));
            assert!(counts.recebida == 1 && counts.consultada > 0, "asked, not sent again");
        }
        house.close().await;
    }

    async fn beyond_its_week_it_is_transmitted_and_refused_and_its_number_is_kept(house) {
        let mut moved = 0;
        let given = given_out(&house, 2).await;
        later(&house, &mut moved, u64::try_from(WEEK_S).unwrap() + 60);
        for (id, _) in &given {
            let log = format!("{id} is warned of");
            let warned = |job: &Job| job.erro.is_some();
            house.job_when(*id, &log, warned).await;
        }
        house.stand(&[]);
        later(&house, &mut moved, NEXT_POLL);
        for (id, before) in &given {
            let after = house.ended(*id).await.document.unwrap();
            assert_eq!((after.state, after.chave), (DocumentState::Rejected, before.chave), "{}", house.history(*id).await);
            assert_eq!(after.codigo.unwrap().number(), Some(228));
            let history = house.history(*id).await;
            assert!(history.contains("O prazo de transmissão da nota emitida em contingência termina em"), "{history}");
            assert!(history.contains("o mesmo nCT"), "{history}");
        }
        let ledger = house.ledger().await;
        for row in &ledger {
            let given_out = given.iter().any(|(_, document)| document.numero == row.numero);
            let expected = if given_out { NumberState::Kept } else { NumberState::Released };
            assert_eq!(row.state, expected, "{ledger:?}");
        }
        house.close().await;
    }
}
