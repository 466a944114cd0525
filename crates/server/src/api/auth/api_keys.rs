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
use store::accounts::{ApiKey, Caller, NewApiKey, Permissao};
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
        revogado_em: Option<Moment> = "Quando foi revogada; nulo enquanto vale.",
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
    let total = u64::try_from(keys.len()).unwrap_or(u64::MAX);
    Ok(Json(KeysView { api_keys: page.of(&keys).iter().map(shown).collect(), page: page.view(total, avisos) }))
}

/// `POST /v1/auth/api-keys`
pub(crate) async fn criar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let (nome, ambiente, permissao) = read(&body, &caller)?;
    require_environment(&caller, &actor, ambiente)?;
    let chave = key::generate(ambiente).map_err(|error| ApiError::broken(&error))?;
    let prefixo = key::visible_prefix(&chave);
    let hash = key::hash(&chave);
    let new = NewApiKey { nome: nome.clone(), ambiente, permissao, prefixo: prefixo.clone(), hash };
    let now = app.now();
    let most = app.limits().account.keys();
    let created = app.store().create_api_key_within(caller.tenant_id, most, new, &actor, now).await;
    let id = created.map_err(|error| match error {
        store::Error::AccountFull { most } => too_many_keys(most),
        other => other.into(),
    })?;
    let view = CreatedKeyView {
        sucesso: true,
        id,
        nome,
        ambiente: Word(ambiente),
        permissao: Word(permissao),
        prefixo,
        chave,
        criado_em: CivilTime::of(None).at(now),
        mensagem: "Guarde a chave agora: só o resumo dela fica conosco e ela não será mostrada de novo.",
    };
    Ok((StatusCode::CREATED, Json(view)).into_response())
}

/// `DELETE /v1/auth/api-keys/{id}`
pub(crate) async fn revogar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(id): Path<String>,
) -> Result<Json<RevokedKeyView>, ApiError> {
    let unknown = || ApiError::not_found("Não há chave de API com este id nesta conta.");
    let id = Uuid::parse_str(&id).map_err(|_| unknown())?;
    let key = app.store().api_key(caller.tenant_id, id).await?.ok_or_else(unknown)?;
    require_environment(&caller, &actor, key.ambiente)?;
    app.store().revoke_api_key(caller.tenant_id, id, &actor, app.now()).await?;
    let mensagem = "Chave revogada; ela e as sessões ligadas a ela não valem mais.";
    Ok(Json(RevokedKeyView { sucesso: true, id, mensagem }))
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

fn shown(key: &ApiKey) -> KeyView {
    let time = CivilTime::of(None);
    KeyView {
        id: key.id,
        nome: key.nome.clone(),
        ambiente: Word(key.ambiente),
        permissao: Word(key.permissao),
        prefixo: key.prefixo.clone(),
        ativa: key.revogado_em.is_none(),
        criado_em: time.at(key.criado_em),
        ultimo_uso_em: key.ultimo_uso_em.map(|at| time.at(at)),
        revogado_em: key.revogado_em.map(|at| time.at(at)),
    }
}

const LONGEST_NAME: usize = 100;
