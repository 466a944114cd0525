//! List of exports, with the progress of the one under way.

use fiscal::value::{Uf, masked};
use maud::{Markup, html};
use store::exports::{ExportForms, ExportRow, ExportState};

use super::super::navigation::EXPORTS;
use super::super::panel_session::PanelSession;
use super::super::session_page::proof;
use super::super::words;
use super::choice_form::period;
use crate::api::exportacoes::ver::{has_file, status};

pub(super) fn list(visitor: &PanelSession, exports: &[ExportRow], now: i64) -> Markup {
    let waits = exports.iter().any(|export| export.state == ExportState::Unfinished);
    html! {
        section id="exportacoes" data-vivo=[waits.then_some("3")] aria-labelledby="arquivos" {
            h2 id="arquivos" { "Arquivos" }
            @if waits { p { a href=(EXPORTS.path) { "Atualizar" } } }
            @if exports.is_empty() {
                p class="vazio" { "Nenhum arquivo ainda. Escolha a empresa e o mês e prepare o primeiro." }
            } @else {
                ul class="emissoes" { @for export in exports { (card(visitor, export, now)) } }
            }
        }
    }
}

fn card(visitor: &PanelSession, export: &ExportRow, now: i64) -> Markup {
    let title = period(&export.de, &export.ate);
    html! {
        li class="cartao" {
            p class="linha" { strong class="valor" { (title) } (state(export, now)) }
            p class="fraca" {
                "Empresa " (masked(export.cpf_cnpj.as_str())) @if export.forms != ExportForms::Absent { " · com PDFs" } " · pedido em " (words::instant(export.criado_em, Uf::DF))
                @if export.tentativas > 1 { " · começado " (export.tentativas) " vezes, porque o serviço parou no meio" }
            }
            @match export.state {
                ExportState::Unfinished => p {
                    @if export.token.is_some() {
                        label { (export.feitas) " de " (export.total) " documentos" progress value=(export.feitas) max=(export.total.max(1)) {} }
                    } @else { "Começa em instantes." }
                },
                ExportState::Failed => p class="recusa" { "Não foi possível fazer o arquivo: " (export.erro.as_deref().unwrap_or("falha desconhecida")) },
                ExportState::Done | ExportState::Expired => p { (export.feitas) " documentos · " (size(export.bytes)) },
            }
            @if let (true, Some(end)) = (has_file(export, now), export.expira_em) {
                p class="fraca" { "Fica aqui até " (words::instant(end, Uf::DF)) "; depois é só pedir de novo." }
            }
            div class="botoes" {
                @if has_file(export, now) {
                    a class="botao principal" href={ (EXPORTS.path) "/" (export.id) "/arquivo" } aria-label={ "Baixar " (title) } { "Baixar" }
                }
                form method="post" action={ (EXPORTS.path) "/" (export.id) "/apagar" } {
                    (proof(visitor))
                    button aria-label={ @if export.state == ExportState::Unfinished { "Parar " } @else { "Apagar " } (title) } {
                        @if export.state == ExportState::Unfinished { "Parar" } @else { "Apagar" }
                    }
                }
            }
        }
    }
}

fn state(export: &ExportRow, now: i64) -> Markup {
    let (class, word) = match status(export, now) {
        "concluida" => ("autorizada", "Pronto"),
        "expirada" => ("cancelada", "Vencido"),
        "falhou" => ("erro", "Falhou"),
        "em_andamento" => ("processando", "Sendo feito"),
        _ => ("pendente", "Na fila"),
    };
    html! { span class={ "estado " (class) } { (word) } }
}

/// Size in whole units.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KB", bytes >> 10),
        _ => format!("{} MB", bytes >> 20),
    }
}
