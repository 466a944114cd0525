//! Call and answer of an operation, as pages show them beside their text: every language, the reader's choice in front.
//!
//! Values of an account stand in `<span data-amostra>`; `assets/amostras.js` puts in those of the signed-in account.

use maud::{Markup, PreEscaped, html};

use super::account_values::marked;
use super::api_route::{ApiRoute, ApiRoutes};
use super::operation::{Access, AnswerContent};
use super::route_markup::{address, method};
use super::syntax::coloured;
use super::{calls, sample};

/// Samples of an operation beside a text that has no heading of their own.
pub(super) fn beside(id: &str, routes: ApiRoutes) -> Option<Markup> {
    let (_, route) = routes.all().find(|(_, route)| route.operation.id == id)?;
    let title = html! {
        p class="rotulo" { "A chamada" }
        p class="chamada" {
            (PreEscaped(method(route))) " " a href=(address(id)) { code { (route.path) } }
        }
    };
    Some(samples(route, &title))
}

/// Samples of a route on its own page.
pub(super) fn of_route(route: &ApiRoute) -> Markup {
    samples(route, &html! { h2 id="chamada" { a href="#chamada" { "Chamada" } } })
}

fn samples(route: &ApiRoute, title: &Markup) -> Markup {
    html! {
        aside class="amostra" aria-label="Chamada e resposta" data-busca="nao" {
            (title)
            div class="linguagens" { @for call in calls::all(route) { (call_in(&call)) } }
            (variables(route.operation.access))
            (answer(route))
            p class="da-conta" hidden { "Exemplos com os dados de " strong data-amostra="empresa" {} ", da sua sessão no painel." }
        }
    }
}

fn call_in((language, colour, code): &(&str, &str, String)) -> Markup {
    html! {
        details open[*colour == "bash"] {
            summary { (language) }
            pre data-linguagem=(colour) { code { (PreEscaped(marked(&coloured(colour, code)))) } }
        }
    }
}

/// The environment that the calls read.
fn variables(access: Access) -> Markup {
    html! {
        p class="rotulo" { "O ambiente das chamadas" }
        pre data-linguagem="variaveis" {
            code {
                i class="m" { "CARIMBO_URL" } "=" i class="s" data-amostra="endereco" { "http://127.0.0.1:8080" }
                @match access {
                    Access::Public => {}
                    Access::Caller => { "\n" i class="m" { "CARIMBO_CHAVE" } "=" i class="s" data-amostra="chave" { "crb_test_…" } }
                    Access::Session => { "\n" i class="m" { "CARIMBO_TOKEN" } "=" i class="s" { "token de POST /v1/auth/login" } }
                }
            }
        }
        p class="nota" { "Variáveis de ambiente: nenhum segredo fica no código." }
    }
}

/// The first successful answer.
fn answer(route: &ApiRoute) -> Markup {
    let Some(answer) = route.operation.answers.first() else { return html! {} };
    let shown = match answer.content {
        AnswerContent::Json(name) => sample::of(name).map(|value| {
            let text = serde_json::to_string_pretty(&value).unwrap_or_default();
            html! { pre data-linguagem="json" tabindex="0" { code { (PreEscaped(coloured("json", &text))) } } }
        }),
        AnswerContent::Media(kinds) => Some(html! { p class="nota" { code { (kinds.join(", ")) } } }),
        AnswerContent::Empty => None,
    };
    html! {
        p class="rotulo" { "A resposta " b class="situacao boa" { (answer.status) } }
        @if let Some(shown) = shown { (shown) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_every_language_and_the_answer() {
        let samples = beside("emitirNfe", crate::routes::described()).unwrap().into_string();
        for language in ["curl", "Python", "PHP", "JavaScript", "C#"] {
            assert!(samples.contains(&format!("<summary>{language}</summary><pre")), "{language}");
        }
        assert!(
            samples.contains("data-amostra=\"cnpj\"") && samples.contains(">202<") && samples.contains("job_id"),
            "{samples}"
        );
        assert!(beside("nada", crate::routes::described()).is_none());
    }
}
