//! Rows that the panel reads beside jobs and documents: waiting jobs, names, numbers, webhook deliveries.
//!
//! Made by the database from the jobs, in SQL that both databases understand.

use crate::reports::postgres;
use anyhow::Result;
use rusqlite::Connection;
use std::path::Path;

/// Of the failed jobs half wait, a few documents are in doubt, a fourth of the jobs has a delivery, one number in ten
/// thousand is a gap.
const STATEMENTS: [&str; 10] = [
    "UPDATE jobs SET status = 'pending', erro = NULL, erro_codigo = NULL, concluido_em = NULL
     WHERE status = 'failed' AND criado_em % 2 = 0",
    "UPDATE documents SET state = 'in_doubt' WHERE state = 'authorized' AND numero % 50000 = 7",
    "UPDATE jobs SET status = 'pending', concluido_em = NULL WHERE EXISTS (
         SELECT 1 FROM documents d WHERE d.tenant_id = jobs.tenant_id AND d.job_id = jobs.id AND d.state = 'in_doubt')",
    "INSERT INTO queue (tenant_id, job_id, cpf_cnpj, authority, ready_at, tentativas)
     SELECT tenant_id, id, cpf_cnpj, authority, 9999999999, 0 FROM jobs WHERE status = 'pending'",
    "INSERT INTO numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, job_id)
     SELECT tenant_id, cpf_cnpj, counted, serie, ambiente, numero, 'used', job_id FROM documents WHERE numero % 10007 <> 5",
    "INSERT INTO sequences (tenant_id, cpf_cnpj, counted, serie, ambiente, next)
     SELECT tenant_id, cpf_cnpj, counted, serie, ambiente, MAX(numero) + 1 FROM documents
     GROUP BY tenant_id, cpf_cnpj, counted, serie, ambiente",
    "INSERT INTO deliveries (tenant_id, id, job_id, ambiente, evento, url, corpo, status, tentativas, criado_em, concluido_em)
     SELECT tenant_id, id, id, 2, 'nota.autorizada', 'https://erp.exemplo.com.br/avisos', '{}',
         CASE WHEN criado_em % 500 = 0 THEN 'perdida' ELSE 'entregue' END, 1, criado_em, criado_em
     FROM jobs WHERE criado_em % 4 = 0",
    "INSERT INTO addressee_words (tenant_id, ambiente, word, destinatario)
     SELECT DISTINCT tenant_id, 2, CASE substr(destinatario, 9, 1) WHEN '0' THEN 'maria' WHEN '1' THEN 'joao' WHEN '2' THEN 'ana'
         WHEN '3' THEN 'papelaria' WHEN '4' THEN 'mercado' WHEN '5' THEN 'oficina' WHEN '6' THEN 'padaria' WHEN '7' THEN 'clinica'
         WHEN '8' THEN 'escola' ELSE 'farmacia' END, destinatario FROM jobs WHERE destinatario IS NOT NULL",
    "INSERT INTO addressee_words (tenant_id, ambiente, word, destinatario)
     SELECT DISTINCT tenant_id, 2, CASE substr(destinatario, 8, 1) WHEN '0' THEN 'silva' WHEN '1' THEN 'souza' WHEN '2' THEN 'central'
         WHEN '3' THEN 'aurora' WHEN '4' THEN 'pereira' WHEN '5' THEN 'horizonte' WHEN '6' THEN 'ribeiro' WHEN '7' THEN 'nunes'
         WHEN '8' THEN 'ipiranga' ELSE 'lima' END, destinatario FROM jobs WHERE destinatario IS NOT NULL",
    "INSERT INTO addressee_words (tenant_id, ambiente, word, destinatario)
     SELECT DISTINCT tenant_id, 2, 'filial' || substr(destinatario, 4, 6), destinatario FROM jobs WHERE destinatario IS NOT NULL",
];

/// Adds the rows.
pub(super) fn add(file: Option<&Path>, url: &str) -> Result<()> {
    match file {
        Some(path) => {
            let connection = Connection::open(path)?;
            connection.execute_batch("PRAGMA synchronous=OFF; PRAGMA cache_size=-500000; BEGIN")?;
            for statement in STATEMENTS {
                connection.execute_batch(statement)?;
            }
            connection.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")?;
        }
        None => {
            for statement in STATEMENTS {
                postgres::query_text(url, statement)?;
            }
            postgres::query_text(url, "VACUUM ANALYZE")?;
        }
    }
    Ok(())
}
