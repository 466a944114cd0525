//! The rows of the inbox.

use std::collections::HashSet;

use fiscal::value::{CnpjCpf, masked};
use maud::{Markup, html};
use store::received::InboxEntry;
use uuid::Uuid;

use super::{path, standing, title};
use crate::api::empresas::view;
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::panel_session::PanelSession;
use crate::painel::words;

/// A table of entries; those after `seen` are new.
pub(super) async fn table(
    app: &App,
    visitor: &PanelSession,
    entries: &[InboxEntry],
    seen: Option<Uuid>,
) -> Result<Markup, ApiError> {
    let receivers: HashSet<CnpjCpf> = entries.iter().map(|entry| entry.document.cpf_cnpj).collect();
    let tenant = visitor.at.caller.tenant_id;
    let records = app.store().company_records(tenant, receivers.into_iter().collect()).await?;
    let now = app.engine().now_s();
    let receiver = |number: &CnpjCpf| {
        let named = records.get(number).and_then(view::name);
        named.unwrap_or_else(|| masked(number.as_str()))
    };
    Ok(html! {
        div class="tabela" tabindex="0" role="region" aria-label="Documentos recebidos" {
            table class="itens" {
                thead {
                    tr {
                        th scope="col" { "Documento" } th scope="col" { "De quem" } th scope="col" class="numero" { "Valor" }
                        th scope="col" { "Emitido em" } th scope="col" { "Situação" } th scope="col" { "Manifestação" }
                        th scope="col" { "Para" }
                    }
                }
                tbody { @for entry in entries { (line(entry, seen, now, &receiver(&entry.document.cpf_cnpj))) } }
            }
        }
    })
}

fn line(entry: &InboxEntry, seen: Option<Uuid>, now: i64, receiver: &str) -> Markup {
    let document = &entry.document;
    let facts = &document.facts;
    html! {
        tr {
            td class="nome" {
                a href=(path(document)) { (title(document)) }
                @if seen.is_none_or(|seen| entry.id > seen) { " " span class="estado novo" { "novo" } }
            }
            td class="longo" data-coluna="De quem" { span { (facts.nome) " " span class="fraca curto" { (masked(&facts.emitente)) } } }
            td class="numero" data-coluna="Valor" { @if let Some(valor) = &facts.valor { "R$ " (words::decimal(valor)) } @else { "—" } }
            td data-coluna="Emitido em" { (words::official_instant(&facts.dhEmi)) }
            td data-coluna="Situação" { span { (standing::mark(document)) @if !facts.completa { " " span class="fraca" { "só o resumo" } } } }
            td data-coluna="Manifestação" { span { (standing::manifestation(document, now)) } }
            td class="longo" data-coluna="Para" { (receiver) }
        }
    }
}
