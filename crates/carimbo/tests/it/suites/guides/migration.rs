//! Migration from other services: the notes of the guides `migrar-*`, the official tree in `nota.infNFe`, suggestions
//! for foreign names.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::judge;

/// The JSON blocks of a guide, as it is written.
fn blocks(guide: &str) -> Vec<Value> {
    let path = format!("{}/../../docs/guides/{guide}.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks
        .map(|block| serde_json::from_str(&block).unwrap_or_else(|error| panic!("{guide}: {error}: {block}")))
        .collect()
}

/// Strictly, without a remark, to the authority and back.
async fn authorised(app: &TestApp, client: &crate::support::client::Client, body: &Value) -> Value {
    let accepted = client.post("/v1/nfe/emitir?estrito=true", body).await.ok(202);
    assert_eq!(accepted["avisos"], json!([]));
    let job = ended(client, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_proc_nfe(&xml, &app.ca_file());
    job
}

#[tokio::test]
async fn our_note_of_every_guide_is_issued_as_it_is_written() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for guide in ["migrar-focus-nfe", "migrar-nuvem-fiscal", "migrar-plugnotas", "migrar-sped-nfe"] {
        let ours: Vec<Value> = blocks(guide).into_iter().filter(|block| block.get("nota").is_some()).collect();
        assert_eq!(ours.len(), 1, "{guide}");
        authorised(&app, &client, &ours[0]).await;
    }
    app.finish().await;
}

#[tokio::test]
async fn the_tree_of_nuvem_fiscal_is_issued_word_for_word() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let theirs = blocks("migrar-nuvem-fiscal").remove(0);
    let nota = json!({ "infNFe": theirs["infNFe"] });
    authorised(&app, &client, &json!({ "cpf_cnpj": NUMERIC, "referencia_externa": "NUVEMCOMOESTA", "nota": nota }))
        .await;
    app.finish().await;
}

/// Every unreadable leaf of a foreign note is reported, nearly each with our name.
#[tokio::test]
async fn a_foreign_note_is_told_our_names() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for (guide, asked) in [
        (
            "migrar-focus-nfe",
            vec![
                ("nota.natureza_operacao", "nota.identificacao.natOp"),
                ("nota.cnpj_emitente", "cpf_cnpj"),
                ("nota.cpf_destinatario", "nota.destinatario.CNPJCPF"),
                ("nota.valor_produtos", "nota.total.vProd"),
                ("nota.items", "nota.produtos"),
                ("nota.items[0].codigo_produto", "nota.produtos[0].cProd"),
                ("nota.items[0].icms_situacao_tributaria", "nota.produtos[0].icms.CST"),
                ("nota.formas_pagamento[0].valor_pagamento", "nota.pagamentos[0].vPag"),
            ],
        ),
        (
            "migrar-plugnotas",
            vec![
                ("nota.natureza", "nota.identificacao.natOp"),
                ("nota.idIntegracao", "referencia_externa"),
                ("nota.destinatario.razaoSocial", "nota.destinatario.xNome"),
                ("nota.itens[0].codigo", "nota.itens[0].cProd"),
                ("nota.itens[0].valorUnitario", "nota.itens[0].vUnCom"),
                ("nota.pagamentos[0].meio", "nota.pagamentos[0].tPag"),
            ],
        ),
    ] {
        let theirs = blocks(guide).remove(0);
        let answer =
            client.post("/v1/nfe/verificar-campos", &json!({ "cpf_cnpj": NUMERIC, "nota": theirs })).await.ok(200);
        let unknown = answer["campos_desconhecidos"].as_array().unwrap();
        for (campo, right) in asked {
            let told = unknown.iter().find(|unknown| unknown["campo"] == campo);
            assert_eq!(told.map(|told| &told["sugestao"]), Some(&json!(right)), "{guide} {campo}: {unknown:?}");
        }
    }
    // where the note can be read otherwise, the remark comes with the answer
    let mut sale = body::emission(NUMERIC);
    sale["nota"]["produtos"][0]["codigo_ncm"] = json!("48202000");
    let accepted = client.post("/v1/nfe/emitir", &sale).await.ok(202);
    let told =
        accepted["avisos"].as_array().unwrap().iter().find(|aviso| aviso["codigo"] == "campo_desconhecido").unwrap();
    assert_eq!(
        (&told["campo"], &told["sugestao"]),
        (&json!("nota.produtos[0].codigo_ncm"), &json!("nota.produtos[0].NCM"))
    );
    assert!(told["mensagem"].as_str().unwrap().contains("Focus NFe"), "{told}");
    ended(&client, &accepted).await;
    app.finish().await;
}

fn tree() -> Value {
    blocks("migrar-nuvem-fiscal").remove(1)
}

#[tokio::test]
async fn what_is_said_of_the_tree_names_its_own_paths() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = tree();
    body["nota"]["infNFe"]["det"][0]["prod"]["vlProd"] = json!(1);
    body["nota"]["infNFe"]["det"][0]["prod"]["NCM"] = json!("48209999");
    body["nota"]["infNFeSupl"] = json!({ "qrCode": "x" });
    let answer = client.post("/v1/nfe/verificar-campos", &body).await.ok(200);
    let unknown = answer["campos_desconhecidos"].to_string();
    assert!(
        unknown.contains("\"nota.infNFe.det[0].prod.vlProd\"") && unknown.contains("\"nota.infNFeSupl\""),
        "{unknown}"
    );
    assert_eq!(answer["rejeicoes_previstas"][0]["campo"], "nota.infNFe.det[0].prod.NCM", "{answer}");
    body["nota"]["infNFe"]["det"][0]["prod"]["qCom"] = json!("muito");
    let refused = client.post("/v1/nfe/emitir", &body).await.refused(422, "documento_invalido");
    assert_eq!(refused["erros"][0]["campo"], "nota.infNFe.det[0].prod.qCom", "{refused}");
    app.finish().await;
}

#[tokio::test]
async fn the_groups_stand_once() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = tree();
    body["nota"]["produtos"] = json!([{}]);
    let refused = client.post("/v1/nfe/emitir", &body).await.refused(422, "documento_invalido");
    assert_eq!(refused["erros"][0]["campo"], "nota.produtos");
    let checked = client.post("/v1/nfe/verificar-campos", &body).await.ok(200);
    assert_eq!(
        (&checked["valido"], &checked["erros"][0]["campo"]),
        (&json!(false), &json!("nota.produtos")),
        "{checked}"
    );
    let no_tree = json!({ "cpf_cnpj": NUMERIC, "nota": { "infNFe": "texto" } });
    let refused = client.post("/v1/nfe/emitir", &no_tree).await.refused(422, "documento_invalido");
    assert_eq!(refused["erros"][0]["campo"], "nota.infNFe");
    app.finish().await;
}

#[tokio::test]
async fn the_number_of_the_tree_is_the_callers() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = tree();
    body["nota"]["infNFe"]["ide"]["nNF"] = json!("4321");
    assert_eq!(authorised(&app, &client, &body).await["nota"]["numero"], 4321);
    app.finish().await;
}

#[tokio::test]
async fn a_reference_with_symbols_is_told_how_it_would_do() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut sale = body::emission(NUMERIC);
    for (given, told) in
        [(json!("PED-1001.b"), json!("PED1001b")), (json!("---"), json!(null)), (json!(7), json!(null))]
    {
        sale["referencia_externa"] = given;
        let refused = client.post("/v1/nfe/emitir", &sale).await.refused(400, "referencia_invalida");
        assert_eq!(refused["erros"][0]["sugestao"], told);
    }
    app.finish().await;
}
