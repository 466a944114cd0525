//! Verifying: a signature of xmlsec1 is valid; a changed, wrapped or differently signed document is not.

use crate::material::{CANCELAMENTO, CHAIN, INUTILIZACAO, NFE, NFE_ID};
use crate::tool::{Folder, run, xmlsec1_verify};
use signing::{SignatureFault, SigningAlgorithm, sign, verify, verify_by};

fn signed() -> String {
    sign(NFE.to_owned(), NFE_ID, &CHAIN.certificate()).unwrap().xml
}

/// The template signed by xmlsec1, unchanged.
fn signed_by_xmlsec1(template: &str, element: &str) -> String {
    let folder = Folder::new();
    folder.write("template.xml", template.as_bytes());
    folder.write("key.pem", &CHAIN.key.private_key_to_pem_pkcs8().unwrap());
    folder.write("leaf.pem", &CHAIN.leaf.to_pem().unwrap());
    let arguments = [
        "--sign",
        "--privkey-pem",
        "key.pem,leaf.pem",
        "--id-attr:Id",
        element,
        "--output",
        "signed.xml",
        "template.xml",
    ];
    run(&folder, "xmlsec1", &arguments).unwrap();
    std::fs::read_to_string(folder.path().join("signed.xml")).unwrap()
}

/// A signature template in the official profile.
fn template(id: &str) -> String {
    format!(
        r##"<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/><SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"/><Reference URI="#{id}"><Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/></Transforms><DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/><DigestValue/></Reference></SignedInfo><SignatureValue/><KeyInfo><X509Data><X509Certificate/></X509Data></KeyInfo></Signature>"##
    )
}

#[test]
fn both_algorithms_of_xmlsec1_hold_where_both_are_taken_and_a_mixture_does_not() {
    let by_sha_256 = |text: String| {
        let text = text.replace("2000/09/xmldsig#rsa-sha1", "2001/04/xmldsig-more#rsa-sha256");
        text.replace("2000/09/xmldsig#sha1", "2001/04/xmlenc#sha256")
    };
    let signed = |template: &str| signed_by_xmlsec1(&NFE.replace("</NFe>", &format!("{template}</NFe>")), "infNFe");
    let (first, second) = (signed(&template(NFE_ID)), signed(&by_sha_256(template(NFE_ID))));
    for document in [&first, &second] {
        assert_eq!(verify_by(&SigningAlgorithm::ALL, document.as_bytes()).unwrap().id, NFE_ID);
    }
    assert!(matches!(verify(second.as_bytes()), Err(SignatureFault::NonStandard(_))));
    assert!(matches!(verify_by(&[SigningAlgorithm::Sha256], first.as_bytes()), Err(SignatureFault::NonStandard(_))));
    let mixed = template(NFE_ID).replace("2000/09/xmldsig#rsa-sha1", "2001/04/xmldsig-more#rsa-sha256");
    let mixed = signed(&mixed);
    assert!(matches!(verify_by(&SigningAlgorithm::ALL, mixed.as_bytes()), Err(SignatureFault::NonStandard(_))));
}

#[test]
fn what_we_signed_holds_and_says_who_and_what() {
    let verified = verify(signed().as_bytes()).unwrap();
    assert_eq!(verified.certificate_der, CHAIN.leaf.to_der().unwrap());
    assert_eq!(verified.digest, "zFlUxofni50KI4dhhVmIumqFZiQ=");
    assert_eq!(verified.id, NFE_ID);
}

#[test]
fn what_xmlsec1_signed_holds() {
    let cases = [
        (NFE, "infNFe", NFE_ID, "</NFe>"),
        (INUTILIZACAO, "infInut", "ID35261122233300018155001000000010000000012", "</inutNFe>"),
        (CANCELAMENTO, "infEvento", "ID1101113526111122233300018155001000000001184736251001", "</evento>"),
    ];
    for (document, element, id, end) in cases {
        let unsigned = document.replace(end, &format!("{}{end}", template(id)));
        let signed = signed_by_xmlsec1(&unsigned, element);
        assert_eq!(verify(signed.as_bytes()).unwrap().id, id);
    }
}

#[test]
fn what_xmlsec1_signed_in_a_form_we_never_write_holds() {
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- x --><p:r xmlns:p='urn:p' xmlns='urn:d' xmlns:q=\"urn:q\">\r\n  \
         <inf  q:b = 'x&#9;y'  Id='A1' a=\"&lt;&gt;&#x20AC;\" ><v/><![CDATA[a<b>&]]><p:w q:z='1'\n/>&#13;&quot;é\
         <?pi dado?></inf>\n{}</p:r>",
        template("A1")
    );
    let signed = signed_by_xmlsec1(&document, "inf");
    assert_eq!(verify(signed.as_bytes()).unwrap().id, "A1");
    let changed = signed.replace("a<b>&]]>", "a<c>&]]>");
    assert_eq!(verify(changed.as_bytes()).unwrap_err(), SignatureFault::Mismatch("DigestValue"));
}

#[test]
fn a_document_without_signature_is_told_apart() {
    assert_eq!(verify(NFE.as_bytes()).unwrap_err(), SignatureFault::Absent);
}

#[test]
fn a_changed_value_is_a_mismatch_of_the_digest() {
    let changed = signed().replace("<vNF>100.00</vNF>", "<vNF>900.00</vNF>");
    assert_eq!(verify(changed.as_bytes()).unwrap_err(), SignatureFault::Mismatch("DigestValue"));
}

#[test]
fn white_space_after_signing_is_a_mismatch_of_the_digest() {
    let changed = signed().replace("<ide>", "<ide> ");
    assert_eq!(verify(changed.as_bytes()).unwrap_err(), SignatureFault::Mismatch("DigestValue"));
}

#[test]
fn a_changed_signature_or_digest_is_a_mismatch() {
    let with_other_value = replace_between(&signed(), "<SignatureValue>", "</SignatureValue>", &"A".repeat(344));
    assert_eq!(verify(with_other_value.as_bytes()).unwrap_err(), SignatureFault::Mismatch("SignatureValue"));
    let short = replace_between(&signed(), "<SignatureValue>", "</SignatureValue>", "AAAA");
    assert_eq!(verify(short.as_bytes()).unwrap_err(), SignatureFault::Mismatch("SignatureValue"));
    // the digest of the changed document is corrected, but SignedInfo was signed with the old one
    let changed = NFE.replace("<vNF>100.00</vNF>", "<vNF>900.00</vNF>");
    let digest = sign(changed, NFE_ID, &CHAIN.certificate()).unwrap().digest;
    let forged =
        signed().replace("<vNF>100.00</vNF>", "<vNF>900.00</vNF>").replace("zFlUxofni50KI4dhhVmIumqFZiQ=", &digest);
    assert_eq!(verify(forged.as_bytes()).unwrap_err(), SignatureFault::Mismatch("SignatureValue"));
}

#[test]
fn a_certificate_of_another_key_is_a_mismatch() {
    let other = crate::material::Chain::new(&crate::material::E_CNPJ, crate::material::Inner::Octets).certificate();
    let changed = replace_between(&signed(), "<X509Certificate>", "</X509Certificate>", other.leaf_base64());
    assert_eq!(verify(changed.as_bytes()).unwrap_err(), SignatureFault::Mismatch("SignatureValue"));
}

fn refused(document: &str, expected: &str) {
    match verify(document.as_bytes()) {
        Err(SignatureFault::NonStandard(why)) => assert!(why.contains(expected), "{why}"),
        other => panic!("{other:?} instead of {expected}"),
    }
}

#[test]
fn other_algorithms_are_not_standard() {
    let xml = signed();
    for (from, to, expected) in [
        ("xmldsig#rsa-sha1", "xmldsig-more#rsa-sha256", "SignatureMethod"),
        ("xmldsig#sha1", "xmlenc#sha256", "DigestMethod"),
        (
            "<CanonicalizationMethod Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
            "<CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#",
            "CanonicalizationMethod",
        ),
        (
            "<Transform Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
            "<Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116",
            "Transform",
        ),
        ("xmldsig#enveloped-signature", "xmldsig#base64", "Transform"),
    ] {
        assert!(xml.contains(from), "{from}");
        refused(&xml.replacen(from, to, 1), expected);
    }
}

#[test]
fn transforms_must_be_the_two_in_their_order() {
    let xml = signed();
    let enveloped = "<Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"></Transform>";
    let c14n = "<Transform Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315\"></Transform>";
    let both = format!("{enveloped}{c14n}");
    refused(&xml.replace(&both, &format!("{c14n}{enveloped}")), "Transform");
    refused(&xml.replace(&both, enveloped), "falta Transform");
    refused(&xml.replace(&both, &format!("{both}{c14n}")), "Transform inesperado");
}

#[test]
fn key_info_holds_the_certificate_alone() {
    let xml = signed();
    let key_value = "<KeyValue><RSAKeyValue><Modulus>AA==</Modulus><Exponent>AQAB</Exponent></RSAKeyValue></KeyValue>";
    refused(&xml.replace("<KeyInfo>", &format!("<KeyInfo>{key_value}")), "KeyValue inesperado");
    refused(
        &xml.replace("</X509Data>", "<X509SubjectName>CN=x</X509SubjectName></X509Data>"),
        "X509SubjectName inesperado",
    );
    let certificate = format!("<X509Certificate>{}</X509Certificate>", CHAIN.certificate().leaf_base64());
    refused(&xml.replace(&certificate, &format!("{certificate}{certificate}")), "X509Certificate inesperado");
    refused(&replace_between(&xml, "<KeyInfo>", "</KeyInfo>", ""), "falta X509Data");
    refused(&replace_between(&xml, "<X509Certificate>", "</X509Certificate>", "AAAA"), "X509Certificate ilegível");
    refused(&replace_between(&xml, "<X509Certificate>", "</X509Certificate>", "é"), "não é base64");
}

#[test]
fn a_signature_wrapped_around_another_document_is_refused() {
    let xml = signed();
    let good = between(&xml, "<infNFe ", "</infNFe>");
    let signature = between(&xml, "<Signature ", "</Signature>");
    let evil = "<infNFe Id=\"NFe99\" versao=\"4.00\"><vNF>1.00</vNF></infNFe>";
    let open = "<NFe xmlns=\"http://www.portalfiscal.inf.br/nfe\">";
    // the forged element first, the signed one behind it
    refused(&format!("{open}{evil}{good}{signature}</NFe>"), "primeiro elemento");
    // behind it, under the signed element's name
    refused(&format!("{open}{good}{evil}{signature}</NFe>"), "nome do assinado");
    // the signed one moved away, into the signature or beside it
    refused(&format!("{open}{evil}<x>{good}</x>{signature}</NFe>"), "primeiro elemento");
    let object = signature.replace("</KeyInfo>", &format!("</KeyInfo><Object>{good}</Object>"));
    refused(&format!("{open}{evil}{object}</NFe>"), "Object inesperado");
    // the Id twice, however the attribute is spelled
    for twin in [
        format!("<x ID=\"{NFE_ID}\"></x>"),
        format!("<x xml:id=\"{NFE_ID}\"></x>"),
        format!("<y><x Id=\"{NFE_ID}\"></x></y>"),
    ] {
        refused(&format!("{open}{good}{twin}{signature}</NFe>"), "mais de uma vez");
    }
    // content behind the signature, or a second signature
    refused(&format!("{open}{good}{signature}<x></x></NFe>"), "último elemento");
    refused(&format!("{open}{good}{signature}{signature}</NFe>"), "mais de uma Signature");
    refused(&format!("<r><NFe>{good}</NFe>{signature}</r>"), "primeiro elemento");
    refused(&signature, "raiz do documento");
}

#[test]
fn a_reference_to_anything_but_an_id_is_refused() {
    let xml = signed();
    let uri = format!("URI=\"#{NFE_ID}\"");
    for other in ["URI=\"\"", "URI=\"#\"", "URI=\"http://x/y\"", "URI=\"#xpointer(/)\"", ""] {
        refused(&xml.replace(&uri, other), "Reference URI");
    }
    refused(&xml.replace(&uri, "URI=\"#NFe1\""), "primeiro elemento");
    let reference = between(&xml, "<Reference ", "</Reference>");
    refused(&xml.replace(&reference, &format!("{reference}{reference}")), "Reference inesperado");
}

#[test]
fn attributes_that_the_official_schema_leaves_free_do_no_harm_and_others_are_refused() {
    let document = NFE.replace("</NFe>", &format!("{}</NFe>", template(NFE_ID)));
    let free = document
        .replace("<KeyInfo>", "<KeyInfo Id=\"k\">")
        .replace("<Reference ", "<Reference Id=\"r\" Type=\"urn:t\" ");
    let signed = signed_by_xmlsec1(&free.replace("<SignatureValue", "<SignatureValue Id=\"v\""), "infNFe");
    assert!(verify(signed.as_bytes()).is_ok());
    refused(&signed.replace("<KeyInfo ", "<KeyInfo x=\"1\" "), "atributo x em KeyInfo");
    refused(&signed.replace("<SignedInfo>", "<SignedInfo x=\"1\">"), "atributo x em SignedInfo");
}

#[test]
fn what_hides_in_comments_or_entities_is_refused() {
    let xml = signed();
    refused(&xml.replace("<vNF>100.00", "<vNF>1<!-- -->00.00"), "comentário dentro");
    refused(&xml.replace("<DigestValue>", "<DigestValue><!-- x -->"), "conteúdo inesperado");
    refused(&xml.replace("</SignedInfo>", "x</SignedInfo>"), "conteúdo inesperado");
    refused(&format!("<!DOCTYPE NFe [<!ENTITY a \"b\">]>{xml}"), "DOCTYPE");
    refused(&xml[..xml.len() - 10], "mal formado");
    assert!(verify(b"\xff\xfe").is_err());
}

#[test]
fn a_deep_document_is_refused_and_does_no_harm() {
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(matches!(verify(deep.as_bytes()), Err(SignatureFault::NonStandard(_))));
}

#[test]
fn the_judge_agrees_on_what_a_namespace_around_the_document_does() {
    // inside a message the NFe inherits more declarations; both forms verify
    for wrapper in ["<enviNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\">", "<x xmlns:z=\"urn:z\">"] {
        let end = if wrapper.starts_with("<x") { "</x>" } else { "</enviNFe>" };
        let wrapped = format!("{wrapper}{}{end}", signed());
        assert_eq!(verify(wrapped.as_bytes()).is_ok(), xmlsec1_verify(&wrapped, "infNFe", &CHAIN).is_ok(), "{wrapper}");
    }
}

#[test]
fn whatever_damage_we_accept_the_judge_accepts() {
    let whole = signed().into_bytes();
    let (mut accepted, mut random) = (0, 7_u64);
    for _ in 0..600 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut damaged = whole.clone();
        let at = (random >> 33) as usize % whole.len();
        match random >> 62 {
            0 => damaged[at] ^= 1 << (random >> 20 & 7),
            1 => damaged.insert(at, b' '),
            2 => damaged.insert(at, b'\n'),
            _ => damaged.splice(at..at, *b"<!-- -->").for_each(drop),
        }
        if verify(&damaged).is_ok() {
            accepted += 1;
            let damaged = String::from_utf8(damaged).unwrap();
            let judged = xmlsec1_verify(&damaged, "infNFe", &CHAIN);
            let around = &damaged[at.saturating_sub(60)..(at + 60).min(damaged.len())];
            // trust in the certificate is left to the caller
            let of_the_chain = judged.as_ref().is_err_and(|said| said.contains("X509_verify_cert"));
            assert!(judged.is_ok() || of_the_chain, "…{around}…: {judged:?}");
        }
    }
    assert!((20..250).contains(&accepted), "{accepted} harmless of 600");
}

fn between(text: &str, from: &str, to: &str) -> String {
    let start = text.find(from).unwrap();
    let end = start + text[start..].find(to).unwrap() + to.len();
    text[start..end].to_owned()
}

fn replace_between(text: &str, from: &str, to: &str, with: &str) -> String {
    text.replace(&between(text, from, to), &format!("{from}{with}{to}"))
}
