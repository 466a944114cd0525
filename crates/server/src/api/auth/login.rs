//! `POST /v1/auth/login`: e-mail and password for a token.

use axum::Json;
use axum::extract::State;
use fiscal::value::TpAmb;
use serde_json::{Map, Value};
use store::audit::Who;
use store::logins::Target;
use store::sessions::{NewSession, Opened};
use zeroize::Zeroizing;

use super::slow::{self, Pair};
use super::token;
use crate::api::body::{Fields, JsonObject};
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::origin::Origin;
use crate::app::App;

/// `POST /v1/auth/login`
pub(crate) async fn login(
    State(app): State<App>,
    origin: Origin,
    JsonObject(body): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let asked = Asked::read(&body)?;
    let pair = Pair::of(&asked.email, origin.clone());
    pair.check(&app).await?;
    let user = match app.store().user_by_email(&asked.email).await {
        Ok(user) => Some(user),
        Err(store::Error::NotFound) => None,
        Err(other) => return Err(other.into()),
    };
    let hash = user.as_ref().map(|user| user.senha_hash.clone());
    let right = app.passwords().verify(asked.senha, hash).await.map_err(|error| ApiError::broken(&error))?;
    let target = user.as_ref().map(|user| Target { tenant_id: user.tenant_id, user_id: user.id });
    let Some(user) = user.filter(|_| right) else { return Err(pair.failed(&app, target).await?) };
    let now = app.now();
    let new = NewSession {
        tenant_id: user.tenant_id,
        user_id: user.id,
        senha_hash: user.senha_hash.clone(),
        ambiente: asked.ambiente,
        expira_em: now + token::LIFETIME_S,
        guard: pair.guard(),
    };
    match app.store().open_session(new, &origin.actor(Who::User(user.id)), now).await? {
        Opened::Session(session) => token::answer(&app, &session, &user, now),
        Opened::Stale => Err(pair.failed(&app, target).await?),
        Opened::Slowed(wait_s) => Err(slow::slowed(wait_s)),
        Opened::NoActiveKey => Err(no_key(asked.ambiente)),
    }
}

fn no_key(ambiente: Option<TpAmb>) -> ApiError {
    match ambiente {
        Some(ambiente) => {
            let detail = format!(
                "A conta não tem chave de API ativa no ambiente {}. Entre no outro ambiente ou peça uma chave ao operador.",
                ambiente.word()
            );
            ApiError::new(&code::AMBIENTE_INCORRETO, detail)
        }
        None => {
            let detail = "A conta não tem nenhuma chave de API ativa, e toda sessão fica ligada a uma. \
                          Peça uma ao operador (carimbo conta chave).";
            ApiError::new(&code::PERMISSAO_NEGADA, detail)
        }
    }
}

struct Asked {
    email: String,
    senha: Zeroizing<String>,
    ambiente: Option<TpAmb>,
}

impl Asked {
    fn read(body: &Map<String, Value>) -> Result<Asked, ApiError> {
        let mut fields = Fields::of(body);
        let email = fields.required_text(&["email"], "Informe email, o e-mail do usuário.").map(str::to_owned);
        let senha = fields.password("senha", "Informe senha, a senha do usuário.");
        let ambiente = fields.ambiente("ambiente");
        fields.finish()?;
        match (email, senha) {
            (Some(email), Some(senha)) => Ok(Asked { email, senha, ambiente }),
            _ => Err(ApiError::internal()),
        }
    }
}
