//! The table of a document's items.

use fiscal::contents::DocumentContents;
use fiscal::summary::SummaryItem;
use maud::{Markup, html};

use crate::painel::words;

/// The table of items; `guilty` are those that a rejection names. Its roles are explicit, since on a phone the style
/// replaces the table boxes.
pub(in crate::painel) fn items(contents: &DocumentContents, guilty: &[(usize, String)]) -> Markup {
    let all = &contents.items;
    html! {
        @if !all.is_empty() {
            section aria-labelledby="itens-titulo" {
                h2 id="itens-titulo" { "Itens (" (all.len()) ")" }
                div class="tabela" tabindex="0" role="region" aria-label="Itens do documento" {
                    table class="itens" role="table" {
                        thead role="rowgroup" { tr role="row" { @for (head, class) in HEADS { th role="columnheader" class=(class) { (head) } } } }
                        tbody role="rowgroup" {
                            @for (item, number) in all.iter().take(MOST_ITEMS).zip(1..) { (row(item, number, guilty)) }
                        }
                    }
                }
                @if all.len() > MOST_ITEMS { p { "e mais " (all.len() - MOST_ITEMS) ", que estão no XML e no PDF." } }
            }
        }
    }
}

fn row(item: &SummaryItem, number: usize, guilty: &[(usize, String)]) -> Markup {
    let quantity = format!("{} {}", words::quantity(&item.qCom), item.uCom);
    let cells = [
        number.to_string(),
        item.cProd.clone(),
        item.xProd.clone(),
        item.CFOP.clone(),
        quantity,
        words::decimal(&item.vUnCom),
        words::decimal(&item.vProd),
    ];
    let is_guilty = guilty.iter().any(|(guilty, _)| *guilty == number);
    html! {
        tr role="row" {
            @for ((head, class), cell) in HEADS.iter().zip(cells) {
                td role="cell" data-coluna=(head) class=(class) {
                    (cell)
                    @if is_guilty && *class == "nome" { " " strong class="acima" { "apontado na rejeição" } }
                }
            }
        }
    }
}

/// Columns of the items, with the class of each.
const HEADS: [(&str, &str); 7] = [
    ("Item", "codigo"),
    ("Código", "codigo"),
    ("Descrição", "nome"),
    ("CFOP", "codigo"),
    ("Quantidade", "numero"),
    ("Unitário R$", "numero"),
    ("Total R$", "numero"),
];
const MOST_ITEMS: usize = 50;
