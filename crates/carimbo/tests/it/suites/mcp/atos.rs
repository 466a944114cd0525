//! Documents besides the NF-e, cancellations, corrections and voided numbers by confirmation: nothing happens before a
//! person approves on the page, and then exactly what the page showed, once.

use serde_json::{Value, json};
use store::accounts::Permissao;

use super::agent::{Agent, STATELESS};
use super::confirmation::{finished, token};
use crate::support::app::{Tenant, TestApp, issued as issued_nfe};
use crate::support::body::{self, NUMERIC};
use crate::support::browser::Browser;
use crate::support::{municipal_services, retail, services, transports};

/// An agent with an `assistida` key at the MCP listener, and a person at the panel.
struct Gate {
    agent: Agent,
    person: Browser,
}

impl Gate {
    async fn of(app: &TestApp, tenant: &Tenant) -> Gate {
        let key = app.limited(tenant, Permissao::Assistida).await;
        let agent = Agent::open(&key, STATELESS, Value::Null).await.at(&app.mcp_url);
        let (person, _) = Browser::of(app, tenant, "homologacao").await;
        Gate { agent, person }
    }

    /// Prepares, is refused before the approval, shows the page, is approved, confirms; returns the ended job.
    async fn passed(&mut self, tool: &str, arguments: Value, shows: &[&str]) -> Value {
        let prepared = self.agent.done(tool, arguments).await;
        assert_eq!((&prepared["confirmar"], &prepared["sucesso"]), (&json!("confirmar"), &json!(true)), "{prepared}");
        let waits = self.agent.done("confirmar", token(&prepared)).await;
        assert_eq!(waits["situacao"], "aguardando_confirmacao", "{tool}: {waits}");
        self.agent.refused("confirmar_nfe", token(&prepared), "requisicao_invalida").await;
        let url = prepared["url_confirmacao"].as_str().unwrap();
        let path = url.strip_prefix(&self.person.client.base_url).unwrap_or_else(|| panic!("{url} leads elsewhere"));
        let page = self.person.get(path).await.text();
        for shown in shows {
            assert!(page.contains(shown), "{tool}: {shown}: {page}");
        }
        assert!(self.person.get("/painel/confirmacoes").await.text().contains(path), "{tool} is not in the list");
        let decided = self.person.decide(path, "aprovar", "").await;
        assert_eq!(decided.status.as_u16(), 303, "{tool}: {}", decided.text());
        let confirmed = self.agent.done("confirmar", token(&prepared)).await;
        let job = finished(&self.agent, &confirmed).await;
        let again = self.agent.refused("confirmar", token(&prepared), "confirmacao_usada").await;
        assert_eq!(again["job_id"], confirmed["job_id"], "{again}");
        let page = self.person.get(path).await;
        assert!(page.text().contains(job["job_id"].as_str().unwrap()), "{tool}: {}", page.text());
        job
    }
}

fn of(documento: &str, body: &Value) -> Value {
    json!({ "documento": documento, "cpf_cnpj": body["cpf_cnpj"], "nota": body["nota"] })
}

fn on(documento: &str, job: &Value, more: Value) -> Value {
    let mut arguments = json!({ "documento": documento, "cpf_cnpj": NUMERIC, "job_id": job["job_id"] });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

const WHY: &str = "Pedido repetido por engano do cliente";

#[tokio::test]
async fn an_nfe_is_cancelled_corrected_and_numbers_are_voided_by_a_persons_yes() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let mut gate = Gate::of(&app, &tenant).await;
    let note = issued_nfe(&tenant.test, &body::emission(NUMERIC)).await;
    let chave = note["nota"]["chave"].as_str().unwrap().to_owned();
    let text = "O endereço de entrega é Rua das Flores, 20, fundos";
    let shows = ["Registrar esta correção de NF-e?", text, &chave];
    let corrected = gate.passed("preparar_correcao", on("nfe", &note, json!({ "correcao": text })), &shows).await;
    assert_eq!((&corrected["operacao"], &corrected["status"]), (&json!("carta_correcao"), &json!("completed")));
    let shows = ["Cancelar esta NF-e?", WHY, &chave, "R$ 100,00"];
    let arguments = on("nfe", &note, json!({ "justificativa": WHY }));
    let cancelled = gate.passed("preparar_cancelamento", arguments.clone(), &shows).await;
    assert_eq!((&cancelled["operacao"], &cancelled["nota"]["status"]), (&json!("cancelamento"), &json!("cancelada")));
    // an impossible act is refused at preparation, before a person is asked
    gate.agent.refused("preparar_cancelamento", arguments, "estado_invalido").await;
    let numbers = json!({ "documento": "nfe", "cpf_cnpj": NUMERIC, "serie": 7, "numero_inicial": 10, "numero_final": 12, "justificativa": WHY });
    let voided =
        gate.passed("preparar_inutilizacao", numbers, &["Inutilizar estes números de NF-e?", "de 10 a 12", WHY]).await;
    assert_eq!((&voided["operacao"], &voided["nota"]["status"]), (&json!("inutilizacao"), &json!("inutilizada")));
    let trail = app.store.audit_trail(tenant.id, store::audit::AuditFilter::default(), 100, 0).await.unwrap().0;
    let acts: Vec<_> =
        trail.iter().filter(|act| act.ato == "ato_aprovado").map(|act| &act.detalhes["operacao"]).collect();
    assert_eq!(acts, ["inutilizacao", "cancelamento", "carta_correcao"], "{trail:?}");
    app.finish().await;
}

#[tokio::test]
async fn an_nfce_is_issued_and_cancelled_by_a_persons_yes() {
    let app = TestApp::start().await;
    let tenant = retail::seller(&app).await;
    let mut gate = Gate::of(&app, &tenant).await;
    let sale = of("nfce", &body::counter_sale(NUMERIC));
    assert_eq!(gate.agent.done("verificar_campos", sale.clone()).await["valido"], true);
    let job = gate.passed("preparar", sale, &["Emitir esta NFC-e?", "Papelaria de Teste Ltda"]).await;
    assert_eq!((&job["tipo"], &job["nota"]["status"]), (&json!("nfce"), &json!("autorizada")), "{job}");
    let arguments = on("nfce", &job, json!({ "justificativa": WHY }));
    let cancelled = gate.passed("preparar_cancelamento", arguments, &["Cancelar esta NFC-e?"]).await;
    assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled}");
    app.finish().await;
}

#[tokio::test]
async fn both_models_of_transport_are_issued_corrected_and_cancelled_by_a_persons_yes() {
    let app = TestApp::start().await;
    let tenant = transports::carrier(&app).await;
    let mut gate = Gate::of(&app, &tenant).await;
    for (body, modelo) in [(transports::cargo(), 57), (transports::passengers(), 67)] {
        let job = gate.passed("preparar", of("cte", &body), &["Emitir este CT-e?", "Transporte de "]).await;
        assert_eq!((&job["nota"]["modelo"], &job["nota"]["status"]), (&json!(modelo), &json!("autorizada")), "{job}");
        let correcoes =
            json!({ "correcoes": [{ "grupo": "compl", "campo": "xObs", "valor": "Entregar na portaria" }] });
        let corrected =
            gate.passed("preparar_correcao", on("cte", &job, correcoes), &["compl.xObs", "Entregar na portaria"]).await;
        assert_eq!(corrected["status"], "completed", "{corrected}");
    }
    let cargo = gate.passed("preparar", of("cte", &transports::cargo()), &["Emitir este CT-e?"]).await;
    let arguments = on("cte", &cargo, json!({ "justificativa": WHY }));
    let cancelled = gate.passed("preparar_cancelamento", arguments, &["Cancelar este CT-e?"]).await;
    assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled}");
    app.finish().await;
}

#[tokio::test]
async fn services_are_issued_and_cancelled_by_a_persons_yes_at_the_sefin_and_at_a_city_hall() {
    let app = TestApp::start().await;
    let national = services::provider(&app).await;
    let mut gate = Gate::of(&app, &national).await;
    let body = services::another("A1");
    let job = gate.passed("preparar", of("nfse", &body), &["Emitir esta NFS-e?", "R$ 1.500,00"]).await;
    assert_eq!((&job["tipo"], &job["nota"]["status"]), (&json!("nfse"), &json!("autorizada")), "{job}");
    let arguments = on("nfse", &job, json!({ "justificativa": WHY, "codigo_motivo": "1" }));
    let cancelled = gate.passed("preparar_cancelamento", arguments, &["Cancelar esta NFS-e?", WHY]).await;
    assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled}");
    let municipal = municipal_services::provider(&app).await;
    let mut gate = Gate::of(&app, &municipal).await;
    let body = municipal_services::service("A2");
    let job = gate.passed("preparar", of("nfse", &body), &["Emitir esta NFS-e?", "R$ 1.500,00"]).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    app.finish().await;
}

#[tokio::test]
async fn a_no_another_account_a_repeated_reference_and_a_late_word_do_nothing() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let mut gate = Gate::of(&app, &tenant).await;
    let note = issued_nfe(&tenant.test, &body::emission(NUMERIC)).await;
    let arguments = on("nfe", &note, json!({ "justificativa": WHY }));
    let prepared = gate.agent.done("preparar_cancelamento", arguments.clone()).await;
    let path =
        prepared["url_confirmacao"].as_str().unwrap().strip_prefix(&gate.person.client.base_url).unwrap().to_owned();
    // no route and no key confirms an act by itself
    let body = json!({ "token_confirmacao": prepared["token_confirmacao"] });
    tenant.test.post("/v1/nfe/confirmar", &body).await.refused(400, "requisicao_invalida");
    let complete = Agent::open(&tenant.test, STATELESS, Value::Null).await;
    assert_eq!(complete.done("confirmar", token(&prepared)).await["situacao"], "aguardando_confirmacao");
    let other = app.issuer("12ABC34501DE35").await;
    let stranger = Agent::open(&other.test, STATELESS, Value::Null).await;
    stranger.refused("confirmar", token(&prepared), "nao_encontrado").await;
    stranger.refused("preparar_cancelamento", arguments.clone(), "nao_encontrado").await;
    assert_eq!(gate.person.decide(&path, "recusar", "não era esta").await.status.as_u16(), 303);
    let told = gate.agent.refused("confirmar", token(&prepared), "confirmacao_recusada").await;
    assert_eq!(told["motivo"], "não era esta");
    let reader = Agent::open(&app.limited(&tenant, Permissao::Leitura).await, STATELESS, Value::Null).await;
    reader.refused("preparar_cancelamento", arguments.clone(), "permissao_insuficiente").await;
    // cancelled meanwhile by another caller: the approval is void
    let prepared = gate.agent.done("preparar_cancelamento", arguments.clone()).await;
    let path =
        prepared["url_confirmacao"].as_str().unwrap().strip_prefix(&gate.person.client.base_url).unwrap().to_owned();
    assert_eq!(gate.person.decide(&path, "aprovar", "").await.status.as_u16(), 303);
    let body =
        json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": WHY, "referencia_externa": "C1" });
    let accepted = tenant.test.post("/v1/nfe/cancelar", &body).await.ok(202);
    crate::support::app::ended(&tenant.test, &accepted).await;
    gate.agent.refused("confirmar", token(&prepared), "estado_invalido").await;
    let mut repeated = arguments;
    repeated["referencia_externa"] = json!("C1");
    let told = gate.agent.refused("preparar_cancelamento", repeated, "estado_invalido").await;
    assert_eq!(told["job_id"], accepted["job_id"], "{told}");
    let void = json!({ "documento": "nfe", "cpf_cnpj": NUMERIC, "numero_inicial": 900, "justificativa": WHY });
    let late = gate.agent.done("preparar_inutilizacao", void).await;
    app.clock.forward(601);
    gate.agent.refused("confirmar", token(&late), "confirmacao_expirada").await;
    app.finish().await;
}
