//! The page of a document that a person writes: findings, company and reference, the document's fields, and the acts.

use std::collections::BTreeSet;

use axum::response::Response;
use fiscal::value::{TpAmb, masked};
use http::StatusCode;
use maud::{Markup, html};

use super::ADDRESS;
use super::draft_form::{self, DrawnForm};
use super::field_path::{id, outer};
use super::finding_list::{FindingList, FormFinding};
use super::issue_form::{IssueForm, IssueOrigin, document_address};
use super::rejection::remedy;
use super::submitted_issue::{DRAFT, MOST_FIELDS};
use super::wrapper_fields::wrapper_fields;
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::company_choices::CompanyChoices;
use crate::painel::navigation::ISSUE;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page};
use store::Visibility;

/// Act that led to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageState {
    /// The form was opened, or changed in its shape.
    Begun,
    /// The document was checked; it would go to this environment.
    Checked(TpAmb),
    /// There are findings against the document; the person may issue it all the same.
    Warned,
    /// The document would go to production, and the button named homologação.
    GoesToProduction,
    /// Nothing was done.
    Refused(u16),
}

/// The page.
pub(super) async fn show(
    app: &App,
    visitor: &PanelSession,
    form: IssueForm,
    findings: FindingList,
    state: PageState,
) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    let companies = CompanyChoices::read(app, Visibility::of(caller)).await?;
    let draw = move || {
        let drawn = draft_form::draw(&form.draft, form.family.members(), &findings);
        let text = form.draft.text();
        (form, findings, drawn, text)
    };
    // a large document takes more than a millisecond, and its size is known only once it is drawn
    let (form, findings, drawn, text) = app.engine().heavy().run(caller.tenant_id, draw).await?;
    if drawn.fields > MOST_FIELDS {
        return Ok(too_large(visitor, &form, drawn.fields));
    }
    let destination = form.destination(app, caller).await?;
    let page = IssuePage { visitor, form: &form, findings: &findings, drawn: &drawn, state, destination };
    let body = page.body(&companies, &text);
    let title = format!("Emitir {}", form.family.name);
    Ok(session_page::page(visitor, &ISSUE, state.status(), &title, body))
}

struct IssuePage<'a> {
    visitor: &'a PanelSession,
    form: &'a IssueForm,
    findings: &'a FindingList,
    drawn: &'a DrawnForm,
    state: PageState,
    destination: TpAmb,
}

impl IssuePage<'_> {
    fn body(&self, companies: &CompanyChoices, draft: &str) -> Markup {
        let IssuePage { form, findings, drawn, .. } = self;
        let correcting = form.origin.as_ref().is_some_and(|origin| origin.rejected().is_some());
        html! {
            p { a href=(ADDRESS) { "Escolher outro começo" } }
            h1 { @if correcting { "Corrigir e emitir de novo: " } @else { "Emitir " } (form.family.name) }
            (self.outcome())
            @if let Some(origin) = &form.origin { (origin_lines(origin)) }
            (self.summary())
            @for remark in &form.remarks { p class="aviso" { (remark) } }
            @if !drawn.untouched.is_empty() {
                p class="aviso" {
                    "Seguem com o documento, como estão, sem campo nesta página: "
                    @for path in &drawn.untouched { code { (fiscal::finding::excerpt(path)) } " " }
                }
            }
            form method="post" action=(ADDRESS) autocomplete="off" novalidate class="documento" {
                (session_page::proof(self.visitor))
                input type="hidden" name="familia" value=(form.family.word);
                input type="hidden" name="destino" value=(self.destination.word());
                @if let Some(origin) = &form.origin { input type="hidden" name="de" value=(origin.job.id); }
                input type="hidden" name=(DRAFT) value=(draft);
                (self.acts())
                (wrapper_fields(form, findings, companies))
                (drawn.markup)
                (self.acts())
            }
        }
    }

    /// The outcome of the last act, as a sentence.
    fn outcome(&self) -> Markup {
        let place =
            |ambiente| html! { "Iria para: " strong { (frame::name(ambiente)) } ", " (frame::meaning(ambiente)) "." };
        html! {
            @match self.state {
                PageState::Begun => {}
                PageState::Checked(ambiente) if self.findings.warns() => {
                    p class="recusa" role="alert" { "Verificado, e ainda não está pronto: veja abaixo o que corrigir. Nada foi emitido. " (place(ambiente)) }
                }
                PageState::Checked(ambiente) => {
                    p class="decisao" role="status" { "Verificado: nada impede a emissão. Nada foi emitido ainda. " (place(ambiente)) }
                }
                PageState::Warned => {
                    p class="recusa" role="alert" { "Nada foi emitido: há o que corrigir. Se está certo assim mesmo, use “Emitir mesmo assim”." }
                }
                PageState::GoesToProduction => {
                    p class="recusa" role="alert" { "Nada foi emitido: este documento iria para a PRODUÇÃO, com efeito fiscal. Se é isso mesmo, use o botão que o diz." }
                }
                PageState::Refused(_) => { p class="recusa" role="alert" { "Nada foi feito: veja abaixo o que corrigir." } }
            }
        }
    }

    /// Every finding, with a link to its field.
    fn summary(&self) -> Markup {
        let (wrong, remarks): (Vec<&FormFinding>, Vec<&FormFinding>) =
            self.findings.found.iter().partition(|finding| finding.weight.is_wrong());
        html! {
            @if !wrong.is_empty() {
                section aria-labelledby="problemas" {
                    h2 id="problemas" { "O que corrigir (" (wrong.len()) ")" }
                    ul { @for finding in &wrong { (self.line(finding)) } }
                }
            }
            @if self.findings.omitted > 0 { p { "Há mais " (self.findings.omitted) " que aparecem quando estes forem corrigidos." } }
            @if !remarks.is_empty() {
                details {
                    summary { "Avisos (" (remarks.len() + self.findings.omitted_remarks) "): o que será assumido ou mudado" }
                    ul { @for finding in &remarks { (self.line(finding)) } }
                }
            }
        }
    }

    fn line(&self, finding: &FormFinding) -> Markup {
        html! {
            li {
                @if let Some(place) = nearest(&finding.campo, &self.drawn.places) {
                    a href={ "#" (id(place)) } { (finding.text) }
                } @else { (finding.text) }
                @if !finding.campo.is_empty() { " " code { (fiscal::finding::excerpt(&finding.campo)) } }
            }
        }
    }

    fn acts(&self) -> Markup {
        let live = self.destination == TpAmb::Producao;
        let class = if live { "botao principal producao" } else { "botao principal" };
        let place = if live { "PRODUÇÃO" } else { "homologação" };
        html! {
            div class="botoes" {
                button class="botao" name="acao" value="verificar" { "Verificar" }
                button class="botao" name="acao" value="previa" formtarget="_blank" { "Pré-visualizar (PDF)" }
                button class=(class) name="acao" value="emitir" { "Emitir em " (place) }
                @if matches!(self.state, PageState::Warned) {
                    button class="botao nao" name="acao" value="emitir-assim" { "Emitir mesmo assim em " (place) }
                }
            }
        }
    }
}

/// The earlier document, and what became of it.
fn origin_lines(origin: &IssueOrigin) -> Markup {
    let job = &origin.job;
    let reference = job.referencia.as_deref();
    html! {
        p {
            @if origin.rejected().is_some() { "Corrige " } @else { "Parte de " }
            a href=(document_address(job)) {
                @if let Some(reference) = reference { (reference) } @else { "o documento " (job.id) }
            }
            "."
        }
        @if let Some(document) = origin.rejected() {
            div class="recusa" {
                p {
                    "A autoridade o rejeitou"
                    @if let Some(code) = &document.codigo { " (" (code.as_str()) ")" }
                    ": " q { (document.xMotivo.as_deref().unwrap_or("sem texto")) }
                }
                @if let Some(remedy) = remedy(document) { (remedy) }
            }
        }
    }
}

/// Nearest place on the page of a path: itself, or what encloses it.
fn nearest<'p>(path: &'p str, places: &BTreeSet<String>) -> Option<&'p str> {
    let on_page = |path: &str| places.contains(path) || WRAPPER.contains(&path);
    std::iter::successors(Some(path), |path| outer(path)).find(|path| on_page(path))
}

/// Fields beside those of `nota`.
const WRAPPER: &[&str] = &["cpf_cnpj", "referencia_externa", "webhook_url"];

fn too_large(visitor: &PanelSession, form: &IssueForm, fields: usize) -> Response {
    let body = html! {
        h1 { "Grande demais para o formulário" }
        p { "Este documento de " (masked(&form.cpf_cnpj)) " tem " (fields) " campos, e a página mostra até " (MOST_FIELDS) ". Um documento deste tamanho é emitido por programa." }
        p { a href=(ADDRESS) { "Escolher outro começo" } }
    };
    session_page::page(visitor, &ISSUE, StatusCode::PAYLOAD_TOO_LARGE, "Grande demais", body)
}

impl PageState {
    fn status(self) -> StatusCode {
        match self {
            PageState::Begun | PageState::Checked(_) => StatusCode::OK,
            PageState::Warned | PageState::GoesToProduction => StatusCode::UNPROCESSABLE_ENTITY,
            PageState::Refused(status) => StatusCode::from_u16(status).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY),
        }
    }
}
