//! The group `IBSCBS` that the Sefin computes on both sides of the night of 31 December 2026.
//!
//! Law: LC 214/2025, arts. 343, 344 and 346; annotations of `vBC` and `vTotNF` in layout 1.01. The competence is the
//! day of `dhEmi` in its own offset where the caller gives none.

use super::bench::{NationalBench, authorized, town};
use super::tool::assert_all_valid;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use simulator::clock::ClockMode;
use testkit::cases;

/// After either side of the night, in any offset.
const LATER: &str = "2027-01-01T12:00:00-03:00";
const LAST_SECOND: &str = "2026-12-31T23:59:59-03:00";
const FIRST_SECOND: &str = "2027-01-01T00:00:00-03:00";

/// The worked example with contributions, issued at a moment.
async fn issued(town: &NationalBench, number: u64, members: Value) -> String {
    authorized(town.hand_in(&signed(town, number, members)).await).xml
}

fn signed(town: &NationalBench, number: u64, members: Value) -> String {
    town.bench.simulator.clock().set_mode(ClockMode::Fixed(LATER.parse().unwrap()));
    let case = cases::nfse::all().into_iter().find(|case| case.name() == "exemplo_retencoes_ibs_cbs").unwrap();
    let own = json!({ "nDPS": number, "nota": { "infDPS": { "nDPS": number.to_string(), "dCompet": null } } });
    let case = case.with(&own).with(&json!({ "nota": { "infDPS": members } }));
    town.signed(&case)
}

/// The texts of elements, the base of IBS and CBS first.
fn shown<'x>(xml: &'x str, tags: &[&str]) -> Vec<&'x str> {
    let reform = xml.split("<cLocalidadeIncid>").nth(1).unwrap_or_default();
    let text = |tag: &&str| {
        let found = reform.split_once(&format!("<{tag}>"));
        found.and_then(|(_, rest)| rest.split('<').next()).unwrap_or_default()
    };
    tags.iter().map(text).collect()
}

const AMOUNTS: &[&str] = &["vBC", "pIBSUF", "pIBSMun", "pCBS", "vTotNF", "vIBSTot", "vIBSUF", "vIBSMun", "vCBS"];

#[tokio::test]
async fn the_competence_decides_base_rates_and_total() {
    let town = town().await;
    let of_2026 = ["9135.00", "0.10", "0.00", "0.90", "8885.00", "9.14", "9.14", "0.00", "82.22"];
    let of_2027 = ["9500.00", "0.05", "0.05", "1.00", "8989.50", "9.50", "4.75", "4.75", "95.00"];
    let rows: [(Value, [&str; 9]); 6] = [
        (json!({ "dhEmi": LAST_SECOND }), of_2026),
        (json!({ "dhEmi": FIRST_SECOND }), of_2027),
        // In UTC the year has begun.
        (json!({ "dhEmi": "2026-12-31T23:59:59-05:00" }), of_2026),
        // In UTC it has not.
        (json!({ "dhEmi": "2027-01-01T00:00:00-02:00" }), of_2027),
        (json!({ "dhEmi": "2027-01-01T00:30:00+01:00" }), of_2027),
        // Done in December, declared in January.
        (json!({ "dhEmi": FIRST_SECOND, "dCompet": "2026-12-31" }), of_2026),
    ];
    let mut made = Vec::new();
    for (at, (members, expected)) in rows.into_iter().enumerate() {
        let xml = issued(&town, at as u64 + 1, members.clone()).await;
        assert!(xml.contains(&format!("<dhEmi>{}</dhEmi>", members["dhEmi"].as_str().unwrap())), "{xml}");
        assert_eq!(shown(&xml, AMOUNTS), expected, "{members}");
        assert_eq!(xml.contains("<xOutInf>SIMULADOR: pCBS 1.00 é da sandbox"), expected == of_2027, "{members}");
        made.push((format!("janeiro-{at}"), xml));
    }
    assert_all_valid("NFSe_v1.01.xsd", &made);
}

#[tokio::test]
async fn a_rate_of_the_settings_is_written_without_remark_and_only_where_the_law_has_none() {
    let town = town().await;
    town.bench.simulator.configure(|settings| settings.nfse.pCBS = Some(Decimal::new(750, 2)));
    let before = issued(&town, 1, json!({ "dhEmi": LAST_SECOND })).await;
    let after = issued(&town, 2, json!({ "dhEmi": FIRST_SECOND })).await;
    assert_eq!(shown(&before, &["pCBS", "vCBS"]), ["0.90", "82.22"]);
    assert_eq!(shown(&after, &["pCBS", "pAliqEfetCBS", "vCBS", "vTotNF"]), ["7.50", "7.50", "712.50", "9607.00"]);
    assert!(!after.contains("<xOutInf>"), "{after}");
}

#[tokio::test]
async fn a_dps_without_the_group_has_none_in_its_note() {
    let town = town().await;
    let xml = issued(&town, 1, json!({ "dhEmi": FIRST_SECOND, "IBSCBS": null })).await;
    assert!(!xml.contains("IBSCBS") && !xml.contains("<xOutInf>"), "{xml}");
}

#[tokio::test]
async fn the_group_is_demanded_where_the_settings_say_so_and_of_2027_alone() {
    let town = town().await;
    town.bench.simulator.configure(|settings| settings.nfse.ibscbs_ausente = Some("E0849".to_owned()));
    let without = |dhEmi: &str| json!({ "dhEmi": dhEmi, "IBSCBS": null });
    issued(&town, 1, without(LAST_SECOND)).await;
    assert_eq!(town.codes(&signed(&town, 2, without(FIRST_SECOND))).await, ["E0849"]);
    issued(&town, 2, json!({ "dhEmi": FIRST_SECOND })).await;
}
