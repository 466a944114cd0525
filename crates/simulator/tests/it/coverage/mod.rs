//! Which rows of the specification stand where: `cargo test -p simulator --test it coverage -- --nocapture` prints them all. A row is
//! implemented when each of its codes is answered by a rule of the table or by a stage of the simulator; what is not has its reason here.

mod rows;

use fiscal::nfe::rules::RULES;
use rows::ROWS;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Documents a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Models {
    Both,
    NFe,
    NFCe,
}

struct Row {
    number: u16,
    priority: u8,
    models: Models,
    codes: &'static [u16],
}

const fn row(number: u16, priority: u8, models: Models, codes: &'static [u16]) -> Row {
    Row { number, priority, models, codes }
}

/// Codes that nothing answers, and why.
const MISSING: &[(u16, &str)] = &[
    (416, "a operação compactada (nfeAutorizacaoLoteZip) não é oferecida pelo simulador nem usada pelo serviço"),
    (776, "nenhuma UF recusa o modo síncrono desde 2025 (452)"),
];

/// Where a code is answered.
fn place(code: u16) -> Option<String> {
    let ids: Vec<&str> = RULES.iter().filter(|rule| rule.cStat == code).map(|rule| rule.id).collect();
    if !ids.is_empty() {
        return Some(format!("tabela de regras ({})", ids.join(", ")));
    }
    let stage = simulator::STAGES.iter().find(|(_, codes)| codes.contains(&code));
    stage.map(|(stage, _)| format!("simulador, {stage}"))
}

fn reason(code: u16) -> Option<&'static str> {
    MISSING.iter().find(|(missing, _)| *missing == code).map(|(_, reason)| *reason)
}

#[test]
fn every_row_of_the_first_two_priorities_stands_somewhere_or_says_why_not() {
    let mut totals: BTreeMap<(u8, bool), usize> = BTreeMap::new();
    let mut unsaid = Vec::new();
    for row in ROWS {
        let mut whole = true;
        for code in row.codes {
            let at = place(*code);
            let said = at.clone().or_else(|| reason(*code).map(|reason| format!("não: {reason}")));
            whole &= at.is_some();
            println!(
                "{:>3} P{} {code} {:?}: {}",
                row.number,
                row.priority,
                row.models,
                said.as_deref().unwrap_or("não")
            );
            if said.is_none() && row.priority < 3 {
                unsaid.push((row.number, *code));
            }
        }
        *totals.entry((row.priority, whole)).or_default() += 1;
    }
    for priority in 1..=3 {
        let of = |whole: bool| totals.get(&(priority, whole)).copied().unwrap_or_default();
        println!("P{priority}: {} linhas implementadas, {} não", of(true), of(false));
    }
    println!("{} regras na tabela", RULES.len());
    assert_eq!(unsaid, [], "rows that stand nowhere, without a reason");
}

#[test]
fn what_is_said_to_be_missing_is_missing() {
    for (code, _) in MISSING {
        assert_eq!(place(*code), None, "{code}");
        assert!(ROWS.iter().any(|row| row.codes.contains(code)), "{code} is of no row");
    }
}

#[test]
fn the_rows_are_all_there_once() {
    let numbers: Vec<u16> = ROWS.iter().map(|row| row.number).collect();
    assert_eq!(numbers, (1..=261).collect::<Vec<u16>>());
}

/// What the simulator says it answers stands in its source; certificates' codes are counted from a base (tests beside them).
#[test]
fn the_codes_of_the_stages_are_in_the_source() {
    let mut sources = String::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
    let answered: Vec<&str> = sources.split(|character: char| !character.is_ascii_digit()).collect();
    for (stage, codes) in simulator::STAGES {
        for code in codes.iter().filter(|code| !matches!(code, 281..=285 | 291..=295)) {
            assert!(answered.contains(&code.to_string().as_str()), "{stage}: {code}");
        }
    }
}

/// Every source file but the list itself.
fn collect(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.file_name().is_some_and(|name| name != "stages.rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}
