//! A delivery with its attempts.

use maud::{Markup, html};
use store::webhooks::{ATTEMPTS, DeliveryAttempt, DeliveryRecord, DeliveryStatus};

use crate::api::instant::CivilTime;
use crate::painel::navigation::{DOCUMENTS, INTEGRATIONS};
use crate::painel::panel_session::PanelSession;
use crate::painel::{session_page, words};

/// Class and words of a status.
pub(super) fn status_words(status: DeliveryStatus) -> (&'static str, &'static str) {
    match status {
        DeliveryStatus::Pendente => ("pendente", "em andamento"),
        DeliveryStatus::Entregue => ("autorizada", "entregue"),
        DeliveryStatus::Perdida => ("erro", "perdida"),
    }
}

pub(super) fn card(visitor: &PanelSession, one: &DeliveryRecord, time: CivilTime) -> Markup {
    let (class, label) = status_words(one.status);
    html! {
        article class="cartao" id={ "e-" (one.id) } {
            p class="linha" {
                strong { code { (one.evento) } } span class={ "estado " (class) } { (label) }
            }
            p {
                "Para " code { (one.url) } @if one.is_for_account { " (endereço da conta)" } @else { " (pedido na emissão)" }
                " · " (words::civil_instant(one.criado_em, time))
                @if let Some(job) = one.job_id { " · " a href={ (DOCUMENTS.path) "/" (job) } { "ver o documento" } }
            }
            @if let Some(next) = one.proxima_em.filter(|_| one.status == DeliveryStatus::Pendente) {
                p class="fraca" { "Próxima tentativa em " (words::civil_instant(next, time)) "." }
            }
            @if !one.historico.is_empty() {
                details open[one.status == DeliveryStatus::Perdida] {
                    summary { (one.tentativas) @if one.tentativas == 1 { " tentativa" } @else { " tentativas" } }
                    ol class="historia" { @for attempt in &one.historico { (self::attempt(attempt, time)) } }
                }
            }
            @if may_be_resent(one) {
                form method="post" action={ (INTEGRATIONS.path) "/" (one.id) "/reenviar" } {
                    (session_page::proof(visitor))
                    p class="botoes" { button aria-label={ "Reenviar " (one.evento) } { "Reenviar" } }
                }
            }
        }
    }
}

/// True for a delivery that ended, or waits for an attempt after the first ones.
fn may_be_resent(one: &DeliveryRecord) -> bool {
    let waits_long = one.historico.last().is_some_and(|last| last.estendida) || one.tentativas == ATTEMPTS;
    one.status != DeliveryStatus::Pendente || waits_long
}

fn attempt(attempt: &DeliveryAttempt, time: CivilTime) -> Markup {
    html! {
        li {
            (words::moment_with_seconds(&time.at(attempt.em))) " · tentativa " (attempt.tentativa) ", " (attempt.duracao_ms) " ms"
            @if let Some(status) = attempt.codigo_http { ", HTTP " (status) }
            @if attempt.estendida { " · das que a conta escolheu a mais" }
            @if let Some(why) = &attempt.erro { br; (why) }
            @if let Some(answer) = attempt.resposta.as_ref().filter(|answer| !answer.is_empty()) {
                details { summary { "O que o destino respondeu" } pre { (answer) } }
            }
        }
    }
}
