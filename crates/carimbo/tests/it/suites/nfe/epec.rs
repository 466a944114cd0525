//! EPEC: while its authority is out, a company configured for it registers its notes at the Ambiente Nacional, hands
//! them out, and transmits them under the same key afterwards.
//!
//! Law: MOC 7.0, anexo III, 2.1.4; NT 2014.001 v1.30.

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;

async fn announcer(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    let kept = tenant.test.put(&path, &json!({ "contingencia": "epec" })).await.ok(200);
    assert_eq!(kept["contingencia"], "epec");
    tenant
}

/// Issues two notes: a single failure does not show an outage.
async fn issue(client: &Client) -> [Value; 2] {
    let one = async || client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    [one().await, one().await]
}

fn is_announced(job: &Value) -> bool {
    job["nota"]["contingencia"]["protocolo_epec"].is_string()
}

async fn events(app: &TestApp) -> Vec<Value> {
    let requests = app.control.get("/_sim/requisicoes").await.ok(200);
    let requests = requests["requisicoes"].as_array().unwrap();
    requests.iter().filter(|one| one["servico"] == "NFeRecepcaoEvento4").cloned().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_is_announced_given_out_and_transmitted_under_the_same_key() {
    let app = TestApp::start().await;
    let client = announcer(&app).await.test;
    app.sp_stops().await;
    let notes = issue(&client).await;
    let mut keys = Vec::new();
    for note in &notes {
        let job = job_when(&client, note, is_announced).await;
        let nota = &job["nota"];
        assert_eq!(
            (&job["status"], &nota["status"], &nota["tipo_emissao"]),
            (&"processing".into(), &Value::Null, &4.into()),
            "{job}"
        );
        assert_eq!(
            (&nota["contingencia"]["tipo"], &nota["contingencia"]["autoridade"]),
            (&"epec".into(), &"AN".into())
        );
        assert!(nota["contingencia"]["protocolo_epec"].as_str().unwrap().starts_with("891"), "{job}");
        let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
        assert!(xml.contains("<tpEmis>4</tpEmis>") && xml.contains("<xJust>") && !xml.contains("<protNFe"), "{xml}");
        let form = judge::text_of_pdf(&client.get(job["arquivos"]["pdf"].as_str().unwrap()).await.bytes);
        let (protocol, today) =
            (nota["contingencia"]["protocolo_epec"].as_str().unwrap(), nota["data_emissao"].as_str());
        let day = today.map_or_else(String::new, |day| format!("{}/{}/{}", &day[8..10], &day[5..7], &day[..4]));
        let told = format!("{protocol} - {day}");
        let at = form.find(&told).unwrap_or_else(|| panic!("{told:?} is not in {form}"));
        // and the time of day
        let time = form[at + format!("{protocol} - ").len()..].get(10..19).unwrap_or_default();
        assert_eq!(time.matches(':').count(), 2, "{form}");
        keys.push(nota["chave"].clone());
    }
    let answered: Vec<Value> = events(&app).await.iter().map(|one| json!([one["autoridade"], one["cStat"]])).collect();
    assert_eq!(answered, [json!(["an", 136]), json!(["an", 136])]);
    app.sp_works().await;
    for (note, chave) in notes.iter().zip(keys) {
        let job = ended(&client, note).await;
        assert_eq!((&job["nota"]["status"], &job["nota"]["chave"]), (&"autorizada".into(), &chave), "{job}");
        let there = app.control.get(&format!("/_sim/documentos/{}", chave.as_str().unwrap())).await.ok(200);
        assert_eq!(there["eventos"][0]["tpEvento"], "110140", "{there}");
        let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
        judge::accepts_proc_nfe(&xml, &app.ca_file());
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_epec_whose_answer_is_lost_is_known_by_its_repetition() {
    let app = TestApp::start().await;
    let client = announcer(&app).await.test;
    let lost = json!({ "servico": "NFeRecepcaoEvento4", "tipo": "reset_after", "vezes": 2 });
    app.control.post("/_sim/falhas", &lost).await.ok(201);
    app.sp_stops().await;
    let notes = issue(&client).await;
    for note in &notes {
        job_when(&client, note, is_announced).await;
    }
    assert!(events(&app).await.iter().any(|one| one["cStat"] == 573));
    app.sp_works().await;
    for note in &notes {
        assert_eq!(ended(&client, note).await["nota"]["status"], "autorizada");
    }
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 2);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_whose_epec_is_refused_is_not_given_out_and_goes_the_normal_way() {
    let app = TestApp::start().await;
    let client = announcer(&app).await.test;
    let blocked = json!({ "ie": ["110042490114"], "epec_bloqueado": true });
    let put = app.control.put(&format!("/_sim/contribuintes/{NUMERIC}"), &blocked).await;
    assert_eq!(put.status.as_u16(), 200, "{}", put.text());
    app.sp_stops().await;
    let notes = issue(&client).await;
    for note in &notes {
        let job = job_when(&client, note, |job| job["erro_detalhe"]["codigo"] == "epec_recusado").await;
        assert!(job["erro"].as_str().unwrap().contains("142"), "{job}");
        assert_eq!((&job["arquivos"]["xml"], &job["status"]), (&Value::Null, &"pending".into()));
    }
    app.sp_works().await;
    for note in &notes {
        let job = ended(&client, note).await;
        assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &1.into()), "{job}");
    }
    app.finish().await;
}
