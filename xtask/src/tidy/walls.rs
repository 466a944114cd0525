//! The `clippy.toml` walls around the pure crates.
//!
//! The nearest file wins whole, so each repeats the shared settings of the root; without one, a crate would be
//! checked by other rules.

use super::sources::Sources;
use anyhow::{Context, Result};
use std::fs;

/// The pure crates; the wall of each bans at least [`BANNED`].
const WALLS: &[&str] = &["fiscal", "signing", "render"];
const BANNED: &[&str] = &[
    "std::time::SystemTime::now",
    "std::time::Instant::now",
    "jiff::Timestamp::now",
    "jiff::Zoned::now",
    "getrandom::fill",
    "std::fs::read",
    "std::fs::write",
    "std::fs::File::open",
    "std::net::TcpStream::connect",
    "std::env::var",
    "std::process::Command::new",
];

/// Compares every wall with the root and with the list of bans.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    let read = |path: &str| -> Result<toml::Table> {
        let text = fs::read_to_string(sources.root.join(path)).with_context(|| path.to_owned())?;
        text.parse().with_context(|| path.to_owned())
    };
    let root = read("clippy.toml")?;
    let mut found = Vec::new();
    for name in WALLS {
        let path = format!("crates/{name}/clippy.toml");
        found.extend(gaps(&root, &read(&path)?).into_iter().map(|gap| format!("{path}: {gap}")));
    }
    Ok(found)
}

fn gaps(root: &toml::Table, wall: &toml::Table) -> Vec<String> {
    let different = root
        .iter()
        .filter(|(key, value)| wall.get(*key) != Some(value))
        .map(|(key, _)| format!("`{key}` differs from the root"));
    let bans: Vec<&toml::Table> = wall
        .get("disallowed-methods")
        .and_then(|list| list.as_array())
        .into_iter()
        .flatten()
        .filter_map(|ban| ban.as_table())
        .collect();
    let path = |ban: &toml::Table| ban.get("path").and_then(|path| path.as_str()).unwrap_or_default().to_owned();
    let missing = BANNED
        .iter()
        .filter(|method| !bans.iter().any(|ban| path(ban) == **method))
        .map(|method| format!("does not ban {method}"));
    let silent =
        bans.iter().filter(|ban| !ban.contains_key("reason")).map(|ban| format!("bans {} without a reason", path(ban)));
    different.chain(missing).chain(silent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(extra: &str) -> toml::Table {
        let bans: Vec<String> = BANNED.iter().map(|method| format!("{{ path = '{method}', reason = 'r' }}")).collect();
        format!("too-many-lines-threshold = 60\ndisallowed-methods = [{}{extra}]", bans.join(", ")).parse().unwrap()
    }

    #[test]
    fn wants_the_shared_settings_and_every_ban_with_its_reason() {
        let root: toml::Table = "too-many-lines-threshold = 60".parse().unwrap();
        assert!(gaps(&root, &wall("")).is_empty());
        assert_eq!(gaps(&"too-many-lines-threshold = 40".parse().unwrap(), &wall("")).len(), 1);
        assert_eq!(gaps(&root, &wall(", { path = 'a::b' }")), ["bans a::b without a reason"]);
        assert_eq!(gaps(&root, &"too-many-lines-threshold = 60".parse().unwrap()).len(), BANNED.len());
    }
}
