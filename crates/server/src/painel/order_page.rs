//! `GET /painel/confirmar/{id}` and its form as PDF: the prepared order, with approval and refusal.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use engine::acceptance::assisted::{Decisao, PreparationRecord, PreparationState as Stand};
use fiscal::value::{CnpjCpf, Uf, masked};
use http::{StatusCode, header};
use maud::{Markup, html};
use store::jobs::Operacao;
use uuid::Uuid;

use super::navigation::ORDERS;
use super::panel_session::PanelSession;
use super::{act, document, frame, note, path, session_page, words};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::permission::RequiredPermission;
use crate::app::App;

/// `GET /painel/confirmar/{id}`
pub(crate) async fn show_order(State(app): State<App>, visitor: PanelSession, Path(id): Path<String>) -> Response {
    let shown = render_order(&app, &visitor, &id, StatusCode::OK, None).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// `GET /painel/confirmar/{id}/pdf`
pub(crate) async fn show_pdf(State(app): State<App>, visitor: PanelSession, Path(id): Path<String>) -> Response {
    match draw_prepared_form(&app, &visitor, &id).await {
        Ok(Some(pdf)) => {
            let name = "inline; filename=\"previa.pdf\"";
            ([(header::CONTENT_TYPE, "application/pdf"), (header::CONTENT_DISPOSITION, name)], pdf).into_response()
        }
        Ok(None) => unknown(&visitor),
        Err(error) => frame::failure(&error),
    }
}

async fn draw_prepared_form(app: &App, visitor: &PanelSession, id: &str) -> Result<Option<Vec<u8>>, ApiError> {
    let Ok(id) = Uuid::parse_str(id) else { return Ok(None) };
    let (engine, caller) = (app.engine().clone(), visitor.at.caller.clone());
    let case = async move { engine.prepared_form(&caller, id).await };
    match app.dispatch_use_case(visitor.at.caller.tenant_id, true, case).await? {
        Ok(pdf) => Ok(pdf),
        Err(error) if error.is_unknown() => Ok(None),
        Err(error) => Err(ApiError::new(
            &error_code::ESTADO_INVALIDO,
            format!("O formulário não pode ser desenhado agora: {error}."),
        )),
    }
}

/// The page, with the message about a failed decision, if any, above its content.
pub(super) async fn render_order(
    app: &App,
    visitor: &PanelSession,
    id: &str,
    status: StatusCode,
    told: Option<&str>,
) -> Result<Response, ApiError> {
    let Ok(id) = Uuid::parse_str(id) else { return Ok(unknown(visitor)) };
    let standing = match app.engine().confirmation(&visitor.at.caller, id).await {
        Err(store::Error::NotFound) => return Ok(unknown(visitor)),
        found => found?,
    };
    let (asks, title) =
        (words::question(standing.operacao, standing.tipo), words::operation_label(standing.operacao, standing.tipo));
    let may = match CnpjCpf::parse(&standing.emitente) {
        Ok(company) => visitor.may_in(app, RequiredPermission::Approve, company).await?,
        Err(_) => visitor.may(RequiredPermission::Approve),
    };
    let content = match standing.operacao {
        Operacao::Emissao => emission(app, visitor, &standing, may).await?,
        _ => act_of(app, visitor, &standing, may).await,
    };
    let result = match standing.state {
        Stand::Usada { job } => Some(document::outcome(app, visitor, job, &path(id)).await?),
        _ => None,
    };
    let body = html! {
        p { a href=(ORDERS.path) { "Confirmações" } }
        h1 { @if standing.state == Stand::Preparada { (asks) } @else { (title) } " " (words::state(&standing.state)) }
        @if let Some(told) = told { p class="recusa" role="alert" { (told) } }
        (decision(&standing))
        @if let Some(result) = &result { (result) }
        (content)
    };
    Ok(session_page::page(visitor, &ORDERS, status, &title, body))
}

/// A prepared document.
async fn emission(
    app: &App,
    visitor: &PanelSession,
    standing: &PreparationRecord,
    may: bool,
) -> Result<Markup, ApiError> {
    let (engine, caller, id) = (app.engine().clone(), visitor.at.caller.clone(), standing.id);
    // a prepared order may be as large as any document
    let case = async move { engine.prepared_note(&caller, id).await };
    let made = app.dispatch_use_case(visitor.at.caller.tenant_id, true, case).await?;
    let teto = app.store().ceiling(visitor.at.caller.tenant_id).await?;
    let within = teto.is_none_or(|teto| standing.valor <= teto);
    let yes = format!("Aprovar {}", words::reais(standing.valor));
    Ok(html! {
        @match &made {
            Ok(Some(made)) => {
                (note::note(standing, made, teto))
                (decision_forms(visitor, standing, may, within.then_some(yes.as_str())))
            }
            Ok(None) => { (brief(standing)) }
            Err(error) => { (failed_order(visitor, standing, may, error)) }
        }
    })
}

/// A prepared act on a document or on numbers.
async fn act_of(app: &App, visitor: &PanelSession, standing: &PreparationRecord, may: bool) -> Markup {
    let made = app.engine().prepared_act(&visitor.at.caller, standing.id).await;
    html! {
        @match &made {
            Ok(Some(made)) => { (act::act(standing, made)) (decision_forms(visitor, standing, may, Some(words::approval_label(standing.operacao)))) }
            Ok(None) => { (brief(standing)) }
            Err(error) => { (failed_order(visitor, standing, may, error)) }
        }
    }
}

/// A prepared order that can no longer be carried out.
fn failed_order(
    visitor: &PanelSession,
    standing: &PreparationRecord,
    may: bool,
    error: &dyn std::error::Error,
) -> Markup {
    html! {
        p class="recusa" { "Não pode mais ser feito como foi preparado: " (error) ". Pode ser recusado." }
        (brief(standing)) @if may { (refusal(visitor, standing)) }
    }
}

/// 404, equal for an absent order and for one of another account or environment.
fn unknown(visitor: &PanelSession) -> Response {
    let body = html! {
        h1 { "Não encontrada" }
        p { "Não há nada preparado com este endereço nesta conta e neste ambiente, ou foi esquecido. Se foi preparado em produção, vá para lá no alto desta página e abra o endereço de novo." }
        p { a href=(ORDERS.path) { "Voltar às confirmações" } }
    };
    session_page::page(visitor, &ORDERS, StatusCode::NOT_FOUND, "Não encontrada", body)
}

/// The decision, its user, and its result.
fn decision(standing: &PreparationRecord) -> Markup {
    html! {
        @if let Some(said) = &standing.decision {
            p class="decisao" role="status" {
                @if said.decisao == Decisao::Aprovada { "Aprovada" } @else { "Recusada" }
                " por " (said.email.as_deref().unwrap_or("usuário removido")) " em " (words::instant(said.em, Uf::DF))
                @if let Some(why) = &said.motivo { ". Motivo: " q { (why) } }
            }
        }
        @match &standing.state {
            Stand::Aprovada => { p { "O programa que a preparou pode confirmá-la até " (words::instant(standing.expira_em, Uf::DF)) "." } }
            Stand::Expirada => { p { "O tempo dela acabou e nada foi feito." } }
            _ => {}
        }
    }
}

/// Summary from the list's columns, once the order itself is deleted.
fn brief(standing: &PreparationRecord) -> Markup {
    html! {
        dl class="ficha" {
            @if standing.operacao != Operacao::Inutilizacao {
                dt { @if standing.operacao == Operacao::Emissao { "Valor movimentado" } @else { "Valor do documento" } }
                dd class="valor" { (words::reais(standing.valor)) }
            }
            dt { "Ambiente" } dd { (frame::name(standing.destino)) }
            dt { "Emitente" } dd { (masked(&standing.emitente)) }
            @if standing.operacao == Operacao::Emissao {
                dt { "Destinatário" } dd { (standing.destinatario.as_deref().unwrap_or("consumidor não identificado")) }
            }
        }
    }
}

/// Forms to approve, where that is allowed, and to refuse.
fn decision_forms(visitor: &PanelSession, standing: &PreparationRecord, may: bool, yes: Option<&str>) -> Markup {
    if !may {
        return html! {
            @if standing.state == Stand::Preparada {
                p class="aviso" { "Só quem tem o papel de aprovador ou de administrador decide. Peça a essa pessoa: ela vê este mesmo pedido." }
            }
        };
    }
    html! {
        @if standing.state == Stand::Preparada {
            section class="respostas" aria-label="Decisão" {
                @if let Some(yes) = yes {
                    form method="post" action=(path(standing.id)) {
                        (session_page::proof(visitor))
                        input type="hidden" name="decisao" value="aprovar";
                        button class={ "principal sim " (standing.destino.word()) } {
                            (yes) " em " (frame::name(standing.destino))
                        }
                    }
                }
                (refusal(visitor, standing))
            }
        }
    }
}

fn refusal(visitor: &PanelSession, standing: &PreparationRecord) -> Markup {
    html! {
        @if standing.state == Stand::Preparada {
            form method="post" action=(path(standing.id)) {
                (session_page::proof(visitor))
                input type="hidden" name="decisao" value="recusar";
                label { "Motivo da recusa (quem preparou vai lê-lo)" textarea name="motivo" rows="3" maxlength="500" {} }
                button class="nao" { "Recusar" }
            }
        }
    }
}
