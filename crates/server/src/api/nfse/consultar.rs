//! `POST /v1/nfse/{cpf_cnpj}/consultar`, the older query by key or by the number of the RPS, and `GET
//! /v1/nfse/{cpf_cnpj}/consultar-rps`: the use of that number.
//!
//! Law: `docs/contract.md`, "NFS-e" (`emitida: false` only when the authority confirms it; 503 when it does not
//! answer).

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use engine::queries::nfse::SearchAnswer;
use engine::queries::rps::RpsAnswer;
use fiscal::finding::Notice;
use fiscal::tipo::RPS;
use fiscal::value::{Chave, CnpjCpf, Serie};

use super::consultar_sefaz::{self, NoteKey, NoteQuery, NoteSearchResult, SefinView, situation};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::wrapper;
use crate::api::empresas;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::query::Query;
use crate::api::view::view;
use crate::app::App;

/// `POST /v1/nfse/{cpf_cnpj}/consultar`
pub(crate) async fn consultar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cpf_cnpj): Path<String>,
    JsonObject(mut body): JsonObject,
) -> Result<Json<SefinView>, ApiError> {
    let company = wrapper::company_of_path(&mut body, &cpf_cnpj)?;
    let mut fields = BodyFields::of(&body);
    let by = key(&mut fields);
    fields.finish()?;
    let by = by.ok_or_else(ApiError::internal)?;
    consultar_sefaz::answer(&app, &caller, NoteQuery { cpf_cnpj: company, by, ambiente: None }).await
}

/// The search key: `chave` or `numero_rps`.
fn key(fields: &mut BodyFields<'_>) -> Option<NoteKey> {
    let given = |name: &'static str| {
        fields.value(&[name]).is_some_and(|(_, value)| value.as_str().is_none_or(|text| !text.trim().is_empty()))
    };
    match (given("chave") || given("chave_acesso"), given("numero_rps")) {
        (true, false) => consultar_sefaz::chave(fields).map(NoteKey::National),
        (false, true) => consultar_sefaz::rps(fields),
        _ => {
            let mensagem = "Informe um destes, e só um: chave, ou numero_rps (com serie, se não for a 1).";
            fields.refuse(&error_code::CAMPO_OBRIGATORIO, "chave", mensagem);
            None
        }
    }
}

view! {
    pub(crate) struct RpsView = "ConsultaDeRps": "Se um RPS (ou a DPS, no padrão nacional) já virou nota." {
        sucesso: bool = "`true`: quem autoriza respondeu.",
        emitida: bool = "`false` só quando quem autoriza diz que não há nota.",
        numero: Option<u64> = "O número da NFS-e.",
        chave: Option<Chave> = "A chave da NFS-e nacional, 50 posições.",
        codigo_verificacao: Option<String> = "O código de verificação da NFS-e municipal.",
        data_emissao: Option<String> = "Quando a NFS-e foi gerada, como veio.",
        situacao: Option<&'static str> as ["autorizada", "cancelada", "substituida"] = "O que ela vale; nulo quando não há nota.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

/// `GET /v1/nfse/{cpf_cnpj}/consultar-rps`
pub(crate) async fn consultar_rps(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cpf_cnpj): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<RpsView>, ApiError> {
    let cpf_cnpj = empresas::number(&cpf_cnpj)?;
    let mut query = Query::new(query.as_deref());
    let search = of_rps(&mut query, cpf_cnpj);
    let avisos = query.finish()?;
    let search = search.ok_or_else(ApiError::internal)?;
    if let NoteKey::Rps(serie, ..) = &search.by
        && serie.number().is_none()
        && app.engine().model_of_services(&caller, cpf_cnpj).await? != RPS
    {
        let problem = FieldProblem::new(
            &error_code::REQUISICAO_INVALIDA,
            "serie",
            "No padrão nacional a série da DPS vai de 1 a 49999.",
        );
        return Err(ApiError::from_problems(vec![problem]));
    }
    let mut view = match consultar_sefaz::search_note(&app, &caller, search).await? {
        NoteSearchResult::National(found) => shown(found)?,
        NoteSearchResult::Municipal(found) => municipal(found),
    };
    view.avisos = avisos;
    Ok(Json(view))
}

fn of_rps(query: &mut Query<'_>, cpf_cnpj: CnpjCpf) -> Option<NoteQuery> {
    if query.text("numero_rps").is_none() {
        query.refuse_as(
            &error_code::CAMPO_OBRIGATORIO,
            "numero_rps",
            "Informe numero_rps, o número do RPS.".to_owned(),
        );
    }
    let numero = query.number("numero_rps", 1, LARGEST);
    let serie = serie(query);
    let longest = query.text("inscricao_municipal").is_none_or(|text| text.chars().count() <= 15);
    if !longest {
        query.refuse("inscricao_municipal", "inscricao_municipal tem no máximo 15 caracteres.".to_owned());
    }
    let registration = query.text("inscricao_municipal").map(str::to_owned);
    Some(NoteQuery { cpf_cnpj, by: NoteKey::Rps(serie?, numero?, registration), ambiente: None })
}

/// Series of the query, 1 by default.
fn serie(query: &mut Query<'_>) -> Option<Serie> {
    let Some(text) = query.text("serie") else { return Some(Serie::from(1)) };
    let serie = Serie::parse(text).ok();
    let serie = serie.filter(|serie| serie.number().is_none_or(|number| (1..=49_999).contains(&number)));
    if serie.is_none() {
        query
            .refuse("serie", "serie vai de 1 a 49999, ou, no RPS municipal, tem até 5 letras e algarismos.".to_owned());
    }
    serie
}

/// Largest number: fifteen digits.
const LARGEST: u64 = 999_999_999_999_999;

fn shown(found: SearchAnswer) -> Result<RpsView, ApiError> {
    let view = consultar_sefaz::shown(found, None)?;
    let emitida = view.dados.is_some();
    Ok(RpsView {
        sucesso: true,
        emitida,
        numero: view.numero,
        chave: view.chave,
        codigo_verificacao: None,
        data_emissao: view.dados.and_then(|dados| dados.data_autorizacao),
        situacao: Some(view.situacao).filter(|_| emitida),
        avisos: Vec::new(),
    })
}

fn municipal(found: RpsAnswer) -> RpsView {
    let note = found.note;
    RpsView {
        sucesso: true,
        emitida: note.is_some(),
        numero: note.as_ref().and_then(|note| note.numero.parse().ok()),
        chave: None,
        situacao: note.as_ref().map(situation),
        codigo_verificacao: note.as_ref().and_then(|note| note.codigo_verificacao.clone()),
        data_emissao: note.and_then(|note| note.data_emissao),
        avisos: Vec::new(),
    }
}
