//! The filters above the inbox.

use maud::{Markup, html};

use super::query::{DEADLINES, InboxQuery, MANIFESTATIONS, SITUATIONS, TYPES};
use crate::painel::company_choices::CompanyChoices;
use crate::painel::filters::controls::{company, field, select};
use crate::painel::navigation::RECEIVED;

/// The form; open while something is filtered or wrong.
pub(super) fn form(query: &InboxQuery, companies: &CompanyChoices) -> Markup {
    let typed = &query.typed;
    html! {
        details open[typed.narrows()] {
            summary { "Filtrar os recebidos" }
            form method="get" action=(RECEIVED.path) class="filtros" {
                @if typed.text("novas") == "sim" { input type="hidden" name="novas" value="sim"; }
                div class="campos-lado" {
                    (select("tipo", "Tipo", typed, TYPES.iter().copied()))
                    (company("Empresa que recebeu", typed, companies))
                    (field("nome", "Nome de quem emitiu", "search", typed))
                    (field("emitente", "CNPJ ou CPF de quem emitiu", "text", typed))
                    (select("manifestacao", "Manifestação", typed, MANIFESTATIONS.iter().copied()))
                    (select("prazo", "Prazo da manifestação", typed, DEADLINES.iter().copied()))
                    (select("situacao", "Situação", typed, SITUATIONS.iter().copied()))
                    (field("de", "Emitido de", "date", typed))
                    (field("ate", "Emitido até", "date", typed))
                    (field("valor_de", "Valor a partir de R$", "text", typed))
                    (field("valor_ate", "Valor até R$", "text", typed))
                    (field("desde", "Chegou aqui desde", "date", typed))
                }
                div class="botoes" {
                    button class="principal" { "Filtrar" }
                    @if typed.narrows() { a href=(RECEIVED.path) { "Limpar os filtros" } }
                }
            }
        }
    }
}
