//! `PUT /v1/empresas/{cpf_cnpj}`: changes the members that the request names; the others stay.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::value::CnpjCpf;
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::audit::Actor;
use store::companies::{Company, CompanyChange};

use super::record;
use super::view::{self, CompanyView};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::view::Maybe;
use crate::app::App;

/// `PUT /v1/empresas/{cpf_cnpj}`
pub(crate) async fn atualizar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(cpf_cnpj): Path<String>,
    JsonObject(body): JsonObject,
) -> Result<Json<CompanyView>, ApiError> {
    let (cpf_cnpj, remarks) = (view::number(&cpf_cnpj)?, record::remarks(&body));
    let company = update(&app, &caller, &actor, cpf_cnpj, body).await?;
    let shown = view::shown(&company, caller.ambiente, app.now());
    Ok(Json(CompanyView { avisos: Maybe(Some(remarks)), ..shown }))
}

/// Changes the members of a company's record that a body names.
pub(crate) async fn update(
    app: &App,
    caller: &Caller,
    actor: &Actor,
    cpf_cnpj: CnpjCpf,
    body: Map<String, Value>,
) -> Result<Company, ApiError> {
    let change = move |company: &Company| read(&body, company).map(|dados| CompanyChange::Record(Value::Object(dados)));
    let changed = app.store().change_company(caller.tenant_id, cpf_cnpj, actor, app.now(), change).await;
    changed.map_err(view::or_unknown)?
}

fn read(body: &Map<String, Value>, company: &Company) -> Result<Map<String, Value>, ApiError> {
    let mut fields = BodyFields::of(body);
    let number = fields.text(&["cpf_cnpj", "cnpj", "cpf"]);
    if number.is_some_and(|number| CnpjCpf::parse(number) != Ok(company.cpf_cnpj)) {
        fields.refuse(
            &error_code::VALIDACAO,
            "cpf_cnpj",
            "O cpf_cnpj de uma empresa não muda; cadastre a outra empresa.",
        );
    }
    let (dados, problems) = record::merge(body, &company.dados);
    problems.into_fields(&mut fields);
    if dados.get("nome_razao_social").is_none_or(Value::is_null) {
        fields.refuse(&error_code::VALIDACAO, "nome_razao_social", "nome_razao_social não pode ficar vazio.");
    }
    fields.finish()?;
    Ok(dados)
}
