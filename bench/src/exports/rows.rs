//! Authorised notes with their XML, signed as the service signs them: a tenth in October, the others in November.

use crate::documents::BenchDocument;
use crate::reports::postgres::{CopyProcess, query_text};
use crate::service::CNPJ;
use crate::sign;
use anyhow::{Context, Result, anyhow};
use fiscal::document::BuildContext;
use rusqlite::{Connection, params};
use signing::ElementToSign;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use uuid::Uuid;

pub(super) const ITEMS: usize = 5;

/// A line of the file of notes: number, key, instant of emission, XML. None of them has a tabulator.
struct NoteLine<'l> {
    number: i64,
    chave: &'l str,
    dhEmi: &'l str,
    xml: &'l str,
}

impl<'l> NoteLine<'l> {
    fn read(line: &'l str) -> Result<NoteLine<'l>> {
        let mut fields = line.splitn(4, '\t');
        let mut next = || fields.next().context("a short line");
        Ok(NoteLine { number: next()?.parse()?, chave: next()?, dhEmi: next()?, xml: next()? })
    }

    fn id(&self) -> Uuid {
        Uuid::from_u128((7 << 76) | (2 << 62) | u128::from(self.number.unsigned_abs()))
    }
}

/// Writes the notes, and key and SHA-256 of each.
pub(super) fn write(path: &Path, sums: &Path, notes: u32) -> Result<()> {
    let (certificate, document) = (sign::certificate()?, BenchDocument::note(ITEMS));
    let (mut lines, mut sums) = (BufWriter::new(std::fs::File::create(path)?), BufWriter::new(std::fs::File::create(sums)?));
    for number in 1..=notes {
        let month = if number <= notes / 10 { 10 } else { 11 };
        let dhEmi = format!("2026-{month}-{:02}T10:00:00-03:00", number % 30 + 1);
        let context = BuildContext { numero: number.into(), dhEmi: &dhEmi, ..sign::context(&document) };
        let built = (document.write)(&document.nota, &context).map_err(|found| anyhow!("cannot write: {found:?}"))?;
        let places: Vec<_> = built
            .signatures
            .iter()
            .map(|it| ElementToSign { element: it.element.clone(), id: it.id.clone() })
            .collect();
        let signed = signing::sign_elements(signing::SigningAlgorithm::Sha1, built.xml, &places, &certificate)?.xml;
        let (_, rest) = signed.split_once("Id=\"NFe").context("no key")?;
        let chave = rest.get(..44).context("no key")?;
        let xml = format!(
            "<nfeProc xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\">{}<protNFe versao=\"4.00\"><infProt><chNFe>{chave}</chNFe>\
             <cStat>100</cStat></infProt></protNFe></nfeProc>",
            signed.trim_start_matches("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        );
        writeln!(lines, "{number}\t{chave}\t{dhEmi}\t{xml}")?;
        let sum: String = openssl::sha::sha256(xml.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(sums, "{chave} {sum}")?;
    }
    Ok(())
}

/// Inserts the notes into SQLite.
pub(super) fn insert(path: &Path, tenant: Uuid, notes: &Path) -> Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA synchronous=OFF; BEGIN")?;
    connection
        .prepare("INSERT INTO companies (tenant_id, cpf_cnpj, dados, criado_em, atualizado_em) VALUES (?1, ?2, '{}', 0, 0)")?
        .execute(params![tenant.as_bytes(), CNPJ])?;
    for line in BufReader::new(std::fs::File::open(notes)?).lines() {
        let line = line?;
        let note = NoteLine::read(&line)?;
        let NoteLine { number, chave, dhEmi, xml } = note;
        let id = note.id();
        connection
            .prepare_cached(
                "INSERT INTO documents (tenant_id, job_id, cpf_cnpj, ambiente, state, counted, serie, numero, codigo_aleatorio, chave, asked_by,
                     tipo_emissao, dhEmi, valor, tipo) VALUES (?1, ?2, ?3, 2, 'authorized', '55', '1', ?4, 1, ?5, ?5, 1, ?6, '50.00', 'nfe')",
            )?
            .execute(params![tenant.as_bytes(), id.as_bytes(), CNPJ, number, chave, dhEmi])?;
        connection
            .prepare_cached("INSERT INTO numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, job_id) VALUES (?1, ?2, '55', '1', 2, ?3, 'used', ?4)")?
            .execute(params![tenant.as_bytes(), CNPJ, number, id.as_bytes()])?;
        connection
            .prepare_cached("INSERT INTO files (tenant_id, job_id, kind, content) VALUES (?1, ?2, 'authorized', ?3)")?
            .execute(params![tenant.as_bytes(), id.as_bytes(), xml])?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(())
}

/// Copies the notes into PostgreSQL.
pub(super) fn copy(url: &str, tenant: Uuid, notes: &Path) -> Result<()> {
    query_text(
        url,
        &format!("INSERT INTO companies (tenant_id, cpf_cnpj, dados, criado_em, atualizado_em) VALUES ('{tenant}', '{CNPJ}', '{{}}', 0, 0)"),
    )?;
    let mut documents = CopyProcess::into(
        url,
        "documents (tenant_id, job_id, cpf_cnpj, ambiente, state, counted, serie, numero, codigo_aleatorio, chave, asked_by, tipo_emissao, dhEmi, valor, tipo)",
    )?;
    let mut numbers =
        CopyProcess::into(url, "numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, job_id)")?;
    let mut files = CopyProcess::into(url, "files (tenant_id, job_id, kind, content)")?;
    for line in BufReader::new(std::fs::File::open(notes)?).lines() {
        let line = line?;
        let note = NoteLine::read(&line)?;
        let NoteLine { number, chave, dhEmi, xml } = note;
        let id = note.id();
        writeln!(
            documents.rows,
            "{tenant}\t{id}\t{CNPJ}\t2\tauthorized\t55\t1\t{number}\t1\t{chave}\t{chave}\t1\t{dhEmi}\t50.00\tnfe"
        )?;
        writeln!(numbers.rows, "{tenant}\t{CNPJ}\t55\t1\t2\t{number}\tused\t{id}")?;
        writeln!(files.rows, "{tenant}\t{id}\tauthorized\t{}", xml.replace('\\', "\\\\"))?;
    }
    documents.end()?;
    numbers.end()?;
    files.end()?;
    query_text(url, "VACUUM ANALYZE").map(drop)
}
