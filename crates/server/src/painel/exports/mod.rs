//! `/painel/exportacoes`: the month for the accountant, as a form and a list of files.

mod choice_form;
mod export_list;
mod submit;

pub(crate) use submit::{remove_export, submit_export};

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use maud::html;

use self::choice_form::{ChoiceForm, FormProblem};
use super::company_choices::CompanyChoices;
use super::navigation::EXPORTS;
use super::paging::{ListPage, ListPaging};
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::api::exportacoes;
use crate::app::App;
use store::Visibility;

static PAGES: ListPaging =
    ListPaging { parameter: "pagina", label: "Páginas", links: ["Mais novos", "Mais antigos"], size: 20 };

/// `GET /painel/exportacoes`
pub(crate) async fn show_exports(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    let page = PAGES.page(query.as_deref().unwrap_or_default());
    let shown = exports_page(&app, &visitor, StatusCode::OK, &ChoiceForm::default(), None, page).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// `GET /painel/exportacoes/{id}/arquivo`
pub(crate) async fn download_export(State(app): State<App>, visitor: PanelSession, Path(id): Path<String>) -> Response {
    let answer = match exportacoes::find(&app, &visitor.at.caller, &id).await {
        Ok(export) => exportacoes::arquivo::file_answer(&app, export),
        Err(error) => Err(error),
    };
    answer.unwrap_or_else(|error| frame::failure(&error))
}

/// The form and the list; `problem` stands beside its field.
async fn exports_page(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    chosen: &ChoiceForm,
    problem: Option<&FormProblem>,
    page: ListPage,
) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    let companies = CompanyChoices::read(app, Visibility::of(caller)).await?;
    let (exports, total) = app.store().exports(Visibility::of(caller), caller.ambiente, page.window()).await?;
    let body = html! {
        h1 { (EXPORTS.name) }
        p {
            "Um arquivo com tudo o que a contabilidade pede de um mês: os XMLs autorizados, os cancelamentos e outros eventos, as somas por CFOP, CST e imposto, e os números que faltam ou foram inutilizados. "
            "Só os documentos de " strong { (frame::name(caller.ambiente)) } "."
        }
        (choice_form::form(visitor, &companies, chosen, problem, (app.engine().now_s(), app.sends_mail())))
        (export_list::list(visitor, &exports, app.engine().now_s()))
        (page.links(EXPORTS.path, total))
    };
    Ok(session_page::page(visitor, &EXPORTS, status, EXPORTS.name, body))
}
