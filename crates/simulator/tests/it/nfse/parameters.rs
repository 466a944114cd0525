//! Parameters of municípios: each convention in the shapes of the OpenAPI.

use super::bench::town;
use super::shapes::{BENEFIT, CONVENIO, assert_shape};
use serde_json::{Value, json};

#[tokio::test]
async fn each_municipality_tells_its_convention() {
    let town = town().await;
    let base = town.bench.simulator.parameters_url(fiscal::value::TpAmb::Homologacao);
    for (municipality, status, emits) in [
        ("3550308", 200, json!(1)),
        ("2800308", 200, json!(0)),
        ("1301605", 200, json!(0)),
        ("1501402", 404, Value::Null),
        ("9999999", 404, Value::Null),
        ("abc", 400, Value::Null),
    ] {
        let (found, body) = town.get(&format!("{base}/{municipality}/convenio")).await;
        assert_eq!((found, &body["parametrosConvenio"]["aderenteEmissorNacional"]), (status, &emits), "{municipality}");
        assert!(body["mensagem"].is_string(), "{municipality}");
        if status == 200 {
            assert_shape(&body["parametrosConvenio"], CONVENIO);
        }
    }
}

#[tokio::test]
async fn rates_come_under_the_code_of_their_service() {
    let town = town().await;
    let base = town.bench.simulator.parameters_url(fiscal::value::TpAmb::Homologacao);
    for service in ["01.01.01.000", "010101"] {
        let (status, body) = town.get(&format!("{base}/3106200/{service}/2026-11-20/aliquota")).await;
        assert_eq!(status, 200);
        let rate = &body["aliquotas"]["01.01.01.000"][0];
        assert_eq!(rate.to_string(), r#"{"Incidencia":"SIM","Aliq":2,"DtIni":"2023-01-01T00:00:00","DtFim":null}"#);
    }
    let (_, body) = town.get(&format!("{base}/3106200/170101/historicoaliquotas")).await;
    assert_eq!(body["aliquotas"]["17.01.01.000"][0]["Aliq"].to_string(), "4.5");
    for (path, status) in [
        ("4106902/160101/2026-11-20/aliquota", 404),
        ("3106200/000000/2026-11-20/aliquota", 400),
        ("3106200/010101/ontem/aliquota", 400),
        ("3106200/010101/2022-12-31/aliquota", 404),
    ] {
        assert_eq!(town.get(&format!("{base}/{path}")).await.0, status, "{path}");
    }
}

#[tokio::test]
async fn regimes_withholding_and_benefits_are_told() {
    let town = town().await;
    let base = town.bench.simulator.parameters_url(fiscal::value::TpAmb::Homologacao);
    let (_, body) = town.get(&format!("{base}/4106902/010101/2026-11-20/regimes_especiais")).await;
    let regimes = &body["regimesEspeciais"]["regimes"];
    assert_eq!(
        (&regimes["estimativa"][0]["situacao"], &regimes["sociedadeDeProfissionais"][0]["situacao"]),
        (&json!(2), &json!(1))
    );
    let (_, body) = town.get(&format!("{base}/4106902/2026-11-20/retencoes")).await;
    assert_eq!(body["retencoes"]["artigoSexto"]["habilitado"], json!(false));
    let own = &body["retencoes"]["retencoesMunicipais"][0];
    assert_eq!(
        (&own["tiposRetencao"], &own["servicos"][0]["codigoCompleto"]),
        (&json!([1, 2]), &json!("17.01.01.000"))
    );
    let (status, body) = town.get(&format!("{base}/4314902/43149020200002/2026-11-20/beneficio")).await;
    assert_shape(&body["beneficio"], BENEFIT);
    assert_eq!((status, body["beneficio"]["reducaoPercentualBC"].to_string().as_str()), (200, "40"));
    for (path, status) in [
        ("4314902/1/2026-11-20/beneficio", 404),
        ("4314902/1/ontem/beneficio", 400),
        ("9999999/010101/2026-11-20/regimes_especiais", 404),
        ("4106902/000000/2026-11-20/regimes_especiais", 400),
        ("9999999/2026-11-20/retencoes", 404),
        ("4106902/ontem/retencoes", 400),
        ("9999999/170101/historicoaliquotas", 404),
        ("3106200/000000/historicoaliquotas", 400),
    ] {
        assert_eq!(town.get(&format!("{base}/{path}")).await.0, status, "{path}");
    }
}
