//! Model 65: every state answers, the registry of security codes, the seals of both versions of the QR code.

use crate::bench::{Bench, Note, payload, start, verdict};
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::nfe::qr::{self, ConsumerId, OfflineInputs, QrInputs};
use fiscal::nfe::supplement;
use fiscal::value::{TpAmb, Uf};
use simulator::LedgerStatus;
use simulator::faults::{Fault, FaultType};
use simulator::settings::{Csc, SimulatorSettings, TaxpayerRecord};

const CSC: &str = "0123456789ABCDEF0123456789ABCDEF0123";

/// A signed NFC-e without its QR code, and its digest.
fn signed(bench: &Bench, note: &Note) -> (String, String) {
    let xml = note.xml().replace("<tpImp>1<", "<tpImp>4<");
    let (before, rest) = xml.split_once("<dest>").unwrap();
    let xml = format!("{before}{}", rest.split_once("</dest>").unwrap().1);
    let test = "NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";
    let xml = xml.replace("CAFE &amp; ACUCAR", test);
    let xml = match note.tpEmis {
        9 => xml.replace(
            "</ide>",
            &format!("<dhCont>{}</dhCont><xJust>SEM COMUNICACAO COM A SEFAZ</xJust></ide>", note.dhEmi()),
        ),
        _ => xml,
    };
    let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap();
    (signed.xml, signed.digest)
}

fn with_code(mut xml: String, p: &str) -> String {
    let addresses = qr::addresses(Uf::SP, TpAmb::Homologacao);
    assert!(supplement(&mut xml, &qr::text(addresses.qr, p), addresses.chave));
    xml
}

fn note(nNF: u32, tpEmis: u8) -> Note {
    Note { modelo: 65, tpEmis, ..Note::new(nNF) }
}

fn v2(bench: &Bench, note: &Note, id: u32, csc: &str) -> String {
    let (xml, digest) = signed(bench, note);
    let dhEmi = note.dhEmi();
    let offline = (note.tpEmis == 9).then(|| OfflineInputs {
        dhEmi: &dhEmi,
        vNF: "100.00".parse().unwrap(),
        digest: &digest,
        consumer: ConsumerId::Unidentified,
    });
    let p = qr::v2(&QrInputs { chave: &note.chave(), ambiente: TpAmb::Homologacao, offline }, id, csc);
    with_code(xml, &p)
}

/// Code and text of a signed NFC-e at the state's own address.
async fn sent(bench: &Bench, signed: &str) -> (u16, String) {
    let endpoint = bench
        .table
        .endpoint(Uf::SP, 65, TpAmb::Homologacao, AuthorityService::Autorizacao, AuthorityRole::Normal)
        .unwrap();
    assert!(endpoint.url.contains("/nfce/sp/hom/"), "{}", endpoint.url);
    let call = authority::sefaz::NFE.authorize(&endpoint, 1, signed);
    verdict(&payload(&bench.send(&call).await.unwrap().body))
}

fn register(settings: &mut SimulatorSettings, codes: &[(&str, Option<&str>)]) {
    let csc = codes.iter().map(|(id, revoked)| {
        let revogado_em = revoked.map(|at| at.parse().unwrap());
        ((*id).to_owned(), Csc { csc: CSC.to_owned(), revogado_em })
    });
    let taxpayer = TaxpayerRecord { csc: csc.collect(), ..TaxpayerRecord::default() };
    settings.contribuintes.insert(crate::bench::CNPJ.to_owned(), taxpayer);
}

#[tokio::test]
async fn every_state_is_answered_for_by_its_authority_and_under_its_own_name() {
    let bench = start().await;
    for uf in Uf::ALL {
        let endpoint = bench
            .table
            .endpoint(uf, 65, TpAmb::Homologacao, AuthorityService::StatusServico, AuthorityRole::Normal)
            .unwrap();
        let own = format!("/nfce/{}/", uf.sigla().to_lowercase());
        let authority = format!("/nfce/{}/", endpoint.authority.to_lowercase());
        for url in [endpoint.url.clone(), endpoint.url.replace(&authority, &own)] {
            let mut call = authority::sefaz::NFE.status(&endpoint, TpAmb::Homologacao, uf);
            call.url = url;
            let answered = authority::sefaz::NFE.read_status(&bench.send(&call).await.unwrap()).unwrap();
            assert_eq!(answered.cStat, 107, "{uf:?} {}", call.url);
        }
    }
}

#[tokio::test]
async fn a_code_is_asked_for_and_its_csc_is_looked_up() {
    let bench = start().await;
    bench.simulator.configure(|settings| register(settings, &[("000001", None), ("2", Some("2020-01-01T00:00:00Z"))]));
    let (bare, _) = signed(&bench, &note(1, 1));
    assert_eq!(sent(&bench, &bare).await.0, 394);
    assert_eq!(sent(&bench, &v2(&bench, &note(1, 1), 7, CSC)).await.0, 462);
    assert_eq!(sent(&bench, &v2(&bench, &note(1, 1), 2, CSC)).await.0, 463);
    assert_eq!(sent(&bench, &v2(&bench, &note(1, 1), 1, "another")).await.0, 464);
    let right = sent(&bench, &v2(&bench, &note(1, 1), 1, CSC)).await;
    assert_eq!(right.0, 100, "{}", right.1);
    let offline = sent(&bench, &v2(&bench, &note(2, 9), 1, CSC)).await;
    assert_eq!(offline.0, 100, "{}", offline.1);
}

#[tokio::test]
async fn an_open_registry_asks_no_stranger_for_a_csc_and_a_closed_one_does() {
    let bench = start().await;
    let unknown = sent(&bench, &v2(&bench, &note(1, 1), 1, "anything")).await;
    assert_eq!(unknown.0, 100, "{}", unknown.1);
    bench.simulator.configure(|settings| {
        register(settings, &[]);
        settings.cadastro_aberto = false;
    });
    assert_eq!(sent(&bench, &v2(&bench, &note(2, 1), 1, CSC)).await.0, 796);
}

#[tokio::test]
async fn the_signature_of_version_3_is_verified_with_the_signers_key() {
    let bench = start().await;
    let note = note(1, 9);
    let (xml, digest) = signed(&bench, &note);
    let dhEmi = note.dhEmi();
    let chave = note.chave();
    let vNF = "100.00".parse().unwrap();
    let offline = OfflineInputs { dhEmi: &dhEmi, vNF, digest: &digest, consumer: ConsumerId::Unidentified };
    let facts = QrInputs { chave: &chave, ambiente: TpAmb::Homologacao, offline: Some(offline) };
    let to_sign = qr::v3_to_sign(&facts).unwrap();
    let of_another_text = signing::sign_text(&to_sign.replace("100.00", "100.01"), &bench.certificate).unwrap();
    let wrong = with_code(xml.clone(), &qr::v3_signed(&to_sign, &of_another_text));
    assert_eq!(sent(&bench, &wrong).await.0, 583);
    let signature = signing::sign_text(&to_sign, &bench.certificate).unwrap();
    let right = sent(&bench, &with_code(xml, &qr::v3_signed(&to_sign, &signature))).await;
    assert_eq!(right.0, 100, "{}", right.1);
}

#[tokio::test]
async fn a_parameter_that_differs_is_named() {
    let bench = start().await;
    let note = note(1, 1);
    let other = Note { nNF: 5, ..note.clone() }.chave();
    let p = qr::v2(&QrInputs { chave: &other, ambiente: TpAmb::Homologacao, offline: None }, 1, CSC);
    let (cStat, xMotivo) = sent(&bench, &with_code(signed(&bench, &note).0, &p)).await;
    assert_eq!(
        (cStat, xMotivo.as_str()),
        (397, "Rejeição: Parâmetro do QR-Code divergente da Nota Fiscal [Param: chave]")
    );
}

#[tokio::test]
async fn an_nfce_is_late_after_five_minutes_and_offline_after_a_day() {
    let bench = start().await;
    let ago =
        |note: Note, minutes: i64| note.emitted(jiff::Timestamp::now() - jiff::SignedDuration::from_mins(minutes));
    let late = sent(&bench, &v2(&bench, &ago(note(1, 1), 6), 1, CSC)).await;
    assert_eq!(late.0, 704, "{}", late.1);
    let offline = sent(&bench, &v2(&bench, &ago(note(2, 9), 60), 1, CSC)).await;
    assert_eq!(offline.0, 100, "{}", offline.1);
    let stale = sent(&bench, &v2(&bench, &ago(note(3, 9), 25 * 60), 1, CSC)).await;
    assert_eq!(stale.0, 150, "{}", stale.1);
}

/// An answer is lost, an offline note takes the number, and the first one is registered after all.
#[tokio::test]
async fn a_late_nfce_and_one_offline_under_its_number_are_both_authorised() {
    let bench = start().await;
    let endpoint = bench
        .table
        .endpoint(Uf::SP, 65, TpAmb::Homologacao, AuthorityService::Autorizacao, AuthorityRole::Normal)
        .unwrap();
    bench.simulator.add_fault(Fault::new(FaultType::Late).ms(3_600_000));
    let call = authority::sefaz::NFE.authorize(&endpoint, 1, &v2(&bench, &note(1, 1), 1, CSC));
    assert!(bench.send(&call).await.is_err());
    assert_eq!(sent(&bench, &v2(&bench, &note(1, 9), 1, CSC)).await.0, 100);
    bench.simulator.process_late();
    let stored = bench.simulator.documents(None);
    assert_eq!(
        stored.iter().map(|one| (one.nNF, one.situacao)).collect::<Vec<_>>(),
        [(1, LedgerStatus::Autorizada); 2]
    );
}
