//! The rows of the list.

use std::collections::HashSet;

use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, masked};
use maud::{Markup, html};
use store::emissions::EmissionState;
use store::jobs::{Job, JobDocument};

use super::words::label;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::navigation::DOCUMENTS;
use crate::painel::panel_session::PanelSession;
use crate::painel::words;

/// A table of documents, each in the civil time of its company.
pub(super) async fn table(app: &App, visitor: &PanelSession, jobs: &[Job]) -> Result<Markup, ApiError> {
    let companies: HashSet<CnpjCpf> = jobs.iter().map(|job| job.cpf_cnpj).collect();
    let tenant = visitor.at.caller.tenant_id;
    let records = app.store().company_records(tenant, companies.into_iter().collect()).await?;
    let time = |job: &Job| CivilTime::of_record(records.get(&job.cpf_cnpj));
    Ok(html! {
        div class="tabela" tabindex="0" role="region" aria-label="Documentos" {
            table class="itens" {
                thead {
                    tr {
                        th scope="col" { "Documento" } th scope="col" { "Tipo" } th scope="col" { "Estado" }
                        th scope="col" { "Destinatário" } th scope="col" class="numero" { "Valor" }
                        th scope="col" { "Emitida em" } th scope="col" { "Referência" }
                    }
                }
                tbody { @for job in jobs { (line(job, time(job))) } }
            }
        }
    })
}

fn line(job: &Job, time: CivilTime) -> Markup {
    let document = job.document.as_ref();
    let valor = document.map(|document| document.valor.as_str()).filter(|valor| !valor.is_empty());
    let to = document.and_then(|document| document.destinatario.as_deref());
    html! {
        tr {
            td class="nome" { a href={ (DOCUMENTS.path) "/" (job.id) } { (number(job.tipo, document)) } }
            td class="curto" data-coluna="Tipo" { (job.tipo.name()) }
            td data-coluna="Estado" { (label(EmissionState::of(job))) }
            td class="curto" data-coluna="Destinatário" { @if let Some(to) = to { (masked(to)) } @else { "—" } }
            td class="numero" data-coluna="Valor" { @if let Some(valor) = valor { "R$ " (words::decimal(valor)) } @else { "—" } }
            td data-coluna="Emitida em" { (words::civil_instant(job.criado_em, time)) }
            td class="longo" data-coluna="Referência" { (job.referencia.as_deref().unwrap_or("—")) }
        }
    }
}

/// Number and series: of an NFS-e the number that its authority gave, before that the one of its declaration.
fn number(tipo: Tipo, document: Option<&JobDocument>) -> String {
    let Some(document) = document else { return "ainda sem número".to_owned() };
    let serie = &document.serie;
    match (tipo, document.numero_nota) {
        (Tipo::Nfse, Some(numero)) => format!("{numero} · série {}", serie.as_str()),
        (Tipo::Nfse, None) => format!("declaração {} · série {}", document.numero, serie.as_str()),
        _ => format!("{} · série {}", document.numero, serie.as_str()),
    }
}
