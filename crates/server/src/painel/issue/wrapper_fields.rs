//! Fields around the document: company, reference, address of notifications.

use maud::{Markup, html};

use super::field_control::{remark_lines, told_id};
use super::finding_list::{FindingList, FormFinding};
use super::issue_form::IssueForm;
use crate::painel::company_choices::{CompanyChoices, CompanyField};

/// The fields.
pub(super) fn wrapper_fields(form: &IssueForm, findings: &FindingList, companies: &CompanyChoices) -> Markup {
    html! {
        fieldset {
            legend { "Empresa e referência" }
            div class="campos-lado" {
                (company_field(form, findings, companies))
                (line(findings, "referencia_externa", "Referência", &form.referencia,
                    "letras e números, à sua escolha; impede que o mesmo documento saia duas vezes"))
                @if !form.webhook_url.is_empty() {
                    (line(findings, "webhook_url", "Endereço de aviso", &form.webhook_url, "programa que é avisado do resultado (webhook)"))
                }
            }
        }
    }
}

fn company_field(form: &IssueForm, findings: &FindingList, companies: &CompanyChoices) -> Markup {
    let found: Vec<&FormFinding> = findings.at("cpf_cnpj").collect();
    let (invalid, told) = marks("cpf_cnpj", &found);
    let control = companies.control(&CompanyField {
        name: "cpf_cnpj",
        chosen: &form.cpf_cnpj,
        none: None,
        is_wrong: invalid.is_some(),
        told: told.as_deref(),
    });
    html! {
        label {
            "Empresa que emite"
            (control)
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
