//! `POST /v1/nfe/carta-correcao` and `GET /v1/nfe/{id}/eventos`.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::judge;

const PATH: &str = "/v1/nfe/carta-correcao";
const TEXT: &str = "O peso bruto correto é 12,5 kg";

fn request(note: &Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "correcao": TEXT })
}

#[tokio::test]
async fn a_note_is_corrected_as_often_as_it_must_and_lists_its_events() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    for sequence in 1..=2 {
        let accepted = client.post(PATH, &request(&note)).await.ok(202);
        assert_eq!((&accepted["operacao"], &accepted["status"]), (&json!("carta_correcao"), &json!("pending")));
        assert_eq!(accepted["job_id_emissao"], note["job_id"]);
        let job = ended(&client, &accepted).await;
        assert_eq!((&job["status"], &job["nota"]["status"]), (&json!("completed"), &json!("autorizada")), "{job}");
        let event = &job["evento_fiscal"];
        assert_eq!((&event["codigo"], &event["sequencia"]), (&json!("110110"), &json!(sequence)), "{job}");
        assert_eq!((&event["codigo_status"], event["protocolo"].is_string()), (&json!(135), true), "{job}");
        let file = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
        let chave = note["nota"]["chave"].as_str().unwrap();
        assert!(
            file.header("content-disposition")
                .contains(&format!("{chave}-carta-correcao-0{sequence}-procEventoNFe.xml"))
        );
        judge::accepts_proc_evento(&file.text(), &app.ca_file());
    }
    let path = format!("/v1/nfe/{}/eventos", note["job_id"].as_str().unwrap());
    let listed = client.get(&path).await.ok(200);
    assert_eq!((&listed["total"], &listed["chave"]), (&json!(2), &note["nota"]["chave"]));
    let first = &listed["eventos"][0];
    assert_eq!(
        (&first["codigo"], &first["sequencia"], &first["situacao"]),
        (&json!("110110"), &json!(1), &json!("registrado"))
    );
    app.finish().await;
}

#[tokio::test]
async fn a_reference_gives_the_first_correction_again() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    let mut request = request(&note);
    request["referencia_externa"] = json!("CCE1");
    let first = client.post(PATH, &request).await.ok(202);
    ended(&client, &first).await;
    let again = client.post(PATH, &request).await.ok(200);
    assert_eq!((&again["job_id"], &again["idempotente"]), (&first["job_id"], &json!(true)));
    assert_eq!(again["payload_divergente"], json!(false));
    request["correcao"] = json!("Outra correção, com outro texto");
    assert_eq!(client.post(PATH, &request).await.ok(200)["payload_divergente"], json!(true));
    let quotas = client.get("/v1/cotas").await.ok(200);
    let nfe = quotas["cotas"].as_array().unwrap().iter().find(|quota| quota["nome"] == "nfe").unwrap();
    assert_eq!(nfe["consumo"], json!(1), "only the emission debits");
    app.finish().await;
}

#[tokio::test]
async fn what_cannot_be_corrected_is_refused() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let client = tenant.test;
    let missing = client.post(PATH, &json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!(missing["erros"].as_array().unwrap().len(), 3);
    let note = issued(&client, &body::emission(NUMERIC)).await;
    for text in ["curta".to_owned(), "x".repeat(1001), format!("curta{}", "\u{1F600}".repeat(20))] {
        let mut request = request(&note);
        request["correcao"] = json!(text);
        let error = client.post(PATH, &request).await.refused(422, "validacao");
        assert_eq!(error["erros"][0]["campo"], "correcao");
    }
    // a dash becomes a hyphen, and characters that no document allows get a notice, as in a note
    let mut request_of_words = request(&note);
    request_of_words["correcao"] = json!("O peso \u{2013} líquido \u{1F600} é de 2 kg");
    let accepted = client.post(PATH, &request_of_words).await.ok(202);
    assert_eq!(accepted["avisos"][0]["codigo"], "caractere_removido", "{accepted}");
    let corrected = ended(&client, &accepted).await;
    let event = client.get(corrected["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(event.contains("<xCorrecao>O peso - líquido é de 2 kg</xCorrecao>"), "{event}");
    let mut foreign = request(&note);
    foreign["cpf_cnpj"] = json!(ALPHANUMERIC);
    client.post(PATH, &foreign).await.refused(404, "nao_encontrado");
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["xProd"] = json!("[SIM:cStat=778]");
    let rejected = issued(&client, &body).await;
    client.post(PATH, &request(&rejected)).await.refused(409, "estado_invalido");
    app.finish().await;
}
