//! `GET` and `PUT /v1/empresas/{cpf_cnpj}/distribuicao`: whether received documents are fetched in the background, and how far.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Value, json};
use store::received::Cursor;

use super::view;
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::{Acting, Authenticated};
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::nfe::recebidas::sincronizar::refusal;
use crate::app::App;

/// `GET /v1/empresas/{cpf_cnpj}/distribuicao`
pub(crate) async fn mostrar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(cpf_cnpj): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let cpf_cnpj = view::number(&cpf_cnpj)?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, Some(cpf_cnpj)).await?;
    let found = app.engine().distribution(&caller, cpf_cnpj).await;
    let (ambiente, cursor) = found.map_err(|error| refusal(error, app.engine().now_s(), time))?;
    Ok(Json(shown(cpf_cnpj, ambiente, &cursor, time)))
}

/// `PUT /v1/empresas/{cpf_cnpj}/distribuicao`
pub(crate) async fn alterar(
    State(app): State<App>,
    Acting(caller, actor): Acting,
    Path(cpf_cnpj): Path<String>,
    JsonObject(body): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let cpf_cnpj = view::number(&cpf_cnpj)?;
    let mut fields = Fields::of(&body);
    let ativa = match fields.value(&["ativa"]) {
        Some((_, Value::Bool(ativa))) => Some(*ativa),
        Some(_) => {
            fields.refuse(&code::REQUISICAO_INVALIDA, "ativa", "ativa deve ser true ou false.");
            None
        }
        None => {
            fields.refuse(
                &code::CAMPO_OBRIGATORIO,
                "ativa",
                "Informe ativa: true para buscar as notas recebidas, false para parar.",
            );
            None
        }
    };
    fields.finish()?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, Some(cpf_cnpj)).await?;
    let switched = app.engine().switch_distribution(&caller, cpf_cnpj, ativa.unwrap_or_default(), &actor).await;
    let (ambiente, cursor) = switched.map_err(|error| refusal(error, app.engine().now_s(), time))?;
    Ok(Json(shown(cpf_cnpj, ambiente, &cursor, time)))
}

fn shown(cpf_cnpj: CnpjCpf, ambiente: TpAmb, cursor: &Cursor, time: StateTime) -> Value {
    let when = |seconds: i64| time.json_or_null(Some(seconds).filter(|seconds| *seconds > 0));
    json!({
        "cpf_cnpj": cpf_cnpj.as_str(),
        "ambiente": ambiente.word(),
        "ativa": cursor.ativa,
        "ult_nsu": cursor.ult_nsu,
        "max_nsu": cursor.max_nsu,
        "proxima_em": when(cursor.next_at),
        "bloqueada_ate": when(cursor.blocked_until),
        "lacuna": cursor.gap.map(|(de, ate)| json!({ "de": de, "ate": ate })),
        "ultima_consulta_em": time.json_or_null(cursor.asked_at),
        "codigo_status": cursor.said.as_ref().map(|(cStat, _)| *cStat).filter(|cStat| *cStat > 0),
        "motivo_status": cursor.said.as_ref().map(|(_, xMotivo)| xMotivo),
    })
}
