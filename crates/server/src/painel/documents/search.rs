//! The search field: its text is a key, a CNPJ or CPF, a number, a reference, or part of a name.

use fiscal::value::CnpjCpf;
use store::Visibility;
use store::emissions::{EmissionFilter, PageCursor};
use store::jobs::{Job, Operacao};
use uuid::Uuid;

use super::query::{address, key, number};
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::filters::address::value;
use crate::painel::navigation::DOCUMENTS;
use crate::painel::panel_session::PanelSession;

/// Text of the field; empty when it was sent empty, `None` when there was none.
pub(super) fn typed(query: &str) -> Option<String> {
    let is_sent = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "busca");
    is_sent.then(|| value(query, "busca").unwrap_or_default())
}

/// Address of what was searched: the one document that it names, or a list.
pub(super) async fn destination(app: &App, visitor: &PanelSession, typed: &str) -> Result<String, ApiError> {
    if typed.is_empty() {
        return Ok(DOCUMENTS.path.to_owned());
    }
    if let Some(found) = by_reference(app, visitor, typed).await? {
        return Ok(page_of(found));
    }
    let all = EmissionFilter::of(visitor.at.caller.ambiente);
    if let Some(chave) = key(typed) {
        let filter = EmissionFilter { chave: Some(chave.clone()), ..all };
        return one_or_list(app, visitor, filter, ("chave", chave)).await;
    }
    if let Ok(document) = CnpjCpf::parse(typed) {
        let records = app.store().company_records(visitor.at.caller.tenant_id, vec![document]).await?;
        let sight = Visibility::of(&visitor.at.caller);
        let is_ours = !records.is_empty() && app.store().reaches(sight, document).await?;
        let field = if !is_ours { "destinatario" } else { "empresa" };
        return Ok(address(&[(field, document.to_string())]));
    }
    match number(typed) {
        Some(numero) => {
            let filter = EmissionFilter { numero: Some(numero), ..all };
            one_or_list(app, visitor, filter, ("numero", numero.to_string())).await
        }
        None => Ok(address(&[("nome", typed.to_owned())])),
    }
}

/// The emission with this reference.
async fn by_reference(app: &App, visitor: &PanelSession, typed: &str) -> Result<Option<Uuid>, ApiError> {
    if typed.len() > 120 || !typed.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(None);
    }
    let is_listed = |job: &Job| job.operacao == Operacao::Emissao && job.ambiente == visitor.at.caller.ambiente;
    match app.store().job_by_reference(Visibility::of(&visitor.at.caller), typed).await {
        Ok(job) => Ok(Some(job).filter(is_listed).map(|job| job.id)),
        Err(store::Error::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

async fn one_or_list(
    app: &App,
    visitor: &PanelSession,
    filter: EmissionFilter,
    field: (&str, String),
) -> Result<String, ApiError> {
    let sight = Visibility::of(&visitor.at.caller);
    let page = app.store().emissions(sight, filter, PageCursor::Newest, 2).await?;
    match page.jobs.as_slice() {
        [one] => Ok(page_of(one.id)),
        _ => Ok(address(&[field])),
    }
}

fn page_of(id: Uuid) -> String {
    format!("{}/{id}", DOCUMENTS.path)
}
