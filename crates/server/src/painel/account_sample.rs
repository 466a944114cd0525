//! `GET /painel/amostra.json`: what the examples of the documentation show to the session of the browser: a company of
//! the account and the beginning of a test key. Never a secret: of a key only its visible prefix is stored.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use fiscal::value::TpAmb;
use http::{HeaderName, StatusCode, header};
use serde_json::{Value, json};

use super::panel_session::PanelSession;
use crate::api::error::ApiError;
use crate::api::permission::RequiredPermission;
use crate::app::App;
use store::Visibility;

/// `GET /painel/amostra.json`; 204 without a session, since the reader of a page need not have one.
pub(crate) async fn show_account_sample(State(app): State<App>, visitor: Result<PanelSession, Response>) -> Response {
    const UNCACHED: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];
    let found = match &visitor {
        Ok(visitor) => sample(&app, visitor).await.ok(),
        Err(_) => None,
    };
    found.map_or_else(
        || (StatusCode::NO_CONTENT, UNCACHED).into_response(),
        |sample| (UNCACHED, Json(sample)).into_response(),
    )
}

/// Companies among which the oldest is shown: the first that an account registers is the one it tries things with.
const NEWEST: usize = 100;

async fn sample(app: &App, visitor: &PanelSession) -> Result<Value, ApiError> {
    let sight = Visibility::of(&visitor.at.caller);
    let (companies, _) = app.store().list_companies(sight, NEWEST, 0).await?;
    let keys = match visitor.may(RequiredPermission::ReadAccount) {
        true => app.store().list_api_keys(sight.tenant()).await?,
        false => Vec::new(),
    };
    let key = keys.iter().find(|key| key.ambiente == TpAmb::Homologacao && key.revogado_em.is_none());
    let company = companies.last();
    Ok(json!({
        "cnpj": company.map(|company| company.cpf_cnpj.as_str()),
        "empresa": company.map(|company| &company.dados["nome_razao_social"]),
        "chave": key.map(|key| format!("{}…", key.prefixo)),
    }))
}
