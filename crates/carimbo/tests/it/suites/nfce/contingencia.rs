//! Offline contingency: a sale is handed out at once, transmitted when its authority works, and a rejection after that
//! is repaired.
//!
//! Law: MOC 7.0, anexo IV; `docs/contract.md`, "Emission" (`contingencia`, files) and "Webhooks".

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::retail::{configure, seller};

pub(super) fn is_given_out(job: &Value) -> bool {
    job["nota"]["tipo_emissao"] == 9 && job["arquivos"]["xml"].is_string() && job["nota"]["status"].is_null()
}

async fn sell(client: &Client) -> Value {
    client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202)
}

/// Offline emission requested by the caller.
fn offline() -> Value {
    let mut body = body::counter_sale(NUMERIC);
    body["nota"]["identificacao"]["tpEmis"] = json!(9);
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_is_given_out_while_its_authority_is_out_and_transmitted_when_it_works() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    app.sp_stops().await;
    let sales = [sell(&client).await, sell(&client).await, sell(&client).await];
    let mut keys = Vec::new();
    for sale in &sales {
        let job = job_when(&client, sale, |job| is_given_out(job) && job["status"] == "processing").await;
        let nota = &job["nota"];
        assert!(job["mensagem"].as_str().unwrap().contains("pode ser entregue"), "{job}");
        assert_eq!(
            (&nota["contingencia"]["tipo"], &nota["contingencia"]["transmitida_em"]),
            (&"offline".into(), &Value::Null)
        );
        assert!(nota["contingencia"]["justificativa"].as_str().unwrap().contains("109"), "{job}");
        let instant = |value: &Value| value.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
        let within = instant(&nota["contingencia"]["prazo_transmissao"]) - instant(&nota["data_emissao"]);
        assert!((86_400 - 60..=86_400 + 60).contains(&within), "{job}");
        let file = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
        let chave = nota["chave"].as_str().unwrap().to_owned();
        assert!(file.header("content-disposition").contains(&format!("{chave}-NFe.xml")));
        let xml = file.text();
        assert!(xml.contains("<tpEmis>9</tpEmis>") && xml.contains("<dhCont>") && !xml.contains("<protNFe"), "{xml}");
        assert!(xml.contains(nota["qrcode"].as_str().unwrap()));
        let form = judge::text_of_pdf(&client.get(job["arquivos"]["pdf"].as_str().unwrap()).await.bytes);
        // a receipt breaks its lines where the paper ends
        let form = form.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(form.contains("EMITIDA EM CONTINGÊNCIA") && form.contains("Via do Estabelecimento"), "{form}");
        let cancel = format!("/v1/jobs/{}/cancelar", job["job_id"].as_str().unwrap());
        client.post(&cancel, &json!({})).await.refused(409, "estado_invalido");
        keys.push(chave);
    }
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 0);
    app.sp_works().await;
    for (sale, chave) in sales.iter().zip(keys) {
        let job = ended(&client, sale).await;
        let nota = &job["nota"];
        assert_eq!((&nota["status"], &nota["chave"]), (&"autorizada".into(), &chave.into()), "{job}");
        assert_eq!(nota["contingencia"]["transmitida_em"], nota["data_autorizacao"]);
        let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
        judge::accepts_proc_nfe(&xml, &app.ca_file());
    }
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 3);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_to_be_offline_waits_for_nobody() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    configure(&client, NUMERIC, json!({ "contingencia": "nenhuma" })).await;
    app.sp_stops().await;
    let sales = [sell(&client).await, sell(&client).await];
    for sale in &sales {
        let waits = |job: &Value| job["erro"].as_str().is_some_and(|erro| erro.contains("espera"));
        let job = job_when(&client, sale, waits).await;
        assert_eq!(job["arquivos"]["xml"], Value::Null, "a company without contingency waits: {job}");
    }
    let asked = client.post("/v1/nfce/emitir", &offline()).await.ok(202);
    let job = job_when(&client, &asked, is_given_out).await;
    assert_eq!(job["nota"]["contingencia"]["justificativa"], "Sem comunicacao com a SEFAZ autorizadora");
    app.sp_works().await;
    for sale in sales.iter().chain([&asked]) {
        assert_eq!(ended(&client, sale).await["nota"]["status"], "autorizada");
    }
    app.finish().await;
}

/// A sale of the last night of 2026 keeps key and rates of the year of its `dhEmi`, whenever it is transmitted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_offline_sale_of_2026_is_authorised_in_2027_with_the_rates_of_2026() {
    let app = TestApp::start().await;
    app.stand_at("2026-12-31T23:50:00-03:00".parse().unwrap()).await;
    let client = seller(&app).await.test;
    let part = |rate: &str| json!({ "valor_bc": 100, "aliquota": rate, "valor": rate });
    let mut sale = offline();
    sale["nota"]["produtos"][0]["ibscbs"] = json!({ "cst": "000", "classificacao": "000001",
        "ibs_uf": part("0.10"), "ibs_mun": part("0.00"), "cbs": part("0.90") });
    app.sp_stops().await;
    let asked = client.post("/v1/nfce/emitir", &sale).await.ok(202);
    let chave = job_when(&client, &asked, is_given_out).await["nota"]["chave"].clone();
    assert_eq!(&chave.as_str().unwrap()[2..6], "2612");
    app.stand_at("2027-01-01T00:30:00-03:00".parse().unwrap()).await;
    app.sp_works().await;
    let job = ended(&client, &asked).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["chave"]), (&"autorizada".into(), &chave), "{job}");
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(xml.contains("<dhEmi>2026-12-31T23:") && xml.contains("<pIBSUF>0.1000</pIBSUF>"), "{xml}");
    sale["nota"]["identificacao"].as_object_mut().unwrap().remove("tpEmis");
    let next = client.post("/v1/nfce/emitir", &sale).await.ok(202);
    assert_eq!(
        ended(&client, &next).await["nota"]["codigo_status"],
        1026,
        "a sale of January has the rates of January"
    );
    app.finish().await;
}

#[tokio::test]
async fn a_rejection_after_the_sale_was_given_out_is_repaired_under_the_same_key() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let mut refused = offline();
    refused["nota"]["produtos"] = json!([body::item("100.00"), body::item("100.00")]);
    refused["nota"]["produtos"][1]["xProd"] = json!("Lápis [SIM:cStat=778]");
    refused["nota"]["pagamentos"][0]["vPag"] = body::number("200.00");
    let accepted = client.post("/v1/nfce/emitir", &refused).await.ok(202);
    let rejected = ended(&client, &accepted).await;
    let chave = rejected["nota"]["chave"].clone();
    assert_eq!(
        (&rejected["nota"]["status"], &rejected["nota"]["codigo_status"], &rejected["nota"]["numero"]),
        (&"rejeitada".into(), &778.into(), &1.into()),
        "{rejected}"
    );
    assert!(rejected["mensagem"].as_str().unwrap().contains("mesmo nNF"), "{rejected}");
    // no other document gets the number by chance
    let next = ended(&client, &sell(&client).await).await;
    assert_eq!((&next["nota"]["status"], &next["nota"]["numero"]), (&"autorizada".into(), &2.into()), "{next}");
    let mut repaired = refused.clone();
    repaired["nota"]["produtos"][1]["xProd"] = json!("Lápis");
    repaired["nota"]["identificacao"]["nNF"] = json!(1);
    let mut other = repaired.clone();
    other["nota"]["produtos"][1]["vProd"] = body::number("110.00");
    other["nota"]["produtos"][1]["vUnCom"] = body::number("5.50");
    other["nota"]["destinatario"] = json!({ "CNPJCPF": "529.982.247-25" });
    let told = client.post("/v1/nfce/emitir", &other).await.refused(422, "documento_invalido");
    let campos: Vec<&str> =
        told["erros"].as_array().unwrap().iter().map(|one| one["campo"].as_str().unwrap()).collect();
    assert_eq!(campos, ["nota.total.vNF", "nota.destinatario"], "{told}");
    assert!(told["erros"].as_array().unwrap().iter().all(|one| one["codigo"] == "valor_divergente"), "{told}");
    let job = ended(&client, &client.post("/v1/nfce/emitir", &repaired).await.ok(202)).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["chave"]), (&"autorizada".into(), &chave), "{job}");
    assert_eq!((&job["nota"]["numero"], &job["nota"]["data_emissao"]), (&1.into(), &rejected["nota"]["data_emissao"]));
    let before = client.get(rejected["consulta"].as_str().unwrap()).await.ok(200);
    assert_eq!((&before["nota"]["status"], &before["nota"]["chave"]), (&"rejeitada".into(), &Value::Null));
    let by_key = client.get(&format!("/v1/notas/{}", chave.as_str().unwrap())).await.ok(200);
    assert_eq!(by_key["job_id"], job["job_id"], "{by_key}");
    repaired["nota"]["identificacao"]["nNF"] = json!(1);
    let taken = ended(&client, &client.post("/v1/nfce/emitir", &repaired).await.ok(202)).await;
    assert_eq!(taken["erro_detalhe"]["codigo"], "numero_em_uso", "{taken}");
    app.finish().await;
}
