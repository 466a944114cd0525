//! The items of a caller's `nota`, under any of their names.
//!
//! Law: `docs/contract.md`, "Emission" (`produtos`); MOC 7.0, anexo I, group H (`det`). The names are those of the map
//! (`groups`). Must not know the use of an item.

use super::groups::INF_NFE;
use super::official_tree;
use crate::nota::NotaItems;
use serde_json::{Map, Value};

/// Returns the items of a `nota` and their path.
pub fn items(nota: &Value) -> NotaItems<'_> {
    let home = official_tree::tree_path(nota);
    match official_tree::groups(nota).as_object().and_then(given) {
        Some((name, value)) => {
            NotaItems { campo: format!("{home}.{name}"), items: value.as_array().map_or(&[], Vec::as_slice) }
        }
        None => NotaItems { campo: format!("{home}.{}", NAMES[0]), items: &[] },
    }
}

/// Removes the items, under all of their names: no other part of a payload is as long.
pub fn remove_items(nota: &mut Value) {
    let groups = match official_tree::tree_path(nota) {
        "nota" => Some(nota),
        _ => nota.get_mut("infNFe"),
    };
    if let Some(groups) = groups.and_then(Value::as_object_mut) {
        NAMES.iter().for_each(|name| drop(groups.shift_remove(*name)));
    }
}

/// Returns a member of an item by its official tag (`cProd`, `ICMS`), at the position of the layout or of the contract.
pub fn member<'a>(item: &'a Value, tag: &str) -> Option<&'a Value> {
    let det = INF_NFE.child("det")?;
    let homes = ["prod", "imposto"].into_iter().filter_map(|home| Some((home, det.child(home)?)));
    homes.into_iter().find_map(|(home, place)| {
        let wrappers = std::iter::once(home).chain(place.names.iter().copied()).filter_map(|name| item.get(name));
        let own = place.child(tag).map_or(&[][..], |place| place.names);
        let names = || own.iter().copied().chain([tag]);
        std::iter::once(item).chain(wrappers).find_map(|group| names().find_map(|name| group.get(name)))
    })
}

/// Returns a tax of an item in the contract's form, without the group that the tax situation selects (`ICMS: {ICMS00:
/// {…}}`).
pub fn tax<'a>(item: &'a Value, tag: &str) -> Option<&'a Value> {
    let tax = member(item, tag)?;
    let only = tax.as_object().filter(|members| members.len() == 1).and_then(|members| members.iter().next());
    let inner = only.filter(|(name, value)| value.is_object() && name.starts_with(tag)).map(|(_, value)| value);
    Some(inner.unwrap_or(tax))
}

/// Returns the caller's name of the list and its value. A null counts only when no other name has a value.
pub(super) fn given(root: &Map<String, Value>) -> Option<(&'static str, &Value)> {
    let named = || NAMES.iter().filter_map(|name| root.get(*name).map(|value| (*name, value)));
    named().find(|(_, value)| !value.is_null()).or_else(|| named().next())
}

/// Contract name, alias and official tag of the list.
const NAMES: [&str; 3] = ["produtos", "itens", "det"];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_name_of_the_list_is_found_and_named() {
        for name in NAMES {
            let nota = json!({ name: [{ "cProd": "1" }, { "cProd": "2" }] });
            let found = items(&nota);
            assert_eq!((found.campo.as_str(), found.items.len()), (format!("nota.{name}").as_str(), 2));
            assert_eq!(found.position_in(&format!("{}.NCM", found.path_of(1))), Some(1));
            assert_eq!(found.position_in("nota.total.vNF"), None);
        }
        let tree = json!({ "infNFe": { "det": [{}] } });
        assert_eq!((items(&tree).campo.as_str(), items(&tree).items.len()), ("nota.infNFe.det", 1));
        let nota = json!({ "produtos": null, "det": [{}] });
        assert_eq!(items(&nota).campo, "nota.det");
        assert_eq!(items(&json!({})), NotaItems { campo: "nota.produtos".to_owned(), items: &[] });
        assert!(items(&json!({ "itens": "um" })).items.is_empty());
    }

    #[test]
    fn the_names_are_those_of_the_map() {
        let det = INF_NFE.child("det").unwrap();
        assert!(NAMES.iter().all(|name| *name == "det" || det.names.contains(name)));
        assert_eq!(det.names.len() + 1, NAMES.len());
    }

    #[test]
    fn a_member_is_found_in_both_shapes() {
        let flat = json!({ "cProd": "1", "icms": { "CST": "00" } });
        let official = json!({ "prod": { "cProd": "1" }, "imposto": { "ICMS": { "ICMS00": { "CST": "00" } } } });
        for item in [&flat, &official] {
            assert_eq!(member(item, "cProd"), Some(&json!("1")), "{item}");
            assert_eq!(tax(item, "ICMS"), Some(&json!({ "CST": "00" })), "{item}");
            assert_eq!(tax(item, "IPI"), None);
        }
    }
}
