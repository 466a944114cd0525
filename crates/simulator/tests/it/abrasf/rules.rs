//! Refusals of an RPS: each rule by a note that breaks it and nothing else.

use super::bench::{LAVRAS, Rps, govdigital, rps, today};
use crate::bench::CNPJ;
use jiff::ToSpan;
use rust_decimal::Decimal;
use simulator::abrasf::{CitySettings, MunicipalTaxpayer, RateScale};

fn withheld(number: u32) -> Rps {
    rps(number).with("<IssRetido>2", "<IssRetido>1")
}

#[tokio::test]
async fn every_rule_refuses_what_breaks_it() {
    let hall = govdigital().await;
    let tomorrow = today().tomorrow().unwrap();
    let next_month = today().checked_add(32.days()).unwrap();
    let company = |number| rps(number).with("<Cpf>11144477735</Cpf>", "<Cnpj>12345678000195</Cnpj>");
    let value = |number: u32, tag: &str, value: &str| {
        rps(number).with("</ValorServicos>", &format!("</ValorServicos><{tag}>{value}</{tag}>"))
    };
    for (broken, expected) in [
        (rps(1).with(&format!("<Competencia>{}", today()), &format!("<Competencia>{next_month}")), "E2"),
        (rps(2).with(&format!("<DataEmissao>{}", today()), &format!("<DataEmissao>{tomorrow}")), "E16"),
        (rps(3).with("<ValorServicos>1000.00", "<ValorServicos>0.00").with("<ValorIss>20.00</ValorIss>", ""), "E18"),
        (value(4, "ValorDeducoes", "1000.01").with("<ValorIss>20.00</ValorIss>", ""), "E19"),
        (value(5, "ValorDeducoes", "-1.00").with("<ValorIss>20.00</ValorIss>", ""), "E160"),
        (rps(6).with("</Aliquota>", "</Aliquota><DescontoCondicionado>1000.01</DescontoCondicionado>"), "E21"),
        (value(7, "ValorPis", "-0.01"), "E160"),
        (value(8, "ValorCsll", "-0.01"), "E160"),
        (value(9, "ValorInss", "1000.01"), "E99"),
        (withheld(10).with("<ExigibilidadeISS>1", "<ExigibilidadeISS>5").with("<ValorIss>20.00</ValorIss>", ""), "E37"),
        (
            withheld(11)
                .with("<OptanteSimples", "<RegimeEspecialTributacao>3</RegimeEspecialTributacao><OptanteSimples"),
            "E38",
        ),
        (rps(12).with("<CodigoMunicipio>3138203", "<CodigoMunicipio>3199999"), "E42"),
        (rps(13).with("<Cpf>11144477735", "<Cpf>11144477736"), "E47"),
        (company(14).with("12345678000195", CNPJ), "E52"),
        (company(15).with("<Endereco>Rua Exemplo</Endereco>", ""), "E56"),
        (company(16).with("<Numero>10</Numero>", ""), "E113"),
        (company(17).with("<Bairro>Centro</Bairro>", ""), "E114"),
        (company(18).with("<Uf>MG</Uf>", ""), "E115"),
        (rps(19).with("<RazaoSocial>FULANO DE TAL</RazaoSocial>", ""), "E118"),
        (rps(20).with("<Discriminacao>Suporte técnico &amp; manutenção", "<Discriminacao>x [SIM:codigo=E30]"), "E30"),
        (rps(21).with("<ValorIss>20.00", "<ValorIss>20.02"), "E180"),
        (rps(22).with("<Aliquota>0.02", "<Aliquota>6.00"), "E180"),
        (
            rps(23).with(
                "<Status>1</Status>",
                "<Status>1</Status><RpsSubstituido><Numero>99</Numero><Serie>1</Serie><Tipo>1</Tipo></RpsSubstituido>",
            ),
            "E76",
        ),
    ] {
        let number = broken.number;
        let codes = hall.codes("RecepcionarLoteRpsSincrono", &hall.lot(&[broken])).await;
        assert_eq!(codes, [expected], "{number}");
    }
    assert!(hall.bench.simulator.municipal_notes().is_empty());
    hall.issue(&company(99)).await;
}

#[tokio::test]
async fn the_register_of_the_city_decides_who_issues() {
    let hall = govdigital().await;
    let registered = |IM: Option<&str>| MunicipalTaxpayer { IM: IM.map(str::to_owned), ..MunicipalTaxpayer::default() };
    let (one, yesterday) = (rps(1), today().yesterday().unwrap());
    for (known, expected) in [
        (registered(None), "E43"),
        (registered(Some("777")), "E142"),
        (MunicipalTaxpayer { municipio: Some(3_550_308), ..registered(Some("12345")) }, "E45"),
        (MunicipalTaxpayer { nao_autorizado: true, ..registered(Some("12345")) }, "E156"),
        (MunicipalTaxpayer { habilitado_em: Some(today().tomorrow().unwrap()), ..registered(Some("12345")) }, "E17"),
    ] {
        hall.bench.simulator.configure(|settings| {
            settings.municipal.contribuintes.insert(CNPJ.to_owned(), known);
        });
        let codes = hall.codes("RecepcionarLoteRpsSincrono", &hall.lot(std::slice::from_ref(&one))).await;
        assert!(codes.iter().all(|codigo| codigo == expected) && !codes.is_empty(), "{expected}: {codes:?}");
    }
    hall.bench.simulator.configure(|settings| {
        settings.municipal.contribuintes.clear();
        settings.municipal.cadastro_fechado = true;
    });
    let codes = hall.codes("RecepcionarLoteRpsSincrono", &hall.lot(&[one])).await;
    assert!(codes.iter().all(|codigo| codigo == "E45") && !codes.is_empty(), "{codes:?}");
    let known = MunicipalTaxpayer {
        habilitado_em: Some(yesterday),
        nome: Some("EMPRESA EXEMPLO LTDA".into()),
        ..registered(Some("12345"))
    };
    hall.bench.simulator.configure(|settings| {
        settings.municipal.contribuintes.insert(CNPJ.to_owned(), known);
    });
    hall.issue(&rps(2)).await;
    let codes = hall.codes("RecepcionarLoteRpsSincrono", &hall.lot(&[withheld(3)])).await;
    assert_eq!(codes, ["E39"]);
}

#[tokio::test]
async fn a_city_writes_its_rates_as_it_likes() {
    let hall = govdigital().await;
    let in_per_cent =
        CitySettings { unidade: Some(RateScale::Percentual), aliquota: Decimal::new(3, 0), ..CitySettings::default() };
    hall.bench.simulator.configure(|settings| {
        settings.municipal.cidades.insert(LAVRAS, in_per_cent);
    });
    let per_cent = |number| rps(number).with("<Aliquota>0.02", "<Aliquota>2.0000");
    hall.issue(&per_cent(1)).await;
    assert_eq!(hall.codes("RecepcionarLoteRpsSincrono", &hall.lot(&[rps(2)])).await, ["E180"]);
    let unstated = rps(3).with("<Aliquota>0.02</Aliquota>", "").with("<ValorIss>20.00</ValorIss>", "");
    hall.issue(&unstated).await;
    assert_eq!(hall.bench.simulator.municipal_notes()[1].valor_iss, Decimal::new(3_000, 2));
}

#[tokio::test]
async fn a_note_with_credit_or_too_old_is_not_cancelled() {
    let hall = govdigital().await;
    let (one, two) = (hall.issue(&rps(1)).await, hall.issue(&rps(2)).await);
    hall.bench.simulator.configure(|settings| {
        let city =
            CitySettings { com_credito: [one].into(), prazo_cancelamento_h: Some(24), ..CitySettings::default() };
        settings.municipal.cidades.insert(LAVRAS, city);
    });
    assert_eq!(hall.codes("CancelarNfse", &hall.cancellation(one)).await, ["E6"]);
    hall.bench.simulator.clock().set_mode(simulator::clock::ClockMode::Shifted(jiff::SignedDuration::from_hours(25)));
    assert_eq!(hall.codes("CancelarNfse", &hall.cancellation(two)).await, ["E181"]);
}
