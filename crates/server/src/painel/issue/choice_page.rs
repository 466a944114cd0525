//! The beginning of a document: the recipes by family, and the latest documents.

use axum::response::Response;
use fiscal::value::{Uf, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::jobs::Job;
use store::notes::{ListWindow, NoteFilter};

use super::ADDRESS;
use super::form_family::FAMILIES;
use super::recipe_list::{self, ListedRecipe};
use crate::api::error::ApiError;
use crate::api::job::nota::status;
use crate::app::App;
use crate::painel::navigation::ISSUE;
use crate::painel::panel_session::PanelSession;
use crate::painel::{session_page, words};

/// The page.
pub(super) async fn show(app: &App, visitor: &PanelSession) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    let (_, companies) = app.store().list_companies(Visibility::of(caller), 1, 0).await?;
    let window = ListWindow { limit: LATEST, skip: 0 };
    let filter = NoteFilter { ambiente: Some(caller.ambiente), ..NoteFilter::default() };
    let (latest, _) = app.store().notes(Visibility::of(caller), filter, window).await?;
    let recipes = recipe_list::all();
    let body = html! {
        h1 { "Emitir um documento" }
        @if companies == 0 {
            p class="aviso" { "A conta ainda não tem empresa cadastrada, e é uma empresa que emite. Cadastre a primeira, com o certificado dela, e volte aqui." }
        }
        p { "Comece por um documento parecido: um que a empresa já emitiu, ou uma receita, que é um documento inteiro de exemplo. Tudo pode ser mudado antes de emitir." }
        section aria-labelledby="anteriores" {
            h2 id="anteriores" { "A partir de um documento anterior" }
            @if latest.is_empty() { p class="vazio" { "Nenhum documento emitido ainda neste ambiente." } }
            ul { @for job in &latest { (earlier(job)) } }
        }
        section aria-labelledby="receitas" {
            h2 id="receitas" { "A partir de uma receita" }
            @for family in FAMILIES {
                h3 { (family.name) }
                p class="fraca" { (family.about) }
                ul { @for recipe in recipes.iter().filter(|recipe| recipe.family == family.word) { (recipe_line(recipe)) } }
            }
        }
    };
    Ok(session_page::page(visitor, &ISSUE, StatusCode::OK, "Emitir", body))
}

fn recipe_line(recipe: &ListedRecipe) -> Markup {
    html! {
        li { a href={ (ADDRESS) "?receita=" (recipe.name) } { (recipe.title) } br; span class="fraca" { (recipe.line) } }
    }
}

fn earlier(job: &Job) -> Markup {
    html! {
        @if let Some(document) = &job.document {
            li {
                a href={ (ADDRESS) "?de=" (job.id) } { (job.tipo.name()) " " (document.numero_nota.unwrap_or(document.numero)) ", série " (document.serie) }
                @if let Some(status) = status(document.state) { " " span class={ "estado " (status.word()) } { (status.word()) } }
                br;
                span class="fraca" {
                    @if let Some(number) = &document.destinatario { "Para " (masked(number)) " · " }
                    @if !document.valor.is_empty() { "R$ " (words::decimal(&document.valor)) " · " }
                    (words::instant(job.criado_em, Uf::DF))
                }
            }
        }
    }
}

/// Documents that the page offers to begin with.
const LATEST: usize = 10;
