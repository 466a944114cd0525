//! CT-e and CT-e OS while neither the state's authority nor its SVC answers: handed out offline where installation and
//! company allow it, printed, and transmitted with the same bytes; refused otherwise, with the setting that allows it.
//!
//! Law: NT 2026.004 (`tpEmis` 2; EPEC and FS-DA have ended), as far as it is known.

use fiscal::value::{CnpjCpf, Uf};
use openssl::hash::MessageDigest;
use openssl::sign::Verifier;
use serde_json::{Value, json};
use store::audit::Actor;

use super::printed;
use crate::support::app::{Tenant, TestApp, ended, job_when};
use crate::support::body::NUMERIC;
use crate::support::judge;
use crate::support::transports::{cargo, carrier, configured, passengers};

/// An installation whose operator has opened it.
async fn opened() -> TestApp {
    TestApp::start_with(|parts| parts.contingency.offline = true).await
}

async fn configure(tenant: &Tenant, contingencia: &str) {
    let kept = configured(tenant, &json!({ "contingencia": contingencia })).await;
    assert_eq!(kept["contingencia"], contingencia);
}

/// São Paulo does not work, and its SVC is not switched on.
async fn nobody_answers(app: &TestApp) {
    let stopped = json!([
        { "modo": "paralisado_sem_previsao", "autoridade": "sp" }, { "modo": "svc_desabilitada", "autoridade": "svc-rs" }
    ]);
    app.control.put("/_sim/servicos", &stopped).await.ok(200);
}

/// Issues the document twice: a single failure does not show an outage.
fn twice(body: &Value) -> [Value; 2] {
    ["CTEOFF1", "CTEOFF2"].map(|name| {
        let mut body = body.clone();
        body["referencia_externa"] = name.into();
        body
    })
}

/// Offline emission requested by the caller.
fn offline(mut body: Value) -> Value {
    body["nota"]["identificacao"]["tpEmis"] = json!(2);
    body
}

fn is_given_out(job: &Value) -> bool {
    job["nota"]["tipo_emissao"] == 2 && job["arquivos"]["xml"].is_string() && job["nota"]["status"].is_null()
}

fn seconds(value: &Value) -> i64 {
    value.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second()
}

/// The text of the QR code of a document.
fn code(xml: &str) -> String {
    xml.split_once("<qrCodCTe>").unwrap().1.split_once("</qrCodCTe>").unwrap().0.replace("&amp;", "&")
}

/// `true` if the QR code contains a signature of the key by the certificate in the document.
fn is_signed(xml: &str, chave: &str) -> bool {
    let der = |text: &str| openssl::base64::decode_block(&text.split_whitespace().collect::<String>()).unwrap();
    let certificate = xml.split_once("<X509Certificate>").unwrap().1.split_once("</X509Certificate>").unwrap().0;
    let key = openssl::x509::X509::from_der(&der(certificate)).unwrap().public_key().unwrap();
    let mut verifier = Verifier::new(MessageDigest::sha1(), &key).unwrap();
    verifier.update(chave.as_bytes()).unwrap();
    verifier.verify(&der(code(xml).split_once("&sign=").unwrap().1)).unwrap()
}

/// Checks that a document is handed out, with its form; returns its key and the signed bytes.
async fn assert_given_out(
    app: &TestApp,
    tenant: &Tenant,
    accepted: &Value,
    schema: &str,
    title: &str,
) -> (String, String) {
    let job = job_when(&tenant.test, accepted, is_given_out).await;
    let nota = &job["nota"];
    assert!(
        job["status"] == "processing" && job["mensagem"].as_str().unwrap().contains("pode ser entregue"),
        "{job:#}"
    );
    let contingencia = &nota["contingencia"];
    assert_eq!((&contingencia["tipo"], &contingencia["transmitida_em"]), (&"offline".into(), &Value::Null));
    assert_eq!(seconds(&contingencia["prazo_transmissao"]) - seconds(&nota["data_emissao"]), 168 * 3_600);
    assert!(seconds(&contingencia["desde"]) <= seconds(&nota["data_emissao"]), "{job:#}");
    let chave = nota["chave"].as_str().unwrap().to_owned();
    let file = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(file.header("content-disposition").contains(&format!("{chave}-CTe.xml")));
    let xml = file.text();
    judge::accepts_signed_cte(&xml, schema, &app.ca_file());
    assert!(is_signed(&xml, &chave), "{xml}");
    let (text, mut codes) = printed(tenant, &job, "").await;
    for told in [title, "DACTEemContingência-impressoemdecorrênciadeproblemastécnicos", "pendentedeautorização"] {
        assert!(text.contains(told), "{told} is not in {text}");
    }
    codes[0].sort();
    assert_eq!(codes, [[chave.clone(), code(&xml)]]);
    (chave, xml)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_can_authorise_travels_with_its_form_and_is_authorised_later() {
    for (body, schema, title) in [(cargo(), "cte_v4.00.xsd", "DACTE"), (passengers(), "cteOS_v4.00.xsd", "DACTEOS")] {
        let app = opened().await;
        let tenant = carrier(&app).await;
        configure(&tenant, "offline").await;
        nobody_answers(&app).await;
        let mut given = Vec::new();
        for body in twice(&body) {
            let accepted = tenant.test.post("/v1/cte/emitir", &body).await.ok(202);
            given.push(accepted);
        }
        let mut files = Vec::new();
        for accepted in &given {
            files.push(assert_given_out(&app, &tenant, accepted, schema, title).await);
        }
        assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 0);
        app.sp_works().await;
        for (accepted, (chave, signed)) in given.iter().zip(files) {
            let job = ended(&tenant.test, accepted).await;
            let nota = &job["nota"];
            assert_eq!(
                (&nota["status"], nota["chave"].as_str()),
                (&"autorizada".into(), Some(chave.as_str())),
                "{job:#}"
            );
            assert_eq!(nota["contingencia"]["transmitida_em"], nota["data_autorizacao"]);
            let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
            assert!(xml.contains(&signed), "the same bytes");
            match title {
                "DACTE" => judge::accepts_proc_cte(&xml, &app.ca_file()),
                _ => judge::accepts_proc_cte_os(&xml, &app.ca_file()),
            }
            let (text, _) = printed(&tenant, &job, "").await;
            assert!(
                text.contains(nota["protocolo"].as_str().unwrap()) && !text.contains("pendentedeautorização"),
                "{text}"
            );
        }
        assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 2);
        app.finish().await;
    }
}

#[tokio::test]
async fn it_is_closed_until_the_operator_opens_it() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let settings = format!("/v1/empresas/{NUMERIC}/cte");
    let refusal = tenant.test.put(&settings, &json!({ "contingencia": "offline" })).await.refused(422, "validacao");
    assert_eq!(refusal["erros"][0]["campo"], "contingencia");
    assert!(refusal["erros"][0]["mensagem"].as_str().unwrap().contains("contingencia.offline"), "{refusal}");
    tenant.test.put(&settings, &json!({ "contingencia": "epec" })).await.refused(422, "validacao");
    for word in ["automatica", "nenhuma"] {
        configure(&tenant, word).await;
    }
    for body in [cargo(), passengers()] {
        let refusal =
            tenant.test.post("/v1/cte/emitir", &offline(body.clone())).await.refused(422, "documento_invalido");
        let told = &refusal["erros"][0];
        assert_eq!((&told["campo"], &told["codigo"]), (&"nota.identificacao.tpEmis".into(), &"valor_invalido".into()));
        assert!(told["mensagem"].as_str().unwrap().contains("contingencia.offline"), "{refusal}");
        let told = tenant.test.post("/v1/cte/verificar-campos", &offline(body)).await.ok(200);
        assert!(told["valido"] == false && told.to_string().contains("contingencia.offline"), "{told}");
    }
    app.finish().await;
}

#[tokio::test]
async fn each_environment_takes_it_from_a_day_of_its_own() {
    let app = opened().await;
    let tenant = carrier(&app).await;
    let settings = json!({ "ambiente": 1, "crt": 1, "serie": "1", "rntrc": "12345678" });
    tenant.live.put(&format!("/v1/empresas/{NUMERIC}/cte"), &settings).await.ok(200);
    let day = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    for (at, rehearsal, real) in [
        ("2026-10-12T12:00:00Z", Some("13/10/2026"), Some("16/11/2026")),
        ("2026-10-14T12:00:00Z", None, Some("16/11/2026")),
        ("2026-11-16T12:00:00Z", None, None),
    ] {
        app.stand_at(day(at)).await;
        for (client, from) in [(&tenant.test, rehearsal), (&tenant.live, real)] {
            let told = client.post("/v1/cte/verificar-campos", &offline(cargo())).await.ok(200);
            let refused = told.to_string();
            assert_eq!(told["valido"], from.is_none(), "{at}: {told:#}");
            assert!(from.is_none_or(|day| refused.contains(day)), "{at}: {told:#}");
        }
    }
    app.finish().await;
}

/// The company's choice is from the days when it was open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_chose_it_waits_where_the_operator_has_closed_it() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let chosen = json!({ "ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "contingencia": "offline" });
    let (company, by) = (CnpjCpf::parse(NUMERIC).unwrap(), Actor::operator());
    app.store.configure_company(tenant.id, company, "cte", chosen, &by, 0).await.unwrap();
    let told = tenant.test.get("/v1/diagnostico").await.ok(200);
    let ways = told["empresas"][0]["documentos"].as_array().unwrap();
    let chosen: Vec<&Value> = ways.iter().filter(|way| way["tipo"] == "cte").map(|way| &way["contingencia"]).collect();
    assert_eq!(chosen, ["automatica"; 2], "{told:#}");
    nobody_answers(&app).await;
    let mut waiting = Vec::new();
    for body in twice(&cargo()) {
        waiting.push(tenant.test.post("/v1/cte/emitir", &body).await.ok(202));
    }
    for accepted in &waiting {
        let waits = |job: &Value| job["erro"].as_str().is_some_and(|erro| erro.contains("espera por ele"));
        assert_eq!(job_when(&tenant.test, accepted, waits).await["arquivos"]["xml"], Value::Null);
    }
    app.sp_works().await;
    for accepted in &waiting {
        let job = job_when(&tenant.test, accepted, |job| job["nota"]["status"] == "autorizada").await;
        assert_ne!(job["nota"]["tipo_emissao"], 2, "{job:#}");
    }
    app.finish().await;
}

/// EPEC and security paper have ended, of both models.
#[tokio::test]
async fn ways_that_have_ended_are_refused_with_their_day() {
    let app = opened().await;
    let tenant = carrier(&app).await;
    for mut body in [cargo(), passengers()] {
        for (tpEmis, name) in [(4, "EPEC"), (5, "FS-DA")] {
            body["nota"]["identificacao"]["tpEmis"] = json!(tpEmis);
            let refusal = tenant.test.post("/v1/cte/emitir", &body).await.refused(422, "documento_invalido");
            let told = &refusal["erros"][0];
            assert_eq!(
                (&told["campo"], &told["codigo"]),
                (&"nota.identificacao.tpEmis".into(), &"valor_invalido".into())
            );
            let why = told["mensagem"].as_str().unwrap();
            assert!(why.contains(name) && why.contains("16/11/2026"), "{refusal}");
        }
    }
    app.finish().await;
}

/// An offline emission requested by the caller does not depend on the authority; its deadline counts from its own
/// instant.
#[tokio::test]
async fn who_asks_for_it_waits_for_nobody_and_it_counts_from_the_emission() {
    let app = opened().await;
    let tenant = carrier(&app).await;
    configure(&tenant, "nenhuma").await;
    let at = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(2);
    let dhEmi = engine::process::local_time::written(at, Uf::SP);
    let mut body = offline(cargo());
    body["nota"]["identificacao"]["dhEmi"] = json!(dhEmi);
    let told = tenant.test.post("/v1/cte/verificar-campos", &body).await.ok(200);
    assert_eq!((&told["valido"], &told["rejeicoes_previstas"]), (&true.into(), &json!([])), "{told:#}");
    let accepted = tenant.test.post("/v1/cte/emitir", &body).await.ok(202);
    let filled: Vec<&str> =
        accepted["avisos"].as_array().unwrap().iter().filter_map(|one| one["campo"].as_str()).collect();
    for name in ["nota.identificacao.dhCont", "nota.identificacao.xJust"] {
        assert!(filled.contains(&name), "{accepted:#}");
    }
    let job = ended(&tenant.test, &accepted).await;
    let nota = &job["nota"];
    assert_eq!((&nota["status"], &nota["tipo_emissao"]), (&"autorizada".into(), &2.into()), "{job:#}");
    assert_eq!(nota["contingencia"]["desde"], dhEmi);
    assert_eq!(seconds(&nota["contingencia"]["prazo_transmissao"]), at.as_second() + 168 * 3_600);
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(xml.contains(&format!("<dhCont>{dhEmi}</dhCont><xJust>Sem comunicacao")), "{xml}");
    let mut late = offline(passengers());
    late["nota"]["identificacao"]["dhCont"] = json!(engine::process::local_time::written(
        jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1),
        Uf::SP
    ));
    let told = tenant.test.post("/v1/cte/verificar-campos", &late).await.ok(200);
    assert_eq!(told["rejeicoes_previstas"][0]["codigo_status"], 588, "{told:#}");
    app.finish().await;
}

#[tokio::test]
async fn a_rejection_after_it_was_given_out_is_repaired_under_the_same_key() {
    let app = opened().await;
    let tenant = carrier(&app).await;
    let mut refused = offline(cargo());
    refused["nota"]["compl"] = json!({ "xObs": "Livros [SIM:cStat=661]" });
    let rejected = ended(&tenant.test, &tenant.test.post("/v1/cte/emitir", &refused).await.ok(202)).await;
    let (chave, numero) = (rejected["nota"]["chave"].clone(), rejected["nota"]["numero"].clone());
    assert_eq!(
        (&rejected["nota"]["status"], &rejected["nota"]["codigo_status"]),
        (&"rejeitada".into(), &661.into()),
        "{rejected:#}"
    );
    assert!(rejected["mensagem"].as_str().unwrap().ends_with("o mesmo nCT"), "{rejected:#}");
    // no other document gets the number by chance
    let mut other = cargo();
    other["referencia_externa"] = json!("CTEOFFOUTRO");
    let next = ended(&tenant.test, &tenant.test.post("/v1/cte/emitir", &other).await.ok(202)).await;
    assert_ne!(next["nota"]["numero"], numero);
    let mut repaired = refused.clone();
    repaired["referencia_externa"] = json!("CTEOFFREPARO");
    repaired["nota"]["compl"] = json!({ "xObs": "Livros" });
    repaired["nota"]["identificacao"]["nCT"] = numero.clone();
    let mut dearer = repaired.clone();
    dearer["nota"]["valores"]["vTPrest"] = crate::support::body::number("151.00");
    let told = tenant.test.post("/v1/cte/emitir", &dearer).await.refused(422, "documento_invalido");
    assert!(told["erros"].to_string().contains(r#""campo":"nota.valores.vTPrest""#), "{told}");
    // the official tree is reported under its own paths
    let tree = dearer["nota"].as_object_mut().unwrap();
    for (ours, official) in [("identificacao", "ide"), ("valores", "vPrest"), ("destinatario", "dest")] {
        let group = tree.remove(ours).unwrap();
        tree.insert(official.to_owned(), group);
    }
    tree["dest"]["CNPJCPF"] = json!("11144477735");
    dearer["nota"]["ide"]["dhEmi"] = json!("2026-01-01T00:00:00-03:00");
    dearer["nota"] = json!({ "infCte": dearer["nota"] });
    let told = tenant.test.post("/v1/cte/emitir", &dearer).await.refused(422, "documento_invalido");
    let campos: Vec<&Value> = told["erros"].as_array().unwrap().iter().map(|one| &one["campo"]).collect();
    assert_eq!(campos, ["nota.infCte.vPrest.vTPrest", "nota.infCte.dest", "nota.infCte.ide.dhEmi"], "{told}");
    let job = ended(&tenant.test, &tenant.test.post("/v1/cte/emitir", &repaired).await.ok(202)).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["chave"]), (&"autorizada".into(), &chave), "{job:#}");
    assert_eq!((&job["nota"]["numero"], &job["nota"]["data_emissao"]), (&numero, &rejected["nota"]["data_emissao"]));
    app.finish().await;
}
