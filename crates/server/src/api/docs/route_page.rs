//! The page of a route: credentials, input and answers with examples, refusals, the call in five languages. Made of the
//! operation from which the OpenAPI document is made.

use std::fmt::Write as _;

use super::api_route::{ApiRoute, ApiRoutes};
use super::markdown::{anchor, escaped, inline, to_html};
use super::operation::{AnswerContent, JsonRequestBody};
use super::page::frame_with_samples;
use super::resources::Resource;
use super::route_markup::{address, codes, credential_text, example, method, parameters, row};
use super::{sample, samples};
use crate::api::schema::Schema;

/// All pages, by the name of their operation.
pub(super) fn all(routes: ApiRoutes) -> impl Iterator<Item = (&'static str, String)> {
    routes.all().map(|(resource, route)| (route.operation.id, page(resource, route)))
}

/// Text of each page for the search: method and path, summary, text, and the names of its members. The members are
/// described at their object, and the calls repeat the example in five languages.
pub(super) fn briefs(routes: ApiRoutes) -> impl Iterator<Item = (&'static str, String)> {
    routes.all().map(|(_, route)| (route.operation.id, brief(route)))
}

fn brief(route: &ApiRoute) -> String {
    let operation = route.operation;
    let mut html = format!(
        "<h1 data-busca=\"nao\">{}</h1><p data-titulo=\"{} {}\">{}. {}",
        escaped(operation.summary),
        route.method,
        escaped(route.path),
        escaped(operation.summary),
        to_html(operation.text)
    );
    for parameter in route.parameters() {
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

fn page(resource: &Resource, route: &ApiRoute) -> String {
    let operation = route.operation;
    let mut text = String::new();
    let mut contents = vec![(2, "Chamada".to_owned(), "chamada".to_owned())];
    let mut section = |text: &mut String, title: &str, anchor: &str| {
        let _ = write!(text, "<h2 id=\"{anchor}\"><a href=\"#{anchor}\">{title}</a></h2>");
        contents.push((2, title.to_owned(), anchor.to_owned()));
    };
    if !operation.parameters.is_empty() {
        section(&mut text, "Parâmetros", "parametros");
        parameters(&mut text, route);
    }
    if let Some(taken) = &operation.body {
        section(&mut text, "Corpo", "corpo-da-chamada");
        request(&mut text, taken);
    }
    section(&mut text, "Respostas", "respostas");
    operation.answers.iter().for_each(|answer| {
        let _ = write!(text, "<h3>{}</h3><p>{}</p>", answer.status, inline(answer.doc));
        match answer.content {
            AnswerContent::Json(name) => object(&mut text, name, true),
            AnswerContent::Media(kinds) => drop(write!(text, "<p><code>{}</code></p>", escaped(&kinds.join(", ")))),
            AnswerContent::Empty => {}
        }
    });
    section(&mut text, "Erros", "erros");
    text.push_str(&codes(&route.codes()));
    let (lead, samples) = (lead(resource, route), samples::of_route(route));
    frame_with_samples(operation.summary, &address(operation.id), (&lead, &samples, &text), &contents)
}

/// Summary, method and path, credential, text.
fn lead(resource: &Resource, route: &ApiRoute) -> String {
    let operation = route.operation;
    format!(
        "<p class=\"rotulo\"><a href=\"/docs/guia/api#{}\">{}</a></p><h1>{}</h1><p class=\"chamada\">{} <code>{}</code></p>\
         <p>{} <a class=\"testar\" href=\"/swagger#{}\">Abrir no console</a></p>{}",
        anchor(resource.title),
        escaped(resource.title),
        escaped(operation.summary),
        method(route),
        escaped(route.path),
        credential_text(operation.access),
        operation.id,
        to_html(operation.text)
    )
}

fn request(body: &mut String, taken: &JsonRequestBody) {
    if taken.optional {
        body.push_str("<p>O corpo pode faltar.</p>");
    }
    object(body, taken.schema, false);
    body.push_str(&example("Exemplo", &(taken.example)()));
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
        body.push_str(&example("Exemplo da resposta", &value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_page_with_what_the_table_says_of_it() {
        for (resource, route) in crate::routes::described().all() {
            let (id, page) = (route.operation.id, page(resource, route));
            assert!(page.contains(&escaped(route.path)) && page.contains("id=\"chamada\""), "{id}");
            for parameter in route.parameters() {
                assert!(page.contains(&format!("<code>{}</code>", parameter.name)), "{id}: {}", parameter.name);
            }
            for code in route.codes() {
                assert!(page.contains(&format!("/docs/erros/{}\"", code.codigo)), "{id}: {}", code.codigo);
            }
        }
    }
}
