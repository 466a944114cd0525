//! `GET /v1/diagnostico`: at one look, before and during an outage.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued, job_when};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};

#[tokio::test]
async fn a_quiet_account_shows_its_certificates_and_where_its_notes_go() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.post("/v1/empresas", &body::company(ALPHANUMERIC)).await.ok(201);
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let seen = tenant.test.get("/v1/diagnostico").await.ok(200);
    assert_eq!(
        (&seen["sucesso"], &seen["total"], &seen["pagina"], &seen["limite"]),
        (&true.into(), &2.into(), &1.into(), &20.into())
    );
    let of = |cpf_cnpj: &str| {
        let companies = seen["empresas"].as_array().unwrap();
        companies.iter().find(|one| one["cpf_cnpj"] == cpf_cnpj).unwrap().clone()
    };
    assert_eq!(of(ALPHANUMERIC)["certificado"], json!({ "status": "sem_certificado" }));
    assert_eq!(of(ALPHANUMERIC)["documentos"], json!([]));
    let company = of(NUMERIC);
    assert_eq!(company["certificado"]["status"], "valido");
    assert!((363..=365).contains(&company["certificado"]["dias_para_expirar"].as_i64().unwrap()), "{company}");
    let way = &company["documentos"][0];
    assert_eq!((&way["tipo"], &way["autoridade"], &way["uf"]), (&"nfe".into(), &"SP".into(), &"SP".into()));
    assert_eq!((&way["disjuntor"]["estado"], &way["contingencia"]), (&"fechado".into(), &"automatica".into()));
    assert_eq!(way["svc"]["autoridade"], "SVC-AN");
    assert_eq!((&company["bloqueios_656"], &company["jobs"]["pendentes"]), (&json!([]), &0.into()));
    let sp = seen["autoridades"].as_array().unwrap().iter().find(|one| one["autoridade"] == "SP").unwrap();
    assert!(sp["status"] == "ok" && sp["latencia_ms"].is_u64() && sp["ultima_resposta"].is_string(), "{sp}");
    let tls = &sp["tls"];
    assert_eq!(
        (&tls["protocolo"], tls["servidor"].as_str().unwrap().split(':').count()),
        (&"TLSv1.3".into(), 2),
        "{sp}"
    );
    assert!(tls["cifra"].as_str().unwrap().contains("GCM"), "{tls}");
    let chain = tls["cadeia"].as_array().unwrap();
    assert_eq!(chain.last().unwrap()["titular"], chain.last().unwrap()["emissor"], "up to the anchor: {tls}");
    assert!(chain.len() > 1 && chain.windows(2).all(|pair| pair[0]["emissor"] == pair[1]["titular"]), "{tls}");
    assert!(chain.iter().all(|one| one["valido_ate"].is_string()), "{tls}");
    assert!(tls["dias_para_expirar"].as_i64().unwrap() > 300, "{tls}");
    let second = tenant.test.get("/v1/diagnostico?limite=1&pagina=2").await.ok(200);
    assert_eq!((second["empresas"].as_array().unwrap().len(), &second["total"]), (1, &2.into()));
    tenant.test.get("/v1/diagnostico?limite=101").await.refused(400, "requisicao_invalida");
    app.anonymous().get("/v1/diagnostico").await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn the_ways_of_transports_are_those_of_their_type() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let settings = json!({ "ambiente": 2, "crt": 1, "rntrc": "12345678", "taf": "123456789012" });
    client.put(&format!("/v1/empresas/{NUMERIC}/cte"), &settings).await.ok(200);
    let seen = client.get("/v1/diagnostico").await.ok(200);
    let ways = seen["empresas"][0]["documentos"].as_array().unwrap();
    let of_models: Vec<_> =
        ways.iter().map(|way| (way["tipo"].as_str().unwrap(), way["modelo"].as_u64().unwrap())).collect();
    assert_eq!(of_models, [("nfe", 55), ("cte", 57), ("cte", 67)], "{seen}");
    assert!(ways.iter().skip(1).all(|way| way["svc"]["autoridade"] == "SVC-RS"), "{seen}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_shows_its_circuit_its_notes_and_their_deadlines() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    client.put(&format!("/v1/empresas/{NUMERIC}/nfce"), &json!({ "ambiente": 2, "qr_versao": 3 })).await.ok(200);
    app.sp_stops().await;
    let sell = async || client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    let sales = [sell().await, sell().await];
    for sale in &sales {
        job_when(&client, sale, |job| job["arquivos"]["xml"].is_string()).await;
    }
    let seen = client.get("/v1/diagnostico").await.ok(200);
    let pending = &seen["notas_pendentes"];
    assert_eq!((&pending["em_contingencia"], &pending["em_duvida"]), (&2.into(), &0.into()), "{seen}");
    let deadlines = pending["proximas_do_prazo"].as_array().unwrap();
    assert!(deadlines.iter().all(|one| one["vencida"] == false && one["prazo_transmissao"].is_string()), "{pending}");
    let ways = seen["empresas"][0]["documentos"].as_array().unwrap();
    let nfce = ways.iter().find(|way| way["tipo"] == "nfce").unwrap();
    assert_eq!((&nfce["disjuntor"]["estado"], &nfce["contingencia"]), (&"aberto".into(), &"offline".into()), "{nfce}");
    assert_eq!((&nfce["ultima_resposta"]["codigo_status"], &nfce["svc"]), (&109.into(), &Value::Null));
    assert!(nfce["disjuntor"]["motivo"].as_str().unwrap().contains("109"), "{nfce}");
    // a day later the deadline has passed, and the notes are transmitted all the same
    app.forward(86_401).await;
    let late = client.get("/v1/diagnostico").await.ok(200);
    let late = late["notas_pendentes"]["proximas_do_prazo"].as_array().unwrap().clone();
    assert!(late.len() == 2 && late.iter().all(|one| one["vencida"] == true), "{late:?}");
    app.sp_works().await;
    for sale in &sales {
        let job = ended(&client, sale).await;
        assert_eq!(
            (&job["nota"]["status"], &job["nota"]["codigo_status"]),
            (&"autorizada".into(), &150.into()),
            "{job}"
        );
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_authority_whose_certificate_is_not_trusted_says_why() {
    let without_anchors = |parts: &mut server::service::ServiceParts| parts.transport.extra_anchors_pem = None;
    let app = TestApp::start_with(without_anchors).await;
    let client = app.issuer(NUMERIC).await.test;
    client.get("/v1/nfe/status-servico?uf=SP").await.refused(503, "indisponivel");
    let seen = client.get("/v1/diagnostico").await.ok(200);
    let sp = seen["autoridades"].as_array().unwrap().iter().find(|one| one["autoridade"] == "SP").unwrap();
    assert!(sp["falha"].as_str().unwrap().contains("certificado do servidor não confiável"), "{sp}");
    assert_eq!((&sp["tls"], &sp["status"]), (&Value::Null, &"sem_resposta".into()), "{sp}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_block_by_undue_use_is_shown_until_it_ends() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let falha = json!({ "servico": "NFeAutorizacao4", "tipo": "cstat", "cStat": 656, "vezes": 1 });
    app.control.post("/_sim/falhas", &falha).await.ok(201);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    job_when(&client, &accepted, |job| job["erro_detalhe"]["codigo"] == "consumo_indevido").await;
    let seen = client.get("/v1/diagnostico").await.ok(200);
    assert_eq!(seen["empresas"][0]["bloqueios_656"][0]["autoridade"], "SP", "{seen}");
    app.forward(3_661).await;
    assert_eq!(ended(&client, &accepted).await["nota"]["status"], "autorizada");
    assert_eq!(client.get("/v1/diagnostico").await.ok(200)["empresas"][0]["bloqueios_656"], json!([]));
    app.finish().await;
}
