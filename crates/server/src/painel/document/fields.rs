//! Fields of the forms of acts: their labels, what was typed, and what is wrong with each.

use fiscal::tipo::Tipo;
use maud::{Markup, html};
use serde_json::{Map, Value, json};
use store::numbers::NumberedKind;

use crate::api::error::FieldProblem;
use crate::painel::form::FormFields;

/// A field of an act.
pub(super) struct ActField {
    /// Name of the member of the request.
    pub(super) name: &'static str,
    label: &'static str,
    hint: &'static str,
    input: FieldInput,
}

/// Control of a field.
enum FieldInput {
    /// Several lines, up to this many characters.
    Text(usize),
    Line,
    Choice(&'static [(&'static str, &'static str)]),
}

/// Fields of an act on a document of this kind; `None` for an act without fields.
pub(super) fn of(word: &str, counted: Option<NumberedKind>) -> &'static [ActField] {
    match (word, counted) {
        ("cancelar", Some(NumberedKind::Dps)) | ("analise", _) => NATIONAL_REASON,
        ("cancelar", Some(NumberedKind::Rps)) => MUNICIPAL_REASON,
        ("cancelar" | "inutilizar", _) => REASON,
        ("substituir", _) => SUBSTITUTION,
        ("corrigir", Some(NumberedKind::Nfe)) => CORRECTION,
        _ => &[],
    }
}

/// True for an act that corrects fields one by one.
pub(super) fn has_corrections(word: &str, tipo: Tipo) -> bool {
    word == "corrigir" && tipo == Tipo::Cte
}

/// The control of a field, with what was typed and its problem beside it.
pub(super) fn control(field: &ActField, typed: Option<&FormFields>, problem: Option<&FieldProblem>) -> Markup {
    let value = typed.map(|typed| typed.text(field.name)).unwrap_or_default();
    let (name, wrong) = (field.name, problem.is_some().then_some("true"));
    let told = problem.map(|_| format!("falha-{name}"));
    html! {
        label {
            (field.label)
            small { (field.hint) }
            @match field.input {
                FieldInput::Text(most) => {
                    textarea name=(name) rows="4" maxlength=(most) aria-invalid=[wrong] aria-describedby=[told.as_deref()] { (value) }
                }
                FieldInput::Line => {
                    input name=(name) value=(value) maxlength="120" autocomplete="off" aria-invalid=[wrong] aria-describedby=[told.as_deref()];
                }
                FieldInput::Choice(choices) => {
                    select name=(name) aria-invalid=[wrong] aria-describedby=[told.as_deref()] {
                        @for (code, text) in choices { option value=(code) selected[*code == value] { (text) } }
                    }
                }
            }
            @if let (Some(problem), Some(id)) = (problem, &told) { span class="falha" id=(id) { (problem.mensagem) } }
        }
    }
}

/// Rows of corrections of a CT-e.
pub(super) fn corrections(typed: Option<&FormFields>, problems: &[FieldProblem]) -> Markup {
    let value = |name: &str| typed.map(|typed| typed.text(name).to_owned()).unwrap_or_default();
    html! {
        p {
            "Cada correção diz o grupo e o campo pelas etiquetas do leiaute do CT-e (como " code { "ide" } " e " code { "natOp" } ") e o valor certo. \
             Linhas vazias são ignoradas."
        }
        @for number in 1..=CORRECTIONS {
            @let problem = problems.iter().find(|problem| problem.campo.starts_with(&format!("correcoes[{}]", number - 1)));
            fieldset aria-describedby=[problem.map(|_| format!("falha-correcao-{number}"))] {
                legend { "Correção " (number) }
                div class="campos-lado" {
                    @for part in PARTS {
                        @let name = part.name(number);
                        label { (part.label) input name=(name) value=(value(&name)) maxlength=(part.longest) autocomplete="off" aria-invalid=[problem.map(|_| "true")]; }
                    }
                }
                @if let Some(problem) = problem { p class="falha recusa" id={ "falha-correcao-" (number) } { (problem.mensagem) } }
            }
        }
    }
}

/// Members of the request from what was typed.
pub(super) fn members(word: &str, tipo: Tipo, counted: Option<NumberedKind>, typed: &FormFields) -> Map<String, Value> {
    let mut members = Map::new();
    for field in of(word, counted) {
        let text = typed.text(field.name).trim();
        if !text.is_empty() {
            members.insert(field.name.to_owned(), json!(text));
        }
    }
    if has_corrections(word, tipo) {
        let rows = (1..=CORRECTIONS).map(|number| {
            let part = |part: &CorrectionPart| {
                let text = typed.text(&part.name(number)).trim().to_owned();
                (!text.is_empty()).then(|| (part.member.to_owned(), json!(text)))
            };
            PARTS.iter().filter_map(part).collect::<Map<_, _>>()
        });
        let listed: Vec<Value> = rows.filter(|row| !row.is_empty()).map(Value::Object).collect();
        if !listed.is_empty() {
            members.insert("correcoes".to_owned(), json!(listed));
        }
    }
    members
}

const JUSTIFICATION: ActField = ActField {
    name: "justificativa",
    label: "Justificativa",
    hint: "De 15 a 255 caracteres. A autoridade a guarda.",
    input: FieldInput::Text(255),
};
const REASON: &[ActField] = &[JUSTIFICATION];
const NATIONAL_REASON: &[ActField] = &[
    ActField {
        name: "codigo_motivo",
        label: "Motivo",
        hint: "Como a NFS-e nacional o classifica.",
        input: FieldInput::Choice(&[("1", "Erro na emissão"), ("2", "Serviço não prestado"), ("9", "Outros")]),
    },
    JUSTIFICATION,
];
const MUNICIPAL_REASON: &[ActField] = &[
    ActField {
        name: "codigo_cancelamento",
        label: "Código do cancelamento",
        hint: "Como a prefeitura o classifica; deixe “a prefeitura não pede” na dúvida.",
        input: FieldInput::Choice(&[
            ("", "a prefeitura não pede"),
            ("1", "Erro na emissão"),
            ("2", "Serviço não prestado"),
            ("3", "Erro de assinatura"),
            ("4", "Duplicidade da nota"),
            ("5", "Erro de processamento"),
        ]),
    },
    JUSTIFICATION,
];
const SUBSTITUTION: &[ActField] = &[
    ActField {
        name: "chave_substituta",
        label: "Chave da NFC-e que fica",
        hint: "As 44 posições da nota da mesma venda, emitida em contingência e já autorizada; espaços são ignorados.",
        input: FieldInput::Line,
    },
    JUSTIFICATION,
];
const CORRECTION: &[ActField] = &[ActField {
    name: "correcao",
    label: "Correção",
    hint: "De 15 a 1000 caracteres. Substitui as cartas anteriores desta nota: repita o que continua valendo.",
    input: FieldInput::Text(1000),
}];
/// A member of a correction.
struct CorrectionPart {
    member: &'static str,
    label: &'static str,
    /// Longest text, characters.
    longest: usize,
}

impl CorrectionPart {
    /// Name of its field in the correction of this number.
    fn name(&self, number: usize) -> String {
        format!("{}{number}", self.member)
    }
}

const PARTS: [CorrectionPart; 4] = [
    CorrectionPart { member: "grupo", label: "Grupo", longest: 20 },
    CorrectionPart { member: "campo", label: "Campo", longest: 20 },
    CorrectionPart { member: "valor", label: "Valor certo", longest: 500 },
    CorrectionPart { member: "item", label: "Nº, se o grupo se repete", longest: 2 },
];
/// Corrections that the form offers.
const CORRECTIONS: usize = 3;
