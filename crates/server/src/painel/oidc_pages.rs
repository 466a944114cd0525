//! Pages of a sign-in by the provider: on the way back, and when it failed.

use axum::response::Response;
use http::{HeaderName, HeaderValue, StatusCode};
use maud::{Markup, html};

use super::frame;
use crate::api::error::ApiError;
use crate::oidc::{OidcFailure, OidcProvider};

/// A page that goes on by itself to a page of ours.
pub(super) fn passage(to: &str) -> Response {
    let body = html! {
        div class="porta" { h1 { "Pronto" } p class="botoes" { a class="botao principal" href=(to) { "Continuar" } } }
    };
    let mut response = frame::open_page(StatusCode::OK, "Pronto", body);
    if let Ok(refresh) = HeaderValue::from_str(&format!("0; url={to}")) {
        response.headers_mut().insert(HeaderName::from_static("refresh"), refresh);
    }
    response
}

/// Page of a sign-in that failed; the password still works.
pub(super) fn failed(provider: &OidcProvider, failure: &OidcFailure) -> Response {
    match failure {
        OidcFailure::Unreachable(cause) => {
            tracing::warn!(error.cause = %cause, "the sign-in provider does not answer");
            let text =
                "O provedor não responde como devia. Tente de novo em instantes, ou entre com o e-mail e a senha.";
            explained(provider, StatusCode::BAD_GATEWAY, "O provedor não responde", text)
        }
        OidcFailure::Refused(reason) => {
            tracing::warn!(error.cause = %reason, "a sign-in by the provider was refused");
            explained(provider, StatusCode::FORBIDDEN, "Não foi possível entrar", reason)
        }
        OidcFailure::Busy => {
            let text = "Há entradas demais neste momento. Espere alguns segundos e tente de novo.";
            explained(provider, StatusCode::SERVICE_UNAVAILABLE, "Muitas entradas", text)
        }
    }
}

pub(super) fn explained(provider: &OidcProvider, status: StatusCode, title: &str, text: &str) -> Response {
    let label = &provider.settings().label;
    frame::open_page(status, title, explanation(title, text, label))
}

fn explanation(title: &str, text: &str, label: &str) -> Markup {
    html! {
        div class="porta" {
            h1 { (title) }
            p class="recusa" role="alert" { (text) }
            p class="botoes" {
                a class="botao principal" href="/painel/entrar" { "Entrar com a senha" }
                a class="botao" href="/painel/entrar/oidc" { "Tentar de novo com " (label) }
            }
        }
    }
}

pub(super) fn switched_off() -> Response {
    frame::failure(&ApiError::not_found("Não há esta forma de entrar neste serviço."))
}
