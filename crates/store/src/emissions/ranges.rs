//! Ranges of index entries in which the entries of a filter lie. Each follows the order of the list; several are
//! merged.

use super::filter::{EmissionFilter, EmissionState};
use crate::conditions::first_id_at;
use crate::dialect::SqlDialect;
use crate::notes::Period;
use crate::row::{Params, Value};
use fiscal::tipo::Tipo;
use uuid::Uuid;

/// Ranges that a statement merges, with the condition that their entries must meet.
pub(super) struct CandidateRanges {
    /// A `FROM` and `WHERE` for each range, and the column of the job's id in it.
    ranges: Vec<(String, &'static str)>,
    /// Condition on `j`, `d` and `q`.
    pub(super) condition: String,
    /// `$1` on; `$1` is the tenant and `$2` the environment.
    pub(super) params: Params,
    /// Addressees whose documents are merged in place of ranges.
    pub(super) addressees: Option<FoundAddressees>,
}

/// Addressees that a name has, and the period of their documents.
pub(super) struct FoundAddressees {
    pub(super) tenant: Uuid,
    pub(super) periodo: Period,
    pub(super) found: Vec<String>,
}

/// Chooses the index of the most selective member.
pub(super) fn most_selective(dialect: SqlDialect, tenant: Uuid, filter: &EmissionFilter) -> CandidateRanges {
    let mut made = RangeMaker::new(dialect, tenant, filter);
    if let Some(referencia) = &filter.referencia {
        let place = made.bind(referencia.into());
        made.add("jobs", "jobs_by_referencia", "id", &format!("tenant_id = $1 AND referencia = {place}"));
    } else if let Some(chave) = &filter.chave {
        let place = made.bind(chave.into());
        made.add("documents", "documents_by_chave", "job_id", &format!("tenant_id = $1 AND chave = {place}"));
    } else if let Some(numero) = filter.numero {
        let place = made.bind(numero.into());
        made.add("documents", "documents_by_number", "job_id", &format!("tenant_id = $1 AND numero = {place}"));
        let given = format!("tenant_id = $1 AND numero_nota = {place}");
        made.add("documents", "documents_by_given_number", "job_id", &given);
    } else if let Some(destinatario) = &filter.destinatario {
        let place = made.bind(destinatario.as_str().into());
        made.add("jobs", "jobs_by_addressee", "id", &format!("tenant_id = $1 AND destinatario = {place}"));
    } else if !made.add_state(filter) {
        made.add_emissions(filter);
    }
    made.ranges
}

impl CandidateRanges {
    /// Emissions to some addressees.
    pub(super) fn of_addressees(
        dialect: SqlDialect,
        tenant: Uuid,
        filter: &EmissionFilter,
        found: Vec<String>,
    ) -> CandidateRanges {
        let (condition, params) = filter.condition(dialect, tenant);
        let addressees = Some(FoundAddressees { tenant, periodo: filter.periodo, found });
        CandidateRanges { ranges: Vec::new(), condition, params, addressees }
    }

    /// Selects the job whose id is a parameter, if the condition holds. One statement for each job: of a list of ids
    /// PostgreSQL may read all jobs of the account instead.
    pub(super) fn entry(&self, id: usize) -> String {
        format!(
            "SELECT j.id FROM jobs j LEFT JOIN documents d ON d.tenant_id = j.tenant_id AND d.job_id = j.id
             WHERE j.tenant_id = $1 AND j.id = ${id} AND {}",
            self.condition
        )
    }

    /// Selects the next candidates in this order: their ids, and 1 where the condition holds. `places` are those of the
    /// id from which it goes on, if any, and of the greatest number of candidates.
    pub(super) fn sql(&self, order: &str, from: Option<usize>, limit: usize) -> String {
        let one = |range| format!("SELECT id FROM ({range}) AS one");
        let all: Vec<String> = self.each_range(order, from, limit).map(one).collect();
        format!(
            "SELECT c.id, CAST(CASE WHEN {} THEN 1 ELSE 0 END AS BIGINT)
             FROM (SELECT id FROM ({}) AS every ORDER BY id {order} LIMIT ${limit}) AS c
             CROSS JOIN jobs j LEFT JOIN documents d ON d.tenant_id = j.tenant_id AND d.job_id = j.id
             WHERE j.tenant_id = $1 AND j.id = c.id ORDER BY c.id {order}",
            self.condition,
            all.join(" UNION ALL ")
        )
    }

    /// Selects the next candidates of each range.
    pub(super) fn each_range<'r>(
        &'r self,
        order: &'r str,
        from: Option<usize>,
        limit: usize,
    ) -> impl Iterator<Item = String> + 'r {
        let than = if order == "DESC" { '<' } else { '>' };
        self.ranges.iter().map(move |(range, id)| {
            let beyond = from.map(|place| format!(" AND {id} {than} ${place}")).unwrap_or_default();
            format!("SELECT {id} AS id {range}{beyond} ORDER BY {id} {order} LIMIT ${limit}")
        })
    }
}

struct RangeMaker {
    dialect: SqlDialect,
    ranges: CandidateRanges,
    /// Ends of the period, as parameters.
    period: Vec<(&'static str, usize)>,
}

impl RangeMaker {
    fn new(dialect: SqlDialect, tenant: Uuid, filter: &EmissionFilter) -> RangeMaker {
        let (condition, params) = filter.condition(dialect, tenant);
        let ranges = CandidateRanges { ranges: Vec::new(), condition, params, addressees: None };
        let mut made = RangeMaker { dialect, ranges, period: Vec::new() };
        for (than, end) in [(">=", filter.periodo.from), ("<", filter.periodo.until)] {
            if let Some(end) = end {
                made.ranges.params.push(first_id_at(end).into());
                made.period.push((than, made.ranges.params.len()));
            }
        }
        made
    }

    fn bind(&mut self, value: Value) -> String {
        self.ranges.params.push(value);
        format!("${}", self.ranges.params.len())
    }

    fn add(&mut self, table: &str, index: &str, id: &'static str, condition: &str) {
        let period: String = self.period.iter().map(|(than, place)| format!(" AND {id} {than} ${place}")).collect();
        let hint = self.dialect.index_hint(index);
        self.ranges.ranges.push((format!("FROM {table} {hint} WHERE {condition}{period}"), id));
    }

    /// Adds the ranges of a state, unless most documents are in it.
    fn add_state(&mut self, filter: &EmissionFilter) -> bool {
        let here = "tenant_id = $1 AND ambiente = $2";
        let decided = |state: EmissionState| match state {
            EmissionState::Rejected => Some("rejected"),
            EmissionState::Denied => Some("denied"),
            EmissionState::Cancelled => Some("cancelled"),
            _ => None,
        };
        let state = filter.state.or(filter.not_reissued.then_some(EmissionState::Rejected));
        match state {
            Some(EmissionState::InDoubt) => {
                self.add("documents", "documents_in_doubt", "job_id", &format!("{here} AND state = 'in_doubt'"));
            }
            Some(EmissionState::Contingency) => {
                self.add("documents", "documents_in_contingency", "job_id", &format!("{here} AND {IN_CONTINGENCY}"));
            }
            // The primary key of the queue is in the order of the list.
            Some(EmissionState::Pending) => self.add_unhinted("queue", "job_id", "tenant_id = $1"),
            Some(EmissionState::Failed) => {
                self.add("jobs", "jobs_failed", "id", &format!("{here} AND erro_codigo IS NOT NULL"));
            }
            Some(state) => {
                let Some(word) = decided(state) else { return false };
                self.add("documents", "notes_by_state", "job_id", &format!("{here} AND state = '{word}'"));
            }
            None => return false,
        }
        true
    }

    fn add_unhinted(&mut self, table: &str, id: &'static str, condition: &str) {
        let period: String = self.period.iter().map(|(than, place)| format!(" AND {id} {than} ${place}")).collect();
        self.ranges.ranges.push((format!("FROM {table} WHERE {condition}{period}"), id));
    }

    /// Adds a range for each type, of a company or of all.
    fn add_emissions(&mut self, filter: &EmissionFilter) {
        let company = filter.emitente.as_ref().map(|emitente| self.bind(emitente.as_str().into()));
        for tipo in Tipo::ALL.into_iter().filter(|tipo| filter.tipo.is_none_or(|asked| asked == *tipo)) {
            let all = format!("tenant_id = $1 AND ambiente = $2 AND tipo = '{tipo}' AND operacao = 'emissao'");
            match &company {
                Some(place) => {
                    self.add("jobs", "emissions_by_company", "id", &format!("{all} AND cpf_cnpj = {place}"));
                }
                None => self.add("jobs", "emissions_by_tipo", "id", &all),
            }
        }
    }
}

/// Condition of the partial index, literally.
const IN_CONTINGENCY: &str =
    "contingencia IS NOT NULL AND state <> 'authorized' AND state <> 'cancelled' AND state <> 'denied'
    AND state <> 'rejected' AND state <> 'failed' AND state <> 'in_doubt'";
