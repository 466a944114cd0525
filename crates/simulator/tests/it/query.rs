//! NFeConsultaProtocolo4 and NFeStatusServico4.

use crate::bench::{Bench, Note, code, start};
use authority::answer::{AuthorizationAnswer, DocumentSituation};
use authority::sefaz;
use authority::table::AuthorityService;
use fiscal::value::{ChaveAcesso, TpAmb, Uf};
use simulator::faults::{Fault, FaultType};

async fn situation(bench: &Bench, chave: &ChaveAcesso) -> DocumentSituation {
    let call = sefaz::NFE.query(&bench.endpoint(AuthorityService::ConsultaProtocolo), TpAmb::Homologacao, chave);
    sefaz::NFE.read_query(&bench.send(&call).await.unwrap()).unwrap()
}

pub(crate) fn query(chave: &str, tpAmb: &str) -> String {
    format!(
        "<consSitNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><tpAmb>{tpAmb}</tpAmb><xServ>CONSULTAR</xServ>\
         <chNFe>{chave}</chNFe></consSitNFe>"
    )
}

#[tokio::test]
async fn a_query_gives_the_protocol_of_the_authorisation_back() {
    let bench = start().await;
    let AuthorizationAnswer::Authorized(given) = bench.authorize(&bench.sign(&Note::new(1))).await else {
        panic!("não autorizada")
    };
    let DocumentSituation::Authorized(found) = situation(&bench, &Note::new(1).chave()).await else {
        panic!("não achada")
    };
    assert_eq!(found, given);
}

#[tokio::test]
async fn a_key_never_seen_is_217() {
    let bench = start().await;
    assert!(
        matches!(situation(&bench, &Note::new(9).chave()).await, DocumentSituation::NeverSeen(rejection) if rejection.codigo == 217)
    );
}

#[tokio::test]
async fn a_rejected_document_was_never_there() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1).xProd("X [SIM:cStat=610]")).await.0, 610);
    assert!(matches!(situation(&bench, &Note::new(1).chave()).await, DocumentSituation::NeverSeen(_)));
}

#[tokio::test]
async fn another_key_under_the_number_is_562_and_is_named() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    let DocumentSituation::OtherKey(rejection) = situation(&bench, &Note::new(1).cNF(10_203_040).chave()).await else {
        panic!("outra resposta")
    };
    assert_eq!(rejection.codigo.number().unwrap(), 562);
    assert!(rejection.xMotivo.contains(Note::new(1).chave().as_str()), "{}", rejection.xMotivo);
}

#[tokio::test]
async fn a_document_processed_before_the_connection_dropped_is_found_by_its_key() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::ResetAfter).on("NFeAutorizacao4"));
    let call = sefaz::NFE.authorize(&bench.endpoint(AuthorityService::Autorizacao), 1, &bench.sign(&Note::new(1)));
    let error = bench.send(&call).await.unwrap_err();
    assert_eq!(error.sent, authority::transport::SendStatus::Maybe, "{error}");
    let DocumentSituation::Authorized(protocol) = situation(&bench, &Note::new(1).chave()).await else {
        panic!("não achada")
    };
    assert_eq!(protocol.codigo.number().unwrap(), 100);
}

#[tokio::test]
async fn a_key_of_wrong_structure_is_told_which_part_is_wrong() {
    let bench = start().await;
    let good = Note::new(1).chave().as_str().to_owned();
    let mut wrong_digit = good.clone();
    let digit = if good.ends_with('0') { "1" } else { "0" };
    wrong_digit.replace_range(43..44, digit);
    let ask =
        async |chave: &str, tpAmb: &str| bench.code(AuthorityService::ConsultaProtocolo, &query(chave, tpAmb)).await;
    assert_eq!(ask(&wrong_digit, "2").await, 236);
    assert_eq!(ask(&good, "1").await, 252);
    assert_eq!(ask("123", "2").await, 215);
    let mut parts = Note::new(1).chave().parts();
    parts.uf = Uf::RS;
    assert_eq!(ask(ChaveAcesso::compose(&parts).as_str(), "2").await, 226);
    let old = Note::new(1).emitted(jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * 250));
    assert_eq!(ask(old.chave().as_str(), "2").await, 526);
}

#[tokio::test]
async fn the_eleventh_query_of_a_key_is_undue_use() {
    let bench = start().await;
    for _ in 0..10 {
        assert!(matches!(situation(&bench, &Note::new(1).chave()).await, DocumentSituation::NeverSeen(_)));
    }
    let DocumentSituation::Unavailable(rejection) = situation(&bench, &Note::new(1).chave()).await else {
        panic!("outra")
    };
    assert_eq!(rejection.codigo.number().unwrap(), 656);
    assert!(matches!(situation(&bench, &Note::new(2).chave()).await, DocumentSituation::NeverSeen(_)));
}

#[tokio::test]
async fn the_status_of_the_service_is_107_and_only_for_the_states_it_serves() {
    let bench = start().await;
    let endpoint = bench.endpoint(AuthorityService::StatusServico);
    let call = sefaz::NFE.status(&endpoint, TpAmb::Homologacao, Uf::SP);
    let status = sefaz::NFE.read_status(&bench.send(&call).await.unwrap()).unwrap();
    assert_eq!((status.cStat, status.xMotivo.as_str(), status.tMed), (107, "Serviço em Operação", Some(1)));
    let other = sefaz::NFE.status(&endpoint, TpAmb::Homologacao, Uf::RJ);
    assert_eq!(code(&bench.ask_call(&other).await), 410);
    let production = sefaz::NFE.status(&endpoint, TpAmb::Producao, Uf::SP);
    assert_eq!(code(&bench.ask_call(&production).await), 252);
}
