//! `GET|POST /painel/empresas/{cpf_cnpj}/tipos/{tipo}`: the configuration of a document type, and its change to the
//! other environment (`?para=`).

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use http::StatusCode;
use maud::{Markup, html};
use serde_json::Value;
use store::companies::Company;

use super::configuration_form::{ConfigurationForm, in_use};
use super::{configuration_path, page, path, refusal, requested, unknown};
use crate::api::empresas::configurar::{configure, next_numbers};
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::form::{FormFields, SubmittedForm};
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page};

/// State of the page.
#[derive(Default)]
struct PageContent<'a> {
    typed: Option<&'a FormFields>,
    refused: Option<&'a ApiError>,
    /// Notices about a change that was made.
    notices: Vec<String>,
}

/// `GET /painel/empresas/{cpf_cnpj}/tipos/{tipo}`
pub(crate) async fn show_configuration(
    State(app): State<App>,
    visitor: PanelSession,
    Path((number, tipo)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let wanted = form_urlencoded::parse(query.as_deref().unwrap_or_default().as_bytes())
        .find(|(name, _)| name == "para")
        .and_then(|(_, word)| TpAmb::from_word(&word));
    let shown = async {
        let Some(company) = requested(&app, &visitor, &number).await? else { return Ok(unknown(&visitor)) };
        let form = Tipo::from_word(&tipo).and_then(|tipo| ConfigurationForm::new(&company, tipo, wanted));
        match form {
            Some(form) => configuration_page(&app, &visitor, &company, &form, PageContent::default()).await,
            None => Ok(unknown(&visitor)),
        }
    };
    shown.await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/empresas/{cpf_cnpj}/tipos/{tipo}`
pub(crate) async fn submit_configuration(
    State(app): State<App>,
    Path((number, tipo)): Path<(String, String)>,
    sent: SubmittedForm,
) -> Response {
    change(&app, &number, &tipo, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn change(app: &App, number: &str, tipo: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, fields) = (&sent.visitor, &sent.fields);
    let Some(company) = requested(app, visitor, number).await? else { return Ok(unknown(visitor)) };
    let target = TpAmb::from_word(fields.text("ambiente"));
    let form = Tipo::from_word(tipo).and_then(|tipo| ConfigurationForm::new(&company, tipo, target));
    let Some(form) = form else { return Ok(unknown(visitor)) };
    if is_beyond(visitor, &form, &company) {
        return configuration_page(app, visitor, &company, &form, PageContent::default()).await;
    }
    let caller = &visitor.at.caller;
    let number = company.cpf_cnpj.as_str();
    match configure(app, caller, &visitor.actor, number, form.table, &form.body(fields)).await {
        Ok(answer) => {
            let notices = answer["avisos"].as_array().into_iter().flatten();
            let notices: Vec<String> =
                notices.filter_map(|notice| notice["mensagem"].as_str().map(str::to_owned)).collect();
            if notices.is_empty() {
                return Ok(Redirect::to(&path(company.cpf_cnpj)).into_response());
            }
            let changed = app.store().company(caller.tenant_id, company.cpf_cnpj).await?;
            let Some(form) = ConfigurationForm::new(&changed, form.tipo, None) else { return Ok(unknown(visitor)) };
            let content = PageContent { notices, ..PageContent::default() };
            configuration_page(app, visitor, &changed, &form, content).await
        }
        Err(error) if error.code().status >= 500 => Err(error),
        Err(error) => {
            let content = PageContent { typed: Some(fields), refused: Some(&error), ..PageContent::default() };
            configuration_page(app, visitor, &company, &form, content).await
        }
    }
}

/// True when production is concerned, and the session is of homologação.
fn is_beyond(visitor: &PanelSession, form: &ConfigurationForm<'_>, company: &Company) -> bool {
    let concerned = [Some(form.target), in_use(company, form.tipo)].contains(&Some(TpAmb::Producao));
    concerned && visitor.at.caller.ambiente != TpAmb::Producao
}

async fn configuration_page(
    app: &App,
    visitor: &PanelSession,
    company: &Company,
    form: &ConfigurationForm<'_>,
    content: PageContent<'_>,
) -> Result<Response, ApiError> {
    let (name, current) = (form.tipo.name(), in_use(company, form.tipo));
    let title = format!("Configurar {name}");
    if is_beyond(visitor, form, company) {
        let body = html! {
            h2 { (title) }
            p class="aviso" role="status" { "Aqui se trata da produção, e você está na homologação. Vá para a produção no alto desta página e abra este endereço de novo." }
        };
        return Ok(page(visitor, company, StatusCode::FORBIDDEN, ["", &title], &body));
    }
    let status = content.refused.map_or(StatusCode::OK, frame::form_status);
    let problems = content.refused.map(ApiError::problems).unwrap_or_default();
    let changes = current.is_some_and(|current| current != form.target);
    let body = html! {
        h2 { (title) }
        @if let Some(error) = content.refused { (refusal(error, |name| form.has_field(name))) }
        @if !content.notices.is_empty() {
            div class="aviso" role="status" { p { strong { "Guardado, com avisos." } } ul { @for text in &content.notices { li { (text) } } } }
        }
        (standing(current, form, changes))
        @if !changes { (next(app, visitor, company, form).await?) }
        form method="post" action=(configuration_path(company.cpf_cnpj, form.tipo)) {
            (session_page::proof(visitor))
            input type="hidden" name="ambiente" value=(form.target.word());
            (form.show(content.typed, problems))
            p class="botoes" {
                button class={ "botao principal " (form.target.word()) } { (button(form, changes)) }
                a class="botao" href=(path(company.cpf_cnpj)) { "Voltar sem mudar" }
            }
        }
        @if !changes { (other_way(visitor, company, form, current)) }
    };
    Ok(page(visitor, company, status, ["", &title], &body))
}

fn button(form: &ConfigurationForm<'_>, changes: bool) -> String {
    match changes {
        true => format!("Guardar e passar para {}", frame::name(form.target)),
        false => "Guardar a configuração".to_owned(),
    }
}

fn standing(current: Option<TpAmb>, form: &ConfigurationForm<'_>, changes: bool) -> Markup {
    let name = form.tipo.name();
    html! {
        @match current {
            None => { p { "Ainda não configurada. Comece pela homologação, onde nada tem valor fiscal: basta guardar, e o que faltar uma nota de teste mostra." } }
            Some(current) if changes => {
                p class="aviso" {
                    "Hoje os documentos " (name) " desta empresa saem em " strong { (frame::name(current)) } ". Ao guardar, passam a sair em "
                    strong { (frame::name(form.target)) } ": " (frame::meaning(form.target)) "."
                }
            }
            Some(current) => { p { "Em uso: " strong class={ "ambiente " (current.word()) } { (frame::name(current)) } ", " (frame::meaning(current)) "." } }
        }
    }
}

/// The numbers that follow.
async fn next(
    app: &App,
    visitor: &PanelSession,
    company: &Company,
    form: &ConfigurationForm<'_>,
) -> Result<Markup, ApiError> {
    let numbers = next_numbers(app, &visitor.at.caller, form.table, company).await?;
    Ok(html! {
        @for (group, series, next) in numbers {
            p {
                @if group.is_some() { "CT-e OS: o" } @else { "O" } " próximo documento da série " (series.serie) " "
                @match next {
                    Some(next) => { "recebe o número " strong { (next) } "." }
                    None => { "não tem mais número: configure outra série." }
                }
            }
        }
    })
}

/// The way to the other environment.
fn other_way(
    visitor: &PanelSession,
    company: &Company,
    form: &ConfigurationForm<'_>,
    current: Option<TpAmb>,
) -> Markup {
    let here = configuration_path(company.cpf_cnpj, form.tipo);
    html! {
        @match current {
            Some(TpAmb::Homologacao) if visitor.at.caller.ambiente == TpAmb::Producao => {
                p { a href={ (here) "?para=producao" } { "Passar para a produção" } " · antes, veja o que falta em " a href={ (path(company.cpf_cnpj)) "/producao" } { "Ir para produção" } "." }
            }
            Some(TpAmb::Producao) => { p { a href={ (here) "?para=homologacao" } { "Voltar para a homologação" } } }
            _ => {}
        }
    }
}

/// Stored value of a member for an environment.
pub(super) fn of_environment<'a>(company: &'a Company, tipo: Tipo, ambiente: TpAmb, name: &str) -> &'a Value {
    &company.configuracoes.get(tipo.word()).unwrap_or(&Value::Null)[ambiente.word()][name]
}
