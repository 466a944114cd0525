//! `/v1/nfse`: the national NFS-e from the request to the note that the Sefin writes, judged from outside.

mod analise;
mod anteriores;
mod assinatura;
mod casos;
mod consultar_sefaz;
mod inputs;
mod janeiro;
mod leiaute;
mod lotes;
mod manifestar;
mod municipal;
mod nodes;
mod propria;
mod provedor;
mod recebidas;

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::NUMERIC;
use crate::support::judge;
use crate::support::services::{another, provider, service};

async fn issued(tenant: &Tenant, body: &Value) -> Value {
    let accepted = tenant.test.post("/v1/nfse/emitir", body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    job
}

fn path(job: &Value, tipo: &str) -> String {
    format!("/v1/nfse/{}/file/{tipo}", job["job_id"].as_str().unwrap())
}

#[tokio::test]
async fn a_service_is_issued_from_the_request_to_the_note_of_the_sefin() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &service()).await;
    let nota = &job["nota"];
    assert_eq!(nota["chave"].as_str().unwrap().len(), 50);
    assert_eq!((&nota["numero"], &nota["numero_dps"], &nota["codigo_status"]), (&json!(1), &json!(1), &json!("100")));
    assert_eq!(
        (nota["valor_total"].to_string(), nota["valor_liquido"].to_string()),
        ("1500.00".into(), "1500.00".into())
    );
    assert!(nota["id_dps"].as_str().unwrap().starts_with("DPS3550308"), "{nota}");
    assert_eq!(
        (&nota["modelo"], &nota["rejeicoes"], &nota["substituida_por"]),
        (&Value::Null, &json!([]), &Value::Null)
    );
    let replay = tenant.test.post("/v1/nfse/emitir", &service()).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&job["job_id"], &json!(true)));
    let consulted = tenant.test.get(&format!("/v1/nfse/consultar/{}", job["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!(consulted["nota"]["chave"], nota["chave"]);
    let found = tenant.test.get(&format!("/v1/notas/{}", nota["chave"].as_str().unwrap())).await.ok(200);
    assert_eq!(found["job_id"], job["job_id"]);
    let listed = tenant.test.get("/v1/notas?tipo=nfse").await.ok(200);
    assert_eq!(listed["total"], json!(1), "{listed}");
    let quota = tenant.test.get("/v1/cotas").await.ok(200);
    assert!(quota.to_string().contains(r#""nfse""#), "{quota}");
    app.finish().await;
}

#[tokio::test]
async fn its_files_are_sound() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &service()).await;
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-disposition").contains("-NFSe.xml"), "{}", xml.header("content-disposition"));
    let xml = xml.text();
    judge::accepts_nfse(&xml, &app.ca_file());
    let dps = tenant.test.get(&path(&job, "xml_dps")).await;
    assert!(dps.header("content-disposition").contains("-DPS.xml"), "{}", dps.header("content-disposition"));
    judge::accepts_dps(&dps.text(), &app.ca_file());
    for tipo in ["pdf", "danfse"] {
        let pdf = tenant.test.get(&path(&job, tipo)).await;
        assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"));
    }
    let log = tenant.test.get(&path(&job, "log")).await.text();
    assert!(log.contains("SEFIN-NACIONAL"), "{log}");
    tenant.test.get(&path(&job, "xml_cancelamento")).await.refused(409, "arquivo_indisponivel");
    tenant.test.get(&path(&job, "escpos")).await.refused(404, "nao_encontrado");
    let preview = tenant.test.post("/v1/nfse/previa", &service()).await;
    assert_eq!((preview.status.as_u16(), preview.header("content-type")), (200, "application/pdf"));
    app.finish().await;
}

#[tokio::test]
async fn a_note_is_cancelled_by_its_job_or_its_key() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    for (referencia, by, motivo) in [("A1", "job_id", json!(2)), ("A2", "chave", Value::Null)] {
        let job = issued(&tenant, &another(referencia)).await;
        let value = if by == "job_id" { &job["job_id"] } else { &job["nota"]["chave"] };
        let mut body =
            json!({ "cpf_cnpj": NUMERIC, "justificativa": "Serviço que não foi prestado", "codigo_motivo": motivo });
        body[by] = value.clone();
        let accepted = tenant.test.post("/v1/nfse/cancelar", &body).await.ok(202);
        let cancelled = ended(&tenant.test, &accepted).await;
        assert_eq!(cancelled["status"], "completed", "{cancelled:#}");
        assert_eq!(cancelled["evento_fiscal"]["codigo"], "101101", "{cancelled:#}");
        let now = tenant.test.get(&format!("/v1/nfse/consultar/{}", job["job_id"].as_str().unwrap())).await.ok(200);
        assert_eq!(now["nota"]["status"], "cancelada");
        let xml = tenant.test.get(&path(&job, "xml_cancelamento")).await.text();
        assert!(xml.contains("e101101"), "{xml}");
        let pdf = tenant.test.get(&path(&job, "pdf")).await;
        assert_eq!(pdf.status.as_u16(), 200);
        tenant.test.post("/v1/nfse/cancelar", &body).await.refused(409, "estado_invalido");
    }
    let wrong = json!({ "cpf_cnpj": NUMERIC, "chave": "35", "justificativa": "curta", "codigo_motivo": 3 });
    let refusal = tenant.test.post("/v1/nfse/cancelar", &wrong).await.refused(422, "validacao");
    for campo in ["chave", "justificativa", "codigo_motivo"] {
        assert!(refusal["erros"].to_string().contains(&format!("\"campo\":\"{campo}\"")), "{refusal}");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_the_sefin_refuses_is_told_whole_and_what_stops_a_declaration_before() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let mut body = another("B1");
    body["nota"]["serv"]["cServ"]["cTribNac"] = json!("999999");
    let accepted = tenant.test.post("/v1/nfse/emitir", &body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "rejeitada", "{job:#}");
    let said = job["nota"]["rejeicoes"].as_array().unwrap();
    assert!(said.iter().any(|said| said["codigo_status"] == "E0310"), "{job:#}");
    assert_eq!(job["nota"]["codigo_status"], said[0]["codigo_status"]);
    assert_eq!((&job["nota"]["numero"], &job["nota"]["chave"]), (&Value::Null, &Value::Null));
    body["referencia_externa"] = "B2".into();
    body["nota"]["valores"] = json!({});
    body["nota"]["servisso"] = json!({});
    let refusal = tenant.test.post("/v1/nfse/emitir", &body).await.refused(422, "documento_invalido");
    assert!(refusal["erros"].to_string().contains("vServ"), "{refusal}");
    let told = tenant.test.post("/v1/nfse/verificar-campos", &body).await.ok(200);
    assert_eq!(told["valido"], json!(false));
    assert!(told["campos_desconhecidos"].to_string().contains("nota.servisso"), "{told}");
    app.finish().await;
}

/// A note of the company that is not known here has the number: it may be this sale's, so nothing is called rejected
/// until the account answers for it.
#[tokio::test]
async fn a_number_of_a_note_that_is_not_known_here_leaves_the_sale_in_doubt() {
    let app = TestApp::start().await;
    let (other, tenant) = (provider(&app).await, provider(&app).await);
    issued(&other, &service()).await;
    let mut body = another("D1");
    // of the same words in the same second it would be the same declaration
    body["nota"]["valores"]["vServ"] = json!(900);
    let accepted = tenant.test.post("/v1/nfse/emitir", &body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    let why = &job["erro_detalhe"];
    assert_eq!((&job["status"], &why["codigo"]), (&json!("failed"), &json!("em_duvida")), "{job:#}");
    assert_ne!(job["nota"]["status"], "rejeitada", "{job:#}");
    assert!(job["erro"].as_str().unwrap().contains("cópia restaurada"), "{job:#}");
    let next = issued(&tenant, &another("D2")).await;
    assert_eq!(next["nota"]["numero_dps"], 2);
    let again = format!("/v1/jobs/{}/reprocessar", job["job_id"].as_str().unwrap());
    tenant.test.post(&again, &json!({})).await.ok(202);
    let job = ended(&tenant.test, &job).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero_dps"]), (&json!("autorizada"), &json!(3)), "{job:#}");
    app.finish().await;
}

/// A key is of one note: the second one that is given it ends by that, and not as a mistake of ours again and again.
#[tokio::test]
async fn a_key_that_is_given_twice_ends_the_second_note_clearly() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let first = issued(&tenant, &another("K1")).await;
    let chave = first["nota"]["chave"].as_str().unwrap().to_owned();
    app.simulate(|settings| settings.nfse.chave_repetida = Some(chave.clone()));
    let job = ended(&tenant.test, &tenant.test.post("/v1/nfse/emitir", &another("K2")).await.ok(202)).await;
    let why = &job["erro_detalhe"];
    assert_eq!((&job["status"], &why["codigo"]), (&json!("failed"), &json!("chave_repetida")), "{job:#}");
    assert_eq!((&why["repetivel"], &job["nota"]["chave"]), (&json!(false), &Value::Null), "{job:#}");
    assert!(job["erro"].as_str().unwrap().contains(first["job_id"].as_str().unwrap()), "{job:#}");
    let again = format!("/v1/jobs/{}/reprocessar", job["job_id"].as_str().unwrap());
    tenant.test.post(&again, &json!({})).await.ok(202);
    assert_eq!(ended(&tenant.test, &job).await["erro_detalhe"]["codigo"], "chave_repetida");
    let kept = tenant.test.get(&format!("/v1/notas/{chave}")).await.ok(200);
    assert_eq!((&kept["job_id"], &kept["status"]), (&first["job_id"], &json!("autorizada")), "{kept}");
    app.simulate(|settings| settings.nfse.chave_repetida = None);
    let next = issued(&tenant, &another("K3")).await;
    assert_eq!(next["nota"]["numero_dps"], 3, "the number of the second one stays with it: {next:#}");
    app.finish().await;
}

/// The guide of the amounts: every line of its example is what the Sefin writes of the body that it shows.
#[tokio::test]
async fn the_arithmetic_of_the_guide_is_that_of_the_note() {
    let guide = include_str!("../../../../../../docs/guides/valores-da-nfse.md");
    let body = guide.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let app = TestApp::start().await;
    // the example is dated 2026
    app.stand_at("2026-11-23T10:00:00-03:00".parse().unwrap()).await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &serde_json::from_str(body).unwrap()).await;
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_nfse(&xml, &app.ca_file());
    let (_, table) = guide.split_once("| Na NFS-e | Conta | Valor |\n|---|---|---|\n").unwrap();
    let lines: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    for line in &lines {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (tag, amount) = (cells[0].trim_matches('`'), cells[2]);
        assert!(xml.contains(&format!("<{tag}>{amount}</{tag}>")), "{line}\n{xml}");
    }
    assert_eq!(lines.len(), 10);
    app.finish().await;
}

#[tokio::test]
async fn a_substitute_cancels_the_note_before_it_and_both_tell_their_addresses() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let first = issued(&tenant, &another("C1")).await;
    let mut body = another("C2");
    body["nota"]["subst"] =
        json!({ "chSubstda": first["nota"]["chave"], "cMotivo": "99", "xMotivo": "Correção da descrição do serviço" });
    let second = issued(&tenant, &body).await;
    let old = tenant.test.get(&format!("/v1/nfse/consultar/{}", first["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!(
        (&old["nota"]["status"], &old["nota"]["substituida_por"]),
        (&json!("cancelada"), &second["nota"]["chave"])
    );
    app.finish().await;
}
