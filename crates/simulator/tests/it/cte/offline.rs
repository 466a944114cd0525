//! CT-e issued offline (`tpEmis` 2, NT 2026.004): their authority accepts them within 168 hours, by a signature in the
//! QR code that is verified here by other code.

use super::bench::{Freight, OFFLINE, code_and_text, moment};
use crate::bench::start;
use authority::table::AuthorityRole;
use serde_json::json;
use simulator::pki::CertificateSubject;

fn cargo(nCT: u64) -> Freight {
    Freight { tpEmis: OFFLINE, ..Freight::cargo(nCT) }
}

#[tokio::test]
async fn its_home_takes_it_and_no_svc_does() {
    let bench = start().await;
    for freight in [cargo(1), Freight { tpEmis: OFFLINE, ..Freight::passengers(2) }] {
        let signed = freight.signed(&bench);
        assert_eq!(code_and_text(&bench.carry_signed(&freight, &signed, AuthorityRole::Contingency).await).0, 516);
        assert_eq!(code_and_text(&bench.carry_signed(&freight, &signed, AuthorityRole::Normal).await).0, 100);
        assert_eq!(code_and_text(&bench.carry_signed(&freight, &signed, AuthorityRole::Normal).await).0, 204);
    }
}

#[tokio::test]
async fn reasons_and_signature_are_due_and_right() {
    let bench = start().await;
    let right = cargo(1);
    let signed = right.signed(&bench);
    let between = |from: &str, to: &str| {
        let rest = signed.split_once(from).unwrap().1;
        format!("{from}{}{to}", rest.split_once(to).unwrap().0)
    };
    let sign = between("&amp;sign=", "</qrCodCTe>");
    let began = between("<dhCont>", "</dhCont>");
    let reasons = format!("{began}{}", between("<xJust>", "</xJust>"));
    // The signature of another key, and that of another certificate.
    let of_another = cargo(2).signed(&bench);
    let of_another = of_another.split_once("&amp;sign=").unwrap().1.split_once("</qrCodCTe>").unwrap().0;
    let stranger = CertificateSubject::new("OUTRA EMPRESA", "33000167000101");
    let stranger = crate::bench::certificate(bench.simulator.pki(), &stranger);
    let by_another = signing::sign_text(right.chave().as_str(), &stranger).unwrap();
    for (expected, from, to) in [
        (587, reasons, String::new()),
        (588, began, format!("<dhCont>{}</dhCont>", moment(60))),
        (853, sign.clone(), "</qrCodCTe>".to_owned()),
        (855, sign.clone(), "&amp;sign=AAAA</qrCodCTe>".to_owned()),
        (855, sign.clone(), format!("&amp;sign={of_another}</qrCodCTe>")),
        (855, sign, format!("&amp;sign={by_another}</qrCodCTe>")),
    ] {
        let (cStat, xMotivo) = bench.carried(&right.clone().replace_text(&from, &to)).await;
        assert_eq!(cStat, expected, "{from} → {to}: {xMotivo}");
    }
    assert_eq!(bench.carried(&right).await.0, 100);
}

#[tokio::test]
async fn it_is_taken_for_168_hours() {
    let bench = start().await;
    let emitted = |nCT, seconds| cargo(nCT).with("/identificacao/dhEmi", json!(moment(seconds)));
    let week = -168 * 3_600;
    assert_eq!(bench.carried(&emitted(1, week - 60)).await.0, 228);
    assert_eq!(bench.carried(&emitted(2, week + 60)).await.0, 100);
}
