//! `POST /v1/nfe/preparar`: the first step of an assisted emission. Everything is checked and shown, nothing is issued, no quota is used.
//!
//! Law: `spec/not-shown.md` §5.

use axum::Json;
use axum::extract::State;
use engine::assisted::Prepared;
use engine::heavy::is_big;
use fiscal::finding::{Notice, shortened};
use fiscal::nfe::summary::{Line, Party, Summary};
use serde_json::{Number, Value, json};

use crate::api::body::JsonObject;
use crate::api::caller::Authenticated;
use crate::api::documento::emitir;
use crate::api::documento::family::Nfe;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::app::App;

/// `POST /v1/nfe/preparar`
pub(crate) async fn preparar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let big = is_big(&body);
    let emitir::Read { issue, remarks } = emitir::read::<Nfe>(body, false, app.reach())?;
    let (engine, tenant) = (app.engine().clone(), caller.tenant_id);
    let case = async move { engine.prepare_issue(&caller, issue).await };
    let prepared = app.carry(tenant, big, case).await?.map_err(emitir::refusal::<Nfe>)?;
    Ok(Json(answer(prepared, remarks)))
}

fn answer(prepared: Prepared, remarks: Vec<Notice>) -> Value {
    let avisos = shortened(prepared.notices.into_iter().chain(remarks).collect());
    json!({
        "sucesso": true,
        "token_confirmacao": *prepared.token,
        "expira_em": StateTime::in_state(prepared.uf).json(prepared.expira_em),
        "resumo": resumo(&prepared.resumo, &prepared.vNF, prepared.ambiente.word()),
        "avisos": avisos,
        "teto": { "valor_maximo": prepared.teto.map(money), "dentro_do_teto": prepared.dentro_do_teto },
        "requer_confirmacao_humana": true,
        "confirmar": CONFIRM,
    })
}

fn resumo(summary: &Summary, vNF: &str, ambiente: &str) -> Value {
    json!({
        "emitente": party(&summary.emitente),
        "destinatario": summary.destinatario.as_ref().map(party),
        "itens": summary.itens.iter().map(line).collect::<Vec<Value>>(),
        "quantidade_itens": summary.itens.len(),
        "valor_total": number(vNF),
        "ambiente": ambiente,
        "natureza": summary.natOp,
    })
}

fn party(party: &Party) -> Value {
    json!({ "cpf_cnpj": party.documento, "nome": party.xNome })
}

fn line(line: &Line) -> Value {
    json!({
        "codigo": line.cProd,
        "descricao": line.xProd,
        "CFOP": line.CFOP,
        "unidade": line.uCom,
        "quantidade": number(&line.qCom),
        "valor_unitario": number(&line.vUnCom),
        "valor_total": number(&line.vProd),
    })
}

/// A decimal as a JSON number of the same digits.
fn number(text: &str) -> Value {
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}

/// Hundredths as a JSON number of two decimals.
pub(super) fn money(hundredths: i64) -> Value {
    number(&written(hundredths))
}

/// Hundredths in digits.
pub(super) fn written(hundredths: i64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Where the token goes.
const CONFIRM: &str = "/v1/nfe/confirmar";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_are_written_with_two_decimals() {
        assert_eq!((written(0), written(5), written(150_000)), ("0.00".into(), "0.05".into(), "1500.00".into()));
    }
}
