//! Changes of the API document for generators of typed clients: few types, wide integers, text in paths and queries.
//!
//! openapi-generator makes a class of every leaf that is a number or its text, a thousand of them over all documents:
//! here such leaves refer to one of two objects, with their bounds beside the reference. Must not know: any route or
//! family.

use serde_json::{Map, Value, json};

/// Named objects for values of several types: the types, the name, and the description.
const SHARED: &[(&[&str], &str, &str)] = &[
    (
        &["number", "string"],
        "NumeroOuTexto",
        "Um número, ou o texto dele com as casas que o documento pede. Lido com exatidão.",
    ),
    (&["integer", "string"], "InteiroOuTexto", "Um inteiro, ou o texto dele; onde zeros à esquerda contam, o texto."),
];

/// Makes leaves of several types refer to one object each, and adds those objects.
pub(super) fn share(schemas: &mut Map<String, Value>) {
    for schema in schemas.values_mut() {
        // an object that is itself such a value keeps its name
        if let Value::Object(members) = schema {
            members.values_mut().for_each(refer);
        }
    }
    for (kinds, name, doc) in SHARED {
        // the text first, or Jackson would read "000001" as 1; null too, or it would fail on an answer with null: a
        // member that is never null has a constraint beside its reference
        let kinds: Vec<&str> = kinds.iter().rev().copied().chain(["null"]).collect();
        schemas.insert((*name).to_owned(), json!({ "type": kinds, "title": name, "description": doc }));
    }
}

fn refer(value: &mut Value) {
    if let Value::Object(schema) = value
        && let Some((name, nullable)) = shared(merge(schema))
    {
        return refer_to(schema, name, nullable);
    }
    for_each_part(value, refer);
}

/// Visits the schemas that a schema, or a list of them, consists of; examples are values and not visited.
fn for_each_part(value: &mut Value, visit: fn(&mut Value)) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(visit),
        Value::Object(schema) => {
            let parts = schema.iter_mut().filter(|(name, _)| !EXAMPLES.contains(&name.as_str()));
            parts.for_each(|(_, part)| visit(part));
        }
        _ => {}
    }
}

/// Merges a choice between a number that may be text and other texts into one value of two types: of the choice the C#
/// generator makes a class that cannot be built.
fn merge(schema: &mut Map<String, Value>) -> &mut Map<String, Value> {
    let Some(Value::Array(arms)) = schema.get("anyOf") else { return schema };
    let is_null = |arm: &&Value| arm["type"] == "null";
    let nullable = arms.iter().any(|arm| is_null(&arm));
    let mut arms = arms.iter().filter(|arm| !is_null(arm));
    let Some(number) = arms.next().filter(|arm| arm["type"].is_array()).cloned() else { return schema };
    let texts: Option<Vec<String>> = arms
        .map(|arm| if arm["type"] == "string" { pattern_of(arm).or_else(|| words_of(arm)) } else { None })
        .collect();
    let (Some(texts), Some(own), Value::Object(mut merged)) = (texts, pattern_of(&number), number) else {
        return schema;
    };
    let patterns: Vec<String> = std::iter::once(own).chain(texts).collect();
    merged.insert("pattern".to_owned(), json!(patterns.join("|")));
    if let (true, Some(Value::Array(kinds))) = (nullable, merged.get_mut("type")) {
        kinds.push(json!("null"));
    }
    schema.shift_remove("anyOf");
    schema.extend(merged);
    schema
}

/// Pattern of a list of words.
fn words_of(schema: &Value) -> Option<String> {
    let words: Option<Vec<&str>> = schema["enum"].as_array()?.iter().map(Value::as_str).collect();
    words
        .filter(|words| words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric())))
        .map(|words| format!("^(?:{})$", words.join("|")))
}

/// Named object for the types of a schema; the flag is true when null is one of them.
fn shared(schema: &Map<String, Value>) -> Option<(&'static str, bool)> {
    let given = schema.get("type")?.as_array()?;
    let mut kinds: Vec<&str> = given.iter().filter_map(Value::as_str).collect();
    let nullable = kinds.contains(&"null");
    kinds.retain(|kind| *kind != "null");
    kinds.sort_unstable();
    SHARED.iter().find(|(types, ..)| *types == kinds).map(|(_, name, _)| (*name, nullable))
}

/// Replaces the types by the reference, with the bounds beside it; descriptions stay.
fn refer_to(schema: &mut Map<String, Value>, name: &str, nullable: bool) {
    let reference = json!(format!("#/components/schemas/{name}"));
    if !nullable {
        schema.insert("$ref".to_owned(), reference);
        return;
    }
    let (said, mut bounds): (Map<String, Value>, Map<String, Value>) =
        std::mem::take(schema).into_iter().partition(|(name, _)| name == "description" || name.starts_with("x-"));
    bounds.shift_remove("type");
    bounds.insert("$ref".to_owned(), reference);
    *schema = said;
    schema.insert("anyOf".to_owned(), json!([bounds, { "type": "null" }]));
}

/// Marks whole numbers without a bound within 32 bits as 64 bits: otherwise a generated client could not hold an
/// `nNFSe`.
pub(super) fn widen(value: &mut Value) {
    if let Value::Object(schema) = value
        && is_whole(schema)
        && !fits(schema)
    {
        schema.entry("format").or_insert_with(|| json!("int64"));
    }
    for_each_part(value, widen);
}

fn is_whole(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "integer",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "integer"),
        _ => false,
    }
}

fn fits(schema: &Map<String, Value>) -> bool {
    schema.get("maximum").and_then(Value::as_u64).is_some_and(|most| i32::try_from(most).is_ok())
}

/// Makes words that may be null optional: the C# generator makes a required word a type without null.
pub(super) fn loosen(value: &mut Value) {
    if let Value::Object(schema) = value
        && let Some(names) = strictly_required(schema)
    {
        schema.insert("required".to_owned(), Value::Array(names));
    }
    for_each_part(value, loosen);
}

/// Required members of an object, except words that may be null; `None` for other schemas.
fn strictly_required(schema: &Map<String, Value>) -> Option<Vec<Value>> {
    let members = schema.get("properties")?;
    let may_be_null = |name: &&Value| {
        let words = members[name.as_str().unwrap_or_default()]["enum"].as_array();
        words.is_some_and(|words| words.contains(&Value::Null))
    };
    let names = schema.get("required")?.as_array()?;
    Some(names.iter().filter(|name| !may_be_null(name)).cloned().collect())
}

/// Schema of a path or query parameter: always text, whatever type a body accepts; of several forms a text of any of
/// them.
pub(super) fn of_address(mut schema: Value) -> Value {
    if let Some(Value::Array(kinds)) = schema.get("anyOf") {
        let forms: Option<Vec<String>> = kinds.iter().map(pattern_of).collect();
        if let Some(forms) = forms {
            return json!({ "type": "string", "pattern": forms.join("|") });
        }
    }
    if schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "string")) {
        schema["type"] = json!("string");
        if let Value::Object(members) = &mut schema {
            members.retain(|name, _| name != "minimum" && name != "maximum");
        }
    }
    schema
}

/// Lets a query parameter be empty, which counts as absent. Extends the pattern; of a choice of schemas generators make
/// classes that do not compile.
pub(super) fn or_empty(mut schema: Value) -> Value {
    let Some(pattern) = pattern_of(&schema) else { return schema };
    schema["pattern"] = json!(format!("^$|{pattern}"));
    if let Value::Object(members) = &mut schema {
        members.shift_remove("format");
        members.shift_remove("minLength");
    }
    schema
}

/// Pattern of a text; `None` for a list of words, which is a pattern of its own.
fn pattern_of(schema: &Value) -> Option<String> {
    if let Some(pattern) = schema["pattern"].as_str() {
        return Some(pattern.to_owned());
    }
    let known = FORMATS.iter().find(|(format, _)| schema["format"] == *format);
    known.map(|(_, pattern)| (*pattern).to_owned())
}

/// Patterns of the formats that validators know. The date pattern matches no 29 February.
const FORMATS: &[(&str, &str)] = &[
    (
        "date",
        "^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)$",
    ),
    ("uuid", "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"),
];

/// Inlines a multipart form: for a named object openapi-generator imports a class that it does not generate. Members by
/// pattern are equivalent to members by name.
pub(super) fn form(mut schema: Value) -> Value {
    if let Value::Object(members) = &mut schema {
        members.shift_remove("title");
        let named = members.shift_remove("properties");
        let parts = named.iter().filter_map(Value::as_object).flatten();
        let parts: Map<String, Value> = parts.map(|(name, part)| (format!("^{name}$"), part.clone())).collect();
        members.insert("patternProperties".to_owned(), Value::Object(parts));
    }
    schema
}

/// Replaces the schema of a 200 with a job by one that also allows its acceptance (202): a client with one type per
/// operation reads every success as the first schema.
pub(super) fn one_answer(responses: &mut Map<String, Value>) {
    let schema = |status: &str| format!("/{status}/content/application~1json/schema");
    let refers = |responses: &Value, status: &str, name: &str| {
        responses
            .pointer(&schema(status))
            .is_some_and(|found| *found == json!({ "$ref": format!("#/components/schemas/{name}") }))
    };
    let mut whole = Value::Object(std::mem::take(responses));
    if refers(&whole, "200", "Job")
        && refers(&whole, "202", "OperacaoAceita")
        && let Some(first) = whole.pointer_mut(&schema("200"))
    {
        *first = json!({ "$ref": format!("#/components/schemas/{EITHER_ANSWER}") });
    }
    if let Value::Object(members) = whole {
        *responses = members;
    }
}

/// Schema of a job or its acceptance, from the table of jobs.
pub(super) const EITHER_ANSWER: &str = "JobOuOperacaoAceita";

/// Members that hold values, and no schemas.
const EXAMPLES: &[&str] = &["example", "examples", "enum", "const", "default"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_of_two_types_refers_to_one_object_and_keeps_its_bounds() {
        let price =
            json!({ "type": ["number", "string", "null"], "minimum": 0, "description": "Preço.", "x-tag": "vProd" });
        let code = json!({ "type": ["string", "integer"], "pattern": "^[0-9]{8}$" });
        let mut schemas = Map::from_iter([(
            "Item".to_owned(),
            json!({ "type": "object", "properties": { "vProd": price, "NCM": { "type": "array", "items": code } } }),
        )]);
        share(&mut schemas);
        let members = &schemas["Item"]["properties"];
        let number = json!({ "$ref": "#/components/schemas/NumeroOuTexto", "minimum": 0 });
        let expected = json!({ "anyOf": [number, { "type": "null" }], "description": "Preço.", "x-tag": "vProd" });
        assert_eq!(members["vProd"], expected);
        let whole = json!({
            "$ref": "#/components/schemas/InteiroOuTexto", "type": ["string", "integer"], "pattern": "^[0-9]{8}$"
        });
        assert_eq!(members["NCM"]["items"], whole);
        assert_eq!(schemas["NumeroOuTexto"]["type"], json!(["string", "number", "null"]));
    }

    #[test]
    fn a_whole_number_that_may_be_long_has_64_bits() {
        let mut schema = json!({ "properties": {
            "numero": { "type": ["integer", "null"] }, "item": { "type": "integer", "minimum": 1, "maximum": 990 },
        }, "examples": [{ "type": "integer" }] });
        widen(&mut schema);
        assert_eq!(schema["properties"]["numero"]["format"], "int64");
        assert_eq!(schema["properties"]["item"].get("format"), None);
        assert_eq!(schema["examples"][0].get("format"), None);
    }

    #[test]
    fn a_choice_of_texts_and_a_number_is_one_value() {
        let series = json!({ "type": ["integer", "string"], "minimum": 1, "maximum": 99, "pattern": "^[0-9]{1,2}$" });
        let letters = json!({ "type": "string", "enum": ["UNICA", "A"] });
        let mut schemas = Map::from_iter([(
            "Item".to_owned(),
            json!({ "properties": { "serie": { "anyOf": [series, letters, { "type": "null" }], "description": "Série." } } }),
        )]);
        share(&mut schemas);
        let serie = &schemas["Item"]["properties"]["serie"]["anyOf"][0];
        assert_eq!(serie["$ref"], "#/components/schemas/InteiroOuTexto");
        assert_eq!(serie["pattern"], "^[0-9]{1,2}$|^(?:UNICA|A)$");
    }

    #[test]
    fn an_empty_parameter_is_taken_without_a_choice_of_schemas() {
        let date = or_empty(json!({ "type": "string", "format": "date" }));
        assert_eq!(date.get("format"), None);
        assert!(date["pattern"].as_str().unwrap().starts_with("^$|^[0-9]{4}-"));
        assert_eq!(or_empty(json!({ "type": "integer" })), json!({ "type": "integer" }));
        let either = json!({ "anyOf": [{ "type": ["integer", "string"], "pattern": "^1$" }, { "type": "string", "pattern": "^a$" }] });
        assert_eq!(of_address(either), json!({ "type": "string", "pattern": "^1$|^a$" }));
    }

    #[test]
    fn a_word_that_may_be_null_need_not_be_there() {
        let word = json!({ "type": ["string", "null"], "enum": ["sim", null] });
        let mut schema =
            json!({ "properties": { "status": word, "id": { "type": "string" } }, "required": ["id", "status"] });
        loosen(&mut schema);
        assert_eq!(schema["required"], json!(["id"]));
    }

    #[test]
    fn a_form_holds_its_parts_by_pattern() {
        let made = form(json!({ "type": "object", "title": "F", "properties": { "senha": { "type": "string" } } }));
        assert_eq!(made, json!({ "type": "object", "patternProperties": { "^senha$": { "type": "string" } } }));
    }

    #[test]
    fn what_stands_in_an_address_is_text() {
        let code = json!({ "type": ["string", "integer"], "pattern": "^[0-9]{7}$", "minimum": 1, "maximum": 9 });
        assert_eq!(of_address(code), json!({ "type": "string", "pattern": "^[0-9]{7}$" }));
        assert_eq!(of_address(json!({ "type": "integer", "maximum": 9 })), json!({ "type": "integer", "maximum": 9 }));
    }
}
