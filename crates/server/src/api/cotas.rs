//! `GET /v1/cotas`: what the account consumed this month, and how much it may; and the answer to who used it up.
//!
//! Law: `spec/not-shown.md` §10.

use axum::Json;
use axum::extract::State;
use fiscal::value::Uf;
use http::header;
use serde_json::{Value, json};
use store::quotas::{Exceeded, Quota};

use super::caller::Authenticated;
use super::code;
use super::error::ApiError;
use super::instant::StateTime;
use super::rate;
use crate::app::App;

/// `GET /v1/cotas`: those of the environment of the credential.
pub(crate) async fn cotas(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<Json<Value>, ApiError> {
    let quotas = app.store().quotas(caller.tenant_id, caller.ambiente, app.now()).await?;
    let cotas: Vec<Value> = quotas.iter().map(view).collect();
    Ok(Json(json!({ "ambiente": caller.ambiente.word(), "cotas": cotas })))
}

fn view(quota: &Quota) -> Value {
    json!({
        "nome": quota.familia.word(),
        "consumo": quota.consumo,
        "limite": quota.limite,
        "renova_em": StateTime::in_state(Uf::DF).json(quota.renova_em),
    })
}

/// 429: nothing was registered, and nothing will be before the month ends.
pub(crate) fn exceeded(quota: &Exceeded) -> ApiError {
    let Exceeded { familia, limite, renova_em_s, janela_s } = quota;
    let word = familia.word();
    let detail = format!(
        "A cota de {limite} operações de {word} deste mês acabou; nada foi registrado. GET /v1/cotas mostra quando ela renova."
    );
    ApiError::new(&code::COTA_EXCEDIDA, detail)
        .with_header(header::RETRY_AFTER, &renova_em_s.to_string())
        .with_header(rate::POLICY, &format!("\"cota-{word}\";q={limite};w={janela_s}"))
        .with_header(rate::STATE, &format!("\"cota-{word}\";r=0;t={renova_em_s}"))
}
