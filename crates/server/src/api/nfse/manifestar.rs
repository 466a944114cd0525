//! `POST /v1/nfse/manifestar`: a party's manifestation about an NFS-e, as a job of its own. Off unless the operator
//! switches it on, while it is not verified against the real authority.
//!
//! Law: anexo II of the NFS-e, manual of the contributors 1.2; the route is ours, in the style of `POST
//! /v1/nfe/manifestar`.

use axum::extract::State;
use axum::response::Response;
use engine::order::manifestation::{Manifestacao, ManifestationRequest};
use engine::received::ManifestError;
use fiscal::value::ChaveNfse;
use outbound::AddressPolicy;
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::jobs::RegistrationResult;
use store::received::Parte;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::act_refusal::of_member;
use crate::api::documento::{evento, wrapper};
use crate::api::empresas;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::app::App;

const TIPOS: [(&str, Manifestacao); 2] =
    [("confirmacao", Manifestacao::Confirmacao), ("rejeicao", Manifestacao::Rejeicao)];
/// Reasons of a rejection, in order: duplicate, already issued by the tomador, no taxable event, responsibility for the
/// tax, amounts or dates, others.
const REASONS: [&str; 6] = ["1", "2", "3", "4", "5", "9"];

/// `POST /v1/nfse/manifestar`
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
    if !app.manifests_services() {
        return Err(ApiError::new(&error_code::PERMISSAO_NEGADA, CLOSED));
    }
    let said = read(body, app.reach())?;
    app.engine().manifest(caller, said).await.map_err(refusal)
}

const CLOSED: &str = "A manifestação de NFS-e está desligada nesta instalação: a recepção pela Sefin Nacional não foi conferida. Quem a opera a liga com a \
                      chave manifestacao.nfse.";
const ACCEPTED: &str = "Manifestação aceita para processamento. Acompanhe por consulta ou webhook.";

fn read(body: &Map<String, Value>, reach: &AddressPolicy) -> Result<ManifestationRequest, ApiError> {
    let mut fields = BodyFields::of(body);
    let company = wrapper::company(&mut fields);
    let chave = chave(&mut fields);
    let tipo = tipo(&mut fields);
    let papel = papel(&mut fields);
    let rejects = tipo == Some(Manifestacao::Rejeicao);
    let codigo_motivo = reason(&mut fields, rejects);
    let justificativa = justificativa(&mut fields, rejects, codigo_motivo.as_deref());
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let (Some(cpf_cnpj), Some(chave), Some(tipo)) = (company, chave, tipo) else { return Err(ApiError::internal()) };
    Ok(ManifestationRequest {
        cpf_cnpj,
        chave: chave.into(),
        tipo,
        papel,
        codigo_motivo,
        justificativa,
        referencia,
        webhook_url,
    })
}

fn chave(fields: &mut BodyFields<'_>) -> Option<ChaveNfse> {
    let text = fields.required_text(&["chave", "chave_acesso"], "Informe chave, a chave da NFS-e, de 50 posições.")?;
    let chave = ChaveNfse::parse(text).ok();
    if chave.is_none() {
        fields.refuse(&error_code::VALIDACAO, "chave", "chave deve ser a chave de uma NFS-e nacional, de 50 posições.");
    }
    chave
}

fn tipo(fields: &mut BodyFields<'_>) -> Option<Manifestacao> {
    let text = fields.required_text(&["tipo"], "Informe tipo: confirmacao ou rejeicao.")?;
    let found = TIPOS.into_iter().find(|(word, _)| *word == text).map(|(_, tipo)| tipo);
    if found.is_none() {
        fields.refuse(&error_code::VALIDACAO, "tipo", "tipo deve ser um destes: confirmacao, rejeicao.");
    }
    found
}

fn papel(fields: &mut BodyFields<'_>) -> Option<Parte> {
    let text = fields.text(&["papel"])?;
    let found = Parte::ALL.into_iter().find(|parte| parte.word() == text);
    if found.is_none() {
        let words = Parte::ALL.map(Parte::word).join(", ");
        fields.refuse(&error_code::VALIDACAO, "papel", format!("papel deve ser um destes: {words}."));
    }
    found
}

/// The reason, as a number or as text; only a rejection has one.
fn reason(fields: &mut BodyFields<'_>, rejects: bool) -> Option<String> {
    let given = fields.value(&["codigo_motivo"]).filter(|(_, value)| !value.is_null());
    let text = given.map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned()));
    match (text.filter(|text| !text.is_empty()), rejects) {
        (None, false) => None,
        (Some(_), false) => {
            fields.refuse(
                &error_code::VALIDACAO,
                "codigo_motivo",
                "A confirmação não leva codigo_motivo: retire o campo.",
            );
            None
        }
        (None, true) => {
            fields.refuse(&error_code::CAMPO_OBRIGATORIO, "codigo_motivo", REASON);
            None
        }
        (Some(text), true) if REASONS.contains(&text.as_str()) => Some(text),
        (Some(_), true) => {
            fields.refuse(&error_code::VALIDACAO, "codigo_motivo", REASON);
            None
        }
    }
}

const REASON: &str = "Informe codigo_motivo da rejeição: 1 duplicidade, 2 já emitida pelo tomador, 3 não ocorrência do fato gerador, 4 responsabilidade \
                      tributária, 5 valor, deduções, serviço ou data, 9 outros (com justificativa).";

/// The justification: required for reason "others", optional in a rejection.
fn justificativa(fields: &mut BodyFields<'_>, rejects: bool, codigo_motivo: Option<&str>) -> Option<String> {
    let given = fields.value(&["justificativa"]);
    let given = given.is_some_and(|(_, value)| value.as_str().is_none_or(|text| !text.trim().is_empty()));
    if !rejects && given {
        fields.refuse(&error_code::VALIDACAO, "justificativa", "A confirmação não leva justificativa: retire o campo.");
    }
    if !rejects || !(given || codigo_motivo == Some("9")) {
        return None;
    }
    evento::text_of(fields, "justificativa", "Informe justificativa: o motivo 9 (outros) a pede.", 15..=255)
}

fn refusal(error: ManifestError) -> ApiError {
    match error {
        ManifestError::UnknownCompany => empresas::unknown(),
        ManifestError::NotConfigured => {
            let detail = "A empresa não tem configuração para NFS-e nem para NF-e, que diz o ambiente. Configure-a com PUT \
                          /v1/empresas/{cpf_cnpj}/nfse ou /nfe.";
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        ManifestError::NoPart => {
            let detail = "Informe papel (prestador, tomador ou intermediario): a nota não está entre as recebidas da empresa, ou ela tem mais de um papel.";
            ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, "papel", detail)])
        }
        ManifestError::Refused(violations) => ApiError::from_problems(violations.into_iter().map(of_member).collect()),
        ManifestError::Invalid(faults) => {
            let problem = |fault: fiscal::layout::LayoutFault| {
                FieldProblem::new(&error_code::VALIDACAO, "justificativa", fault.message)
            };
            ApiError::from_problems(faults.into_iter().map(problem).collect())
        }
        ManifestError::Exhausted => {
            ApiError::new(&error_code::ESTADO_INVALIDO, "A nota já tem o máximo de manifestações deste tipo.")
        }
        ManifestError::Store(error) => error.into(),
    }
}
