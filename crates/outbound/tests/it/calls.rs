//! Answers and failures of calls.

use crate::receiver::{Receiver, Says};
use crate::resolver::Scripted;
use bytes::Bytes;
use http::{HeaderValue, Method, header};
use outbound::{AddressPolicy, FailureKind, HttpRequest, HttpResponse, RequestFailure, TargetUrl};
use std::time::Duration;

fn development() -> AddressPolicy {
    AddressPolicy::public().with_plain_loopback(true)
}

async fn ask(receiver: &Receiver, request: HttpRequest) -> Result<HttpResponse, RequestFailure> {
    let target =
        TargetUrl::parse(&format!("http://erp.exemplo.com.br:{}/a?b=c", receiver.address.port()), &development());
    Scripted::new(&[&["127.0.0.1"]]).client(None).send(&target.unwrap(), &development(), request).await
}

async fn told(says: Says, within: Duration) -> Result<HttpResponse, RequestFailure> {
    let receiver = Receiver::start("127.0.0.1:0", None, says).await;
    ask(&receiver, HttpRequest { within, at_most: 100, ..HttpRequest::get() }).await
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(200);

#[tokio::test]
async fn an_answer_comes_back_whatever_its_status() {
    let answer =
        told(Says::Bytes("HTTP/1.1 404 Not Found\r\nX-A: b\r\nContent-Length: 2\r\n\r\nno"), LONG).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.as_slice(), answer.cut), (404, b"no".as_slice(), false));
    assert_eq!(answer.headers["x-a"], "b");
    let empty = told(Says::Bytes("HTTP/1.1 204 No Content\r\n\r\n"), LONG).await.unwrap();
    assert_eq!((empty.status.as_u16(), empty.body.len()), (204, 0));
}

#[tokio::test]
async fn the_request_is_written_as_given() {
    let receiver =
        Receiver::start("127.0.0.1:0", None, Says::Bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")).await;
    let mut request =
        HttpRequest { method: Method::POST, body: Bytes::from_static(b"{}"), within: LONG, ..HttpRequest::get() };
    request.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    ask(&receiver, request).await.unwrap();
    let written = receiver.requests().remove(0).to_ascii_lowercase();
    assert!(written.starts_with("post /a?b=c http/1.1\r\n"), "{written}");
    for line in ["content-type: application/json", "content-length: 2", "connection: close"] {
        assert!(written.contains(&format!("{line}\r\n")), "{written}");
    }
    assert!(written.contains(&format!("host: erp.exemplo.com.br:{}\r\n", receiver.address.port())), "{written}");
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let elsewhere = Receiver::start("127.0.0.1:0", None, Says::Nothing).await;
    let answer = told(
        Says::Bytes("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
        LONG,
    );
    assert_eq!(answer.await.unwrap().status.as_u16(), 307);
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test]
async fn a_long_body_is_cut_where_asked() {
    for head in ["HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"] {
        let answer = told(Says::Endless(head), LONG).await.unwrap();
        assert_eq!((answer.body.len(), answer.cut), (100, true));
    }
}

#[tokio::test]
async fn who_does_not_answer_in_time_is_given_up() {
    assert_eq!(told(Says::Nothing, SHORT).await.unwrap_err().kind, FailureKind::TimedOut);
    // a truncated answer is a failure
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc";
    assert_eq!(told(Says::Bytes(half), LONG).await.unwrap_err().kind, FailureKind::Closed);
}

#[tokio::test]
async fn what_is_not_http_and_headers_without_end_are_failures() {
    for wrong in [Says::Bytes("220 smtp ready\r\n"), Says::Bytes(""), Says::Endless("HTTP/1.1 200 OK\r\nX: ")] {
        assert_eq!(told(wrong, LONG).await.unwrap_err().kind, FailureKind::Closed);
    }
}

#[tokio::test]
async fn nobody_there_and_no_such_name_are_told_apart() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let target = TargetUrl::parse(&format!("http://127.0.0.1:{}/", free.port()), &development()).unwrap();
    let client = Scripted::new(&[]).client(None);
    let failure = client.send(&target, &development(), HttpRequest::get()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Connect, "{failure}");
    let target = TargetUrl::parse("https://nao-existe.exemplo.com.br/segredo", &AddressPolicy::public()).unwrap();
    let failure = client.send(&target, &AddressPolicy::public(), HttpRequest::get()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Dns);
    assert!(!failure.cause.contains("segredo"), "{failure}");
}
