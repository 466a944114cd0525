//! Confirmation: the second step. The token comes back, and its order is carried out once, if it is still what was
//! shown.

use super::order::PreparedOrder;
use super::{ActError, Decisao, ceiling_value};
use crate::Engine;
use crate::acceptance::issue::{AcceptedOrder, IssueError};
use crate::acceptance::void::VoidError;
use crate::order::event_error::EventError;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use std::sync::Arc;
use store::accounts::{Caller, Permissao};
use store::audit::Actor;
use store::confirmations::{ApprovalSource, Confirmation, ConfirmationResult};
use store::jobs::{NewJob, Operacao};
use uuid::Uuid;

/// Reason for which nothing was issued.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// The tenant has no such token.
    #[error("token de confirmação desconhecido")]
    Unknown,
    /// Prepared with a credential of the other environment.
    #[error("token de outro ambiente")]
    OtherEnvironment(TpAmb),
    /// The token belongs to another order than the expected one.
    #[error("token de outra operação")]
    OtherOrder(Operacao, Tipo),
    /// Refusal of an act on documents of this type.
    #[error("o ato não pode ser feito")]
    Act {
        /// Type of the document.
        tipo: Tipo,
        /// The refusal.
        #[source]
        error: ActError,
    },
    /// Used before, for this job.
    #[error("token já usado")]
    Used(Uuid),
    /// Waits for a decision at the panel, under this id.
    #[error("falta a aprovação de uma pessoa")]
    Pending(Uuid),
    /// A person refused it.
    #[error("uma pessoa recusou")]
    Refused {
        /// Public id.
        id: Uuid,
        /// Reason given by the person.
        motivo: Option<String>,
    },
    /// The token has expired.
    #[error("token vencido")]
    Expired,
    /// The document would have another destination by now, so it is not the one that was shown.
    #[error("a configuração da empresa mudou")]
    Changed,
    /// Worth more than the account may confirm; both in hundredths.
    #[error("acima do teto")]
    AboveCeiling {
        /// Value of the document.
        valor: i64,
        /// Ceiling of the account.
        teto: i64,
    },
    /// Refusal of an emission.
    #[error(transparent)]
    Issue(#[from] IssueError),
}

impl From<store::Error> for ConfirmError {
    fn from(error: store::Error) -> ConfirmError {
        ConfirmError::Issue(IssueError::Store(error))
    }
}

/// Interface by which a confirmation comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interface {
    /// The routes: a `completa` key may confirm for itself what it prepared.
    Rest,
    /// The MCP server: a model is at the other end, so that no key confirms for itself.
    Mcp {
        /// A person agreed in a form of the model's client. It counts in homologação, and in production where the
        /// operator allowed it; it never counts for an `assistida` key. The audit trail names the actor that brought
        /// the answer where it counted.
        form: Option<Actor>,
    },
}

impl Engine {
    /// Issues the NF-e of a token: once, and before it expires.
    pub async fn confirm_issue(
        &self,
        caller: &Caller,
        token: &str,
        door: Interface,
    ) -> Result<AcceptedOrder, ConfirmError> {
        self.confirmed(caller, token, door, Some((Operacao::Emissao, Tipo::Nfe))).await
    }

    /// Carries out the order of a token, of any kind: once, and before it expires.
    pub async fn confirm_order(
        &self,
        caller: &Caller,
        token: &str,
        door: Interface,
    ) -> Result<AcceptedOrder, ConfirmError> {
        self.confirmed(caller, token, door, None).await
    }

    /// Carries out the order of a token; refuses the token of another order than the expected one.
    async fn confirmed(
        &self,
        caller: &Caller,
        token: &str,
        door: Interface,
        expected: Option<(Operacao, Tipo)>,
    ) -> Result<AcceptedOrder, ConfirmError> {
        let token_hash = openssl::sha::sha256(token.as_bytes());
        let kept = match self.store().confirmation(caller.tenant_id, token_hash).await {
            Err(store::Error::NotFound) => return Err(ConfirmError::Unknown),
            kept => kept?,
        };
        // a token of a company out of reach is like one that never was
        if let Ok(company) = fiscal::value::CnpjCpf::parse(&kept.emitente)
            && !self.store().reaches(store::Visibility::of(caller), company).await?
        {
            return Err(ConfirmError::Unknown);
        }
        if kept.ambiente != caller.ambiente {
            return Err(ConfirmError::OtherEnvironment(kept.ambiente));
        }
        if expected.is_some_and(|expected| expected != (kept.operacao, kept.tipo)) {
            return Err(ConfirmError::OtherOrder(kept.operacao, kept.tipo));
        }
        if let Some(job) = kept.job_id {
            return Err(ConfirmError::Used(job));
        }
        if let Some(no) = kept.decision.as_ref().filter(|decision| decision.decisao == Decisao::Recusada) {
            return Err(ConfirmError::Refused { id: kept.id, motivo: no.motivo.clone() });
        }
        if kept.expira_em <= self.now_s() {
            return Err(ConfirmError::Expired);
        }
        let word = self.required_approver(caller, &kept, door).await?;
        if word == ApprovalSource::Person && kept.decision.is_none() {
            return Err(ConfirmError::Pending(kept.id));
        }
        let (job, valor) = self.job_if_unchanged(caller, &kept).await?;
        let registered = self.store().confirm(token_hash, job, valor, word, self.now_s()).await;
        match registered.map_err(|error| refused_by_store(&kept, error))? {
            ConfirmationResult::Registered(registered) => Ok(AcceptedOrder::of(registered)),
            ConfirmationResult::Used(job) => Err(ConfirmError::Used(job)),
            ConfirmationResult::Expired => Err(ConfirmError::Expired),
            ConfirmationResult::Pending => Err(ConfirmError::Pending(kept.id)),
            ConfirmationResult::Refused(no) => Err(ConfirmError::Refused { id: kept.id, motivo: no.motivo }),
            ConfirmationResult::AboveCeiling(teto) => Err(ConfirmError::AboveCeiling { valor, teto }),
        }
    }
}

impl Engine {
    /// Returns the job of a prepared order, if it is still what was shown, and the value that the ceiling counts.
    async fn job_if_unchanged(&self, caller: &Caller, kept: &Confirmation) -> Result<(NewJob, i64), ConfirmError> {
        let request = match PreparedOrder::of(kept).ok_or(ConfirmError::Changed)? {
            PreparedOrder::Issue(request) => request,
            act => return self.act_if_unchanged(caller, kept, act).await,
        };
        // a used reference is refused before its job is tied to the token
        self.replay(caller, Operacao::Emissao, request.referencia.as_deref(), &kept.payload).await?;
        self.admit_emission(caller.tenant_id, request.family()?).await?;
        let issuer = self
            .issuer(store::Visibility::of(caller), request.cpf_cnpj, request.family()?)
            .await
            .map_err(IssueError::from)?;
        let dry_run = self.checked(caller, &request, &issuer).await?;
        if dry_run.ambiente != kept.destino {
            return Err(ConfirmError::Changed);
        }
        let valor = ceiling_value(&dry_run);
        Ok((self.new_job(caller, Arc::new(request), kept.payload.clone(), dry_run), valor))
    }

    async fn act_if_unchanged(
        &self,
        caller: &Caller,
        kept: &Confirmation,
        act: PreparedOrder,
    ) -> Result<(NewJob, i64), ConfirmError> {
        match self.checked_act(caller, act).await {
            Ok((job, _)) if job.ambiente == kept.destino => Ok((job, kept.valor)),
            Ok(_) => Err(ConfirmError::Changed),
            Err(ActError::Repeated(job)) => Err(ConfirmError::Used(job)),
            Err(error) => Err(ConfirmError::Act { tipo: kept.tipo, error }),
        }
    }

    /// Returns the required approver. An order that an `assistida` key prepared needs a person, whichever key confirms
    /// it.
    async fn required_approver(
        &self,
        caller: &Caller,
        kept: &Confirmation,
        door: Interface,
    ) -> Result<ApprovalSource, store::Error> {
        if !caller.permissao.issues_alone() || kept.permissao == Permissao::Assistida {
            return Ok(ApprovalSource::Person);
        }
        match door {
            Interface::Rest => Ok(ApprovalSource::Program),
            // a decision at the panel outranks a form
            Interface::Mcp { form: None } => Ok(ApprovalSource::Person),
            Interface::Mcp { .. } if kept.decision.is_some() => Ok(ApprovalSource::Person),
            Interface::Mcp { form: Some(by) } => {
                let counts =
                    kept.destino == TpAmb::Homologacao || self.store().form_approval_allowed(caller.tenant_id).await?;
                Ok(if counts { ApprovalSource::Form(by) } else { ApprovalSource::Person })
            }
        }
    }
}

/// Maps a refusal of the store to the error of the order.
fn refused_by_store(kept: &Confirmation, error: store::Error) -> ConfirmError {
    let error = match kept.operacao {
        Operacao::Emissao => return error.into(),
        Operacao::Inutilizacao => ActError::Void(VoidError::from(error)),
        _ => ActError::Event(EventError::from(error)),
    };
    ConfirmError::Act { tipo: kept.tipo, error }
}
