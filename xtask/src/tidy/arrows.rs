//! Dependencies between the crates of this workspace: arrows run down only.

use super::sources::{Package, Sources};
use anyhow::Result;

/// The one table of allowed arrows. The program puts together what it starts, and alone knows the simulator. The server
/// decides nothing: what it names besides the engine, lookups and the transport of MCP is construction (authority,
/// outbound, store, signing) and values at the edge of HTTP (fiscal).
const ARROWS: &[(&str, &[&str])] = &[
    ("carimbo", &["server", "engine", "lookup", "simulator", "authority", "outbound", "store", "fiscal"]),
    ("server", &["engine", "lookup", "authority", "outbound", "store", "signing", "fiscal", "mcp_transport"]),
    ("engine", &["fiscal", "signing", "authority", "outbound", "render", "store"]),
    ("lookup", &["fiscal", "outbound", "store"]),
    ("simulator", &["fiscal"]),
    // outbound: the type of the guard that every carrier of calls has
    ("explore", &["engine", "store", "fiscal", "authority", "signing", "outbound"]),
    ("authority", &["fiscal", "signing", "outbound"]),
    ("render", &["fiscal"]),
    ("store", &["fiscal"]),
    ("testkit", &["fiscal"]),
    ("fiscal", &[]),
    ("signing", &[]),
    ("outbound", &[]),
    ("mcp_transport", &[]),
    ("xtask", &[]),
];

/// Arrows that only tests may have: the simulator is the one real peer there is to test against, and the crash suite
/// puts companies into the store with what stands in their certificates.
const TEST_ARROWS: &[(&str, &str)] =
    &[("engine", "simulator"), ("simulator", "authority"), ("simulator", "signing"), ("carimbo", "signing")];

/// Fixtures, which the tests of every crate may take, and nothing else.
const FIXTURES: &str = "testkit";

/// Refuses every arrow that the tables do not have; the arrows of tests count too.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    Ok(sources.packages.iter().flat_map(|package| wrong_arrows(package, &sources.packages)).collect())
}

fn wrong_arrows(package: &Package, packages: &[Package]) -> Vec<String> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
        return vec![format!("{}: not in the table of arrows (xtask/src/tidy/arrows.rs)", package.folder)];
    };
    ours(&package.manifest, packages)
        .filter(|(_, target)| !allowed.contains(&target.as_str()))
        .filter(|(of_tests, target)| !(*of_tests && is_for_tests(&package.name, target)))
        .map(|(_, target)| format!("{} → {target}: no such arrow", package.name))
        .collect()
}

fn is_for_tests(name: &str, target: &str) -> bool {
    target == FIXTURES || TEST_ARROWS.contains(&(name, target))
}

/// Crates of this workspace that a manifest names; `true` with each that only its tests use.
fn ours(manifest: &toml::Table, packages: &[Package]) -> impl Iterator<Item = (bool, String)> {
    super::dependencies::sections(manifest)
        .into_iter()
        .flat_map(|(section, names)| {
            names.keys().map(move |name| (section.ends_with("dev-dependencies"), name.clone()))
        })
        .filter(|(_, name)| packages.iter().any(|package| package.name == *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, manifest: &str) -> Package {
        Package { name: name.into(), folder: format!("crates/{name}"), manifest: manifest.parse().unwrap() }
    }

    #[test]
    fn refuses_an_arrow_that_runs_up() {
        let packages = [
            package("fiscal", "[dependencies]\nstore.workspace = true\nserde = '1'"),
            package("store", "[dependencies]\nfiscal.workspace = true"),
        ];
        assert_eq!(wrong_arrows(&packages[0], &packages), ["fiscal → store: no such arrow"]);
        assert!(wrong_arrows(&packages[1], &packages).is_empty());
    }

    #[test]
    fn refuses_an_arrow_that_only_tests_use() {
        let packages = [package("render", "[dev-dependencies]\nsigning.workspace = true"), package("signing", "")];
        assert_eq!(wrong_arrows(&packages[0], &packages), ["render → signing: no such arrow"]);
    }

    #[test]
    fn lets_the_tests_of_the_engine_meet_the_simulator_and_the_engine_itself_not() {
        let packages = [package("engine", "[dev-dependencies]\nsimulator.workspace = true"), package("simulator", "")];
        assert!(wrong_arrows(&packages[0], &packages).is_empty());
        let packages = [package("engine", "[dependencies]\nsimulator.workspace = true"), package("simulator", "")];
        assert_eq!(wrong_arrows(&packages[0], &packages).len(), 1);
    }

    #[test]
    fn lets_tests_take_fixtures_and_a_product_not() {
        let packages = [package("fiscal", "[dev-dependencies]\ntestkit.workspace = true"), package("testkit", "")];
        assert!(wrong_arrows(&packages[0], &packages).is_empty());
        let packages = [package("server", "[dependencies]\ntestkit.workspace = true"), package("testkit", "")];
        assert_eq!(wrong_arrows(&packages[0], &packages), ["server → testkit: no such arrow"]);
    }

    #[test]
    fn refuses_a_crate_that_is_not_in_the_table() {
        let packages = [package("common", "")];
        assert_eq!(wrong_arrows(&packages[0], &packages).len(), 1);
    }

    #[test]
    fn has_no_circle_in_its_own_table() {
        for (name, allowed) in ARROWS {
            for target in *allowed {
                let back = ARROWS.iter().find(|(other, _)| other == target).map_or(&[][..], |(_, allowed)| allowed);
                assert!(!back.contains(name), "{name} ↔ {target}");
            }
        }
    }
}
