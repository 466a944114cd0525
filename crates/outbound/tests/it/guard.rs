//! The guard during a call: the addresses that a name resolves to at that moment.

use crate::receiver::{Receiver, Says};
use crate::resolver::Scripted;
use outbound::{AddressPolicy, FailureKind, HttpRequest, TargetUrl};

const OK: Says = Says::Bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

#[tokio::test]
async fn every_class_of_inner_address_is_refused_without_a_connection() {
    let target = TargetUrl::parse("https://erp.exemplo.com.br/", &AddressPolicy::public()).unwrap();
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
        "2001:0:a00:1::1",
    ] {
        let failure = Scripted::new(&[&[address]])
            .client(None)
            .send(&target, &AddressPolicy::public(), HttpRequest::get())
            .await
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused, "{address}: {failure}");
    }
}

#[tokio::test]
async fn one_inner_address_among_public_ones_spoils_the_name() {
    let receiver = Receiver::start("127.0.0.1:0", None, OK).await;
    let target =
        TargetUrl::parse(&format!("https://erp.exemplo.com.br:{}/", receiver.address.port()), &AddressPolicy::public())
            .unwrap();
    for answer in [&["8.8.8.8", "127.0.0.1"], &["127.0.0.1", "8.8.8.8"]] {
        let client = Scripted::new(&[answer]).client(None);
        let failure = client.send(&target, &AddressPolicy::public(), HttpRequest::get()).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused);
    }
    assert_eq!(receiver.connections(), 0);
}

/// A name that resolves to an allowed address first and an internal one later: only the checked address is connected
/// to.
#[tokio::test]
async fn a_rebinding_name_reaches_only_the_address_that_was_checked() {
    let root = crate::pki::Root::new();
    let outside = Receiver::start("127.0.0.2:0", Some(root.acceptor("erp.exemplo.com.br")), OK).await;
    let port = outside.address.port();
    let inside = Receiver::start(&format!("127.0.0.1:{port}"), Some(root.acceptor("erp.exemplo.com.br")), OK).await;
    let reach = AddressPolicy::public().with_networks(vec!["127.0.0.2/32".parse().unwrap()]);
    let resolver = Scripted::new(&[&["127.0.0.2"], &["127.0.0.1"]]);
    let client = resolver.client(Some(root.pem()));
    let target = TargetUrl::parse(&format!("https://erp.exemplo.com.br:{port}/"), &reach).unwrap();

    let answer = client.send(&target, &reach, HttpRequest::get()).await.unwrap();
    assert_eq!((answer.status.as_u16(), resolver.asked()), (200, 1));
    let failure = client.send(&target, &reach, HttpRequest::get()).await.unwrap_err();
    assert_eq!((failure.kind, resolver.asked()), (FailureKind::Refused, 2));
    assert_eq!((outside.connections(), inside.connections()), (1, 0));
}

#[tokio::test]
async fn a_url_taken_in_development_is_not_called_where_that_is_over() {
    let receiver = Receiver::start("127.0.0.1:0", None, OK).await;
    let development = AddressPolicy::public().with_plain_loopback(true);
    let target = TargetUrl::parse(&format!("http://{}/", receiver.address), &development).unwrap();
    let client = Scripted::new(&[]).client(None);
    let failure = client.send(&target, &AddressPolicy::public(), HttpRequest::get()).await.unwrap_err();
    assert_eq!((failure.kind, receiver.connections()), (FailureKind::Refused, 0));
    assert_eq!(client.send(&target, &development, HttpRequest::get()).await.unwrap().status.as_u16(), 200);
}
