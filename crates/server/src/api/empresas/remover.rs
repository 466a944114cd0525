//! `DELETE /v1/empresas/{cpf_cnpj}`: removes the company from the account; its documents stay.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::value::CnpjCpf;

use super::view;
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct RemovedView = "EmpresaRemovida": "O que a remoção fez." {
        sucesso: bool = "`true`.",
        cpf_cnpj: CnpjCpf = "CNPJ ou CPF da empresa, sem máscara.",
        mensagem: &'static str = "O que foi feito, em palavras.",
        jobs_cancelados: u64 = "Operações que esperavam e foram canceladas.",
        jobs_em_andamento: u64 = "Operações que já podem ter chegado à autoridade e seguem até o fim.",
    }
}

/// `DELETE /v1/empresas/{cpf_cnpj}`
pub(crate) async fn remover(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(cpf_cnpj): Path<String>,
) -> Result<Json<RemovedView>, ApiError> {
    let cpf_cnpj = view::number(&cpf_cnpj)?;
    let removed = app.engine().remove_company(caller.tenant_id, cpf_cnpj, &actor).await.map_err(view::or_unknown)?;
    Ok(Json(RemovedView {
        sucesso: true,
        cpf_cnpj,
        mensagem: "Empresa removida. As notas emitidas continuam disponíveis para consulta e a numeração continua de onde parou \
                   se a empresa for cadastrada de novo.",
        jobs_cancelados: removed.cancelled,
        jobs_em_andamento: removed.in_flight,
    }))
}
