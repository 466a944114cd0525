//! Quotas of which four fifths or more are used this month.

use fiscal::value::Uf;
use maud::{Markup, html};
use store::quotas::Quota;

use super::table;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::panel_session::PanelSession;
use crate::painel::words::civil_instant;

/// Quotas of the session's environment that are nearly used. A quota of zero is switched off, not used up.
pub(super) async fn nearly_used(app: &App, visitor: &PanelSession) -> Result<Vec<Quota>, ApiError> {
    let caller = &visitor.at.caller;
    let mut quotas = app.store().quotas(caller.tenant_id, caller.ambiente, app.now()).await?;
    quotas.retain(|quota| {
        quota.limite.is_some_and(|limite| limite > 0 && quota.consumo.saturating_mul(5) >= limite.saturating_mul(4))
    });
    Ok(quotas)
}

pub(super) async fn show(app: &App, visitor: &PanelSession) -> Result<Markup, ApiError> {
    let quotas = nearly_used(app, visitor).await?;
    let rows = html! {
        @for quota in &quotas {
            tr {
                td class="nome" { (quota.familia.word()) }
                td class="numero" data-coluna="Usado" { (quota.consumo) }
                td class="numero" data-coluna="Limite" { (quota.limite.unwrap_or_default()) }
                td data-coluna="Recomeça em" { (civil_instant(quota.renova_em, CivilTime::in_state(Uf::DF))) }
            }
        }
    };
    Ok(html! {
        p { "Quando a cota acaba, o serviço recusa novos pedidos dessa família até o mês virar. Quem opera o serviço pode aumentá-la." }
        @if quotas.is_empty() { p class="vazio" { "Nenhuma cota está perto do fim." } }
        @else { (table("Cotas", &["Família", "Usado", "Limite", "Recomeça em"], rows)) }
    })
}
