//! Normalises the caller's groups: a group that holds only nulls and empty values becomes empty and thus absent; a key
//! of an NFS-e loses the prefix of the `Id`.
//!
//! Law: layout of the NFS-e 1.01 (`infNFSe/@Id` is `NFS` and the key). Serialisers write every member of an object, and
//! programs copy the `Id`.

use crate::map::is_empty;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Members that hold the key of an NFS-e.
const KEYS: [&str; 4] = ["chSubstda", "chNFSe", "refNFSe", "chNFSeRej"];
/// Length of an `Id`: the prefix and the key.
const ID_LENGTH: usize = 53;

/// Returns the groups, rewritten only where needed.
pub(super) fn normalize(given: &Map<String, Value>) -> Cow<'_, Map<String, Value>> {
    if !given.iter().any(|(name, value)| is_hollow_group(value) || is_rewritten(name, value)) {
        return Cow::Borrowed(given);
    }
    Cow::Owned(rewritten(given))
}

fn is_rewritten(name: &str, value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(name, value)| is_hollow_group(value) || is_rewritten(name, value))
        }
        Value::Array(rows) => rows.iter().any(|row| is_rewritten(name, row)),
        Value::String(text) => KEYS.contains(&name) && bare_key(text).is_some(),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn rewritten(members: &Map<String, Value>) -> Map<String, Value> {
    members.iter().map(|(name, value)| (name.clone(), one(name, value))).collect()
}

fn one(name: &str, value: &Value) -> Value {
    match value {
        // the name stays, so that an unknown one is reported
        Value::Object(_) if is_empty(value) => Value::Object(Map::new()),
        Value::Array(_) if is_empty(value) => Value::Array(Vec::new()),
        Value::Object(members) => Value::Object(rewritten(members)),
        // a row keeps its position, which paths refer to
        Value::Array(rows) => Value::Array(rows.iter().map(|row| one(name, row)).collect()),
        Value::String(text) if KEYS.contains(&name) => Value::from(bare_key(text).unwrap_or(text)),
        other => other.clone(),
    }
}

/// Returns the key in an `Id` of 53 characters.
fn bare_key(text: &str) -> Option<&str> {
    let text = text.trim();
    text.strip_prefix("NFS").filter(|_| text.len() == ID_LENGTH)
}

/// True for a group or list whose members are all empty.
fn is_hollow_group(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty() && is_empty(value),
        Value::Array(rows) => !rows.is_empty() && is_empty(value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_group_that_says_nothing_is_empty_and_the_others_stay() {
        let given = json!({ "interm": { "CNPJ": null, "end": { "xLgr": " ", "endNac": {} } }, "toma": { "xNome": "A", "end": { "nro": null } },
            "valores": { "vDedRed": { "pDR": null, "documentos": { "docDedRed": [null, {}] } }, "vServ": 0, "lista": [{ "a": null, "b": {} }, { "c": 1 }] } });
        let expected = json!({ "interm": {}, "toma": { "xNome": "A", "end": {} },
            "valores": { "vDedRed": {}, "vServ": 0, "lista": [{}, { "c": 1 }] } });
        assert_eq!(Value::Object(normalize(given.as_object().unwrap()).into_owned()), expected);
        let plain = json!({ "toma": { "xNome": "A", "fone": null }, "servisso": {} });
        assert!(matches!(normalize(plain.as_object().unwrap()), Cow::Borrowed(_)));
    }

    #[test]
    fn a_key_comes_without_the_prefix_of_the_id() {
        let key = "35503082211222333000181000000000000126111234567890";
        let given = json!({ "subst": { "chSubstda": format!("NFS{key}"), "xMotivo": format!("NFS{key}") }, "gRefNFSe": { "refNFSe": [format!("NFS{key}")] } });
        let read = normalize(given.as_object().unwrap());
        assert_eq!((&read["subst"]["chSubstda"], &read["gRefNFSe"]["refNFSe"][0]), (&json!(key), &json!(key)));
        assert_eq!(read["subst"]["xMotivo"], format!("NFS{key}"));
    }
}
