//! Reports over a period: failed jobs and rejected notes, page by page or grouped by reason.
//!
//! Law: docs/contract.md, "Reports and search" (`/v1/jobs/erros`, `/v1/jobs/rejeitadas`). Each report is read from one
//! index made for it.

use super::job::{Job, JobFailure};
use super::record;
use crate::conditions::{Conditions, ListWindow, Period};
use crate::dialect::SqlDialect;
use crate::row::{Row, first};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Codigo, TpAmb};
use uuid::Uuid;

/// Kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// Failed jobs.
    Failed,
    /// Rejected notes.
    Rejected,
}

/// Scope of a report.
#[derive(Debug, Clone)]
pub struct ReportScope {
    /// Tenant and visible environments.
    pub visibility: Visibility,
    /// Period of the jobs' registration.
    pub periodo: Period,
    /// Issuing company.
    pub emitente: Option<CnpjCpf>,
    pub tipo: Option<String>,
    pub ambiente: Option<TpAmb>,
}

/// A reason with its frequency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReasonCount {
    /// Reason, with the text of the newest job.
    pub reason: ReportReason,
    /// Number of jobs.
    pub count: u64,
    /// The newest job.
    pub example: Uuid,
}

/// Reason of a failure or of a rejection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportReason {
    /// Our code.
    Failed { codigo: String, mensagem: String },
    /// The authority's code, with the newest note's type: codes of the NFS-e count apart from those of the SEFAZ.
    Rejected { tipo: Tipo, codigo: Codigo, xMotivo: String },
}

impl Store {
    /// Returns a page of a report, newest first, and its number of entries.
    pub async fn report(
        &self,
        report: ReportKind,
        scope: ReportScope,
        window: ListWindow,
    ) -> Result<(Vec<Job>, u64), Error> {
        match scope.narrowed_scope() {
            Some(scope) => self.read(ReadReportEntries { report, scope, window }).await,
            None => Ok((Vec::new(), 0)),
        }
    }
    /// Returns the reasons of a report, the most frequent first.
    pub async fn report_reasons(&self, report: ReportKind, scope: ReportScope) -> Result<Vec<ReasonCount>, Error> {
        match scope.narrowed_scope() {
            Some(scope) => self.read(CountReasons { report, scope }).await,
            None => Ok(Vec::new()),
        }
    }
}

/// Table, index and columns of a report.
struct ReportSource {
    table: &'static str,
    index: &'static str,
    id: &'static str,
    condition: &'static str,
    reason: &'static str,
    /// Further expression by which jobs of one reason are grouped.
    apart: &'static str,
    words: &'static str,
    /// Order of equally frequent reasons.
    order: &'static str,
}

impl ReportKind {
    fn source(self) -> ReportSource {
        match self {
            ReportKind::Failed => ReportSource {
                table: "jobs",
                index: "jobs_failed",
                id: "id",
                condition: "r.erro_codigo IS NOT NULL",
                reason: "erro_codigo",
                apart: "r.erro_codigo",
                words: "erro",
                order: "g.reason",
            },
            ReportKind::Rejected => ReportSource {
                table: "documents",
                index: "notes_rejected",
                id: "job_id",
                condition: "r.state = 'rejected'",
                reason: "codigo",
                apart: "CASE WHEN r.tipo = 'nfse' THEN 1 ELSE 0 END",
                words: "xMotivo",
                // Sorts codes as numbers.
                order: "LENGTH(g.reason), g.reason",
            },
        }
    }
}

impl ReportScope {
    /// Narrows the scope to the visible environments.
    fn narrowed_scope(mut self) -> Option<ReportScope> {
        self.ambiente = self.visibility.narrow(self.ambiente)?;
        Some(self)
    }

    fn conditions(&self, source: &ReportSource) -> Conditions {
        let mut conditions = Conditions::of_tenant("r.tenant_id", self.visibility.tenant());
        conditions.and(source.condition);
        conditions.and_made_within(&format!("r.{}", source.id), &self.periodo);
        conditions.and_optional("r.cpf_cnpj =", self.emitente.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("r.tipo =", self.tipo.as_ref());
        conditions.and_optional("r.ambiente =", self.ambiente.map(words::ambiente));
        conditions.and_within("r.cpf_cnpj", self.visibility.reach());
        conditions
    }
}

fn from(dialect: SqlDialect, source: &ReportSource) -> String {
    format!("FROM {} r {}", source.table, dialect.index_hint(source.index))
}

struct ReadReportEntries {
    report: ReportKind,
    scope: ReportScope,
    window: ListWindow,
}

impl StoreOperation for ReadReportEntries {
    type Output = (Vec<Job>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<Job>, u64), Error> {
        let source = self.report.source();
        let conditions = self.scope.conditions(&source);
        let (from, condition) = (from(tx.dialect(), &source), conditions.text());
        let sql = format!("SELECT COUNT(*) {from} WHERE {condition}");
        let total = first::<i64>(tx.query(&sql, conditions.params()).await?)?.unwrap_or_default().unsigned_abs();
        let (limit, params) = conditions.with_params(self.window.params());
        let page = format!(
            "SELECT r.{id} AS job_id {from} WHERE {condition} ORDER BY r.{id} DESC LIMIT ${limit} OFFSET ${}",
            limit + 1,
            id = source.id
        );
        let rows = tx.query(&record::listed(&page), &params).await?;
        Ok((rows.into_iter().map(record::read_job).collect::<Result<_, _>>()?, total))
    }
}

struct CountReasons {
    report: ReportKind,
    scope: ReportScope,
}

impl StoreOperation for CountReasons {
    type Output = Vec<ReasonCount>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<ReasonCount>, Error> {
        let source = self.report.source();
        let conditions = self.scope.conditions(&source);
        let ReportSource { table, id, reason, apart, words, order, .. } = source;
        let sql = format!(
            "SELECT g.n, g.example, g.reason, x.{words}, x.tipo
             FROM (SELECT r.{reason} AS reason, COUNT(*) AS n, {} AS example {} WHERE {} GROUP BY r.{reason}, {apart}) g
             CROSS JOIN {table} x WHERE x.tenant_id = $1 AND x.{id} = g.example ORDER BY g.n DESC, {order}",
            tx.dialect().newest(&format!("r.{id}")),
            from(tx.dialect(), &source),
            conditions.text(),
        );
        let rows = tx.query(&sql, conditions.params()).await?;
        rows.into_iter().map(|row| read_reason(self.report, row)).collect()
    }
}

fn read_reason(report: ReportKind, mut row: Row) -> Result<ReasonCount, Error> {
    let (count, example): (i64, Uuid) = (row.read()?, row.read()?);
    let why = match report {
        ReportKind::Rejected => {
            let (codigo, xMotivo): (String, Option<String>) = (row.read()?, row.read()?);
            let (codigo, tipo) = (words::read_codigo(codigo)?, words::read_tipo(&row.read::<String>()?)?);
            ReportReason::Rejected { tipo, codigo, xMotivo: xMotivo.unwrap_or_default() }
        }
        ReportKind::Failed => {
            let (codigo, erro): (Option<String>, Option<String>) = (row.read()?, row.read()?);
            let erro = erro.map(words::read_json::<JobFailure>).transpose()?;
            let mensagem = erro.map(|erro| erro.mensagem).unwrap_or_default();
            ReportReason::Failed { codigo: codigo.unwrap_or_default(), mensagem }
        }
    };
    Ok(ReasonCount { reason: why, count: count.unsigned_abs(), example })
}

crate::dyn_operation::erasable!(ReadReportEntries, CountReasons);
