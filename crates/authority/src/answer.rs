//! Answers as values.

use fiscal::value::{Chave, Codigo};
use serde::{Deserialize, Serialize};

/// The authority's record of an authorised, cancelled or denied document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol {
    /// Key (`chNFe`, `chCTe`); empty where a rejection leaves it out.
    pub chave: String,
    /// Protocol number (absent on rejections).
    pub nProt: Option<String>,
    /// RFC 3339.
    pub dhRecbto: String,
    /// base64 digest the authority holds.
    pub digVal: Option<String>,
    /// Code.
    pub codigo: Codigo,
    /// Text, verbatim.
    pub xMotivo: String,
    /// `<protNFe …>…</protNFe>` or `<protCTe …>` exactly as received, for splicing (with its own namespace declaration
    /// if it had one); of an authority that writes the document itself, that document.
    pub xml: String,
    /// What that document says of itself.
    pub written: Option<Written>,
}

/// A document that its authority writes of a declaration: an NFS-e.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// `nNFSe`.
    pub numero: u64,
    /// `vLiq`.
    pub valor_liquido: Option<String>,
    /// `chSubstda`: the note whose place it takes.
    pub substitui: Option<Chave>,
    /// By which a city hall shows its note; the national one is shown by its key.
    pub codigo_verificacao: Option<String>,
}

/// A refusal or a state of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// Code.
    pub codigo: Codigo,
    /// Text, verbatim.
    pub xMotivo: String,
    /// Everything that was said, the first included, by an authority that names several things at once; nothing of any
    /// other.
    pub reasons: Vec<Reason>,
    /// The part of the message that the code stands in.
    pub subject: Subject,
}

/// The part of a message that a code is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Whether it stands in the authority's record of one document, and not beside all of them.
    pub is_a_document: bool,
    /// The key that is named there.
    pub chave: Option<String>,
    /// Whether a protocol stands beside it.
    pub has_protocol: bool,
}

/// One of the reasons of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Code.
    pub codigo: Codigo,
    /// Text, verbatim.
    pub motivo: String,
    /// What it is about, where the authority says so.
    pub complemento: Option<String>,
}

impl Rejection {
    /// A code and its text.
    pub fn new(codigo: impl Into<Codigo>, xMotivo: impl Into<String>) -> Rejection {
        Rejection { codigo: codigo.into(), xMotivo: xMotivo.into(), reasons: Vec::new(), subject: Subject::default() }
    }
}

/// Answer to an authorisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// 100, 120, 150.
    Authorized(Protocol),
    /// 110, 301, 302, 303.
    Denied(Protocol),
    /// A rule refused it.
    Rejected(Rejection),
    /// 204: this key is there already; ask by key.
    Duplicate(Rejection),
    /// A code that decides nothing of this document (of a batch that names none, or in no list): ask by key or
    /// identity.
    Undecided(Rejection),
    /// 103 or 105: ask by receipt.
    Pending {
        /// Receipt to ask by.
        nRec: String,
        /// Seconds to wait before asking.
        wait_s: u32,
    },
    /// 108, 109, 656 (678 of the CT-e)…: nothing was decided about the document.
    Unavailable(Rejection),
}

/// Answer to a query by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Situation {
    /// It is there and valid.
    Authorized(Protocol),
    /// It is there and cancelled; the cancellation's procEventoNFe as received, when given.
    Cancelled {
        /// Of the authorisation, when given.
        protocol: Option<Protocol>,
        /// `<procEventoNFe …>` or `<procEventoCTe …>` of the cancellation as received, when given.
        event_xml: Option<String>,
    },
    /// It is there and denied.
    Denied(Protocol),
    /// It is there, under the key that its authority gave it: what stands in it is asked for by that.
    Named(Chave),
    /// 217: never seen.
    NeverSeen(Rejection),
    /// 562, 613: the number is there under another key.
    OtherKey(Rejection),
    /// Any other refusal of the query.
    Refused(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}

/// Answer to a request to void numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoidAnswer {
    /// 102, or 563 when the same request was granted before: it names its protocol too.
    Voided {
        /// Code.
        codigo: Codigo,
        /// Text, verbatim.
        xMotivo: String,
        /// Protocol; an authority may leave it out of a 563.
        nProt: Option<String>,
        /// RFC 3339.
        dhRecbto: Option<String>,
        /// `<retInutNFe …>` as received.
        xml: String,
    },
    /// A rule refused it.
    Rejected(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}

/// An event that a query by key gave back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEvent {
    /// Kind of event.
    pub tpEvento: String,
    /// Sequence number.
    pub nSeqEvento: u16,
    /// Digest that its author signed, base64; tells our event from another's of the same number.
    pub digest: Option<String>,
    /// `<procEventoNFe …>` or `<procEventoCTe …>` as received.
    pub xml: String,
}

/// Answer to a service status query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceStatus {
    /// 107, 108, 109, 113, 114.
    pub cStat: u16,
    /// Text.
    pub xMotivo: String,
    /// Mean answer time, seconds.
    pub tMed: Option<u32>,
    /// When a stopped service expects to be back, RFC 3339.
    pub dhRetorno: Option<String>,
    /// What the authority wants known.
    pub xObs: Option<String>,
}

/// Answer of the Ambiente Nacional to a request for documents of interest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// 137 (none), 138 (some), 656 (asked too often), or a refusal.
    pub cStat: u16,
    /// Text, verbatim.
    pub xMotivo: String,
    /// As written; that of the CT-e has no offset.
    pub dhResp: String,
    /// The number to ask from next.
    pub ultNSU: Option<u64>,
    /// The highest there is for the company.
    pub maxNSU: Option<u64>,
    /// In the order of their numbers.
    pub documents: Vec<Delivered>,
}

impl Distribution {
    /// Whether it silences us: the Ambiente Nacional says 656 whatever the documents, also of a CT-e, whose own
    /// authorities say 678 (nfephp-org/sped-cte, issue 192).
    pub fn is_undue_use(&self) -> bool {
        matches!(self.cStat, 656 | 678)
    }
}

/// What an answer to a question for documents of others is, whatever its authority calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handing {
    /// It brings documents.
    Some,
    /// There is nothing new, or no such document.
    None,
    /// Asked too often: silence.
    UndueUse,
    /// The service stands still.
    Stopped,
    /// The question was refused.
    Refused,
}

/// An answer to a question for documents of others, of any authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// What it is.
    pub handing: Handing,
    /// Code.
    pub codigo: Codigo,
    /// Text, verbatim.
    pub xMotivo: String,
    /// The number to ask from next, where it is said.
    pub ultNSU: Option<u64>,
    /// The highest there is for the company; who does not say it is asked until there is nothing more.
    pub maxNSU: Option<u64>,
    /// In the order of their numbers.
    pub documents: Vec<Delivered>,
    /// For how many seconds it asks to be left alone, where it says so.
    pub retry_after_s: Option<u32>,
}

impl From<Distribution> for Batch {
    fn from(answer: Distribution) -> Batch {
        let handing = match answer.cStat {
            138 => Handing::Some,
            137 => Handing::None,
            108 | 109 => Handing::Stopped,
            _ if answer.is_undue_use() => Handing::UndueUse,
            _ => Handing::Refused,
        };
        let Distribution { cStat, xMotivo, ultNSU, maxNSU, documents, .. } = answer;
        // one that brings documents and tells no end has told all
        let maxNSU = maxNSU.or(ultNSU).or_else(|| documents.iter().filter_map(|document| document.nsu).max());
        Batch { handing, codigo: cStat.into(), xMotivo, ultNSU, maxNSU, documents, retry_after_s: None }
    }
}

/// One `docZip`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// Its number; absent in an answer by key (NT 2014.002, 3.7).
    pub nsu: Option<u64>,
    /// e.g. `resNFe_v1.01.xsd`, `procCTe_v4.00.xsd`; of the ADN the type of the document: `NFSE`, `EVENTO`.
    pub schema: String,
    /// The XML, or why it cannot be unpacked and what was there.
    pub content: Result<String, (String, String)>,
}

/// Answer to a search in a state's register of taxpayers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// 111 (one), 112 (several), 257–265, or the state of the service.
    pub cStat: u16,
    /// Text, verbatim.
    pub xMotivo: String,
    /// RFC 3339 or without offset, as the authority wrote it.
    pub dhCons: Option<String>,
    /// What was found.
    pub found: Vec<Taxpayer>,
}

/// A registration (`infCad`), official names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields are the official tags")]
pub struct Taxpayer {
    pub IE: String,
    pub CNPJ: Option<String>,
    pub CPF: Option<String>,
    pub UF: String,
    /// Whether it may operate: 1.
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
#[expect(missing_docs, reason = "the fields are the official tags")]
pub struct TaxpayerAddress {
    pub xLgr: Option<String>,
    pub nro: Option<String>,
    pub xCpl: Option<String>,
    pub xBairro: Option<String>,
    pub cMun: Option<String>,
    pub xMun: Option<String>,
    pub CEP: Option<String>,
}

/// Answer to one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventAnswer {
    /// Registered (NF-e 135, 136, 155; CT-e 134, 135, 136).
    Registered {
        /// Code.
        codigo: Codigo,
        /// Text, verbatim.
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
    /// A rule refused it.
    Rejected(Rejection),
    /// A code in no list: nothing is known of the event.
    Undecided(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}
