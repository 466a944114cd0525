//! A test of the workspace that detects a mutant: it passes in the tree as it is, and fails with the patch.

use super::tree::{TreeCopy, folder};
use crate::shell;
use anyhow::{Result, bail};
use std::fmt;
use std::process::Command;

/// The address of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestAddress {
    pub(crate) package: String,
    /// Test target of the package.
    target: String,
    /// Path within the target, `module::function`.
    path: String,
}

impl TestAddress {
    /// Reads `-p PACKAGE --test TARGET PATH`.
    pub(super) fn read(line: &str) -> Result<TestAddress> {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["-p", package, "--test", target, path] => {
                Ok(TestAddress { package: package.to_owned(), target: target.to_owned(), path: path.to_owned() })
            }
            _ => bail!("`# test: {line}` is not `-p PACKAGE --test TARGET PATH`"),
        }
    }

    /// Returns the last segment of the path.
    pub(crate) fn function(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }

    /// Builds and runs the test. A tree that does not compile, or has no such test, is an error.
    pub(super) fn passes(&self, tree: &TreeCopy) -> Result<bool> {
        let TestAddress { package, target, path } = self;
        let cargo = || {
            let mut cargo = Command::new("cargo");
            cargo.args(["test", "--quiet", "--package", package, "--test", target, "--manifest-path"]);
            cargo.arg(tree.root().join("Cargo.toml")).env("CARGO_TARGET_DIR", folder().join("target"));
            cargo.env("CARGO_INCREMENTAL", "1").env("CARGO_TERM_COLOR", "never");
            cargo
        };
        shell::capture_success(cargo().arg("--no-run"))?;
        outcome(&shell::capture(cargo().args(["--", "--exact", path]))?.text)
    }
}

impl fmt::Display for TestAddress {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TestAddress { package, target, path } = self;
        write!(to, "cargo test -p {package} --test {target} -- --exact {path}")
    }
}

/// Reads the outcome from the output of one test.
fn outcome(output: &str) -> Result<bool> {
    let result = |counts: &str| output.lines().any(|line| line.starts_with(&format!("test result: {counts};")));
    match (result("ok. 1 passed; 0 failed"), result("FAILED. 0 passed; 1 failed")) {
        (true, false) => Ok(true),
        (false, true) => Ok(false),
        _ => bail!("not one test ran to its end: {output}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_the_test_says_nothing() {
        let of = |counts: &str| outcome(&format!("\nrunning\ntest result: {counts}; 0 ignored; 0 measured\n"));
        assert!(of("ok. 1 passed; 0 failed").unwrap());
        assert!(!of("FAILED. 0 passed; 1 failed").unwrap());
        assert!(of("ok. 0 passed; 0 failed").is_err());
        assert!(outcome("error: could not compile").is_err());
    }
}
