//! Controls of the form of filters, with the problem of each beside it.

use maud::{Markup, html};

use super::ListFilters;
use crate::painel::company_choices::{CompanyChoices, CompanyField};

/// An input of a kind of HTML.
pub(in crate::painel) fn field(name: &str, label: &str, kind: &str, filters: &ListFilters) -> Markup {
    let problem = filters.problem(name);
    html! {
        label {
            (label)
            input type=(kind) name=(name) value=(filters.text(name)) maxlength="200"
                aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| format!("falha-{name}"))];
            (failure(name, problem))
        }
    }
}

/// A list of choices, each a word of the address and its name, with "Todos" above.
pub(in crate::painel) fn select<'a>(
    name: &str,
    label: &str,
    filters: &ListFilters,
    choices: impl Iterator<Item = (&'a str, &'a str)>,
) -> Markup {
    let (chosen, problem) = (filters.text(name), filters.problem(name));
    html! {
        label {
            (label)
            select name=(name) aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| format!("falha-{name}"))] {
                option value="" { "Todos" }
                @for (value, shown) in choices { option value=(value) selected[value == chosen] { (shown) } }
            }
            (failure(name, problem))
        }
    }
}

/// The field `empresa`.
pub(in crate::painel) fn company(label: &str, filters: &ListFilters, companies: &CompanyChoices) -> Markup {
    let problem = filters.problem("empresa");
    let control = companies.control(&CompanyField {
        name: "empresa",
        chosen: filters.text("empresa"),
        none: Some("Todas"),
        is_wrong: problem.is_some(),
        told: problem.map(|_| "falha-empresa"),
    });
    html! { label { (label) (control) (failure("empresa", problem)) } }
}

fn failure(name: &str, problem: Option<&str>) -> Markup {
    html! { @if let Some(problem) = problem { span class="falha" id={ "falha-" (name) } { (problem) } } }
}
