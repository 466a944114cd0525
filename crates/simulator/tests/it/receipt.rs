//! NFeRetAutorizacao4: batches answered by receipt.

use crate::bench::{Bench, Note, batch, code, start};
use authority::table::AuthorityService;
use fiscal::xml::Element;
use simulator::faults::{Fault, FaultType};

pub(crate) async fn receipt(bench: &Bench, nRec: &str) -> Element {
    let payload = format!(
        "<consReciNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><tpAmb>2</tpAmb><nRec>{nRec}</nRec></consReciNFe>"
    );
    bench.ask(AuthorityService::RetAutorizacao, &payload).await
}

#[tokio::test]
async fn a_batch_of_two_is_received_and_answered_by_its_receipt() {
    let bench = start().await;
    bench.simulator.configure(|settings| settings.consultas_em_processamento = 2);
    let (one, two) = (bench.sign(&Note::new(1)), bench.sign(&Note::new(2).xProd("X [SIM:cStat=778]")));
    let received = bench.ask(AuthorityService::Autorizacao, &batch(&[&one, &two], "0")).await;
    assert_eq!(code(&received), 103);
    let nRec = received.text_at("infRec/nRec").unwrap().to_owned();
    assert_eq!(code(&receipt(&bench, &nRec).await), 105);
    assert_eq!(code(&receipt(&bench, &nRec).await), 105);
    let processed = receipt(&bench, &nRec).await;
    assert_eq!(code(&processed), 104);
    let codes: Vec<&str> = processed
        .children()
        .filter(|child| child.name == "protNFe")
        .map(|protocol| protocol.text_at("infProt/cStat").unwrap())
        .collect();
    assert_eq!(codes, ["100", "778"]);
}

#[tokio::test]
async fn a_synchronous_request_can_be_answered_103_all_the_same() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::Async));
    bench.simulator.add_fault(Fault::new(FaultType::Polls105).times(1));
    let received = bench.ask(AuthorityService::Autorizacao, &batch(&[&bench.sign(&Note::new(1))], "1")).await;
    assert_eq!(code(&received), 103);
    let nRec = received.text_at("infRec/nRec").unwrap().to_owned();
    assert_eq!(code(&receipt(&bench, &nRec).await), 105);
    assert_eq!(receipt(&bench, &nRec).await.text_at("protNFe/infProt/cStat"), Some("100"));
}

#[tokio::test]
async fn an_unknown_receipt_is_106_and_one_of_another_state_248() {
    let bench = start().await;
    assert_eq!(code(&receipt(&bench, "351000000000099").await), 106);
    assert_eq!(code(&receipt(&bench, "431000000000099").await), 248);
}
