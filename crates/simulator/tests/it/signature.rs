//! Stage 3: the signature, each fault by its number. The simulator verifies with another library than the signer here.

use crate::bench::{CNPJ, Note, certificate, start};
use simulator::pki::CertificateSubject;

#[tokio::test]
async fn a_faulty_signing_certificate_is_290_to_295() {
    let bench = start().await;
    let company = || CertificateSubject::new("EMPRESA", CNPJ);
    for (subject, cStat) in [
        (company().without_non_repudiation(), 290),
        (company().authority(), 290),
        (company().valid_for_days(-1), 291),
        (company().without_icp_brasil_fields(), 292),
        (company().untrusted(), 293),
        (company().outside_icp_brasil(), 295),
    ] {
        let signer = certificate(bench.simulator.pki(), &subject);
        assert_eq!(bench.verdict(&bench.sign_as(&Note::new(1), &signer)).await.0, cStat, "{subject:?}");
    }
    // Signed with another certificate than that of the connection: only the first is on the list.
    let signer = certificate(bench.simulator.pki(), &company());
    let serial = signer.holder().numero_serie.clone();
    bench.simulator.configure(|settings| settings.revogados = std::iter::once(serial).collect());
    assert_eq!(bench.verdict(&bench.sign_as(&Note::new(1), &signer)).await.0, 294);
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
}

#[tokio::test]
async fn bytes_that_are_no_certificate_are_290() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1));
    let (before, rest) = signed.split_once("<X509Certificate>").unwrap();
    let (_, after) = rest.split_once("</X509Certificate>").unwrap();
    let changed = format!("{before}<X509Certificate>AAAA</X509Certificate>{after}");
    assert_eq!(bench.verdict(&changed).await.0, 290);
}

#[tokio::test]
async fn a_reference_to_something_else_or_other_transforms_are_298() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1));
    let id = Note::new(1).id();
    let elsewhere = signed.replace(&format!("URI=\"#{id}\""), "URI=\"#NFe0\"");
    assert_eq!(bench.verdict(&elsewhere).await.0, 298);
    let (enveloped, c14n) = (
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature\"></Transform>",
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315\"></Transform>",
    );
    let swapped = signed.replace(enveloped, "@").replace(c14n, enveloped).replace('@', c14n);
    assert_ne!(swapped, signed);
    assert_eq!(bench.verdict(&swapped).await.0, 298);
}

#[tokio::test]
async fn a_document_changed_after_signing_is_297() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1));
    assert_eq!(bench.verdict(&signed.replace("<natOp>VENDA</natOp>", "<natOp>VENDO</natOp>")).await.0, 297);
    let (before, rest) = signed.split_once("<SignatureValue>").unwrap();
    let flipped = if rest.starts_with('A') { "B" } else { "A" };
    assert_eq!(bench.verdict(&format!("{before}<SignatureValue>{flipped}{}", &rest[1..])).await.0, 297);
    assert_eq!(bench.verdict(&signed).await.0, 100);
}

#[tokio::test]
async fn a_signature_of_another_company_is_213() {
    let bench = start().await;
    let other = certificate(bench.simulator.pki(), &CertificateSubject::new("OUTRA", "12ABC34501DE35"));
    assert_eq!(bench.verdict(&bench.sign_as(&Note::new(1), &other)).await.0, 213);
}

#[tokio::test]
async fn a_signature_of_another_person_is_227_and_an_id_without_its_letters_is_of_the_schema() {
    let bench = start().await;
    let other = certificate(bench.simulator.pki(), &CertificateSubject::new("MARIA", "52998224725"));
    let (cStat, xMotivo) = bench.verdict(&bench.sign_as(&Note::new(1), &other)).await;
    assert_eq!((cStat, xMotivo.as_str()), (227, "Rejeição: CPF do Emitente difere do CPF do Certificado Digital"));
    assert_eq!(bench.verdict(&bench.sign(&Note::new(1)).replace("Id=\"NFe", "Id=\"")).await.0, 225);
}

#[tokio::test]
async fn a_signed_document_may_inherit_its_namespace_from_the_batch() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1)).replacen("<NFe xmlns=\"http://www.portalfiscal.inf.br/nfe\">", "<NFe>", 1);
    assert_eq!(bench.verdict(&signed).await.0, 100);
}
