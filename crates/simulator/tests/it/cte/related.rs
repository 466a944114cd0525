//! Values that a substitute and a complement must repeat of their document.

use super::bench::{Freight, FreightEvent};
use crate::bench::{Bench, certificate, start};
use fiscal::event::cte::CteEventKind;
use fiscal::value::ChaveAcesso;
use serde_json::{Value, json};
use simulator::clock::ClockMode;
use simulator::pki::CertificateSubject;
use simulator::rule_switch::RuleSwitch;

const PAYER: &str = "12ABC34501DE35";

/// A document with all four parties, which its payer disagreed with.
async fn disagreed(bench: &Bench, nCT: u64) -> ChaveAcesso {
    let first = everybody(nCT);
    assert_eq!(bench.carried(&first).await.0, 100);
    let said = json!({ "xObs": "Valor diferente do combinado" });
    let payer = certificate(bench.simulator.pki(), &CertificateSubject::new("CAFE TESTE LTDA", PAYER));
    let disagreement =
        FreightEvent { autor: PAYER.to_owned(), ..FreightEvent::new(CteEventKind::Desacordo, first.chave(), said) };
    assert_eq!(bench.report_as(&disagreement, &payer).await.0, 135);
    first.chave()
}

/// A document with all four parties.
fn everybody(nCT: u64) -> Freight {
    Freight::cargo(nCT)
        .with("/expedidor", party("98765432000198", "0963333330", 4_305_108, "CAXIAS DO SUL", "RS", "95010000"))
        .with("/recebedor", party("33000167000101", "77040285", 3_304_557, "RIO DE JANEIRO", "RJ", "20031912"))
}

fn party(number: &str, ie: &str, cMun: u32, xMun: &str, uf: &str, cep: &str) -> Value {
    json!({
        "CNPJCPF": number, "IE": ie, "xNome": "EMPRESA TESTE LTDA", "xLgr": "RUA D", "nro": "4", "xBairro": "CENTRO", "cMun": cMun,
        "xMun": xMun, "UF": uf, "CEP": cep
    })
}

/// Members of the `nota`, each with another value.
type Members = Vec<(&'static str, Value)>;

/// Changes of the `nota`, with the code of a substitute and that of a complement; 0 where a complement has no such
/// rule.
fn changed() -> Vec<(Members, u16, u16)> {
    let one = |pointer, value: Value| vec![(pointer, value)];
    let another = |role| vec![(role, json!("11444777000161"))];
    vec![
        (another("/destinatario/CNPJCPF"), 512, 801),
        (another("/expedidor/CNPJCPF"), 550, 802),
        (another("/recebedor/CNPJCPF"), 551, 803),
        ([another("/remetente/CNPJCPF"), one("/tomador/indice", json!(3))].concat(), 511, 800),
        (one("/emitente", json!({ "IE": "0963333330" })), 553, 805),
        (
            vec![
                ("/identificacao/cMunIni", json!(4_205_407)),
                ("/identificacao/xMunIni", json!("FLORIANOPOLIS")),
                ("/identificacao/UFIni", json!("SC")),
                ("/identificacao/CFOP", json!("6932")),
            ],
            559,
            811,
        ),
        (
            vec![
                ("/identificacao/cMunFim", json!(3_205_309)),
                ("/identificacao/xMunFim", json!("VITORIA")),
                ("/identificacao/UFFim", json!("ES")),
            ],
            560,
            812,
        ),
        (one("/documentos", json!({ "nfe": ["43261112ABC34501DE35550010000000021847362510"] })), 734, 0),
        (one("/tomador/indice", json!(3)), 738, 804),
    ]
}

#[tokio::test]
async fn a_substitute_repeats_what_it_may_not_change() {
    let bench = start().await;
    let chave = disagreed(&bench, 1).await;
    for (nCT, (members, cStat, _)) in (2_u64..).zip(changed()) {
        let mut freight = everybody(nCT).with("/substituicao", json!({ "chCte": chave.as_str() }));
        for (pointer, value) in &members {
            freight = freight.with(pointer, value.clone());
        }
        let (found, xMotivo) = bench.carried(&freight).await;
        assert_eq!(found, cStat, "{members:?}: {xMotivo}");
    }
    // The payer may change to another party only with indAlteraToma.
    bench.simulator.configure(|settings| {
        settings.regras.insert(738, RuleSwitch::Off);
    });
    let other =
        everybody(50).with("/substituicao", json!({ "chCte": chave.as_str() })).with("/tomador/indice", json!(3));
    assert_eq!(bench.carried(&other).await.0, 552);
    let said = json!({ "chCte": chave.as_str(), "indAlteraToma": 1 });
    let altered = |tomador: Value| everybody(51).with("/substituicao", said.clone()).with("/tomador", tomador);
    let stranger = party("11444777000161", "0963333330", 4_305_108, "CAXIAS DO SUL", "RS", "95010000");
    for (tomador, cStat) in [
        (stranger, 740),
        // In another state: Rio de Janeiro.
        (json!({ "indice": 3 }), 741),
        (json!({ "indice": 0 }), 742),
        // In the same state.
        (json!({ "indice": 1 }), 100),
    ] {
        let (found, xMotivo) = bench.carried(&altered(tomador.clone())).await;
        assert_eq!(found, cStat, "{tomador}: {xMotivo}");
    }
    let correction = FreightEvent::new(CteEventKind::CartaCorrecao, chave, letter());
    assert_eq!(bench.report(&correction).await.0, 664);
}

/// Content of a letter of correction.
fn letter() -> Value {
    json!({ "correcoes": [{ "grupo": "compl", "campo": "xObs", "valor": "PLACA ABC1D23" }] })
}

#[tokio::test]
async fn a_substitute_comes_within_sixty_days_and_of_what_stands() {
    let bench = start().await;
    let chave = disagreed(&bench, 1).await;
    let later = jiff::SignedDuration::from_hours(61 * 24);
    bench.simulator.clock().set_mode(ClockMode::Shifted(later));
    // Sixty days from now may be another year, with other rates.
    bench.simulator.configure(|settings| {
        settings.regras.extend([316, 321, 326].map(|cStat| (cStat, RuleSwitch::Off)));
    });
    let at = super::bench::moment(61 * 86_400);
    let late =
        everybody(2).with("/substituicao", json!({ "chCte": chave.as_str() })).with("/identificacao/dhEmi", json!(at));
    assert_eq!(bench.carried(&late).await.0, 563);
    bench.simulator.clock().set_mode(ClockMode::Real);
    let cancelled = everybody(3);
    assert_eq!(bench.carried(&cancelled).await.0, 100);
    let chave = cancelled.chave();
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &bench.protocol_of(&chave))).await.0, 135);
    let of_it = everybody(4).with("/substituicao", json!({ "chCte": chave.as_str() }));
    assert_eq!(bench.carried(&of_it).await.0, 569);
    assert_eq!(bench.carried(&complement(5, chave.as_str())).await.0, 655);
}

/// A document of another emitter cannot be substituted.
#[tokio::test]
async fn a_substitute_is_of_the_same_emitter() {
    let bench = start().await;
    let chave = disagreed(&bench, 1).await;
    let branch =
        certificate(bench.simulator.pki(), &CertificateSubject::new("TRANSPORTADORA TESTE LTDA", "11222333000262"));
    let mut freight = everybody(2).with("/substituicao", json!({ "chCte": chave.as_str() }));
    freight.input["emitente"]["CNPJCPF"] = json!("11222333000262");
    let id = format!("CTe{}", freight.chave().as_str());
    let signed = signing::sign(freight.built().xml, &id, &branch).unwrap().xml;
    let answer = bench.carry_signed(&freight, &signed, authority::table::AuthorityRole::Normal).await;
    assert_eq!(super::bench::code_and_text(&answer).0, 510);
}

fn complement(nCT: u64, of: &str) -> Freight {
    let mut freight = everybody(nCT).with("/complementado", json!([of]));
    let nota = freight.input["nota"].as_object_mut().unwrap();
    nota.remove("carga");
    nota.remove("documentos");
    freight
}

#[tokio::test]
async fn a_complement_repeats_what_it_completes() {
    let bench = start().await;
    let first = everybody(1);
    assert_eq!(bench.carried(&first).await.0, 100);
    let chave = first.chave();
    let changes = changed().into_iter().filter(|(_, _, cStat)| *cStat != 0);
    for (nCT, (members, _, cStat)) in (2_u64..).zip(changes) {
        let mut freight = complement(nCT, chave.as_str());
        for (pointer, value) in &members {
            freight = freight.with(pointer, value.clone());
        }
        let (found, xMotivo) = bench.carried(&freight).await;
        assert_eq!(found, cStat, "{members:?}: {xMotivo}");
    }
    assert_eq!(bench.carried(&complement(60, chave.as_str())).await.0, 100);
}
