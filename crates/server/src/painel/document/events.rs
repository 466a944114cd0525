//! Acts that were ordered on a document, and its events at the authority.

use fiscal::event::{self, cte};
use fiscal::lifecycle::DocumentState;
use fiscal::nfse::registered;
use fiscal::tipo::Tipo;
use maud::{Markup, html};
use store::events::EventRow;
use store::jobs::{Job, JobAct, JobStatus, Operacao};

use super::path;
use super::records::DocumentRecords;
use super::standing::DocumentStanding;
use crate::painel::words;

/// Orders of ours with their results, and events of other systems.
pub(super) fn events(records: &DocumentRecords) -> Markup {
    let foreign: Vec<&EventRow> = records.events.iter().filter(|row| row.job_id.is_none() && row.registered).collect();
    html! {
        @if !records.acts.is_empty() || !foreign.is_empty() {
            section id="pedidos" aria-labelledby="pedidos-titulo" {
                h2 id="pedidos-titulo" { "O que foi feito com ele" }
                @for act in &records.acts { (order(act, records)) }
                @for row in foreign {
                    article class="cartao" {
                        p class="linha" { strong { (description(records.job.tipo, &row.tpEvento)) } span class="estado autorizada" { "registrado" } }
                        p class="fraca" {
                            "Por outro sistema ou pela própria autoridade"
                            @if let Some(at) = &row.dhRegEvento { ", em " (words::official_instant(at)) }
                            @if let Some(protocol) = &row.nProt { " · protocolo " code { (protocol) } }
                        }
                    }
                }
            }
        }
    }
}

fn order(act: &Job, records: &DocumentRecords) -> Markup {
    let standing = act_standing(act, records);
    let event = act.act.as_ref().and_then(JobAct::event);
    let is_registered = standing.1;
    let here = path(act.id);
    html! {
        article class="cartao" {
            p class="linha" { strong { (name(act)) } (standing.0) }
            p class="fraca" {
                "Pedido em " (words::moment(&records.time.at(act.criado_em)))
                @if let Some(at) = event.and_then(|event| event.dhRegEvento.as_ref()) { " · registrado em " (words::official_instant(at)) }
                @if let Some(protocol) = event.and_then(|event| event.nProt.as_ref()) { " · protocolo " code { (protocol) } }
            }
            @if let Some((codigo, xMotivo)) = &act.event_result { p { "A autoridade respondeu: " strong { (codigo) } " " (xMotivo) } }
            @if let Some(failure) = &act.erro { p class="recusa" { (failure.mensagem) } }
            p class="botoes" {
                @if is_registered {
                    a class="botao" href={ (here) "/pdf" } target="_blank" rel="noopener" { "PDF" }
                    a class="botao" href={ (here) "/arquivo/xml" } { "XML" }
                }
                a class="botao" href={ (here) "/arquivo/log" } { "História" }
                @match act.status {
                    JobStatus::Pending => a class="botao" href={ (here) "/retirar" } { "Desistir deste pedido" },
                    JobStatus::Failed => a class="botao" href={ (here) "/reprocessar" } { "Reprocessar" },
                    _ => {}
                }
            }
        }
    }
}

/// State of an act with its colour, and whether the authority registered it.
fn act_standing(act: &Job, records: &DocumentRecords) -> (Markup, bool) {
    let event = act.act.as_ref().and_then(JobAct::event);
    // a cancellation of a municipal note has no event of its own: the newest finished one made the document's state
    let newest = |act: &&Job| act.operacao == Operacao::Cancelamento && act.status == JobStatus::Completed;
    let is_last = records.acts.iter().find(newest).is_some_and(|newest| newest.id == act.id);
    let cancelled = records.document().is_some_and(|document| document.state == DocumentState::Cancelled);
    let is_registered = event.is_some_and(|event| event.dhRegEvento.is_some()) || (is_last && cancelled);
    let mark = match act.status {
        JobStatus::Completed if is_registered => html! { span class="estado autorizada" { "registrado" } },
        JobStatus::Completed => html! { span class="estado rejeitada" { "recusado" } },
        _ => DocumentStanding::of_order(act, records.time).mark(),
    };
    (mark, is_registered && act.status == JobStatus::Completed)
}

fn name(act: &Job) -> String {
    let event = act.act.as_ref().and_then(JobAct::event);
    let sequence = event.map(|event| event.nSeqEvento).filter(|_| act.operacao == Operacao::CartaCorrecao);
    match (act.operacao, event, sequence) {
        (Operacao::Cancelamento, ..) => "Cancelamento".to_owned(),
        (Operacao::AnaliseFiscal, ..) => "Pedido de análise fiscal ao município".to_owned(),
        (_, _, Some(sequence)) => format!("Carta de correção nº {sequence}"),
        (_, Some(event), None) => description(act.tipo, &event.tpEvento).to_owned(),
        _ => words::operation_label(act.operacao, act.tipo),
    }
}

fn description(tipo: Tipo, tpEvento: &str) -> &'static str {
    let found = match tipo {
        Tipo::Nfse => registered::description(tpEvento),
        Tipo::Cte => cte::CteEventKind::from_code(tpEvento).map(cte::CteEventKind::description),
        _ => event::NfeEventKind::from_code(tpEvento).map(event::NfeEventKind::description),
    };
    found.unwrap_or("Evento")
}
