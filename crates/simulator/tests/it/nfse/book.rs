//! Every rule of the table is refused over TLS with the predicted codes, and the nearest valid document becomes an
//! NFS-e. The document that breaks each rule is among the fiscal core's tests.

use super::bench::{NationalBench, codes, town};
use authority::nfse_nacional::{IssueAnswer, read_issue};
use fiscal::document::BuiltDocument;
use fiscal::nfse::rules::{self, NfseRuleContext, book};
use fiscal::value::TpAmb;
use fiscal::xml;
use jiff::Timestamp;
use signing::{Certificate, SigningAlgorithm};
use simulator::clock::ClockMode;
use simulator::pki::{CertificateSubject, Validity};
use simulator::rule_switch::RuleSwitch;
use std::collections::{BTreeMap, BTreeSet};
use testkit::broken::nfse::{BROKEN_PAYLOADS, EDITED_DOCUMENTS, MUNICIPAL_CASES};
use testkit::cases::MOMENT;

/// The Sefin at the time of the cases, and certificates of that day.
struct SefinBench {
    town: NationalBench,
    certificates: BTreeMap<String, Certificate>,
}

impl SefinBench {
    async fn open() -> SefinBench {
        let town = town().await;
        town.bench.simulator.clock().set_mode(ClockMode::Fixed(MOMENT.parse().unwrap()));
        SefinBench { town, certificates: BTreeMap::new() }
    }

    /// Sends an unsigned document, signed by the issuer that it names.
    async fn hand_in(&mut self, xml: &str) -> IssueAnswer {
        let document = xml::read(xml.as_bytes()).unwrap();
        let prest = document.at("infDPS/prest").unwrap();
        let issuer = ["CNPJ", "CPF"].iter().find_map(|tag| prest.text_at(tag)).unwrap_or(crate::bench::CNPJ).to_owned();
        let pki = self.town.bench.simulator.pki();
        let certificate = self.certificates.entry(issuer).or_insert_with_key(|issuer| {
            let moment = MOMENT.parse::<Timestamp>().unwrap().as_second();
            let validity = Validity { from: moment - 86_400, until: moment + 86_400 };
            crate::bench::certificate(pki, &CertificateSubject::new("EMPRESA TESTE", issuer).valid(validity))
        });
        let id = document.at("infDPS").unwrap().attribute("Id").unwrap().to_owned();
        let signed = signing::sign_by(SigningAlgorithm::Sha256, xml.to_owned(), &id, certificate).unwrap().xml;
        let reply = self.town.ask_as(&self.town.sefin.issue(&signed), certificate).await;
        read_issue(&reply).unwrap()
    }

    async fn codes(&mut self, xml: &str) -> BTreeSet<String> {
        match self.hand_in(xml).await {
            IssueAnswer::Authorized(_) => BTreeSet::new(),
            IssueAnswer::Rejected(said) | IssueAnswer::Duplicate(said) | IssueAnswer::Forbidden(said) => {
                codes(&said).into_iter().collect()
            }
        }
    }
}

fn foreseen(xml: &str) -> BTreeSet<String> {
    let facts = NfseRuleContext {
        law: fiscal::law::Law::printed(),
        now: MOMENT.parse().unwrap(),
        ambiente: TpAmb::Homologacao,
        terms: None,
    };
    let document = xml::read(xml.as_bytes()).unwrap();
    rules::predict(&document, &facts).into_iter().map(|it| it.rule.codigo.to_owned()).collect()
}

/// Rule that the stored notes alone decide, of documents that name one.
const OF_THE_STORED: &str = "E0044";
/// Persons that withhold: only the list of the município decides.
const OF_THE_MUNICIPALITY: [&str; 2] = ["E0667", "E0670"];

#[tokio::test]
async fn every_rule_that_is_foreseen_is_refused_with_its_code() {
    let mut hall = SefinBench::open().await;
    let written = BROKEN_PAYLOADS.iter().filter_map(|row| Some((row.codigo, row.broken().build().ok()?.xml)));
    let documents: Vec<_> = written.chain(EDITED_DOCUMENTS.iter().map(|bent| (bent.codigo, bent.xml()))).collect();
    let (mut refused, mut wrong) = (BTreeSet::new(), Vec::new());
    for (codigo, xml) in documents {
        let mut said = hall.codes(&xml).await;
        said.remove(OF_THE_STORED);
        said.retain(|code| !OF_THE_MUNICIPALITY.contains(&code.as_str()));
        let foreseen = foreseen(&xml);
        if said != foreseen || !said.contains(codigo) {
            wrong.push(format!("{codigo}: {said:?}, where {foreseen:?} is foreseen"));
        }
        refused.insert(codigo);
    }
    for row in MUNICIPAL_CASES {
        let xml = row.case().build().unwrap().xml;
        let said = hall.codes(&xml).await;
        if said != BTreeSet::from([row.codigo.to_owned()]) {
            wrong.push(format!("{}: {said:?}", row.codigo));
        }
        refused.insert(row.codigo);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let all: BTreeSet<&str> = rules::all().iter().map(|rule| rule.codigo).collect();
    assert_eq!(all.difference(&refused).collect::<Vec<_>>(), Vec::<&&str>::new(), "refused by nothing");
    println!("{} codes of the national NFS-e refused, each as foreseen", refused.len());
}

#[tokio::test]
async fn the_nearest_document_becomes_an_nfse() {
    let mut hall = SefinBench::open().await;
    let mut wrong = Vec::new();
    for row in BROKEN_PAYLOADS {
        hall.town.bench.simulator.reset();
        hall.town.bench.simulator.clock().set_mode(ClockMode::Fixed(MOMENT.parse().unwrap()));
        let BuiltDocument { xml, .. } = row.right().build().unwrap();
        let mut said = hall.codes(&xml).await;
        said.retain(|code| !OF_THE_MUNICIPALITY.contains(&code.as_str()));
        let names_a_note = xml.contains("<subst>");
        let expected = names_a_note.then(|| OF_THE_STORED.to_owned()).into_iter().collect();
        if said != expected {
            wrong.push(format!("{} beside {}: {said:?}", row.case, row.codigo));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// E0684 and E0690: published, and without a date.
#[tokio::test]
async fn rules_of_a_note_that_is_not_in_force_refuse_when_they_are_switched_on() {
    let mut hall = SefinBench::open().await;
    let base = super::bench::dps(1).with(&serde_json::json!({ "nota": { "valores": { "trib": { "tribFed": {
        "piscofins": { "CST": "01", "vBCPisCofins": 1000 } } } } } }));
    let xml = base.build().unwrap().xml;
    hall.town.bench.simulator.configure(|settings| {
        for rule in rules::later() {
            settings.nfse.regras.insert(rule.codigo.to_owned(), RuleSwitch::On);
        }
    });
    assert_eq!(hall.codes(&xml).await, BTreeSet::from(["E0684".to_owned(), "E0690".to_owned()]));
    hall.town.bench.simulator.configure(|settings| settings.nfse.regras.clear());
    assert_eq!(hall.codes(&xml).await, BTreeSet::new());
}

/// A code asked for by a magic value has its text as any other.
#[tokio::test]
async fn every_code_that_is_played_has_its_text() {
    for entry in book::entries().iter().filter(|entry| entry.is_played) {
        assert!(entry.mensagem.chars().count() > 10, "{entry:?}");
    }
    let silent: Vec<_> = book::entries().iter().filter(|entry| entry.common && !entry.is_played).collect();
    let silent: Vec<&str> = silent.into_iter().map(|entry| entry.codigo).collect();
    // Excluded by the schema; of the ADN; checked in a DPS by E0046 and E0076; of the ADN.
    assert_eq!(silent, ["E0686", "E0692", "E0845", "E1805", "E1843"]);
}
