//! `/painel/documentos/{job_id}`: pages of documents of every family, their acts, files and deliveries.

use std::time::{Duration, Instant};

use outbound::AddressPolicy;
use serde_json::{Value, json};
use server::WebhookSettings;
use store::audit::{AuditAct, AuditFilter};

use crate::support::app::{NoNames, Tenant, TestApp, ended, issued, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;
use crate::support::{municipal_services, retail, services, transports};

const WHY: &str = "Venda desfeita a pedido do cliente";

fn page_of(job: &Value) -> String {
    format!("/painel/documentos/{}", job["job_id"].as_str().unwrap())
}

async fn person(app: &TestApp, tenant: &Tenant) -> Browser {
    Browser::of(app, tenant, "homologacao").await.0
}

/// Opens the form of an act and submits it.
async fn act(browser: &mut Browser, job: &Value, word: &str, fields: &[(&str, &str)]) -> Answer {
    let address = format!("{}/{word}", page_of(job));
    let proof = proof(&browser.get(&address).await);
    let mut all = vec![("prova", proof.as_str())];
    all.extend(fields);
    browser.post(&address, &all).await
}

#[track_caller]
fn shows(page: &str, all: &[&str]) {
    for shown in all {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}

/// The key in groups of four, as the page shows it.
fn by_fours(chave: &str) -> String {
    chave.as_bytes().chunks(4).map(|four| std::str::from_utf8(four).unwrap()).collect::<Vec<_>>().join(" ")
}

async fn issued_at(tenant: &Tenant, route: &str, body: &Value) -> Value {
    let accepted = tenant.test.post(route, body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    job
}

/// Checks the page of an authorised document, and its framed form.
async fn is_shown(app: &TestApp, tenant: &Tenant, job: &Value, all: &[&str]) {
    let mut browser = person(app, tenant).await;
    let page = browser.get(&page_of(job)).await.ok_text();
    shows(&page, all);
    shows(
        &page,
        &["autorizada", "pela chave de API “de teste”", "Homologação", "História", "O que a autoridade respondeu"],
    );
    if let Some(chave) = job["nota"]["chave"].as_str() {
        shows(&page, &[by_fours(chave).as_str()]);
    }
    let pdf = browser.get(&format!("{}/pdf", page_of(job))).await;
    assert_eq!(
        (pdf.status.as_u16(), pdf.header("content-type"), &pdf.bytes[..5]),
        (200, "application/pdf", &b"%PDF-"[..])
    );
    assert_eq!(
        (pdf.header("x-frame-options"), pdf.header("content-security-policy")),
        ("SAMEORIGIN", "frame-ancestors 'self'")
    );
    assert!(pdf.header("content-disposition").starts_with("inline;"));
    let xml = browser.get(&format!("{}/arquivo/xml", page_of(job))).await;
    assert!(xml.status.is_success() && xml.header("content-disposition").starts_with("attachment;"));
    assert_eq!((xml.header("x-frame-options"), xml.header("cache-control")), ("DENY", "no-store"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn goods_and_counter_sales_are_shown_with_parties_values_and_files() {
    let app = TestApp::start().await;
    let tenant = retail::seller(&app).await;
    let mut many = body::emission(NUMERIC);
    many["referencia_externa"] = json!("PEDIDO77");
    let items: Vec<Value> = (0..53).map(|_| body::item("100.00")).collect();
    many["nota"]["produtos"] = json!(items);
    many["nota"]["pagamentos"][0]["vPag"] = body::number("5300.00");
    let job = issued_at(&tenant, "/v1/nfe/emitir", &many).await;
    let expected = [
        "NF-e nº 1, série 1",
        "R$ 5.300,00",
        "529.982.247-25",
        "Caderno 96 folhas",
        "Itens (53)",
        "e mais 3",
        "PEDIDO77",
    ];
    is_shown(&app, &tenant, &job, &expected).await;
    let sale = issued_at(&tenant, "/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await;
    let expected =
        ["NFC-e nº 1, série 1", "R$ 100,00", "Papelaria de Teste Ltda", "30 minutos", "Cancelar por substituição"];
    is_shown(&app, &tenant, &sale, &expected).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transports_are_shown_with_their_parties() {
    let app = TestApp::start().await;
    let tenant = transports::carrier(&app).await;
    let job = issued_at(&tenant, "/v1/cte/emitir", &transports::cargo()).await;
    is_shown(
        &app,
        &tenant,
        &job,
        &["CT-e nº 1", "Remetente", "Transportadora (emitente)", "Tomador (quem paga)", "168 horas"],
    )
    .await;
    let job = issued_at(&tenant, "/v1/cte/emitir", &transports::passengers()).await;
    is_shown(&app, &tenant, &job, &["CT-e OS nº 1", "Tomador (quem paga)", "Transportadora (emitente)"]).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn services_are_shown_with_their_taker() {
    let app = TestApp::start().await;
    let tenant = services::provider(&app).await;
    let job = issued_at(&tenant, "/v1/nfse/emitir", &services::another("S1")).await;
    let expected = [
        "NFS-e nº 1",
        "Prestador",
        "Tomador",
        "R$ 1.500,00",
        "Valor líquido",
        "Substituir por outra nota",
        "análise fiscal",
    ];
    is_shown(&app, &tenant, &job, &expected).await;
    let tenant = municipal_services::provider(&app).await;
    let job = issued_at(&tenant, "/v1/nfse/govdigital/emitir", &municipal_services::service("M1")).await;
    is_shown(&app, &tenant, &job, &["NFS-e municipal nº", "Código de verificação", "Tomador", "R$ 1.500,00"]).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejection_is_explained_and_leads_to_its_correction() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let job = issued(&tenant.test, &body::refused_with(778)).await;
    let mut browser = person(&app, &tenant).await;
    let page = browser.get(&page_of(&job)).await.ok_text();
    let link = format!("/painel/emitir?de={}", job["job_id"].as_str().unwrap());
    shows(
        &page,
        &[
            "rejeitada",
            "Por que foi recusada",
            "778",
            "NCM",
            "O que fazer",
            "/docs/guia/",
            link.as_str(),
            "Inutilizar o número",
        ],
    );
    assert!(!page.contains("/cancelar\"") && !page.contains("/corrigir\""), "{page}");
    let pdf = browser.get(&format!("{}/pdf", page_of(&job))).await;
    assert_eq!(pdf.status.as_u16(), 200, "a rejected document is printed without value");
    // its number is free again: it can be voided, with a justification of the law's length
    let short = act(&mut browser, &job, "inutilizar", &[("justificativa", "curta")]).await;
    assert_eq!(short.status.as_u16(), 422);
    shows(&short.text(), &["15 a 255 caracteres", "aria-invalid=\"true\"", ">curta</textarea>"]);
    let done = act(&mut browser, &job, "inutilizar", &[("justificativa", "Numeração que nenhuma nota usará")]).await;
    assert_eq!(done.status.as_u16(), 303, "{}", done.text());
    // the voiding has a page of its own
    let (own, _) = done.header("location").split_once('#').unwrap();
    let page = browser.page_when(own, "registrado").await;
    shows(&page, &["Inutilização de NF-e: números 1 a 1", "102"]);
    settle(&app).await;
    assert_eq!(tenant.test.get("/v1/notas?status=inutilizada").await.ok(200)["total"], 1);
    app.finish().await;
}

/// Waits until no job is left.
async fn settle(app: &TestApp) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let depth = app.store.queue_depth(app.clock_s()).await.unwrap();
        if (depth.pending, depth.processing) == (0, 0) {
            return;
        }
        assert!(Instant::now() < deadline, "{depth:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_is_corrected_and_cancelled_and_its_person_is_named() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let job = issued(&tenant.test, &body::emission(NUMERIC)).await;
    let (mut browser, user) = Browser::of(&app, &tenant, "homologacao").await;
    app.clock.forward(60);
    let form = browser.get(&format!("{}/cancelar", page_of(&job))).await.ok_text();
    shows(&form, &["24 horas depois da autorização", "Restam 23 h", "Não tem volta", "name=\"justificativa\""]);
    // refused beside the field, with what was typed
    let refused = act(&mut browser, &job, "corrigir", &[("correcao", "<script>x</script>")]).await;
    assert_eq!(refused.status.as_u16(), 303, "{}", refused.text());
    browser.page_when(&page_of(&job), "registrado").await;
    let refused = act(&mut browser, &job, "cancelar", &[("justificativa", "<b>não</b>")]).await;
    assert_eq!(refused.status.as_u16(), 422);
    shows(&refused.text(), &["aria-invalid=\"true\"", "15 a 255 caracteres", "&lt;b&gt;não&lt;/b&gt;"]);
    let done = act(&mut browser, &job, "cancelar", &[("justificativa", WHY)]).await;
    let expected = format!("{}#pedidos", page_of(&job));
    assert_eq!((done.status.as_u16(), done.header("location")), (303, expected.as_str()), "{}", done.text());
    let page = browser.page_when(&page_of(&job), "estado cancelada").await;
    shows(&page, &["Carta de correção nº 1", "Cancelamento", "135", "XML do cancelamento"]);
    assert!(!page.contains("<script>x"), "{page}");
    // an act has no page of its own, but its files
    let acts = tenant.test.get(&format!("/v1/nfe/{}/eventos", job["job_id"].as_str().unwrap())).await.ok(200);
    for event in acts["eventos"].as_array().unwrap() {
        let own = format!("/painel/documentos/{}", event["job_id"].as_str().unwrap());
        assert_eq!(browser.get(&own).await.header("location"), expected);
        let pdf = browser.get(&format!("{own}/pdf")).await;
        assert_eq!(&pdf.bytes[..5], b"%PDF-", "{}", pdf.text());
        assert!(browser.get(&format!("{own}/arquivo/xml")).await.ok_text().contains("procEventoNFe"));
    }
    // too late: the engine's refusal stands above
    let again = browser.get(&format!("{}/cancelar", page_of(&job))).await.ok_text();
    shows(&again, &["não é possível no estado"]);
    let proof = proof(&browser.get("/painel").await);
    let fields = [("prova", proof.as_str()), ("justificativa", WHY)];
    let late = browser.post(&format!("{}/cancelar", page_of(&job)), &fields).await;
    assert_eq!(late.status.as_u16(), 409);
    shows(&late.text(), &["Nada foi feito", "já está cancelado", "/docs/erros/estado_invalido"]);
    let filter = AuditFilter { act: Some(AuditAct::OperacaoPedida), ..AuditFilter::default() };
    let (trail, total) = app.store.audit_trail(tenant.id, filter, 10, 0).await.unwrap();
    assert_eq!(total, 2, "{trail:#?}");
    assert!(
        trail.iter().all(|entry| entry.ator_nome.as_deref() == Some(user.email.as_str()) && entry.endereco.is_some())
    );
    assert_eq!(trail[0].detalhes["operacao"], "cancelamento");
    assert_eq!(trail[0].detalhes["alvo"], job["job_id"]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acts_of_transports_and_services_go_through_their_own_routes() {
    let app = TestApp::start().await;
    let tenant = transports::carrier(&app).await;
    let job = issued_at(&tenant, "/v1/cte/emitir", &transports::cargo()).await;
    let mut browser = person(&app, &tenant).await;
    let empty = act(&mut browser, &job, "corrigir", &[]).await;
    assert_eq!(empty.status.as_u16(), 422, "{}", empty.text());
    let half = act(&mut browser, &job, "corrigir", &[("grupo2", "ide"), ("campo2", "natOp")]).await;
    assert_eq!(half.status.as_u16(), 422);
    shows(&half.text(), &["value=\"natOp\"", "aria-invalid=\"true\"", "Cada correção tem grupo, campo e valor"]);
    let fields = [("grupo1", "ide"), ("campo1", "natOp"), ("valor1", "Prestação de serviço de transporte")];
    let done = act(&mut browser, &job, "corrigir", &fields).await;
    assert_eq!(done.status.as_u16(), 303, "{}", done.text());
    browser.page_when(&page_of(&job), "registrado").await;
    // the law forbids the cancellation of a corrected CT-e
    let refused = act(&mut browser, &job, "cancelar", &[("justificativa", WHY)]).await;
    assert_eq!(refused.status.as_u16(), 409, "{}", refused.text());
    shows(&refused.text(), &["carta de correção registrada", "523", WHY]);
    let tenant = services::provider(&app).await;
    let job = issued_at(&tenant, "/v1/nfse/emitir", &services::another("S1")).await;
    let mut browser = person(&app, &tenant).await;
    let done = act(
        &mut browser,
        &job,
        "cancelar",
        &[("justificativa", "Serviço não prestado ao cliente"), ("codigo_motivo", "2")],
    )
    .await;
    assert_eq!(done.status.as_u16(), 303, "{}", done.text());
    browser.page_when(&page_of(&job), "estado cancelada").await;
    let tenant = municipal_services::provider(&app).await;
    let job = issued_at(&tenant, "/v1/nfse/govdigital/emitir", &municipal_services::service("M1")).await;
    let mut browser = person(&app, &tenant).await;
    let done = act(
        &mut browser,
        &job,
        "cancelar",
        &[("justificativa", "Serviço não prestado ao cliente"), ("codigo_cancelamento", "2")],
    )
    .await;
    assert_eq!(done.status.as_u16(), 303, "{}", done.text());
    browser.page_when(&page_of(&job), "estado cancelada").await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_note_says_why_and_is_tried_again_by_its_person() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let client = &tenant.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    let failed = issued(client, &body::emission(NUMERIC)).await;
    assert_eq!(failed["status"], "failed", "{failed}");
    let mut browser = person(&app, &tenant).await;
    let page = browser.get(&page_of(&failed)).await.ok_text();
    // no document was built: the order is shown
    shows(
        &page,
        &["falhou", "Por que parou", "/docs/erros/empresa_sem_certificado", "/reprocessar", "Caderno 96 folhas"],
    );
    assert!(!page.contains("data-vivo"), "{page}");
    app.company_certificate(&tenant, NUMERIC).await;
    let done = act(&mut browser, &failed, "reprocessar", &[]).await;
    assert_eq!(done.status.as_u16(), 303, "{}", done.text());
    browser.page_when(&page_of(&failed), "estado autorizada").await;
    let filter = AuditFilter { act: Some(AuditAct::OperacaoReprocessada), ..AuditFilter::default() };
    assert_eq!(app.store.audit_trail(tenant.id, filter, 10, 0).await.unwrap().1, 1);
    let again = browser.get(&format!("{}/reprocessar", page_of(&failed))).await.ok_text();
    shows(&again, &["não é possível no estado"]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_note_renews_and_leaves_the_queue_unless_it_may_have_been_sent() {
    let mut app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let blocked = json!({ "tipo": "cstat", "cStat": 656, "servico": "NFeAutorizacao4", "vezes": 1 });
    app.control.post("/_sim/falhas", &blocked).await.ok(201);
    let held = |job: &Value| job["erro_detalhe"]["codigo"] == "consumo_indevido";
    let sent = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    job_when(client, &sent, held).await;
    let waiting = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    job_when(client, &waiting, held).await;
    let mut browser = person(&app, &tenant).await;
    let page = browser.get(&page_of(&waiting)).await.ok_text();
    shows(&page, &["data-vivo=\"3\"", "atualizar", "espera nova tentativa", "Próxima tentativa em", "Retirar da fila"]);
    let refused = act(&mut browser, &sent, "retirar", &[]).await;
    assert_eq!(refused.status.as_u16(), 409);
    shows(&refused.text(), &["Nada foi feito", "já pode ter sido enviado"]);
    let done = act(&mut browser, &waiting, "retirar", &[]).await;
    assert_eq!(done.status.as_u16(), 303, "{}", done.text());
    let page = browser.get(&page_of(&waiting)).await.ok_text();
    shows(&page, &["retirado antes do envio", "Cancelado pela conta antes do envio."]);
    let filter = AuditFilter { act: Some(AuditAct::OperacaoRetirada), ..AuditFilter::default() };
    assert_eq!(app.store.audit_trail(tenant.id, filter, 10, 0).await.unwrap().1, 1);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_anothers_of_the_other_environment_or_from_elsewhere_is_refused() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let stranger = app.issuer(body::ALPHANUMERIC).await;
    tenant.live.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1, "serie": "1" })).await.ok(200);
    let job = issued(&tenant.test, &body::emission(NUMERIC)).await;
    let live = issued(&tenant.live, &body::emission(NUMERIC)).await;
    let (mut own, mut other) = (person(&app, &tenant).await, person(&app, &stranger).await);
    let absent = json!({ "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e" });
    let wrong = json!({ "job_id": "%3Cscript%3E" });
    for (browser, job) in
        [(&mut other.clone(), &job), (&mut own.clone(), &live), (&mut own.clone(), &absent), (&mut own.clone(), &wrong)]
    {
        for part in ["", "/pdf", "/arquivo/xml", "/arquivo/log", "/cancelar", "/nada"] {
            let page = browser.get(&format!("{}{part}", page_of(job))).await;
            assert_eq!(page.status.as_u16(), 404, "{part}: {}", page.text());
            assert!(!page.text().contains("100,00") && !page.text().contains("<script>"), "{part}");
        }
        let proof = proof(&browser.get("/painel").await);
        let fields =
            [("prova", proof.as_str()), ("justificativa", WHY), ("entrega", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e")];
        for part in ["/cancelar", "/reenviar", "/retirar"] {
            let answer = browser.post(&format!("{}{part}", page_of(job)), &fields).await;
            assert_eq!(answer.status.as_u16(), 404, "{part}: {}", answer.text());
        }
    }
    // an act that does not exist, a form without proof, and one of another origin
    assert_eq!(own.get(&format!("{}/apagar", page_of(&job))).await.status.as_u16(), 404);
    let address = format!("{}/cancelar", page_of(&job));
    let proof = proof(&own.get(&address).await);
    assert_eq!(own.post(&address, &[("justificativa", WHY)]).await.status.as_u16(), 403);
    let fields = [("prova", proof.as_str()), ("justificativa", WHY)];
    assert_eq!(own.post_from(Some("https://mal.example"), &address, &fields).await.status.as_u16(), 403);
    for part in ["", "/pdf", "/arquivo/xml", "/cancelar"] {
        let page = Browser::new(&app).get(&format!("{}{part}", page_of(&job))).await;
        assert_eq!((page.status.as_u16(), page.header("location")), (303, "/painel/entrar"), "{part}");
    }
    let note = tenant.test.get(job["consulta"].as_str().unwrap()).await.ok(200);
    assert_eq!(note["nota"]["status"], "autorizada", "{note}");
    other.cookies.clear();
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stored_texts_are_shown_as_text() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let nasty = "<script>alert(1)</script>\"'><img src=x>";
    let mut emission = body::emission(NUMERIC);
    emission["nota"]["produtos"][0]["xProd"] = json!(nasty);
    emission["nota"]["produtos"][0]["cProd"] = json!("<script>c</script>");
    emission["nota"]["destinatario"]["xNome"] = json!("<script>n</script>");
    emission["nota"]["destinatario"]["xMun"] = json!("<script>m</script>");
    emission["nota"]["identificacao"]["natOp"] = json!("<b onclick=x>Venda</b>");
    let job = issued(&tenant.test, &emission).await;
    let page = person(&app, &tenant).await.get(&page_of(&job)).await;
    let text = page.ok_text();
    assert!(!text.contains("<script>") && !text.contains("<img src=x") && !text.contains("<b onclick"), "{text}");
    shows(&text, &["&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;b onclick=x&gt;Venda"]);
    assert_eq!((page.header("cache-control"), page.header("x-frame-options")), ("no-store", "DENY"));
    assert!(page.header("content-security-policy").contains("frame-src 'self'"));
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_delivery_is_shown_with_its_attempts_and_sent_again() {
    let resolver = std::sync::Arc::new(NoNames);
    let reach = AddressPolicy::public().with_networks(vec!["127.0.0.0/8".parse().unwrap()]);
    let app = TestApp::with_webhooks(WebhookSettings { reach, resolver, ..WebhookSettings::default() }).await;
    let tenant = app.issuer(NUMERIC).await;
    let mut emission = body::emission(NUMERIC);
    // nothing listens there
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    emission["webhook_url"] = json!(format!("https://127.0.0.1:{port}/aviso?a=1&b=2"));
    let job = issued(&tenant.test, &emission).await;
    let mut browser = person(&app, &tenant).await;
    for (attempt, wait) in [("tentativa 1,", 31), ("tentativa 2,", 61), ("tentativa 3,", 0)] {
        browser.page_when(&page_of(&job), attempt).await;
        app.clock.forward(wait);
    }
    let page = browser.page_when(&page_of(&job), "Reenviar este aviso").await;
    shows(&page, &["nfe.autorizada", "perdida", &format!("https://127.0.0.1:{port}/aviso")]);
    shows(&page, &["aviso?a=1&amp;b=2"]);
    let (_, rest) = page.split_once("name=\"entrega\" value=\"").unwrap();
    let delivery = rest.split('"').next().unwrap().to_owned();
    let proof = crate::support::browser::proof(&browser.get("/painel").await);
    let address = format!("{}/reenviar", page_of(&job));
    let other = issued(&tenant.test, &body::emission(NUMERIC)).await;
    let fields = [("prova", proof.as_str()), ("entrega", delivery.as_str())];
    let elsewhere = browser.post(&format!("{}/reenviar", page_of(&other)), &fields).await;
    assert_eq!(elsewhere.status.as_u16(), 404, "a delivery of another document");
    let sent = browser.post(&address, &fields).await;
    assert_eq!((sent.status.as_u16(), sent.header("location")), (303, format!("{}#entregas", page_of(&job)).as_str()));
    browser.page_when(&page_of(&job), "tentativa 4,").await;
    let filter = AuditFilter { act: Some(AuditAct::EntregaReenviada), ..AuditFilter::default() };
    let (trail, _) = app.store.audit_trail(tenant.id, filter, 10, 0).await.unwrap();
    assert_eq!((trail.len(), trail[0].ator.as_str()), (1, "usuario"));
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_confirmation_its_page_tells_the_outcome_and_leads_to_the_document() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let agent = app.limited(&tenant, store::accounts::Permissao::Assistida).await;
    let mut browser = person(&app, &tenant).await;
    let prepared = agent.post("/v1/nfe/preparar", &body::emission(NUMERIC)).await.ok(200);
    let address = prepared["url_confirmacao"].as_str().unwrap();
    assert_eq!(browser.decide(address, "aprovar", "").await.status.as_u16(), 303);
    let body = json!({ "token_confirmacao": prepared["token_confirmacao"] });
    let job = ended(&agent, &agent.post("/v1/nfe/confirmar", &body).await.ok(202)).await;
    let page = browser.get(address).await.ok_text();
    let chave = by_fours(job["nota"]["chave"].as_str().unwrap());
    shows(
        &page,
        &["O que aconteceu", "autorizada", "1, série 1", &chave, &page_of(&job), &format!("{}/pdf", page_of(&job))],
    );
    app.finish().await;
}
