//! `POST /painel/emitir`: checks, previews or issues the document, or changes the form.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::TpAmb;
use store::jobs::RegistrationResult;
use uuid::Uuid;

use super::finding_list::FindingList;
use super::form_family::FormFamily;
use super::issue_form::{IssueForm, IssueOrigin, document_address};
use super::issue_page::{PageState, show};
use super::record::describe_emission;
use super::submitted_issue::SubmittedIssue;
use super::unknown;
use crate::api::error::ApiError;
use crate::api::permission::{RequiredPermission, require};
use crate::app::App;
use crate::painel::form::FormFields;
use crate::painel::frame;
use crate::painel::panel_session::PanelSession;

/// `POST /painel/emitir`
pub(crate) async fn submit_issue(State(app): State<App>, sent: SubmittedIssue) -> Response {
    act(&app, sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn act(app: &App, sent: SubmittedIssue) -> Result<Response, ApiError> {
    let SubmittedIssue { visitor, fields, draft } = sent;
    let Some(family) = FormFamily::of_word(fields.text("familia")) else { return Ok(unknown(&visitor)) };
    let origin = match fields.text("de") {
        "" => None,
        id => match Uuid::parse_str(id) {
            Ok(id) => IssueOrigin::find(app, &visitor.at.caller, id).await?,
            Err(_) => return Ok(unknown(&visitor)),
        },
    };
    let mut form = IssueForm {
        family,
        draft,
        cpf_cnpj: fields.text("cpf_cnpj").to_owned(),
        referencia: fields.text("referencia_externa").to_owned(),
        webhook_url: fields.text("webhook_url").to_owned(),
        origin,
        remarks: Vec::new(),
    };
    let act = fields.text("acao");
    let (act, path) = act.split_once(':').unwrap_or((act, ""));
    if path.is_empty() {
        form.draft.settle();
    }
    match (act, path) {
        ("previa", _) => preview(app, &visitor, form).await,
        ("emitir" | "emitir-assim", _) => issue(app, &visitor, form, &fields).await,
        (change @ ("mais" | "menos" | "abrir"), path) => {
            match change {
                "mais" => form.draft.append(path),
                "menos" => form.draft.remove(path),
                _ => form.draft.open(path),
            };
            show(app, &visitor, form, FindingList::default(), PageState::Begun).await
        }
        _ => check(app, &visitor, form).await,
    }
}

async fn check(app: &App, visitor: &PanelSession, form: IssueForm) -> Result<Response, ApiError> {
    match form.family.check(app, &visitor.at.caller, form.body()).await {
        Ok(view) => {
            let findings = FindingList::of_check(&view);
            show(app, visitor, form, findings, PageState::Checked(view.ambiente.0)).await
        }
        Err(error) => refused(app, visitor, form, &error).await,
    }
}

async fn preview(app: &App, visitor: &PanelSession, form: IssueForm) -> Result<Response, ApiError> {
    match form.family.preview(app, &visitor.at.caller, form.body()).await {
        Ok(pdf) => Ok(pdf),
        Err(error) => refused(app, visitor, form, &error).await,
    }
}

/// Issues the document, unless there are findings that the person has not seen.
async fn issue(app: &App, visitor: &PanelSession, form: IssueForm, fields: &FormFields) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    require(caller, RequiredPermission::Act)?;
    let view = match form.family.check(app, caller, form.body()).await {
        Ok(view) => view,
        Err(error) => return refused(app, visitor, form, &error).await,
    };
    let (ambiente, findings) = (view.ambiente.0, FindingList::of_check(&view));
    if ambiente == TpAmb::Producao && fields.text("destino") != TpAmb::Producao.word() {
        return show(app, visitor, form, findings, PageState::GoesToProduction).await;
    }
    if fields.text("acao") == "emitir" && findings.warns() {
        return show(app, visitor, form, findings, PageState::Warned).await;
    }
    describe_emission(visitor, form.origin.as_ref());
    let issued = match form.family.register(app, caller, form.body()).await {
        Ok(issued) => issued.issued,
        Err(error) => return refused(app, visitor, form, &error).await,
    };
    match issued.registered {
        RegistrationResult::New(job) => Ok(Redirect::to(&document_address(&job)).into_response()),
        RegistrationResult::Replay { job, divergent } if divergent || job.ambiente != ambiente => {
            let text = "Esta referência já é de outro documento, e nada foi emitido. Troque-a, por exemplo com mais uma letra no fim.";
            let findings = FindingList::fault_at("referencia_externa", text.to_owned());
            show(app, visitor, form, findings, PageState::Refused(422)).await
        }
        // the form was sent twice
        RegistrationResult::Replay { job, .. } => Ok(Redirect::to(&document_address(&job)).into_response()),
    }
}

async fn refused(app: &App, visitor: &PanelSession, form: IssueForm, error: &ApiError) -> Result<Response, ApiError> {
    // a form that came whole and says something wrong
    let status = if error.code().status < 429 { 422 } else { error.code().status };
    show(app, visitor, form, FindingList::of_error(error), PageState::Refused(status)).await
}
