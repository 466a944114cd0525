//! Callers' texts and values: the final content of the document, and the notices of changes.

use serde_json::json;

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC, item};

#[tokio::test]
async fn accents_of_macos_arrive_and_what_is_lost_is_told() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    // letter and accent apart, as macOS sends them
    body["nota"]["destinatario"]["xNome"] = json!("Joa\u{303}o Concei\u{327}a\u{303}o");
    body["nota"]["destinatario"]["xBairro"] = json!("Se\u{301}");
    let texts = ["Pa\u{303}o france\u{302}s", "Bolo\u{200b} de milho", "Bo\u{0}lo", "Bolo 蛋糕 🎂", "Caderno"];
    let items = texts.map(|xProd| {
        let mut item = item("100.00");
        item["xProd"] = json!(xProd);
        item
    });
    body["nota"]["produtos"] = json!(items);
    body["nota"]["produtos"][4]["vFrete"] = body::number("0.004");
    body["nota"]["pagamentos"][0]["vPag"] = body::number("500.00");
    let accepted = client.post("/v1/nfe/emitir", &body).await.ok(202);
    let mut told: Vec<(&str, &str)> = accepted["avisos"]
        .as_array()
        .unwrap()
        .iter()
        .map(|aviso| (aviso["campo"].as_str().unwrap(), aviso["codigo"].as_str().unwrap()))
        .filter(|(_, codigo)| ["caractere_removido", "valor_arredondado"].contains(codigo))
        .collect();
    told.sort_unstable();
    let expected = [
        ("nota.produtos[1].xProd", "caractere_removido"),
        ("nota.produtos[2].xProd", "caractere_removido"),
        ("nota.produtos[3].xProd", "caractere_removido"),
        ("nota.produtos[4].vFrete", "valor_arredondado"),
    ];
    assert_eq!(told, expected, "{accepted}");
    let job = ended(&client, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    for written in
        ["<xBairro>Sé</xBairro>", "Pão francês</xProd>", "<xProd>Bolo de milho</xProd>", "<xProd>Bolo</xProd>"]
    {
        assert!(xml.contains(written), "{written} in {xml}");
    }
    let decomposed = |letter: char| ('\u{300}'..='\u{36f}').contains(&letter);
    assert!(!xml.contains(decomposed) && !xml.contains(['\u{200b}', '\u{0}']), "{xml}");
    assert!(!xml.contains("</indTot><vFrete>") && !xml.contains("<vFrete>0.004"), "{xml}");
    app.finish().await;
}
