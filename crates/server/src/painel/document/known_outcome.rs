//! Result of a confirmed order: its document's state, number, key and form, followed while it runs.

use maud::{Markup, html};
use store::jobs::Operacao;
use uuid::Uuid;

use super::standing::DocumentStanding;
use super::{path, sections, visible_job};
use crate::api::error::ApiError;
use crate::api::job::JobFacts;
use crate::app::App;
use crate::painel::panel_session::PanelSession;

/// The result of a confirmed order; `here` is the page that shows it.
pub(in crate::painel) async fn outcome(
    app: &App,
    visitor: &PanelSession,
    id: Uuid,
    here: &str,
) -> Result<Markup, ApiError> {
    let Some(job) = visible_job(app, visitor, &id.to_string()).await? else {
        return Ok(html! { p { "Confirmada: a operação é " code { (id) } "." } });
    };
    let facts = JobFacts::read(app.store(), job.clone()).await?;
    let standing = DocumentStanding::of(&job, facts.time);
    let page = path(job.alvo.unwrap_or(job.id));
    let pdf = facts.view().operation.arquivos.pdf.is_some();
    Ok(html! {
        section id="resultado" class="cartao" data-vivo=[standing.is_moving.then_some("3")] aria-labelledby="resultado-titulo" {
            h2 id="resultado-titulo" { "O que aconteceu " (standing.mark()) }
            p role="status" { (standing.sentence) }
            dl class="ficha" { (sections::identity(&job)) }
            p class="botoes" {
                a class="botao principal" href=(page) { @if job.operacao == Operacao::Manifestacao { "Abrir o pedido" } @else { "Abrir o documento" } }
                @if pdf { a class="botao" href={ (path(job.id)) "/pdf" } target="_blank" rel="noopener" { "Ver o PDF" } }
                @if standing.is_moving { a href=(here) { "atualizar" } }
            }
        }
    })
}
