//! CT-e that are late, hidden, authorised under another code or answered by another document's name.

use super::bench::{Freight, FreightEvent};
use crate::bench::{Bench, start};
use authority::answer::DocumentSituation;
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::value::ChaveAcesso;
use fiscal::xml::{self, Element};
use simulator::LostBook;
use simulator::faults::{Fault, FaultType};
use simulator::settings::{ModeAt, ServiceMode};

/// Longer than a test runs.
const AN_HOUR: u64 = 3_600_000;

fn deep<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    if element.name == name { Some(element) } else { element.children().find_map(|child| deep(child, name)) }
}

/// The reply of an authorisation, below its envelope.
async fn sent(bench: &Bench, freight: &Freight, role: AuthorityRole) -> Element {
    let endpoint = bench.at(freight.modelo(), AuthorityService::Autorizacao, role);
    let call = freight.dialect().authorize(&endpoint, 1, &freight.signed(bench));
    let reply = bench.send(&call).await.unwrap();
    let envelope = xml::read(&reply.body).unwrap();
    let found = deep(&envelope, "retCTe").or_else(|| deep(&envelope, "retCTeOS"));
    found.unwrap_or_else(|| panic!("{envelope:?}")).clone()
}

async fn asked(bench: &Bench, chave: &ChaveAcesso) -> Element {
    let freight = Freight::cargo(1);
    let endpoint = bench.at(chave.parts().modelo, AuthorityService::ConsultaProtocolo, AuthorityRole::Normal);
    let call = freight.dialect().query(&endpoint, fiscal::value::TpAmb::Homologacao, chave);
    let envelope = xml::read(&bench.send(&call).await.unwrap().body).unwrap();
    deep(&envelope, "retConsSitCTe").unwrap().clone()
}

fn protocol<'e>(reply: &'e Element, tag: &str) -> Option<&'e str> {
    reply.at("protCTe/infProt")?.text_at(tag)
}

async fn dropped(bench: &Bench, freight: &Freight) {
    let endpoint = bench.at(freight.modelo(), AuthorityService::Autorizacao, AuthorityRole::Normal);
    let call = freight.dialect().authorize(&endpoint, 1, &freight.signed(bench));
    assert_eq!(bench.send(&call).await.unwrap_err().kind, "closed");
}

#[tokio::test]
async fn a_late_one_is_processed_while_the_service_stands_still() {
    let bench = start().await;
    for freight in [Freight::cargo(1), Freight::passengers(2)] {
        bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR));
        dropped(&bench, &freight).await;
        assert!(matches!(bench.seek(&freight.chave()).await, DocumentSituation::NeverSeen(_)));
        let modo = ServiceMode::ParalisadoMomentaneamente;
        bench.simulator.configure(|settings| {
            settings.servicos =
                vec![ModeAt { modo, autoridade: None, modelo: None, ambiente: None, servico: None, retorno_s: None }];
        });
        assert_eq!(bench.simulator.process_late(), 1);
        bench.simulator.configure(|settings| settings.servicos.clear());
        assert!(matches!(bench.seek(&freight.chave()).await, DocumentSituation::Authorized(_)));
    }
}

#[tokio::test]
async fn a_late_cancellation_is_registered_after_the_reset() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    assert_eq!(bench.carried(&freight).await.0, 100);
    let (chave, nProt) = (freight.chave(), bench.protocol_of(&freight.chave()));
    bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR).on("CTeRecepcaoEventoV4"));
    let cancellation = FreightEvent::cancellation(chave, &nProt);
    assert!(bench.try_report(&cancellation).await.is_err());
    assert!(matches!(bench.seek(&chave).await, DocumentSituation::Authorized(_)));
    bench.simulator.process_late();
    assert!(matches!(bench.seek(&chave).await, DocumentSituation::Cancelled { .. }));
}

#[tokio::test]
async fn an_invisible_one_is_a_duplicate_that_no_query_finds() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    bench.simulator.add_fault(Fault::new(FaultType::Invisible).ms(AN_HOUR));
    dropped(&bench, &freight).await;
    assert!(matches!(bench.seek(&freight.chave()).await, DocumentSituation::NeverSeen(_)));
    assert_eq!(bench.carried(&freight).await.0, 204);
    assert_eq!(bench.simulator.reveal(), 1);
    assert!(matches!(bench.seek(&freight.chave()).await, DocumentSituation::Authorized(_)));
}

#[tokio::test]
async fn an_odd_success_stands_in_root_and_protocol_alike() {
    let bench = start().await;
    for (nCT, cStat) in [(1, 120), (2, 150), (3, 155), (4, 999)] {
        let freight = Freight::cargo(nCT);
        bench.simulator.add_fault(Fault::new(FaultType::OddSuccess).cStat(cStat));
        let (reply, told) = (sent(&bench, &freight, AuthorityRole::Normal).await, cStat.to_string());
        assert_eq!((reply.text_at("cStat"), protocol(&reply, "cStat")), (Some(told.as_str()), Some(told.as_str())));
        assert_eq!(reply.text_at("xMotivo"), Some("Autorizado o uso do CT-e"));
        let stored = bench.simulator.document(fiscal::value::TpAmb::Homologacao, freight.chave().as_str()).unwrap();
        assert_eq!(protocol(&reply, "chCTe"), Some(stored.chave.as_str()));
        assert_eq!(protocol(&reply, "nProt"), Some(stored.nProt.as_str()));
        assert_eq!(protocol(&reply, "digVal"), Some(stored.digVal.as_str()));
        assert_eq!(protocol(&asked(&bench, &freight.chave()).await, "cStat"), Some("100"));
    }
}

#[tokio::test]
async fn a_protocol_may_come_without_a_digest() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::NoDigval).times(2));
    let freight = Freight::cargo(1);
    let replies = [sent(&bench, &freight, AuthorityRole::Normal).await, asked(&bench, &freight.chave()).await];
    assert!(replies.iter().all(|reply| protocol(reply, "nProt").is_some() && protocol(reply, "digVal").is_none()));
    assert!(protocol(&asked(&bench, &freight.chave()).await, "digVal").is_some());
}

#[tokio::test]
async fn a_question_is_refused_though_the_document_is_there() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    assert_eq!(bench.carried(&freight).await.0, 100);
    for cStat in [999, 215, 217] {
        bench.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(cStat).on("CTeConsultaV4"));
        let refused = asked(&bench, &freight.chave()).await;
        assert_eq!((refused.text_at("cStat"), protocol(&refused, "nProt")), (Some(cStat.to_string().as_str()), None));
    }
    assert_eq!(asked(&bench, &freight.chave()).await.text_at("cStat"), Some("100"));
}

#[tokio::test]
async fn an_answer_names_another_document() {
    let bench = start().await;
    let other = Freight::cargo(1);
    assert_eq!(bench.carried(&other).await.0, 100);
    let refused = Freight::cargo(3).with("/carga/proPred", serde_json::json!("CARGA [SIM:cStat=539]"));
    for (freight, cStat) in [(Freight::cargo(2), "100"), (refused, "539")] {
        bench.simulator.add_fault(Fault::new(FaultType::OtherDocument));
        let reply = sent(&bench, &freight, AuthorityRole::Normal).await;
        assert_eq!((protocol(&reply, "cStat"), protocol(&reply, "chCTe")), (Some(cStat), Some(other.chave().as_str())));
    }
    bench.simulator.add_fault(Fault::new(FaultType::OtherDocument));
    let found = asked(&bench, &Freight::cargo(2).chave()).await;
    assert_eq!(protocol(&found, "nProt"), Some(bench.protocol_of(&other.chave()).as_str()));
    bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).cStat(212));
    let reply = sent(&bench, &Freight::cargo(4), AuthorityRole::Normal).await;
    assert_eq!((reply.text_at("cStat"), protocol(&reply, "chCTe")), (Some("212"), Some(other.chave().as_str())));
    assert!(matches!(bench.seek(&Freight::cargo(4).chave()).await, DocumentSituation::Authorized(_)));
}

#[tokio::test]
async fn books_are_lost_and_apart() {
    let bench = start().await;
    let (normal, mut by_svc) = (Freight::cargo(1), Freight::cargo(1));
    by_svc.tpEmis = 8;
    assert_eq!(bench.carried(&normal).await.0, 100);
    assert_eq!(sent(&bench, &by_svc, AuthorityRole::Contingency).await.text_at("cStat"), Some("539"));
    bench.simulator.configure(|settings| settings.svc_livro_proprio = true);
    assert_eq!(sent(&bench, &by_svc, AuthorityRole::Contingency).await.text_at("cStat"), Some("100"));
    assert_eq!(bench.simulator.documents(None).len(), 2);
    let autoridade = Some("svc-sp".to_owned());
    assert_eq!(bench.simulator.forget(&LostBook { autoridade, ..LostBook::default() }), 1);
    assert!(matches!(bench.seek(&normal.chave()).await, DocumentSituation::Authorized(_)));
}
