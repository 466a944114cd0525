//! The frame of every page: title, navigation, style; nothing from another host.

use axum::response::{IntoResponse, Response};
use http::header;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::masthead::{SiteArea, masthead};
use super::reading_order::{self, ListedPage, PageGroup};

/// Headings of a page: level, text, anchor.
pub(super) type PageHeadings = [(usize, String, String)];

/// A page made for a single answer.
pub(crate) fn answer_once(html: String) -> Response {
    (headers("text/html; charset=utf-8"), html).into_response()
}

/// Headers of a page and of its files.
pub(super) fn headers(media: &'static str) -> [(header::HeaderName, &'static str); 3] {
    [(header::CONTENT_TYPE, media), (header::CONTENT_SECURITY_POLICY, POLICY), (header::CACHE_CONTROL, "no-cache")]
}

/// HTML document around a body.
pub(crate) fn frame(title: &str, path: &str, body: &str, contents: &PageHeadings) -> String {
    let page = html! { div class="texto" { (PreEscaped(body)) } };
    framed(title, path, "", page, contents)
}

/// HTML document of a text with samples: between lead and text, on wide screens beside both. Without a lead the samples
/// follow the text.
pub(super) fn frame_with_samples(
    title: &str,
    path: &str,
    (lead, samples, text): (&str, &Markup, &str),
    contents: &PageHeadings,
) -> String {
    let text = html! { div class="texto" { (PreEscaped(text)) } };
    let page = html! {
        @if lead.is_empty() {
            (text) (samples)
        } @else {
            div class="abertura" { (PreEscaped(lead)) }
            (samples) (text)
        }
    };
    framed(title, path, "com-amostra", page, contents)
}

/// HTML document without the navigation of the documentation.
pub(super) fn frame_alone(title: &str, body: &Markup) -> String {
    let content = html! { main class="entrada" { (body) } };
    document(title, &html! { header { (masthead(SiteArea::Entry)) (search()) } (content) })
}

fn framed(title: &str, path: &str, class: &str, page: Markup, contents: &PageHeadings) -> String {
    let area = if path == "/swagger" { SiteArea::Console } else { SiteArea::Documentation };
    let body = html! {
        header {
            (masthead(area))
            a id="abrir" href="#navegacao" aria-expanded="false" aria-controls="navegacao" { "Índice" }
            (search())
        }
        div id="corpo" {
            (navigation(path, contents))
            main { (trail(path)) div class={ "folha " (class) } { (page) } (adjacent_pages(path)) }
        }
    };
    document(title, &body)
}

fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="pt-BR" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Carimbo" }
                link rel="stylesheet" href="/docs/recursos/estilo.css";
                link rel="stylesheet" href="/docs/recursos/paginas.css";
                link rel="icon" type="image/svg+xml" href="/docs/recursos/marca.svg";
                script type="module" src="/docs/recursos/pagina.js" {}
                script type="module" src="/docs/recursos/amostras.js" {}
            }
            body { (body) }
        }
    };
    page.into_string()
}

fn search() -> Markup {
    html! {
        input id="busca" type="search" placeholder="Buscar: cancelar nota, 539, vProd…" aria-label="Buscar na documentação"
            autocomplete="off" maxlength="120" role="combobox" aria-expanded="false" aria-controls="achados"
            aria-autocomplete="list";
        div id="achados" role="listbox" aria-label="Achados" hidden {}
        p id="quantos" class="so-ouvido" role="status" {}
    }
}

/// The groups, that of the page open; at the entrance, the first.
fn navigation(path: &str, contents: &PageHeadings) -> Markup {
    let current = reading_order::group_of(path).map(|group| group.title);
    let is_open = |index: usize, group: &PageGroup| current.map_or(index == 0, |title| title == group.title);
    html! {
        nav id="navegacao" aria-label="Documentação" {
            @for (index, group) in reading_order::groups().iter().enumerate() {
                details open[is_open(index, group)] {
                    summary { (group.title) }
                    ul {
                        @for page in &group.pages { (entry(path, page, contents)) }
                        @if group.title == reading_order::REFERENCE {
                            li { a href="/docs/json" { "OpenAPI 3.1" } }
                        }
                    }
                }
            }
        }
    }
}

/// An entry of the navigation; below that of the open page, the page's headings.
fn entry(path: &str, page: &ListedPage, contents: &PageHeadings) -> Markup {
    let is_current = page.address == path;
    html! {
        li class=[page.is_below.then_some("abaixo")] {
            a href=(page.address) aria-current=[is_current.then_some("page")] { (page.title) }
            @if is_current && contents.iter().any(|(level, ..)| *level == 2) {
                ul {
                    @for (_, text, anchor) in contents.iter().filter(|(level, ..)| *level == 2) {
                        li { a href={ "#" (anchor) } { (text) } }
                    }
                }
            }
        }
    }
}

/// Place of a page: documentation and group.
fn trail(path: &str) -> Markup {
    let Some(group) = reading_order::group_of(path) else { return html! {} };
    html! {
        p class="trilha" data-busca="nao" {
            a href="/docs" { "Documentação" } " › " (group.title)
            @if path.starts_with("/docs/rotas/") { " › " a href="/docs/guia/api" { "Rotas e objetos" } }
            @if path.starts_with("/docs/erros/") { " › " a href="/docs/erros" { "Códigos de erro" } }
        }
    }
}

/// Links to the pages before and after; the search ignores them.
fn adjacent_pages(path: &str) -> Markup {
    let (before, after) = reading_order::neighbours(path);
    let link = |page: Option<&ListedPage>, rel: &str, word: &str| {
        html! {
            @if let Some(page) = page { a rel=(rel) href=(page.address) { small { (word) } " " (page.title) } }
        }
    };
    html! {
        @if before.is_some() || after.is_some() {
            nav class="vizinhos" aria-label="Páginas vizinhas" data-busca="nao" {
                (link(before, "prev", "Anterior")) (link(after, "next", "Próximo"))
            }
        }
    }
}

/// Allows our own styles and scripts, and our own API; no framing.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_the_page_is_open_and_the_others_are_closed() {
        for (path, title) in [
            ("/docs/guia/nfce", "Por documento"),
            ("/docs/guia/webhooks", "Integrar"),
            ("/docs/rotas/emitirNfe", "Referência"),
            ("/docs", "Começar"),
        ] {
            let page = frame("T", path, "", &[]);
            assert_eq!(page.matches("<details open>").count(), 1, "{path}");
            assert!(page.contains(&format!("<details open><summary>{title}</summary>")), "{path}: {page}");
            assert_eq!(page.matches("<details>").count(), reading_order::groups().len() - 1, "{path}");
        }
    }

    #[test]
    fn a_page_leads_to_its_neighbours_across_groups() {
        let page = frame("T", "/docs/guia/simulador", "", &[]);
        assert!(page.contains("<a rel=\"prev\" href=\"/docs/guia/receitas\">"), "{page}");
        assert!(page.contains("<a rel=\"next\" href=\"/docs/guia/documento-nfe\">"), "{page}");
        assert!(!frame("T", "/docs/guia/primeira-nota", "", &[]).contains("rel=\"prev\""));
        assert!(!frame("T", "/docs/rotas/emitirNfe", "", &[]).contains("class=\"vizinhos\""));
    }
}
