//! `POST /v1/exportacoes`: registers an export.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use http::StatusCode;
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::audit::Actor;
use store::exports::{ExportForms, ExportRow, NewExport};
use uuid::Uuid;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuditedCaller;
use crate::api::emails;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::view::view;
use crate::app::App;

/// Exports of an account in 24 hours.
const MOST_A_DAY: u32 = 20;
const DAY_S: i64 = 86_400;
/// Longest period, in days.
const LONGEST: i64 = 366;

view! {
    pub(crate) struct AcceptedExportView = "ExportacaoAceita": "Uma exportação que será feita." {
        sucesso: bool = "`true`.",
        exportacao_id: Uuid = "Identificador (UUID).",
        consulta: String = "Caminho para acompanhar.",
        mensagem: &'static str = "O que vai acontecer, em palavras.",
    }
}

/// Choices of an export.
#[derive(Debug, Clone)]
pub(crate) struct ExportChoices {
    pub(crate) cpf_cnpj: CnpjCpf,
    pub(crate) de: Date,
    pub(crate) ate: Date,
    pub(crate) tipos: Vec<Tipo>,
    pub(crate) forms: ExportForms,
    /// Address that gets a mail at its end.
    pub(crate) avisar: Option<String>,
}

/// `POST /v1/exportacoes`
pub(crate) async fn criar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let export = register(&app, &caller, &actor, read(&body)?).await?;
    let view = AcceptedExportView {
        sucesso: true,
        exportacao_id: export.id,
        consulta: format!("/v1/exportacoes/{}", export.id),
        mensagem: "A exportação será feita; acompanhe em consulta e baixe o arquivo quando estiver concluida.",
    };
    Ok((StatusCode::ACCEPTED, Json(view)).into_response())
}

/// Registers an export of a company of the caller.
pub(crate) async fn register(
    app: &App,
    caller: &Caller,
    by: &Actor,
    choices: ExportChoices,
) -> Result<ExportRow, ApiError> {
    let ExportChoices { cpf_cnpj, de, ate, tipos, forms, avisar } = choices;
    if de.saturating_add((LONGEST - 1).days()) < ate {
        let detail = format!(
            "O período de de a ate pode ter no máximo {LONGEST} dias. Divida a exportação em períodos menores."
        );
        return Err(ApiError::new(&error_code::PERIODO_EXCEDIDO, detail).at("de"));
    }
    if avisar.is_some() {
        emails::require_server(app)?;
    }
    let within = app.store().require_reach(store::Visibility::of(caller), cpf_cnpj).await;
    let found = match within {
        Ok(()) => app.store().company(caller.tenant_id, cpf_cnpj).await,
        Err(outside) => Err(outside),
    };
    found.map_err(|error| match error {
        store::Error::NotFound => ApiError::not_found("Não há empresa com este CNPJ ou CPF nesta conta."),
        other => other.into(),
    })?;
    let now = app.engine().now_s();
    let new = NewExport {
        tenant: caller.tenant_id,
        id: Uuid::now_v7(),
        ambiente: caller.ambiente,
        cpf_cnpj,
        de: de.to_string(),
        ate: ate.to_string(),
        tipos,
        forms,
        avisar,
        most: MOST_A_DAY,
        since: now - DAY_S,
    };
    app.store().create_export(new, by, now).await.map_err(|error| match error {
        store::Error::Conflict(_) => ApiError::new(&error_code::ESTADO_INVALIDO, UNDER_WAY),
        store::Error::AccountFull { most } => {
            let detail = format!("A conta já pediu {most} exportações nas últimas 24 horas. Tente de novo mais tarde.");
            ApiError::too_many(detail, 3_600)
        }
        other => other.into(),
    })
}

const UNDER_WAY: &str = "Outra exportação da conta ainda não terminou. Espere por ela em GET /v1/exportacoes, ou apague-a com \
                         DELETE /v1/exportacoes/{id}.";

fn read(body: &Map<String, Value>) -> Result<ExportChoices, ApiError> {
    let mut fields = BodyFields::of(body);
    let cpf_cnpj =
        fields.required_text(&["cpf_cnpj"], "Informe cpf_cnpj, o CNPJ ou CPF da empresa.").map(CnpjCpf::parse);
    if let Some(Err(wrong)) = &cpf_cnpj {
        fields.refuse(&error_code::VALIDACAO, "cpf_cnpj", format!("cpf_cnpj inválido: {wrong}."));
    }
    let (de, ate) = (date(&mut fields, "de"), date(&mut fields, "ate"));
    if de.zip(ate).is_some_and(|(de, ate)| ate < de) {
        fields.refuse(&error_code::VALIDACAO, "ate", "ate deve ser o mesmo dia de de ou um dia depois.");
    }
    let tipos = tipos(&mut fields);
    let forms = match (flag(&mut fields, "com_pdf"), flag(&mut fields, "pdf_unico")) {
        (_, true) => ExportForms::Joined,
        (true, false) => ExportForms::Separate,
        (false, false) => ExportForms::Absent,
    };
    let avisar = emails::address_field(&mut fields, "avisar_email");
    let read = match (cpf_cnpj, de, ate) {
        (Some(Ok(cpf_cnpj)), Some(de), Some(ate)) => Some(ExportChoices { cpf_cnpj, de, ate, tipos, forms, avisar }),
        _ => None,
    };
    fields.finish()?;
    read.ok_or_else(ApiError::internal)
}

/// `true` or `false`; `false` when absent.
fn flag(fields: &mut BodyFields<'_>, name: &'static str) -> bool {
    match fields.value(&[name]) {
        None | Some((_, Value::Null)) => false,
        Some((_, Value::Bool(chosen))) => *chosen,
        Some(_) => {
            fields.refuse(&error_code::VALIDACAO, name, format!("{name} deve ser true ou false."));
            false
        }
    }
}

/// A civil date, `AAAA-MM-DD` and nothing else.
fn date(fields: &mut BodyFields<'_>, name: &'static str) -> Option<Date> {
    let text = fields.required_text(&[name], &format!("Informe {name}, um dia no formato AAAA-MM-DD."))?;
    let date = Some(text).filter(|text| text.len() == "AAAA-MM-DD".len()).and_then(|text| text.parse().ok());
    if date.is_none() {
        fields.refuse(&error_code::VALIDACAO, name, format!("{name} deve ser uma data no formato AAAA-MM-DD."));
    }
    date
}

fn tipos(fields: &mut BodyFields<'_>) -> Vec<Tipo> {
    let Some((_, value)) = fields.value(&["tipos"]) else { return Vec::new() };
    let words = value.as_array().map(Vec::as_slice).filter(|words| (1..=Tipo::ALL.len()).contains(&words.len()));
    let tipos: Option<Vec<Tipo>> =
        words.and_then(|words| words.iter().map(|word| Tipo::from_word(word.as_str()?)).collect());
    if tipos.is_none() && !value.is_null() {
        let mensagem = "tipos deve ser uma lista com nfe, nfce, cte ou nfse; sem ela, todos.";
        fields.refuse(&error_code::VALIDACAO, "tipos", mensagem);
    }
    tipos.unwrap_or_default()
}
