//! Fields around the document: company, reference, address of notifications.

use fiscal::value::{CnpjCpf, masked};
use maud::{Markup, html};
use store::companies::Company;

use super::field_control::{remark_lines, told_id};
use super::finding_list::{FindingList, FormFinding};
use super::issue_form::IssueForm;
use crate::api::empresas::view;

/// The fields. Companies are a choice as long as all of them are offered.
pub(super) fn wrapper_fields(form: &IssueForm, findings: &FindingList, companies: &[Company], of_all: u64) -> Markup {
    let are_all = u64::try_from(companies.len()).is_ok_and(|offered| offered == of_all);
    html! {
        fieldset {
            legend { "Empresa e referência" }
            div class="campos-lado" {
                (company_field(form, findings, companies, are_all))
                (line(findings, "referencia_externa", "Referência", &form.referencia,
                    "letras e números, à sua escolha; impede que o mesmo documento saia duas vezes"))
                @if !form.webhook_url.is_empty() {
                    (line(findings, "webhook_url", "Endereço de aviso", &form.webhook_url, "programa que é avisado do resultado (webhook)"))
                }
            }
        }
    }
}

fn company_field(form: &IssueForm, findings: &FindingList, companies: &[Company], are_all: bool) -> Markup {
    let chosen = CnpjCpf::parse(&form.cpf_cnpj).ok();
    let is_offered = companies.iter().any(|company| Some(company.cpf_cnpj) == chosen);
    let found: Vec<&FormFinding> = findings.at("cpf_cnpj").collect();
    let (invalid, told) = marks("cpf_cnpj", &found);
    let option = |company: &Company| {
        let name = view::name(&company.dados).unwrap_or_default();
        html! { (name) " · " (masked(company.cpf_cnpj.as_str())) }
    };
    html! {
        label {
            "Empresa que emite"
            @if are_all && !companies.is_empty() {
                select id="cpf_cnpj" name="cpf_cnpj" aria-invalid=[invalid] aria-describedby=[told] {
                    @if !is_offered { option value=(form.cpf_cnpj) selected { (form.cpf_cnpj) } }
                    @for company in companies {
                        option value=(company.cpf_cnpj.as_str()) selected[Some(company.cpf_cnpj) == chosen] { (option(company)) }
                    }
                }
            } @else {
                input id="cpf_cnpj" name="cpf_cnpj" list="empresas" value=(form.cpf_cnpj) aria-invalid=[invalid] aria-describedby=[told];
                datalist id="empresas" {
                    @for company in companies { option value=(company.cpf_cnpj.as_str()) { (option(company)) } }
                }
            }
            @if !found.is_empty() { (remark_lines("cpf_cnpj", &found)) }
        }
    }
}

fn line(findings: &FindingList, name: &str, label: &str, text: &str, about: &str) -> Markup {
    let found: Vec<&FormFinding> = findings.at(name).collect();
    let (invalid, told) = marks(name, &found);
    html! {
        label {
            (label)
            input id=(name) name=(name) value=(text) aria-invalid=[invalid] aria-describedby=[told];
            small { (about) }
            @if !found.is_empty() { (remark_lines(name, &found)) }
        }
    }
}

/// `aria-invalid` and `aria-describedby` of a field.
fn marks(name: &str, found: &[&FormFinding]) -> (Option<&'static str>, Option<String>) {
    let is_wrong = found.iter().any(|finding| finding.weight.is_wrong());
    (is_wrong.then_some("true"), (!found.is_empty()).then(|| told_id(name)))
}
