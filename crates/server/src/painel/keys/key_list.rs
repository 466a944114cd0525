//! The keys as a table, the valid ones first.

use maud::{Markup, html};
use store::accounts::ApiKey;

use super::super::navigation::KEYS;
use super::super::words;
use super::new_key::permission_words;
use crate::api::instant::CivilTime;

pub(super) fn list(keys: &[ApiKey], now: i64) -> Markup {
    let (valid, ended): (Vec<&ApiKey>, Vec<&ApiKey>) = keys.iter().partition(|key| key.is_valid(now));
    html! {
        section aria-labelledby="valem" {
            h2 id="valem" { "Chaves que valem" }
            @if valid.is_empty() { p class="vazio" { "Nenhuma. Crie a primeira abaixo." } }
            @else { (table("Chaves que valem", &valid, now)) }
            @if !ended.is_empty() {
                details {
                    summary { "Revogadas (" (ended.len()) ")" }
                    (table("Chaves revogadas", &ended, now))
                }
            }
        }
    }
}

fn table(label: &str, keys: &[&ApiKey], now: i64) -> Markup {
    html! {
        div class="tabela" tabindex="0" role="region" aria-label=(label) {
            table class="itens" {
                thead {
                    tr { @for head in ["Nome", "Começa com", "Pode", "Criada", "Último uso", "Situação"] { th scope="col" { (head) } } }
                }
                tbody { @for key in keys { (row(key, now)) } }
            }
        }
    }
}

fn row(key: &ApiKey, now: i64) -> Markup {
    let time = CivilTime::of(None);
    html! {
        tr {
            td class="nome longo" { a href={ (KEYS.path) "/" (key.id) } { (key.nome) } }
            td data-coluna="Começa com" { code { (key.prefixo) "…" } }
            td data-coluna="Pode" { (permission_words(key.permissao)) }
            td class="curto" data-coluna="Criada" { (words::civil_instant(key.criado_em, time)) }
            td class="curto" data-coluna="Último uso" {
                @if let Some(at) = key.ultimo_uso_em { (words::civil_instant(at, time)) } @else { "nunca" }
            }
            td data-coluna="Situação" { (state(key, now)) }
        }
    }
}

/// State of a key, with its end.
pub(super) fn state(key: &ApiKey, now: i64) -> Markup {
    let time = CivilTime::of(None);
    html! {
        @match key.revogado_em {
            None => span class="estado autorizada" { "vale" },
            Some(at) if key.is_valid(now) => {
                span class="estado pendente" { "trocada" } " vale até " (words::civil_instant(at, time))
            },
            Some(at) => { span class="estado retirada" { "revogada" } " " (words::civil_instant(at, time)) },
        }
    }
}
