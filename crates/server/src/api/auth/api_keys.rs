//! `/v1/auth/api-keys`: list, create, revoke. The secret is shown once, in the answer that creates it.
//!
//! A user in a session of production manages the keys of both environments; a key, and a session of homologação, only
//! those of their own environment, so that a leaked test credential cannot create one with fiscal effect.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use fiscal::value::TpAmb;
use http::StatusCode;
use serde_json::{Map, Value};
use store::accounts::{ApiKey, Caller, KeyReplacement, NewApiKey, Permissao};
use store::audit::{Actor, ActorKind};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::{AuditedCaller, AuthenticatedCaller};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::{CivilTime, Moment};
use crate::api::query::{PageParameters, PageView};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;
use crate::key;

view! {
    pub(crate) struct KeysView = "ListaDeChaves": "Uma página de chaves." {
        api_keys: Vec<KeyView> = "As chaves, a mais nova primeiro.",
        #[flatten] page: PageView,
    }
}

view! {
    pub(crate) struct KeyView = "Chave": "Uma chave de API, sem o segredo." {
        id: Uuid = "Identificador (UUID).",
        nome: String = "Nome.",
        ambiente: Word<TpAmb> = "Ambiente: produção ou homologação.",
        permissao: Word<Permissao> = "O que a chave pode.",
        prefixo: String = "Começo da chave.",
        ativa: bool = "Se ainda vale.",
        criado_em: Moment = "Quando foi criado.",
        ultimo_uso_em: Option<Moment> = "Com um minuto de folga.",
        revogado_em: Option<Moment> = "Quando foi revogada, ou até quando vale se já foi trocada; senão nulo.",
    }
}

view! {
    pub(crate) struct CreatedKeyView =
        "ChaveCriada": "Uma chave de API com o segredo, mostrado esta única vez."
    {
        sucesso: bool = "`true`.",
        id: Uuid = "Identificador (UUID).",
        nome: String = "Nome.",
        ambiente: Word<TpAmb> = "Ambiente: produção ou homologação.",
        permissao: Word<Permissao> = "O que a chave pode.",
        prefixo: String = "Começo da chave.",
        chave: Zeroizing<String> = "Guarde-a agora.",
        criado_em: Moment = "Quando foi criado.",
        mensagem: &'static str = "O que foi feito, em palavras.",
    }
}

view! {
    pub(crate) struct RevokedKeyView = "ChaveRevogada": "A chave revogada." {
        sucesso: bool = "`true`.",
        id: Uuid = "Identificador (UUID).",
        mensagem: &'static str = "O que foi feito, em palavras.",
    }
}

/// `GET /v1/auth/api-keys`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<KeysView>, ApiError> {
    let (page, avisos) = PageParameters::alone(query.as_deref())?;
    let keys = app.store().list_api_keys(caller.tenant_id).await?;
    // a credential of homologação sees only keys that it may use, as with documents
    let sees = |key: &ApiKey| caller.ambiente == TpAmb::Producao || key.ambiente == caller.ambiente;
    let keys: Vec<ApiKey> = keys.into_iter().filter(sees).collect();
    let (total, now) = (u64::try_from(keys.len()).unwrap_or(u64::MAX), app.engine().now_s());
    let api_keys = page.of(&keys).iter().map(|key| shown(key, now)).collect();
    Ok(Json(KeysView { api_keys, page: page.view(total, avisos) }))
}

/// `POST /v1/auth/api-keys`
pub(crate) async fn criar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let (nome, ambiente, permissao) = read(&body, &caller)?;
    let made = create(&app, &caller, &actor, (nome, ambiente, permissao)).await?;
    let NewApiKey { nome, prefixo, .. } = made.key;
    let view = CreatedKeyView {
        sucesso: true,
        id: made.id,
        nome,
        ambiente: Word(ambiente),
        permissao: Word(permissao),
        prefixo,
        chave: made.secret,
        criado_em: CivilTime::of(None).at(made.criado_em),
        mensagem: "Guarde a chave agora: só o resumo dela fica conosco e ela não será mostrada de novo.",
    };
    Ok((StatusCode::CREATED, Json(view)).into_response())
}

/// A key that was just made, with its secret.
pub(crate) struct CreatedKey {
    pub(crate) id: Uuid,
    pub(crate) key: NewApiKey,
    pub(crate) secret: Zeroizing<String>,
    criado_em: i64,
}

/// Creates a key of a name, an environment and a permission.
pub(crate) async fn create(
    app: &App,
    caller: &Caller,
    actor: &Actor,
    (nome, ambiente, permissao): (String, TpAmb, Permissao),
) -> Result<CreatedKey, ApiError> {
    require_environment(caller, actor, ambiente)?;
    let (key, secret) = generate(nome, ambiente, permissao)?;
    let (most, criado_em) = (app.limits().account.keys(), app.now());
    let created = app.store().create_api_key_within(caller.tenant_id, most, key.clone(), actor, criado_em).await;
    Ok(CreatedKey { id: created.map_err(refusal)?, key, secret, criado_em })
}

/// Creates a key in place of another one, with its name, environment and permission; the other one stays valid until
/// an instant.
pub(crate) async fn replace(
    app: &App,
    caller: &Caller,
    actor: &Actor,
    old: &ApiKey,
    old_until: i64,
) -> Result<CreatedKey, ApiError> {
    require_environment(caller, actor, old.ambiente)?;
    let (key, secret) = generate(old.nome.clone(), old.ambiente, old.permissao)?;
    let (most, criado_em) = (app.limits().account.keys(), app.now());
    let replacement = KeyReplacement { old: old.id, old_until, most, key: key.clone() };
    let created = app.store().replace_api_key(caller.tenant_id, replacement, actor, criado_em).await;
    Ok(CreatedKey { id: created.map_err(refusal)?, key, secret, criado_em })
}

/// A fresh key with its secret.
fn generate(nome: String, ambiente: TpAmb, permissao: Permissao) -> Result<(NewApiKey, Zeroizing<String>), ApiError> {
    let secret = key::generate(ambiente).map_err(|error| ApiError::broken(&error))?;
    let (prefixo, hash) = (key::visible_prefix(&secret), key::hash(&secret));
    Ok((NewApiKey { nome, ambiente, permissao, prefixo, hash }, secret))
}

fn refusal(error: store::Error) -> ApiError {
    match error {
        store::Error::AccountFull { most } => too_many_keys(most),
        store::Error::NotFound => unknown(),
        store::Error::Conflict(_) => {
            ApiError::new(&error_code::ESTADO_INVALIDO, "Esta chave já foi trocada ou revogada.")
        }
        other => other.into(),
    }
}

/// Refusal of an id without a key in this account.
pub(crate) fn unknown() -> ApiError {
    ApiError::not_found("Não há chave de API com este id nesta conta.")
}

/// `DELETE /v1/auth/api-keys/{id}`
pub(crate) async fn revogar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(id): Path<String>,
) -> Result<Json<RevokedKeyView>, ApiError> {
    let key = find(&app, &caller, &id).await?;
    revoke(&app, &caller, &actor, &key).await?;
    let id = key.id;
    let mensagem = "Chave revogada; ela e as sessões ligadas a ela não valem mais.";
    Ok(Json(RevokedKeyView { sucesso: true, id, mensagem }))
}

/// The key of the account with this id.
pub(crate) async fn find(app: &App, caller: &Caller, id: &str) -> Result<ApiKey, ApiError> {
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    app.store().api_key(caller.tenant_id, id).await?.ok_or_else(unknown)
}

/// Revokes a key at once.
pub(crate) async fn revoke(app: &App, caller: &Caller, actor: &Actor, key: &ApiKey) -> Result<(), ApiError> {
    require_environment(caller, actor, key.ambiente)?;
    Ok(app.store().revoke_api_key(caller.tenant_id, key.id, actor, app.now()).await?)
}

/// Refuses a caller that may not create or revoke keys of an environment.
fn require_environment(caller: &Caller, actor: &Actor, ambiente: TpAmb) -> Result<(), ApiError> {
    let session_of_production = matches!(actor.kind, ActorKind::User(_)) && caller.ambiente == TpAmb::Producao;
    if session_of_production || caller.ambiente == ambiente {
        return Ok(());
    }
    let detail = "Uma chave de API, ou uma sessão de homologação, só cria e revoga chaves do próprio ambiente. Para as de produção, entre \
                  com POST /v1/auth/login e troque a sessão com POST /v1/auth/ambiente.";
    Err(ApiError::new(&error_code::AMBIENTE_INCORRETO, detail))
}

/// Refusal when the account has its largest number of keys.
fn too_many_keys(most: u32) -> ApiError {
    let detail = format!(
        "A conta já tem {most} chaves de API, com as revogadas nas últimas 24 horas. Revogue as que não usa e tente amanhã, ou \
         peça a quem opera a instalação outro limite (contas.chaves) ou uma chave (carimbo conta chave)."
    );
    ApiError::new(&error_code::LIMITE_DA_CONTA, detail)
}

fn read(body: &Map<String, Value>, caller: &Caller) -> Result<(String, TpAmb, Permissao), ApiError> {
    let mut fields = BodyFields::of(body);
    let nome = fields.text(&["nome"]).unwrap_or("criada pela API").to_owned();
    if nome.chars().count() > LONGEST_NAME {
        fields.refuse(&error_code::VALIDACAO, "nome", format!("nome deve ter até {LONGEST_NAME} caracteres."));
    }
    let ambiente = fields.ambiente("ambiente").unwrap_or(caller.ambiente);
    let asked = fields.text(&["permissao"]);
    let permissao =
        asked.map(|word| Permissao::OF_KEYS.iter().find(|(known, _)| *known == word).map(|(_, found)| *found));
    if permissao == Some(None) {
        let mensagem = "permissao deve ser completa, leitura ou assistida.";
        fields.refuse(&error_code::REQUISICAO_INVALIDA, "permissao", mensagem);
    }
    fields.finish()?;
    Ok((nome, ambiente, permissao.flatten().unwrap_or_default()))
}

fn shown(key: &ApiKey, now: i64) -> KeyView {
    let time = CivilTime::of(None);
    KeyView {
        id: key.id,
        nome: key.nome.clone(),
        ambiente: Word(key.ambiente),
        permissao: Word(key.permissao),
        prefixo: key.prefixo.clone(),
        ativa: key.is_valid(now),
        criado_em: time.at(key.criado_em),
        ultimo_uso_em: key.ultimo_uso_em.map(|at| time.at(at)),
        revogado_em: key.revogado_em.map(|at| time.at(at)),
    }
}

/// Most characters of a name.
pub(crate) const LONGEST_NAME: usize = 100;
