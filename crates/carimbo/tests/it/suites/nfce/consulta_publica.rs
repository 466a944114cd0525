//! Target of the QR code: an issued code, drawn and read by public programs, is valid at the state's page; a changed
//! one is not.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::retail::{configure, seller};

async fn code_of(client: &Client, body: &Value) -> String {
    let accepted = client.post("/v1/nfce/emitir", body).await.ok(202);
    let job = ended(client, &accepted).await;
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    xml.split_once("<qrCode>").unwrap().1.split_once("</qrCode>").unwrap().0.to_owned()
}

/// Draws the text with qrencode as the manual requires (level M, bytes), and reads the image with zbar.
fn through_the_camera(text: &str) -> String {
    let image = std::env::temp_dir().join(format!("carimbo-qr-{}.png", uuid::Uuid::now_v7()));
    let drawn =
        Command::new("qrencode").args(["--8bit", "--level=M", "--size=6", "--output"]).arg(&image).arg(text).output();
    let drawn = drawn.expect("qrencode (Debian package qrencode) must be installed");
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let read = judge::codes_on(&image);
    std::fs::remove_file(image).unwrap();
    read.join("\n")
}

/// Returns status and text of the state's page for the parameters of an address.
async fn consulted(app: &TestApp, address: &str) -> (u16, String) {
    let (_, p) = address.split_once("?p=").unwrap();
    let page = app.control.get(&format!("/qrcode/sp?p={p}")).await;
    (page.status.as_u16(), page.text())
}

#[tokio::test]
async fn codes_of_both_versions_are_read_by_a_public_decoder_and_hold_at_the_states_page() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let online = body::counter_sale(NUMERIC);
    let mut offline = online.clone();
    offline["nota"]["identificacao"]["tpEmis"] = json!(9);
    let mut codes = vec![code_of(&client, &online).await, code_of(&client, &offline).await];
    configure(&client, NUMERIC, json!({ "qr_versao": 3 })).await;
    codes.extend([code_of(&client, &online).await, code_of(&client, &offline).await]);
    let versions: Vec<&str> = codes.iter().map(|code| code.split('|').nth(1).unwrap()).collect();
    assert_eq!(versions, ["2", "2", "3", "3"]);
    for code in codes {
        let seen = through_the_camera(&code);
        assert_eq!(seen, code);
        let (status, page) = consulted(&app, &seen).await;
        assert_eq!(status, 200, "{code}: {page}");
        let chave = &code.split_once("?p=").unwrap().1[..44];
        assert!(page.contains("NFC-e encontrada") && page.contains("Autorizada") && page.contains(chave), "{page}");
        // the third parameter: a note of the other environment is another note
        let (before, after) = seen.split_at(seen.find('|').unwrap() + 3);
        let (_, page) = consulted(&app, &format!("{before}1{}", &after[1..])).await;
        assert!(!page.contains("NFC-e encontrada"), "{page}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_changed_code_and_a_foreign_key_are_refused() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let code = code_of(&client, &body::counter_sale(NUMERIC)).await;
    let (before, hash) = code.rsplit_once('|').unwrap();
    let forged = format!("{before}|{}", hash.chars().rev().collect::<String>());
    let (status, page) = consulted(&app, &forged).await;
    assert!(status == 400 && page.contains("(464)"), "{status} {page}");
    let (status, page) = consulted(&app, before).await;
    assert!(status == 400 && page.contains("falta o parâmetro"), "{status} {page}");
    let p = code.split_once("?p=").unwrap().1;
    assert_eq!(app.control.get(&format!("/qrcode/rj?p={p}")).await.status.as_u16(), 400);
    assert_eq!(app.control.get(&format!("/qrcode/xx?p={p}")).await.status.as_u16(), 404);
    let page = app.control.get(&format!("/consulta/sp?chave={}", &p[..44])).await;
    assert!(page.status.as_u16() == 200 && page.text().contains("Valor total"), "{}", page.text());
    let unknown = "35261111222333000181650010000000011123456787";
    assert_eq!(app.control.get(&format!("/consulta/sp?chave={unknown}")).await.status.as_u16(), 404);
    app.finish().await;
}
