//! Every golden DPS is signed, sent, and validated by foreign tools: the NFS-e by libxml2, both signatures by xmlsec1.

use super::bench::{NationalBench, authorized, codes, town};
use super::tool::{OF_THE_DPS, OWN, assert_all_valid, xmlsec1};
use authority::nfse_nacional::{DpsAnswer, IssueAnswer, NfseAnswer};
use serde_json::{Value, json};
use signing::{Certificate, SigningAlgorithm};
use simulator::rule_switch::RuleSwitch;
use std::collections::HashMap;
use testkit::cases;
use testkit::cases::nfse::Case;

/// The case that the Sefin refuses as it stands: it was written for its digest.
const FOR_ITS_DIGEST: (&str, &str) = ("exemplo_assinatura", "E0713");

#[tokio::test]
async fn every_golden_dps_becomes_a_valid_nfse_that_verifies() {
    let town = town().await;
    let mut certificates = HashMap::new();
    let mut made = Vec::new();
    for (at, case) in cases::nfse::all().into_iter().enumerate() {
        town.bench.simulator.reset();
        let algorithm = if at % 2 == 0 { SigningAlgorithm::Sha1 } else { SigningAlgorithm::Sha256 };
        let issuer = issuer(&case);
        let certificate = certificates.entry(issuer.clone()).or_insert_with(|| town.certificate_of(&issuer));
        let case = after_what_it_substitutes(&town, case, certificate).await;
        let (name, answer, signed) = issued(&town, &case, certificate, algorithm).await;
        let (name, answer, signed) = if name == FOR_ITS_DIGEST.0 {
            let IssueAnswer::Rejected(said) = answer else { panic!("{name}: {answer:?}") };
            assert_eq!(codes(&said), [FOR_ITS_DIGEST.1], "{name}");
            town.bench.simulator.configure(|settings| {
                settings.nfse.regras.insert(FOR_ITS_DIGEST.1.to_owned(), RuleSwitch::Off);
            });
            issued(&town, &case, certificate, algorithm).await
        } else {
            (name, answer, signed)
        };
        let note = match answer {
            IssueAnswer::Authorized(note) => note,
            other => panic!("{name}: {other:?}"),
        };
        assert!(note.xml.contains(&signed), "{name}: a DPS está na NFS-e como veio");
        asked_for(&town, &case, certificate, &note.xml).await;
        let pki = town.bench.simulator.pki();
        xmlsec1(pki, &note.xml, "infNFSe", OWN).unwrap_or_else(|said| panic!("{name}: {said}"));
        xmlsec1(pki, &note.xml, "infDPS", OF_THE_DPS).unwrap_or_else(|said| panic!("{name}: {said}"));
        made.push((name, note.xml));
    }
    assert_eq!(made.len(), cases::nfse::all().len());
    assert!(made.len() >= 61, "{} casos são poucos", made.len());
    assert_all_valid("NFSe_v1.01.xsd", &made);
}

/// A case that substitutes names a note that does not exist (E0044). The same case without the substitution is issued
/// first, and its key is named.
async fn after_what_it_substitutes(town: &NationalBench, case: Case, certificate: &Certificate) -> Case {
    let inner = case.input["nota"].get("infDPS").is_some();
    let inside = |members: Value| if inner { json!({ "infDPS": members }) } else { members };
    let subst = if inner { &case.input["nota"]["infDPS"]["subst"] } else { &case.input["nota"]["subst"] };
    if subst.is_null() {
        return case;
    }
    let IssueAnswer::Rejected(said) = issued(town, &case, certificate, SigningAlgorithm::Sha1).await.1 else {
        panic!()
    };
    assert_eq!(codes(&said), ["E0044"], "{}", case.name());
    let folder = case.folder.clone();
    let before = Case { folder, input: case.input.clone() };
    let before = before.with(&json!({ "nDPS": 900, "nota": inside(json!({ "subst": null, "nDPS": "900" })) }));
    let note = authorized(issued(town, &before, certificate, SigningAlgorithm::Sha1).await.1);
    case.with(&json!({ "nota": inside(json!({ "subst": { "chSubstda": note.chave.as_str() } })) }))
}

fn issuer(case: &Case) -> String {
    let xml = case.build().unwrap().xml;
    let prest = xml.split("<prest>").nth(1).unwrap();
    prest.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned()
}

async fn issued(
    town: &NationalBench,
    case: &Case,
    certificate: &Certificate,
    algorithm: SigningAlgorithm,
) -> (String, IssueAnswer, String) {
    let built = case.build().unwrap();
    let signed =
        signing::sign_element_by(algorithm, built.xml, built.signatures[0].element.clone(), &built.ids.id, certificate)
            .unwrap()
            .xml;
    let reply = town.ask_as(&town.sefin.issue(&signed), certificate).await;
    let answer = authority::nfse_nacional::read_issue(&reply).unwrap();
    (case.name(), answer, signed)
}

/// Finds the note by its Id and by its key.
async fn asked_for(town: &NationalBench, case: &Case, certificate: &Certificate, xml: &str) {
    let id = case.build().unwrap().ids.id;
    let reply = town.ask_as(&town.sefin.dps(&id), certificate).await;
    let DpsAnswer::Found(chave) = authority::nfse_nacional::read_dps(&reply).unwrap() else { panic!("{reply:?}") };
    let reply = town.ask_as(&town.sefin.nfse(&chave), certificate).await;
    let NfseAnswer::Found(found) = authority::nfse_nacional::read_nfse(&reply).unwrap() else { panic!("{reply:?}") };
    assert_eq!((found.chave, found.xml.as_str()), (chave, xml));
    assert!(xml.contains(&format!("<infNFSe Id=\"NFS{}\">", chave.as_str())));
}

/// A text inside of an element of a document.
fn text<'x>(xml: &'x str, tag: &str) -> &'x str {
    xml.split(&format!("<{tag}>")).nth(1).unwrap_or_default().split('<').next().unwrap()
}

#[tokio::test]
async fn the_worked_example_with_retentions_has_its_amounts() {
    let town = town().await;
    let case = cases::nfse::all().into_iter().find(|case| case.name() == "exemplo_retencoes_ibs_cbs").unwrap();
    let note = town.issue(&case).await;
    for (tag, amount) in [
        ("vBC", "10000.00"),
        ("pAliqAplic", "5.00"),
        ("vISSQN", "500.00"),
        ("vTotalRet", "1115.00"),
        ("vLiq", "8885.00"),
        ("vIBSUF", "9.14"),
        ("vIBSMun", "0.00"),
        ("vCBS", "82.22"),
        ("vTotNF", "8885.00"),
        ("cLocIncid", "3550308"),
        ("nNFSe", "1"),
    ] {
        assert_eq!(text(&note.xml, tag), amount, "{tag}");
    }
    assert!(note.xml.contains("<IBSCBS><cLocalidadeIncid>3550308</cLocalidadeIncid>"));
    assert!(note.xml.contains("<valores><vBC>9135.00</vBC><uf>"), "{}", note.xml);
}

#[tokio::test]
async fn numbers_follow_each_other_and_a_refused_dps_takes_none() {
    let town = town().await;
    let first = town.issue(&super::bench::dps(1)).await;
    let signed = town.bent(&super::bench::dps(2), "<cTribNac>010101", "<cTribNac>000001");
    assert_eq!(town.codes(&signed).await, ["E0310"]);
    let second = authorized(town.hand_in(&town.signed(&super::bench::dps(2))).await);
    assert_eq!((text(&first.xml, "nNFSe"), text(&second.xml, "nNFSe")), ("1", "2"));
    let (one, other) = (first.chave.as_str(), second.chave.as_str());
    assert_eq!((&one[..9], &one[9..23]), ("355030822", "11222333000181"));
    assert_eq!((&one[23..36], &other[23..36]), ("0000000000001", "0000000000002"));
    assert_eq!(&one[36..40], "2611");
}
