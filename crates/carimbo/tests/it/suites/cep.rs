//! `GET /v1/cep/{cep}` and `GET /v1/cep`: every source, every parameter, every refusal.

use std::time::Duration;

use fiscal::value::TpAmb;
use lookup::LookupOptions;
use serde_json::{Value, json};
use store::audit::Actor;
use store::quotas::Familia;

use crate::support::app::TestApp;
use crate::support::quotas::consumed;
use crate::support::source::{Says, Source, answer, sources};

fn se() -> Value {
    json!({ "cep": "01001-000", "logradouro": "Praça da Sé", "complemento": "lado ímpar", "unidade": "", "bairro": "Sé", "localidade": "São Paulo",
            "uf": "SP", "estado": "São Paulo", "regiao": "Sudeste", "ibge": "3550308", "gia": "1004", "ddd": "11", "siafi": "7107" })
}

#[tokio::test]
async fn a_source_s_address_is_told_in_our_names_and_asked_for_once() {
    let source = Source::start().await;
    source.says("/viacep/01001000", Says::Json(200, se()));
    let app = TestApp::with_lookups(sources(&[("viacep", &source.url)], &[])).await;
    let tenant = app.tenant().await;
    let address = tenant.test.get("/v1/cep/01001000").await.ok(200);
    let whole = json!({ "cep": "01001000", "tipo": "Praça", "logradouro": "Praça da Sé", "complemento": "lado ímpar", "unidade": null, "bairro": "Sé",
        "cidade": "São Paulo", "uf": "SP", "estado": "São Paulo", "regiao": "Sudeste", "ibge": "3550308", "gia": "1004", "ddd": "11", "siafi": "7107",
        "parcial": false, "fonte": "viacep", "sucesso": true, "encontrado": true });
    assert_eq!(address, whole);
    // another tenant is served from the cache, and the answer does not show the earlier query
    let other = app.tenant().await;
    assert_eq!(other.live.get("/v1/cep/01001000").await.ok(200), whole);
    assert_eq!(source.asked(), ["/viacep/01001000"]);
    assert_eq!((consumed(&tenant, "cep").await, consumed(&other, "cep").await), (json!(1), json!(0)));
    app.finish().await;
}

#[tokio::test]
async fn an_answer_that_is_too_old_is_asked_for_again() {
    let source = Source::start().await;
    source.says("/viacep/01001000", Says::Json(200, se()));
    source.says("/viacep/01999999", Says::Json(200, json!({ "erro": true })));
    let app = TestApp::with_lookups(sources(&[("viacep", &source.url)], &[])).await;
    let day = 24 * 3600;
    let now = jiff::Timestamp::now().as_second();
    let lookup = lookup::Lookup::new(
        app.store.clone(),
        outbound::OutboundClient::new(outbound::ClientOptions::default()).unwrap(),
        sources(&[("viacep", &source.url)], &[]),
    );
    for (cep, good_for) in [("01001000", 60 * day), ("01999999", day)] {
        let asked = source.asked().len();
        for (at, times) in [(now, 1), (now + good_for - 1, 1), (now + good_for, 2)] {
            lookup.cep(cep, at).await.unwrap();
            assert_eq!(source.asked().len() - asked, times, "{cep} after {} s", at - now);
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn many_who_ask_at_once_are_one_request() {
    let source = Source::start().await;
    source.says("/viacep/01001000", Says::Json(200, se()));
    let app = TestApp::with_lookups(sources(&[("viacep", &source.url)], &[])).await;
    let tenant = app.tenant().await;
    let asking = (0..8).map(|_| {
        let client = tenant.test.clone();
        tokio::spawn(async move { client.get("/v1/cep/01001000").await.ok(200) })
    });
    for answer in asking.collect::<Vec<_>>() {
        assert_eq!(answer.await.unwrap()["ibge"], "3550308");
    }
    assert_eq!(source.asked().len(), 1);
    app.finish().await;
}

#[tokio::test]
async fn only_a_source_that_fails_hands_the_question_on() {
    let (down, malformed, good) = (Source::start().await, Source::start().await, Source::start().await);
    down.says("/viacep/89010025", Says::Json(500, json!({})));
    malformed.says("/opencep/89010025", Says::Bytes(answer(200, "<html>")));
    let told = json!({ "cep": "89010025", "state": "SC", "city": "Blumenau", "neighborhood": "Centro", "street": "Rua Doutor Luiz de Freitas Melro" });
    good.says("/brasilapi/89010025", Says::Json(200, told));
    let order = [("viacep", down.url.as_str()), ("opencep", &malformed.url), ("brasilapi", &good.url)];
    let app = TestApp::with_lookups(sources(&order, &[])).await;
    let tenant = app.tenant().await;
    let address = tenant.test.get("/v1/cep/89010025").await.ok(200);
    assert_eq!(
        (&address["fonte"], &address["ibge"], &address["tipo"]),
        (&json!("brasilapi"), &json!("4202404"), &json!("Rua"))
    );
    // a "not found" is final: no other source is asked
    down.says("/viacep/01999999", Says::Json(200, json!({ "erro": "true" })));
    let absent = tenant.test.get("/v1/cep/01999999").await.refused(404, "nao_encontrado");
    assert_eq!(absent["encontrado"], false);
    assert!(absent["mensagem"].as_str().unwrap().contains("viacep"), "{absent}");
    tenant.test.get("/v1/cep/01999999").await.refused(404, "nao_encontrado");
    assert_eq!((down.asked().len(), good.asked().len()), (2, 1));
    assert_eq!(consumed(&tenant, "cep").await, 3);
    app.finish().await;
}

#[tokio::test]
async fn when_every_source_is_down_the_answer_is_a_503_with_the_reason_and_costs_nothing() {
    let (slow, down) = (Source::start().await, Source::start().await);
    slow.says("/viacep/01001000", Says::Nothing);
    down.says(
        "/opencep/01001000",
        Says::Bytes("HTTP/1.1 429 X\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n".to_owned()),
    );
    let nobody = { tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap() };
    let nobody = format!("http://{nobody}");
    let order = [("viacep", slow.url.as_str()), ("opencep", &down.url), ("brasilapi", &nobody)];
    let options = LookupOptions { within: Duration::from_secs(1), ..sources(&order, &[]) };
    let app = TestApp::with_lookups(options).await;
    let tenant = app.tenant().await;
    let refused = tenant.test.get("/v1/cep/01001000").await;
    assert_eq!(refused.header("retry-after"), "7");
    let message = refused.refused(503, "indisponivel")["mensagem"].as_str().unwrap().to_owned();
    for part in ["viacep: ", "em 1 s", "opencep: respondeu HTTP 429", "brasilapi: "] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert_eq!(consumed(&tenant, "cep").await, 0);
    // recovered: the failure was not kept
    down.says("/opencep/01001000", Says::Json(200, se()));
    assert_eq!(tenant.test.get("/v1/cep/01001000").await.ok(200)["fonte"], "opencep");
    app.finish().await;
}

#[tokio::test]
async fn a_source_that_fails_five_times_is_left_alone() {
    let source = Source::start().await;
    let app = TestApp::with_lookups(sources(&[("viacep", &source.url)], &[])).await;
    let tenant = app.tenant().await;
    for n in 0..5 {
        source.says(&format!("/viacep/0100100{n}"), Says::Json(502, json!({})));
        tenant.test.get(&format!("/v1/cep/0100100{n}")).await.refused(503, "indisponivel");
    }
    source.says("/viacep/01001009", Says::Json(200, se()));
    let refused = tenant.test.get("/v1/cep/01001009").await;
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=30).contains(&wait));
    assert!(refused.refused(503, "indisponivel")["mensagem"].as_str().unwrap().contains("fora de uso"));
    assert_eq!(source.asked().len(), 5);
    app.finish().await;
}

#[tokio::test]
async fn without_sources_the_digits_tell_what_they_can_and_say_that_it_is_partial() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let address = tenant.test.get("/v1/cep/01310100").await.ok(200);
    assert_eq!(
        (&address["parcial"], &address["ibge"], &address["cidade"]),
        (&json!(true), &json!("3550308"), &json!("São Paulo"))
    );
    assert_eq!((&address["logradouro"], &address["fonte"]), (&Value::Null, &json!("prefixo_do_cep")));
    assert_eq!(tenant.test.get("/v1/cep/00999999").await.refused(404, "nao_encontrado")["encontrado"], false);
    for query in ["logradouro=Paulista", "logradouro=Paulista&uf=SP&cidade=S%C3%A3o%20Paulo"] {
        let refused = tenant.test.get(&format!("/v1/cep?{query}")).await;
        assert_eq!(refused.header("retry-after"), "", "{query}");
        let message = refused.refused(501, "consulta_nao_configurada")["mensagem"].as_str().unwrap().to_owned();
        assert!(message.contains("carimbo dados importar cep") && message.contains("viacep"), "{message}");
    }
    assert_eq!(consumed(&tenant, "cep").await, 2, "the two answers by prefix");
    app.finish().await;
}

#[tokio::test]
async fn a_cep_is_exactly_eight_digits() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    for wrong in ["01001-000", "0100100", "010010000", "0100100a", "%20%20%20%20%20%20%20%20", "१२३४५६७८"]
    {
        let path = format!("/v1/cep/{}", wrong.replace('१', "%E0%A5%A7").replace(|sign: char| !sign.is_ascii(), "1"));
        let refused = tenant.test.get(&path).await.refused(400, "requisicao_invalida");
        assert_eq!(refused["erros"][0]["campo"], "cep", "{wrong}");
    }
    app.anonymous().get("/v1/cep/01001000").await.refused(401, "nao_autenticado");
    app.anonymous().get("/v1/cep?logradouro=Rua").await.refused(401, "nao_autenticado");
    assert_eq!(consumed(&tenant, "cep").await, 0);
    app.finish().await;
}

#[tokio::test]
async fn a_street_is_searched_at_the_source_with_its_filters_and_pages() {
    let source = Source::start().await;
    let entry = |cep: &str, logradouro: &str, bairro: &str| json!({ "cep": cep, "logradouro": logradouro, "bairro": bairro, "localidade": "São Paulo", "uf": "SP", "ibge": "3550308" });
    let list = json!([
        entry("01311-000", "Avenida Paulista", "Bela Vista"),
        entry("01310-100", "Avenida Paulista", "Bela Vista"),
        entry("03000-000", "Rua Paulista", "Mooca")
    ]);
    source.says("/viacep/SP/sao%20paulo/avenida%20paulista", Says::Json(200, list.clone()));
    source.says("/viacep/SP/sao%20paulo/paulista", Says::Json(200, list));
    let app = TestApp::with_lookups(sources(&[("viacep", &source.url)], &[])).await;
    let tenant = app.tenant().await;
    let path = "/v1/cep?uf=sp&cidade=S%C3%A3o%20Paulo&logradouro=Paulista";
    let all = tenant.test.get(path).await.ok(200);
    assert_eq!(
        (&all["total"], &all["pagina"], &all["limite"], &all["fonte"]),
        (&json!(3), &json!(1), &json!(20), &json!("viacep"))
    );
    assert_eq!(
        (&all["ceps"][0]["cep"], &all["ceps"][0]["tipo"], &all["ceps"][0]["ibge"]),
        (&json!("01310100"), &json!("Avenida"), &json!("3550308"))
    );
    // the source asks for the city: without it only a base could answer
    let everywhere = tenant.test.get("/v1/cep?logradouro=Paulista").await;
    assert_eq!(everywhere.header("retry-after"), "");
    let told = everywhere.refused(501, "consulta_nao_configurada")["mensagem"].as_str().unwrap().to_owned();
    assert!(told.contains("Informe uf e cidade"), "{told}");
    assert_eq!(tenant.test.get(&format!("{path}&tipo=Rua")).await.ok(200)["ceps"][0]["cep"], "03000000");
    assert_eq!(tenant.test.get(&format!("{path}&bairro=moo")).await.ok(200)["total"], 1);
    let second = tenant.test.get(&format!("{path}&limite=2&pagina=2")).await.ok(200);
    assert_eq!((second["ceps"].as_array().unwrap().len(), &second["total"]), (1, &json!(3)));
    let short = tenant.test.get("/v1/cep?uf=SP&cidade=Sao%20Paulo&logradouro=Av.%20Paulista").await.ok(200);
    assert_eq!(short["total"], 3);
    assert_eq!(source.asked().len(), 2, "the rest was kept: {:?}", source.asked());
    assert_eq!(consumed(&tenant, "cep").await, 5);
    app.finish().await;
}

#[tokio::test]
async fn every_wrong_parameter_of_a_search_is_named() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let refused = tenant.test.get("/v1/cep?uf=XX&limite=101&pagina=0").await.refused(400, "requisicao_invalida");
    let named: Vec<&str> =
        refused["erros"].as_array().unwrap().iter().map(|problem| problem["campo"].as_str().unwrap()).collect();
    assert_eq!(named, ["limite", "pagina", "logradouro", "uf"]);
    for wrong in ["logradouro=ab", "logradouro=%25%25%25", "logradouro=", &format!("logradouro={}", "x".repeat(121))] {
        let refused = tenant.test.get(&format!("/v1/cep?{wrong}")).await.refused(400, "requisicao_invalida");
        assert_eq!(refused["erros"][0]["campo"], "logradouro", "{wrong}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_quota_that_is_used_up_refuses_the_next_lookup_before_a_source_is_asked() {
    let source = Source::start().await;
    for cep in ["01001000", "01001001"] {
        source.says(&format!("/viacep/{cep}"), Says::Json(200, se()));
    }
    let app = TestApp::with_lookups(sources(&[("viacep", &source.url)], &[])).await;
    let tenant = app.tenant().await;
    let now = jiff::Timestamp::now().as_second();
    let by = Actor::operator();
    app.store.set_quota(tenant.id, TpAmb::Homologacao, Familia::Cep, Some(1), &by, now).await.unwrap();
    tenant.test.get("/v1/cep/01001000").await.ok(200);
    tenant.test.get("/v1/cep/01001001").await.refused(429, "cota_excedida");
    tenant.test.get("/v1/cep?logradouro=Praca+da+Se&cidade=Sao+Paulo&uf=SP").await.refused(429, "cota_excedida");
    assert_eq!(source.asked(), ["/viacep/01001000"]);
    assert_eq!(consumed(&tenant, "cep").await, 1);
    tenant.live.get("/v1/cep/01001001").await.ok(200);
    app.finish().await;
}
