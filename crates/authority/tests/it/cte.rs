//! CT-e (57) and CT-e OS (67): the envelopes byte for byte, and answers of the authorities, typed by us after the MOC.

use crate::samples::ok;
use crate::schema::assert_valid;
use authority::answer::{AuthorizationAnswer, DocumentSituation, EventAnswer, Rejection, RejectionSubject};
use authority::call::{AuthorityCall, CallMethod};
use authority::sefaz::{CTE, CTE_OS, RequestedDocuments};
use authority::table::{AuthorityRole, AuthorityService, Endpoint, EndpointTable};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::cstat::CodeClass;
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use flate2::read::GzDecoder;
use std::io::Read as _;

const CHAVE: &str = "43261111222333000181570010000001011202611019";
const NAMESPACE: &str = r#"xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00""#;
const SIGNED: &str =
    r#"<CTe xmlns="http://www.portalfiscal.inf.br/cte"><infCte Id="CTe43" versao="4.00">ç</infCte></CTe>"#;
const SIGNED_OS: &str = r#"<CTeOS xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00"><infCte/></CTeOS>"#;
const EVENT: &str = r#"<eventoCTe xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00"><infEvento/></eventoCTe>"#;

fn endpoint(modelo: u8, service: AuthorityService) -> Endpoint {
    let role =
        if service == AuthorityService::DistribuicaoDFe { AuthorityRole::National } else { AuthorityRole::Normal };
    EndpointTable::builtin().endpoint(Uf::RS, modelo, TpAmb::Homologacao, service, role).unwrap()
}

fn chave() -> ChaveAcesso {
    ChaveAcesso::parse(CHAVE).unwrap()
}

/// Content of `cteDadosMsg`; everything around it must equal the MOC.
fn message(call: &AuthorityCall, service: &str, operation: &str) -> String {
    let wsdl = format!("http://www.portalfiscal.inf.br/cte/wsdl/{service}");
    let content_type = format!("application/soap+xml; charset=utf-8; action=\"{wsdl}/{operation}\"");
    assert_eq!((call.method, &call.headers), (CallMethod::Post, &vec![("content-type", content_type)]));
    assert_eq!(call.name, service);
    let body = std::str::from_utf8(&call.body).unwrap();
    let open = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body><cteDadosMsg xmlns="{wsdl}">"#
    );
    let rest = body.strip_prefix(&open).unwrap_or_else(|| panic!("{body}"));
    rest.strip_suffix("</cteDadosMsg></soap12:Body></soap12:Envelope>").unwrap().to_owned()
}

fn unpacked(text: &str) -> String {
    let mut xml = String::new();
    GzDecoder::new(STANDARD.decode(text).unwrap().as_slice()).read_to_string(&mut xml).unwrap();
    xml
}

#[test]
fn a_document_is_sent_alone_packed_to_the_service_of_its_model() {
    let cte = CTE.authorize(&endpoint(57, AuthorityService::Autorizacao), 1, SIGNED);
    assert_eq!(unpacked(&message(&cte, "CTeRecepcaoSincV4", "cteRecepcao")), SIGNED);
    assert_eq!(cte.url, "https://cte-homologacao.svrs.rs.gov.br/ws/CTeRecepcaoSincV4/CTeRecepcaoSincV4.asmx");
    assert_eq!((cte.authority.as_str(), cte.service), ("RS", AuthorityService::Autorizacao));
    let os = CTE_OS.authorize(&endpoint(67, AuthorityService::Autorizacao), 1, SIGNED_OS);
    assert_eq!(unpacked(&message(&os, "CTeRecepcaoOSV4", "cteRecepcaoOS")), SIGNED_OS);
}

#[test]
fn query_status_and_event_are_plain_xml() {
    let query = CTE.query(&endpoint(57, AuthorityService::ConsultaProtocolo), TpAmb::Homologacao, &chave());
    let query = message(&query, "CTeConsultaV4", "cteConsultaCT");
    let expected =
        format!("<consSitCTe {NAMESPACE}><tpAmb>2</tpAmb><xServ>CONSULTAR</xServ><chCTe>{CHAVE}</chCTe></consSitCTe>");
    assert_eq!(query, expected);
    assert_valid(&query, "cte/consSitCTe_v4.00.xsd");

    let status = CTE_OS.status(&endpoint(67, AuthorityService::StatusServico), TpAmb::Producao, Uf::RS);
    let status = message(&status, "CTeStatusServicoV4", "cteStatusServicoCT");
    let expected =
        format!("<consStatServCTe {NAMESPACE}><tpAmb>1</tpAmb><cUF>43</cUF><xServ>STATUS</xServ></consStatServCTe>");
    assert_eq!(status, expected);
    assert_valid(&status, "cte/consStatServCTe_v4.00.xsd");

    let event = CTE.event(&endpoint(57, AuthorityService::RecepcaoEvento), 1, EVENT);
    assert_eq!(message(&event, "CTeRecepcaoEventoV4", "cteRecepcaoEvento"), EVENT);
}

#[test]
fn the_ambiente_nacional_is_asked_by_number_and_not_by_key() {
    let company = CnpjCpf::parse("11222333000181").unwrap();
    let endpoint = endpoint(57, AuthorityService::DistribuicaoDFe);
    let ask = |wanted| CTE.distribution(&endpoint, TpAmb::Homologacao, Some(Uf::RS), company, wanted);
    let call = ask(RequestedDocuments::After(0)).unwrap();
    let body = String::from_utf8(call.body).unwrap();
    let inside = r#"<soap12:Body><cteDistDFeInteresse xmlns="http://www.portalfiscal.inf.br/cte/wsdl/CTeDistribuicaoDFe"><cteDadosMsg><distDFeInt xmlns="http://www.portalfiscal.inf.br/cte" versao="1.00"><tpAmb>2</tpAmb><cUFAutor>43</cUFAutor><CNPJ>11222333000181</CNPJ><distNSU><ultNSU>000000000000000</ultNSU></distNSU></distDFeInt></cteDadosMsg></cteDistDFeInteresse></soap12:Body>"#;
    assert!(body.contains(inside), "{body}");
    assert_eq!(call.url, "https://hom1.cte.fazenda.gov.br/CTeDistribuicaoDFe/CTeDistribuicaoDFe.asmx");
    let body = String::from_utf8(ask(RequestedDocuments::Nsu(7)).unwrap().body).unwrap();
    assert!(body.contains("<consNSU><NSU>000000000000007</NSU></consNSU>"), "{body}");
    assert_eq!(ask(RequestedDocuments::Chave(chave())), None);
}

/// An operator's table can select SOAP 1.1 for an authority.
#[test]
fn soap_1_1_is_a_quirk_of_the_table() {
    let table = EndpointTable::with_overrides("cte.quirk.MT.soap11 = 'WSDL of the state'").unwrap();
    let of = |uf| {
        table.endpoint(uf, 57, TpAmb::Homologacao, AuthorityService::StatusServico, AuthorityRole::Normal).unwrap()
    };
    let call = CTE.status(&of(Uf::MT), TpAmb::Homologacao, Uf::MT);
    let action = "\"http://www.portalfiscal.inf.br/cte/wsdl/CTeStatusServicoV4/cteStatusServicoCT\"";
    let headers = [("content-type", "text/xml; charset=utf-8".to_owned()), ("soapaction", action.to_owned())];
    assert_eq!(call.headers, headers);
    let body = String::from_utf8(call.body).unwrap();
    let open = r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><cteDadosMsg "#;
    assert!(body.contains(open) && body.ends_with("</cteDadosMsg></soap:Body></soap:Envelope>"), "{body}");
    assert!(CTE.status(&of(Uf::MS), TpAmb::Homologacao, Uf::MS).headers[0].1.starts_with("application/soap+xml"));
}

fn envelope(service: &str, result: &str, answer: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><ns1:{result} xmlns:ns1="http://www.portalfiscal.inf.br/cte/wsdl/{service}">{answer}</ns1:{result}></soap:Body></soap:Envelope>"#
    )
}

fn prot(cStat: u16, xMotivo: &str, authorised: bool) -> String {
    let (id, record) = match authorised {
        true => (
            " Id=\"CTe143260000001234\"",
            "<nProt>143260000001234</nProt><digVal>sb8jjyEqgrK20XUr77SEX9MLD+4=</digVal>",
        ),
        false => ("", ""),
    };
    format!(
        r#"<protCTe versao="4.00"><infProt{id}><tpAmb>2</tpAmb><verAplic>RS1</verAplic><chCTe>{CHAVE}</chCTe><dhRecbto>2026-11-20T10:00:05-03:00</dhRecbto>{record}<cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo></infProt></protCTe>"#
    )
}

fn ret_cte(root: &str, cStat: u16, xMotivo: &str, rest: &str) -> String {
    format!(
        r#"<{root} {NAMESPACE}><tpAmb>2</tpAmb><cUF>43</cUF><verAplic>RS1</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo>{rest}</{root}>"#
    )
}

fn ret_sit(cStat: u16, rest: &str) -> String {
    format!(
        r#"<retConsSitCTe {NAMESPACE}><tpAmb>2</tpAmb><verAplic>RS1</verAplic><cStat>{cStat}</cStat><xMotivo>texto</xMotivo><cUF>43</cUF>{rest}</retConsSitCTe>"#
    )
}

fn ret_evento(cStat: u16, tpEvento: &str) -> String {
    format!(
        r#"<retEventoCTe {NAMESPACE}><infEvento><tpAmb>2</tpAmb><verAplic>RS1</verAplic><cOrgao>43</cOrgao><cStat>{cStat}</cStat><xMotivo>Evento registrado</xMotivo><chCTe>{CHAVE}</chCTe><tpEvento>{tpEvento}</tpEvento><xEvento>Cancelamento</xEvento><nSeqEvento>1</nSeqEvento><dhRegEvento>2026-11-20T11:00:05-03:00</dhRegEvento><nProt>143260000001240</nProt></infEvento></retEventoCTe>"#
    )
}

fn rejection(cStat: u16, xMotivo: &str) -> Rejection {
    Rejection::new(cStat, xMotivo)
}

/// A rejection in the record of a document.
fn of_document(cStat: u16, xMotivo: &str, has_protocol: bool) -> Rejection {
    let subject = RejectionSubject { is_a_document: true, chave: Some(CHAVE.to_owned()), has_protocol };
    Rejection { subject, ..rejection(cStat, xMotivo) }
}

/// A rejection in the record of a document without key.
fn unnamed(cStat: u16) -> Rejection {
    let subject = RejectionSubject { is_a_document: true, ..RejectionSubject::default() };
    Rejection { subject, ..rejection(cStat, "texto") }
}

fn authorize(answer: &str) -> AuthorizationAnswer {
    CTE.read_authorize(&ok(envelope("CTeRecepcaoSincV4", "cteRecepcaoResult", answer))).unwrap()
}

#[test]
fn the_samples_are_valid() {
    let authorised = prot(100, "Autorizado o uso do CT-e", true);
    assert_valid(&ret_cte("retCTe", 100, "Autorizado o uso do CT-e", &authorised), "cte/retCTe_v4.00.xsd");
    assert_valid(&ret_cte("retCTeOS", 100, "Autorizado o uso do CT-e", &authorised), "cte/retCTeOS_v4.00.xsd");
    assert_valid(&ret_cte("retCTe", 244, "Falha na descompactacao", ""), "cte/retCTe_v4.00.xsd");
    assert_valid(&ret_sit(100, &authorised), "cte/retConsSitCTe_v4.00.xsd");
    assert_valid(&ret_evento(135, "110111"), "cte/retEventoCTe_v4.00.xsd");
}

#[test]
fn an_authorisation_of_either_model_is_archived_with_the_bytes_of_both_sides() {
    let authorised = prot(100, "Autorizado o uso do CT-e", true);
    let declared = authorised.replace("<protCTe ", "<protCTe xmlns=\"http://www.portalfiscal.inf.br/cte\" ");
    let reply = ret_cte("retCTe", 100, "Autorizado o uso do CT-e", &authorised);
    let AuthorizationAnswer::Authorized(protocol) = authorize(&reply) else { panic!("{reply}") };
    assert_eq!((protocol.chave.as_str(), protocol.nProt.as_deref()), (CHAVE, Some("143260000001234")));
    assert_eq!(protocol.digVal.as_deref(), Some("sb8jjyEqgrK20XUr77SEX9MLD+4="));
    assert_eq!(protocol.xml, declared);
    let archive = CTE.archive(SIGNED, &protocol.xml);
    let declaration = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
    assert_eq!(archive, format!("{declaration}<cteProc {NAMESPACE}>{SIGNED}{declared}</cteProc>"));

    let os = ret_cte("retCTeOS", 100, "Autorizado o uso do CT-e", &authorised);
    let os = ok(envelope("CTeRecepcaoOSV4", "cteRecepcaoOSResult", &os));
    let AuthorizationAnswer::Authorized(protocol) = CTE_OS.read_authorize(&os).unwrap() else { panic!("{os:?}") };
    let archive = CTE_OS.archive(SIGNED_OS, &protocol.xml);
    assert_eq!(archive, format!("{declaration}<cteOSProc {NAMESPACE}>{SIGNED_OS}{declared}</cteOSProc>"));
    // neither is mistaken for the other
    assert!(CTE.read_authorize(&os).unwrap_err().to_string().contains("esperava-se retCTe, veio retCTeOS"));
}

#[test]
fn refusals_are_read_at_both_levels() {
    let text = "Rejeição: Valor a receber deve ser menor ou igual Valor da Prestação";
    let expected = AuthorizationAnswer::Rejected(of_document(531, text, false));
    assert_eq!(authorize(&ret_cte("retCTe", 531, text, &prot(531, text, false))), expected);
    assert_eq!(authorize(&ret_cte("retCTe", 531, text, "")), AuthorizationAnswer::Rejected(rejection(531, text)));
    let of = |code| authorize(&ret_cte("retCTe", code, "texto", &prot(code, "texto", false)));
    for code in [204, 205, 218] {
        assert_eq!(of(code), AuthorizationAnswer::Duplicate(of_document(code, "texto", false)), "{code}");
    }
    for code in [108, 109, 114, 678] {
        assert_eq!(of(code), AuthorizationAnswer::Unavailable(of_document(code, "texto", false)), "{code}");
    }
    // neither is a code of the CT-e, nor is 103 below, since it has no receipts
    for code in [656, 999] {
        assert_eq!(of(code), AuthorizationAnswer::Undecided(of_document(code, "texto", false)), "{code}");
    }
    assert_eq!(of(539), AuthorizationAnswer::Rejected(of_document(539, "texto", false)));
    assert_eq!(
        authorize(&ret_cte("retCTe", 103, "texto", "")),
        AuthorizationAnswer::Undecided(rejection(103, "texto"))
    );
    // the manual lists the code without its text
    assert_eq!(of(303), AuthorizationAnswer::Rejected(of_document(303, "texto", false)));
    for code in [120, 150, 155] {
        let answer = authorize(&ret_cte("retCTe", 100, "texto", &prot(code, "texto", true)));
        assert!(matches!(answer, AuthorizationAnswer::Authorized(protocol) if protocol.codigo == code), "{code}");
    }
    let bare = ok(ret_cte("retCTe", 100, "Autorizado", ""));
    assert!(CTE.read_authorize(&bare).unwrap_err().to_string().contains("cStat 100 sem protCTe"));
}

#[test]
fn a_query_tells_every_situation() {
    let read = |answer: &str| CTE.read_query(&ok(envelope("CTeConsultaV4", "cteConsultaCTResult", answer))).unwrap();
    let authorised = prot(100, "Autorizado o uso do CT-e", true);
    assert!(
        matches!(read(&ret_sit(100, &authorised)), DocumentSituation::Authorized(protocol) if protocol.chave == CHAVE)
    );
    for (code, expected) in [
        (217, DocumentSituation::NeverSeen as fn(Rejection) -> DocumentSituation),
        (216, DocumentSituation::OtherKey),
        (600, DocumentSituation::OtherKey),
        (109, DocumentSituation::Unavailable),
        (678, DocumentSituation::Unavailable),
        (731, DocumentSituation::Refused),
        (236, DocumentSituation::Refused),
    ] {
        assert_eq!(read(&ret_sit(code, "")), expected(unnamed(code)), "{code}");
    }
    let event = |cStat, tpEvento: &str| {
        let sent = format!(
            "<eventoCTe versao=\"4.00\"><infEvento><tpEvento>{tpEvento}</tpEvento><nSeqEvento>012</nSeqEvento></infEvento><Signature><SignedInfo><Reference><DigestValue>AAAA</DigestValue></Reference></SignedInfo></Signature></eventoCTe>"
        );
        format!("<procEventoCTe versao=\"4.00\">{sent}{}</procEventoCTe>", ret_evento(cStat, tpEvento))
    };
    // 101 means cancelled, and so does the event beside an earlier 100; a correction ends nothing
    for code in [100, 101] {
        let answer = ret_sit(code, &format!("{authorised}{}{}", event(135, "110110"), event(135, "110111")));
        let DocumentSituation::Cancelled { protocol: Some(_), event_xml: Some(xml) } = read(&answer) else {
            panic!("{code}")
        };
        assert!(xml.contains("<tpEvento>110111<"), "{xml}");
    }
    let corrected = ret_sit(100, &format!("{authorised}{}{}", event(135, "110110"), event(631, "110111")));
    assert!(matches!(read(&corrected), DocumentSituation::Authorized(_)));
    let (_, events) = CTE.read_query_with_events(&ok(&corrected)).unwrap();
    let found: Vec<_> = events.iter().map(|event| (event.tpEvento.as_str(), event.nSeqEvento)).collect();
    assert_eq!(found, [("110110", 12), ("110111", 12)]);
    assert_eq!(events[0].digest.as_deref(), Some("AAAA"));
}

#[test]
fn an_event_stands_alone_in_its_answer() {
    let read =
        |answer: &str| CTE.read_event(&ok(envelope("CTeRecepcaoEventoV4", "cteRecepcaoEventoResult", answer))).unwrap();
    for code in [134, 135, 136] {
        let answer = ret_evento(code, "110111");
        let EventAnswer::Registered { codigo, nProt, dhRegEvento, xml, .. } = read(&answer) else { panic!("{code}") };
        assert_eq!(
            (codigo.number().unwrap(), nProt.as_str(), dhRegEvento.as_str()),
            (code, "143260000001240", "2026-11-20T11:00:05-03:00")
        );
        assert_eq!(xml, answer);
        let archive = CTE.archive_event(EVENT, &xml);
        let expected = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?><procEventoCTe {NAMESPACE}>{EVENT}{answer}</procEventoCTe>"#
        );
        assert_eq!(archive, expected);
    }
    let of = |code| read(&ret_evento(code, "110111"));
    assert_eq!(of(631), EventAnswer::Duplicate(of_document(631, "Evento registrado", true)));
    assert_eq!(of(220), EventAnswer::Rejected(of_document(220, "Evento registrado", true)));
    assert_eq!(of(678), EventAnswer::Unavailable(of_document(678, "Evento registrado", true)));
    assert_eq!(of(109), EventAnswer::Unavailable(of_document(109, "Evento registrado", true)));
}

#[test]
fn a_status_is_read() {
    let answer = format!(
        r#"<retConsStatServCTe {NAMESPACE}><tpAmb>2</tpAmb><verAplic>RS1</verAplic><cStat>107</cStat><xMotivo>Serviço em Operação</xMotivo><cUF>43</cUF><dhRecbto>2026-11-20T10:00:00-03:00</dhRecbto><tMed>1</tMed></retConsStatServCTe>"#
    );
    assert_valid(&answer, "cte/retConsStatServCTe_v4.00.xsd");
    let reply = ok(envelope("CTeStatusServicoV4", "cteStatusServicoCTResult", &answer));
    let status = CTE.read_status(&reply).unwrap();
    assert_eq!((status.cStat, status.xMotivo.as_str(), status.tMed), (107, "Serviço em Operação", Some(1)));
    let empty = ok(envelope("CTeStatusServicoV4", "cteStatusServicoCTResult", ""));
    let why = CTE.read_status(&empty).unwrap_err().to_string();
    assert!(why.contains("cteStatusServicoCTResult sem conteúdo"), "{why}");
}

#[test]
fn what_is_distributed_is_read_as_the_nfe_s() {
    let answer = r#"<retDistDFeInt xmlns="http://www.portalfiscal.inf.br/cte" versao="1.00"><tpAmb>2</tpAmb><verAplic>1.0</verAplic><cStat>137</cStat><xMotivo>Nenhum documento localizado</xMotivo><dhResp>2026-11-20T10:00:00-03:00</dhResp><ultNSU>000000000000009</ultNSU><maxNSU>000000000000009</maxNSU></retDistDFeInt>"#;
    let reply = ok(envelope("CTeDistribuicaoDFe", "cteDistDFeInteresseResult", answer));
    let found = CTE.read_distribution(&reply).unwrap();
    assert_eq!((found.cStat, found.ultNSU, found.maxNSU), (137, Some(9), Some(9)));
}

#[test]
fn there_is_neither_receipt_nor_voiding_and_the_words_are_its_own() {
    for dialect in [&CTE, &CTE_OS] {
        assert!(dialect.receipt.is_none() && dialect.void.is_none());
        assert!(
            dialect.official(AuthorityService::Inutilizacao).is_none()
                && dialect.official(AuthorityService::RetAutorizacao).is_none()
        );
        assert!(dialect.is_undue_use(&678.into()) && !dialect.is_undue_use(&656.into()));
        assert!(dialect.is_cancellation("110111") && !dialect.is_cancellation("110112"));
        assert_eq!(dialect.class(&204.into()), CodeClass::Duplicate);
    }
}
