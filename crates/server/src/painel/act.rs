//! View of a prepared act for a person's decision: its document or numbers, and the texts of the request. Made of the
//! stored order.

use engine::acceptance::assisted::{ActDescription, NumberRange, PreparationRecord, TargetDocument};
use fiscal::value::masked;
use maud::{Markup, html};

use super::{frame, words};

/// Fields of a prepared act.
pub(super) fn act(standing: &PreparationRecord, act: &ActDescription) -> Markup {
    html! {
        dl class="ficha" {
            dt { "O que será feito" } dd { strong { (words::operation_label(act.operacao, act.tipo)) } }
            @if let Some(found) = &act.documento { (document(found)) }
            @if let Some(numbers) = &act.faixa { (range(numbers)) }
            dt { "Ambiente" } dd { strong class={ "ambiente " (act.ambiente.word()) } { (frame::name(act.ambiente)) } }
            dt { "Emitente" } dd { (masked(act.emitente.as_str())) }
            @for (member, text) in &act.said { dt { (words::member(member)) } dd { q { (text) } } }
            dt { "Preparada" }
            dd {
                "em " (words::instant(standing.criado_em, act.uf))
                @if let Some(key) = &standing.preparada_por { " pela chave “" (key) "” (" (standing.permissao.word()) ")" }
            }
            dt { "Vale até" } dd { (words::instant(standing.expira_em, act.uf)) }
        }
        @if !act.notices.is_empty() {
            h2 { "Avisos" }
            ul { @for notice in &act.notices { li { code { (notice.campo) } ": " (notice.mensagem) } } }
        }
    }
}

fn document(document: &TargetDocument) -> Markup {
    html! {
        dt { "Documento" } dd { "série " (document.serie) ", número " (document.numero) }
        @if !document.valor.is_empty() { dt { "Valor do documento" } dd class="valor" { "R$ " (words::decimal(&document.valor)) } }
        @if let Some(addressee) = &document.destinatario { dt { "Destinatário" } dd { (masked(addressee)) } }
        @if let Some(chave) = &document.chave { dt { "Chave" } dd { code { (chave) } } }
        dt { "Emitido em" } dd { (document.dhEmi) }
        dt { "Job" } dd { code { (document.job_id) } }
    }
}

fn range(numbers: &NumberRange) -> Markup {
    let NumberRange { serie, ano, nNFIni, nNFFin } = numbers;
    html! {
        dt { "Números" }
        dd class="valor" { "de " (nNFIni) " a " (nNFFin) }
        dt { "Série" } dd { (serie) }
        dt { "Ano" } dd { "20" (format!("{ano:02}")) }
    }
}
