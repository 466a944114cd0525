//! `/painel/emails`: the log of e-mails, one mail with its attempts, and below it the company's choice, a test, the
//! block list and the alerts that a user asks for.

mod alerts;
mod blocks;
mod choice;
mod document_card;
mod log;
mod one_mail;

pub(crate) use alerts::{show_alerts, submit_alerts};
pub(crate) use blocks::{show_blocks, submit_block, submit_unblock};
pub(crate) use choice::{show_choice, submit_choice, submit_test};
pub(super) use document_card::document_mails;
pub(crate) use document_card::send_document_mail;
pub(crate) use log::list_mails;
pub(crate) use one_mail::{resend_mail_page, show_mail};

use maud::{Markup, html};
use store::mail::{MailKind, MailRecord, MailStatus};

use super::navigation::MAIL;
use crate::app::App;

/// Words and class of a mail's state.
fn state(status: MailStatus) -> (&'static str, &'static str) {
    match status {
        MailStatus::Pendente => ("pendente", "Na fila"),
        MailStatus::Enviado => ("autorizada", "Enviado"),
        MailStatus::EmDuvida => ("em_duvida", "Em dúvida"),
        MailStatus::Recusado => ("rejeitada", "Recusado"),
        MailStatus::Falhou => ("erro", "Falhou"),
        MailStatus::Bloqueado => ("erro", "Bloqueado"),
        MailStatus::SemEndereco => ("erro", "Sem endereço"),
    }
}

fn mark(mail: &MailRecord) -> Markup {
    let (class, words) = if mail.claimed { ("processando", "Saindo agora") } else { state(mail.status) };
    html! { span class={ "estado " (class) } { (words) } }
}

/// Words of a mail's kind.
fn kind(kind: MailKind) -> &'static str {
    match kind {
        MailKind::Nota => "Documento",
        MailKind::Cancelamento => "Cancelamento",
        MailKind::Teste => "Teste",
        MailKind::Exportacao => "Arquivo do mês",
        MailKind::Alerta => "Aviso",
    }
}

/// Links between the pages of the section.
fn subpages(current: &str) -> Markup {
    let pages = [
        ("", "Enviados"),
        ("/empresa", "O que enviar"),
        ("/avisos", "Avisos para mim"),
        ("/bloqueios", "Endereços bloqueados"),
    ];
    html! {
        nav class="botoes" aria-label="E-mails" {
            @for (path, name) in pages {
                a class="botao" href={ (MAIL.path) (path) } aria-current=[(path == current).then_some("page")] { (name) }
            }
        }
    }
}

/// Notice of a service that cannot send.
fn off_notice(app: &App) -> Markup {
    html! {
        @if !app.sends_mail() {
            p class="aviso" {
                "O envio de e-mails está desligado nesta instalação. Quem cuida dela precisa informar um servidor de e-mail; o guia "
                a href="/docs/guia/email" { "Enviar por e-mail" } " mostra como."
            }
        }
    }
}

/// A field's refusal, beside it.
fn fault(id: &str, text: Option<&str>) -> Markup {
    html! { @if let Some(text) = text { span class="falha" id=(id) { (text) } } }
}
