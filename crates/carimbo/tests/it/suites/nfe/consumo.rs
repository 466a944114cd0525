//! Undue use (656): many requests for one key, over every route that queries an authority, never cause it.
//!
//! Law: MOC 7.0, "consumo indevido"; the simulator counts and answers 656 beyond the limits.

use serde_json::{Value, json};

use crate::support::app::{TestApp, issued, job_when};
use crate::support::body::{self, NUMERIC};

/// Above every limit.
const OFTEN: usize = 45;

async fn answered(app: &TestApp) -> Vec<Value> {
    let requests = app.control.get("/_sim/requisicoes").await.ok(200);
    requests["requisicoes"].as_array().unwrap().clone()
}

fn count(requests: &[Value], servico: &str) -> usize {
    requests.iter().filter(|one| one["servico"] == servico).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hammering_one_key_over_every_route_never_earns_a_656() {
    let mut app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    let (id, chave) = (note["job_id"].as_str().unwrap(), note["nota"]["chave"].as_str().unwrap());
    // every event of this note is refused alike
    let refused = json!({ "servico": "NFeRecepcaoEvento4", "tipo": "cstat", "cStat": 501, "vezes": 10_000 });
    app.control.post("/_sim/falhas", &refused).await.ok(201);
    // a second note keeps an unknown outcome: the authority has other bytes under its key
    let other = json!({ "servico": "NFeAutorizacao4", "tipo": "wrong_digval", "vezes": 1 });
    app.control.post("/_sim/falhas", &other).await.ok(201);
    let doubtful = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!(doubtful["erro_detalhe"]["codigo"], "protocolo_divergente", "{doubtful}");
    let wrong = json!({ "servico": "NFeConsultaProtocolo4", "tipo": "wrong_digval", "vezes": 10_000 });
    app.control.post("/_sim/falhas", &wrong).await.ok(201);
    let reprocess = format!("/v1/jobs/{}/reprocessar", doubtful["job_id"].as_str().unwrap());
    let cancel = json!({ "cpf_cnpj": NUMERIC, "chave": chave, "justificativa": "Pedido cancelado pelo cliente" });
    let correct = json!({ "cpf_cnpj": NUMERIC, "chave": chave, "correcao": "O peso bruto correto é 12,5 kg" });
    let sync = json!({ "cpf_cnpj": NUMERIC });
    let point = json!({ "cpf_cnpj": NUMERIC, "chave": chave });
    let mut jobs = Vec::new();
    for _ in 0..OFTEN {
        client.get(&format!("/v1/nfe/consultar/{id}")).await.ok(200);
        client.get(&format!("/v1/nfe/{id}/eventos")).await.ok(200);
        client.get(&format!("/v1/notas/{chave}")).await.ok(200);
        // while it is under way, an equal request gets its job
        let cancelled = client.post("/v1/nfe/cancelar", &cancel).await;
        assert!(matches!(cancelled.status.as_u16(), 200 | 202), "{}", cancelled.text());
        jobs.push(cancelled.json());
        // a note has at most twenty corrections, waiting ones included
        let corrected = client.post("/v1/nfe/carta-correcao", &correct).await;
        jobs.extend((corrected.status.as_u16() == 202).then(|| corrected.json()));
        client.post(&reprocess, &json!({})).await.refused(409, "estado_invalido");
        client.post("/v1/nfe/recebidas/sincronizar", &sync).await;
        client.post("/v1/nfe/recebidas/sincronizar", &point).await;
        client.get("/v1/nfe/cadastro?uf=SP&cnpj=60701190000104").await;
        client.get("/v1/nfe/status-servico?uf=SP").await.ok(200);
        client.get("/status").await;
    }
    for job in &jobs {
        let limited = |job: &Value| job["erro_detalhe"]["codigo"] == "limite_de_consultas";
        let over = |job: &Value| limited(job) || !matches!(job["status"].as_str(), Some("pending" | "processing"));
        job_when(&client, job, over).await;
    }
    let requests = answered(&app).await;
    assert_eq!(
        count(&requests, "NFeConsultaProtocolo4"),
        8,
        "what an hour takes but for the two that are a doubtful note's own"
    );
    assert_eq!(count(&requests, "CadConsultaCadastro4"), 35);
    // the status service again and again, as its three minutes allow
    for _ in 0..OFTEN {
        app.forward(181).await;
        client.get("/v1/nfe/status-servico?uf=SP").await;
    }
    let requests = answered(&app).await;
    let undue: Vec<&Value> = requests.iter().filter(|one| one["cStat"] == 656).collect();
    assert_eq!(undue, Vec::<&Value>::new());
    for (servico, least) in [("NFeRecepcaoEvento4", 40), ("NFeDistribuicaoDFe", 2), ("NFeStatusServico4", 40)] {
        assert!(count(&requests, servico) >= least, "{servico} was hardly asked: {}", count(&requests, servico));
    }
    app.stop().await;
}
