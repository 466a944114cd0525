//! Bodies before they are read: a credential first, a size per route, a bound on all that are under way. On raw
//! connections.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::app::TestApp;
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::users::session;

/// A route with a body, from the OpenAPI document.
struct Route {
    method: String,
    path: String,
    limit: usize,
    needs_session: bool,
    is_public: bool,
}

/// All routes with a body.
async fn routes(app: &TestApp) -> Vec<Route> {
    let document = app.anonymous().get("/docs/json").await.ok(200);
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let Some(said) = operation["requestBody"]["description"].as_str() else { continue };
            let schemes = operation["security"].as_array().unwrap();
            routes.push(Route {
                method: method.to_uppercase(),
                path: path.replace("{cpf_cnpj}", NUMERIC),
                limit: bytes(said),
                needs_session: schemes.iter().all(|scheme| scheme.get("Bearer").is_some()),
                is_public: schemes.is_empty(),
            });
            assert!(operation["responses"]["413"]["content"].is_object(), "{method} {path} does not tell of 413");
        }
    }
    routes
}

/// `Até 16 KB.`; a document has what the operator of a test allows.
fn bytes(said: &str) -> usize {
    let kilobytes: Vec<&str> = said.split(' ').collect();
    match kilobytes.as_slice() {
        ["Até", count, "KB."] => count.parse::<usize>().unwrap() << 10,
        _ if said.contains("http.corpo_maximo_bytes") => 1 << 20,
        _ => panic!("{said}"),
    }
}

/// A connection on which this was sent, perhaps not to the end: the service may answer before.
async fn sent(app: &TestApp, head: &str, rest: &[u8]) -> TcpStream {
    let address = app.anonymous().base_url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let _ = stream.write_all(rest).await;
    stream
}

/// The status of the answer; the connection stays open on our side.
async fn status(stream: &mut TcpStream) -> u16 {
    let mut line = [0; 12];
    let read = tokio::time::timeout(Duration::from_secs(30), stream.read_exact(&mut line)).await;
    read.expect("an answer in time").expect("an answer");
    std::str::from_utf8(&line[9..]).unwrap().parse().unwrap()
}

fn head(route: &Route, credential: &str, length: &str) -> String {
    let Route { method, path, .. } = route;
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{credential}Content-Type: application/json\r\n{length}\r\n\r\n"
    )
}

fn credential(client: &Client) -> String {
    match (&client.api_key, &client.authorization) {
        (Some(key), _) => format!("X-API-Key: {key}\r\n"),
        (None, Some(token)) => format!("Authorization: {token}\r\n"),
        (None, None) => String::new(),
    }
}

#[tokio::test]
async fn a_credential_is_asked_for_before_the_body() {
    let app = TestApp::start().await;
    let routes = routes(&app).await;
    assert!(routes.len() > 25);
    for route in routes.iter().filter(|route| !route.is_public) {
        // nothing of the body ever comes
        let mut stream = sent(&app, &head(route, "", "Content-Length: 1000"), b"").await;
        assert_eq!(status(&mut stream).await, 401, "{} {}", route.method, route.path);
    }
    app.finish().await;
}

#[tokio::test]
async fn every_route_has_a_size_announced_or_not() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    tenant.test.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let of_session = credential(&session(&app, &tenant).await);
    let of_key = credential(&tenant.test);
    for route in routes(&app).await {
        let credential = match route {
            Route { is_public: true, .. } => "",
            Route { needs_session: true, .. } => &of_session,
            _ => &of_key,
        };
        let announced = format!("Content-Length: {}", route.limit + 1);
        let mut stream = sent(&app, &head(&route, credential, &announced), b"").await;
        assert_eq!(status(&mut stream).await, 413, "{} {} announced", route.method, route.path);
        let mut chunk = format!("{:x}\r\n", route.limit + 1).into_bytes();
        chunk.resize(chunk.len() + route.limit + 1, b' ');
        let mut stream = sent(&app, &head(&route, credential, "Transfer-Encoding: chunked"), &chunk).await;
        assert_eq!(status(&mut stream).await, 413, "{} {} in a chunk", route.method, route.path);
    }
    app.finish().await;
}

#[tokio::test]
async fn bodies_under_way_have_a_bound_for_one_account_and_for_all() {
    // the least that lets the largest body pass is more than this
    let app = TestApp::start_with(|parts| parts.limits.bodies_bytes = 100 << 20).await;
    let (greedy, other) = (app.tenant().await, app.tenant().await);
    let route = |client: &Client| {
        let credential = credential(client);
        format!("POST /v1/nfe/emitir HTTP/1.1\r\nHost: x\r\n{credential}Content-Length: {}\r\n\r\n", 1 << 20)
    };
    let almost = vec![b' '; (1 << 20) - 1];
    let (mut held, mut refused) = (Vec::new(), Vec::new());
    for (client, times, expected) in [(&greedy.test, 102, 429), (&other.test, 6, 503)] {
        for _ in 0..times {
            held.push(sent(&app, &route(client), &almost).await);
        }
        // refused clients have an answer; the others wait for their last byte
        let mut of_client = 0;
        let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
        while of_client == 0 && tokio::time::Instant::now() < deadline {
            for mut stream in std::mem::take(&mut held) {
                let mut byte = [0];
                match tokio::time::timeout(Duration::from_millis(5), stream.peek(&mut byte)).await {
                    Ok(Ok(1)) => {
                        assert_eq!(status(&mut stream).await, expected);
                        of_client += 1;
                        refused.push(stream);
                    }
                    _ => held.push(stream),
                }
            }
        }
        assert!(of_client > 0, "nobody was refused with {expected}");
    }
    app.anonymous().get("/health").await.ok(200);
    drop((held, refused));
    // what was given up is free again
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    loop {
        let answer = greedy.test.post("/v1/nfe/verificar-campos", &large()).await;
        if answer.status != 429 && answer.status != 503 {
            break;
        }
        assert!(tokio::time::Instant::now() < deadline, "{}", answer.text());
    }
    app.finish().await;
}

/// Half a megabyte.
fn large() -> Value {
    serde_json::json!({ "cpf_cnpj": NUMERIC, "nota": { "infAdic": { "infCpl": "x".repeat(1 << 19) } } })
}

#[tokio::test]
async fn a_small_text_that_would_be_a_large_tree_is_refused() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let text = format!("{{\"cpf_cnpj\":\"{NUMERIC}\",\"nota\":[{}0]}}", "{\"\":0},".repeat(140_000));
    let headers = [("content-type", "application/json")];
    let answer = tenant.test.send(http::Method::POST, "/v1/nfe/emitir", &headers, text.into()).await;
    answer.refused(413, "corpo_grande");
    app.finish().await;
}

#[tokio::test]
async fn a_credential_has_so_many_requests_under_way_and_no_more() {
    let app = TestApp::start_with(|parts| parts.limits.under_way = 3).await;
    let (greedy, other) = (app.tenant().await, app.tenant().await);
    let head = |client: &Client| {
        let credential = credential(client);
        format!(
            "POST /v1/nfe/emitir HTTP/1.1\r\nHost: x\r\n{credential}Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n"
        )
    };
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut stream = sent(&app, &head(&greedy.test), b"").await;
        // it is asked for its body: it is under way
        assert_eq!(status(&mut stream).await, 100);
        held.push(stream);
    }
    let refused = greedy.test.get("/v1/cotas").await;
    assert_eq!(refused.header("retry-after"), "1");
    refused.refused(429, "muitas_requisicoes");
    other.test.get("/v1/cotas").await.ok(200);
    drop(held);
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    while greedy.test.get("/v1/cotas").await.status != 200 {
        assert!(tokio::time::Instant::now() < deadline, "what is over still counts");
    }
    app.finish().await;
}
