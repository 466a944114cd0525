//! `POST /v1/nfe/preparar` and `POST /v1/nfe/confirmar`: two steps, one token, one job.

use serde_json::{Value, json};
use server::{AccountLimits, ServiceLimits};
use store::audit::Actor;
use store::quotas::Familia;

use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{self, NUMERIC, number};
use crate::support::client::{Answer, Client};
use crate::support::installation::Installation;

const PREPARE: &str = "/v1/nfe/preparar";
const CONFIRM: &str = "/v1/nfe/confirmar";

async fn prepared(client: &Client, body: &Value) -> Value {
    client.post(PREPARE, body).await.ok(200)
}

async fn confirm(client: &Client, prepared: &Value) -> Answer {
    client.post(CONFIRM, &json!({ "token_confirmacao": prepared["token_confirmacao"] })).await
}

async fn consumed(tenant: &Tenant) -> Value {
    let shown = tenant.test.get("/v1/cotas").await.ok(200);
    shown["cotas"].as_array().unwrap().iter().find(|cota| cota["nome"] == "nfe").unwrap()["consumo"].clone()
}

#[tokio::test]
async fn what_was_prepared_is_shown_and_issued_when_confirmed() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("ASSISTIDA1");
    body["nota"]["produtos"][0]["xProdd"] = json!("sobra");
    let shown = prepared(client, &body).await;
    assert_eq!((&shown["sucesso"], &shown["requer_confirmacao_humana"]), (&true.into(), &true.into()));
    assert_eq!(shown["confirmar"], CONFIRM);
    let resumo = &shown["resumo"];
    assert_eq!(resumo["emitente"], json!({ "cpf_cnpj": NUMERIC, "nome": "Papelaria de Teste Ltda" }));
    assert_eq!(resumo["destinatario"], json!({ "cpf_cnpj": "52998224725", "nome": "Maria da Silva" }));
    assert_eq!((&resumo["valor_total"], &resumo["quantidade_itens"]), (&number("100.00"), &1.into()));
    assert_eq!((&resumo["ambiente"], &resumo["natureza"]), (&"homologacao".into(), &"Venda de mercadoria".into()));
    assert_eq!(
        (&resumo["itens"][0]["descricao"], &resumo["itens"][0]["valor_total"]),
        (&"Caderno 96 folhas".into(), &number("100.00"))
    );
    assert_eq!(
        shown["teto"],
        json!({ "valor_maximo": null, "valor_contado": number("100.00"), "dentro_do_teto": true })
    );
    assert!(shown["avisos"].to_string().contains("nota.produtos[0].xProdd"), "{shown}");
    let ends: jiff::Timestamp = shown["expira_em"].as_str().unwrap().parse().unwrap();
    let lasts = ends.as_second() - jiff::Timestamp::now().as_second();
    assert!((1..=600).contains(&lasts), "{lasts}");
    // nothing happened yet
    client.get("/v1/jobs/localizar?ref=ASSISTIDA1").await.refused(404, "nao_encontrado");
    assert_eq!(consumed(&tenant).await, 0);
    let accepted = confirm(client, &shown).await.ok(202);
    assert_eq!((&accepted["status"], &accepted["referencia_externa"]), (&"pending".into(), &"ASSISTIDA1".into()));
    assert!(accepted["avisos"].to_string().contains("nota.produtos[0].xProdd"), "{accepted}");
    let job = ended(client, &accepted).await;
    assert_eq!(
        (&job["nota"]["status"], &job["nota"]["valor_total"]),
        (&"autorizada".into(), &number("100.00")),
        "{job}"
    );
    assert_eq!(consumed(&tenant).await, 1);
    let again = confirm(client, &shown).await.refused(409, "confirmacao_usada");
    assert_eq!((&again["job_id"], &again["consulta"]), (&accepted["job_id"], &accepted["consulta"]));
    assert_eq!(consumed(&tenant).await, 1);
    app.finish().await;
}

#[tokio::test]
async fn of_many_confirmations_at_once_exactly_one_issues() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let shown = prepared(&tenant.test, &body::emission(NUMERIC)).await;
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let (client, shown) = (tenant.test.clone(), shown.clone());
            tokio::spawn(async move { confirm(&client, &shown).await })
        })
        .collect();
    let mut jobs = Vec::new();
    for call in calls {
        let answer = call.await.unwrap();
        let expected = if answer.status == 202 { answer.ok(202) } else { answer.refused(409, "confirmacao_usada") };
        jobs.push(expected);
    }
    let accepted: Vec<&Value> = jobs.iter().filter(|answer| answer["status"] == "pending").collect();
    assert_eq!(accepted.len(), 1, "{jobs:#?}");
    assert!(jobs.iter().all(|answer| answer["job_id"] == accepted[0]["job_id"]), "{jobs:#?}");
    ended(&tenant.test, accepted[0]).await;
    assert_eq!(consumed(&tenant).await, 1);
    assert_eq!(tenant.test.get("/v1/notas").await.ok(200)["total"], 1);
    app.finish().await;
}

#[tokio::test]
async fn a_token_lasts_ten_minutes_and_is_remembered_for_a_day() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let shown = prepared(client, &body::emission(NUMERIC)).await;
    app.clock.forward(601);
    confirm(client, &shown).await.refused(410, "confirmacao_expirada");
    assert_eq!(consumed(&tenant).await, 0);
    app.clock.forward(86_400);
    // a preparation deletes those that ended a day ago
    let other = prepared(client, &body::emission(NUMERIC)).await;
    confirm(client, &shown).await.refused(404, "nao_encontrado");
    assert_ne!(shown["token_confirmacao"], other["token_confirmacao"]);
    app.finish().await;
}

#[tokio::test]
async fn a_token_is_of_its_account_and_environment() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let shown = prepared(&tenant.test, &body::emission(NUMERIC)).await;
    confirm(&tenant.live, &shown).await.refused(403, "ambiente_incorreto");
    let stranger = app.tenant().await;
    let of_another = confirm(&stranger.test, &shown).await.refused(404, "nao_encontrado");
    let of_nobody = stranger.test.post(CONFIRM, &json!({ "token_confirmacao": "crb_conf_0" })).await;
    assert_eq!(of_another["detail"], of_nobody.refused(404, "nao_encontrado")["detail"]);
    tenant.test.post(CONFIRM, &json!({})).await.refused(400, "campo_obrigatorio");
    tenant.test.post(CONFIRM, &json!({ "token_confirmacao": 7 })).await.refused(400, "requisicao_invalida");
    app.anonymous().post(CONFIRM, &json!({ "token_confirmacao": "x" })).await.refused(401, "nao_autenticado");
    // none of it used the token up
    let accepted = confirm(&tenant.test, &shown).await.ok(202);
    ended(&tenant.test, &accepted).await;
    app.finish().await;
}

#[tokio::test]
async fn a_document_that_would_go_elsewhere_by_now_is_not_issued() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let shown = prepared(&tenant.live, &body::emission(NUMERIC)).await;
    assert_eq!(shown["resumo"]["ambiente"], "homologacao");
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    confirm(&tenant.live, &shown).await.refused(409, "estado_invalido");
    app.finish().await;
}

#[tokio::test]
async fn the_ceiling_is_shown_when_prepared_and_holds_when_confirmed() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let now = jiff::Timestamp::now().as_second();
    let ceiling =
        async |teto: Option<i64>| app.store.set_ceiling(tenant.id, teto, &Actor::operator(), now).await.unwrap();
    let body = body::emission(NUMERIC);
    ceiling(Some(10_000)).await;
    let within = prepared(&tenant.test, &body).await;
    assert_eq!(
        within["teto"],
        json!({ "valor_maximo": number("100.00"), "valor_contado": number("100.00"), "dentro_do_teto": true })
    );
    ceiling(Some(9_999)).await;
    let error = confirm(&tenant.test, &within).await.refused(422, "teto_excedido");
    assert!(error["detail"].as_str().unwrap().contains("99.99"), "{error}");
    let above = prepared(&tenant.test, &body).await;
    assert_eq!(
        above["teto"],
        json!({ "valor_maximo": number("99.99"), "valor_contado": number("100.00"), "dentro_do_teto": false })
    );
    assert_eq!(consumed(&tenant).await, 0);
    // the refusal used nothing up, and another account has no ceiling
    ceiling(None).await;
    let accepted = confirm(&tenant.test, &within).await.ok(202);
    ended(&tenant.test, &accepted).await;
    app.finish().await;
}

#[tokio::test]
async fn the_ceiling_counts_what_a_note_moves_and_not_the_total_it_states() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.store.set_ceiling(tenant.id, Some(10_000), &Actor::operator(), 0).await.unwrap();
    let mut beside = body::emission(NUMERIC);
    // 100,00 in the total, and as much outside it
    let mut gift = beside["nota"]["produtos"][0].clone();
    gift["indTot"] = json!(0);
    beside["nota"]["produtos"].as_array_mut().unwrap().push(gift);
    let mut below = body::emission(NUMERIC);
    below["nota"]["produtos"][0]["qCom"] = json!(1000);
    below["nota"]["produtos"][0]["qTrib"] = json!(1000);
    below["nota"]["produtos"][0]["vProd"] = json!("10000.00");
    below["nota"]["total"] = json!({ "vProd": "1.00", "vNF": "1.00" });
    let mut cheap = below.clone();
    cheap["nota"]["produtos"][0]["vProd"] = json!("1.00");
    for (case, counted) in [(&beside, "200.00"), (&below, "10000.00"), (&cheap, "5000.00")] {
        let shown = prepared(&tenant.test, case).await;
        let teto =
            json!({ "valor_maximo": number("100.00"), "valor_contado": number(counted), "dentro_do_teto": false });
        assert_eq!(shown["teto"], teto, "{case}");
        let error = confirm(&tenant.test, &shown).await.refused(422, "teto_excedido");
        assert!(error["detail"].as_str().unwrap().contains(counted), "{error}");
    }
    assert_eq!(tenant.test.get("/v1/notas").await.ok(200)["total"], 0);
    app.finish().await;
}

#[tokio::test]
async fn a_key_has_so_many_preparations_in_the_open_and_no_more() {
    let account = AccountLimits { open_preparations: 2, ..AccountLimits::default() };
    let app = TestApp::start_with(|parts| parts.limits = ServiceLimits { account, ..ServiceLimits::default() }).await;
    let tenant = app.issuer(NUMERIC).await;
    let body = body::emission(NUMERIC);
    let first = prepared(&tenant.test, &body).await;
    prepared(&tenant.test, &body).await;
    let refused = tenant.test.post(PREPARE, &body).await;
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=600).contains(&wait), "{wait}");
    refused.refused(429, "preparacoes_excedidas");
    // another key of the account has its own limit, and an emission makes room
    prepared(&tenant.live, &body).await;
    let accepted = confirm(&tenant.test, &first).await.ok(202);
    ended(&tenant.test, &accepted).await;
    prepared(&tenant.test, &body).await;
    tenant.test.post(PREPARE, &body).await.refused(429, "preparacoes_excedidas");
    app.clock.forward(601);
    prepared(&tenant.test, &body).await;
    app.finish().await;
}

#[tokio::test]
async fn a_quota_that_is_used_up_refuses_the_confirmation_and_keeps_the_token() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let now = jiff::Timestamp::now().as_second();
    let limit = async |limite: u32| {
        let homologacao = fiscal::value::TpAmb::Homologacao;
        app.store.set_quota(tenant.id, homologacao, Familia::Nfe, Some(limite), &Actor::operator(), now).await.unwrap();
    };
    limit(0).await;
    let shown = prepared(&tenant.test, &body::emission(NUMERIC)).await;
    confirm(&tenant.test, &shown).await.refused(429, "cota_excedida");
    limit(1).await;
    let accepted = confirm(&tenant.test, &shown).await.ok(202);
    ended(&tenant.test, &accepted).await;
    app.finish().await;
}

#[tokio::test]
async fn what_cannot_be_issued_cannot_be_prepared_and_a_used_reference_is_replayed() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    client.post(PREPARE, &json!({ "cpf_cnpj": NUMERIC, "nota": {} })).await.refused(422, "documento_invalido");
    client.post(PREPARE, &json!({ "nota": {} })).await.refused(400, "campo_obrigatorio");
    app.tenant().await.test.post(PREPARE, &body::emission(NUMERIC)).await.refused(404, "nao_encontrado");
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("REPETIDA1");
    let first = client.post("/v1/nfe/emitir", &body).await.ok(202);
    ended(client, &first).await;
    let shown = prepared(client, &body).await;
    let replay = confirm(client, &shown).await.ok(200);
    assert_eq!((&replay["idempotente"], &replay["job_id"]), (&true.into(), &first["job_id"]));
    assert_eq!(consumed(&tenant).await, 1);
    confirm(client, &shown).await.refused(409, "confirmacao_usada");
    app.finish().await;
}

#[tokio::test]
async fn the_token_is_nowhere_in_the_database() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let shown = prepared(&tenant.test, &body::emission(NUMERIC)).await;
    let token = shown["token_confirmacao"].as_str().unwrap();
    let dump = app.dump().await;
    assert!(dump.contains("Caderno 96 folhas") && !dump.contains(token), "the token is kept");
    let hex: String = token.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(!dump.contains(&hex));
    app.finish().await;
}

#[tokio::test]
async fn an_operator_shows_and_sets_the_ceiling() {
    let installation = Installation::new().await;
    installation.account();
    let run = |arguments: &[&str]| {
        installation.run(&[&["conta", "teto", "--email", "dono@exemplo.com.br"], arguments].concat())
    };
    assert!(run(&[]).out.contains("sem teto"));
    let set = run(&["--valor", "1500,5"]);
    assert!(set.well && set.out.contains("1500.50"), "{}{}", set.out, set.told);
    assert!(run(&[]).out.contains("1500.50"));
    for wrong in [&["--valor", "mil"][..], &["--valor", "-1"], &["--valor", "1", "--sem-teto"]] {
        assert!(!run(wrong).well, "{wrong:?}");
    }
    assert!(!installation.run(&["conta", "teto", "--email", "ninguem@exemplo.com.br"]).well);
    assert!(run(&["--sem-teto"]).out.contains("sem teto"));
    installation.finish().await;
}
