//! Shared parts of the routes that act on a document: its identification, the act, the answer.
//!
//! Law: `docs/contract.md`, "Emission".

use axum::Json;
use axum::response::{IntoResponse, Response};
use engine::acceptance::assisted::PreparedAct;
use engine::order::act_request::{ActRequest, DocumentAct, DocumentTarget};
use engine::process::work_pool::is_big;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, ChaveNfse, TpAmb, bare_chave};
use http::StatusCode;
use outbound::AddressPolicy;
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::jobs::{Job, RegistrationResult};
use uuid::Uuid;

use super::act_refusal::{act_refusal, event_refusal};
use super::wrapper;
use crate::api::body::BodyFields;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::job::view::AcceptedView;
use crate::api::job::{self, JobFacts};
use crate::api::view::Maybe;
use crate::api::words::Word;
use crate::app::App;

/// The parts of a route that acts on a document that differ from other routes.
pub(crate) struct ActRoute {
    /// Type of its documents.
    pub(crate) tipo: Tipo,
    /// Reads the act; its problems are added to the fields.
    pub(in crate::api) act: fn(&mut BodyFields<'_>) -> Option<DocumentAct>,
    /// Member with the text of the event.
    pub(in crate::api) campo: &'static str,
    /// Message of the 202.
    pub(in crate::api) accepted: &'static str,
}

/// Handles such a route: reads, registers, answers.
pub(in crate::api) async fn register(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
    route: ActRoute,
) -> Result<Response, ApiError> {
    let accepted = route.accepted;
    let registered = submit_act(app, caller, body, route).await?;
    answer(app, caller.ambiente, registered, accepted).await
}

/// Reads the request and registers its job.
pub(crate) async fn submit_act(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
    route: ActRoute,
) -> Result<RegistrationResult, ApiError> {
    let request = read(body, app.reach(), &route)?;
    let (engine, acting) = (app.engine().clone(), caller.clone());
    let case = async move { engine.act(&acting, request).await };
    // a photograph is decoded and hashed here
    let registered = app.dispatch_use_case(caller.tenant_id, is_big(body), case).await?;
    registered.map_err(|error| event_refusal(error, route.tipo.name(), route.campo))
}

/// Reads the request and stores it until a person has decided.
pub(in crate::api) async fn prepare_event(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
    route: ActRoute,
) -> Result<PreparedAct, ApiError> {
    let request = read(body, app.reach(), &route)?;
    let (engine, acting) = (app.engine().clone(), caller.clone());
    let most_open = app.limits().account.open_preparations();
    let case = async move { engine.prepare_act(&acting, request, most_open).await };
    let prepared = app.dispatch_use_case(caller.tenant_id, is_big(body), case).await?;
    prepared.map_err(|error| act_refusal(error, route.tipo, route.campo))
}

/// Reads a request for an event: company, document, reference and webhook are read here, the act by its route.
fn read(body: &Map<String, Value>, reach: &AddressPolicy, route: &ActRoute) -> Result<ActRequest, ApiError> {
    let tipo = route.tipo;
    let mut fields = BodyFields::of(body);
    let company = wrapper::company(&mut fields);
    let targets = targets(&mut fields, tipo);
    let act = (route.act)(&mut fields);
    let substitute_key = act.as_ref().and_then(|act| substitute_key(&mut fields, act));
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let mut targets = targets.into_iter();
    let (Some(cpf_cnpj), Some(target), Some(act)) = (company, targets.next(), act) else {
        return Err(ApiError::internal());
    };
    Ok(ActRequest { cpf_cnpj, tipo, target, also: targets.collect(), substitute_key, act, referencia, webhook_url })
}

/// `job_id` or `chave`, one of them required; the key of either length. A municipal NFS-e, which has no key, is also
/// named by its `numero`. Several names must mean one document, which the engine checks.
fn targets(fields: &mut BodyFields<'_>, tipo: Tipo) -> Vec<DocumentTarget> {
    let by_job = is_given(fields, "job_id").then(|| job_id(fields, "job_id"));
    let name = ["chave", "chave_acesso"].into_iter().find(|name| is_given(fields, name));
    let by_key = name.map(|name| {
        let text = fields.text(&[name])?;
        if tipo == Tipo::Nfse { chave_nfse(fields, name, text) } else { chave(fields, name, text) }
    });
    let by_number = (tipo == Tipo::Nfse && is_given(fields, "numero"))
        .then(|| fields.integer("numero").map(DocumentTarget::Numero));
    let named = [by_job, by_key, by_number];
    if named.iter().all(Option::is_none) {
        let missing = match tipo {
            Tipo::Nfse => "Informe job_id ou chave da nota; da municipal, job_id ou numero.",
            _ => "Informe job_id ou chave da nota.",
        };
        fields.refuse(&error_code::CAMPO_OBRIGATORIO, "chave", missing);
    }
    named.into_iter().flatten().flatten().collect()
}

/// `job_id_substituto` or `chave_substituta`: the NFC-e that replaces the cancelled one.
pub(in crate::api) fn substitute(fields: &mut BodyFields<'_>) -> Option<DocumentTarget> {
    if is_given(fields, "job_id_substituto") {
        return job_id(fields, "job_id_substituto");
    }
    let text = fields.text(&["chave_substituta"])?;
    chave(fields, "chave_substituta", text)
}

/// Key of the substitute, when its job is given too.
fn substitute_key(fields: &mut BodyFields<'_>, act: &DocumentAct) -> Option<String> {
    let DocumentAct::Cancelar { substituta: Some(DocumentTarget::Job(_)), .. } = act else { return None };
    let text = is_given(fields, "chave_substituta").then(|| fields.text(&["chave_substituta"])).flatten()?;
    match chave(fields, "chave_substituta", text)? {
        DocumentTarget::Chave(chave) => Some(chave),
        _ => None,
    }
}

/// True for a present value; an empty text counts as absent.
fn is_given(fields: &BodyFields<'_>, name: &'static str) -> bool {
    fields.value(&[name]).is_some_and(|(_, value)| value.as_str().is_none_or(|text| !text.trim().is_empty()))
}

fn job_id(fields: &mut BodyFields<'_>, name: &'static str) -> Option<DocumentTarget> {
    let id = Uuid::parse_str(fields.text(&[name])?).ok();
    if id.is_none() {
        fields.refuse(&error_code::REQUISICAO_INVALIDA, name, format!("{name} deve ser o UUID devolvido na emissão."));
    }
    id.map(DocumentTarget::Job)
}

fn chave(fields: &mut BodyFields<'_>, name: &'static str, text: &str) -> Option<DocumentTarget> {
    match Chave::parse(&bare_chave(text)) {
        Ok(chave) => Some(DocumentTarget::Chave(chave.as_str().to_owned())),
        Err(wrong) => {
            fields.refuse(&error_code::VALIDACAO, name, format!("{name} inválida: {wrong}."));
            None
        }
    }
}

/// Key of a national NFS-e. The use case refuses keys of other documents.
fn chave_nfse(fields: &mut BodyFields<'_>, name: &'static str, text: &str) -> Option<DocumentTarget> {
    match Chave::parse(text).or_else(|_| ChaveNfse::parse(text).map(Chave::from)) {
        Ok(chave) => Some(DocumentTarget::Chave(chave.as_str().to_owned())),
        Err(wrong) => {
            fields.refuse(&error_code::VALIDACAO, name, format!("{name} inválida: {wrong}."));
            None
        }
    }
}

/// A required text of a minimum and a maximum length; blanks around it are removed and those inside folded, as the
/// layouts require.
pub(in crate::api) fn text_of(
    fields: &mut BodyFields<'_>,
    name: &'static str,
    missing: &str,
    lengths: std::ops::RangeInclusive<usize>,
) -> Option<String> {
    let text = fields.required_text(&[name], missing)?.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = text.chars().count();
    if lengths.contains(&length) {
        return Some(text);
    }
    let (from, until) = (lengths.start(), lengths.end());
    let mensagem = format!("{name} deve ter de {from} a {until} caracteres; veio com {length}.");
    fields.refuse(&error_code::VALIDACAO, name, mensagem);
    None
}

/// 202 with the job, or 200 with the first job of the reference.
pub(in crate::api) async fn answer(
    app: &App,
    credential: TpAmb,
    registered: RegistrationResult,
    mensagem: &'static str,
) -> Result<Response, ApiError> {
    match registered {
        RegistrationResult::New(job) => Ok((StatusCode::ACCEPTED, Json(accepted(&job, mensagem))).into_response()),
        RegistrationResult::Replay { job, divergent } => {
            let view = JobFacts::read(app.store(), job).await?.replayed(credential, divergent);
            Ok(Json(view).into_response())
        }
    }
}

fn accepted(job: &Job, mensagem: &'static str) -> AcceptedView {
    AcceptedView {
        job_id_emissao: Maybe(Some(job.alvo)),
        operacao: Maybe(Some(Word(job.operacao))),
        ..job::accepted(job, mensagem)
    }
}
