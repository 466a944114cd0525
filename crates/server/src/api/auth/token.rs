//! The answer with a token: of a login, a change of environment, a new password.

use axum::Json;
use fiscal::value::TpAmb;
use store::sessions::SessionCaller;
use store::users::User;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::api::error::ApiError;
use crate::api::instant::{CivilTime, Moment};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;
use crate::token::Claims;

/// Lifetime of a token, seconds.
pub(super) const LIFETIME_S: i64 = engine::process::clock::SESSION_S;

view! {
    pub(crate) struct SessionView = "Sessao": "Uma sessão." {
        sucesso: bool = "`true`.",
        token: Zeroizing<String> = "Igual a `access_token`.",
        access_token: Zeroizing<String> = "O JWT para `Authorization: Bearer`.",
        token_type: &'static str as ["Bearer"] = "Sempre `Bearer`.",
        expires_in: i64 = "Segundos.",
        expira_em: Moment = "Até quando o token vale.",
        ambiente: Word<TpAmb> = "O da sessão.",
        usuario: UserView = "Quem entrou.",
        tenant: AccountView = "A conta.",
    }
}

view! {
    pub(crate) struct UserView = "Usuario": "Um usuário." {
        id: Uuid = "Identificador (UUID).",
        nome: String = "Nome.",
        email: String = "E-mail do usuário.",
    }
}

view! {
    pub(crate) struct AccountView = "Conta": "Uma conta." {
        id: Uuid = "Identificador (UUID).",
        nome: String = "Nome.",
    }
}

/// Signs the token of a new session.
pub(super) fn answer(app: &App, session: &SessionCaller, user: &User, now: i64) -> Result<Json<SessionView>, ApiError> {
    let claims = Claims {
        tenant_id: session.caller.tenant_id,
        user_id: session.user_id,
        session_id: session.session_id,
        ambiente: session.caller.ambiente,
        issued_at: now,
        expires_at: now + LIFETIME_S,
    };
    let token = app.tokens().sign(&claims).map_err(|error| ApiError::broken(&error))?;
    Ok(Json(SessionView {
        sucesso: true,
        access_token: token.clone(),
        token,
        token_type: "Bearer",
        expires_in: LIFETIME_S,
        expira_em: CivilTime::of(None).at(claims.expires_at),
        ambiente: Word(session.caller.ambiente),
        usuario: usuario(user),
        tenant: AccountView { id: user.tenant_id, nome: user.tenant_nome.clone() },
    }))
}

/// View of a user.
pub(super) fn usuario(user: &User) -> UserView {
    UserView { id: user.id, nome: user.nome.clone(), email: user.email.clone() }
}
