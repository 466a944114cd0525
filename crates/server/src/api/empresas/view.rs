//! A company as answers show it, and how a company is found by the number in the path.

use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Map, Value, json};
use store::companies::{CertificateRecord, Company, Holder};
use uuid::Uuid;

use super::change;
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::instant::{Moment, StateTime};
use crate::api::schema::Type;
use crate::api::view::{Maybe, view};
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
    body.insert("certificado".to_owned(), json!(certificate(company.certificado.as_ref(), time, now)));
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

view! {
    #[derive(Default)]
    pub(crate) struct CertificateView = "Certificado": "O certificado A1 de uma empresa." {
        titular: Maybe<String> = "De quem é.",
        emissor: Maybe<String> = "Quem o emitiu.",
        numero_serie: Maybe<String> = "Número de série do certificado, em hexadecimal.",
        valido_de: Maybe<Moment> = "Desde quando vale.",
        valido_ate: Maybe<Moment> = "Até quando vale.",
        dias_para_expirar: Maybe<i64> = "Negativo depois do vencimento.",
        status: &'static str as CERTIFICADO_STATUS = "Como está.",
        cpf_cnpj: Maybe<CnpjCpf> = "A empresa.",
        nome_razao_social: Maybe<Option<String>> = "Razão social.",
    }
}

view! {
    pub(crate) struct HolderView = "CertificadoDaEmpresa": "O certificado de uma empresa, ou a falta dele." {
        cpf_cnpj: CnpjCpf = "A empresa.",
        nome_razao_social: Option<String> = "Razão social.",
        titular: Option<String> = "De quem é.",
        emissor: Option<String> = "Quem o emitiu.",
        numero_serie: Option<String> = "Número de série do certificado, em hexadecimal.",
        valido_de: Option<Moment> = "Desde quando vale.",
        valido_ate: Option<Moment> = "Até quando vale.",
        dias_para_expirar: Option<i64> = "Negativo depois do vencimento.",
        status: &'static str as CERTIFICADO_STATUS = "Como está.",
    }
}

const CERTIFICADO_STATUS: Type = Type::Words(&["valido", "expira_em_breve", "expirado", "sem_certificado"]);

/// The certificate as part of a company or of a listing.
pub(crate) fn certificate(record: Option<&CertificateRecord>, time: StateTime, now: i64) -> CertificateView {
    let Some(record) = record else { return CertificateView { status: "sem_certificado", ..Default::default() } };
    CertificateView {
        titular: Maybe(Some(record.titular.clone())),
        emissor: Maybe(Some(record.emissor.clone())),
        numero_serie: Maybe(Some(record.numero_serie.clone())),
        valido_de: Maybe(Some(time.at(record.valido_de))),
        valido_ate: Maybe(Some(time.at(record.valido_ate))),
        dias_para_expirar: Maybe(Some((record.valido_ate - now).div_euclid(86_400))),
        status: certificate_status(record.valido_ate, now),
        ..Default::default()
    }
}

/// A record of the certificate listing; every member is there, also when there is no certificate.
pub(super) fn holder(holder: &Holder, now: i64) -> HolderView {
    let shown = certificate(holder.certificado.as_ref(), StateTime::of_record(Some(&holder.dados)), now);
    HolderView {
        cpf_cnpj: holder.cpf_cnpj,
        nome_razao_social: name(&holder.dados),
        titular: shown.titular.0,
        emissor: shown.emissor.0,
        numero_serie: shown.numero_serie.0,
        valido_de: shown.valido_de.0,
        valido_ate: shown.valido_ate.0,
        dias_para_expirar: shown.dias_para_expirar.0,
        status: shown.status,
    }
}

/// What a company is called.
pub(crate) fn name(dados: &Value) -> Option<String> {
    dados["nome_razao_social"].as_str().map(str::to_owned)
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
