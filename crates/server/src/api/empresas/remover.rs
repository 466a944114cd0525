//! `DELETE /v1/empresas/{cpf_cnpj}`: the company leaves the account, its documents stay.

use axum::Json;
use axum::extract::{Path, State};
use serde_json::{Value, json};

use super::view;
use crate::api::caller::Acting;
use crate::api::error::ApiError;
use crate::app::App;

/// `DELETE /v1/empresas/{cpf_cnpj}`
pub(crate) async fn remover(
    State(app): State<App>,
    Acting(caller, actor): Acting,
    Path(cpf_cnpj): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let cpf_cnpj = view::number(&cpf_cnpj)?;
    let removed = app.engine().remove_company(caller.tenant_id, cpf_cnpj, &actor).await.map_err(view::or_unknown)?;
    Ok(Json(json!({
        "sucesso": true,
        "cpf_cnpj": cpf_cnpj.as_str(),
        "mensagem": "Empresa removida. As notas emitidas continuam disponíveis para consulta e a numeração continua de onde parou \
                     se a empresa for cadastrada de novo.",
        "jobs_cancelados": removed.cancelled,
        "jobs_em_andamento": removed.in_flight,
    })))
}
