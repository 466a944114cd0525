//! `POST /v1/empresas`: register a company.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use fiscal::value::CnpjCpf;
use http::{StatusCode, header};
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::audit::Actor;

use super::record;
use super::view::{self, CompanyView};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::view::Maybe;
use crate::app::App;

/// `POST /v1/empresas`
pub(crate) async fn criar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let cpf_cnpj = create(&app, &caller, &actor, &body).await?;
    let now = app.now();
    let company = app.store().company(caller.tenant_id, cpf_cnpj).await?;
    let location = format!("/v1/empresas/{}", cpf_cnpj.as_str());
    let shown = view::shown(&company, caller.ambiente, now);
    let shown = CompanyView { avisos: Maybe(Some(record::remarks(&body))), ..shown };
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(shown)).into_response())
}

/// Registers a company of the account; returns its number.
pub(crate) async fn create(
    app: &App,
    caller: &Caller,
    actor: &Actor,
    body: &Map<String, Value>,
) -> Result<CnpjCpf, ApiError> {
    let (cpf_cnpj, dados) = read(body)?;
    let (most, dados) = (app.limits().account.companies(), Value::Object(dados));
    let created = app.store().create_company_within(caller.tenant_id, most, cpf_cnpj, dados, actor, app.now()).await;
    created.map_err(refusal).map(|()| cpf_cnpj)
}

fn read(body: &Map<String, Value>) -> Result<(CnpjCpf, Map<String, Value>), ApiError> {
    let mut fields = BodyFields::of(body);
    let number = fields.required_text(&["cpf_cnpj", "cnpj", "cpf"], "Informe cpf_cnpj, o CNPJ ou CPF da empresa.");
    let cpf_cnpj = match number.map(CnpjCpf::parse) {
        Some(Err(wrong)) => {
            fields.refuse(&error_code::VALIDACAO, "cpf_cnpj", format!("cpf_cnpj inválido: {wrong}."));
            None
        }
        Some(Ok(cpf_cnpj)) => Some(cpf_cnpj),
        None => None,
    };
    if fields.value(&["nome_razao_social", "razao_social", "nome"]).is_none() {
        fields.refuse(
            &error_code::CAMPO_OBRIGATORIO,
            "nome_razao_social",
            "Informe nome_razao_social, o nome da empresa.",
        );
    }
    let (dados, problems) = record::merge(body, &Value::Null);
    problems.into_fields(&mut fields);
    fields.finish()?;
    cpf_cnpj.map(|cpf_cnpj| (cpf_cnpj, dados)).ok_or_else(ApiError::internal)
}

fn refusal(error: store::Error) -> ApiError {
    match error {
        store::Error::Conflict(_) => {
            let detail = "Esta empresa já está cadastrada nesta conta. Altere-a com PUT /v1/empresas/{cpf_cnpj}.";
            ApiError::new(&error_code::JA_EXISTE, detail).at("cpf_cnpj")
        }
        store::Error::AccountFull { most } => {
            let detail = format!(
                "A conta já tem {most} empresas. Remova as que não usa (DELETE /v1/empresas/{{cpf_cnpj}}) ou peça a quem opera a \
                 instalação outro limite (contas.empresas)."
            );
            ApiError::new(&error_code::LIMITE_DA_CONTA, detail)
        }
        other => other.into(),
    }
}
