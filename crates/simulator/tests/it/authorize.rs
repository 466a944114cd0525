//! NFeAutorizacao4: authorisation, duplicates, rules, magic values, denial.

use crate::bench::{Note, batch, code, start, verdict};
use authority::answer::AuthorizationAnswer;
use authority::table::AuthorityService;
use simulator::LedgerStatus;
use simulator::pki::CertificateSubject;
use simulator::rule_switch::RuleSwitch;
use simulator::settings::{DuplicatePolicy, TaxpayerRecord};

#[tokio::test]
async fn authorises_a_note_and_gives_it_a_protocol_with_its_digest() {
    let bench = start().await;
    let note = Note::new(1);
    let signed = signing::sign(note.xml(), &note.id(), &bench.certificate).unwrap();
    let AuthorizationAnswer::Authorized(protocol) = bench.authorize(&signed.xml).await else {
        panic!("não autorizada")
    };
    assert_eq!((protocol.codigo.number().unwrap(), protocol.xMotivo.as_str()), (100, "Autorizado o uso da NF-e"));
    assert_eq!(protocol.digVal.as_deref(), Some(signed.digest.as_str()));
    let nProt = protocol.nProt.unwrap();
    assert!(nProt.len() == 15 && nProt.starts_with("135"), "{nProt}");
    let stored = bench.simulator.documents(Some(crate::bench::CNPJ));
    assert_eq!(
        (stored.len(), stored[0].situacao, stored[0].nProt.as_str()),
        (1, LedgerStatus::Autorizada, nProt.as_str())
    );
}

#[tokio::test]
async fn an_alphanumeric_cnpj_is_like_any_other() {
    let bench = start().await;
    let certificate =
        crate::bench::certificate(bench.simulator.pki(), &CertificateSubject::new("ALFA", "12ABC34501DE35"));
    let note = Note::new(1).of("12ABC34501DE35");
    assert_eq!(bench.verdict(&bench.sign_as(&note, &certificate)).await.0, 100);
}

#[tokio::test]
async fn a_head_offices_certificate_signs_for_its_branch() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1).of("11222333000262")).await.0, 100);
}

#[tokio::test]
async fn the_same_key_again_is_204_and_changes_nothing() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1));
    assert_eq!(bench.verdict(&signed).await.0, 100);
    let before = bench.simulator.documents(None)[0].nProt.clone();
    let (cStat, xMotivo) = bench.verdict(&signed).await;
    assert_eq!(cStat, 204);
    let nRec = bench.simulator.documents(None)[0].nRec.clone();
    assert_eq!(xMotivo, format!("Rejeição: Duplicidade de NF-e [nRec:{nRec}]"));
    assert_eq!(bench.simulator.documents(None)[0].nProt, before);
    let counts = bench.simulator.counts(Note::new(1).chave().as_str());
    assert_eq!((counts.recebida, counts.processada, counts.gravada), (2, 2, 1));
}

#[tokio::test]
async fn the_original_protocol_comes_back_when_the_authority_works_so() {
    let bench = start().await;
    bench.simulator.configure(|settings| settings.duplicidade = DuplicatePolicy::DevolverOriginal);
    let signed = bench.sign(&Note::new(1));
    let (AuthorizationAnswer::Authorized(first), AuthorizationAnswer::Authorized(second)) =
        (bench.authorize(&signed).await, bench.authorize(&signed).await)
    else {
        panic!("não autorizada")
    };
    assert_eq!(first, second);
}

#[tokio::test]
async fn the_same_number_under_another_key_is_539_and_names_the_stored_key() {
    let bench = start().await;
    let first = Note::new(1);
    assert_eq!(bench.issue(&first).await.0, 100);
    let (cStat, xMotivo) = bench.issue(&Note::new(1).cNF(10_203_040)).await;
    assert_eq!(cStat, 539);
    assert!(xMotivo.starts_with("Rejeição: Duplicidade de NF-e com diferença na Chave de Acesso [chNFe:"), "{xMotivo}");
    assert!(xMotivo.contains(&format!("[chNFe:{}][nRec:", first.chave().as_str())), "{xMotivo}");
}

#[tokio::test]
async fn a_rejected_number_is_free_again() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1).xProd("CAFE [SIM:cStat=610]")).await.0, 610);
    assert!(bench.simulator.documents(None).is_empty());
    assert_eq!(bench.issue(&Note::new(1).cNF(10_203_040)).await.0, 100);
}

#[tokio::test]
async fn a_magic_value_brings_any_code_with_its_official_text() {
    let bench = start().await;
    for (number, cStat, text) in [
        (1, 610, "Rejeição: Total da NF difere do somatório dos Valores compõe o valor Total da NF."),
        (2, 778, "Rejeição: Informado NCM inexistente"),
        (3, 656, "Rejeição: Consumo Indevido"),
        (4, 108, "Serviço Paralisado Momentaneamente (curto prazo)"),
    ] {
        let answered = bench.issue(&Note::new(number).xProd(&format!("CAFE [SIM:cStat={cStat}]"))).await;
        assert_eq!((answered.0, answered.1.as_str()), (cStat, text));
    }
}

#[tokio::test]
async fn a_denied_document_is_kept_with_its_protocol_and_answers_205() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1).xProd("CAFE [SIM:cStat=302]"));
    let AuthorizationAnswer::Denied(protocol) = bench.authorize(&signed).await else { panic!("não denegada") };
    assert_eq!((protocol.codigo.number().unwrap(), protocol.nProt.is_some()), (302, true));
    assert_eq!(protocol.xMotivo, "Uso Denegado: Irregularidade fiscal do destinatário");
    assert_eq!(bench.simulator.documents(None)[0].situacao, LedgerStatus::Denegada);
    assert_eq!(bench.verdict(&signed).await.0, 205);
}

#[tokio::test]
async fn irregular_taxpayers_are_refused_by_the_register_and_denied_only_as_until_2024() {
    let bench = start().await;
    let addressee = |irregular: TaxpayerRecord| {
        bench.simulator.configure(|settings| {
            settings.contribuintes.insert("11144477735".to_owned(), irregular);
        });
    };
    let refused = async |number: u32| match bench.authorize(&bench.sign(&Note::new(number))).await {
        AuthorizationAnswer::Rejected(said) => (said.codigo.number().unwrap(), said.xMotivo),
        other => panic!("{other:?}"),
    };
    addressee(TaxpayerRecord { destinatario_irregular: true, ..TaxpayerRecord::default() });
    assert_eq!(refused(1).await, (302, "Rejeição: Irregularidade fiscal do destinatário".to_owned()));
    addressee(TaxpayerRecord { destinatario_nao_habilitado: true, ..TaxpayerRecord::default() });
    assert_eq!(refused(1).await, (303, "Rejeição: Destinatário não habilitado a operar na UF".to_owned()));
    // The number stays free.
    addressee(TaxpayerRecord::default());
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    bench.simulator.configure(|settings| {
        let irregular = TaxpayerRecord { emitente_irregular: true, ..TaxpayerRecord::default() };
        settings.contribuintes.insert(crate::bench::CNPJ.to_owned(), irregular);
    });
    assert_eq!(refused(2).await, (781, "Rejeição: Emissor não habilitado para emissão da NF-e/NFC-e".to_owned()));
    bench.simulator.configure(|settings| settings.denegacao = true);
    let AuthorizationAnswer::Denied(protocol) = bench.authorize(&bench.sign(&Note::new(2))).await else {
        panic!("não denegada")
    };
    assert_eq!((protocol.codigo.number().unwrap(), protocol.nProt.is_some()), (301, true));
}

#[tokio::test]
async fn a_closed_registry_knows_its_taxpayers_and_their_registrations() {
    let bench = start().await;
    bench.simulator.configure(|settings| settings.cadastro_aberto = false);
    assert_eq!(bench.issue(&Note::new(1)).await.0, 245);
    let with = |taxpayer: TaxpayerRecord| {
        bench.simulator.configure(|settings| {
            settings.contribuintes.insert(crate::bench::CNPJ.to_owned(), taxpayer);
        });
    };
    with(TaxpayerRecord { ie: ["999".to_owned()].into(), ..TaxpayerRecord::default() });
    assert_eq!(bench.issue(&Note::new(1)).await.0, 230);
    with(TaxpayerRecord { nao_credenciado: true, ..TaxpayerRecord::default() });
    assert_eq!(bench.issue(&Note::new(1)).await.0, 203);
    with(TaxpayerRecord { ie: ["110042490114".to_owned()].into(), ..TaxpayerRecord::default() });
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
}

#[tokio::test]
async fn rules_of_time_follow_the_simulators_clock() {
    let bench = start().await;
    let now = jiff::Timestamp::now();
    let ago = |hours: i64| now - jiff::SignedDuration::from_hours(hours);
    assert_eq!(bench.issue(&Note::new(1).emitted(ago(8 * 24))).await.0, 150);
    assert_eq!(bench.issue(&Note::new(2).emitted(ago(31 * 24))).await.0, 228);
    assert_eq!(bench.issue(&Note::new(3).emitted(ago(-1))).await.0, 703);
    bench.simulator.clock().set_mode(simulator::clock::ClockMode::Shifted(jiff::SignedDuration::from_hours(2)));
    assert_eq!(bench.issue(&Note::new(3).emitted(ago(-1))).await.0, 100);
}

#[tokio::test]
async fn what_turns_on_the_authority_asked_is_judged_by_it() {
    let bench = start().await;
    let mut production = Note::new(1);
    production.tpAmb = "1";
    assert_eq!(bench.issue(&production).await.0, 252);
    let mut contingency = Note::new(2);
    contingency.tpEmis = 6;
    assert_eq!(bench.issue(&contingency).await.0, 570);
}

#[tokio::test]
async fn the_first_broken_rule_in_the_order_of_the_manual_answers() {
    let bench = start().await;
    let mut note = Note::new(1).emitted(jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1));
    note.tpAmb = "1";
    note.vNF = "90.00";
    let expect = async |note: &Note, cStat: u16| {
        let (answered, xMotivo) = bench.issue(note).await;
        assert_eq!(answered, cStat, "{xMotivo}");
        bench.simulator.configure(|settings| {
            settings.regras.insert(cStat, RuleSwitch::Off);
        });
    };
    for cStat in [703, 252, 610] {
        expect(&note, cStat).await;
    }
    assert_eq!(bench.issue(&note).await.0, 100);
}

#[tokio::test]
async fn a_rule_of_an_item_says_which_item() {
    let bench = start().await;
    let mut note = Note::new(1);
    note.NCM = "09";
    let (cStat, xMotivo) = bench.issue(&note).await;
    assert_eq!((cStat, xMotivo.as_str()), (777, "Rejeição: Obrigatória a informação do NCM completo [nItem:1]"));
}

#[tokio::test]
async fn what_the_contingency_authority_authorised_the_state_knows() {
    let bench = start().await;
    let at_svc = async |note: &Note| {
        let mut call = bench.call(AuthorityService::Autorizacao, &batch(&[&bench.sign(note)], "1"));
        call.url = call.url.replace("/sp/", "/svc-an/");
        verdict(&bench.ask_call(&call).await).0
    };
    assert_eq!(at_svc(&Note::new(1)).await, 713);
    let mut note = Note::new(1);
    note.tpEmis = 6;
    assert_eq!(at_svc(&note).await, 100);
    let query = format!(
        "<consSitNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><tpAmb>2</tpAmb><xServ>CONSULTAR</xServ>\
         <chNFe>{}</chNFe></consSitNFe>",
        note.chave().as_str()
    );
    assert_eq!(bench.code(AuthorityService::ConsultaProtocolo, &query).await, 100);
    // The original, sent to the state afterwards, has this number under another key.
    assert_eq!(bench.issue(&Note::new(1)).await.0, 539);
}

#[tokio::test]
async fn a_rule_switched_off_is_not_asked() {
    let bench = start().await;
    let future = Note::new(1).emitted(jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1));
    assert_eq!(bench.issue(&future).await.0, 703);
    bench.simulator.configure(|settings| {
        settings.regras.insert(703, RuleSwitch::Off);
    });
    assert_eq!(bench.issue(&future).await.0, 100);
}

#[tokio::test]
async fn the_rules_of_a_batch_come_in_their_order() {
    let bench = start().await;
    let (one, two) = (bench.sign(&Note::new(1)), bench.sign(&Note::new(2)));
    let ask = async |signed: &[&str], indSinc: &str| {
        code(&bench.ask(AuthorityService::Autorizacao, &batch(signed, indSinc)).await)
    };
    assert_eq!(ask(&[&one, &two], "1").await, 764);
    assert_eq!(ask(&[&one], "0").await, 452);
    let mut nfce = Note::new(3);
    nfce.modelo = 65;
    let nfce = bench.sign(&nfce);
    assert_eq!(ask(&[&one, &nfce], "0").await, 765);
    assert_eq!(ask(&[&nfce], "1").await, 450);
    let other = bench.sign(&Note::new(4).of("12ABC34501DE35"));
    assert_eq!(ask(&[&one, &other], "0").await, 560);
}

#[tokio::test]
async fn the_thirty_first_equal_rejection_in_an_hour_is_undue_use() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1).xProd("CAFE [SIM:cStat=610]"));
    for _ in 0..30 {
        assert_eq!(bench.verdict(&signed).await.0, 610);
    }
    assert_eq!(bench.verdict(&signed).await.0, 656);
    bench.simulator.configure(|settings| settings.limites = false);
    assert_eq!(bench.verdict(&signed).await.0, 610);
}

#[tokio::test]
async fn documents_of_the_two_environments_do_not_meet() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    let mut production = Note::new(1);
    production.tpAmb = "1";
    production.dest = "<CPF>11144477735</CPF>".to_owned();
    let mut call = bench.call(AuthorityService::Autorizacao, &batch(&[&bench.sign(&production)], "1"));
    call.url = call.url.replace("/hom/", "/prod/");
    assert_eq!(verdict(&bench.ask_call(&call).await).0, 100);
}
