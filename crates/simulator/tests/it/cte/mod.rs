//! CT-e and CT-e OS over real TLS, with the product's own dialect as the client.

mod bench;
mod book;
mod distribution;
mod foreign;
mod odd;
mod offline;
mod registers;
mod related;
mod rules;
mod year;

use crate::bench::start;
use authority::answer::{AuthorizationAnswer, DocumentSituation};
use authority::sefaz::CTE;
use authority::table::{AuthorityRole, AuthorityService};
use bench::{Freight, FreightEvent, code_and_text};
use fiscal::event::cte::{self as event, CteEventKind};
use fiscal::value::{TpAmb, Uf};
use serde_json::json;
use simulator::LedgerStatus;
use simulator::faults::{self, Fault};
use simulator::pki::CertificateSubject;
use simulator::settings::TaxpayerRecord;

#[tokio::test]
async fn a_cte_is_authorised_asked_for_by_its_key_and_cancelled() {
    let bench = start().await;
    for freight in [Freight::cargo(1), Freight::passengers(2)] {
        let answer = bench.carry(&freight).await;
        let AuthorizationAnswer::Authorized(protocol) = answer else { panic!("{answer:?}") };
        assert_eq!((protocol.codigo.number().unwrap(), protocol.xMotivo.as_str()), (100, "Autorizado o uso do CT-e"));
        let nProt = protocol.nProt.unwrap();
        assert!(nProt.len() == 15 && nProt.starts_with("143"), "{nProt}");
        let chave = freight.chave();
        let stored = bench.simulator.document(TpAmb::Homologacao, chave.as_str()).unwrap();
        assert_eq!((stored.modelo, Some(stored.digVal.as_str())), (freight.modelo(), protocol.digVal.as_deref()));
        let found = bench.seek(&chave).await;
        let DocumentSituation::Authorized(again) = found else { panic!("{found:?}") };
        assert_eq!(again.nProt.as_deref(), Some(nProt.as_str()));

        let (cStat, xMotivo) = bench.report(&FreightEvent::cancellation(chave, &nProt)).await;
        assert_eq!((cStat, xMotivo.as_str()), (135, "Evento registrado e vinculado a CT-e"));
        let found = bench.seek(&chave).await;
        let DocumentSituation::Cancelled { event_xml, .. } = found else { panic!("{found:?}") };
        assert!(event_xml.unwrap().contains("<descEvento>Cancelamento</descEvento>"));
        let stored = bench.simulator.document(TpAmb::Homologacao, chave.as_str()).unwrap();
        assert_eq!(stored.situacao, LedgerStatus::Cancelada);
    }
}

#[tokio::test]
async fn the_status_is_told_by_the_authority_of_the_state_and_by_its_svc() {
    let bench = start().await;
    for (role, expected) in [(AuthorityRole::Normal, 107), (AuthorityRole::Contingency, 113)] {
        let call = CTE.status(&bench.at(57, AuthorityService::StatusServico, role), TpAmb::Homologacao, Uf::RS);
        let status = CTE.read_status(&bench.send(&call).await.unwrap()).unwrap();
        assert_eq!(status.cStat, expected);
    }
    let elsewhere =
        CTE.status(&bench.at(57, AuthorityService::StatusServico, AuthorityRole::Normal), TpAmb::Homologacao, Uf::SP);
    let status = CTE.read_status(&bench.send(&elsewhere).await.unwrap()).unwrap();
    assert_eq!(status.cStat, 410);
}

#[tokio::test]
async fn the_same_key_is_204_another_code_539_and_a_cancelled_one_218() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    let signed = freight.signed(&bench);
    assert_eq!(code_and_text(&bench.carry_signed(&freight, &signed, AuthorityRole::Normal).await).0, 100);
    let stored = bench.simulator.documents(None)[0].clone();
    let (cStat, xMotivo) = code_and_text(&bench.carry_signed(&freight, &signed, AuthorityRole::Normal).await);
    let authorised = format!("[nProt:{}][dhAut:{}]", stored.nProt, stored.dhRecbto);
    assert_eq!((cStat, xMotivo), (204, format!("Rejeição: Duplicidade de CTe {authorised}")));
    let mut other = Freight::cargo(1);
    other.codigo = 20_261_199;
    let (cStat, xMotivo) = bench.carried(&other).await;
    assert!(cStat == 539 && xMotivo.contains(&format!("[chCTe:{}]{authorised}", stored.chave)), "{cStat} {xMotivo}");
    let found = bench.seek(&other.chave()).await;
    assert!(matches!(found, DocumentSituation::OtherKey(ref told) if told.codigo == 216), "{found:?}");
    assert_eq!(bench.report(&FreightEvent::cancellation(freight.chave(), &stored.nProt)).await.0, 135);
    assert_eq!(code_and_text(&bench.carry_signed(&freight, &signed, AuthorityRole::Normal).await).0, 218);
    let counts = bench.simulator.counts(&stored.chave);
    assert_eq!((counts.recebida, counts.gravada, counts.eventos), (3, 1, 1));
}

#[tokio::test]
async fn a_cancellation_waits_for_nobody_and_for_168_hours() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    assert_eq!(bench.carried(&freight).await.0, 100);
    let (chave, nProt) = (freight.chave(), bench.protocol_of(&freight.chave()));
    let cancel = |nProt: &str| FreightEvent::cancellation(chave, nProt);
    assert_eq!(bench.report(&cancel("143260000000099")).await.0, 222);
    assert_eq!(
        bench
            .report(&cancel(&nProt).replace_text("<nSeqEvento>001</nSeqEvento>", "<nSeqEvento>002</nSeqEvento>"))
            .await
            .0,
        628
    );
    let unknown = Freight::cargo(2).chave();
    assert_eq!(bench.report(&FreightEvent::cancellation(unknown, &nProt)).await.0, 217);
    let late = jiff::SignedDuration::from_hours(169);
    bench.simulator.clock().set_mode(simulator::clock::ClockMode::Shifted(late));
    assert_eq!(bench.report(&cancel(&nProt)).await.0, 220);
    bench.simulator.clock().set_mode(simulator::clock::ClockMode::Real);
    assert_eq!(bench.report(&cancel(&nProt)).await.0, 135);
    let (cStat, xMotivo) = bench.report(&cancel(&nProt)).await;
    assert!(cStat == 631 && xMotivo.contains("[nProt:"), "{cStat} {xMotivo}");
}

#[tokio::test]
async fn a_correction_bars_the_cancellation_and_may_not_touch_the_tax() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    assert_eq!(bench.carried(&freight).await.0, 100);
    let chave = freight.chave();
    let correct = |group: &str, field: &str| {
        let said = json!({ "correcoes": [{ "grupo": group, "campo": field, "valor": "X" }] });
        FreightEvent::new(CteEventKind::CartaCorrecao, chave, said)
    };
    assert_eq!(bench.report(&correct("ICMS00", "vBC")).await.0, 681);
    assert_eq!(bench.report(&correct("compl", "xObs")).await.0, 135);
    let nProt = bench.protocol_of(&chave);
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &nProt)).await.0, 523);
}

#[tokio::test]
async fn a_delivery_is_proved_once_and_its_proof_can_be_taken_back() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    assert_eq!(bench.carried(&freight).await.0, 100);
    let (chave, nProt) = (freight.chave(), bench.protocol_of(&freight.chave()));
    let proof = |number: u16| {
        let said = json!({
            "nProt": nProt, "dhEntrega": bench::moment(0), "nDoc": "11144477735", "xNome": "FULANO",
            "hashEntrega": event::delivery_hash(&chave, b"foto"), "dhHashEntrega": bench::moment(0),
            "infEntrega": [{ "chNFe": "43261112ABC34501DE35550010000000011847362513" }]
        });
        FreightEvent { nSeqEvento: number, ..FreightEvent::new(CteEventKind::ComprovanteEntrega, chave, said) }
    };
    assert_eq!(bench.report(&proof(1)).await.0, 135);
    assert_eq!(bench.report(&proof(2)).await.0, 870);
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &nProt)).await.0, 862);
    let stored = bench.simulator.document(TpAmb::Homologacao, chave.as_str()).unwrap();
    let undo = |nProtCE: &str| {
        let said = json!({ "nProt": nProt, "nProtCE": nProtCE });
        FreightEvent::new(CteEventKind::CancelamentoComprovanteEntrega, chave, said)
    };
    assert_eq!(bench.report(&undo("143260000000099")).await.0, 866);
    assert_eq!(bench.report(&undo(&stored.eventos[0].nProt)).await.0, 135);
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &nProt)).await.0, 135);
}

#[tokio::test]
async fn the_svc_takes_its_own_and_says_so_in_the_protocol() {
    let bench = start().await;
    let mut freight = Freight::cargo(1);
    freight.tpEmis = 8;
    assert_eq!(bench.carried(&freight).await.0, 515);
    let signed = freight.signed(&bench);
    let AuthorizationAnswer::Authorized(protocol) =
        bench.carry_signed(&freight, &signed, AuthorityRole::Contingency).await
    else {
        panic!()
    };
    assert!(protocol.nProt.unwrap().starts_with("843"));
    let normal = Freight::cargo(2);
    let answer = bench.carry_signed(&normal, &normal.signed(&bench), AuthorityRole::Contingency).await;
    assert_eq!(code_and_text(&answer).0, 516);
    bench.simulator.configure(|settings| settings.svc_abertas = Some(["SC".to_owned()].into()));
    assert_eq!(code_and_text(&bench.carry_signed(&freight, &signed, AuthorityRole::Contingency).await).0, 114);
}

#[tokio::test]
async fn the_register_of_carriers_lets_in_who_is_not_listed() {
    let bench = start().await;
    let list = |change: fn(&mut TaxpayerRecord)| {
        bench.simulator.configure(|settings| {
            settings.contribuintes.clear();
            change(settings.contribuintes.entry(crate::bench::CNPJ.to_owned()).or_default());
        });
    };
    list(|one| one.transporte.nao_credenciado = true);
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 203);
    list(|one| one.transporte.modais = ["02".to_owned()].into());
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 585);
    list(|one| one.ie = ["110042490114".to_owned()].into());
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 230);
    list(|_| {});
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 100);
}

#[tokio::test]
async fn magic_values_and_faults_are_those_of_the_nfe() {
    let bench = start().await;
    let wish = |nCT, text: &str| Freight::cargo(nCT).with("/carga/proPred", json!(text));
    assert_eq!(bench.carried(&wish(1, "CAFE [SIM:cStat=661]")).await.0, 661);
    assert_eq!(bench.carried(&wish(2, "CAFE [SIM:cStat=109]")).await.0, 109);
    let lost = wish(3, "CAFE [SIM:falha=reset_after]");
    let endpoint = bench.at(57, AuthorityService::Autorizacao, AuthorityRole::Normal);
    let call = CTE.authorize(&endpoint, 1, &lost.signed(&bench));
    assert!(bench.send(&call).await.is_err());
    assert!(matches!(bench.seek(&lost.chave()).await, DocumentSituation::Authorized(_)));
    bench.simulator.add_fault(Fault::new(faults::FaultType::WrongDigval));
    let other = Freight::cargo(4);
    let AuthorizationAnswer::Authorized(protocol) = bench.carry(&other).await else { panic!() };
    let stored = bench.simulator.document(TpAmb::Homologacao, other.chave().as_str()).unwrap();
    assert_ne!(protocol.digVal, Some(stored.digVal));
}

#[tokio::test]
async fn the_eleventh_query_of_a_key_is_678() {
    let bench = start().await;
    let chave = Freight::cargo(1).chave();
    for _ in 0..10 {
        assert!(matches!(bench.seek(&chave).await, DocumentSituation::NeverSeen(_)));
    }
    let eleventh = bench.seek(&chave).await;
    assert!(matches!(eleventh, DocumentSituation::Unavailable(ref told) if told.codigo == 678), "{eleventh:?}");
}

#[tokio::test]
async fn a_substitute_waits_for_the_disagreement_of_who_takes_the_service() {
    let bench = start().await;
    let first = Freight::cargo(1);
    assert_eq!(bench.carried(&first).await.0, 100);
    let chave = first.chave();
    let substitute = |nCT, of: &str| Freight::cargo(nCT).with("/substituicao", json!({ "chCte": of }));
    let unknown = Freight::cargo(99).chave();
    assert_eq!(bench.carried(&substitute(2, unknown.as_str())).await.0, 568);
    assert_eq!(bench.carried(&substitute(2, chave.as_str())).await.0, 739);

    let said = json!({ "xObs": "Valor diferente do combinado" });
    let disagreement = FreightEvent::new(CteEventKind::Desacordo, chave, said.clone());
    assert_eq!(bench.report(&disagreement).await.0, 755);
    let taker = CertificateSubject::new("CAFE TESTE LTDA", "12ABC34501DE35");
    let taker = crate::bench::certificate(bench.simulator.pki(), &taker);
    let disagreement =
        FreightEvent { autor: "12ABC34501DE35".to_owned(), ..FreightEvent::new(CteEventKind::Desacordo, chave, said) };
    assert_eq!(bench.report_as(&disagreement, &taker).await.0, 135);

    let another_way = substitute(2, chave.as_str()).replace_text("<UFFim>RJ</UFFim>", "<UFFim>ES</UFFim>");
    let another_way = another_way.replace_text("<cMunFim>3304557</cMunFim>", "<cMunFim>3205309</cMunFim>");
    assert_eq!(bench.carried(&another_way).await.0, 560);
    let second = substitute(2, chave.as_str());
    assert_eq!(bench.carried(&second).await.0, 100);
    assert_eq!(bench.carried(&substitute(3, chave.as_str())).await.0, 570);
    let nProt = bench.protocol_of(&chave);
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &nProt)).await.0, 576);
    let nProt = bench.protocol_of(&second.chave());
    assert_eq!(bench.report(&FreightEvent::cancellation(second.chave(), &nProt)).await.0, 574);
}

#[tokio::test]
async fn a_complement_is_of_a_document_that_stands() {
    let bench = start().await;
    let first = Freight::cargo(1);
    assert_eq!(bench.carried(&first).await.0, 100);
    let chave = first.chave();
    let complement = |nCT, of: &str| {
        let mut freight = Freight::cargo(nCT).with("/complementado", json!([of]));
        let nota = freight.input["nota"].as_object_mut().unwrap();
        nota.remove("carga");
        nota.remove("documentos");
        freight
    };
    assert_eq!(bench.carried(&complement(2, Freight::cargo(99).chave().as_str())).await.0, 267);
    assert_eq!(bench.carried(&complement(2, chave.as_str())).await.0, 100);
    let nProt = bench.protocol_of(&chave);
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &nProt)).await.0, 660);
}
