//! `/v1/cte`: a CT-e (57) and a CT-e OS (67) from the request to the authorised file, checked by independent
//! validators.

mod cancelar;
mod carta_correcao;
mod casos;
mod eventos;
mod offline;
mod recebidos;
mod steps;

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended, job_when};
use crate::support::judge;
use crate::support::transports::{cargo, carrier, configured, passengers};

/// Issues a document; returns its job and its authorised file.
async fn issued(tenant: &Tenant, body: &Value) -> (Value, String) {
    let accepted = tenant.test.post("/v1/cte/emitir", body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-disposition").contains("-procCTe.xml"), "{}", xml.header("content-disposition"));
    (job, xml.text())
}

#[tokio::test]
async fn the_model_is_57_when_absent_and_no_other_than_57_or_67() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let asking = |mut body: Value, modelo: Value| {
        body["nota"]["identificacao"]["modelo"] = modelo;
        body.as_object_mut().unwrap().remove("referencia_externa");
        body
    };
    for wrong in [json!(58), json!("55"), json!("abc"), json!(57.5), json!(-57)] {
        let refused =
            tenant.test.post("/v1/cte/emitir", &asking(cargo(), wrong)).await.refused(422, "documento_invalido");
        assert_eq!(refused["erros"][0]["campo"], "nota.identificacao.modelo", "{refused}");
        assert!(refused["erros"][0]["mensagem"].as_str().unwrap().contains("67 (CT-e OS)"), "{refused}");
    }
    let whole: Value = serde_json::from_str("67.0").unwrap();
    for (body, modelo, issued_as) in
        [(cargo(), Value::Null, "57"), (cargo(), json!(" 57 "), "57"), (passengers(), whole, "67")]
    {
        let (job, _) = issued(&tenant, &asking(body, modelo)).await;
        assert_eq!(&job["nota"]["chave"].as_str().unwrap()[20..22], issued_as);
    }
    app.finish().await;
}

#[tokio::test]
async fn cargo_is_carried_from_the_request_to_the_authorised_file() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (job, xml) = issued(&tenant, &cargo()).await;
    assert_eq!((job["tipo"].as_str(), &job["nota"]["chave"].as_str().unwrap()[20..22]), (Some("cte"), "57"));
    assert!(
        xml.contains("<cteProc ") && xml.contains("<qrCodCTe>") && xml.contains("<RNTRC>12345678</RNTRC>"),
        "{xml}"
    );
    judge::accepts_proc_cte(&xml, &app.ca_file());
    let replay = tenant.test.post("/v1/cte/emitir", &cargo()).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&job["job_id"], &json!(true)));
    let consulted = tenant.test.get(&format!("/v1/cte/consultar/{}", job["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!(consulted["nota"]["chave"], job["nota"]["chave"]);
    let quota = tenant.test.get("/v1/cotas").await.ok(200);
    assert!(quota.to_string().contains(r#""cte""#), "{quota}");
    app.finish().await;
}

#[tokio::test]
async fn people_are_carried_under_the_other_model() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (job, xml) = issued(&tenant, &passengers()).await;
    assert_eq!(&job["nota"]["chave"].as_str().unwrap()[20..22], "67");
    assert!(xml.contains("<cteOSProc ") && xml.contains("<NroRegEstadual>"), "{xml}");
    judge::accepts_proc_cte_os(&xml, &app.ca_file());
    app.finish().await;
}

#[tokio::test]
async fn people_are_counted_in_a_series_of_their_own() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let unnamed = configured(&tenant, &json!({ "serie": "2", "proximo_numero": 500 })).await;
    assert_eq!(unnamed["cte_os"], Value::Null);
    let (job, _) = issued(&tenant, &passengers()).await;
    assert_eq!(
        (&job["nota"]["serie"], &job["nota"]["numero"]),
        (&"2".into(), &1.into()),
        "the series of the CT-e, from 1"
    );
    let apart = json!({ "cte_os": { "serie": 7, "proximo_numero": 40 } });
    let named = configured(&tenant, &apart).await;
    assert_eq!(named["cte_os"], json!({ "serie": "7", "proximo_numero": 40 }));
    assert_eq!((&named["serie"], &named["proximo_numero"]), (&"2".into(), &500.into()));
    let mut next = passengers();
    next["referencia_externa"] = "CTEOS2".into();
    let (job, _) = issued(&tenant, &next).await;
    assert_eq!((&job["nota"]["serie"], &job["nota"]["numero"]), (&"7".into(), &40.into()));
    let (job, _) = issued(&tenant, &cargo()).await;
    assert_eq!((&job["nota"]["serie"], &job["nota"]["numero"]), (&"2".into(), &500.into()));
    let late = configured(&tenant, &json!({ "cte_os": { "proximo_numero": 3 } })).await;
    assert_eq!(
        (&late["cte_os"]["proximo_numero"], &late["avisos"][0]["campo"]),
        (&41.into(), &"cte_os.proximo_numero".into())
    );
    let numbering = tenant.test.get("/v1/empresas/numeracao?tipo=cte").await.ok(200);
    let records = numbering.to_string();
    assert!(records.contains(r#""modelo":57"#) && records.contains(r#""modelo":67"#), "{records}");
    app.finish().await;
}

/// There is no service that voids numbers (MOC CT-e 4.00).
#[tokio::test]
async fn a_gap_is_told_with_what_the_law_says_of_it() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    for nCT in [10, 14] {
        let mut chosen = cargo();
        chosen["referencia_externa"] = json!(format!("CTEPULO{nCT}"));
        chosen["nota"]["identificacao"]["nCT"] = json!(nCT);
        assert_eq!(issued(&tenant, &chosen).await.0["nota"]["numero"], nCT);
    }
    issued(&tenant, &passengers()).await;
    let told = tenant.test.get("/v1/empresas/numeracao?tipo=cte&lacunas=true").await.ok(200);
    let of = |modelo: u8| told["numeracao"].as_array().unwrap().iter().find(|one| one["modelo"] == modelo).unwrap();
    assert_eq!(of(57)["lacunas"], json!([{ "numero_inicial": 11, "numero_final": 13, "quantidade": 3 }]), "{told:#}");
    let law = of(57)["orientacao_lacunas"].as_str().unwrap();
    assert!(law.contains("não tem inutilização") && law.contains("nada há a declarar"), "{law}");
    assert_eq!((&of(67)["lacunas"], &of(67)["orientacao_lacunas"]), (&json!([]), &Value::Null), "{told:#}");
    let plain = tenant.test.get("/v1/empresas/numeracao?tipo=cte").await.ok(200);
    assert!(!plain.to_string().contains("lacunas"), "only when asked for: {plain}");
    app.finish().await;
}

#[tokio::test]
async fn what_stops_a_cte_is_said_before_it_is_registered() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let mut body = cargo();
    body["nota"]["valores"] = json!({});
    body["nota"]["remetemte"] = json!({});
    let refusal = tenant.test.post("/v1/cte/emitir", &body).await.refused(422, "documento_invalido");
    assert!(refusal["erros"].to_string().contains("nota.valores.vTPrest"), "{refusal}");
    let told = tenant.test.post("/v1/cte/verificar-campos", &body).await.ok(200);
    assert_eq!(told["valido"], json!(false));
    assert!(told["campos_desconhecidos"].to_string().contains("nota.remetemte"), "{told}");
    let other = app.issuer(crate::support::body::ALPHANUMERIC).await;
    let mut unconfigured = cargo();
    unconfigured["cpf_cnpj"] = json!(crate::support::body::ALPHANUMERIC);
    let refusal = other.test.post("/v1/cte/emitir", &unconfigured).await.refused(422, "empresa_sem_configuracao");
    assert!(refusal["detail"].as_str().unwrap().contains("CT-e"), "{refusal}");
    app.finish().await;
}

/// 531 has another text for the NF-e.
#[tokio::test]
async fn what_is_foreseen_is_what_the_authority_says_word_for_word() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let mut body = cargo();
    body["nota"]["valores"]["vRec"] = json!(9999.99);
    let told = tenant.test.post("/v1/cte/verificar-campos", &body).await.ok(200);
    let foreseen = &told["rejeicoes_previstas"][0];
    let accepted = tenant.test.post("/v1/cte/emitir", &body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["codigo_status"]), (&json!("rejeitada"), &json!(531)), "{job:#}");
    for name in ["codigo_status", "motivo_status", "campo"] {
        assert_eq!(foreseen[name], job["nota"][name], "{told:#}");
    }
    assert_eq!(foreseen["campo"], "nota.valores.vRec");
    app.finish().await;
}

/// The printed form of a job, read by poppler and zbar: its text without blanks, and the codes of its sheets.
async fn printed(tenant: &Tenant, job: &Value, query: &str) -> (String, Vec<Vec<String>>) {
    let form = tenant.test.get(&format!("{}{query}", job["arquivos"]["pdf"].as_str().unwrap())).await;
    assert_eq!((form.status.as_u16(), form.header("content-type")), (200, "application/pdf"));
    let name = format!("{}-dacte.pdf", job["nota"]["chave"].as_str().unwrap());
    assert!(form.header("content-disposition").contains(&name), "{}", form.header("content-disposition"));
    let text = judge::text_of_pdf(&form.bytes).split_whitespace().collect();
    (text, judge::codes_of_pdf(&form.bytes))
}

#[tokio::test]
async fn the_printed_forms_say_what_the_authorised_files_say() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    for (body, told) in [
        (cargo(), ["DACTE", "RNTRCDAEMPRESA", "150,00", "RuaDireita,100"]),
        (passengers(), ["DACTEOS", "PERCURSODOVEÍCULO", "900,00", "1234567890123456789012345"]),
    ] {
        let (job, xml) = issued(&tenant, &body).await;
        let (key, protocol) = (job["nota"]["chave"].as_str().unwrap(), job["nota"]["protocolo"].as_str().unwrap());
        for query in ["", "?orientacao=paisagem"] {
            let (text, mut codes) = printed(&tenant, &job, query).await;
            for told in told.into_iter().chain([key, protocol]) {
                assert!(text.contains(told), "{told} is not in {text}");
            }
            let qr = xml.split_once("<qrCodCTe>").unwrap().1.split_once("</qrCodCTe>").unwrap().0.replace("&amp;", "&");
            codes[0].sort();
            assert_eq!(codes, [[key.to_owned(), qr]], "{query}");
        }
        let slip = format!("/v1/cte/{}/file/escpos", job["job_id"].as_str().unwrap());
        tenant.test.get(&slip).await.refused(404, "nao_encontrado");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_preview_shows_the_form_and_issues_nothing() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let form = tenant.test.post("/v1/cte/previa", &cargo()).await;
    assert_eq!(form.status.as_u16(), 200, "{}", form.text());
    let text: String = judge::text_of_pdf(&form.bytes).split_whitespace().collect();
    for told in ["DACTE", "___.___.___", "SEMVALORFISCAL", "RuaDireita,100", "150,00"] {
        assert!(text.contains(told), "{told} is not in {text}");
    }
    assert_eq!(judge::codes_of_pdf(&form.bytes), [[] as [String; 0]]);
    let (job, _) = issued(&tenant, &cargo()).await;
    assert_eq!(job["nota"]["numero"], 1, "a preview took no number: {job}");
    app.finish().await;
}

/// Two CT-e, authorised by the contingency authority because São Paulo's is out (and stays so): their receipts.
async fn at_the_svc(app: &TestApp, tenant: &Tenant) -> [Value; 2] {
    app.sp_stops().await;
    let mut second = cargo();
    second["referencia_externa"] = json!("CTESVC2");
    // two failures in a row show an outage
    let accepted = [
        tenant.test.post("/v1/cte/emitir", &cargo()).await.ok(202),
        tenant.test.post("/v1/cte/emitir", &second).await.ok(202),
    ];
    for job in &accepted {
        let job = job_when(&tenant.test, job, |job| job["nota"]["status"] == "autorizada").await;
        assert_eq!(job["nota"]["tipo_emissao"], 7, "{job:#}");
    }
    accepted
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cargo_goes_to_the_other_authority_while_its_own_is_out() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let [first, _] = at_the_svc(&app, &tenant).await;
    let job = ended(&tenant.test, &first).await;
    let nota = &job["nota"];
    assert_eq!(
        (&nota["contingencia"]["tipo"], &nota["contingencia"]["autoridade"]),
        (&"svc".into(), &"SVC-RS".into()),
        "{job:#}"
    );
    assert_eq!(&nota["chave"].as_str().unwrap()[34..35], "7");
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_proc_cte(&xml, &app.ca_file());
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 2);
    app.finish().await;
}

/// 517: an SVC accepts neither complements nor substitutes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_complement_waits_for_its_own_authority_while_cargo_goes_to_the_other() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let mut before = cargo();
    before["referencia_externa"] = json!("CTEANTES");
    let (job, _) = issued(&tenant, &before).await;
    let mut complement = cargo();
    let nota = complement["nota"].as_object_mut().unwrap();
    ["carga", "documentos"].into_iter().for_each(|group| drop(nota.remove(group)));
    nota.insert("complementado".to_owned(), json!([job["nota"]["chave"]]));
    complement["referencia_externa"] = json!("CTECOMPLEMENTO");
    at_the_svc(&app, &tenant).await;
    let accepted = tenant.test.post("/v1/cte/emitir", &complement).await.ok(202);
    let waits = |job: &Value| job["erro"].as_str().is_some_and(|erro| erro.contains("espera por ele: a SVC só"));
    let waiting = job_when(&tenant.test, &accepted, waits).await;
    assert_eq!((&waiting["status"], &waiting["arquivos"]["xml"]), (&"pending".into(), &Value::Null), "{waiting:#}");
    app.sp_works().await;
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &1.into()), "{job:#}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cargo_whose_reply_was_lost_is_asked_for_and_authorised_once() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let lost = json!({ "servico": "CTeRecepcaoSincV4", "tipo": "reset_after", "vezes": 1 });
    app.control.post("/_sim/falhas", &lost).await.ok(201);
    let (job, xml) = issued(&tenant, &cargo()).await;
    judge::accepts_proc_cte(&xml, &app.ca_file());
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 1);
    let calls = app.control.get("/_sim/contadores").await.ok(200)["por_servico"].clone();
    assert_eq!((&calls["CTeRecepcaoSincV4"], &calls["CTeConsultaV4"]), (&1.into(), &1.into()), "{calls}");
    let log = tenant.test.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("Consultando pela chave (CTeConsultaV4).") && !log.contains("NFe"), "{log}");
    let told = tenant.test.get("/v1/diagnostico").await.ok(200);
    let company = &told["empresas"][0];
    assert_eq!(company["consultas_na_ultima_hora"][0]["servico"], "CTeConsultaV4", "{told}");
    let types: Vec<&Value> = company["documentos"].as_array().unwrap().iter().map(|way| &way["tipo"]).collect();
    assert_eq!(types, ["nfe", "cte", "cte"]);
    app.finish().await;
}
