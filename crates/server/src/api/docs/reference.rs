//! Pages made from the tables: the entrance, and every route and object with its members.

use std::fmt::Write as _;

use maud::html;

use super::api_route::{ApiRoute, ApiRoutes};
use super::front_door_page::{cards, family_cards, route_line};
use super::markdown::{anchor, escaped, inline, to_html};
use super::operation::AnswerContent;
use super::page::frame;
use super::resources::{self, Resource};
use super::route_markup::{credential_text, example, method, parameters, row};
use super::{front_doors, guides, webhooks};
use crate::api::schema::{Schema, Type};

/// `/docs`: the entrance.
pub(super) fn entrance(routes: ApiRoutes) -> String {
    let guides = html! {
        @for group in guides::groups() {
            h3 { (group.first().map_or("", |guide| guide.group)) }
            @if group.iter().any(|guide| front_doors::find(guide.page).is_some()) {
                (family_cards(group))
            } @else {
                (cards(group.iter()))
            }
        }
    };
    let resources = html! {
        @for resource in resources::all().filter(|resource| !resource.operations.is_empty()) {
            details class="recurso" {
                summary { (resource.title) " " small { (resource.operations.len()) } }
                ul class="rotas" { @for route in routes.of(resource) { (route_line(route)) } }
            }
        }
    };
    let body = format!(
        "{}<h2 id=\"guias\">Guias</h2>{}<h2 id=\"rotas\">Rotas</h2>{}",
        to_html(include_str!("assets/entrada.md")),
        guides.into_string(),
        resources.into_string()
    );
    frame("Documentação", "/docs", &body, &[])
}

/// `/docs/guia/api`: all routes and all objects.
pub(super) fn api(routes: ApiRoutes) -> String {
    let mut body = String::from("<h1>Rotas e objetos</h1>");
    body.push_str(&to_html(super::openapi::DESCRIPTION));
    let mut contents = Vec::new();
    for resource in resources::all() {
        let id = anchor(resource.title);
        let _ = write!(body, "<h2 id=\"{id}\"><a href=\"#{id}\">{}</a></h2>", escaped(resource.title));
        body.push_str(&to_html(resource.doc));
        contents.push((2, resource.title.to_owned(), id));
        routes.of(resource).for_each(|route| operation(&mut body, route));
        objects(&mut body, resource);
    }
    events(&mut body);
    contents.push((2, "Eventos de webhook".to_owned(), "eventos".to_owned()));
    frame("Rotas e objetos", "/docs/guia/api", &body, &contents)
}

fn operation(body: &mut String, route: &ApiRoute) {
    let operation = route.operation;
    let _ = write!(
        body,
        "<section class=\"rota\"><h3 id=\"{id}\" data-busca=\"nao\"><a href=\"#{id}\">{method} <code>{path}</code></a></h3><p><strong>{summary}.</strong> {who} \
         <a href=\"/docs/rotas/{id}\">Exemplos em cinco linguagens</a> <a class=\"testar\" href=\"/swagger#{id}\">Abrir no \
         console</a></p>",
        id = operation.id,
        method = method(route),
        path = escaped(route.path),
        summary = escaped(operation.summary),
        who = credential_text(operation.access),
    );
    body.push_str(&to_html(operation.text));
    parameters(body, route);
    if let Some(taken) = &operation.body {
        let object = Type::Ref(taken.schema).words();
        let _ = write!(body, "<p>Corpo: {}</p>{}", inline(&object), example("Exemplo", &(taken.example)()));
    }
    body.push_str("<div class=\"tabela\"><table class=\"respostas\"><tr><th>Resposta</th><th>Quando</th></tr>");
    for answer in operation.answers {
        let what = match answer.content {
            AnswerContent::Json(schema) => inline(&Type::Ref(schema).words()),
            AnswerContent::Media(kinds) => escaped(&kinds.join(", ")),
            AnswerContent::Empty => String::new(),
        };
        let _ = write!(body, "<tr><td>{}</td><td>{} {what}</td></tr>", answer.status, inline(answer.doc));
    }
    let codes = route.codes();
    for group in codes.chunk_by(|one, other| one.status == other.status) {
        let names: Vec<String> =
            group.iter().map(|code| format!("<a href=\"/docs/erros/{0}\"><code>{0}</code></a>", code.codigo)).collect();
        let status = group.first().map_or(500, |code| code.status);
        let _ = write!(body, "<tr><td>{status}</td><td>{}</td></tr>", names.join(" "));
    }
    body.push_str("</table></div></section>");
}

fn objects(body: &mut String, resource: &Resource) {
    for schema in resource.schemas {
        object(body, schema);
    }
}

fn object(body: &mut String, schema: &Schema) {
    let _ = write!(
        body,
        "<section class=\"objeto\"><h4 id=\"objeto-{0}\" data-tipo=\"objeto\"><a href=\"#objeto-{0}\">Objeto {0}</a></h4>{1}\
         <div class=\"tabela\"><table><tr><th>Membro</th><th>Tipo</th><th>Descrição</th></tr>",
        schema.name,
        to_html(schema.doc)
    );
    schema.fields.iter().for_each(|field| row(body, "", field));
    body.push_str("</table></div></section>");
}

fn events(body: &mut String) {
    body.push_str(
        "<h2 id=\"eventos\"><a href=\"#eventos\">Eventos de webhook</a></h2><p>O que o serviço envia por POST a <code>webhook_url</code>: \
         o objeto <a href=\"#objeto-Notificacao\">Notificacao</a>. Como conferir a assinatura está em \
         <a href=\"/docs/guia/webhooks\">Webhooks</a>.</p><div class=\"tabela\"><table><tr><th>Evento</th><th>Quando</th></tr>",
    );
    for (tipo, event, doc) in webhooks::all() {
        let _ = write!(body, "<tr><td><code>{tipo}.{event}</code></td><td>{}</td></tr>", inline(doc));
    }
    for (name, doc) in webhooks::account_events() {
        let _ = write!(body, "<tr><td><code>{name}</code></td><td>{}</td></tr>", inline(doc));
    }
    body.push_str("</table></div>");
}
