//! Form of an invitation: address, name, role, companies.

use fiscal::value::CnpjCpf;
use maud::{Markup, html};
use store::accounts::Permissao;

use super::super::company_choices::{CompanyChoices, CompanyField};
use super::super::form::FormFields;
use super::super::navigation::PEOPLE;
use super::super::panel_session::PanelSession;
use super::super::session_page::proof;
use super::role_words;
use crate::api::auth::login::LONGEST_EMAIL;

/// Fields as they were sent.
#[derive(Default)]
pub(super) struct InvitationForm {
    email: String,
    nome: String,
    papel: String,
    empresa: String,
    outras: String,
}

/// A refused field; empty for the form as a whole.
pub(super) struct InvitationProblem {
    pub(super) field: &'static str,
    pub(super) text: String,
}

/// Fields that were checked.
pub(super) struct CheckedInvitation {
    pub(super) email: String,
    pub(super) nome: Option<String>,
    pub(super) role: Permissao,
    /// Empty for every company.
    pub(super) companies: Vec<CnpjCpf>,
}

impl InvitationForm {
    pub(super) fn of(fields: &FormFields) -> InvitationForm {
        let text = |name: &str| fields.text(name).trim_matches(' ').to_owned();
        InvitationForm {
            email: text("email"),
            nome: text("nome"),
            papel: text("papel"),
            empresa: text("empresa"),
            outras: text("outras"),
        }
    }

    pub(super) fn check(&self) -> Result<CheckedInvitation, InvitationProblem> {
        let wrong = |field, text: &str| InvitationProblem { field, text: text.to_owned() };
        if !is_address(&self.email) {
            return Err(wrong("email", "Escreva um e-mail, como ana@loja.com.br, sem espaços nem quebras de linha."));
        }
        if self.nome.chars().count() > LONGEST_NAME || self.nome.chars().any(char::is_control) {
            return Err(wrong("nome", "O nome tem até 120 letras, em uma linha."));
        }
        let role = role_words::role(&self.papel).ok_or_else(|| wrong("papel", "Escolha um papel da lista."))?;
        let unknown = |field| wrong(field, "Escreva o CNPJ ou o CPF de empresas desta conta, um por linha.");
        let mut companies = Vec::new();
        if !self.empresa.is_empty() {
            companies.push(CnpjCpf::parse(&self.empresa).map_err(|_| unknown("empresa"))?);
        }
        for line in self.outras.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let company = CnpjCpf::parse(line).map_err(|_| unknown("outras"))?;
            if !companies.contains(&company) {
                companies.push(company);
            }
        }
        if self.empresa.is_empty() && !companies.is_empty() {
            return Err(wrong(
                "empresa",
                "Escolha aqui a primeira empresa, ou deixe “Mais empresas” vazio para todas.",
            ));
        }
        if companies.len() > MOST_COMPANIES {
            return Err(wrong("outras", "São no máximo 100 empresas em um convite."));
        }
        let nome = Some(self.nome.clone()).filter(|nome| !nome.is_empty());
        Ok(CheckedInvitation { email: self.email.clone(), nome, role, companies })
    }
}

/// True for text that can be an e-mail address; every line break, space and separator of addresses is refused.
fn is_address(text: &str) -> bool {
    let is_odd = |letter: char| letter.is_whitespace() || letter.is_control() || "<>,;:\"()[]\\".contains(letter);
    let is_domain = |domain: &str| {
        domain.contains('.') && !domain.contains('@') && domain.split('.').all(|label| !label.is_empty())
    };
    text.chars().count() <= LONGEST_EMAIL
        && !text.chars().any(is_odd)
        && text.split_once('@').is_some_and(|(local, domain)| !local.is_empty() && is_domain(domain))
}

pub(super) fn form(
    visitor: &PanelSession,
    companies: &CompanyChoices,
    typed: &InvitationForm,
    problem: Option<&InvitationProblem>,
) -> Markup {
    let of = |field: &str| problem.filter(|problem| problem.field == field).map(|problem| problem.text.as_str());
    let company = companies.control(&CompanyField {
        name: "empresa",
        chosen: &typed.empresa,
        none: Some("Todas as empresas, as futuras também"),
        is_wrong: of("empresa").is_some(),
        told: of("empresa").map(|_| "falha-empresa"),
    });
    html! {
        form method="post" action={ (PEOPLE.path) "/convidar" } class="filtros" {
            (proof(visitor))
            @if let Some(problem) = of("") { p class="recusa" role="alert" { (problem) } }
            div class="campos-lado" {
                (line("email", "E-mail", "email", &typed.email, true, of("email")))
                (line("nome", "Nome", "text", &typed.nome, false, of("nome")))
                (role_words::select(if typed.papel.is_empty() { "contador" } else { &typed.papel }, of("papel")))
                label { "Onde vale" (company) (failure("empresa", of("empresa"))) }
            }
            details open[!typed.outras.is_empty()] {
                summary { "Mais empresas" }
                label {
                    "Mais empresas (CNPJ ou CPF, um por linha)"
                    textarea name="outras" rows="3" maxlength="4000" aria-invalid=[of("outras").map(|_| "true")]
                        aria-describedby=[of("outras").map(|_| "falha-outras")] { (typed.outras) }
                    (failure("outras", of("outras")))
                }
            }
            p class="botoes" { button class="botao principal" { "Criar o convite" } }
            p class="fraca" { "O convite é um link que vale 7 dias e uma vez só. Ele aparece aqui para você copiar e mandar à pessoa." }
        }
    }
}

fn line(name: &str, label: &str, kind: &str, value: &str, required: bool, problem: Option<&str>) -> Markup {
    html! {
        label {
            (label)
            input type=(kind) name=(name) value=(value) required[required] maxlength="254" autocomplete="off"
                aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| format!("falha-{name}"))];
            (failure(name, problem))
        }
    }
}

fn failure(name: &str, problem: Option<&str>) -> Markup {
    html! { @if let Some(problem) = problem { span class="falha" id={ "falha-" (name) } { (problem) } } }
}

const LONGEST_NAME: usize = 120;
const MOST_COMPANIES: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_plain_address_is_one() {
        assert!(is_address("ana@loja.com.br") && is_address("josé+nf@loja.com"));
        for wrong in [
            "",
            "ana",
            "@loja.com",
            "ana@loja",
            "ana@loja.com\r\nBcc: x@y.z",
            "a@b.c, d@e.f",
            "a b@c.d",
            "a@b@c.d",
            "a@.d",
        ] {
            assert!(!is_address(wrong), "{wrong:?}");
        }
    }
}
