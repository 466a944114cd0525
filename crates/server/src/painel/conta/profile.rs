//! Own name and password.

use axum::extract::State;
use axum::response::Response;
use http::header;
use maud::{Markup, html};
use store::second_factor::FactorProof;
use store::sessions::{NewSession, SessionKind, SessionOpening};
use zeroize::Zeroizing;

use super::super::form::SubmittedForm;
use super::super::frame;
use super::super::panel_session::{self, PanelSession};
use super::super::session_page::proof;
use super::proven::{password_field, proven_password};
use super::{AccountForm, AccountProblem, done, of, refused};
use crate::api::error::ApiError;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::password;

/// Longest name, letters.
const LONGEST_NAME: usize = 100;

/// `POST /painel/conta/nome`
pub(crate) async fn change_name(State(app): State<App>, sent: SubmittedForm) -> Response {
    renamed(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/conta/senha`
pub(crate) async fn change_password(State(app): State<App>, sent: SubmittedForm) -> Response {
    replaced(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn renamed(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let nome = sent.fields.text("nome").trim();
    let wrong = if nome.is_empty() {
        Some("Escreva o seu nome.")
    } else if nome.chars().count() > LONGEST_NAME || nome.chars().any(char::is_control) {
        Some("Use até 100 letras, numa linha só.")
    } else {
        None
    };
    if let Some(wrong) = wrong {
        let typed = nome.chars().take(LONGEST_NAME * 2).collect();
        return refused(app, sent, AccountProblem { typed, ..AccountProblem::new(AccountForm::Name, "nome", wrong) })
            .await;
    }
    let visitor = &sent.visitor;
    let (tenant, user, now) = (visitor.at.caller.tenant_id, visitor.at.user_id, app.engine().now_s());
    app.store().rename_user(tenant, user, nome, &visitor.actor, now).await?;
    Ok(done("nome"))
}

async fn replaced(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (old, fresh) = (sent.fields.text("senha"), sent.fields.text("senha_nova"));
    let wrong = |field, text: &str| AccountProblem::new(AccountForm::Password, field, text);
    let problem = if let Some(wrong_length) = password::length_problem(fresh) {
        Some(wrong("senha_nova", &format!("A senha nova {wrong_length}.")))
    } else if fresh == old {
        Some(wrong("senha_nova", "A senha nova deve ser diferente da de agora."))
    } else if fresh != sent.fields.text("senha_repetida") {
        Some(wrong("senha_repetida", "As duas não são iguais. Digite a senha nova outra vez."))
    } else {
        None
    };
    if let Some(problem) = problem {
        return refused(app, sent, problem).await;
    }
    let attempt = match proven_password(app, sent, AccountForm::Password).await? {
        Ok(attempt) => attempt,
        Err(problem) => return refused(app, sent, problem).await,
    };
    let visitor = &sent.visitor;
    let senha_hash = attempt.hash(app, Zeroizing::new(fresh.to_owned())).await?;
    let (tenant_id, user_id, now) = (visitor.at.caller.tenant_id, visitor.at.user_id, app.engine().now_s());
    app.store().change_password(tenant_id, user_id, senha_hash.clone(), &visitor.actor, now).await?;
    let new = NewSession {
        tenant_id,
        user_id,
        senha_hash,
        ambiente: Some(visitor.at.caller.ambiente),
        kind: SessionKind::Painel,
        expira_em: now + panel_session::LIFETIME_S,
        guard: attempt.guard(),
        attempt_id: attempt.id(),
        factor: FactorProof::InSession,
        navegador: RequestOrigin::of(&sent.parts, app).agent,
    };
    let mut response = done("senha");
    let cookie = match app.store().open_session(new, &visitor.actor, now).await? {
        SessionOpening::Session(session) => panel_session::session_cookie(&sent.parts, app, &session)?,
        _ => panel_session::removal_cookie(&sent.parts, app)?,
    };
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// The forms of name and password.
pub(super) fn forms(visitor: &PanelSession, problem: Option<&AccountProblem>) -> Markup {
    html! {
        div class="lado" {
            (name_form(visitor, problem))
            (password_form(visitor, problem))
        }
    }
}

fn name_form(visitor: &PanelSession, problem: Option<&AccountProblem>) -> Markup {
    let wrong = of(problem, AccountForm::Name, "nome");
    let shown = wrong.map_or(visitor.user.nome.as_str(), |wrong| wrong.typed.as_str());
    html! {
        section {
            h2 { "Seus dados" }
            dl class="ficha" {
                dt { "E-mail" } dd { (visitor.user.email) }
                dt { "Conta" } dd { (visitor.user.tenant_nome) }
            }
            form method="post" action="/painel/conta/nome" {
                (proof(visitor))
                label {
                    "Nome"
                    input type="text" name="nome" required maxlength=(LONGEST_NAME) autocomplete="name" value=(shown)
                        aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "falha-nome")];
                    @if let Some(wrong) = wrong { span class="falha" id="falha-nome" { (wrong.text) } }
                }
                button { "Guardar o nome" }
            }
        }
    }
}

fn password_form(visitor: &PanelSession, problem: Option<&AccountProblem>) -> Markup {
    let of = |field| of(problem, AccountForm::Password, field);
    let fresh = |name: &str, label: &str, id: &str, wrong: Option<&AccountProblem>| {
        html! {
            label {
                (label)
                input type="password" name=(name) required autocomplete="new-password" maxlength="1024"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| id)];
                @if let Some(wrong) = wrong { span class="falha" id=(id) { (wrong.text) } }
            }
        }
    };
    html! {
        section {
            h2 { "Trocar a senha" }
            form method="post" action="/painel/conta/senha" {
                (proof(visitor))
                (password_field("trocar", of("senha")))
                (fresh("senha_nova", "Senha nova, de 12 letras ou mais", "falha-senha-nova", of("senha_nova")))
                (fresh("senha_repetida", "Senha nova outra vez", "falha-senha-repetida", of("senha_repetida")))
                button { "Trocar a senha" }
                p { small { "As outras sessões abertas com a sua senha terminam; esta continua." } }
            }
        }
    }
}
