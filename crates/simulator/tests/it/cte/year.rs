//! The night of 31 December 2026 at the authority: rates by `dhEmi` in its own offset, rules by the day of reception in
//! Brasília.

use super::bench::{Freight, code_and_text};
use crate::bench::{self, Bench, start};
use authority::table::{AuthorityRole, AuthorityService};
use jiff::Timestamp;
use serde_json::{Value, json};
use signing::Certificate;
use simulator::clock::ClockMode;
use simulator::pki::{CertificateSubject, Validity};

const DAY: i64 = 86_400;
const IN_2026: [[&str; 2]; 3] = [["0.10", "1.32"], ["0.00", "0.00"], ["0.90", "11.88"]];
const IN_2027: [[&str; 2]; 3] = [["0.05", "0.66"], ["0.05", "0.66"], ["8.70", "114.84"]];

/// A certificate that is valid around a moment.
fn carrier(bench: &Bench, at: Timestamp) -> Certificate {
    let validity = Validity { from: at.as_second() - DAY, until: at.as_second() + DAY };
    bench::certificate(
        bench.simulator.pki(),
        &CertificateSubject::new("TRANSPORTADORA TESTE", bench::CNPJ).valid(validity),
    )
}

/// Code of the answer to a document that is received at a moment.
async fn received(bench: &mut Bench, at: &str, freight: &Freight) -> u16 {
    let at: Timestamp = at.parse().unwrap();
    bench.simulator.clock().set_mode(ClockMode::Fixed(at));
    bench.certificate = carrier(bench, at);
    let endpoint = bench.at(freight.modelo(), AuthorityService::Autorizacao, AuthorityRole::Normal);
    let call = freight.dialect().authorize(&endpoint, 1, &freight.signed(bench));
    let reply = bench.transport.send(&call, &bench.certificate).await.unwrap();
    code_and_text(&freight.dialect().read_authorize(&reply).unwrap()).0
}

fn cargo(nCT: u64, dhEmi: &str, rates: [[&str; 2]; 3]) -> Freight {
    let [ibs_uf, ibs_mun, cbs] =
        rates.map(|[aliquota, valor]| json!({ "valor_bc": 1320, "aliquota": aliquota, "valor": valor }));
    let group = json!({ "cst": "000", "classificacao": "000001", "ibs_uf": ibs_uf, "ibs_mun": ibs_mun, "cbs": cbs });
    Freight::cargo(nCT).with("/identificacao/dhEmi", dhEmi.into()).with("/imposto/ibscbs", group)
}

#[tokio::test]
async fn rates_are_those_of_the_year_that_dhEmi_writes() {
    let mut bench = start().await;
    let mut nCT = 0;
    for (second, right, wrong) in [("2026-12-31T23:59:59", IN_2026, IN_2027), ("2027-01-01T00:00:00", IN_2027, IN_2026)]
    {
        for offset in ["-03:00", "-05:00", "-02:00"] {
            let dhEmi = format!("{second}{offset}");
            for (rates, expected) in [(wrong, 316), (right, 100)] {
                nCT += 1;
                assert_eq!(received(&mut bench, &dhEmi, &cargo(nCT, &dhEmi, rates)).await, expected, "{dhEmi}");
            }
        }
    }
    let late = cargo(nCT + 1, "2026-12-31T22:00:00-03:00", IN_2026);
    assert_eq!(received(&mut bench, "2027-01-02T09:00:00-03:00", &late).await, 100, "of 2026, received in 2027");
}

#[tokio::test]
async fn a_rule_refuses_from_its_first_day_on() {
    let mut bench = start().await;
    let bare = |dhEmi: &str, nCT: u64| {
        let freight = Freight::cargo(nCT).with("/identificacao/dhEmi", dhEmi.into());
        freight.with("/imposto/ibscbs", Value::Null)
    };
    for (nCT, (dhEmi, expected)) in (1..).zip([("2026-06-30T23:59:59-03:00", 100), ("2026-07-01T00:00:00-03:00", 310)])
    {
        assert_eq!(received(&mut bench, dhEmi, &bare(dhEmi, nCT)).await, expected, "{dhEmi}");
    }
}
