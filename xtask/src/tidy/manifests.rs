//! Manifests: versions and lints stand once, in the root.

use super::sources::Sources;
use anyhow::Result;

/// Every dependency is `workspace = true`, and every package takes version, edition, licence and lints from the root.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    Ok(sources
        .packages
        .iter()
        .flat_map(|package| {
            wrong(&package.manifest).into_iter().map(move |what| format!("{}/Cargo.toml: {what}", package.folder))
        })
        .collect())
}

fn wrong(manifest: &toml::Table) -> Vec<String> {
    let mut found = Vec::new();
    for (section, dependencies) in super::dependencies::sections(manifest) {
        for (name, value) in dependencies {
            if !inherits(value) {
                found.push(format!("[{section}] {name}: take the version from the root (`{name}.workspace = true`)"));
            }
        }
    }
    let package = manifest.get("package").and_then(|package| package.as_table());
    for key in ["version", "edition", "rust-version", "license", "publish"] {
        if !package.and_then(|package| package.get(key)).is_some_and(inherits) {
            found.push(format!("[package] {key}: take it from the root (`{key}.workspace = true`)"));
        }
    }
    if !manifest.get("lints").is_some_and(inherits) {
        found.push("[lints]: take them from the root (`workspace = true`)".to_owned());
    }
    found
}

fn inherits(value: &toml::Value) -> bool {
    value.get("workspace").and_then(toml::Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "[package]\nname = 'a'\nversion.workspace = true\nedition.workspace = true\n\
        rust-version.workspace = true\nlicense.workspace = true\npublish.workspace = true\n[lints]\nworkspace = true\n";

    #[test]
    fn refuses_a_version_of_its_own() {
        assert!(wrong(&format!("{PACKAGE}[dependencies]\nb.workspace = true").parse().unwrap()).is_empty());
        assert!(
            wrong(&format!("{PACKAGE}[dependencies]\nb = {{ workspace = true, features = ['x'] }}").parse().unwrap())
                .is_empty()
        );
        assert_eq!(wrong(&format!("{PACKAGE}[dependencies]\nb = '1'").parse().unwrap()).len(), 1);
        assert_eq!(wrong(&format!("{PACKAGE}[dev-dependencies]\nb = {{ version = '1' }}").parse().unwrap()).len(), 1);
        assert_eq!(wrong(&format!("{PACKAGE}[target.'cfg(unix)'.dependencies]\nb = '1'").parse().unwrap()).len(), 1);
    }

    #[test]
    fn wants_lints_and_package_fields_from_the_root() {
        assert_eq!(wrong(&"[package]\nname = 'a'\nversion = '1.0.0'".parse().unwrap()).len(), 6);
    }
}
