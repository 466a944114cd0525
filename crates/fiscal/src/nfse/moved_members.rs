//! Members that NT 009 moved: a caller may use either form, and the value is written where the document's layout has
//! it.
//!
//! Law: Anexo VI v1.04.01 of NT 009. `inexpressible` returns the members that only one layout can express; they are
//! never dropped silently.

use super::dps_wrapper;
use super::focus_names::insert_at;
use super::layouts::DpsLayout;
use crate::xml::{Element, Node};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Paths in the package and in NT 009.
const MOVED: [(&str, &str); 7] = [
    ("IBSCBS.finNFSe", "finNFSe"),
    ("IBSCBS.indDest", "indDest"),
    ("IBSCBS.dest", "dest"),
    ("IBSCBS.valores.trib.gIBSCBS.CST", "IBSCBS.valores.trib.CST"),
    ("IBSCBS.valores.trib.gIBSCBS.cClassTrib", "IBSCBS.valores.trib.cClassTrib"),
    ("valores.vDedRed.pDR", "valores.vAjusteBC.pAjusteBCISSQN"),
    ("valores.vDedRed.vDR", "valores.vAjusteBC.vAjusteBCISSQN"),
];

/// Members of the package that NT 009 expresses in another form, which is not known well enough or cannot be derived.
const OF_THE_PACKAGE: [&str; 5] =
    ["valores.vDedRed.documentos", "IBSCBS.valores.gReeRepRes", "IBSCBS.imovel", "serv.comExt.nDI", "serv.comExt.nRE"];

/// Members that change a tax and that only NT 009 can express.
const OF_NT009: [&str; 5] = [
    "tpNFSeDebito",
    "tpNFSeCredito",
    "valores.vAjusteBC.vAjusteBCIBSCBSComExt",
    "IBSCBS.indZFMALC",
    "IBSCBS.valores.trib.gIBSCBS.gEstornoCred",
];

/// True for values that only NT 009 has: a purpose other than 0, and a pending option for the Simples.
fn is_of_nt009(path: &str, value: &Value) -> bool {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    if path.ends_with("opSimpNac") { text == "4" } else { text != "0" }
}

/// Returns the payload with every member at the position of a layout. A member at both positions stays at the other
/// one, too, and is reported as unknown.
pub(super) fn placed(root: &Map<String, Value>, layout: DpsLayout) -> Cow<'_, Map<String, Value>> {
    let mut placed = Cow::Borrowed(root);
    for (here, there) in MOVED {
        let (from, to) = if layout == DpsLayout::Nt009 { (here, there) } else { (there, here) };
        if find(&placed, to).is_none() && find(&placed, from).is_some() {
            let root = placed.to_mut();
            if let Some(value) = remove_at(root, from) {
                insert_at(root, &spelled_in(root, to), value);
            }
        }
    }
    placed
}

/// True when a layout can express every member of a payload.
pub fn expresses_all(nota: &Value, layout: DpsLayout) -> bool {
    let Some(root) = dps_wrapper::groups(nota).as_object() else { return true };
    inexpressible(root, layout).is_empty()
}

/// Returns the members that a layout cannot express.
pub(super) fn inexpressible(root: &Map<String, Value>, layout: DpsLayout) -> Vec<&'static str> {
    if layout == DpsLayout::Nt009 {
        return OF_THE_PACKAGE.iter().copied().filter(|path| find(root, path).is_some()).collect();
    }
    let by_value = ["finNFSe", "IBSCBS.finNFSe", "prest.regTrib.opSimpNac"].into_iter();
    let by_value = by_value.filter(|path| find(root, path).is_some_and(|value| is_of_nt009(path, value)));
    by_value.chain(OF_NT009.iter().copied().filter(|path| find(root, path).is_some())).collect()
}

/// Returns a path in the caller's form; in the package's form where the caller sent nothing. `between` separates the
/// steps.
pub(super) fn in_caller_form(path: &str, between: char, root: &Map<String, Value>) -> String {
    for (here, there) in MOVED {
        let (is_here, is_there) = (find(root, here).is_some(), find(root, there).is_some());
        if is_here && is_there {
            continue;
        }
        let (from, to) = if is_there { (here, there) } else { (there, here) };
        let (from, to) = (from.replace('.', &between.to_string()), to.replace('.', &between.to_string()));
        let rest = path.strip_prefix(from.as_str()).filter(|rest| rest.is_empty() || rest.starts_with([between, '[']));
        if let Some(rest) = rest {
            return format!("{to}{rest}");
        }
    }
    path.to_owned()
}

/// Converts a document of either layout to the package's form, for readers of its rules and amounts. Members that the
/// package cannot express stay unchanged.
pub fn as_package(dps: &Element) -> Cow<'_, Element> {
    if DpsLayout::of(dps) == DpsLayout::Current {
        return Cow::Borrowed(dps);
    }
    let mut dps = dps.clone();
    let Some(inf) = child_of(&mut dps, "infDPS") else { return Cow::Owned(dps) };
    let of_the_root: Vec<Node> =
        ["finNFSe", "indDest", "dest"].iter().filter_map(|name| remove_child(inf, name)).collect();
    if let Some(reform) = child_of(inf, "IBSCBS") {
        reform.nodes.splice(0..0, of_the_root);
        if let Some(trib) = child_of(reform, "valores").and_then(|valores| child_of(valores, "trib")) {
            let class: Vec<Node> = ["CST", "cClassTrib"].iter().filter_map(|name| remove_child(trib, name)).collect();
            let mut group = match remove_child(trib, "gIBSCBS") {
                Some(Node::Element(group)) => *group,
                _ => empty(trib, "gIBSCBS"),
            };
            group.nodes.splice(0..0, class);
            trib.nodes.push(Node::Element(Box::new(group)));
        }
    }
    if let Some(adjusted) = child_of(inf, "valores").and_then(|valores| child_of(valores, "vAjusteBC")) {
        renamed(adjusted, "vDedRed");
        for (name, known) in [("pAjusteBCISSQN", "pDR"), ("vAjusteBCISSQN", "vDR")] {
            if let Some(amount) = child_of(adjusted, name) {
                renamed(amount, known);
            }
        }
    }
    Cow::Owned(dps)
}

fn child_of<'e>(element: &'e mut Element, name: &str) -> Option<&'e mut Element> {
    element.nodes.iter_mut().find_map(|node| match node {
        Node::Element(child) if child.name.as_str() == name => Some(child.as_mut()),
        _ => None,
    })
}

fn remove_child(element: &mut Element, name: &str) -> Option<Node> {
    let is_it = |node: &Node| matches!(node, Node::Element(child) if child.name.as_str() == name);
    element.nodes.iter().position(is_it).map(|at| element.nodes.remove(at))
}

/// Creates an empty group in the namespace of another.
fn empty(like: &Element, name: &str) -> Element {
    let mut group = Element { nodes: Vec::new(), attributes: Vec::new(), ..like.clone() };
    renamed(&mut group, name);
    group
}

fn renamed(element: &mut Element, name: &str) {
    element.name = name.into();
}

/// Members at the start of these paths that have a second name in a payload.
const ALSO: [(&str, &str); 3] = [("IBSCBS", "ibscbs"), ("serv", "servico"), ("prest", "prestador")];

/// Returns the name of a step in an object.
fn key<'k>(object: &Map<String, Value>, step: &'k str) -> &'k str {
    let also = ALSO.iter().find(|(name, _)| *name == step).map(|(_, also)| *also);
    also.filter(|also| !object.contains_key(step) && object.contains_key(*also)).unwrap_or(step)
}

/// Returns a path under a payload's own names. Only its first step may have a second name.
fn spelled_in(root: &Map<String, Value>, path: &str) -> String {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let first = key(root, first);
    if rest.is_empty() { first.to_owned() } else { format!("{first}.{rest}") }
}

/// Returns the value at a path unless it is null.
fn find<'v>(root: &'v Map<String, Value>, path: &str) -> Option<&'v Value> {
    let (step, rest) = path.split_once('.').map_or((path, None), |(step, rest)| (step, Some(rest)));
    let value = root.get(key(root, step)).filter(|value| !value.is_null())?;
    match rest {
        Some(rest) => find(value.as_object()?, rest),
        None => Some(value),
    }
}

/// Removes the value at a path, and groups that become empty.
fn remove_at(root: &mut Map<String, Value>, path: &str) -> Option<Value> {
    let (step, rest) = path.split_once('.').map_or((path, None), |(step, rest)| (step, Some(rest)));
    let step = key(root, step);
    let Some(rest) = rest else { return root.shift_remove(step) };
    let group = root.get_mut(step)?.as_object_mut()?;
    let value = remove_at(group, rest);
    if group.is_empty() {
        root.shift_remove(step);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            _ => panic!(),
        }
    }

    #[test]
    fn either_form_is_put_where_the_layout_has_it() {
        let package = map(json!({ "valores": { "vServ": 1, "vDedRed": { "pDR": 10 } },
            "ibscbs": { "finNFSe": "0", "indDest": "1", "dest": { "CPF": "1" }, "cIndOp": "1",
                "valores": { "trib": { "gIBSCBS": { "CST": "000", "cClassTrib": "000001" } } } } }));
        let note = map(json!({ "valores": { "vServ": 1, "vAjusteBC": { "pAjusteBCISSQN": 10 } },
            "ibscbs": { "cIndOp": "1", "valores": { "trib": { "CST": "000", "cClassTrib": "000001" } } },
            "finNFSe": "0", "indDest": "1", "dest": { "CPF": "1" } }));
        for form in [&package, &note] {
            assert_eq!(*placed(form, DpsLayout::Nt009), note);
            assert_eq!(*placed(form, DpsLayout::Current), package);
        }
    }

    #[test]
    fn what_stands_in_both_places_stays() {
        let both = map(json!({ "finNFSe": "1", "IBSCBS": { "finNFSe": "0" } }));
        assert_eq!(*placed(&both, DpsLayout::Nt009), both);
        assert_eq!(*placed(&both, DpsLayout::Current), both);
    }

    #[test]
    fn what_one_layout_alone_can_say_is_told() {
        let root =
            map(json!({ "tpNFSeDebito": "04", "servico": { "comExt": { "nDI": "1" } }, "IBSCBS": { "imovel": {} } }));
        assert_eq!(inexpressible(&root, DpsLayout::Nt009), ["IBSCBS.imovel", "serv.comExt.nDI"]);
        assert_eq!(inexpressible(&root, DpsLayout::Current), ["tpNFSeDebito"]);
        let values = map(json!({ "finNFSe": 2, "prestador": { "regTrib": { "opSimpNac": "4" } } }));
        assert_eq!(inexpressible(&values, DpsLayout::Current), ["finNFSe", "prest.regTrib.opSimpNac"]);
        let regular =
            map(json!({ "finNFSe": "0", "IBSCBS": { "finNFSe": 0 }, "prest": { "regTrib": { "opSimpNac": 3 } } }));
        assert_eq!(inexpressible(&regular, DpsLayout::Current), Vec::<&str>::new());
    }

    #[test]
    fn a_path_is_spelled_as_the_caller_does() {
        let note = map(json!({ "finNFSe": "0", "IBSCBS": { "valores": { "trib": { "CST": "000" } } } }));
        assert_eq!(in_caller_form("IBSCBS/finNFSe", '/', &note), "finNFSe");
        assert_eq!(in_caller_form("IBSCBS/valores/trib/gIBSCBS/CST", '/', &note), "IBSCBS/valores/trib/CST");
        assert_eq!(in_caller_form("IBSCBS.dest.end", '.', &note), "IBSCBS.dest.end");
        assert_eq!(in_caller_form("dest.end", '.', &note), "IBSCBS.dest.end");
        assert_eq!(in_caller_form("finNFSeX", '.', &note), "finNFSeX");
    }
}
