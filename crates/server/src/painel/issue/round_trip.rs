//! Every recipe through the form and back: what a browser sends of an unchanged page is the payload.

use fiscal::law::Law;
use serde_json::{Map, Value, json};

use super::draft_form::{DrawnForm, draw};
use super::finding_list::FindingList;
use super::form_family::FormFamily;
use super::nota_draft::NotaDraft;
use super::recipe_list;

/// Fields of a page as a browser without scripts would send them.
pub(super) fn sent(html: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for piece in html.split('<').skip(1) {
        let Some((tag, content)) = piece.split_once('>') else { continue };
        match tag.split_whitespace().next().unwrap_or_default() {
            "input" => fields.extend(attribute(tag, "name").map(|name| (name, typed(tag)))),
            "select" => fields.extend(attribute(tag, "name").map(|name| (name, String::new()))),
            "option" if tag.contains(" selected") => {
                fields.last_mut().unwrap().1 = attribute(tag, "value").unwrap();
            }
            "textarea" => {
                let text = unescaped(content.strip_prefix('\n').unwrap_or(content));
                let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
                fields.extend(attribute(tag, "name").map(|name| (name, text)));
            }
            _ => {}
        }
    }
    fields
}

/// Value of an input: dates that a browser cannot read are empty, and it leaves zero seconds out.
fn typed(tag: &str) -> String {
    let value = attribute(tag, "value").unwrap_or_default();
    match attribute(tag, "type").as_deref() {
        Some("date") if value.parse::<jiff::civil::Date>().is_err() => String::new(),
        Some("datetime-local") if value.parse::<jiff::civil::DateTime>().is_err() => String::new(),
        Some("datetime-local") => {
            value.strip_suffix(":00").filter(|short| short.len() == 16).unwrap_or(&value).to_owned()
        }
        _ => value.replace(['\n', '\r'], ""),
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next().map(unescaped)
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn drawn(draft: &NotaDraft, family: &str) -> DrawnForm {
    draw(draft, FormFamily::of_word(family).unwrap().members(), &FindingList::default())
}

/// Draws a payload, and reads what a browser sends back.
fn round(nota: &Map<String, Value>, family: &str) -> (NotaDraft, DrawnForm) {
    let before = NotaDraft::of(nota.clone());
    let page = drawn(&before, family);
    let mut after = NotaDraft::of(serde_json::from_str(&before.text()).unwrap());
    for (path, text) in sent(&page.markup.0) {
        assert!(after.set(&path, &text), "{family}: {path}={text}");
    }
    (after, page)
}

#[test]
fn every_recipe_comes_back_as_it_was() {
    for recipe in recipe_list::all() {
        let (family, body) =
            recipe_list::payload(recipe.name, jiff::civil::date(2026, 11, 30), Law::printed()).unwrap();
        let nota = body["nota"].as_object().unwrap();
        let (after, page) = round(nota, family.word);
        assert_eq!(
            Value::Object(after.pruned()).to_string(),
            Value::Object(nota.clone()).to_string(),
            "{}",
            recipe.name
        );
        assert!(page.untouched.is_empty(), "{}: {:?}", recipe.name, page.untouched);
        assert!(!page.markup.0.contains("fora do leiaute"), "{}: {}", recipe.name, page.markup.0);
    }
}

#[test]
fn nothing_of_an_odd_payload_is_lost_and_what_has_no_field_is_named() {
    let nota = json!({
        "ide": { "natOp": "  dois  espaços ", "dhEmi": "2026-11-23T10:00:00-03:00", "dhSaiEnt": "ontem", "tpNF": 7 },
        "det": [
            { "prod": { "cProd": "<script>alert(1)</script>", "xProd": "a\nb", "qCom": 1.50, "x": null }, "loja": [1, "2", [3]] },
            { "prod": { "cProd": "\u{7}", "xProd": "\n\nc", "vazio": {}, "lista": [] }, "nItem": true }
        ],
        "autXML": ["52998224725", ""],
        "a.b": "ponto", "c[0]": 1, "": "sem nome", "infAdic": { "infCpl": "linha\r\noutra\rmais" }, "transp": null
    });
    let nota = nota.as_object().unwrap();
    let (after, page) = round(nota, "nfe");
    assert_eq!(Value::Object(after.pruned()).to_string(), Value::Object(nota.clone()).to_string());
    assert_eq!(
        page.untouched,
        ["nota.det[0].loja[2]", "nota.det[1].prod.cProd", "nota → a.b", "nota → c[0]", "nota → "]
            .iter()
            .map(|path| path.to_string())
            .collect::<Vec<_>>()
    );
    assert!(!page.markup.0.contains("<script>") && page.markup.0.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn an_opened_group_shows_its_fields_and_an_added_item_those_of_the_last() {
    let mut draft = NotaDraft::of(json!({ "produtos": [{ "xProd": "A" }] }).as_object().unwrap().clone());
    assert!(!drawn(&draft, "nfe").places.contains("nota.transportador.modFrete"));
    assert!(draft.open("nota.transportador") && draft.append("nota.produtos") && draft.append("nota.autXML"));
    let page = drawn(&draft, "nfe");
    for path in ["nota.transportador.modFrete", "nota.produtos[1].xProd", "nota.autXML[0].CNPJCPF"] {
        assert!(page.places.contains(path), "{path}: {:?}", page.places);
    }
}
