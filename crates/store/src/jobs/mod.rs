//! Jobs and their documents: acceptance, claims by lease, the commit points of a document's life.
//!
//! Times are seconds since 1970, given by the caller. Every state change is guarded by the lease of the worker that
//! makes it.

mod act;
mod acting;
mod analysis;
mod claim;
mod contingency;
mod event;
mod exchange;
mod files;
mod finish;
mod lease;
mod line;
mod log;
mod order;
mod packed;
mod read;
pub(crate) mod record;
mod register;
mod release;
mod replaced;
pub mod report;
mod reroute;
mod reserve;
mod search;
mod transmissions;
mod twin;
mod undo;
mod void;
pub(crate) mod waiting;
pub(crate) mod withdraw;
pub(crate) mod words;

pub use act::{Act, EventAct, NewAct, NewVoid, VoidAct};
pub(crate) use analysis::learn;
pub use analysis::{DueAnalysis, Learned, LearnedEvent};
pub use contingency::Announced;
pub use event::{EventOutcome, RegisteredEvent};
pub use files::Archive;
pub(crate) use line::hold_back;
pub(crate) use log::append as append_lines;
pub(crate) use order::judged;
pub use packed::LongText;
pub(crate) use record::find_job;
pub(crate) use register::register;
pub use search::Search;
pub use transmissions::Transmission;
pub use twin::Homecoming;
pub use undo::Withdrawn;
pub use void::{VoidEnd, VoidOutcome};

use crate::companies::Company;
use crate::installation::KeyCode;
use crate::numbers::{Counted, Series};
use crate::quotas::Familia;
use fiscal::finding::Notice;
use fiscal::lifecycle::State;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf, Codigo, Serie, TpAmb, Uf};
use std::sync::Arc;
use uuid::Uuid;

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operacao {
    /// Issue a document.
    Emissao,
    /// Cancel one.
    Cancelamento,
    /// Correct one.
    CartaCorrecao,
    /// Let somebody else fetch one.
    AtorInteressado,
    /// Say what one thinks of a received one.
    Manifestacao,
    /// Say anything else of one that is carried.
    Evento,
    /// Ask the município to look at a note of services that its issuer cannot cancel any more.
    AnaliseFiscal,
    /// Void numbers that no document will carry.
    Inutilizacao,
}

impl Operacao {
    /// The contract's word.
    pub const fn word(self) -> &'static str {
        words::operacao(self)
    }
}

/// The contract's job status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the contract's words")]
pub enum JobStatus {
    Pending,
    Processing,
    Completed,
    Failed,
    Cancelled,
}

/// A job to register.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// UUID v7 made by the engine.
    pub id: Uuid,
    /// Tenant.
    pub tenant_id: Uuid,
    /// The type of document that it is about.
    pub tipo: Tipo,
    /// What it does.
    pub operacao: Operacao,
    /// Company.
    pub cpf_cnpj: CnpjCpf,
    /// Environment it goes to.
    pub ambiente: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// The order as the engine writes it (JSON text).
    pub payload: LongText,
    /// Where to notify.
    pub webhook_url: Option<String>,
    /// Remarks given with the 202.
    pub notices: Vec<Notice>,
    /// The document's job, for an event.
    pub alvo: Option<Uuid>,
    /// What it does beside issuing.
    pub act: Option<NewAct>,
    /// `{uf}:{authority}` style word used by concurrency limits, e.g. `SP`.
    pub authority: String,
    /// What the registration debits; `None` when it is free.
    pub cota: Option<Familia>,
    /// CNPJ or CPF of the addressee, to find the job by before its document exists.
    pub destinatario: Option<String>,
    /// Total as decimal text with two decimals, likewise.
    pub valor: Option<String>,
    /// The request that registers it, for logs; none when nobody asked from outside.
    pub request_id: Option<String>,
}

/// What became of a registration.
#[derive(Debug, Clone)]
pub enum Registered {
    /// It is new.
    New(Job),
    /// The tenant used this reference before: the first job as it stands now.
    Replay {
        /// First job.
        job: Job,
        /// Its payload differs from this one.
        divergent: bool,
    },
}

/// A job with its document, as queries show it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "names of the contract and of NewJob")]
pub struct Job {
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub tipo: Tipo,
    pub operacao: Operacao,
    pub cpf_cnpj: CnpjCpf,
    pub ambiente: TpAmb,
    pub referencia: Option<String>,
    pub status: JobStatus,
    pub tentativas: u32,
    /// Empty in lists, which do not carry it.
    pub payload: LongText,
    pub webhook_url: Option<String>,
    pub notices: Vec<Notice>,
    pub alvo: Option<Uuid>,
    pub authority: String,
    pub erro: Option<Failure>,
    pub criado_em: i64,
    pub atualizado_em: i64,
    pub concluido_em: Option<i64>,
    /// For an emission: its own. For an event: none (the target's job has it), in lists the target's.
    pub document: Option<Document>,
    /// What it does beside issuing.
    pub act: Option<Act>,
    /// For an event: what was signed, once stored.
    pub event_xml: Option<String>,
    /// For an event: how it ended (code, text).
    pub event_result: Option<(Codigo, String)>,
    /// The request that registered it.
    pub request_id: Option<String>,
    /// Whether it was open in a copy of the database that was put back.
    pub is_copied: bool,
}

/// Why a job failed (`erro`, `erro_detalhe` of the contract).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Failure {
    /// Stable code.
    pub codigo: String,
    /// `validacao`, `assinatura`, `transmissao`, `consulta`.
    pub etapa: String,
    /// Portuguese.
    pub mensagem: String,
    /// Whether `reprocessar` may help.
    pub repetivel: bool,
    /// When the service itself tries again, seconds since 1970.
    pub proxima_tentativa_em: Option<i64>,
}

/// The fiscal document of an emission.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "official tags")]
pub struct Document {
    pub state: State,
    /// What its number counts.
    pub counted: Counted,
    pub serie: Serie,
    pub numero: u64,
    /// Random code of its key (`cNF`, `cCT`); 0 for a document whose key has none of ours.
    pub codigo_aleatorio: u32,
    /// What its authority is asked by: the key, or the identity of a DPS or an RPS. One document of a tenant has it.
    pub asked_by: Option<String>,
    /// None before it is prepared, and again when it is to be made under another one.
    pub chave: Option<Chave>,
    /// `tpEmis`: 1 normally.
    pub tipo_emissao: u8,
    pub dhEmi: String,
    /// What it is worth (`vNF`, `vTPrest`), decimal text; empty before it is prepared.
    pub valor: String,
    /// CNPJ or CPF of the addressee.
    pub destinatario: Option<String>,
    /// base64 digest of the signed element.
    pub digest: Option<String>,
    pub nProt: Option<String>,
    pub dhRecbto: Option<String>,
    pub codigo: Option<Codigo>,
    pub xMotivo: Option<String>,
    /// Path in the caller's payload of what was refused, when known.
    pub campo: Option<String>,
    /// How it was issued in contingency.
    pub contingencia: Option<Contingencia>,
    /// Receipt of an authority that took it and has not judged it.
    pub nRec: Option<String>,
    /// Text of the QR code; model 65 only.
    pub qrCode: Option<String>,
    /// Number of the note that its authority wrote (`nNFSe`); the number above is then that of our declaration.
    pub numero_nota: Option<u64>,
    /// What is left of its worth after deductions and retentions (`vLiq`), decimal text.
    pub valor_liquido: Option<String>,
    /// Everything that a refusal said, where an authority says several things at once.
    pub rejeicoes: Vec<Refusal>,
    /// The note that took its place, where no event of ours did that.
    pub substituida_por: Option<Chave>,
    /// Where a request of fiscal analysis stands: `pendente`, `deferida`, `indeferida`.
    pub analise_fiscal: Option<String>,
    /// By which a city hall shows the note.
    pub codigo_verificacao: Option<String>,
    /// The lot in which a city hall took it last.
    pub numero_lote: Option<u64>,
    /// Seconds since 1970 after which nothing of it has left; none before it may have left.
    pub last_sent_at: Option<i64>,
    /// A refusal that was answered and proves nothing by itself, as the engine wrote it (JSON text).
    pub refusal: Option<String>,
}

/// That an authority took a document and has not judged it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// What it is asked by.
    pub nRec: String,
    /// The lot that it went in, where lots are numbered; what is known of it stays when nothing is said.
    pub numero_lote: Option<u64>,
}

/// One of the reasons of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(missing_docs, reason = "the contract's words")]
pub struct Refusal {
    pub codigo: Codigo,
    pub motivo: String,
    pub complemento: Option<String>,
    /// Path in the caller's payload, when known.
    pub campo: Option<String>,
}

/// A note that its authority wrote of our declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its key.
    pub chave: Chave,
    /// Its number.
    pub numero: u64,
    /// Decimal text.
    pub valor_liquido: Option<String>,
    /// The note whose place it takes.
    pub substitui: Option<Chave>,
    /// By which a city hall shows it.
    pub codigo_verificacao: Option<String>,
}

impl Document {
    /// The state whose authority it is of: an identity begins with its code, behind the letters of its kind.
    pub fn uf(&self) -> Option<Uf> {
        let digits = self.asked_by.as_deref()?.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        Uf::from_code(digits.get(..2)?.parse().ok()?)
    }
    /// Its key of 44 positions, once it has one and is of a type with such keys.
    pub fn acesso(&self) -> Option<ChaveAcesso> {
        self.chave.as_ref().and_then(Chave::acesso)
    }
}

/// How a document was issued when its authority did not answer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Contingencia {
    /// `svc`, `epec` or `offline`.
    pub tipo: String,
    /// Who authorises it, or who registered its EPEC; none for `offline`.
    pub autoridade: Option<String>,
    /// `dhCont`.
    pub desde: String,
    /// `xJust`.
    pub justificativa: String,
    /// Until when it must reach the authority, seconds since 1970.
    pub prazo_transmissao: Option<i64>,
    /// Protocol of the EPEC, once it is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocolo: Option<String>,
    /// When it was registered (`dhRegEvento`): the form of the note says it beside the protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registrado_em: Option<String>,
    /// Job of the rejected note whose number and key this one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_lugar_de: Option<Uuid>,
    /// cStat by which its EPEC was refused last: it is not asked for again while the normal way is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epec_recusado: Option<u16>,
}

/// Another way for a document of which nothing has left us: it is made anew, under the same number or another.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "official tags")]
pub struct Reroute {
    /// From `lifecycle::next`.
    pub state: State,
    pub tipo_emissao: u8,
    pub dhEmi: String,
    pub contingencia: Option<Contingencia>,
    /// The sequence of which it takes a number that was never given, where it may not keep its own.
    pub renumbered_in: Option<Series>,
}

/// Which stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum File {
    /// Signed NFe, exactly as sent.
    Signed,
    /// procNFe.
    Authorized,
    /// procEventoNFe of the cancellation, kept with the document it cancelled.
    Cancelled,
    /// procEventoNFe of any other event, or ProcInutNFe, kept with the job that made it; of a document, the last one
    /// that somebody else registered on it.
    Event,
}

/// A claimed job. While the lease lasts nobody else works on it.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// The job.
    pub job: Job,
    /// Proof of the claim; every later write carries it.
    pub lease: Lease,
    /// Its company as it stands at the claim; `None` when there is none any more.
    pub company: Option<Arc<Company>>,
}

/// Proof of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Tenant of the job.
    pub tenant_id: Uuid,
    /// Job.
    pub job_id: Uuid,
    /// Random, changes with every claim.
    pub token: Uuid,
}

/// How many jobs to take, fairly.
#[derive(Debug, Clone)]
pub struct ClaimRequest {
    /// Now.
    pub now: i64,
    /// Leases that end by this instant are over. Behind `now` after a clock jumped ahead: its process knows of leases
    /// that were written before and last still.
    pub leases_now: i64,
    /// End of the lease.
    pub lease_until: i64,
    /// At most this many.
    pub limit: u32,
    /// Authorities that are at their limit now: none of their jobs.
    pub except_authorities: Vec<String>,
    /// How a job ends whose row cannot be read: it would stop every claim that takes it.
    pub if_unreadable: Failure,
}

/// Number and key of a document, fixed before it is signed.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "official tags")]
pub struct Reserve {
    pub series: Series,
    /// Number the payload asked for.
    pub asked_numero: Option<u64>,
    /// Computed once the number is known.
    pub codigo_aleatorio: KeyCode,
    pub tipo_emissao: u8,
    pub dhEmi: String,
    pub contingencia: Option<Contingencia>,
    /// Only a number that was never given: under one that came back another document may have been sent.
    pub fresh: bool,
}

/// The signed document, about to be sent.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "official tags")]
pub struct Prepared {
    /// `Sending`, or `Issued` when it is given out first; from `lifecycle::next`.
    pub state: State,
    /// The number that it was built with.
    pub numero: u64,
    pub asked_by: String,
    pub chave: Option<Chave>,
    pub xml: LongText,
    pub digest: String,
    pub valor: String,
    pub dhEmi: String,
    pub destinatario: Option<String>,
    /// Text of the QR code; model 65 only.
    pub qrCode: Option<String>,
}

/// How a document ended at the authority.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "official tags")]
pub struct Outcome {
    /// `Authorized`, `Rejected`, `Denied` or `Cancelled`; from `lifecycle::next`.
    pub state: State,
    pub nProt: Option<String>,
    pub dhRecbto: Option<String>,
    pub codigo: Codigo,
    pub xMotivo: String,
    pub campo: Option<String>,
    /// Everything that was said, when it was refused for several reasons.
    pub rejeicoes: Vec<Refusal>,
    /// The note of an authority that writes it itself.
    pub written: Option<Written>,
    /// procNFe, when authorised or denied with protocol.
    pub xml: Option<Archive>,
    /// The authority has the number under another key, or voided: a rejection does not free it, or the next note would
    /// be rejected likewise, for ever.
    pub number_is_gone: bool,
    /// It was given out in contingency before it was rejected: its number waits for the note that is put in its place.
    pub number_is_kept: bool,
}

/// A line of the job's readable history.
#[derive(Debug, Clone)]
pub struct LogLine {
    /// Seconds since 1970 … milliseconds, for reading.
    pub at_ms: i64,
    /// Portuguese, without secrets.
    pub text: String,
}

/// Counts for `/status` and metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Ready or waiting.
    pub pending: u64,
    /// Leased now.
    pub processing: u64,
    /// Age in seconds of the oldest ready job.
    pub oldest_s: u64,
}
