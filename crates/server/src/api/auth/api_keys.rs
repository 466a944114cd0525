//! `/v1/auth/api-keys`: list, create, revoke. The secret is shown once, by the answer that made it.
//!
//! A user in a session of production has the keys of both environments; a key, and a session of homologação, only those of their own,
//! so that a credential that leaked from a test cannot make itself one with fiscal effect.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use fiscal::value::TpAmb;
use http::StatusCode;
use serde_json::{Map, Value, json};
use store::accounts::{ApiKey, Caller, NewApiKey};
use store::audit::{Actor, Who};
use uuid::Uuid;

use crate::api::body::{Fields, JsonObject};
use crate::api::caller::{Acting, Authenticated};
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::query::Page;
use crate::app::App;
use crate::key;

/// `GET /v1/auth/api-keys`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let page = Page::alone(query.as_deref())?;
    let keys = app.store().list_api_keys(caller.tenant_id).await?;
    let shown: Vec<Value> = page.of(&keys).iter().map(view).collect();
    Ok(Json(json!({ "api_keys": shown, "total": keys.len(), "pagina": page.pagina, "limite": page.limite })))
}

/// `POST /v1/auth/api-keys`
pub(crate) async fn criar(
    State(app): State<App>,
    Acting(caller, actor): Acting,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let (nome, ambiente) = read(&body, &caller)?;
    reach(&caller, &actor, ambiente)?;
    let chave = key::generate(ambiente).map_err(|error| ApiError::broken(&error))?;
    let prefixo = key::visible_prefix(&chave);
    let new = NewApiKey { nome: nome.clone(), ambiente, prefixo: prefixo.clone(), hash: key::hash(&chave) };
    let now = app.now();
    let id = app.store().create_api_key(caller.tenant_id, new, &actor, now).await?;
    let body = json!({
        "sucesso": true,
        "id": id,
        "nome": nome,
        "ambiente": ambiente.word(),
        "prefixo": prefixo,
        "chave": *chave,
        "criado_em": StateTime::of(None).json(now),
        "mensagem": "Guarde a chave agora: só o resumo dela fica conosco e ela não será mostrada de novo.",
    });
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

/// `DELETE /v1/auth/api-keys/{id}`
pub(crate) async fn revogar(
    State(app): State<App>,
    Acting(caller, actor): Acting,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let unknown = || ApiError::not_found("Não há chave de API com este id nesta conta.");
    let id = Uuid::parse_str(&id).map_err(|_| unknown())?;
    let key = app.store().api_key(caller.tenant_id, id).await?.ok_or_else(unknown)?;
    reach(&caller, &actor, key.ambiente)?;
    app.store().revoke_api_key(caller.tenant_id, id, &actor, app.now()).await?;
    Ok(Json(json!({
        "sucesso": true,
        "id": id,
        "mensagem": "Chave revogada; ela e as sessões ligadas a ela não valem mais.",
    })))
}

/// Whether keys of an environment are the caller's to make and revoke.
fn reach(caller: &Caller, actor: &Actor, ambiente: TpAmb) -> Result<(), ApiError> {
    let session_of_production = matches!(actor.who, Who::User(_)) && caller.ambiente == TpAmb::Producao;
    if session_of_production || caller.ambiente == ambiente {
        return Ok(());
    }
    let detail = "Uma chave de API, ou uma sessão de homologação, só cria e revoga chaves do próprio ambiente. Para as de produção, entre \
                  com POST /v1/auth/login e troque a sessão com POST /v1/auth/ambiente.";
    Err(ApiError::new(&code::AMBIENTE_INCORRETO, detail))
}

fn read(body: &Map<String, Value>, caller: &Caller) -> Result<(String, TpAmb), ApiError> {
    let mut fields = Fields::of(body);
    let nome = fields.text(&["nome"]).unwrap_or("criada pela API").to_owned();
    if nome.chars().count() > LONGEST_NAME {
        fields.refuse(&code::VALIDACAO, "nome", format!("nome deve ter até {LONGEST_NAME} caracteres."));
    }
    let ambiente = fields.ambiente("ambiente").unwrap_or(caller.ambiente);
    fields.finish()?;
    Ok((nome, ambiente))
}

fn view(key: &ApiKey) -> Value {
    let time = StateTime::of(None);
    json!({
        "id": key.id,
        "nome": key.nome,
        "ambiente": key.ambiente.word(),
        "prefixo": key.prefixo,
        "ativa": key.revogado_em.is_none(),
        "criado_em": time.json(key.criado_em),
        "ultimo_uso_em": time.json_or_null(key.ultimo_uso_em),
        "revogado_em": time.json_or_null(key.revogado_em),
    })
}

const LONGEST_NAME: usize = 100;
