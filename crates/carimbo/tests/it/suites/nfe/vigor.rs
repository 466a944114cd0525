//! Rules that were withdrawn, or have no date yet in an environment: a note that violates only them is authorised,
//! without a prediction.
//!
//! Law: NT 2026.002 v1.11, which withdraws BA05-10 (317), I08-184 (701) and I08-186 (953) and makes 375 and 679 valid
//! in production from 2026-12-14 on.

use serde_json::{Value, json};

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};

/// A note, and the environments in which no valid rule refuses it.
struct Lawful {
    name: &'static str,
    references: Value,
    CFOP: u16,
    is_for_homologacao: bool,
}

fn lawful() -> [Lawful; 4] {
    let paper = json!([{ "refNF": { "cUF": "35", "AAMM": "0601", "CNPJ": "11222333000181", "mod": "01", "serie": "1", "nNF": "123" } }]);
    let ecf = json!([{ "refECF": { "mod": "2D", "nECF": "001", "nCOO": "000123" } }]);
    let nfce = json!([{ "refNFe": "35261111222333000181650010000000011234567897" }]);
    let row = |name, references, CFOP| Lawful { name, references, CFOP, is_for_homologacao: true };
    [
        row("317, a paper of 2006", paper, 5102),
        row("701, CFOP 5929 that refers to nothing", Value::Null, 5929),
        row("953, CFOP 5929 of an ECF", ecf, 5929),
        Lawful { is_for_homologacao: false, ..row("375 and 679, CFOP 5929 of an NFC-e", nfce, 5929) },
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_against_rules_out_of_force_alone_is_authorised_and_nothing_is_foretold() {
    let app = TestApp::start().await;
    app.stand_at("2026-11-29T12:00:00-03:00".parse().unwrap()).await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    for Lawful { name, references, CFOP, is_for_homologacao } in lawful() {
        let mut body = body::emission(NUMERIC);
        body["nota"]["identificacao"]["NFref"] = references;
        body["nota"]["produtos"][0]["CFOP"] = CFOP.into();
        for client in [Some(&tenant.live), is_for_homologacao.then_some(&tenant.test)].into_iter().flatten() {
            let job = issued(client, &body).await;
            let notices = job["avisos"].as_array().unwrap();
            let foretold: Vec<&Value> = notices.iter().filter(|notice| notice["codigo_status"].is_u64()).collect();
            assert_eq!((&job["nota"]["status"], foretold), (&json!("autorizada"), vec![]), "{name}: {job}");
        }
    }
    app.finish().await;
}
