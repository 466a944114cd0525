//! Documents that others issued to our companies: the progress of each company's distribution, and the documents
//! received.
//!
//! Law: NT 2014.002 v1.30 and NT 2015.002 (numbers without gaps, at most 20 queries of one document an hour; each type
//! has numbers of its own), assumed for the ADN of NFS-e too, which publishes no limits. The documents of an answer and
//! the new cursor are written in one transaction, so nothing is lost and nothing is stored twice.
//! Must not know: XML, when a query is lawful.

mod inbox;
pub(crate) mod own_notes;
mod read;
mod roles;
mod single_queries;
mod storage;
mod visits;
mod walk;

pub use inbox::{InboxEntry, InboxFilter, InboxPage};
pub use read::{ReceivedDocument, ReceivedEvent, ReceivedFilter, ReceivedWithEvents};
pub use roles::{Papel, Parte};
pub(crate) use storage::update_manifestation;

use crate::row::{Params, params};
use crate::words;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Codigo, TpAmb};
use uuid::Uuid;

/// Key of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistributionKey {
    /// Account.
    pub tenant: Uuid,
    pub cpf_cnpj: CnpjCpf,
    pub ambiente: TpAmb,
    /// Type of the distributed documents.
    pub tipo: Tipo,
}

impl DistributionKey {
    /// `$1` to `$4` of every statement.
    fn params(&self) -> Params {
        params![self.tenant, self.cpf_cnpj.as_str(), words::ambiente(self.ambiente), self.tipo.word()]
    }
}

/// Progress of a distribution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cursor {
    /// `true` if it is queried in the background.
    pub ativa: bool,
    /// Number from which the next query asks.
    pub ult_nsu: u64,
    /// Highest number reported by the authority.
    pub max_nsu: u64,
    /// Earliest next query for more, seconds since 1970.
    pub next_at: i64,
    /// Earliest query of any kind: the authority has blocked the company.
    pub blocked_until: i64,
    /// Consecutive refusals for undue use.
    pub blocks: u32,
    /// First and last number that were skipped and are queried one by one.
    pub gap: Option<(u64, u64)>,
    /// The number unknown to the authority (589) and the instant, until a query is answered again.
    pub reset: Option<(u64, i64)>,
    /// Last answer or attempt.
    pub asked_at: Option<i64>,
    /// Code and text of the last answer; no code for a failed query.
    pub said: Option<(Option<Codigo>, String)>,
}

/// Proof of a claimed walk.
#[derive(Debug, Clone, Copy)]
pub struct WalkLease {
    pub owner: DistributionKey,
    pub(crate) token: Uuid,
}

/// Result of claiming a company's walk.
#[derive(Debug)]
pub enum WalkClaim {
    /// Claimed.
    Claimed(WalkLease, Cursor),
    /// No query is allowed before this instant.
    NotBefore(i64),
    /// Another process holds the walk.
    Busy,
}

/// Claim of a walk, written before its query is sent.
#[derive(Debug, Clone, Copy)]
pub struct WalkTerms {
    /// Seconds since 1970.
    pub now: i64,
    /// End of the lease.
    pub lease_until: i64,
    /// Earliest next query if this process dies before it has written the outcome.
    pub if_lost: i64,
}

/// Outcome of a query.
#[derive(Debug, Clone, Default)]
pub struct WalkOutcome {
    /// Distributed documents.
    pub documents: Vec<DocZip>,
    /// Number to continue from, if the answer gives it. Only `unknown_nsu` moves the walk back.
    pub ult_nsu: Option<u64>,
    /// Highest number, if the answer gives it.
    pub max_nsu: Option<u64>,
    /// The queried number, when the authority knows none so high: the walk goes back to the highest number with a
    /// stored document, or to the beginning if it was there already.
    pub unknown_nsu: Option<u64>,
    /// Earliest next query for more.
    pub next_at: i64,
    /// Earliest query of any kind, when the authority has blocked the company.
    pub blocked_until: Option<i64>,
    /// Consecutive blocks, including this one.
    pub blocks: u32,
    /// Numbers still to be queried one by one.
    pub gap: Option<(u64, u64)>,
    /// Code (`None` without an answer) and text.
    pub answer: (Option<Codigo>, String),
    /// `true` if the walk continues at once, under the same lease.
    pub goes_on: bool,
}

/// A distributed document with its parsed facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocZip {
    /// Distribution number; `None` in an answer by key.
    pub nsu: Option<u64>,
    /// Schema name given by the authority.
    pub schema: String,
    /// Content as received.
    pub content: String,
    pub content_facts: DocumentContent,
}

/// Parsed content of a distributed document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentContent {
    /// Facts of a document.
    Document(DocumentFacts),
    /// Facts of an event.
    Event(EventFacts),
    /// Content of an unknown kind; stored all the same.
    Unknown,
}

/// A walk that its authority sent back (589), without an answer since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkReset {
    pub cpf_cnpj: CnpjCpf,
    /// Type of the distributed documents.
    pub tipo: Tipo,
    /// The number that the authority does not know.
    pub de: u64,
    /// The number from which the next query asks.
    pub para: u64,
    /// Seconds since 1970.
    pub em: i64,
}

/// State of a received document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situacao {
    /// Valid.
    Autorizada,
    /// Cancelled by its issuer.
    Cancelada,
    /// Denied for the situation of a party.
    Denegada,
}

/// Facts of a received document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFacts {
    pub chave: String,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// Name of the issuer.
    pub nome: String,
    /// State registration of the issuer.
    pub ie: Option<String>,
    /// Addressee, when given.
    pub destinatario: Option<String>,
    /// RFC 3339.
    pub dhEmi: String,
    /// Issue instant, seconds since 1970.
    pub emitida_em: i64,
    /// Total as written; few documents have none.
    pub valor: Option<String>,
    /// RFC 3339.
    pub dhRecbto: Option<String>,
    /// Protocol.
    pub nProt: Option<String>,
    pub situacao: Situacao,
    /// `true` for the whole document, `false` for its summary.
    pub completa: bool,
    /// Facts that only its type has.
    pub type_facts: TypeFacts,
}

impl DocumentFacts {
    /// Instant of the authorisation, from which the law counts; that of the issue where the authority gives none.
    pub fn authorised_at(&self) -> i64 {
        let at = self.dhRecbto.as_deref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
        at.map_or(self.emitida_em, jiff::Timestamp::as_second)
    }
}

/// Facts that only one type of document has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeFacts {
    /// NF-e.
    Goods {
        /// 0 or 1.
        tpNF: String,
    },
    /// CT-e.
    Transport(TransportFacts),
    /// NFS-e.
    Services(ServiceFacts),
}

/// Facts of a CT-e. Parties are CNPJ or CPF.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransportFacts {
    /// `01` to `06`.
    pub modal: String,
    /// Kind of service.
    pub tpServ: String,
    /// Normal, complementary, substitute…
    pub tpCTe: String,
    /// Sender.
    pub remetente: Option<String>,
    /// Dispatcher.
    pub expedidor: Option<String>,
    /// Receiver.
    pub recebedor: Option<String>,
    /// Payer of the service.
    pub tomador: Option<String>,
}

/// Facts of an NFS-e. Parties are CNPJ or CPF.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceFacts {
    /// Number given by its authority.
    pub numero: String,
    /// Day whose month the service belongs to.
    pub competencia: String,
    /// Município of the issuer, IBGE.
    pub municipio: String,
    /// Code of the service in the national list.
    pub servico: String,
    /// Description of the service.
    pub descricao: String,
    /// Amount left to pay, as written.
    pub valor_liquido: Option<String>,
    /// Provider of the service.
    pub prestador: Option<String>,
    /// Client of the service.
    pub tomador: Option<String>,
    /// Intermediary of the service.
    pub intermediario: Option<String>,
}

impl TypeFacts {
    pub const fn tipo(&self) -> Tipo {
        match self {
            TypeFacts::Goods { .. } => Tipo::Nfe,
            TypeFacts::Transport(_) => Tipo::Cte,
            TypeFacts::Services(_) => Tipo::Nfse,
        }
    }
}

/// Facts of a received event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFacts {
    /// Key of its document.
    pub chave: String,
    /// Kind of event.
    pub tpEvento: String,
    /// Sequence number.
    pub nSeqEvento: u16,
    /// RFC 3339.
    pub dhEvento: String,
    /// CNPJ or CPF.
    pub autor: Option<String>,
    /// Description of the event.
    pub descricao: Option<String>,
    /// Reason in the author's words.
    pub motivo: Option<String>,
    /// Registration instant, RFC 3339.
    pub dhRegEvento: Option<String>,
    /// Key of the document that substitutes the cancelled one.
    pub substituta: Option<String>,
    /// Protocol.
    pub nProt: Option<String>,
    /// `true` for the whole event, `false` for its summary.
    pub completo: bool,
    /// `true` if it cancels the document.
    pub cancela: bool,
}

/// Numbers of new documents in an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NewDocuments {
    /// New documents of any kind.
    pub documentos: u32,
    /// NF-e, CT-e or NFS-e with facts for the first time.
    pub notas: u32,
}

impl std::ops::AddAssign for NewDocuments {
    fn add_assign(&mut self, more: NewDocuments) {
        self.documentos += more.documentos;
        self.notas += more.notas;
    }
}

impl Situacao {
    /// Returns the word of the interface and of the database.
    pub const fn word(self) -> &'static str {
        match self {
            Situacao::Autorizada => "autorizada",
            Situacao::Cancelada => "cancelada",
            Situacao::Denegada => "denegada",
        }
    }
    /// Parses the word.
    pub fn from_word(word: &str) -> Option<Situacao> {
        [Situacao::Autorizada, Situacao::Cancelada, Situacao::Denegada].into_iter().find(|one| one.word() == word)
    }
}

/// A number as stored; the official type has 15 digits.
fn stored(nsu: u64) -> i64 {
    i64::try_from(nsu).unwrap_or(i64::MAX)
}
