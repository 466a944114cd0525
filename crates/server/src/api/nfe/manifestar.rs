//! `POST /v1/nfe/manifestar`: a company's manifestation about a received NF-e, as a job of its own.
//!
//! Law: NT 2020.001 v1.60; the route is ours, in the style of `docs/contract.md`, "Emission".

use axum::extract::State;
use axum::response::Response;
use engine::order::manifestation::{Manifestacao, ManifestationRequest};
use engine::received::ManifestError;
use fiscal::value::ChaveAcesso;
use outbound::AddressPolicy;
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::jobs::RegistrationResult;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::{evento, wrapper};
use crate::api::empresas;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::app::App;

/// Kinds of manifestation by the contract's words, with the justification of each.
const TIPOS: [ManifestKind; 4] = [
    ("ciencia", Manifestacao::Ciencia, Justification::None),
    ("confirmacao", Manifestacao::Confirmacao, Justification::None),
    ("desconhecimento", Manifestacao::Desconhecimento, Justification::Optional),
    ("nao_realizada", Manifestacao::NaoRealizada, Justification::Required),
];
type ManifestKind = (&'static str, Manifestacao, Justification);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Justification {
    None,
    /// May be given.
    Optional,
    Required,
}

/// `POST /v1/nfe/manifestar`
pub(crate) async fn manifestar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let registered = submit_manifestation(&app, &caller, &body).await?;
    evento::answer(&app, caller.ambiente, registered, ACCEPTED).await
}

/// Reads the request and registers its job.
pub(crate) async fn submit_manifestation(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
) -> Result<RegistrationResult, ApiError> {
    let said = read(body, app.reach())?;
    app.engine().manifest(caller, said).await.map_err(refusal)
}

fn read(body: &Map<String, Value>, reach: &AddressPolicy) -> Result<ManifestationRequest, ApiError> {
    let mut fields = BodyFields::of(body);
    let company = wrapper::company(&mut fields);
    let chave = chave(&mut fields);
    let tipo = tipo(&mut fields);
    let justificativa = tipo.and_then(|tipo| justificativa(&mut fields, tipo));
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let (Some(cpf_cnpj), Some(chave), Some((_, tipo, _))) = (company, chave, tipo) else {
        return Err(ApiError::internal());
    };
    let (chave, papel, codigo_motivo) = (chave.into(), None, None);
    Ok(ManifestationRequest { cpf_cnpj, chave, tipo, papel, codigo_motivo, justificativa, referencia, webhook_url })
}

fn chave(fields: &mut BodyFields<'_>) -> Option<ChaveAcesso> {
    let text =
        fields.required_text(&["chave", "chave_acesso"], "Informe chave, a chave de acesso da nota recebida.")?;
    match ChaveAcesso::parse(text) {
        Ok(chave) if chave.parts().modelo == 55 => Some(chave),
        Ok(_) => {
            fields.refuse(&error_code::VALIDACAO, "chave", "Só a NF-e (modelo 55) tem manifestação do destinatário.");
            None
        }
        Err(wrong) => {
            fields.refuse(&error_code::VALIDACAO, "chave", format!("chave inválida: {wrong}."));
            None
        }
    }
}

fn tipo(fields: &mut BodyFields<'_>) -> Option<ManifestKind> {
    let missing = "Informe tipo: ciencia, confirmacao, desconhecimento ou nao_realizada.";
    let text = fields.required_text(&["tipo"], missing)?;
    let found = TIPOS.into_iter().find(|(word, ..)| *word == text);
    if found.is_none() {
        let mensagem = "tipo deve ser um destes: ciencia, confirmacao, desconhecimento, nao_realizada.";
        fields.refuse(&error_code::VALIDACAO, "tipo", mensagem);
    }
    found
}

fn justificativa(fields: &mut BodyFields<'_>, (tipo, _, justification): ManifestKind) -> Option<String> {
    let given = fields.value(&["justificativa"]);
    let given = given.is_some_and(|(_, value)| value.as_str().is_none_or(|text| !text.trim().is_empty()));
    match justification {
        Justification::None if given => {
            let mensagem = format!("A manifestação {tipo} não leva justificativa: retire o campo, ou use outro tipo.");
            fields.refuse(&error_code::VALIDACAO, "justificativa", mensagem);
            None
        }
        Justification::Optional if !given => None,
        Justification::None => None,
        Justification::Optional | Justification::Required => {
            let missing = "Informe justificativa: por que a operação não foi realizada.";
            evento::text_of(fields, "justificativa", missing, 15..=255)
        }
    }
}

fn refusal(error: ManifestError) -> ApiError {
    match error {
        ManifestError::UnknownCompany => empresas::unknown(),
        ManifestError::NotConfigured => {
            let detail = "A empresa não tem configuração para NF-e, que diz o ambiente. Configure-a com PUT /v1/empresas/{cpf_cnpj}/nfe.";
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        ManifestError::Invalid(faults) => {
            let problem = |fault: fiscal::layout::LayoutFault| {
                FieldProblem::new(&error_code::VALIDACAO, "justificativa", fault.message)
            };
            ApiError::from_problems(faults.into_iter().map(problem).collect())
        }
        // both belong to NFS-e only
        ManifestError::NoPart | ManifestError::Refused(_) => ApiError::internal(),
        ManifestError::Exhausted => {
            let detail =
                "Esta nota já tem duas manifestações deste tipo, o máximo que a lei permite; vale a última registrada.";
            ApiError::new(&error_code::ESTADO_INVALIDO, detail)
        }
        ManifestError::Store(error) => error.into(),
    }
}

const ACCEPTED: &str = "Manifestação aceita para processamento. Acompanhe por consulta ou webhook.";
