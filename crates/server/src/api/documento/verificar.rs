//! `POST /v1/nfe/verificar-campos` and `POST /v1/nfce/verificar-campos`: everything we have to say of a payload, without issuing it.
//!
//! Law: `spec/not-shown.md` §5; `spec/interface.md`: nothing is registered and no quota is used.

use axum::Json;
use axum::extract::State;
use engine::heavy::is_big;
use engine::review::ReviewError;
use fiscal::cstat;
use fiscal::finding::{MOST_TOLD, Notice, Violation};
use fiscal::nota::Review;
use fiscal::value::TpAmb;
use serde_json::{Map, Number, Value, json};

use super::emitir;
use super::family::Family;
use crate::api::body::JsonObject;
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfe/verificar-campos`, `POST /v1/nfce/verificar-campos`, `POST /v1/cte/verificar-campos`
pub(crate) async fn verificar<F: Family>(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let big = is_big(&body);
    let emitir::Read { issue, remarks } = emitir::read::<F>(body, false, app.reach())?;
    let (engine, asking) = (app.engine().clone(), caller.clone());
    let case = async move { engine.review(&asking, issue.cpf_cnpj, issue.modelo, &issue.nota).await };
    let reviewed = app.carry(caller.tenant_id, big, case).await?;
    let (review, ambiente) = reviewed.map_err(refusal)?;
    Ok(Json(answer(review, remarks, ambiente)))
}

fn refusal(error: ReviewError) -> ApiError {
    match error {
        ReviewError::UnknownModel(_) => ApiError::broken(&error),
        ReviewError::Store(error) => error.into(),
    }
}

fn answer(review: Review, remarks: Vec<Notice>, ambiente: TpAmb) -> Value {
    let (mut unknown, mut absent, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let (mut predicted, mut avisos) = (Vec::new(), Vec::new());
    for violation in review.violations {
        let absence = violation.codigo == "campo_obrigatorio";
        if absence { &mut absent } else { &mut errors }.push(problem(violation));
    }
    errors.extend(review.divergences.into_iter().map(problem));
    for notice in remarks.into_iter().chain(review.notices) {
        match notice.codigo.as_str() {
            "campo_desconhecido" => unknown.push(remark(notice)),
            "rejeicao_prevista" => predicted.push(prediction(notice)),
            "assumido_zero" if is_of_the_sale(&notice.campo) => absent.push(remark(notice)),
            _ => avisos.push(json!(notice)),
        }
    }
    let valid = [&unknown, &absent, &errors, &predicted].iter().all(|list| list.is_empty());
    let mut omitted = Map::new();
    let lists = [&mut unknown, &mut absent, &mut errors, &mut predicted, &mut avisos];
    for (name, list) in LISTS.into_iter().zip(lists) {
        omitted.insert(name.to_owned(), json!(list.len().saturating_sub(MOST_TOLD)));
        list.truncate(MOST_TOLD);
    }
    let mut body = json!({
        "sucesso": true,
        "valido": valid,
        "ambiente": ambiente.word(),
        "campos_desconhecidos": unknown,
        "campos_ausentes": absent,
        "erros": errors,
        "rejeicoes_previstas": predicted,
        "avisos": avisos,
        "totais_calculados": as_numbers(Value::Object(review.totais)),
    });
    if omitted.values().any(|number| *number != 0) {
        body["omitidos"] = Value::Object(omitted);
    }
    body
}

/// The lists of findings, each with its first hundred; `omitidos` counts the others.
const LISTS: [&str; 5] = ["campos_desconhecidos", "campos_ausentes", "erros", "rejeicoes_previstas", "avisos"];

/// A value that stands beside the product or payment itself (`nota.produtos[0].vProd`): a zero there is no tax left out, but a field
/// whose name was missed. The official tree has a group more on the way (`nota.det[0].prod.vProd`, `nota.pag.detPag[0].vPag`).
fn is_of_the_sale(campo: &str) -> bool {
    let groups = campo.split('.').filter(|name| !["infNFe", "prod", "pag"].contains(name));
    groups.count() <= 3
}

fn problem(violation: Violation) -> Value {
    json!({
        "campo": violation.campo,
        "codigo": violation.codigo,
        "mensagem": violation.mensagem,
        "sugestao": violation.sugestao,
    })
}

fn remark(notice: Notice) -> Value {
    json!({
        "campo": notice.campo,
        "codigo": notice.codigo,
        "mensagem": notice.mensagem,
        "sugestao": notice.sugestao,
    })
}

fn prediction(notice: Notice) -> Value {
    json!({
        "codigo_status": notice.codigo_status,
        "motivo_status": notice.codigo_status.and_then(cstat::motivo).unwrap_or("Rejeição"),
        "campo": notice.campo,
        "mensagem": notice.mensagem,
        "sugestao": notice.sugestao,
    })
}

/// Decimals as JSON numbers of the same digits; days stay texts.
fn as_numbers(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, as_numbers(value))).collect())
        }
        Value::String(text) => text.parse::<Number>().map_or(Value::String(text), Value::Number),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_keep_their_decimals_and_days_stay_days() {
        let shown = as_numbers(json!({ "vNF": "110.50", "ISSQNtot": { "dCompet": "2026-11-20", "vServ": "0.00" } }));
        assert_eq!(shown.to_string(), r#"{"vNF":110.50,"ISSQNtot":{"dCompet":"2026-11-20","vServ":0.00}}"#);
    }

    #[test]
    fn a_zero_beside_the_product_is_an_absent_field_and_one_of_a_tax_is_not() {
        assert!(is_of_the_sale("nota.produtos[0].vProd") && is_of_the_sale("nota.pagamentos[0].vPag"));
        assert!(is_of_the_sale("nota.det[0].prod.vProd") && is_of_the_sale("nota.pag.detPag[0].vPag"));
        assert!(!is_of_the_sale("nota.produtos[0].pis.vBC") && !is_of_the_sale("nota.det[0].imposto.PIS.PISAliq.vBC"));
    }
}
