//! The documentation: pages without foreign assets, an OpenAPI document that names exactly the routes there are.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde_json::Value;

use crate::suites::every_route::routes::routes;
use crate::support::app::TestApp;

#[tokio::test]
async fn the_type_of_an_error_opens_a_page_without_foreign_assets() {
    let app = TestApp::start().await;
    let error = app.anonymous().get("/v1/empresas").await.refused(401, "nao_autenticado");
    let page = app.anonymous().get(error["type"].as_str().unwrap()).await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    let html = page.text();
    assert!(html.contains("O que fazer</a></h2>") && html.contains("<code>X-API-Key</code>"), "{html}");
    assert!(!html.contains("http://") && !html.contains("https://"), "{html}");
    app.anonymous().get("/docs/erros/nada").await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn the_page_is_also_there_as_it_is_written() {
    let app = TestApp::start().await;
    let accept = [("accept", "text/markdown")];
    let page = app.anonymous().send(Method::GET, "/docs/erros/validacao", &accept, "".into()).await;
    assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8");
    assert!(page.text().starts_with("# `validacao`"));
    let index = app.anonymous().get("/docs/erros").await.text();
    assert!(index.contains("href=\"/docs/erros/documento_invalido\""), "{index}");
    app.finish().await;
}

#[tokio::test]
async fn the_document_names_every_route_and_method_and_no_other() {
    let app = TestApp::start().await;
    let document = app.anonymous().get("/docs/json").await.ok(200);
    let mut documented: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        documented.insert(path.clone(), methods.as_object().unwrap().keys().map(|name| name.to_uppercase()).collect());
    }
    // the pages of people are no part of what programs call
    let paths = routes().into_iter().map(|route| route.split(' ').nth(1).unwrap().to_owned());
    let routed: BTreeSet<String> = paths.filter(|path| !path.starts_with("/painel")).collect();
    let names: BTreeSet<String> = documented.keys().cloned().collect();
    let missing: Vec<&String> = routed.difference(&names).collect();
    let invented: Vec<&String> = names.difference(&routed).collect();
    assert!(
        missing.is_empty() && invented.is_empty(),
        "not documented: {missing:?}; documented and absent: {invented:?}"
    );
    for (path, methods) in documented {
        let asked = path.replace(['{', '}'], "x");
        let answer = app.anonymous().send(Method::TRACE, &asked, &[], "".into()).await;
        assert_eq!(answer.status, 405, "{path}: {}", answer.text());
        // axum answers HEAD wherever it answers GET
        let allowed = answer.header("allow").split(',').map(str::to_owned).filter(|name| name != "HEAD").collect();
        assert_eq!(methods, allowed, "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn the_document_is_what_the_interface_promises() {
    let app = TestApp::start().await;
    let answer = app.anonymous().get("/docs/json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document = answer.ok(200);
    assert_eq!((&document["openapi"], &document["info"]["version"]), (&"3.1.1".into(), &"1.0.0".into()));
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!((&schemes["ApiKey"]["name"], &schemes["Bearer"]["scheme"]), (&"X-API-Key".into(), &"bearer".into()));
    for event in
        ["autorizada", "rejeitada", "denegada", "falhou", "cancelada", "cancelamento_rejeitado", "contingencia"]
    {
        assert!(document["webhooks"][format!("nfe.{event}")]["post"].is_object(), "{event}");
    }
    let item = &document["components"]["schemas"]["NfeProdutos"]["properties"];
    for field in
        ["cProd", "xProd", "NCM", "CFOP", "qCom", "vProd", "icms", "pis", "cofins", "ipi", "ibscbs", "is_", "DI", "med"]
    {
        assert!(item[field].is_object(), "{field}");
    }
    // money is taken as number or text
    assert_eq!(item["vProd"]["anyOf"][0]["$ref"], "#/components/schemas/NumeroOuTexto");
    let either = &document["components"]["schemas"]["NumeroOuTexto"]["type"];
    assert_eq!(*either, serde_json::json!(["string", "number", "null"]));
    app.finish().await;
}

#[tokio::test]
async fn pages_load_nothing_from_elsewhere_and_their_links_lead_somewhere() {
    let app = TestApp::start().await;
    let mut waiting = vec!["/docs".to_owned(), "/swagger".to_owned()];
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    while let Some(path) = waiting.pop() {
        if seen.contains_key(&path) {
            continue;
        }
        let page = app.anonymous().get(&path).await;
        assert_eq!(page.status, 200, "{path}");
        let html = page.header("content-type").starts_with("text/html");
        let text = if html { page.text() } else { String::new() };
        if html {
            let policy = page.header("content-security-policy");
            assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
            // the icon is an empty one of the page's own
            for reference in references(&text).filter(|reference| *reference != "data:,") {
                assert!(reference.starts_with('/') || reference.starts_with('#'), "{path} leads to {reference}");
            }
            // the panel has a door, which its own tests open
            let ours = references(&text).filter(|link| link.starts_with('/') && *link != "/painel");
            waiting.extend(ours.map(|link| until(link, '#')));
        }
        seen.insert(path, text);
    }
    assert!(
        ["/docs/guia/campos-nfe", "/docs/recursos/console.js", "/docs/recursos/inicio.png"]
            .iter()
            .all(|path| seen.contains_key(*path)),
        "{:?}",
        seen.keys()
    );
    for (path, text) in seen.iter().filter(|(_, text)| !text.is_empty()) {
        for link in references(text).filter(|link| *link != "data:,") {
            let (page, place) = link.split_once('#').unwrap_or((link, ""));
            let page = if page.is_empty() { path.as_str() } else { page };
            // the console reads its anchors itself
            let there = place.is_empty()
                || page == "/swagger"
                || page == "/painel"
                || seen[page].contains(&format!("id=\"{place}\""));
            assert!(there, "{path}: {link} leads to no place on the page");
        }
    }
    app.anonymous().get("/docs/guia/nada").await.refused(404, "nao_encontrado");
    app.anonymous().get("/docs/recursos/nada").await.refused(404, "nao_encontrado");
    app.finish().await;
}

fn until(text: &str, end: char) -> String {
    text.split(end).next().unwrap_or_default().to_owned()
}

/// Returns the targets of `href` and `src`.
fn references(html: &str) -> impl Iterator<Item = &str> {
    let named = |name: &'static str| html.split(name).skip(1).filter_map(|rest| rest.split('"').next());
    named(" href=\"").chain(named(" src=\""))
}

#[tokio::test]
async fn the_search_knows_every_place_of_every_page_and_its_models() {
    let app = TestApp::start().await;
    let index = app.anonymous().get("/docs/recursos/busca.json").await.ok(200);
    let lines = index["linhas"].as_array().unwrap();
    for (title, address, kind, models) in [
        ("POST /v1/nfe/emitir", "/docs/rotas/emitirNfe", "rota", ""),
        ("produtos[].vProd", "/docs/guia/campos-nfe#produtos.vProd", "campo", "55"),
        ("produtos[].vProd", "/docs/guia/campos-nfce#produtos.vProd", "campo", "65"),
        ("valores.vTPrest", "/docs/guia/campos-cte#valores.vTPrest", "campo", "57"),
        ("servico.xDescServ", "/docs/guia/campos-cte-os#servico.xDescServ", "campo", "67"),
        ("valores.vServ", "/docs/guia/campos-nfse#valores.vServ", "campo", "NFS-e"),
        (
            "servico.valores.valor_servicos",
            "/docs/guia/campos-nfse-municipal#servico.valores.valor_servicos",
            "campo",
            "NFS-e",
        ),
        ("Curitiba/PR", "/docs/guia/municipios-de-ensaio#4106902", "regra", "NFS-e"),
        ("campo_obrigatorio", "/docs/erros/campo_obrigatorio", "erro", ""),
        ("Idempotência", "/docs/guia/idempotencia", "guia", ""),
        ("Cópia de segurança", "/docs/guia/operacao#cópia-de-segurança", "guia", ""),
        ("539 Duplicidade de NF-e com diferença na Chave de Acesso", "/docs/guia/codigos#539", "codigo", ""),
        (
            "610 Total da NF difere do somatório dos Valores compõe o valor Total da NF.",
            "/docs/guia/regras#W16-10",
            "regra",
            "55, 65",
        ),
    ] {
        let found =
            lines.iter().any(|line| line[0] == title && line[2] == address && line[3] == kind && line[4] == models);
        assert!(found, "{title} at {address}");
    }
    // a word of a paragraph, of a step and of a table
    for (word, page) in [
        ("pg_dump", "operacao"),
        ("idempotente: true", "primeira-nota"),
        ("destinatário confirmou", "correcao-e-cancelamento"),
    ] {
        let said = |line: &&Value| line[2].as_str().unwrap().starts_with(&format!("/docs/guia/{page}"));
        let found = lines.iter().filter(said).any(|line| line[5].as_str().is_some_and(|text| text.contains(word)));
        assert!(found, "{word} of {page}");
    }
    // every route once: its page, by method and path, with its summary and the names of its members
    let document = app.anonymous().get("/docs/json").await.ok(200);
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let address = format!("/docs/rotas/{}", operation["operationId"].as_str().unwrap());
            let title = format!("{} {path}", method.to_uppercase());
            let of_route: Vec<&Value> =
                lines.iter().filter(|line| line[2] == address.as_str() || line[0] == title.as_str()).collect();
            let [line] = of_route[..] else { panic!("{title}: {of_route:?}") };
            assert_eq!((&line[0], &line[1], &line[2]), (&title.into(), &operation["summary"], &address.into()));
        }
    }
    let cancel = lines.iter().find(|line| line[2] == "/docs/rotas/cancelarNfe").unwrap()[5].as_str().unwrap();
    for name in ["justificativa", "webhook_url", "job_id"] {
        assert!(cancel.contains(name), "{cancel}");
    }
    app.finish().await;
}

#[tokio::test]
async fn the_index_of_the_search_is_bounded_and_fetched_once() {
    let app = TestApp::start().await;
    let whole = app.anonymous().get("/docs/recursos/busca.json").await;
    let packed =
        app.anonymous().send(Method::GET, "/docs/recursos/busca.json", &[("accept-encoding", "gzip")], "".into()).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let (bytes, on_the_wire) = (whole.bytes.len(), packed.bytes.len());
    println!("the index has {bytes} bytes, {on_the_wire} of them on the wire");
    // six families of documents, with every field and rule of each
    assert!(bytes < 1_620_000 && on_the_wire < 310_000, "{bytes} bytes, {on_the_wire} on the wire");
    let tag = whole.header("etag").to_owned();
    let again =
        app.anonymous().send(Method::GET, "/docs/recursos/busca.json", &[("if-none-match", &tag)], "".into()).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    app.finish().await;
}

#[tokio::test]
async fn cards_of_the_entrance_end_with_their_sentence() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/docs").await.text();
    let cards = page.split_once("<h2 id=\"guias\">").unwrap().1.split_once("<h2 id=\"rotas\">").unwrap().0;
    let words: Vec<&str> = cards.split("<p>").skip(1).map(|card| card.split("</p>").next().unwrap()).collect();
    assert!(words.len() > 15);
    for said in words {
        assert!(said.ends_with('.') && !said.contains("**") && !said.contains('`'), "{said}");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_is_not_there_is_a_page_for_browsers_and_a_refusal_for_programs() {
    let app = TestApp::start().await;
    let browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    for path in ["/docs/guia/nada", "/docs/rotas/nada", "/docs/erros/nada", "/nada"] {
        let page = app.anonymous().send(Method::GET, path, &browser, "".into()).await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (404, "text/html; charset=utf-8"), "{path}");
        let html = page.text();
        assert!(html.contains("id=\"busca\"") && html.contains("href=\"/docs/guia/primeira-nota\""), "{path}: {html}");
        app.anonymous().get(path).await.refused(404, "nao_encontrado");
    }
    let script =
        app.anonymous().send(Method::GET, "/%3Cscript%3Ealert(1)%3C/script%3E", &browser, "".into()).await.text();
    assert!(!script.contains("<script>alert"), "{script}");
    app.finish().await;
}

#[tokio::test]
async fn every_route_has_a_page_with_its_call_in_five_languages() {
    let app = TestApp::start().await;
    let document = app.anonymous().get("/docs/json").await.ok(200);
    for methods in document["paths"].as_object().unwrap().values() {
        for operation in methods.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            let page = app.anonymous().get(&format!("/docs/rotas/{id}")).await;
            assert_eq!(page.status, 200, "{id}");
            let html = page.text();
            for language in ["curl", "Python", "PHP", "JavaScript", "C#"] {
                assert!(html.contains(&format!("<summary>{language}</summary>")), "{id}: {language}");
            }
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn the_navigation_opens_the_group_of_the_page_and_leads_on_without_a_script() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/docs/guia/contingencia").await.text();
    let navigation = page.split_once("<nav id=\"navegacao\"").unwrap().1.split_once("</nav>").unwrap().0;
    assert_eq!(navigation.matches("<details").count(), 10, "{navigation}");
    assert!(navigation.contains("<details open><summary>Eventos e correções</summary>"), "{navigation}");
    assert_eq!(navigation.matches(" open>").count(), 1, "{navigation}");
    assert!(page.contains("<a rel=\"prev\" href=\"/docs/guia/inutilizacao\">"), "{page}");
    assert!(page.contains("<a rel=\"next\" href=\"/docs/guia/notas-recebidas\">"), "{page}");
    // from the first page to the last, every one once
    let (mut path, mut seen) = ("/docs/guia/primeira-nota".to_owned(), BTreeSet::new());
    loop {
        assert!(seen.insert(path.clone()), "{path} twice");
        let html = app.anonymous().get(&path).await.text();
        let Some((_, next)) = html.split_once("<a rel=\"next\" href=\"") else { break };
        path = until(next, '"');
    }
    assert!(seen.len() > 50 && path == "/docs/erros", "{path}: {}", seen.len());
    app.finish().await;
}

#[tokio::test]
async fn a_family_has_a_front_door_with_its_routes_recipes_events_and_call() {
    let app = TestApp::start().await;
    for (page, parts) in [
        (
            "nfe",
            [
                "/docs/rotas/inutilizarNfe",
                "/docs/guia/receitas#mei-crt-4",
                "<code>nfe.denegada</code>",
                "/docs/guia/regras",
            ],
        ),
        (
            "nfce",
            ["/docs/rotas/cancelarNfce", "/docs/guia/nfce", "<code>nfce.contingencia</code>", "/docs/guia/campos-nfce"],
        ),
        (
            "cte",
            [
                "/docs/rotas/registrarEventoCte",
                "/docs/guia/primeiro-cte",
                "<code>cte.autorizada</code>",
                "/docs/guia/regras-do-cte",
            ],
        ),
        (
            "cte-os",
            ["/docs/rotas/emitirCte", "/docs/guia/cte-os", "/docs/recursos/cte-os.json", "/docs/guia/campos-cte-os"],
        ),
        (
            "nfse",
            [
                "/docs/rotas/emitirNfse",
                "/docs/guia/valores-da-nfse",
                "<code>nfse.cancelada</code>",
                "/docs/guia/regras-da-nfse",
            ],
        ),
        (
            "nfse-municipal",
            [
                "/docs/rotas/explicarMunicipioDaNfse",
                "/docs/guia/provedores-nfse",
                "/docs/recursos/nfse-municipal.json",
                "/docs/guia/codigos-das-prefeituras",
            ],
        ),
    ] {
        let html = app.anonymous().get(&format!("/docs/guia/documento-{page}")).await.text();
        let main = html.split_once("<main>").unwrap().1;
        for part in parts {
            assert!(main.contains(part), "{page}: {part}");
        }
        for heading in ["Primeiros passos", "Rotas", "Campos", "Eventos", "Imprimir", "Erros"] {
            assert!(main.contains(&format!(">{heading}</a></h2>")), "{page}: {heading}");
        }
        assert!(main.contains("<aside class=\"amostra\"") && main.contains("<summary>Python</summary>"), "{page}");
    }
    app.finish().await;
}

#[tokio::test]
async fn code_is_coloured_and_stays_text() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/docs/guia/primeira-nota").await.text();
    assert!(page.contains("<i class=\"k\">curl</i>") && page.contains("<i class=\"v\">$key</i>"), "{page}");
    let route = app.anonymous().get("/docs/rotas/cancelarNfe").await.text();
    assert!(route.contains("<i class=\"m\">&quot;justificativa&quot;</i>"), "{route}");
    // the company of the examples may give way to the reader's own; a key that holds its number may not
    assert!(route.contains("<span data-amostra=\"cnpj\">11222333000181</span>"), "{route}");
    app.finish().await;
}

#[tokio::test]
async fn documentation_console_panel_and_start_have_one_head() {
    let app = TestApp::start().await;
    let browser = [("accept", "text/html")];
    for (path, current) in
        [("/", None), ("/docs", Some("/docs")), ("/swagger", Some("/swagger")), ("/painel/entrar", Some("/painel"))]
    {
        let html = app.anonymous().look(Method::GET, path, &browser, "".into()).await.text();
        let head = html.split_once("<header>").unwrap().1.split_once("</header>").unwrap().0;
        for (area, name) in [("/docs", "Documentação"), ("/swagger", "Console"), ("/painel", "Painel")] {
            let mark = if current == Some(area) { " aria-current=\"true\"" } else { "" };
            assert!(head.contains(&format!("<a href=\"{area}\"{mark}>{name}</a>")), "{path}: {head}");
        }
        assert!(html.contains("/docs/recursos/estilo.css") && head.contains("/docs/recursos/marca.svg"), "{path}");
    }
    app.finish().await;
}
