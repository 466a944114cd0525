//! Corrections and interested parties: a document has several such events, each registered once under its own number.

use crate::house::{CNPJ, House, SENHA, act_on, cnpj, on_both};
use authority::answer::EventAnswer;
use authority::sefaz;
use authority::table::{AuthorityRole, AuthorityService, EndpointTable};
use authority::transport::{AuthorityTransport, TransportOptions};
use engine::jobs::query::{FileError, FileKind};
use engine::order::act_request::{DocumentAct, DocumentTarget};
use engine::order::event_error::EventError;
use fiscal::event::{EventDetail, EventEnvelope};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use signing::Certificate;
use simulator::faults::{Fault, FaultType};
use store::jobs::{Job, JobStatus, RegistrationResult};
use uuid::Uuid;

const EVENT: &str = "NFeRecepcaoEvento4";

async fn act(house: &House, note: Uuid, act: DocumentAct) -> Result<Job, EventError> {
    let target = DocumentTarget::Job(note);
    let request = act_on(Tipo::Nfe, target, act);
    match house.engine.act(&house.caller, request).await? {
        RegistrationResult::New(job) | RegistrationResult::Replay { job, .. } => Ok(job),
    }
}

fn correction(text: &str) -> DocumentAct {
    DocumentAct::Corrigir { correcao: text.to_owned() }
}

fn carrier() -> DocumentAct {
    DocumentAct::Autorizar { ator: CnpjCpf::parse("12ABC34501DE35").unwrap(), permite: true }
}

async fn authorised(house: &House) -> (Uuid, ChaveAcesso) {
    let id = house.issue("Caderno").await;
    let document = house.ended(id).await.document.unwrap();
    assert_eq!(document.state, DocumentState::Authorized);
    (id, document.acesso().unwrap())
}

/// Type and number of every event that the authority has of a document.
fn there(house: &House, chave: &ChaveAcesso) -> Vec<(String, u16)> {
    let document = house.simulator.document(TpAmb::Homologacao, chave.as_str()).unwrap();
    document.eventos.into_iter().map(|event| (event.tpEvento, event.nSeqEvento)).collect()
}

fn numbered(kind: &str, numbers: std::ops::RangeInclusive<u16>) -> Vec<(String, u16)> {
    numbers.map(|number| (kind.to_owned(), number)).collect()
}

fn sequence(job: &Job) -> u16 {
    job.act.as_ref().and_then(store::jobs::JobAct::event).unwrap().nSeqEvento
}

/// Registers an event as another system of the company would.
async fn elsewhere(house: &House, chave: ChaveAcesso, detail: &EventDetail<'_>, nSeqEvento: u8) {
    let pfx = house.simulator.pki().issue_pfx("PAPELARIA DEMONSTRACAO LTDA", CNPJ, SENHA, 365).unwrap();
    let certificate = Certificate::from_pfx(&pfx, SENHA).unwrap();
    let options = TransportOptions {
        extra_anchors_pem: Some(house.simulator.pki().ca_pem().to_vec()),
        builtin_anchors: false,
        ..TransportOptions::default()
    };
    let table = EndpointTable::with_overrides(&house.simulator.endpoints_toml()).unwrap();
    let role = if detail.kind().is_returned_by_query() { AuthorityRole::Normal } else { AuthorityRole::National };
    let endpoint = table.endpoint(Uf::SP, 55, TpAmb::Homologacao, AuthorityService::RecepcaoEvento, role).unwrap();
    let dhEvento = engine::process::local_time::written(jiff::Timestamp::now(), Uf::SP);
    let envelope = EventEnvelope {
        chave,
        ambiente: TpAmb::Homologacao,
        autor: cnpj(),
        dhEvento: &dhEvento,
        nSeqEvento: nSeqEvento.into(),
    };
    let (xml, id) = fiscal::event::build(&envelope, detail);
    let signed = signing::sign(xml, &id, &certificate).unwrap().xml;
    let reply = AuthorityTransport::new(options)
        .unwrap()
        .send(&sefaz::NFE.event(&endpoint, 1, &signed), &certificate)
        .await
        .unwrap();
    let answer = sefaz::NFE.read_event(&reply).unwrap();
    assert!(matches!(answer, EventAnswer::Registered { .. }), "{answer:?}");
}

on_both! {
    async fn several_corrections_of_a_note_are_registered_in_order(house) {
        let (note, chave) = authorised(&house).await;
        for number in 1..=3 {
            let job = act(&house, note, correction(&format!("O peso bruto correto é {number},5 kg"))).await.unwrap();
            assert_eq!(sequence(&job), number);
            let job = house.ended(job.id).await;
            assert_eq!(job.event_result.as_ref().and_then(|(codigo, _)| codigo.number()), Some(135), "{job:#?}");
            let file = house.engine.download(store::Visibility::of(&house.caller), job.id, FileKind::Xml).await.unwrap();
            assert!(file.text.contains(&format!("<nSeqEvento>{number}</nSeqEvento>")), "{}", file.text);
        }
        assert_eq!(there(&house, &chave), numbered("110110", 1..=3));
        assert_eq!(house.job(note).await.document.unwrap().state, DocumentState::Authorized);
        house.close().await;
    }

    async fn a_lost_reply_does_not_register_a_second_correction(house) {
        for fault in [FaultType::ResetAfter, FaultType::ResetBefore, FaultType::HalfReply, FaultType::SoapFault, FaultType::Garbage] {
            let (note, chave) = authorised(&house).await;
            house.simulator.add_fault(Fault::new(fault).on(EVENT));
            let job = act(&house, note, correction("O peso bruto correto é 12,5 kg")).await.unwrap();
            let ended = house.ended(job.id).await;
            assert_eq!((ended.status, sequence(&ended)), (JobStatus::Completed, 1), "{fault:?} {ended:#?}");
            assert_eq!(there(&house, &chave), numbered("110110", 1..=1), "{fault:?}");
            assert!(house.engine.download(store::Visibility::of(&house.caller), job.id, FileKind::Xml).await.is_ok(), "{fault:?}");
        }
        house.close().await;
    }

    async fn a_correction_of_another_system_is_stepped_over(house) {
        let (note, chave) = authorised(&house).await;
        elsewhere(&house, chave, &EventDetail::CartaCorrecao { xCorrecao: "Corrigida pelo outro sistema" }, 1).await;
        let job = act(&house, note, correction("O peso bruto correto é 12,5 kg")).await.unwrap();
        assert_eq!(sequence(&job), 1);
        let ended = house.ended(job.id).await;
        assert_eq!((ended.status, sequence(&ended)), (JobStatus::Completed, 2), "{}", house.history(job.id).await);
        assert_eq!(ended.event_result.and_then(|(codigo, _)| codigo.number()), Some(135));
        assert_eq!(there(&house, &chave), numbered("110110", 1..=2));
        house.close().await;
    }

    async fn an_interested_party_is_registered_at_the_national_environment(house) {
        let (note, chave) = authorised(&house).await;
        let job = act(&house, note, carrier()).await.unwrap();
        let ended = house.ended(job.id).await;
        assert_eq!(ended.event_result.as_ref().and_then(|(codigo, _)| codigo.number()), Some(135), "{ended:#?}");
        assert!(house.history(job.id).await.contains("Evento enviado a AN"));
        assert_eq!(there(&house, &chave), numbered("110150", 1..=1));
        house.close().await;
    }

    async fn where_an_event_cannot_be_asked_for_its_repetition_tells_that_it_is_there(house) {
        let (note, chave) = authorised(&house).await;
        house.simulator.add_fault(Fault::new(FaultType::ResetAfter).on(EVENT));
        let job = act(&house, note, carrier()).await.unwrap();
        let ended = house.ended(job.id).await;
        assert_eq!(ended.event_result.as_ref().and_then(|(codigo, _)| codigo.number()), Some(573), "{ended:#?}");
        assert_eq!(there(&house, &chave), numbered("110150", 1..=1));
        let file = house.engine.download(store::Visibility::of(&house.caller), job.id, FileKind::Xml).await;
        assert!(matches!(file, Err(FileError::NotProduced)), "the authority did not give it");
        house.close().await;
    }

    async fn a_number_that_another_system_took_there_is_not_taken_for_ours(house) {
        let (note, chave) = authorised(&house).await;
        let autXML = CnpjCpf::parse("33000167000101").unwrap();
        let theirs =
            EventDetail::AtorInteressado { uf: Uf::SP, tpAutor: 1, verAplic: "outro", autXML, permite: Some(false) };
        elsewhere(&house, chave, &theirs, 1).await;
        let job = act(&house, note, carrier()).await.unwrap();
        let ended = house.ended(job.id).await;
        assert_eq!((sequence(&ended), ended.event_result.and_then(|(codigo, _)| codigo.number())), (2, Some(135)));
        assert_eq!(there(&house, &chave), numbered("110150", 1..=2));
        house.close().await;
    }

    async fn what_the_layout_refuses_is_not_registered(house) {
        let (note, _) = authorised(&house).await;
        let refused = act(&house, note, correction("curta \u{1F600}")).await;
        assert!(matches!(refused, Err(EventError::Invalid(_))), "{refused:?}");
        house.close().await;
    }
}
