//! NFeDistribuicaoDFe: the message in its own envelope, and the documents of the reply, unpacked within limits.

use crate::samples::{CHAVE, ok};
use crate::schema::assert_valid;
use authority::answer::{DistributionAnswer, DistributionItem};
use authority::sefaz::{CTE, NFE, RequestedDocuments, UnreadableReply};
use authority::table::{AuthorityRole, AuthorityService, Endpoint, EndpointTable};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;

fn endpoint() -> Endpoint {
    EndpointTable::builtin()
        .endpoint(Uf::SP, 55, TpAmb::Homologacao, AuthorityService::DistribuicaoDFe, AuthorityRole::National)
        .unwrap()
}

/// Message inside the tags of this service, which other services lack.
fn message(wanted: RequestedDocuments, company: &str, uf: Option<Uf>) -> String {
    let company = CnpjCpf::parse(company).unwrap();
    let call = NFE.distribution(&endpoint(), TpAmb::Homologacao, uf, company, wanted).unwrap();
    assert_eq!((call.authority.as_str(), call.name), ("AN", "NFeDistribuicaoDFe"));
    let (_, content_type) = &call.headers[0];
    assert!(content_type.ends_with("wsdl/NFeDistribuicaoDFe/nfeDistDFeInteresse\""), "{content_type}");
    let body = String::from_utf8(call.body).unwrap();
    let open = r#"<soap12:Body><nfeDistDFeInteresse xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe"><nfeDadosMsg>"#;
    let (_, rest) = body.split_once(open).unwrap_or_else(|| panic!("{body}"));
    rest.strip_suffix("</nfeDadosMsg></nfeDistDFeInteresse></soap12:Body></soap12:Envelope>").unwrap().to_owned()
}

#[test]
fn each_of_the_three_questions_is_the_official_message() {
    let after = message(RequestedDocuments::After(7), "12ABC34501DE35", Some(Uf::SP));
    assert_eq!(
        after,
        r#"<distDFeInt xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><tpAmb>2</tpAmb><cUFAutor>35</cUFAutor><CNPJ>12ABC34501DE35</CNPJ><distNSU><ultNSU>000000000000007</ultNSU></distNSU></distDFeInt>"#
    );
    let one = message(RequestedDocuments::Nsu(999_999_999_999_999), "11144477735", None);
    assert!(one.contains("<CPF>11144477735</CPF><consNSU><NSU>999999999999999</NSU></consNSU>"), "{one}");
    let chave = message(RequestedDocuments::Chave(ChaveAcesso::parse(CHAVE).unwrap()), "11222333000181", Some(Uf::AC));
    assert!(chave.contains(&format!("<consChNFe><chNFe>{CHAVE}</chNFe></consChNFe>")), "{chave}");
    for message in [after, one, chave] {
        assert_valid(&message, "distribuicao/distDFeInt_v1.01.xsd");
    }
}

#[test]
fn a_cte_is_asked_for_in_its_own_message_and_never_by_its_key() {
    let endpoint = EndpointTable::builtin()
        .endpoint(Uf::RS, 57, TpAmb::Homologacao, AuthorityService::DistribuicaoDFe, AuthorityRole::National)
        .unwrap();
    let ask = |company: &str, wanted| {
        CTE.distribution(&endpoint, TpAmb::Homologacao, Some(Uf::RS), CnpjCpf::parse(company).unwrap(), wanted)
    };
    let open = r#"<soap12:Body><cteDistDFeInteresse xmlns="http://www.portalfiscal.inf.br/cte/wsdl/CTeDistribuicaoDFe"><cteDadosMsg>"#;
    let message = |company, wanted| {
        let body = String::from_utf8(ask(company, wanted).unwrap().body).unwrap();
        let (_, rest) = body.split_once(open).unwrap_or_else(|| panic!("{body}"));
        rest.strip_suffix("</cteDadosMsg></cteDistDFeInteresse></soap12:Body></soap12:Envelope>").unwrap().to_owned()
    };
    let after = message("11222333000181", RequestedDocuments::After(0));
    assert_eq!(
        after,
        r#"<distDFeInt xmlns="http://www.portalfiscal.inf.br/cte" versao="1.00"><tpAmb>2</tpAmb><cUFAutor>43</cUFAutor><CNPJ>11222333000181</CNPJ><distNSU><ultNSU>000000000000000</ultNSU></distNSU></distDFeInt>"#
    );
    for message in [
        after,
        message("12ABC34501DE35", RequestedDocuments::Nsu(7)),
        message("11144477735", RequestedDocuments::Nsu(7)),
    ] {
        assert_valid(&message, "cte-distribuicao/distDFeInt_v1.00.xsd");
    }
    assert!(ask("11222333000181", RequestedDocuments::Chave(ChaveAcesso::parse(CHAVE).unwrap())).is_none());
    assert!(NFE.has_query_by_key() && !CTE.has_query_by_key());
}

#[test]
fn the_answer_of_the_cte_is_read_as_that_of_the_nfe() {
    let zip = packed(b"<cteProc/>");
    let answer = format!(
        r#"<retDistDFeInt xmlns="http://www.portalfiscal.inf.br/cte" versao="1.00"><tpAmb>2</tpAmb><verAplic>1.4.1</verAplic><cStat>138</cStat><xMotivo>Documento localizado</xMotivo><dhResp>2026-11-20T11:54:49</dhResp><ultNSU>000000000000011</ultNSU><maxNSU>000000000000040</maxNSU><loteDistDFeInt><docZip NSU="000000000000011" schema="procCTe_v4.00.xsd">{zip}</docZip></loteDistDFeInt></retDistDFeInt>"#
    );
    assert_valid(&answer, "cte-distribuicao/retDistDFeInt_v1.00.xsd");
    let envelope = format!(
        r#"<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><cteDistDFeInteresseResponse xmlns="http://www.portalfiscal.inf.br/cte/wsdl/CTeDistribuicaoDFe"><cteDistDFeInteresseResult>{answer}</cteDistDFeInteresseResult></cteDistDFeInteresseResponse></soap:Body></soap:Envelope>"#
    );
    let read = CTE.read_distribution(&ok(&envelope)).unwrap();
    assert_eq!(
        (read.cStat, read.ultNSU, read.maxNSU, read.dhResp.as_str()),
        (138, Some(11), Some(40), "2026-11-20T11:54:49")
    );
    assert_eq!(read.documents[0].content.as_deref(), Ok("<cteProc/>"));
    for (cStat, undue) in [(656, true), (678, true), (137, false)] {
        let answer = envelope.replace("<cStat>138<", &format!("<cStat>{cStat}<"));
        assert_eq!(CTE.read_distribution(&ok(&answer)).unwrap().is_undue_use(), undue, "{cStat}");
    }
}

fn packed(xml: &[u8]) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(xml).unwrap();
    STANDARD.encode(gzip.finish().unwrap())
}

fn reply(cStat: u16, ultNSU: &str, maxNSU: &str, lote: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><nfeDistDFeInteresseResponse xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe"><nfeDistDFeInteresseResult><retDistDFeInt xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><tpAmb>2</tpAmb><verAplic>1.7.6</verAplic><cStat>{cStat}</cStat><xMotivo>Documento(s) localizado(s)</xMotivo><dhResp>2026-11-20T11:54:49-03:00</dhResp><ultNSU>{ultNSU}</ultNSU><maxNSU>{maxNSU}</maxNSU>{lote}</retDistDFeInt></nfeDistDFeInteresseResult></nfeDistDFeInteresseResponse></soap:Body></soap:Envelope>"#
    )
}

fn lote(zips: &[(&str, &str)]) -> String {
    let zips: String = zips
        .iter()
        .map(|(nsu, zip)| format!("<docZip NSU=\"{nsu}\" schema=\"resNFe_v1.01.xsd\">{zip}</docZip>"))
        .collect();
    format!("<loteDistDFeInt>{zips}</loteDistDFeInt>")
}

fn read(reply: &str) -> Result<DistributionAnswer, UnreadableReply> {
    NFE.read_distribution(&ok(reply))
}

#[test]
fn documents_come_unpacked_in_their_order() {
    let (one, two) = (packed(b"<resNFe/>"), packed("<resNFe>ã</resNFe>".as_bytes()));
    let text = reply(
        138,
        "000000000000012",
        "000000000000040",
        &lote(&[("000000000000011", &one), ("000000000000012", &two)]),
    );
    let answer = text.split_once("<retDistDFeInt").map(|(_, rest)| rest).unwrap();
    let answer = answer.split_once("</nfeDistDFeInteresseResult>").map(|(answer, _)| format!("<retDistDFeInt{answer}"));
    assert_valid(&answer.unwrap(), "distribuicao/retDistDFeInt_v1.01.xsd");
    let read = read(&text).unwrap();
    assert_eq!((read.cStat, read.ultNSU, read.maxNSU), (138, Some(12), Some(40)));
    let expected = |nsu, xml: &str| DistributionItem {
        nsu: Some(nsu),
        schema: "resNFe_v1.01.xsd".to_owned(),
        content: Ok(xml.to_owned()),
    };
    assert_eq!(read.documents, [expected(11, "<resNFe/>"), expected(12, "<resNFe>ã</resNFe>")]);
}

#[test]
fn nothing_found_brings_the_numbers_alone() {
    let read = read(&reply(137, "000000000000040", "000000000000040", "")).unwrap();
    assert_eq!((read.cStat, read.ultNSU, read.maxNSU, read.documents.len()), (137, Some(40), Some(40), 0));
    let bare = reply(656, "", "", "");
    assert_eq!(self::read(&bare).unwrap().ultNSU, None);
}

/// A document that cannot be unpacked must neither block the others nor be lost.
#[test]
fn a_document_that_cannot_be_unpacked_is_handed_on_as_it_came() {
    let good = packed(b"<resNFe/>");
    let bomb = packed(&vec![b' '; 3 << 20]);
    assert!(bomb.len() < 8_000, "a bomb is small: {}", bomb.len());
    let no_utf8 = packed(b"\xff\xfe");
    let cut = STANDARD.encode(&STANDARD.decode(&good).unwrap()[..12]);
    for (bad, why) in [
        ("n%o base64", "base64"),
        ("AAAA", "gzip"),
        (cut.as_str(), "gzip"),
        (bomb.as_str(), "2097152 bytes"),
        (no_utf8.as_str(), "UTF-8"),
    ] {
        let text = reply(
            138,
            "000000000000002",
            "000000000000002",
            &lote(&[("000000000000001", bad), ("000000000000002", &good)]),
        );
        let read = read(&text).unwrap();
        let (reason, kept) = read.documents[0].content.clone().unwrap_err();
        assert!(reason.contains(why), "{reason}");
        assert_eq!(kept, bad);
        assert_eq!(read.documents[1].content.as_deref(), Ok("<resNFe/>"));
    }
}

#[test]
fn a_reply_unpacks_to_so_much_and_brings_so_many() {
    // each within its own limit, all together beyond the limit of a reply
    let large = packed(&vec![b' '; 2 << 20]);
    let numbers: Vec<String> = (1..=100).map(|nsu| format!("{nsu:015}")).collect();
    let all = |zip: &str| lote(&numbers.iter().map(|nsu| (nsu.as_str(), zip)).collect::<Vec<_>>());
    let read_all = read(&reply(138, "000000000000100", "000000000000100", &all(&large))).unwrap();
    let unpacked = read_all.documents.iter().filter(|document| document.content.is_ok()).count();
    assert_eq!((read_all.documents.len(), unpacked), (100, 20));
    let small = packed(b"<resNFe/>");
    let one_more =
        all(&small).replace("</loteDistDFeInt>", "<docZip NSU=\"7\" schema=\"x\">H4sI</docZip></loteDistDFeInt>");
    let why = read(&reply(138, "000000000000100", "000000000000100", &one_more)).unwrap_err().to_string();
    assert!(why.contains("101 documentos"), "{why}");
    let named = all(&small).replacen("schema=\"", &format!("schema=\"{}", "x".repeat(100_000)), 1);
    let read = read(&reply(138, "000000000000100", "000000000000100", &named)).unwrap();
    assert!(read.documents[0].schema.chars().count() <= 1_001);
}

#[test]
fn what_is_no_answer_of_the_service_is_unreadable() {
    assert!(read("<html><body>erro</body></html>").is_err());
    assert!(read(&reply(138, "x", "0", "")).is_err());
    let bad_nsu = lote(&[("dez", &packed(b"<resNFe/>"))]);
    assert!(read(&reply(138, "000000000000001", "000000000000001", &bad_nsu)).is_err());
}
