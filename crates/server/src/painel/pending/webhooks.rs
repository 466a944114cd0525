//! Events that the caller's system never confirmed.

use maud::{Markup, html};
use store::Visibility;
use store::notes::ListWindow;
use store::webhooks::{DeliveryFilter, DeliveryRecord, DeliveryStatus};

use super::{PendingMatter, table};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::documents::query::address;
use crate::painel::navigation::INTEGRATIONS;
use crate::painel::paging::ListPaging;
use crate::painel::panel_session::PanelSession;
use crate::painel::words::civil_instant;

/// A page of lost deliveries, newest first, and their number.
pub(super) async fn lost(
    app: &App,
    visitor: &PanelSession,
    window: ListWindow,
) -> Result<(Vec<DeliveryRecord>, u64), ApiError> {
    let filter = DeliveryFilter { status: Some(DeliveryStatus::Perdida), ..DeliveryFilter::default() };
    let caller = &visitor.at.caller;
    let sight = Visibility::of(caller).within(caller.ambiente);
    Ok(app.store().deliveries(sight, filter, window.limit, window.skip).await?)
}

pub(super) async fn show(app: &App, visitor: &PanelSession, query: &str) -> Result<Markup, ApiError> {
    let page = LOST.page(query);
    let (found, total) = lost(app, visitor, page.window()).await?;
    let time = CivilTime::of(None);
    let rows = html! {
        @for one in &found {
            tr {
                td class="nome" { (one.evento) }
                td data-coluna="Endereço" { (one.url) }
                td data-coluna="Quando" { (civil_instant(one.criado_em, time)) }
                td class="numero" data-coluna="Tentativas" { (one.tentativas) }
                td data-coluna="Última resposta" { (last_answer(one)) }
                td data-coluna="Documento" {
                    @if let Some(job) = one.job_id { a href={ (address(&[])) "/" (job) } { "ver" } } @else { "—" }
                }
            }
        }
    };
    Ok(html! {
        p { "Um aviso é perdido quando o sistema que devia recebê-lo não o confirmou em nenhuma tentativa. O documento não muda: só quem esperava o aviso não soube dele. Em " a href={ (INTEGRATIONS.path) "?situacao=perdida" } { (INTEGRATIONS.name) } " se veem as tentativas e se reenviam." }
        p class="fraca" role="status" { (total) " avisos perdidos." }
        @if found.is_empty() { p class="vazio" { "Nenhum aviso perdido." } }
        @else {
            (table("Avisos perdidos", &["Aviso", "Endereço", "Quando", "Tentativas", "Última resposta", "Documento"], rows))
        }
        (page.links(&PendingMatter::Webhooks.path(), total))
    })
}

fn last_answer(one: &DeliveryRecord) -> String {
    let Some(last) = one.historico.last() else { return "—".to_owned() };
    match (last.codigo_http, &last.erro) {
        (Some(code), _) => format!("HTTP {code}"),
        (None, Some(erro)) => erro.clone(),
        (None, None) => "—".to_owned(),
    }
}

static LOST: ListPaging =
    ListPaging { parameter: "pagina", label: "Páginas dos avisos", links: ["Mais novos", "Mais antigos"], size: 50 };
