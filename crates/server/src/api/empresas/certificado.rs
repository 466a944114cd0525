//! `PUT /v1/empresas/{cpf_cnpj}/certificado`: the A1 certificate, as JSON (base64) or multipart.
//!
//! Law: `docs/contract.md`, "Companies". Neither the file nor the password is ever logged or repeated in an answer; our
//! copies of both are wiped after use.

use axum::Json;
use axum::extract::{Path, Request, State};
use engine::company::CertificateError;
use engine::process::work_pool::NotDone;
use serde::Deserialize;
use zeroize::Zeroizing;

use super::view::{self, CertificateView};
use crate::api::body;
use crate::api::caller::AuditedCaller;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::instant::CivilTime;
use crate::api::upload;
use crate::api::view::Maybe;
use crate::app::App;

/// `PUT /v1/empresas/{cpf_cnpj}/certificado`
pub(crate) async fn enviar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(cpf_cnpj): Path<String>,
    request: Request,
) -> Result<Json<CertificateView>, ApiError> {
    let company = view::find(&app, caller.tenant_id, &cpf_cnpj).await?;
    let upload = CertificateUpload::read(request, &app).await?;
    let CertificateUpload { pfx, senha } = upload;
    let stored = app.engine().put_certificate(caller.tenant_id, company.cpf_cnpj, pfx, senha, &actor).await;
    let record = stored.map_err(refusal)?;
    Ok(Json(CertificateView {
        cpf_cnpj: Maybe(Some(company.cpf_cnpj)),
        nome_razao_social: Maybe(Some(view::name(&company.dados))),
        ..view::certificate(Some(&record), CivilTime::of(Some(&company)), app.now())
    }))
}

struct CertificateUpload {
    pfx: Zeroizing<Vec<u8>>,
    senha: Zeroizing<String>,
}

/// Contents of either form.
#[derive(Default)]
struct CertificateParts {
    pfx: Option<Result<Zeroizing<Vec<u8>>, &'static str>>,
    senha: Option<Zeroizing<String>>,
}

#[derive(Deserialize)]
struct Json64 {
    certificado: Option<Zeroizing<String>>,
    senha: Option<Zeroizing<String>>,
}

impl CertificateUpload {
    async fn read(request: Request, app: &App) -> Result<CertificateUpload, ApiError> {
        body::require_media_type(&request, &["application/json", "multipart/form-data"])?;
        let multipart = body::media_type(&request).as_deref() == Some("multipart/form-data");
        let parts = if multipart { read_multipart(request, app).await? } else { read_json(request, app).await? };
        parts.complete()
    }
}

impl CertificateParts {
    fn complete(self) -> Result<CertificateUpload, ApiError> {
        let mut problems = Vec::new();
        let mut missing = |campo: &str, mensagem: &str| {
            problems.push(FieldProblem::new(&error_code::CAMPO_OBRIGATORIO, campo, mensagem))
        };
        if self.pfx.is_none() {
            missing("certificado", "Informe certificado, o arquivo .pfx em base64, ou envie a parte arquivo.");
        }
        if self.senha.is_none() {
            missing("senha", "Informe senha, a senha do certificado (pode ser um texto vazio).");
        }
        let pfx = match self.pfx {
            Some(Err(mensagem)) => {
                problems.push(FieldProblem::new(&error_code::CERTIFICADO_INVALIDO, "certificado", mensagem));
                None
            }
            Some(Ok(pfx)) => Some(pfx),
            None => None,
        };
        match (pfx, self.senha) {
            (Some(pfx), Some(senha)) => Ok(CertificateUpload { pfx, senha }),
            _ => Err(ApiError::from_problems(problems)),
        }
    }
}

async fn read_json(request: Request, app: &App) -> Result<CertificateParts, ApiError> {
    let bytes = body::read_limited(request, app).await?.into_bytes()?;
    let read: Json64 = serde_json::from_slice(&bytes).map_err(|error| {
        let code = if error.is_data() { &error_code::REQUISICAO_INVALIDA } else { &error_code::JSON_INVALIDO };
        ApiError::new(code, "O corpo deve ser um objeto JSON com certificado (base64) e senha, ambos textos.")
    })?;
    Ok(CertificateParts {
        pfx: read.certificado.map(|text| upload::decode(&text).ok_or(NOT_BASE64)),
        senha: read.senha,
    })
}

async fn read_multipart(request: Request, app: &App) -> Result<CertificateParts, ApiError> {
    let mut parts = upload::parts(request, app, FORM).await?;
    let pfx = upload::remove_part(&mut parts, &["arquivo", "certificado"])?;
    let senha = upload::remove_part(&mut parts, &["senha"])?;
    let text = |bytes: Zeroizing<Vec<u8>>| Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned());
    Ok(CertificateParts { pfx: pfx.map(Ok), senha: senha.map(text) })
}

const FORM: &str = "Envie as partes arquivo (o .pfx) e senha.";
const NOT_BASE64: &str = "certificado não é um base64 válido do arquivo .pfx.";

/// Answer to an upload that was refused.
pub(crate) fn refusal(error: CertificateError) -> ApiError {
    match error {
        CertificateError::UnknownCompany => view::unknown(),
        CertificateError::Invalid(wrong) => {
            let campo = if wrong == signing::InvalidPfx::WrongPassword { "senha" } else { "certificado" };
            let detail = format!("O certificado não pôde ser usado: {wrong}.");
            ApiError::new(&error_code::CERTIFICADO_INVALIDO, detail).at(campo)
        }
        CertificateError::Expired => {
            let detail = "O certificado está vencido. Envie o certificado A1 renovado.";
            ApiError::new(&error_code::CERTIFICADO_INVALIDO, detail).at("certificado")
        }
        CertificateError::OtherCompany { titular } => {
            let of = titular.map_or_else(String::new, |titular| format!(" Ele é de {titular}."));
            let detail = format!("O certificado não é desta empresa nem de outra da mesma raiz de CNPJ.{of}");
            ApiError::new(&error_code::CERTIFICADO_DE_OUTRA_EMPRESA, detail).at("certificado")
        }
        CertificateError::NotOpened(NotDone::Busy) => {
            let detail = "Há outros certificados desta conta sendo abertos, um de cada vez. Espere e envie de novo.";
            ApiError::too_many(detail, 5)
        }
        CertificateError::NotOpened(NotDone::Broken) => ApiError::broken(&error),
        CertificateError::Store(error) => error.into(),
    }
}
