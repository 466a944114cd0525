//! Meaning of every failure for the request: `SendStatus::No` only when nothing can have been sent.

use crate::misbehaving::{Act, Greeting, Server, http};
use crate::pki::{Authority, EXPIRED, NOT_YET, Pair, VALID};
use authority::call::{AuthorityCall, AuthorityReply, CallMethod};
use authority::table::AuthorityService;
use authority::transport::{AuthorityTransport, CallError, SendStatus, TransportOptions};
use signing::Certificate;
use std::time::Duration;

struct Scene {
    server: Server,
    transport: AuthorityTransport,
    certificate: Certificate,
}

async fn scene(greeting: Greeting, acts: Vec<Act>) -> Scene {
    scene_with(|root| root.pair("localhost", &["localhost"], VALID), greeting, acts, |_| {}).await
}

async fn scene_with(
    pair: impl FnOnce(&Authority) -> Pair,
    greeting: Greeting,
    acts: Vec<Act>,
    change: impl FnOnce(&mut TransportOptions),
) -> Scene {
    let root = Authority::root("Raiz de Teste");
    let server = Server::start(&pair(&root), greeting, acts).await;
    let mut options =
        TransportOptions { extra_anchors_pem: Some(root.pem()), builtin_anchors: false, ..TransportOptions::default() };
    change(&mut options);
    Scene { server, transport: AuthorityTransport::new(options).unwrap(), certificate: root.client("EMPRESA") }
}

fn call(url: String) -> AuthorityCall {
    AuthorityCall {
        method: CallMethod::Post,
        url,
        headers: vec![("content-type", "application/soap+xml; charset=utf-8".to_owned())],
        body: b"<pedido/>".to_vec(),
        authority: "SP".to_owned(),
        service: AuthorityService::Autorizacao,
        name: "NFeAutorizacao4",
        from_company: false,
        secrets: Vec::new(),
    }
}

impl Scene {
    async fn reply(&self, call: &AuthorityCall) -> Result<AuthorityReply, CallError> {
        self.transport.send(call, &self.certificate).await
    }
    async fn send(&self) -> Result<String, CallError> {
        let reply = self.reply(&call(self.server.url())).await;
        reply.map(|reply| String::from_utf8(reply.body).unwrap())
    }
    async fn fails(&self) -> CallError {
        self.send().await.unwrap_err()
    }
}

async fn refused_chain(pair: impl FnOnce(&Authority) -> Pair) -> CallError {
    let scene = scene_with(pair, Greeting::Handshake, vec![Act::Reply(http("200 OK", "x"))], |_| {}).await;
    let error = scene.fails().await;
    assert_eq!(scene.server.requests(), 0, "not a byte of the request leaves before the server is trusted");
    assert_eq!((error.sent, error.kind), (SendStatus::No, "untrusted"), "{error:?}");
    error
}

#[tokio::test]
async fn an_expired_certificate_is_refused_and_named() {
    let error = refused_chain(|root| root.pair("localhost", &["localhost"], EXPIRED)).await;
    assert_eq!(error.cause, "certificado do servidor não confiável: \"localhost\" venceu em Nov 14 22:13:20 2023 GMT");
}

#[tokio::test]
async fn a_certificate_of_the_future_is_refused_and_named() {
    let error = refused_chain(|root| root.pair("localhost", &["localhost"], NOT_YET)).await;
    assert!(error.cause.contains("\"localhost\" só vale a partir de Jul 18"), "{}", error.cause);
}

#[tokio::test]
async fn a_certificate_of_another_host_is_refused_with_both_names() {
    let error = refused_chain(|root| root.pair("nfe.example", &["nfe.example", "10.1.2.3"], VALID)).await;
    assert_eq!(
        error.cause,
        "certificado do servidor não confiável: o certificado é de nfe.example, 10.1.2.3, não de localhost"
    );
}

#[tokio::test]
async fn an_issuer_that_nobody_knows_is_named() {
    let error = refused_chain(|_| Authority::root("Raiz Alheia").pair("localhost", &["localhost"], VALID)).await;
    assert!(error.cause.contains("emissor \"Raiz Alheia\" desconhecido"), "{}", error.cause);
}

#[tokio::test]
async fn a_port_that_nobody_listens_on_is_surely_unsent() {
    let mut scene = scene(Greeting::Handshake, vec![Act::Reply(http("200 OK", "x"))]).await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    scene.server.port = free;
    let error = scene.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::No, "connect"), "{error:?}");
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_surely_unsent() {
    let scene = scene(Greeting::Handshake, vec![Act::Reply(http("200 OK", "x"))]).await;
    let error =
        scene.transport.send(&call("https://nao-existe.invalid/ws".to_owned()), &scene.certificate).await.unwrap_err();
    assert_eq!((error.sent, error.kind), (SendStatus::No, "dns"), "{error:?}");
}

#[tokio::test]
async fn an_address_without_https_is_not_called() {
    let scene = scene(Greeting::Handshake, vec![Act::Reply(http("200 OK", "x"))]).await;
    for url in ["http://localhost/ws", "localhost", ""] {
        let error = scene.transport.send(&call(url.to_owned()), &scene.certificate).await.unwrap_err();
        assert_eq!((error.sent, error.kind), (SendStatus::No, "connect"), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_during_the_handshake_is_surely_unsent() {
    let error = scene(Greeting::HangUp, vec![Act::Reply(http("200 OK", "x"))]).await.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::No, "tls"), "{error:?}");
}

#[tokio::test]
async fn a_server_that_never_shakes_hands_hits_the_connect_timeout_unsent() {
    let short = |options: &mut TransportOptions| options.connect_timeout = Duration::from_millis(200);
    let pair = |root: &Authority| root.pair("localhost", &["localhost"], VALID);
    let scene = scene_with(pair, Greeting::Silence, vec![Act::Reply(vec![])], short).await;
    let error = scene.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::No, "timeout"), "{error:?}");
    assert!(error.cause.ends_with("não aceitou a conexão em 0,2 s"), "{}", error.cause);
}

async fn with_reply_timeout(acts: Vec<Act>) -> Scene {
    let short = |options: &mut TransportOptions| options.reply_timeout = Duration::from_secs(2);
    let pair = |root: &Authority| root.pair("localhost", &["localhost"], VALID);
    scene_with(pair, Greeting::Handshake, acts, short).await
}

#[tokio::test]
async fn a_reply_that_never_comes_hits_the_timeout_and_may_have_been_processed() {
    let scene = with_reply_timeout(vec![Act::ReplyAndStall(vec![])]).await;
    let error = scene.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "timeout"), "{error:?}");
    assert_eq!(scene.server.requests(), 1);
}

#[tokio::test]
async fn a_body_that_stops_half_way_hits_the_timeout() {
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<metade".to_vec();
    let error = with_reply_timeout(vec![Act::ReplyAndStall(half)]).await.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "timeout"), "{error:?}");
}

#[tokio::test]
async fn a_server_that_closes_without_a_reply_is_in_doubt_and_not_asked_again() {
    let scene = scene(Greeting::Handshake, vec![Act::ReplyAndClose(vec![])]).await;
    let error = scene.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "closed"), "{error:?}");
    assert_eq!((scene.server.requests(), scene.server.connections()), (1, 1));
}

#[tokio::test]
async fn a_reply_cut_short_is_in_doubt() {
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<cortada".to_vec();
    let error = scene(Greeting::Handshake, vec![Act::ReplyAndClose(cut)]).await.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "closed"), "{error:?}");
}

#[tokio::test]
async fn a_server_that_closes_right_after_the_handshake_never_makes_us_send_twice() {
    let scene = scene(Greeting::HandshakeAndClose, vec![Act::Reply(vec![])]).await;
    let error = scene.fails().await;
    assert_eq!(error.kind, "closed", "{error:?}");
    assert_eq!((scene.server.requests(), scene.server.connections()), (0, 1));
}

async fn with_reply_limit(acts: Vec<Act>) -> Scene {
    let small = |options: &mut TransportOptions| options.reply_limit = 10_000;
    let pair = |root: &Authority| root.pair("localhost", &["localhost"], VALID);
    scene_with(pair, Greeting::Handshake, acts, small).await
}

#[tokio::test]
async fn a_reply_that_announces_too_much_is_refused() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n".to_vec();
    let error = with_reply_limit(vec![Act::ReplyAndStall(head)]).await.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "too_large"), "{error:?}");
}

#[tokio::test]
async fn a_reply_without_end_is_cut_off_at_the_limit() {
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    let chunk = [b"400\r\n".as_slice(), &[b'x'; 1024], b"\r\n"].concat();
    let error = with_reply_limit(vec![Act::Flood(head, chunk)]).await.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "too_large"), "{error:?}");
}

#[tokio::test]
async fn a_reply_of_exactly_the_limit_is_taken() {
    let scene = with_reply_limit(vec![Act::Reply(http("200 OK", &"x".repeat(10_000)))]).await;
    assert_eq!(scene.send().await.unwrap().len(), 10_000);
}

#[tokio::test]
async fn a_reply_is_handed_on_whatever_its_status_and_its_connection_is_used_again() {
    let statuses = ["200 OK", "201 Created", "400 Bad Request", "404 Not Found", "500 Internal Server Error"];
    let acts = statuses.iter().map(|status| Act::Reply(http(status, status))).collect();
    let scene = scene(Greeting::Handshake, acts).await;
    for status in statuses {
        let AuthorityReply { status: code, body, .. } = scene.reply(&call(scene.server.url())).await.unwrap();
        assert_eq!((code.to_string().as_str(), body.as_slice()), (status, status.as_bytes()));
    }
    assert_eq!((scene.server.requests(), scene.server.connections()), (5, 1));
}

#[tokio::test]
async fn a_call_carries_its_method_its_headers_and_no_body_of_its_own() {
    let scene = scene(Greeting::Handshake, vec![Act::Reply(http("200 OK", "x"))]).await;
    let asked = |method| AuthorityCall {
        method,
        url: format!("{}/dps/1?a=b", scene.server.url()),
        headers: vec![("accept", "application/json".to_owned())],
        body: Vec::new(),
        ..call(String::new())
    };
    assert_eq!(scene.reply(&asked(CallMethod::Get)).await.unwrap().body, b"x");
    let port = scene.server.port;
    let expected = format!("GET /ws/dps/1?a=b HTTP/1.1\r\nhost: localhost:{port}\r\naccept: application/json\r\n\r\n");
    assert_eq!(scene.server.last_request(), expected);
    assert_eq!(scene.send().await.unwrap(), "x");
    let expected = format!(
        "POST /ws HTTP/1.1\r\nhost: localhost:{port}\r\ncontent-type: application/soap+xml; charset=utf-8\r\ncontent-length: 9\r\n\r\n<pedido/>"
    );
    assert_eq!(scene.server.last_request(), expected);
    // a header with an invalid value is never sent
    let split = AuthorityCall { headers: vec![("accept", "a\r\nb: c".to_owned())], ..asked(CallMethod::Get) };
    let error = scene.reply(&split).await.unwrap_err();
    assert_eq!((error.sent, error.kind), (SendStatus::No, "connect"), "{error:?}");
    assert_eq!(scene.server.requests(), 2);
}

#[tokio::test]
async fn a_head_is_answered_without_the_body_that_its_reply_announces() {
    // longer than the limit: no byte of the body is read
    let head = |status: &str| format!("HTTP/1.1 {status}\r\nContent-Length: 999999999\r\n\r\n").into_bytes();
    let acts = vec![Act::Reply(head("404 Not Found")), Act::Reply(head("200 OK")), Act::Reply(http("200 OK", "x"))];
    let scene = with_reply_limit(acts).await;
    let asked =
        AuthorityCall { method: CallMethod::Head, headers: Vec::new(), body: Vec::new(), ..call(scene.server.url()) };
    for status in [404, 200] {
        let reply = scene.reply(&asked).await.unwrap();
        assert_eq!((reply.status.as_u16(), reply.body.len()), (status, 0));
    }
    assert_eq!(scene.send().await.unwrap(), "x", "the connection is whole");
    assert_eq!(scene.server.connections(), 1);
}

#[tokio::test]
async fn tls_1_3_is_spoken_with_a_server_that_asks_in_the_handshake() {
    for (tls13, version) in [(false, "TLSv1.2"), (true, "TLSv1.3")] {
        let pair = |root: &Authority| root.pair("localhost", &["localhost"], VALID);
        let acts = vec![Act::Reply(http("200 OK", "x"))];
        let scene = scene_with(pair, Greeting::Handshake, acts, |options| options.tls13 = tls13).await;
        assert_eq!(scene.send().await.unwrap(), "x");
        assert_eq!(scene.server.version(), version);
    }
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let scene = scene(Greeting::Handshake, vec![Act::Reply(http("200 OK", "x"))]).await;
    for _ in 0..20 {
        assert_eq!(scene.send().await.unwrap(), "x");
    }
    assert_eq!((scene.server.requests(), scene.server.connections()), (20, 1));
}

#[tokio::test]
async fn a_connection_that_the_server_closed_at_rest_is_not_used() {
    let acts = vec![Act::ReplyAndClose(http("200 OK", "um")), Act::Reply(http("200 OK", "dois"))];
    let scene = scene(Greeting::Handshake, acts).await;
    assert_eq!(scene.send().await.unwrap(), "um");
    scene.server.closed_one().await;
    for _ in 0..200 {
        // lets the runtime notice that the socket has ended
        tokio::task::yield_now().await;
    }
    assert_eq!(scene.send().await.unwrap(), "dois");
    assert_eq!((scene.server.requests(), scene.server.connections()), (2, 2));
}

#[tokio::test]
async fn a_connection_that_the_server_said_it_would_close_is_not_used() {
    let last = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\num".to_vec();
    let scene = scene(Greeting::Handshake, vec![Act::Reply(last), Act::Reply(http("200 OK", "dois"))]).await;
    assert_eq!(scene.send().await.unwrap(), "um");
    assert_eq!(scene.send().await.unwrap(), "dois");
    assert_eq!((scene.server.requests(), scene.server.connections()), (2, 2));
}

#[tokio::test]
async fn a_used_connection_that_dies_under_a_request_is_in_doubt_and_not_asked_again() {
    let scene = scene(Greeting::Handshake, vec![Act::Reply(http("200 OK", "um")), Act::ReplyAndClose(vec![])]).await;
    assert_eq!(scene.send().await.unwrap(), "um");
    let error = scene.fails().await;
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "closed"), "{error:?}");
    assert_eq!((scene.server.requests(), scene.server.connections()), (2, 1));
}

/// An address from a company's configuration is checked before any connection, and never shares a connection with one
/// of the operator's.
#[tokio::test]
async fn an_address_that_a_company_gave_leads_only_where_strangers_may_go() {
    let ok = || Act::Reply(http("200 OK", "x"));
    let closed = scene(Greeting::Handshake, vec![ok(), ok()]).await;
    let given = |scene: &Scene| AuthorityCall {
        from_company: true,
        ..call(scene.server.url().replace("localhost", "127.0.0.1"))
    };
    assert_eq!(closed.send().await.unwrap(), "x", "the operator's word is called");
    let refused = closed.reply(&given(&closed)).await.unwrap_err();
    assert_eq!((refused.sent, refused.kind), (SendStatus::No, "refused"), "{refused}");
    assert!(refused.cause.contains("não pode ser chamado"), "{refused}");

    let pair = |root: &Authority| root.pair("localhost", &["localhost", "127.0.0.1"], VALID);
    let strangers = outbound::UrlGuard::new(
        outbound::AddressPolicy::public().with_plain_loopback(true),
        std::sync::Arc::new(outbound::SystemResolver),
    );
    let open = scene_with(pair, Greeting::Handshake, vec![ok(), ok()], |options| options.url_guard = strangers).await;
    let by_name = AuthorityCall { from_company: true, ..call(open.server.url()) };
    assert_eq!(open.reply(&by_name).await.unwrap().body, b"x");
}
