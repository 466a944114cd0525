//! Call and answer of an operation, as pages show them beside their text: every language, the reader's choice in front.
//!
//! Values of an account stand in `<span data-amostra>`; `assets/amostras.js` puts in those of the signed-in account.

use maud::{Markup, PreEscaped, html};
use serde_json::Value;

use super::account_values::marked;
use super::api_route::{ApiRoute, ApiRoutes};
use super::guides::Guide;
use super::operation::{Access, AnswerContent};
use super::route_markup::{address, method};
use super::syntax::coloured;
use super::{calls, sample};

/// Samples of a guide's operation, with a heading of their own.
pub(super) fn beside(guide: &Guide, routes: ApiRoutes) -> Option<Markup> {
    let (_, route) = routes.all().find(|(_, route)| Some(route.operation.id) == guide.operation)?;
    let body = guide.example.and_then(|text| serde_json::from_str(text).ok());
    let title = html! {
        p class="rotulo" { "A chamada" }
        p class="chamada" {
            (PreEscaped(method(route))) " " a href=(address(route.operation.id)) { code { (route.path) } }
        }
    };
    Some(samples(route, body, &title))
}

/// Samples of a route on its own page.
pub(super) fn of_route(route: &ApiRoute) -> Markup {
    samples(route, None, &html! { h2 id="chamada" { a href="#chamada" { "Chamada" } } })
}

fn samples(route: &ApiRoute, body: Option<Value>, title: &Markup) -> Markup {
    html! {
        aside class="amostra" aria-label="Chamada e resposta" data-busca="nao" {
            (title)
            div class="linguagens" { @for call in calls::all(route, body) { (call_in(&call)) } }
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
            html! { pre data-linguagem="json" tabindex="0" { code { (PreEscaped(marked(&coloured("json", &text)))) } } }
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
    use crate::api::docs::guides;

    #[test]
    fn a_sample_has_every_language_and_the_answer() {
        let routes = crate::routes::described();
        let samples = |page: &str| beside(guides::find(page).unwrap(), routes).map(Markup::into_string);
        let nfe = samples("documento-nfe").unwrap();
        for language in ["curl", "Python", "PHP", "JavaScript", "C#"] {
            assert!(nfe.contains(&format!("<summary>{language}</summary><pre")), "{language}");
        }
        assert!(nfe.contains("data-amostra=\"cnpj\"") && nfe.contains(">202<") && nfe.contains("job_id"), "{nfe}");
        // the route is that of the CT-e, the body its own
        assert!(
            samples("cte-os").unwrap().contains("fretamento")
                && !samples("primeiro-cte").unwrap().contains("fretamento")
        );
        assert!(samples("simulador").is_none());
    }
}
