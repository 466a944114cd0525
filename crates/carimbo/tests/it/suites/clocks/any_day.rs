//! On any day the predicted rejections are the authority's. The test command sets this process's clock to each day on
//! which the law changes (`cargo xtask test clocks`).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended};
use crate::support::recipes::{register, served};

/// CNPJ of a company of the normal regime, as in the documentation.
const NORMAL: &str = "44555666000181";

/// Outcomes of the notes of a run, and the notes whose prediction differs from the outcome.
#[derive(Default)]
struct Counts {
    ends: BTreeMap<&'static str, usize>,
    codes: BTreeMap<(&'static str, u64), usize>,
    wrong: Vec<String>,
}

impl Counts {
    async fn issue(&mut self, tenant: &Tenant, name: &str, body: &Value) {
        for (client, ambiente) in [(&tenant.test, "homologação"), (&tenant.live, "produção")] {
            let answer = client.post("/v1/nfe/emitir", body).await;
            if answer.status != 202 {
                self.wrong.push(format!("{name}, {ambiente}: {}", answer.text()));
                continue;
            }
            let accepted = answer.json();
            let foretold = foretold(&accepted);
            let note = &ended(client, &accepted).await["nota"];
            let refused = (note["status"] != "autorizada").then(|| note["codigo_status"].as_u64().unwrap_or(0));
            *self.ends.entry(if refused.is_some() { "recusadas" } else { "autorizadas" }).or_default() += 1;
            if let Some(code) = refused {
                *self.codes.entry((ambiente, code)).or_default() += 1;
            }
            *self.ends.entry("previstas").or_default() += usize::from(foretold.is_some());
            if foretold != refused {
                self.wrong.push(format!("{name}, {ambiente}: foretold {foretold:?}, refused {refused:?}: {note}"));
            }
        }
    }
}

/// Returns the first predicted code.
fn foretold(accepted: &Value) -> Option<u64> {
    let mut notices = accepted["avisos"].as_array().unwrap().iter();
    notices.find(|it| it["codigo"] == "rejeicao_prevista").and_then(|it| it["codigo_status"].as_u64())
}

/// The note of the normal regime as each side of a turn writes it.
fn sides(normal: &Value) -> Vec<(&'static str, Value)> {
    let rates = |uf: &str, mun: &str, cbs: &str| {
        let part = |rate: &str| {
            let (base, rate): (rust_decimal::Decimal, rust_decimal::Decimal) =
                ("1000".parse().unwrap(), rate.parse().unwrap());
            json!({ "valor_bc": "1000.00", "aliquota": rate.to_string(), "valor": (base * rate / rust_decimal::Decimal::ONE_HUNDRED).round_dp(2).to_string() })
        };
        json!({ "cst": "000", "classificacao": "000001", "ibs_uf": part(uf), "ibs_mun": part(mun), "cbs": part(cbs) })
    };
    let with = |change: &dyn Fn(&mut Value)| {
        let mut body = normal.clone();
        change(&mut body["nota"]);
        body["referencia_externa"] = Value::Null;
        body
    };
    let cupom = json!([{ "refNFe": "35261144555666000181650010000000011234567897" }]);
    vec![
        ("rates of 2026", with(&|nota| nota["produtos"][0]["ibscbs"] = rates("0.10", "0.00", "0.90"))),
        ("rates of 2027", with(&|nota| nota["produtos"][0]["ibscbs"] = rates("0.05", "0.05", "8.70"))),
        ("no group", with(&|nota| nota["produtos"][0]["ibscbs"] = Value::Null)),
        ("refers to an NFC-e", with(&|nota| nota["identificacao"]["NFref"] = cupom.clone())),
        (
            "5929 of an NFC-e",
            with(&|nota| {
                nota["identificacao"]["NFref"] = cupom.clone();
                nota["produtos"][0]["CFOP"] = json!(5929);
            }),
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_foretold_is_refused_and_nothing_else_on_whatever_day_it_is() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    register(&app, &tenant, &served(&app, "empresa-normal").await).await;
    tenant.test.put(&format!("/v1/empresas/{NORMAL}/nfe"), &json!({ "ambiente": 1, "serie": "2" })).await.ok(200);
    let mut counts = Counts::default();
    let normal = served(&app, "regime-normal-completa").await;
    for (name, body) in sides(&normal) {
        counts.issue(&tenant, name, &body).await;
    }
    for name in ["regime-normal-completa", "exportacao", "complementar-de-preco", "devolucao-com-ipi", "importacao"] {
        let mut body = served(&app, name).await;
        body["referencia_externa"] = Value::Null;
        counts.issue(&tenant, name, &body).await;
    }
    println!("relógio em {}: {:?} {:?}", jiff::Timestamp::now(), counts.ends, counts.codes);
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
    app.finish().await;
}
