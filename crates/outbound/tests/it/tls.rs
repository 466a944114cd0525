//! TLS verification: the chain, and the name in it.

use crate::pki::Root;
use crate::receiver::{Receiver, Says};
use crate::resolver::Scripted;
use outbound::{AddressPolicy, FailureKind, HttpRequest, HttpResponse, RequestFailure, TargetUrl};

async fn ask(receiver: &Receiver, anchors: Option<Vec<u8>>) -> Result<HttpResponse, RequestFailure> {
    let reach = AddressPolicy::public().with_networks(vec!["127.0.0.0/8".parse().unwrap()]);
    let target =
        TargetUrl::parse(&format!("https://erp.exemplo.com.br:{}/x", receiver.address.port()), &reach).unwrap();
    Scripted::new(&[&["127.0.0.1"]]).client(anchors).send(&target, &reach, HttpRequest::get()).await
}

const OK: Says = Says::Bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

#[tokio::test]
async fn a_server_of_the_bundle_is_trusted_and_another_is_not() {
    let (root, other) = (Root::new(), Root::new());
    let receiver = Receiver::start("127.0.0.1:0", Some(root.acceptor("erp.exemplo.com.br")), OK).await;
    assert_eq!(ask(&receiver, Some(root.pem())).await.unwrap().body, b"ok");
    for anchors in [None, Some(other.pem())] {
        let failure = ask(&receiver, anchors).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Untrusted, "{failure}");
    }
    assert_eq!(receiver.requests().len(), 1, "nothing is said to a server that is not trusted");
}

#[tokio::test]
async fn a_certificate_of_another_name_is_not_trusted() {
    let root = Root::new();
    let receiver = Receiver::start("127.0.0.1:0", Some(root.acceptor("outro.exemplo.com.br")), OK).await;
    let failure = ask(&receiver, Some(root.pem())).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Untrusted);
    assert!(failure.cause.contains("outro.exemplo.com.br"), "{failure}");
}

#[tokio::test]
async fn a_server_without_tls_is_not_spoken_to() {
    let receiver = Receiver::start("127.0.0.1:0", None, Says::First("220 smtp.exemplo.com.br\r\n")).await;
    let failure = ask(&receiver, None).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Tls, "{failure}");
}
