//! Admission to MCP: key, host name, page, size, rate; and no state between two messages.

use http::Method;
use serde_json::{Value, json};
use server::ServiceLimits;
use server::edge::{Edge, McpSettings};

use super::agent::{Agent, REVISIONS, STATELESS};
use crate::support::app::TestApp;
use crate::support::client::Client;

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "validar_ncm", "arguments": { "codigo": "01012100" } } })
}

#[tokio::test]
async fn the_catalogue_is_told_to_programs_and_people_on_both_listeners_without_a_key() {
    let app = TestApp::start().await;
    let own = Client::new(&app.mcp_url);
    for (client, path) in [(app.anonymous(), "/mcp"), (&own, "/"), (&own, "/mcp")] {
        let catalogue = client.get(path).await.ok(200);
        let tools = catalogue["ferramentas"].as_array().unwrap();
        assert!(tools.iter().any(|tool| tool["name"] == "validar_ncm"), "{catalogue}");
        for tool in tools {
            assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
            assert!(tool["inputSchema"]["type"] == "object" && tool["outputSchema"]["type"] == "object", "{tool}");
            assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
        }
        let page = client.send(Method::GET, path, &[("accept", "text/html")], Vec::new().into()).await;
        assert!(page.header("content-type").starts_with("text/html") && page.text().contains("validar_ncm"));
        assert!(page.header("content-security-policy").contains("default-src 'none'"));
    }
    // a stream would be a session
    let stream = own.send(Method::GET, "/mcp", &[("accept", "text/event-stream")], Vec::new().into()).await;
    assert_eq!((stream.status.as_u16(), stream.header("allow")), (405, "GET, POST"));
    own.send(Method::DELETE, "/mcp", &[], Vec::new().into()).await.refused(405, "metodo_nao_permitido");
    app.finish().await;
}

#[tokio::test]
async fn a_key_is_needed_in_either_header_and_a_session_is_none() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    app.anonymous().post("/mcp", &ping()).await.refused(401, "nao_autenticado");
    let key = tenant.test.api_key.clone().unwrap();
    let bearer = app.anonymous().with_token(&key).post("/mcp", &ping()).await.ok(200);
    assert_eq!(bearer["result"]["structuredContent"], json!({ "sucesso": true, "valido": true }));
    let other = app.tenant().await;
    let both = tenant.test.with_token(&other.test.api_key.unwrap());
    both.post("/mcp", &ping()).await.refused(401, "nao_autenticado");
    app.anonymous()
        .with_token("eyJhbGciOiJIUzI1NiJ9.e30.x")
        .post("/mcp", &ping())
        .await
        .refused(401, "nao_autenticado");
    app.store.revoke_api_key(tenant.id, tenant.test_key_id, &store::audit::Actor::operator(), 1).await.unwrap();
    tenant.test.post("/mcp", &ping()).await.refused(401, "chave_revogada");
    app.finish().await;
}

#[tokio::test]
async fn names_and_pages_that_are_not_ours_are_turned_away() {
    let mcp = McpSettings { url: Some("https://mcp.exemplo.com.br".to_owned()), ..McpSettings::default() };
    let edge = Edge { mcp, cors_origins: vec!["https://agente.exemplo.com.br".to_owned()], ..Edge::default() };
    let app = TestApp::start_with(|parts| parts.edge = edge).await;
    let tenant = app.tenant().await;
    let body = ping().to_string();
    let send = |headers: Vec<(&'static str, &'static str)>| {
        let (client, body) = (tenant.test.clone(), body.clone());
        async move {
            let headers: Vec<_> = headers.into_iter().chain([("content-type", "application/json")]).collect();
            client.send(Method::POST, "/mcp", &headers, body.into()).await
        }
    };
    for host in ["localhost", "127.0.0.1:9", "[::1]", "mcp.exemplo.com.br", "MCP.exemplo.com.br:443"] {
        assert_eq!(send(vec![("host", host)]).await.status.as_u16(), 200, "{host}");
    }
    let strange = ["rebind.example.com", "mcp.exemplo.com.br.evil.example", "127.0.0.1.evil.example"];
    for host in strange.into_iter().chain(["10.0.0.5", "192.168.0.7:8080", "[2001:db8::7]", "0.0.0.0", ""]) {
        send(vec![("host", host)]).await.refused(403, "origem_nao_permitida");
    }
    assert_eq!(send(vec![("origin", "https://agente.exemplo.com.br")]).await.status.as_u16(), 200);
    for origin in ["https://evil.example.com", "null", "http://agente.exemplo.com.br"] {
        send(vec![("origin", origin)]).await.refused(403, "origem_nao_permitida");
    }
    app.anonymous()
        .send(Method::GET, "/mcp", &[("host", "rebind.example.com")], Vec::new().into())
        .await
        .refused(403, "origem_nao_permitida");
    app.finish().await;
}

#[tokio::test]
async fn a_listener_of_all_addresses_takes_the_names_it_was_told_and_no_address_besides() {
    let mcp = McpSettings { hosts: vec!["10.1.2.3".to_owned(), "agente.interno".to_owned()], ..McpSettings::default() };
    let public_url = Some("https://notas.loja.com.br".to_owned());
    let app = TestApp::start_with(|parts| {
        parts.edge = Edge { mcp, public_url, ..Edge::default() };
        parts.http = Some("0.0.0.0:0".parse().unwrap());
    })
    .await;
    let port = app.anonymous().base_url.rsplit_once(':').unwrap().1.to_owned();
    let client = Client::new(&format!("http://127.0.0.1:{port}"));
    let ask = |host: &'static str| {
        let client = client.clone();
        async move { client.send(Method::GET, "/mcp", &[("host", host)], Vec::new().into()).await }
    };
    for host in ["10.1.2.3", "10.1.2.3:8080", "agente.interno", "notas.loja.com.br"] {
        assert_eq!(ask(host).await.status.as_u16(), 200, "{host}");
    }
    for host in ["127.0.0.1", "localhost", "[::1]", "10.1.2.4", "0.0.0.0", "rebind.example.com"] {
        ask(host).await.refused(403, "origem_nao_permitida");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_is_switched_off_is_not_there() {
    let mcp = McpSettings { active: false, ..McpSettings::default() };
    let app = TestApp::start_with(|parts| parts.edge = Edge { mcp, ..Edge::default() }).await;
    let tenant = app.tenant().await;
    assert_eq!(app.mcp_url, tenant.test.base_url, "there is no listener of its own");
    tenant.test.post("/mcp", &ping()).await.refused(404, "nao_encontrado");
    tenant.test.get("/mcp").await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn a_message_has_a_bound_a_form_and_a_rate() {
    let app = TestApp::start_with(|parts| {
        parts.limits = ServiceLimits { requests: 13, window_s: 3600, ..ServiceLimits::default() }
    })
    .await;
    let tenant = app.tenant().await;
    let answer = tenant.test.post("/mcp", &ping()).await;
    assert!(!answer.header("x-request-id").is_empty() && answer.header("ratelimit").contains("r=12"), "{answer:?}");
    let send = |body: String| {
        let client = tenant.test.clone();
        async move { client.send(Method::POST, "/mcp", &[("content-type", "application/json")], body.into()).await }
    };
    send(format!("{{\"a\":\"{}\"}}", "x".repeat(600 << 10))).await.refused(413, "corpo_grande");
    send("{".to_owned()).await.refused(400, "json_invalido");
    send(format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100))).await.refused(400, "json_invalido");
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"preparar_nfe","arguments":{"nota":{"produtos":[{"CFOP":"5102","CFOP":"5405"}]}}}}"#;
    let refused = send(twice.to_owned()).await.refused(400, "json_invalido");
    assert_eq!(refused["erros"][0]["campo"], "params.arguments.nota.produtos[0].CFOP", "{refused}");
    let text =
        tenant.test.send(Method::POST, "/mcp", &[("content-type", "text/plain")], ping().to_string().into()).await;
    text.refused(415, "midia_invalida");
    for odd in [
        json!({}),
        json!({ "jsonrpc": "1.0", "id": 1, "method": "x" }),
        json!({ "jsonrpc": "2.0", "id": {}, "method": 5 }),
    ] {
        let answer = send(odd.to_string()).await;
        assert_eq!(answer.status.as_u16(), 400, "{odd}: {}", answer.text());
        assert_eq!(answer.json()["error"]["code"], -32600, "{odd}");
    }
    let unknown = send(json!({ "jsonrpc": "2.0", "id": "a", "method": "nao/existe" }).to_string()).await.json();
    assert_eq!((&unknown["error"]["code"], &unknown["id"]), (&(-32601).into(), &"a".into()), "{unknown}");
    for _ in 0..20 {
        let answer = send(ping().to_string()).await;
        if answer.status.as_u16() == 429 {
            answer.refused(429, "muitas_requisicoes");
            app.finish().await;
            return;
        }
    }
    panic!("no limit was met");
}

#[tokio::test]
async fn each_revision_is_spoken_and_any_process_answers() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    for revision in REVISIONS {
        let agent = Agent::open(&tenant.test, revision, json!({ "url": {} })).await;
        for agent in [agent.clone(), agent.at(&app.mcp_url)] {
            let listed = agent.ask("tools/list", json!({})).await;
            let names: Vec<&str> = listed["result"]["tools"]
                .as_array()
                .unwrap()
                .iter()
                .map(|tool| tool["name"].as_str().unwrap())
                .collect();
            assert!(
                names.contains(&"buscar_ncm_por_descricao") && names.contains(&"consultar_ncm"),
                "{revision}: {names:?}"
            );
            assert_eq!(agent.done("validar_ncm", json!({ "codigo": "0101.21.00" })).await["valido"], true);
            let unknown = agent.ask("tools/call", json!({ "name": "emitir_nfe", "arguments": {} })).await;
            assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
            assert!(unknown["error"]["message"].as_str().unwrap().contains("consultar_ncm"), "{unknown}");
        }
    }
    let told = Agent::open(&tenant.test, STATELESS, Value::Null).await.ask("server/discover", json!({})).await;
    assert!(told["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{told}");
    assert!(told["result"]["instructions"].as_str().unwrap().contains("preparar_nfe"), "{told}");
    app.finish().await;
}
