//! Messages: the envelopes byte for byte, and every message valid by its official schema.

use crate::pki::Authority;
use crate::samples::{self, CANCELAMENTO, CANCELAMENTO_ID, CHAVE, NFE, NFE_ID};
use crate::schema::assert_valid;
use authority::answer::{AuthorizationAnswer, DocumentSituation, EventAnswer};
use authority::call::{AuthorityCall, CallMethod};
use authority::sefaz;
use authority::table::{AuthorityRole, AuthorityService, Endpoint, EndpointTable};
use fiscal::value::{ChaveAcesso, TpAmb, Uf};

fn endpoint(service: AuthorityService) -> Endpoint {
    EndpointTable::builtin().endpoint(Uf::SP, 55, TpAmb::Homologacao, service, AuthorityRole::Normal).unwrap()
}

fn signed(document: &str, id: &str) -> String {
    signing::sign(document.to_owned(), id, &Authority::root("Raiz").client("EMPRESA")).unwrap().xml
}

/// Message inside the envelope, which must equal the manual's.
fn message(call: &AuthorityCall, service: &str) -> String {
    let body = std::str::from_utf8(&call.body).unwrap();
    let open = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body><nfeDadosMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/{service}">"#
    );
    let rest = body.strip_prefix(&open).unwrap_or_else(|| panic!("{body}"));
    rest.strip_suffix("</nfeDadosMsg></soap12:Body></soap12:Envelope>").unwrap().to_owned()
}

#[test]
fn authorize_is_one_document_sent_synchronously() {
    let nfe = signed(NFE, NFE_ID);
    let call = sefaz::NFE.authorize(&endpoint(AuthorityService::Autorizacao), 1_234_567_890_123_456, &nfe);
    let message = message(&call, "NFeAutorizacao4");
    let head = r#"<enviNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><idLote>234567890123456</idLote><indSinc>1</indSinc>"#;
    assert_eq!(message, format!("{head}{nfe}</enviNFe>"));
    assert_valid(&message, "nfe/enviNFe_v4.00.xsd");
    assert_eq!(call.url, "https://homologacao.nfe.fazenda.sp.gov.br/ws/nfeautorizacao4.asmx");
    let action = "http://www.portalfiscal.inf.br/nfe/wsdl/NFeAutorizacao4/nfeAutorizacaoLote";
    let content_type = format!("application/soap+xml; charset=utf-8; action=\"{action}\"");
    assert_eq!((call.method, call.headers), (CallMethod::Post, vec![("content-type", content_type)]));
    assert_eq!(
        (call.authority.as_str(), call.service, call.name),
        ("SP", AuthorityService::Autorizacao, "NFeAutorizacao4")
    );
}

#[test]
fn receipt_query_and_status_are_the_official_messages() {
    let namespace = r#"xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00""#;
    let receipt = sefaz::receipt(&endpoint(AuthorityService::RetAutorizacao), TpAmb::Homologacao, "351000012345678");
    let receipt = message(&receipt, "NFeRetAutorizacao4");
    assert_eq!(receipt, format!("<consReciNFe {namespace}><tpAmb>2</tpAmb><nRec>351000012345678</nRec></consReciNFe>"));
    assert_valid(&receipt, "nfe/consReciNFe_v4.00.xsd");

    let chave = ChaveAcesso::parse(CHAVE).unwrap();
    let query = message(
        &sefaz::NFE.query(&endpoint(AuthorityService::ConsultaProtocolo), TpAmb::Producao, &chave),
        "NFeConsultaProtocolo4",
    );
    let expected =
        format!("<consSitNFe {namespace}><tpAmb>1</tpAmb><xServ>CONSULTAR</xServ><chNFe>{CHAVE}</chNFe></consSitNFe>");
    assert_eq!(query, expected);
    assert_valid(&query, "nfe/consSitNFe_v4.00.xsd");

    let status = message(
        &sefaz::NFE.status(&endpoint(AuthorityService::StatusServico), TpAmb::Homologacao, Uf::SP),
        "NFeStatusServico4",
    );
    assert_eq!(
        status,
        format!("<consStatServ {namespace}><tpAmb>2</tpAmb><cUF>35</cUF><xServ>STATUS</xServ></consStatServ>")
    );
    assert_valid(&status, "nfe/consStatServ_v4.00.xsd");
}

#[test]
fn a_query_by_a_key_with_letters_is_valid() {
    let chave = ChaveAcesso::parse("35261112ABC34501DE35550010000000011100001234").unwrap();
    let query = sefaz::NFE.query(&endpoint(AuthorityService::ConsultaProtocolo), TpAmb::Homologacao, &chave);
    assert_valid(&message(&query, "NFeConsultaProtocolo4"), "nfe/consSitNFe_v4.00.xsd");
}

#[test]
fn an_event_is_one_event_in_its_lote() {
    let evento = signed(CANCELAMENTO, CANCELAMENTO_ID);
    let call = sefaz::NFE.event(&endpoint(AuthorityService::RecepcaoEvento), 7, &evento);
    let message = message(&call, "NFeRecepcaoEvento4");
    let head = r#"<envEvento xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><idLote>7</idLote>"#;
    assert_eq!(message, format!("{head}{evento}</envEvento>"));
    assert_valid(&message, "evento/envEvento_v1.00.xsd");
}

#[test]
fn proc_nfe_is_valid_and_keeps_both_byte_for_byte() {
    let nfe = signed(NFE, NFE_ID);
    for reply in [
        samples::envelope("NFeAutorizacao4", &samples::authorised()),
        prefixed(&samples::envelope("NFeAutorizacao4", &samples::authorised())),
    ] {
        let AuthorizationAnswer::Authorized(protocol) = sefaz::NFE.read_authorize(&samples::ok(&reply)).unwrap() else {
            panic!("{reply}")
        };
        let whole = sefaz::NFE.archive(&nfe, &protocol.xml);
        assert!(whole.starts_with(r#"<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe "#));
        assert!(whole.contains(&nfe));
        assert_valid(&whole, "nfe/procNFe_v4.00.xsd");
        let slice = &whole[whole.find("<NFe ").unwrap()..whole.find("</NFe>").unwrap() + 6];
        assert!(signing::verify(slice.as_bytes()).is_ok());
    }
}

#[test]
fn proc_evento_is_valid_from_either_service() {
    let evento = signed(CANCELAMENTO, CANCELAMENTO_ID);
    let answer = samples::ret_env_evento(
        128,
        "Lote de evento processado",
        &samples::ret_evento(135, "Evento registrado e vinculado a NF-e"),
    );
    let reply = samples::envelope("NFeRecepcaoEvento4", &answer);
    for reply in [prefixed(&reply), reply] {
        let EventAnswer::Registered { xml, .. } = sefaz::NFE.read_event(&samples::ok(&reply)).unwrap() else {
            panic!("{reply}")
        };
        assert_valid(&sefaz::NFE.archive_event(&evento, &xml), "evento/procEventoNFe_v1.00.xsd");
    }
    // the whole event, inside the answer to a query
    let whole = format!(
        "<procEventoNFe versao=\"1.00\">{evento}{}</procEventoNFe>",
        samples::ret_evento(135, "Evento registrado")
    );
    let answer = samples::ret_sit(101, "Cancelamento de NF-e homologado", &whole);
    let reply = samples::envelope("NFeConsultaProtocolo4", &answer);
    let DocumentSituation::Cancelled { event_xml: Some(xml), .. } =
        sefaz::NFE.read_query(&samples::ok(&reply)).unwrap()
    else {
        panic!()
    };
    assert_valid(&xml, "evento/procEventoNFe_v1.00.xsd");
}

/// The answer with a prefix declared on its root alone.
fn prefixed(reply: &str) -> String {
    let (head, rest) = reply.split_once("<ret").unwrap();
    let root: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
    let end = format!("</ret{root}>");
    let (answer, tail) = rest.split_once(&end).unwrap();
    let answer =
        format!("<ret{answer}{end}").replace("xmlns=", "xmlns:ns2=").replace("</", "\u{1}").replace('<', "<ns2:");
    format!("{head}{}{tail}", answer.replace('\u{1}', "</ns2:"))
}
