//! The OpenAPI 3.1 document, composed from the routes, the tables of `resources` and the layouts.
//!
//! Law: OpenAPI 3.1.1; `docs/contract.md`, "Versions" (version 1.0.0). Must not know: any route.

use serde_json::{Map, Value, json};

use super::api_route::{ApiRoute, ApiRoutes};
use super::families::FAMILIES;
use super::nota;
use super::operation::{Access, AnswerContent, JsonRequestBody, Parameter, ParameterLocation, SuccessAnswer};
use super::resources::{self, Resource};
use super::{generators, sample, webhooks};
use crate::api::error_code::ApiErrorCode;
use crate::api::schema::{Type, reference};

/// Treatment of the section `webhooks`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WebhookSection {
    Shown,
    /// Absent, for generators that would make calls of them.
    LeftOut,
}

/// The document.
pub(super) fn document(routes: ApiRoutes, webhooks: WebhookSection) -> Value {
    let mut document = whole(routes);
    if let (WebhookSection::LeftOut, Value::Object(members)) = (webhooks, &mut document) {
        members.shift_remove("webhooks");
    }
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        if webhooks == WebhookSection::LeftOut {
            NOTIFICATIONS.iter().for_each(|name| drop(schemas.shift_remove(*name)));
        }
        generators::share(schemas);
    }
    generators::widen(&mut document);
    if let Some(schemas) = document.pointer_mut("/components/schemas") {
        generators::loosen(schemas);
    }
    document
}

fn whole(routes: ApiRoutes) -> Value {
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "Carimbo",
            "version": "1.0.0",
            "summary": "Emissão e gestão de documentos fiscais eletrônicos",
            "description": DESCRIPTION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "externalDocs": { "description": "Referência e guias", "url": "/docs" },
        "servers": [{ "url": "/" }],
        "tags": tags(),
        "paths": paths(routes),
        "webhooks": webhooks::section(),
        "components": {
            "schemas": schemas(),
            "parameters": { "RequestId": {
                "name": "X-Request-Id", "in": "header", "required": false, "schema": { "type": "string" },
                "description": "Seu identificador desta requisição, até 128 letras, dígitos, `-`, `_`, `.` e `:`; volta na resposta e nos registros. Sem ele, ou com outro conteúdo, o serviço faz um.",
            } },
            "securitySchemes": {
                "ApiKey": {
                    "type": "apiKey", "in": "header", "name": "X-API-Key",
                    "description": "Chave da conta, de homologação (`crb_test_…`) ou de produção (`crb_live_…`). Nunca em um front-end."
                },
                "Bearer": {
                    "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                    "description": "O `access_token` de `POST /v1/auth/login`."
                },
            },
        },
    })
}

/// Readers of the document show `x-displayName`.
fn tags() -> Vec<Value> {
    resources::all()
        .filter(|resource| !resource.operations.is_empty())
        .map(|resource| json!({ "name": resource.tag, "x-displayName": resource.title, "description": resource.doc }))
        .chain([webhooks::tag()])
        .collect()
}

fn paths(routes: ApiRoutes) -> Value {
    let mut paths = Map::new();
    for (resource, route) in routes.all() {
        let methods = paths.entry(route.path).or_insert_with(|| json!({}));
        methods[route.method.to_ascii_lowercase()] = operation(resource, route);
    }
    Value::Object(paths)
}

fn operation(resource: &Resource, route: &ApiRoute) -> Value {
    let operation = route.operation;
    let mut made = json!({
        "operationId": operation.id,
        "tags": [resource.tag],
        "summary": operation.summary,
        "security": security(operation.access),
        "responses": responses(route),
    });
    if !operation.text.is_empty() {
        made["description"] = json!(operation.text);
    }
    let trace = std::iter::once(json!({ "$ref": "#/components/parameters/RequestId" }));
    made["parameters"] = route.parameters().map(parameter).chain(trace).collect();
    if let (Some(body), Some(size)) = (&operation.body, route.size) {
        made["requestBody"] = request_body(body);
        made["requestBody"]["description"] = json!(format!("Até {}.", size.words()));
    }
    made
}

fn security(access: Access) -> Value {
    match access {
        Access::Public => json!([]),
        Access::Caller => json!([{ "ApiKey": [] }, { "Bearer": [] }]),
        Access::Session => json!([{ "Bearer": [] }]),
    }
}

fn parameter(parameter: &Parameter) -> Value {
    let place = if parameter.place == ParameterLocation::Path { "path" } else { "query" };
    let kind = generators::of_address(parameter.kind.json());
    let mut made = json!({
        "name": parameter.name,
        "in": place,
        "required": parameter.required,
        "description": parameter.doc,
        "schema": if parameter.required { kind } else { generators::or_empty(kind) },
    });
    if !parameter.example.is_empty() {
        let is_number = made["schema"]["type"] == "integer";
        let number = parameter.example.parse::<i64>().ok().filter(|_| is_number);
        made["example"] = number.map_or_else(|| json!(parameter.example), |number| json!(number));
    }
    made
}

fn request_body(body: &JsonRequestBody) -> Value {
    let example = json!({ "exemplo": { "summary": "Um corpo que funciona", "value": (body.example)() } });
    let mut content = json!({ "application/json": { "schema": reference(body.schema), "examples": example } });
    if let Some(form) = body.form {
        content["multipart/form-data"] = json!({ "schema": generators::form(form_schema(form)) });
    }
    json!({ "required": !body.optional, "content": content })
}

fn form_schema(name: &str) -> Value {
    let schemas = resources::all().flat_map(|resource| resource.schemas);
    schemas.into_iter().find(|schema| schema.name == name).map_or(Value::Null, crate::api::schema::Schema::json)
}

/// Objects that are used in forms only, where they are inlined.
fn forms() -> impl Iterator<Item = &'static str> {
    let bodies =
        resources::all().flat_map(|resource| resource.operations).filter_map(|operation| operation.body.as_ref());
    bodies.filter_map(|body| body.form)
}

fn responses(route: &ApiRoute) -> Value {
    let mut responses = Map::new();
    for answer in route.operation.answers {
        let described = success(answer, route.operation.access);
        match responses.get_mut(&answer.status.to_string()) {
            None => _ = responses.insert(answer.status.to_string(), described),
            Some(before) => merge_content(before, &described),
        }
    }
    generators::one_answer(&mut responses);
    let codes = route.codes();
    for group in codes.chunk_by(|one, other| one.status == other.status) {
        let status = group.first().map_or(500, |code| code.status).to_string();
        // a status may be an answer too: 503 of /status; where MCP defines its own refusals, ours are listed as well
        let answered = responses.get_mut(&status);
        match answered {
            None => _ = responses.insert(status, refusal(group)),
            Some(before) if status.starts_with('4') => merge_content(before, &refusal(group)),
            Some(_) => {}
        }
    }
    Value::Object(responses)
}

/// Adds another media type to an answer of the same status.
fn merge_content(before: &mut Value, other: &Value) {
    for (media, form) in other["content"].as_object().into_iter().flatten() {
        before["content"][media] = form.clone();
    }
}

fn success(answer: &SuccessAnswer, access: Access) -> Value {
    let mut headers = request_id();
    if access != Access::Public {
        headers["RateLimit-Policy"] =
            header("Quantas requisições (`q`) por janela (`w`, segundos), quando há limite.", false);
        headers["RateLimit"] = header("Quantas restam (`r`) e em quantos segundos a janela se refaz (`t`).", false);
    }
    if answer.status == 201 {
        headers["Location"] = header("Caminho do que foi criado.", false);
    }
    let mut made = json!({ "description": answer.doc, "headers": headers });
    match answer.content {
        AnswerContent::Json(schema) => {
            let example = json!({ "exemplo": { "summary": "A forma da resposta", "value": sample::of(schema) } });
            made["content"] = json!({ "application/json": { "schema": reference(schema), "examples": example } });
        }
        AnswerContent::Media(kinds) => {
            let schema = |kind: &str| match kind {
                _ if kind.ends_with("json") => json!({}),
                _ if kind.starts_with("text/") || kind.ends_with("xml") => json!({ "type": "string" }),
                _ => Type::File.json(),
            };
            let text = |kind: &&str| ((*kind).to_owned(), json!({ "schema": schema(kind) }));
            made["content"] = Value::Object(kinds.iter().map(text).collect());
        }
        AnswerContent::Empty => {}
    }
    made
}

/// Answer of all refusals of a status.
fn refusal(codes: &[&'static ApiErrorCode]) -> Value {
    let words: Vec<String> =
        codes.iter().map(|code| format!("[`{0}`](/docs/erros/{0}): {1}", code.codigo, code.title)).collect();
    let mut headers = request_id();
    match codes.first().map_or(500, |code| code.status) {
        401 => headers["WWW-Authenticate"] = header("Como se identificar.", false),
        429 | 503 => headers["Retry-After"] = header("Segundos até poder repetir.", false),
        405 => headers["Allow"] = header("Os métodos aceitos.", false),
        _ => {}
    }
    let examples: Map<String, Value> = codes.iter().map(|code| (code.codigo.to_owned(), example(code))).collect();
    let content = json!({ "schema": reference("Erro"), "examples": examples });
    json!({ "description": words.join(". "), "headers": headers, "content": { "application/problem+json": content } })
}

fn example(code: &ApiErrorCode) -> Value {
    let value = json!({
        "type": format!("/docs/erros/{}", code.codigo), "title": code.title, "status": code.status,
        "detail": format!("{}.", code.title), "instance": "/v1/…", "sucesso": false, "codigo": code.codigo,
        "mensagem": format!("{}.", code.title), "erros": [], "requisicao_id": "0193b1f2-7c1e-7a3e-9f50-2f4d1c0a9b11",
    });
    json!({ "summary": code.title, "value": value })
}

fn request_id() -> Value {
    json!({ "X-Request-Id": header("Identifica a requisição; o mesmo de `requisicao_id`.", true) })
}

fn header(doc: &str, required: bool) -> Value {
    json!({ "description": doc, "required": required, "schema": { "type": "string" } })
}

fn schemas() -> Value {
    let mut schemas = resources::objects();
    for family in FAMILIES {
        schemas.extend(nota::components(family.prefix, &(family.members)(), family.left_out));
    }
    request_schemas().into_iter().for_each(|name| allow_unknown_members(name, &mut schemas));
    forms().for_each(|name| _ = schemas.shift_remove(name));
    Value::Object(schemas)
}

/// Objects of request bodies.
fn request_schemas() -> Vec<&'static str> {
    let bodies =
        resources::all().flat_map(|resource| resource.operations).filter_map(|operation| operation.body.as_ref());
    bodies.map(|body| body.schema).collect()
}

/// Marks an object, and its parts, as open: unknown members are ignored by contract.
fn allow_unknown_members(name: &str, schemas: &mut Map<String, Value>) {
    let Some(Value::Object(schema)) = schemas.get_mut(name) else { return };
    if schema.contains_key("properties") && schema.insert("additionalProperties".to_owned(), json!(true)).is_some() {
        return;
    }
    let text = json!(schema).to_string();
    let inner = text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
    inner.for_each(|name| allow_unknown_members(name, schemas));
}

/// Bodies sent to webhook addresses; no route refers to them.
const NOTIFICATIONS: [&str; 2] = ["Notificacao", "NotificacaoDaConta"];

pub(super) const DESCRIPTION: &str = "Um serviço de documentos fiscais eletrônicos. A emissão é assíncrona: `202` com `job_id`, e o resultado por \
consulta ou webhook. Um job `completed` não é, por si, uma nota autorizada: leia `nota.status`. Números são aceitos como número ou texto e lidos \
com exatidão. `codigo_status` tem um tipo por família: inteiro na NF-e, na NFC-e e no CT-e, texto na NFS-e. Campos desconhecidos são ignorados e apontados em `avisos`. Referência legível e guias em [/docs](/docs); console em \
[/swagger](/swagger).";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_reference_leads_somewhere_and_every_object_is_used() {
        let document = document(crate::routes::described(), WebhookSection::Shown);
        let text = document.to_string();
        let used: BTreeSet<&str> =
            text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let defined: BTreeSet<&str> =
            document["components"]["schemas"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(used.difference(&defined).collect::<Vec<_>>(), Vec::<&&str>::new(), "not defined");
        assert_eq!(defined.difference(&used).collect::<Vec<_>>(), Vec::<&&str>::new(), "not used");
    }

    #[test]
    fn no_two_objects_have_one_name_and_no_name_needs_a_keyboard_of_its_own() {
        let own = resources::all().flat_map(|resource| resource.schemas).map(|schema| schema.name.to_owned());
        let notes =
            FAMILIES.iter().flat_map(|family| nota::components(family.prefix, &(family.members)(), family.left_out));
        let mut seen = BTreeSet::new();
        for name in own.chain(notes.map(|(name, _)| name)) {
            // file names of typed clients ignore case
            assert!(seen.insert(name.to_lowercase()), "{name} twice");
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{name}");
        }
        for resource in resources::all() {
            assert!(resource.tag.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{}", resource.tag);
        }
    }

    #[test]
    fn every_member_of_an_object_is_described() {
        fn look(path: &str, schema: &Value) {
            for (name, member) in schema["properties"].as_object().into_iter().flatten() {
                let path = format!("{path}.{name}");
                assert!(member["description"].as_str().is_some_and(|doc| doc.len() > 2), "{path}");
                look(&path, member);
                look(&path, &member["items"]);
            }
        }
        for schema in resources::all().flat_map(|resource| resource.schemas) {
            look(schema.name, &schema.json());
            // of two members with one name the document would have the second only
            let names: BTreeSet<&str> = schema.fields.iter().map(|field| field.name).collect();
            assert_eq!(names.len(), schema.fields.len(), "{}", schema.name);
        }
    }

    #[test]
    fn operations_are_named_once_and_answer() {
        let mut ids = BTreeSet::new();
        for operation in resources::all().flat_map(|resource| resource.operations) {
            assert!(ids.insert(operation.id), "{} twice", operation.id);
            assert!(operation.id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{}", operation.id);
            assert!(!operation.answers.is_empty(), "{} answers nothing", operation.id);
            for codigo in operation.errors {
                assert!(crate::api::error_code::find(codigo).is_some(), "{}: there is no code {codigo}", operation.id);
            }
        }
    }
}
