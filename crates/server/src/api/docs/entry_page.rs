//! `GET /`: for a browser, the page that leads to everything else; for programs, the service card.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, header};
use maud::{Markup, html};

use super::front_doors::FRONT_DOORS;
use super::{guides, page};
use crate::api::accept::accepts;
use crate::api::home;
use crate::app::App;

/// `GET /`
pub(crate) async fn show_entry(State(app): State<App>, asked: HeaderMap) -> Response {
    let mut response = match accepts(&asked, "text/html") {
        true => page::answer_once(page::frame_alone("Início", &body(&app))),
        false => home::card().await.into_response(),
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}

fn body(app: &App) -> Markup {
    html! {
        h1 { "Documentos fiscais, emitidos daqui." }
        p class="lema" {
            "NF-e, NFC-e, CT-e, CT-e OS e NFS-e: emitir, corrigir, cancelar, receber e imprimir, por esta API ou pelo painel."
        }
        ul class="caminhos" { @for way in WAYS { (entry(way)) } }
        h2 { "Por documento" }
        ul class="familias" {
            @for guide in FRONT_DOORS.iter().filter_map(|door| guides::find(door.page)) {
                li { a href={ "/docs/guia/" (guide.page) } { (guide.title) } }
            }
        }
        h2 { "O que roda aqui" }
        (facts(app))
    }
}

/// A link of the page, with its sentence.
struct EntryLink {
    path: &'static str,
    name: &'static str,
    words: &'static str,
}

const WAYS: &[EntryLink] = &[
    EntryLink {
        path: "/painel",
        name: "Painel",
        words: "Notas, empresas e decisões no navegador, sem escrever uma linha de código.",
    },
    EntryLink {
        path: "/docs/guia/primeira-nota",
        name: "Primeira nota",
        words: "Em cinco minutos, sem certificado e sem rede, com as autoridades simuladas.",
    },
    EntryLink { path: "/docs", name: "Documentação", words: "Guias, receitas, campos, regras e cada rota da API." },
    EntryLink {
        path: "/swagger",
        name: "Console",
        words: "Chamadas reais com a sua chave, com o exemplo de cada rota pronto para editar.",
    },
    EntryLink { path: "/status", name: "Estado", words: "Banco, fila, autoridades e webhooks agora, em JSON." },
];

fn entry(link: &EntryLink) -> Markup {
    html! { li { a href=(link.path) { strong { (link.name) } span { (link.words) } } } }
}

fn facts(app: &App) -> Markup {
    let mcp = if app.mcp().active { "ligado, em /mcp" } else { "desligado" };
    html! {
        dl class="fatos" {
            dt { "Versão" } dd { "Carimbo " (crate::VERSION) }
            @if let Some(url) = &app.edge().public_url { dt { "Endereço público" } dd { (url) } }
            dt { "Ambientes" }
            dd {
                "Chaves " code { "crb_test_…" } " emitem em homologação, sem valor fiscal; " code { "crb_live_…" }
                " emitem em produção, e só para a empresa configurada com " code { "ambiente: 1" } "."
            }
            dt { "Agentes de IA" } dd { a href="/docs/guia/mcp" { "MCP" } " " (mcp) "." }
            dt { "Programas" } dd { a href="/docs/json" { "OpenAPI 3.1" } " e, nesta mesma página, um cartão em JSON." }
        }
    }
}
