//! The register of the Receita Federal (NT 2026.007): each refusal beside an accepted case, and its date.

use crate::bench::{Bench, CNPJ, Note, start};
use fiscal::law::Law;
use serde_json::json;
use simulator::settings::{FederalRecord, SimulatorSettings, TaxpayerRecord};

const ADDRESSEE: &str = "12ABC34501DE35";
const TO_A_COMPANY: (&str, &str) = ("<dest><CPF>11144477735</CPF>", "<dest><CNPJ>12ABC34501DE35</CNPJ>");

fn absent() -> FederalRecord {
    FederalRecord { ausente: true, ..FederalRecord::default() }
}

fn inactive() -> FederalRecord {
    FederalRecord { inativo: true, ..FederalRecord::default() }
}

fn of(regTrib: u8) -> FederalRecord {
    FederalRecord { regTrib: Some(regTrib), ..FederalRecord::default() }
}

/// The code of a note with this record of a CNPJ.
async fn code(bench: &Bench, number: u32, cnpj: &str, record: FederalRecord, edits: &[(&str, &str)]) -> u16 {
    bench.simulator.configure(|settings: &mut SimulatorSettings| {
        let listed = TaxpayerRecord { receita: record.clone(), ..TaxpayerRecord::default() };
        settings.contribuintes = [(cnpj.to_owned(), listed)].into();
    });
    let note = Note::new(number);
    let xml = edits.iter().fold(note.xml(), |xml, (from, to)| {
        assert!(xml.contains(from), "{from}");
        xml.replacen(from, to, 1)
    });
    let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap();
    bench.verdict(&signed.xml).await.0
}

#[tokio::test]
async fn the_issuer_is_listed_active_and_of_the_regime_that_it_says() {
    let bench = start().await;
    assert!(Note::new(1).xml().contains("<CRT>1</CRT>"));
    for (number, record, expected) in [
        (1, FederalRecord::default(), 100),
        (2, absent(), 178),
        (3, inactive(), 179),
        (4, of(1), 100),
        (5, of(9), 180),
        (6, of(2), 180),
    ] {
        assert_eq!(code(&bench, number, CNPJ, record.clone(), &[]).await, expected, "{record:?}");
    }
}

/// 12C21-20: CRT 1 and 2 need regime 1, 4 needs 2. Other errors of such a note are switched off.
#[tokio::test]
async fn each_crt_has_its_regime() {
    let bench = start().await;
    let rules = fiscal::nfe::rules::RULES.iter().map(|rule| (rule.cStat, simulator::rule_switch::RuleSwitch::Off));
    bench.simulator.configure(|settings| settings.regras.extend(rules));
    let mut number = 10;
    for (CRT, right) in [("1", 1), ("2", 1), ("3", 9), ("4", 2)] {
        let crt = format!("<CRT>{CRT}</CRT>");
        for regTrib in [1, 2, 9] {
            number += 1;
            let expected = if regTrib == right { 100 } else { 180 };
            let found = code(&bench, number, CNPJ, of(regTrib), &[("<CRT>1</CRT>", crt.as_str())]).await;
            assert_eq!(found, expected, "CRT {CRT}, regTrib {regTrib}");
        }
    }
}

#[tokio::test]
async fn the_other_parties_are_listed_and_active() {
    let bench = start().await;
    let place = |group: &str| {
        format!(
            "</dest><{group}><CNPJ>{ADDRESSEE}</CNPJ><xNome>DEPOSITO</xNome><xLgr>RUA C</xLgr><nro>3</nro><xBairro>CENTRO</xBairro>\
             <cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF></{group}>"
        )
    };
    let (pickup, delivery) = (place("retirada"), place("entrega"));
    let mut number = 100;
    for (edit, codes) in
        [(TO_A_COMPANY, [181, 182]), (("</dest>", &pickup), [183, 184]), (("</dest>", &delivery), [185, 186])]
    {
        for (record, expected) in [(FederalRecord::default(), 100), (absent(), codes[0]), (inactive(), codes[1])] {
            number += 1;
            assert_eq!(code(&bench, number, ADDRESSEE, record, &[edit]).await, expected);
        }
    }
    // A person is in another list.
    assert_eq!(code(&bench, 200, "11144477735", absent(), &[]).await, 100);
}

#[tokio::test]
async fn its_day_is_moved_by_the_law_of_the_authority() {
    let bench = start().await;
    let later = json!({ "regras": [{ "codigo": 180, "a_partir_de": "2099-01-01", "fonte": "ensaio" }] });
    bench.simulator.configure(|settings| settings.lei = Law::read(later).unwrap());
    assert_eq!(code(&bench, 1, CNPJ, of(1), &[]).await, 100);
    assert_eq!(code(&bench, 2, CNPJ, absent(), &[]).await, 178, "the other rules keep theirs");
}
