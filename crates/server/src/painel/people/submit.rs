//! The forms of people: invitations, roles, removal.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::CnpjCpf;
use http::{StatusCode, header};
use maud::html;
use store::invitations::NewInvitation;
use store::roles::{LAST_ADMINISTRATOR, ONLY_ROLE, RoleGrant};
use uuid::Uuid;

use super::super::form::SubmittedForm;
use super::super::frame;
use super::super::navigation::PEOPLE;
use super::invitation_form::{InvitationForm, InvitationProblem};
use super::invitation_secret::{InvitationSecret, LASTS_S};
use super::{people_page, person_page, role_words};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /painel/pessoas/convidar`
pub(crate) async fn invite_person(State(app): State<App>, sent: SubmittedForm) -> Response {
    invited(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/pessoas/convites/{id}/revogar`
pub(crate) async fn revoke_invitation(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    revoked(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/pessoas/{id}/papel`
pub(crate) async fn give_role(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    changed(&app, &id, &sent, PersonChange::Give).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/pessoas/{id}/retirar`
pub(crate) async fn take_role(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    changed(&app, &id, &sent, PersonChange::Take).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/pessoas/{id}/remover`
pub(crate) async fn remove_person(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    changed(&app, &id, &sent, PersonChange::Remove).await.unwrap_or_else(|error| frame::failure(&error))
}

/// Most people and open invitations of an account.
const MOST_PEOPLE: u32 = 200;

/// Invites, and shows the link this once: no address and no later page has it.
async fn invited(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, typed) = (&sent.visitor, InvitationForm::of(&sent.fields));
    let problem = match typed.check() {
        Ok(checked) => {
            let (secret, now, email) = (InvitationSecret::random()?, app.engine().now_s(), checked.email.clone());
            let new = NewInvitation {
                email: checked.email,
                nome: checked.nome,
                role: checked.role,
                companies: checked.companies,
                token_hash: secret.hash,
                expira_em: now + LASTS_S,
                most: MOST_PEOPLE,
            };
            match app.store().invite(visitor.at.caller.tenant_id, new, &visitor.actor, now).await {
                Ok(_) => {
                    let link = format!("{}/painel/convite/{}", site(app, sent), secret.text);
                    let news = html! {
                        section class="aviso" role="status" aria-labelledby="link" {
                            p id="link" { strong { "Convite de " (email) " criado." } }
                            p { "Copie o link agora e mande à pessoa: ele não aparece de novo. Vale 7 dias, uma vez só, e quem o tiver entra na conta." }
                            label { "Link do convite" input type="text" readonly value=(link) id="link-do-convite"; }
                        }
                    };
                    let blank = InvitationForm::default();
                    return people_page(app, visitor, StatusCode::CREATED, &blank, None, news).await;
                }
                Err(error) => refusal(error)?,
            }
        }
        Err(problem) => problem,
    };
    people_page(app, visitor, StatusCode::UNPROCESSABLE_ENTITY, &typed, Some(&problem), html! {}).await
}

fn refusal(error: store::Error) -> Result<InvitationProblem, ApiError> {
    let wrong = |field, text: &str| Ok(InvitationProblem { field, text: text.to_owned() });
    match error {
        store::Error::Conflict(_) => wrong("email", "Esta pessoa já entra nesta conta. Mude o papel dela na lista."),
        store::Error::NotFound => wrong("empresa", "Esta conta não tem uma das empresas escritas."),
        store::Error::AccountFull { most } => {
            wrong("", &format!("A conta tem {most} pessoas e convites, o máximo. Remova alguém ou cancele um convite."))
        }
        other => Err(other.into()),
    }
}

/// Origin of our pages: the public one, or the one that sent the form.
fn site(app: &App, sent: &SubmittedForm) -> String {
    let origin = || sent.parts.headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).unwrap_or_default();
    app.edge().public_url.clone().unwrap_or_else(|| origin().to_owned())
}

async fn revoked(app: &App, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let unknown = || ApiError::not_found("Não há convite à espera com este endereço nesta conta.");
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    let (tenant, now) = (visitor.at.caller.tenant_id, app.engine().now_s());
    match app.store().revoke_invitation(tenant, id, &visitor.actor, now).await {
        Ok(()) => Ok(Redirect::to(PEOPLE.path).into_response()),
        Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}

/// A change of a person.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PersonChange {
    Give,
    Take,
    Remove,
}

async fn changed(app: &App, id: &str, sent: &SubmittedForm, change: PersonChange) -> Result<Response, ApiError> {
    let (visitor, fields) = (&sent.visitor, &sent.fields);
    let person = person_page::find(app, visitor, id).await?;
    let (tenant, actor, now) = (visitor.at.caller.tenant_id, &visitor.actor, app.engine().now_s());
    let refused = |text: &'static str| {
        let person = &person;
        async move { person_page::person_page(app, visitor, StatusCode::UNPROCESSABLE_ENTITY, person, Some(text)).await }
    };
    let company = match fields.text("empresa").trim() {
        "" => None,
        text => match CnpjCpf::parse(text) {
            Ok(company) => Some(company),
            Err(_) => return refused("Escolha uma empresa da lista, ou escreva o CNPJ ou CPF dela.").await,
        },
    };
    let done = match change {
        PersonChange::Give => {
            let Some(role) = role_words::role(fields.text("papel")) else {
                return refused("Escolha um papel da lista.").await;
            };
            app.store().put_grant(tenant, person.id, RoleGrant { company, role }, actor, now).await
        }
        PersonChange::Take => app.store().remove_grant(tenant, person.id, company, actor, now).await,
        PersonChange::Remove if fields.text("certeza") != "sim" => {
            return refused("Marque a caixa para confirmar a remoção.").await;
        }
        PersonChange::Remove => app.store().remove_user(tenant, person.id, actor, now).await,
    };
    match done {
        Ok(()) if change == PersonChange::Remove => Ok(Redirect::to(PEOPLE.path).into_response()),
        Ok(()) => Ok(Redirect::to(&format!("{}/{}", PEOPLE.path, person.id)).into_response()),
        Err(store::Error::Conflict(LAST_ADMINISTRATOR)) => {
            refused("Esta é a última pessoa que administra a conta inteira. Dê antes o papel de administrador, em todas as empresas, a outra pessoa.").await
        }
        Err(store::Error::Conflict(ONLY_ROLE)) => {
            refused("Este é o único papel da pessoa. Dê outro a ela antes, ou remova-a da conta.").await
        }
        Err(store::Error::Conflict(_)) => refused("É a única pessoa da conta: não pode ser removida.").await,
        Err(store::Error::NotFound) => refused("Esta conta não tem essa empresa, ou a pessoa não tem papel nela.").await,
        Err(other) => Err(other.into()),
    }
}
