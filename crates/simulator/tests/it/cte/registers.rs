//! Rules of the parties and of the carried notes that only the authority can check.

use super::bench::Freight;
use crate::bench::{Bench, CNPJ, Note, start};
use authority::answer::AuthorizationAnswer;
use serde_json::{Value, json};
use simulator::settings::TaxpayerRecord;

const SENDER: &str = "12ABC34501DE35";
const ADDRESSEE: &str = "33000167000101";
const PARTNER: &str = "98765432000198";

/// Lists companies with the registrations that they are addressed under.
fn list(bench: &Bench, listed: &[(&str, &str)]) {
    bench.simulator.configure(|settings| {
        settings.contribuintes.clear();
        for (number, ie) in listed {
            let one = TaxpayerRecord { ie_destinatario: [(*ie).to_owned()].into(), ..TaxpayerRecord::default() };
            settings.contribuintes.insert((*number).to_owned(), one);
        }
    });
}

/// A payer outside of the other parties.
fn described(ie: Value) -> Value {
    json!({
        "CNPJCPF": PARTNER, "IE": ie, "xNome": "TRANSPORTES PARCEIRO LTDA", "xLgr": "RUA D", "nro": "4", "xBairro": "CENTRO",
        "cMun": 4_305_108, "xMun": "CAXIAS DO SUL", "UF": "RS", "CEP": "95010000"
    })
}

/// A party, its registration, another one, and the codes of an unknown, another party's and a missing registration.
const PARTIES: [(&str, &str, &str, [u16; 3]); 3] = [
    (SENDER, "0962345679", "0963333330", [421, 422, 716]),
    (ADDRESSEE, "77040285", "78123450", [426, 427, 232]),
    (PARTNER, "0963333330", "0962345679", [489, 490, 719]),
];

/// A CT-e with this registration of the party; the addressee pays where the sender's registration is tested.
fn registered(nCT: u64, number: &str, ie: Value) -> Freight {
    match number {
        SENDER => Freight::cargo(nCT).with("/tomador", json!({ "indice": 3 })).with("/remetente/IE", ie),
        ADDRESSEE => Freight::cargo(nCT).with("/destinatario/IE", ie),
        _ => Freight::cargo(nCT).with("/tomador", described(ie)),
    }
}

#[tokio::test]
async fn a_registration_is_the_partys_own_and_is_told() {
    let bench = start().await;
    for (nCT, (number, own, other, [unknown, of_another, untold])) in (1_u64..).step_by(4).zip(PARTIES) {
        list(&bench, &[(number, own)]);
        assert_eq!(bench.carried(&registered(nCT, number, json!(own))).await.0, 100, "{number}");
        assert_eq!(bench.carried(&registered(nCT + 1, number, Value::Null)).await.0, untold, "{number}");
        list(&bench, &[(number, other)]);
        assert_eq!(bench.carried(&registered(nCT + 2, number, json!(own))).await.0, unknown, "{number}");
        list(&bench, &[(number, other), ("11444777000161", own)]);
        assert_eq!(bench.carried(&registered(nCT + 3, number, json!(own))).await.0, of_another, "{number}");
    }
}

#[tokio::test]
async fn what_is_carried_is_a_note_that_stands() {
    let bench = start().await;
    let (note, other) = (Note::new(1), Note::new(1).cNF(1));
    let carries = |nCT, note: &Note| {
        Freight::cargo(nCT).with("/documentos", json!({ "nfe": [{ "chave": note.chave().as_str() }] }))
    };
    assert_eq!(bench.carried(&carries(1, &note)).await.0, 100, "of a note of elsewhere nothing is known");
    bench.simulator.configure(|settings| settings.referencias_fechadas = true);
    assert_eq!(bench.carried(&carries(2, &note)).await.0, 661);
    let AuthorizationAnswer::Authorized(protocol) = bench.authorize(&bench.sign(&note)).await else {
        panic!("not authorised")
    };
    assert_eq!(bench.carried(&carries(2, &note)).await.0, 100);
    assert_eq!(bench.carried(&carries(3, &other)).await.0, 662);
    bench.cancelled(&note, &protocol.nProt.unwrap()).await;
    assert_eq!(bench.carried(&carries(4, &note)).await.0, 652);
}

#[tokio::test]
async fn a_carrier_who_pays_for_the_goods_of_others_subcontracts() {
    let bench = start().await;
    let mut own = described(json!("2243658792"));
    own["CNPJCPF"] = json!(CNPJ);
    let paid_by_a_carrier = |nCT| Freight::cargo(nCT).with("/tomador", own.clone());
    assert_eq!(bench.carried(&paid_by_a_carrier(1)).await.0, 100, "nobody has seen it issue");
    assert_eq!(bench.carried(&paid_by_a_carrier(2)).await.0, 746);
    let not_a_taxpayer = paid_by_a_carrier(2).with("/identificacao/indIEToma", json!(9));
    assert_eq!(bench.carried(&not_a_taxpayer).await.0, 100);
}

#[tokio::test]
async fn an_emitter_issues_under_its_own_registration() {
    let bench = start().await;
    bench.simulator.configure(|settings| {
        let one = |ie: &str| TaxpayerRecord { ie: [ie.to_owned()].into(), ..TaxpayerRecord::default() };
        settings.contribuintes.insert(CNPJ.to_owned(), one("110042490114"));
        settings.contribuintes.insert(PARTNER.to_owned(), one("2243658792"));
    });
    assert_eq!(bench.carried(&Freight::cargo(1)).await.0, 231);
}
