//! Signature algorithm of the declaration and its events: the company's choice.

use serde_json::json;

use super::{issued, path};
use crate::support::app::{TestApp, ended};
use crate::support::body::NUMERIC;
use crate::support::judge;
use crate::support::services::{another, provider};

#[tokio::test]
async fn a_declaration_and_its_events_are_signed_by_what_the_company_chose() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    for (chosen, method, other) in [(None, "#rsa-sha1", "#rsa-sha256"), (Some("sha256"), "#rsa-sha256", "#rsa-sha1")] {
        let settings = json!({ "assinatura": chosen });
        tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
        let job = issued(&tenant, &another(&format!("SIG{}", chosen.unwrap_or_default()))).await;
        let dps = tenant.test.get(&path(&job, "xml_dps")).await.text();
        judge::accepts_dps(&dps, &app.ca_file());
        assert!(dps.contains(method) && !dps.contains(other), "{dps}");
        let body =
            json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
        let accepted = tenant.test.post("/v1/nfse/cancelar", &body).await.ok(202);
        ended(&tenant.test, &accepted).await;
        let event = tenant.test.get(&path(&job, "xml_cancelamento")).await.text();
        let asked = &event[event.find("<pedRegEvento").unwrap()..event.find("</pedRegEvento>").unwrap()];
        assert!(asked.contains(method) && !asked.contains(other), "{asked}");
    }
    app.finish().await;
}
