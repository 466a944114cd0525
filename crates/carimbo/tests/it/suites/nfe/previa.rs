//! `POST /v1/nfe/previa`, and the variants of a form (`file/pdf` with a query).

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::judge;

const PREVIEW: &str = "/v1/nfe/previa";

fn squeezed(pdf: &[u8]) -> String {
    judge::text_of_pdf(pdf).split_whitespace().collect()
}

#[tokio::test]
async fn a_preview_shows_the_note_and_leaves_no_trace() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("PREVIA1");
    let pdf = client.post(PREVIEW, &body).await;
    assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"), "{}", pdf.text());
    assert_eq!(pdf.header("content-disposition"), "inline; filename=\"previa.pdf\"");
    let text = squeezed(&pdf.bytes);
    for told in ["SEMVALORFISCAL", "PRÉVIA", "100,00", "___.___.___", "PapelariadeTesteLtda"] {
        assert!(text.contains(told), "{told} in {text}");
    }
    // no key, no number, no job, no quota
    assert!(!text.contains("000.000.001"), "{text}");
    client.get("/v1/jobs/localizar?ref=PREVIA1").await.refused(404, "nao_encontrado");
    let quotas = client.get("/v1/cotas").await.ok(200);
    assert!(quotas["cotas"].as_array().unwrap().iter().all(|cota| cota["consumo"] == 0), "{quotas}");
    assert_eq!(client.get("/v1/notas").await.ok(200)["total"], 0);
    assert_eq!(issued(client, &body).await["nota"]["numero"], 1);
    // a number in the payload is shown
    body["nota"]["identificacao"]["nNF"] = json!(4321);
    assert!(squeezed(&client.post(PREVIEW, &body).await.bytes).contains("000.004.321"));
    app.finish().await;
}

#[tokio::test]
async fn a_preview_is_refused_for_what_an_emission_is_refused_for() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let emission = body::emission(NUMERIC);
    let mut bodies = vec![json!({ "cpf_cnpj": NUMERIC, "nota": {} }), json!({ "nota": {} }), emission.clone()];
    bodies[2]["cpf_cnpj"] = json!("98765432000198");
    for body in bodies {
        let (previewed, issued) = (client.post(PREVIEW, &body).await, client.post("/v1/nfe/emitir", &body).await);
        assert_eq!(previewed.status, issued.status);
        let (mut previewed, issued) = (previewed.json(), issued.json());
        assert_eq!((&previewed["codigo"], &previewed["erros"]), (&issued["codigo"], &issued["erros"]));
        assert_eq!(previewed["instance"].take(), PREVIEW);
    }
    let mut misspelt = emission.clone();
    misspelt["nota"]["produtos"][0]["vlProd"] = json!(1);
    assert_eq!(client.post(PREVIEW, &misspelt).await.status.as_u16(), 200);
    client.post(&format!("{PREVIEW}?estrito=true"), &misspelt).await.refused(422, "documento_invalido");
    let bad = client.post(&format!("{PREVIEW}?layout=novo"), &emission).await.refused(400, "requisicao_invalida");
    assert_eq!(bad["erros"][0]["campo"], "layout");
    app.finish().await;
}

#[tokio::test]
async fn layout_and_paper_are_chosen_by_query_and_by_the_company() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    let pdf = job["arquivos"]["pdf"].as_str().unwrap();
    let text = async |query: &str| squeezed(&client.get(&format!("{pdf}{query}")).await.bytes);
    const CLASSIC: &str = "CÁLCULODOIMPOSTO";
    const REFORM: &str = "TOTALDOIBS/CBS/IS";
    assert!(text("?layout=classico").await.contains(CLASSIC));
    assert!(text("?layout=nt2026010").await.contains(REFORM));
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    for (word, mark) in [("nt2026010", REFORM), ("classico", CLASSIC)] {
        assert_eq!(client.put(&path, &json!({ "layout_danfe": word })).await.ok(200)["layout_danfe"], word);
        assert!(text("").await.contains(mark), "{word}");
    }
    assert!(text("?layout=nt2026010").await.contains(REFORM), "the query wins");
    client.put(&path, &json!({ "layout_danfe": "outro" })).await.refused(422, "validacao");
    let standing = judge::size_of_pdf(&client.get(pdf).await.bytes);
    let lying = judge::size_of_pdf(&client.get(&format!("{pdf}?orientacao=paisagem")).await.bytes);
    assert_eq!((standing.0, standing.1), (lying.1, lying.0));
    let bad = client.get(&format!("{pdf}?orientacao=torta")).await.refused(400, "requisicao_invalida");
    assert_eq!(bad["erros"][0]["campo"], "orientacao");
    let id = job["job_id"].as_str().unwrap();
    client.get(&format!("/v1/nfe/{id}/file/escpos")).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn a_cancelled_note_says_so_and_the_event_has_its_form() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    let pdf = job["arquivos"]["pdf"].as_str().unwrap();
    assert!(!squeezed(&client.get(pdf).await.bytes).contains("CANCELADA"));
    let why = "Pedido desfeito pelo cliente";
    let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": why });
    let accepted = client.post("/v1/nfe/cancelar", &cancel).await.ok(202);
    let cancelled: Value = ended(&client, &accepted).await;
    assert!(squeezed(&client.get(pdf).await.bytes).contains("CANCELADA"));
    let event = client.get(cancelled["arquivos"]["pdf"].as_str().unwrap()).await;
    let text = squeezed(&event.bytes);
    assert!(text.contains("CANCELAMENTODENF-e") && text.contains(&why.replace(' ', "")), "{text}");
    let id = job["job_id"].as_str().unwrap();
    let xml = client.get(&format!("/v1/nfe/{id}/file/xml_cancelamento")).await.text();
    assert!(xml.contains("<procEventoNFe") && xml.contains(why), "{xml}");
    app.finish().await;
}
