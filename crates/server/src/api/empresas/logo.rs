//! `PUT`, `GET` and `DELETE /v1/empresas/{cpf_cnpj}/logo`: the picture on a company's printed forms.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use engine::company::logo::{LogoError, MOST_BYTES, StoredLogo};
use fiscal::value::CnpjCpf;
use http::header;

use super::view;
use crate::api::body;
use crate::api::caller::{AuditedCaller, AuthenticatedCaller};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::upload;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct LogoView = "Logo": "O logotipo guardado." {
        cpf_cnpj: CnpjCpf = "CNPJ ou CPF da empresa, sem máscara.",
        formato: &'static str as ["image/png", "image/jpeg"] = "Pelo conteúdo, não pelo nome.",
        largura: u32 = "Em pixels.",
        altura: u32 = "Em pixels.",
        bytes: usize = "Tamanho do arquivo.",
    }
}

view! {
    pub(crate) struct RemovedLogoView = "LogoRetirado": "A confirmação." {
        sucesso: bool = "`true`.",
        cpf_cnpj: CnpjCpf = "CNPJ ou CPF da empresa, sem máscara.",
        mensagem: &'static str = "O que foi feito, em palavras.",
    }
}

/// `PUT /v1/empresas/{cpf_cnpj}/logo`
pub(crate) async fn enviar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(cpf_cnpj): Path<String>,
    request: Request,
) -> Result<Json<LogoView>, ApiError> {
    let cpf_cnpj = view::find(&app, caller.tenant_id, &cpf_cnpj).await?.cpf_cnpj;
    let file = file(request, &app).await?;
    let kept = app.engine().put_logo(caller.tenant_id, cpf_cnpj, file, &actor).await.map_err(refusal)?;
    let StoredLogo { media, largura, altura, bytes } = kept;
    Ok(Json(LogoView { cpf_cnpj, formato: media, largura, altura, bytes }))
}

/// `GET /v1/empresas/{cpf_cnpj}/logo`
pub(crate) async fn mostrar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cpf_cnpj): Path<String>,
) -> Result<Response, ApiError> {
    let cpf_cnpj = view::find(&app, caller.tenant_id, &cpf_cnpj).await?.cpf_cnpj;
    let logo = app.store().logo(caller.tenant_id, cpf_cnpj).await.map_err(or_none)?;
    Ok(([(header::CONTENT_TYPE, logo.media)], logo.picture).into_response())
}

/// `DELETE /v1/empresas/{cpf_cnpj}/logo`
pub(crate) async fn retirar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(cpf_cnpj): Path<String>,
) -> Result<Json<RemovedLogoView>, ApiError> {
    let cpf_cnpj = view::find(&app, caller.tenant_id, &cpf_cnpj).await?.cpf_cnpj;
    app.store().remove_logo(caller.tenant_id, cpf_cnpj, &actor, app.now()).await.map_err(or_none)?;
    let mensagem = "Logotipo retirado: os próximos formulários saem sem ele.";
    Ok(Json(RemovedLogoView { sucesso: true, cpf_cnpj, mensagem }))
}

/// The picture, from JSON or from a form.
async fn file(request: Request, app: &App) -> Result<Vec<u8>, ApiError> {
    body::require_media_type(&request, &["application/json", "multipart/form-data", "image/png", "image/jpeg"])?;
    match body::media_type(&request).as_deref() {
        Some("image/png" | "image/jpeg") => Ok(body::read_limited(request, app).await?.into_bytes()?.to_vec()),
        Some("multipart/form-data") => {
            let mut parts = upload::parts(request, app, FORM).await?;
            let picture = upload::remove_part(&mut parts, &["arquivo", "logo"])?;
            picture.map(|bytes| bytes.to_vec()).ok_or_else(missing)
        }
        _ => {
            let object = body::read_limited(request, app).await?.object()?;
            let mut fields = body::BodyFields::of(&object);
            let text = fields.required_text(&["logo", "arquivo"], MISSING);
            fields.finish()?;
            let decoded = text.and_then(upload::decode).map(|bytes| bytes.to_vec());
            decoded.ok_or_else(|| ApiError::new(&error_code::VALIDACAO, NOT_BASE64).at("logo"))
        }
    }
}

fn missing() -> ApiError {
    ApiError::new(&error_code::CAMPO_OBRIGATORIO, MISSING).at("arquivo")
}

/// Answer to a picture that was refused.
pub(crate) fn refusal(error: LogoError) -> ApiError {
    match error {
        LogoError::UnknownCompany => view::unknown(),
        LogoError::TooLarge => {
            let most = MOST_BYTES / 1024;
            ApiError::new(
                &error_code::CORPO_GRANDE,
                format!("O logotipo passa de {most} KB. Reduza a imagem e reenvie."),
            )
        }
        LogoError::NotPrintable(wrong) => {
            let detail = format!("O logotipo não pôde ser usado: {wrong}. Envie um PNG ou um JPEG.");
            ApiError::new(&error_code::VALIDACAO, detail).at("logo")
        }
        LogoError::NotDone(why) => why.into(),
        LogoError::Store(error) => error.into(),
    }
}

/// Maps a refusal of the store to an answer about a logo.
pub(crate) fn or_none(error: store::Error) -> ApiError {
    match error {
        store::Error::NotFound => {
            ApiError::not_found("A empresa não tem logotipo. Envie um com PUT /v1/empresas/{cpf_cnpj}/logo.")
        }
        error => error.into(),
    }
}

const FORM: &str = "Envie a parte arquivo (o PNG ou JPEG).";
const MISSING: &str = "Informe logo, o arquivo PNG ou JPEG em base64, ou envie a parte arquivo.";
const NOT_BASE64: &str = "logo não é um base64 válido do arquivo.";
