//! Approval of a prepared order by a person: list, description, decision.
//!
//! The description is made from the stored request only; the preparer adds nothing to it.

use super::order::PreparedOrder;
use super::{CONFIRMATION_S, with_company_name};
use crate::Engine;
use crate::acceptance::issue::IssueError;
use crate::order::emission::IssueRequest;
use fiscal::finding::Notice;
use fiscal::summary::{DocumentSummary, summary};
use fiscal::tipo::Tipo;
use fiscal::value::{TpAmb, Uf};
use store::Visibility;
use store::accounts::{Caller, Permissao};
use store::audit::Actor;
use store::confirmations::{Confirmation, ConfirmationList, Decisao, Decision, DecisionResult, NewDecision};
use store::jobs::Operacao;
use uuid::Uuid;

/// State of a prepared order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreparationState {
    /// Waits for a decision or its confirmation.
    Preparada,
    /// A person approved it; it was not issued yet.
    Aprovada,
    /// A person refused it.
    Recusada {
        /// Reason given by the person.
        motivo: Option<String>,
    },
    /// Its time is over, and it was not issued.
    Expirada,
    /// Issued.
    Usada {
        /// The job that issued it.
        job: Uuid,
    },
}

impl PreparationState {
    /// Returns `preparada`, `aprovada`, `recusada`, `expirada` or `usada`.
    pub fn word(&self) -> &'static str {
        match self {
            PreparationState::Preparada => "preparada",
            PreparationState::Aprovada => "aprovada",
            PreparationState::Recusada { .. } => "recusada",
            PreparationState::Expirada => "expirada",
            PreparationState::Usada { .. } => "usada",
        }
    }
}

/// A prepared order and its state, without its payload.
#[derive(Debug, Clone)]
pub struct PreparationRecord {
    /// Public id.
    pub id: Uuid,
    /// Operation of the order.
    pub operacao: Operacao,
    /// Type of the document.
    pub tipo: Tipo,
    pub state: PreparationState,
    /// Environment of the credential that prepared it.
    pub ambiente: TpAmb,
    /// Environment of the document.
    pub destino: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// Number of the issuer.
    pub emitente: String,
    /// Name of the addressee.
    pub destinatario: Option<String>,
    /// The value that the document moves, in hundredths: at least its total.
    pub valor: i64,
    /// Name of the key that prepared it.
    pub preparada_por: Option<String>,
    /// Permission of that key.
    pub permissao: Permissao,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// Seconds since 1970.
    pub expira_em: i64,
    /// Decision of a person.
    pub decision: Option<Decision>,
}

/// The document that would be issued, made from the stored request.
pub struct PreparedNote {
    /// Parties and items.
    pub resumo: DocumentSummary,
    /// Total, decimal text.
    pub vNF: String,
    /// Environment of the document.
    pub ambiente: TpAmb,
    /// State of the issuer, for the time of day.
    pub uf: Uf,
    /// Notices, as emission would give them.
    pub notices: Vec<Notice>,
    /// True if it has a printed form.
    pub has_form: bool,
}

impl PreparationRecord {
    fn of(kept: Confirmation, now: i64) -> PreparationRecord {
        let state = match (kept.job_id, &kept.decision) {
            (Some(job), _) => PreparationState::Usada { job },
            (None, Some(no)) if no.decisao == Decisao::Recusada => {
                PreparationState::Recusada { motivo: no.motivo.clone() }
            }
            (None, _) if kept.expira_em <= now => PreparationState::Expirada,
            (None, Some(_)) => PreparationState::Aprovada,
            (None, None) => PreparationState::Preparada,
        };
        let Confirmation { operacao, tipo, .. } = kept;
        let Confirmation { id, ambiente, destino, referencia, emitente, destinatario, valor, .. } = kept;
        let Confirmation { preparada_por, permissao, criado_em, expira_em, decision, .. } = kept;
        PreparationRecord {
            id,
            operacao,
            tipo,
            state,
            ambiente,
            destino,
            referencia,
            emitente,
            destinatario,
            valor,
            preparada_por,
            permissao,
            criado_em,
            expira_em,
            decision,
        }
    }
}

impl Engine {
    /// Returns a prepared order that the caller may see, by its public id; `NotFound` for all others.
    pub async fn confirmation(&self, caller: &Caller, id: Uuid) -> Result<PreparationRecord, store::Error> {
        let kept = self.store().confirmation_by_id(Visibility::of(caller), id).await?;
        Ok(PreparationRecord::of(kept, self.now_s()))
    }

    /// Builds the document from its stored request as it would be built now; `None` when it is past its retention.
    pub async fn prepared_note(&self, caller: &Caller, id: Uuid) -> Result<Option<PreparedNote>, IssueError> {
        let Some((preparer, request)) = self.prepared_request(caller, id).await? else { return Ok(None) };
        let issuer = self.issuer(Visibility::of(caller), request.cpf_cnpj, request.family()?).await?;
        let dry_run = self.checked(&preparer, &request, &issuer).await?;
        let resumo = with_company_name(&issuer, summary(&request.nota, &dry_run.xml));
        let has_form = render::form::has_form(dry_run.family.builder.root);
        let (vNF, ambiente, uf, notices) = (dry_run.vNF, dry_run.ambiente, dry_run.uf, dry_run.notices);
        Ok(Some(PreparedNote { resumo, vNF, ambiente, uf, notices, has_form }))
    }

    /// Returns a page of the prepared orders that the caller may see, newest first, and their count.
    pub async fn list_prepared(
        &self,
        caller: &Caller,
        which: ConfirmationList,
        limit: u32,
        offset: u32,
    ) -> Result<(Vec<PreparationRecord>, u64), store::Error> {
        let now = self.now_s();
        let (found, total) = self.store().confirmations(Visibility::of(caller), which, now, limit, offset).await?;
        Ok((found.into_iter().map(|kept| PreparationRecord::of(kept, now)).collect(), total))
    }

    /// Stores a person's decision. `user` is the person; `by` adds the origin of the request, for the audit trail.
    pub async fn decide(
        &self,
        caller: &Caller,
        id: Uuid,
        user: Uuid,
        word: Result<(), Option<String>>,
        by: &Actor,
    ) -> Result<DecisionResult, store::Error> {
        let (decisao, motivo) = match word {
            Ok(()) => (Decisao::Aprovada, None),
            Err(motivo) => (Decisao::Recusada, motivo),
        };
        self.store()
            .decide(Visibility::of(caller), id, NewDecision { decisao, por: user, motivo }, by, self.now_s())
            .await
    }

    /// Returns the request of an emission and the credential that prepared it, if it is stored unchanged; `None` for an
    /// act.
    pub(crate) async fn prepared_request(
        &self,
        caller: &Caller,
        id: Uuid,
    ) -> Result<Option<(Caller, IssueRequest)>, store::Error> {
        let kept = self.stored_confirmation(caller, id).await?;
        Ok(kept.and_then(|(preparer, kept)| Some((preparer, PreparedOrder::emission(&kept)?))))
    }

    /// Returns the order and the credential that prepared it, of an emission or an act.
    pub(super) async fn prepared_order(
        &self,
        caller: &Caller,
        id: Uuid,
    ) -> Result<Option<(Caller, PreparedOrder)>, store::Error> {
        let kept = self.stored_confirmation(caller, id).await?;
        Ok(kept.and_then(|(preparer, kept)| Some((preparer, PreparedOrder::of(&kept)?))))
    }

    /// Returns a row and the credential that prepared it; `None` long after its end.
    async fn stored_confirmation(
        &self,
        caller: &Caller,
        id: Uuid,
    ) -> Result<Option<(Caller, Confirmation)>, store::Error> {
        let kept = self.store().confirmation_by_id(Visibility::of(caller), id).await?;
        let preparer = Caller {
            tenant_id: caller.tenant_id,
            api_key_id: kept.api_key_id,
            ambiente: kept.ambiente,
            permissao: kept.permissao,
            granted: None,
        };
        let fresh = kept.expira_em + CONFIRMATION_S > self.now_s();
        Ok(Some((preparer, kept)).filter(|_| fresh))
    }
}
