//! `GET /v1/jobs/erros` and `GET /v1/jobs/rejeitadas`.

use serde_json::{Value, json};

use super::without_certificate;
use crate::support::app::{TestApp, issued};
use crate::support::body::refused_with;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};

#[tokio::test]
async fn each_report_lists_its_own_newest_first_in_pages() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    without_certificate(&app, &tenant, ALPHANUMERIC).await;
    let client = tenant.test;
    issued(&client, &body::emission(NUMERIC)).await;
    for (route, body) in [("erros", body::emission(ALPHANUMERIC)), ("rejeitadas", refused_with(778))] {
        let one = issued(&client, &body).await;
        let two = issued(&client, &body).await;
        let page = client.get(&format!("/v1/jobs/{route}")).await.ok(200);
        assert_eq!(page["jobs"], json!([two, one]), "{route}");
        assert_eq!((&page["total"], &page["pagina"]), (&2.into(), &1.into()));
        assert_eq!((&page["por_pagina"], &page["paginas"]), (&50.into(), &1.into()));
        let second = client.get(&format!("/v1/jobs/{route}?por_pagina=1&pagina=2")).await.ok(200);
        assert_eq!((&second["jobs"], &second["paginas"]), (&json!([one]), &2.into()));
        assert_eq!(client.get(&format!("/v1/jobs/{route}?pagina=9")).await.ok(200)["jobs"], json!([]));
        let stranger = app.tenant().await.test;
        let none = stranger.get(&format!("/v1/jobs/{route}")).await.ok(200);
        assert_eq!((&none["total"], &none["paginas"], &none["jobs"]), (&0.into(), &0.into(), &json!([])));
        app.anonymous().get(&format!("/v1/jobs/{route}")).await.refused(401, "nao_autenticado");
    }
    app.finish().await;
}

#[tokio::test]
async fn filters_and_the_window_bound_a_report() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    without_certificate(&app, &tenant, ALPHANUMERIC).await;
    let client = tenant.test;
    let failed = issued(&client, &body::emission(ALPHANUMERIC)).await;
    let rejected = issued(&client, &refused_with(778)).await;
    let today = &failed["criado_em"].as_str().unwrap()[..10];
    for (route, job, company) in [("erros", &failed, ALPHANUMERIC), ("rejeitadas", &rejected, NUMERIC)] {
        let other = if company == NUMERIC { ALPHANUMERIC } else { NUMERIC };
        for (query, hit) in [
            (format!("de={today}&ate={today}"), true),
            (format!("de={today}"), true),
            (format!("ate={today}"), true),
            ("de=2026-01-01&ate=2026-04-01".to_owned(), false),
            (format!("emitente={company}"), true),
            (format!("emitente={other}"), false),
            ("tipo=nfe&ambiente=homologacao".to_owned(), true),
            ("tipo=nfce".to_owned(), false),
            ("ambiente=producao".to_owned(), false),
        ] {
            let page = client.get(&format!("/v1/jobs/{route}?{query}")).await.ok(200);
            let expected = if hit { json!([job]) } else { json!([]) };
            assert_eq!((&page["jobs"], &page["total"]), (&expected, &u8::from(hit).into()), "{route}?{query}");
            let summary = client.get(&format!("/v1/jobs/{route}?formato=resumo&{query}")).await.ok(200);
            assert_eq!(summary["total"], u8::from(hit), "{route}?{query}");
        }
        let long = client.get(&format!("/v1/jobs/{route}?de=2026-01-01&ate=2026-04-02")).await;
        assert_eq!(long.refused(400, "periodo_excedido")["erros"][0]["campo"], "de");
        client.get(&format!("/v1/jobs/{route}?de=2020-01-01")).await.refused(400, "periodo_excedido");
        for wrong in ["por_pagina=201", "por_pagina=0", "pagina=0", "formato=csv", "de=x", "tipo=x", "emitente=1"] {
            client.get(&format!("/v1/jobs/{route}?{wrong}")).await.refused(400, "requisicao_invalida");
        }
        client.get(&format!("/v1/jobs/{route}?de=2026-02-02&ate=2026-02-01")).await.refused(400, "requisicao_invalida");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_summary_groups_by_reason_with_an_example() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    without_certificate(&app, &tenant, ALPHANUMERIC).await;
    let client = tenant.test;
    let failed = issued(&client, &body::emission(ALPHANUMERIC)).await;
    issued(&client, &refused_with(778)).await;
    let newest = issued(&client, &refused_with(778)).await;
    let single = issued(&client, &refused_with(610)).await;
    let today = &failed["criado_em"].as_str().unwrap()[..10];
    let summary = client.get("/v1/jobs/erros?formato=resumo").await.ok(200);
    let group = json!({ "codigo": "empresa_sem_certificado", "motivo": failed["erro"], "quantidade": 1,
        "exemplo_job_id": failed["job_id"] });
    assert_eq!((&summary["total"], &summary["resumo"]), (&1.into(), &json!([group])));
    assert_eq!(summary["ate"], today);
    let summary = client.get(&format!("/v1/jobs/rejeitadas?formato=resumo&de={today}&ate={today}")).await.ok(200);
    let group = |cStat: u16, count: u8, job: &Value| {
        json!({ "codigo_status": cStat, "motivo": fiscal::cstat::motivo(cStat).unwrap(), "quantidade": count,
            "exemplo_job_id": job["job_id"] })
    };
    let expected = json!({ "de": today, "ate": today, "total": 3, "resumo": [group(778, 2, &newest), group(610, 1, &single)], "avisos": [] });
    assert_eq!(summary, expected);
    app.finish().await;
}
