//! The open sessions of the user: listed, and ended.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::header;
use maud::{Markup, html};
use store::session_list::OpenUserSession;
use uuid::Uuid;

use super::super::form::SubmittedForm;
use super::super::panel_session::{self, PanelSession};
use super::super::session_page::proof;
use super::super::{frame, words};
use super::done;
use super::program_name::program_name;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;

/// `POST /painel/conta/sessoes`
pub(crate) async fn end_sessions(State(app): State<App>, sent: SubmittedForm) -> Response {
    ended(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn ended(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let PanelSession { at, actor, .. } = &sent.visitor;
    let (tenant, user, now) = (at.caller.tenant_id, at.user_id, app.engine().now_s());
    let chosen = sent.fields.text("sessao");
    if chosen == "outras" {
        app.store().end_other_sessions(tenant, user, at.session_id, actor, now).await?;
        return Ok(done("sessoes"));
    }
    let unknown = || ApiError::not_found("Esta sessão já terminou, ou não é sua.");
    let id = Uuid::parse_str(chosen).map_err(|_| unknown())?;
    match app.store().end_user_session(tenant, user, id, actor, now).await {
        Ok(()) if id == at.session_id => {
            let removal = panel_session::removal_cookie(&sent.parts, app)?;
            Ok(([(header::SET_COOKIE, removal)], Redirect::to("/painel/entrar")).into_response())
        }
        Ok(()) => Ok(done("sessao")),
        Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}

/// Section of the account's page.
pub(super) fn section(visitor: &PanelSession, sessions: &[OpenUserSession]) -> Markup {
    html! {
        h2 { "Sessões abertas" }
        p { "Onde a sua conta está aberta agora. Se não reconhece alguma, encerre-a e troque a senha." }
        div class="tabela" {
            table class="itens" {
                thead { tr { th { "Navegador ou programa" } th { "Endereço" } th { "Começou" } th { "Último uso" } th { "Ambiente" } th { "" } } }
                tbody { @for session in sessions { (row(visitor, session)) } }
            }
        }
        @if sessions.len() > 1 {
            form method="post" action="/painel/conta/sessoes" class="botoes" {
                (proof(visitor))
                input type="hidden" name="sessao" value="outras";
                button { "Encerrar todas as outras" }
            }
        }
    }
}

fn row(visitor: &PanelSession, session: &OpenUserSession) -> Markup {
    let is_this = session.id == visitor.at.session_id;
    let instant = |seconds| words::civil_instant(seconds, CivilTime::of(None));
    let name = program_name(session.navegador.as_deref().unwrap_or_default());
    html! {
        tr {
            td class="nome longo" {
                (name)
                @if is_this { " " span class="estado autorizada" { "esta" } }
                @if !session.is_panel { " " small { "(programa, pela API)" } }
                @if session.is_external { " " small { "(pelo provedor)" } }
            }
            td data-coluna="Endereço" { (session.endereco.as_deref().unwrap_or("não registrado")) }
            td data-coluna="Começou" class="curto" { (instant(session.criado_em)) }
            td data-coluna="Último uso" class="curto" {
                @match session.visto_em { Some(seen) => (instant(seen)), None => "não se registra" }
            }
            td data-coluna="Ambiente" { (frame::name(session.ambiente)) }
            td data-coluna="" {
                form method="post" action="/painel/conta/sessoes" {
                    (proof(visitor))
                    input type="hidden" name="sessao" value=(session.id);
                    button aria-label={ "Encerrar a sessão de " (name) @if is_this { ", que é esta" } } { "Encerrar" }
                }
            }
        }
    }
}
