//! `GET /v1/nfe/status-servico` and `GET /v1/nfe/cadastro`: synchronous queries to a state's authority.
//!
//! Law: MOC 7.0, visão geral, 5.5 and 5.6; the routes are ours, in the style of the lookups (`docs/contract.md`,
//! "Errors").

pub(crate) mod view;

use authority::answer::RegisterAnswer;
use authority::sefaz::TaxpayerQuery;
use axum::Json;
use axum::extract::{RawQuery, State};
use engine::queries::consult::{ConsultError, StateQuery, StatusAnswer};
use fiscal::finding::Notice;
use fiscal::value::{CnpjCpf, Codigo, TpAmb, Uf};
use http::header;
use serde_json::json;
use store::accounts::Caller;

use crate::api::authority_refusal;
use crate::api::caller::AuthenticatedCaller;
use crate::api::empresas;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::CivilTime;
use crate::api::job::status_code::StatusCode;
use crate::api::notas::filter::AMBIENTES;
use crate::api::query::Query;
use crate::api::words::Word;
use crate::app::App;
use view::{RegisterView, ServiceView, taxpayer};

/// `GET /v1/nfe/status-servico?uf&ambiente&cpf_cnpj`
pub(crate) async fn status(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<ServiceView>, ApiError> {
    let mut query = Query::new(query.as_deref());
    let asking = asking(&mut query, &caller)?;
    let avisos = query.finish()?;
    let asking = asking.ok_or_else(ApiError::internal)?;
    let found = app.engine().service_status(&caller, asking).await.map_err(|error| refusal(error, asking.uf))?;
    Ok(Json(shown(found, asking, avisos)))
}

fn shown(found: StatusAnswer, asking: StateQuery, avisos: Vec<Notice>) -> ServiceView {
    let status = found.status;
    ServiceView {
        sucesso: true,
        uf: asking.uf.sigla(),
        modelo: 55,
        autoridade: found.authority,
        ambiente: Word(asking.ambiente),
        em_operacao: status.cStat == IN_OPERATION,
        codigo_status: status.cStat,
        motivo_status: status.xMotivo,
        tempo_medio_s: status.tMed,
        retorno_previsto_em: status.dhRetorno,
        observacao: status.xObs,
        consultado_em: CivilTime::in_state(asking.uf).at(found.asked_at),
        avisos,
    }
}

/// `GET /v1/nfe/cadastro?uf&cnpj|cpf|ie&ambiente&cpf_cnpj`
pub(crate) async fn cadastro(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<RegisterView>, ApiError> {
    let mut query = Query::new(query.as_deref());
    let (asking, search) = (asking(&mut query, &caller)?, search(&mut query));
    let avisos = query.finish()?;
    let (Some(asking), Some(search)) = (asking, search) else { return Err(ApiError::internal()) };
    let found = app.engine().taxpayer(&caller, asking, &search).await.map_err(|error| refusal(error, asking.uf))?;
    answer(found, asking, avisos).map(Json)
}

/// State, environment and company. A query of production requires a credential of production.
fn asking(query: &mut Query<'_>, caller: &Caller) -> Result<Option<StateQuery>, ApiError> {
    let ambiente = query.choice("ambiente", &AMBIENTES).unwrap_or(caller.ambiente);
    if ambiente == TpAmb::Producao && caller.ambiente != TpAmb::Producao {
        let detail = "Para consultar a produção use uma chave ou sessão de produção.";
        return Err(ApiError::new(&error_code::AMBIENTE_INCORRETO, detail).at("ambiente"));
    }
    let cpf_cnpj = query.cpf_cnpj("cpf_cnpj");
    let uf = match query.text("uf").map(str::to_uppercase) {
        Some(sigla) => {
            let uf = Uf::from_sigla(&sigla);
            if uf.is_none() {
                query.refuse("uf", "uf deve ser a sigla de um estado ou do Distrito Federal, como SP.".to_owned());
            }
            uf
        }
        None => {
            query.refuse_as(
                &error_code::CAMPO_OBRIGATORIO,
                "uf",
                "Informe uf, a sigla do estado consultado.".to_owned(),
            );
            None
        }
    };
    Ok(uf.map(|uf| StateQuery { uf, ambiente, cpf_cnpj }))
}

/// The search key: `cnpj`, `cpf` or `ie`.
fn search(query: &mut Query<'_>) -> Option<TaxpayerQuery> {
    let given = ["cnpj", "cpf", "ie"].into_iter().filter(|name| query.text(name).is_some()).collect::<Vec<_>>();
    match given.as_slice() {
        ["ie"] => ie(query),
        [name] => number(query, name),
        _ => {
            let mensagem = "Informe um destes, e só um: cnpj, cpf ou ie do contribuinte consultado.".to_owned();
            query.refuse_as(&error_code::CAMPO_OBRIGATORIO, "cnpj", mensagem);
            None
        }
    }
}

fn number(query: &mut Query<'_>, name: &'static str) -> Option<TaxpayerQuery> {
    match (query.cpf_cnpj(name)?, name) {
        (number @ CnpjCpf::Cnpj(_), "cnpj") | (number @ CnpjCpf::Cpf(_), "cpf") => Some(TaxpayerQuery::Number(number)),
        _ => {
            query.refuse(name, format!("{name} não é um {}.", name.to_uppercase()));
            None
        }
    }
}

fn ie(query: &mut Query<'_>) -> Option<TaxpayerQuery> {
    let text: String = query.text("ie")?.chars().filter(|c| c.is_alphanumeric()).collect();
    let text = text.to_uppercase();
    if text == "ISENTO" || ((2..=14).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())) {
        return Some(TaxpayerQuery::Ie(text));
    }
    query.refuse("ie", "ie deve ter de 2 a 14 dígitos.".to_owned());
    None
}

fn answer(found: RegisterAnswer, asking: StateQuery, avisos: Vec<Notice>) -> Result<RegisterView, ApiError> {
    let (cStat, codigo, xMotivo) = (found.cStat, StatusCode::from(Codigo::from(found.cStat)), found.xMotivo.as_str());
    match cStat {
        111 | 112 => Ok(RegisterView {
            sucesso: true,
            encontrado: true,
            uf: asking.uf.sigla(),
            codigo_status: cStat,
            motivo_status: found.xMotivo,
            consultado_em: found.dhCons,
            total: found.found.len(),
            contribuintes: found.found.into_iter().map(taxpayer).collect(),
            avisos,
        }),
        259 | 261 | 264 => {
            let error = ApiError::new(&error_code::NAO_ENCONTRADO, authority_refusal::sentence(&codigo, xMotivo));
            Err(authority_refusal::with_authority_status(
                error.with_member("encontrado", json!(false)),
                &codigo,
                xMotivo,
            ))
        }
        _ => Err(authority_refusal::refused(&codigo, xMotivo, RETRY_S)),
    }
}

fn refusal(error: ConsultError, uf: Uf) -> ApiError {
    match error {
        ConsultError::NotOffered => {
            let detail = format!(
                "{} não oferece este serviço por web service, ou a tabela de autoridades não tem o endereço.",
                uf.sigla()
            );
            ApiError::new(&error_code::VALIDACAO, detail).at("uf")
        }
        ConsultError::UnknownCompany => empresas::unknown(),
        ConsultError::Certificate(why) => ApiError::new(&error_code::CERTIFICADO_INVALIDO, why).at("cpf_cnpj"),
        ConsultError::TooOften(wait) => {
            let detail = "O limite de consultas por hora desta autoridade foi atingido; consultar agora causaria consumo indevido (656).";
            ApiError::too_many(detail, wait.max(1))
        }
        ConsultError::NoAnswer(cause) => {
            let detail = format!("A autoridade de {} não respondeu: {cause}.", uf.sigla());
            ApiError::new(&error_code::INDISPONIVEL, detail).with_header(header::RETRY_AFTER, &RETRY_S.to_string())
        }
        ConsultError::Store(error) => error.into(),
    }
}

/// cStat 107, service in operation.
const IN_OPERATION: u16 = 107;
const RETRY_S: i64 = 60;
