//! A company as answers show it, and how a company is found by the number in the path.

use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Map, Value, json};
use store::companies::{CertificateRecord, Company, Holder};
use uuid::Uuid;

use super::change;
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::app::App;

/// The number in a path, masked or not.
pub(super) fn number(text: &str) -> Result<CnpjCpf, ApiError> {
    CnpjCpf::parse(text)
        .map_err(|wrong| ApiError::new(&code::VALIDACAO, format!("cpf_cnpj inválido: {wrong}.")).at("cpf_cnpj"))
}

/// What the store refused, told of a company.
pub(super) fn or_unknown(error: store::Error) -> ApiError {
    match error {
        store::Error::NotFound => unknown(),
        other => other.into(),
    }
}

/// A company of this tenant.
pub(super) async fn find(app: &App, tenant: Uuid, text: &str) -> Result<Company, ApiError> {
    app.store().company(tenant, number(text)?).await.map_err(or_unknown)
}

/// The one answer for what is absent or somebody else's.
pub(crate) fn unknown() -> ApiError {
    ApiError::not_found("Não há empresa com este CNPJ ou CPF nesta conta.")
}

/// The company record of `spec/not-shown.md` §7, as a credential of an environment sees it.
pub(super) fn body(company: &Company, to: TpAmb, now: i64) -> Value {
    let time = StateTime::of(Some(company));
    let mut body = Map::new();
    body.insert("cpf_cnpj".to_owned(), json!(company.cpf_cnpj.as_str()));
    for name in MEMBERS {
        body.insert((*name).to_owned(), company.dados[*name].clone());
    }
    body.insert("endereco".to_owned(), address(&company.dados["endereco"]));
    let shown = |(tipo, stored): (&String, &Value)| (tipo.clone(), change::shown(tipo, stored, to));
    body.insert("configuracoes".to_owned(), company.configuracoes.iter().map(shown).collect());
    body.insert("certificado".to_owned(), certificate(company.certificado.as_ref(), time, now));
    body.insert("criado_em".to_owned(), time.json(company.criado_em));
    body.insert("atualizado_em".to_owned(), time.json(company.atualizado_em));
    Value::Object(body)
}

fn address(stored: &Value) -> Value {
    let mut address = Map::new();
    for name in ADDRESS {
        let otherwise = match *name {
            "codigo_pais" => json!("1058"),
            "pais" => json!("Brasil"),
            _ => Value::Null,
        };
        let given = Some(stored[*name].clone()).filter(|value| !value.is_null());
        address.insert((*name).to_owned(), given.unwrap_or(otherwise));
    }
    Value::Object(address)
}

/// The certificate as part of a company or of a listing.
pub(crate) fn certificate(record: Option<&CertificateRecord>, time: StateTime, now: i64) -> Value {
    let Some(record) = record else { return json!({ "status": "sem_certificado" }) };
    let days = (record.valido_ate - now).div_euclid(86_400);
    json!({
        "titular": record.titular,
        "emissor": record.emissor,
        "numero_serie": record.numero_serie,
        "valido_de": time.json(record.valido_de),
        "valido_ate": time.json(record.valido_ate),
        "dias_para_expirar": days,
        "status": certificate_status(record.valido_ate, now),
    })
}

/// A record of the certificate listing; every member is there, also when there is no certificate.
pub(super) fn holder(holder: &Holder, now: i64) -> Value {
    let shown = certificate(holder.certificado.as_ref(), StateTime::of_record(Some(&holder.dados)), now);
    let mut body = Map::new();
    body.insert("cpf_cnpj".to_owned(), json!(holder.cpf_cnpj.as_str()));
    body.insert("nome_razao_social".to_owned(), holder.dados["nome_razao_social"].clone());
    for name in ["titular", "emissor", "numero_serie", "valido_de", "valido_ate", "dias_para_expirar", "status"] {
        body.insert(name.to_owned(), shown[name].clone());
    }
    Value::Object(body)
}

fn certificate_status(until: i64, now: i64) -> &'static str {
    match until - now {
        left if left <= 0 => "expirado",
        left if left <= 30 * 86_400 => "expira_em_breve",
        _ => "valido",
    }
}

const MEMBERS: &[&str] =
    &["nome_razao_social", "nome_fantasia", "inscricao_estadual", "inscricao_municipal", "crt", "email", "fone"];
const ADDRESS: &[&str] = &[
    "logradouro",
    "numero",
    "complemento",
    "bairro",
    "codigo_municipio",
    "cidade",
    "uf",
    "cep",
    "codigo_pais",
    "pais",
];

#[cfg(test)]
mod tests {
    use super::certificate_status;

    #[test]
    fn thirty_days_or_fewer_is_soon() {
        let day = 86_400;
        assert_eq!(certificate_status(31 * day, 0), "valido");
        assert_eq!(certificate_status(30 * day, 0), "expira_em_breve");
        assert_eq!(certificate_status(0, 0), "expirado");
    }
}
