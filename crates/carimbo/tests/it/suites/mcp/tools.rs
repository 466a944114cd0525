//! Each tool: its result matches its schema and the route's answer, with one quota; an error names the field.

use serde_json::{Value, json};

use super::agent::{Agent, REVISIONS, STATELESS};
use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::quotas::consumed;

async fn agent(app: &TestApp) -> (crate::support::app::Tenant, Agent) {
    let tenant = app.issuer(NUMERIC).await;
    let agent = Agent::open(&tenant.test, STATELESS, Value::Null).await;
    (tenant, agent)
}

#[tokio::test]
async fn lookups_give_what_the_routes_give_and_use_the_same_quota() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    for revision in REVISIONS {
        let agent = Agent::open(&tenant.test, revision, Value::Null).await;
        assert_eq!(
            agent.done("consultar_ncm", json!({ "codigo": "01012100" })).await,
            tenant.test.get("/v1/ncm/01012100").await.ok(200)
        );
        assert_eq!(agent.done("validar_ncm", json!({ "codigo": 1_012_100 })).await["valido"], false, "seven digits");
    }
    assert_eq!(consumed(&tenant, "ncm").await, 9);
    let agent = Agent::open(&tenant.test, STATELESS, Value::Null).await;
    let found = agent.done("buscar_ncm_por_descricao", json!({ "descricao": "cavalo" })).await;
    assert!(found["ncms"].as_array().unwrap().len() <= 10 && found["limite"] == 10, "{found}");
    let wide = json!({ "descricao": "café", "apenas_codigos_finais": false, "limite": 2, "pagina": 2 });
    let second = agent.done("buscar_ncm_por_descricao", wide).await;
    assert_eq!((second["ncms"].as_array().unwrap().len(), &second["pagina"]), (2, &json!(2)), "{second}");
    assert!(second["total"].as_u64().unwrap() > 4, "{second}");
    agent.refused("consultar_ncm", json!({ "codigo": "99999999" }), "nao_encontrado").await;
    let address = agent.done("consultar_cep", json!({ "cep": "01001-000" })).await;
    assert_eq!((&address["ibge"], &address["parcial"]), (&json!("3550308"), &json!(true)), "{address}");
    // no source is configured in a test, and no answer is invented
    agent.refused("consultar_cnpj", json!({ "cnpj": "11.222.333/0001-81" }), "consulta_nao_configurada").await;
    agent.refused("consultar_cep", json!({ "cep": "1" }), "requisicao_invalida").await;
    agent.refused("buscar_cep", json!({ "logradouro": "a" }), "requisicao_invalida").await;
    agent.refused("consultar_cnpj", json!({ "cnpj": "11.222.333/0001-80" }), "validacao").await;
    app.finish().await;
}

#[tokio::test]
async fn what_is_wrong_names_the_field_and_the_right_name() {
    let app = TestApp::start().await;
    let (_tenant, agent) = agent(&app).await;
    let missing = agent.refused("validar_ncm", json!({}), "campo_obrigatorio").await;
    assert_eq!(missing["erros"][0]["campo"], "codigo");
    let unknown =
        agent.refused("validar_ncm", json!({ "codigo": "01012100", "codigoo": 1 }), "requisicao_invalida").await;
    assert_eq!(
        (&unknown["erros"][0]["campo"], &unknown["erros"][0]["sugestao"]),
        (&json!("codigoo"), &json!("codigo"))
    );
    agent.refused("validar_ncm", json!({ "codigo": { "a": 1 } }), "requisicao_invalida").await;
    agent.refused("listar_notas", json!({ "tipo": ["nfe"] }), "requisicao_invalida").await;
    let bad = agent.refused("listar_notas", json!({ "limite": 1000, "emitente": "123" }), "requisicao_invalida").await;
    assert_eq!(bad["erros"].as_array().unwrap().len(), 2, "{bad}");
    let check =
        agent.refused("verificar_campos_nfe", json!({ "cpf_cnpj": NUMERIC, "nota": 5 }), "requisicao_invalida").await;
    assert_eq!(check["erros"][0]["campo"], "nota", "{check}");
    app.finish().await;
}

#[tokio::test]
async fn what_the_account_has_is_read_as_the_routes_tell_it() {
    let app = TestApp::start().await;
    let (tenant, agent) = agent(&app).await;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("AGENTE1");
    let job = issued(&tenant.test, &body).await;
    let companies = agent.call("listar_empresas", json!({})).await;
    assert_eq!(companies["structuredContent"]["empresas"][0]["cpf_cnpj"], NUMERIC, "{companies}");
    assert!(companies["content"][0]["text"].as_str().unwrap().contains("dados de terceiros"), "{companies}");
    assert_eq!(agent.done("consultar_cotas", json!({})).await, tenant.test.get("/v1/cotas").await.ok(200));
    let listed = agent.done("listar_notas", json!({ "status": "autorizada", "emitente": NUMERIC })).await;
    assert_eq!(listed, tenant.test.get("/v1/notas?limite=10&status=autorizada").await.ok(200));
    let note = agent.done("consultar_nota", json!({ "chave": job["nota"]["chave"] })).await;
    assert_eq!(note["nota"]["chave"], job["nota"]["chave"], "{note}");
    assert_eq!(agent.done("consultar_nota", json!({ "job_id": job["job_id"] })).await["job"], job);
    assert_eq!(agent.done("localizar_job", json!({ "ref": "AGENTE1" })).await["jobs"][0]["job_id"], job["job_id"]);
    agent.refused("consultar_nota", json!({}), "campo_obrigatorio").await;
    let other = app.tenant().await;
    let stranger = Agent::open(&other.test, STATELESS, Value::Null).await;
    stranger.refused("consultar_nota", json!({ "job_id": job["job_id"] }), "nao_encontrado").await;
    stranger.refused("consultar_nota", json!({ "chave": job["nota"]["chave"] }), "nao_encontrado").await;
    app.finish().await;
}

#[tokio::test]
async fn fields_are_described_group_by_group_and_a_payload_is_checked() {
    let app = TestApp::start().await;
    let (tenant, agent) = agent(&app).await;
    let root = agent.done("descrever_campos", json!({})).await;
    let names: Vec<&str> =
        root["campos"].as_array().unwrap().iter().map(|field| field["nome"].as_str().unwrap()).collect();
    assert!(
        ["identificacao", "destinatario", "produtos", "pagamentos"].iter().all(|name| names.contains(name)),
        "{names:?}"
    );
    let product = agent.done("descrever_campos", json!({ "grupo": "nota.produtos[]" })).await;
    let value = product["campos"].as_array().unwrap().iter().find(|field| field["nome"] == "NCM").unwrap();
    assert!(value["esquema"]["type"].is_array() && value["grupo"] == false, "{value}");
    for (documento, grupo) in [("nfce", "pagamentos"), ("cte", "documentos"), ("cte-os", ""), ("nfse", "serv")] {
        let shown = agent.done("descrever_campos", json!({ "documento": documento, "grupo": grupo })).await;
        assert!(!shown["campos"].as_array().unwrap().is_empty(), "{documento} {grupo}");
    }
    agent.refused("descrever_campos", json!({ "grupo": "produtos.nada" }), "nao_encontrado").await;
    let mut body = body::emission(NUMERIC);
    let only = |body: &Value| json!({ "cpf_cnpj": body["cpf_cnpj"], "nota": body["nota"] });
    let good = agent.done("verificar_campos_nfe", only(&body)).await;
    assert_eq!(good, tenant.test.post("/v1/nfe/verificar-campos", &only(&body)).await.ok(200));
    assert_eq!(good["valido"], true, "{good}");
    body["nota"]["produtos"][0]["NCMM"] = json!("1");
    let bad = agent.done("verificar_campos_nfe", only(&body)).await;
    assert_eq!((&bad["valido"], &bad["campos_desconhecidos"][0]["sugestao"]), (&json!(false), &json!("NCM")), "{bad}");
    let mut other = only(&body::emission(NUMERIC));
    other["documento"] = json!("nfce");
    assert!(agent.done("verificar_campos", other).await["erros"].is_array());
    app.finish().await;
}

#[tokio::test]
async fn names_are_answered_by_meaning_and_each_problem_is_told_once() {
    let app = TestApp::start().await;
    let (_tenant, agent) = agent(&app).await;
    let guessed = json!({ "cpf_cnpj": NUMERIC, "referencia_externa": "A1", "nota": {
        "cliente": { "nome": "Maria" }, "pagamento": { "valor": 20 },
        "produtos": [{ "descrição": "Caderno", "quantidade": 2, "preco": 10, "valor_total": 20, "sku": "7" }] } });
    let told = agent.done("verificar_campos_nfe", guessed.clone()).await;
    let unknown = told["campos_desconhecidos"].as_array().unwrap();
    for (campo, right) in [
        ("nota.cliente", "destinatario"),
        ("nota.pagamento", "pagamentos"),
        ("nota.produtos[0].descrição", "xProd"),
        ("nota.produtos[0].quantidade", "nota.produtos[0].qCom"),
        ("nota.produtos[0].preco", "vUnCom"),
        ("nota.produtos[0].valor_total", "vProd"),
        ("nota.produtos[0].sku", "cProd"),
    ] {
        let found = unknown.iter().find(|one| one["campo"] == campo).unwrap_or_else(|| panic!("{campo}: {told}"));
        assert_eq!(found["sugestao"], right, "{found}");
    }
    let mut places: Vec<&str> = ["campos_ausentes", "erros"]
        .iter()
        .flat_map(|list| told[list].as_array().unwrap())
        .map(|one| one["campo"].as_str().unwrap())
        .collect();
    assert!(places.contains(&"nota.produtos[0].uCom") && !places.contains(&"nota.produtos[0].uTrib"), "{told}");
    let all = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), all, "{told}");
    let refused = agent.call("preparar_nfe", guessed).await;
    let words: Vec<&str> =
        refused["content"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    let problems = refused["_meta"]["erro"]["erros"].as_array().unwrap();
    assert!(problems.len() > 3 && words.len() == 1, "{refused}");
    for problem in problems {
        let line = format!("{}: {}", problem["campo"].as_str().unwrap(), problem["mensagem"].as_str().unwrap());
        assert_eq!(words[0].matches(&line).count(), 1, "{line}: {}", words[0]);
    }
    let argument = agent.refused("validar_ncm", json!({ "ncm": "01012100" }), "requisicao_invalida").await;
    assert_eq!(argument["erros"][0]["sugestao"], "codigo", "{argument}");
    app.finish().await;
}

#[tokio::test]
async fn a_rejection_is_explained_with_rule_source_field_and_remedy() {
    let app = TestApp::start().await;
    let (_tenant, agent) = agent(&app).await;
    let duplicate = agent.done("explicar_rejeicao", json!({ "codigo": "539" })).await;
    assert!(
        duplicate["motivo"].as_str().unwrap().contains("Duplicidade") && duplicate["o_que_fazer"].is_string(),
        "{duplicate}"
    );
    let total = agent.done("explicar_rejeicao", json!({ "codigo": "610", "documento": "nfe" })).await;
    assert!(total["regras"][0]["fonte"].is_string() && total["regras"][0]["campo"].is_string(), "{total}");
    for (documento, codigo) in [("cte", "459"), ("nfse", "E0004")] {
        let shown = agent.done("explicar_rejeicao", json!({ "codigo": codigo, "documento": documento })).await;
        assert!(shown["motivo"].is_string() || shown["regras"][0]["texto"].is_string(), "{shown}");
    }
    let municipal = agent.done("explicar_rejeicao", json!({ "codigo": "E16", "documento": "nfse" })).await;
    assert_eq!(municipal["o_que_fazer"], "Corrija datas, valores ou serviço.", "{municipal}");
    assert!(municipal["regras"][0]["texto"].as_str().unwrap().contains("posterior a hoje"), "{municipal}");
    agent.refused("explicar_rejeicao", json!({ "codigo": "99999" }), "nao_encontrado").await;
    agent.refused("explicar_rejeicao", json!({ "codigo": "E999", "documento": "nfse" }), "nao_encontrado").await;
    app.finish().await;
}

#[tokio::test]
async fn guides_errors_and_prompts_are_there() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    for revision in REVISIONS {
        let agent = Agent::open(&tenant.test, revision, Value::Null).await;
        let (mut seen, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
            let page = agent.ask("resources/list", params).await["result"].clone();
            seen.extend(
                page["resources"].as_array().unwrap().iter().map(|one| one["uri"].as_str().unwrap().to_owned()),
            );
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert!(seen.len() > 100 && seen.contains(&"carimbo://guias/emissao-assistida".to_owned()), "{}", seen.len());
        let page = agent.ask("resources/read", json!({ "uri": "carimbo://erros/teto_excedido" })).await;
        assert!(page["result"]["contents"][0]["text"].as_str().unwrap().starts_with("# `teto_excedido`"), "{page}");
        let absent = agent.ask("resources/read", json!({ "uri": "file:///etc/passwd" })).await;
        let code = if revision == STATELESS { -32602 } else { -32002 };
        assert_eq!(absent["error"]["code"], code, "{absent}");
        let prompts = agent.ask("prompts/list", json!({})).await;
        assert_eq!(prompts["result"]["prompts"].as_array().unwrap().len(), 2, "{prompts}");
        let asked = json!({ "name": "entender_rejeicao", "arguments": { "codigo": "539" } });
        let prompt = agent.ask("prompts/get", asked).await;
        assert!(prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("539"), "{prompt}");
        let without = agent.ask("prompts/get", json!({ "name": "emitir_nota_passo_a_passo" })).await;
        assert_eq!(without["error"]["code"], -32602, "{without}");
    }
    app.finish().await;
}
