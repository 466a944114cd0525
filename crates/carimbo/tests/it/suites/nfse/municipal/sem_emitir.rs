//! `verificar-campos` and `previa` of a company whose provider is municipal: the RPS, and no DPS.

use serde_json::json;

use super::TestApp;
use crate::support::municipal_services::{configuration, provider, service};

#[tokio::test]
async fn fields_and_the_printed_form_are_those_of_the_rps() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &service("F1")).await.ok(200);
    assert_eq!(
        (&checked["valido"], &checked["erros"], &checked["campos_desconhecidos"], &checked["campos_ausentes"]),
        (&json!(true), &json!([]), &json!([]), &json!([])),
        "{checked:#}"
    );
    // a refusal of the city hall is predicted by its code, with the fault
    let mut foreseen = service("F2");
    foreseen["nota"]["servico"]["valores"]["valor_deducoes"] = json!(2000);
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &foreseen).await.ok(200);
    let first = &checked["rejeicoes_previstas"][0];
    assert_eq!(
        (&first["codigo_status"], &first["motivo_status"]),
        (&json!("E19"), &json!("As deduções passam do valor dos serviços")),
        "{checked:#}"
    );
    let mut wrong = service("F2");
    let services = wrong["nota"]["servico"].as_object_mut().unwrap();
    services.remove("discriminacao");
    services.insert("discriminasao".into(), "Suporte".into());
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &wrong).await.ok(200);
    assert!(checked["campos_desconhecidos"].to_string().contains("nota.servico.discriminasao"), "{checked:#}");
    assert!(checked["campos_ausentes"].to_string().contains("nota.servico.discriminacao"), "{checked:#}");
    tenant.test.post("/v1/nfse/previa", &wrong).await.refused(422, "documento_invalido");
    let form = tenant.test.post("/v1/nfse/previa", &service("F3")).await;
    assert_eq!((form.status.as_u16(), form.header("content-type")), (200, "application/pdf"), "{}", form.text());
    let text = super::prefeitura::written(&form.bytes);
    assert!(text.contains("SEMVALORFISCAL") && text.contains("Suportetécnicoeminformática"), "{text}");
    // nothing was issued
    assert_eq!(tenant.test.get("/v1/notas?tipo=nfse").await.ok(200)["total"], 0);
    let numbering = tenant.test.get("/v1/empresas/numeracao?tipo=nfse").await.ok(200);
    assert!(!numbering.to_string().contains("\"proximo_numero\":2"), "{numbering}");
    // members that the national payload shares are read, and as an RPS
    let national =
        tenant.test.post("/v1/nfse/verificar-campos", &crate::support::services::another("F4")).await.ok(200);
    assert!(national["avisos"].to_string().contains("nota.servico.iss_retido"), "{national:#}");
    // and the same company under the national layout is checked by that one
    tenant.test.put(&configuration(), &json!({ "provedor": "nacional", "codigo_municipio": "3550308" })).await.ok(200);
    let national =
        tenant.test.post("/v1/nfse/verificar-campos", &crate::support::services::another("F5")).await.ok(200);
    assert_eq!((&national["erros"], &national["campos_desconhecidos"]), (&json!([]), &json!([])), "{national:#}");
    // both routes report a missing configuration
    tenant.test.put(&configuration(), &json!({ "provedor": "abrasf" })).await.ok(200);
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &service("F6")).await.ok(200);
    assert!(checked["erros"].to_string().contains("empresa_sem_configuracao"), "{checked:#}");
    tenant.test.post("/v1/nfse/previa", &service("F7")).await.refused(422, "empresa_sem_configuracao");
    app.finish().await;
}
