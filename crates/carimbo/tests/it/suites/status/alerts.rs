//! The alerts of the operators' guide, checked by Prometheus' own rule tests: each fires on its condition, those that
//! count on the first event.

use std::fmt::Write as _;
use std::process::Command;

use crate::support::app::TestApp;
use crate::support::client::Client;

use super::guide;

/// An alert, the series it reads (values of one a minute), the minute at which it has fired, and its labels.
type Case = (&'static str, &'static [(&'static str, &'static str)], u32, &'static str);

const FAILED: &str =
    "carimbo_documents_total{tipo=\"nfe\",ambiente=\"producao\",resultado=\"falhou\",classe=\"certificado\"}";
const REFUSED: &str =
    "carimbo_documents_total{tipo=\"nfe\",ambiente=\"producao\",resultado=\"rejeitada\",classe=\"regra\"}";
const AUTHORISED: &str =
    "carimbo_documents_total{tipo=\"nfe\",ambiente=\"producao\",resultado=\"autorizada\",classe=\"autorizado\"}";
const LOST: &str = "carimbo_webhooks_total{result=\"perdida\"}";
const TURNED_AWAY: &str = "carimbo_http_connections_refused_total";

const CASES: &[Case] = &[
    ("CarimboForaDoAr", &[("up{job=\"carimbo\"}", "0x10")], 3, "job: carimbo"),
    ("CarimboBancoNaoGrava", &[("carimbo_database_up{operation=\"write\"}", "0x10")], 2, "operation: write"),
    ("CarimboFilaParada", &[("carimbo_queue_oldest_seconds", "301x10")], 6, ""),
    ("CarimboCertificadoVencendo", &[("carimbo_certificates{validade=\"7_dias\"}", "1x10")], 1, "validade: 7_dias"),
    ("CarimboContingenciaPrazo", &[("carimbo_contingency_deadline_seconds", "3600x10")], 1, ""),
    ("CarimboAutoridadeFora", &[("carimbo_circuits_open", "1x20")], 11, ""),
    ("CarimboConsumoIndevido", &[("carimbo_undue_use_blocks", "1x10")], 1, ""),
    ("CarimboEmDuvida", &[("carimbo_documents_in_doubt", "1x90")], 61, ""),
    ("CarimboMuitasRejeicoes", &[(REFUSED, "0x4 1+1x60"), (AUTHORISED, "0+1x65")], 40, ""),
    ("CarimboFalhas", &[(FAILED, FIRST)], 6, "classe: certificado"),
    ("CarimboWebhookPerdido", &[(LOST, FIRST)], 6, "result: perdida"),
    ("CarimboConexoesRecusadas", &[(TURNED_AWAY, FIRST)], 6, ""),
    ("CarimboSemDescritores", &[("process_open_fds", "90x10"), ("process_max_fds", "100x10")], 1, ""),
];

/// Five minutes of zero, then one event.
const FIRST: &str = "0x4 1x20";
/// An alert over a series that begins with its event.
const UNBEGUN: &str = "_x4 1x20";

/// The alerts of the guide.
fn rules(guide: &str) -> &str {
    let (_, rest) = guide.split_once("```yaml\n").expect("the guide has its alerts");
    rest.split_once("```").unwrap().0
}

/// The value after `name: ` in the block of an alert.
fn annotation(rules: &str, alert: &str) -> Option<String> {
    let (_, block) = rules.split_once(&format!("alert: {alert}\n")).unwrap_or_else(|| panic!("no alert {alert}"));
    let block = block.split("- alert:").next().unwrap();
    let (_, summary) = block.split_once("summary: \"")?;
    Some(summary.split('"').next().unwrap().to_owned())
}

/// A test of `promtool test rules`; without `fires` nothing may fire at that minute.
fn case(rules: &str, (alert, series, at, labels): &Case, fires: bool) -> String {
    let mut text = String::from("  - interval: 1m\n    input_series:\n");
    for (name, values) in *series {
        writeln!(text, "      - series: '{name}'\n        values: '{values}'").unwrap();
    }
    writeln!(text, "    alert_rule_test:\n      - eval_time: {at}m\n        alertname: {alert}").unwrap();
    if fires {
        writeln!(text, "        exp_alerts:\n          - exp_labels: {{ {labels} }}").unwrap();
        if let Some(summary) = annotation(rules, alert) {
            writeln!(text, "            exp_annotations: {{ summary: \"{summary}\" }}").unwrap();
        }
    }
    text
}

fn judged(rules: &str, cases: &[String]) {
    let folder = std::env::temp_dir().join(format!("carimbo-alertas-{}", uuid::Uuid::now_v7()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("alertas.yml"), rules).unwrap();
    let tests = format!("rule_files: [alertas.yml]\nevaluation_interval: 1m\ntests:\n{}", cases.concat());
    std::fs::write(folder.join("testes.yml"), &tests).unwrap();
    let ended = Command::new("promtool").args(["test", "rules", "testes.yml"]).current_dir(&folder).output();
    let ended = ended.expect("promtool (Debian: prometheus)");
    let said = [ended.stdout, ended.stderr].concat();
    assert!(ended.status.success(), "{}\n{tests}", String::from_utf8_lossy(&said));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_alert_of_the_guide_fires_on_what_it_is_about() {
    let guide = guide();
    let rules = rules(&guide);
    let named: Vec<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert_eq!(named, CASES.iter().map(|(alert, ..)| *alert).collect::<Vec<_>>());
    judged(rules, &CASES.iter().map(|it| case(rules, it, true)).collect::<Vec<_>>());
}

/// Shows why series begin at zero: otherwise the first event of a process is no increase.
#[test]
fn a_series_that_begins_with_its_first_event_hides_it() {
    let guide = guide();
    let rules = rules(&guide);
    let hidden = |(alert, series, at, labels): &Case| match series {
        [(name, FIRST)] => Some(case(rules, &(alert, Box::leak(Box::new([(*name, UNBEGUN)])), *at, labels), false)),
        _ => None,
    };
    let cases: Vec<String> = CASES.iter().filter_map(hidden).collect();
    assert_eq!(cases.len(), 3);
    judged(rules, &cases);
}

#[tokio::test]
async fn every_series_that_an_alert_counts_is_there_at_zero_from_the_start() {
    let app = TestApp::start().await;
    let text = Client::new(app.metrics_url.trim_end_matches("/metrics")).get("/metrics").await.text();
    for series in [FAILED, REFUSED, AUTHORISED, LOST, TURNED_AWAY] {
        assert!(text.lines().any(|line| line == format!("{series} 0")), "{series}\n{text}");
    }
    let failures = text.lines().filter(|line| line.contains("resultado=\"falhou\"")).count();
    assert_eq!(failures, 4 * 2 * 7, "each type, environment and class");
    app.finish().await;
}
