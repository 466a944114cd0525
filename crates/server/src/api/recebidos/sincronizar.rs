//! `POST /v1/nfe/recebidas/sincronizar`, `POST /v1/cte/recebidos/sincronizar` and `POST
//! /v1/nfse/recebidas/sincronizar`: queries the Ambiente Nacional now if its rules allow it; otherwise refuses with the
//! earliest time.

use axum::Json;
use axum::extract::State;
use engine::received::{DistributionOutcome, DocumentQuery, SyncError, SyncOutcome};
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, TpAmb};
use http::header;
use store::accounts::Caller;

use crate::api::authority_refusal;
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::{Cte, DistributedType, NationalNfse, Nfe};
use crate::api::documento::wrapper;
use crate::api::empresas;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::{CivilTime, Moment};
use crate::api::job::status_code::StatusCode;
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

view! {
    pub(crate) struct SyncedView = "RecebidasSincronizadas": "O que a consulta trouxe." {
        sucesso: bool = "`true`.",
        cpf_cnpj: CnpjCpf = "A empresa.",
        ambiente: Word<TpAmb> = "Onde se consultou.",
        codigo_status: Option<StatusCode> = "138 quando vieram documentos, 137 quando não há nenhum; da NFS-e, um texto: `200` ou `E2215`.",
        motivo_status: String = "As palavras da autoridade.",
        documentos_novos: u32 = "Documentos que ainda não estavam aqui.",
        notas_novas: u32 = "Destes, NF-e, CT-e ou NFS-e de que ainda não se sabia.",
        ult_nsu: u64 = "Até onde se foi.",
        max_nsu: u64 = "O maior número de que a autoridade falou; da NFS-e, o maior que veio.",
        completo: bool = "Se nada ficou por buscar.",
        proxima_em: Moment = "A partir de quando se pode buscar de novo.",
    }
}

/// A requested synchronisation.
struct SyncRequest {
    cpf_cnpj: CnpjCpf,
    /// A single document, in place of all new ones.
    point: Option<DocumentQuery>,
}

/// `POST …/sincronizar`
pub(crate) async fn sincronizar<F: DistributedType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<SyncedView>, ApiError> {
    let request = read(BodyFields::of(&body))?;
    synchronise::<F>(&app, &caller, request).await.map(Json)
}

async fn synchronise<F: DistributedType>(
    app: &App,
    caller: &Caller,
    request: SyncRequest,
) -> Result<SyncedView, ApiError> {
    let SyncRequest { cpf_cnpj, point } = request;
    let synced = match point {
        Some(point) => app.engine().ask_received(caller, cpf_cnpj, F::TIPO, point).await,
        None => app.engine().sync_received(caller, cpf_cnpj, F::TIPO).await,
    };
    let time = CivilTime::of_issuer(app.store(), caller.tenant_id, Some(cpf_cnpj)).await?;
    let synced = synced.map_err(|error| refusal::<F>(error, app.engine().now_s(), time))?;
    answer::<F>(cpf_cnpj, &synced, app.engine().now_s(), time)
}

/// Queries everything new of a type of documents; returns the number of new ones.
pub(crate) async fn fetch_new(app: &App, caller: &Caller, cpf_cnpj: CnpjCpf, tipo: Tipo) -> Result<u32, ApiError> {
    let request = SyncRequest { cpf_cnpj, point: None };
    let synced = match tipo {
        Tipo::Cte => synchronise::<Cte>(app, caller, request).await?,
        Tipo::Nfse => synchronise::<NationalNfse>(app, caller, request).await?,
        Tipo::Nfe | Tipo::Nfce => synchronise::<Nfe>(app, caller, request).await?,
    };
    Ok(synced.notas_novas)
}

/// Queries the document of a key, of a type that is distributed by key.
pub(crate) async fn fetch_by_key(app: &App, caller: &Caller, cpf_cnpj: CnpjCpf, chave: Chave) -> Result<(), ApiError> {
    let request = SyncRequest { cpf_cnpj, point: Some(DocumentQuery::Chave(chave)) };
    synchronise::<Nfe>(app, caller, request).await.map(drop)
}

fn read(mut fields: BodyFields<'_>) -> Result<SyncRequest, ApiError> {
    let cpf_cnpj = wrapper::company(&mut fields);
    let nsu = fields.integer("nsu").filter(|nsu| {
        let fits = (1..1_000_000_000_000_000).contains(nsu);
        if !fits {
            fields.refuse(&error_code::VALIDACAO, "nsu", "nsu vai de 1 a 999999999999999.");
        }
        fits
    });
    let chave = match fields.text(&["chave"]).map(Chave::parse) {
        Some(Err(wrong)) => {
            fields.refuse(&error_code::VALIDACAO, "chave", format!("chave inválida: {wrong}."));
            None
        }
        chave => chave.and_then(Result::ok),
    };
    if nsu.is_some() && chave.is_some() {
        fields.refuse(&error_code::VALIDACAO, "nsu", "Informe nsu ou chave, não os dois.");
    }
    fields.finish()?;
    let point = nsu.map(DocumentQuery::Nsu).or(chave.map(DocumentQuery::Chave));
    // `finish` has refused a body without it
    let cpf_cnpj = cpf_cnpj.ok_or_else(ApiError::internal)?;
    Ok(SyncRequest { cpf_cnpj, point })
}

fn answer<F: DistributedType>(
    cpf_cnpj: CnpjCpf,
    synced: &SyncOutcome,
    now: i64,
    time: CivilTime,
) -> Result<SyncedView, ApiError> {
    let cursor = &synced.cursor;
    let (codigo, xMotivo) = synced.said.clone();
    if matches!(synced.handing, DistributionOutcome::Some | DistributionOutcome::None) {
        return Ok(SyncedView {
            sucesso: true,
            cpf_cnpj,
            ambiente: Word(synced.ambiente),
            codigo_status: codigo.map(|codigo| StatusCode::of(F::TIPO, codigo)),
            motivo_status: xMotivo,
            documentos_novos: synced.kept.documentos,
            notas_novas: synced.kept.notas,
            ult_nsu: cursor.ult_nsu,
            max_nsu: cursor.max_nsu,
            completo: synced.whole && cursor.ult_nsu >= cursor.max_nsu,
            proxima_em: time.at(cursor.next_at.max(now)),
        });
    }
    // a refusal has a code
    let codigo = codigo.ok_or_else(ApiError::internal)?;
    Err(sync_refusal::<F>(&StatusCode::of(F::TIPO, codigo), &xMotivo, synced, now, time))
}

fn sync_refusal<F: DistributedType>(
    said: &StatusCode,
    xMotivo: &str,
    synced: &SyncOutcome,
    now: i64,
    time: CivilTime,
) -> ApiError {
    let cursor = &synced.cursor;
    let error = match (synced.handing, said.codigo.number()) {
        (DistributionOutcome::UndueUse, _) => not_before::<F>(cursor.blocked_until, now, time),
        (_, Some(217)) => ApiError::new(&error_code::NAO_ENCONTRADO, authority_refusal::sentence(said, xMotivo)),
        (_, Some(632 | 653 | 654)) => {
            ApiError::new(&error_code::ESTADO_INVALIDO, authority_refusal::sentence(said, xMotivo))
        }
        _ => return authority_refusal::refused(said, xMotivo, cursor.next_at - now),
    };
    authority_refusal::with_authority_status(error, said, xMotivo)
}

/// Answer for a query that was not made or not answered.
pub(crate) fn refusal<F: DistributedType>(error: SyncError, now: i64, time: CivilTime) -> ApiError {
    let by = F::BY;
    match error {
        SyncError::UnknownCompany => empresas::unknown(),
        SyncError::NotConfigured(tipo) => {
            // a company may receive CT-e or NFS-e without issuing any
            let or = if tipo == Tipo::Nfe { "" } else { " (ou para NF-e)" };
            let detail = format!(
                "A empresa não tem configuração para {}{or}, que diz o ambiente. Configure-a com PUT /v1/empresas/{{cpf_cnpj}}/{tipo}.",
                tipo.name()
            );
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        SyncError::NotHandedOut(tipo) => {
            let detail = format!("O Ambiente Nacional não distribui {}.", tipo.name());
            ApiError::new(&error_code::VALIDACAO, detail).at("tipo")
        }
        SyncError::NotByKey(tipo) => {
            let detail = format!(
                "{} não se pede pela chave: {by} não entrega assim. Sincronize sem chave, e vem tudo o que há de novo, ou peça um documento pelo número, \
                 com nsu. Nada foi consultado.",
                tipo.name()
            );
            ApiError::new(&error_code::VALIDACAO, detail).at("chave")
        }
        SyncError::Certificate(why) => ApiError::new(&error_code::CERTIFICADO_INVALIDO, why).at("cpf_cnpj"),
        SyncError::NotBefore(at) => not_before::<F>(at, now, time),
        SyncError::Busy => ApiError::too_many("Outro processo está sincronizando esta empresa agora.", 5),
        SyncError::NoAnswer { cause, next_at } => {
            let detail = format!(
                "Sem resposta: {by} não respondeu: {cause}. Nada se perdeu: a consulta continua de onde parou."
            );
            let wait = (next_at - now).max(1).to_string();
            ApiError::new(&error_code::INDISPONIVEL, detail).with_header(header::RETRY_AFTER, &wait)
        }
        SyncError::Store(error) => error.into(),
    }
}

fn not_before<F: DistributedType>(at: i64, now: i64, time: CivilTime) -> ApiError {
    let (when, why, tipo) = (time.at(at), F::TOO_OFTEN, F::TIPO.name());
    let detail = format!("Nova busca de {tipo} desta empresa só a partir de {when}: {why}. Nada foi consultado.");
    ApiError::too_many(detail, (at - now).max(1)).with_member("proxima_em", serde_json::json!(when))
}
