//! `cargo xtask tidy`: the house rules that neither rustfmt nor clippy checks, each a small function with a name.
//!
//! A check gets the sources and gives back findings; an empty list is a pass. Function length is clippy's
//! (`too-many-lines-threshold`); tidy only makes sure that every wall repeats that setting.

mod arrows;
mod budget;
mod circles;
mod citations;
mod comments;
mod decimals;
mod dependencies;
mod docs;
mod families;
mod folders;
mod generated;
mod imports;
mod manifests;
mod mutants;
mod one_name;
mod sizes;
mod sources;
mod voice;
mod walls;
mod words;

use anyhow::{Result, bail, ensure};
use sources::Sources;

/// A rule of the house.
pub(crate) struct Check {
    /// Name of the check in `cargo xtask tidy <name>`.
    pub(crate) name: &'static str,
    run: fn(&Sources) -> Result<Vec<String>>,
}

/// Every rule; a new one is a line here and a function with a test.
pub(crate) const CHECKS: &[Check] = &[
    Check { name: "arrows", run: arrows::check },
    Check { name: "engine-arrows", run: folders::check },
    Check { name: "file-sizes", run: sizes::files },
    Check { name: "module-headers", run: sizes::headers },
    Check { name: "module-names", run: sizes::names },
    Check { name: "forbidden-words", run: words::check },
    Check { name: "voice", run: voice::check },
    Check { name: "one-name", run: one_name::check },
    Check { name: "circles", run: circles::check },
    Check { name: "citations", run: citations::check },
    Check { name: "decimals", run: decimals::check },
    Check { name: "families", run: families::check },
    Check { name: "walls", run: walls::check },
    Check { name: "workspace-versions", run: manifests::check },
    Check { name: "unused-dependencies", run: dependencies::unused },
    Check { name: "licences", run: dependencies::licences },
    Check { name: "error-pages", run: docs::error_pages },
    Check { name: "readme-commands", run: docs::readme_commands },
    Check { name: "not-yet", run: docs::not_yet },
    Check { name: "markdown-links", run: docs::links },
    Check { name: "docs-index", run: docs::index },
    Check { name: "mutants", run: mutants::check },
    Check { name: "generated-tables", run: generated::check },
];

/// The names of all checks, for the help.
pub(crate) fn names() -> Vec<&'static str> {
    CHECKS.iter().map(|check| check.name).collect()
}

/// `cargo xtask tidy [CHECK…]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    if let Some(unknown) = args.iter().find(|arg| !names().contains(&arg.as_str())) {
        bail!("no check `{unknown}`; there are {}", names().join(", "));
    }
    let failed = outcomes(args)?.into_iter().filter(|(_, passed)| !passed).count();
    ensure!(failed == 0, "{failed} checks of tidy failed");
    Ok(())
}

/// Runs the named checks (all when none is named) and prints the result of each.
pub(crate) fn outcomes(only: &[String]) -> Result<Vec<(&'static str, bool)>> {
    let sources = Sources::read()?;
    let wanted = CHECKS.iter().filter(|check| only.is_empty() || only.iter().any(|name| name == check.name));
    Ok(wanted.map(|check| (check.name, report(check, &sources))).collect())
}

fn report(check: &Check, sources: &Sources) -> bool {
    let findings = (check.run)(sources).unwrap_or_else(|error| vec![format!("could not run: {error:#}")]);
    println!("tidy {:<20} {}", check.name, if findings.is_empty() { "ok" } else { "FAILED" });
    for finding in &findings {
        println!("    {finding}");
    }
    findings.is_empty()
}
