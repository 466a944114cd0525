//! Preparation of acts: a document is cancelled or corrected, numbers are voided. An act is checked as if it were
//! registered, and described from the order that would be.

use super::hundredths;
use super::order::PreparedOrder;
use super::storage::{PreparationRefusal, PreparedRow};
use crate::Engine;
use crate::acceptance::event::CheckedOrder;
use crate::acceptance::void::{OrderedVoid, VoidError};
use crate::order::act_request::ActRequest;
use crate::order::event_error::EventError;
use crate::order::void::VoidRequest;
use fiscal::finding::Notice;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, TpAmb, Uf};
use store::accounts::Caller;
use store::jobs::{Job, NewJob, Operacao, RegistrationResult};
use uuid::Uuid;
use zeroize::Zeroizing;

/// An act that waits for a person's decision.
pub struct PreparedAct {
    /// Public id, by which a person finds it; no secret.
    pub id: Uuid,
    /// Token for the confirmation; shown once.
    pub token: Zeroizing<String>,
    /// Seconds since 1970.
    pub expira_em: i64,
    /// Description of the act.
    pub act: ActDescription,
}

/// A prepared act and its object.
#[derive(Debug, Clone)]
pub struct ActDescription {
    /// The operation.
    pub operacao: Operacao,
    /// Type of the document.
    pub tipo: Tipo,
    /// Number of the company.
    pub emitente: CnpjCpf,
    /// Environment of the act.
    pub ambiente: TpAmb,
    /// State of the issuer, for the time of day.
    pub uf: Uf,
    /// The document of the act.
    pub documento: Option<TargetDocument>,
    /// The numbers that it voids.
    pub faixa: Option<NumberRange>,
    /// Text members of the request: `justificativa`, `correcao`.
    pub said: Vec<(String, String)>,
    /// Notices, as registering would give them.
    pub notices: Vec<Notice>,
}

/// Document of an act.
#[derive(Debug, Clone)]
pub struct TargetDocument {
    pub job_id: Uuid,
    pub chave: Option<String>,
    pub serie: String,
    pub numero: u64,
    pub destinatario: Option<String>,
    pub valor: String,
    pub dhEmi: String,
}

/// Numbers of one series, both ends voided.
#[derive(Debug, Clone)]
pub struct NumberRange {
    pub serie: u16,
    pub ano: u8,
    pub nNFIni: u32,
    pub nNFFin: u32,
}

/// Refusal of an act to be prepared or registered.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// Refusal of the event.
    #[error(transparent)]
    Event(EventError),
    /// Refusal of the voiding.
    #[error(transparent)]
    Void(VoidError),
    /// The key has its full count of open preparations.
    #[error("preparações demais esperam")]
    TooManyPrepared {
        /// The limit.
        most: u32,
        /// Seconds until the oldest of them ends.
        wait_s: i64,
    },
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The reference belongs to this job already.
    #[error("a referência já é de outra operação")]
    Repeated(Uuid),
}

impl From<PreparationRefusal> for ActError {
    fn from(why: PreparationRefusal) -> ActError {
        match why {
            PreparationRefusal::TooMany { most, wait_s } => ActError::TooManyPrepared { most, wait_s },
            PreparationRefusal::Store(error) => ActError::Store(error),
        }
    }
}

impl Engine {
    /// Checks like the act itself, stores the request, and returns the token that registers it. `most_open` bounds the
    /// open preparations of one key.
    pub async fn prepare_act(
        &self,
        caller: &Caller,
        request: ActRequest,
        most_open: Option<u32>,
    ) -> Result<PreparedAct, ActError> {
        let referencia = request.referencia.clone();
        self.prepare_order(caller, PreparedOrder::Act(request), referencia, most_open).await
    }

    /// Prepares the voiding of numbers.
    pub async fn prepare_void(
        &self,
        caller: &Caller,
        request: VoidRequest,
        most_open: Option<u32>,
    ) -> Result<PreparedAct, ActError> {
        let referencia = request.referencia.clone();
        self.prepare_order(caller, PreparedOrder::Void(request), referencia, most_open).await
    }

    async fn prepare_order(
        &self,
        caller: &Caller,
        order: PreparedOrder,
        referencia: Option<String>,
        most_open: Option<u32>,
    ) -> Result<PreparedAct, ActError> {
        let payload = order.serialize();
        let (_, act) = self.checked_act(caller, order).await?;
        let documento = act.documento.as_ref();
        let row = PreparedRow {
            operacao: act.operacao,
            tipo: act.tipo,
            destino: act.ambiente,
            referencia,
            payload,
            emitente: act.emitente,
            destinatario: documento.and_then(|document| document.destinatario.clone()),
            valor: documento.map_or(0, |document| hundredths(&document.valor)),
        };
        let (id, token, expira_em) = self.store_prepared(caller, row, most_open).await?;
        Ok(PreparedAct { id, token, expira_em, act })
    }

    /// Describes an act from its stored request; `None` when it is past its retention.
    pub async fn prepared_act(&self, caller: &Caller, id: Uuid) -> Result<Option<ActDescription>, ActError> {
        let Some((preparer, order)) = self.prepared_order(caller, id).await? else { return Ok(None) };
        self.checked_act(&preparer, order).await.map(|(_, act)| Some(act))
    }

    /// Returns the job that carries an act out, not registered yet, and its description.
    pub(super) async fn checked_act(
        &self,
        caller: &Caller,
        order: PreparedOrder,
    ) -> Result<(NewJob, ActDescription), ActError> {
        match order {
            PreparedOrder::Act(request) => match self.check_order(caller, request).await.map_err(ActError::Event)? {
                CheckedOrder::Before(before) => Err(used_reference(before)),
                CheckedOrder::Now { job, target, said } => {
                    let act = describe_act(&job, &target, said);
                    Ok((*job, act))
                }
            },
            PreparedOrder::Void(request) => {
                let (from, until) = (request.nNFIni, request.nNFFin);
                let justificativa = request.justificativa.clone();
                match self.ordered_void(caller, request).await.map_err(ActError::Void)? {
                    OrderedVoid::Before(before) => Err(used_reference(before)),
                    OrderedVoid::Now { job, uf, serie, ano } => {
                        let faixa = NumberRange { serie, ano, nNFIni: from, nNFFin: until };
                        let said = vec![("justificativa".to_owned(), justificativa)];
                        let act = ActDescription { uf, faixa: Some(faixa), ..describe_order(&job, said) };
                        Ok((*job, act))
                    }
                }
            }
            // an emission is described as a note
            PreparedOrder::Issue(_) => Err(ActError::Event(EventError::WrongModel)),
        }
    }
}

fn used_reference(before: RegistrationResult) -> ActError {
    let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = before;
    ActError::Repeated(job.id)
}

fn describe_order(job: &NewJob, said: Vec<(String, String)>) -> ActDescription {
    ActDescription {
        operacao: job.operacao,
        tipo: job.tipo,
        emitente: job.cpf_cnpj,
        ambiente: job.ambiente,
        uf: Uf::DF,
        documento: None,
        faixa: None,
        said,
        notices: job.notices.clone(),
    }
}

fn describe_act(job: &NewJob, target: &Job, said: Vec<(String, String)>) -> ActDescription {
    let documento = target.document.as_ref().map(|document| TargetDocument {
        job_id: target.id,
        chave: document.chave.as_ref().map(|chave| chave.as_str().to_owned()),
        serie: document.serie.to_string(),
        numero: document.numero_nota.unwrap_or(document.numero),
        destinatario: document.destinatario.clone(),
        valor: document.valor.clone(),
        dhEmi: document.dhEmi.clone(),
    });
    let uf = target.document.as_ref().and_then(|document| document.chave.as_ref().and_then(Chave::uf));
    ActDescription { uf: uf.unwrap_or(Uf::DF), documento, ..describe_order(job, said) }
}
