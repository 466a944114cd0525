//! JSON Schema of a value of `nota`: the accepted input, which is wider than the official form.
//!
//! Law: the type of the layout, and its reading by `fiscal::map`: numbers as number or text, codes with or without
//! zeros, documents, CEP and telephone with or without mask. Must not know: any tag, except those that their type does
//! not distinguish.

use fiscal::layout::Simple;
use fiscal::map::{ValueKind, value_kind};
use serde_json::{Value, json};

/// Schema of a value of any of these types.
pub(crate) fn values(tag: &str, name: &str, types: &[&'static Simple]) -> Value {
    if matches!(name, "CNPJCPF" | "cpf_cnpj") {
        return document("cpf-cnpj", "CNPJ ou CPF, com ou sem máscara, letras aceitas no CNPJ");
    }
    let mut kinds: Vec<Value> = Vec::new();
    for simple in types {
        let schema = value(value_kind(tag, simple), simple);
        if !kinds.contains(&schema) {
            kinds.push(schema);
        }
    }
    let codes = types.iter().all(|simple| value_kind(tag, simple) == ValueKind::Code);
    match kinds.as_slice() {
        [] => json!({ "type": ["string", "number"] }),
        [one] => one.clone(),
        // several lists of codes are merged
        _ if codes => code_of(types.iter().flat_map(|simple| simple.values)),
        _ => json!({ "anyOf": kinds }),
    }
}

fn value(kind: ValueKind, simple: &'static Simple) -> Value {
    match kind {
        ValueKind::Decimal { decimals } => decimal(decimals, simple),
        ValueKind::Code => code_of(simple.values),
        ValueKind::Digits => digits(simple),
        ValueKind::Integer => integer(simple),
        ValueKind::Cnpj => document("cnpj", "CNPJ, com ou sem máscara, letras aceitas"),
        ValueKind::Cpf => document("cpf", "CPF, com ou sem máscara"),
        ValueKind::StateRegistration => {
            json!({ "type": ["string", "integer"], "x-formato": "inscrição estadual, com ou sem máscara" })
        }
        ValueKind::Date => json!({ "type": "string", "format": "date" }),
        ValueKind::Instant => json!({ "type": "string", "format": "date-time" }),
        ValueKind::Plate => json!({ "type": "string", "x-formato": "placa, com ou sem hífen" }),
        ValueKind::Country => json!({ "type": "string", "x-formato": "país, duas letras da ISO 3166" }),
        ValueKind::Text => text(simple),
    }
}

/// Number of a document. A schema cannot express check digits: `format` names the rule.
fn document(format: &str, words: &str) -> Value {
    json!({ "type": "string", "format": format, "x-formato": words })
}

/// A code of a list, as text or, when the list is of digits, as a number.
fn code_of<'c>(codes: impl IntoIterator<Item = &'c &'static str>) -> Value {
    let mut all: Vec<&str> = Vec::new();
    for code in codes {
        if !all.contains(code) {
            all.push(code);
        }
    }
    let folded = |code: &str| code.to_lowercase();
    if all.iter().any(|code| all.iter().any(|other| code != other && folded(code) == folded(other))) {
        // two spellings of one value: a list would give typed clients a constant twice
        let mut spellings: Vec<String> = all.iter().map(|code| (*code).to_owned()).chain([folded(all[0])]).collect();
        spellings.sort_unstable();
        spellings.dedup();
        return json!({ "type": "string", "pattern": format!("^(?:{})$", spellings.join("|")), "examples": [all[0]] });
    }
    let text = json!({ "type": "string", "enum": all });
    let numbers: Option<Vec<u32>> = all.iter().map(|code| code.parse().ok()).collect();
    match numbers {
        Some(numbers) => {
            let (least, most) = (numbers.iter().min(), numbers.iter().max());
            json!({ "anyOf": [text, { "type": "integer", "minimum": least, "maximum": most }] })
        }
        None => text,
    }
}

/// Digits of a fixed width; a mask between them is removed, a number is padded with zeros.
fn digits(simple: &'static Simple) -> Value {
    let mut schema = json!({ "type": ["string", "integer"], "minimum": 0 });
    if let [pattern] = simple.patterns {
        schema["pattern"] = json!(format!("^(?:{})[{MASK}]*$", masked(pattern.source)));
        schema["x-formato"] = json!(format!("dígitos, com ou sem máscara: {}", pattern.source));
    }
    schema
}

/// Characters of masks.
const MASK: &str = " ./()+-";

/// Extends a pattern of digits by mask characters before each.
fn masked(pattern: &str) -> String {
    let mut made = String::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let unit = match first {
            '[' => rest.find(']').map_or(1, |end| end + 1),
            '\\' => 2,
            '{' => rest.find('}').map_or(1, |end| end + 1),
            _ => first.len_utf8(),
        };
        let (unit, after) = rest.split_at(unit.min(rest.len()));
        if matches!(first, '[' | '\\' | '0'..='9') {
            made.push_str(&format!("(?:[{MASK}]*{unit})"));
        } else {
            made.push_str(unit);
        }
        rest = after;
    }
    made
}

/// An amount, as a number or as its text.
fn decimal(decimals: u8, simple: &'static Simple) -> Value {
    let mut schema = json!({
        "type": ["number", "string"], "minimum": 0, "pattern": "^[0-9]+([.][0-9]+)?$", "x-casas-decimais": decimals,
    });
    if let Some(digits) = whole_digits(simple) {
        schema["exclusiveMaximum"] = json!(10_u64.saturating_pow(digits));
    }
    schema
}

/// An integer without leading zeros; a text may have them.
fn integer(simple: &'static Simple) -> Value {
    let mut schema = json!({ "type": ["string", "integer"] });
    if let [pattern] = simple.patterns {
        let least = u64::from(!pattern.source.starts_with("0|"));
        schema["minimum"] = json!(least);
        if let Some(digits) = whole_digits(simple) {
            schema["maximum"] = json!(10_u64.saturating_pow(digits) - 1);
        }
        schema["pattern"] = json!(format!("^0*(?:{})$", pattern.source));
    }
    schema
}

/// Digits before the decimals: one, and as many as the pattern allows after it; or as many as it begins with.
fn whole_digits(simple: &'static Simple) -> Option<u32> {
    let [pattern] = simple.patterns else { return None };
    let most = |rest: &str| rest.split('}').next()?.parse::<u32>().ok();
    match pattern.source.strip_prefix("[0-9]{1,") {
        Some(rest) => most(rest),
        None => pattern.source.split_once("[0-9]{0,").and_then(|(_, rest)| most(rest)).map(|digits| digits + 1),
    }
}

/// Free text, which is cleaned before it is written, so that any text with a letter is accepted; other forms are the
/// layout's.
fn text(simple: &'static Simple) -> Value {
    let mut schema = json!({ "type": ["string", "number"] });
    match simple.patterns {
        [pattern] if pattern.source.contains("[ -ÿ]{0,}") => schema["pattern"] = json!("\\S"),
        [pattern] => schema["pattern"] = json!(format!("^(?:{})$", pattern.source)),
        _ => {}
    }
    for (name, length) in [("minLength", simple.min_length), ("maxLength", simple.max_length)] {
        if let Some(length) = length {
            schema[name] = json!(length);
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiscal::map::{GroupMember, MemberBody};

    fn leaf(path: &str) -> Value {
        leaf_of(&fiscal::nfe::describe::members(), path)
    }

    fn leaf_of(members: &[GroupMember], path: &str) -> Value {
        fn find<'m>(members: &'m [GroupMember], path: &str) -> &'m GroupMember {
            let (name, rest) = path.split_once('.').unwrap_or((path, ""));
            let member = members.iter().find(|member| member.name == name).unwrap();
            match &member.body {
                MemberBody::Group(list) if !rest.is_empty() => find(list, rest),
                _ => member,
            }
        }
        let member = find(members, path);
        let MemberBody::Value(types) = &member.body else { panic!("{path} is a group") };
        values(member.tag.rsplit('/').next().unwrap(), member.name, types)
    }

    #[test]
    fn masks_are_taken_where_the_service_takes_them() {
        assert_eq!(leaf("destinatario.CEP")["pattern"], "^(?:(?:[ ./()+-]*[0-9]){8})[ ./()+-]*$");
        assert_eq!(leaf("emitente.CNPJCPF")["format"], "cpf-cnpj");
        assert_eq!(masked("[0-9]{2}|[0-9]{8}"), "(?:[ ./()+-]*[0-9]){2}|(?:[ ./()+-]*[0-9]){8}");
        assert_eq!(masked(r"\d{3}"), r"(?:[ ./()+-]*\d){3}");
    }

    #[test]
    fn numbers_have_the_bounds_of_the_layout() {
        let serie = leaf("identificacao.serie");
        assert_eq!((&serie["minimum"], &serie["maximum"]), (&json!(0), &json!(999)));
        let number = leaf("identificacao.nNF");
        assert_eq!((&number["minimum"], &number["maximum"]), (&json!(1), &json!(999_999_999)));
        assert_eq!(leaf("produtos.vProd")["exclusiveMaximum"], json!(10_000_000_000_000_u64));
        let part = leaf_of(&fiscal::cte::describe::members(), "documentos.nf.infUnidCarga.qtdRat");
        assert_eq!(part["exclusiveMaximum"], json!(1000));
    }

    #[test]
    fn codes_are_a_list_unless_two_of_them_are_one() {
        let modes = leaf("transportador.modFrete");
        assert_eq!(modes["anyOf"][1], json!({ "type": "integer", "minimum": 0, "maximum": 9 }));
        let country = leaf("emitente.xPais");
        assert!(country.get("enum").is_none(), "{country}");
        assert_eq!(country["pattern"], "^(?:BRASIL|Brasil|brasil)$");
    }
}
