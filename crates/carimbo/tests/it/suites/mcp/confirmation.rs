//! Emission over MCP: only a recorded decision of a person issues, whatever the client sends.

use std::time::Duration;

use serde_json::{Value, json};
use store::Visibility;
use store::accounts::Permissao;
use store::audit::Actor;
use store::confirmations::{Decisao, DecisionResult, NewDecision};
use uuid::Uuid;

use super::agent::{Agent, REVISIONS, STATELESS};
use crate::support::app::{Tenant, TestApp};
use crate::support::body::{self, NUMERIC};
use crate::support::users::user;

/// Records a person's decision on the page.
async fn decided(app: &TestApp, tenant: &Tenant, prepared: &Value, decisao: Decisao) {
    let id: Uuid = prepared["id_confirmacao"].as_str().unwrap().parse().unwrap();
    let por = user(app, tenant).await.id;
    let motivo = (decisao == Decisao::Recusada).then(|| "valor errado".to_owned());
    let now = jiff::Timestamp::now().as_second();
    let new = NewDecision { decisao, por, motivo };
    let written = app.store.decide(Visibility::whole(tenant.id), id, new, &Actor::operator(), now).await.unwrap();
    assert_eq!(written, DecisionResult::Recorded);
}

fn note() -> Value {
    let body = body::emission(NUMERIC);
    json!({ "cpf_cnpj": body["cpf_cnpj"], "nota": body["nota"] })
}

pub(super) fn token(prepared: &Value) -> Value {
    json!({ "token_confirmacao": prepared["token_confirmacao"] })
}

pub(super) async fn finished(agent: &Agent, confirmed: &Value) -> Value {
    for _ in 0..600 {
        let job = agent.done("consultar_nota", json!({ "job_id": confirmed["job_id"] })).await["job"].clone();
        if job["status"] == "completed" {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{confirmed} did not end");
}

async fn nothing_was_issued(tenant: &Tenant) {
    assert_eq!(tenant.test.get("/v1/notas").await.ok(200)["total"], 0);
}

#[tokio::test]
async fn by_each_revision_a_note_goes_out_after_a_persons_yes_and_once() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let assisted = app.limited(&tenant, Permissao::Assistida).await;
    for (client, revision) in
        [&tenant.test, &assisted].into_iter().flat_map(|client| REVISIONS.map(|revision| (client, revision)))
    {
        let agent = Agent::open(client, revision, Value::Null).await;
        let prepared = agent.done("preparar_nfe", note()).await;
        let page = prepared["url_confirmacao"].as_str().unwrap().to_owned();
        assert!(page.starts_with(&tenant.test.base_url) && page.contains("/painel/confirmar/"), "{page}");
        let waits = agent.done("confirmar_nfe", token(&prepared)).await;
        assert_eq!((&waits["situacao"], &waits["url_confirmacao"]), (&json!("aguardando_confirmacao"), &json!(page)));
        let asked = json!({ "id_confirmacao": prepared["id_confirmacao"] });
        assert_eq!(agent.done("consultar_confirmacao", asked.clone()).await["situacao"], "preparada");
        decided(&app, &tenant, &prepared, Decisao::Aprovada).await;
        // the other listener answers as well: there is no state between two messages
        let elsewhere = agent.at(&app.mcp_url);
        assert_eq!(elsewhere.done("consultar_confirmacao", asked.clone()).await["situacao"], "aprovada");
        let confirmed = elsewhere.done("confirmar_nfe", token(&prepared)).await;
        assert_eq!(confirmed["situacao"], "emitindo", "{confirmed}");
        assert_eq!(finished(&agent, &confirmed).await["nota"]["status"], "autorizada");
        let again = agent.refused("confirmar_nfe", token(&prepared), "confirmacao_usada").await;
        assert_eq!(again["job_id"], confirmed["job_id"]);
        assert_eq!(agent.done("consultar_confirmacao", asked).await["job_id"], confirmed["job_id"]);
    }
    assert_eq!(tenant.test.get("/v1/notas").await.ok(200)["total"], 6);
    app.finish().await;
}

#[tokio::test]
async fn a_no_a_late_word_another_account_and_the_ceiling_issue_nothing() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let agent = Agent::open(&tenant.test, STATELESS, json!({ "url": {} })).await;
    let refused = agent.done("preparar_nfe", note()).await;
    decided(&app, &tenant, &refused, Decisao::Recusada).await;
    let told = agent.refused("confirmar_nfe", token(&refused), "confirmacao_recusada").await;
    assert_eq!((&told["motivo"], &told["url_confirmacao"]), (&json!("valor errado"), &refused["url_confirmacao"]));
    let asked = json!({ "id_confirmacao": refused["id_confirmacao"] });
    assert_eq!(agent.done("consultar_confirmacao", asked.clone()).await["motivo"], "valor errado");
    let other = app.issuer("12ABC34501DE35").await;
    let stranger = Agent::open(&other.test, STATELESS, Value::Null).await;
    stranger.refused("consultar_confirmacao", asked, "nao_encontrado").await;
    let approved = agent.done("preparar_nfe", note()).await;
    decided(&app, &tenant, &approved, Decisao::Aprovada).await;
    stranger.refused("confirmar_nfe", token(&approved), "nao_encontrado").await;
    app.store.set_ceiling(tenant.id, Some(5_000), &Actor::operator(), 1).await.unwrap();
    agent.refused("confirmar_nfe", token(&approved), "teto_excedido").await;
    app.store.set_ceiling(tenant.id, None, &Actor::operator(), 1).await.unwrap();
    app.clock.forward(601);
    agent.refused("confirmar_nfe", token(&approved), "confirmacao_expirada").await;
    agent.refused("confirmar_nfe", json!({ "token_confirmacao": "crb_conf_x" }), "nao_encontrado").await;
    agent.refused("confirmar_nfe", json!({}), "campo_obrigatorio").await;
    let reader = Agent::open(&app.limited(&tenant, Permissao::Leitura).await, STATELESS, Value::Null).await;
    reader.refused("preparar_nfe", note(), "permissao_insuficiente").await;
    assert_eq!(reader.done("validar_ncm", json!({ "codigo": "01012100" })).await["valido"], true);
    nothing_was_issued(&tenant).await;
    app.finish().await;
}

#[tokio::test]
async fn each_client_is_asked_by_the_best_way_it_has() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let call = |prepared: &Value| json!({ "name": "confirmar_nfe", "arguments": token(prepared) });
    // 2025-11-25 with addresses: the error that names one
    let agent = Agent::open(&tenant.test, "2025-11-25", json!({ "url": {} })).await;
    let prepared = agent.done("preparar_nfe", note()).await;
    for door in [agent.clone(), agent.at(&app.mcp_url)] {
        let asked = door.ask("tools/call", call(&prepared)).await;
        assert_eq!(asked["error"]["code"], -32042, "{asked}");
        let elicitation = &asked["error"]["data"]["elicitations"][0];
        assert_eq!(
            (&elicitation["mode"], &elicitation["url"]),
            (&json!("url"), &prepared["url_confirmacao"]),
            "{asked}"
        );
        assert!(!elicitation["url"].as_str().unwrap().contains("crb_conf_"), "the address carries no secret");
    }
    // 2026-07-28 with addresses: an input that is required; that it was opened proves nothing
    let agent = Agent::open(&tenant.test, STATELESS, json!({ "url": {} })).await;
    let asked = agent.at(&app.mcp_url).ask("tools/call", call(&prepared)).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let (name, request) = asked["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(
        (&request["method"], &request["params"]["mode"]),
        (&json!("elicitation/create"), &json!("url")),
        "{asked}"
    );
    let answered = |answer: Value, state: Value| {
        let mut params = call(&prepared);
        params["requestState"] = state;
        params["inputResponses"] = json!({ name: answer });
        params
    };
    for answer in [
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": {} }),
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
    ] {
        for state in [asked["requestState"].clone(), json!("outro"), json!(Uuid::new_v4())] {
            let told = agent.ask("tools/call", answered(answer.clone(), state)).await;
            assert_eq!(told["result"]["structuredContent"]["situacao"], "aguardando_confirmacao", "{told}");
        }
    }
    nothing_was_issued(&tenant).await;
    decided(&app, &tenant, &prepared, Decisao::Aprovada).await;
    let told = agent.ask("tools/call", answered(json!({ "action": "accept" }), asked["requestState"].clone())).await;
    finished(&agent, &told["result"]["structuredContent"]).await;
    app.finish().await;
}

#[tokio::test]
async fn a_form_counts_where_the_engine_says_so_and_never_for_an_assisted_key() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let yes = json!({ "confirmacao": { "action": "accept", "content": { "confirmo": true } } });
    let assisted = app.limited(&tenant, Permissao::Assistida).await;
    let agent = Agent::open(&assisted, STATELESS, json!({ "form": {} })).await;
    let prepared = agent.done("preparar_nfe", note()).await;
    let params =
        json!({ "name": "confirmar_nfe", "arguments": token(&prepared), "inputResponses": yes, "requestState": "x" });
    let told = agent.ask("tools/call", params.clone()).await;
    assert_eq!(told["result"]["structuredContent"]["situacao"], "aguardando_confirmacao", "{told}");
    // nor by another key of the account
    let agent = Agent::open(&tenant.test, STATELESS, json!({ "form": {} })).await;
    let told = agent.ask("tools/call", params).await;
    assert_eq!(told["result"]["structuredContent"]["situacao"], "aguardando_confirmacao", "{told}");
    nothing_was_issued(&tenant).await;
    let prepared = agent.done("preparar_nfe", note()).await;
    let asked =
        agent.ask("tools/call", json!({ "name": "confirmar_nfe", "arguments": token(&prepared) })).await["result"]
            .clone();
    assert_eq!(asked["inputRequests"]["confirmacao"]["params"]["mode"], "form", "{asked}");
    let answer = |content: Value| {
        json!({ "name": "confirmar_nfe", "arguments": token(&prepared), "requestState": asked["requestState"],
                "inputResponses": { "confirmacao": content } })
    };
    for no in [
        json!({ "action": "decline" }),
        json!({ "action": "accept", "content": { "confirmo": false } }),
        json!({ "action": "accept", "content": { "confirmo": "true" } }),
    ] {
        let told = agent.ask("tools/call", answer(no)).await;
        assert_eq!(told["result"]["structuredContent"]["situacao"], "aguardando_confirmacao", "{told}");
    }
    nothing_was_issued(&tenant).await;
    let told = agent.ask("tools/call", answer(yes["confirmacao"].clone())).await;
    finished(&agent, &told["result"]["structuredContent"]).await;
    app.finish().await;
}

#[tokio::test]
async fn the_trail_tells_a_persons_word_from_a_forms_and_nothing_of_what_only_reads() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let agent = Agent::open(&tenant.test, STATELESS, json!({ "form": {} })).await;
    let trail = async || app.store.audit_trail(tenant.id, store::audit::AuditFilter::default(), 100, 0).await.unwrap();
    let before = trail().await.1;
    for tool in ["listar_empresas", "consultar_cotas", "listar_notas", "validar_ncm", "explicar_rejeicao"] {
        agent.call(tool, arguments(tool, &Value::Null)).await;
    }
    let [no, yes, form] = [
        agent.done("preparar_nfe", note()).await,
        agent.done("preparar_nfe", note()).await,
        agent.done("preparar_nfe", note()).await,
    ];
    assert_eq!(trail().await.1, before, "what reads and what prepares is no act of the administration");
    decided(&app, &tenant, &no, Decisao::Recusada).await;
    decided(&app, &tenant, &yes, Decisao::Aprovada).await;
    agent.refused("confirmar_nfe", token(&no), "confirmacao_recusada").await;
    let filled = |prepared: &Value| {
        json!({ "name": "confirmar_nfe", "arguments": token(prepared),
                "inputResponses": { "confirmacao": { "action": "accept", "content": { "confirmo": true } } } })
    };
    // the decision of the page is final: a form in addition changes nothing
    for prepared in [&yes, &form] {
        let told = agent.ask("tools/call", filled(prepared)).await;
        finished(&agent, &told["result"]["structuredContent"]).await;
    }
    let (acts, total) = trail().await;
    let of = |prepared: &Value| {
        let id = prepared["id_confirmacao"].as_str().unwrap();
        acts.iter().filter(|act| act.alvo == id).map(|act| act.ato.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(&no), ["emissao_recusada"]);
    assert_eq!(of(&yes), ["emissao_aprovada"]);
    assert_eq!(of(&form), ["emissao_por_formulario"]);
    // and the person who decided was added to the account
    let users = acts.iter().filter(|act| act.ato == "usuario_criado").count() as u64;
    assert_eq!(total, before + users + 3, "{acts:?}");
    let by_form = acts.iter().find(|act| act.ato == "emissao_por_formulario").unwrap();
    assert_eq!((by_form.ator.as_str(), by_form.ator_id), ("chave_api", Some(tenant.test_key_id)), "{by_form:?}");
    assert!(
        by_form.endereco.is_some() && by_form.requisicao_id.is_some() && by_form.detalhes["valor_centavos"].is_i64()
    );
    let session = crate::support::users::session(&app, &tenant).await;
    let told = session.get("/v1/auth/auditoria?ato=emissao_por_formulario").await.ok(200);
    assert_eq!((&told["total"], &told["auditoria"][0]["alvo"]), (&json!(1), &form["id_confirmacao"]), "{told}");
    app.finish().await;
}

/// Returns the arguments of a tool, from earlier results.
fn arguments(tool: &str, seen: &Value) -> Value {
    match tool {
        "preparar_nfe" | "verificar_campos_nfe" => note(),
        "preparar_inutilizacao" => json!({ "documento": "nfe", "cpf_cnpj": NUMERIC, "numero_inicial": 500,
            "justificativa": "Números que não serão usados" }),
        "confirmar_nfe" | "confirmar" => token(seen),
        "consultar_confirmacao" => json!({ "id_confirmacao": seen["id_confirmacao"] }),
        "consultar_nota" | "localizar_job" => json!({ "job_id": seen["id_confirmacao"] }),
        "consultar_ncm" | "validar_ncm" => json!({ "codigo": "01012100" }),
        "explicar_rejeicao" => json!({ "codigo": "539" }),
        _ => json!({}),
    }
}

/// By two keys and three revisions.
async fn six_agents(clients: [&crate::support::client::Client; 2]) -> Vec<Agent> {
    let mut agents = Vec::new();
    for client in clients {
        for revision in REVISIONS {
            let asked_by = if revision == STATELESS { json!({ "url": {} }) } else { Value::Null };
            agents.push(Agent::open(client, revision, asked_by).await);
        }
    }
    agents
}

/// Calls every tool in random order, with earlier results as arguments: 10,000 calls, and no document.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_alone_cannot_issue() {
    const STEPS: u64 = 10_000;
    let app = TestApp::start_with(|parts| {
        parts.limits = server::ServiceLimits { requests: 0, ..server::ServiceLimits::default() }
    })
    .await;
    let tenant = app.issuer(NUMERIC).await;
    let assisted = app.limited(&tenant, Permissao::Assistida).await;
    let agents = six_agents([&assisted, &tenant.test]).await;
    let (mut prepared, mut chance) = (Vec::<Value>::new(), 0x2545_f491_4f6c_dd1d_u64);
    let tools: Vec<String> = app.anonymous().get("/mcp").await.ok(200)["ferramentas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    let mut draw = |below: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        usize::try_from(chance % below as u64).unwrap()
    };
    for step in 0..STEPS {
        let agent = &agents[draw(agents.len())];
        let tool = match &tools[draw(tools.len())] {
            // each keeps a whole note: enough of them, and confirmed the more often
            name if name.starts_with("preparar") && step % 20 != 0 => "confirmar",
            name => name,
        };
        let seen = if prepared.is_empty() { Value::Null } else { prepared[draw(prepared.len())].clone() };
        let arguments = arguments(tool, &seen);
        let mut params = json!({ "name": tool, "arguments": arguments });
        if draw(2) == 0 {
            params["inputResponses"] = json!({ "confirmacao": { "action": "accept", "content": {} } });
            params["requestState"] = seen["id_confirmacao"].clone();
            if params["requestState"].is_null() {
                params["requestState"] = json!("x");
            }
        }
        let told = agent.ask("tools/call", params).await;
        if ["preparar_nfe", "preparar_inutilizacao"].contains(&tool) && prepared.len() < 50 {
            prepared.push(told["result"]["structuredContent"].clone());
        }
        assert!(told["result"]["structuredContent"].get("job_id").is_none_or(Value::is_null), "{step} {tool}: {told}");
    }
    assert!(prepared.len() > 10, "{}", prepared.len());
    nothing_was_issued(&tenant).await;
    assert_eq!(
        tenant.test.get("/v1/cotas").await.ok(200)["cotas"]
            .as_array()
            .unwrap()
            .iter()
            .find(|cota| cota["nome"] == "nfe")
            .unwrap()["consumo"],
        0
    );
    app.finish().await;
}
