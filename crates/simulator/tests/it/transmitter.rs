//! The certificate of the connection: none, and every fault of it that has a number.

use crate::bench::{Bench, certificate, code, payload, start};
use crate::raw;
use authority::table::AuthorityService;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use openssl::ssl::SslVersion;
use simulator::pki::CertificateSubject;
use simulator::settings::NoCertificate;

const STATUS: &str = "<consStatServ xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><tpAmb>2</tpAmb><cUF>35</cUF><xServ>STATUS</xServ></consStatServ>";

/// A request without client certificate: HTTP status and body, or the error of the connection.
async fn without_certificate(bench: &Bench, version: SslVersion) -> Result<(u16, Bytes), String> {
    let (mut sender, _connection) = raw::connect(bench, None, Some(version)).await?;
    let address = bench.simulator.https_url().replace("https://", "");
    let call = bench.call(AuthorityService::StatusServico, STATUS);
    let request = http::Request::post(call.url.replace(&bench.simulator.https_url(), ""))
        .header("host", &address)
        .header("content-type", &call.headers[0].1)
        .body(Full::new(Bytes::from(call.body.clone())))
        .unwrap();
    let response = sender.send_request(request).await.map_err(|error| format!("{error:?}"))?;
    let status = response.status().as_u16();
    Ok((status, response.into_body().collect().await.map_err(|error| error.to_string())?.to_bytes()))
}

#[tokio::test]
async fn no_certificate_is_refused_by_an_alert() {
    let bench = start().await;
    for version in [SslVersion::TLS1_2, SslVersion::TLS1_3] {
        let error = without_certificate(&bench, version).await.unwrap_err();
        assert!(error.contains("alert") || error.contains("certificate required"), "{version:?}: {error}");
    }
    assert!(bench.simulator.requests().is_empty());
}

#[tokio::test]
async fn no_certificate_can_be_answered_403_or_280_instead() {
    let bench = start().await;
    bench.simulator.configure(|settings| settings.sem_certificado = NoCertificate::Http403);
    assert_eq!(without_certificate(&bench, SslVersion::TLS1_2).await.unwrap().0, 403);
    bench.simulator.configure(|settings| settings.sem_certificado = NoCertificate::CStat280);
    let (status, body) = without_certificate(&bench, SslVersion::TLS1_3).await.unwrap();
    assert_eq!((status, code(&payload(&body))), (200, 280));
}

#[tokio::test]
async fn a_faulty_certificate_is_answered_by_the_number_of_its_fault() {
    let bench = start().await;
    let company = || CertificateSubject::new("EMPRESA", crate::bench::CNPJ);
    for (subject, cStat) in [
        (company().without_client_auth(), 280),
        (company().authority(), 280),
        (company().valid_for_days(-1), 281),
        (company().without_icp_brasil_fields(), 282),
        (company().untrusted(), 283),
        (company().outside_icp_brasil(), 285),
    ] {
        let certificate = certificate(bench.simulator.pki(), &subject);
        let call = bench.call(AuthorityService::StatusServico, STATUS);
        let reply = bench.transport.send(&call, &certificate).await.unwrap();
        assert_eq!(code(&payload(&reply.body)), cStat, "{subject:?}");
    }
    assert_eq!(bench.code(AuthorityService::StatusServico, STATUS).await, 107);
}

#[tokio::test]
async fn a_revoked_certificate_is_284_wherever_it_is_shown() {
    let bench = start().await;
    let serial = bench.certificate.holder().numero_serie.clone();
    let revoked = |list: &[&str]| {
        let list = list.iter().map(|serial| (*serial).to_owned()).collect();
        bench.simulator.configure(|settings| settings.revogados = list);
    };
    revoked(&["00AA"]);
    assert_eq!(bench.code(AuthorityService::StatusServico, STATUS).await, 107, "another one is");
    revoked(&["00AA", &serial]);
    assert_eq!(bench.code(AuthorityService::StatusServico, STATUS).await, 284);
    revoked(&[]);
    assert_eq!(bench.code(AuthorityService::StatusServico, STATUS).await, 107);
}
