//! `POST /v1/nfe/confirmar`: the second step of an assisted emission. One transaction uses up the token, debits the
//! quota and registers the job.
//!
//! Law: `docs/contract.md`, "Checking and preparing", and "Errors" for the codes.

use axum::extract::State;
use axum::response::Response;
use engine::acceptance::assisted::{ConfirmError, Interface};
use engine::acceptance::issue::IssueError;
use fiscal::tipo::Tipo;
use serde_json::{Map, Value, json};
use store::jobs::Operacao;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::preparar;
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::act_refusal::act_refusal;
use crate::api::documento::document_type::Nfe;
use crate::api::documento::emitir;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::unknown_members::unknown_members;
use crate::app::App;
use crate::painel;

/// `POST /v1/nfe/confirmar`
pub(crate) async fn confirmar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let token = Zeroizing::new(token(&body)?.to_owned());
    let (engine, confirming) = (app.engine().clone(), caller.clone());
    // a prepared order may be as large as any document
    let case = async move { engine.confirm_issue(&confirming, &token, Interface::Rest).await };
    let issued = app.dispatch_use_case(caller.tenant_id, true, case).await?.map_err(|error| refusal(&app, error))?;
    emitir::answer(&app, caller.ambiente, issued, unknown_members(&body, &["token_confirmacao"])).await
}

fn token(body: &Map<String, Value>) -> Result<&str, ApiError> {
    let mut fields = BodyFields::of(body);
    let mensagem = "Informe token_confirmacao, devolvido por POST /v1/nfe/preparar.";
    let token = fields.required_text(&["token_confirmacao"], mensagem);
    fields.finish()?;
    token.ok_or_else(ApiError::internal)
}

/// Maps a refusal of the use case to an answer.
pub(crate) fn refusal(app: &App, error: ConfirmError) -> ApiError {
    match error {
        ConfirmError::Unknown => ApiError::not_found("Não há emissão preparada com este token_confirmacao."),
        ConfirmError::OtherEnvironment(prepared) => {
            let detail =
                format!("Esta emissão foi preparada em {0}; confirme com uma credencial de {0}.", prepared.word());
            ApiError::new(&error_code::AMBIENTE_INCORRETO, detail)
        }
        ConfirmError::OtherOrder(operacao, tipo) => other_order(operacao, tipo),
        ConfirmError::Act { tipo, error } => act_refusal(error, tipo, "token_confirmacao"),
        ConfirmError::Used(job) => used(job),
        ConfirmError::Pending(id) => pending(app, id),
        ConfirmError::Refused { id, motivo } => refused(app, id, motivo),
        ConfirmError::Expired => ApiError::new(
            &error_code::CONFIRMACAO_EXPIRADA,
            "O token_confirmacao valia por 10 minutos e venceu; nada foi emitido. Prepare de novo.",
        ),
        ConfirmError::Changed => ApiError::new(
            &error_code::ESTADO_INVALIDO,
            "A configuração da empresa ou a versão do serviço mudou depois de preparar: o que foi mostrado não é o que seria emitido. Prepare de novo.",
        ),
        ConfirmError::AboveCeiling { valor, teto } => {
            let (valor, teto) = (preparar::cents_as_decimal(valor), preparar::cents_as_decimal(teto));
            let detail = format!(
                "A nota movimenta {valor} e o teto de emissão assistida desta conta é {teto}; nada foi emitido. Peça ao operador outro teto, ou \
                 emita com POST /v1/nfe/emitir."
            );
            ApiError::new(&error_code::TETO_EXCEDIDO, detail)
        }
        ConfirmError::Issue(IssueError::NotConfigured) => {
            let detail = "A empresa não tem mais configuração para este documento: nada foi emitido. Configure-a e prepare de novo.";
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail)
        }
        ConfirmError::Issue(error) => emitir::refusal::<Nfe>(error),
    }
}

/// Refusal of a token of another kind of order.
fn other_order(operacao: Operacao, tipo: Tipo) -> ApiError {
    let detail = format!(
        "Este token_confirmacao é de outra operação ({} de {}); nada foi feito. Confirme-o com a ferramenta confirmar do MCP.",
        operacao.word(),
        tipo.name()
    );
    ApiError::new(&error_code::REQUISICAO_INVALIDA, detail).at("token_confirmacao")
}

/// Refusal before the approval, with the URL of the page that asks for it.
fn pending(app: &App, id: Uuid) -> ApiError {
    let detail = "Esta emissão espera a aprovação de uma pessoa da conta. Mostre url_confirmacao a ela e, depois da aprovação, repita com o mesmo token.";
    ApiError::new(&error_code::CONFIRMACAO_PENDENTE, detail)
        .with_member("id_confirmacao", json!(id))
        .with_member("url_confirmacao", json!(painel::address(app.edge(), id)))
}

/// Refusal after a person's rejection, which is final.
fn refused(app: &App, id: Uuid, motivo: Option<String>) -> ApiError {
    let why = motivo.as_deref().map_or_else(|| "sem dizer por quê".to_owned(), |motivo| format!("motivo: {motivo}"));
    let detail = format!("Uma pessoa da conta recusou esta emissão ({why}). O token não vale mais; prepare outra.");
    ApiError::new(&error_code::CONFIRMACAO_RECUSADA, detail)
        .with_member("motivo", json!(motivo))
        .with_member("id_confirmacao", json!(id))
        .with_member("url_confirmacao", json!(painel::address(app.edge(), id)))
}

/// Refusal of a used token, with the job: a caller that lost the first answer finds it here.
fn used(job: Uuid) -> ApiError {
    let detail = "Este token_confirmacao já foi usado: ele vale uma vez. O job que ele criou está em job_id.";
    ApiError::new(&error_code::CONFIRMACAO_USADA, detail)
        .with_member("job_id", json!(job))
        .with_member("consulta", json!(format!("/v1/nfe/consultar/{job}")))
}
