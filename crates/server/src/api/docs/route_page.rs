//! The page of a route: credentials, input and answers with examples, refusals, the call in five languages. Made of the
//! row of `resources` from which the OpenAPI document is made.

use std::fmt::Write as _;

use super::markdown::{escaped, inline, to_html};
use super::operation::{AnswerContent, ApiOperation, JsonRequestBody};
use super::page::frame;
use super::reference::{credential_text, method, parameters, row};
use super::resources::{self, Resource};
use super::{calls, sample};
use crate::api::code::ApiErrorCode;
use crate::api::schema::Schema;

const ENVIRONMENT: &str = "<p>O endereço do serviço vem da variável de ambiente <code>CARIMBO_URL</code>, a chave de API de <code>CARIMBO_CHAVE</code> e o \
                           token de sessão de <code>CARIMBO_TOKEN</code>: nenhum segredo fica no código.</p>";

/// Address of an operation's page.
pub(super) fn address(id: &str) -> String {
    format!("/docs/rotas/{id}")
}

/// All pages, by the name of their operation.
pub(super) fn all() -> impl Iterator<Item = (&'static str, String)> {
    let each = |resource: &'static Resource| {
        resource.operations.iter().map(move |operation| (operation.id, page(resource, operation)))
    };
    resources::all().flat_map(each)
}

/// Text of each page for the search: method and path, summary, text, and the names of its members. The members are
/// described at their object, and the calls repeat the example in five languages.
pub(super) fn briefs() -> impl Iterator<Item = (&'static str, String)> {
    resources::all().flat_map(|resource| resource.operations).map(|operation| (operation.id, brief(operation)))
}

fn brief(operation: &ApiOperation) -> String {
    let mut html = format!(
        "<h1 data-busca=\"nao\">{}</h1><p data-titulo=\"{} {}\">{}. {}",
        escaped(operation.summary),
        operation.method.to_uppercase(),
        escaped(operation.path),
        escaped(operation.summary),
        to_html(operation.text)
    );
    for parameter in operation.parameters() {
        let _ = write!(html, " {}: {}", parameter.name, inline(parameter.doc));
    }
    let taken = operation.body.map(|body| body.schema);
    let given = operation.answers.iter().filter_map(|answer| match answer.content {
        AnswerContent::Json(name) => Some(name),
        AnswerContent::Media(_) | AnswerContent::Empty => None,
    });
    for schema in taken.into_iter().chain(given).flat_map(alternatives) {
        let names: Vec<&str> = schema.fields.iter().map(|field| field.name).collect();
        let _ = write!(html, " {}", names.join(", "));
    }
    html
}

fn page(resource: &Resource, operation: &ApiOperation) -> String {
    let mut body = format!(
        "<p><a href=\"/docs/guia/api\">{}</a></p><h1>{}</h1><p class=\"chamada\">{} <code>{}</code></p><p>{} <a class=\"testar\" \
         href=\"/swagger#{}\">Abrir no console</a></p>",
        escaped(resource.title),
        escaped(operation.summary),
        method(operation),
        escaped(operation.path),
        credential_text(operation.access),
        operation.id,
    );
    body.push_str(&to_html(operation.text));
    let mut contents = Vec::new();
    let mut section = |body: &mut String, title: &str, anchor: &str| {
        let _ = write!(body, "<h2 id=\"{anchor}\"><a href=\"#{anchor}\">{title}</a></h2>");
        contents.push((2, title.to_owned(), anchor.to_owned()));
    };
    if !operation.parameters.is_empty() {
        section(&mut body, "Parâmetros", "parametros");
        parameters(&mut body, operation);
    }
    if let Some(taken) = &operation.body {
        section(&mut body, "Corpo", "corpo-da-chamada");
        request(&mut body, taken);
    }
    section(&mut body, "Chamada", "chamada");
    body.push_str(ENVIRONMENT);
    for (language, colour, code) in calls::all(operation) {
        let open = if colour == "bash" { " open" } else { "" };
        let _ = write!(
            body,
            "<details{open}><summary>{language}</summary><pre data-linguagem=\"{colour}\"><code>{}</code></pre></details>",
            escaped(&code)
        );
    }
    section(&mut body, "Respostas", "respostas");
    operation.answers.iter().for_each(|answer| {
        let _ = write!(body, "<h3>{}</h3><p>{}</p>", answer.status, inline(answer.doc));
        match answer.content {
            AnswerContent::Json(name) => object(&mut body, name, true),
            AnswerContent::Media(kinds) => drop(write!(body, "<p><code>{}</code></p>", escaped(&kinds.join(", ")))),
            AnswerContent::Empty => {}
        }
    });
    section(&mut body, "Erros", "erros");
    errors(&mut body, &operation.codes());
    frame(operation.summary, &address(operation.id), &body, &contents)
}

fn request(body: &mut String, taken: &JsonRequestBody) {
    if taken.optional {
        body.push_str("<p>O corpo pode faltar.</p>");
    }
    object(body, taken.schema, false);
    example(body, "Exemplo", &(taken.example)());
    if let Some(form) = taken.form {
        body.push_str("<p>Também como <code>multipart/form-data</code>:</p>");
        object(body, form, false);
    }
}

/// An object and its alternatives.
fn alternatives(name: &str) -> impl Iterator<Item = &'static Schema> {
    let schema = sample::find(name);
    schema
        .into_iter()
        .chain(schema.into_iter().flat_map(|schema| schema.either).filter_map(|other| sample::find(other)))
}

/// Members of an object, or of each alternative.
fn object(body: &mut String, name: &str, with_example: bool) {
    let Some(schema) = sample::find(name) else { return };
    body.push_str(&to_html(schema.doc));
    for other in schema.either {
        let _ = write!(body, "<h4>{other}</h4>");
        object(body, other, false);
    }
    if !schema.fields.is_empty() {
        body.push_str(
            "<div class=\"tabela\"><table class=\"campos\"><tr><th>Membro</th><th>Tipo</th><th>Descrição</th></tr>",
        );
        schema.fields.iter().for_each(|field| row(body, "", field));
        body.push_str("</table></div>");
    }
    if let Some(value) = sample::of(name).filter(|_| with_example) {
        example(body, "Exemplo da resposta", &value);
    }
}

fn example(body: &mut String, title: &str, value: &serde_json::Value) {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let _ = write!(
        body,
        "<details><summary>{title}</summary><pre data-linguagem=\"json\"><code>{}</code></pre></details>",
        escaped(&text)
    );
}

fn errors(body: &mut String, codes: &[&'static ApiErrorCode]) {
    body.push_str("<div class=\"tabela\"><table class=\"respostas\"><tr><th>Status</th><th>Código</th></tr>");
    for code in codes {
        let _ = write!(
            body,
            "<tr><td>{}</td><td><a href=\"/docs/erros/{1}\"><code>{1}</code></a> {2}</td></tr>",
            code.status,
            code.codigo,
            escaped(code.title)
        );
    }
    body.push_str("</table></div>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_page_with_what_the_table_says_of_it() {
        for (id, page) in all() {
            let operation = resources::all().flat_map(|resource| resource.operations).find(|one| one.id == id).unwrap();
            assert!(page.contains(&escaped(operation.path)) && page.contains("id=\"chamada\""), "{id}");
            for parameter in operation.parameters() {
                assert!(page.contains(&format!("<code>{}</code>", parameter.name)), "{id}: {}", parameter.name);
            }
            for code in operation.codes() {
                assert!(page.contains(&format!("/docs/erros/{}\"", code.codigo)), "{id}: {}", code.codigo);
            }
        }
    }
}
