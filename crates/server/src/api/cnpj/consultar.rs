//! `GET /v1/cnpj/{cnpj}`: the registered data of a company.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::value::{Cnpj, InvalidCnpj};
use serde_json::Value;
use store::accounts::Caller;
use store::quotas::Familia;

use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::lookup::{debited_result, require_quota};
use crate::app::App;

/// `GET /v1/cnpj/{cnpj}`
pub(crate) async fn consultar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cnpj): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let cnpj = Cnpj::parse(&cnpj).map_err(|wrong| {
        let code = match wrong {
            InvalidCnpj::Shape => &error_code::REQUISICAO_INVALIDA,
            InvalidCnpj::CheckDigits => &error_code::VALIDACAO,
        };
        ApiError::new(code, format!("cnpj inválido: {wrong}.")).at("cnpj")
    })?;
    let mut cadastro = registration(&app, &caller, &cnpj).await?;
    if let Value::Object(members) = &mut cadastro {
        members.extend(["sucesso", "encontrado"].map(|name| (name.to_owned(), Value::Bool(true))));
    }
    Ok(Json(cadastro))
}

/// Registered data of a CNPJ, debited from the account's quota.
pub(crate) async fn registration(app: &App, caller: &Caller, cnpj: &Cnpj) -> Result<Value, ApiError> {
    require_quota(app, caller, Familia::Cnpj).await?;
    let found = app.lookup().cnpj(cnpj, app.now()).await?;
    debited_result(app, caller, Familia::Cnpj, found, &format!("O CNPJ {cnpj}")).await
}
