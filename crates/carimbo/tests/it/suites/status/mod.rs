//! `GET /status`, and `/metrics` on its own listener.

mod alerts;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use http::Method;
use serde_json::json;

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;

#[tokio::test]
async fn tells_of_every_part_and_of_the_authorities_spoken_to() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let status = app.anonymous().get("/status").await.ok(200);
    assert_eq!(status["status"], "operacional", "{status}");
    let parts = &status["componentes"];
    for part in ["banco_de_dados", "fila", "ponte_fiscal", "trabalhadores", "webhooks"] {
        assert_eq!(parts[part]["status"], "ok", "{status}");
    }
    let authority = &parts["ponte_fiscal"]["autoridades"][0];
    assert_eq!((&authority["autoridade"], &authority["ambiente"]), (&"SP".into(), &"homologacao".into()));
    app.finish().await;
}

#[tokio::test]
async fn answers_503_when_the_database_is_gone_while_health_stays_200() {
    let mut app = TestApp::start().await;
    let tenant = app.tenant().await;
    app.store.close().await;
    let answer = app.anonymous().get("/status").await;
    assert_eq!(answer.header("retry-after"), "10");
    let status = answer.ok(503);
    assert_eq!(status["status"], "fora_do_ar");
    assert_eq!(status["componentes"]["banco_de_dados"]["status"], "fora");
    app.anonymous().get("/health").await.ok(200);
    let refused = tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await;
    assert_eq!(refused.header("retry-after"), "5");
    refused.refused(503, "indisponivel");
    app.stop().await;
}

#[tokio::test]
async fn answers_503_when_only_the_queue_cannot_be_read() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.damage("ALTER TABLE queue RENAME TO away").await;
    tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.refused(503, "indisponivel");
    let status = app.anonymous().get("/status").await.ok(503);
    let parts = &status["componentes"];
    assert_eq!((&status["status"], &parts["fila"]["essencial"]), (&"fora_do_ar".into(), &true.into()), "{status}");
    let told = (&parts["fila"]["status"], &parts["banco_de_dados"]["status"]);
    assert_eq!(told, (&"fora".into(), &"ok".into()), "{status}");
    app.damage("ALTER TABLE away RENAME TO queue").await;
    app.finish().await;
}

#[tokio::test]
async fn an_authority_that_does_not_answer_degrades_but_is_not_essential() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let fault = json!({ "tipo": "reset_before", "vezes": 1000 });
    assert!(app.control.post("/_sim/falhas", &fault).await.status.is_success());
    let accepted = tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let deadline = Instant::now() + Duration::from_secs(30);
    let status = loop {
        let status = app.anonymous().get("/status").await.ok(200);
        if status["status"] == "degradado" {
            break status;
        }
        assert!(Instant::now() < deadline, "{status}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let cleared = app.control.send(Method::DELETE, "/_sim/falhas", &[], "".into()).await;
    assert!(cleared.status.is_success(), "{}", cleared.text());
    let authority = &status["componentes"]["ponte_fiscal"]["autoridades"][0];
    assert_eq!(authority["status"], "sem_resposta", "{status}");
    assert_eq!(ended(&tenant.test, &accepted).await["nota"]["status"], "autorizada");
    app.finish().await;
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_show_the_queue() {
    let app = TestApp::start().await;
    app.anonymous().get("/health").await.ok(200);
    let metrics = Client::new(app.metrics_url.trim_end_matches("/metrics")).get("/metrics").await;
    assert_eq!(metrics.status, 200);
    let text = metrics.text();
    assert!(text.contains("carimbo_http_requests_total{method=\"GET\",route=\"/health\",status=\"200\"}"), "{text}");
    assert!(text.contains("carimbo_http_request_seconds_bucket{route=\"/health\",le=\"0.5\"}"), "{text}");
    assert!(text.contains("carimbo_queue_pending 0"), "{text}");
    assert_eq!(app.anonymous().get("/metrics").await.status, 404);
    app.finish().await;
}

#[tokio::test]
async fn metrics_count_documents_by_what_became_of_them() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let mut refused = body::emission(NUMERIC);
    refused["nota"]["produtos"][0]["xProd"] = json!("[SIM:cStat=778]");
    issued(&tenant.test, &refused).await;
    let text = metrics(&app).await;
    for labels in ["resultado=\"autorizada\",classe=\"autorizado\"", "resultado=\"rejeitada\",classe=\"regra\""] {
        let row = format!("carimbo_documents_total{{tipo=\"nfe\",ambiente=\"homologacao\",{labels}}}");
        assert!(text.contains(&row), "{row}\n{text}");
    }
    app.finish().await;
}

async fn metrics(app: &TestApp) -> String {
    let answer = Client::new(app.metrics_url.trim_end_matches("/metrics")).get("/metrics").await;
    assert_eq!(answer.status, 200);
    answer.text()
}

/// A public reader of this format, which also knows the conventions of names.
fn promtool(arguments: &[&str], input: &str) {
    let mut tool = Command::new("promtool");
    tool.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut tool = tool.spawn().expect("promtool (Debian: prometheus)");
    tool.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let ended = tool.wait_with_output().unwrap();
    assert!(
        ended.status.success(),
        "{}{}",
        String::from_utf8_lossy(&ended.stdout),
        String::from_utf8_lossy(&ended.stderr)
    );
}

fn guide() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/operacao.md")).unwrap()
}

#[tokio::test]
async fn every_metric_is_explained_in_place_and_in_the_guide() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let (text, guide) = (metrics(&app).await, guide());
    promtool(&["check", "metrics"], &text);
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    for name in &names {
        let help = text.lines().find_map(|line| line.strip_prefix(&format!("# HELP {name} ")));
        assert!(help.is_some_and(|help| help.len() > 5), "{name} has no sentence");
        assert!(guide.contains(&format!("`{name}`")), "docs/guides/operacao.md does not list {name}");
    }
    for name in [
        "carimbo_database_up",
        "carimbo_store_connections",
        "carimbo_certificates",
        "carimbo_certificate_expiry_seconds",
        "carimbo_contingency_deadline_seconds",
        "carimbo_documents_in_doubt",
        "carimbo_undue_use_blocks",
        "carimbo_circuits_open",
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_threads",
    ] {
        assert!(names.contains(&name), "{name} is not there:\n{text}");
    }
    assert!(text.contains("carimbo_build_info{version="), "{text}");
    assert!(text.contains("carimbo_database_up{operation=\"write\"} 1"), "{text}");
    app.finish().await;
}

#[test]
fn the_alerts_of_the_guide_are_rules_that_prometheus_takes() {
    let guide = guide();
    let (_, rest) = guide.split_once("```yaml\n").expect("the guide has its alerts");
    let (rules, _) = rest.split_once("```").unwrap();
    promtool(&["check", "rules", "/dev/stdin"], rules);
}

#[tokio::test]
async fn certificates_are_counted_by_how_long_they_last() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let store = &app.store;
    let now = jiff::Timestamp::now().as_second();
    let good = store.waiting_work(now).await.unwrap().certificates;
    assert_eq!((good.later, good.within_30_days, good.within_7_days, good.expired), (1, 0, 0, 0));
    let ends = good.first.unwrap();
    assert!((ends - now - 365 * 86_400).abs() < 86_400 + 60, "{ends}");
    let near = store.waiting_work(ends - 20 * 86_400).await.unwrap().certificates;
    assert_eq!((near.later, near.within_30_days), (0, 1));
    let nearer = store.waiting_work(ends - 86_400).await.unwrap().certificates;
    assert_eq!((nearer.within_30_days, nearer.within_7_days), (0, 1));
    let gone = store.waiting_work(ends + 1).await.unwrap().certificates;
    assert_eq!((gone.expired, gone.first), (1, None));
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    app.finish().await;
}

#[tokio::test]
async fn what_was_given_out_in_contingency_is_counted_with_its_deadline() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let path = format!("/v1/empresas/{NUMERIC}/nfce");
    tenant.test.put(&path, &json!({ "ambiente": 2, "csc_id": "1", "csc": "CSC-DE-TESTE-0123456789" })).await.ok(200);
    app.sp_stops().await;
    let mut offline = body::counter_sale(NUMERIC);
    offline["nota"]["identificacao"]["tpEmis"] = json!(9);
    let sold = tenant.test.post("/v1/nfce/emitir", &offline).await.ok(202);
    crate::support::app::job_when(&tenant.test, &sold, |job| job["nota"]["contingencia"].is_object()).await;
    let now = jiff::Timestamp::now().as_second();
    let waiting = app.store.waiting_work(now).await.unwrap();
    assert_eq!(waiting.given_out, 1);
    assert!(waiting.deadline.is_some_and(|deadline| deadline > now), "{waiting:?}");
    app.sp_works().await;
    ended(&tenant.test, &sold).await;
    assert_eq!(app.store.waiting_work(now).await.unwrap().deadline, None);
    app.finish().await;
}
