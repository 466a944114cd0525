//! Lists of notes: documents that an authority decided, newest first, with the exact total of the filter.
//!
//! Law: docs/contract.md, "Reports and search" (`GET /v1/notas`, `GET /v1/auth/notas`). A list follows one index, named
//! here; totals come from `counts` and `days` where they can.
//! Must not know: the words of the interface.

pub(crate) mod counts;
mod days;
mod note_rows;
mod voided;

use crate::conditions::Conditions;
pub use crate::conditions::{ListWindow, Period};
use crate::dialect::SqlDialect;
use crate::jobs::job::Job;
use crate::jobs::record;
use crate::roles::CompanyReach;
use crate::row::{Params, first};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use uuid::Uuid;

/// Filter of notes; absent members do not restrict.
#[derive(Debug, Clone, Default)]
pub struct NoteFilter {
    /// `nfe`, `nfce`…
    pub tipo: Option<String>,
    /// State of the note; a state that no authority decides has no notes.
    pub state: Option<DocumentState>,
    /// Issuing company.
    pub emitente: Option<CnpjCpf>,
    /// Addressee.
    pub destinatario: Option<CnpjCpf>,
    pub ambiente: Option<TpAmb>,
    pub serie: Option<Serie>,
    pub numero: Option<u64>,
    /// Access key.
    pub chave: Option<String>,
    /// Period of the jobs' registration.
    pub periodo: Period,
    /// Set by a query from its visibility.
    pub reach: Option<CompanyReach>,
}

impl Store {
    /// Returns a page of notes, newest first, and their total.
    pub async fn notes(
        &self,
        sight: Visibility,
        filter: NoteFilter,
        window: ListWindow,
    ) -> Result<(Vec<Job>, u64), Error> {
        match filter.narrowed_filter(sight) {
            Some(filter) => self.read(ListNotes { tenant: sight.tenant(), filter, window }).await,
            None => Ok((Vec::new(), 0)),
        }
    }
}

struct ListNotes {
    tenant: Uuid,
    filter: NoteFilter,
    window: ListWindow,
}

impl StoreOperation for ListNotes {
    type Output = (Vec<Job>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<Job>, u64), Error> {
        if self.filter.state.is_some_and(|state| !is_decided(state)) {
            return Ok((Vec::new(), 0));
        }
        let total = total(tx, self.tenant, &self.filter).await?;
        // A page after the last one, or of an empty result, is not queried.
        if total <= u64::try_from(self.window.skip).unwrap_or(u64::MAX) {
            return Ok((Vec::new(), total));
        }
        let conditions = self.filter.conditions(self.tenant);
        let (sql, params) = page_sql(tx.dialect(), &self.filter, &conditions, self.window);
        let rows = tx.query(&sql, &params).await?;
        Ok((rows.into_iter().map(record::read_job).collect::<Result<_, _>>()?, total))
    }
}

/// Counts the notes of a filter, from kept totals where there are any.
pub(crate) async fn total<T: Tx>(tx: &mut T, tenant: Uuid, filter: &NoteFilter) -> Result<u64, Error> {
    let parts = totals(tx.dialect(), tenant, filter);
    let steps: Vec<SqlStep<'_>> =
        parts.iter().map(|(sql, conditions)| SqlStep::new(sql, conditions.params().to_vec())).collect();
    let mut total = 0;
    for rows in tx.query_all(&steps).await? {
        total += first::<i64>(rows)?.unwrap_or_default();
    }
    Ok(total.unsigned_abs())
}

/// Statements whose results add up to the total. Each note is counted by exactly one of them, whenever they run.
fn totals(dialect: SqlDialect, tenant: Uuid, filter: &NoteFilter) -> Vec<(String, Conditions)> {
    let counted = |periodo| {
        let filter = NoteFilter { periodo, ..filter.clone() };
        let conditions = filter.conditions(tenant);
        (total_sql(dialect, &filter, &conditions), conditions)
    };
    match filter.periodo {
        periodo if !counts::covers_filter(filter) => vec![counted(periodo)],
        periodo if periodo == Period::default() => vec![counts::all_time_total(tenant, filter)],
        periodo => {
            let days::SplitPeriod { days, ends } = days::SplitPeriod::of(periodo);
            let whole = (!days.is_empty()).then(|| counts::days_total(tenant, filter, &days));
            whole.into_iter().chain(ends.into_iter().map(counted)).collect()
        }
    }
}

/// Condition of the partial indexes, literally. Both databases recognise that `state = 'rejected'` implies it.
const DECIDED: &str = "(d.state = 'authorized' OR d.state = 'cancelled' OR d.state = 'denied' OR d.state = 'rejected')";
/// The condition as a list, with which an index is searched four times.
const EACH_DECIDED: &str = "d.state IN ('authorized', 'cancelled', 'denied', 'rejected')";

fn is_decided(state: DocumentState) -> bool {
    match state {
        DocumentState::Authorized | DocumentState::Cancelled | DocumentState::Denied | DocumentState::Rejected => true,
        DocumentState::Accepted
        | DocumentState::Issued
        | DocumentState::Sending
        | DocumentState::InDoubt
        | DocumentState::Failed => false,
    }
}

impl NoteFilter {
    /// Narrows the filter to the visible environments; `None` when nothing is visible.
    fn narrowed_filter(mut self, sight: Visibility) -> Option<NoteFilter> {
        self.ambiente = sight.narrow(self.ambiente)?;
        self.reach = sight.reach();
        Some(self)
    }

    fn conditions(&self, tenant: Uuid) -> Conditions {
        let mut conditions = Conditions::of_tenant("d.tenant_id", tenant);
        match self.state {
            // A literal, not a parameter: only then is it known to imply the indexes' condition.
            Some(state) => conditions.and(&format!("d.state = '{}'", words::state(state))),
            None => conditions.and(DECIDED),
        }
        conditions.and_optional("d.chave =", self.chave.as_ref());
        conditions.and_optional("d.numero =", self.numero);
        conditions.and_optional("d.destinatario =", self.destinatario.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("d.cpf_cnpj =", self.emitente.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("d.tipo =", self.tipo.as_ref());
        conditions.and_optional("d.serie =", self.serie.as_ref().map(Serie::as_str));
        conditions.and_optional("d.ambiente =", self.ambiente.map(words::ambiente));
        conditions.and_made_within("d.job_id", &self.periodo);
        conditions.and_within("d.cpf_cnpj", self.reach);
        conditions
    }

    /// The index by which a page is found with few entries read: that of the most selective filter.
    fn page_index(&self) -> &'static str {
        match self {
            _ if self.chave.is_some() => "documents_by_chave",
            _ if self.numero.is_some() => "documents_by_number",
            _ if self.destinatario.is_some() => "notes_by_addressee",
            // Most notes are authorised: that state selects hardly anything.
            _ if self.state.is_some_and(|state| state != DocumentState::Authorized) => "notes_by_state",
            _ if self.emitente.is_some() => "notes_by_company",
            _ if self.tipo.is_some() => "notes_by_tipo",
            _ if self.state.is_some() => "notes_by_state",
            _ => "notes_by_age",
        }
    }

    /// The index for counting: where there may be many entries, one that also covers the other columns.
    fn total_index(&self) -> &'static str {
        match self.page_index() {
            "notes_by_tipo" | "notes_by_age" => "notes_by_state",
            index => index,
        }
    }
}

/// Selects the ids of a page by one index, then their rows.
fn page_sql(dialect: SqlDialect, filter: &NoteFilter, conditions: &Conditions, window: ListWindow) -> (String, Params) {
    let (limit, params) = conditions.with_params(window.params());
    (record::listed(&page_ids_sql(dialect, filter, conditions, limit)), params)
}

fn page_ids_sql(dialect: SqlDialect, filter: &NoteFilter, conditions: &Conditions, limit: usize) -> String {
    format!(
        "SELECT d.job_id FROM documents d {} WHERE {} ORDER BY d.job_id DESC LIMIT ${limit} OFFSET ${}",
        dialect.index_hint(filter.page_index()),
        conditions.text(),
        limit + 1
    )
}

fn total_sql(dialect: SqlDialect, filter: &NoteFilter, conditions: &Conditions) -> String {
    let index = filter.total_index();
    let sql = format!("SELECT COUNT(*) FROM documents d {} WHERE {}", dialect.index_hint(index), conditions.text());
    match (index, filter.state) {
        ("notes_by_state", None) => format!("{sql} AND {EACH_DECIDED}"),
        _ => sql,
    }
}

crate::dyn_operation::erasable!(ListNotes);

#[cfg(test)]
mod tests;
