//! `POST /v1/notas/{chave}/email`: mails an authorised document again, or for the first time.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Chave, TpAmb};
use http::StatusCode;
use store::Visibility;
use store::audit::Actor;
use store::jobs::Job;
use store::mail::{MailKind, MailRecord, NewMail};
use uuid::Uuid;

use super::ver::{MailView, mail};
use super::{address_field, refusal, require_server};
use crate::api::body::{BodyFields, OptionalJsonObject};
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/notas/{chave}/email`
pub(crate) async fn enviar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(chave): Path<String>,
    OptionalJsonObject(body): OptionalJsonObject,
) -> Result<(StatusCode, Json<MailView>), ApiError> {
    let mut fields = BodyFields::of(&body);
    let para = address_field(&mut fields, "email");
    fields.finish()?;
    let job = document_job(&app, Visibility::of(&caller), &chave).await?;
    let record = send_document(&app, &job, para, &actor).await?;
    Ok((StatusCode::ACCEPTED, Json(mail(record))))
}

/// Emission of a document, by the key of the document or the id of the job.
async fn document_job(app: &App, sight: Visibility, chave: &str) -> Result<Job, ApiError> {
    let unknown = || ApiError::not_found("Não há nota com esta chave de acesso, nem job com este identificador.");
    let found = match (Uuid::parse_str(chave), Chave::parse(chave).ok().and_then(Chave::public)) {
        (_, Some(chave)) => app.store().job_by_chave(sight, chave.as_str()).await,
        (Ok(id), None) => app.store().job(sight, id).await,
        (Err(_), None) => return Err(unknown()),
    };
    match found {
        Ok(job) if job.document.is_some() => Ok(job),
        Ok(_) | Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}

/// Queues the mail of an authorised document. In homologation the address is the caller's: a test reaches no addressee.
pub(crate) async fn send_document(
    app: &App,
    job: &Job,
    para: Option<String>,
    actor: &Actor,
) -> Result<MailRecord, ApiError> {
    require_server(app)?;
    if job.document.as_ref().map(|document| document.state) != Some(DocumentState::Authorized) {
        let detail = "Só um documento autorizado pode ser enviado por e-mail.";
        return Err(ApiError::new(&error_code::ESTADO_INVALIDO, detail));
    }
    let choices = app.store().mail_choices(job.tenant_id, job.cpf_cnpj, job.ambiente).await?;
    let choice = choices.into_iter().find(|choice| choice.tipo == job.tipo);
    let (always, copy, answers) =
        choice.map_or((None, None, None), |choice| (choice.sempre_para, choice.copia_para, choice.responder_para));
    let para = para.or(always);
    if job.ambiente == TpAmb::Homologacao && para.is_none() {
        let detail =
            "Em homologação nenhum e-mail vai ao destinatário do documento: informe email, o endereço do teste.";
        return Err(ApiError::new(&error_code::VALIDACAO, detail).at("email"));
    }
    let new = NewMail {
        ambiente: job.ambiente,
        kind: MailKind::Nota,
        job: Some(job.id),
        cpf_cnpj: Some(job.cpf_cnpj),
        tipo: Some(job.tipo),
        para,
        copia_para: copy,
        responder_para: answers,
    };
    app.store().order_mail(job.tenant_id, new, actor, app.engine().now_s()).await.map_err(refusal)
}

/// Queues a test to an address.
pub(crate) async fn send_test(
    app: &App,
    (tenant, ambiente): (Uuid, TpAmb),
    para: String,
    actor: &Actor,
) -> Result<MailRecord, ApiError> {
    require_server(app)?;
    let new = NewMail {
        ambiente,
        kind: MailKind::Teste,
        job: None,
        cpf_cnpj: None,
        tipo: None,
        para: Some(para),
        copia_para: None,
        responder_para: None,
    };
    app.store().order_mail(tenant, new, actor, app.engine().now_s()).await.map_err(refusal)
}
