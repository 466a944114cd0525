//! Self-contained JSON Schemas of the tools, made of a tool's row and of the objects that the interface describes.

use std::sync::{Arc, LazyLock};

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::api::docs::resources;
use crate::api::schema::{SchemaField, Type, nullable};
use crate::mcp::tools;

/// Schema of a tool's arguments: these members and no others.
pub(super) fn input(fields: &'static [SchemaField]) -> Arc<JsonObject> {
    let mut schema = Type::Group(fields).json();
    schema["additionalProperties"] = json!(false);
    known_formats(&mut schema);
    Arc::new(members(schema))
}

/// Self-contained schema of the members at these paths of an object of the interface; others are allowed beside them.
pub(super) fn output(object: &str, reads: &[&str]) -> JsonObject {
    let whole = json!({ "$ref": format!("{PLACE}{object}") });
    serde_json::from_value(narrowed(&whole, reads)).unwrap_or_default()
}

/// Narrows a schema to the members of these paths, without descriptions.
fn narrowed(schema: &Value, paths: &[&str]) -> Value {
    let named = schema["$ref"].as_str().and_then(|place| objects().get(place.strip_prefix(PLACE)?));
    if let Some(named) = named {
        return narrowed(named, paths);
    }
    if let Some([one, null]) = schema["anyOf"].as_array().map(Vec::as_slice)
        && null["type"] == "null"
    {
        return nullable(narrowed(one, paths));
    }
    let mut kept = Map::new();
    if let Some(kind) = schema.get("type") {
        kept.insert("type".to_owned(), kind.clone());
    }
    if let Some(words) = schema.get("enum").filter(|words| words.as_array().is_some_and(|all| all.len() <= MOST_WORDS))
    {
        kept.insert("enum".to_owned(), words.clone());
    }
    if paths.is_empty() {
        return Value::Object(kept);
    }
    if let Some(items) = schema.get("items") {
        kept.insert("items".to_owned(), narrowed(items, paths));
        return Value::Object(kept);
    }
    let mut members = Map::new();
    for path in paths {
        let name = path.split('.').next().unwrap_or_default();
        let Some(member) = schema["properties"].get(name).filter(|_| !members.contains_key(name)) else { continue };
        let below = paths.iter().filter_map(|path| path.strip_prefix(name)?.strip_prefix('.'));
        members.insert(name.to_owned(), narrowed(member, &below.collect::<Vec<_>>()));
    }
    kept.insert("properties".to_owned(), Value::Object(members));
    Value::Object(kept)
}

/// Objects of the interface, and those that only tools return.
pub(super) fn objects() -> &'static Map<String, Value> {
    static OBJECTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let mut objects = resources::objects();
        objects.extend(tools::OBJECTS.iter().map(|schema| (schema.name.to_owned(), schema.json())));
        objects
    });
    &OBJECTS
}

fn members(schema: Value) -> JsonObject {
    serde_json::from_value(schema).unwrap_or_default()
}

/// Removes examples, which belong to the documentation, and formats that make validators complain.
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
/// Longest list of words to describe; a longer one, such as that of the states, is common knowledge.
const MOST_WORDS: usize = 12;
const OURS: [&str; 4] = ["cpf-cnpj", "chave-acesso", "cnpj", "cpf"];
