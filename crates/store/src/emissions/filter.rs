//! Filter of a list of emissions, and the condition of its entries.

use crate::notes::{NoteFilter, Period};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use uuid::Uuid;

use crate::dialect::SqlDialect;
use crate::jobs::job::{Job, JobStatus};
use crate::roles::CompanyReach;
use crate::row::{Params, Value, params};
use crate::words;

/// State of an emission in lists: each is in exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmissionState {
    /// On its way, or waiting for its turn.
    Pending,
    /// Sent without an answer.
    InDoubt,
    /// Given out in contingency, or on its way through one.
    Contingency,
    Authorized,
    Rejected,
    Denied,
    Cancelled,
    /// Given up.
    Failed,
    /// Withdrawn before it left.
    Withdrawn,
}

impl EmissionState {
    /// State of a job in the form of lists.
    pub fn of(job: &Job) -> EmissionState {
        let state = job.document.as_ref().map(|document| document.state);
        match (state, job.status) {
            (Some(DocumentState::Authorized), _) => EmissionState::Authorized,
            (Some(DocumentState::Rejected), _) => EmissionState::Rejected,
            (Some(DocumentState::Denied), _) => EmissionState::Denied,
            (Some(DocumentState::Cancelled), _) => EmissionState::Cancelled,
            (_, JobStatus::Failed) => EmissionState::Failed,
            (_, JobStatus::Cancelled) => EmissionState::Withdrawn,
            (Some(DocumentState::InDoubt), _) => EmissionState::InDoubt,
            _ if job.document.as_ref().is_some_and(|document| document.contingencia.is_some()) => {
                EmissionState::Contingency
            }
            _ => EmissionState::Pending,
        }
    }

    /// State of the document that an authority decided.
    fn decided(self) -> Option<DocumentState> {
        match self {
            EmissionState::Authorized => Some(DocumentState::Authorized),
            EmissionState::Rejected => Some(DocumentState::Rejected),
            EmissionState::Denied => Some(DocumentState::Denied),
            EmissionState::Cancelled => Some(DocumentState::Cancelled),
            _ => None,
        }
    }

    /// Condition on a job `j`, its document `d` and its entry `q` of the queue.
    fn condition(self) -> &'static str {
        match self {
            EmissionState::Authorized => "d.state = 'authorized'",
            EmissionState::Rejected => "d.state = 'rejected'",
            EmissionState::Denied => "d.state = 'denied'",
            EmissionState::Cancelled => "d.state = 'cancelled'",
            EmissionState::Failed => {
                "j.status = 'failed' AND COALESCE(d.state, '') NOT IN ('authorized', 'rejected', 'denied', 'cancelled')"
            }
            EmissionState::Withdrawn => {
                "j.status = 'cancelled' AND COALESCE(d.state, '') NOT IN ('authorized', 'rejected', 'denied', 'cancelled')"
            }
            EmissionState::InDoubt => "j.status = 'pending' AND d.state = 'in_doubt'",
            EmissionState::Contingency => {
                "j.status = 'pending' AND d.contingencia IS NOT NULL
                 AND d.state NOT IN ('authorized', 'rejected', 'denied', 'cancelled', 'in_doubt')"
            }
            EmissionState::Pending => {
                "j.status = 'pending' AND d.contingencia IS NULL
                 AND COALESCE(d.state, '') NOT IN ('authorized', 'rejected', 'denied', 'cancelled', 'in_doubt')"
            }
        }
    }
}

/// Filter of emissions of one environment; absent members do not restrict.
#[derive(Debug, Clone)]
pub struct EmissionFilter {
    pub ambiente: TpAmb,
    pub state: Option<EmissionState>,
    /// Only rejections after which nothing was issued to the addressee for the same total.
    pub not_reissued: bool,
    pub tipo: Option<Tipo>,
    /// Issuing company.
    pub emitente: Option<CnpjCpf>,
    pub destinatario: Option<CnpjCpf>,
    /// Beginnings of words of the addressee's name.
    pub nome: Option<String>,
    pub serie: Option<Serie>,
    /// Our number, or the one that the authority gave.
    pub numero: Option<u64>,
    pub referencia: Option<String>,
    /// Access key.
    pub chave: Option<String>,
    /// Period of the jobs' registration.
    pub periodo: Period,
    /// Set by a query from its visibility.
    pub reach: Option<CompanyReach>,
}

impl EmissionFilter {
    /// Every emission of an environment.
    pub fn of(ambiente: TpAmb) -> EmissionFilter {
        EmissionFilter {
            ambiente,
            state: None,
            not_reissued: false,
            tipo: None,
            emitente: None,
            destinatario: None,
            nome: None,
            serie: None,
            numero: None,
            referencia: None,
            chave: None,
            periodo: Period::default(),
            reach: None,
        }
    }

    /// The filter of notes with the same entries, if their total is kept.
    pub(super) fn as_counted_notes(&self) -> Option<NoteFilter> {
        let EmissionFilter { destinatario, nome, numero, referencia, chave, .. } = self;
        let is_kept = destinatario.is_none()
            && nome.is_none()
            && numero.is_none()
            && referencia.is_none()
            && chave.is_none()
            && !self.not_reissued;
        let state = self.state.and_then(EmissionState::decided).filter(|_| is_kept)?;
        Some(NoteFilter {
            tipo: self.tipo.map(|tipo| tipo.word().to_owned()),
            state: Some(state),
            emitente: self.emitente,
            ambiente: Some(self.ambiente),
            serie: self.serie,
            periodo: self.periodo,
            reach: self.reach,
            ..NoteFilter::default()
        })
    }

    /// The whole condition on `j`, `d` and `q`, with its parameters from `$1`, the tenant, on.
    pub(super) fn condition(&self, dialect: SqlDialect, tenant: Uuid) -> (String, Params) {
        let mut terms = vec!["j.operacao = 'emissao'".to_owned()];
        let mut params = params![tenant];
        let mut bind = |value: Value| {
            params.push(value);
            format!("${}", params.len())
        };
        terms.push(format!("j.ambiente = {}", bind(words::ambiente(self.ambiente).into())));
        if let Some(tipo) = self.tipo {
            terms.push(format!("j.tipo = {}", bind(tipo.word().into())));
        }
        if let Some(emitente) = &self.emitente {
            terms.push(format!("j.cpf_cnpj = {}", bind(emitente.as_str().into())));
        }
        if let Some(reach) = self.reach {
            let place = bind(reach.user().into());
            terms.push(reach.term("j.cpf_cnpj", &place));
        }
        if let Some(destinatario) = &self.destinatario {
            terms.push(format!("j.destinatario = {}", bind(destinatario.as_str().into())));
        }
        if let Some(referencia) = &self.referencia {
            terms.push(format!("j.referencia = {}", bind(referencia.into())));
        }
        if let Some(serie) = &self.serie {
            terms.push(format!("d.serie = {}", bind(serie.as_str().into())));
        }
        if let Some(chave) = &self.chave {
            terms.push(format!("d.chave = {}", bind(chave.into())));
        }
        if let Some(numero) = self.numero {
            let place = bind(numero.into());
            terms.push(format!("(d.numero = {place} OR d.numero_nota = {place})"));
        }
        if let Some(state) = self.state {
            terms.push(state.condition().to_owned());
        }
        if self.not_reissued {
            terms.push(format!("d.state = 'rejected' AND NOT {}", reissued(dialect)));
        }
        (terms.join(" AND "), params)
    }
}

/// A later emission of the same company to the same addressee for the same total, that was not refused itself. A sale
/// without an addressee looks like the next one: it never counts as issued again.
fn reissued(dialect: SqlDialect) -> String {
    format!(
        "(j.destinatario IS NOT NULL AND EXISTS (
            SELECT 1 FROM jobs r {} LEFT JOIN documents f ON f.tenant_id = r.tenant_id AND f.job_id = r.id
            WHERE r.tenant_id = j.tenant_id AND r.destinatario = j.destinatario AND r.id > j.id AND r.operacao = 'emissao'
                AND r.ambiente = j.ambiente AND r.tipo = j.tipo AND r.cpf_cnpj = j.cpf_cnpj AND r.valor = j.valor
                AND r.status <> 'failed' AND r.status <> 'cancelled'
                AND COALESCE(f.state, '') NOT IN ('rejected', 'denied')))",
        dialect.index_hint("jobs_by_total")
    )
}
