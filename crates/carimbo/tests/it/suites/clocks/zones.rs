//! Civil time of the company's município, in documents and in answers.

use fiscal::value::CivilOffset;
use serde_json::json;

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};

#[tokio::test]
async fn a_company_of_noronha_or_of_the_west_of_amazonas_has_the_hour_of_its_municipio() {
    let app = TestApp::start().await;
    let rows = [
        ("PE", "032141840", 2_605_459, "Fernando de Noronha", "-02:00"),
        ("PE", "032141840", 2_611_606, "Recife", "-03:00"),
        ("AM", "043456782", 1_301_407, "Eirunepé", "-05:00"),
        ("AM", "043456782", 1_302_603, "Manaus", "-04:00"),
    ];
    for (serie, (uf, ie, codigo, cidade, offset)) in (1..).zip(rows) {
        assert_eq!(format!("-{:02}:00", -CivilOffset::of_municipio(codigo).hours()), offset);
        let client = app.issuer(NUMERIC).await.test;
        let endereco = json!({ "uf": uf, "codigo_municipio": codigo.to_string(), "cidade": cidade });
        let change = json!({ "inscricao_estadual": ie, "endereco": endereco });
        client.put(&format!("/v1/empresas/{NUMERIC}"), &change).await.ok(200);
        let mut order = body::emission(NUMERIC);
        for (tag, value) in [("cMun", json!(codigo)), ("xMun", json!(cidade)), ("UF", json!(uf))] {
            order["nota"]["destinatario"][tag] = value;
        }
        order["nota"]["identificacao"]["serie"] = json!(serie);
        // both states ask who answers for the program (972)
        order["nota"]["responsavel_tecnico"] = json!({
            "CNPJ": NUMERIC, "xContato": "Suporte", "email": "suporte@exemplo.com.br", "fone": "1140000000"
        });
        let job = issued(&client, &order).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
        let answered = [&job["criado_em"], &job["nota"]["data_emissao"]];
        for instant in answered {
            assert!(instant.as_str().is_some_and(|text| text.ends_with(offset)), "{codigo}: {job}");
        }
        let id = job["job_id"].as_str().unwrap();
        for (file, marked) in [("xml", format!("{offset}</dhEmi>")), ("log", format!("{offset}  "))] {
            let text = client.get(&format!("/v1/nfe/{id}/file/{file}")).await.text();
            assert!(text.contains(&marked), "{codigo}: {text}");
        }
    }
    app.finish().await;
}
