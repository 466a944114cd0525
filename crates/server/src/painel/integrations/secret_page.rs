//! `GET|POST /painel/integracoes/segredo`: the secret that signs the events, and its rotation.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::{Markup, html};
use serde_json::Map;
use store::webhooks::OpenedSecret;

use super::{GUIDE, SECRET};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::webhooks::segredo::rotate;
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::navigation::INTEGRATIONS;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page, words};

/// Hours for which a former secret still signs, as the form offers them.
const GRACES: [(&str, &str); 4] = [
    ("24", "por mais um dia"),
    ("72", "por mais três dias"),
    ("168", "por mais uma semana"),
    ("0", "nem mais um instante: o segredo vazou"),
];

/// `GET /painel/integracoes/segredo`
pub(crate) async fn show_webhook_secret(State(app): State<App>, visitor: PanelSession) -> Response {
    secret_page(&app, &visitor, None).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/integracoes/segredo`
pub(crate) async fn rotate_webhook_secret(State(app): State<App>, sent: SubmittedForm) -> Response {
    let mut body = Map::new();
    body.insert("carencia_horas".to_owned(), sent.fields.text("carencia").into());
    let caller = &sent.visitor.at.caller;
    let answer = match rotate(&app, caller, sent.visitor.actor.clone(), &body).await {
        Ok(_) => Ok(Redirect::to(SECRET).into_response()),
        Err(error) if error.code().status >= 500 => Err(error),
        Err(_) => secret_page(&app, &sent.visitor, Some("Escolha uma das opções da lista.")).await,
    };
    answer.unwrap_or_else(|error| frame::failure(&error))
}

async fn secret_page(app: &App, visitor: &PanelSession, problem: Option<&str>) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    let secrets = app.engine().webhook_secrets(caller.tenant_id, caller.ambiente).await?;
    let Some((in_use, former)) = secrets.split_first() else { return Err(ApiError::internal()) };
    let time = CivilTime::of(None);
    let body = html! {
        p { a href=(INTEGRATIONS.path) { (INTEGRATIONS.name) } }
        h1 { "Segredo dos avisos" }
        p {
            "Assina todos os avisos de " strong { (frame::name(caller.ambiente)) } ". Quem o tem pode fingir ser o Carimbo: guarde-o como uma senha e não o mande por e-mail. "
            "O " a href=(GUIDE) { "guia dos avisos" } " mostra como o seu sistema confere a assinatura."
        }
        dl class="ficha" {
            dt { "Segredo" } dd { code { (in_use.text.expose()) } }
            dt { "Criado em" } dd { (words::civil_instant(in_use.criado_em, time)) }
            @for one in former { (former_secret(one, time)) }
        }
        h2 { "Trocar" }
        p { "Um segredo novo passa a assinar já. O de agora continua a assinar junto pelo tempo que escolher, para que o seu sistema troque sem perder avisos." }
        (rotation(visitor, problem))
    };
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(session_page::page(visitor, &INTEGRATIONS, status, "Segredo dos avisos", body))
}

fn former_secret(one: &OpenedSecret, time: CivilTime) -> Markup {
    html! {
        @if let Some(end) = one.vale_ate {
            dt { "Anterior" }
            dd { "criado em " (words::civil_instant(one.criado_em, time)) ", assina até " (words::civil_instant(end, time)) }
        }
    }
}

fn rotation(visitor: &PanelSession, problem: Option<&str>) -> Markup {
    html! {
        form method="post" action=(SECRET) class="filtros" {
            (session_page::proof(visitor))
            label {
                "O segredo de agora ainda assina"
                select name="carencia" aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| "falha-carencia")] {
                    @for (hours, words) in GRACES { option value=(hours) { (words) } }
                }
                @if let Some(problem) = problem { span class="falha" id="falha-carencia" { (problem) } }
            }
            p class="botoes" { button class="nao" { "Trocar o segredo" } }
        }
    }
}
