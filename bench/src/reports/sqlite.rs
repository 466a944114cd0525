//! Writes the rows into SQLite; reads its plans.

use super::data::{DecidedDocument, BenchOutcome, BenchJob};
use super::{ExpectedCounts, AccountIds, failure, payload};
use anyhow::{Context, Result};
use rusqlite::{Connection, params};
use std::path::Path;
use uuid::Uuid;

pub(crate) fn tenant(path: &Path, nome: &str) -> Result<Uuid> {
    let connection = Connection::open(path)?;
    let id: Vec<u8> = connection.query_row("SELECT id FROM tenants WHERE nome = ?1", [nome], |row| row.get(0))?;
    Ok(Uuid::from_slice(&id)?)
}

/// Inserts all rows in one transaction; the secondary indexes are made afterwards.
pub(crate) fn insert_rows(path: &Path, jobs: impl Iterator<Item = BenchJob>, ids: &AccountIds, counts: &mut ExpectedCounts) -> Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1500000; PRAGMA temp_store=FILE; BEGIN",
    )?;
    let indexes: Vec<(String, String)> = {
        let mut statement = connection.prepare(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('jobs', 'documents')",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<rusqlite::Result<_>>()?
    };
    for (name, _) in &indexes {
        connection.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    for job in jobs {
        insert(&connection, &job, ids)?;
        counts.add(&job);
    }
    for (tenant, company) in ids.companies() {
        connection.prepare_cached("INSERT INTO companies (tenant_id, cpf_cnpj, dados, criado_em, atualizado_em) VALUES (?1, ?2, ?3, 0, 0)")?
            .execute(params![tenant.as_bytes(), company, super::COMPANY])?;
    }
    for (key, n) in counts.rows() {
        connection.prepare_cached("INSERT INTO note_counts (tenant_id, cpf_cnpj, tipo, serie, ambiente, state, shard, n) VALUES (?1, ?2, ?3, '1', 2, ?4, ?5, ?6)")?
            .execute(params![ids.of(key.0).as_bytes(), key.1, key.2, key.3, key.4, n as i64])?;
    }
    for (key, n) in counts.days() {
        connection.prepare_cached("INSERT INTO note_days (tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state, shard, n) VALUES (?1, ?2, ?3, ?4, '1', 2, ?5, 0, ?6)")?
            .execute(params![ids.of(key.0).as_bytes(), key.1 as i64, key.2, key.3, key.4, n as i64])?;
    }
    connection.execute_batch("COMMIT")?;
    for (_, sql) in &indexes {
        connection.execute_batch(sql)?;
    }
    connection.execute_batch("PRAGMA journal_mode=WAL")?;
    Ok(())
}

fn insert(connection: &Connection, job: &BenchJob, ids: &AccountIds) -> Result<()> {
    let (tenant, id) = (ids.of(job.tenant), job.id);
    let (status, erro, codigo) = match &job.end {
        BenchOutcome::Failed { codigo } => ("failed", Some(failure(codigo)), Some(*codigo)),
        BenchOutcome::Decided(_) => ("completed", None, None),
    };
    connection
        .prepare_cached(
            "INSERT INTO jobs (tenant_id, id, tipo, operacao, cpf_cnpj, ambiente, referencia, status, tentativas, notices,
                 authority, erro, criado_em, atualizado_em, concluido_em, destinatario, valor, erro_codigo)
             VALUES (?1, ?2, ?3, 'emissao', ?4, 2, ?5, ?6, 1, '[]', 'SP', ?7, ?8, ?8, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            tenant.as_bytes(), id.as_bytes(), job.tipo, job.cpf_cnpj, job.referencia, status, erro, job.criado_em as i64,
            job.destinatario, job.vNF, codigo
        ])?;
    connection
        .prepare_cached("INSERT INTO payloads (tenant_id, job_id, payload) VALUES (?1, ?2, ?3)")?
        .execute(params![tenant.as_bytes(), id.as_bytes(), payload(job)])?;
    if let BenchOutcome::Decided(document) = &job.end {
        let DecidedDocument { state, modelo, nNF, chave, cStat, xMotivo } = document;
        connection
            .prepare_cached(
                "INSERT INTO documents (tenant_id, job_id, cpf_cnpj, ambiente, state, counted, serie, numero, codigo_aleatorio, chave, asked_by,
                     tipo_emissao, dhEmi, valor, destinatario, digest, nProt, dhRecbto, codigo, xMotivo, tipo)
                 VALUES (?1, ?2, ?3, 2, ?4, ?5, '1', ?6, 1, ?7, ?7, 1, ?8, ?9, ?10, ?11, '135260000000001', ?8, ?12, ?13, ?14)",
            )?
            .execute(params![
                tenant.as_bytes(), id.as_bytes(), job.cpf_cnpj, state, modelo.to_string(), nNF, chave, super::WHEN, job.vNF, job.destinatario,
                super::DIGEST, cStat.to_string(), xMotivo, job.tipo
            ])?;
    }
    Ok(())
}

/// Returns the plan of a statement as the service wrote it.
pub(crate) fn plan(path: &Path, sql: &str) -> Result<String> {
    let connection = Connection::open(path)?;
    let mut statement =
        connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sql.replace('$', "?"))).with_context(|| sql.to_owned())?;
    let rows = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.join("\n"))
}
