//! `/v1/cte/recebidos…` and the distribution of CT-e: a carrier issues, and every party with a role in the service
//! finds the document.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::issued;
use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::{Answer, Client};
use crate::support::judge;
use crate::support::received::{asked, chave, keys};
use crate::support::transports::{cargo, carrier, passengers};

const LIST: &str = "/v1/cte/recebidos";
const SYNC: &str = "/v1/cte/recebidos/sincronizar";
const SERVICE: &str = "CTeDistribuicaoDFe";

/// A carrier, and another company that sends and pays.
struct Scene {
    app: TestApp,
    carrier: Tenant,
    payer: Tenant,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::start().await;
        let (carrier, payer) = (carrier(&app).await, app.issuer(ALPHANUMERIC).await);
        Scene { app, carrier, payer }
    }
    /// Issues a transport; returns its job and its file.
    async fn carry(&self, body: &Value) -> (Value, String) {
        issued(&self.carrier, body).await
    }
    async fn sync(&self) -> Answer {
        self.payer.test.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await
    }
    /// Makes an act of the carrier on a transport; it must be registered.
    async fn act(&self, path: &str, job: &Value, said: Value) {
        let mut request = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"] });
        request.as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
        let accepted = self.carrier.test.post(path, &request).await.ok(202);
        let ended = ended(&self.carrier.test, &accepted).await;
        assert_eq!(ended["evento_fiscal"]["codigo_status"], 135, "{ended:#}");
    }
    async fn asked(&self, service: &str) -> u64 {
        asked(&self.app, service).await
    }
    async fn never_undue(&self) {
        let requests = self.app.control.get("/_sim/requisicoes").await.ok(200);
        for code in ["\"cStat\":656", "\"cStat\":678"] {
            assert!(!requests.to_string().contains(code), "{requests}");
        }
    }
}

/// Returns the body under another reference.
fn another(mut body: Value, reference: &str) -> Value {
    body["referencia_externa"] = json!(reference);
    body
}

async fn list(client: &Client, query: &str) -> Vec<String> {
    keys(client, LIST, query).await
}

#[tokio::test]
async fn what_a_carrier_issues_is_fetched_by_who_pays_listed_and_downloaded() {
    let scene = Scene::start().await;
    let ((goods, own), (people, _)) = (scene.carry(&cargo()).await, scene.carry(&passengers()).await);
    let client = &scene.payer.test;
    let quota = client.get("/v1/cotas").await.text();
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["codigo_status"], &synced["notas_novas"]), (&138.into(), &2.into()), "{synced}");
    assert_eq!((&synced["ult_nsu"], &synced["completo"]), (&2.into(), &true.into()), "{synced}");
    let (first, second) = (chave(&goods["nota"]), chave(&people["nota"]));
    assert_eq!(list(client, "").await, [second.as_str(), first.as_str()]);
    for (query, found) in [
        ("papel=tomador", 2),
        ("papel=remetente", 1),
        ("papel=destinatario", 0),
        ("papel=autorizado", 0),
        (&format!("emitente={NUMERIC}&cpf_cnpj={ALPHANUMERIC}&situacao=autorizada&de=2020-01-01"), 2),
        (&format!("chave={first}&ambiente=homologacao"), 1),
        ("situacao=cancelada", 0),
        ("ate=2020-01-01", 0),
        ("ambiente=producao", 0),
    ] {
        assert_eq!(list(client, query).await.len(), found, "{query}");
    }
    let bad = client.get(&format!("{LIST}?papel=x&situacao=denegada&limite=101&chave=1&de=x")).await;
    assert_eq!(bad.refused(400, "requisicao_invalida")["erros"].as_array().unwrap().len(), 5);

    let cte = client.get(&format!("{LIST}/{first}")).await.ok(200);
    assert_eq!(cte["papeis"], json!(["remetente", "tomador"]));
    assert_eq!((&cte["emitente"]["cpf_cnpj"], &cte["tomador"]), (&NUMERIC.into(), &ALPHANUMERIC.into()), "{cte}");
    assert_eq!((&cte["modelo"], &cte["modal"], &cte["tpServ"]), (&57.into(), &"01".into(), &"0".into()));
    assert_eq!((&cte["valor_total"], &cte["numero"]), (&body::number("150.00"), &goods["nota"]["numero"]));
    assert_eq!((&cte["protocolo"], &cte["eventos"]), (&goods["nota"]["protocolo"], &json!([])));
    let xml = client.get(cte["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-disposition").contains(&format!("{first}-procCTe.xml")));
    judge::accepts_proc_cte(&xml.text(), &scene.app.ca_file());
    let signed = |text: &str| text.split_once("<infCte").unwrap().1.split_once("</CTe>").unwrap().0.to_owned();
    assert_eq!(signed(&xml.text()), signed(&own), "byte for byte as it was issued");
    let os = client.get(&format!("{LIST}/{second}?cpf_cnpj={ALPHANUMERIC}")).await.ok(200);
    assert_eq!((&os["modelo"], &os["papeis"]), (&67.into(), &json!(["tomador"])), "{os}");
    judge::accepts_proc_cte_os(&client.get(&format!("{LIST}/{second}/xml")).await.text(), &scene.app.ca_file());
    assert_eq!(client.get("/v1/cotas").await.text(), quota, "nothing is debited");

    // no other tenant sees it, the carrier included, nor does the route of notes show it
    for stranger in [&scene.carrier.test, &scene.app.tenant().await.test] {
        assert!(list(stranger, "").await.is_empty());
        stranger.get(&format!("{LIST}/{first}")).await.refused(404, "nao_encontrado");
        stranger.get(&format!("{LIST}/{first}/xml")).await.refused(404, "nao_encontrado");
    }
    client.get(&format!("/v1/nfe/recebidas/{first}")).await.refused(404, "nao_encontrado");
    client.get(&format!("/v1/nfe/recebidas/{first}/xml")).await.refused(404, "nao_encontrado");
    assert_eq!(client.get("/v1/nfe/recebidas").await.ok(200)["total"], 0);
    scene.app.finish().await;
}

#[tokio::test]
async fn its_events_follow_and_a_cancelled_one_shows_so() {
    let scene = Scene::start().await;
    let ((kept, _), (ended_one, _)) = (scene.carry(&cargo()).await, scene.carry(&another(cargo(), "CTE2")).await);
    assert_eq!(scene.sync().await.ok(200)["notas_novas"], 2);
    let correction =
        json!({ "correcoes": [{ "grupo": "compl", "campo": "xObs", "valor": "Entregar pela rua lateral" }] });
    scene.act("/v1/cte/carta-correcao", &kept, correction).await;
    scene.act("/v1/cte/cancelar", &ended_one, json!({ "justificativa": "Serviço não prestado ao cliente" })).await;
    // the payer answers a transport that it found here
    let client = &scene.payer.test;
    let (first, second) = (chave(&kept["nota"]), chave(&ended_one["nota"]));
    let disagreement = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": first, "tipo": "desacordo", "dados": { "xObs": "O valor não é o combinado" } });
    let job = ended(client, &client.post("/v1/cte/eventos", &disagreement).await.ok(202)).await;
    assert_eq!(job["evento_fiscal"]["codigo_status"], 135, "{job:#}");
    scene.app.forward(3_700).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["documentos_novos"], &synced["notas_novas"]), (&2.into(), &0.into()), "{synced}");
    assert_eq!(list(client, "situacao=cancelada").await, std::slice::from_ref(&second));
    assert_eq!(list(client, "situacao=autorizada").await, std::slice::from_ref(&first));
    let events = async |key: &str| {
        let cte = client.get(&format!("{LIST}/{key}")).await.ok(200);
        let events = cte["eventos"].as_array().unwrap().clone();
        (cte["situacao"].clone(), events)
    };
    let (situacao, corrected) = events(&first).await;
    assert_eq!((&situacao, &corrected[0]["tipo_evento"]), (&"autorizada".into(), &"110110".into()), "{corrected:?}");
    assert_eq!((corrected.len(), &corrected[0]["autor"]), (1, &NUMERIC.into()), "its own word is not handed out to it");
    let (situacao, cancelled) = events(&second).await;
    assert_eq!((&situacao, &cancelled[0]["descricao"]), (&"cancelada".into(), &"Cancelamento".into()), "{cancelled:?}");
    assert!(cancelled[0]["protocolo"].is_string() && cancelled[0]["tipo"] == "completo");
    scene.never_undue().await;
    scene.app.finish().await;
}

#[tokio::test]
async fn before_its_time_nothing_is_asked_and_notes_have_a_time_of_their_own() {
    let scene = Scene::start().await;
    assert_eq!(scene.sync().await.ok(200)["codigo_status"], 137);
    scene.carry(&cargo()).await;
    let refused = scene.sync().await;
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((3_500..=3_660).contains(&wait), "{wait}");
    assert!(refused.refused(429, "muitas_requisicoes")["proxima_em"].is_string());
    assert_eq!(scene.asked(SERVICE).await, 1, "what may not be asked is not asked");
    let notes = scene.payer.test.post("/v1/nfe/recebidas/sincronizar", &json!({ "cpf_cnpj": ALPHANUMERIC })).await;
    assert_eq!(notes.ok(200)["codigo_status"], 137);
    scene.app.forward(wait + 1).await;
    // a lost reply may have been the last one allowed in the hour
    let fault = json!({ "servico": SERVICE, "tipo": "reset_after", "vezes": 1 });
    scene.app.control.post("/_sim/falhas", &fault).await.ok(201);
    let down = scene.sync().await;
    let wait: i64 = down.header("retry-after").parse().unwrap();
    assert!(wait > 3_500, "{wait}");
    down.refused(503, "indisponivel");
    scene.sync().await.refused(429, "muitas_requisicoes");
    scene.app.forward(wait + 1).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["notas_novas"], &synced["ult_nsu"]), (&1.into(), &1.into()), "{synced}");
    scene.never_undue().await;
    scene.app.finish().await;
}

#[tokio::test]
async fn one_document_is_asked_for_by_its_number_and_never_by_its_key() {
    let scene = Scene::start().await;
    let (job, _) = scene.carry(&cargo()).await;
    let client = &scene.payer.test;
    let ask = async |nsu: u64| client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC, "nsu": nsu })).await;
    let by_key = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave(&job["nota"]) });
    let refused = client.post(SYNC, &by_key).await.refused(422, "validacao");
    let why = refused["detail"].as_str().unwrap();
    assert!(why.contains("CT-e não se pede pela chave") && why.contains("nsu"), "{refused}");
    assert_eq!(scene.asked(SERVICE).await, 0);
    let found = ask(1).await.ok(200);
    assert_eq!((&found["codigo_status"], &found["notas_novas"]), (&138.into(), &1.into()), "{found}");
    assert_eq!(ask(7).await.refused(422, "validacao")["codigo_status"], 589);
    for _ in 2..20 {
        ask(1).await.ok(200);
    }
    assert!(ask(1).await.header("retry-after").parse::<i64>().unwrap() > 3_000);
    assert_eq!(scene.asked(SERVICE).await, 20);
    // the notes have their own limit of twenty
    let note = json!({ "cpf_cnpj": ALPHANUMERIC, "nsu": 7 });
    client.post("/v1/nfe/recebidas/sincronizar", &note).await.refused(422, "validacao");
    assert_eq!(list(client, "").await, [chave(&job["nota"])]);
    scene.app.finish().await;
}

#[tokio::test]
async fn who_may_only_see_a_transport_is_handed_it_without_the_keys_of_others() {
    let scene = Scene::start().await;
    let third = scene.app.issuer("98765432000198").await;
    let mut body = cargo();
    body["nota"]["autXML"] = json!(["98765432000198"]);
    let (job, own) = scene.carry(&body).await;
    let (key, delivered) = (chave(&job["nota"]), "35261112ABC34501DE35550010000000011847362511");
    assert!(own.contains(delivered), "{own}");
    third.test.post(SYNC, &json!({ "cpf_cnpj": "98765432000198" })).await.ok(200);
    let cte = third.test.get(&format!("{LIST}/{key}")).await.ok(200);
    assert_eq!(cte["papeis"], json!(["autorizado"]), "{cte}");
    assert_eq!(list(&third.test, "papel=autorizado").await, std::slice::from_ref(&key));
    let xml = third.test.get(&format!("{LIST}/{key}/xml")).await.text();
    assert!(!xml.contains(delivered) && xml.contains(&"9".repeat(44)) && xml.contains(&key), "{xml}");
    scene.app.finish().await;
}

/// Waits until the payer has so many.
async fn until(scene: &Scene, transports: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while list(&scene.payer.test, "").await.len() < transports {
        assert!(Instant::now() < deadline, "the transports do not come");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn switched_on_for_its_type_it_is_fetched_in_the_background() {
    let scene = Scene::start().await;
    let client = &scene.payer.test;
    let path = format!("/v1/empresas/{ALPHANUMERIC}/distribuicao");
    let of_transport = format!("{path}?tipo=cte");
    let off = client.get(&of_transport).await.ok(200);
    assert_eq!((&off["ativa"], &off["tipo"], &off["ult_nsu"]), (&false.into(), &"cte".into(), &0.into()), "{off}");
    scene.carry(&cargo()).await;
    let on = client.put(&path, &json!({ "ativa": true, "tipo": "cte" })).await.ok(200);
    assert_eq!((&on["ativa"], &on["tipo"], &on["ambiente"]), (&true.into(), &"cte".into(), &"homologacao".into()));
    until(&scene, 1).await;
    // without a type it is of the notes, as it always was
    let notes = client.get(&path).await.ok(200);
    assert_eq!(
        (&notes["ativa"], &notes["tipo"], &notes["ult_nsu"]),
        (&false.into(), &"nfe".into(), &0.into()),
        "{notes}"
    );
    assert_eq!(scene.asked("NFeDistribuicaoDFe").await, 0);
    let after = client.get(&of_transport).await.ok(200);
    assert_eq!((&after["ult_nsu"], &after["codigo_status"]), (&1.into(), &138.into()), "{after}");
    scene.carry(&another(cargo(), "CTE2")).await;
    scene.app.forward(3_700).await;
    until(&scene, 2).await;
    let off = client.put(&path, &json!({ "ativa": false, "tipo": "cte" })).await.ok(200);
    assert_eq!(off["ativa"], false);
    scene.never_undue().await;
    scene.app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_at_once_one_asks_and_none_is_called_undue() {
    let scene = Scene::start().await;
    scene.carry(&cargo()).await;
    let (mut asking, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let client = scene.payer.test.clone();
        asking.push(tokio::spawn(async move {
            let answer = client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await;
            answer.status.as_u16()
        }));
    }
    for one in asking {
        answers.push(one.await.unwrap());
    }
    answers.sort_unstable();
    assert_eq!((answers[0], &answers[1..]), (200, &[429; 9][..]));
    assert_eq!(scene.asked(SERVICE).await, 1);
    scene.never_undue().await;
    scene.app.finish().await;
}

#[tokio::test]
async fn the_requests_are_checked_whole() {
    let scene = Scene::start().await;
    let client = &scene.payer.test;
    client.post(SYNC, &json!({})).await.refused(400, "campo_obrigatorio");
    let both = json!({ "cpf_cnpj": ALPHANUMERIC, "nsu": 0, "chave": "1".repeat(44) });
    assert_eq!(client.post(SYNC, &both).await.refused(422, "validacao")["erros"].as_array().unwrap().len(), 2);
    client.post(SYNC, &json!({ "cpf_cnpj": NUMERIC })).await.refused(404, "nao_encontrado");
    client.get(&format!("{LIST}/123")).await.refused(404, "nao_encontrado");
    let path = format!("/v1/empresas/{ALPHANUMERIC}/distribuicao");
    client.get(&format!("{path}?tipo=nfce")).await.refused(400, "requisicao_invalida");
    client.put(&path, &json!({ "ativa": true, "tipo": "nfce" })).await.refused(422, "validacao");
    client.put(&path, &json!({ "ativa": true, "tipo": 1 })).await.refused(400, "requisicao_invalida");
    client.post("/v1/empresas", &body::company("98765432000198")).await.ok(201);
    let bare = json!({ "cpf_cnpj": "98765432000198" });
    let unconfigured = client.post(SYNC, &bare).await.refused(422, "empresa_sem_configuracao");
    assert!(unconfigured["detail"].as_str().unwrap().contains("/cte"), "{unconfigured}");
    // a recipient of transports need not be a carrier: a configuration of notes names its place, or one of CT-e alone
    client.put("/v1/empresas/98765432000198/cte", &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    client.post(SYNC, &bare).await.refused(422, "certificado_invalido");
    assert_eq!(scene.asked(SERVICE).await, 0);
    scene.app.finish().await;
}

#[tokio::test]
async fn many_come_in_lots_and_none_twice() {
    let scene = Scene::start().await;
    let mut accepted = Vec::new();
    for number in 0..53 {
        let body = another(cargo(), &format!("LOTE{number}"));
        accepted.push(scene.carrier.test.post("/v1/cte/emitir", &body).await.ok(202));
    }
    let mut keys = Vec::new();
    for one in &accepted {
        keys.push(chave(&ended(&scene.carrier.test, one).await["nota"]));
    }
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["notas_novas"], &synced["ult_nsu"]), (&53.into(), &53.into()), "{synced}");
    assert_eq!(scene.asked(SERVICE).await, 2, "a lot holds fifty");
    let page = scene.payer.test.get(&format!("{LIST}?limite=100")).await.ok(200);
    let mut received: Vec<String> = page["notas"].as_array().unwrap().iter().map(chave).collect();
    received.sort();
    keys.sort();
    assert_eq!(received, keys);
    scene.app.finish().await;
}
