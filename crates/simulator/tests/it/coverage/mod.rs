//! Place of each rule of the book: `cargo test -p simulator --test it coverage -- --nocapture` prints a line per
//! message and event. A mandatory rule in force is answered by the rule table or by a stage of the simulator; any other
//! rule has its reason here.

use fiscal::nfe::rules::RULES;
use fiscal::nfe::rules::book::{self, Enforcement, NfeRuleEntry};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Beginnings of the messages and events that neither the service nor its simulator supports.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("evento 110001", "cancelamento dos eventos da NT 2025.002"),
    ("evento 11013", "comprovante de entrega, que é do transportador ou de outro sistema"),
    ("evento 11019", "insucesso na entrega"),
    ("evento 11075", "conciliação financeira (ECONF)"),
    ("evento 111500", "pedido de prorrogação"),
    ("evento 211", "eventos de IBS e CBS da NT 2025.002"),
];

/// Codes of supported messages that are never answered, with the reason.
const MISSING: &[(u16, &str)] = &[
    (242, "uma mensagem sem nfeDadosMsg é respondida com SOAP Fault"),
    (289, "cada endereço do simulador atende as UFs da sua autoridade, e a de outra recebe 410"),
    (296, "os certificados do simulador não têm lista de revogação publicada; a recusa por revogação é 294"),
    (371, "o simulador não tem cadastro de transportadores"),
    (448, "o simulador não tem cadastro de transportadores"),
    (553, "o recibo do simulador só é conhecido de quem o deu, e a outro responde 106"),
    (571, "NFA-e não é emitida"),
    (595, "o schema do evento pede a justificativa"),
    (658, "o Ambiente Nacional atende destinatários de todas as UFs"),
    (811, "o pedido de prorrogação não é falado"),
    (818, "NFF não é emitida"),
    (832, "NFF não é emitida"),
    (921, "alcançada antes pela 920"),
    (1179, "PAA não é emitida"),
    (1181, "PAA não é emitida"),
    (1182, "PAA não é emitida"),
    (1183, "PAA não é emitida"),
    (1184, "PAA não é emitida"),
];

/// Place where a mandatory rule is answered, or the reason why it is not.
fn place(entry: &NfeRuleEntry, answered: &BTreeSet<u16>) -> Option<String> {
    let by_rule = entry.is_of_the_note() && RULES.iter().any(|rule| (rule.id, rule.cStat) == (entry.id, entry.cStat));
    if by_rule {
        return Some("tabela de regras".to_owned());
    }
    if let Some((_, why)) = UNSUPPORTED.iter().find(|(document, _)| entry.document.starts_with(document)) {
        return Some(format!("não: {why}"));
    }
    if let Some(reason) = book::reason(entry.id, entry.cStat).filter(|_| entry.is_of_the_note()) {
        return Some(format!("não: {reason:?}"));
    }
    if let Some((_, why)) = MISSING.iter().find(|(code, _)| *code == entry.cStat) {
        return Some(format!("não: {why}"));
    }
    answered.contains(&entry.cStat).then(|| "simulador".to_owned())
}

#[test]
fn every_mandatory_rule_is_answered_or_says_why_not() {
    let answered = answered();
    let (mut unsaid, mut totals) = (Vec::new(), BTreeMap::<(&str, String), usize>::new());
    for entry in book::entries().iter().filter(|entry| entry.kind == Enforcement::Mandatory) {
        match place(entry, &answered) {
            Some(place) => *totals.entry((entry.document, place)).or_default() += 1,
            None => unsaid.push(format!("{} {} {}", entry.document, entry.id, entry.cStat)),
        }
    }
    for ((document, place), count) in totals {
        println!("{document}: {count} {place}");
    }
    // Rules of the note that can be decided before sending are covered by the book's own test.
    unsaid.retain(|rule| !open(rule));
    assert_eq!(unsaid, Vec::<String>::new(), "rules that stand nowhere, without a reason");
}

fn open(rule: &str) -> bool {
    book::entries().iter().any(|entry| {
        entry.is_of_the_note() && entry.needs.decidable() && rule == format!("nota {} {}", entry.id, entry.cStat)
    })
}

#[test]
fn what_is_said_to_be_missing_is_missing() {
    let answered = answered();
    for (code, why) in MISSING {
        assert!(!answered.contains(code), "{code} is answered: {why}");
        assert!(book::entries().iter().any(|entry| entry.cStat == *code), "{code} is of no rule");
    }
    for (document, _) in UNSUPPORTED {
        assert!(book::entries().iter().any(|entry| entry.document.starts_with(document)), "{document}");
    }
}

/// Every listed code of a stage is in the source; codes of certificates are counted from a base (tests beside them).
#[test]
fn the_codes_of_the_stages_are_in_the_source() {
    let answered = answered();
    for (stage, codes) in simulator::STAGES {
        for code in codes.iter().filter(|code| !COUNTED.contains(code)) {
            assert!(answered.contains(code), "{stage}: {code}");
        }
    }
}

/// Codes of certificates, which are counted from a base.
const COUNTED: [u16; 10] = [281, 282, 283, 284, 285, 291, 292, 293, 294, 295];

/// Numbers in the code of every source file but the list of stages itself; comments do not count.
fn answered() -> BTreeSet<u16> {
    let mut sources = String::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
    let numbers = sources.split(|character: char| !character.is_ascii_digit()).filter_map(|text| text.parse().ok());
    numbers.chain(COUNTED).collect()
}

fn collect(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            // These numbers mean other things in the CT-e.
            if !path.ends_with("sefaz/cte") {
                collect(&path, sources);
            }
        } else if path.file_name().is_some_and(|name| name != "stages.rs") {
            let source = fs::read_to_string(&path).unwrap();
            let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            code.for_each(|line| sources.extend([line, "\n"]));
        }
    }
}
