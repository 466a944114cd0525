//! CTeDistribuicaoDFe of the Ambiente Nacional, over the real protocol: every company with a role in a transport gets
//! the whole document.

use super::bench::{Freight, FreightEvent};
use crate::bench::{Bench, CNPJ, certificate, start};
use authority::answer::DistributionAnswer;
use authority::sefaz::{CTE, RequestedDocuments};
use authority::table::{AuthorityRole, AuthorityService, Endpoint};
use fiscal::event::cte::CteEventKind;
use fiscal::layout::{self, Layout};
use fiscal::received::{self, DistributedDetails, DistributedDocument, DistributedItem};
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use fiscal::xml;
use jiff::SignedDuration;
use serde_json::json;
use signing::Certificate;
use simulator::clock::ClockMode;
use simulator::faults::{Fault, FaultType};
use simulator::pki::CertificateSubject;

/// Sender of the goods, who pays in the base case.
const SENDER: &str = "12ABC34501DE35";
const ADDRESSEE: &str = "33000167000101";
const NINES: &str = "99999999999999999999999999999999999999999999";

struct FreightParty {
    number: CnpjCpf,
    certificate: Certificate,
}

impl FreightParty {
    fn new(bench: &Bench, number: &str) -> FreightParty {
        let certificate = certificate(bench.simulator.pki(), &CertificateSubject::new("INTERESSADA", number));
        FreightParty { number: CnpjCpf::parse(number).unwrap(), certificate }
    }
    async fn ask(&self, bench: &Bench, wanted: RequestedDocuments) -> DistributionAnswer {
        let call = CTE.distribution(&endpoint(bench), TpAmb::Homologacao, Some(Uf::RS), self.number, wanted).unwrap();
        assert!(call.url.ends_with("/cte/an/hom/CTeDistribuicaoDFe"), "{}", call.url);
        CTE.read_distribution(&bench.transport.send(&call, &self.certificate).await.unwrap()).unwrap()
    }
    async fn code(&self, bench: &Bench, wanted: RequestedDocuments) -> u16 {
        self.ask(bench, wanted).await.cStat
    }
}

fn endpoint(bench: &Bench) -> Endpoint {
    bench
        .table
        .endpoint(Uf::RS, 57, TpAmb::Homologacao, AuthorityService::DistribuicaoDFe, AuthorityRole::National)
        .unwrap()
}

fn text(answer: &DistributionAnswer, place: usize) -> &str {
    answer.documents[place].content.as_ref().unwrap()
}

fn document(answer: &DistributionAnswer, place: usize) -> DistributedDocument {
    match received::read(text(answer, place)) {
        Ok(DistributedItem::Document(document)) => document,
        other => panic!("{other:?}"),
    }
}

fn accepts(layout: &Layout, text: &str) {
    let faults = layout::check(layout, &xml::read(text.as_bytes()).unwrap());
    assert!(faults.is_empty(), "{faults:?}");
}

fn later(bench: &Bench, hours: i64) {
    bench.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_secs(hours * 3_600 + hours)));
}

#[tokio::test]
async fn whoever_has_a_role_is_handed_the_whole_and_the_carrier_nothing_of_its_own() {
    let bench = start().await;
    let (cargo, people) = (Freight::cargo(1), Freight::passengers(2));
    let signed = cargo.signed(&bench);
    assert_eq!(super::code_and_text(&bench.carry_signed(&cargo, &signed, AuthorityRole::Normal).await).0, 100);
    assert_eq!(bench.carried(&people).await.0, 100);
    let answer = FreightParty::new(&bench, SENDER).ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!((answer.cStat, answer.ultNSU, answer.maxNSU), (138, Some(1), Some(1)));
    assert_eq!(answer.dhResp.len(), 19, "{}", answer.dhResp);
    assert_eq!((answer.documents[0].nsu, answer.documents[0].schema.as_str()), (Some(1), "procCTe_v4.00.xsd"));
    assert!(text(&answer, 0).contains(&signed), "the signed bytes are handed out as they are");
    accepts(&layout::CTE_PROC, text(&answer, 0));
    let read = document(&answer, 0);
    assert_eq!((read.chave.as_str(), read.emitente.as_str()), (cargo.chave().as_str(), CNPJ));
    let DistributedDetails::Transport(said) = read.details else { panic!() };
    assert_eq!((said.tomador.as_deref(), said.vTPrest.as_deref()), (Some(SENDER), Some("1500.00")));
    // Receiver of the cargo, who also pays for the passengers.
    let answer = FreightParty::new(&bench, ADDRESSEE).ask(&bench, RequestedDocuments::After(0)).await;
    let schemas: Vec<&str> = answer.documents.iter().map(|one| one.schema.as_str()).collect();
    assert_eq!(schemas, ["procCTe_v4.00.xsd", "procCTeOS_v4.00.xsd"]);
    accepts(&layout::CTE_OS_PROC, text(&answer, 1));
    assert_eq!(document(&answer, 1).chave, people.chave().as_str());
    assert_eq!(FreightParty::new(&bench, CNPJ).code(&bench, RequestedDocuments::After(0)).await, 137);
}

#[tokio::test]
async fn who_may_only_see_it_does_not_see_which_documents_it_speaks_of() {
    let bench = start().await;
    let third = "98765432000198";
    let freight = Freight::cargo(1).with("/autXML", json!([third]));
    assert_eq!(bench.carried(&freight).await.0, 100);
    let answer = FreightParty::new(&bench, third).ask(&bench, RequestedDocuments::After(0)).await;
    let (seen, chave) = (text(&answer, 0), freight.chave());
    assert!(seen.contains(&format!("<infNFe><chave>{NINES}</chave>")), "{seen}");
    assert!(
        seen.contains(&format!("<chCTe>{chave}</chCTe>")) && document(&answer, 0).chave == chave.as_str(),
        "{seen}"
    );
    let whole = FreightParty::new(&bench, SENDER).ask(&bench, RequestedDocuments::Nsu(1)).await;
    assert!(!text(&whole, 0).contains(NINES));
}

#[tokio::test]
async fn its_events_reach_all_but_their_author() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    assert_eq!(bench.carried(&freight).await.0, 100);
    let (chave, nProt) = (freight.chave(), bench.protocol_of(&freight.chave()));
    let (payer, carrier) = (FreightParty::new(&bench, SENDER), FreightParty::new(&bench, CNPJ));
    let said = json!({ "xObs": "Valor diferente do combinado" });
    let disagrees =
        FreightEvent { autor: SENDER.to_owned(), ..FreightEvent::new(CteEventKind::Desacordo, chave, said) };
    assert_eq!(bench.report_as(&disagrees, &payer.certificate).await.0, 135);
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &nProt)).await.0, 135);
    let kinds = |answer: &DistributionAnswer| {
        let events =
            (0..answer.documents.len()).filter_map(|place| match received::read(text(answer, place)).unwrap() {
                DistributedItem::Event(event) => {
                    accepts(&layout::PROC_EVENTO_CTE, text(answer, place));
                    assert_eq!(event.chave, chave.as_str());
                    Some((event.tpEvento.clone(), event.cancels()))
                }
                DistributedItem::Document(_) => None,
            });
        events.collect::<Vec<_>>()
    };
    let (disagreement, cancellation) = (("610110".to_owned(), false), ("110111".to_owned(), true));
    assert_eq!(kinds(&carrier.ask(&bench, RequestedDocuments::After(0)).await), std::slice::from_ref(&disagreement));
    assert_eq!(kinds(&payer.ask(&bench, RequestedDocuments::After(0)).await), std::slice::from_ref(&cancellation));
    let addressee = FreightParty::new(&bench, ADDRESSEE).ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!(kinds(&addressee), [disagreement, cancellation]);
}

#[tokio::test]
async fn asking_again_is_656_for_an_hour_and_says_nothing_of_notes() {
    let bench = start().await;
    let payer = FreightParty::new(&bench, SENDER);
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 100);
    assert_eq!(payer.code(&bench, RequestedDocuments::After(0)).await, 138);
    let again = payer.ask(&bench, RequestedDocuments::After(1)).await;
    assert!(again.is_undue_use(), "{}", again.xMotivo);
    assert_eq!((again.cStat, again.ultNSU), (656, Some(1)));
    assert!(again.xMotivo.starts_with("Rejeição: Consumo Indevido"), "{}", again.xMotivo);
    // The NF-e of this company have a queue of their own.
    let of_notes =
        crate::distribution::QueryingCompany::new(&bench, SENDER).ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!(of_notes.cStat, 137);
    later(&bench, 1);
    assert_eq!(payer.code(&bench, RequestedDocuments::After(1)).await, 137);
    for _ in 0..20 {
        assert_eq!(payer.code(&bench, RequestedDocuments::Nsu(1)).await, 138);
    }
    assert_eq!(payer.code(&bench, RequestedDocuments::Nsu(1)).await, 656);
}

#[tokio::test]
async fn what_is_asked_wrongly_is_answered_in_the_words_of_the_ambiente_nacional() {
    let bench = start().await;
    let payer = FreightParty::new(&bench, SENDER);
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 100);
    let stranger = FreightParty { number: CnpjCpf::parse(ADDRESSEE).unwrap(), certificate: payer.certificate.clone() };
    let refused = stranger.ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!((refused.cStat, refused.xMotivo), (593, fiscal::cstat::motivo(593).unwrap().to_owned()));
    assert_eq!(payer.code(&bench, RequestedDocuments::Nsu(2)).await, 589);
    // Without the state, which the message of the NF-e may leave out.
    let call = CTE
        .distribution(&endpoint(&bench), TpAmb::Homologacao, None, payer.number, RequestedDocuments::After(0))
        .unwrap();
    let reply = bench.transport.send(&call, &payer.certificate).await.unwrap();
    assert_eq!(CTE.read_distribution(&reply).unwrap().cStat, 215);
    later(&bench, 24 * 91);
    assert_eq!(payer.code(&bench, RequestedDocuments::After(0)).await, 137);
    let chave = Freight::cargo(1).chave();
    assert!(
        CTE.distribution(&endpoint(&bench), TpAmb::Homologacao, None, payer.number, RequestedDocuments::Chave(chave))
            .is_none()
    );
}

#[tokio::test]
async fn a_number_that_was_made_up_is_589_afterwards() {
    let bench = start().await;
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 100);
    let payer = FreightParty::new(&bench, SENDER);
    bench.simulator.add_fault(Fault::new(FaultType::HighNsu).nsu(5_000).on("CTeDistribuicaoDFe"));
    let lie = payer.ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!((lie.cStat, lie.ultNSU, lie.maxNSU), (138, Some(5_000), Some(5_000)));
    later(&bench, 1);
    assert_eq!(payer.code(&bench, RequestedDocuments::After(5_000)).await, 589);
    assert_eq!(payer.code(&bench, RequestedDocuments::After(0)).await, 138);
}
