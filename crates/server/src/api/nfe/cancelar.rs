//! `POST /v1/nfe/cancelar` and `POST /v1/nfce/cancelar`: a cancellation is a job of its own.
//!
//! Law: `spec/interface.md`, NF-e cancellation request; `spec/not-shown.md` §4.

use axum::Json;
use axum::extract::State;
use engine::cancel::{CancelError, CancelRequest, Target};
use fiscal::value::ChaveAcesso;
use http::StatusCode;
use outbound::Reach;
use serde_json::{Map, Value, json};
use store::jobs::Job;
use uuid::Uuid;

use super::family::Family;
use super::wrapper;
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::job;
use crate::app::App;

/// `POST /v1/nfe/cancelar`, `POST /v1/nfce/cancelar`
pub(crate) async fn cancelar<F: Family>(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let request = read::<F>(&body, app.reach())?;
    let job = app.engine().cancel(&caller, request).await.map_err(refusal::<F>)?;
    Ok((StatusCode::ACCEPTED, Json(accepted(&job))))
}

fn read<F: Family>(body: &Map<String, Value>, reach: &Reach) -> Result<CancelRequest, ApiError> {
    let mut fields = Fields::of(body);
    let company = wrapper::company(&mut fields);
    let target = target(&mut fields);
    let justificativa = justificativa(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let (Some(cpf_cnpj), Some(target), Some(justificativa)) = (company, target, justificativa) else {
        return Err(ApiError::internal());
    };
    Ok(CancelRequest { cpf_cnpj, tipo: F::TIPO, target, justificativa, webhook_url })
}

fn target(fields: &mut Fields<'_>) -> Option<Target> {
    if fields.value(&["job_id"]).is_some() {
        let text = fields.text(&["job_id"])?;
        let id = Uuid::parse_str(text).ok();
        if id.is_none() {
            fields.refuse(&code::REQUISICAO_INVALIDA, "job_id", "job_id deve ser o UUID devolvido na emissão.");
        }
        return id.map(Target::Job);
    }
    let text = fields.required_text(&["chave", "chave_acesso"], "Informe job_id ou chave da nota a cancelar.")?;
    match ChaveAcesso::parse(text) {
        Ok(chave) => Some(Target::Chave(chave.as_str().to_owned())),
        Err(wrong) => {
            fields.refuse(&code::VALIDACAO, "chave", format!("chave inválida: {wrong}."));
            None
        }
    }
}

/// 15 to 255 characters (`xJust` of the event's layout).
fn justificativa(fields: &mut Fields<'_>) -> Option<String> {
    let text = fields.required_text(&["justificativa"], "Informe justificativa, o motivo do cancelamento.")?;
    let length = text.chars().count();
    if (15..=255).contains(&length) {
        return Some(text.to_owned());
    }
    let mensagem = format!("justificativa deve ter de 15 a 255 caracteres; veio com {length}.");
    fields.refuse(&code::VALIDACAO, "justificativa", mensagem);
    None
}

fn refusal<F: Family>(error: CancelError) -> ApiError {
    match error {
        CancelError::UnknownDocument => {
            ApiError::not_found(format!("Não há {} desta empresa com o job_id ou a chave informada.", F::NOME))
        }
        CancelError::NotAuthorized => {
            let detail = format!(
                "Só uma {} autorizada pode ser cancelada. Consulte nota.status: ela ainda não foi autorizada, foi rejeitada \
                 ou já está cancelada.",
                F::NOME
            );
            ApiError::new(&code::ESTADO_INVALIDO, detail)
        }
        CancelError::Store(error) => error.into(),
    }
}

fn accepted(job: &Job) -> Value {
    json!({
        "job_id": job.id,
        "job_id_emissao": job.alvo,
        "operacao": "cancelamento",
        "status": job::status_word(job.status),
        "mensagem": "Cancelamento aceito para processamento. Acompanhe por consulta ou webhook.",
        "consulta": job::consulta(job),
        "webhook": job.webhook_url.is_some(),
        "ambiente": job.ambiente.word(),
        "avisos": job.notices,
    })
}
