//! Connections: clients that never read, never ask, never finish, and one too many. On raw connections.

use std::io::ErrorKind;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Request;
use http_body_util::Empty;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use server::ServiceLimits;
use server::edge::Edge;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::support::app::TestApp;

async fn with_limits(change: impl FnOnce(&mut ServiceLimits)) -> TestApp {
    TestApp::start_with(|parts| change(&mut parts.limits)).await
}

/// A connection from this address of the loopback network.
async fn connect(app: &TestApp, last: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 0, last), 0).into()).unwrap();
    socket.connect(app.anonymous().base_url.strip_prefix("http://").unwrap().parse().unwrap()).await.unwrap()
}

/// A request whose body never comes to its end: it is being served.
async fn held(app: &TestApp, last: u8) -> TcpStream {
    let mut stream = connect(app, last).await;
    let head = b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n";
    stream.write_all(head).await.unwrap();
    // the service asks for the body: the request has reached its handler
    let mut line = [0; 12];
    within(stream.read_exact(&mut line)).await.unwrap();
    assert_eq!(&line, b"HTTP/1.1 100");
    let mut rest = [0; 13];
    within(stream.read_exact(&mut rest)).await.unwrap();
    stream
}

/// A request and its whole answer on a connection that stays open.
async fn health(stream: &mut TcpStream) -> std::io::Result<u16> {
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n").await?;
    let mut answer = Vec::new();
    while !answer.ends_with(b"}") {
        let mut byte = [0; 1];
        if stream.read(&mut byte).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        answer.push(byte[0]);
    }
    Ok(std::str::from_utf8(&answer[9..12]).unwrap().parse().unwrap())
}

async fn within<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), what).await.expect("in time")
}

/// Until the service has closed it; what still comes is read.
async fn closed(mut stream: TcpStream) {
    let mut bytes = [0; 4096];
    while within(stream.read(&mut bytes)).await.is_ok_and(|read| read > 0) {}
}

fn is_open(stream: &TcpStream) -> bool {
    matches!(stream.try_read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
}

#[tokio::test]
async fn clients_that_never_read_take_nothing_away() {
    let app = with_limits(|limits| (limits.connections, limits.connections_per_address) = (60, 40)).await;
    // the request that first makes it is being served meanwhile, and stays
    app.anonymous().get("/docs/json").await.ok(200);
    let asks = b"GET /docs/json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20);
    let mut deaf = Vec::new();
    for number in 0..200 {
        let mut stream = connect(&app, 1).await;
        // some are closed while they still ask
        let _ = stream.write_all(&asks).await;
        deaf.push(stream);
        if number % 20 == 0 {
            let mut stream = connect(&app, 1).await;
            assert_eq!(within(health(&mut stream)).await.unwrap(), 200, "after {number}");
        }
    }
    assert_eq!(within(health(&mut connect(&app, 2).await)).await.unwrap(), 200);
    drop(deaf);
    app.finish().await;
}

#[tokio::test]
async fn who_reads_nothing_is_given_up() {
    let app = with_limits(|limits| (limits.idle_s, limits.write_s) = (60, 1)).await;
    let mut stream = connect(&app, 1).await;
    let deadline = Instant::now() + Duration::from_secs(30);
    // requests until the answers fill all buffers between us, and then on until one side closes
    loop {
        match tokio::time::timeout(
            Duration::from_millis(20),
            stream.write_all(b"GET /docs/json HTTP/1.1\r\nHost: x\r\n\r\n"),
        )
        .await
        {
            Ok(Err(error)) => {
                assert!(matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset), "{error}");
                break;
            }
            _ => assert!(Instant::now() < deadline, "nobody hangs up"),
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn who_is_silent_makes_room_for_who_asks() {
    let app = with_limits(|limits| limits.connections_per_address = 3).await;
    let mut kept = Vec::new();
    for _ in 0..3 {
        let mut stream = connect(&app, 1).await;
        assert_eq!(within(health(&mut stream)).await.unwrap(), 200);
        kept.push(stream);
    }
    let mut newcomer = connect(&app, 1).await;
    assert_eq!(within(health(&mut newcomer)).await.unwrap(), 200);
    closed(kept.remove(0)).await;
    assert!(kept.iter().all(is_open));
    app.finish().await;
}

#[tokio::test]
async fn who_is_being_served_is_not_pushed_out_by_its_own_address() {
    let app = with_limits(|limits| limits.connections_per_address = 2).await;
    let served = [held(&app, 1).await, held(&app, 1).await];
    let mut refused = connect(&app, 1).await;
    let mut answer = String::new();
    within(refused.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("retry-after: 1\r\n"), "{answer}");
    // another address has its own
    assert_eq!(within(health(&mut connect(&app, 2).await)).await.unwrap(), 200);
    assert!(served.iter().all(is_open));
    drop(served);
    app.finish().await;
}

#[tokio::test]
async fn when_all_places_are_taken_the_greediest_address_gives_one() {
    let app = with_limits(|limits| limits.connections = 5).await;
    let mut greedy = Vec::new();
    for _ in 0..4 {
        greedy.push(held(&app, 1).await);
    }
    let other = held(&app, 2).await;
    assert_eq!(within(health(&mut connect(&app, 3).await)).await.unwrap(), 200);
    closed(greedy.pop().unwrap()).await;
    assert!(greedy.iter().all(is_open) && is_open(&other));
    drop((greedy, other));
    app.finish().await;
}

#[tokio::test]
async fn a_trusted_proxy_stands_for_many() {
    let trusted_proxies = vec!["127.0.0.9/32".parse().unwrap()];
    let app = TestApp::start_with(|parts| {
        parts.edge = Edge { trusted_proxies, ..Edge::default() };
        parts.limits.connections_per_address = 2;
    })
    .await;
    let mut served = Vec::new();
    for _ in 0..6 {
        served.push(held(&app, 9).await);
    }
    assert_eq!(within(health(&mut connect(&app, 9).await)).await.unwrap(), 200);
    assert!(served.iter().all(is_open));
    drop(served);
    app.finish().await;
}

#[tokio::test]
async fn a_head_that_trickles_is_given_up() {
    let app = with_limits(|limits| limits.idle_s = 1).await;
    let mut stream = connect(&app, 1).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    stream.write_all(b"GET /health HTTP/1.1\r\nX: ").await.unwrap();
    while stream.write_all(b"x").await.is_ok() {
        assert!(Instant::now() < deadline, "it trickles on");
        // a letter every so often: each comes in time, the head does not
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    app.finish().await;
}

#[tokio::test]
async fn an_http_2_window_that_never_opens_is_given_up() {
    let app = with_limits(|limits| (limits.idle_s, limits.write_s) = (1, 1)).await;
    let stream = connect(&app, 1).await;
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(0);
    let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut answers = Vec::new();
    for _ in 0..10 {
        let request = Request::get("http://carimbo/docs/json").body(Empty::<Bytes>::new()).unwrap();
        answers.push(sender.send_request(request).await.unwrap());
    }
    // pings are answered all the while; the answers are never taken
    let _ = within(connection).await.unwrap();
    drop(answers);
    assert_eq!(within(health(&mut connect(&app, 1).await)).await.unwrap(), 200);
    app.finish().await;
}

#[tokio::test]
async fn requests_that_are_taken_back_at_once_hold_up_nobody() {
    let app = TestApp::start().await;
    let (mut sender, connection) =
        http2::handshake(TokioExecutor::new(), TokioIo::new(connect(&app, 1).await)).await.unwrap();
    let connection = tokio::spawn(connection);
    for _ in 0..2000 {
        let request = Request::get("http://carimbo/status").body(Empty::<Bytes>::new()).unwrap();
        // dropped before its answer: a reset, unless the service closes meanwhile
        if sender.ready().await.is_err() {
            break;
        }
        drop(sender.send_request(request));
    }
    assert_eq!(within(health(&mut connect(&app, 1).await)).await.unwrap(), 200);
    drop(sender);
    let _ = within(connection).await;
    app.finish().await;
}
