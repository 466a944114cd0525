//! The open data of Receita Federal: ZIPs of a folder, or the files from inside them; ISO-8859-1, `;`, no header.

use super::records::{RecordReader, TextEncoding};
use super::{
    ChunkBuilder, ChunkSender, ImportError, ImportFile, ImportSummary, ReadingProgress, archive, load, new_load,
    refused,
};
use crate::receita::Dataset;
use std::path::{Path, PathBuf};
use store::Store;
use store::lookups::PublicRegister;
use store::os_errors;

/// Imports the files, which replace those before.
pub async fn import_cnpj(
    store: &Store,
    paths: &[PathBuf],
    version: Option<String>,
    restart: bool,
    now: i64,
    progress: impl FnMut(&ReadingProgress),
) -> Result<ImportSummary, ImportError> {
    let (files, edition) = files(paths).map_err(refused)?;
    let kinds: Vec<Dataset> = files.iter().filter_map(kind).collect();
    for (kind, name) in [(Dataset::Companies, "Empresas"), (Dataset::Establishments, "Estabelecimentos")] {
        if !kinds.contains(&kind) {
            return Err(refused(format!(
                "nenhum arquivo de {name} entre os {} reconhecidos; sem ele nada é importado",
                files.len()
            )));
        }
    }
    let mut notes = Vec::new();
    for (kind, name) in OPTIONAL {
        if !kinds.contains(kind) {
            notes.push(format!("sem arquivo de {name}: o que ele diz ficará ausente das respostas"));
        }
    }
    let version = version.or(edition).unwrap_or_else(|| "edição não informada".to_owned());
    let new = new_load(PublicRegister::Cnpj, version, &files, restart);
    let summary = load(store, new, files, now, progress).await?;
    Ok(ImportSummary { notes, ..summary })
}

const OPTIONAL: &[(Dataset, &str)] = &[
    (Dataset::Simples, "Simples"),
    (Dataset::Partners, "Socios"),
    (Dataset::Domain("cnae"), "Cnaes"),
    (Dataset::Domain("municipio"), "Municipios"),
    (Dataset::Domain("motivo"), "Motivos"),
    (Dataset::Domain("natureza"), "Naturezas"),
    (Dataset::Domain("pais"), "Paises"),
    (Dataset::Domain("qualificacao"), "Qualificacoes"),
];

/// All files of a known kind, sorted by name, and the edition that their names state.
fn files(paths: &[PathBuf]) -> Result<(Vec<ImportFile>, Option<String>), String> {
    let mut found = Vec::new();
    for path in paths {
        let told = |error: std::io::Error| format!("{}: {}", path.display(), os_errors::io_error_text(&error));
        if std::fs::metadata(path).map_err(told)?.is_dir() {
            for entry in std::fs::read_dir(path).map_err(told)? {
                found.push(entry.map_err(told)?.path());
            }
        } else {
            found.push(path.clone());
        }
    }
    found.retain(|path| path.is_file());
    found.sort();
    let (mut files, mut edition) = (Vec::new(), None);
    for path in found {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let inner = archive::inner_name(&path).map_err(|why| format!("{name}: {why}"))?;
        let Some(kind) = Dataset::of_name(&name).or_else(|| Dataset::of_name(&inner)) else { continue };
        let size = path.metadata().map_err(|error| format!("{name}: {}", os_errors::io_error_text(&error)))?.len();
        edition = edition.or_else(|| day_in(&inner));
        if files.iter().any(|file: &ImportFile| file.name == name) {
            return Err(format!("{name} aparece duas vezes"));
        }
        files.push(ImportFile { name, size: i64::try_from(size).unwrap_or_default(), path, table: kind.table(), read });
    }
    if files.is_empty() {
        return Err(
            "nenhum arquivo da Receita Federal (Empresas0.zip, Estabelecimentos0.zip, Simples.zip, Cnaes.zip…)"
                .to_owned(),
        );
    }
    Ok((files, edition))
}

/// The day in a name like `K3241.K03200Y0.D40608.EMPRECSV`: last digit of the year, month, day.
fn day_in(name: &str) -> Option<String> {
    let digits = name.split('.').find_map(|part| part.strip_prefix('D').filter(|digits| digits.len() == 5))?;
    let (year, month, day) = (digits.get(..1)?, digits.get(1..3)?, digits.get(3..5)?);
    let date = jiff::civil::Date::new(2020 + year.parse::<i16>().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    Some(date.to_string())
}

fn kind(file: &ImportFile) -> Option<Dataset> {
    Dataset::of_name(&file.name).or_else(|| inner_kind(&file.path))
}

fn inner_kind(path: &Path) -> Option<Dataset> {
    Dataset::of_name(&archive::inner_name(path).ok()?)
}

fn read(file: &ImportFile, from: i64, sender: &ChunkSender) -> Result<(), String> {
    let kind = kind(file).ok_or("o tipo do arquivo não foi reconhecido")?;
    archive::with_reader(&file.path, from, |input, size| {
        let mut records = RecordReader::new(input, b';', TextEncoding::Latin1, from);
        let mut gathered = ChunkBuilder::new(sender, size);
        let mut any = from > 0;
        while let Some(fields) = records.next().map_err(|error| error.to_string())? {
            match kind.row(&fields) {
                Some(row) => gathered.row(row, records.position())?,
                None if !any => {
                    return Err(format!(
                        "o primeiro registro tem {} campos ou chave inválida: não é o leiaute da Receita Federal",
                        fields.len()
                    ));
                }
                None => gathered.leave_out(records.position(), "número de campos ou chave fora do leiaute")?,
            }
            any = true;
        }
        gathered.end(records.position())
    })
}

#[cfg(test)]
mod tests {
    use super::day_in;

    #[test]
    fn the_edition_stands_in_the_name() {
        assert_eq!(day_in("K3241.K03200Y0.D60912.EMPRECSV").as_deref(), Some("2026-09-12"));
        assert_eq!(day_in("Empresas.csv"), None);
    }
}
