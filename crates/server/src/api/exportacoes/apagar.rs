//! `DELETE /v1/exportacoes/{id}`: removes an export with its file, or stops it.

use axum::Json;
use axum::extract::{Path, State};
use uuid::Uuid;

use super::find;
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct RemovedExportView = "ExportacaoApagada": "A exportação apagada." {
        sucesso: bool = "`true`.",
        exportacao_id: Uuid = "Identificador (UUID).",
        mensagem: &'static str = "O que foi feito, em palavras.",
    }
}

/// `DELETE /v1/exportacoes/{id}`
pub(crate) async fn apagar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(id): Path<String>,
) -> Result<Json<RemovedExportView>, ApiError> {
    let export = find(&app, &caller, &id).await?;
    app.store().remove_export(caller.tenant_id, caller.ambiente, export.id, &actor, app.now()).await?;
    let mensagem = "Exportação apagada, com o arquivo. Os documentos continuam guardados.";
    Ok(Json(RemovedExportView { sucesso: true, exportacao_id: export.id, mensagem }))
}
