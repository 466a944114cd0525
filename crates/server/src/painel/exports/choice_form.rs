//! Form of an export: company, month, printed forms.

use jiff::ToSpan as _;
use jiff::civil::Date;
use maud::{Markup, html};
use store::exports::ExportForms;

use super::super::company_choices::{CompanyChoices, CompanyField};
use super::super::navigation::EXPORTS;
use super::super::panel_session::PanelSession;
use super::super::session_page::proof;
use crate::api::instant::CivilTime;

/// Months that the form offers.
const MONTHS: i64 = 24;
const MONTH_NAMES: [&str; 12] = [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
];

const FORMS: &[(&str, &str, ExportForms)] = &[
    ("", "Sem PDFs: a contabilidade trabalha com os XMLs", ExportForms::Absent),
    ("separados", "Um PDF por documento", ExportForms::Separate),
    ("juntos", "Juntos em poucos PDFs, prontos para imprimir", ExportForms::Joined),
];

/// Choices as they were sent.
#[derive(Debug, Clone, Default)]
pub(super) struct ChoiceForm {
    pub(super) empresa: String,
    pub(super) mes: String,
    pub(super) forms: ExportForms,
    /// Address that gets a mail at its end.
    pub(super) avisar: String,
}

/// Refusal, with the field that it belongs to; empty for the form as a whole.
#[derive(Debug, Clone)]
pub(super) struct FormProblem {
    pub(super) field: &'static str,
    pub(super) text: String,
}

/// First and last day of a month such as `2026-11`.
pub(super) fn month(text: &str) -> Option<(Date, Date)> {
    let first = format!("{text}-01").parse::<Date>().ok().filter(|_| text.len() == "AAAA-MM".len())?;
    Some((first, first.last_of_month()))
}

pub(super) fn form(
    visitor: &PanelSession,
    companies: &CompanyChoices,
    chosen: &ChoiceForm,
    problem: Option<&FormProblem>,
    (now, sends_mail): (i64, bool),
) -> Markup {
    let told = |field: &str| problem.filter(|problem| problem.field == field);
    if companies.companies.is_empty() {
        return html! { p class="vazio" { "Esta conta ainda não tem empresa. Cadastre uma para exportar os documentos dela." } };
    }
    let company = companies.control(&CompanyField {
        name: "empresa",
        chosen: &chosen.empresa,
        none: None,
        is_wrong: told("empresa").is_some(),
        told: told("empresa").map(|_| "falha-empresa"),
    });
    html! {
        form method="post" action=(EXPORTS.path) class="filtros" {
            (proof(visitor))
            @if let Some(problem) = told("") { p class="recusa" role="alert" { (problem.text) } }
            div class="campos-lado" {
                label {
                    "Empresa"
                    (company)
                    @if let Some(problem) = told("empresa") { span class="falha" id="falha-empresa" { (problem.text) } }
                }
                label {
                    "Mês"
                    select name="mes" required aria-invalid=[told("mes").map(|_| "true")] aria-describedby=[told("mes").map(|_| "falha-mes")] {
                        @for (value, name) in months(now) {
                            option value=(value) selected[value == chosen.mes] { (name) }
                        }
                    }
                    small { "Pela data de emissão dos documentos." }
                    @if let Some(problem) = told("mes") { span class="falha" id="falha-mes" { (problem.text) } }
                }
            }
            label {
                "PDFs (DANFE, DACTE, cupom)"
                select name="pdf" {
                    @for (word, text, forms) in FORMS {
                        option value=(word) selected[*forms == chosen.forms] { (text) }
                    }
                }
                small { "Com eles o arquivo fica maior e demora mais." }
            }
            @if sends_mail {
                label {
                    "Avisar por e-mail quando estiver pronto"
                    input type="email" name="avisar" value=(chosen.avisar) maxlength="254" placeholder="contador@escritorio.com.br"
                        aria-invalid=[told("avisar").map(|_| "true")] aria-describedby=[told("avisar").map(|_| "falha-avisar")];
                    small { "Opcional. Vai um link para esta página, que pede o login." }
                    @if let Some(problem) = told("avisar") { span class="falha" id="falha-avisar" { (problem.text) } }
                }
            }
            p class="botoes" { button class="botao principal" { "Preparar o arquivo" } }
        }
    }
}

/// Months up to the current one, newest first, with the one before it in front: that is the one an accountant asks for.
fn months(now: i64) -> Vec<(String, String)> {
    let today = CivilTime::of(None).date(now).first_of_month();
    let at = |back: i64| today.saturating_sub(back.months());
    let order = [1, 0].into_iter().chain(2..MONTHS);
    order.map(at).map(|first| (first.strftime("%Y-%m").to_string(), spoken(first))).collect()
}

fn spoken(first: Date) -> String {
    let at = usize::try_from(first.month() - 1).unwrap_or_default();
    format!("{} de {}", MONTH_NAMES.get(at).copied().unwrap_or_default(), first.year())
}

/// Words of a period: a whole month by its name.
pub(super) fn period(de: &str, ate: &str) -> String {
    match (de.parse::<Date>(), ate.parse::<Date>()) {
        (Ok(first), Ok(last)) if first.day() == 1 && last == first.last_of_month() => spoken(first),
        (Ok(first), Ok(last)) => format!("{} a {}", first.strftime("%d/%m/%Y"), last.strftime("%d/%m/%Y")),
        _ => format!("{de} a {ate}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_its_days_and_its_name() {
        let (first, last) = month("2026-02").unwrap();
        assert_eq!((first.to_string(), last.to_string()), ("2026-02-01".to_owned(), "2026-02-28".to_owned()));
        assert!(month("2026-13").is_none() && month("2026-1").is_none() && month("<script>").is_none());
        assert_eq!(period("2026-11-01", "2026-11-30"), "novembro de 2026");
        assert_eq!(period("2026-11-02", "2026-11-30"), "02/11/2026 a 30/11/2026");
    }

    #[test]
    fn the_month_before_stands_in_front() {
        let months = months(1_795_143_600);
        assert_eq!(months[0].0, "2026-10");
        assert_eq!(months[1], ("2026-11".to_owned(), "novembro de 2026".to_owned()));
        assert_eq!(months.len(), 24);
    }
}
