//! Findings about a payload, each for the field that it is about.

use super::field_path::is_within;
use crate::api::documento::verificar::{CheckView, PredictedView, ProblemView};
use crate::api::error::ApiError;

/// Weight of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FindingWeight {
    /// The document cannot be issued like this, or would differ from the intended one.
    Fault,
    /// The authority would refuse it.
    Predicted,
    /// Something is assumed or changed.
    Remark,
}

/// A finding.
#[derive(Debug, Clone)]
pub(super) struct FormFinding {
    /// Path in the payload.
    pub(super) campo: String,
    pub(super) weight: FindingWeight,
    pub(super) text: String,
    /// The right name or value.
    pub(super) suggestion: Option<String>,
}

/// All findings about a payload.
#[derive(Debug, Clone, Default)]
pub(super) struct FindingList {
    pub(super) found: Vec<FormFinding>,
    /// Faults and predicted refusals that were counted and not listed.
    pub(super) omitted: usize,
    /// Remarks that were counted and not listed.
    pub(super) omitted_remarks: usize,
}

impl FindingList {
    /// Findings of a check.
    pub(super) fn of_check(check: &CheckView) -> FindingList {
        let lists = &check.lists;
        let faults = [&lists.campos_ausentes, &lists.erros, &lists.campos_desconhecidos].into_iter().flatten();
        let faults = faults.map(fault);
        let remarks = lists.avisos.iter().map(|notice| FormFinding {
            campo: notice.campo.clone(),
            weight: FindingWeight::Remark,
            text: notice.mensagem.clone(),
            suggestion: notice.sugestao.clone(),
        });
        let found = faults.chain(lists.rejeicoes_previstas.iter().map(predicted)).chain(remarks).collect();
        let more = check.omitidos.0.as_ref();
        let omitted = more
            .map_or(0, |more| more.campos_desconhecidos + more.campos_ausentes + more.erros + more.rejeicoes_previstas);
        FindingList { found, omitted, omitted_remarks: more.map_or(0, |more| more.avisos) }
    }

    /// Findings of a refusal.
    pub(super) fn of_error(error: &ApiError) -> FindingList {
        let mut found: Vec<FormFinding> = error
            .problems()
            .iter()
            .map(|problem| FormFinding {
                campo: problem.campo.clone(),
                weight: FindingWeight::Fault,
                text: problem.mensagem.clone(),
                suggestion: problem.sugestao.clone(),
            })
            .collect();
        if found.is_empty() {
            found.push(FindingList::general(error.detail()));
        }
        FindingList { found, ..FindingList::default() }
    }

    /// A fault of no single field.
    pub(super) fn general(text: &str) -> FormFinding {
        FormFinding { campo: String::new(), weight: FindingWeight::Fault, text: text.to_owned(), suggestion: None }
    }

    /// A fault of one field.
    pub(super) fn fault_at(campo: &str, text: String) -> FindingList {
        let found = FormFinding { campo: campo.to_owned(), text, ..FindingList::general("") };
        FindingList { found: vec![found], ..FindingList::default() }
    }

    /// Findings about a field itself.
    pub(super) fn at(&self, path: &str) -> impl Iterator<Item = &FormFinding> {
        self.found.iter().filter(move |finding| finding.campo == path)
    }

    /// True when a finding is about a place, or about something inside of it.
    pub(super) fn lies_within(&self, path: &str) -> bool {
        self.found.iter().any(|finding| is_within(&finding.campo, path))
    }

    /// True when a person should see the findings before the document is sent.
    pub(super) fn warns(&self) -> bool {
        self.omitted > 0 || self.found.iter().any(|finding| finding.weight != FindingWeight::Remark)
    }
}

impl FindingWeight {
    /// True when the field's content is wrong.
    pub(super) fn is_wrong(self) -> bool {
        self != FindingWeight::Remark
    }
}

fn fault(problem: &ProblemView) -> FormFinding {
    FormFinding {
        campo: problem.campo.clone(),
        weight: FindingWeight::Fault,
        text: problem.mensagem.clone(),
        suggestion: problem.sugestao.clone(),
    }
}

fn predicted(problem: &PredictedView) -> FormFinding {
    let (code, reason) = (problem.codigo_status.as_str(), &problem.motivo_status);
    // most messages quote the authority
    let text = match problem.mensagem.contains(code) {
        true => problem.mensagem.clone(),
        false => format!("{} A autoridade recusaria com o código {code}: {reason}", problem.mensagem),
    };
    FormFinding {
        campo: problem.campo.clone(),
        weight: FindingWeight::Predicted,
        text,
        suggestion: problem.sugestao.clone(),
    }
}
