//! `GET|POST /painel/recebidos/{empresa}/{chave}/manifestar/{ato}`: the form of a manifestation, and its submission.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::tipo::Tipo;
use fiscal::value::masked;
use http::StatusCode;
use maud::{Markup, html};
use serde_json::{Map, Value, json};
use store::jobs::RegistrationResult;
use store::received::ReceivedDocument;
use uuid::Uuid;

use super::document_page::{order_path, term};
use super::law::{JustificationField, ManifestAct};
use super::{path, title, unknown, visible_document};
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::{nfe, nfse};
use crate::app::App;
use crate::painel::form::{FormFields, SubmittedForm};
use crate::painel::navigation::RECEIVED;
use crate::painel::panel_session::PanelSession;
use crate::painel::{document, frame, session_page, words};

type ManifestAddress = (String, String, String);

/// `GET /painel/recebidos/{empresa}/{chave}/manifestar/{ato}`
pub(crate) async fn show_manifestation(
    State(app): State<App>,
    visitor: PanelSession,
    Path(address): Path<ManifestAddress>,
) -> Response {
    match requested(&app, &visitor, &address).await {
        Ok(Some((document, act))) => {
            let form = ManifestForm { act, document: &document, typed: None, refused: None };
            form.page(&app, &visitor, StatusCode::OK)
        }
        Ok(None) => unknown(&visitor),
        Err(error) => frame::failure(&error),
    }
}

/// `POST /painel/recebidos/{empresa}/{chave}/manifestar/{ato}`
pub(crate) async fn submit_manifestation(
    State(app): State<App>,
    Path(address): Path<ManifestAddress>,
    sent: SubmittedForm,
) -> Response {
    let visitor = &sent.visitor;
    let (document, act) = match requested(&app, visitor, &address).await {
        Ok(Some(found)) => found,
        Ok(None) => return unknown(visitor),
        Err(error) => return frame::failure(&error),
    };
    match submit(&app, visitor, &document, act, &sent.fields).await {
        Ok(job) => Redirect::to(&format!("{}#resultado", order_path(&document, job))).into_response(),
        Err(error) => {
            let status = frame::form_status(&error);
            let form = ManifestForm { act, document: &document, typed: Some(&sent.fields), refused: Some(&error) };
            form.page(&app, visitor, status)
        }
    }
}

/// The document and the manifestation of an address; `None` when either does not exist for this session.
async fn requested(
    app: &App,
    visitor: &PanelSession,
    (empresa, chave, ato): &ManifestAddress,
) -> Result<Option<(ReceivedDocument, &'static ManifestAct)>, ApiError> {
    let Some(found) = visible_document(app, visitor, empresa, chave).await? else { return Ok(None) };
    Ok(ManifestAct::at(found.note.facts.type_facts.tipo(), ato).map(|act| (found.note, act)))
}

/// Registers the manifestation as its route would; returns its job.
async fn submit(
    app: &App,
    visitor: &PanelSession,
    document: &ReceivedDocument,
    act: &ManifestAct,
    typed: &FormFields,
) -> Result<Uuid, ApiError> {
    let caller = &visitor.at.caller;
    if act.lasting.is_some() && typed.text("entendi") != "sim" {
        let mensagem = "Marque que leu o que esta manifestação causa: ela não se apaga.";
        return Err(ApiError::from_problems(vec![FieldProblem::new(
            &error_code::CAMPO_OBRIGATORIO,
            "entendi",
            mensagem,
        )]));
    }
    if !is_possible(app, visitor, document, act) {
        return Err(ApiError::new(&error_code::ESTADO_INVALIDO, NOT_NOW));
    }
    let mut body: Map<String, Value> = Map::new();
    body.insert("cpf_cnpj".to_owned(), json!(document.cpf_cnpj.as_str()));
    body.insert("chave".to_owned(), json!(document.facts.chave));
    body.insert("tipo".to_owned(), json!(act.word));
    for name in ["justificativa", "codigo_motivo"] {
        let text = typed.text(name).trim();
        if !text.is_empty() {
            body.insert(name.to_owned(), json!(text));
        }
    }
    let registered = match document.facts.type_facts.tipo() {
        Tipo::Nfse => nfse::manifestar::submit_manifestation(app, caller, &body).await?,
        _ => nfe::manifestar::submit_manifestation(app, caller, &body).await?,
    };
    let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = registered;
    Ok(job.id)
}

/// True when the document's state and this session's environment allow the manifestation.
fn is_possible(app: &App, visitor: &PanelSession, document: &ReceivedDocument, act: &ManifestAct) -> bool {
    let is_open = document.facts.type_facts.tipo() != Tipo::Nfse || app.manifests_services();
    is_open && document.ambiente == visitor.at.caller.ambiente && act.is_offered(document)
}

const NOT_NOW: &str = "Esta manifestação não é possível no estado em que o documento está agora.";

struct ManifestForm<'a> {
    act: &'a ManifestAct,
    document: &'a ReceivedDocument,
    typed: Option<&'a FormFields>,
    refused: Option<&'a ApiError>,
}

impl ManifestForm<'_> {
    fn page(&self, app: &App, visitor: &PanelSession, status: StatusCode) -> Response {
        let ManifestForm { act, document, .. } = self;
        let (here, heading) = (path(document), format!("{}: {}", act.name, title(document)));
        let body = html! {
            p { a href=(here) { (title(document)) } }
            h1 { (heading) }
            (self.refusal())
            p { (act.meaning) }
            (term(act, document, app.engine().now_s()))
            dl class="ficha" {
                dt { "De quem" } dd { (document.facts.nome) br; span class="fraca" { (masked(&document.facts.emitente)) } }
                @if let Some(total) = &document.facts.valor { dt { "Valor total" } dd class="valor" { "R$ " (words::decimal(total)) } }
                dt { "Chave de acesso" } dd { code class="chave" { (document::by_fours(&document.facts.chave)) } }
                dt { "Ambiente" } dd { strong class={ "ambiente " (document.ambiente.word()) } { (frame::name(document.ambiente)) } }
            }
            @if is_possible(app, visitor, document, act) {
                form method="post" action={ (here) "/manifestar/" (act.word) } {
                    (session_page::proof(visitor))
                    (self.controls())
                    p class="botoes" {
                        button class={ "principal " (document.ambiente.word()) } { (act.button) }
                        a class="botao" href=(here) { "Voltar sem fazer nada" }
                    }
                }
            } @else {
                p class="aviso" { (NOT_NOW) }
                p { a href=(here) { "Voltar ao documento" } }
            }
        };
        session_page::page(visitor, &RECEIVED, status, &heading, body)
    }

    fn text(&self, name: &str) -> &str {
        self.typed.map(|typed| typed.text(name)).unwrap_or_default()
    }

    fn problem(&self, name: &str) -> Option<&FieldProblem> {
        self.refused.into_iter().flat_map(ApiError::problems).find(|problem| problem.campo == name)
    }

    fn controls(&self) -> Markup {
        let act = self.act;
        html! {
            @if !act.reasons.is_empty() {
                label {
                    "Motivo"
                    select name="codigo_motivo" aria-invalid=[self.wrong("codigo_motivo")] aria-describedby=[self.told("codigo_motivo")] {
                        option value="" { "Escolha o motivo" }
                        @for (code, text) in act.reasons { option value=(code) selected[*code == self.text("codigo_motivo")] { (text) } }
                    }
                    (self.failure("codigo_motivo"))
                }
            }
            @if act.justification != JustificationField::Absent {
                label {
                    "Justificativa"
                    @if act.justification == JustificationField::Optional { " (pode ficar vazia)" }
                    small { "De 15 a 255 caracteres. O emitente e a autoridade a leem." }
                    textarea name="justificativa" rows="4" maxlength="255"
                        aria-invalid=[self.wrong("justificativa")] aria-describedby=[self.told("justificativa")] { (self.text("justificativa")) }
                    (self.failure("justificativa"))
                }
            }
            @if let Some(lasting) = act.lasting {
                label class="opcao" {
                    input type="checkbox" name="entendi" value="sim" checked[self.text("entendi") == "sim"]
                        aria-invalid=[self.wrong("entendi")] aria-describedby=[self.told("entendi")];
                    " Li e entendi: " (lasting)
                    (self.failure("entendi"))
                }
            }
        }
    }

    fn wrong(&self, name: &str) -> Option<&'static str> {
        self.problem(name).map(|_| "true")
    }

    fn told(&self, name: &str) -> Option<String> {
        self.problem(name).map(|_| format!("falha-{name}"))
    }

    fn failure(&self, name: &str) -> Markup {
        html! { @if let Some(problem) = self.problem(name) { span class="falha" id={ "falha-" (name) } { (problem.mensagem) } } }
    }

    /// The refusal above the form; a problem of a field stands beside it.
    fn refusal(&self) -> Markup {
        let Some(error) = self.refused else { return html! {} };
        let is_field =
            |problem: &&FieldProblem| ["codigo_motivo", "justificativa", "entendi"].contains(&problem.campo.as_str());
        let elsewhere: Vec<&str> = error
            .problems()
            .iter()
            .filter(|problem| !is_field(problem))
            .map(|problem| problem.mensagem.as_str())
            .collect();
        html! {
            div class="recusa" role="alert" {
                p { strong { "Nada foi feito." } }
                @if error.problems().is_empty() {
                    p { (error.detail()) }
                    p { a href={ "/docs/erros/" (error.code().codigo) } { "O que isto quer dizer e o que fazer" } }
                } @else if elsewhere.is_empty() {
                    p { "Corrija o que está indicado abaixo." }
                } @else {
                    ul { @for text in elsewhere { li { (text) } } }
                }
            }
        }
    }
}
