//! The edges of HTTP: both versions, compression, CORS, methods without a handler, slow bodies, silent connections.

use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::channel::Channel;
use http_body_util::{BodyExt as _, Empty, Full};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use server::ServiceLimits;
use server::edge::Edge;

use crate::support::app::{Tenant, TestApp};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Answer;

const GZIP: (&str, &str) = ("accept-encoding", "gzip");

async fn ask(app: &TestApp, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    app.anonymous().send(method, path, headers, Bytes::new()).await
}

fn address(app: &TestApp) -> &str {
    app.anonymous().base_url.strip_prefix("http://").unwrap()
}

/// A tenant with enough companies that their list is worth compressing.
async fn with_a_long_list(app: &TestApp) -> Tenant {
    let tenant = app.tenant().await;
    for cpf_cnpj in [NUMERIC, body::ALPHANUMERIC] {
        tenant.test.post("/v1/empresas", &body::company(cpf_cnpj)).await.ok(201);
    }
    tenant
}

#[tokio::test]
async fn http_2_without_asking_first_is_served_with_many_requests_at_a_time() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    tenant.test.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let stream = tokio::net::TcpStream::connect(address(&app)).await.unwrap();
    let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let key = tenant.test.api_key.clone().unwrap();
    let mut answers = Vec::new();
    for path in ["/v1/empresas", "/v1/empresas/11.222.333/0001-81", "/v1/nada"] {
        let request = Request::get(format!("http://carimbo{path}")).header("x-api-key", &key);
        answers.push(sender.clone().send_request(request.body(Full::<Bytes>::default()).unwrap()));
    }
    let mut statuses = Vec::new();
    for answer in answers {
        let answer = answer.await.unwrap();
        assert_eq!(answer.version(), http::Version::HTTP_2);
        assert!(answer.headers().contains_key("x-request-id"));
        statuses.push(answer.status().as_u16());
        answer.into_body().collect().await.unwrap();
    }
    assert_eq!(statuses, [200, 200, 404]);
    let slow = Request::get("http://carimbo/health").header("x-long", "x".repeat(70_000));
    let refused = sender.clone().send_request(slow.body(Full::default()).unwrap()).await.unwrap();
    assert_eq!(refused.status(), 431);
    drop(sender);
    connection.await.unwrap().unwrap();
    app.finish().await;
}

#[tokio::test]
async fn headers_beyond_all_measure_are_refused() {
    let app = TestApp::start().await;
    let long = "x".repeat(70_000);
    let mut stream = TcpStream::connect(address(&app)).unwrap();
    let answer = tokio::task::spawn_blocking(move || {
        // the rest may not be taken any more when the refusal is on its way
        let _ = stream.write_all(format!("GET /health HTTP/1.1\r\nHost: x\r\nX-Long: {long}\r\n\r\n").as_bytes());
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).map(|()| answer)
    });
    // a reset may overtake the refusal
    if let Ok(answer) = answer.await.unwrap() {
        assert_eq!(&answer, b"HTTP/1.1 431");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_large_answer_is_compressed_for_who_takes_it() {
    let app = TestApp::start().await;
    let tenant = with_a_long_list(&app).await;
    let plain = tenant.test.get("/v1/empresas").await;
    assert_eq!(plain.header("content-encoding"), "");
    let packed = tenant.test.send(Method::GET, "/v1/empresas", &[GZIP], Bytes::new()).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert!(packed.header("vary").to_ascii_lowercase().contains("accept-encoding"), "{packed:?}");
    assert!(!packed.header("x-request-id").is_empty());
    assert!(packed.bytes.len() < plain.bytes.len());
    assert_eq!(unpacked(&packed.bytes), plain.bytes);
    let small = ask(&app, Method::GET, "/health", &[GZIP]).await;
    assert_eq!((small.header("content-encoding"), small.text().as_str()), ("", "{\"status\":\"ok\"}"));
    app.finish().await;

    let app = TestApp::start_with(|parts| parts.edge = Edge { compression: false, ..Edge::default() }).await;
    let tenant = with_a_long_list(&app).await;
    let plain = tenant.test.send(Method::GET, "/v1/empresas", &[GZIP], Bytes::new()).await;
    assert_eq!(plain.header("content-encoding"), "");
    app.finish().await;
}

#[tokio::test]
async fn what_never_changes_is_sent_packed_and_only_to_who_has_it_not() {
    let app = TestApp::start().await;
    for path in
        ["/docs/json", "/docs", "/swagger", "/docs/guia/nfce", "/docs/rotas/emitirNfe", "/docs/recursos/busca.json"]
    {
        let plain = ask(&app, Method::GET, path, &[]).await;
        assert_eq!((plain.status.as_u16(), plain.header("content-encoding")), (200, ""), "{path}");
        let packed = ask(&app, Method::GET, path, &[GZIP]).await;
        assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "accept-encoding"), "{path}");
        assert_eq!(unpacked(&packed.bytes), plain.bytes, "{path}");
        let known = format!("\"other\", {}", plain.header("etag"));
        let same = ask(&app, Method::GET, path, &[("if-none-match", known.as_str())]).await;
        assert_eq!((same.status.as_u16(), same.bytes.len(), same.header("etag")), (304, 0, plain.header("etag")));
        for kept in ["content-security-policy", "cache-control"] {
            assert_eq!(same.header(kept), plain.header(kept), "{path}: a browser keeps what a 304 says");
        }
    }
    app.finish().await;

    let app = TestApp::start_with(|parts| parts.edge = Edge { compression: false, ..Edge::default() }).await;
    let plain = ask(&app, Method::GET, "/docs/json", &[GZIP]).await;
    assert_eq!(plain.header("content-encoding"), "");
    app.finish().await;
}

/// Unpacks with the machine's gzip, which is independent of the service.
fn unpacked(bytes: &[u8]) -> Bytes {
    let mut gzip = std::process::Command::new("gzip");
    let gzip = gzip.arg("-dc").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = gzip.spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    output.stdout.into()
}

#[tokio::test]
async fn pages_of_other_origins_may_not_call_unless_configured() {
    let origin = ("origin", "https://painel.exemplo.com.br");
    let preflight = [origin, ("access-control-request-method", "PUT"), ("access-control-request-headers", "x-api-key")];
    let app = TestApp::start().await;
    let answer = ask(&app, Method::GET, "/health", &[origin]).await;
    assert_eq!(answer.header("access-control-allow-origin"), "");
    let answer = ask(&app, Method::OPTIONS, "/v1/empresas", &preflight).await;
    assert_eq!(answer.header("access-control-allow-origin"), "");
    app.finish().await;

    let cors_origins = vec!["https://painel.exemplo.com.br".to_owned()];
    let app = TestApp::start_with(|parts| parts.edge = Edge { cors_origins, ..Edge::default() }).await;
    let answer = ask(&app, Method::OPTIONS, "/v1/empresas", &preflight).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), origin.1);
    assert!(answer.header("access-control-allow-methods").contains("PUT"), "{answer:?}");
    assert!(answer.header("access-control-allow-headers").contains("x-api-key"), "{answer:?}");
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    assert!(!answer.header("x-request-id").is_empty());
    // a refusal can be read by the page too
    let answer = ask(&app, Method::GET, "/v1/empresas", &[origin]).await;
    assert_eq!(answer.header("access-control-allow-origin"), origin.1);
    assert!(answer.header("access-control-expose-headers").contains("x-request-id"), "{answer:?}");
    assert!(answer.header("vary").to_ascii_lowercase().contains("origin"), "{answer:?}");
    answer.refused(401, "nao_autenticado");
    let stranger = ask(&app, Method::GET, "/health", &[("origin", "https://outra.com.br")]).await;
    assert_eq!(stranger.header("access-control-allow-origin"), "");
    app.finish().await;
}

#[tokio::test]
async fn options_tells_the_methods_and_head_is_get_without_the_body() {
    let app = TestApp::start().await;
    let answer = ask(&app, Method::OPTIONS, "/v1/empresas", &[]).await;
    assert_eq!((answer.status.as_u16(), answer.bytes.len()), (204, 0));
    assert_eq!(answer.header("allow"), "GET,HEAD,POST");
    ask(&app, Method::OPTIONS, "/v1/nada", &[]).await.refused(404, "nao_encontrado");
    let get = ask(&app, Method::GET, "/health", &[]).await;
    let head = ask(&app, Method::HEAD, "/health", &[]).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-length"), get.bytes.len().to_string());
    let head = ask(&app, Method::HEAD, "/v1/empresas", &[]).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (401, 0));
    assert_eq!(head.header("content-type"), "application/problem+json");
    for method in [Method::PATCH, Method::TRACE, Method::DELETE] {
        ask(&app, method, "/v1/empresas", &[]).await.refused(405, "metodo_nao_permitido");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_given_up() {
    let app = TestApp::start_with(|parts| parts.limits = ServiceLimits { body_s: 1, ..parts.limits }).await;
    let tenant = app.tenant().await;
    tenant.test.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let key = tenant.test.api_key.as_ref().unwrap();
    let certificate = format!("PUT /v1/empresas/{NUMERIC}/certificado");
    let form = "multipart/form-data; boundary=x";
    for (line, media) in [("POST /v1/empresas", "application/json"), (certificate.as_str(), form)] {
        let mut stream = TcpStream::connect(address(&app)).unwrap();
        let head = format!(
            "{line} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: {media}\r\nContent-Length: 100\r\n\r\n--x"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        tokio::task::spawn_blocking(move || {
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
            assert!(
                answer.contains("\"codigo\":\"tempo_esgotado\"") && answer.contains("connection: close"),
                "{answer}"
            );
        })
        .await
        .unwrap();
    }
    app.finish().await;
}

#[tokio::test]
async fn a_stop_lets_the_open_requests_of_http_2_end() {
    let mut app = TestApp::start().await;
    let tenant = app.tenant().await;
    let stream = tokio::net::TcpStream::connect(address(&app)).await.unwrap();
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    // the protocol is agreed upon
    let health = Request::get("http://carimbo/health").body(Empty::new().boxed()).unwrap();
    assert_eq!(sender.send_request(health).await.unwrap().status(), 200);
    let (mut body_sender, held) = Channel::<Bytes, Infallible>::new(1);
    let company = body::company(NUMERIC).to_string();
    let (half, rest) = company.split_at(company.len() / 2);
    let request = Request::post("http://carimbo/v1/empresas").header("x-api-key", tenant.test.api_key.clone().unwrap());
    let answer = sender.send_request(request.body(held.boxed()).unwrap());
    body_sender.send_data(Bytes::from(half.to_owned())).await.unwrap();
    let base_url = app.anonymous().base_url.clone();
    let rest = Bytes::from(rest.to_owned());
    let end = tokio::spawn(async move {
        while TcpStream::connect(base_url.strip_prefix("http://").unwrap()).is_ok() {
            tokio::task::yield_now().await;
        }
        body_sender.send_data(rest).await.unwrap();
        drop(body_sender);
        answer.await.unwrap().status()
    });
    app.stop().await;
    assert_eq!(end.await.unwrap(), 201);
    drop(sender);
    connection.await.unwrap().unwrap();
}
