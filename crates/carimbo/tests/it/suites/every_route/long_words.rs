//! Long words everywhere a caller may write one: paths, queries, heads, fields, methods. Each is answered, and shortly.

use std::collections::BTreeSet;

use bytes::Bytes;
use http::Method;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::app::TestApp;
use crate::support::body::{self, NUMERIC};
use crate::support::client::{Answer, Client};

/// The line and the head of an answer to these bytes, and what follows, up to a page.
async fn raw(app: &TestApp, request: &str) -> String {
    let address = app.anonymous().base_url.strip_prefix("http://").unwrap().to_owned();
    let mut stream = TcpStream::connect(address).await.unwrap();
    // a refusal may come before the last byte is taken
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = vec![0; 12];
    match stream.read_exact(&mut answer).await {
        Ok(_) => String::from_utf8_lossy(&answer).into_owned(),
        // or be overtaken by the reset
        Err(_) => String::new(),
    }
}

#[tokio::test]
async fn a_head_has_so_many_bytes_and_so_many_lines() {
    let app = TestApp::start().await;
    let long = "x".repeat(70_000);
    let refused = [
        ("414", format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n")),
        ("414", format!("GET /v1/notas?{long} HTTP/1.1\r\nHost: x\r\n\r\n")),
        ("431", format!("GET /health HTTP/1.1\r\nHost: x\r\nX-Longo: {long}\r\n\r\n")),
        ("431", format!("GET /health HTTP/1.1\r\nHost: x\r\n{}\r\n", "X-A: 1\r\n".repeat(101))),
    ];
    for (status, request) in refused {
        let answer = raw(&app, &request).await;
        assert!(
            answer.is_empty() || [format!("HTTP/1.1 {status}"), "HTTP/1.1 431".to_owned()].contains(&answer),
            "{answer}, expected {status}: {:.60}",
            request
        );
    }
    let many = format!("GET /health HTTP/1.1\r\nHost: x\r\n{}\r\n", "X-A: 1\r\n".repeat(90));
    assert_eq!(raw(&app, &many).await, "HTTP/1.1 200");
    app.anonymous().get("/health").await.ok(200);
    app.finish().await;
}

fn operations(document: &Value) -> Vec<(Method, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let methods = |(path, item): (&String, &Value)| {
        let path = path.clone();
        let operations = item.as_object().unwrap().clone().into_iter();
        operations.filter_map(move |(name, operation)| {
            let method = Method::from_bytes(name.to_ascii_uppercase().as_bytes()).ok()?;
            operation.is_object().then(|| (method, path.clone(), operation))
        })
    };
    paths.iter().flat_map(methods).collect()
}

/// The first example of a body.
fn example(operation: &Value) -> Option<Map<String, Value>> {
    let examples = operation.pointer("/requestBody/content/application~1json/examples")?.as_object()?;
    examples.values().next()?["value"].as_object().cloned()
}

/// Returns the fault of an answer to a long word, if any.
fn wrong(what: &str, answer: &Answer, word: &str, most: usize) -> Option<String> {
    let broken = answer.status.is_server_error() && answer.status != 503;
    let told = answer.text().contains(word);
    let long = answer.bytes.len() > most;
    let of = (broken, told, long);
    let around = answer.text().find(word).unwrap_or_default().saturating_sub(300);
    let around: String = answer.text().chars().skip(around).take(360).collect();
    (of != (false, false, false))
        .then(|| format!("{what}: {} {} bytes {of:?} {around}", answer.status, answer.bytes.len()))
}

async fn send(client: &Client, method: &Method, path: &str, body: &Value) -> Answer {
    let body = if method == Method::GET { Bytes::new() } else { Bytes::from(body.to_string()) };
    client.send(method.clone(), path, &[("content-type", "application/json")], body).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_word_in_a_path_or_query_is_not_told_back() {
    let app = TestApp::start_with(|parts| parts.limits.requests = 0).await;
    let client = app.issuer(NUMERIC).await.test;
    let document = app.anonymous().get("/docs/json").await.ok(200);
    let (long, repeated) = ("x1%C3%A9".repeat(1_500), "x1é".repeat(90));
    let (mut tried, mut found) = (0, Vec::new());
    let other = ["/v1/nada/{x}", "/{x}", "/docs/{x}"].map(|path| (Method::GET, path.to_owned(), json!({})));
    for (method, path, operation) in operations(&document).into_iter().chain(other) {
        let what = format!("{method} {path}");
        let parts: Vec<&str> = path.split(['{', '}']).collect();
        if parts.len() > 1 {
            let with = |word: &str| {
                parts.iter().enumerate().map(|(at, part)| if at % 2 == 1 { word } else { part }).collect::<String>()
            };
            found.extend(wrong(&what, &send(&client, &method, &with(&long), &json!({})).await, &repeated, 3_000));
            tried += 1;
        }
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let path = path.replace("{cpf_cnpj}", NUMERIC);
            let answer = send(&client, &method, &format!("{path}?{name}={long}"), &json!({})).await;
            found.extend(wrong(&format!("{what} {name}"), &answer, &repeated, 20_000));
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
    assert!(found.is_empty(), "{found:#?}");
    // names of parameters, seven thousand of them
    let many = (0..7_000).map(|at| format!("p{at}=1&")).collect::<String>();
    client.get(&format!("/v1/notas?{many}limite=1")).await.ok(200);
    let answer = client.send(Method::from_bytes(&[b'M'; 9_000]).unwrap(), "/v1/notas", &[], Bytes::new()).await;
    assert_eq!(wrong("a method", &answer, &"M".repeat(300), 2_000), None);
    let media = format!("text/{}", "x".repeat(9_000));
    let answer = client.send(Method::POST, "/v1/nfe/emitir", &[("content-type", &media)], "{}".into()).await;
    assert_eq!(wrong("a media type", &answer, &"x".repeat(300), 2_000), None);
    app.finish().await;
}

/// Every text of it, and of what is in it.
fn lengthen(value: &mut Value, word: &str) {
    match value {
        Value::String(text) => word.clone_into(text),
        Value::Array(list) => list.iter_mut().for_each(|value| lengthen(value, word)),
        Value::Object(members) => members.values_mut().for_each(|value| lengthen(value, word)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_word_in_a_field_is_refused_in_few_words() {
    let mut app = TestApp::start_with(|parts| parts.limits.requests = 0).await;
    let client = app.issuer(NUMERIC).await.test;
    let document = app.anonymous().get("/docs/json").await.ok(200);
    let (mut tried, mut found) = (0, Vec::new());
    for (method, path, operation) in operations(&document) {
        let Some(example) = example(&operation) else { continue };
        let path = path.replace("{cpf_cnpj}", NUMERIC);
        // as much as fits into the smallest bodies
        let word = "é1".repeat(1_200);
        for (name, value) in &example {
            let mut body = example.clone();
            let mut value = value.clone();
            lengthen(&mut value, &word);
            // identifiers that are not found are listed as they came: that is the answer
            if value == example[name] || name == "job_ids" {
                continue;
            }
            body.insert(name.clone(), value);
            let what = format!("{method} {path} {name}");
            let answer = send(&client, &method, &path, &Value::Object(body)).await;
            found.extend(wrong(&what, &answer, &"é1".repeat(150), 60_000));
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
    assert!(found.is_empty(), "{found:#?}");
    app.stop().await;
}

/// The values of a label, on the page of metrics.
async fn label(app: &TestApp, metric: &str, label: &str) -> BTreeSet<String> {
    let page = Client::new(app.metrics_url.trim_end_matches("/metrics")).get("/metrics").await.text();
    let lines = page.lines().filter(|line| line.starts_with(metric));
    let after = format!("{label}=\"");
    lines.filter_map(|line| Some(line.split_once(&after)?.1.split_once('"')?.0.to_owned())).collect()
}

#[tokio::test]
async fn three_hundred_methods_and_paths_are_a_handful_of_labels() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    for number in 0..300 {
        let method = Method::from_bytes(format!("METODO{number}").as_bytes()).unwrap();
        let path = if number % 2 == 0 { "/v1/notas".to_owned() } else { format!("/nada/{number}") };
        let answer = client.send(method, &path, &[], Bytes::new()).await;
        assert!(matches!(answer.status.as_u16(), 404 | 405), "{}", answer.text());
    }
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    const COUNTED: &str = "carimbo_http_requests_total";
    let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "other"];
    let methods = label(&app, COUNTED, "method").await;
    assert!(methods.contains("other") && methods.contains("POST"), "{methods:?}");
    assert!(methods.iter().all(|method| known.contains(&method.as_str())), "{methods:?}");
    let routes = label(&app, COUNTED, "route").await;
    assert!(routes.contains("/v1/empresas") && !routes.iter().any(|route| route.contains("nada")), "{routes:?}");
    app.finish().await;
}
