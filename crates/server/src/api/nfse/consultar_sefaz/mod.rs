//! `POST /v1/nfse/consultar-sefaz`: the NFS-e that the Sefin has under a key or under a DPS, as a synchronous query.
//!
//! Law: `docs/contract.md`, "NFS-e" (an authority that does not answer is 503, never `nao_encontrada`).

mod view;

use axum::Json;
use axum::extract::State;
use engine::queries::nfse::{NfseSearch, SearchAnswer, SearchError, SearchKey};
use engine::queries::rps::{RpsAnswer, RpsSearch};
use fiscal::tipo::RPS;
use fiscal::value::{Chave, ChaveNfse, ChaveRps, CnpjCpf, Serie, TpAmb};
use http::header;
use serde_json::json;
use store::Visibility;
use store::accounts::Caller;
use uuid::Uuid;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::wrapper;
use crate::api::empresas;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::app::App;
pub(crate) use view::SefinView;
pub(super) use view::{shown, situation};

/// `POST /v1/nfse/consultar-sefaz`
pub(crate) async fn consultar_sefaz(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<SefinView>, ApiError> {
    let mut fields = BodyFields::of(&body);
    let search = read(&mut fields);
    fields.finish()?;
    let search: NoteQuery = search.ok_or_else(ApiError::internal)?;
    if search.ambiente == Some(TpAmb::Producao) && caller.ambiente != TpAmb::Producao {
        let detail = "Para consultar a produção use uma chave ou sessão de produção.";
        return Err(ApiError::new(&error_code::AMBIENTE_INCORRETO, detail).at("ambiente"));
    }
    answer(&app, &caller, search).await
}

/// A query of an NFS-e, national or municipal.
pub(super) struct NoteQuery {
    pub(super) cpf_cnpj: CnpjCpf,
    pub(super) by: NoteKey,
    pub(super) ambiente: Option<TpAmb>,
}

/// Search key of an NFS-e.
pub(super) enum NoteKey {
    /// A key of the national system only.
    National(SearchKey),
    /// Series and number of an RPS, with the municipal registration if given; for a company of the national layout,
    /// those of its DPS.
    Rps(Serie, u64, Option<String>),
}

/// Result of a query, national or municipal.
pub(super) enum NoteSearchResult {
    National(SearchAnswer),
    Municipal(RpsAnswer),
}

/// Answers a query with the NFS-e and the job that issued it.
pub(super) async fn answer(app: &App, caller: &Caller, asked: NoteQuery) -> Result<Json<SefinView>, ApiError> {
    match search_note(app, caller, asked).await? {
        NoteSearchResult::National(found) => {
            let job = match &found.note {
                Some(note) => own_job(app, caller, note.chave.into()).await?,
                None => None,
            };
            shown(found, job).map(Json)
        }
        NoteSearchResult::Municipal(found) => {
            let chave = ChaveRps::of(found.ambiente, &found.rps).filter(|_| found.note.is_some());
            let job = match chave {
                Some(chave) => own_job(app, caller, chave.into()).await?,
                None => None,
            };
            Ok(Json(view::municipal(found, job)))
        }
    }
}

/// Queries the system that holds the company's NFS-e.
pub(super) async fn search_note(app: &App, caller: &Caller, asked: NoteQuery) -> Result<NoteSearchResult, ApiError> {
    let NoteQuery { cpf_cnpj, by, ambiente } = asked;
    let engine = app.engine();
    let by = match by {
        NoteKey::National(by) => by,
        NoteKey::Rps(serie, numero, inscricao_municipal)
            if engine.model_of_services(caller, cpf_cnpj).await? == RPS =>
        {
            let search = RpsSearch { cpf_cnpj, serie, numero, inscricao_municipal, ambiente };
            return engine.search_rps(caller, &search).await.map(NoteSearchResult::Municipal).map_err(refusal);
        }
        NoteKey::Rps(serie, numero, _) => SearchKey::Number(serie, numero),
    };
    let search = NfseSearch { cpf_cnpj, by, ambiente };
    engine.search_nfse(caller, &search).await.map(NoteSearchResult::National).map_err(refusal)
}

/// Job that issued the NFS-e, when it is ours and visible to the caller.
async fn own_job(app: &App, caller: &Caller, chave: Chave) -> Result<Option<Uuid>, ApiError> {
    match app.store().job_by_chave(Visibility::of(caller), chave.as_str()).await {
        Ok(job) => Ok(Some(job.id)),
        Err(store::Error::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn read(fields: &mut BodyFields<'_>) -> Option<NoteQuery> {
    let cpf_cnpj = wrapper::company(fields);
    let ambiente = fields.ambiente("ambiente");
    let by = key(fields);
    Some(NoteQuery { cpf_cnpj: cpf_cnpj?, by: by?, ambiente })
}

/// The search key: `chave`, `id_dps`, `numero_dps` with `serie`, or `numero_rps`.
fn key(fields: &mut BodyFields<'_>) -> Option<NoteKey> {
    let given = |names: &[&'static str], fields: &BodyFields<'_>| {
        fields.value(names).is_some_and(|(_, value)| value.as_str().is_none_or(|text| !text.trim().is_empty()))
    };
    let ways = [&CHAVE[..], &["id_dps"], &["numero_dps"], &["numero_rps"]];
    let named: Vec<usize> = (0..ways.len()).filter(|way| given(ways[*way], fields)).collect();
    match named.as_slice() {
        [0] => chave(fields).map(NoteKey::National),
        [1] => id_dps(fields).map(NoteKey::National),
        [2] => number(fields).map(NoteKey::National),
        [3] => rps(fields),
        _ => {
            let mensagem = "Informe um destes, e só um: chave, id_dps, numero_dps com serie, ou numero_rps (com serie, se não for a 1).";
            fields.refuse(&error_code::CAMPO_OBRIGATORIO, "chave", mensagem);
            None
        }
    }
}

const CHAVE: [&str; 2] = ["chave", "chave_acesso"];

pub(super) fn chave(fields: &mut BodyFields<'_>) -> Option<SearchKey> {
    let text = fields.text(&CHAVE)?;
    match Chave::parse(text).or_else(|_| ChaveNfse::parse(text).map(Chave::from)) {
        Ok(Chave::Nfse(chave)) => return Some(SearchKey::Chave(chave)),
        Ok(Chave::Acesso(_) | Chave::Rps(_)) => {
            let mensagem = "chave inválida: é a de outro documento; a da NFS-e tem 50 posições.";
            fields.refuse(&error_code::VALIDACAO, "chave", mensagem);
        }
        Err(wrong) => fields.refuse(&error_code::VALIDACAO, "chave", format!("chave inválida: {wrong}.")),
    }
    None
}

/// `DPS`, then digits, and letters where a CNPJ has them.
fn id_dps(fields: &mut BodyFields<'_>) -> Option<SearchKey> {
    let text = fields.text(&["id_dps"])?.to_ascii_uppercase();
    let shaped = |positions: &str| {
        let letters = |at: usize| (8..20).contains(&at);
        positions.len() == 42
            && positions
                .bytes()
                .enumerate()
                .all(|(at, byte)| byte.is_ascii_digit() || (letters(at) && byte.is_ascii_uppercase()))
    };
    if text.strip_prefix("DPS").is_some_and(shaped) {
        return Some(SearchKey::Dps(text));
    }
    let mensagem = "id_dps deve ter 45 posições: DPS, município (7), tipo de inscrição (1), inscrição (14), série (5) e número (15).";
    fields.refuse(&error_code::VALIDACAO, "id_dps", mensagem);
    None
}

fn number(fields: &mut BodyFields<'_>) -> Option<SearchKey> {
    let numero = fields.integer("numero_dps");
    let serie = match fields.value(&["serie"]) {
        None => {
            fields.refuse(
                &error_code::CAMPO_OBRIGATORIO,
                "serie",
                "Informe serie, a série da DPS, ao lado de numero_dps.",
            );
            None
        }
        Some(_) => serie(fields),
    };
    Some(SearchKey::Number(serie?, numero?))
}

/// `numero_rps` with its series, 1 by default.
pub(super) fn rps(fields: &mut BodyFields<'_>) -> Option<NoteKey> {
    let numero = fields.integer("numero_rps");
    let serie = match fields.value(&["serie"]) {
        None => Some(Serie::from(1)),
        Some(_) => serie(fields),
    };
    Some(NoteKey::Rps(serie?, numero?, None))
}

/// The series, as a number or as text.
fn serie(fields: &mut BodyFields<'_>) -> Option<Serie> {
    let (_, value) = fields.value(&["serie"])?;
    let text = match value.as_str() {
        Some(text) => text.trim().to_owned(),
        // 1.0 is a whole number too
        None => fields.integer("serie")?.to_string(),
    };
    let serie = Serie::parse(&text).ok();
    if serie.is_none() {
        let mensagem = "serie vai de 1 a 49999, ou, no RPS municipal, tem até 5 letras e algarismos.";
        fields.refuse(&error_code::VALIDACAO, "serie", mensagem);
    }
    serie
}

fn refusal(error: SearchError) -> ApiError {
    match error {
        SearchError::UnknownCompany => empresas::unknown(),
        SearchError::NoMunicipality => {
            let detail = "A empresa não tem o município configurado, e sem ele numero_dps não diz qual é a DPS. Configure-o em PUT \
                          /v1/empresas/{cpf_cnpj}/nfse (codigo_municipio), ou consulte por chave ou id_dps.";
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        SearchError::Identity(violations) => {
            let problem = |found: fiscal::finding::Violation| {
                let campo = if found.campo.ends_with("serie") { "serie" } else { "numero_dps" };
                FieldProblem::new(&error_code::VALIDACAO, campo, found.mensagem)
            };
            ApiError::from_problems(violations.into_iter().map(problem).collect())
        }
        SearchError::NotConfigured(why) => ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, why).at("cpf_cnpj"),
        SearchError::RefusedByCode(codigo, motivo) => {
            ApiError::new(&error_code::VALIDACAO, format!("A prefeitura recusou a consulta: {codigo} {motivo}."))
                .with_member("codigo_status", json!(codigo.to_string()))
                .with_member("motivo_status", json!(motivo))
        }
        SearchError::Certificate(why) => ApiError::new(&error_code::CERTIFICADO_INVALIDO, why).at("cpf_cnpj"),
        SearchError::TooOften(wait) => {
            let detail = "As consultas à Sefin são contadas por hora: 20 sobre uma nota e 600 ao todo por empresa.";
            ApiError::too_many(detail, wait.max(1))
        }
        SearchError::Refused(said) => {
            let words: Vec<String> = said.iter().map(|said| said.text()).collect();
            let error =
                ApiError::new(&error_code::VALIDACAO, format!("A Sefin recusou a consulta: {}.", words.join("; ")));
            match said.first() {
                Some(first) => error
                    .with_member("codigo_status", json!(first.codigo.to_string()))
                    .with_member("motivo_status", json!(first.descricao)),
                None => error,
            }
        }
        SearchError::NoAnswer(cause) => {
            let detail =
                format!("A Sefin Nacional não respondeu: {cause}. Isto não diz se a nota existe; consulte de novo.");
            ApiError::new(&error_code::INDISPONIVEL, detail).with_header(header::RETRY_AFTER, &RETRY_S.to_string())
        }
        SearchError::Store(error) => error.into(),
    }
}

const RETRY_S: i64 = 60;
