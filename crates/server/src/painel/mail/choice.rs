//! `/painel/emails/empresa`: which documents of a company are mailed, and a test.

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::mail::single_address;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::mail::MailChoice;

use super::super::company_choices::{CompanyChoices, CompanyField};
use super::super::form::{FormFields, SubmittedForm};
use super::super::frame;
use super::super::navigation::MAIL;
use super::super::panel_session::PanelSession;
use super::super::session_page::{self, proof};
use super::{fault, off_notice, subpages};
use crate::api::emails::enviar::send_test;
use crate::api::emails::require_server;
use crate::api::error::ApiError;
use crate::app::App;

/// A choice as it was typed.
#[derive(Debug, Clone, Default)]
struct TypedChoice {
    enviar: bool,
    responder_para: String,
    copia_para: String,
    sempre_para: String,
}

/// Refusal beside a field of a type's form, or of the test.
struct ChoiceFault {
    form: &'static str,
    field: &'static str,
    text: String,
}

/// State of the page after a form.
#[derive(Default)]
struct MailChoiceState {
    company: String,
    typed: Option<(Tipo, TypedChoice)>,
    teste: String,
    fault: Option<ChoiceFault>,
}

/// `GET /painel/emails/empresa`
pub(crate) async fn show_choice(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let found = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "empresa");
    let company = found.map(|(_, number)| number.into_owned()).unwrap_or_default();
    let state = MailChoiceState { company, ..MailChoiceState::default() };
    render(&app, &visitor, StatusCode::OK, &state).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/emails/empresa`
pub(crate) async fn submit_choice(State(app): State<App>, sent: SubmittedForm) -> Response {
    choose(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/emails/teste`
pub(crate) async fn submit_test(State(app): State<App>, sent: SubmittedForm) -> Response {
    test(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn choose(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (fields, caller) = (&sent.fields, &sent.visitor.at.caller);
    let unknown = || ApiError::not_found("Esta conta não tem essa empresa, ou não há esse tipo de documento.");
    let company = CnpjCpf::parse(fields.text("empresa")).map_err(|_| unknown())?;
    let tipo = Tipo::from_word(fields.text("tipo")).ok_or_else(unknown)?;
    let typed = TypedChoice::read(fields);
    let checked = match require_server(app) {
        Err(error) if typed.enviar => {
            Err(ChoiceFault { form: tipo.word(), field: "enviar", text: error.detail().to_owned() })
        }
        _ => typed.checked(tipo, caller.ambiente),
    };
    match checked {
        Ok(choice) => {
            app.store().require_reach(Visibility::of(caller), company).await.map_err(|error| absent(error, unknown))?;
            let stored = app.store().set_mail_choice(
                caller.tenant_id,
                company,
                caller.ambiente,
                choice,
                &sent.visitor.actor,
                app.engine().now_s(),
            );
            stored.await.map_err(|error| absent(error, unknown))?;
            Ok(Redirect::to(&format!("{}/empresa?empresa={}", MAIL.path, company.as_str())).into_response())
        }
        Err(fault) => {
            let company = company.as_str().to_owned();
            let state = MailChoiceState {
                company,
                typed: Some((tipo, typed)),
                fault: Some(fault),
                ..MailChoiceState::default()
            };
            render(app, &sent.visitor, StatusCode::UNPROCESSABLE_ENTITY, &state).await
        }
    }
}

/// Refusal of a company that the user does not reach, equal to that of an absent one.
fn absent(error: store::Error, unknown: impl Fn() -> ApiError) -> ApiError {
    match error {
        store::Error::NotFound => unknown(),
        other => other.into(),
    }
}

async fn test(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, typed) = (&sent.visitor, sent.fields.text("para"));
    let caller = &visitor.at.caller;
    let told = match single_address(typed) {
        Err(wrong) => format!("O endereço {wrong}."),
        Ok(para) => match send_test(app, (caller.tenant_id, caller.ambiente), para, &visitor.actor).await {
            Ok(mail) => return Ok(Redirect::to(&format!("{}/{}", MAIL.path, mail.id)).into_response()),
            Err(error) if error.code().status >= 500 => return Err(error),
            Err(error) => error.detail().to_owned(),
        },
    };
    let fault = Some(ChoiceFault { form: "teste", field: "para", text: told });
    let state = MailChoiceState { teste: typed.to_owned(), fault, ..MailChoiceState::default() };
    render(app, visitor, StatusCode::UNPROCESSABLE_ENTITY, &state).await
}

impl TypedChoice {
    fn read(fields: &FormFields) -> TypedChoice {
        TypedChoice {
            enviar: fields.text("enviar") == "sim",
            responder_para: fields.text("responder_para").to_owned(),
            copia_para: fields.text("copia_para").to_owned(),
            sempre_para: fields.text("sempre_para").to_owned(),
        }
    }

    fn stored(choice: &MailChoice) -> TypedChoice {
        let text = |address: &Option<String>| address.clone().unwrap_or_default();
        TypedChoice {
            enviar: choice.enviar,
            responder_para: text(&choice.responder_para),
            copia_para: text(&choice.copia_para),
            sempre_para: text(&choice.sempre_para),
        }
    }

    fn checked(&self, tipo: Tipo, ambiente: TpAmb) -> Result<MailChoice, ChoiceFault> {
        let fault = |field, text: String| ChoiceFault { form: tipo.word(), field, text };
        let address = |field, text: &str| match text.trim() {
            "" => Ok(None),
            text => single_address(text).map(Some).map_err(|wrong| fault(field, format!("O endereço {wrong}."))),
        };
        let choice = MailChoice {
            tipo,
            enviar: self.enviar,
            responder_para: address("responder_para", &self.responder_para)?,
            copia_para: address("copia_para", &self.copia_para)?,
            sempre_para: address("sempre_para", &self.sempre_para)?,
        };
        if choice.enviar && ambiente == TpAmb::Homologacao && choice.sempre_para.is_none() {
            let text = "Em homologação nada vai ao destinatário: escreva o endereço que recebe os testes.";
            return Err(fault("sempre_para", text.to_owned()));
        }
        Ok(choice)
    }
}

async fn render(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    state: &MailChoiceState,
) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    let companies = CompanyChoices::read(app, Visibility::of(caller)).await?;
    let company = match (CnpjCpf::parse(&state.company), companies.companies.as_slice()) {
        (Ok(number), _) => Some(number),
        (Err(_), [only]) if state.company.is_empty() => Some(only.cpf_cnpj),
        _ => None,
    };
    let known = match company {
        Some(number) => {
            app.store().require_reach(Visibility::of(caller), number).await.is_ok()
                && app.store().company(caller.tenant_id, number).await.is_ok()
        }
        None => false,
    };
    let chosen = match company.filter(|_| known) {
        Some(number) => Some((number, app.store().mail_choices(caller.tenant_id, number, caller.ambiente).await?)),
        None => None,
    };
    let field = CompanyField {
        name: "empresa",
        chosen: company.as_ref().map_or(state.company.as_str(), CnpjCpf::as_str),
        none: None,
        is_wrong: !state.company.is_empty() && !known,
        told: None,
    };
    let body = html! {
        h1 { "O que enviar por e-mail" }
        (subpages("/empresa"))
        (off_notice(app))
        p { "Quando um documento é autorizado, o XML e o PDF podem ir sozinhos ao e-mail do destinatário que está no documento. Um cancelamento avisa a mesma pessoa." }
        form method="get" action={ (MAIL.path) "/empresa" } class="filtros" {
            label { "Empresa" (companies.control(&field)) }
            @if field.is_wrong { p class="recusa" role="alert" { "Esta conta não tem essa empresa." } }
            p class="botoes" { button { "Mostrar" } }
        }
        @if let Some((number, choices)) = &chosen {
            @for tipo in Tipo::ALL { (type_form(visitor, (*number, tipo), choices, state)) }
        }
        (test_form(visitor, state))
    };
    Ok(session_page::page(visitor, &MAIL, status, "O que enviar por e-mail", body))
}

fn type_form(
    visitor: &PanelSession,
    (company, tipo): (CnpjCpf, Tipo),
    choices: &[MailChoice],
    state: &MailChoiceState,
) -> Markup {
    let stored = choices.iter().find(|choice| choice.tipo == tipo).map(TypedChoice::stored).unwrap_or_default();
    let typed = state.typed.as_ref().filter(|(of, _)| *of == tipo).map(|(_, typed)| typed.clone());
    let choice = typed.unwrap_or(stored);
    let told = |field: &str| {
        state
            .fault
            .as_ref()
            .filter(|fault| fault.form == tipo.word() && fault.field == field)
            .map(|fault| fault.text.as_str())
    };
    let test = visitor.at.caller.ambiente == TpAmb::Homologacao;
    let always = if test { "Endereço que recebe os testes" } else { "Enviar sempre para este endereço" };
    let explained = if test {
        "Em homologação nada vai ao destinatário."
    } else {
        "Em vez do e-mail do destinatário. Deixe vazio para enviar a ele."
    };
    let fields = [
        ("sempre_para", always, explained, &choice.sempre_para),
        ("copia_para", "Cópia para", "Recebe uma cópia de cada e-mail.", &choice.copia_para),
        ("responder_para", "Respostas para", "Para onde vai a resposta de quem recebe.", &choice.responder_para),
    ];
    html! {
        form method="post" action={ (MAIL.path) "/empresa" } class="cartao" aria-labelledby={ "titulo-" (tipo.word()) } {
            (proof(visitor))
            h2 id={ "titulo-" (tipo.word()) } { (tipo.name()) }
            input type="hidden" name="empresa" value=(company.as_str());
            input type="hidden" name="tipo" value=(tipo.word());
            p {
                label {
                    input type="checkbox" name="enviar" value="sim" checked[choice.enviar] aria-describedby=[told("enviar").map(|_| format!("falha-{tipo}-enviar"))];
                    " Enviar quando for autorizado"
                }
                (fault(&format!("falha-{tipo}-enviar"), told("enviar")))
            }
            div class="campos-lado" {
                @for (name, title, help, value) in fields {
                    label {
                        (title)
                        input type="email" name=(name) value=(value) maxlength="254" aria-invalid=[told(name).map(|_| "true")]
                            aria-describedby=[told(name).map(|_| format!("falha-{tipo}-{name}"))];
                        small { (help) }
                        (fault(&format!("falha-{tipo}-{name}"), told(name)))
                    }
                }
            }
            p class="botoes" { button class="botao principal" aria-label={ "Guardar " (tipo.name()) } { "Guardar" } }
        }
    }
}

fn test_form(visitor: &PanelSession, state: &MailChoiceState) -> Markup {
    let told = state.fault.as_ref().filter(|fault| fault.form == "teste").map(|fault| fault.text.as_str());
    html! {
        h2 { "Mensagem de teste" }
        form method="post" action={ (MAIL.path) "/teste" } class="filtros" {
            (proof(visitor))
            label {
                "Para"
                input type="email" name="para" value=(state.teste) maxlength="254" required aria-invalid=[told.map(|_| "true")]
                    aria-describedby=[told.map(|_| "falha-teste")];
                (fault("falha-teste", told))
            }
            p class="botoes" { button { "Enviar teste" } }
        }
    }
}
