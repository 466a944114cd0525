//! `GET /painel/pendencias/{assunto}`: the entries behind a number of the overview that no other section lists.

mod certificates;
mod gaps;
mod quotas;
mod webhooks;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use maud::{Markup, html};

use super::navigation::HOME;
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::app::App;

/// A matter with a page here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Matter {
    Certificates,
    Webhooks,
    Gaps,
    Quotas,
}

impl Matter {
    pub(super) const ALL: [Matter; 4] = [Matter::Certificates, Matter::Webhooks, Matter::Gaps, Matter::Quotas];

    const fn word(self) -> &'static str {
        match self {
            Matter::Certificates => "certificados",
            Matter::Webhooks => "webhooks",
            Matter::Gaps => "lacunas",
            Matter::Quotas => "cotas",
        }
    }

    /// Address of its page.
    pub(super) fn path(self) -> String {
        format!("/painel/pendencias/{}", self.word())
    }

    /// Words beside its number on the overview.
    pub(super) const fn on_home(self) -> &'static str {
        match self {
            Matter::Certificates => "certificados vencidos ou que vencem em 30 dias",
            Matter::Webhooks => "avisos a sistemas (webhooks) perdidos",
            Matter::Gaps => "trechos de números sem documento",
            Matter::Quotas => "cotas do mês quase no fim",
        }
    }

    pub(super) const fn is_urgent(self) -> bool {
        matches!(self, Matter::Certificates)
    }

    const fn title(self) -> &'static str {
        match self {
            Matter::Certificates => "Certificados que vencem",
            Matter::Webhooks => "Avisos perdidos",
            Matter::Gaps => "Lacunas na numeração",
            Matter::Quotas => "Cotas quase no fim",
        }
    }
}

/// Number of entries of a matter: the same as its page shows.
pub(super) async fn count(app: &App, visitor: &PanelSession, matter: Matter) -> Result<u64, ApiError> {
    Ok(match matter {
        Matter::Certificates => certificates::expiring(app, visitor).await?.len() as u64,
        Matter::Webhooks => webhooks::lost(app, visitor, 1, 0).await?.1,
        Matter::Gaps => gaps::recent(app, visitor).await?.len() as u64,
        Matter::Quotas => quotas::nearly_used(app, visitor).await?.len() as u64,
    })
}

/// `GET /painel/pendencias/{assunto}`
pub(crate) async fn show_pending(
    State(app): State<App>,
    visitor: PanelSession,
    Path(assunto): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(matter) = Matter::ALL.into_iter().find(|matter| matter.word() == assunto) else {
        return unknown(&visitor);
    };
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

async fn entries(app: &App, visitor: &PanelSession, matter: Matter, query: &str) -> Result<Markup, ApiError> {
    match matter {
        Matter::Certificates => certificates::show(app, visitor).await,
        Matter::Webhooks => webhooks::show(app, visitor, query).await,
        Matter::Gaps => gaps::show(app, visitor).await,
        Matter::Quotas => quotas::show(app, visitor).await,
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
