//! A server that requests the client certificate after it has read the request.

use crate::apache::Apache;
use crate::pki::{Authority, VALID};
use authority::call::{AuthorityCall, CallMethod};
use authority::table::AuthorityService;
use authority::transport::{AuthorityTransport, SendStatus, TransportOptions};
use std::sync::Arc;
use tokio::task::JoinSet;

/// A server's and a client's authority, an Apache between them, and a transport that trusts only the server's root.
struct Scene {
    apache: Apache,
    clients: Authority,
    transport: AuthorityTransport,
}

fn scene(change: impl FnOnce(&mut TransportOptions)) -> Scene {
    let root = Authority::root("Raiz dos Servidores");
    let middle = root.intermediate("AC dos Servidores");
    let clients = Authority::root("Raiz dos Clientes");
    let apache = Apache::start(&middle.pair("localhost", &["localhost"], VALID), &middle, &clients);
    let mut options =
        TransportOptions { extra_anchors_pem: Some(root.pem()), builtin_anchors: false, ..TransportOptions::default() };
    change(&mut options);
    Scene { apache, clients, transport: AuthorityTransport::new(options).unwrap() }
}

fn call(url: String, body: &str) -> AuthorityCall {
    AuthorityCall {
        method: CallMethod::Post,
        url,
        headers: vec![("content-type", "application/soap+xml; charset=utf-8; action=\"urn:x\"".to_owned())],
        body: body.as_bytes().to_vec(),
        authority: "SP".to_owned(),
        service: AuthorityService::StatusServico,
        name: "NFeStatusServico4",
        from_company: false,
        secrets: Vec::new(),
    }
}

impl Scene {
    /// Facts of the server: port, protocol, verification, common name, method, body.
    async fn seen(&self, path: &str, body: &str, client: &str) -> Vec<String> {
        let certificate = self.clients.client(client);
        let reply = self.transport.send(&call(self.apache.url(path), body), &certificate).await.unwrap();
        String::from_utf8(reply.body).unwrap().splitn(6, '|').map(str::to_owned).collect()
    }
}

#[tokio::test]
async fn mutual_tls_by_renegotiation_works_with_verification_on() {
    let scene = scene(|_| {});
    let seen = scene.seen("/aberto", "<a/>", "EMPRESA:11222333000181").await;
    // the server supports 1.3 too, but its way to request the certificate does not exist there
    assert_eq!(seen[1..], ["TLSv1.2", "NONE", "", "POST", "<a/>"], "no certificate is asked for at the handshake");
    let seen = scene.seen("/mtls", "<b>12 KB</b>", "EMPRESA:11222333000181").await;
    assert_eq!(seen[1..], ["TLSv1.2", "SUCCESS", "EMPRESA:11222333000181", "POST", "<b>12 KB</b>"]);
}

#[tokio::test]
async fn a_document_of_100_kb_passes_through_the_renegotiation() {
    let scene = scene(|_| {});
    let body = "x".repeat(100 * 1024);
    let seen = scene.seen("/mtls", &body, "EMPRESA").await;
    assert_eq!(seen[2], "SUCCESS");
    assert_eq!(seen[5].len(), body.len());
}

#[tokio::test]
async fn a_document_of_800_kb_passes_where_the_server_takes_it() {
    // Apache itself accepts no more than 128 KB before it renegotiates
    let scene = scene(|_| {});
    let body = "x".repeat(800 * 1024);
    let reply =
        scene.transport.send(&call(scene.apache.url("/conta"), &body), &scene.clients.client("EMPRESA")).await.unwrap();
    assert_eq!(String::from_utf8(reply.body).unwrap().trim(), body.len().to_string());
}

#[tokio::test]
async fn many_companies_at_once_each_get_their_own_answer() {
    let scene = Arc::new(scene(|_| {}));
    let certificates: Vec<_> = (0..4).map(|nth| (nth, scene.clients.client(&format!("EMPRESA {nth}")))).collect();
    let mut calls = JoinSet::new();
    for round in 0..16 {
        for (nth, certificate) in certificates.clone() {
            let scene = Arc::clone(&scene);
            calls.spawn(async move {
                let body = format!("<pedido>{round}</pedido>");
                let reply = scene.transport.send(&call(scene.apache.url("/mtls"), &body), &certificate).await.unwrap();
                let seen = String::from_utf8(reply.body).unwrap();
                assert!(seen.ends_with(&format!("|SUCCESS|EMPRESA {nth}|POST|{body}")), "{seen}");
            });
        }
    }
    assert_eq!(calls.join_all().await.len(), 64);
}

#[tokio::test]
async fn a_connection_is_used_again_by_the_same_certificate_only() {
    let scene = scene(|_| {});
    let (one, other) = (scene.clients.client("UM"), scene.clients.client("OUTRO"));
    let mut ports = Vec::new();
    for certificate in [&one, &one, &other, &one] {
        let reply = scene.transport.send(&call(scene.apache.url("/mtls"), "x"), certificate).await.unwrap();
        let seen = String::from_utf8(reply.body).unwrap();
        ports.push(seen.split('|').next().unwrap().to_owned());
        let name = if certificate == &one { "|UM|" } else { "|OUTRO|" };
        assert!(seen.contains(name), "{seen}");
    }
    assert_eq!(ports[0], ports[1], "the server saw one connection");
    assert_eq!(ports[0], ports[3]);
    assert_ne!(ports[0], ports[2], "another certificate has its own");
}

#[tokio::test]
async fn a_client_that_the_server_does_not_trust_is_told_so_and_may_have_sent() {
    let scene = scene(|_| {});
    let stranger = Authority::root("Outra Raiz").client("ESTRANHO");
    let error = scene.transport.send(&call(scene.apache.url("/mtls"), "x"), &stranger).await.unwrap_err();
    assert_eq!(
        error.sent,
        SendStatus::Maybe,
        "the request left before the server asked for the certificate: {error:?}"
    );
    assert!(matches!(error.kind, "tls" | "closed"), "{error:?}");
}

#[tokio::test]
async fn an_untrusted_server_is_refused_with_its_chain_problem_named() {
    let scene = scene(|options| options.extra_anchors_pem = Some(Authority::root("Outra Raiz").pem()));
    let certificate = scene.clients.client("EMPRESA");
    let error = scene.transport.send(&call(scene.apache.url("/mtls"), "x"), &certificate).await.unwrap_err();
    assert_eq!((error.sent, error.kind), (SendStatus::No, "untrusted"));
    assert_eq!(
        error.cause,
        "certificado do servidor não confiável: emissor \"Raiz dos Servidores\" desconhecido \
         (certificado \"AC dos Servidores\"): nenhuma âncora de confiança o assina"
    );
}
