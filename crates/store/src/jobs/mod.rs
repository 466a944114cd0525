//! Jobs and their documents: acceptance, claims by lease, the commit points of a document's lifecycle.
//!
//! Times are seconds since 1970, given by the caller. Every state change is guarded by the lease of the worker that
//! makes it.

mod act;
mod analysis;
mod claim;
mod company_queue;
mod contingency;
mod emission_mode;
mod event;
mod exclusive_act;
mod files;
mod finish;
mod lease;
mod log;
pub(crate) mod missing_endpoint;
mod order;
mod packed;
mod read;
pub(crate) mod record;
mod register;
mod release;
pub mod report;
mod reserve;
mod search;
mod substituted;
mod superseded;
mod swap;
mod transmissions;
mod undo;
mod void;
pub(crate) mod withdraw;

pub use act::{EventAct, JobAct, NewAct, NewVoid, VoidAct};
pub(crate) use analysis::record_events;
pub use analysis::{DueAnalysis, ForeignEvent, ForeignEvents};
pub(crate) use company_queue::block_push_back;
pub use contingency::RegisteredEpec;
pub use event::{EventOutcome, RegisteredEvent};
pub use files::ArchivedDocument;
pub(crate) use log::append as append_lines;
pub(crate) use order::with_divergence;
pub use packed::LongText;
pub(crate) use record::find_job;
pub(crate) use register::register;
pub use search::JobSearch;
pub use superseded::SupersededOutcome;
pub use transmissions::Transmission;
pub use undo::WithdrawalResult;
pub use void::{VoidEnd, VoidOutcome};

use crate::Error;
use crate::companies::Company;
use crate::installation::KeyCode;
use crate::numbers::{NumberedKind, Series};
use crate::quotas::Familia;
use crate::row::unexpected;
use crate::words::word_table;
use fiscal::finding::Notice;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf, Codigo, Serie, TpAmb, Uf};
use std::sync::Arc;
use uuid::Uuid;

/// Operation of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operacao {
    /// Issues a document.
    Emissao,
    /// Cancels a document.
    Cancelamento,
    /// Registers a correction letter.
    CartaCorrecao,
    /// Allows another party to download a document.
    AtorInteressado,
    /// States the receiver's position on a received document.
    Manifestacao,
    /// Registers any other event on a transported document.
    Evento,
    /// Requests the município's analysis of a service note that its issuer cannot cancel any more.
    AnaliseFiscal,
    /// Voids numbers that no document will carry.
    Inutilizacao,
}

word_table!(pub Operacao {
    Emissao => "emissao",
    Cancelamento => "cancelamento",
    CartaCorrecao => "carta_correcao",
    AtorInteressado => "ator_interessado",
    Manifestacao => "manifestacao",
    Evento => "evento",
    AnaliseFiscal => "analise_fiscal",
    Inutilizacao => "inutilizacao",
});

/// Job status of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobStatus {
    Pending,
    Processing,
    Completed,
    Failed,
    Cancelled,
}

impl JobStatus {
    /// Reads the word of a job's row. The queue shows whether a job is leased.
    fn read(word: &str) -> Result<JobStatus, Error> {
        match word {
            "pending" => Ok(JobStatus::Pending),
            "completed" => Ok(JobStatus::Completed),
            "failed" => Ok(JobStatus::Failed),
            "cancelled" => Ok(JobStatus::Cancelled),
            _ => Err(unexpected()),
        }
    }
}

/// A job to register.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// UUID v7 made by the engine.
    pub id: Uuid,
    pub tenant_id: Uuid,
    /// Type of the document that it concerns.
    pub tipo: Tipo,
    pub operacao: Operacao,
    pub cpf_cnpj: CnpjCpf,
    /// Environment that it is sent to.
    pub ambiente: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// The order as the engine writes it (JSON text).
    pub payload: LongText,
    /// URL of the webhook.
    pub webhook_url: Option<String>,
    /// Notices given with the 202.
    pub notices: Vec<Notice>,
    /// The document's job, for an event.
    pub alvo: Option<Uuid>,
    /// Act other than issuing.
    pub act: Option<NewAct>,
    /// `{uf}:{authority}` style word used by concurrency limits, e.g. `SP`.
    pub authority: String,
    /// Quota that the registration debits; `None` when it is free.
    pub cota: Option<Familia>,
    /// CNPJ or CPF of the addressee, by which the job is found before its document exists.
    pub destinatario: Option<String>,
    /// Total as decimal text with two decimals, for the same search.
    pub valor: Option<String>,
    /// Id of the HTTP request that registers it, for logs; `None` for a job of the service itself.
    pub request_id: Option<String>,
}

/// Result of a registration.
#[derive(Debug, Clone)]
pub enum RegistrationResult {
    /// A new job.
    New(Job),
    /// The tenant used this reference before: the first job in its present state.
    Replay {
        /// First job.
        job: Job,
        /// `true` if its payload is a different order.
        divergent: bool,
    },
}

/// A job with its document, as queries return it.
#[derive(Debug, Clone)]
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
    /// Empty in lists, which do not load it.
    pub payload: LongText,
    pub webhook_url: Option<String>,
    pub notices: Vec<Notice>,
    pub alvo: Option<Uuid>,
    pub authority: String,
    pub erro: Option<JobFailure>,
    pub criado_em: i64,
    pub atualizado_em: i64,
    pub concluido_em: Option<i64>,
    /// For an emission: its document. For an event: `None` (the target's job has it), and in lists the target's
    /// document.
    pub document: Option<JobDocument>,
    /// Act other than issuing.
    pub act: Option<JobAct>,
    /// For an event: the signed XML, once stored.
    pub event_xml: Option<String>,
    /// For an event: its result (code, text).
    pub event_result: Option<(Codigo, String)>,
    /// Id of the HTTP request that registered it.
    pub request_id: Option<String>,
    /// `true` if it was unfinished or failed in a restored copy of the database.
    pub is_copied: bool,
}

/// Failure of a job (`erro`, `erro_detalhe` of the contract).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct JobFailure {
    /// Stable code.
    pub codigo: String,
    /// `validacao`, `assinatura`, `transmissao`, `consulta`.
    pub etapa: String,
    /// Portuguese.
    pub mensagem: String,
    /// `true` if `reprocessar` may help.
    pub repetivel: bool,
    /// Next automatic attempt, seconds since 1970.
    pub proxima_tentativa_em: Option<i64>,
}

/// The fiscal document of an emission.
#[derive(Debug, Clone)]
pub struct JobDocument {
    pub state: DocumentState,
    /// Kind of document that its number counts.
    pub counted: NumberedKind,
    pub serie: Serie,
    pub numero: u64,
    /// Random code of its key (`cNF`, `cCT`); 0 for a document whose key has no code of ours.
    pub codigo_aleatorio: u32,
    /// Identity by which its authority is queried: the key, or the id of a DPS or an RPS. Unique among a tenant's
    /// documents.
    pub asked_by: Option<String>,
    /// `None` before it is prepared, and again when it is to be made under another key.
    pub chave: Option<Chave>,
    /// `tpEmis`: 1 normally.
    pub tipo_emissao: u8,
    pub dhEmi: String,
    /// Total (`vNF`, `vTPrest`), decimal text; empty before it is prepared.
    pub valor: String,
    /// CNPJ or CPF of the addressee.
    pub destinatario: Option<String>,
    /// base64 digest of the signed element.
    pub digest: Option<String>,
    pub nProt: Option<String>,
    pub dhRecbto: Option<String>,
    pub codigo: Option<Codigo>,
    pub xMotivo: Option<String>,
    /// Path in the caller's payload of the refused value, when known.
    pub campo: Option<String>,
    /// Contingency in which it was issued.
    pub contingencia: Option<Contingencia>,
    /// Receipt of an authority that accepted it and has not judged it.
    pub nRec: Option<String>,
    /// Text of the QR code; model 65 only.
    pub qrCode: Option<String>,
    /// Number of the note that its authority wrote (`nNFSe`); the number above is then that of our declaration.
    pub numero_nota: Option<u64>,
    /// Total after deductions and retentions (`vLiq`), decimal text.
    pub valor_liquido: Option<String>,
    /// All reasons of a refusal, where an authority gives several.
    pub rejeicoes: Vec<RefusalReason>,
    /// Note that substitutes it, where no event of ours recorded that.
    pub substituida_por: Option<Chave>,
    /// State of a request of fiscal analysis: `pendente`, `deferida`, `indeferida`.
    pub analise_fiscal: Option<String>,
    /// Code by which a municipal provider shows the note.
    pub codigo_verificacao: Option<String>,
    /// Last lot in which a municipal provider accepted it.
    pub numero_lote: Option<u64>,
    /// Seconds since 1970 after which no bytes of it were sent; `None` before any may have been.
    pub last_sent_at: Option<i64>,
    /// A refusal in an answer that proves nothing by itself, as the engine wrote it (JSON text).
    pub refusal: Option<String>,
}

/// Receipt for a document that an authority accepted and has not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityReceipt {
    /// Number by which the result is queried.
    pub nRec: String,
    /// Lot number, where lots are numbered; `None` keeps the stored one.
    pub numero_lote: Option<u64>,
}

/// A single reason of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RefusalReason {
    pub codigo: Codigo,
    pub motivo: String,
    pub complemento: Option<String>,
    /// Path in the caller's payload, when known.
    pub campo: Option<String>,
}

/// A note that its authority wrote from our declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityNote {
    pub chave: Chave,
    pub numero: u64,
    /// Decimal text.
    pub valor_liquido: Option<String>,
    /// Note that it substitutes.
    pub substitui: Option<Chave>,
    /// Code by which a municipal provider shows it.
    pub codigo_verificacao: Option<String>,
}

impl JobDocument {
    /// State of its authority: the identity begins with the state's code, after the letters of its kind.
    pub fn uf(&self) -> Option<Uf> {
        let digits = self.asked_by.as_deref()?.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        Uf::from_code(digits.get(..2)?.parse().ok()?)
    }
    /// Key of 44 positions, once it has one and its type has such keys.
    pub fn acesso(&self) -> Option<ChaveAcesso> {
        self.chave.as_ref().and_then(Chave::acesso)
    }
}

/// Contingency in which a document was issued.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Contingencia {
    /// `svc`, `epec` or `offline`.
    pub tipo: String,
    /// Authority that authorises it or registered its EPEC; `None` for `offline`.
    pub autoridade: Option<String>,
    /// `dhCont`.
    pub desde: String,
    /// `xJust`.
    pub justificativa: String,
    /// Deadline for the transmission to the authority, seconds since 1970.
    pub prazo_transmissao: Option<i64>,
    /// Protocol of the EPEC, once it is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocolo: Option<String>,
    /// Registration instant of the EPEC (`dhRegEvento`), printed beside the protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registrado_em: Option<String>,
    /// Job of the rejected note whose number and key this one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_lugar_de: Option<Uuid>,
    /// cStat of the EPEC's last refusal; it is not requested again while normal emission is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epec_recusado: Option<u16>,
}

/// Change of the emission mode of a document that was not sent: it is made anew, under the same number or another.
#[derive(Debug, Clone)]
pub struct EmissionModeChange {
    /// From `lifecycle::next`.
    pub state: DocumentState,
    pub tipo_emissao: u8,
    pub dhEmi: String,
    pub contingencia: Option<Contingencia>,
    /// Sequence of the new number, which was never given, where the document may not keep its own.
    pub renumbered_in: Option<Series>,
}

/// Kind of a stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredFile {
    /// Signed NFe, exactly as sent.
    Signed,
    /// procNFe.
    Authorized,
    /// procEventoNFe of the cancellation, stored with the cancelled document.
    Cancelled,
    /// procEventoNFe of any other event, or ProcInutNFe, stored with its job; for a document, the last one registered
    /// by others.
    Event,
}

impl StoredFile {
    /// Kind under which it is stored.
    const fn word(self) -> &'static str {
        match self {
            StoredFile::Signed => "signed",
            StoredFile::Authorized => "authorized",
            StoredFile::Cancelled => "cancelled",
            StoredFile::Event => "proc_event",
        }
    }
}

/// A claimed job. While the lease lasts no other worker processes it.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    pub job: Job,
    /// Proof of the claim; every later write passes it.
    pub lease: Lease,
    /// Company of the job at the claim; `None` when it was removed.
    pub company: Option<Arc<Company>>,
}

/// Proof of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    pub tenant_id: Uuid,
    pub job_id: Uuid,
    /// Random; changes with every claim.
    pub token: Uuid,
}

/// Parameters of a claim.
#[derive(Debug, Clone)]
pub struct ClaimRequest {
    pub now: i64,
    /// Leases that end by this instant are over. It is behind `now` after a clock jumped ahead: the process knows of
    /// earlier leases that still last.
    pub leases_now: i64,
    /// End of the new leases.
    pub lease_until: i64,
    /// Most jobs to claim.
    pub limit: u32,
    /// Authorities at their concurrency limit; none of their jobs is claimed.
    pub except_authorities: Vec<String>,
    /// Failure of a job whose row cannot be read; such a row would stop every claim that takes it.
    pub if_unreadable: JobFailure,
}

/// Number and key of a document, fixed before it is signed.
#[derive(Debug, Clone)]
pub struct NumberRequest {
    pub series: Series,
    /// Number requested by the payload.
    pub asked_numero: Option<u64>,
    /// Computed once the number is known.
    pub codigo_aleatorio: KeyCode,
    pub tipo_emissao: u8,
    pub dhEmi: String,
    pub contingencia: Option<Contingencia>,
    /// Only a number that was never given: under a released one another document may have been sent.
    pub fresh: bool,
}

/// The signed document, about to be sent.
#[derive(Debug, Clone)]
pub struct SignedDocument {
    /// `Sending`, or `Issued` when it is given out first; from `lifecycle::next`.
    pub state: DocumentState,
    /// Number that it was built with.
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

/// Result of a document at the authority.
#[derive(Debug, Clone)]
pub struct DocumentOutcome {
    /// `Authorized`, `Rejected`, `Denied` or `Cancelled`; from `lifecycle::next`.
    pub state: DocumentState,
    pub nProt: Option<String>,
    pub dhRecbto: Option<String>,
    pub codigo: Codigo,
    pub xMotivo: String,
    pub campo: Option<String>,
    /// All reasons, when it was refused for several.
    pub rejeicoes: Vec<RefusalReason>,
    /// Note written by the authority itself.
    pub written: Option<AuthorityNote>,
    /// procNFe, when authorised or denied with protocol.
    pub xml: Option<ArchivedDocument>,
    /// `true` if the authority has the number under another key, or voided: a rejection must not release it, or the
    /// next note would be rejected likewise, for ever.
    pub number_is_gone: bool,
    /// `true` if the document was given out in contingency before its rejection: its number waits for the note in its
    /// place.
    pub number_is_kept: bool,
}

/// A line of the job's readable history.
#[derive(Debug, Clone)]
pub struct LogLine {
    /// Milliseconds since 1970.
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
