//! Signing, checked by the golden vectors, by xmlsec1 and by another C14N.

use crate::material::{CANCELAMENTO, CHAIN, DPS, INUTILIZACAO, NFE, NFE_ID};
use crate::tool::{xmlsec1_verify, xmlsec1_verify_at};
use base64::Engine as _;
use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::NodeSet;
use signing::{
    ElementToSign, SignError, SigningAlgorithm, sign, sign_by, sign_element, sign_element_by, sign_elements, sign_text,
    signature_room, verify, verify_by,
};

fn check_golden(document: &str, element: &str, id: &str, digest: &str) {
    let signed = sign(document.to_owned(), id, &CHAIN.certificate()).unwrap();
    assert_eq!(signed.digest, digest);
    let at = signed.xml.find("<Signature ").unwrap();
    let end = signed.xml.find("</Signature>").unwrap() + "</Signature>".len();
    assert_eq!(format!("{}{}", &signed.xml[..at], &signed.xml[end..]), document, "only a Signature was added");
    xmlsec1_verify(&signed.xml, element, &CHAIN).unwrap();
}

#[test]
fn the_golden_nfe_has_its_digest_and_xmlsec1_verifies_it() {
    check_golden(NFE, "infNFe", NFE_ID, "zFlUxofni50KI4dhhVmIumqFZiQ=");
}

#[test]
fn the_golden_dps_has_its_digest_and_xmlsec1_verifies_it() {
    check_golden(DPS, "infDPS", "DPS355030821122233300018100001000000000000001", "5WAiZEOnj5yBo1LJmcUKcM+ZLYM=");
    let signed = sign(DPS.to_owned(), "DPS355030821122233300018100001000000000000001", &CHAIN.certificate()).unwrap();
    assert_eq!(verify(signed.xml.as_bytes()).unwrap().digest, signed.digest);
}

#[test]
fn the_golden_dps_is_signed_by_sha_256_too_and_xmlsec1_verifies_it() {
    let id = "DPS355030821122233300018100001000000000000001";
    let certificate = CHAIN.certificate();
    let signed = sign_by(SigningAlgorithm::Sha256, DPS.to_owned(), id, &certificate).unwrap();
    assert_eq!(signed.digest, "lrf/eayQhJiX9JNGbsfU4iT87zfzdD9Ayj894xjc9Eg=");
    assert!(signed.xml.contains("xmldsig-more#rsa-sha256") && signed.xml.contains("xmlenc#sha256"), "{}", signed.xml);
    xmlsec1_verify(&signed.xml, "infDPS", &CHAIN).unwrap();
    assert_eq!(verify_by(&SigningAlgorithm::ALL, signed.xml.as_bytes()).unwrap().digest, signed.digest);
    assert!(verify(signed.xml.as_bytes()).is_err(), "the standard of 2006 takes SHA-1 alone");
    let place = DPS.find("<infDPS").unwrap()..DPS.find("</DPS>").unwrap();
    assert_eq!(sign_element_by(SigningAlgorithm::Sha256, DPS.to_owned(), place, id, &certificate).unwrap(), signed);
    let room = signature_room(id, &certificate);
    let added = signed.xml.len() - DPS.len();
    assert!((added..added + 512).contains(&room), "{room} for {added}");
    let changed = signed.xml.replace("1000.00", "9000.00");
    assert!(verify_by(&SigningAlgorithm::ALL, changed.as_bytes()).is_err());
    assert!(xmlsec1_verify(&changed, "infDPS", &CHAIN).is_err());
}

#[test]
fn the_golden_inutilizacao_has_its_digest_and_xmlsec1_verifies_it() {
    check_golden(
        INUTILIZACAO,
        "infInut",
        "ID35261122233300018155001000000010000000012",
        "ZKP8th8iSetpO/wxsETiz42/Jdw=",
    );
}

#[test]
fn the_golden_cancellation_has_its_digest_and_xmlsec1_verifies_it() {
    let id = "ID1101113526111122233300018155001000000001184736251001";
    check_golden(CANCELAMENTO, "infEvento", id, "bYW4rb400oGm7iDPp+rgpct9JSM=");
}

#[test]
fn the_signature_stands_after_what_follows_the_signed_element() {
    let document = NFE.replace("</infNFe></NFe>", "</infNFe><infNFeSupl><qrCode>x</qrCode></infNFeSupl></NFe>");
    let signed = sign(document, NFE_ID, &CHAIN.certificate()).unwrap();
    assert_eq!(signed.digest, "zFlUxofni50KI4dhhVmIumqFZiQ=");
    assert!(signed.xml.contains("</infNFeSupl><Signature xmlns"));
    assert!(signed.xml.ends_with("</Signature></NFe>"));
    xmlsec1_verify(&signed.xml, "infNFe", &CHAIN).unwrap();
}

#[test]
fn who_knows_where_the_element_stands_gets_the_same_and_a_wrong_place_is_refused() {
    let certificate = CHAIN.certificate();
    let document = NFE.trim_end();
    let place = document.find("<infNFe").unwrap()..document.find("</NFe>").unwrap();
    let signed = |place| sign_element(document.to_owned(), place, NFE_ID, &certificate);
    assert_eq!(signed(place.clone()).unwrap(), sign(document.to_owned(), NFE_ID, &certificate).unwrap());
    for wrong in [
        0..place.end,
        place.start..place.end - 1,
        place.start..document.len(),
        place.end..place.end,
        place.start..9_999_999,
    ] {
        assert!(signed(wrong.clone()).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_text_is_signed_by_the_key_of_the_certificate() {
    let certificate = CHAIN.certificate();
    let signature =
        base64::engine::general_purpose::STANDARD.decode(sign_text("35|3|2|20", &certificate).unwrap()).unwrap();
    let holds = |text: &str| {
        let key = certificate.leaf().public_key().unwrap();
        let mut verifier = openssl::sign::Verifier::new(openssl::hash::MessageDigest::sha1(), &key).unwrap();
        verifier.update(text.as_bytes()).unwrap();
        verifier.verify(&signature).unwrap()
    };
    assert!(holds("35|3|2|20"));
    assert!(!holds("35|3|2|21"));
}

#[test]
fn a_changed_document_is_not_verified_by_the_judge() {
    let signed = sign(NFE.to_owned(), NFE_ID, &CHAIN.certificate()).unwrap();
    let changed = signed.xml.replace("<vNF>100.00</vNF>", "<vNF>900.00</vNF>");
    assert!(xmlsec1_verify(&changed, "infNFe", &CHAIN).is_err());
}

#[test]
fn an_id_inside_text_is_not_taken_for_the_element() {
    let document = r#"<r xmlns="urn:x"><a Id="other"><t>&lt;b Id="ours"&gt; Id="ours"</t></a><b Id="ours">1</b></r>"#;
    let signed = sign(document.to_owned(), "ours", &CHAIN.certificate()).unwrap();
    xmlsec1_verify(&signed.xml, "b", &CHAIN).unwrap();
}

#[test]
fn an_element_with_a_longer_name_does_not_end_the_signed_one() {
    let document = r#"<r xmlns="urn:x"><a Id="ours"><ab>1</ab><a-c>2</a-c></a><ab Id="n">3</ab></r>"#;
    let signed = sign(document.to_owned(), "ours", &CHAIN.certificate()).unwrap();
    xmlsec1_verify(&signed.xml, "a", &CHAIN).unwrap();
}

#[test]
fn a_namespace_of_its_own_is_not_inserted_twice() {
    let document = r#"<r><a xmlns="urn:x" Id="ours">1</a></r>"#;
    let signed = sign(document.to_owned(), "ours", &CHAIN.certificate()).unwrap();
    xmlsec1_verify(&signed.xml, "a", &CHAIN).unwrap();
}

#[test]
fn refuses_what_cannot_be_hashed_as_it_stands() {
    let refused = |document: &str| sign(document.to_owned(), "x", &CHAIN.certificate()).unwrap_err();
    assert!(matches!(refused(r#"<r><a Id="y">1</a></r>"#), SignError::NoSuchId(_)));
    for document in [
        "",
        "texto",
        r#"<?xml version="1.0"?><r><a Id="x">1</a></r>"#,
        r#"<r><a Id="x"/></r>"#,
        r#"<r><a Id="x">1</r>"#,
        r#"<r><a Id="x">1</a></r> "#,
        r#"<r><a Id="x"><a>1</a></a></r>"#,
        r#"<r xmlns:p="urn:p"><a Id="x">1</a></r>"#,
        r#"<r> <a Id="x">1</a></r>"#,
    ] {
        assert!(matches!(refused(document), SignError::NotCanonical(_)), "{document}");
    }
}

#[test]
fn the_room_it_asks_for_is_enough_and_not_wasteful() {
    let room = signature_room(NFE_ID, &CHAIN.certificate());
    let added = sign(NFE.to_owned(), NFE_ID, &CHAIN.certificate()).unwrap().xml.len() - NFE.len();
    assert!((added..added + 512).contains(&room), "{room} for {added}");
}

#[test]
fn the_digest_of_random_documents_is_that_of_another_c14n() {
    for seed in 1..=1_000 {
        let document = Generator(seed).document();
        let signed = sign(document.clone(), "ID1", &CHAIN.certificate()).unwrap();
        assert_eq!(signed.digest, digest_by_c14n(&document), "seed {seed}: {document}");
    }
}

/// Digest over bergshamra's canonical form of the element with `Id="ID1"`.
fn digest_by_c14n(document: &str) -> String {
    let parsed = uppsala::parse(document).unwrap();
    let root = parsed.document_element().unwrap();
    let is_ours =
        |id: &uppsala::NodeId| parsed.element(*id).is_some_and(|element| element.get_attribute("Id") == Some("ID1"));
    let element = parsed.children(root).into_iter().find(is_ours).unwrap();
    let subtree = NodeSet::tree_without_comments(element, &parsed);
    let canonical = canonicalize_doc::<&str>(&parsed, C14nMode::Inclusive, Some(&subtree), &[]).unwrap();
    base64::engine::general_purpose::STANDARD.encode(openssl::sha::sha1(&canonical))
}

/// Writes documents in the form of our writer: canonical text, default namespace on the root. Seeded, so that a failure
/// repeats.
struct Generator(u64);

impl Generator {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
    fn document(&mut self) -> String {
        let before = if self.next(4) == 0 { "<antes Id=\"outro\">&lt;x Id=\"ID1\"&gt;</antes>" } else { "" };
        let after = if self.next(3) == 0 { "<infNFeSupl><qrCode>http://x?p=1&amp;q</qrCode></infNFeSupl>" } else { "" };
        let versao = if self.next(2) == 0 { " versao=\"4.00\"" } else { "" };
        let mut content = String::new();
        self.content(&mut content, 4);
        format!(
            "<NFe xmlns=\"http://www.portalfiscal.inf.br/nfe\">{before}<infNFe Id=\"ID1\"{versao}>{content}</infNFe>{after}</NFe>"
        )
    }
    fn content(&mut self, xml: &mut String, depth: u64) {
        for _ in 0..self.next(5) {
            let name = ["det", "prod", "xProd", "infNFeX", "v"][self.next(5) as usize];
            let attribute =
                ["", " nItem=\"1\"", " a=\"x&quot;y&#xA;&lt;>\"", " xCampo=\"é &amp; '\""][self.next(4) as usize];
            xml.push_str(&format!("<{name}{attribute}>"));
            if depth > 0 && self.next(2) == 0 {
                self.content(xml, depth - 1)
            } else {
                self.text(xml)
            }
            xml.push_str(&format!("</{name}>"));
        }
    }
    fn text(&mut self, xml: &mut String) {
        const PIECES: [&str; 12] = ["a", "Ç", "&amp;", "&lt;", "&gt;", "\"", "'", " ", "&#xD;", "ÿ", "€", "0.00"];
        for _ in 0..self.next(8) {
            xml.push_str(PIECES[self.next(12) as usize]);
        }
    }
}

/// A sibling of the signed element, such as the supplement of a CT-e, precedes its Signature.
#[test]
fn a_signature_comes_after_what_follows_its_element() {
    let beside = "<Supl><q>x</q><q></q></Supl>";
    let document = DPS.replace("</DPS>", &format!("{beside}</DPS>"));
    let place = document.find("<infDPS").unwrap()..document.find(beside).unwrap();
    let id = "DPS355030821122233300018100001000000000000001";
    let places = [ElementToSign { element: place.clone(), id: id.to_owned() }];
    let signed = sign_elements(SigningAlgorithm::Sha1, document.clone(), &places, &CHAIN.certificate()).unwrap();
    assert_eq!(signed, sign_element_by(SigningAlgorithm::Sha1, document, place, id, &CHAIN.certificate()).unwrap());
    assert!(signed.xml.contains("</infDPS><Supl>") && signed.xml.ends_with("</Signature></DPS>"), "{}", signed.xml);
    xmlsec1_verify(&signed.xml, "infDPS", &CHAIN).unwrap();
}

/// A message to a municipal provider: two RPS signed in a lot that is signed, and a query that is signed as a whole. A
/// verifier may check them in place.
#[test]
fn several_elements_of_a_message_are_signed_the_inner_ones_first() {
    let ns = "xmlns=\"urn:x\"";
    let rps = |id: &str| format!("<Rps><Inf {ns} Id=\"{id}\"><Texto>a {ns} b</Texto></Inf></Rps>");
    let lot = format!("<Lote {ns} Id=\"L1\"><Lista>{}{}</Lista></Lote>", rps("R1"), rps("R2"));
    let message = format!("<Envio {ns}>{lot}</Envio>");
    let element = |text: &str, id: &str| {
        let at = message.find(text).unwrap();
        ElementToSign { element: at..at + text.len(), id: id.to_owned() }
    };
    let inner = |id: &str| element(&rps(id)["<Rps>".len()..rps(id).len() - "</Rps>".len()], id);
    let whole = ElementToSign { element: 0..message.len(), id: String::new() };
    let places = [inner("R1"), inner("R2"), element(&lot, "L1"), whole];
    let signed = sign_elements(SigningAlgorithm::Sha1, message.clone(), &places, &CHAIN.certificate()).unwrap();
    let without: String = {
        let mut rest = signed.xml.as_str();
        let mut kept = String::new();
        while let Some((before, after)) = rest.split_once("<Signature ") {
            kept.push_str(before);
            rest = after.split_once("</Signature>").unwrap().1;
        }
        kept + rest
    };
    assert_eq!(without, message, "only Signatures were added");
    for node in ["//*[local-name()='Inf'][@Id='R1']", "//*[local-name()='Inf'][@Id='R2']", "//*[local-name()='Lote']"] {
        xmlsec1_verify_at(&signed.xml, &format!("{node}/following-sibling::*[1]"), &CHAIN).unwrap();
    }
    xmlsec1_verify_at(&signed.xml, "/*/*[local-name()='Signature'][last()]", &CHAIN).unwrap();
    // text embedded below other default namespaces is still the text that was signed
    let embedded =
        format!("<Envelope xmlns=\"urn:soap\"><Body><Pedido xmlns=\"urn:p\">{}</Pedido></Body></Envelope>", signed.xml);
    xmlsec1_verify_at(&embedded, "//*[local-name()='Lote']/following-sibling::*[1]", &CHAIN).unwrap();
    for (from, to) in [("<Texto>a", "<Texto>c"), ("urn:x\" b", "urn:y\" b")] {
        let changed = signed.xml.replacen(from, to, 1);
        assert!(
            xmlsec1_verify_at(&changed, "//*[local-name()='Lote']/following-sibling::*[1]", &CHAIN).is_err(),
            "{to}"
        );
    }
    let unsigned = sign_elements(SigningAlgorithm::Sha1, message.clone(), &[], &CHAIN.certificate()).unwrap();
    assert_eq!((unsigned.xml, unsigned.digest.as_str()), (message.clone(), ""));
    let wrong = ElementToSign { id: "R9".to_owned(), ..inner("R1") };
    assert!(matches!(
        sign_elements(SigningAlgorithm::Sha1, message, &[wrong], &CHAIN.certificate()),
        Err(SignError::NoSuchId(_))
    ));
}
