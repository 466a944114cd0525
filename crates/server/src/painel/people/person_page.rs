//! `GET /painel/pessoas/{id}`: a person, with the forms that change the roles.

use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::roles::{PersonRecord, RoleGrant};
use uuid::Uuid;

use super::super::company_choices::{CompanyChoices, CompanyField};
use super::super::frame;
use super::super::navigation::PEOPLE;
use super::super::panel_session::PanelSession;
use super::super::session_page::{page, proof};
use super::role_words;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel/pessoas/{id}`
pub(crate) async fn show_person(State(app): State<App>, visitor: PanelSession, Path(id): Path<String>) -> Response {
    let shown = async {
        let person = find(&app, &visitor, &id).await?;
        person_page(&app, &visitor, StatusCode::OK, &person, None).await
    };
    shown.await.unwrap_or_else(|error| frame::failure(&error))
}

/// A person of the account; 404 for any other id.
pub(super) async fn find(app: &App, visitor: &PanelSession, id: &str) -> Result<PersonRecord, ApiError> {
    let unknown = || ApiError::not_found("Não há pessoa com este endereço nesta conta.");
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    app.store().person(visitor.at.caller.tenant_id, id).await.map_err(|error| match error {
        store::Error::NotFound => unknown(),
        other => other.into(),
    })
}

/// The page; `refused` is why the last form was not done.
pub(super) async fn person_page(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    person: &PersonRecord,
    refused: Option<&str>,
) -> Result<Response, ApiError> {
    let companies = CompanyChoices::read(app, Visibility::of(&visitor.at.caller)).await?;
    let name = person.nome.as_deref().unwrap_or(&person.email);
    let address = format!("{}/{}", PEOPLE.path, person.id);
    let company = companies.control(&CompanyField {
        name: "empresa",
        chosen: "",
        none: Some("Todas as empresas, as futuras também"),
        is_wrong: false,
        told: None,
    });
    let body = html! {
        p { a href=(PEOPLE.path) { "Pessoas" } }
        h1 { (name) }
        @if let Some(refused) = refused { p class="recusa" role="alert" { (refused) } }
        dl class="ficha" {
            dt { "E-mail" } dd { (person.email) }
            dt { "O que fez" } dd { a href={ "/painel/auditoria?pessoa=" (person.id) } { "Ver na auditoria" } }
        }
        section aria-labelledby="papeis-dela" {
            h2 id="papeis-dela" { "Papéis" }
            ul class="emissoes" {
                @for grant in &person.grants { li class="cartao" { (role_card(visitor, &address, grant)) } }
            }
            form method="post" action={ (address) "/papel" } class="filtros" {
                (proof(visitor))
                div class="campos-lado" { (role_words::select("contador", None)) label { "Onde vale" (company) } }
                p class="botoes" { button class="botao principal" { "Dar este papel" } }
                p class="fraca" { "Onde a pessoa já tem um papel, este entra no lugar dele. Vale no próximo clique dela." }
            }
        }
        section aria-labelledby="remover" {
            h2 id="remover" { "Remover da conta" }
            p { "A pessoa sai na hora e não entra mais. O que ela fez continua na auditoria." }
            form method="post" action={ (address) "/remover" } {
                (proof(visitor))
                label class="opcao" { input type="checkbox" name="certeza" value="sim" required; "Sim, remover " (name) }
                p class="botoes" { button class="botao" { "Remover da conta" } }
            }
        }
    };
    Ok(page(visitor, &PEOPLE, status, name, body))
}

fn role_card(visitor: &PanelSession, address: &str, grant: &RoleGrant) -> Markup {
    let company = grant.company.map(|company| company.as_str().to_owned()).unwrap_or_default();
    html! {
        div class="linha" {
            p { (role_words::scope(grant.role, grant.company.as_slice())) }
            form method="post" action={ (address) "/retirar" } {
                (proof(visitor))
                input type="hidden" name="empresa" value=(company);
                button class="botao" aria-label={ "Retirar o papel " (grant.role.word()) } { "Retirar" }
            }
        }
    }
}
