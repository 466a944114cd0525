//! Example of an answer's object, made from its description: a value for each type, and the guides' value for
//! well-known members. The document has them as examples, and a step of `cargo xtask test` validates each against its
//! schema.

use serde_json::{Map, Value, json};

use super::resources;
use crate::api::schema::{Schema, SchemaField, Type};

/// Example of a named object; `None` for objects that the tables do not describe.
pub(super) fn of(name: &str) -> Option<Value> {
    let schema = find(name)?;
    match (schema.example, schema.either) {
        (Some(example), _) => Some(example()),
        (None, [first, ..]) => of(first),
        (None, []) => Some(object(schema.fields)),
    }
}

/// Description of a named object.
pub(super) fn find(name: &str) -> Option<&'static Schema> {
    resources::all().flat_map(|resource| resource.schemas).find(|schema| schema.name == name)
}

/// Example with the required members.
fn object(fields: &[SchemaField]) -> Value {
    let there = fields.iter().filter(|field| field.required);
    Value::Object(there.map(|field| (field.name.to_owned(), value(field.name, field.kind))).collect::<Map<_, _>>())
}

fn value(name: &str, kind: Type) -> Value {
    match kind {
        Type::Text
        | Type::Any
        | Type::TextOf(..)
        | Type::Reason(..)
        | Type::Line(_)
        | Type::Name(_)
        | Type::Masked(_)
        | Type::LineOrNumber(_) => {
            json!(text(name))
        }
        Type::Form(pattern) => json!(form(name, pattern)),
        Type::Words(words) => json!(words.first()),
        Type::Uuid => json!("01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e"),
        Type::CpfCnpj => json!("11222333000181"),
        Type::Chave => json!(CHAVE),
        Type::Url => json!("https://exemplo.com.br/webhook"),
        Type::File => json!("bytes"),
        Type::Rntrc(_) => json!("11111111"),
        Type::Digits(count) | Type::DigitsOr(count, _) => json!("1".repeat(usize::try_from(count).unwrap_or(8))),
        Type::Numeral(min, _) | Type::ShortNumeral(min, _) => json!(min),
        Type::Series(_) => json!("1"),
        Type::Among(numbers) => json!(numbers.first()),
        Type::Uf => json!("SP"),
        Type::Instant => json!("2026-11-20T14:03:11-03:00"),
        Type::Date => json!("2026-11-20"),
        Type::Integer | Type::Code => json!(integer(name)),
        Type::Within(min, max) => json!(1.clamp(min, max)),
        Type::Number => json!(100),
        Type::Bool => json!(name != "vencida" && name != "parcial"),
        Type::Free => json!({}),
        Type::Ref(other) => of(other).unwrap_or_else(|| json!({})),
        Type::List(inner) | Type::ListUpTo(inner, _) | Type::ListWithin(inner, ..) => json!([value(name, *inner)]),
        Type::Group(fields) => object(fields),
        Type::Either(kinds) => kinds.first().map_or(Value::Null, |kind| value(name, *kind)),
    }
}

fn integer(name: &str) -> u32 {
    match name {
        "modelo" => 55,
        "codigo_status" => 100,
        "limite" => 20,
        "ano" => 2026,
        "expires_in" => 3600,
        _ => 1,
    }
}

fn text(name: &str) -> &str {
    match name {
        "cpf_cnpj" | "emitente" | "destinatario" => "11222333000181",
        "chave" | "chave_acesso" => CHAVE,
        "serie" => "1",
        "uf" => "SP",
        "autoridade" => "SP",
        "nome" | "nome_razao_social" => "Papelaria Exemplo Ltda",
        "email" => "fiscal@exemplo.com.br",
        "evento" => "nfe.autorizada",
        "url" => "https://exemplo.com.br/webhook",
        "consulta" => "/v1/nfe/consultar/01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "data_emissao" | "data_autorizacao" | "data_registro" | "data_evento" | "desde" => "2026-11-20T14:03:11-03:00",
        "protocolo" => "135260000000001",
        _ => "…",
    }
}

fn form(name: &str, pattern: &str) -> &'static str {
    match (name, pattern) {
        ("codigo_municipio_ibge" | "ibge", _) => "3550308",
        ("cep", _) => "01001000",
        ("cnpj", _) => "11222333000181",
        ("cnae_fiscal", _) => "4761003",
        ("codigo", _) => "48202000",
        ("rbt12_de", _) => "2025-11",
        ("rbt12_ate", _) => "2026-10",
        ("inicio_vigencia" | "fim_vigencia", _) => "31/12/9999",
        ("segredo", _) => "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
        _ => "PED1001",
    }
}

const CHAVE: &str = "35261111222333000181550010000012341123456780";
