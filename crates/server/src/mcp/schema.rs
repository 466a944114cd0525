//! JSON Schemas of tools, complete in themselves: made of the rows of a tool and of the objects the interface describes.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::api::docs;
use crate::api::schema::{Field, Type};
use crate::mcp::tools;

/// What a tool takes: these members and no others.
pub(super) fn input(fields: &'static [Field]) -> Arc<JsonObject> {
    let mut schema = Type::Group(fields).json();
    schema["additionalProperties"] = json!(false);
    known_formats(&mut schema);
    Arc::new(members(schema))
}

/// What it gives: an object of the interface by its name, with all it is made of.
pub(super) fn output(name: &str) -> Arc<JsonObject> {
    let objects = objects();
    let mut schema = objects.get(name).cloned().unwrap_or_else(|| json!({ "type": "object" }));
    let mut inner = Map::new();
    let mut wanted: Vec<String> = references(&schema).into_iter().collect();
    while let Some(name) = wanted.pop() {
        if let Some(object) = objects.get(&name).filter(|_| !inner.contains_key(&name)) {
            wanted.extend(references(object));
            inner.insert(name, object.clone());
        }
    }
    if !inner.is_empty() {
        inner.sort_keys();
        schema["$defs"] = Value::Object(inner);
    }
    known_formats(&mut schema);
    Arc::new(members(schema))
}

/// The objects of the interface, and those that only tools give.
pub(super) fn objects() -> &'static Map<String, Value> {
    static OBJECTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let mut objects = docs::objects();
        objects.extend(tools::OBJECTS.iter().map(|schema| (schema.name.to_owned(), schema.json())));
        objects
    });
    &OBJECTS
}

fn members(schema: Value) -> JsonObject {
    let text = schema.to_string().replace(PLACE, "#/$defs/");
    serde_json::from_str(&text).unwrap_or_default()
}

fn references(schema: &Value) -> BTreeSet<String> {
    let text = schema.to_string();
    text.split(PLACE).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// Examples are of the documentation, and a format that validators do not know only makes them complain.
fn known_formats(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let ours = members.get("format").and_then(Value::as_str).is_some_and(|format| OURS.contains(&format));
            if ours {
                members.remove("format");
            }
            if members.get("examples").is_some_and(Value::is_array) {
                members.remove("examples");
            }
            members.values_mut().for_each(known_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(known_formats),
        _ => {}
    }
}

const PLACE: &str = "#/components/schemas/";
const OURS: [&str; 4] = ["cpf-cnpj", "chave-acesso", "cnpj", "cpf"];
