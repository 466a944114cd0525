//! Rows and their requests: the documented exchange of GovDigital, then every row.

use super::*;
use crate::answer::{AuthorizationAnswer, DocumentSituation, EventAnswer};
use crate::call::{AuthorityCall, AuthorityReply, CallMethod};
use crate::sefaz::UnreadableReply;
use crate::table::{AuthorityService, Endpoint, EndpointTable, InvalidTable};
use crate::wire::WireProtocol;
use fiscal::abrasf::{RateUnit, SubmissionMode};
use fiscal::value::{CnpjCpf, TpAmb};
use fiscal::xml::{self, Element};
use std::collections::BTreeMap;
use std::sync::Arc;
use zeroize::Zeroizing;

mod replies;
mod resolving;

const LAVRAS: u32 = 3_138_203;

fn company() -> Arc<MunicipalIssuer> {
    let credentials = ProviderCredentials {
        login: Zeroizing::new("usuario".to_owned()),
        senha: Zeroizing::new("s<nha&1".to_owned()),
        token: Zeroizing::new("t0ken".to_owned()),
    };
    Arc::new(MunicipalIssuer {
        document: CnpjCpf::parse("11222333000181").unwrap(),
        inscricao_municipal: Some("12345".to_owned()),
        credentials,
    })
}

fn resolved(codigo: u32, ambiente: TpAmb) -> ResolvedProvider {
    ProviderTable::builtin().resolve(codigo, ambiente, &ProviderChoice::default()).unwrap()
}

fn govdigital(service: AuthorityService) -> Endpoint {
    resolved(LAVRAS, TpAmb::Homologacao).endpoint(service, &company()).unwrap()
}

fn header<'c>(call: &'c AuthorityCall, name: &str) -> &'c str {
    call.headers.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
}

/// The documented exchange with the provider of Lavras: the whole request, byte for byte.
#[test]
fn the_exchange_with_govdigital_is_written_as_its_clients_write_it() {
    let message = r#"<EnviarLoteRpsSincronoEnvio xmlns="http://www.abrasf.org.br/nfse.xsd"><LoteRps></LoteRps></EnviarLoteRpsSincronoEnvio>"#;
    let call = WireProtocol::Abrasf.authorize(&govdigital(AuthorityService::Autorizacao), 1, message);
    assert_eq!(call.method, CallMethod::Post);
    assert_eq!(call.url, "https://ws.homolog.nfe-cidades.com.br/ws/lavr");
    assert_eq!(header(&call, "content-type"), "text/xml; charset=utf-8");
    assert_eq!(header(&call, "soapaction"), "\"http://nfse.abrasf.org.br/RecepcionarLoteRpsSincrono\"");
    assert_eq!((call.name, call.authority.as_str()), ("RecepcionarLoteRpsSincrono", "MUNICIPIO-3138203"));
    let expected = format!(
        "{}{}{}{message}{}",
        r#"<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:e="http://nfse.abrasf.org.br"><soapenv:Body><e:RecepcionarLoteRpsSincronoRequest>"#,
        r#"<nfseCabecMsg><![CDATA[<cabecalho xmlns="http://www.abrasf.org.br/nfse.xsd" versao="2.01"><versaoDados>2.01</versaoDados></cabecalho>]]></nfseCabecMsg>"#,
        "<nfseDadosMsg><![CDATA[",
        "]]></nfseDadosMsg></e:RecepcionarLoteRpsSincronoRequest></soapenv:Body></soapenv:Envelope>",
    );
    assert_eq!(String::from_utf8(call.body).unwrap(), expected);
}

#[test]
fn an_rps_is_asked_for_by_its_identity_and_a_batch_by_its_protocol() {
    let query = govdigital(AuthorityService::ConsultaProtocolo);
    let asked =
        WireProtocol::Abrasf.query(&query, TpAmb::Homologacao, "RPS3138203-11222333000181-1-1-15-12345").unwrap();
    assert_eq!(asked.name, "ConsultarNfsePorRps");
    let body = String::from_utf8(asked.body).unwrap();
    assert!(body.contains("<e:ConsultarNfsePorRpsRequest>"), "{body}");
    assert!(body.contains("<Numero>15</Numero><Serie>1</Serie><Tipo>1</Tipo>"), "{body}");
    assert_eq!(
        WireProtocol::Abrasf.query(&query, TpAmb::Homologacao, "35261111222333000181550010000000011123456784"),
        None
    );
    let asked = receipt(&govdigital(AuthorityService::RetAutorizacao), TpAmb::Homologacao, "P<1>");
    let body = String::from_utf8(asked.body).unwrap();
    assert!(
        body.contains("<Cnpj>11222333000181</Cnpj>") && body.contains("<Protocolo>P&lt;1&gt;</Protocolo>"),
        "{body}"
    );
}

/// A row of the test's tables, on or off, with an address and its mode.
fn of_row(row: &ProviderRow, ambiente: TpAmb) -> ResolvedProvider {
    let on = format!("[abrasf.provider.\"{}\".\"{}\"]\noff = false", row.provider, row.version);
    let table = EndpointTable::with_overrides(&on).unwrap();
    let said = ProviderChoice {
        provedor: Some(&row.provider),
        versao: Some(&row.version),
        url: Some("https://prefeitura.example/ws/nfse?wsdl"),
        aliquota: Some("percentual"),
        modo: None,
    };
    table.providers().resolve(3_550_308, ambiente, &said).unwrap()
}

/// A message whose text breaks careless escaping.
fn message(operation: AbrasfOperation, namespace: &str) -> String {
    let root = format!("{}Envio", operation.message());
    format!(
        "<{root} xmlns=\"{namespace}\"><LoteRps xmlns=\"{namespace}\" Id=\"L1\" nota=\"]]>\"><Discriminacao>a &lt;b&gt; &amp;amp; ]]&gt; &#xD;\n ç</Discriminacao></LoteRps></{root}>"
    )
}

/// Content of the message argument: a text, or elements.
fn data(row: &ProviderRow, operation: AbrasfOperation, body: &str) -> String {
    let envelope = xml::read(body.as_bytes()).unwrap();
    let body_element = envelope.child("Body").unwrap();
    let root = format!("{}Envio", operation.message());
    let declaration = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
    match (row.content, &row.data_argument) {
        (ArgumentEncoding::Tree, _) => body[find(body_element, &root).unwrap().span.clone()].to_owned(),
        (_, Some(argument)) => {
            let argument = argument.replace("{Mensagem}", operation.message());
            let text = innermost(body_element, &argument).unwrap().text().to_owned();
            match row.declaration {
                true => text.strip_prefix(declaration).unwrap().to_owned(),
                false => text,
            }
        }
        (_, None) => panic!("{}: text without an argument", row.name()),
    }
}

/// Innermost element of a name: an argument may have the name of the request around it.
fn innermost<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    find(element, name).map(|found| innermost(found, name).unwrap_or(found))
}

fn find<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    element.children().find_map(|child| if child.name == name { Some(child) } else { find(child, name) })
}

#[test]
fn every_row_makes_a_well_formed_request_of_every_operation_with_the_signed_bytes_in_it() {
    let mut made = 0;
    for row in ProviderTable::builtin().rows() {
        for ambiente in [TpAmb::Producao, TpAmb::Homologacao] {
            let resolved = of_row(row, ambiente);
            for operation in &row.operations {
                let endpoint = resolved.endpoint_of(*operation, &company()).unwrap();
                let message = message(*operation, &row.data_namespace);
                let call = call(&endpoint, &message);
                let body = String::from_utf8(call.body.clone()).unwrap();
                assert_eq!(data(row, *operation, &body), message, "{} {operation:?}", row.name());
                assert!(call.url.starts_with("https://prefeitura.example/ws/"), "{}", call.url);
                assert!(!call.url.contains(['{', '}']) && !endpoint.action.contains(['{', '}']), "{endpoint:?}");
                assert!(!body.contains("{Op}") && !body.contains("{versao}"), "{body}");
                let content_type = header(&call, "content-type");
                assert_eq!(
                    content_type.starts_with("application/soap+xml"),
                    row.soap == SoapVersion::V12,
                    "{content_type}"
                );
                made += 1;
            }
        }
    }
    assert!(made > 500, "{made}");
}

#[test]
fn nothing_is_declared_above_a_message_that_stands_as_elements() {
    for row in ProviderTable::builtin().rows().filter(|row| row.content == ArgumentEncoding::Tree) {
        let endpoint = of_row(row, TpAmb::Producao).endpoint(AuthorityService::Autorizacao, &company()).unwrap();
        let body = String::from_utf8(call(&endpoint, "<x/>").body).unwrap();
        let above = body.split("<x/>").next().unwrap();
        // a SOAP header is closed before the message begins
        let above = above.rsplit("Header>").next().unwrap();
        assert!(!above.contains("xmlns:"), "{}: {above}", row.name());
    }
}

#[test]
fn credentials_stand_where_the_row_says_and_nowhere_else() {
    for row in ProviderTable::builtin().rows() {
        let resolved = of_row(row, TpAmb::Producao);
        let endpoint = resolved.endpoint(AuthorityService::Autorizacao, &company()).unwrap();
        let body = String::from_utf8(call(&endpoint, "<x/>").body).unwrap();
        let shown = body.contains("usuario") || body.contains("s&lt;nha&amp;1") || body.contains("t0ken");
        assert_eq!(shown, !row.credential_arguments.is_empty(), "{}: {body}", row.name());
        let debug = format!("{endpoint:?} {resolved:?} {:?}", company());
        assert!(!debug.contains("s<nha&1") && !debug.contains("usuario") && !debug.contains("t0ken"), "{debug}");
        let nobody =
            MunicipalIssuer { credentials: ProviderCredentials::default(), ..MunicipalIssuer::clone(&company()) };
        assert_eq!(resolved.missing(&nobody).len(), row.credential_arguments.len());
        assert!(resolved.missing(&company()).is_empty());
    }
    let fiorilli = ProviderTable::builtin().of("fiorilli")[0].clone();
    let endpoint = of_row(&fiorilli, TpAmb::Producao).endpoint(AuthorityService::Autorizacao, &company()).unwrap();
    let body = String::from_utf8(call(&endpoint, "<x/>").body).unwrap();
    let expected = r#"<recepcionarLoteRps xmlns="http://ws.issweb.fiorilli.com.br/"><x/><username xmlns="">usuario</username><password xmlns="">s&lt;nha&amp;1</password></recepcionarLoteRps>"#;
    assert!(body.contains(expected), "{body}");
}

#[test]
fn each_style_of_envelope_is_as_its_provider_wants_it() {
    let body = |name: &str, version: &str, operation| {
        let rows = ProviderTable::builtin();
        let row = rows.of(name).into_iter().find(|row| row.version == version).unwrap().clone();
        let endpoint = of_row(&row, TpAmb::Producao).endpoint_of(operation, &company()).unwrap();
        let call = call(&endpoint, "<x/>");
        (String::from_utf8(call.body.clone()).unwrap(), endpoint.action, header(&call, "content-type").to_owned())
    };
    let (text, action, content_type) = body("WebISS", "2.02", AbrasfOperation::RecepcionarLoteRps);
    assert!(text.starts_with(r#"<soapenv:Envelope xmlns:soapenv="http://www.w3.org/2003/05/soap-envelope""#), "{text}");
    assert_eq!(content_type, format!("application/soap+xml; charset=utf-8; action=\"{action}\""));
    let (text, _, _) = body("ISSRecife", "1.00", AbrasfOperation::ConsultarLoteRps);
    assert!(text.contains("<e:ConsultarLoteRpsRequest><e:inputXML>&lt;x/&gt;</e:inputXML>"), "{text}");
    let (text, action, _) = body("Pronim", "2.02", AbrasfOperation::ConsultarLoteRps);
    let cabecalho = r#"<soapenv:Header><tem:cabecalho xmlns:tem="http://tempuri.org/" versao="202"><tem:versaoDados>2.02</tem:versaoDados></tem:cabecalho></soapenv:Header>"#;
    assert!(text.contains(cabecalho) && !text.contains("xmlEnvio><![CDATA[<tem"), "{text}");
    assert_eq!(action, "http://tempuri.org/INFSEConsultas/ConsultarLoteRps");
    let (text, action, _) = body("Pronim", "2.02", AbrasfOperation::RecepcionarLoteRpsSincrono);
    assert!(text.contains("<e:EnviarLoteRpsSincrono><e:xmlEnvio>"), "{text}");
    assert_eq!(action, "http://tempuri.org/INFSEGeracao/EnviarLoteRpsSincrono");
    let (text, action, _) = body("Coplan", "2.01", AbrasfOperation::RecepcionarLoteRps);
    let nested = "<e:nfse_web_service.RECEPCIONARLOTERPS><e:Recepcionarloterpsrequest><e:nfseCabecMsg>";
    assert!(text.contains(nested), "{text}");
    assert_eq!(action, "Tributarioaction/ANFSE_WEB_SERVICE.RECEPCIONARLOTERPS");
    let (text, action, _) = body("Sintese", "2.04", AbrasfOperation::RecepcionarLoteRpsSincrono);
    assert!(text.contains("<e:EnviarLoteRpsSincronoEnvio><nfseCabecMsg>"), "{text}");
    assert_eq!(action, "http://nfsews.sintesetecnologia.com.br/RecepcionarLoteRpsSincrono");
    let (text, _, _) = body("ISSPortoVelho", "2.00", AbrasfOperation::GerarNfse);
    assert!(text.contains("<e:GerarNfse><e:GerarNfseRequest><nfseCabecMsg>"), "{text}");
    let (text, _, _) = body("Tinus", "2.03", AbrasfOperation::CancelarNfse);
    assert!(text.contains("<Body><x/></Body>"), "{text}");
}
