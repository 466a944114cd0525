//! Answers of authorities as values.

use fiscal::value::{Chave, Codigo};
use serde::{Deserialize, Serialize};

/// Record of an authorised, cancelled or denied document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol {
    /// Key (`chNFe`, `chCTe`); empty where a rejection omits it.
    pub chave: String,
    /// Protocol number; absent on rejections.
    pub nProt: Option<String>,
    /// RFC 3339.
    pub dhRecbto: String,
    /// Digest of the document at the authority, base64.
    pub digVal: Option<String>,
    pub codigo: Codigo,
    /// Text as received.
    pub xMotivo: String,
    /// `<protNFe …>…</protNFe>` or `<protCTe …>` exactly as received, ready to be joined with the document (with its
    /// own namespace declaration if it had one). Of an authority that generates the document itself, that document.
    pub xml: String,
    /// Facts of a document that the authority generated.
    pub written: Option<GeneratedDocument>,
}

/// Facts of a document that its authority generates from a declaration: an NFS-e.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratedDocument {
    /// `nNFSe`.
    pub numero: u64,
    /// `vLiq`.
    pub valor_liquido: Option<String>,
    /// `chSubstda`: the note that this one replaces.
    pub substitui: Option<Chave>,
    /// Code that displays the note at a municipal provider; a national note is displayed by its key.
    pub codigo_verificacao: Option<String>,
}

/// A refusal or a state of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    pub codigo: Codigo,
    /// Text as received.
    pub xMotivo: String,
    /// All reasons, the first included, when the authority lists several; otherwise empty.
    pub reasons: Vec<RejectionReason>,
    /// Part of the message that holds the code.
    pub subject: RejectionSubject,
}

/// Part of a message that a code is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectionSubject {
    /// The code is in the authority's record of a single document, not of the whole message.
    pub is_a_document: bool,
    /// Key in that record.
    pub chave: Option<String>,
    /// The record holds a protocol.
    pub has_protocol: bool,
}

/// A reason of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectionReason {
    pub codigo: Codigo,
    /// Text as received.
    pub motivo: String,
    /// Detail about the text, where the authority sends it.
    pub complemento: Option<String>,
}

impl Rejection {
    /// Rejection of a code and its text.
    pub fn new(codigo: impl Into<Codigo>, xMotivo: impl Into<String>) -> Rejection {
        Rejection {
            codigo: codigo.into(),
            xMotivo: xMotivo.into(),
            reasons: Vec::new(),
            subject: RejectionSubject::default(),
        }
    }
}

/// Answer to an authorisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthorizationAnswer {
    /// 100, 120, 150.
    Authorized(Protocol),
    /// 110, 301, 302, 303.
    Denied(Protocol),
    /// Refused by a rule.
    Rejected(Rejection),
    /// 204: the key exists already; query by key.
    Duplicate(Rejection),
    /// The code leaves this document undecided (it concerns an unnamed part of a batch, or is in no list); query by key
    /// or identity.
    Undecided(Rejection),
    /// 103 or 105: query by receipt.
    Pending {
        /// Receipt of the query.
        nRec: String,
        /// Seconds to wait before the query.
        wait_s: u32,
    },
    /// 108, 109, 656 (678 of the CT-e)…: the document is undecided.
    Unavailable(Rejection),
}

/// Answer to a query by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentSituation {
    /// The document exists and is valid.
    Authorized(Protocol),
    /// The document exists and is cancelled.
    Cancelled {
        /// Protocol of the authorisation, when sent.
        protocol: Option<Protocol>,
        /// `<procEventoNFe …>` or `<procEventoCTe …>` of the cancellation as received, when sent.
        event_xml: Option<String>,
    },
    /// The document exists and is denied.
    Denied(Protocol),
    /// The document exists under this key of the authority; its content must be fetched by the key.
    Named(Chave),
    /// 217: unknown document.
    NeverSeen(Rejection),
    /// 562, 613: the number exists under another key.
    OtherKey(Rejection),
    /// Any other refusal of the query.
    Refused(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}

/// Answer to a request to void numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoidAnswer {
    /// 102, or 563 when an equal request was granted before, with its protocol.
    Voided {
        codigo: Codigo,
        /// Text as received.
        xMotivo: String,
        /// Protocol; some authorities omit it from a 563.
        nProt: Option<String>,
        /// RFC 3339.
        dhRecbto: Option<String>,
        /// `<retInutNFe …>` as received.
        xml: String,
    },
    /// Refused by a rule.
    Rejected(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}

/// An event in the answer to a query by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEvent {
    pub tpEvento: String,
    pub nSeqEvento: u16,
    /// Digest that its author signed, base64; distinguishes our event from another author's with the same number.
    pub digest: Option<String>,
    /// `<procEventoNFe …>` or `<procEventoCTe …>` as received.
    pub xml: String,
}

/// Answer to a service status query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceStatus {
    /// 107, 108, 109, 113, 114.
    pub cStat: u16,
    pub xMotivo: String,
    /// Mean answer time, seconds.
    pub tMed: Option<u32>,
    /// Expected end of a stop, RFC 3339.
    pub dhRetorno: Option<String>,
    /// Remark of the authority.
    pub xObs: Option<String>,
}

/// Answer of the Ambiente Nacional to a request for documents of interest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributionAnswer {
    /// 137 (none), 138 (some), 656 (undue use), or a refusal.
    pub cStat: u16,
    /// Text as received.
    pub xMotivo: String,
    /// As received; the CT-e's has no offset.
    pub dhResp: String,
    /// Number to continue from.
    pub ultNSU: Option<u64>,
    /// Highest number of the company.
    pub maxNSU: Option<u64>,
    /// Documents in the order of their numbers.
    pub documents: Vec<DistributionItem>,
}

impl DistributionAnswer {
    /// True for undue use: the Ambiente Nacional answers 656 for all documents, also for a CT-e, whose own authorities
    /// answer 678 (nfephp-org/sped-cte, issue 192).
    pub fn is_undue_use(&self) -> bool {
        matches!(self.cStat, 656 | 678)
    }
}

/// Outcome of a distribution query, independent of the authority's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DistributionOutcome {
    /// Documents follow.
    Some,
    /// Nothing new, or no such document.
    None,
    /// Undue use: further queries are blocked for a while.
    UndueUse,
    /// The service is stopped.
    Stopped,
    /// The query was refused.
    Refused,
}

/// Answer to a distribution query, of any authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributionBatch {
    pub outcome: DistributionOutcome,
    pub codigo: Codigo,
    /// Text as received.
    pub xMotivo: String,
    /// Number to continue from, where the authority sends it.
    pub ultNSU: Option<u64>,
    /// Highest number of the company. Without it the caller queries until an answer is empty.
    pub maxNSU: Option<u64>,
    /// Documents in the order of their numbers.
    pub documents: Vec<DistributionItem>,
    /// Seconds to wait before the next query, where the server sends them.
    pub retry_after_s: Option<u32>,
}

impl From<DistributionAnswer> for DistributionBatch {
    fn from(answer: DistributionAnswer) -> DistributionBatch {
        let handing = match answer.cStat {
            138 => DistributionOutcome::Some,
            137 => DistributionOutcome::None,
            108 | 109 => DistributionOutcome::Stopped,
            _ if answer.is_undue_use() => DistributionOutcome::UndueUse,
            _ => DistributionOutcome::Refused,
        };
        let DistributionAnswer { cStat, xMotivo, ultNSU, maxNSU, documents, .. } = answer;
        // an answer with documents and no highest number is complete
        let maxNSU = maxNSU.or(ultNSU).or_else(|| documents.iter().filter_map(|document| document.nsu).max());
        DistributionBatch {
            outcome: handing,
            codigo: cStat.into(),
            xMotivo,
            ultNSU,
            maxNSU,
            documents,
            retry_after_s: None,
        }
    }
}

/// A `docZip`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributionItem {
    /// Number; absent in an answer by key (NT 2014.002, 3.7).
    pub nsu: Option<u64>,
    /// Schema, e.g. `resNFe_v1.01.xsd`, `procCTe_v4.00.xsd`; of the ADN the type of the document: `NFSE`, `EVENTO`.
    pub schema: String,
    /// The XML, or the reason why it cannot be unpacked with the packed text.
    pub content: Result<String, (String, String)>,
}

/// Answer to a search in a state's register of taxpayers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterAnswer {
    /// 111 (one), 112 (several), 257–265, or the state of the service.
    pub cStat: u16,
    /// Text as received.
    pub xMotivo: String,
    /// RFC 3339 or without offset, as received.
    pub dhCons: Option<String>,
    /// Registrations found.
    pub found: Vec<TaxpayerRegistration>,
}

/// A registration (`infCad`), official names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TaxpayerRegistration {
    pub IE: String,
    pub CNPJ: Option<String>,
    pub CPF: Option<String>,
    pub UF: String,
    /// 1 when the taxpayer may operate.
    pub cSit: String,
    pub indCredNFe: Option<String>,
    pub indCredCTe: Option<String>,
    pub xNome: Option<String>,
    pub xFant: Option<String>,
    pub xRegApur: Option<String>,
    pub CNAE: Option<String>,
    pub dIniAtiv: Option<String>,
    pub dUltSit: Option<String>,
    pub dBaixa: Option<String>,
    pub IEUnica: Option<String>,
    pub IEAtual: Option<String>,
    pub ender: Option<TaxpayerAddress>,
}

/// `ender` of a registration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TaxpayerAddress {
    pub xLgr: Option<String>,
    pub nro: Option<String>,
    pub xCpl: Option<String>,
    pub xBairro: Option<String>,
    pub cMun: Option<String>,
    pub xMun: Option<String>,
    pub CEP: Option<String>,
}

/// Answer to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventAnswer {
    /// Registered (NF-e 135, 136, 155; CT-e 134, 135, 136).
    Registered {
        codigo: Codigo,
        /// Text as received.
        xMotivo: String,
        /// Protocol number of the event.
        nProt: String,
        /// RFC 3339.
        dhRegEvento: String,
        /// `<retEvento …>` or `<retEventoCTe …>` as received.
        xml: String,
    },
    /// Registered before (NF-e 573, CT-e 631).
    Duplicate(Rejection),
    /// Refused by a rule.
    Rejected(Rejection),
    /// The code is in no list: the event is undecided.
    Undecided(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}
