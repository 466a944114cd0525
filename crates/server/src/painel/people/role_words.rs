//! Roles in words.

use fiscal::value::{CnpjCpf, masked};
use maud::{Markup, html};
use store::accounts::Permissao;
use store::roles::RoleGrant;

use super::super::role_refusal::meaning;

/// The roles of a person, each with its companies.
pub(super) fn grants(grants: &[RoleGrant]) -> Markup {
    html! {
        @if grants.is_empty() { "sem papel" }
        @for grant in grants { div { (scope(grant.role, grant.company.as_slice())) } }
    }
}

/// A role with its companies; none are every one.
pub(super) fn scope(role: Permissao, companies: &[CnpjCpf]) -> Markup {
    html! {
        strong { (role.word()) }
        @if companies.is_empty() { " em todas as empresas" }
        @else {
            " em "
            @for (at, company) in companies.iter().enumerate() { @if at > 0 { ", " } (masked(company.as_str())) }
        }
    }
}

/// Choice of a role.
pub(super) fn select(chosen: &str, problem: Option<&str>) -> Markup {
    html! {
        label {
            "Papel"
            select name="papel" required aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| "falha-papel")] {
                @for role in Permissao::ROLES.into_iter().rev() {
                    option value=(role.word()) selected[role.word() == chosen] { (role.word()) }
                }
            }
            @if let Some(problem) = problem { span class="falha" id="falha-papel" { (problem) } }
        }
    }
}

/// Meaning of each role.
pub(super) fn legend() -> Markup {
    html! {
        section aria-labelledby="papeis" {
            h2 id="papeis" { "O que cada papel faz" }
            dl class="ficha" {
                @for role in Permissao::ROLES { dt { (role.word()) } dd { (meaning(role)) } }
            }
        }
    }
}

/// The role of a form field.
pub(super) fn role(word: &str) -> Option<Permissao> {
    Permissao::ROLES.into_iter().find(|role| role.word() == word)
}
