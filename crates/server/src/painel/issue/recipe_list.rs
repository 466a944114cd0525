//! Recipes that a document can begin with: the cookbook, and the examples of the other families' guides.

use std::borrow::Cow;

use fiscal::law::Law;
use jiff::civil::Date;
use serde_json::{Map, Value};

use super::code_meanings::shortened;
use super::form_family::FormFamily;
use crate::api::docs::receitas::{CookbookRecipe, RECIPES};

/// A recipe as the page lists it.
pub(super) struct ListedRecipe {
    /// Its name in addresses.
    pub(super) name: &'static str,
    /// Word of its family.
    pub(super) family: &'static str,
    pub(super) title: String,
    /// Its use, in a line.
    pub(super) line: String,
}

/// An example of a guide.
struct GuideExample {
    name: &'static str,
    family: &'static str,
    title: &'static str,
    line: &'static str,
    json: &'static str,
}

const EXAMPLES: &[GuideExample] = &[
    GuideExample {
        name: "nota",
        family: "nfe",
        title: "Venda simples",
        line: "Um produto para uma pessoa do mesmo Estado, paga com Pix: o menor começo.",
        json: include_str!("../../../../../docs/guides/nota.json"),
    },
    GuideExample {
        name: "nfce",
        family: "nfce",
        title: "Cupom simples",
        line: "Venda no balcão, paga em dinheiro, sem o CPF de quem compra.",
        json: include_str!("../../../../../docs/guides/nfce.json"),
    },
    GuideExample {
        name: "cte",
        family: "cte",
        title: "Frete de carga",
        line: "Transporte rodoviário entre duas cidades do mesmo Estado, pago pelo remetente.",
        json: include_str!("../../../../../docs/guides/cte.json"),
    },
    GuideExample {
        name: "cte-os",
        family: "cte-os",
        title: "Fretamento de passageiros",
        line: "Transporte de pessoas contratado por uma empresa.",
        json: include_str!("../../../../../docs/guides/cte-os.json"),
    },
    GuideExample {
        name: "nfse",
        family: "nfse",
        title: "Serviço pelo emissor nacional",
        line: "Desenvolvimento de sistemas para uma pessoa, com o imposto no município da empresa.",
        json: include_str!("../../../../../docs/guides/nfse.json"),
    },
    GuideExample {
        name: "nfse-municipal",
        family: "nfse-municipal",
        title: "Serviço pelo sistema da prefeitura",
        line: "Suporte técnico, convertido em nota pela prefeitura.",
        json: include_str!("../../../../../docs/guides/nfse-municipal.json"),
    },
];

/// Every recipe, the simplest of a family first.
pub(super) fn all() -> Vec<ListedRecipe> {
    let examples = EXAMPLES.iter().map(|one| ListedRecipe {
        name: one.name,
        family: one.family,
        title: one.title.to_owned(),
        line: one.line.to_owned(),
    });
    let cookbook = RECIPES.iter().map(|recipe| {
        let (title, line) = words(recipe.words);
        ListedRecipe { name: name(recipe), family: recipe.tipo, title, line }
    });
    examples.chain(cookbook).collect()
}

/// The payload of a recipe in the rates of a day, and its family.
pub(super) fn payload(wanted: &str, today: Date, law: &Law) -> Option<(&'static FormFamily, Map<String, Value>)> {
    let example = EXAMPLES.iter().find(|one| one.name == wanted).map(|one| (one.family, Cow::Borrowed(one.json)));
    let recipe = || RECIPES.iter().find(|one| name(one) == wanted).map(|one| (one.tipo, one.payload(today, law)));
    let (family, json) = example.or_else(recipe)?;
    let Ok(Value::Object(mut body)) = serde_json::from_str(&json) else { return None };
    if let Some(nota) = body.get_mut("nota").and_then(Value::as_object_mut) {
        for name in OF_TODAY {
            if let Some(day) = nota.get_mut(*name) {
                *day = Value::String(today.to_string());
            }
        }
    }
    Some((FormFamily::of_word(family)?, body))
}

fn name(recipe: &CookbookRecipe) -> &'static str {
    recipe.file.strip_suffix(".json").unwrap_or(recipe.file)
}

/// Title and first sentence of a recipe's Markdown.
fn words(markdown: &str) -> (String, String) {
    let (title, text) = markdown.split_once('\n').unwrap_or((markdown, ""));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['`', '*'], "");
    let sentence = text.split_inclusive(". ").next().unwrap_or_default();
    // an abbreviation is no end of a sentence
    let line = if sentence.len() > LONGEST_LINE || sentence.ends_with("art. ") { &text } else { sentence };
    (title.trim_start_matches('#').trim().to_owned(), shortened(line.trim(), LONGEST_LINE))
}

/// Longest line about a recipe, characters.
const LONGEST_LINE: usize = 140;
/// Days of a recipe that are the day of its issue.
const OF_TODAY: &[&str] = &["dCompet", "competencia"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::painel::issue::form_family::FAMILIES;

    #[test]
    fn every_recipe_has_words_and_a_payload_and_every_family_a_recipe() {
        let today = jiff::civil::date(2026, 11, 30);
        let all = all();
        for one in &all {
            let (family, body) = payload(one.name, today, Law::printed()).unwrap_or_else(|| panic!("{}", one.name));
            assert_eq!(family.word, one.family);
            assert!(body["nota"].is_object() && !one.title.is_empty() && one.line.len() > 20, "{}", one.name);
        }
        assert!(FAMILIES.iter().all(|family| all.iter().any(|one| one.family == family.word)));
        assert_eq!(payload("nfse", today, Law::printed()).unwrap().1["nota"]["dCompet"], "2026-11-30");
        assert!(payload("../empresa", today, Law::printed()).is_none());
    }
}
