//! Webhook deliveries of a document's job, with their attempts.

use maud::{Markup, html};
use store::webhooks::{DeliveryAttempt, DeliveryRecord, DeliveryStatus};

use super::path;
use super::records::DocumentRecords;
use crate::painel::panel_session::PanelSession;
use crate::painel::{session_page, words};

/// The deliveries, newest first; nothing for a job without any.
pub(super) fn deliveries(visitor: &PanelSession, records: &DocumentRecords) -> Markup {
    let waits = records.deliveries.iter().any(|one| one.status == DeliveryStatus::Pendente);
    html! {
        section id="entregas" data-vivo=[waits.then_some("5")] aria-labelledby="entregas-titulo" {
            h2 id="entregas-titulo" { "Avisos ao seu sistema (webhooks)" }
            @if records.deliveries.is_empty() {
                p class="vazio" {
                    @if records.job.webhook_url.is_some() { "Ainda não houve o que avisar." } @else { "Quem emitiu não pediu aviso." }
                }
            }
            @for one in &records.deliveries { (delivery(visitor, one, records)) }
        }
    }
}

fn delivery(visitor: &PanelSession, one: &DeliveryRecord, records: &DocumentRecords) -> Markup {
    let (class, label) = match one.status {
        DeliveryStatus::Pendente => ("pendente", "em andamento"),
        DeliveryStatus::Entregue => ("autorizada", "entregue"),
        DeliveryStatus::Perdida => ("erro", "perdida"),
    };
    html! {
        article class="cartao" {
            p class="linha" {
                strong { code { (one.evento) } } span class={ "estado " (class) } { (label) }
            }
            p { "Para " code { (one.url) } " · " (one.tentativas) " tentativa(s)" }
            @if let Some(next) = one.proxima_em.filter(|_| one.status == DeliveryStatus::Pendente) {
                p { "Próxima tentativa em " (words::moment(&records.time.at(next))) "." }
            }
            @if !one.historico.is_empty() { ol class="historia" { @for attempt in &one.historico { (self::attempt(attempt, records)) } } }
            @if one.status != DeliveryStatus::Pendente && records.may_act {
                form method="post" action={ (path(records.job.id)) "/reenviar" } {
                    (session_page::proof(visitor))
                    input type="hidden" name="entrega" value=(one.id);
                    button { "Reenviar este aviso" }
                }
            }
        }
    }
}

fn attempt(attempt: &DeliveryAttempt, records: &DocumentRecords) -> Markup {
    html! {
        li {
            (words::moment_with_seconds(&records.time.at(attempt.em))) " · tentativa " (attempt.tentativa) ", " (attempt.duracao_ms) " ms"
            @if let Some(status) = attempt.codigo_http { ", HTTP " (status) }
            @if let Some(why) = &attempt.erro { br; (why) }
            @if let Some(answer) = attempt.resposta.as_ref().filter(|answer| !answer.is_empty()) {
                details { summary { "O que o destino respondeu" } pre { (answer) } }
            }
        }
    }
}
