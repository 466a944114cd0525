//! View of a prepared document for a person's decision, made of the stored order. No text of its preparer about the
//! document is shown.

use engine::acceptance::assisted::{PreparationRecord, PreparedNote};
use fiscal::summary::SummaryItem;
use fiscal::value::masked;
use maud::{Markup, html};

use super::{frame, path, words};

/// Parties, value against the ceiling, items, notices.
pub(super) fn note(standing: &PreparationRecord, note: &PreparedNote, teto: Option<i64>) -> Markup {
    let resumo = &note.resumo;
    html! {
        dl class="ficha" {
            dt { "Valor total" } dd class="valor" { "R$ " (words::decimal(&note.vNF)) }
            @if moves_more(standing, note) {
                dt { "Movimenta" }
                dd class="valor" { strong class="acima" { (words::reais(standing.valor)) } " · mais do que o total que a nota declara" }
            }
            dt { "Teto da conta" } dd { (ceiling(standing.valor, teto)) }
            dt { "Ambiente" } dd { strong class={ "ambiente " (note.ambiente.word()) } { (frame::name(note.ambiente)) } }
            dt { "Emitente" } dd { (party(&resumo.emitente)) }
            dt { "Destinatário" }
            dd { @match &resumo.destinatario { Some(found) => { (party(found)) } None => { "consumidor não identificado" } } }
            dt { "Natureza" } dd { (resumo.natOp) }
            dt { "Preparada" }
            dd {
                "em " (words::instant(standing.criado_em, note.uf))
                @if let Some(key) = &standing.preparada_por { " pela chave “" (key) "” (" (standing.permissao.word()) ")" }
            }
            dt { "Vale até" } dd { (words::instant(standing.expira_em, note.uf)) }
        }
        h2 { "Itens (" (resumo.itens.len()) ")" }
        div class="tabela" tabindex="0" role="region" aria-label="Itens da nota" {
            (items(&resumo.itens))
        }
        @if resumo.itens.len() > MOST_ITEMS { p { "Os outros " (resumo.itens.len() - MOST_ITEMS) " itens estão no formulário." } }
        @if !note.notices.is_empty() {
            h2 { "Avisos" }
            ul { @for notice in &note.notices { li { code { (notice.campo) } ": " (notice.mensagem) } } }
        }
        @if note.has_form {
            p { a href={ (path(standing.id)) "/pdf" } target="_blank" rel="noopener" { "Ver o formulário impresso (PDF, sem valor fiscal)" } }
        }
    }
}

/// The table of items. Its roles are explicit, since on a phone the style replaces the table boxes, which removes their
/// implicit roles.
fn items(itens: &[SummaryItem]) -> Markup {
    html! {
        table class="itens" role="table" {
            thead role="rowgroup" {
                tr role="row" {
                    @for (head, class) in HEADS { th role="columnheader" class=(class) { (head) } }
                }
            }
            tbody role="rowgroup" {
                @for item in itens.iter().take(MOST_ITEMS) {
                    @let quantity = format!("{} {}", words::quantity(&item.qCom), item.uCom);
                    @let (unit, total) = (words::decimal(&item.vUnCom), words::decimal(&item.vProd));
                    tr role="row" {
                        @for ((head, class), cell) in HEADS.iter().zip([&item.cProd, &item.xProd, &item.CFOP, &quantity, &unit, &total]) {
                            td role="cell" data-coluna=(head) class=(class) { (cell) }
                        }
                    }
                }
            }
        }
    }
}

/// True when the document moves more than its total states.
fn moves_more(standing: &PreparationRecord, note: &PreparedNote) -> bool {
    words::reais(standing.valor) != format!("R$ {}", words::decimal(&note.vNF))
}

fn ceiling(valor: i64, teto: Option<i64>) -> Markup {
    html! {
        @match teto {
            None => { "sem teto" }
            Some(teto) if valor <= teto => { (words::reais(teto)) ": esta nota cabe" }
            Some(teto) => { (words::reais(teto)) ": " strong class="acima" { "esta nota passa do teto e não pode ser aprovada" } }
        }
    }
}

fn party(party: &fiscal::summary::SummaryParty) -> Markup {
    html! {
        (party.xNome.as_deref().unwrap_or("sem nome"))
        @if let Some(number) = &party.documento { " · " (masked(number)) }
    }
}

/// Columns of the items, with the class of each.
const HEADS: [(&str, &str); 6] = [
    ("Código", "codigo"),
    ("Descrição", "nome"),
    ("CFOP", "codigo"),
    ("Quantidade", "numero"),
    ("Unitário", "numero"),
    ("Total", "numero"),
];
/// Largest number of items on the page; the printed form has all.
const MOST_ITEMS: usize = 100;
