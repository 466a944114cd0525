//! `POST /v1/nfce/emitir`, `GET /v1/nfce/consultar/{id}`, `GET /v1/nfce/{id}/file/{tipo}`.

use fiscal::value::TpAmb;
use serde_json::{Value, json};
use store::audit::Actor;
use store::quotas::Familia;

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC, number};
use crate::support::judge;
use crate::support::retail::{CSC, seller};

#[tokio::test]
async fn a_sale_at_the_counter_is_completed_coded_and_authorised() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let mut body = body::counter_sale(NUMERIC);
    body["referencia_externa"] = json!("BALCAO1");
    body["nota"]["pagamentos"][0]["vPag"] = number("120.00");
    let accepted = client.post("/v1/nfce/emitir", &body).await.ok(202);
    assert_eq!(accepted["consulta"], format!("/v1/nfce/consultar/{}", accepted["job_id"].as_str().unwrap()));
    let avisos: Vec<&str> =
        accepted["avisos"].as_array().unwrap().iter().map(|aviso| aviso["codigo"].as_str().unwrap()).collect();
    assert!(avisos.contains(&"texto_de_homologacao"), "{avisos:?}");
    let job = ended(&client, &accepted).await;
    let nota = &job["nota"];
    assert_eq!(
        (&job["tipo"], &nota["status"], &nota["modelo"]),
        (&"nfce".into(), &"autorizada".into(), &65.into()),
        "{job}"
    );
    assert_eq!((&nota["tipo_emissao"], &nota["contingencia"]), (&1.into(), &Value::Null));
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_proc_nfe(&xml, &app.ca_file());
    for written in [
        "<mod>65</mod>",
        "<tpNF>1</tpNF><idDest>1</idDest>",
        "<tpImp>4</tpImp>",
        "<indFinal>1</indFinal><indPres>1</indPres>",
        "<modFrete>9</modFrete>",
        "<vTroco>20.00</vTroco>",
        "</infNFe><infNFeSupl><qrCode>",
        "<urlChave>https://www.homologacao.nfce.fazenda.sp.gov.br/NFCeConsultaPublica</urlChave></infNFeSupl><Signature",
    ] {
        assert!(xml.contains(written), "{written} in {xml}");
    }
    assert!(!xml.contains("<dest>") && !xml.contains(CSC));
    let code = nota["qrcode"].as_str().unwrap();
    assert!(xml.contains(&format!("<qrCode>{code}</qrCode>")), "{code}");
    assert_eq!(nota["url_chave"], "https://www.homologacao.nfce.fazenda.sp.gov.br/NFCeConsultaPublica");
    let again = client.post("/v1/nfce/emitir", &body).await.ok(200);
    assert_eq!((&again["idempotente"], &again["job_id"]), (&true.into(), &job["job_id"]));
    app.finish().await;
}

#[tokio::test]
async fn files_and_queries_know_their_own_document_type_only() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let accepted = client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    let nfce = ended(&client, &accepted).await;
    let nfe = issued(&client, &body::emission(NUMERIC)).await;
    let id = |job: &Value| job["job_id"].as_str().unwrap().to_owned();
    for (tipo, own, other) in [("nfce", id(&nfce), id(&nfe)), ("nfe", id(&nfe), id(&nfce))] {
        assert_eq!(client.get(&format!("/v1/{tipo}/consultar/{own}")).await.ok(200)["tipo"], tipo);
        client.get(&format!("/v1/{tipo}/consultar/{other}")).await.refused(404, "nao_encontrado");
        client.get(&format!("/v1/{tipo}/{other}/file/xml")).await.refused(404, "nao_encontrado");
        let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": other, "justificativa": "Venda desfeita pelo cliente" });
        client.post(&format!("/v1/{tipo}/cancelar"), &cancel).await.refused(422, "validacao");
    }
    let file = |kind: &str| format!("/v1/nfce/{}/file/{kind}", id(&nfce));
    let xml = client.get(&file("xml")).await;
    assert_eq!((xml.status.as_u16(), xml.header("content-type")), (200, "application/xml; charset=utf-8"));
    assert!(xml.header("content-disposition").contains(nfce["nota"]["chave"].as_str().unwrap()));
    assert!(client.get(&file("log")).await.text().contains("Protocolo"));
    let receipt = judge::text_of_pdf(&client.get(&file("pdf")).await.bytes);
    assert!(receipt.contains("CONSUMIDOR") && receipt.contains("Consulte pela Chave de Acesso"), "{receipt}");
    client.get(&file("xml_cancelamento")).await.refused(409, "arquivo_indisponivel");
    let listed = client.get("/v1/notas?tipo=nfce").await.ok(200);
    assert_eq!((&listed["total"], &listed["notas"][0]["tipo"]), (&1.into(), &"nfce".into()));
    assert_eq!(listed["notas"][0]["qrcode"], nfce["nota"]["qrcode"]);
    app.finish().await;
}

#[tokio::test]
async fn what_an_nfce_cannot_be_is_told_and_strictness_refuses_what_was_assumed() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let mut body = body::counter_sale(NUMERIC);
    body["nota"]["identificacao"] = json!({ "natOp": "Venda", "idDest": 2, "tpImp": 1, "finNFe": 4 });
    let accepted = client.post("/v1/nfce/emitir", &body).await.ok(202);
    let told = |codigo: &str| -> Vec<String> {
        let avisos = accepted["avisos"].as_array().unwrap().iter().filter(|aviso| aviso["codigo"] == codigo);
        avisos.map(|aviso| aviso["campo"].as_str().unwrap().to_owned()).collect()
    };
    let fields = ["idDest", "finNFe", "tpImp"].map(|name| format!("nota.identificacao.{name}"));
    assert_eq!(told("campo_ignorado"), fields);
    assert_eq!(ended(&client, &accepted).await["nota"]["status"], "autorizada");
    let mut misspelled = body::counter_sale(NUMERIC);
    misspelled["nota"]["produtos"][0]["xProdd"] = json!("sobra");
    client.post("/v1/nfce/emitir?estrito=true", &misspelled).await.refused(422, "documento_invalido");
    app.finish().await;
}

#[tokio::test]
async fn the_quota_of_the_nfce_is_its_own() {
    let app = TestApp::start().await;
    let tenant = seller(&app).await;
    let now = jiff::Timestamp::now().as_second();
    let by = Actor::operator();
    app.store.set_quota(tenant.id, TpAmb::Homologacao, Familia::Nfce, Some(1), &by, now).await.unwrap();
    let accepted = tenant.test.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    tenant.test.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.refused(429, "cota_excedida");
    let nfe = issued(&tenant.test, &body::emission(NUMERIC)).await;
    assert_eq!(nfe["nota"]["status"], "autorizada");
    ended(&tenant.test, &accepted).await;
    app.finish().await;
}
