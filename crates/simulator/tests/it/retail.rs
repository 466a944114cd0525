//! Model 65 by the rules, and the rules that only warn since NT 2026.002.

use authority::table::AuthorityService;
use fiscal::xml::Element;
use simulator::rule_switch::RuleSwitch;
use simulator::settings::{StateOptions, TaxpayerRecord};

use crate::bench::{Bench, Note, batch, start};

/// Issues a note of model 65 after some replacements; returns `infProt`.
async fn issued(bench: &Bench, number: u32, edits: &[(&str, &str)]) -> Element {
    let note = Note::new(number).retail();
    let xml = edits.iter().fold(note.xml(), |xml, (from, to)| {
        assert!(xml.contains(from), "{from}");
        xml.replacen(from, to, 1)
    });
    let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap();
    let mut call = bench.call(AuthorityService::Autorizacao, &batch(&[&note.with_code(&signed.xml)], "1"));
    call.url = call.url.replace("/nfe/", "/nfce/");
    let reply = bench.ask_call(&call).await;
    reply.at("protNFe/infProt").unwrap_or_else(|| panic!("{}", reply.text_at("xMotivo").unwrap_or_default())).clone()
}

fn code(protocol: &Element) -> u16 {
    protocol.text_at("cStat").unwrap().parse().unwrap()
}

const FREIGHT: (&str, &str) = ("<modFrete>9<", "<modFrete>0<");

#[tokio::test]
async fn a_rule_of_retail_refuses_until_it_only_warns() {
    let bench = start().await;
    assert_eq!(code(&issued(&bench, 1, &[]).await), 100);
    let refused = issued(&bench, 2, &[FREIGHT]).await;
    assert_eq!((code(&refused), refused.text_at("nProt")), (753, None));
    bench.simulator.configure(|settings| {
        settings.regras.insert(753, RuleSwitch::Warn);
    });
    let warned = issued(&bench, 2, &[FREIGHT]).await;
    assert_eq!((code(&warned), warned.text_at("cMsg")), (120, Some("753")));
    assert_eq!(warned.text_at("xMotivo"), Some("Autorizado o uso da NF-e, com alerta"));
    assert!(warned.text_at("xMsg").unwrap().ends_with("com Frete") && warned.text_at("nProt").is_some());
}

#[tokio::test]
async fn an_irregular_addressee_is_an_alert_in_retail_and_a_refusal_elsewhere() {
    let bench = start().await;
    bench.simulator.configure(|settings| {
        let irregular = TaxpayerRecord { destinatario_irregular: true, ..TaxpayerRecord::default() };
        settings.contribuintes.insert("11144477735".to_owned(), irregular);
    });
    let alerted = issued(&bench, 1, &[]).await;
    assert_eq!((code(&alerted), alerted.text_at("cMsg")), (120, Some("172")));
    assert_eq!(bench.issue(&Note::new(2)).await.0, 302);
}

#[tokio::test]
async fn model_55_has_no_alerts() {
    let bench = start().await;
    bench.simulator.configure(|settings| {
        settings.regras.insert(610, RuleSwitch::Warn);
    });
    let mut note = Note::new(1);
    note.vNF = "90.00";
    assert_eq!(bench.issue(&note).await.0, 100);
}

#[tokio::test]
async fn a_state_chooses() {
    let bench = start().await;
    let chosen = |json: serde_json::Value| {
        let options: StateOptions = serde_json::from_value(json).unwrap();
        bench.simulator.configure(|settings| {
            settings.opcoes.insert("SP".to_owned(), options.clone());
        });
    };
    chosen(serde_json::json!({ "escolhas": { "sem_nfce": true } }));
    assert_eq!(code(&issued(&bench, 1, &[]).await), 702);
    chosen(serde_json::json!({ "limite_varejo": "99.99" }));
    let refused = issued(&bench, 1, &[]).await;
    assert_eq!(code(&refused), 780);
    assert!(refused.text_at("xMotivo").unwrap().ends_with("[R$ 99.99]"), "{:?}", refused.text_at("xMotivo"));
    chosen(serde_json::json!({ "limite_nfe": "99.99" }));
    assert_eq!(code(&issued(&bench, 1, &[]).await), 100);
    assert_eq!(bench.issue(&Note::new(2)).await.0, 628);
}
