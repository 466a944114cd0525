//! Stages 1 and 2: certificate of the transmitter, size, form, service state, version, encoding, undue use, schema,
//! namespaces.

use super::{Refusal, ServiceRequest, namespaces, schema};
use crate::credential::CertificateUse;
use crate::dialect::{ServiceKind, TextDefect};
use crate::limits::CallSubject;
use crate::settings::ServiceMode;
use crate::simulator_state::SimulatorState;
use crate::soap;
use fiscal::xml::{Element, Node};

/// A payload that passed the checks common to all services.
pub(crate) struct ServiceMessage {
    /// Root of the payload. Its spans point into the request's body.
    pub(crate) payload: Element,
}

/// Error of a message.
pub(super) enum MessageError {
    /// SOAP Fault.
    Fault(String),
    /// Answered by a code.
    Refused(Refusal),
}

impl From<Refusal> for MessageError {
    fn from(refusal: Refusal) -> MessageError {
        MessageError::Refused(refusal)
    }
}

/// 10 KB (NT 2014.002, 3.9).
const LARGEST_DISTRIBUTION: usize = 10 * 1024;
/// Bytes allowed for the envelope around it.
const ENVELOPE: usize = 2 * 1024;

/// Checks stages 1 and 2; where the manual leaves their order open, it is ours.
pub(super) fn open(world: &SimulatorState, request: &ServiceRequest<'_>) -> Result<ServiceMessage, MessageError> {
    transmitter(world, request)?;
    let largest = if request.place.service == ServiceKind::DistribuicaoDFe {
        LARGEST_DISTRIBUTION
    } else {
        request.place.dialect().largest
    };
    if request.body.len() > largest + ENVELOPE {
        refuse(world, 214)?;
    }
    let encoding_is_utf8 = encoding_is_utf8(request);
    let opened = if encoding_is_utf8 { Some(envelope(request)?) } else { None };
    if !request.is_late_message() {
        service_state(world, request)?;
    }
    let Some(message) = opened else {
        // Without the right encoding no later rule is reliable: 402 is the next one broken.
        return Err(Refusal::new(402).into());
    };
    let padded = message.nodes.iter().any(|node| matches!(node, Node::Text(_)));
    let payload = single_payload(message, request)?;
    if (request.place.dialect().versao_of)(&payload).is_some_and(|versao| versao != request.place.wire.versao) {
        refuse(world, 239)?;
    }
    undue_use(world, request, &payload)?;
    forced(request)?;
    well_shaped(world, request, &payload, padded)?;
    Ok(ServiceMessage { payload })
}

/// Answers the code unless its rule is switched off.
fn refuse(world: &SimulatorState, cStat: u16) -> Result<(), Refusal> {
    match world.settings().first_on(&[cStat]) {
        Some(cStat) => Err(Refusal::new(cStat)),
        None => Ok(()),
    }
}

/// Checks the certificate of the connection.
pub(super) fn transmitter(world: &SimulatorState, request: &ServiceRequest<'_>) -> Result<(), Refusal> {
    let Some(credential) = &request.credential else {
        return Err(Refusal::new(280));
    };
    let faults = credential.faults(CertificateUse::Transmission, request.now, &world.settings().revogados);
    match world.settings().first_on(&faults) {
        Some(cStat) => Err(Refusal::new(cStat)),
        None => Ok(()),
    }
}

/// True when the declaration of the message, the header, and the bytes themselves agree with UTF-8.
fn encoding_is_utf8(request: &ServiceRequest<'_>) -> bool {
    let is_utf8 = |name: &str| name.trim_matches(['"', '\'', ' ']).eq_ignore_ascii_case("utf-8");
    let charset = request.content_type.split(';').find_map(|part| part.trim().strip_prefix("charset="));
    let declared = request
        .body
        .strip_prefix(b"<?xml")
        .and_then(|rest| rest.split(|byte| *byte == b'>').next())
        .and_then(|declaration| std::str::from_utf8(declaration).ok())
        .and_then(|declaration| declaration.split_once("encoding=")?.1.split('?').next());
    charset.is_none_or(is_utf8)
        && declared.is_none_or(|declared| is_utf8(declared.split(' ').next().unwrap_or(declared)))
        && std::str::from_utf8(request.body).is_ok()
}

fn envelope(request: &ServiceRequest<'_>) -> Result<Element, MessageError> {
    match soap::open(request.body, &request.place) {
        Ok(envelope) => Ok(envelope.message),
        Err(soap::EnvelopeError::Fault(reason)) => Err(MessageError::Fault(reason)),
        Err(soap::EnvelopeError::Malformed) => {
            // Without a tree nothing else can be checked, so this rule cannot be switched off.
            Err(Refusal::new(243).into())
        }
    }
}

fn service_state(world: &SimulatorState, request: &ServiceRequest<'_>) -> Result<(), Refusal> {
    let Some(at) = world.settings().mode(&request.place).cloned() else { return Ok(()) };
    match at.modo {
        ServiceMode::ParalisadoMomentaneamente => Err(Refusal { retorno_s: at.retorno_s, ..Refusal::new(108) }),
        ServiceMode::ParalisadoSemPrevisao => Err(Refusal::new(109)),
        // Documents of an SVC are queried and cancelled there at any time (MOC 7.0, anexo III, 2.1.3.4).
        ServiceMode::SvcDesabilitada
            if matches!(request.place.service, ServiceKind::Autorizacao | ServiceKind::StatusServico) =>
        {
            Err(Refusal::new(114))
        }
        ServiceMode::SvcDesabilitada | ServiceMode::Normal | ServiceMode::SvcEmDesativacao => Ok(()),
    }
}

/// The root of the payload, which must be the expected one.
fn single_payload(message: Element, request: &ServiceRequest<'_>) -> Result<Element, Refusal> {
    let wrong = request.place.dialect().shape_codes(request.place.service).root;
    let mut children = soap::children(message);
    match (children.next(), children.next()) {
        (Some(payload), None) if payload.name == request.place.wire.request => Ok(payload),
        _ => Err(Refusal::new(wrong)),
    }
}

/// Counts calls that are limited before the document is looked at; rejections are counted where they arise.
fn undue_use(world: &SimulatorState, request: &ServiceRequest<'_>, payload: &Element) -> Result<(), Refusal> {
    // Each authority counts for itself, and each of its addresses.
    let authority = format!("{} {}", request.place.family.segment, request.place.authority.segment());
    let about = match request.place.service {
        ServiceKind::ConsultaProtocolo => payload.text_at("chNFe").or_else(|| payload.text_at("chCTe")),
        ServiceKind::RetAutorizacao => payload.text_at("nRec"),
        ServiceKind::StatusServico | ServiceKind::Inutilizacao | ServiceKind::ConsultaCadastro => {
            Some(authority.as_str())
        }
        ServiceKind::Autorizacao | ServiceKind::RecepcaoEvento | ServiceKind::DistribuicaoDFe => return Ok(()),
    };
    let subject = CallSubject {
        transmitter: request.transmitter().to_owned(),
        service: request.place.service,
        about: about.unwrap_or("").to_owned(),
    };
    let limited = world.settings().limites;
    if limited && world.limits().exceeded(subject, request.now.as_second()) {
        refuse(world, request.place.dialect().undue_use)?;
    }
    Ok(())
}

/// A scripted code of the message as a whole; a document's own code waits until the document is checked.
fn forced(request: &ServiceRequest<'_>) -> Result<(), Refusal> {
    match request.scripted_code() {
        Some(cStat)
            if (request.place.dialect().of_the_message)(cStat) || request.place.service != ServiceKind::Autorizacao =>
        {
            Err(Refusal::new(cStat))
        }
        _ => Ok(()),
    }
}

fn well_shaped(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    payload: &Element,
    padded: bool,
) -> Result<(), Refusal> {
    let dialect = request.place.dialect();
    let codes = dialect.shape_codes(request.place.service);
    if (dialect.versao_of)(payload).is_none() {
        return Err(Refusal::new(codes.versao));
    }
    if let Some(fault) = schema::first_fault(&request.place, payload)
        && world.settings().first_on(&[codes.layout]).is_some()
    {
        return Err(Refusal::with(codes.layout, format!(": {fault}")));
    }
    let text = request.body.get(payload.span.clone()).unwrap_or_default();
    let found = namespaces::scan(text, dialect.namespace);
    for (form, cStat) in dialect.form {
        let broken = match form {
            TextDefect::Prefixed => found.prefixed,
            TextDefect::Foreign => found.foreign,
            TextDefect::Blanks => found.blanks || padded,
        };
        if broken {
            refuse(world, cStat)?;
        }
    }
    Ok(())
}
