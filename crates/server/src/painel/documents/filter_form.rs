//! The filters above the list.

use fiscal::tipo::Tipo;
use maud::{Markup, html};

use super::query::DocumentQuery;
use super::words::STATES;
use crate::painel::company_choices::CompanyChoices;
use crate::painel::filters::controls::{company, field, select};
use crate::painel::navigation::DOCUMENTS;

/// The form; open while something is filtered or wrong.
pub(super) fn form(query: &DocumentQuery, companies: &CompanyChoices) -> Markup {
    let typed = &query.typed;
    html! {
        details open[typed.narrows()] {
            summary { "Filtrar documentos" }
            form method="get" action=(DOCUMENTS.path) class="filtros" {
                @if query.is_not_reissued() {
                    p class="aviso" {
                        "Só as rejeitadas depois das quais nada foi emitido para o mesmo destinatário com o mesmo valor."
                        input type="hidden" name="reemissao" value="nao";
                    }
                }
                div class="campos-lado" {
                    (select("estado", "Estado", typed, STATES.iter().map(|row| (row.word, row.name))))
                    (select("tipo", "Tipo", typed, Tipo::ALL.iter().map(|tipo| (tipo.word(), tipo.name()))))
                    (company("Empresa", typed, companies))
                    (field("nome", "Nome do destinatário", "search", typed))
                    (field("destinatario", "CNPJ ou CPF do destinatário", "text", typed))
                    (field("serie", "Série", "text", typed))
                    (field("numero", "Número", "text", typed))
                    (field("de", "De", "date", typed))
                    (field("ate", "Até", "date", typed))
                    (field("referencia", "Referência", "text", typed))
                    (field("chave", "Chave de acesso", "text", typed))
                }
                div class="botoes" {
                    button class="principal" { "Filtrar" }
                    @if typed.narrows() { a href=(DOCUMENTS.path) { "Limpar os filtros" } }
                }
            }
        }
    }
}
