//! Markup that the reference and the page of a route share: method, credential, parameters, a row of a member.

use std::fmt::Write as _;

use super::account_values::marked;
use super::api_route::ApiRoute;
use super::families::FAMILIES;
use super::markdown::{escaped, inline};
use super::operation::{Access, ParameterLocation};
use super::syntax::coloured;
use crate::api::error_code::ApiErrorCode;
use crate::api::schema::{SchemaField, Type};

/// Address of an operation's page.
pub(super) fn address(id: &str) -> String {
    format!("/docs/rotas/{id}")
}

pub(super) fn method(route: &ApiRoute) -> String {
    format!("<b class=\"metodo {}\">{}</b>", route.method.to_ascii_lowercase(), route.method)
}

pub(super) fn credential_text(access: Access) -> &'static str {
    match access {
        Access::Public => "Sem autenticação.",
        Access::Caller => "Chave de API ou sessão.",
        Access::Session => "Só com sessão (<code>Authorization: Bearer</code>).",
    }
}

pub(super) fn parameters(body: &mut String, route: &ApiRoute) {
    if route.operation.parameters.is_empty() {
        return;
    }
    body.push_str("<div class=\"tabela\"><table><tr><th>Parâmetro</th><th>Tipo</th><th>Descrição</th></tr>");
    for parameter in route.parameters() {
        let place = if parameter.place == ParameterLocation::Path { "caminho" } else { "consulta" };
        let need = if parameter.required { ", obrigatório" } else { "" };
        let _ = write!(
            body,
            "<tr><td><code>{}</code> <small>{place}{need}</small></td><td>{}</td><td>{}</td></tr>",
            parameter.name,
            inline(&parameter.kind.words()),
            inline(parameter.doc)
        );
    }
    body.push_str("</table></div>");
}

/// A folded example.
pub(super) fn example(title: &str, value: &serde_json::Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let code = marked(&coloured("json", &text));
    format!("<details><summary>{title}</summary><pre data-linguagem=\"json\"><code>{code}</code></pre></details>")
}

/// Table of refusals.
pub(super) fn codes(codes: &[&'static ApiErrorCode]) -> String {
    let mut table =
        String::from("<div class=\"tabela\"><table class=\"respostas\"><tr><th>Status</th><th>Código</th></tr>");
    for code in codes {
        let _ = write!(
            table,
            "<tr><td>{}</td><td><a href=\"/docs/erros/{1}\"><code>{1}</code></a> {2}</td></tr>",
            code.status,
            code.codigo,
            escaped(code.title)
        );
    }
    table.push_str("</table></div>");
    table
}

pub(super) fn row(body: &mut String, outer: &str, field: &SchemaField) {
    let name = format!("{outer}{}", field.name);
    let need = match (field.required, field.nullable) {
        (true, true) => " <small>ou nulo</small>",
        (true, false) => "",
        (false, _) => " <small>opcional</small>",
    };
    let _ = write!(
        body,
        "<tr><td><code>{name}</code>{need}</td><td>{}</td><td>{}</td></tr>",
        inline(&words(field.kind)),
        inline(field.doc)
    );
    let inner = match field.kind {
        Type::Group(fields) => fields,
        Type::List(Type::Group(fields)) => *fields,
        _ => &[],
    };
    let mark = if matches!(field.kind, Type::List(_)) { "[]." } else { "." };
    inner.iter().for_each(|field| row(body, &format!("{name}{mark}"), field));
}

/// Type of a member; a family's `nota` links to its own page.
fn words(kind: Type) -> String {
    let family = |name: &str| FAMILIES.iter().find(|family| name == format!("{}Nota", family.prefix));
    match kind {
        Type::Ref(name) => match family(name) {
            Some(family) => format!("[campos {}](/docs/guia/campos-{})", family.of, family.page),
            None => kind.words(),
        },
        Type::Either(kinds) => kinds.iter().map(|kind| words(*kind)).collect::<Vec<_>>().join(" ou "),
        _ => kind.words(),
    }
}
