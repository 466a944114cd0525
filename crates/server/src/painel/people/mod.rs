//! `/painel/pessoas`: the people of an account, their roles, and invitations.
//!
//! Law: `docs/concepts/permissions.md`, "Roles".

mod acceptance;
mod invitation_form;
mod invitation_secret;
mod person_page;
mod role_words;
mod submit;

pub(crate) use acceptance::{accept_invitation, show_invitation};
pub(crate) use person_page::show_person;
pub(crate) use submit::{give_role, invite_person, remove_person, revoke_invitation, take_role};

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::invitations::InvitationRecord;
use store::roles::PersonRecord;

use self::invitation_form::{InvitationForm, InvitationProblem};
use super::company_choices::CompanyChoices;
use super::navigation::PEOPLE;
use super::panel_session::PanelSession;
use super::session_page::{page, proof};
use super::{frame, words};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;

/// `GET /painel/pessoas`
pub(crate) async fn show_people(State(app): State<App>, visitor: PanelSession) -> Response {
    let shown = people_page(&app, &visitor, StatusCode::OK, &InvitationForm::default(), None, html! {}).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// The list with the form; `news` stands above them, `problem` beside its field.
async fn people_page(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    typed: &InvitationForm,
    problem: Option<&InvitationProblem>,
    news: Markup,
) -> Result<Response, ApiError> {
    let tenant = visitor.at.caller.tenant_id;
    let people = app.store().people(tenant).await?;
    let invitations = app.store().open_invitations(tenant, app.engine().now_s()).await?;
    let companies = CompanyChoices::read(app, Visibility::of(&visitor.at.caller)).await?;
    let body = html! {
        h1 { (PEOPLE.name) }
        p { "Quem entra no painel desta conta e o que cada pessoa pode fazer. O que uma pessoa faz fica na " a href="/painel/auditoria" { "auditoria" } ", com o nome dela." }
        (news)
        (table(visitor, &people))
        @if !invitations.is_empty() { (waiting(visitor, &invitations)) }
        section aria-labelledby="convidar" {
            h2 id="convidar" { "Convidar uma pessoa" }
            (invitation_form::form(visitor, &companies, typed, problem))
        }
        (role_words::legend())
    };
    Ok(page(visitor, &PEOPLE, status, PEOPLE.name, body))
}

fn table(visitor: &PanelSession, people: &[PersonRecord]) -> Markup {
    html! {
        div class="tabela" tabindex="0" role="region" aria-label="Pessoas" {
            table class="itens" {
                thead { tr { th scope="col" { "Pessoa" } th scope="col" { "Papel" } th scope="col" { "Desde" } } }
                tbody {
                    @for person in people {
                        tr {
                            td class="nome" {
                                a href={ (PEOPLE.path) "/" (person.id) } { (person.nome.as_deref().unwrap_or(&person.email)) }
                                @if person.nome.is_some() { br; small { (person.email) } }
                                @if person.id == visitor.user.id { " " small { "(você)" } }
                            }
                            td data-coluna="Papel" { (role_words::grants(&person.grants)) }
                            td class="curto" data-coluna="Desde" { (words::civil_instant(person.criado_em, CivilTime::of(None))) }
                        }
                    }
                }
            }
        }
    }
}

fn waiting(visitor: &PanelSession, invitations: &[InvitationRecord]) -> Markup {
    html! {
        section aria-labelledby="convites" {
            h2 id="convites" { "Convites à espera" }
            div class="tabela" tabindex="0" role="region" aria-label="Convites à espera" {
                table class="itens" {
                    thead { tr { th scope="col" { "E-mail" } th scope="col" { "Papel" } th scope="col" { "Vale até" } th scope="col" { "" } } }
                    tbody {
                        @for invitation in invitations {
                            tr {
                                td class="nome" { (invitation.email) }
                                td data-coluna="Papel" { span { (role_words::scope(invitation.role, &invitation.companies)) } }
                                td data-coluna="Vale até" { (words::civil_instant(invitation.expira_em, CivilTime::of(None))) }
                                td {
                                    form method="post" action={ (PEOPLE.path) "/convites/" (invitation.id) "/revogar" } {
                                        (proof(visitor))
                                        button class="botao" aria-label={ "Cancelar o convite de " (invitation.email) } { "Cancelar o convite" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
