//! NFeDistribuicaoDFe of the Ambiente Nacional, over the real protocol.

use crate::bench::{Bench, CNPJ, Note, certificate, start};
use authority::answer::DistributionAnswer;
use authority::sefaz::{self, RequestedDocuments};
use authority::table::{AuthorityRole, AuthorityService, Endpoint};
use fiscal::layout;
use fiscal::received::{self, DistributedDetails, DistributedItem, ReceivedSituation};
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use fiscal::xml;
use jiff::SignedDuration;
use signing::Certificate;
use simulator::clock::ClockMode;
use simulator::faults::{Fault, FaultType};
use simulator::pki::CertificateSubject;
use simulator::rule_switch::RuleSwitch;

pub(crate) const ADDRESSEE: &str = "99999999000191";
const THIRD: &str = "12ABC34501DE35";

fn at_the_national(bench: &Bench) -> Endpoint {
    bench
        .table
        .endpoint(Uf::SP, 55, TpAmb::Homologacao, AuthorityService::DistribuicaoDFe, AuthorityRole::National)
        .unwrap()
}

/// A company that queries, with its certificate.
pub(crate) struct QueryingCompany {
    pub(crate) number: CnpjCpf,
    pub(crate) certificate: Certificate,
}

impl QueryingCompany {
    pub(crate) fn new(bench: &Bench, number: &str) -> QueryingCompany {
        let certificate = certificate(bench.simulator.pki(), &CertificateSubject::new("INTERESSADA", number));
        QueryingCompany { number: CnpjCpf::parse(number).unwrap(), certificate }
    }
    pub(crate) async fn ask(&self, bench: &Bench, wanted: RequestedDocuments) -> DistributionAnswer {
        self.ask_for(bench, self.number, wanted).await
    }
    async fn ask_for(&self, bench: &Bench, number: CnpjCpf, wanted: RequestedDocuments) -> DistributionAnswer {
        let call =
            sefaz::NFE.distribution(&at_the_national(bench), TpAmb::Homologacao, Some(Uf::SP), number, wanted).unwrap();
        sefaz::NFE.read_distribution(&bench.transport.send(&call, &self.certificate).await.unwrap()).unwrap()
    }
    async fn code(&self, bench: &Bench, wanted: RequestedDocuments) -> u16 {
        self.ask(bench, wanted).await.cStat
    }
}

pub(crate) fn to_addressee(nNF: u32) -> Note {
    let mut note = Note::new(nNF);
    note.dest = format!("<CNPJ>{ADDRESSEE}</CNPJ>");
    note
}

pub(crate) async fn issued(bench: &Bench, note: &Note) -> ChaveAcesso {
    let (cStat, xMotivo) = bench.issue(note).await;
    assert_eq!(cStat, 100, "{xMotivo}");
    note.chave()
}

pub(crate) fn read(answer: &DistributionAnswer, place: usize) -> DistributedItem {
    received::read(answer.documents[place].content.as_ref().unwrap()).unwrap()
}

fn an_hour_later(bench: &Bench, hours: i64) {
    bench.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_secs(hours * 3_600 + hours)));
}

#[tokio::test]
async fn an_addressee_is_handed_the_summary_and_then_nothing_until_there_is_more() {
    let bench = start().await;
    let addressee = QueryingCompany::new(&bench, ADDRESSEE);
    let first = addressee.ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!((first.cStat, first.ultNSU, first.maxNSU, first.documents.len()), (137, Some(0), Some(0), 0));
    let chave = issued(&bench, &to_addressee(1)).await;
    issued(&bench, &Note::new(2)).await;
    an_hour_later(&bench, 1);
    let answer = addressee.ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!((answer.cStat, answer.ultNSU, answer.maxNSU), (138, Some(1), Some(1)));
    assert_eq!((answer.documents[0].nsu, answer.documents[0].schema.as_str()), (Some(1), "resNFe_v1.01.xsd"));
    let DistributedItem::Document(note) = read(&answer, 0) else { panic!() };
    let DistributedDetails::Goods(goods) = note.details else { panic!() };
    assert_eq!((note.chave.as_str(), note.emitente.as_str(), goods.vNF.as_str()), (chave.as_str(), CNPJ, "100.00"));
    assert_eq!((note.whole, note.situation), (false, ReceivedSituation::Authorized));
    let text = answer.documents[0].content.as_ref().unwrap();
    assert!(layout::check(&layout::RES_NFE, &xml::read(text.as_bytes()).unwrap()).is_empty());
    // The issuer gets nothing of its own documents.
    let issuer = QueryingCompany::new(&bench, CNPJ);
    assert_eq!(issuer.code(&bench, RequestedDocuments::After(0)).await, 137);
}

#[tokio::test]
async fn lots_hold_fifty_and_go_on_where_the_last_one_ended() {
    let bench = start().await;
    for nNF in 1..=53 {
        issued(&bench, &to_addressee(nNF)).await;
    }
    let addressee = QueryingCompany::new(&bench, ADDRESSEE);
    let first = addressee.ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!((first.documents.len(), first.ultNSU, first.maxNSU), (50, Some(50), Some(53)));
    let rest = addressee.ask(&bench, RequestedDocuments::After(50)).await;
    assert_eq!((rest.documents.len(), rest.ultNSU), (3, Some(53)));
    let numbers: Vec<u64> = first.documents.iter().chain(&rest.documents).filter_map(|one| one.nsu).collect();
    assert_eq!(numbers, (1..=53).collect::<Vec<u64>>());
}

#[tokio::test]
async fn a_third_party_named_in_the_note_is_handed_it_whole() {
    let bench = start().await;
    let note = to_addressee(1);
    let named = note.xml().replace("</dest><det", &format!("</dest><autXML><CNPJ>{THIRD}</CNPJ></autXML><det"));
    let signed = signing::sign(named, &note.id(), &bench.certificate).unwrap().xml;
    assert_eq!(bench.verdict(&signed).await.0, 100);
    let answer = QueryingCompany::new(&bench, THIRD).ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!(answer.documents[0].schema, "procNFe_v4.00.xsd");
    let DistributedItem::Document(read) = read(&answer, 0) else { panic!() };
    assert!(read.whole && read.destinatario.as_deref() == Some(ADDRESSEE));
    let text = answer.documents[0].content.as_ref().unwrap();
    assert!(text.contains(&signed), "the signed bytes are handed out as they are");
    assert!(layout::check(&layout::NFE_PROC, &xml::read(text.as_bytes()).unwrap()).is_empty());
}

#[tokio::test]
async fn asking_again_within_the_hour_or_out_of_sequence_is_656_with_the_last_number() {
    let bench = start().await;
    let addressee = QueryingCompany::new(&bench, ADDRESSEE);
    issued(&bench, &to_addressee(1)).await;
    assert_eq!(addressee.code(&bench, RequestedDocuments::After(0)).await, 138);
    let again = addressee.ask(&bench, RequestedDocuments::After(1)).await;
    assert_eq!((again.cStat, again.ultNSU), (656, Some(1)));
    assert!(again.xMotivo.contains("Deve ser aguardado 1 hora"), "{}", again.xMotivo);
    // The block lasts an hour from that call.
    an_hour_later(&bench, 1);
    assert_eq!(addressee.code(&bench, RequestedDocuments::After(1)).await, 137);
    for nNF in 2..=60 {
        issued(&bench, &to_addressee(nNF)).await;
    }
    an_hour_later(&bench, 3);
    assert_eq!(addressee.ask(&bench, RequestedDocuments::After(1)).await.ultNSU, Some(51));
    let out_of_sequence = addressee.ask(&bench, RequestedDocuments::After(1)).await;
    assert!(out_of_sequence.xMotivo.contains("Deve ser utilizado o ultNSU"), "{}", out_of_sequence.xMotivo);
    assert_eq!((out_of_sequence.cStat, out_of_sequence.ultNSU), (656, Some(51)));
    bench.simulator.configure(|settings| settings.limites = false);
    assert_eq!(addressee.code(&bench, RequestedDocuments::After(51)).await, 138);
}

#[tokio::test]
async fn the_twenty_first_question_about_one_document_in_an_hour_is_656() {
    let bench = start().await;
    let chave = issued(&bench, &to_addressee(1)).await;
    let addressee = QueryingCompany::new(&bench, ADDRESSEE);
    for turn in 0..20 {
        let wanted = if turn % 2 == 0 { RequestedDocuments::Nsu(1) } else { RequestedDocuments::Chave(chave) };
        assert_eq!(addressee.code(&bench, wanted).await, 138);
    }
    let refused = addressee.ask(&bench, RequestedDocuments::Nsu(1)).await;
    assert_eq!(refused.cStat, 656);
    assert!(refused.xMotivo.contains("20 consultas por hora"), "{}", refused.xMotivo);
}

#[tokio::test]
async fn numbers_and_keys_are_asked_for_one_by_one() {
    let bench = start().await;
    let (one, two) = (issued(&bench, &to_addressee(1)).await, issued(&bench, &to_addressee(2)).await);
    let addressee = QueryingCompany::new(&bench, ADDRESSEE);
    let second = addressee.ask(&bench, RequestedDocuments::Nsu(2)).await;
    let DistributedItem::Document(note) = read(&second, 0) else { panic!() };
    assert_eq!((second.documents.len(), note.chave.as_str()), (1, two.as_str()));
    assert_eq!(addressee.code(&bench, RequestedDocuments::Nsu(3)).await, 589);
    assert_eq!(addressee.code(&bench, RequestedDocuments::After(3)).await, 589);
    assert_eq!(addressee.code(&bench, RequestedDocuments::Nsu(0)).await, 137);
    let by_key = addressee.ask(&bench, RequestedDocuments::Chave(one)).await;
    assert_eq!((by_key.cStat, by_key.documents[0].nsu), (138, None));
}

#[tokio::test]
async fn a_key_is_handed_to_those_it_concerns_while_it_is_valid_and_young() {
    let bench = start().await;
    let chave = issued(&bench, &to_addressee(1)).await;
    let (addressee, issuer) = (QueryingCompany::new(&bench, ADDRESSEE), QueryingCompany::new(&bench, CNPJ));
    assert_eq!(QueryingCompany::new(&bench, THIRD).code(&bench, RequestedDocuments::Chave(chave)).await, 640);
    assert_eq!(issuer.code(&bench, RequestedDocuments::Chave(chave)).await, 641);
    assert_eq!(addressee.code(&bench, RequestedDocuments::Chave(Note::new(9).chave())).await, 217);
    let mut consumer = Note::new(1);
    consumer.modelo = 65;
    assert_eq!(addressee.code(&bench, RequestedDocuments::Chave(consumer.chave())).await, 618);
    an_hour_later(&bench, 24 * 91);
    assert_eq!(addressee.code(&bench, RequestedDocuments::Chave(chave)).await, 632);
    assert_eq!(addressee.code(&bench, RequestedDocuments::After(0)).await, 137);
    bench.simulator.clock().set_mode(ClockMode::Real);
    let mut denied = to_addressee(2);
    denied.xProd = "X [SIM:cStat=302]".to_owned();
    assert_eq!(bench.issue(&denied).await.0, 302);
    assert_eq!(addressee.code(&bench, RequestedDocuments::Chave(denied.chave())).await, 654);
}

#[tokio::test]
async fn only_the_company_itself_asks() {
    let bench = start().await;
    let addressee = QueryingCompany::new(&bench, ADDRESSEE);
    let other = CnpjCpf::parse(THIRD).unwrap();
    assert_eq!(addressee.ask_for(&bench, other, RequestedDocuments::After(0)).await.cStat, 593);
    // A branch queries with the certificate of its head office.
    let branch = CnpjCpf::parse("99999999000272").unwrap();
    assert_eq!(addressee.ask_for(&bench, branch, RequestedDocuments::After(0)).await.cStat, 137);
    let person = CnpjCpf::parse("11144477735").unwrap();
    assert_eq!(addressee.ask_for(&bench, person, RequestedDocuments::After(0)).await.cStat, 472);
    bench.simulator.configure(|settings| {
        settings.regras.insert(593, RuleSwitch::Off);
    });
    assert_eq!(addressee.ask_for(&bench, other, RequestedDocuments::After(0)).await.cStat, 137);
}

#[tokio::test]
async fn a_message_against_its_layout_is_215_and_no_state_distributes() {
    let bench = start().await;
    let call = sefaz::NFE.distribution(
        &at_the_national(&bench),
        TpAmb::Homologacao,
        None,
        CnpjCpf::parse(CNPJ).unwrap(),
        RequestedDocuments::After(0),
    );
    let call = call.unwrap();
    let mut broken = call.clone();
    broken.body = String::from_utf8(call.body.clone()).unwrap().replace("000000000000000", "0").into_bytes();
    let reply = bench.transport.send(&broken, &bench.certificate).await.unwrap();
    assert_eq!(sefaz::NFE.read_distribution(&reply).unwrap().cStat, 215);
    let mut at_a_state = call;
    at_a_state.url = at_a_state.url.replace("/an/", "/sp/");
    let reply = bench.transport.send(&at_a_state, &bench.certificate).await.unwrap();
    assert_eq!(reply.status.as_u16(), 404);
}

/// A client that believed an invented number gets 589 for every query from that number on.
#[tokio::test]
async fn a_number_that_was_made_up_is_589_afterwards_and_the_real_ones_are_still_there() {
    let bench = start().await;
    issued(&bench, &to_addressee(1)).await;
    let addressee = QueryingCompany::new(&bench, ADDRESSEE);
    bench.simulator.add_fault(Fault::new(FaultType::HighNsu).nsu(1_000_000));
    let lie = addressee.ask(&bench, RequestedDocuments::After(0)).await;
    assert_eq!((lie.cStat, lie.ultNSU, lie.maxNSU, lie.documents.len()), (138, Some(1_000_000), Some(1_000_000), 1));
    assert_eq!(addressee.code(&bench, RequestedDocuments::After(1_000_000)).await, 656, "nothing is left, it was said");
    issued(&bench, &to_addressee(2)).await;
    for hours in [2, 4] {
        an_hour_later(&bench, hours);
        assert_eq!(addressee.code(&bench, RequestedDocuments::After(1_000_000)).await, 589);
    }
    assert_eq!(addressee.code(&bench, RequestedDocuments::Nsu(1_000_000)).await, 589);
    let real = addressee.ask(&bench, RequestedDocuments::After(1)).await;
    assert_eq!((real.cStat, real.ultNSU, real.maxNSU, real.documents.len()), (138, Some(2), Some(2), 1));
}
