//! Corrections of a CT-e: the fields that a letter may change, and the merge with earlier letters.
//!
//! Law: Ajuste SINIEF 9/07 and Convênio SINIEF 6/89, art. 58-B (the last letter repeats every correction; no value, no
//! tax, no party, no date); MOC CT-e 4.00 anexo I, rules 681 and 525, and NT 2024.001 for the fields barred since. Must
//! not know the number of earlier letters.

use crate::finding::{Violation, excerpt};
use crate::layout::{self, Body, Complex, ContentModel, Element, Layout, Particle};
use crate::xml;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A new value for a field, in the JSON form that `body` takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CteCorrection {
    /// Tag of the group that directly holds the field.
    pub grupo: String,
    /// Tag of the field, or of an attribute.
    pub campo: String,
    /// New value.
    pub valor: String,
    /// Position from 1, where the group repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
}

impl CteCorrection {
    /// Reads a member of `correcoes`, under the contract's names or the official ones; `None` when a name or a value is
    /// missing or is no text.
    pub fn read(value: &Value) -> Option<CteCorrection> {
        let given = |names: [&str; 2]| names.iter().find_map(|name| value.get(*name)).filter(|given| !given.is_null());
        let text = |given: &Value| match given {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let named = |names: [&str; 2]| text(given(names)?);
        let item = match given(["item", "nroItemAlterado"]) {
            Some(item) => Some(text(item)?).filter(|item| !item.is_empty()),
            None => None,
        };
        Some(CteCorrection {
            grupo: named(["grupo", "grupoAlterado"])?,
            campo: named(["campo", "campoAlterado"])?,
            valor: named(["valor", "valorAlterado"])?,
            item: item.map(|item| position(&item)),
        })
    }

    /// Reads `infCorrecao` of an earlier letter.
    pub fn of(group: &xml::Element) -> Option<CteCorrection> {
        let text = |tag: &str| group.text_at(tag).map(str::to_owned);
        Some(CteCorrection {
            grupo: text("grupoAlterado")?,
            campo: text("campoAlterado")?,
            valor: text("valorAlterado")?,
            item: text("nroItemAlterado").map(|item| position(&item)),
        })
    }

    fn is_of_same_field(&self, other: &CteCorrection) -> bool {
        (&self.grupo, &self.campo, &self.item) == (&other.grupo, &other.campo, &other.item)
    }
}

/// A position without leading zeros. Zero stays and is refused (522).
fn position(item: &str) -> String {
    match item.trim_start_matches('0') {
        "" => "0".to_owned(),
        bare => bare.to_owned(),
    }
}

/// Every correction in force: those of the earlier letters and the new ones, which replace earlier values of the same
/// field.
pub fn merged(earlier: &[CteCorrection], new: &[CteCorrection]) -> Vec<CteCorrection> {
    let replaced = |old: &&CteCorrection| new.iter().any(|correction| correction.is_of_same_field(old));
    let mut all: Vec<CteCorrection> = earlier.iter().filter(|old| !replaced(old)).cloned().collect();
    all.extend(new.iter().cloned());
    all
}

/// Violations of corrections of a document of this model (57, 67). Paths are those of `correcoes`.
pub fn refusals(modelo: u8, corrections: &[CteCorrection]) -> Vec<Violation> {
    let layout = if modelo == 67 { &layout::CTE_OS } else { &layout::CTE };
    let each = corrections.iter().enumerate();
    let path = |at: usize| format!("correcoes[{at}]");
    each.flat_map(|(at, correction)| {
        refusal(layout, correction, &path(at)).into_iter().chain(impossible_item(correction, &path(at)))
    })
    .collect()
}

/// 522: a position is from 1 to 99.
fn impossible_item(correction: &CteCorrection, path: &str) -> Option<Violation> {
    let item =
        correction.item.as_deref().filter(|item| !item.parse().is_ok_and(|item: u32| (1..=99).contains(&item)))?;
    let mensagem = format!("{} não é uma posição: item vai de 1 a 99, ou fica de fora (rejeição 522).", excerpt(item));
    Some(Violation::of(&format!("{path}.item"), "valor_invalido", &mensagem))
}

fn refusal(layout: &Layout, correction: &CteCorrection, path: &str) -> Option<Violation> {
    let CteCorrection { grupo, campo, .. } = correction;
    if is_barred(layout, grupo, campo) {
        let mensagem = format!(
            "{}/{} não pode ser corrigido por carta (rejeição 681): valores, imposto, partes e datas se corrigem com complemento ou substituição.",
            excerpt(grupo),
            excerpt(campo)
        );
        return Some(Violation::of(&format!("{path}.campo"), "campo_nao_corrigivel", &mensagem));
    }
    if holds(layout, grupo, campo) {
        return None;
    }
    let mensagem = format!(
        "{}/{} não existe no leiaute deste modelo (rejeição 525). Informe a tag do grupo que contém o campo e a tag do campo, com a grafia oficial.",
        excerpt(grupo),
        excerpt(campo)
    );
    Some(Violation::of(&format!("{path}.campo"), "valor_invalido", &mensagem))
}

/// True for a field that a letter cannot change. Names are compared without regard to case, as by the authority. The
/// law bars more than the list: every tax, and the identity of the parties.
fn is_barred(layout: &Layout, grupo: &str, campo: &str) -> bool {
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let listed = |(group, fields): &(&str, &[&str])| {
        same(group, grupo) && (fields.is_empty() || fields.iter().any(|field| same(field, campo)))
    };
    let party =
        PARTIES.iter().any(|party| same(party, grupo)) && ["CNPJ", "CPF", "IE"].iter().any(|tag| same(tag, campo));
    let mut tax = false;
    each_group(layout.root, false, &mut |element, inside| tax |= inside && same(element.name, grupo));
    party || tax || BARRED.iter().any(listed)
}

const PARTIES: [&str; 7] = ["emit", "rem", "exped", "receb", "dest", "toma", "toma4"];

/// Group and fields; without fields, the whole group.
const BARRED: &[(&str, &[&str])] = &[
    ("infCte", &["versao", "Id"]),
    ("ide", &["cUF", "cCT", "mod", "serie", "nCT", "tpEmis", "cDV", "tpAmb", "dhEmi", "modal", "CFOP", "cMunIni"]),
    ("toma3", &["toma"]),
    ("vPrest", &["vTPrest"]),
    ("Comp", &["vComp"]),
    ("infNFe", &["chave"]),
    ("enderReme", &["UF"]),
    ("enderDest", &["UF"]),
];

/// True when a group of the layout directly holds a field, in the official spelling.
fn holds(layout: &Layout, grupo: &str, campo: &str) -> bool {
    let mut found = false;
    each_group(layout.root, false, &mut |element, _| {
        if let (ContentModel::Group(complex), true) = (&element.kind, element.name == grupo) {
            found |= complex.attributes.iter().any(|attribute| attribute.name == campo)
                || crate::map::members(complex).iter().any(|member| is_leaf(member) && member.name == campo);
        }
    });
    found
}

fn is_leaf(element: &Element) -> bool {
    match &element.kind {
        ContentModel::Leaf(_) => true,
        ContentModel::Group(complex) => complex.text.is_some(),
        ContentModel::Foreign(_) => false,
    }
}

/// Visits every group; the flag is `true` inside of the tax.
fn each_group(element: &'static Element, inside: bool, look: &mut dyn FnMut(&'static Element, bool)) {
    let ContentModel::Group(complex) = &element.kind else { return };
    let inside = inside || element.name == "imp";
    look(element, inside);
    let Complex { content: Some(content), .. } = complex else { return };
    each_group_in(content, inside, look);
}

fn each_group_in(particle: &'static Particle, inside: bool, look: &mut dyn FnMut(&'static Element, bool)) {
    match &particle.body {
        Body::Element(element) => each_group(element, inside, look),
        Body::Sequence(parts) | Body::Choice(parts) => parts.iter().for_each(|part| each_group_in(part, inside, look)),
        Body::Any => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn correction(grupo: &str, campo: &str, item: Option<u16>, valor: &str) -> CteCorrection {
        let item = item.map(|item| item.to_string());
        CteCorrection { grupo: grupo.to_owned(), campo: campo.to_owned(), valor: valor.to_owned(), item }
    }

    fn told(modelo: u8, grupo: &str, campo: &str) -> Option<&'static str> {
        refusals(modelo, &[correction(grupo, campo, None, "x")]).first().map(|violation| violation.codigo)
    }

    #[test]
    fn values_taxes_parties_and_dates_are_barred() {
        for (grupo, campo) in [
            ("ide", "dhEmi"),
            ("IDE", "Serie"),
            ("vPrest", "vTPrest"),
            ("ICMS00", "vICMS"),
            ("ICMSUFFim", "vBCUFFim"),
            ("IBSCBS", "cClassTrib"),
            ("gIBSUF", "vIBSUF"),
            ("rem", "CNPJ"),
            ("receb", "IE"),
            ("infNFe", "chave"),
        ] {
            assert_eq!(told(57, grupo, campo), Some("campo_nao_corrigivel"), "{grupo}/{campo}");
        }
        assert_eq!(told(67, "toma", "CPF"), Some("campo_nao_corrigivel"));
    }

    #[test]
    fn a_field_must_stand_directly_in_its_group() {
        for (modelo, grupo, campo) in [
            (57, "infQ", "qCarga"),
            (57, "compl", "xObs"),
            (57, "ObsCont", "xCampo"),
            (57, "ObsCont", "xTexto"),
            (57, "rodo", "RNTRC"),
            (57, "enderDest", "xLgr"),
            (67, "infServico", "xDescServ"),
        ] {
            assert_eq!(told(modelo, grupo, campo), None, "{grupo}/{campo}");
        }
        for (modelo, grupo, campo) in [
            (57, "infCarga", "qCarga"),
            (57, "infServico", "xDescServ"),
            (57, "compl", "xobs"),
            (67, "infQ", "tpMed"),
            (57, "dest", "enderDest"),
        ] {
            assert_eq!(told(modelo, grupo, campo), Some("valor_invalido"), "{grupo}/{campo}");
        }
    }

    #[test]
    fn the_last_letter_repeats_the_others_and_its_own_values_win() {
        let earlier = [correction("infQ", "qCarga", Some(1), "10"), correction("compl", "xObs", None, "A")];
        let new = [correction("infQ", "qCarga", Some(1), "12"), correction("infQ", "qCarga", Some(2), "5")];
        let all = merged(&earlier, &new);
        assert_eq!(all, [earlier[1].clone(), new[0].clone(), new[1].clone()]);
        assert_eq!(all.iter().map(|one| CteCorrection::read(&json!(one)).unwrap()).collect::<Vec<_>>(), all);
        let official =
            json!({ "grupoAlterado": "infQ", "campoAlterado": "qCarga", "valorAlterado": 12, "nroItemAlterado": "01" });
        assert_eq!(CteCorrection::read(&official), Some(new[0].clone()));
        assert_eq!(CteCorrection::read(&json!({ "grupo": "infQ" })), None);
    }

    #[test]
    fn a_position_is_one_of_ninety_nine_or_is_not_there() {
        let read = |item: Value| {
            CteCorrection::read(&json!({ "grupo": "infQ", "campo": "qCarga", "valor": "1", "item": item }))
        };
        for (item, kept) in [(json!(1), "1"), (json!("01"), "1"), (json!(99), "99")] {
            let one = read(item).unwrap();
            assert_eq!((one.item.as_deref(), refusals(57, std::slice::from_ref(&one))), (Some(kept), Vec::new()));
        }
        for item in [json!(0), json!("00"), json!(100), json!(-1), json!(1.5), json!("x")] {
            let wrong = refusals(57, &[read(item.clone()).unwrap()]);
            assert_eq!(wrong.iter().map(|one| one.campo.as_str()).collect::<Vec<_>>(), ["correcoes[0].item"], "{item}");
        }
        for absent in [Value::Null, json!(""), json!(" ")] {
            assert_eq!(read(absent).unwrap().item, None);
        }
        for group in [json!(true), json!({}), json!([])] {
            assert_eq!(read(group), None);
        }
    }
}
