//! `GET /v1/jobs/{job_id}/itens`.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::refused_with;
use crate::support::body::{self, NUMERIC, item, number};
use crate::support::client::Client;

async fn items(client: &Client, job: &Value) -> Value {
    client.get(&format!("/v1/jobs/{}/itens", job["job_id"].as_str().unwrap())).await.ok(200)
}

#[tokio::test]
async fn every_item_is_shown_with_its_tax_groups() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["ibscbs"] = json!({ "cst": "410", "classificacao": "410001" });
    let job = issued(&client, &body).await;
    let shown = items(&client, &job).await;
    let expected = json!({
        "item": 1, "cProd": "CAD-96", "xProd": "Caderno 96 folhas", "NCM": "48202000", "CFOP": 5102, "vProd": number("100.00"),
        "tributos": {
            "icms": { "orig": 0, "CSOSN": "102" }, "ipi": null, "pis": { "CST": "49" }, "cofins": { "CST": "49" },
            "ibscbs": { "cst": "410", "classificacao": "410001" }, "is_": null
        },
        "causou_rejeicao": false, "motivo": null
    });
    assert_eq!(shown, json!({ "job_id": job["job_id"], "itens": [expected], "rejeicao": null }));
    // of a cancellation: those of the note it cancels
    let request = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Venda desfeita a pedido" });
    let accepted = client.post("/v1/nfe/cancelar", &request).await.ok(202);
    ended(&client, &accepted).await;
    assert_eq!(items(&client, &accepted).await["itens"], shown["itens"]);
    app.finish().await;
}

#[tokio::test]
async fn the_item_that_caused_a_rejection_is_marked() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"] = json!([item("100.00"), item("100.00"), item("100.00")]);
    // vProd must be qCom × vUnCom: rule 629, which names the item
    body["nota"]["produtos"][1]["vProd"] = number("90.00");
    body["nota"]["pagamentos"][0]["vPag"] = number("290.00");
    let job = issued(&client, &body).await;
    assert_eq!(job["nota"]["status"], "rejeitada", "{job}");
    let shown = items(&client, &job).await;
    let marked: Vec<bool> =
        shown["itens"].as_array().unwrap().iter().map(|item| item["causou_rejeicao"] == true).collect();
    assert_eq!(marked, [false, true, false], "{job} {shown}");
    assert_eq!(shown["itens"][1]["motivo"], job["nota"]["motivo_status"]);
    assert_eq!(shown["itens"][0]["motivo"], Value::Null);
    assert_eq!(shown["rejeicao"]["codigo_status"], job["nota"]["codigo_status"]);
    app.finish().await;
}

#[tokio::test]
async fn a_rejection_of_the_whole_note_marks_no_item() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &refused_with(598)).await;
    let shown = items(&client, &job).await;
    assert_eq!(shown["itens"][0]["causou_rejeicao"], false);
    assert_eq!(shown["rejeicao"]["codigo_status"], 598, "{shown}");
    let stranger = app.tenant().await.test;
    stranger.get(&format!("/v1/jobs/{}/itens", job["job_id"].as_str().unwrap())).await.refused(404, "nao_encontrado");
    client.get("/v1/jobs/1/itens").await.refused(404, "nao_encontrado");
    app.anonymous().get("/v1/jobs/1/itens").await.refused(401, "nao_autenticado");
    app.finish().await;
}

/// Converts an item to the official tree.
fn official(item: &Value) -> Value {
    let mut prod = item.as_object().unwrap().clone();
    for tax in ["icms", "pis", "cofins"] {
        prod.remove(tax);
    }
    let imposto = json!({
        "ICMS": { "ICMSSN102": { "orig": 0, "CSOSN": "102" } },
        "PIS": { "PISOutr": { "CST": "49" } }, "COFINS": { "COFINSOutr": { "CST": "49" } }
    });
    json!({ "prod": prod, "imposto": imposto })
}

#[tokio::test]
async fn every_name_of_the_list_is_one_with_produtos() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for (name, write) in [("itens", Clone::clone as fn(&Value) -> Value), ("det", Clone::clone), ("det", official)] {
        let mut body = body::emission(NUMERIC);
        let nota = body["nota"].as_object_mut().unwrap();
        nota.remove("produtos");
        nota.insert(name.to_owned(), json!([write(&item("100.00")), write(&item("100.00"))]));
        body["nota"]["pagamentos"][0]["vPag"] = number("200.00");
        let job = issued(&client, &body).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
        let shown = items(&client, &job).await;
        assert_eq!(shown["itens"].as_array().unwrap().len(), 2, "{shown}");
        assert_eq!((&shown["itens"][1]["cProd"], &shown["itens"][1]["CFOP"]), (&json!("CAD-96"), &json!(5102)));
        let tributos = &shown["itens"][1]["tributos"];
        assert_eq!((&tributos["icms"]["CSOSN"], &tributos["pis"]["CST"]), (&json!("102"), &json!("49")), "{shown}");

        // not predicted: the authority names the item by its position alone
        let prod = if name == "det" && body["nota"][name][1]["prod"].is_object() { "prod" } else { "" };
        let product = if prod.is_empty() { &mut body["nota"][name][1] } else { &mut body["nota"][name][1][prod] };
        product["xProd"] = json!("Caderno [SIM:cStat=778]");
        let job = issued(&client, &body).await;
        assert_eq!(job["nota"]["codigo_status"], 778, "{job}");
        // what was foreseen: the path is the caller's
        let product = if prod.is_empty() { &mut body["nota"][name][1] } else { &mut body["nota"][name][1][prod] };
        product["xProd"] = json!("Caderno");
        product["vProd"] = number("90.00");
        body["nota"]["pagamentos"][0]["vPag"] = number("190.00");
        let checked = client.post("/v1/nfe/verificar-campos", &body).await.ok(200);
        let path = format!("nota.{name}[1]{}vProd", if prod.is_empty() { "." } else { ".prod." });
        assert_eq!(checked["rejeicoes_previstas"][0]["campo"], path, "{checked}");
        let job = issued(&client, &body).await;
        assert_eq!((&job["nota"]["codigo_status"], &job["nota"]["campo"]), (&json!(629), &json!(path)), "{job}");
        let shown = items(&client, &job).await;
        let marked: Vec<bool> =
            shown["itens"].as_array().unwrap().iter().map(|item| item["causou_rejeicao"] == true).collect();
        assert_eq!(marked, [false, true], "{shown}");
        let prepared = client.post("/v1/nfe/preparar", &body).await.ok(200);
        assert_eq!(prepared["resumo"]["itens"].as_array().unwrap().len(), 2, "{prepared}");
    }
    app.finish().await;
}

#[tokio::test]
async fn the_description_of_a_test_cupom_is_put_into_the_official_tree_too() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let settings = json!({ "ambiente": 2, "serie": "1", "csc_id": "1", "csc": "0123456789ABCDEF" });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfce"), &settings).await.ok(200);
    let mut body = body::counter_sale(NUMERIC);
    let list = json!([official(&item("100.00"))]);
    body["nota"].as_object_mut().unwrap().remove("produtos");
    body["nota"]["det"] = list;
    let accepted = tenant.test.post("/v1/nfce/emitir", &body).await.ok(202);
    let told: Vec<&str> =
        accepted["avisos"].as_array().unwrap().iter().filter_map(|aviso| aviso["campo"].as_str()).collect();
    assert!(told.contains(&"nota.det[0].prod.xProd"), "{accepted}");
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    app.finish().await;
}
