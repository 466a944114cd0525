//! Import of the official JSON of Siscomex, which becomes the nomenclature in use whole or not at all.

use super::{ImportError, ImportSummary, refused};
use fiscal::ncm::NcmTable;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use store::Store;
use store::os_errors;

/// The members of a row, in the order of the table's columns after the code.
const MEMBERS: [&str; 6] = ["Data_Inicio", "Data_Fim", "Tipo_Ato_Ini", "Numero_Ato_Ini", "Ano_Ato_Ini", "Descricao"];
/// Largest file accepted, in bytes; the official one has 5 MB.
const LARGEST: u64 = 128 << 20;

/// Reads, checks and activates a nomenclature.
pub async fn import_ncm(store: &Store, path: &Path, now: i64) -> Result<ImportSummary, ImportError> {
    let path = path.to_owned();
    let reading = tokio::task::spawn_blocking(move || read(&path));
    let (text, rows, version) = reading.await.map_err(|_| refused("a leitura foi interrompida"))?.map_err(refused)?;
    store.replace_ncm(version.clone(), text, rows, now).await?;
    Ok(ImportSummary { version, rows, ..ImportSummary::default() })
}

fn read(path: &Path) -> Result<(String, i64, String), String> {
    let told = |error: std::io::Error| format!("{}: {}", path.display(), os_errors::io_error_text(&error));
    if std::fs::metadata(path).map_err(told)?.len() > LARGEST {
        return Err(format!("{}: grande demais para ser a nomenclatura", path.display()));
    }
    let bytes = std::fs::read(path).map_err(told)?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let json: Value = serde_json::from_slice(bytes).map_err(|error| {
        format!("{} não é JSON, a partir da linha {}, coluna {}", path.display(), error.line(), error.column())
    })?;
    let other = |why: &dyn std::fmt::Display| format!("{} não é a nomenclatura do Siscomex: {why}", path.display());
    let text = lines(&json).map_err(|why| other(&why))?;
    let table = NcmTable::read(&text).map_err(|wrong| other(&wrong))?;
    let rows = i64::try_from(table.entries().len()).unwrap_or_default();
    let version = if table.ato().is_empty() {
        table.vigencia().to_owned()
    } else {
        format!("{} ({})", table.vigencia(), table.ato())
    };
    Ok((text, rows, version))
}

/// The lines that `Table::read` takes.
fn lines(json: &Value) -> Result<String, String> {
    let text = |value: &Value, name: &str| match &value[name] {
        Value::String(text) => Some(super::printable(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let vigencia = text(json, "Data_Ultima_Atualizacao_NCM").ok_or("falta Data_Ultima_Atualizacao_NCM")?;
    let mut lines = format!("{vigencia}\t{}\n", text(json, "Ato").unwrap_or_default());
    let rows = json["Nomenclaturas"].as_array().ok_or("falta a lista Nomenclaturas")?;
    for (row, at) in rows.iter().zip(0..) {
        let missing = |name: &str| format!("Nomenclaturas[{at}]: falta {name}");
        let _ = write!(lines, "{}", text(row, "Codigo").ok_or_else(|| missing("Codigo"))?.replace('.', ""));
        for name in MEMBERS {
            let _ = write!(lines, "\t{}", text(row, name).ok_or_else(|| missing(name))?);
        }
        lines.push('\n');
    }
    Ok(lines)
}
