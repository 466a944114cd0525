//! A job as queries return it, its state and the proof of its claim.

use super::act::JobAct;
use super::document::JobDocument;
use super::operation::Operacao;
use super::packed::LongText;
use crate::Error;
use crate::row::unexpected;
use fiscal::finding::Notice;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Codigo, TpAmb};
use uuid::Uuid;

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
    pub(super) fn read(word: &str) -> Result<JobStatus, Error> {
        match word {
            "pending" => Ok(JobStatus::Pending),
            "completed" => Ok(JobStatus::Completed),
            "failed" => Ok(JobStatus::Failed),
            "cancelled" => Ok(JobStatus::Cancelled),
            _ => Err(unexpected()),
        }
    }
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

/// Proof of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    pub tenant_id: Uuid,
    pub job_id: Uuid,
    /// Random; changes with every claim.
    pub token: Uuid,
}
