//! The second factor: its section on the account's page, and the page with secret and QR code while it waits for its
//! first code.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fast_qr::{ECL, QRBuilder};
use http::StatusCode;
use maud::{Markup, html};
use store::second_factor::SecondFactor;
use zeroize::Zeroizing;

use super::super::navigation::ACCOUNT;
use super::super::panel_session::PanelSession;
use super::super::session_page::{self, proof};
use super::super::{frame, words};
use super::proven::{code_field, password_field};
use super::{AccountForm, AccountProblem, of};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::second_factor::{LONGEST_CODE, key_uri, spelled};

/// `GET /painel/conta/segundo-fator`
pub(crate) async fn show_factor(State(app): State<App>, visitor: PanelSession) -> Response {
    enrolment(&app, &visitor, None).await.unwrap_or_else(|error| frame::failure(&error))
}

/// The page with the secret of a second factor that is not confirmed; leads back without one.
pub(super) async fn enrolment(app: &App, visitor: &PanelSession, wrong: Option<&str>) -> Result<Response, ApiError> {
    let now = app.engine().now_s();
    let factor = app.store().second_factor(visitor.at.caller.tenant_id, visitor.at.user_id, now).await?;
    let Some(factor) = factor.filter(|factor| factor.confirmado_em.is_none()) else {
        return Ok(Redirect::to(ACCOUNT.path).into_response());
    };
    let uri = key_uri(&factor.secret, &visitor.user.email);
    let told = wrong.map(|_| "falha-codigo");
    let body = html! {
        h1 { "Ligar o segundo fator" }
        div class="lado" {
            section {
                h2 { "1. Aponte o aplicativo para o código" }
                p { "Abra no celular um aplicativo autenticador (Google Authenticator, Microsoft Authenticator, Aegis, 2FAS ou o do seu gerenciador de senhas) e escolha acrescentar uma conta." }
                @match qr_code(&uri) {
                    Some(code) => (code),
                    None => p { "Use o segredo escrito abaixo." },
                }
                p { "Sem câmera, digite este segredo no aplicativo (baseado em tempo, seis dígitos):" }
                p { code class="segredo" { (*spelled(&factor.secret)) } }
            }
            section {
                h2 { "2. Digite o código que ele mostra" }
                form method="post" action="/painel/conta/segundo-fator/confirmar" {
                    (proof(visitor))
                    label {
                        "Código de seis dígitos"
                        input type="text" name="codigo" required inputmode="numeric" autocomplete="one-time-code" maxlength=(LONGEST_CODE)
                            aria-invalid=[told.map(|_| "true")] aria-describedby=[told];
                        @if let Some(wrong) = wrong { span class="falha" id="falha-codigo" role="alert" { (wrong) } }
                    }
                    p class="botoes" {
                        button class="botao principal" { "Ligar" }
                        a class="botao" href=(ACCOUNT.path) { "Desistir" }
                    }
                }
                p { "Depois disso você recebe dez códigos de recuperação, para o dia em que o celular faltar." }
                p { small { "Este segredo vale por 15 minutos. Depois disso, comece de novo." } }
            }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(session_page::page(visitor, &ACCOUNT, status, "Ligar o segundo fator", body))
}

/// The page with the recovery codes, shown once.
pub(super) fn recovery_page(visitor: &PanelSession, is_first: bool, codes: &[Zeroizing<String>]) -> Response {
    let title = if is_first { "O segundo fator está ligado" } else { "Códigos de recuperação novos" };
    let body = html! {
        h1 { (title) }
        @if is_first {
            p { "Da próxima vez que entrar, além da senha, digite o código que o aplicativo mostrar." }
        } @else {
            p { "Os códigos de antes deixaram de valer: jogue-os fora." }
        }
        h2 { "Guarde estes dez códigos de recuperação agora" }
        p { strong { "Eles aparecem só desta vez." } " Cada um serve uma vez no lugar do código do aplicativo, se o celular se perder. Imprima esta página ou copie-os para um lugar seguro, longe do celular." }
        ul class="codigos" { @for code in codes { li { code { (**code) } } } }
        p class="botoes" { a class="botao principal" href=(ACCOUNT.path) { "Já guardei os códigos" } }
    };
    session_page::page(visitor, &ACCOUNT, StatusCode::OK, title, body)
}

/// Section of the account's page.
pub(super) fn section(
    visitor: &PanelSession,
    factor: Option<&SecondFactor>,
    problem: Option<&AccountProblem>,
) -> Markup {
    let on = factor.and_then(|factor| factor.confirmado_em.map(|since| (factor, since)));
    html! {
        h2 { "Segundo fator" }
        @match on {
            Some((factor, since)) => {
                p {
                    span class="estado autorizada" { "ligado" } " desde " (words::civil_instant(since, CivilTime::of(None)))
                    ". Para entrar são pedidos a senha e um código do aplicativo no seu celular. "
                    @match factor.recovery_left {
                        0 => strong { "Não resta nenhum código de recuperação: peça outros abaixo." },
                        1 => "Resta 1 código de recuperação.",
                        left => { "Restam " (left) " códigos de recuperação." }
                    }
                }
                details open[problem.is_some_and(|problem| problem.form == AccountForm::Recovery)] {
                    summary { "Receber códigos de recuperação novos" }
                    (codes_form(visitor, problem))
                }
                details open[problem.is_some_and(|problem| problem.form == AccountForm::Factor)] {
                    summary { "Desligar, ou trocar de celular" }
                    (removal_form(visitor, problem))
                }
            }
            None => (beginning_form(visitor, problem)),
        }
    }
}

fn beginning_form(visitor: &PanelSession, problem: Option<&AccountProblem>) -> Markup {
    html! {
        p {
            span class="estado" { "desligado" } " "
            "Com ele, quem descobrir a sua senha ainda não entra: falta um código que só o aplicativo no seu celular mostra. "
            a href="/docs/guia/segundo-fator" { "Como funciona" }
        }
        form method="post" action="/painel/conta/segundo-fator" class="estreito" {
            (proof(visitor))
            (password_field("fator", of(problem, AccountForm::Factor, "senha")))
            button { "Ligar o segundo fator" }
        }
    }
}

fn codes_form(visitor: &PanelSession, problem: Option<&AccountProblem>) -> Markup {
    let of = |field| of(problem, AccountForm::Recovery, field);
    html! {
        p { "Você recebe dez códigos novos, e os de antes deixam de valer. Peça-os se os perdeu, se alguém os viu ou se estão acabando." }
        form method="post" action="/painel/conta/segundo-fator/codigos" class="estreito" {
            (proof(visitor))
            (password_field("codigos", of("senha")))
            (code_field("codigos", of("codigo")))
            button { "Receber códigos novos" }
        }
    }
}

fn removal_form(visitor: &PanelSession, problem: Option<&AccountProblem>) -> Markup {
    let of = |field| of(problem, AccountForm::Factor, field);
    html! {
        p { "Para trocar de celular, desligue aqui e ligue de novo com o aparelho novo." }
        form method="post" action="/painel/conta/segundo-fator/desligar" class="estreito" {
            (proof(visitor))
            (password_field("fator", of("senha")))
            (code_field("fator", of("codigo")))
            button class="nao" { "Desligar o segundo fator" }
        }
    }
}

/// A QR code as SVG elements: no picture is requested, and the secret stands in no address.
fn qr_code(text: &str) -> Option<Markup> {
    let code = QRBuilder::new(text).ecl(ECL::M).build().ok()?;
    let (size, quiet) = (code.size, 4);
    let mut path = Zeroizing::new(String::with_capacity(size * size * 6));
    for row in 0..size {
        let line = &code[row];
        let mut column = 0;
        while column < size {
            let run = line[column..].iter().take_while(|module| module.value()).count();
            if run > 0 {
                path.push_str(&format!("M{} {}h{run}v1h-{run}z", column + quiet, row + quiet));
            }
            column += run.max(1);
        }
    }
    let side = size + 2 * quiet;
    Some(html! {
        svg class="qr" viewBox={ "0 0 " (side) " " (side) } role="img" aria-label="Código QR com o segredo do segundo fator" {
            rect width="100%" height="100%" fill="#fff" {}
            path d=(*path) fill="#000" {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_a_quiet_zone_and_its_finder() {
        let shown =
            qr_code("otpauth://totp/Carimbo:a%40b?secret=GEZDGNBVGY3TQOJQ&issuer=Carimbo").unwrap().into_string();
        // the upper left finder pattern: seven dark modules, four modules from the border
        assert!(shown.contains("M4 4h7v1h-7z") && shown.contains("role=\"img\""), "{shown}");
        assert!(!shown.contains("style="));
    }
}
