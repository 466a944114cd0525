//! Faults: kind, place and number of repetitions, and those of one request. The script that draws them is in `script`.
//!
//! Must not know: the content of documents.

mod chance;
pub mod script;

pub(crate) use chance::SeededRandom;

use crate::dialect::{ServiceKind, ServiceWire};
use crate::visibility::QueryVisibility;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultType {
    /// Waits `ms` before anything else.
    Latency,
    /// The connection is reset before the handshake; open ones are closed when the fault is added.
    Refuse,
    /// The connection is accepted and answers bytes that are no TLS.
    TlsFailure,
    /// The request is read, nothing is processed, the connection is reset.
    ResetBefore,
    /// The request is processed, the connection is reset without an answer.
    ResetAfter,
    /// Registrations only: the request is read, the connection is reset at once, the message is processed `ms` later in
    /// whatever state the service is then.
    Late,
    /// Processed; half of the answer is sent, then the connection is reset.
    HalfReply,
    /// Not processed; HTTP `status` (403, 404, 500, 503…) with an HTML body.
    HttpStatus,
    /// Not processed; 200 without a body.
    #[serde(rename = "empty_200")]
    Empty200,
    /// Not processed; SOAP Fault with HTTP 500, with a reason of `bytes` bytes.
    SoapFault,
    /// Processed; the answer is bytes without meaning.
    Garbage,
    /// Processed; the answer is in ISO-8859-1, and declares it.
    #[serde(rename = "iso_8859_1")]
    Iso88591,
    /// Processed; SOAP and the result element carry unusual prefixes.
    Prefixed,
    /// Processed; XML declaration, byte order mark and line breaks around the payload.
    Whitespace,
    /// Processed; the payload comes as text inside CDATA.
    Cdata,
    /// Processed; the protocol of the answer carries another digVal, the NFS-e a DPS of another digest.
    WrongDigval,
    /// Processed; the protocol of the answer carries no digVal, the NFS-e a DPS without its signature.
    NoDigval,
    /// Authorisation of a SEFAZ only: processed; where it succeeds, the protocol carries `cStat`, not the usual code.
    OddSuccess,
    /// Authorisation of a SEFAZ only: processed; where it succeeds, the protocol carries a number with markup and dots.
    OddProtocol,
    /// Processed; the answer names another document: a stored one of the issuer, else the next number. With `cStat`
    /// (`codigo` of the NFS-e) it is that refusal of it.
    OtherDocument,
    /// Documents only: processed, and hidden from queries for `ms`; the answer is lost unless `resposta` is true.
    Invisible,
    /// Answered with `cStat` (lote level for codes of the message, document level for the others), by a municipal
    /// provider or the national NFS-e with `codigo`. A document is not processed; a lot that is queried and due is.
    Cstat,
    /// Processed; the answer comes a byte at a time, `ms` between bytes.
    SlowBody,
    /// Processed; the answer never ends.
    EndlessBody,
    /// Authorisation only: processed as a batch, answered 103 with a receipt.
    Async,
    /// Receipt query only: 105.
    #[serde(rename = "polls_105")]
    Polls105,
    /// Authorisation only: processed, answered 204 (E10 by a municipal provider) as a duplicate.
    #[serde(rename = "duplicate_204")]
    Duplicate204,
    /// Municipal providers only: a lot is answered with its protocol, and is unknown afterwards.
    LostLot,
    /// Processed; answered with HTTP `status` (500) as if it had not been: the error of the national NFS-e, a page
    /// elsewhere.
    StatusAfter,
    /// Processed; 200 with a page of HTML.
    PageAfter,
    /// Processed; no answer for `ms`, then the connection is reset.
    SilenceAfter,
    /// Distribution by NSU only: `ultNSU` and `maxNSU` are `nsu`, whatever there is.
    HighNsu,
}

/// A service, as the script distinguishes services.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaultTarget {
    /// Official name; of a service without one, its method and path.
    pub(crate) name: &'static str,
    /// Kind, of a service that uses SOAP.
    pub(crate) service: Option<ServiceKind>,
    /// True when documents come packed.
    pub(crate) packed: bool,
    /// True when the service takes documents.
    pub(crate) takes_documents: bool,
    /// True where a message changes something: documents, events, voided numbers.
    pub(crate) registers: bool,
    /// True where an answer names a document: of an authorisation, of a query by its identity or its lot.
    pub(crate) names_documents: bool,
    /// True where an answer repeats the digest of a document.
    pub(crate) shows_digests: bool,
    /// True for a service of a municipal provider.
    pub(crate) municipal: bool,
}

impl From<&ServiceWire> for FaultTarget {
    fn from(wire: &ServiceWire) -> FaultTarget {
        FaultTarget {
            name: wire.name,
            service: Some(wire.service),
            packed: wire.packed,
            takes_documents: wire.service == ServiceKind::Autorizacao,
            registers: matches!(
                wire.service,
                ServiceKind::Autorizacao | ServiceKind::RecepcaoEvento | ServiceKind::Inutilizacao
            ),
            names_documents: wire.names_documents(),
            shows_digests: wire.names_documents(),
            municipal: false,
        }
    }
}

/// A fault of the script, as the control plane takes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub tipo: FaultType,
    /// Official service name; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servico: Option<String>,
    /// Number of times; once when neither this nor `probabilidade` is given, without end when only that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vezes: Option<u64>,
    /// Lets so many requests pass first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apos: Option<u64>,
    /// Decimal text from `0` to `1`; always when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probabilidade: Option<rust_decimal::Decimal>,
    /// Seed of `probabilidade`; the simulator's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semente: Option<u64>,
    /// Milliseconds of `latency`, `slow_body`, `silence_after`, `late` and `invisible`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// Length of the reason of `soap_fault`, at most 4,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u32>,
    /// HTTP status of `http_status`, `status_after`, and `cstat` of the national NFS-e.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Code of `cstat`, `odd_success` and `other_document`.
    #[serde(default, rename = "cStat", skip_serializing_if = "Option::is_none")]
    pub cStat: Option<u16>,
    /// Code of `cstat` and `other_document` where codes are no numbers: `E160` of a municipal provider, `E1226` of the
    /// Sefin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codigo: Option<String>,
    /// Text of `codigo`; that of the table of codes when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mensagem: Option<String>,
    /// True to send the answer of `invisible`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resposta: Option<bool>,
    /// `ultNSU` and `maxNSU` of `high_nsu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nsu: Option<u64>,
    /// Only requests whose body contains this text (a key, a CNPJ, a product).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contem: Option<String>,
}

impl Fault {
    /// A fault that happens once, on any service.
    pub fn new(tipo: FaultType) -> Fault {
        Fault {
            tipo,
            servico: None,
            vezes: None,
            apos: None,
            probabilidade: None,
            semente: None,
            ms: None,
            bytes: None,
            status: None,
            cStat: None,
            codigo: None,
            mensagem: None,
            resposta: None,
            nsu: None,
            contem: None,
        }
    }
    /// Restricts the fault to this service (official name).
    pub fn on(mut self, servico: &str) -> Fault {
        self.servico = Some(servico.to_owned());
        self
    }
    /// Sets the number of times.
    pub fn times(mut self, vezes: u64) -> Fault {
        self.vezes = Some(vezes);
        self
    }
    /// Lets so many requests pass first.
    pub fn after(mut self, requests: u64) -> Fault {
        self.apos = Some(requests);
        self
    }
    /// Sets the chance of each time, drawn from the seed.
    pub fn with_chance(mut self, probabilidade: rust_decimal::Decimal, semente: u64) -> Fault {
        (self.probabilidade, self.semente) = (Some(probabilidade), Some(semente));
        self
    }
    pub fn ms(mut self, ms: u64) -> Fault {
        self.ms = Some(ms);
        self
    }
    pub fn status(mut self, status: u16) -> Fault {
        self.status = Some(status);
        self
    }
    pub fn cStat(mut self, cStat: u16) -> Fault {
        self.cStat = Some(cStat);
        self
    }
    /// Sets the code of the NFS-e.
    pub fn codigo(mut self, codigo: &str) -> Fault {
        self.codigo = Some(codigo.to_owned());
        self
    }
    pub fn mensagem(mut self, mensagem: &str) -> Fault {
        self.mensagem = Some(mensagem.to_owned());
        self
    }
    /// Sends the answer all the same.
    pub fn answered(mut self) -> Fault {
        self.resposta = Some(true);
        self
    }
    /// Sets the number of the distribution.
    pub fn nsu(mut self, nsu: u64) -> Fault {
        self.nsu = Some(nsu);
        self
    }
    /// Restricts the fault to requests that contain this text.
    pub fn containing(mut self, text: &str) -> Fault {
        self.contem = Some(text.to_owned());
        self
    }
}

/// Faults drawn for a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct DrawnFaults {
    pub(crate) latency_ms: u64,
    pub(crate) fault: Option<Fault>,
}

impl DrawnFaults {
    pub(crate) fn apply_fault(&mut self, fault: Fault) {
        if fault.tipo == FaultType::Latency {
            self.latency_ms = self.latency_ms.saturating_add(fault.ms.unwrap_or(0));
        } else {
            self.fault = Some(fault);
        }
    }
    /// HTTP status of the fault.
    pub(crate) fn status(&self, otherwise: StatusCode) -> StatusCode {
        let status = self.fault.as_ref().and_then(|fault| fault.status);
        status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(otherwise)
    }
    /// Pause of the fault; one second by default.
    pub(crate) fn pause(&self) -> Duration {
        Duration::from_millis(self.fault.as_ref().and_then(|fault| fault.ms).unwrap_or(1_000))
    }
    /// True when the client meets a reset after the work.
    pub(crate) fn loses_answer(&self) -> bool {
        let Some(fault) = &self.fault else { return false };
        match fault.tipo {
            FaultType::ResetAfter | FaultType::SilenceAfter => true,
            FaultType::Invisible => fault.resposta != Some(true),
            _ => false,
        }
    }
    /// Visibility to queries of the document that the request registers.
    pub(crate) fn visibility(&self) -> QueryVisibility {
        if self.kind() == Some(FaultType::Invisible) {
            QueryVisibility::after(self.pause())
        } else {
            QueryVisibility::default()
        }
    }
    /// NSU that the distribution must claim.
    pub(crate) fn nsu(&self) -> Option<u64> {
        self.fault.as_ref().filter(|fault| fault.tipo == FaultType::HighNsu)?.nsu
    }
    /// `cStat` of a fault of this kind.
    pub(crate) fn cStat_of(&self, tipo: FaultType) -> Option<u16> {
        self.fault.as_ref().filter(|fault| fault.tipo == tipo)?.cStat
    }
    /// `codigo` and `mensagem` of a fault of this kind.
    pub(crate) fn codigo_of(&self, tipo: FaultType) -> Option<(&str, Option<&str>)> {
        let fault = self.fault.as_ref().filter(|fault| fault.tipo == tipo)?;
        Some((fault.codigo.as_deref()?, fault.mensagem.as_deref()))
    }
    /// Waits, when the fault is a silence after the work.
    pub(crate) async fn wait_silence(&self) {
        if self.kind() == Some(FaultType::SilenceAfter) {
            tokio::time::sleep(self.pause()).await;
        }
    }
    pub(crate) fn kind(&self) -> Option<FaultType> {
        self.fault.as_ref().map(|fault| fault.tipo)
    }
}

impl Fault {
    /// Name of a member that the fault needs and lacks.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        match self.tipo {
            FaultType::Cstat if self.cStat.is_none() && self.codigo.is_none() => Some("cStat ou codigo"),
            FaultType::OddSuccess if self.cStat.is_none() => Some("cStat"),
            FaultType::HighNsu if self.nsu.is_none() => Some("nsu"),
            _ => None,
        }
    }
    /// True when the fault concerns a request of this service.
    pub(crate) fn applies(&self, target: FaultTarget, body: &[u8]) -> bool {
        let for_service = match self.tipo {
            // A packed document comes alone: there is no batch that could be answered later.
            FaultType::Async => target.service == Some(ServiceKind::Autorizacao) && !target.packed,
            FaultType::Duplicate204 => {
                target.service == Some(ServiceKind::Autorizacao) || (target.municipal && target.takes_documents)
            }
            FaultType::Late => target.registers,
            FaultType::LostLot => target.municipal && target.takes_documents,
            FaultType::WrongDigval | FaultType::NoDigval => target.shows_digests,
            FaultType::OddSuccess | FaultType::OddProtocol => target.service == Some(ServiceKind::Autorizacao),
            FaultType::OtherDocument => target.names_documents,
            FaultType::Invisible => target.takes_documents,
            FaultType::HighNsu => target.service == Some(ServiceKind::DistribuicaoDFe),
            FaultType::Polls105 => target.service == Some(ServiceKind::RetAutorizacao),
            FaultType::Cstat if target.service.is_some() => self.cStat.is_some(),
            FaultType::Cstat => self.codigo.is_some(),
            FaultType::SoapFault => target.service.is_some() || target.municipal,
            _ => true,
        };
        for_service
            && self.servico.as_deref().is_none_or(|name| name == target.name)
            && self.contem.as_deref().is_none_or(|text| contains(body, text.as_bytes()))
    }
}

fn contains(body: &[u8], text: &[u8]) -> bool {
    !text.is_empty() && body.windows(text.len()).any(|window| window == text)
}
