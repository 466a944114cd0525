//! The NCM: search, entry, validity; and the view of an entry.

pub(crate) mod buscar;
pub(crate) mod consultar;
pub(crate) mod validar;

use fiscal::ncm::NcmEntry;
use jiff::civil::Date;

use crate::api::schema::Type;
use crate::api::view::view;

const CODIGO: Type = Type::Form("^[0-9]{2,8}$");
const DIA: Type = Type::Form("^[0-9]{2}/[0-9]{2}/[0-9]{4}$");

view! {
    /// NCM entry of the contract.
    pub(crate) struct EntryView {
        codigo: Box<str> as CODIGO = "Só 8 dígitos valem em uma nota.",
        descricao: Box<str> = "A descrição oficial do próprio código.",
        inicio_vigencia: String as DIA = "Primeiro dia.",
        fim_vigencia: String as DIA = "Último dia; 31/12/9999 se em aberto.",
        ato: Box<str> = "Tipo do ato normativo.",
        numero_ato: Box<str> = "Número do ato.",
        ano_ato: Box<str> = "Ano do ato.",
    }
}

fn shown(entry: &NcmEntry) -> EntryView {
    EntryView {
        codigo: entry.codigo.clone(),
        descricao: entry.descricao.clone(),
        inicio_vigencia: day(entry.inicio),
        fim_vigencia: day(entry.fim),
        ato: entry.ato.clone(),
        numero_ato: entry.numero_ato.clone(),
        ano_ato: entry.ano_ato.clone(),
    }
}

fn day(date: Date) -> String {
    format!("{:02}/{:02}/{:04}", date.day(), date.month(), date.year())
}

/// Digits of a code, with or without dots (`8471.30.12`); `None` with any other character.
fn digits(codigo: &str) -> Option<String> {
    let plain: String = codigo.trim().chars().filter(|sign| !matches!(sign, '.' | '-' | ' ')).collect();
    (!plain.is_empty() && plain.len() <= 8 && plain.bytes().all(|digit| digit.is_ascii_digit())).then_some(plain)
}
