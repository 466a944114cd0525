//! The national NFS-e of 2027: the note with IBS and CBS that the Sefin computes, and the notices of one without.

use serde_json::json;

use super::{issued, path};
use crate::support::app::TestApp;
use crate::support::judge;
use crate::support::services::{another, provider};

/// Half an hour into the year in Brasília.
const JANUARY: &str = "2027-01-01T03:30:00Z";
/// The last hour of the year there; in UTC it is January.
const DECEMBER: &str = "2027-01-01T02:30:00Z";

#[tokio::test]
async fn a_note_of_january_comes_back_with_its_taxes_and_is_printed() {
    let app = TestApp::start().await;
    app.stand_at(JANUARY.parse().unwrap()).await;
    let tenant = provider(&app).await;
    let mut body = another("JANEIRO");
    body["nota"]["toma"]["end"] = json!({ "endNac": { "cMun": "3550308", "CEP": "01001000" }, "xLgr": "Praça da Sé",
        "nro": "1", "xBairro": "Sé" });
    body["nota"]["serv"]["cServ"]["cNBS"] = "115021000".into();
    body["nota"]["IBSCBS"] =
        json!({ "cIndOp": "100301", "valores": { "trib": { "gIBSCBS": { "CST": "000", "cClassTrib": "000001" } } } });
    let job = issued(&tenant, &body).await;
    let xml = tenant.test.get(&path(&job, "xml")).await.text();
    judge::accepts_nfse(&xml, &app.ca_file());
    for text in
        ["<dCompet>2027-01-01</dCompet>", "<pIBSUF>0.05</pIBSUF>", "<pIBSMun>0.05</pIBSMun>", "<xOutInf>SIMULADOR"]
    {
        assert!(xml.contains(text), "{text}: {xml}");
    }
    let pdf = tenant.test.get(&path(&job, "pdf")).await;
    assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"));
    app.finish().await;
}

#[tokio::test]
async fn the_absence_of_the_group_is_told_by_the_day_in_brasilia_and_refuses_nothing() {
    for (moment, expected) in [(DECEMBER, "ainda não rejeita"), (JANUARY, "a Sefin pode recusar")] {
        let app = TestApp::start().await;
        app.stand_at(moment.parse().unwrap()).await;
        let tenant = provider(&app).await;
        let body = another("SEMGRUPO");
        let looked = tenant.test.post("/v1/nfse/verificar-campos", &body).await.ok(200);
        let accepted = tenant.test.post("/v1/nfse/emitir", &body).await.ok(202);
        for answer in [&looked, &accepted] {
            let told = answer["avisos"].as_array().unwrap().iter().find(|aviso| aviso["codigo"] == "ibscbs_ausente");
            let told = told.unwrap_or_else(|| panic!("{answer:#}"));
            assert!(told["mensagem"].as_str().unwrap().contains(expected), "{moment}: {told}");
        }
        let job = crate::support::app::ended(&tenant.test, &accepted).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
        app.finish().await;
    }
}
