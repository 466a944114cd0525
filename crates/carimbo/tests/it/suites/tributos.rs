//! `/v1/tributos/simples`: rates of IBS and CBS inside the DAS, with their arithmetic.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::body::number;

const PATH: &str = "/v1/tributos/simples";

#[tokio::test]
async fn the_official_example_is_answered_with_its_arithmetic() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let query = format!("{PATH}?anexo=I&rbt12=180000.00&data=2027-01-04&receita=1000.00");
    let answer = client.get(&query).await.ok(200);
    assert_eq!((&answer["pIBSSN"], &answer["pCBSSN"]), (&number("0.0068"), &number("0.6132")));
    let band = json!({ "numero": 1, "receita_acima_de": number("0.00"), "receita_ate": number("180000.00"),
        "aliquota_nominal": number("4.00"), "parcela_a_deduzir": number("0.00") });
    assert_eq!((&answer["faixa"], &answer["aliquota_efetiva"]), (&band, &number("4.000000")));
    let shares = json!({ "IRPJ": number("5.50"), "CSLL": number("3.50"), "CBS": number("15.33"), "CPP": number("41.50"),
        "ICMS": number("34.00"), "IBS": number("0.17") });
    assert_eq!(answer["partilha"], shares);
    assert_eq!((&answer["rbt12_de"], &answer["rbt12_ate"]), (&json!("2025-12"), &json!("2026-11")));
    let amounts = json!({ "receita": number("1000.00"), "vIBSSN": number("0.07"), "vCBSSN": number("6.13") });
    assert_eq!(answer["valores"], amounts);
    let steps = json!([
        "RBT12 180000.00: faixa 1 do Anexo I (até 180000.00), alíquota nominal 4.00%, parcela a deduzir 0.00.",
        "Alíquota efetiva = (180000.00 × 4.00% − 0.00) ÷ 180000.00 = 4.000000%.",
        "pIBSSN = 4.000000% × 0.17% = 0.0068%.",
        "pCBSSN = 4.000000% × 15.33% = 0.6132%.",
        "vIBSSN = 1000.00 × pIBSSN ÷ 100 = 0.07.",
        "vCBSSN = 1000.00 × pCBSSN ÷ 100 = 6.13."
    ]);
    assert_eq!(answer["calculo"], steps);
    assert!(answer["fonte"].as_str().unwrap().contains("CGSN 190/2026"), "{answer}");
    let arabic = client.get(&query.replace("anexo=I", "anexo=1")).await.ok(200);
    assert_eq!(arabic, answer);
    app.finish().await;
}

#[tokio::test]
async fn a_band_ends_with_its_highest_revenue_and_the_last_has_no_ibs() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let of = async |anexo: &str, rbt12: &str| {
        client.get(&format!("{PATH}?anexo={anexo}&rbt12={rbt12}&data=2028-12-31")).await.ok(200)
    };
    assert_eq!(of("I", "360000").await["faixa"]["numero"], 2);
    let above = of("I", "360000.01").await;
    assert_eq!((&above["faixa"]["numero"], &above["valores"]), (&json!(3), &Value::Null));
    let last = of("II", "4800000.00").await;
    assert_eq!((&last["pIBSSN"], &last["pCBSSN"]), (&Value::Null, &number("3.7578")), "{last}");
    assert!(last["calculo"][2].as_str().unwrap().contains("fora do DAS"), "{last}");
    // the ISS would be 5.86 %: what exceeds 5 % goes to other taxes, and no share is made up
    let services = of("III", "3600000").await;
    assert_eq!((&services["pIBSSN"], &services["pCBSSN"]), (&Value::Null, &Value::Null));
    assert!(services["calculo"][2].as_str().unwrap().contains("ISS passaria de 5%"), "{services}");
    app.finish().await;
}

#[tokio::test]
async fn wrong_members_are_named_all_at_once() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let wrong = client.get(&format!("{PATH}?anexo=VI&rbt12=180.000,00&data=01/01/2027&receita=-1")).await;
    let wrong = wrong.refused(400, "requisicao_invalida");
    let fields: Vec<&Value> = wrong["erros"].as_array().unwrap().iter().map(|erro| &erro["campo"]).collect();
    assert_eq!(fields, ["anexo", "rbt12", "receita", "data"]);
    // a parameter that is not known is ignored, like that of any other route
    let missing = client.get(&format!("{PATH}?anexoo=I")).await.refused(400, "campo_obrigatorio");
    assert_eq!((&missing["erros"][0]["campo"], &missing["erros"][1]["campo"]), (&json!("anexo"), &json!("rbt12")));
    client.get(&format!("{PATH}?anexo=I&rbt12=1&data=2027-01-04&sobra=1")).await.ok(200);
    app.anonymous().get(&format!("{PATH}?anexo=I&rbt12=1")).await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn what_no_table_answers_is_refused_with_its_member() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    for (query, campo, says) in [
        ("rbt12=180000&data=2026-12-31", "data", "2027 ou 2028"),
        ("rbt12=180000&data=2029-01-01", "data", "2027 ou 2028"),
        ("rbt12=0&data=2027-01-01", "rbt12", "primeiros meses"),
        ("rbt12=4800000.01&data=2027-01-01", "rbt12", "limite do Simples"),
    ] {
        let error = client.get(&format!("{PATH}?anexo=III&{query}")).await.refused(422, "validacao");
        assert_eq!(error["erros"][0]["campo"], campo, "{error}");
        assert!(error["erros"][0]["mensagem"].as_str().unwrap().contains(says), "{error}");
    }
    // without data it is today: in 2027 that is enough
    app.stand_at("2027-01-04T13:00:00Z".parse().unwrap()).await;
    assert_eq!(client.get(&format!("{PATH}?anexo=V&rbt12=1")).await.ok(200)["faixa"]["numero"], 1);
    app.finish().await;
}
