//! Request of CadConsultaCadastro4: its argument, and its schema (ConsCad 2.00), which is in no package from which
//! layouts are compiled.

use fiscal::value::Uf;
use fiscal::xml::Element;

/// Key of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegisterSearch {
    Ie,
    Cnpj,
    Cpf,
}

pub(super) const ARGUMENTS: [(&str, RegisterSearch); 3] =
    [("IE", RegisterSearch::Ie), ("CNPJ", RegisterSearch::Cnpj), ("CPF", RegisterSearch::Cpf)];

/// The first deviation from the official schema.
pub(super) fn first_fault(payload: &Element) -> Option<String> {
    let wrong = |what: &str| Some(format!("ConsCad/infCons: {what}"));
    let Some(asked) = payload.child("infCons") else { return wrong("falta") };
    let names: Vec<&str> = asked.children().map(|child| child.name.as_str()).collect();
    let argument = match names.as_slice() {
        ["xServ", "UF", argument] => ARGUMENTS.iter().find(|(name, _)| name == argument),
        _ => return wrong("esperados xServ, UF e um de IE, CNPJ, CPF"),
    };
    let Some((name, by)) = argument else { return wrong("esperado um de IE, CNPJ, CPF") };
    let text = asked.text_at(name).unwrap_or("");
    let digits = |least: usize, most: usize| {
        (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let letters = text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let shaped = match by {
        RegisterSearch::Ie => text == "ISENTO" || digits(2, 14),
        RegisterSearch::Cnpj => (3..=14).contains(&text.len()) && letters,
        RegisterSearch::Cpf => digits(3, 11),
    };
    let state = asked.text_at("UF").is_some_and(|uf| uf == "SU" || Uf::from_sigla(uf).is_some());
    match (asked.text_at("xServ") == Some("CONS-CAD"), state, shaped) {
        (false, _, _) => wrong("xServ diferente de CONS-CAD"),
        (_, false, _) => wrong("UF desconhecida"),
        (_, _, false) => wrong(&format!("{name} fora do formato")),
        (true, true, true) => None,
    }
}
