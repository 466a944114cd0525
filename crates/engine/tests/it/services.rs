//! National NFS-e: the Sefin writes the note of our declaration, and every fault ends with one note, under one number.

use crate::house::{House, act_on, of_each};
use engine::jobs::query::FileKind;
use engine::order::act_request::{DocumentAct, DocumentTarget};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use simulator::clock::ClockMode;
use simulator::faults::{Fault, FaultType};
use simulator::nfse::{NfseStanding, StoredNfse};
use std::time::Duration;
use store::Visibility;
use store::accounts::{Caller, NewAccount};
use store::jobs::{Job, JobDocument, JobStatus, RegistrationResult};
use store::numbers::NumberState;
use uuid::Uuid;

const EVENT: &str = "POST /nfse/eventos";
const EVENTS: &str = "GET /nfse/eventos";

/// The note of a declaration, at the authority.
fn there(house: &House, document: &JobDocument) -> Option<StoredNfse> {
    let id = document.asked_by.as_deref().unwrap();
    house.simulator.nfse_notes().into_iter().find(|note| note.id_dps == id)
}

/// Asserts that both sides have the same note, of exactly our bytes.
fn assert_authorised(house: &House, job: &Job) -> StoredNfse {
    assert_eq!(job.status, JobStatus::Completed, "{job:#?}");
    let document = job.document.as_ref().unwrap();
    assert_eq!(document.state, DocumentState::Authorized, "{job:#?}");
    let note = there(house, document).expect("the authority has the note");
    assert_eq!(document.chave.unwrap().to_string(), note.chave);
    assert_eq!(document.digest.as_deref(), Some(note.digest.as_str()));
    assert_eq!(document.numero_nota, Some(note.nNFSe));
    assert_eq!(house.simulator.nfse_counts(&note.id_dps).gravada, 1);
    note
}

/// Faults that were observed at the Sefin, and some of any server.
fn every_fault() -> Vec<Fault> {
    let mut faults = vec![
        Fault::new(FaultType::Latency).ms(200),
        Fault::new(FaultType::ResetBefore),
        Fault::new(FaultType::ResetAfter),
        Fault::new(FaultType::ResetAfter).times(2),
        Fault::new(FaultType::HalfReply),
        Fault::new(FaultType::Empty200),
        Fault::new(FaultType::Garbage),
        Fault::new(FaultType::StatusAfter).status(500),
        Fault::new(FaultType::StatusAfter).status(500).times(2),
        Fault::new(FaultType::PageAfter),
        Fault::new(FaultType::SilenceAfter).ms(3_500),
        Fault::new(FaultType::SlowBody).ms(1),
    ];
    faults.extend([404, 500, 502, 503].map(|status| Fault::new(FaultType::HttpStatus).status(status)));
    faults
}

/// Gives both sides one clock: a future instant is refused.
fn same_time(house: &House) {
    let ahead = SignedDuration::from_secs(house.clock_s() - Timestamp::now().as_second());
    house.simulator.clock().set_mode(ClockMode::Shifted(ahead));
}

const REASON: &str = "Serviço que não foi prestado";

async fn cancel(house: &House, target: DocumentTarget) -> Job {
    let act = DocumentAct::Cancelar {
        justificativa: REASON.to_owned(),
        substituta: None,
        codigo_motivo: Some("2".to_owned()),
        codigo_cancelamento: None,
    };
    asked(house, target, act).await
}

async fn asked(house: &House, target: DocumentTarget, act: DocumentAct) -> Job {
    let request = act_on(Tipo::Nfse, target, act);
    match house.engine.act(&house.caller, request).await.unwrap() {
        RegistrationResult::New(job) | RegistrationResult::Replay { job, .. } => job,
    }
}

async fn authorised(house: &House) -> (Uuid, StoredNfse) {
    let id = house.issue("Desenvolvimento de sistemas").await;
    let job = house.ended(id).await;
    (id, assert_authorised(house, &job))
}

of_each! { services
    async fn a_declaration_becomes_a_note_with_a_key_and_a_number_of_its_own(house) {
        let (id, note) = authorised(&house).await;
        let document = house.job(id).await.document.unwrap();
        assert_eq!(document.codigo.as_ref().map(|codigo| codigo.as_str()), Some("100"));
        assert_eq!((document.valor.as_str(), document.valor_liquido.as_deref()), ("1000.00", Some("1000.00")));
        assert_eq!(house.ledger().await[0].state, NumberState::Used);
        let file = house.engine.download(Visibility::of(&house.caller), id, FileKind::Xml).await.unwrap();
        assert!(file.text.starts_with("<?xml") && file.text.contains("<NFSe") && file.text.contains(&note.chave), "{}", file.text);
        house.close().await;
    }

    async fn whatever_happens_to_the_answer_there_is_one_note(house) {
        let faults = every_fault();
        for (position, fault) in faults.iter().enumerate() {
            let text = format!("Consultoria [F{position}]");
            house.simulator.add_fault(fault.clone().on(house.issues.authorisation).containing(&text));
            same_time(&house);
            let id = house.issue(&text).await;
            let job = house.ended_soon(id).await;
            println!("{:?} {:?}: {} attempts", fault.tipo, fault.status, job.tentativas);
            assert_authorised(&house, &job);
        }
        let happened = house.simulator.faults().list();
        assert!(happened.iter().all(|fault| fault.ocorrencias > 0), "a fault never happened: {happened:#?}");
        assert_eq!(house.simulator.nfse_notes().len(), faults.len());
        let numbers: Vec<u64> = house.ledger().await.iter().map(|row| row.numero).collect();
        assert_eq!(numbers, (1..=u64::try_from(faults.len()).unwrap()).collect::<Vec<u64>>());
        house.close().await;
    }

    async fn what_the_sefin_does_not_know_is_not_sent_again_within_a_minute(house) {
        house.simulator.add_fault(Fault::new(FaultType::HttpStatus).status(500).on(house.issues.authorisation));
        let id = house.issue("Consultoria").await;
        let waiting = house.job_when(id, "asked", |job| {
            job.erro.as_ref().is_some_and(|erro| erro.codigo == "em_duvida")
        }).await;
        let left = waiting.erro.unwrap().proxima_tentativa_em.unwrap() - house.clock_s();
        assert!((1..=60).contains(&left), "{left}");
        assert_eq!(house.simulator.nfse_counts(waiting.document.unwrap().asked_by.as_deref().unwrap()).recebida, 0);
        let job = house.ended_soon(id).await;
        assert_authorised(&house, &job);
        house.close().await;
    }

    async fn the_old_pain_costs_nothing(house) {
        let mut house = house;
        house.simulator.add_fault(Fault::new(FaultType::StatusAfter).status(500).on(house.issues.authorisation));
        house.simulator.add_fault(Fault::new(FaultType::SilenceAfter).ms(3_500).on(house.issues.query).times(2));
        let id = house.issue("Consultoria").await;
        house.job_when(id, "in doubt", |job| job.document.as_ref().is_some_and(|it| it.state == DocumentState::InDoubt)).await;
        house.kill_worker().await;
        house.clock.forward(Duration::from_secs(30));
        house.start();
        let job = house.ended_soon(id).await;
        let note = assert_authorised(&house, &job);
        assert_eq!(house.simulator.nfse_counts(&note.id_dps).recebida, 1, "handed in once");
        assert_eq!(house.ledger().await.len(), 1);
        house.close().await;
    }

    async fn a_number_of_another_system_is_told_and_left_to_it(house) {
        let store = house.engine.store();
        let account = NewAccount { nome: "Outro".into(), email: "o@exemplo.com".into(), senha_hash: "x".into() };
        let tenant_id = store.create_account(account, 0).await.unwrap();
        let mut house = house;
        let other = Caller { tenant_id, ..house.caller };
        let own = std::mem::replace(&mut house.caller, other);
        house.company(crate::house::CNPJ).await;
        house.certificate(crate::house::CNPJ, 365).await;
        authorised(&house).await;
        house.caller = own;
        let id = house.issue("Consultoria").await;
        let job = house.ended_soon(id).await;
        assert_eq!((job.status, job.erro.unwrap().codigo.as_str()), (JobStatus::Failed, "em_duvida"));
        assert_eq!(job.document.unwrap().state, DocumentState::InDoubt, "the note may be this sale's");
        let next = house.ended_soon(house.issue("Consultoria").await).await;
        assert_eq!(assert_authorised(&house, &next).nNFSe, 2);
        assert_eq!(next.document.unwrap().numero, 2, "the number of the other one is not tried again");
        house.close().await;
    }

    async fn a_refusal_tells_everything_and_frees_the_number(house) {
        let mut nota = (house.issues.nota)("Consultoria");
        nota["serv"]["cServ"]["cTribNac"] = json!("999999");
        nota["toma"]["IM"] = json!("1");
        let document = house.ended_soon(house.issue_nota(nota).await).await.document.unwrap();
        assert_eq!(document.state, DocumentState::Rejected);
        let said: Vec<&str> = document.rejeicoes.iter().map(|said| said.codigo.as_str()).collect();
        assert!(said.contains(&"E0310"), "{said:?}");
        assert_eq!(Some(said[0]), document.codigo.as_ref().map(|codigo| codigo.as_str()));
        assert_eq!(house.ledger().await[0].state, NumberState::Released);
        let (_, note) = authorised(&house).await;
        assert_eq!(note.nNFSe, 1);
        house.close().await;
    }

    async fn a_note_is_cancelled_once_whatever_happens_to_the_answer(house) {
        let faults = [
            None,
            Some(FaultType::ResetAfter),
            Some(FaultType::ResetBefore),
            Some(FaultType::StatusAfter),
            Some(FaultType::PageAfter),
            Some(FaultType::Garbage),
        ];
        for fault in faults {
            same_time(&house);
            let (emission, _) = authorised(&house).await;
            if let Some(fault) = fault {
                house.simulator.add_fault(Fault::new(fault).on(EVENT));
                house.simulator.add_fault(Fault::new(FaultType::Empty200).on(EVENTS));
            }
            let job = cancel(&house, DocumentTarget::Job(emission)).await;
            let job = house.ended_soon(job.id).await;
            assert_eq!(job.status, JobStatus::Completed, "{fault:?} {job:#?}");
            assert_eq!(job.event_result.as_ref().map(|(codigo, _)| codigo.as_str()), Some("registrado"), "{job:#?}");
            let document = house.job(emission).await.document.unwrap();
            let note = there(&house, &document).unwrap();
            assert_eq!((document.state, note.situacao), (DocumentState::Cancelled, NfseStanding::Cancelada), "{fault:?}");
            assert_eq!(note.eventos.len(), 1);
            let file = house.engine.download(Visibility::of(&house.caller), emission, FileKind::XmlCancelamento).await.unwrap();
            assert!(file.text.contains("e101101"), "{}", file.text);
        }
        house.close().await;
    }

    async fn an_analysis_is_asked_for_once_whatever_happens_to_the_answer(house) {
        for fault in [FaultType::ResetAfter, FaultType::ResetBefore, FaultType::StatusAfter, FaultType::Garbage] {
            same_time(&house);
            let (emission, _) = authorised(&house).await;
            house.simulator.add_fault(Fault::new(fault).on(EVENT));
            let act = DocumentAct::SolicitarAnalise { justificativa: REASON.to_owned(), codigo_motivo: None };
            let job = house.ended_soon(asked(&house, DocumentTarget::Job(emission), act).await.id).await;
            assert_eq!(job.status, JobStatus::Completed, "{fault:?} {job:#?}");
            let document = house.job(emission).await.document.unwrap();
            assert_eq!((document.state, document.analise_fiscal.as_deref()), (DocumentState::Authorized, Some("pendente")), "{fault:?}");
            let kinds: Vec<String> = there(&house, &document).unwrap().eventos.into_iter().map(|event| event.tipo).collect();
            assert_eq!(kinds, ["101103"], "{fault:?}");
        }
        house.close().await;
    }

    async fn a_substitute_takes_the_place_of_the_note_before_it(house) {
        let (old, note) = authorised(&house).await;
        let mut nota = (house.issues.nota)("Consultoria corrigida");
        nota["subst"] = json!({ "chSubstda": note.chave, "cMotivo": "99", "xMotivo": "Correção da descrição do serviço" });
        let job = house.ended_soon(house.issue_nota(nota).await).await;
        let substitute = assert_authorised(&house, &job);
        let before = house.job(old).await.document.unwrap();
        assert_eq!(before.state, DocumentState::Cancelled);
        assert_eq!(before.substituida_por.unwrap().to_string(), substitute.chave);
        house.close().await;
    }
}
