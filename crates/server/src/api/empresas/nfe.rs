//! `PUT /v1/empresas/{cpf_cnpj}/nfe`: environment, CRT, series and next number of the NF-e.
//!
//! Law: `spec/interface.md`, NFC-e configuration (the same members without CSC); `spec/not-shown.md` §3: series and next
//! number are kept per environment, `ambiente` says which one is in use.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Map, Value, json};
use store::companies::Company;
use store::numbers::Series;
use uuid::Uuid;

use super::{record, view};
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::code;
use crate::api::error::ApiError;
use crate::app::App;

/// `PUT /v1/empresas/{cpf_cnpj}/nfe`
pub(crate) async fn configurar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(cpf_cnpj): Path<String>,
    JsonObject(body): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let company = view::find(&app, caller.tenant_id, &cpf_cnpj).await?;
    let change = Change::read(&body)?;
    let configuration = change.over(&company);
    let now = app.now();
    app.store().configure_company(caller.tenant_id, company.cpf_cnpj, "nfe", configuration.clone(), now).await?;
    set_next_number(&app, caller.tenant_id, company.cpf_cnpj, &change, &configuration).await?;
    Ok(Json(configuration))
}

/// What a request asks for; what it leaves out stays.
struct Change {
    ambiente: Option<u64>,
    crt: Option<Value>,
    serie: Option<u16>,
    proximo_numero: Option<u32>,
}

impl Change {
    fn read(body: &Map<String, Value>) -> Result<Change, ApiError> {
        let mut fields = Fields::of(body);
        let ambiente = ambiente(&mut fields);
        let crt = crt(&mut fields);
        let serie = fields.integer("serie").and_then(|serie| in_range(&mut fields, "serie", serie, 0, 999));
        let number = fields.integer("proximo_numero");
        let number = number.and_then(|number| in_range(&mut fields, "proximo_numero", number, 1, 999_999_999));
        fields.finish()?;
        Ok(Change {
            ambiente,
            crt,
            serie: serie.and_then(|serie| u16::try_from(serie).ok()),
            proximo_numero: number.and_then(|number| u32::try_from(number).ok()),
        })
    }

    /// The environment the request speaks of: its own, the configured one, or homologação.
    fn environment(&self, stored: &Map<String, Value>) -> TpAmb {
        let code = self.ambiente.or_else(|| stored.get("ambiente").and_then(Value::as_u64));
        if code == Some(1) { TpAmb::Producao } else { TpAmb::Homologacao }
    }

    fn over(&self, company: &Company) -> Value {
        let stored = company.configuracoes.get("nfe").and_then(Value::as_object).cloned().unwrap_or_default();
        let environment = self.environment(&stored);
        let mut own = stored.get(environment.word()).and_then(Value::as_object).cloned().unwrap_or_default();
        own.entry("serie").or_insert_with(|| json!("1"));
        own.entry("proximo_numero").or_insert_with(|| json!(1));
        if let Some(serie) = self.serie {
            own.insert("serie".to_owned(), json!(serie.to_string()));
        }
        if let Some(number) = self.proximo_numero {
            own.insert("proximo_numero".to_owned(), json!(number));
        }
        let crt = self.crt.clone().or_else(|| stored.get("crt").filter(|crt| !crt.is_null()).cloned());
        let mut configuration = stored;
        configuration.insert("ambiente".to_owned(), if environment == TpAmb::Producao { json!(1) } else { json!(2) });
        configuration.insert("crt".to_owned(), crt.unwrap_or_else(|| company.dados["crt"].clone()));
        configuration.insert("serie".to_owned(), own["serie"].clone());
        configuration.insert("proximo_numero".to_owned(), own["proximo_numero"].clone());
        configuration.insert(environment.word().to_owned(), Value::Object(own));
        Value::Object(configuration)
    }
}

/// The ledger learns the first automatic number; it never goes below one already used.
async fn set_next_number(
    app: &App,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    change: &Change,
    configuration: &Value,
) -> Result<(), ApiError> {
    let Some(next) = change.proximo_numero else { return Ok(()) };
    let serie = configuration["serie"].as_str().and_then(|serie| serie.parse().ok()).unwrap_or(1);
    let ambiente = if configuration["ambiente"] == 1 { TpAmb::Producao } else { TpAmb::Homologacao };
    let series = Series { cpf_cnpj, modelo: 55, serie, ambiente };
    Ok(app.store().set_next_number(tenant, series, next).await?)
}

/// 1 or 2, also as `producao` or `homologacao`.
fn ambiente(fields: &mut Fields<'_>) -> Option<u64> {
    let (_, value) = fields.value(&["ambiente"])?;
    if let Some(word) = value.as_str().and_then(TpAmb::from_word) {
        return word.code().parse().ok();
    }
    let code = fields.integer("ambiente")?;
    if matches!(code, 1 | 2) {
        return Some(code);
    }
    fields.refuse(&code::VALIDACAO, "ambiente", "ambiente aceita 1 (produção) ou 2 (homologação).");
    None
}

fn crt(fields: &mut Fields<'_>) -> Option<Value> {
    let (_, value) = fields.value(&["crt"])?;
    match record::crt(value) {
        Ok(crt) => Some(crt),
        Err(mensagem) => {
            fields.refuse(&code::VALIDACAO, "crt", mensagem);
            None
        }
    }
}

fn in_range(fields: &mut Fields<'_>, name: &str, value: u64, least: u64, most: u64) -> Option<u64> {
    if (least..=most).contains(&value) {
        return Some(value);
    }
    fields.refuse(&code::VALIDACAO, name, format!("{name} vai de {least} a {most}."));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn company(nfe: Value) -> Company {
        Company {
            cpf_cnpj: CnpjCpf::parse("11222333000181").unwrap(),
            dados: json!({ "crt": 3 }),
            configuracoes: if nfe.is_null() { Map::new() } else { Map::from_iter([("nfe".to_owned(), nfe)]) },
            certificado: None,
            criado_em: 0,
            atualizado_em: 0,
        }
    }

    fn apply(nfe: Value, change: Value) -> Value {
        Change::read(change.as_object().unwrap()).unwrap().over(&company(nfe))
    }

    #[test]
    fn an_empty_configuration_is_homologacao_series_1_with_the_regime_of_the_company() {
        let made = apply(Value::Null, json!({}));
        assert_eq!(
            made,
            json!({"ambiente": 2, "crt": 3, "serie": "1", "proximo_numero": 1,
            "homologacao": {"serie": "1", "proximo_numero": 1}})
        );
    }

    #[test]
    fn each_environment_keeps_its_series_and_number() {
        let test = apply(Value::Null, json!({ "ambiente": 2, "serie": 7, "proximo_numero": 50 }));
        let live = apply(test, json!({ "ambiente": "producao", "serie": "2" }));
        assert_eq!((&live["ambiente"], &live["serie"], &live["proximo_numero"]), (&json!(1), &json!("2"), &json!(1)));
        let back = apply(live, json!({ "ambiente": 2 }));
        assert_eq!((&back["serie"], &back["proximo_numero"]), (&json!("7"), &json!(50)));
    }

    #[test]
    fn every_wrong_member_is_named() {
        let body = json!({ "ambiente": 3, "crt": 0, "serie": "1000", "proximo_numero": 0 });
        let error = Change::read(body.as_object().unwrap()).err().unwrap();
        let erros = error.body("/", "id")["erros"].as_array().unwrap().len();
        assert_eq!(erros, 4);
    }
}
