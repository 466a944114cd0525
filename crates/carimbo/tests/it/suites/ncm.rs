//! `/v1/ncm`: search, entry, validity, over the nomenclature inside the binary.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::quotas::consumed;

#[tokio::test]
async fn a_term_is_searched_as_the_contract_says() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let search = |body: Value| {
        let client = tenant.test.clone();
        async move { client.post("/v1/ncm/buscar", &body).await.ok(200) }
    };
    let codes = |found: &Value| -> Vec<String> {
        found["ncms"].as_array().unwrap().iter().map(|entry| entry["codigo"].as_str().unwrap().to_owned()).collect()
    };
    let found = search(json!({ "descricao": "café" })).await;
    assert_eq!((&found["sucesso"], &found["termo"]), (&json!(true), &json!("café")));
    let finals = codes(&found);
    assert_eq!(found["total"], finals.len());
    assert!(finals.is_sorted() && finals.iter().all(|code| code.len() == 8) && !finals.is_empty());
    let all = codes(&search(json!({ "descricao": "café", "apenas_codigos_finais": false })).await);
    assert!(all.len() > finals.len() && all.contains(&"0901".to_owned()) && all.is_sorted());
    let beginning =
        codes(&search(json!({ "descricao": "CAFE", "apenas_codigos_finais": false, "so_inicio": true })).await);
    assert!(beginning.contains(&"0901".to_owned()) && beginning.iter().all(|code| all.contains(code)));
    let accents = search(json!({ "descricao": "  raca PURA ", "so_inicio": false })).await;
    assert_eq!((&accents["termo"], codes(&accents).contains(&"01012100".to_owned())), (&json!("raca PURA"), true));
    let nothing = search(json!({ "descricao": "reprodutor raça", "so_inicio": null })).await;
    assert_eq!(nothing, json!({ "sucesso": true, "termo": "reprodutor raça", "total": 0, "ncms": [] }));
    let entry = &accents["ncms"].as_array().unwrap().iter().find(|entry| entry["codigo"] == "01012100").unwrap();
    assert_eq!(
        **entry,
        json!({ "codigo": "01012100", "descricao": "Reprodutores de raça pura", "inicio_vigencia": "01/04/2022",
                "fim_vigencia": "31/12/9999", "ato": "Res Camex", "numero_ato": "272", "ano_ato": "2021" })
    );
    assert_eq!(consumed(&tenant, "ncm").await, 5);
    app.finish().await;
}

#[tokio::test]
async fn a_search_without_a_term_or_with_wrong_types_is_refused() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    for blank in [json!({}), json!({ "descricao": "  " }), json!({ "descricao": "" }), json!({ "descricao": null })] {
        tenant.test.post("/v1/ncm/buscar", &blank).await.refused(400, "campo_obrigatorio");
    }
    let wrong = json!({ "descricao": 5, "so_inicio": "sim", "apenas_codigos_finais": 1 });
    let refused = tenant.test.post("/v1/ncm/buscar", &wrong).await.refused(400, "requisicao_invalida");
    assert_eq!(refused["erros"].as_array().unwrap().len(), 3);
    let long = json!({ "descricao": "x".repeat(201) });
    tenant.test.post("/v1/ncm/buscar", &long).await.refused(400, "requisicao_invalida");
    app.anonymous().post("/v1/ncm/buscar", &json!({ "descricao": "x" })).await.refused(401, "nao_autenticado");
    assert_eq!(consumed(&tenant, "ncm").await, 0);
    app.finish().await;
}

#[tokio::test]
async fn a_code_of_any_level_is_told_with_those_above_it() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let entry = tenant.test.get("/v1/ncm/01012100").await.ok(200);
    let whole = json!({ "codigo": "01012100", "descricao": "Reprodutores de raça pura", "inicio_vigencia": "01/04/2022", "fim_vigencia": "31/12/9999",
        "ato": "Res Camex", "numero_ato": "272", "ano_ato": "2021", "final": true, "vigente": true,
        "hierarquia": [{ "codigo": "01", "descricao": "Animais vivos." }, { "codigo": "0101", "descricao": "Cavalos, asininos e muares, vivos." },
            { "codigo": "01012", "descricao": "Cavalos:" }],
        "sucesso": true, "encontrado": true });
    assert_eq!(entry, whole);
    assert_eq!(tenant.test.get("/v1/ncm/0101.21.00").await.ok(200), whole);
    let chapter = tenant.test.get("/v1/ncm/01").await.ok(200);
    assert_eq!((&chapter["final"], &chapter["hierarquia"]), (&json!(false), &json!([])));
    for absent in ["99999999", "0", "abc", "010121000", "00000000", "00"] {
        assert_eq!(
            tenant.test.get(&format!("/v1/ncm/{absent}")).await.refused(404, "nao_encontrado")["encontrado"],
            false,
            "{absent}"
        );
    }
    app.anonymous().get("/v1/ncm/01012100").await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn only_eight_digits_in_force_today_are_valid() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let on = fiscal::value::brasilia::day(jiff::Timestamp::now());
    let ended = fiscal::ncm::NcmTable::builtin().entries().iter().find(|entry| entry.fim < on).unwrap();
    for (code, valido) in [
        ("01012100", true),
        ("0101.21.00", true),
        ("0101", false),
        ("99999999", false),
        ("abc", false),
        ("00000000", false),
        (&*ended.codigo, false),
    ] {
        let answer = tenant.test.get(&format!("/v1/ncm/{code}/validar")).await.ok(200);
        assert_eq!(answer, json!({ "sucesso": true, "valido": valido }), "{code}");
    }
    let told = tenant.test.get(&format!("/v1/ncm/{}", ended.codigo)).await.ok(200);
    assert_eq!(told["vigente"], false);
    app.anonymous().get("/v1/ncm/01012100/validar").await.refused(401, "nao_autenticado");
    assert_eq!(consumed(&tenant, "ncm").await, 8);
    app.finish().await;
}
