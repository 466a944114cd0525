//! A field of the forms of companies: label, meaning, control, and its problem beside it.

use maud::{Markup, html};

use crate::api::error::FieldProblem;

/// A field as a form shows it.
pub(super) struct LineControl<'a> {
    /// Name of the member that the field sets, with its groups.
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    /// Meaning, and where to get the value.
    pub(super) about: &'a [&'a str],
    pub(super) value: &'a str,
    pub(super) kind: LineKind<'a>,
    pub(super) is_required: bool,
}

/// Kind of control.
pub(super) enum LineKind<'a> {
    /// A line of so many characters.
    Text(usize),
    Choice(&'a [(&'a str, &'a str)]),
    /// A password, never filled by a page.
    Secret,
    /// A file of these kinds.
    File(&'a str),
}

impl LineControl<'_> {
    /// The field, with its problem among those of a refusal.
    pub(super) fn show(&self, problems: &[FieldProblem]) -> Markup {
        let problem = problems.iter().find(|problem| problem.campo == self.name);
        let wrong = problem.map(|_| "true");
        let id = problem.map(|_| format!("falha-{}", self.name));
        html! {
            label {
                (self.label)
                @for text in self.about { @if !text.is_empty() { small { (text) } } }
                (self.control(wrong, id.as_deref()))
                @if let (Some(problem), Some(id)) = (problem, &id) { span class="falha" id=(id) { (self.words_of(problem)) } }
            }
        }
    }

    /// Words of a problem, with the label where they begin with the member's name.
    fn words_of(&self, problem: &FieldProblem) -> String {
        match problem.mensagem.strip_prefix(self.name).filter(|rest| rest.starts_with(' ')) {
            Some(rest) => format!("{}{rest}", self.label),
            None => problem.mensagem.clone(),
        }
    }

    fn control(&self, wrong: Option<&str>, id: Option<&str>) -> Markup {
        let LineControl { name, value, is_required, .. } = *self;
        html! {
            @match self.kind {
                LineKind::Text(most) => {
                    input name=(name) value=(value) maxlength=(most) autocomplete="off" required[is_required]
                        aria-invalid=[wrong] aria-describedby=[id];
                }
                LineKind::Choice(choices) => {
                    select name=(name) required[is_required] aria-invalid=[wrong] aria-describedby=[id] {
                        @if !choices.iter().any(|(code, _)| *code == value) { option value=(value) selected { (value) } }
                        @for (code, text) in choices { option value=(code) selected[*code == value] { (text) } }
                    }
                }
                LineKind::Secret => {
                    input type="password" name=(name) maxlength="2000" autocomplete="new-password" required[is_required]
                        aria-invalid=[wrong] aria-describedby=[id];
                }
                LineKind::File(accept) => {
                    input type="file" name=(name) accept=(accept) required[is_required]
                        aria-invalid=[wrong] aria-describedby=[id];
                }
            }
        }
    }
}
