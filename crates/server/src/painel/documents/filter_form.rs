//! The filters above the list.

use fiscal::tipo::Tipo;
use maud::{Markup, html};

use super::query::DocumentQuery;
use super::words::STATES;
use crate::painel::company_choices::{CompanyChoices, CompanyField};
use crate::painel::navigation::DOCUMENTS;

/// The form; open while something is filtered or wrong.
pub(super) fn form(query: &DocumentQuery, companies: &CompanyChoices) -> Markup {
    html! {
        details open[query.narrows()] {
            summary { "Filtrar documentos" }
            form method="get" action=(DOCUMENTS.path) class="filtros" {
                @if query.is_not_reissued() {
                    p class="aviso" {
                        "Só as rejeitadas depois das quais nada foi emitido para o mesmo destinatário com o mesmo valor."
                        input type="hidden" name="reemissao" value="nao";
                    }
                }
                div class="campos-lado" {
                    (select("estado", "Estado", query, STATES.iter().map(|row| (row.word.to_owned(), row.name.to_owned()))))
                    (select("tipo", "Tipo", query, Tipo::ALL.iter().map(|tipo| (tipo.word().to_owned(), tipo.name().to_owned()))))
                    (company(query, companies))
                    (field("nome", "Nome do destinatário", "search", query))
                    (field("destinatario", "CNPJ ou CPF do destinatário", "text", query))
                    (field("serie", "Série", "text", query))
                    (field("numero", "Número", "text", query))
                    (field("de", "De", "date", query))
                    (field("ate", "Até", "date", query))
                    (field("referencia", "Referência", "text", query))
                    (field("chave", "Chave de acesso", "text", query))
                }
                div class="botoes" {
                    button class="principal" { "Filtrar" }
                    @if query.narrows() { a href=(DOCUMENTS.path) { "Limpar os filtros" } }
                }
            }
        }
    }
}

fn company(query: &DocumentQuery, companies: &CompanyChoices) -> Markup {
    let problem = query.problem("empresa");
    let control = companies.control(&CompanyField {
        name: "empresa",
        chosen: query.text("empresa"),
        none: Some("Todas"),
        is_wrong: problem.is_some(),
        told: problem.map(|_| "falha-empresa"),
    });
    html! { label { "Empresa" (control) (failure("empresa", problem)) } }
}

fn field(name: &str, label: &str, kind: &str, query: &DocumentQuery) -> Markup {
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

fn select(name: &str, label: &str, query: &DocumentQuery, choices: impl Iterator<Item = (String, String)>) -> Markup {
    let (chosen, problem) = (query.text(name), query.problem(name));
    html! {
        label {
            (label)
            select name=(name) aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| format!("falha-{name}"))] {
                option value="" { "Todos" }
                @for (value, shown) in choices {
                    option value=(value) selected[value == chosen] { (shown) }
                }
            }
            (failure(name, problem))
        }
    }
}

fn failure(name: &str, problem: Option<&str>) -> Markup {
    html! { @if let Some(problem) = problem { span class="falha" id={ "falha-" (name) } { (problem) } } }
}
