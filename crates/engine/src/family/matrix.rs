//! Table of the families side by side, as `docs/concepts/families.md`: it shows the differences, and a test keeps the
//! page equal to the rows.
//!
//! `UPDATE_FAMILIES=1 cargo test -p engine families_stand_side_by_side` writes it anew.

use super::{Family, all};
use authority::table::AuthorityService;
use std::fmt::Write as _;

type MatrixLine = (&'static str, fn(&Family) -> String);

/// Lines of the table: heading, and text for a family.
const LINES: &[MatrixLine] = &[
    ("model", |family| family.modelo.to_string()),
    ("type of the contract", |family| format!("`{}`", family.tipo)),
    ("highest number", |family| family.counted.highest_number().to_string()),
    ("hands a document in", |family| service(family, AuthorityService::Autorizacao)),
    ("asks by key", |family| service(family, AuthorityService::ConsultaProtocolo)),
    ("asks by receipt", |family| yes(family.receipt.is_some())),
    ("voids numbers", |family| yes(family.wire.sefaz().is_some_and(|dialect| dialect.void.is_some()))),
    ("status of the service", |family| service(family, AuthorityService::StatusServico)),
    ("events", |family| service(family, AuthorityService::RecepcaoEvento)),
    ("what can be done to it", |family| listed(family.acts.possible.iter().map(|act| act.word()))),
    ("cancelled by substitution", |family| yes(family.acts.substitution)),
    ("contingency authorities (`tpEmis`)", |family| {
        listed(family.contingency.svc.iter().map(|(name, tpEmis)| format!("{name} ({tpEmis})")))
    }),
    ("they are open when they say", |family| listed(family.contingency.svc_open.iter().map(u16::to_string))),
    ("given out before its authority has it (`tpEmis`)", |family| {
        listed(family.contingency.given_out.iter().map(u8::to_string))
    }),
    ("way without a setting", |family| (family.contingency.policy)(None).word().to_owned()),
    ("in doubt, issued again under another number", |family| yes(family.contingency.doubt_s.is_some())),
    ("its SVC takes a number that was never sent as normal", |family| yes(family.contingency.number_of_its_own)),
    ("a quarter more may wait", |family| yes(family.contingency.at_the_counter)),
    ("items", |family| yes(family.builder.items.is_some())),
    ("those of others come by", |family| match family.handed_out {
        true => service(family, AuthorityService::DistribuicaoDFe),
        false => yes(false),
    }),
    ("printed here", |family| yes(render::form::has_form(family.builder.root))),
];

fn service(family: &Family, service: AuthorityService) -> String {
    family.wire.official(service).map_or_else(|| yes(false), |official| official.name.to_owned())
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "–" }.to_owned()
}

fn listed(words: impl Iterator<Item = impl ToString>) -> String {
    let words: Vec<String> = words.map(|word| word.to_string()).collect();
    if words.is_empty() { yes(false) } else { words.join(", ") }
}

fn name(family: &Family) -> &'static str {
    match family.modelo {
        67 => "CT-e OS",
        100 => "NFS-e nacional",
        101 => "NFS-e municipal",
        _ => family.tipo.name(),
    }
}

fn page() -> String {
    let mut page = "# Families side by side\n\n\
        What differs between documents stands in one static row each (`crates/engine/src/family`), and every step of the engine asks the row of the\n\
        document in hand. This page is written from those rows (`UPDATE_FAMILIES=1 cargo test -p engine families_stand_side_by_side`); a dash is\n\
        what a document does not have. How a new one joins: [CONTRIBUTING](../../CONTRIBUTING.md), \"add a family\".\n\n"
        .to_owned();
    let names: Vec<&str> = all().map(name).collect();
    let _ = writeln!(page, "| | {} |\n|---{}|", names.join(" | "), "|---".repeat(names.len()));
    for (heading, says) in LINES {
        let said: Vec<String> = all().map(says).collect();
        let _ = writeln!(page, "| {heading} | {} |", said.join(" | "));
    }
    page
}

#[test]
fn families_stand_side_by_side() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/concepts/families.md");
    if std::env::var_os("UPDATE_FAMILIES").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), page(), "UPDATE_FAMILIES=1 writes the page");
}
