//! `GET` and `PUT /v1/empresas/{cpf_cnpj}/distribuicao`: background fetching of received documents, and its progress.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use engine::received::SyncError;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::Value;
use store::received::Cursor;

use super::view;
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::{AuditedCaller, AuthenticatedCaller};
use crate::api::documento::document_type::{Cte, NationalNfse, Nfe};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::{CivilTime, Moment};
use crate::api::job::status_code::StatusCode;
use crate::api::query::Query;
use crate::api::recebidos::sincronizar::refusal;
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

view! {
    pub(crate) struct DistributionView = "Distribuicao": "Até onde os documentos de uma empresa foram buscados." {
        cpf_cnpj: CnpjCpf = "A empresa.",
        tipo: Word<Tipo> = "Que documentos.",
        ambiente: Word<TpAmb> = "O ambiente.",
        ativa: bool = "Se a busca automática está ligada.",
        ult_nsu: u64 = "Até onde se foi.",
        max_nsu: u64 = "O maior número de que a autoridade falou.",
        proxima_em: Option<Moment> = "Antes disto ninguém consulta.",
        bloqueada_ate: Option<Moment> = "Até quando vale um bloqueio por consumo indevido (656; da NFS-e 429).",
        lacuna: Option<NsuGapView> = "Números que outro programa consumiu e que se buscam um a um, com `nsu`.",
        recuo: Option<SetbackView> = "A autoridade não conhece o número em que a busca estava (589) e ela voltou; nulo depois que uma consulta é respondida.",
        ultima_consulta_em: Option<Moment> = "Quando se consultou por último.",
        codigo_status: Option<StatusCode> = "O que a autoridade respondeu.",
        motivo_status: Option<String> = "Em palavras dela, ou por que não houve resposta.",
    }
}

view! {
    pub(crate) struct NsuGapView {
        de: u64 = "O primeiro.",
        ate: u64 = "O último.",
    }
}

view! {
    pub(crate) struct SetbackView {
        de: u64 = "O número que a autoridade não conhece.",
        em: Moment = "Quando ela disse isso.",
    }
}

/// Document types with a distribution of their own.
const TIPOS: [(&str, Tipo); 3] = [("nfe", Tipo::Nfe), ("cte", Tipo::Cte), ("nfse", Tipo::Nfse)];
/// Type of a request that names none; NF-e was the first type, and its clients send none.
const DEFAULT: Tipo = Tipo::Nfe;

/// `GET /v1/empresas/{cpf_cnpj}/distribuicao?tipo`
pub(crate) async fn mostrar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cpf_cnpj): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<DistributionView>, ApiError> {
    let cpf_cnpj = view::number(&cpf_cnpj)?;
    let mut query = Query::new(query.as_deref());
    let tipo = query.choice("tipo", &TIPOS).unwrap_or(DEFAULT);
    query.finish()?;
    let time = CivilTime::of_issuer(app.store(), caller.tenant_id, Some(cpf_cnpj)).await?;
    let found = app.engine().distribution(&caller, cpf_cnpj, tipo).await;
    let (ambiente, cursor) = found.map_err(|error| refused(tipo, error, app.engine().now_s(), time))?;
    Ok(Json(shown(cpf_cnpj, tipo, ambiente, &cursor, time)))
}

/// `PUT /v1/empresas/{cpf_cnpj}/distribuicao`
pub(crate) async fn alterar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(cpf_cnpj): Path<String>,
    JsonObject(body): JsonObject,
) -> Result<Json<DistributionView>, ApiError> {
    let cpf_cnpj = view::number(&cpf_cnpj)?;
    let mut fields = BodyFields::of(&body);
    let ativa = match fields.value(&["ativa"]) {
        Some((_, Value::Bool(ativa))) => Some(*ativa),
        Some(_) => {
            fields.refuse(&error_code::REQUISICAO_INVALIDA, "ativa", "ativa deve ser true ou false.");
            None
        }
        None => {
            fields.refuse(
                &error_code::CAMPO_OBRIGATORIO,
                "ativa",
                "Informe ativa: true para buscar os documentos recebidos, false para parar.",
            );
            None
        }
    };
    let tipo = chosen(&mut fields);
    fields.finish()?;
    let time = CivilTime::of_issuer(app.store(), caller.tenant_id, Some(cpf_cnpj)).await?;
    let switched = app.engine().switch_distribution(&caller, cpf_cnpj, tipo, ativa.unwrap_or_default(), &actor).await;
    let (ambiente, cursor) = switched.map_err(|error| refused(tipo, error, app.engine().now_s(), time))?;
    Ok(Json(shown(cpf_cnpj, tipo, ambiente, &cursor, time)))
}

/// Answer about a distribution that cannot be read or switched.
pub(crate) fn refused(tipo: Tipo, error: SyncError, now: i64, time: CivilTime) -> ApiError {
    match tipo {
        Tipo::Cte => refusal::<Cte>(error, now, time),
        Tipo::Nfse => refusal::<NationalNfse>(error, now, time),
        Tipo::Nfe | Tipo::Nfce => refusal::<Nfe>(error, now, time),
    }
}

fn chosen(fields: &mut BodyFields<'_>) -> Tipo {
    let Some(word) = fields.text(&["tipo"]) else { return DEFAULT };
    let found = TIPOS.into_iter().find(|(name, _)| *name == word).map(|(_, tipo)| tipo);
    if found.is_none() {
        let words = TIPOS.map(|(name, _)| name).join(", ");
        fields.refuse(&error_code::VALIDACAO, "tipo", format!("tipo deve ser um destes: {words}."));
    }
    found.unwrap_or(DEFAULT)
}

fn shown(cpf_cnpj: CnpjCpf, tipo: Tipo, ambiente: TpAmb, cursor: &Cursor, time: CivilTime) -> DistributionView {
    let when = |seconds: i64| (seconds > 0).then(|| time.at(seconds));
    let said = cursor.said.as_ref();
    DistributionView {
        cpf_cnpj,
        tipo: Word(tipo),
        ambiente: Word(ambiente),
        ativa: cursor.ativa,
        ult_nsu: cursor.ult_nsu,
        max_nsu: cursor.max_nsu,
        proxima_em: when(cursor.next_at),
        bloqueada_ate: when(cursor.blocked_until),
        lacuna: cursor.gap.map(|(de, ate)| NsuGapView { de, ate }),
        recuo: cursor.reset.map(|(de, em)| SetbackView { de, em: time.at(em) }),
        ultima_consulta_em: cursor.asked_at.map(|at| time.at(at)),
        codigo_status: said.and_then(|(codigo, _)| codigo.clone()).map(|codigo| StatusCode::of(tipo, codigo)),
        motivo_status: said.map(|(_, xMotivo)| xMotivo.clone()),
    }
}
