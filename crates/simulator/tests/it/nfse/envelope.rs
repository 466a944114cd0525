//! Wrappings of a document, and their errors.

use super::bench::{dps, town, written};
use authority::call::AuthorityCall;
use authority::nfse_nacional::{IssueAnswer, read_issue};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use simulator::pki::CertificateSubject;
use std::io::Write as _;

fn packed(document: &[u8]) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(document).unwrap();
    STANDARD.encode(gzip.finish().unwrap())
}

fn body(text: &str) -> Vec<u8> {
    format!("{{\"dpsXmlGZipB64\":\"{text}\"}}").into_bytes()
}

#[tokio::test]
async fn each_layer_has_its_code() {
    let town = town().await;
    let signed = town.signed(&dps(1));
    let prefixed = signed.replace("<DPS xmlns=", "<n:DPS xmlns:n=").replace("</DPS>", "</n:DPS>");
    let half = signed.split_at(signed.len() / 2).0;
    let zeros = vec![b' '; 5 << 20];
    for (body, code) in [
        (b"isto nao e JSON".to_vec(), "E1225"),
        (b"{}".to_vec(), "E1225"),
        (body("###"), "E1225"),
        (body("AAAA"), "E1225"),
        (body(&packed(&zeros)), "E1225"),
        (body(&packed(half.as_bytes())), "E1226"),
        (body(&packed(b"<DPS>\xff</DPS>")), "E1229"),
        (body(&packed(prefixed.as_bytes())), "E1228"),
        (body(&packed(b"<NFe xmlns=\"http://www.sped.fazenda.gov.br/nfse\"/>")), "E1242"),
        (body(&packed(signed.replace("<vServ>1000.00</vServ>", "").as_bytes())), "E1235"),
    ] {
        let call = AuthorityCall { body, ..town.sefin.issue("") };
        let answer = read_issue(&town.ask(&call).await).unwrap();
        let IssueAnswer::Rejected(said) = answer else { panic!("{code}: {answer:?}") };
        assert_eq!((said.len(), said[0].codigo.as_str()), (1, code));
    }
    let whole = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{signed}");
    let call = AuthorityCall { body: body(&packed(whole.as_bytes())), ..town.sefin.issue("") };
    assert!(matches!(read_issue(&town.ask(&call).await), Ok(IssueAnswer::Authorized(_))));
}

#[tokio::test]
async fn a_certificate_that_may_not_ask_is_refused_by_its_code() {
    let town = town().await;
    let (xml, id) = written(&dps(1));
    let company = || CertificateSubject::new("EMPRESA TESTE", crate::bench::CNPJ);
    for (subject, code) in [
        (company().without_client_auth(), "E1200"),
        (company().valid_for_days(-1), "E1203"),
        (company().untrusted(), "E1205"),
        (company().outside_icp_brasil(), "E1208"),
        (company().without_icp_brasil_fields(), "E1209"),
    ] {
        let certificate = crate::bench::certificate(town.bench.simulator.pki(), &subject);
        let signed = signing::sign(xml.clone(), &id, &town.bench.certificate).unwrap().xml;
        let answer = read_issue(&town.ask_as(&town.sefin.issue(&signed), &certificate).await).unwrap();
        let IssueAnswer::Forbidden(said) = answer else { panic!("{code}: {answer:?}") };
        assert_eq!(said[0].codigo.as_str(), code, "{subject:?}");
    }
}
