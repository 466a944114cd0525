//! Words of a field, from the documentation of its layout: label, codes with their meanings, bounds.
//!
//! Must not know any field.

use fiscal::map::{GroupMember, MemberBody, MemberRequirement, ValueKind, value_kind};

use super::code_meanings::{FieldOption, codes_of, first_code, last_tag, options, shortened};

/// Control that a browser shows for a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FieldControl {
    /// A choice among these codes.
    Choice(Vec<FieldOption>),
    /// A long list of codes, offered and not imposed.
    Codes(Vec<&'static str>),
    Date,
    Moment,
    /// A decimal or a code of digits, with the keyboard for it.
    Number(&'static str),
    Line,
    Lines,
}

/// Label of a member: the beginning of its documentation, or its name in words.
pub(in crate::painel) fn label(member: &GroupMember) -> String {
    // one member for both documents of the layout
    if matches!(member.name, "CNPJCPF" | "cpf_cnpj") {
        return "CNPJ ou CPF".to_owned();
    }
    let doc = member.doc.trim();
    let codes = codes_of(member);
    let end = first_code(doc, &codes).into_iter().chain(STOPS.iter().filter_map(|stop| doc.find(stop))).min();
    let head = doc.get(..end.unwrap_or(doc.len())).unwrap_or(doc);
    let head = head.trim().trim_end_matches([':', ',', '-', '–', '(', '=', '`', ' ', '.']);
    let head = LEADS.iter().find_map(|lead| head.strip_prefix(lead)).unwrap_or(head).trim();
    if head.chars().count() < SHORTEST { in_words(member.name) } else { capital(&shortened(head, LONGEST_LABEL)) }
}

/// Rest of the documentation that neither label nor options contain.
pub(super) fn hint(member: &GroupMember) -> Option<String> {
    let doc = member.doc.trim().trim_end_matches('.');
    let said = label(member);
    let is_said = doc.chars().count() <= said.chars().count() + 3;
    (!doc.is_empty() && !is_said && first_code(doc, &codes_of(member)).is_none())
        .then(|| shortened(&doc.replace('`', ""), LONGEST_HINT))
}

/// True when only the documentation gives the meanings of the field's codes.
pub(super) fn names_codes(member: &GroupMember) -> bool {
    member.doc.contains('`') && codes_of(member).is_empty()
}

/// A name as words: `valor_servicos` is "Valor servicos".
pub(super) fn in_words(name: &str) -> String {
    capital(&name.replace('_', " "))
}

/// Consequence of leaving a field empty, and the bounds of its text.
pub(super) fn bounds(member: &GroupMember) -> String {
    let mut said: Vec<String> = Vec::new();
    said.extend(absent(member.need));
    if let MemberBody::Value(types) = &member.body {
        let decimals = types.iter().filter_map(|simple| match value_kind(last_tag(member), simple) {
            ValueKind::Decimal { decimals } => Some(decimals),
            _ => None,
        });
        let letters = types.iter().filter_map(|simple| simple.max_length).max();
        match (decimals.max(), letters) {
            (Some(most), _) => said.push(format!("até {most} casas decimais")),
            (None, Some(most)) => said.push(format!("até {most} caracteres")),
            _ => {}
        }
    }
    said.join(" · ")
}

fn absent(need: MemberRequirement) -> Option<String> {
    match need {
        MemberRequirement::Required => Some("obrigatório".to_owned()),
        MemberRequirement::Optional | MemberRequirement::Zero => None,
        MemberRequirement::Default(text) | MemberRequirement::Assumed(text) => Some(format!("vazio: {text}")),
        MemberRequirement::SameAs(other) => Some(format!("vazio: igual a {other}")),
        MemberRequirement::Sum => Some("vazio: somado pelo serviço".to_owned()),
        MemberRequirement::Index => Some("vazio: a posição na lista".to_owned()),
        MemberRequirement::Service => Some("vazio: o serviço preenche".to_owned()),
        MemberRequirement::Company => Some("vazio: do cadastro da empresa".to_owned()),
    }
}

/// Control of a field of these types.
pub(super) fn control(member: &GroupMember) -> FieldControl {
    let MemberBody::Value(types) = &member.body else { return FieldControl::Line };
    let kinds: Vec<ValueKind> = types.iter().map(|simple| value_kind(last_tag(member), simple)).collect();
    let all = |kind: ValueKind| !kinds.is_empty() && kinds.iter().all(|found| *found == kind);
    let is_number = |kind: &ValueKind| {
        matches!(kind, ValueKind::Decimal { .. } | ValueKind::Digits | ValueKind::Integer | ValueKind::Cpf)
    };
    if all(ValueKind::Code) {
        let codes = codes_of(member);
        return if codes.len() > MOST_CHOICES {
            FieldControl::Codes(codes)
        } else {
            FieldControl::Choice(options(member.doc, &codes))
        };
    }
    match kinds.first() {
        _ if all(ValueKind::Date) => FieldControl::Date,
        _ if all(ValueKind::Instant) => FieldControl::Moment,
        Some(ValueKind::Decimal { .. }) if kinds.iter().all(is_number) => FieldControl::Number("decimal"),
        Some(_) if kinds.iter().all(is_number) => FieldControl::Number("numeric"),
        _ if types.iter().any(|simple| simple.max_length.is_some_and(|most| most > LONGEST_LINE)) => {
            FieldControl::Lines
        }
        _ => FieldControl::Line,
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters.as_str().chars()).collect()
}

/// Ends of a label.
const STOPS: &[&str] =
    &[". ", "; ", ": ", " (", ", informar", ", com até", ", com alíquota", ", preencher", " - ", " – ", "\n"];
/// Beginnings without a word about the field.
const LEADS: &[&str] = &[
    "Grupo de informações do DPS relativas ao ",
    "Grupo de informações específicas de ",
    "Grupo de informações relativas aos ",
    "Grupo de informações relativas ao ",
    "Grupo de informações relacionados aos ",
    "Grupo de informações relacionados ao ",
    "Grupo de informações da ",
    "Grupo de informações do ",
    "Grupo de informações dos ",
    "Grupo de informações de ",
    "Grupo com as informações da ",
    "Grupo com as informações ",
    "Grupo de detalhamento da ",
    "Grupo de ",
    "Grupo do ",
    "Grupo da ",
    "Informações relativas aos ",
    "Informações da ",
    "Informações do ",
    "Dados dos ",
    "Dados das ",
    "Dados do ",
    "Dados da ",
    "Dados de ",
    "Informar o ",
    "Informar a ",
    "Preencher com ",
];
/// Shortest label, characters.
const SHORTEST: usize = 2;
const LONGEST_LABEL: usize = 70;
const LONGEST_HINT: usize = 200;
/// Longest text of a field of one line, characters.
const LONGEST_LINE: u32 = 255;
/// Largest list of codes that is a choice.
const MOST_CHOICES: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(members: &[GroupMember], path: &str) -> GroupMember {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        let member = members.iter().find(|member| member.name == name).unwrap_or_else(|| panic!("{path}"));
        match &member.body {
            MemberBody::Group(inside) if !rest.is_empty() => leaf(inside, rest),
            _ => member.clone(),
        }
    }

    fn nfe(path: &str) -> GroupMember {
        leaf(&fiscal::nfe::describe::members(), path)
    }

    fn meaning(member: &GroupMember, code: &str) -> String {
        let FieldControl::Choice(options) = control(member) else { panic!("{}", member.name) };
        options.into_iter().find(|option| option.code == code).unwrap().meaning
    }

    #[test]
    fn a_label_is_the_beginning_of_the_documentation() {
        assert_eq!(label(&nfe("identificacao.natOp")), "Descrição da Natureza da Operação");
        assert_eq!(label(&nfe("identificacao.tpNF")), "Tipo do Documento Fiscal");
        assert_eq!(label(&nfe("destinatario.indIEDest")), "Indicador da IE do destinatário");
        let municipal = fiscal::abrasf::describe::members();
        assert_eq!(label(&leaf(&municipal, "servico.iss_retido")), "ISS retido pelo tomador ou intermediário");
    }

    #[test]
    fn codes_have_their_meanings() {
        assert_eq!(meaning(&nfe("identificacao.tpNF"), "1"), "saída");
        assert_eq!(meaning(&nfe("identificacao.finNFe"), "4"), "Devolução/Retorno");
        assert_eq!(meaning(&nfe("destinatario.indIEDest"), "9"), "Não Contribuinte");
        assert_eq!(meaning(&nfe("identificacao.idDest"), "2"), "Interestadual");
    }

    #[test]
    fn each_field_has_a_label_and_the_control_of_its_kind() {
        assert_eq!(control(&nfe("identificacao.dhEmi")), FieldControl::Moment);
        assert_eq!(control(&nfe("produtos.DI.dDI")), FieldControl::Date);
        assert_eq!(control(&nfe("produtos.vProd")), FieldControl::Number("decimal"));
        fn all(members: &[GroupMember]) {
            for member in members {
                let label = label(member);
                assert!(!label.is_empty() && label.chars().count() <= LONGEST_LABEL + 1, "{}: {label}", member.name);
                if let MemberBody::Group(inside) = &member.body {
                    all(inside);
                }
            }
        }
        for page in ["nfe", "nfce", "cte", "cte-os", "nfse", "nfse-municipal"] {
            all(&crate::api::docs::families::members(page).unwrap());
        }
    }
}
