//! The NCM: search, entry, validity; and how an entry is told.

pub(crate) mod buscar;
pub(crate) mod consultar;
pub(crate) mod validar;

use fiscal::ncm::Entry;
use fiscal::value::Uf;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use serde_json::{Value, json};

use crate::app::App;

/// The entry of the contract.
fn view(entry: &Entry) -> Value {
    json!({
        "codigo": entry.codigo,
        "descricao": entry.descricao,
        "inicio_vigencia": day(entry.inicio),
        "fim_vigencia": day(entry.fim),
        "ato": entry.ato,
        "numero_ato": entry.numero_ato,
        "ano_ato": entry.ano_ato,
    })
}

fn day(date: Date) -> String {
    format!("{:02}/{:02}/{:04}", date.day(), date.month(), date.year())
}

/// The digits of a code as people write it (`8471.30.12`); none when it has something else.
fn digits(codigo: &str) -> Option<String> {
    let plain: String = codigo.trim().chars().filter(|sign| !matches!(sign, '.' | '-' | ' ')).collect();
    (!plain.is_empty() && plain.len() <= 8 && plain.bytes().all(|digit| digit.is_ascii_digit())).then_some(plain)
}

/// The day in Brasília, whose the nomenclature is.
fn today(app: &App) -> Date {
    let offset = Offset::from_hours(Uf::DF.utc_offset_hours()).unwrap_or(Offset::UTC);
    let now = Timestamp::from_second(app.now()).unwrap_or_default();
    TimeZone::fixed(offset).to_datetime(now).date()
}
