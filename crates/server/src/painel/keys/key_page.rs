//! `GET /painel/chaves/{id}`: a key, with the forms that replace and revoke it.

use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use jiff::ToSpan as _;
use jiff::civil::Date;
use maud::{Markup, html};
use store::accounts::ApiKey;

use super::key_list::state;
use super::new_key::permission_words;
use super::visible_key;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::navigation::KEYS;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page, words};

/// Days for which a replaced key is valid if nothing else is chosen, and at most.
const USUAL_DAYS: i64 = 7;
pub(super) const MOST_DAYS: i64 = 90;

/// `GET /painel/chaves/{id}`
pub(crate) async fn show_key(State(app): State<App>, visitor: PanelSession, Path(id): Path<String>) -> Response {
    match visible_key(&app, &visitor, &id).await {
        Ok(key) => key_page(&app, &visitor, &key, StatusCode::OK, None, None),
        Err(error) => frame::failure(&error),
    }
}

/// Last day of a replaced key, with the problem of what was typed.
pub(super) type DayProblem<'a> = (&'a str, &'a str);

pub(super) fn key_page(
    app: &App,
    visitor: &PanelSession,
    key: &ApiKey,
    status: StatusCode,
    day: Option<DayProblem<'_>>,
    refusal: Option<&str>,
) -> Response {
    let (time, now) = (CivilTime::of(None), app.engine().now_s());
    let body = html! {
        p { a href=(KEYS.path) { (KEYS.name) } }
        h1 { (key.nome) }
        @if let Some(refusal) = refusal { p class="recusa" role="alert" { (refusal) } }
        dl class="ficha" {
            dt { "Situação" } dd { (state(key, now)) }
            dt { "Começa com" } dd { code { (key.prefixo) "…" } }
            dt { "Pode" } dd { (permission_words(key.permissao)) }
            dt { "Criada em" } dd { (words::civil_instant(key.criado_em, time)) }
            dt { "Último uso" }
            dd { @if let Some(at) = key.ultimo_uso_em { (words::civil_instant(at, time)) } @else { "nunca" } }
        }
        @if key.revogado_em.is_none() { (replacement(visitor, key, time.date(now), day)) }
        @if key.is_valid(now) { (revocation(visitor, key)) }
    };
    session_page::page(visitor, &KEYS, status, &key.nome, body)
}

fn replacement(visitor: &PanelSession, key: &ApiKey, today: Date, day: Option<DayProblem<'_>>) -> Markup {
    let (typed, problem) = day.unzip();
    let usual = today.saturating_add(USUAL_DAYS.days()).to_string();
    html! {
        section aria-labelledby="trocar" {
            h2 id="trocar" { "Trocar" }
            p { "Cria outra chave com o mesmo nome e as mesmas permissões. Esta continua a valer até o dia que escolher, para dar tempo de mudar o programa." }
            form method="post" action={ (KEYS.path) "/" (key.id) "/trocar" } class="filtros" {
                (session_page::proof(visitor))
                label {
                    "Esta vale até o fim do dia"
                    input type="date" name="ate" required value=(typed.unwrap_or(&usual)) min=(today) max=(today.saturating_add(MOST_DAYS.days()))
                        aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| "falha-ate")];
                    @if let Some(problem) = problem { span class="falha" id="falha-ate" { (problem) } }
                }
                p class="botoes" { button class="botao principal" { "Trocar a chave" } }
            }
        }
    }
}

fn revocation(visitor: &PanelSession, key: &ApiKey) -> Markup {
    html! {
        section aria-labelledby="revogar" {
            h2 id="revogar" { "Revogar" }
            p { "Deixa de valer já, e o programa que a usa para. Não há volta. Sessões do painel abertas com ela também terminam." }
            form method="post" action={ (KEYS.path) "/" (key.id) "/revogar" } {
                (session_page::proof(visitor))
                p class="botoes" { button class="nao" { "Revogar a chave" } }
            }
        }
    }
}
