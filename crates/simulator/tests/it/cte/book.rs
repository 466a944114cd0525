//! Every rule of the table is refused over TLS with the predicted code. The document that breaks each is among the
//! fiscal core's tests.

use super::bench::code_and_text;
use crate::bench::{self, Bench, start};
use authority::table::{AuthorityRole, AuthorityService, wire};
use fiscal::cte::rules::{self, CteReception, key_of, party_document};
use fiscal::value::{TpAmb, Uf};
use fiscal::xml;
use jiff::Timestamp;
use signing::Certificate;
use simulator::clock::ClockMode;
use simulator::pki::{CertificateSubject, Validity};
use simulator::rule_switch::RuleSwitch;
use std::collections::{BTreeMap, BTreeSet};
use testkit::broken::cte::{BROKEN_PAYLOADS, EDITED_DOCUMENTS};
use testkit::cases::MOMENT;

#[tokio::test]
async fn every_rule_that_is_foreseen_is_refused_with_its_code() {
    let bench = start().await;
    bench.simulator.clock().set_mode(ClockMode::Fixed(MOMENT.parse().unwrap()));
    let written = BROKEN_PAYLOADS.iter().filter_map(|row| {
        let case = row.case();
        let ambiente = case.in_context(|_, context| context.ambiente);
        Some((row.cStat, case.build().ok()?.xml, (ambiente, None)))
    });
    let bent = EDITED_DOCUMENTS.iter().map(|bent| (bent.cStat, bent.xml(), (TpAmb::Homologacao, bent.asked)));
    let documents: Vec<_> = written.chain(bent).collect();
    let (mut carriers, mut refused, mut wrong) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
    for (cStat, xml, place) in documents {
        match sent(&bench, &mut carriers, cStat, &xml, place).await {
            Ok(()) => drop(refused.insert(cStat)),
            Err(why) => wrong.push(format!("{cStat}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let all: BTreeSet<u16> = rules::all().map(|rule| rule.cStat).collect();
    assert_eq!(all.difference(&refused).collect::<Vec<_>>(), Vec::<&u16>::new(), "refused by nothing");
    println!("{} codes of the CT-e refused, each as foreseen", refused.len());
}

/// Sends a document repeatedly, without the rule that refused it before, until the wanted rule refuses it. Each time
/// the code is the first of the predicted ones.
async fn sent(
    bench: &Bench,
    carriers: &mut BTreeMap<String, Certificate>,
    cStat: u16,
    xml: &str,
    (ambiente, asked): (TpAmb, Option<u8>),
) -> Result<(), String> {
    let document = xml::read(xml.as_bytes()).unwrap();
    let facts = CteReception {
        law: fiscal::law::Law::printed(),
        now: MOMENT.parse().unwrap(),
        ambiente,
        contingency: asked,
        finished: true,
    };
    let foreseen: Vec<u16> = rules::predict(&document, &facts).into_iter().map(|it| it.rule.cStat).collect();
    let inf = document.child("infCte").unwrap();
    let carrier =
        carriers.entry(party_document(inf.child("emit").unwrap())[..8].to_owned()).or_insert_with_key(|base| {
            let cnpj = [bench::CNPJ, "12ABC34501DE35"].into_iter().find(|cnpj| cnpj.starts_with(base.as_str()));
            let moment = MOMENT.parse::<Timestamp>().unwrap().as_second();
            let validity = Validity { from: moment - 86_400, until: moment + 86_400 };
            let subject = CertificateSubject::new("TRANSPORTADORA TESTE", cnpj.unwrap()).valid(validity);
            bench::certificate(bench.simulator.pki(), &subject)
        });
    let signed = signing::sign(xml.to_owned(), &format!("CTe{}", key_of(&document)), carrier).unwrap().xml;
    let (modelo, role) = (
        if document.name == "CTeOS" { 67 } else { 57 },
        if asked.is_some() { AuthorityRole::Contingency } else { AuthorityRole::Normal },
    );
    let uf = key_of(&document)[..2].parse().ok().and_then(Uf::from_code).unwrap();
    let endpoint = bench.table.endpoint(uf, modelo, ambiente, AuthorityService::Autorizacao, role).unwrap();
    let dialect = wire(modelo).unwrap().sefaz().unwrap();
    let call = dialect.authorize(&endpoint, 1, &signed);
    bench.simulator.configure(|settings| settings.regras.clear());
    for expected in &foreseen {
        let (code, xMotivo) =
            code_and_text(&dialect.read_authorize(&bench.transport.send(&call, carrier).await.unwrap()).unwrap());
        if code != *expected {
            return Err(format!("{code} {xMotivo}, where {foreseen:?} is foreseen"));
        }
        if code == cStat {
            return Ok(());
        }
        bench.simulator.configure(|settings| {
            settings.regras.insert(code, RuleSwitch::Off);
        });
    }
    Err(format!("not among {foreseen:?}"))
}
