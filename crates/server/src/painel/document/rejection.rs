//! A rejection: the authority's words, their meaning, the field and the remedy, from the data of the rules pages.

use fiscal::lifecycle::DocumentState;
use maud::{Markup, PreEscaped, html};
use store::jobs::{JobDocument, JobStatus, RefusalReason};
use store::numbers::NumberedKind;

use super::path;
use super::records::DocumentRecords;
use crate::api::docs::markdown::inline;
use crate::painel::issue::{FormFamily, field_label, member_at};
use crate::painel::rejection_advice::RejectionAdvice;

/// Explanation of a refused document, or of a failed job; nothing for all others.
pub(super) fn explanation(records: &DocumentRecords) -> Markup {
    match records.document() {
        Some(document) if matches!(document.state, DocumentState::Rejected | DocumentState::Denied) => {
            rejected(document, records)
        }
        _ if records.job.status == JobStatus::Failed => failed(records),
        _ => html! {},
    }
}

fn rejected(document: &JobDocument, records: &DocumentRecords) -> Markup {
    let single = document.codigo.clone().map(|codigo| RefusalReason {
        codigo,
        motivo: document.xMotivo.clone().unwrap_or_default(),
        complemento: None,
        campo: document.campo.clone(),
    });
    let reasons: Vec<RefusalReason> = match document.rejeicoes.as_slice() {
        [] => single.into_iter().collect(),
        several => several.to_vec(),
    };
    html! {
        section class="cartao" aria-labelledby="rejeicao-titulo" {
            h2 id="rejeicao-titulo" { "Por que foi recusada" }
            @for one in &reasons { (reason(document.counted, one)) }
            @if reasons.is_empty() { p class="recusa" { (document.xMotivo.as_deref().unwrap_or("A autoridade não disse o motivo.")) } }
            @if !records.guilty.is_empty() {
                p { "Itens apontados: " @for (index, (item, name)) in records.guilty.iter().enumerate() {
                    @if index > 0 { "; " } "item " (item) @if !name.is_empty() { " (" (name) ")" }
                } "." }
            }
            @if records.may_act {
                p class="botoes" {
                    a class="botao principal" href={ "/painel/emitir?de=" (records.job.id) } { "Corrigir e emitir de novo" }
                }
            }
        }
    }
}

fn reason(counted: NumberedKind, reason: &RefusalReason) -> Markup {
    let RefusalReason { codigo, motivo, complemento, campo } = reason;
    let advice = RejectionAdvice::of(counted, codigo);
    let meaning = advice.meaning.as_deref().filter(|meaning| !motivo.contains(meaning));
    html! {
        p { "A autoridade respondeu:" }
        p class="recusa" { strong { (codigo) } " " (motivo) @if let Some(more) = complemento { " (" (more) ")" } }
        dl class="ficha" {
            @if let Some(meaning) = meaning { dt { "O que a regra diz" } dd { (meaning) } }
            @if let Some(campo) = campo {
                dt { "Campo" }
                dd {
                    @if let Some(label) = payload_label(counted, campo) { (label) br; }
                    code { (campo) }
                }
            }
            dt { "O que fazer" }
            dd {
                @if advice.remedies.is_empty() { "Confira o que o texto da autoridade aponta, corrija e emita de novo." }
                @for remedy in &advice.remedies { p { (PreEscaped(inline(remedy))) } }
                p { a href=(advice.page) { "Ver a regra na documentação" } }
            }
        }
    }
}

fn failed(records: &DocumentRecords) -> Markup {
    let Some(failure) = &records.job.erro else { return html! {} };
    html! {
        section class="cartao" aria-labelledby="falha-titulo" {
            h2 id="falha-titulo" { "Por que parou" }
            p class="recusa" { (failure.mensagem) }
            p { a href={ "/docs/erros/" (failure.codigo) } { "O que isto quer dizer e o que fazer" } }
            @if failure.etapa == "validacao" && records.may_act {
                p class="botoes" { a class="botao" href={ "/painel/emitir?de=" (records.job.id) } { "Corrigir e emitir de novo" } }
            }
            @if records.may_act { p { "Depois de resolver a causa, " a href={ (path(records.job.id)) "/reprocessar" } { "reprocesse" } "." } }
        }
    }
}

/// Label of a field of the payload, from its layout.
fn payload_label(counted: NumberedKind, campo: &str) -> Option<String> {
    let names: Vec<&str> = campo.split('.').filter(|name| *name != "nota").collect();
    let bare: Vec<&str> = names.iter().map(|name| name.split('[').next().unwrap_or(name)).collect();
    let label = field_label(member_at(FormFamily::of_counted(counted)?.members(), &bare)?);
    let item = names.iter().find_map(|name| name.split_once('[')?.1.trim_end_matches(']').parse::<usize>().ok());
    Some(match item {
        Some(item) => format!("{label} (item {})", item + 1),
        None => label,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_the_label_of_its_layout_and_its_item() {
        let label = payload_label(NumberedKind::Nfe, "nota.produtos[1].CFOP").unwrap();
        assert!(label.ends_with("(item 2)") && label.len() > 12, "{label}");
        assert!(payload_label(NumberedKind::Nfe, "nota.nada").is_none());
    }
}
