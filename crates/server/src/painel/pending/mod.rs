//! `GET /painel/pendencias/{assunto}`: the entries behind a number of the overview that no other section lists.

mod certificates;
mod gaps;
mod quotas;
mod webhooks;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use maud::{Markup, html};
use store::notes::ListWindow;

use super::navigation::HOME;
use super::panel_session::PanelSession;
use super::{frame, role_refusal, session_page};
use crate::api::error::ApiError;
use crate::api::permission::RequiredPermission;
use crate::app::App;

/// A matter with a page here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PendingMatter {
    Certificates,
    Webhooks,
    Gaps,
    Quotas,
}

impl PendingMatter {
    pub(super) const ALL: [PendingMatter; 4] =
        [PendingMatter::Certificates, PendingMatter::Webhooks, PendingMatter::Gaps, PendingMatter::Quotas];

    const fn word(self) -> &'static str {
        match self {
            PendingMatter::Certificates => "certificados",
            PendingMatter::Webhooks => "webhooks",
            PendingMatter::Gaps => "lacunas",
            PendingMatter::Quotas => "cotas",
        }
    }

    /// Address of its page.
    pub(super) fn path(self) -> String {
        format!("/painel/pendencias/{}", self.word())
    }

    /// Words beside its number on the overview.
    pub(super) const fn on_home(self) -> &'static str {
        match self {
            PendingMatter::Certificates => "certificados vencidos ou que vencem em 30 dias",
            PendingMatter::Webhooks => "avisos a sistemas (webhooks) perdidos",
            PendingMatter::Gaps => "trechos de números sem documento",
            PendingMatter::Quotas => "cotas do mês quase no fim",
        }
    }

    pub(super) const fn is_urgent(self) -> bool {
        matches!(self, PendingMatter::Certificates)
    }

    /// Need beyond that of the page: quotas count every company of the account.
    const fn need(self) -> RequiredPermission {
        match self {
            PendingMatter::Quotas => RequiredPermission::ReadAccount,
            PendingMatter::Certificates | PendingMatter::Webhooks | PendingMatter::Gaps => RequiredPermission::Read,
        }
    }

    const fn title(self) -> &'static str {
        match self {
            PendingMatter::Certificates => "Certificados que vencem",
            PendingMatter::Webhooks => "Avisos perdidos",
            PendingMatter::Gaps => "Lacunas na numeração",
            PendingMatter::Quotas => "Cotas quase no fim",
        }
    }
}

/// Number of entries of a matter: the same as its page shows; none of a matter out of the user's reach.
pub(super) async fn count(app: &App, visitor: &PanelSession, matter: PendingMatter) -> Result<u64, ApiError> {
    if !visitor.may(matter.need()) {
        return Ok(0);
    }
    Ok(match matter {
        PendingMatter::Certificates => certificates::expiring(app, visitor).await?.len() as u64,
        PendingMatter::Webhooks => webhooks::lost(app, visitor, ListWindow { limit: 1, skip: 0 }).await?.1,
        PendingMatter::Gaps => gaps::recent(app, visitor).await?.len() as u64,
        PendingMatter::Quotas => quotas::nearly_used(app, visitor).await?.len() as u64,
    })
}

/// `GET /painel/pendencias/{assunto}`
pub(crate) async fn show_pending(
    State(app): State<App>,
    visitor: PanelSession,
    Path(assunto): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(matter) = PendingMatter::ALL.into_iter().find(|matter| matter.word() == assunto) else {
        return unknown(&visitor);
    };
    if !visitor.may(matter.need()) {
        return role_refusal::page(&app, &visitor, matter.need()).await;
    }
    let shown = entries(&app, &visitor, matter, query.as_deref().unwrap_or_default()).await;
    shown.map_or_else(
        |error| frame::failure(&error),
        |entries| {
            let body = html! {
                p { a href=(HOME.path) { "Início" } }
                h1 { (matter.title()) }
                (entries)
            };
            session_page::page(&visitor, &HOME, StatusCode::OK, matter.title(), body)
        },
    )
}

async fn entries(app: &App, visitor: &PanelSession, matter: PendingMatter, query: &str) -> Result<Markup, ApiError> {
    match matter {
        PendingMatter::Certificates => certificates::show(app, visitor).await,
        PendingMatter::Webhooks => webhooks::show(app, visitor, query).await,
        PendingMatter::Gaps => gaps::show(app, visitor).await,
        PendingMatter::Quotas => quotas::show(app, visitor).await,
    }
}

fn unknown(visitor: &PanelSession) -> Response {
    let body = html! {
        h1 { "Não encontrada" }
        p { "Não há página com este endereço." }
        p { a href=(HOME.path) { "Voltar ao início" } }
    };
    session_page::page(visitor, &HOME, StatusCode::NOT_FOUND, "Não encontrada", body)
}

/// A table with these heads; `rows` are its `tr`.
fn table(label: &str, heads: &[&str], rows: Markup) -> Markup {
    html! {
        div class="tabela" tabindex="0" role="region" aria-label=(label) {
            table class="itens" {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody { (rows) }
            }
        }
    }
}
