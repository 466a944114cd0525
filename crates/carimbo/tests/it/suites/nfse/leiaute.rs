//! The layout of a DPS: by the day, by the host's report, by the operator's choice.

use engine::family::layouts::{LayoutChoice, LayoutChoices};
use serde_json::{Value, json};
use simulator::nfse::settings::AcceptedLayouts;
use simulator::settings::SimulatorSettings;

use super::{issued, path};
use crate::support::app::{Tenant, TestApp, ended};
use crate::support::judge;
use crate::support::services::{another, provider};

/// Starts an installation with this choice of the operator for homologação.
async fn by(word: &str) -> (TestApp, Tenant) {
    let homologacao = LayoutChoice::read(word).unwrap();
    let app =
        TestApp::start_with(|parts| parts.contingency.layouts = LayoutChoices { homologacao, ..Default::default() })
            .await;
    let tenant = provider(&app).await;
    (app, tenant)
}

fn takes(layout: AcceptedLayouts) -> impl FnOnce(&mut SimulatorSettings) {
    move |settings| settings.nfse.leiaute.homologacao = layout
}

/// `true` if the DPS of a job is in the layout of NT 009.
async fn is_of_nt009(tenant: &Tenant, job: &Value) -> bool {
    let dps = tenant.test.get(&path(job, "xml_dps")).await.text();
    let head = dps.split("<prest>").next().unwrap();
    head.contains("<finNFSe>0</finNFSe>")
}

const TURNED: &str = "que nomeia finNFSe";

async fn log(tenant: &Tenant, job: &Value) -> String {
    tenant.test.get(&path(job, "log")).await.text()
}

#[tokio::test]
async fn the_layout_of_homologacao_is_that_of_its_day() {
    let (app, tenant) = by("automatico").await;
    let job = issued(&tenant, &another("DODIA")).await;
    assert!(is_of_nt009(&tenant, &job).await);
    assert!(!log(&tenant, &job).await.contains(TURNED));
    judge::accepts_nfse(&tenant.test.get(&path(&job, "xml")).await.text(), &app.ca_file());
    let pdf = tenant.test.get(&path(&job, "pdf")).await;
    assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"));
    app.finish().await;
}

#[tokio::test]
async fn a_host_that_names_the_sign_is_sent_the_other_layout_once_and_remembered() {
    let (mut app, tenant) = by("automatico").await;
    app.simulate(takes(AcceptedLayouts::Current));
    let first = issued(&tenant, &another("VOLTA")).await;
    assert_eq!(first["nota"]["numero_dps"], json!(1), "the same number: {first:#}");
    assert!(!is_of_nt009(&tenant, &first).await);
    let told = log(&tenant, &first).await;
    assert_eq!(told.matches(TURNED).count(), 1, "{told}");
    assert!(told.contains("E1235"), "{told}");
    // known now, and after a restart
    app.restart(async |_| {}, |parts| parts.contingency.layouts = LayoutChoices::default()).await;
    let second = issued(&tenant, &another("LEMBRADO")).await;
    assert!(!is_of_nt009(&tenant, &second).await);
    assert!(!log(&tenant, &second).await.contains(TURNED));
    app.simulate(takes(AcceptedLayouts::Nt009));
    let third = issued(&tenant, &another("VIROU")).await;
    assert_eq!(third["nota"]["numero_dps"], json!(3), "{third:#}");
    assert!(is_of_nt009(&tenant, &third).await);
    assert!(log(&tenant, &third).await.contains(TURNED));
    app.finish().await;
}

#[tokio::test]
async fn what_the_operator_chose_is_left_to_nobody() {
    for (word, taken) in [("atual", AcceptedLayouts::Nt009), ("nt009", AcceptedLayouts::Current)] {
        let (app, tenant) = by(word).await;
        let job = issued(&tenant, &another("ESCOLHIDO")).await;
        assert_eq!(is_of_nt009(&tenant, &job).await, word == "nt009");
        app.simulate(takes(taken));
        let accepted = tenant.test.post("/v1/nfse/emitir", &another("RECUSADO")).await.ok(202);
        let refused = ended(&tenant.test, &accepted).await;
        assert_eq!(
            (&refused["nota"]["status"], &refused["nota"]["codigo_status"]),
            (&json!("rejeitada"), &json!("E1235")),
            "{refused:#}"
        );
        assert!(refused["nota"]["rejeicoes"].to_string().contains("finNFSe"), "{refused:#}");
        assert!(!log(&tenant, &refused).await.contains(TURNED));
        app.finish().await;
    }
}

/// Documents of a deduction have no known form in NT 009.
#[tokio::test]
async fn a_note_that_one_layout_alone_can_say_goes_in_that_one() {
    let (app, tenant) = by("automatico").await;
    let mut body = another("DOCUMENTOS");
    let document = json!({ "chNFe": "35261112ABC34501DE35550010000000011847362511", "tpDedRed": 2,
        "dtEmiDoc": "2026-10-01", "vDedutivelRedutivel": 10.00, "vDeducaoReducao": 10.00 });
    body["nota"]["serv"]["cServ"]["cTribNac"] = "070201".into();
    body["nota"]["serv"]["obra"] = json!({ "cCIB": "A1B2C3D4" });
    body["nota"]["valores"]["vDedRed"] = json!({ "documentos": { "docDedRed": [document] } });
    let job = issued(&tenant, &body).await;
    assert!(!is_of_nt009(&tenant, &job).await);
    app.finish().await;
}
