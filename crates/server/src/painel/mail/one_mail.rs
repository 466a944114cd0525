//! `/painel/emails/{id}`: a mail with its attempts, and its resend.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::mail::single_address;
use fiscal::value::Uf;
use http::StatusCode;
use maud::{Markup, html};
use store::mail::{MailAttempt, MailRecord, MailStatus};

use super::super::form::SubmittedForm;
use super::super::navigation::{DOCUMENTS, MAIL};
use super::super::panel_session::PanelSession;
use super::super::session_page::{self, proof};
use super::super::{frame, words};
use super::{fault, kind, mark};
use crate::api::emails::{find, reenviar};
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel/emails/{id}`
pub(crate) async fn show_mail(State(app): State<App>, visitor: PanelSession, Path(id): Path<String>) -> Response {
    let shown = render(&app, &visitor, &id, StatusCode::OK, ("", None)).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/emails/{id}/reenviar`
pub(crate) async fn resend_mail_page(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    resend(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn resend(app: &App, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, typed) = (&sent.visitor, sent.fields.text("para"));
    let para = match typed.trim() {
        "" => None,
        text => match single_address(text) {
            Ok(address) => Some(address),
            Err(wrong) => {
                let told = format!("O endereço {wrong}.");
                return render(app, visitor, id, StatusCode::UNPROCESSABLE_ENTITY, (typed, Some(&told))).await;
            }
        },
    };
    match reenviar::resend_mail(app, &visitor.at.caller, id, para, &visitor.actor).await {
        Ok(()) => Ok(Redirect::to(&format!("{}/{id}", MAIL.path)).into_response()),
        Err(error) if matches!(error.code().status, 409 | 429) => {
            render(app, visitor, id, StatusCode::UNPROCESSABLE_ENTITY, (typed, Some(error.detail()))).await
        }
        Err(error) => Err(error),
    }
}

async fn render(
    app: &App,
    visitor: &PanelSession,
    id: &str,
    status: StatusCode,
    (typed, told): (&str, Option<&str>),
) -> Result<Response, ApiError> {
    let (mail, attempts) = find(app, &visitor.at.caller, id).await?;
    let title = mail.assunto.clone().unwrap_or_else(|| kind(mail.kind).to_owned());
    let waits = mail.status == MailStatus::Pendente;
    let body = html! {
        p { a href=(MAIL.path) { (MAIL.name) } }
        div id="email" data-vivo=[waits.then_some("3")] {
            h1 { (title) " " (mark(&mail)) }
            @if waits { p { a href={ (MAIL.path) "/" (mail.id) } { "Atualizar" } } }
            p class=(if mail.status == MailStatus::EmDuvida { "recusa" } else { "aviso" }) role="status" { (sentence(mail.status)) }
            (facts(&mail))
            (history(&attempts))
        }
        @if !waits { (resend_form(visitor, &mail, typed, told)) }
    };
    Ok(session_page::page(visitor, &MAIL, status, &title, body))
}

fn sentence(status: MailStatus) -> &'static str {
    match status {
        MailStatus::Pendente => "O e-mail está na fila e sai sozinho.",
        MailStatus::Enviado => "O servidor de e-mail aceitou a mensagem para entrega.",
        MailStatus::EmDuvida => {
            "A mensagem foi entregue ao servidor, que não respondeu: ela pode ter chegado ou não. Pergunte a quem devia receber antes de enviar de novo."
        }
        MailStatus::Recusado => {
            "O servidor recusou a mensagem de vez. Veja abaixo o que ele disse; confira o endereço."
        }
        MailStatus::Falhou => "A mensagem não saiu. Veja abaixo o motivo; depois de resolvido, envie de novo.",
        MailStatus::Bloqueado => {
            "O endereço está na lista de bloqueados desta conta. Se ele voltou a funcionar, tire-o da lista e envie de novo."
        }
        MailStatus::SemEndereco => {
            "O documento não traz um e-mail que possa ser usado. Escreva um endereço abaixo para enviar."
        }
    }
}

fn facts(mail: &MailRecord) -> Markup {
    html! {
        dl class="ficha" {
            dt { "Tipo" } dd { (kind(mail.kind)) }
            dt { "Para" } dd { (mail.para.as_deref().unwrap_or("o destinatário do documento")) }
            @if let Some(copy) = &mail.copia_para { dt { "Cópia" } dd { (copy) } }
            @if let Some(job) = mail.job { dt { "Documento" } dd { a href={ (DOCUMENTS.path) "/" (job) } { "abrir" } } }
            dt { "Pedido em" } dd { (words::instant(mail.criado_em, Uf::DF)) }
            @if let (Some(next), false) = (mail.proxima_em, mail.claimed) { dt { "Próxima tentativa" } dd { (words::instant(next, Uf::DF)) } }
        }
    }
}

fn history(attempts: &[MailAttempt]) -> Markup {
    html! {
        h2 { "Tentativas" }
        @if attempts.is_empty() { p class="vazio" { "Nenhuma ainda." } } @else {
            div class="tabela" {
                table class="itens" {
                    thead { tr { th { "Nº" } th { "Quando" } th { "Até onde" } th { "Resposta" } } }
                    tbody {
                        @for attempt in attempts {
                            tr {
                                td data-coluna="Nº" { (attempt.tentativa) }
                                td data-coluna="Quando" { (words::instant(attempt.em, Uf::DF)) }
                                td data-coluna="Até onde" { (attempt.etapa) }
                                td data-coluna="Resposta" { @if let Some(code) = attempt.codigo { (code) " " } (attempt.resposta) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn resend_form(visitor: &PanelSession, mail: &MailRecord, typed: &str, told: Option<&str>) -> Markup {
    html! {
        h2 { "Enviar de novo" }
        form method="post" action={ (MAIL.path) "/" (mail.id) "/reenviar" } class="filtros" {
            (proof(visitor))
            label {
                "Para outro endereço"
                input type="email" name="para" value=(typed) maxlength="254" aria-invalid=[told.map(|_| "true")] aria-describedby=[told.map(|_| "falha-para")];
                small { "Vazio envia ao mesmo endereço." }
                (fault("falha-para", told))
            }
            p class="botoes" { button class="botao principal" { "Enviar de novo" } }
        }
    }
}
