//! The page of an act that the user's role does not reach: its reason, and the people who can help.

use axum::response::Response;
use http::StatusCode;
use maud::html;
use store::accounts::Permissao;

use super::navigation::HOME;
use super::panel_session::PanelSession;
use super::session_page;
use crate::api::permission::RequiredPermission;
use crate::app::App;

/// 403 in plain words. Nothing was done.
pub(super) async fn page(app: &App, visitor: &PanelSession, need: RequiredPermission) -> Response {
    let role = visitor.whole.granted.and_then(|granted| granted.strongest());
    let is_partial = role.is_some_and(|role| need.met_by(role));
    let helpers = administrators(app, visitor).await;
    let body = html! {
        h1 { "Seu papel não inclui isto" }
        p class="aviso" {
            @match role {
                Some(_) if is_partial => "Isto é da conta inteira, e o seu papel vale só em algumas empresas dela. Nada foi feito.",
                Some(role) => { "Seu papel nesta conta é " strong { (role.word()) } ": " (meaning(role)) " Para isto é preciso ser " strong { (need.holders(true)) } ". Nada foi feito." }
                None => "Sua entrada nesta conta está sem papel, e por isso nada pode ser visto ou feito.",
            }
        }
        @if !helpers.is_empty() {
            p { "Peça a uma pessoa que administra a conta:" }
            ul { @for email in &helpers { li { (email) } } }
        }
        p { a href=(HOME.path) { "Voltar ao início" } }
    };
    session_page::page(visitor, &HOME, StatusCode::FORBIDDEN, "Seu papel não inclui isto", body)
}

/// Addresses of a few administrators; none when they cannot be read.
async fn administrators(app: &App, visitor: &PanelSession) -> Vec<String> {
    let people = app.store().people(visitor.whole.tenant_id).await.unwrap_or_default();
    let administers = |person: &store::roles::PersonRecord| {
        person.grants.iter().any(|grant| grant.company.is_none() && grant.role == Permissao::Administrador)
    };
    people.into_iter().filter(administers).take(MOST_NAMED).map(|person| person.email).collect()
}

const MOST_NAMED: usize = 5;

/// Meaning of a role, in plain words.
pub(super) fn meaning(role: Permissao) -> &'static str {
    match role {
        Permissao::Administrador => "faz tudo, cuida das empresas, das chaves e das pessoas.",
        Permissao::Emissor => "emite, corrige e cancela documentos, lê e exporta.",
        Permissao::Aprovador => "confirma ou recusa o que um programa preparou, e lê os documentos.",
        Permissao::Contador => "lê os documentos e exporta o mês; não emite nem muda nada.",
        Permissao::Completa | Permissao::Leitura | Permissao::Assistida => "",
    }
}
