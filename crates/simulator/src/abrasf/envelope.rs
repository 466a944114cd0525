//! SOAP of the providers: 1.1 or 1.2, a message as text (CDATA or escaped: one infoset) or as elements, a header beside
//! it, in the SOAP header, or none.
//!
//! Law: SOAP 1.1 of 2000-05-08, SOAP 1.2 part 1; the rows of `provider`.

use super::address::MunicipalAddress;
use super::operation::AbrasfService;
use super::provider::ProviderServer;
use crate::faults::FaultType;
use crate::soap::{children, escaped};
use fiscal::xml::{self, Element, SharedName};
use std::fmt::Write as _;

const SOAP11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// HTTP request around an envelope.
pub(super) struct HttpEnvelope<'a> {
    pub(super) content_type: &'a str,
    /// Header `SOAPAction`.
    pub(super) action: Option<&'a str>,
    pub(super) body: &'a [u8],
    /// Address of the call.
    pub(super) url: &'a str,
}

/// Message of an envelope.
#[derive(Debug)]
pub(super) struct EnvelopeMessage {
    pub(super) operation: AbrasfService,
    pub(super) root: Element,
    /// The text that the spans of `root` point into: the message alone, or the envelope where the message is part of it
    /// as elements.
    pub(super) source: String,
    /// Values of the elements with credentials, in their order.
    pub(super) credentials: Vec<String>,
}

/// Content type of an envelope of this provider.
pub(super) fn content_type(hall: &ProviderServer) -> &'static str {
    if hall.is_soap12() { "application/soap+xml; charset=utf-8" } else { "text/xml; charset=utf-8" }
}

/// Reads an envelope; `Err` is the reason of a SOAP fault.
pub(super) fn open(address: &MunicipalAddress, letter: &HttpEnvelope<'_>) -> Result<EnvelopeMessage, String> {
    let hall = address.server;
    let source = std::str::from_utf8(letter.body).map_err(|_| "o envelope não está em UTF-8".to_owned())?;
    let envelope = xml::read(letter.body).map_err(|error| error.to_string())?;
    let expected = if hall.is_soap12() { SOAP12 } else { SOAP11 };
    if envelope.name != "Envelope" || envelope.namespace != expected {
        return Err(format!("esperado um Envelope em {expected}"));
    }
    if hall.cabecalho_soap {
        let header = envelope.child("Header").and_then(|header| header.child("cabecalho"));
        version_of(header.ok_or("falta cabecalho em soap:Header")?, hall)?;
    }
    let content =
        envelope.child("Body").and_then(|body| body.children().next()).ok_or("o Body do envelope está vazio")?;
    let (operation, request) = operation_of(address, content, letter.url)?;
    let action = action_of(hall, letter);
    if !hall.accepts_action(action.trim_matches('"'), operation, letter.url) {
        return Err(format!("SOAPAction {action:?} não é de {}", operation.name()));
    }
    let (root, text) = arguments(address, request, operation, letter.url)?;
    let credentials =
        hall.credenciais.iter().map(|name| request.text_at(name).unwrap_or_default().to_owned()).collect();
    let source = text.unwrap_or_else(|| source.to_owned());
    if root.name != format!("{}Envio", operation.message()).as_str() {
        return Err(format!("a mensagem é {}, esperada {}Envio", root.name, operation.message()));
    }
    if root.namespace != hall.dados.as_str() {
        return Err(format!("a mensagem está no namespace {:?}, esperado {:?}", root.namespace.as_str(), hall.dados));
    }
    Ok(EnvelopeMessage { operation, root, source, credentials })
}

fn action_of<'a>(hall: &ProviderServer, letter: &HttpEnvelope<'a>) -> &'a str {
    if hall.is_soap12() {
        let after = letter.content_type.split_once("action=").map_or("", |(_, after)| after);
        return after.split(';').next().unwrap_or("").trim();
    }
    letter.action.unwrap_or_default().trim()
}

/// The operation of these wrappers, and the innermost wrapper.
fn operation_of<'e>(
    address: &MunicipalAddress,
    content: &'e Element,
    url: &str,
) -> Result<(AbrasfService, &'e Element), String> {
    let hall = address.server;
    let namespace = hall.namespace(url, address.ambiente);
    for operation in AbrasfService::ALL.into_iter().filter(|operation| hall.has(*operation)) {
        let wrappers = hall.wrappers(operation);
        let mut at = content;
        let mut names = wrappers.iter();
        if names.next().is_none_or(|name| content.name != name.as_str()) {
            continue;
        }
        for name in names {
            at = at.child(name).ok_or_else(|| format!("falta {name} em {}", at.name))?;
        }
        if namespace.as_deref().is_some_and(|namespace| content.namespace != namespace || at.namespace != namespace) {
            let expected = namespace.unwrap_or_default();
            return Err(format!(
                "{} está no namespace {:?}, esperado {expected:?}",
                content.name,
                content.namespace.as_str()
            ));
        }
        return Ok((operation, at));
    }
    Err(format!("operação desconhecida: {}", content.name))
}

/// Placeholder of the message itself among the arguments.
const DOCUMENT: &str = "(documento)";

/// The message within its wrapper, and its text when it came as text.
fn arguments(
    address: &MunicipalAddress,
    request: &Element,
    operation: AbrasfService,
    url: &str,
) -> Result<(Element, Option<String>), String> {
    let hall = address.server;
    let root = format!("{}Envio", operation.message());
    if hall.argumentos.first().is_some_and(|argument| argument == DOCUMENT) {
        let inside = request.child(&root);
        // A wrapper with the name of the message may be the message itself, alone in the Body.
        let alone = (request.name == root.as_str()).then_some(request);
        let message = inside.or(alone).ok_or_else(|| format!("falta {root} em {}", request.name))?;
        return Ok((message.clone(), None));
    }
    let expected: Vec<String> = hall.argumentos.iter().map(|name| hall.filled(name, operation)).collect();
    let found: Vec<&str> = request.children().map(|child| child.name.as_str()).collect();
    if found != expected {
        return Err(format!("argumentos {found:?}, esperados {expected:?}"));
    }
    let of_arguments = if hall.qualificados { hall.namespace(url, address.ambiente) } else { Some(String::new()) };
    for argument in request.children() {
        if of_arguments.as_deref().is_some_and(|namespace| argument.namespace != namespace) {
            return Err(format!("{} está no namespace {:?}", argument.name, argument.namespace.as_str()));
        }
    }
    let (first, last) = (request.children().next(), request.children().last());
    if let (Some(first), true) = (first, expected.len() > 1) {
        let header = content_of(hall, first)?;
        version_of(&header.0, hall)?;
    }
    content_of(hall, last.ok_or("falta a mensagem")?)
}

/// Content of an argument: an element, or the document in its text.
fn content_of(hall: &ProviderServer, argument: &Element) -> Result<(Element, Option<String>), String> {
    if hall.arvore {
        let inside = children(argument.clone()).next();
        return inside.map(|inside| (inside, None)).ok_or_else(|| format!("{} não contém elementos", argument.name));
    }
    let text: String = argument
        .nodes
        .iter()
        .filter_map(|node| if let xml::Node::Text(text) = node { Some(text.as_str()) } else { None })
        .collect();
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("{} não contém texto", argument.name));
    }
    let element = xml::read(text.as_bytes()).map_err(|error| format!("{}: {error}", argument.name))?;
    Ok((element, Some(text.to_owned())))
}

fn version_of(header: &Element, hall: &ProviderServer) -> Result<(), String> {
    let stated = header.text_at("versaoDados").unwrap_or_default();
    match &hall.versao_dados {
        Some(expected) if header.name != "cabecalho" || stated != expected => {
            Err(format!("cabecalho com versaoDados {stated:?}, esperado {expected:?}"))
        }
        _ => Ok(()),
    }
}

/// The envelope around the answer to an operation; a fault may distort its form, never its content.
pub(super) fn reply(
    address: &MunicipalAddress,
    operation: AbrasfService,
    answer: &str,
    url: &str,
    form: Option<FaultType>,
) -> String {
    let hall = address.server;
    let content = match form {
        _ if hall.arvore => answer.to_owned(),
        Some(FaultType::Cdata) => format!("<![CDATA[{answer}]]>"),
        Some(FaultType::Whitespace) => {
            escaped(&format!("\r\n<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n{answer}\r\n"))
        }
        _ => escaped(answer),
    };
    let name = hall.wrappers(operation).pop().unwrap_or_default();
    let name = name.strip_suffix("Request").unwrap_or(&name);
    let result = if hall.arvore {
        content
    } else {
        let result = result_of(hall, operation);
        // The argument has no namespace: that of the wrapper is reset.
        let own = if hall.qualificados { "" } else { " xmlns=\"\"" };
        format!("<{result}{own}>{content}</{result}>")
    };
    let namespace = hall.namespace(url, address.ambiente).unwrap_or_else(|| hall.dados.clone());
    let (prefix, soap) = match form {
        Some(FaultType::Prefixed) => ("SOAP-ENV", version(hall)),
        _ => ("soap", version(hall)),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><{prefix}:Envelope xmlns:{prefix}=\"{soap}\"><{prefix}:Body><{name}Response xmlns=\"{namespace}\">\
         {result}</{name}Response></{prefix}:Body></{prefix}:Envelope>"
    )
}

/// Element around answers: `outputXML` of ABRASF, `return` of Java, `…Result` of .NET.
fn result_of(hall: &ProviderServer, operation: AbrasfService) -> String {
    let name = hall.filled("{Op}", operation);
    match hall.argumentos.as_slice() {
        [first, _] if first == "nfseCabecMsg" => "outputXML".to_owned(),
        _ if hall.qualificados => format!("{name}Result"),
        _ => "return".to_owned(),
    }
}

fn version(hall: &ProviderServer) -> &'static str {
    if hall.is_soap12() { SOAP12 } else { SOAP11 }
}

/// A SOAP fault with its reason.
pub(super) fn fault(hall: &ProviderServer, reason: &str) -> String {
    let (soap, reason) = (version(hall), escaped(reason));
    let inside = if hall.is_soap12() {
        format!(
            "<soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"pt-BR\">{reason}</soap:Text></soap:Reason>"
        )
    } else {
        format!("<faultcode>soap:Server</faultcode><faultstring>{reason}</faultstring>")
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"{soap}\"><soap:Body><soap:Fault>{inside}</soap:Fault></soap:Body>\
         </soap:Envelope>"
    )
}

/// Writes an element without prefixes, with its namespace where it differs from the one around it.
pub(super) fn write_unprefixed(element: &Element, around: &str, out: &mut String) {
    let name: &SharedName = &element.name;
    let _ = write!(out, "<{name}");
    if element.namespace != around {
        let _ = write!(out, " xmlns=\"{}\"", quoted(element.namespace.as_str()));
    }
    for (key, value) in element.attributes.iter().filter(|(key, _)| !key.starts_with('{')) {
        let _ = write!(out, " {key}=\"{}\"", quoted(value));
    }
    out.push('>');
    for node in &element.nodes {
        match node {
            xml::Node::Element(child) => write_unprefixed(child, element.namespace.as_str(), out),
            xml::Node::Text(text) => out.push_str(&escaped(text)),
        }
    }
    let _ = write!(out, "</{name}>");
}

fn quoted(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}
