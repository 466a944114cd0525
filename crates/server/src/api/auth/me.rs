//! `GET /v1/auth/me`: the identity of the caller. `usuario` is null for a key, which belongs to no user.

use axum::Json;
use axum::extract::State;
use fiscal::value::TpAmb;
use store::audit::ActorKind;
use uuid::Uuid;

use super::token::{AccountView, UserView, usuario};
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

view! {
    pub(crate) struct IdentityView = "Identidade": "De quem é a credencial." {
        sucesso: bool = "`true`.",
        usuario: Option<UserView> = "Nulo com uma chave de API.",
        tenant: AccountView = "A conta.",
        ambiente: Word<TpAmb> = "Ambiente: produção ou homologação.",
        autenticacao: &'static str = "Por qual esquema.",
        chave: Option<KeyNameView> = "A chave usada, ou a que a sessão usa.",
    }
}

view! {
    pub(crate) struct KeyNameView {
        id: Uuid = "Identificador (UUID).",
        nome: String = "Nome.",
        prefixo: String = "Começo da chave.",
    }
}

/// `GET /v1/auth/me`
pub(crate) async fn me(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
) -> Result<Json<IdentityView>, ApiError> {
    let account = app.store().account(caller.tenant_id).await?;
    let user = match actor.kind {
        ActorKind::User(id) => Some(app.store().user(caller.tenant_id, id).await?),
        _ => None,
    };
    let key = app.store().api_key(caller.tenant_id, caller.api_key_id).await?;
    Ok(Json(IdentityView {
        sucesso: true,
        usuario: user.as_ref().map(usuario),
        tenant: AccountView { id: account.id, nome: account.nome },
        ambiente: Word(caller.ambiente),
        autenticacao: actor.kind.word(),
        chave: key.map(|key| KeyNameView { id: key.id, nome: key.nome, prefixo: key.prefixo }),
    }))
}
