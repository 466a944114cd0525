//! The person's side of an assisted emission: what waits, what it is, and the word about it.
//!
//! What is shown is what was stored: nothing that whoever prepared it says about it.

use super::order::PreparedOrder;
use super::{CONFIRMATION_S, shown};
use crate::Engine;
use crate::acceptance::issue::{IssueError, IssueRequest};
use fiscal::finding::Notice;
use fiscal::summary::{Summary, summary};
use fiscal::tipo::Tipo;
use fiscal::value::{TpAmb, Uf};
use store::Sight;
use store::accounts::{Caller, Permissao};
use store::audit::Actor;
use store::confirmations::{Confirmation, Decided, Decisao, Decision, NewDecision, Which};
use store::jobs::Operacao;
use uuid::Uuid;

/// How a prepared emission stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It waits.
    Preparada,
    /// A person said yes; it was not issued yet.
    Aprovada,
    /// A person said no.
    Recusada {
        /// Why.
        motivo: Option<String>,
    },
    /// Its time is over, and it was not issued.
    Expirada,
    /// It was issued.
    Usada {
        /// By this job.
        job: Uuid,
    },
}

impl State {
    /// `preparada`, `aprovada`, `recusada`, `expirada` or `usada`.
    pub fn word(&self) -> &'static str {
        match self {
            State::Preparada => "preparada",
            State::Aprovada => "aprovada",
            State::Recusada { .. } => "recusada",
            State::Expirada => "expirada",
            State::Usada { .. } => "usada",
        }
    }
}

/// A prepared emission, without its payload.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its public name.
    pub id: Uuid,
    /// Operation of the order.
    pub operacao: Operacao,
    /// The type of document that it is about.
    pub tipo: Tipo,
    /// How it stands.
    pub state: State,
    /// Environment of the credential that prepared it.
    pub ambiente: TpAmb,
    /// Where the document goes.
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
    /// What that key may do.
    pub permissao: Permissao,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// Seconds since 1970.
    pub expira_em: i64,
    /// The word of a person.
    pub decision: Option<Decision>,
}

/// What would be issued, made from what was stored.
pub struct Note {
    /// Who, for whom, what.
    pub resumo: Summary,
    /// Its total, decimal text.
    pub vNF: String,
    /// Where it would go.
    pub ambiente: TpAmb,
    /// State of the issuer, for the time of day.
    pub uf: Uf,
    /// Remarks, as emission would give them.
    pub notices: Vec<Notice>,
    /// A printed form of it can be looked at.
    pub has_form: bool,
}

impl Standing {
    fn of(kept: Confirmation, now: i64) -> Standing {
        let state = match (kept.job_id, &kept.decision) {
            (Some(job), _) => State::Usada { job },
            (None, Some(no)) if no.decisao == Decisao::Recusada => State::Recusada { motivo: no.motivo.clone() },
            (None, _) if kept.expira_em <= now => State::Expirada,
            (None, Some(_)) => State::Aprovada,
            (None, None) => State::Preparada,
        };
        let Confirmation { operacao, tipo, .. } = kept;
        let Confirmation { id, ambiente, destino, referencia, emitente, destinatario, valor, .. } = kept;
        let Confirmation { preparada_por, permissao, criado_em, expira_em, decision, .. } = kept;
        Standing {
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
    /// One that the caller may see, by its public name; `NotFound` for all others.
    pub async fn confirmation(&self, caller: &Caller, id: Uuid) -> Result<Standing, store::Error> {
        let kept = self.store().confirmation_by_id(Sight::of(caller), id).await?;
        Ok(Standing::of(kept, self.now_s()))
    }

    /// What is stored of it, made into a document as it would be made now; `None` when it is past, and nothing is kept.
    pub async fn prepared_note(&self, caller: &Caller, id: Uuid) -> Result<Option<Note>, IssueError> {
        let Some((preparer, request)) = self.prepared_request(caller, id).await? else { return Ok(None) };
        let issuer = self.issuer(caller.tenant_id, request.cpf_cnpj, request.family()?).await?;
        let dry_run = self.checked(&preparer, &request, &issuer).await?;
        let resumo = shown(&issuer, summary(&request.nota, &dry_run.xml));
        let has_form = render::form::has_form(dry_run.family.builder.root);
        let (vNF, ambiente, uf, notices) = (dry_run.vNF, dry_run.ambiente, dry_run.uf, dry_run.notices);
        Ok(Some(Note { resumo, vNF, ambiente, uf, notices, has_form }))
    }

    /// A page of those that the caller may see, newest first, and how many there are.
    pub async fn awaiting(
        &self,
        caller: &Caller,
        which: Which,
        limit: u32,
        offset: u32,
    ) -> Result<(Vec<Standing>, u64), store::Error> {
        let now = self.now_s();
        let (found, total) = self.store().confirmations(Sight::of(caller), which, now, limit, offset).await?;
        Ok((found.into_iter().map(|kept| Standing::of(kept, now)).collect(), total))
    }

    /// Writes down what a person says. `user` is who says it; `by` is the same with where from, for the trail.
    pub async fn decide(
        &self,
        caller: &Caller,
        id: Uuid,
        user: Uuid,
        word: Result<(), Option<String>>,
        by: &Actor,
    ) -> Result<Decided, store::Error> {
        let (decisao, motivo) = match word {
            Ok(()) => (Decisao::Aprovada, None),
            Err(motivo) => (Decisao::Recusada, motivo),
        };
        self.store().decide(Sight::of(caller), id, NewDecision { decisao, por: user, motivo }, by, self.now_s()).await
    }

    /// The request with the credential that prepared it, as long as it is kept unchanged; none of what is no emission.
    pub(crate) async fn prepared_request(
        &self,
        caller: &Caller,
        id: Uuid,
    ) -> Result<Option<(Caller, IssueRequest)>, store::Error> {
        let kept = self.kept(caller, id).await?;
        Ok(kept.and_then(|(preparer, kept)| Some((preparer, PreparedOrder::emission(&kept)?))))
    }

    /// The order with the credential that prepared it, of an emission or an act.
    pub(super) async fn prepared_order(
        &self,
        caller: &Caller,
        id: Uuid,
    ) -> Result<Option<(Caller, PreparedOrder)>, store::Error> {
        let kept = self.kept(caller, id).await?;
        Ok(kept.and_then(|(preparer, kept)| Some((preparer, PreparedOrder::of(&kept)?))))
    }

    /// A row with the credential that prepared it; long after its end nobody has reason to read it.
    async fn kept(&self, caller: &Caller, id: Uuid) -> Result<Option<(Caller, Confirmation)>, store::Error> {
        let kept = self.store().confirmation_by_id(Sight::of(caller), id).await?;
        let preparer = Caller {
            tenant_id: caller.tenant_id,
            api_key_id: kept.api_key_id,
            ambiente: kept.ambiente,
            permissao: kept.permissao,
        };
        let fresh = kept.expira_em + CONFIRMATION_S > self.now_s();
        Ok(Some((preparer, kept)).filter(|_| fresh))
    }
}
