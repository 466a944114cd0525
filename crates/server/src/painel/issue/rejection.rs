//! A rejection in words: the authority's text, and the remedy, which the documentation has too.

use fiscal::nfe::describe::field_name;
use fiscal::tipo::Tipo;
use fiscal::value::Codigo;
use maud::{Markup, PreEscaped, html};
use store::jobs::JobDocument;

use super::finding_list::{FindingList, FindingWeight, FormFinding};
use super::form_family::FormFamily;
use super::issue_form::IssueOrigin;
use crate::api::docs::markdown::inline;
use crate::painel::rejection_advice::RejectionAdvice;

/// Reasons of a rejection that concern a field, each for that field.
pub(super) fn findings(family: &FormFamily, origin: &IssueOrigin) -> FindingList {
    let Some(document) = origin.rejected() else { return FindingList::default() };
    let finding = |campo: String, text: &str| FormFinding {
        campo,
        weight: FindingWeight::Predicted,
        text: format!("A autoridade recusou: {text}"),
        suggestion: None,
    };
    let many = document.rejeicoes.iter().filter_map(|reason| Some(finding(reason.campo.clone()?, &reason.motivo)));
    let mut found: Vec<FormFinding> = many.collect();
    if found.is_empty() {
        let campo = document.campo.clone().or_else(|| field_of_rule(family, document.codigo.as_ref()?));
        found.extend(campo.zip(document.xMotivo.as_deref()).map(|(campo, text)| finding(campo, text)));
    }
    FindingList { found, ..FindingList::default() }
}

/// Field of a rule, unless it is one of a list.
fn field_of_rule(family: &FormFamily, codigo: &Codigo) -> Option<String> {
    let number = codigo.number().filter(|_| matches!(family.tipo(), Tipo::Nfe | Tipo::Nfce))?;
    let rule = fiscal::nfe::rules::RULES.iter().find(|rule| rule.cStat == number)?;
    let field = field_name(rule.field()?);
    (!field.contains('[')).then(|| format!("nota.{field}"))
}

/// Remedy of a rejected document's code.
pub(super) fn remedy(document: &JobDocument) -> Option<Markup> {
    let advice = RejectionAdvice::of(document.counted, document.codigo.as_ref()?);
    let text = advice.remedies.first()?;
    // a text of ours, written as Markdown
    Some(html! { p { strong { "O que fazer: " } (PreEscaped(inline(text))) } })
}
