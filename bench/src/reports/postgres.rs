//! Writes the rows into PostgreSQL by COPY, through `psql`; reads plans from `auto_explain`.

use super::data::{DecidedDocument, BenchOutcome, BenchJob};
use super::{ExpectedCounts, AccountIds, failure, payload};
use anyhow::{Context, Result, ensure};
use std::io::{BufWriter, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use uuid::Uuid;

/// Returns the answer of a statement, unadorned.
pub(crate) fn query_text(url: &str, sql: &str) -> Result<String> {
    let output =
        Command::new("psql").args([url, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", sql]).output().context("psql")?;
    ensure!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub(crate) fn tenant(url: &str, nome: &str) -> Result<Uuid> {
    Ok(query_text(url, &format!("SELECT id FROM tenants WHERE nome = '{nome}'"))?.parse()?)
}

/// A running COPY.
pub(crate) struct CopyProcess {
    child: Child,
    pub(crate) rows: BufWriter<ChildStdin>,
}

impl CopyProcess {
    pub(crate) fn into(url: &str, table: &str) -> Result<CopyProcess> {
        let copy = format!("COPY {table} FROM STDIN");
        let mut child = Command::new("psql")
            .args([url, "-qX", "-v", "ON_ERROR_STOP=1", "-c", &copy])
            .stdin(Stdio::piped())
            .spawn()?;
        let rows = BufWriter::with_capacity(1 << 20, child.stdin.take().context("no input")?);
        Ok(CopyProcess { child, rows })
    }

    pub(crate) fn end(self) -> Result<()> {
        let CopyProcess { mut child, rows } = self;
        drop(rows.into_inner()?);
        ensure!(child.wait()?.success(), "COPY failed");
        Ok(())
    }
}

pub(crate) fn copy_rows(url: &str, jobs: impl Iterator<Item = BenchJob>, ids: &AccountIds, counts: &mut ExpectedCounts) -> Result<()> {
    let tables = "schemaname = 'public' AND tablename IN ('jobs', 'documents') AND indexname NOT LIKE '%_pkey'";
    let indexes = query_text(url, &format!("SELECT indexdef FROM pg_indexes WHERE {tables}"))?;
    let drops = query_text(url, &format!("SELECT 'DROP INDEX ' || indexname || ';' FROM pg_indexes WHERE {tables}"))?;
    query_text(url, &drops)?;
    let mut into_jobs = CopyProcess::into(
        url,
        "jobs (tenant_id, id, tipo, operacao, cpf_cnpj, ambiente, referencia, status, tentativas, notices, authority, erro, criado_em, atualizado_em, concluido_em, destinatario, valor, erro_codigo)",
    )?;
    let mut into_payloads = CopyProcess::into(url, "payloads (tenant_id, job_id, payload)")?;
    let mut into_documents = CopyProcess::into(
        url,
        "documents (tenant_id, job_id, cpf_cnpj, ambiente, state, counted, serie, numero, codigo_aleatorio, chave, asked_by, tipo_emissao, dhEmi, valor, destinatario, digest, nProt, dhRecbto, codigo, xMotivo, tipo)",
    )?;
    for job in jobs {
        let (tenant, id, at) = (ids.of(job.tenant), job.id, job.criado_em);
        let (status, erro, codigo) = match &job.end {
            BenchOutcome::Failed { codigo } => ("failed", failure(codigo), *codigo),
            BenchOutcome::Decided(_) => ("completed", "\\N".to_owned(), "\\N"),
        };
        writeln!(
            into_jobs.rows,
            "{tenant}\t{id}\t{}\temissao\t{}\t2\t{}\t{status}\t1\t[]\tSP\t{erro}\t{at}\t{at}\t{at}\t{}\t{}\t{codigo}",
            job.tipo,
            job.cpf_cnpj,
            job.referencia,
            job.destinatario,
            job.vNF
        )?;
        writeln!(into_payloads.rows, "{tenant}\t{id}\t{}", payload(&job))?;
        if let BenchOutcome::Decided(document) = &job.end {
            let DecidedDocument { state, modelo, nNF, chave, cStat, xMotivo } = document;
            writeln!(
                into_documents.rows,
                "{tenant}\t{id}\t{}\t2\t{state}\t{modelo}\t1\t{nNF}\t1\t{chave}\t{chave}\t1\t{when}\t{}\t{}\t{}\t135260000000001\t{when}\t{cStat}\t{xMotivo}\t{}",
                job.cpf_cnpj,
                job.vNF,
                job.destinatario,
                super::DIGEST,
                job.tipo,
                when = super::WHEN
            )?;
        }
        counts.add(&job);
    }
    into_jobs.end()?;
    into_payloads.end()?;
    into_documents.end()?;
    let mut into_companies = CopyProcess::into(url, "companies (tenant_id, cpf_cnpj, dados, criado_em, atualizado_em)")?;
    for (tenant, company) in ids.companies() {
        writeln!(into_companies.rows, "{tenant}\t{company}\t{}\t0\t0", super::COMPANY)?;
    }
    into_companies.end()?;
    let mut into_counts = CopyProcess::into(url, "note_counts (tenant_id, cpf_cnpj, tipo, serie, ambiente, state, shard, n)")?;
    for (key, n) in counts.rows() {
        writeln!(into_counts.rows, "{}\t{}\t{}\t1\t2\t{}\t{}\t{n}", ids.of(key.0), key.1, key.2, key.3, key.4)?;
    }
    into_counts.end()?;
    let mut into_days =
        CopyProcess::into(url, "note_days (tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state, shard, n)")?;
    for (key, n) in counts.days() {
        writeln!(into_days.rows, "{}\t{}\t{}\t{}\t1\t2\t{}\t0\t{n}", ids.of(key.0), key.1, key.2, key.3, key.4)?;
    }
    into_days.end()?;
    for index in indexes.lines() {
        query_text(url, &format!("SET maintenance_work_mem = '512MB'; {index}"))?;
    }
    // autovacuum would have done this in a year
    query_text(url, "VACUUM ANALYZE").map(drop)
}

/// Makes later sessions write the plans of their statements to the server's log, or no longer.
pub(crate) fn explain(url: &str, on: bool) -> Result<()> {
    let database = url.rsplit_once('/').map_or("postgres", |(_, name)| name);
    for setting in [
        "session_preload_libraries = 'auto_explain'",
        "auto_explain.log_min_duration = 0",
        "auto_explain.log_analyze = on",
    ] {
        let name = setting.split(' ').next().unwrap_or_default();
        let change = if on { format!("SET {setting}") } else { format!("RESET {name}") };
        query_text(url, &format!("LOAD 'auto_explain'; ALTER DATABASE {database} {change}"))?;
    }
    Ok(())
}

/// Reads the server's log, which `cargo xtask postgres` keeps beside its data.
pub(crate) fn log(url: &str) -> Result<String> {
    let data = query_text(url, "SHOW data_directory")?;
    let log = std::path::Path::new(&data).parent().context("data_directory")?.join("server.log");
    Ok(String::from_utf8_lossy(&std::fs::read(&log).with_context(|| log.display().to_string())?).into_owned())
}
