//! The frame of every page, with nothing from another host, and the pages without a session.

use axum::response::{IntoResponse, Response};
use fiscal::value::TpAmb;
use http::{HeaderName, StatusCode, header};
use maud::{DOCTYPE, Markup, html};

use crate::api::docs::masthead::{SiteArea, masthead};
use crate::api::error::ApiError;

/// A page without a session.
pub(super) fn open_page(status: StatusCode, title: &str, body: Markup) -> Response {
    answer(status, "ninguem", title, header_without_user(), content(body))
}

/// The login page, where an environment is chosen: the band shows it, and changes with the choice.
pub(super) fn login_frame(status: StatusCode, title: &str, body: Markup) -> Response {
    let band = html! {
        div class="faixa escolha homologacao" role="status" {
            @for ambiente in [TpAmb::Homologacao, TpAmb::Producao] {
                p class=(ambiente.word()) { strong { (name(ambiente)) } " · " (meaning(ambiente)) }
            }
        }
        (header_without_user())
    };
    answer(status, "ninguem", title, band, content(body))
}

/// The content of a page.
pub(super) fn content(body: Markup) -> Markup {
    html! { main id="conteudo" { (body) } }
}

fn header_without_user() -> Markup {
    html! { header { (brand()) } }
}

/// Status of a page that shows an error.
pub(super) fn status_of(error: &ApiError) -> StatusCode {
    StatusCode::from_u16(error.code().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Status of a form that shows its refusal: one that must be corrected is 422, whatever the API calls it.
pub(super) fn form_status(error: &ApiError) -> StatusCode {
    match status_of(error) {
        StatusCode::BAD_REQUEST => StatusCode::UNPROCESSABLE_ENTITY,
        status => status,
    }
}

/// A page for an error that no other page can show.
pub(super) fn failure(error: &ApiError) -> Response {
    let status = status_of(error);
    let body = html! {
        h1 { (error.code().title) }
        p { (error.detail()) }
        p { a href="/painel" { "Voltar ao início" } }
    };
    let mut response = open_page(status, error.code().title, body);
    if let Some(wait) = error.header(&header::RETRY_AFTER) {
        response.headers_mut().insert(header::RETRY_AFTER, wait.clone());
    }
    response
}

/// The mark, which leads home, and the areas beside the panel.
pub(super) fn brand() -> Markup {
    masthead(SiteArea::Panel)
}

/// A page below its top; `body` holds its `main`.
pub(super) fn answer(status: StatusCode, class: &str, title: &str, top: Markup, body: Markup) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="pt-BR" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) " · Carimbo" }
                link rel="stylesheet" href="/docs/recursos/estilo.css";
                link rel="stylesheet" href="/painel/recursos/painel.css";
                link rel="icon" type="image/svg+xml" href="/docs/recursos/marca.svg";
                script type="module" src="/painel/recursos/painel.js" {}
            }
            body class={ "painel " (class) } {
                a class="pular" href="#conteudo" { "Ir para o conteúdo" }
                (top) (body)
            }
        }
    };
    let headers: [(HeaderName, &str); 4] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        // a form sends its origin to our own pages only
        (header::REFERRER_POLICY, "same-origin"),
    ];
    (status, headers, page.into_string()).into_response()
}

/// Name of an environment, in Portuguese.
pub(super) fn name(ambiente: TpAmb) -> &'static str {
    match ambiente {
        TpAmb::Producao => "PRODUÇÃO",
        TpAmb::Homologacao => "Homologação",
    }
}

/// Effect of what is approved in an environment.
pub(super) fn meaning(ambiente: TpAmb) -> &'static str {
    match ambiente {
        TpAmb::Producao => "o que se aprova aqui tem efeito fiscal",
        TpAmb::Homologacao => "testes, sem valor fiscal",
    }
}

/// Allows our own styles, script, pictures, framed PDFs and forms only.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
                      frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
