//! The SOAP services of the authorities, in the order of checks of the manuals. Those of NF-e and NFC-e are here, those
//! of the CT-e in `cte`; shared checks (message, signature, duplicates) read the dialect.
//!
//! Law: MOC 7.0 visão geral (5) and anexo I (rules); where the text leaves the order open, it is ours.

mod authorize;
mod cadastro;
mod cte;
mod distribution;
mod document_checks;
pub(crate) mod event;
mod federal_register;
mod message;
mod namespaces;
mod protocol_leaves;
pub(crate) mod qr;
mod query;
mod receipt;
mod register_search;
mod registry;
mod schema;
mod settle;
mod status;
mod stored;
mod void;
pub(crate) mod zip;

use crate::credential::CertificateFacts;
use crate::dialect::{DialectKind, ServiceKind};
use crate::faults::{DrawnFaults, FaultType};
use crate::service_address::ServiceAddress;
use crate::simulator_state::SimulatorState;
use crate::soap;
use jiff::Timestamp;
use std::sync::Arc;

use message::ServiceMessage;

/// A request as it came over the wire.
pub(crate) struct ServiceRequest<'a> {
    pub(crate) place: ServiceAddress,
    pub(crate) content_type: &'a str,
    /// Unpacked, when it came packed.
    pub(crate) body: &'a [u8],
    /// Error of the unpacking.
    pub(crate) unpacking: Option<zip::UnpackError>,
    /// The TLS certificate, if any.
    pub(crate) credential: Option<Arc<CertificateFacts>>,
    pub(crate) now: Timestamp,
    pub(crate) drawn: &'a DrawnFaults,
}

impl ServiceRequest<'_> {
    pub(crate) fn transmitter(&self) -> &str {
        self.credential.as_ref().map_or("", |credential| credential.holder())
    }
    fn dh(&self) -> String {
        crate::clock::format_instant(self.now, self.place.authority.offset_hours())
    }
    fn scripted_code(&self) -> Option<u16> {
        let fault = self.drawn.fault.as_ref()?;
        (fault.tipo == FaultType::Cstat).then_some(fault.cStat).flatten()
    }
    /// True for a late message, accepted earlier: the state of the service no longer counts.
    fn is_late_message(&self) -> bool {
        self.fault() == Some(FaultType::Late)
    }
    fn fault(&self) -> Option<FaultType> {
        self.drawn.kind()
    }
}

/// A refusal: the code, and the addition to its official text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) cStat: u16,
    /// The rule's own text: some codes have two.
    pub(crate) text: Option<&'static str>,
    pub(crate) extra: String,
    /// Seconds until the service expects to be back, for 108.
    pub(crate) retorno_s: Option<i64>,
}

impl Refusal {
    pub(crate) fn new(cStat: u16) -> Refusal {
        Refusal { cStat, text: None, extra: String::new(), retorno_s: None }
    }
    pub(crate) fn with(cStat: u16, extra: impl Into<String>) -> Refusal {
        Refusal { extra: extra.into(), ..Refusal::new(cStat) }
    }
    /// `xMotivo`, escaped and within the limits of the schema.
    pub(crate) fn xMotivo(&self) -> String {
        let text = self.text.or_else(|| fiscal::cstat::motivo(self.cStat));
        self.worded(text.unwrap_or("Rejeição: simulada"))
    }
    /// `xMotivo` in the words of a family.
    pub(crate) fn xMotivo_in(&self, place: &ServiceAddress) -> String {
        let text = self.text.or_else(|| (place.dialect().motivo)(self.cStat));
        self.worded(text.unwrap_or("Rejeição: simulada"))
    }
    /// `xMotivo` in the words of a service: 618 names other models in an event (MOC 7.0 visão geral, 5.8) and in the
    /// distribution (NT 2014.002).
    pub(crate) fn xMotivo_of(&self, service: ServiceKind) -> String {
        match (self.cStat, service) {
            (618, ServiceKind::RecepcaoEvento) => {
                self.worded("Rejeição: Chave de Acesso inválida (modelo diferente de 55/65)")
            }
            (618, ServiceKind::DistribuicaoDFe) => {
                self.worded("Rejeição: Chave de Acesso inválida (modelo diferente de 55)")
            }
            _ => self.xMotivo(),
        }
    }
    fn worded(&self, text: &str) -> String {
        let separator = if self.extra.starts_with('[') { " " } else { "" };
        soap::motivo_text(&format!("{text}{separator}{}", self.extra))
    }
}

/// Answer of a service.
#[derive(Debug, Default)]
pub(crate) struct ServiceAnswer {
    pub(crate) xml: String,
    /// The code that decided.
    pub(crate) cStat: u16,
    /// Keys that the request was about.
    pub(crate) chaves: Vec<String>,
}

/// Name and version of the application, as `verAplic`.
pub(crate) const VER_APLIC: &str = "SIM_1.0";
pub(crate) const NFE: &str = "http://www.portalfiscal.inf.br/nfe";

/// Answers a request; `Err` is the Portuguese reason of a SOAP Fault.
pub(crate) fn answer(world: &SimulatorState, request: &ServiceRequest<'_>) -> Result<ServiceAnswer, String> {
    let answered = match opened(world, request) {
        Ok(message) => match request.place.dialect().kind {
            DialectKind::Nfe => nfe_answer(world, request, &message),
            DialectKind::Cte => cte::answer(world, request, &message),
        },
        Err(message::MessageError::Fault(reason)) => return Err(reason),
        Err(message::MessageError::Refused(refusal)) => Err(refusal),
    };
    Ok(answered.unwrap_or_else(|refusal| match request.place.dialect().kind {
        DialectKind::Nfe => nfe_refused(request, &refusal),
        DialectKind::Cte => cte::refused(request, &refusal),
    }))
}

fn opened(world: &SimulatorState, request: &ServiceRequest<'_>) -> Result<ServiceMessage, message::MessageError> {
    match request.unpacking {
        Some(zip::UnpackError(cStat)) => {
            message::transmitter(world, request)?;
            Err(Refusal::new(cStat).into())
        }
        None => message::open(world, request),
    }
}

/// The services of NF-e and NFC-e.
fn nfe_answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    match request.place.service {
        ServiceKind::Autorizacao => authorize::answer(world, request, message),
        ServiceKind::RetAutorizacao => receipt::answer(world, request, message),
        ServiceKind::ConsultaProtocolo => query::answer(world, request, message),
        ServiceKind::StatusServico => status::answer(world, request, message),
        ServiceKind::Inutilizacao => void::answer(world, request, message),
        ServiceKind::RecepcaoEvento => event::answer(world, request, message),
        ServiceKind::ConsultaCadastro => cadastro::answer(world, request, message),
        ServiceKind::DistribuicaoDFe => distribution::answer(world, request, message),
    }
}

/// The reply of a service of the NF-e that looked at no document.
fn nfe_refused(request: &ServiceRequest<'_>, refusal: &Refusal) -> ServiceAnswer {
    let (place, xMotivo) = (request.place, refusal.xMotivo());
    let (tpAmb, cUF, dh, code) = (place.ambiente.code(), place.authority.cUF(), request.dh(), refusal.cStat);
    let status = format!("<cStat>{code}</cStat><xMotivo>{xMotivo}</xMotivo>");
    let head = format!("<tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic>");
    let content = match place.service {
        ServiceKind::Autorizacao => format!("{head}{status}<cUF>{cUF}</cUF><dhRecbto>{dh}</dhRecbto>"),
        ServiceKind::StatusServico => {
            format!("{head}{status}<cUF>{cUF}</cUF><dhRecbto>{dh}</dhRecbto>{}", status::dhRetorno(request, refusal))
        }
        ServiceKind::RetAutorizacao => {
            let nRec =
                text_between(request.body, "<nRec>").filter(|nRec| nRec.len() == 15).unwrap_or("000000000000000");
            format!("{head}<nRec>{nRec}</nRec>{status}<cUF>{cUF}</cUF><dhRecbto>{dh}</dhRecbto>")
        }
        ServiceKind::ConsultaProtocolo => {
            let chave = text_between(request.body, "<chNFe>").filter(|chave| is_key_shaped(chave));
            let chNFe = chave.map_or_else(|| "0".repeat(44), str::to_owned);
            format!("{head}{status}<cUF>{cUF}</cUF><dhRecbto>{dh}</dhRecbto><chNFe>{chNFe}</chNFe>")
        }
        ServiceKind::Inutilizacao => {
            format!("<infInut>{head}{status}<cUF>{cUF}</cUF><dhRecbto>{dh}</dhRecbto></infInut>")
        }
        ServiceKind::RecepcaoEvento => {
            let idLote = text_between(request.body, "<idLote>")
                .filter(|id| (1..=15).contains(&id.len()) && id.bytes().all(|digit| digit.is_ascii_digit()))
                .unwrap_or("0");
            format!("<idLote>{idLote}</idLote>{head}<cOrgao>{cUF}</cOrgao>{status}")
        }
        ServiceKind::ConsultaCadastro => cadastro::refused(request, &status),
        ServiceKind::DistribuicaoDFe => distribution::refused(request, &status),
    };
    ServiceAnswer { xml: root(&place, &content), cStat: code, chaves: Vec::new() }
}

/// The root element of a service's reply around its content.
fn root(place: &ServiceAddress, content: &str) -> String {
    let (name, versao, namespace) = (place.wire.reply, place.wire.versao, place.dialect().namespace);
    format!("<{name} xmlns=\"{namespace}\" versao=\"{versao}\">{content}</{name}>")
}

/// The text after a start tag, in a request that need not be well-formed: replies repeat some of its fields.
fn text_between<'a>(body: &'a [u8], tag: &str) -> Option<&'a str> {
    let at = body.windows(tag.len()).position(|window| window == tag.as_bytes())? + tag.len();
    let rest = body.get(at..)?;
    let end = rest.iter().position(|byte| *byte == b'<')?;
    std::str::from_utf8(rest.get(..end)?).ok()
}

/// The shape `TChNFe` of the schemas.
fn is_key_shaped(chave: &str) -> bool {
    chave.len() == 44
        && chave.bytes().enumerate().all(|(at, byte)| match at {
            6..=17 => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_618_are_those_of_the_service() {
        for (service, models) in [
            (ServiceKind::ConsultaProtocolo, "(modelo diferente de 55 e 65)"),
            (ServiceKind::RecepcaoEvento, "(modelo diferente de 55/65)"),
            (ServiceKind::DistribuicaoDFe, "(modelo diferente de 55)"),
        ] {
            let said = Refusal::new(618).xMotivo_of(service);
            assert_eq!(said, format!("Rejeição: Chave de Acesso inválida {models}"));
        }
        assert_eq!(Refusal::new(217).xMotivo_of(ServiceKind::RecepcaoEvento), Refusal::new(217).xMotivo());
    }
}
