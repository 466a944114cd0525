//! Views of a company, and the lookup of a company by the number in the path.

use fiscal::finding::Notice;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::Value;
use store::companies::{CertificateRecord, Company, CompanyCertificate};
use uuid::Uuid;

use super::change;
use super::regimes::{self, RegimeView};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::{CivilTime, Moment};
use crate::api::schema::{Type, perhaps};
use crate::api::view::{Maybe, view};
use crate::app::App;

/// The number in a path, masked or not.
pub(crate) fn number(text: &str) -> Result<CnpjCpf, ApiError> {
    CnpjCpf::parse(text)
        .map_err(|wrong| ApiError::new(&error_code::VALIDACAO, format!("cpf_cnpj inválido: {wrong}.")).at("cpf_cnpj"))
}

/// Maps a refusal of the store to an answer about a company.
pub(crate) fn or_unknown(error: store::Error) -> ApiError {
    match error {
        store::Error::NotFound => unknown(),
        other => other.into(),
    }
}

/// A company of this tenant.
pub(crate) async fn find(app: &App, tenant: Uuid, text: &str) -> Result<Company, ApiError> {
    app.store().company(tenant, number(text)?).await.map_err(or_unknown)
}

/// 404 for an absent company and for another tenant's alike.
pub(crate) fn unknown() -> ApiError {
    ApiError::not_found("Não há empresa com este CNPJ ou CPF nesta conta.")
}

view! {
    pub(crate) struct CompanyView = "Empresa": "O cadastro de uma empresa." {
        cpf_cnpj: CnpjCpf = "CNPJ ou CPF, sem máscara.",
        nome_razao_social: Option<String> = "Razão social.",
        nome_fantasia: Option<String> = "Nome fantasia.",
        inscricao_estadual: Option<String> = "Inscrição estadual, sem máscara; ou `ISENTO`.",
        inscricao_municipal: Option<String> = "Inscrição municipal.",
        crt: Option<u64> = "Código de regime tributário antes da primeira linha de `regimes`.",
        regimes: Vec<RegimeView> = "Regimes por dia, o mais antigo primeiro; vale o último cujo dia não é depois do `dhEmi`.",
        email: Option<String> = "E-mail para contato.",
        fone: Option<String> = "Telefone com DDD, até 14 dígitos.",
        endereco: AddressView = "Endereço.",
        configuracoes: Value as CONFIGURACOES = "Configuração por tipo de documento.",
        certificado: CertificateView = "O certificado A1 em uso.",
        criado_em: Moment = "Quando foi criado.",
        atualizado_em: Moment = "Última mudança.",
        avisos: Maybe<Vec<Notice>> = "O que foi ignorado no corpo enviado.",
    }
}

const CONFIGURACOES: Type = Type::Group(&[
    perhaps("nfe", Type::Ref("ConfiguracaoNfeGuardada"), "Da NF-e; ausente enquanto não configurada."),
    perhaps("nfce", Type::Ref("ConfiguracaoNfceGuardada"), "Da NFC-e; ausente enquanto não configurada."),
    perhaps("nfse", Type::Ref("ConfiguracaoNfseGuardada"), "Da NFS-e; ausente enquanto não configurada."),
    perhaps("cte", Type::Ref("ConfiguracaoCteGuardada"), "Do CT-e; ausente enquanto não configurada."),
]);

view! {
    pub(crate) struct AddressView = "EnderecoDaEmpresa": "Endereço, como é guardado." {
        logradouro: Option<String> = "Logradouro.",
        numero: Option<String> = "Número do endereço, ou S/N.",
        complemento: Option<String> = "Complemento.",
        bairro: Option<String> = "Bairro.",
        codigo_municipio: Option<String> = "Código do IBGE.",
        cidade: Option<String> = "Cidade.",
        uf: Option<String> = "Sigla do estado.",
        cep: Option<String> = "CEP, 8 dígitos.",
        codigo_pais: String = "Código do país na tabela do Banco Central; 1058 é o Brasil.",
        pais: String = "Nome do país.",
    }
}

/// The company record of `docs/contract.md`, "Companies", as a credential of an environment sees it.
pub(super) fn shown(company: &Company, to: TpAmb, now: i64) -> CompanyView {
    let (dados, time) = (&company.dados, CivilTime::of(Some(company)));
    let configured = |(tipo, stored): (&String, &Value)| (tipo.clone(), change::shown(tipo, stored, to));
    CompanyView {
        cpf_cnpj: company.cpf_cnpj,
        nome_razao_social: name(dados),
        nome_fantasia: text(dados, "nome_fantasia"),
        inscricao_estadual: text(dados, "inscricao_estadual"),
        inscricao_municipal: text(dados, "inscricao_municipal"),
        crt: dados["crt"].as_u64(),
        regimes: regimes::shown(dados),
        email: text(dados, "email"),
        fone: text(dados, "fone"),
        endereco: address(&dados["endereco"]),
        configuracoes: company.configuracoes.iter().map(configured).collect(),
        certificado: certificate(company.certificado.as_ref(), time, now),
        criado_em: time.at(company.criado_em),
        atualizado_em: time.at(company.atualizado_em),
        avisos: Maybe(None),
    }
}

fn address(stored: &Value) -> AddressView {
    let or = |name: &str, otherwise: &str| text(stored, name).unwrap_or_else(|| otherwise.to_owned());
    AddressView {
        logradouro: text(stored, "logradouro"),
        numero: text(stored, "numero"),
        complemento: text(stored, "complemento"),
        bairro: text(stored, "bairro"),
        codigo_municipio: text(stored, "codigo_municipio"),
        cidade: text(stored, "cidade"),
        uf: text(stored, "uf"),
        cep: text(stored, "cep"),
        codigo_pais: or("codigo_pais", "1058"),
        pais: or("pais", "Brasil"),
    }
}

fn text(stored: &Value, name: &str) -> Option<String> {
    stored[name].as_str().map(str::to_owned)
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

/// The certificate of a company or of a listing.
pub(crate) fn certificate(record: Option<&CertificateRecord>, time: CivilTime, now: i64) -> CertificateView {
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

/// A record of the certificate listing; every member is present, also without a certificate.
pub(super) fn holder(holder: &CompanyCertificate, now: i64) -> HolderView {
    let shown = certificate(holder.certificado.as_ref(), CivilTime::of_record(Some(&holder.dados)), now);
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

/// Name of a company.
pub(crate) fn name(dados: &Value) -> Option<String> {
    text(dados, "nome_razao_social")
}

fn certificate_status(until: i64, now: i64) -> &'static str {
    match until - now {
        left if left <= 0 => "expirado",
        left if left <= 30 * 86_400 => "expira_em_breve",
        _ => "valido",
    }
}

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
