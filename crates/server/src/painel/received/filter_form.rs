//! The filters above the inbox.

use maud::{Markup, html};

use super::query::{DEADLINES, FieldChoices, InboxQuery, MANIFESTATIONS, SITUATIONS, TYPES};
use crate::painel::company_choices::{CompanyChoices, CompanyField};
use crate::painel::navigation::RECEIVED;

/// The form; open while something is filtered or wrong.
pub(super) fn form(query: &InboxQuery, companies: &CompanyChoices) -> Markup {
    html! {
        details open[query.narrows()] {
            summary { "Filtrar os recebidos" }
            form method="get" action=(RECEIVED.path) class="filtros" {
                @if query.text("novas") == "sim" { input type="hidden" name="novas" value="sim"; }
                div class="campos-lado" {
                    (select("tipo", "Tipo", query, TYPES))
                    (company(query, companies))
                    (field("nome", "Nome de quem emitiu", "search", query))
                    (field("emitente", "CNPJ ou CPF de quem emitiu", "text", query))
                    (select("manifestacao", "Manifestação", query, MANIFESTATIONS))
                    (select("prazo", "Prazo da manifestação", query, DEADLINES))
                    (select("situacao", "Situação", query, SITUATIONS))
                    (field("de", "Emitido de", "date", query))
                    (field("ate", "Emitido até", "date", query))
                    (field("valor_de", "Valor a partir de R$", "text", query))
                    (field("valor_ate", "Valor até R$", "text", query))
                    (field("desde", "Chegou aqui desde", "date", query))
                }
                div class="botoes" {
                    button class="principal" { "Filtrar" }
                    @if query.narrows() { a href=(RECEIVED.path) { "Limpar os filtros" } }
                }
            }
        }
    }
}

fn company(query: &InboxQuery, companies: &CompanyChoices) -> Markup {
    let problem = query.problem("empresa");
    let control = companies.control(&CompanyField {
        name: "empresa",
        chosen: query.text("empresa"),
        none: Some("Todas"),
        is_wrong: problem.is_some(),
        told: problem.map(|_| "falha-empresa"),
    });
    html! { label { "Empresa que recebeu" (control) (failure("empresa", problem)) } }
}

fn field(name: &str, label: &str, kind: &str, query: &InboxQuery) -> Markup {
    let problem = query.problem(name);
    html! {
        label {
            (label)
            input type=(kind) name=(name) value=(query.text(name)) maxlength="200"
                aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| format!("falha-{name}"))];
            (failure(name, problem))
        }
    }
}

fn select(name: &str, label: &str, query: &InboxQuery, choices: FieldChoices) -> Markup {
    let (chosen, problem) = (query.text(name), query.problem(name));
    html! {
        label {
            (label)
            select name=(name) aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| format!("falha-{name}"))] {
                option value="" { "Todos" }
                @for (value, shown) in choices { option value=(value) selected[*value == chosen] { (shown) } }
            }
            (failure(name, problem))
        }
    }
}

fn failure(name: &str, problem: Option<&str>) -> Markup {
    html! { @if let Some(problem) = problem { span class="falha" id={ "falha-" (name) } { (problem) } } }
}
