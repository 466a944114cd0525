//! `GET /v1/nfe/{id}/file/{tipo}`.

use serde_json::json;

use crate::support::app::{TestApp, ended, issued, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::judge;

#[tokio::test]
async fn the_authorised_xml_and_the_history_are_named_by_the_key() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    let chave = job["nota"]["chave"].as_str().unwrap();
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-type").starts_with("application/xml"));
    assert_eq!(xml.header("content-disposition"), format!("attachment; filename=\"{chave}-procNFe.xml\""));
    judge::accepts_proc_nfe(&xml.text(), &app.ca_file());
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await;
    assert_eq!(log.header("content-type"), "text/plain; charset=utf-8");
    assert!(log.header("content-disposition").contains(chave));
    assert!(log.text().contains(chave) && log.text().contains("100"), "{}", log.text());
    let pdf = client.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
    assert_eq!(pdf.header("content-type"), "application/pdf");
    assert_eq!(pdf.header("content-disposition"), format!("attachment; filename=\"{chave}-danfe.pdf\""));
    let shown: String = judge::text_of_pdf(&pdf.bytes).split_whitespace().collect();
    assert!(shown.contains(chave) && shown.contains(job["nota"]["protocolo"].as_str().unwrap()), "{shown}");
    app.finish().await;
}

fn squeezed(pdf: &[u8]) -> String {
    judge::text_of_pdf(pdf).split_whitespace().collect()
}

#[tokio::test]
async fn the_forms_of_one_key_have_names_of_their_own_and_name_the_parties() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    let chave = note["nota"]["chave"].as_str().unwrap();
    let act = async |path: &str, what: &str, text: &str| {
        let request = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], what: text });
        ended(&client, &client.post(path, &request).await.ok(202)).await
    };
    let correction = act("/v1/nfe/carta-correcao", "correcao", "O peso bruto correto é 12,5 kg").await;
    let cancellation = act("/v1/nfe/cancelar", "justificativa", "Venda desfeita a pedido do cliente").await;
    for (job, word) in [(&note, "danfe"), (&correction, "carta-correcao-01"), (&cancellation, "cancelamento")] {
        let pdf = client.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
        assert_eq!(pdf.header("content-disposition"), format!("attachment; filename=\"{chave}-{word}.pdf\""));
        let said = squeezed(&pdf.bytes);
        for told in
            ["PapelariadeTesteLtda", "11.222.333/0001-81", "529.982.247-25", "NF-EEMITIDAEMAMBIENTEDEHOMOLOGACAO"]
        {
            assert!(said.contains(told), "{word}: {told} is not in {said}");
        }
    }
    let id = note["job_id"].as_str().unwrap();
    let event = client.get(&format!("/v1/nfe/{id}/file/xml_cancelamento")).await;
    let name = format!("attachment; filename=\"{chave}-cancelamento-procEventoNFe.xml\"");
    assert_eq!(event.header("content-disposition"), name);
    let protocol = cancellation["evento_fiscal"]["protocolo"].as_str().unwrap();
    let form = squeezed(&client.get(note["arquivos"]["pdf"].as_str().unwrap()).await.bytes);
    assert!(form.contains("CANCELADA") && form.contains(&format!("protocolodecancelamento{protocol}-")), "{form}");
    app.finish().await;
}

#[tokio::test]
async fn a_note_that_nobody_answered_is_printed_as_such() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let lost = json!({ "servico": "NFeAutorizacao4", "tipo": "reset_after", "vezes": 1 });
    app.control.post("/_sim/falhas", &lost).await.ok(201);
    app.control
        .post("/_sim/falhas", &json!({ "servico": "NFeConsultaProtocolo4", "tipo": "reset_after", "vezes": 100 }))
        .await
        .ok(201);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let job = job_when(&client, &accepted, |job| job["nota"]["chave"].is_string() && job["erro"].is_string()).await;
    let path = format!("/v1/nfe/{}/file/pdf", job["job_id"].as_str().unwrap());
    let form = squeezed(&client.get(&path).await.bytes);
    assert!(form.contains("AINDANÃOAUTORIZADA") && form.contains("SEMVALORFISCAL"), "{form}");
    app.control.delete("/_sim/falhas").await;
    app.forward(3600).await;
    assert_eq!(ended(&client, &accepted).await["nota"]["status"], "autorizada");
    let form = squeezed(&client.get(&path).await.bytes);
    assert!(!form.contains("AINDANÃOAUTORIZADA"), "{form}");
    app.finish().await;
}

/// Returns the instants at the beginning of the lines of a job log.
fn instants(log: &str) -> Vec<&str> {
    log.lines().filter(|line| line.starts_with("20")).map(|line| line.split_once("  ").unwrap().0).collect()
}

#[tokio::test]
async fn the_history_has_each_request_and_reply_by_the_clock_of_the_state() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    let request = log.lines().find(|line| line.contains("Pedido: POST https://")).unwrap_or_else(|| panic!("{log}"));
    assert!(request.contains("NFeAutorizacao4") && request.contains("bytes"), "{request}");
    assert!(
        !log.contains("<infNFe") && !log.contains("<SignatureValue>"),
        "the signed document is a file already: {log}"
    );
    let reply = log.lines().find(|line| line.contains("Resposta em ")).unwrap_or_else(|| panic!("{log}"));
    assert!(reply.contains("HTTP 200") && reply.contains("<protNFe") && reply.contains("</soap"), "{reply}");
    let protocolo = job["nota"]["protocolo"].as_str().unwrap();
    assert!(reply.contains(protocolo), "{reply}");
    let at = instants(&log);
    assert!(at.len() > 4 && at.iter().all(|at| at.ends_with("-03:00") && at.contains('.')), "{log}");
    assert!(at.is_sorted(), "{log}");
    app.finish().await;
}

#[tokio::test]
async fn a_call_without_reply_and_the_question_after_it_stand_in_the_history() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let fault = json!({ "tipo": "reset_after", "vezes": 1 });
    assert!(app.control.post("/_sim/falhas", &fault).await.status.is_success());
    let job = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("ms: nenhuma ("), "{log}");
    let question = log.lines().find(|line| line.contains("NFeConsultaProtocolo4") && line.contains("Pedido: "));
    assert!(
        question.is_some_and(|line| line.contains("<chNFe>")),
        "a question holds no secret: it is kept whole: {log}"
    );
    assert!(log.contains("<retConsSitNFe"), "{log}");
    app.finish().await;
}

#[tokio::test]
async fn a_file_that_does_not_exist_yet_is_409_and_a_kind_that_does_not_exist_404() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["xProd"] = json!("[SIM:cStat=778]");
    let job = issued(&client, &body).await;
    let id = job["job_id"].as_str().unwrap();
    for tipo in ["xml", "xml_cancelamento"] {
        client.get(&format!("/v1/nfe/{id}/file/{tipo}")).await.refused(409, "arquivo_indisponivel");
    }
    let form = client.get(&format!("/v1/nfe/{id}/file/pdf")).await;
    let said = squeezed(&form.bytes);
    let reason = job["nota"]["motivo_status"].as_str().unwrap();
    let told: String = format!("REJEITADA: 778 - {reason}").split_whitespace().collect();
    assert!(said.contains("SEMVALORFISCAL") && said.contains(&told), "{told} is not in {said}");
    client.get(&format!("/v1/nfe/{id}/file/zip")).await.refused(404, "nao_encontrado");
    app.finish().await;
}
