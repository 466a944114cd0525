//! Choice of a company in a form: a list as long as it can hold all of the account's, else a number that is typed.

use fiscal::value::{CnpjCpf, masked};
use maud::{Markup, html};
use store::Visibility;
use store::companies::Company;

use crate::api::empresas::view;
use crate::api::error::ApiError;
use crate::app::App;

/// Visible companies that a form offers.
pub(super) struct CompanyChoices {
    /// The newest ones, newest first.
    pub(super) companies: Vec<Company>,
    /// True when there are no others.
    are_all: bool,
}

/// A field that names a company.
pub(super) struct CompanyField<'a> {
    pub(super) name: &'a str,
    /// Number as it was typed.
    pub(super) chosen: &'a str,
    /// Words for no company, where none is a choice.
    pub(super) none: Option<&'a str>,
    pub(super) is_wrong: bool,
    /// Id of the lines about it.
    pub(super) told: Option<&'a str>,
}

impl CompanyChoices {
    pub(super) async fn read(app: &App, sight: Visibility) -> Result<CompanyChoices, ApiError> {
        let (companies, total) = app.store().list_companies(sight, MOST_CHOICES, 0).await?;
        let are_all = u64::try_from(companies.len()).is_ok_and(|offered| offered >= total);
        Ok(CompanyChoices { companies, are_all })
    }

    /// The control, with the field's name as its id; goes inside of a label.
    pub(super) fn control(&self, field: &CompanyField<'_>) -> Markup {
        let CompanyField { name, chosen, none, told, .. } = *field;
        let number = CnpjCpf::parse(chosen).ok();
        let invalid = field.is_wrong.then_some("true");
        let is_offered = self.companies.iter().any(|company| Some(company.cpf_cnpj) == number);
        if !self.are_all || (self.companies.is_empty() && none.is_none()) {
            return self.line(field, invalid);
        }
        html! {
            select id=(name) name=(name) required[none.is_none()] aria-invalid=[invalid] aria-describedby=[told] {
                @if let Some(none) = none { option value="" { (none) } }
                @if !is_offered && !chosen.is_empty() { option value=(chosen) selected { (chosen) } }
                @for (company, text) in self.options() {
                    option value=(company.cpf_cnpj.as_str()) selected[Some(company.cpf_cnpj) == number] { (text) }
                }
            }
        }
    }

    fn line(&self, field: &CompanyField<'_>, invalid: Option<&str>) -> Markup {
        let CompanyField { name, chosen, none, told, .. } = *field;
        let list = format!("{name}-opcoes");
        html! {
            input id=(name) name=(name) list=(list) value=(chosen) maxlength="200" required[none.is_none()]
                aria-invalid=[invalid] aria-describedby=[told];
            small { "CNPJ ou CPF" @if !self.are_all { "; a lista só tem as mais novas" } }
            datalist id=(list) {
                @for (company, text) in self.options() { option value=(company.cpf_cnpj.as_str()) { (text) } }
            }
        }
    }

    /// The companies by name, each with its text.
    fn options(&self) -> Vec<(&Company, String)> {
        let named = |company| (company, text(company));
        let mut options: Vec<(&Company, String)> = self.companies.iter().map(named).collect();
        options.sort_by(|one, other| one.1.cmp(&other.1));
        options
    }
}

/// Name and number.
fn text(company: &Company) -> String {
    let name = view::name(&company.dados).unwrap_or_default();
    format!("{name} · {}", masked(company.cpf_cnpj.as_str()))
}

/// Companies of a list.
const MOST_CHOICES: usize = 200;
