//! Documents that others issued to our companies: how far each company's distribution was walked, and what it brought.
//!
//! Law: NT 2014.002 v1.30 and NT 2015.002 (numbers without gaps, at most 20 questions about one document an hour; each
//! type has numbers of its own), taken to hold for the ADN of NFS-e, which publishes no limits. What one answer brought
//! and the new cursor are one transaction, so nothing is lost and nothing is twice. Must not know: XML, when asking is
//! lawful.

pub(crate) mod follow;
mod keep;
mod points;
mod read;
mod roles;
mod walk;

pub(crate) use keep::said;
pub use read::{Found, ReceivedDocument, ReceivedEvent, ReceivedFilter};
pub use roles::{Papel, Parte};

use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Codigo, TpAmb};
use uuid::Uuid;

/// Whose distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// Account.
    pub tenant: Uuid,
    /// Company.
    pub cpf_cnpj: CnpjCpf,
    /// Environment.
    pub ambiente: TpAmb,
    /// Of which documents.
    pub tipo: Tipo,
}

/// How far a distribution was walked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Whether it is walked in the background.
    pub ativa: bool,
    /// The number to ask from.
    pub ult_nsu: u64,
    /// The highest the authority told of.
    pub max_nsu: u64,
    /// Nobody asks for more before, seconds since 1970.
    pub next_at: i64,
    /// Nobody asks anything before: the authority has blocked the company.
    pub blocked_until: i64,
    /// Times in a row that the authority called our asking undue.
    pub blocks: u32,
    /// First and last number that were passed over and are asked for one by one.
    pub gap: Option<(u64, u64)>,
    /// The number that its authority does not know (589), and since when, until a question is answered again.
    pub reset: Option<(u64, i64)>,
    /// Last answer or attempt.
    pub asked_at: Option<i64>,
    /// Code and text of the last answer; no code when there was none.
    pub said: Option<(Option<Codigo>, String)>,
}

/// Proof that a walk is ours.
#[derive(Debug, Clone, Copy)]
pub struct WalkLease {
    /// Whose.
    pub owner: Owner,
    pub(crate) token: Uuid,
}

/// What a claim of one walk gives.
#[derive(Debug)]
pub enum Taken {
    /// It is ours.
    Ours(WalkLease, Cursor),
    /// Nobody may ask before that moment.
    NotBefore(i64),
    /// Another process asks right now.
    Busy,
}

/// How a claim is written down before the question leaves us.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// Seconds since 1970.
    pub now: i64,
    /// Until when nobody else asks for this company.
    pub lease_until: i64,
    /// Until when nobody asks if this process dies before it has written what came of the question.
    pub if_lost: i64,
}

/// What came of a question.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Handed out.
    pub documents: Vec<DocZip>,
    /// Where to go on, when the answer said so. Only `unknown_nsu` leads back.
    pub ult_nsu: Option<u64>,
    /// Highest number, when the answer said so.
    pub max_nsu: Option<u64>,
    /// The number asked from, when the authority says that it knows none so high: the walk goes back to the highest
    /// number of which a document is stored, and to the beginning when it stood there already.
    pub unknown_nsu: Option<u64>,
    /// Nobody asks for more before.
    pub next_at: i64,
    /// Nobody asks anything before, when the authority has blocked us.
    pub blocked_until: Option<i64>,
    /// Blocks in a row, this one included.
    pub blocks: u32,
    /// What is left to be asked for one by one.
    pub gap: Option<(u64, u64)>,
    /// Code (none when there was no answer) and text.
    pub said: (Option<Codigo>, String),
    /// Whether the walk goes on at once, under the same lease.
    pub goes_on: bool,
}

/// One document handed out, with what was read of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocZip {
    /// Its number; an answer by key has none.
    pub nsu: Option<u64>,
    /// As the authority named its schema.
    pub schema: String,
    /// As it came.
    pub content: String,
    /// What it is.
    pub about: About,
}

/// What a document tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// Of a document.
    Document(DocumentFacts),
    /// Of an event.
    Event(EventFacts),
    /// Nothing we understand; it is kept all the same.
    Unknown,
}

/// A walk that its authority sent back (589), and that got no answer since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkReset {
    /// Company.
    pub cpf_cnpj: CnpjCpf,
    /// Of which documents.
    pub tipo: Tipo,
    /// The number that the authority does not know.
    pub de: u64,
    /// The number to ask from.
    pub para: u64,
    /// Seconds since 1970.
    pub em: i64,
}

/// Where a received document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situacao {
    /// Valid.
    Autorizada,
    /// Cancelled by its issuer.
    Cancelada,
    /// Refused for the situation of a party.
    Denegada,
}

/// What is known of a received document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFacts {
    /// Key.
    pub chave: String,
    /// Issuer.
    pub emitente: String,
    /// Its name.
    pub nome: String,
    /// Its state registration.
    pub ie: Option<String>,
    /// Addressee, when told.
    pub destinatario: Option<String>,
    /// RFC 3339.
    pub dhEmi: String,
    /// The same, seconds since 1970.
    pub emitida_em: i64,
    /// Total as written; few documents have none.
    pub valor: Option<String>,
    /// RFC 3339.
    pub dhRecbto: Option<String>,
    /// Protocol.
    pub nProt: Option<String>,
    /// Where it stands.
    pub situacao: Situacao,
    /// The whole document, not its summary.
    pub completa: bool,
    /// What only its type has.
    pub own: Own,
}

/// What only documents of a type have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Own {
    /// NF-e.
    Goods {
        /// 0 or 1.
        tpNF: String,
    },
    /// Transport.
    Transport(TransportFacts),
    /// Services.
    Services(ServiceFacts),
}

/// What is known of a service of transport. Parties are CNPJ or CPF.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransportFacts {
    /// `01` to `06`.
    pub modal: String,
    /// Kind of service.
    pub tpServ: String,
    /// Normal, complementary, substitute…
    pub tpCTe: String,
    /// Who sends.
    pub remetente: Option<String>,
    /// Who hands over.
    pub expedidor: Option<String>,
    /// Who takes.
    pub recebedor: Option<String>,
    /// Who pays.
    pub tomador: Option<String>,
}

/// What is known of a note of services. Parties are CNPJ or CPF.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceFacts {
    /// Its number, by its authority.
    pub numero: String,
    /// The day whose month the service belongs to.
    pub competencia: String,
    /// Município of the issuer, IBGE.
    pub municipio: String,
    /// Code of the service in the national list.
    pub servico: String,
    /// What was rendered.
    pub descricao: String,
    /// What is left to pay, as written.
    pub valor_liquido: Option<String>,
    /// Who renders it.
    pub prestador: Option<String>,
    /// Who takes it.
    pub tomador: Option<String>,
    /// Who stands between.
    pub intermediario: Option<String>,
}

impl Own {
    /// The type.
    pub const fn tipo(&self) -> Tipo {
        match self {
            Own::Goods { .. } => Tipo::Nfe,
            Own::Transport(_) => Tipo::Cte,
            Own::Services(_) => Tipo::Nfse,
        }
    }
}

/// What is known of a received event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFacts {
    /// Key of its document.
    pub chave: String,
    /// Kind.
    pub tpEvento: String,
    /// Count.
    pub nSeqEvento: u16,
    /// RFC 3339.
    pub dhEvento: String,
    /// CNPJ or CPF.
    pub autor: Option<String>,
    /// In words.
    pub descricao: Option<String>,
    /// Why, in its author's words.
    pub motivo: Option<String>,
    /// When it was registered, RFC 3339.
    pub dhRegEvento: Option<String>,
    /// Key of the document that took the place of the one it ends.
    pub substituta: Option<String>,
    /// Protocol.
    pub nProt: Option<String>,
    /// The whole event, not its summary.
    pub completo: bool,
    /// It ends the document.
    pub cancela: bool,
}

/// What was new in an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// Documents of any kind that were not here before.
    pub documentos: u32,
    /// NF-e, CT-e or NFS-e told of for the first time.
    pub notas: u32,
}

impl std::ops::AddAssign for Kept {
    fn add_assign(&mut self, more: Kept) {
        self.documentos += more.documentos;
        self.notas += more.notas;
    }
}

impl Situacao {
    /// The word of the interface and of the database.
    pub const fn word(self) -> &'static str {
        match self {
            Situacao::Autorizada => "autorizada",
            Situacao::Cancelada => "cancelada",
            Situacao::Denegada => "denegada",
        }
    }
    /// From the word.
    pub fn from_word(word: &str) -> Option<Situacao> {
        [Situacao::Autorizada, Situacao::Cancelada, Situacao::Denegada].into_iter().find(|one| one.word() == word)
    }
}

/// A number as the database holds it; the official type has 15 digits.
fn stored(nsu: u64) -> i64 {
    i64::try_from(nsu).unwrap_or(i64::MAX)
}
