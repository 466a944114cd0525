//! SOAP 1.2 of the authorities: the envelopes of requests and replies, faults, WSDL.
//!
//! Law: MOC 7.0 visão geral, 3.4; MOC CT-e 4.00 visão geral, 3.4.
//! Must not know: the meaning of the messages.

use crate::dialect::ServiceKind;
use crate::faults::FaultType;
use crate::service_address::ServiceAddress;
use base64::Engine as _;
use fiscal::xml::{self, Element};

const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// Error of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EnvelopeError {
    /// Not well-formed: the authorities answer this by a code, not by a fault.
    Malformed,
    /// SOAP Fault; Portuguese.
    Fault(String),
}

/// The payload of a request: the children of `nfeDadosMsg` or `cteDadosMsg`.
pub(crate) struct RequestEnvelope {
    /// The element `nfeDadosMsg` or `cteDadosMsg`.
    pub(crate) message: Element,
}

/// Reads the envelope of a service.
pub(crate) fn open(body: &[u8], place: &ServiceAddress) -> Result<RequestEnvelope, EnvelopeError> {
    let envelope = xml::read(body).map_err(|_| EnvelopeError::Malformed)?;
    if envelope.name != "Envelope" || envelope.namespace != SOAP12 {
        return Err(EnvelopeError::Fault("esperado um Envelope SOAP 1.2".to_owned()));
    }
    let Some(mut content) = take_child(envelope, "Body").and_then(first_child) else {
        return Err(EnvelopeError::Fault("o Body do envelope está vazio".to_owned()));
    };
    // The distribution names its operation around the message; Mato Grosso accepts a second wrapper in its register.
    let (service, wire, dialect) = (place.service, place.wire, place.dialect());
    let operation = service == ServiceKind::DistribuicaoDFe && content.name == wire.operation;
    let twice = service == ServiceKind::ConsultaCadastro && content.child(dialect.data).is_some();
    if (operation || twice)
        && let Some(inner) = first_child(content.clone())
    {
        content = inner;
    } else if service == ServiceKind::DistribuicaoDFe {
        return Err(EnvelopeError::Fault(format!("esperado {} no Body", wire.operation)));
    }
    if content.name != dialect.data || content.namespace != dialect.wsdl(wire) {
        return Err(EnvelopeError::Fault(format!("operação desconhecida: {{{}}}{}", content.namespace, content.name)));
    }
    Ok(RequestEnvelope { message: content })
}

fn take_child(element: Element, name: &str) -> Option<Element> {
    children(element).find(|child| child.name == name)
}

fn first_child(element: Element) -> Option<Element> {
    children(element).next()
}

/// The child elements, by value.
pub(crate) fn children(element: Element) -> impl Iterator<Item = Element> {
    element.nodes.into_iter().filter_map(|node| match node {
        xml::Node::Element(child) => Some(*child),
        xml::Node::Text(_) => None,
    })
}

/// True when the `action` of a Content-Type is of this service, or absent.
pub(crate) fn action_is_of(content_type: &str, place: &ServiceAddress) -> bool {
    let Some((_, action)) = content_type.split_once("action=") else { return true };
    let action = action.split(';').next().unwrap_or("").trim().trim_matches('"');
    let wire = place.wire;
    let operation = action.strip_prefix(&place.dialect().wsdl(wire)).and_then(|rest| rest.strip_prefix('/'));
    match operation {
        // The operation of the Ambiente Nacional ends in "NF"; a trailing "Async" or another case does not pass.
        Some(operation) => {
            operation == wire.operation
                || operation == format!("{}NF", wire.operation)
                || wire.other_action == Some(operation)
        }
        None => action.is_empty(),
    }
}

/// The reply around a payload; a fault may distort its form, never its content.
pub(crate) fn reply(place: &ServiceAddress, payload: &str, form: Option<FaultType>) -> Vec<u8> {
    let namespace = place.dialect().wsdl(place.wire);
    if place.service == ServiceKind::DistribuicaoDFe {
        return distribution_reply(place.wire.operation, &namespace, payload, form);
    }
    let result = result_of(place);
    match form {
        Some(FaultType::Prefixed) => format!(
            "<env:Envelope xmlns:env=\"{SOAP12}\"><env:Body><ns2:{result} xmlns:ns2=\"{namespace}\">{payload}\
             </ns2:{result}></env:Body></env:Envelope>"
        )
        .into_bytes(),
        Some(FaultType::Whitespace) => format!(
            "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<soap:Envelope xmlns:soap=\"{SOAP12}\">\r\n  <soap:Body>\r\n    \
             <{result} xmlns=\"{namespace}\">\r\n      {payload}\r\n    </{result}>\r\n  </soap:Body>\r\n</soap:Envelope>\r\n"
        )
        .into_bytes(),
        Some(FaultType::Cdata) => enveloped(&result, &namespace, &format!("<![CDATA[{payload}]]>")).into_bytes(),
        Some(FaultType::Iso88591) => {
            latin1(&enveloped(&result, &namespace, payload).replacen("utf-8", "ISO-8859-1", 1))
        }
        _ => enveloped(&result, &namespace, payload).into_bytes(),
    }
}

/// The element around an answer.
fn result_of(place: &ServiceAddress) -> String {
    let of_operation = || format!("{}Result", place.wire.operation);
    place.dialect().result.map_or_else(of_operation, str::to_owned)
}

/// The Ambiente Nacional wraps its answer in two elements of its own.
fn distribution_reply(operation: &str, namespace: &str, payload: &str, form: Option<FaultType>) -> Vec<u8> {
    let payload = match form {
        Some(FaultType::Cdata) => format!("<![CDATA[{payload}]]>"),
        _ => payload.to_owned(),
    };
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"{SOAP12}\"><soap:Body>\
         <{operation}Response xmlns=\"{namespace}\"><{operation}Result>{payload}</{operation}Result></{operation}Response></soap:Body>\
         </soap:Envelope>"
    );
    match form {
        Some(FaultType::Iso88591) => latin1(&text.replacen("utf-8", "ISO-8859-1", 1)),
        _ => text.into_bytes(),
    }
}

fn enveloped(result: &str, namespace: &str, content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"{SOAP12}\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><soap:Body>\
         <{result} xmlns=\"{namespace}\">{content}</{result}></soap:Body></soap:Envelope>"
    )
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect()
}

/// A fault of the sender (`soap:Sender`) or of the server (`soap:Receiver`).
pub(crate) fn fault(code: &str, reason: &str) -> Vec<u8> {
    let reason = escaped(reason);
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"{SOAP12}\"><soap:Body><soap:Fault><soap:Code>\
         <soap:Value>soap:{code}</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"pt-BR\">{reason}</soap:Text></soap:Reason>\
         </soap:Fault></soap:Body></soap:Envelope>"
    )
    .into_bytes()
}

/// Text for an element, within the limits of `TString` and `TMotivo` of the schemas: Latin-1, no blanks at the ends,
/// 255 characters.
pub(crate) fn motivo_text(text: &str) -> String {
    let plain: String = text
        .replace(['\u{2013}', '\u{2014}'], "-")
        .replace(['\u{201c}', '\u{201d}'], "\"")
        .chars()
        .map(|character| match character {
            ' '..='~' | '\u{a1}'..='\u{ff}' => character,
            character if character.is_whitespace() => ' ',
            _ => '?',
        })
        .take(255)
        .collect();
    escaped(plain.trim())
}

/// Escapes text as C14N does.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\r', "&#xD;")
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// A minimal WSDL of our own: the message elements, the operation, the SOAP 1.2 binding and the address.
pub(crate) fn wsdl(place: &ServiceAddress, address: &str) -> String {
    let (namespace, name, operation) = (place.dialect().wsdl(place.wire), place.wire.name, place.wire.operation);
    let (data, result) = (place.dialect().data, result_of(place));
    let element = |name: &str| {
        format!(
            "<s:element name=\"{name}\"><s:complexType mixed=\"true\"><s:sequence><s:any/></s:sequence></s:complexType></s:element>"
        )
    };
    let body = "<soap12:body use=\"literal\"/>";
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><wsdl:definitions xmlns:wsdl=\"http://schemas.xmlsoap.org/wsdl/\" \
         xmlns:soap12=\"http://schemas.xmlsoap.org/wsdl/soap12/\" xmlns:s=\"http://www.w3.org/2001/XMLSchema\" xmlns:tns=\"{namespace}\" \
         targetNamespace=\"{namespace}\"><wsdl:types><s:schema elementFormDefault=\"qualified\" targetNamespace=\"{namespace}\">{}{}\
         </s:schema></wsdl:types><wsdl:message name=\"{operation}In\"><wsdl:part name=\"{data}\" element=\"tns:{data}\"/>\
         </wsdl:message><wsdl:message name=\"{operation}Out\"><wsdl:part name=\"{result}\" element=\"tns:{result}\"/></wsdl:message>\
         <wsdl:portType name=\"{name}Soap12\"><wsdl:operation name=\"{operation}\"><wsdl:input message=\"tns:{operation}In\"/>\
         <wsdl:output message=\"tns:{operation}Out\"/></wsdl:operation></wsdl:portType><wsdl:binding name=\"{name}Soap12\" \
         type=\"tns:{name}Soap12\"><soap12:binding transport=\"http://schemas.xmlsoap.org/soap/http\"/><wsdl:operation name=\"{operation}\">\
         <soap12:operation soapAction=\"{namespace}/{operation}\" style=\"document\"/><wsdl:input>{body}</wsdl:input><wsdl:output>{body}\
         </wsdl:output></wsdl:operation></wsdl:binding><wsdl:service name=\"{name}\"><wsdl:port name=\"{name}Soap12\" \
         binding=\"tns:{name}Soap12\"><soap12:address location=\"{address}\"/></wsdl:port></wsdl:service></wsdl:definitions>",
        element(data),
        element(&result),
    )
}
