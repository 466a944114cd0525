//! `nota` as JSON Schema: the members the fiscal core describes from layout and map, one component per group.
//!
//! Must not know: any model. Each document family brings its prefix and its members.

use fiscal::layout::Simple;
use fiscal::map::{Member, MemberBody, Need, ValueKind, value_kind};
use serde_json::{Map, Value, json};

use super::schema::reference;

/// The components of one family's `nota`; the root is called `<prefix>Nota`.
pub(super) fn components(prefix: &str, members: &[Member]) -> Map<String, Value> {
    let mut components = Components { made: Map::new() };
    let doc =
        "Conteúdo do documento. Nomes do contrato; as tags oficiais (`x-nomes`) também são aceitas, em qualquer ordem.";
    components.group(&format!("{prefix}Nota"), doc, members);
    components.made
}

struct Components {
    made: Map<String, Value>,
}

impl Components {
    /// Makes the component of a group, or finds one that is equal; gives its name.
    fn group(&mut self, name: &str, doc: &str, members: &[Member]) -> String {
        let mut properties = Map::new();
        for member in members {
            properties.insert(member.name.to_owned(), self.member(name, member));
        }
        let required: Vec<&str> =
            members.iter().filter(|member| member.need == Need::Required).map(|member| member.name).collect();
        let mut schema = json!({ "type": "object", "description": doc, "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        let equal = self.made.iter().find(|(_, other)| other["properties"] == schema["properties"]);
        if let Some((equal, _)) = equal.filter(|(_, other)| other.get("required") == schema.get("required")) {
            return equal.clone();
        }
        self.made.insert(name.to_owned(), schema);
        name.to_owned()
    }

    fn member(&mut self, outer: &str, member: &Member) -> Value {
        let mut schema = match &member.body {
            MemberBody::Value(types) => values(last(&member.tag), types),
            MemberBody::Group(members) => {
                let name = format!("{}{}", outer.trim_end_matches("Nota"), capitalised(member.name));
                reference(&self.group(&name, member.doc, members))
            }
        };
        if member.max > 1 {
            schema = json!({ "type": "array", "items": schema });
            if member.max != u32::MAX {
                schema["maxItems"] = json!(member.max);
            }
            if member.need == Need::Required {
                schema["minItems"] = json!(1);
            }
        }
        schema["description"] = json!(describe(member));
        schema["x-tag"] = json!(member.tag);
        if !member.aliases.is_empty() {
            schema["x-nomes"] = json!(member.aliases);
        }
        schema
    }
}

/// The annotation, and what stands for an absent member.
pub(super) fn describe(member: &Member) -> String {
    let doc = member.doc.trim_end_matches('.');
    let absent = absent(member.need);
    match (doc.is_empty(), absent.is_empty()) {
        (_, true) => doc.to_owned(),
        (true, false) => absent,
        (false, false) => format!("{doc}. {absent}"),
    }
}

/// What happens when a member is absent, as a sentence.
fn absent(need: Need) -> String {
    match need {
        Need::Required => "Obrigatório.".to_owned(),
        Need::Optional => String::new(),
        Need::Zero => "Ausente: zero, com aviso.".to_owned(),
        Need::Default(text) => format!("Ausente: \"{text}\"."),
        Need::Assumed(text) => format!("Ausente: \"{text}\", com aviso."),
        Need::SameAs(other) => format!("Ausente: igual a {other}."),
        Need::Sum => "Ausente: somado pelo serviço.".to_owned(),
        Need::Index => "Ausente: a posição na lista.".to_owned(),
        Need::Service => "Preenchido pelo serviço.".to_owned(),
        Need::Company => "Ausente: do cadastro da empresa.".to_owned(),
    }
}

/// A value of one of these types.
fn values(tag: &str, types: &[&'static Simple]) -> Value {
    let mut kinds: Vec<Value> = Vec::new();
    for simple in types {
        let schema = value(value_kind(tag, simple), simple);
        if !kinds.contains(&schema) {
            kinds.push(schema);
        }
    }
    let lists: Option<Vec<&Vec<Value>>> = kinds.iter().map(|kind| kind["anyOf"][0]["enum"].as_array()).collect();
    match (kinds.as_slice(), lists) {
        ([], _) => json!({ "type": ["string", "number"] }),
        ([one], _) => one.clone(),
        // several lists of codes are one list
        (_, Some(lists)) => {
            let mut all: Vec<Value> = Vec::new();
            lists.into_iter().flatten().for_each(|code| {
                if !all.contains(code) {
                    all.push(code.clone());
                }
            });
            code_of(&all)
        }
        _ => json!({ "anyOf": kinds }),
    }
}

/// The official form; a number is as good as its digits.
fn value(kind: ValueKind, simple: &'static Simple) -> Value {
    let text = |schema: Value| with_facets(schema, simple);
    match kind {
        ValueKind::Decimal { decimals } => {
            json!({ "type": ["number", "string"], "minimum": 0, "pattern": "^[0-9]+([.][0-9]+)?$", "x-casas-decimais": decimals })
        }
        ValueKind::Code => {
            let codes: Vec<Value> = simple.values.iter().map(|code| json!(code)).collect();
            code_of(&codes)
        }
        ValueKind::Digits | ValueKind::Integer => text(json!({ "type": ["string", "integer"] })),
        ValueKind::Cnpj => json!({ "type": "string", "x-formato": "CNPJ, com ou sem máscara, letras aceitas" }),
        ValueKind::Cpf => json!({ "type": "string", "x-formato": "CPF, com ou sem máscara" }),
        ValueKind::StateRegistration => {
            json!({ "type": ["string", "integer"], "x-formato": "inscrição estadual, com ou sem máscara" })
        }
        ValueKind::Date => json!({ "type": "string", "format": "date" }),
        ValueKind::Instant => json!({ "type": "string", "format": "date-time" }),
        ValueKind::Text => text(json!({ "type": ["string", "number"] })),
    }
}

fn code_of(codes: &[Value]) -> Value {
    let digits = |code: &Value| code.as_str().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let text = json!({ "type": "string", "enum": codes });
    if codes.iter().all(digits) { json!({ "anyOf": [text, { "type": "integer" }] }) } else { text }
}

fn with_facets(mut schema: Value, simple: &'static Simple) -> Value {
    if let [pattern] = simple.patterns {
        schema["pattern"] = json!(format!("^(?:{})$", pattern.source));
    }
    for (name, length) in [("minLength", simple.min_length), ("maxLength", simple.max_length)] {
        if let Some(length) = length {
            schema[name] = json!(length);
        }
    }
    schema
}

/// `ibs_uf` → `IbsUf`.
fn capitalised(name: &str) -> String {
    name.split('_')
        .map(|word| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>())
        .collect()
}

fn last(tag: &str) -> &str {
    tag.rsplit('/').next().unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_of_the_nfe_is_a_component_and_every_reference_leads_to_one() {
        let made = components("Nfe", &fiscal::nfe::describe::members());
        let text = Value::Object(made.clone()).to_string();
        for target in text.split("#/components/schemas/").skip(1) {
            let name = target.split('"').next().unwrap();
            assert!(made.contains_key(name), "{name}");
        }
        let root = &made["NfeNota"];
        assert_eq!(root["required"], json!(["identificacao", "destinatario", "produtos", "pagamentos"]));
        assert_eq!(root["properties"]["produtos"]["maxItems"], 990);
        assert_eq!(made["NfeProdutos"]["properties"]["NCM"]["type"], json!(["string", "integer"]));
        assert_eq!(made["NfeIdentificacao"]["properties"]["natOp"]["maxLength"], 60);
        assert_eq!(made["NfeProdutosIbscbsIbsUf"]["properties"]["aliquota"]["type"], json!(["number", "string"]));
    }
}
