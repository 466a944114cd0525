//! Names of ours in the tables of the guides: routes, members, states, events, codes, each with its exact spelling.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::app::TestApp;

use super::ROOT;

/// Guides that set the words of another service, or of the authority, beside ours: only their last column is ours.
const BESIDE_OURS: &[&str] = &["migrar-focus-nfe", "migrar-nuvem-fiscal", "migrar-plugnotas", "migrar-sped-nfe"];
/// Words of a cell that are no names of ours: of the law, of HTTP, of another program.
const NOT_OURS: &[&str] = &[
    "RFC",
    "SHA",
    "HMAC",
    "XML",
    "PDF",
    "JSON",
    "nn",
    "nnn",
    "n",
    "ICMSnn",
    "ICMSSNnnn",
    "true",
    "false",
    "ref",
    "REF",
    "x",
    // the root of the official tree, which `nota` may carry, and its attribute
    "infNFe",
    "Id",
    // schemes of authentication
    "Bearer",
    "client_credentials",
];

/// All names of the service.
struct Words {
    paths: Vec<String>,
    names: BTreeSet<String>,
    jobs: BTreeSet<String>,
    notes: BTreeSet<String>,
    events: BTreeSet<String>,
}

impl Words {
    async fn of(app: &TestApp) -> Words {
        let document = app.anonymous().get("/docs/json").await.ok(200);
        let mut names = BTreeSet::new();
        collect(&document, &mut names);
        // the official tags, which the contract's names stand for
        for page in ["nfe", "nfce", "cte", "cte-os", "nfse", "nfse-municipal"] {
            let html = app.anonymous().get(&format!("/docs/guia/campos-{page}")).await.text();
            names.extend(html.split(['<', '>', ' ', '.', '[', ']', '/', '"', ',']).map(str::to_owned));
        }
        let properties = |name: &str| &document["components"]["schemas"][name]["properties"];
        let words = |values: &Value| -> BTreeSet<String> {
            let list = values["enum"].as_array().into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let (jobs, notes) = (words(&properties("Job")["status"]), words(&properties("Nota")["status"]));
        let of_object = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
        let events: BTreeSet<String> = of_object(&document["webhooks"]).into_iter().collect();
        assert!(jobs.contains("completed") && notes.contains("autorizada") && events.contains("nfe.autorizada"));
        Words { paths: of_object(&document["paths"]), names, jobs, notes, events }
    }

    /// Returns the fault of a token of a cell.
    fn trouble(&self, token: &str) -> Option<String> {
        let path = token.split_whitespace().find(|word| word.starts_with('/'));
        if let Some(path) = path {
            return (!self.has_path(path)).then(|| format!("no route {path}"));
        }
        if ["nfe.", "nfce.", "nfse."].iter().any(|kind| token.starts_with(kind)) {
            return (!self.events.contains(token)).then(|| format!("no event {token}"));
        }
        let words = token.split(|one: char| !one.is_ascii_alphanumeric() && one != '_' && one != '-');
        let unknown =
            words.filter(|word| word.bytes().any(|one| one.is_ascii_alphabetic())).find(|word| !self.knows(word));
        unknown.map(|word| format!("no name {word}"))
    }

    fn knows(&self, word: &str) -> bool {
        self.names.contains(word) || NOT_OURS.contains(&word)
    }

    /// A whole path, or the end of one.
    fn has_path(&self, path: &str) -> bool {
        let asked = path.split('?').next().unwrap().trim_end_matches(',');
        self.paths.iter().any(|known| ends_so(known, asked))
    }
}

/// `true` if a path of the service is, or ends with, these segments; a segment in braces matches any.
fn ends_so(known: &str, asked: &str) -> bool {
    let (known, asked): (Vec<&str>, Vec<&str>) =
        (known.trim_start_matches('/').split('/').collect(), asked.trim_start_matches('/').split('/').collect());
    known.len() >= asked.len()
        && known[known.len() - asked.len()..]
            .iter()
            .zip(asked)
            .all(|(known, asked)| *known == asked || known.starts_with('{'))
}

/// Names of members, of parameters, of schemas, and the words of lists.
fn collect(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                into.insert(name.clone());
                if ["enum", "name", "const", "operationId"].contains(&name.as_str()) {
                    into.extend(value.as_str().map(str::to_owned));
                    into.extend(value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
                }
                collect(value, into);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, into)),
        _ => {}
    }
}

/// Returns the texts in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The rows of the tables, as cells.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let is_row = |line: &&str| line.starts_with('|') && !line.starts_with("|---") && !line.starts_with("| ---");
    text.lines().filter(is_row).map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
}

/// The backticked words that follow `what` in a cell: "job `pending` ou `processing`".
fn after<'c>(cell: &'c str, what: &str) -> Vec<&'c str> {
    let mut found = Vec::new();
    for rest in cell.split(what).skip(1) {
        let mut rest = rest;
        while let Some((word, further)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            found.push(word);
            let Some(next) = [" ou ", ", "].iter().find_map(|between| further.strip_prefix(between)) else {
                break;
            };
            rest = next;
        }
    }
    found
}

#[tokio::test]
async fn the_migration_guides_name_what_there_is() {
    let app = TestApp::start().await;
    let words = Words::of(&app).await;
    let mut wrong = Vec::new();
    let mut seen = 0;
    for name in BESIDE_OURS {
        let text = std::fs::read_to_string(Path::new(ROOT).join(format!("docs/guides/{name}.md"))).unwrap();
        for cells in rows(&text) {
            let ours = cells.last().unwrap();
            for token in quoted(ours) {
                seen += 1;
                wrong.extend(words.trouble(token).map(|why| format!("{name}: {why} in {ours}")));
            }
            let of_jobs = after(ours, "job ").into_iter().filter(|word| !words.jobs.contains(*word));
            wrong.extend(of_jobs.map(|word| format!("{name}: no state {word} of a job")));
            let of_notes = after(ours, "`nota.status` ").into_iter().filter(|word| !words.notes.contains(*word));
            wrong.extend(of_notes.map(|word| format!("{name}: no state {word} of a note")));
        }
    }
    assert!(seen > 250, "{seen} words are few: the tables are not read");
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
    app.finish().await;
}

/// Events, wherever a guide or a page of an error names them, and each at least in the guide of webhooks.
#[tokio::test]
async fn every_event_is_told_by_its_name() {
    let app = TestApp::start().await;
    let words = Words::of(&app).await;
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    for folder in ["docs/guides", "docs/erros", "docs/concepts"] {
        for entry in std::fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|kind| kind != "md") {
                continue;
            }
            let text = read(&path);
            let of_event =
                |word: &&str| ["nfe.", "nfce."].iter().any(|kind| word.len() > kind.len() && word.starts_with(kind));
            let named = quoted(&text).filter(of_event);
            for event in named.filter(|word| word.bytes().all(|one| one.is_ascii_lowercase() || b"._".contains(&one))) {
                assert!(words.events.contains(event), "{}: no event {event}", path.display());
            }
        }
    }
    let guide = read(&Path::new(ROOT).join("docs/guides/webhooks.md"));
    let untold: Vec<&String> =
        words.events.iter().filter(|event| !guide.contains(&format!("`{}`", event.replace("nfce.", "nfe.")))).collect();
    assert!(untold.is_empty(), "docs/guides/webhooks.md does not tell of {untold:?}");
    app.finish().await;
}

/// Keys of the configuration and their variables, wherever a guide names them.
#[test]
fn every_key_of_the_configuration_that_a_guide_names_is_one() {
    let example =
        std::process::Command::new(env!("CARGO_BIN_EXE_carimbo")).args(["config", "exemplo"]).output().unwrap();
    let example = String::from_utf8(example.stdout).unwrap();
    let mut keys = BTreeSet::new();
    let mut section = "";
    for line in example.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        } else if let Some((name, _)) = line.trim_start_matches(['#', '~', ' ']).split_once(" = ") {
            keys.insert(format!("{section}.{name}"));
        }
    }
    assert!(keys.contains("banco.url") && keys.len() > 40, "{keys:?}");
    let sections: BTreeSet<&str> = keys.iter().filter_map(|key| key.split('.').next()).collect();
    let variables: BTreeSet<String> =
        keys.iter().map(|key| format!("CARIMBO_{}", key.replace('.', "_").to_ascii_uppercase())).collect();
    for folder in ["docs/guides", "docs/erros", "docs/concepts"] {
        for entry in std::fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            for word in
                quoted(&text).filter(|word| word.split('.').next().is_some_and(|first| sections.contains(first)))
            {
                // `lei.toml` is a file
                let is_key = word.split('.').count() == 2
                    && !word.ends_with(".toml")
                    && word.bytes().all(|one| one.is_ascii_lowercase() || b"._".contains(&one));
                assert!(!is_key || keys.contains(word), "{}: no key {word}", path.display());
            }
            for word in text
                .split(|one: char| !one.is_ascii_uppercase() && one != '_')
                .filter(|word| word.starts_with("CARIMBO_"))
            {
                let known = variables.contains(word) || OTHER_VARIABLES.contains(&word);
                assert!(known, "{}: no variable {word}", path.display());
            }
        }
    }
}

/// Variables outside the configuration: the key itself, the file, variables of the pages' example calls, and those of
/// the build.
const OTHER_VARIABLES: &[&str] = &[
    "CARIMBO_SEGREDO_CHAVE_MESTRA",
    "CARIMBO_CONFIG",
    "CARIMBO_URL",
    "CARIMBO_CHAVE",
    "CARIMBO_TOKEN",
    "CARIMBO_COMMIT",
];
