//! `PUT /v1/empresas/{cpf_cnpj}`: change what the request names, keep the rest.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::value::CnpjCpf;
use serde_json::{Map, Value, json};
use store::companies::Company;

use super::{record, view};
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::code;
use crate::api::error::ApiError;
use crate::app::App;

/// `PUT /v1/empresas/{cpf_cnpj}`
pub(crate) async fn atualizar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(cpf_cnpj): Path<String>,
    JsonObject(body): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let company = view::find(&app, caller.tenant_id, &cpf_cnpj).await?;
    let dados = read(&body, &company)?;
    let now = app.now();
    app.store().update_company(caller.tenant_id, company.cpf_cnpj, Value::Object(dados), now).await?;
    let company = view::find(&app, caller.tenant_id, company.cpf_cnpj.as_str()).await?;
    let mut view = view::body(&company, now);
    view["avisos"] = json!(record::remarks(&body));
    Ok(Json(view))
}

fn read(body: &Map<String, Value>, company: &Company) -> Result<Map<String, Value>, ApiError> {
    let mut fields = Fields::of(body);
    let number = fields.text(&["cpf_cnpj", "cnpj", "cpf"]);
    if number.is_some_and(|number| CnpjCpf::parse(number) != Ok(company.cpf_cnpj)) {
        fields.refuse(&code::VALIDACAO, "cpf_cnpj", "O cpf_cnpj de uma empresa não muda; cadastre a outra empresa.");
    }
    let (dados, problems) = record::merge(body, &company.dados);
    problems.into_fields(&mut fields);
    if dados.get("nome_razao_social").is_none_or(Value::is_null) {
        fields.refuse(&code::VALIDACAO, "nome_razao_social", "nome_razao_social não pode ficar vazio.");
    }
    fields.finish()?;
    Ok(dados)
}
