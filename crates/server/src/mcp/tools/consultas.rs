//! Tools for NCM, CEP and CNPJ.

use axum::Json;
use axum::extract::Path;
use rmcp::model::JsonObject;
use serde_json::Value;

use super::answer_value;
use crate::api::body::JsonObject as Body;
use crate::api::ncm::EntryView;
use crate::api::query::{PageParameters, PageView};
use crate::api::view::view;
use crate::api::{cep, cnpj, ncm};
use crate::mcp::argument::{query, text};
use crate::mcp::tool::{ToolContext, ToolFuture};

view! {
    pub(crate) struct NcmPageView = "PaginaDeNcm": "Uma página do que foi encontrado." {
        sucesso: bool = "Sempre `true`.",
        termo: String = "O termo buscado.",
        ncms: Vec<EntryView> = "Os códigos desta página.",
        #[flatten] page: PageView,
    }
}

pub(super) fn buscar_ncm(visit: ToolContext, mut arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let mut page = JsonObject::new();
        for name in ["limite", "pagina"] {
            if let Some(value) = arguments.remove(name) {
                page.insert(name.to_owned(), value);
            }
        }
        let axum::extract::RawQuery(asked) = query(page, true)?;
        let (page, avisos) = PageParameters::alone(asked.as_deref())?;
        let Json(found) = ncm::buscar::buscar(visit.state(), visit.authenticated(), Body(arguments)).await?;
        let total = u64::try_from(found.total).unwrap_or(u64::MAX);
        let ncms = found.ncms.into_iter().skip(page.skip()).take(page.limite).collect();
        answer_value(Ok(Json(NcmPageView { sucesso: true, termo: found.termo, ncms, page: page.view(total, avisos) })))
    })
}

pub(super) fn consultar_ncm(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let codigo = text(&arguments, "codigo")?.unwrap_or_default();
        answer_value(ncm::consultar::consultar(visit.state(), visit.authenticated(), Path(codigo)).await)
    })
}

pub(super) fn validar_ncm(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let codigo = text(&arguments, "codigo")?.unwrap_or_default();
        answer_value(ncm::validar::validar(visit.state(), visit.authenticated(), Path(codigo)).await)
    })
}

pub(super) fn consultar_cep(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        // users write the hyphen, and so do models
        let cep = text(&arguments, "cep")?.unwrap_or_default().replace(['-', '.', ' '], "");
        answer_value(cep::consultar::consultar(visit.state(), visit.authenticated(), Path(cep)).await)
    })
}

pub(super) fn buscar_cep(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let asked = query(arguments, true)?;
        answer_value(cep::buscar::buscar(visit.state(), visit.authenticated(), asked).await)
    })
}

pub(super) fn consultar_cnpj(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let cnpj = text(&arguments, "cnpj")?.unwrap_or_default();
        let found: Value =
            answer_value(cnpj::consultar::consultar(visit.state(), visit.authenticated(), Path(cnpj)).await)?;
        Ok(found)
    })
}
