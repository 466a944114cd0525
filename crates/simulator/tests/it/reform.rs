//! IBS and CBS: the authority refuses by the same table that the service warns by.

use crate::bench::{Note, start};
use fiscal::nfe::rules::{NfeRuleContext, predict};
use fiscal::value::TpAmb;
use simulator::rule_switch::RuleSwitch;

/// The group of a sale of 100.00 without other taxes, and its total.
const GROUP: &str = "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>100.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.10</vIBSUF>\
     </gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.10</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>0.90</vCBS></gCBS>\
     </gIBSCBS></IBSCBS></imposto>";
const TOTAL: &str = "</ICMSTot><IBSCBSTot><vBCIBSCBS>100.00</vBCIBSCBS><gIBS><gIBSUF><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSUF>0.10</vIBSUF></gIBSUF>\
     <gIBSMun><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.10</vIBS><vCredPres>0.00</vCredPres>\
     <vCredPresCondSus>0.00</vCredPresCondSus></gIBS><gCBS><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vCBS>0.90</vCBS><vCredPres>0.00</vCredPres>\
     <vCredPresCondSus>0.00</vCredPresCondSus></gCBS></IBSCBSTot>";
const EXEMPT: &str = "<IBSCBS><CST>410</CST><cClassTrib>410999</cClassTrib></IBSCBS></imposto>";
const NO_TOTAL: &str = "</ICMSTot><IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS></IBSCBSTot>";

/// The text for the year of the bench's notes: from 2027 on the halves of the IBS are equal, with the same sum.
fn of_the_year(note: &Note, text: &str) -> String {
    if *note.dhEmi() < *"2027" {
        return text.to_owned();
    }
    text.replace("<pIBSUF>0.1000<", "<pIBSUF>0.0500<")
        .replace("<vIBSUF>0.10<", "<vIBSUF>0.05<")
        .replace("<pIBSMun>0.0000<", "<pIBSMun>0.0500<")
        .replace("<vIBSMun>0.00<", "<vIBSMun>0.05<")
}

/// A note of the normal regime, with these texts at the end of its taxes and of its totals.
fn of_the_normal_regime(note: &Note, group: &str, total: &str) -> String {
    note.xml()
        .replace("<CRT>1<", "<CRT>3<")
        .replace(
            "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>",
            "<ICMS40><orig>0</orig><CST>41</CST></ICMS40>",
        )
        .replace("</imposto>", &of_the_year(note, group))
        .replace("</ICMSTot>", &of_the_year(note, total))
}

#[tokio::test]
async fn the_normal_regime_without_the_group_is_1115_as_foreseen() {
    let bench = start().await;
    let note = Note::new(1);
    let xml = of_the_normal_regime(&note, "</imposto>", "</ICMSTot>");
    let nfe = fiscal::xml::read(xml.as_bytes()).unwrap();
    let facts = NfeRuleContext::new(note.dhEmi().parse().unwrap(), TpAmb::Homologacao).of_a_draft();
    let foreseen: Vec<u16> =
        predict(fiscal::xml::FlatDocument::of(&nfe).root(), &facts).into_iter().map(|it| it.rule.cStat).collect();
    assert_eq!(foreseen, [1115]);
    let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap().xml;
    assert_eq!(bench.verdict(&signed).await, (1115, "Rejeição: Grupo IBSCBS não informado [nItem:1]".to_owned()));
    bench.simulator.configure(|settings| {
        settings.regras.insert(1115, RuleSwitch::Off);
    });
    assert_eq!(bench.verdict(&signed).await.0, 100, "the rule can be switched off, as some authorities have it");
}

#[tokio::test]
async fn the_group_and_the_exempt_note_are_authorised() {
    let bench = start().await;
    for (nNF, group, total) in [(1, GROUP, TOTAL), (2, EXEMPT, NO_TOTAL)] {
        let note = Note::new(nNF);
        let signed =
            signing::sign(of_the_normal_regime(&note, group, total), &note.id(), &bench.certificate).unwrap().xml;
        assert_eq!(bench.verdict(&signed).await.0, 100);
    }
}

#[tokio::test]
async fn a_total_without_items_and_items_without_a_total_are_refused() {
    let bench = start().await;
    for (nNF, group, total, cStat) in [(1, EXEMPT, "</ICMSTot>", 1119), (2, GROUP, NO_TOTAL, 1076)] {
        let note = Note::new(nNF);
        let signed =
            signing::sign(of_the_normal_regime(&note, group, total), &note.id(), &bench.certificate).unwrap().xml;
        assert_eq!(bench.verdict(&signed).await.0, cStat);
    }
}
