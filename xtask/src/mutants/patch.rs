//! A mutant: a patch of the product. Its first lines name the fault and the test or seeds that detect it.

use super::header::PatchHeader;
use super::named_test::TestAddress;
use super::seeds::SeedSearch;
use super::tree::TreeCopy;
use crate::shell;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folder of the mutants.
pub(crate) const FOLDER: &str = "crates/explore/mutants";

/// A repaired fault that a patch reintroduces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// Name of the file, without its extension.
    pub(crate) name: String,
    /// The fault in a sentence.
    pub(crate) fault: String,
    pub(crate) detector: Detector,
    /// Files that the patch changes, from the root.
    files: Vec<String>,
    path: PathBuf,
}

/// The part of the suites that detects a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Detector {
    /// Seeds of the exploration.
    Seeds(SeedSearch),
    Test(TestAddress),
}

/// Reads every mutant. Those of one crate follow one another, so that less is compiled.
pub(crate) fn all(root: &Path) -> Result<Vec<Mutant>> {
    let folder = root.join(FOLDER);
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "patch") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            all.push(Mutant::read(path.clone(), &text).with_context(|| path.display().to_string())?);
        }
    }
    all.sort_by(|one, other| (&one.files, &one.name).cmp(&(&other.files, &other.name)));
    Ok(all)
}

impl Mutant {
    fn read(path: PathBuf, text: &str) -> Result<Mutant> {
        let header = PatchHeader(text);
        let files: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix("+++ b/")).map(str::to_owned).collect();
        if files.is_empty() {
            bail!("it changes no file");
        }
        let detector = match (header.find("test"), header.find("seeds")) {
            (Some(_), Some(_)) => bail!("it is shown by a test or by seeds, not by both"),
            (Some(line), None) => Detector::Test(TestAddress::read(line)?),
            (None, _) => Detector::Seeds(SeedSearch::read(&header)?),
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Mutant { name, fault: header.text("fault")?.to_owned(), detector, files, path })
    }

    /// Returns the reason why the patch does not apply to a tree; `None` when it does.
    pub(crate) fn apply_error(&self, root: &Path) -> Result<Option<String>> {
        let output = shell::capture(self.apply(root).arg("--check").arg(&self.path))?;
        Ok((!output.success).then(|| output.text.lines().next().unwrap_or_default().to_owned()))
    }

    /// Runs `act` with the patch applied to a copy of the tree, and reverts the patch.
    pub(super) fn with_patch<T>(&self, tree: &TreeCopy, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let done = self.change(tree.root()).and_then(|()| act());
        // rewritten files are newer than the build of the mutant, so they are compiled again
        self.files.iter().try_for_each(|file| tree.copy(Path::new(file)))?;
        done
    }

    /// Applies the patch to the files of a tree.
    fn change(&self, root: &Path) -> Result<()> {
        shell::capture_success(self.apply(root).arg(&self.path)).map(drop)
    }

    /// Returns `git apply` in a tree, which works without `.git` too. In a folder of another tree it would silently
    /// leave out files elsewhere; it looks for `.git` in the root alone.
    fn apply(&self, root: &Path) -> Command {
        let mut git = Command::new("git");
        git.arg("-C").arg(root).args(["apply", "--whitespace=nowarn"]);
        git.env("GIT_CEILING_DIRECTORIES", root.parent().unwrap_or(root));
        git
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# fault: One is two.\n# kinds: nfe\n# troubles: late,lost\n# seeds: 50\n# breaks: a, b\n\
        --- a/crates/x/src/one.rs\n+++ b/crates/x/src/one.rs\n@@ -2,3 +2,3 @@\n one\n-two\n+three\n four\n";

    fn read(text: &str) -> Result<Mutant> {
        Mutant::read("x/one-is-two.patch".into(), text)
    }

    #[test]
    fn the_first_lines_say_what_is_broken_and_which_seeds_show_it() {
        let mutant = read(TEXT).unwrap();
        assert_eq!((mutant.name.as_str(), mutant.fault.as_str()), ("one-is-two", "One is two."));
        assert_eq!(mutant.files, ["crates/x/src/one.rs"]);
        let Detector::Seeds(search) = mutant.detector else { panic!("{:?}", mutant.detector) };
        assert_eq!((search.kinds.as_str(), search.troubles.as_str(), search.seeds), ("nfe", "late,lost", 50));
        assert_eq!(search.breaks, ["a", "b"]);
        let silent = read(&TEXT.replace("# seeds: 50\n", ""));
        assert!(format!("{:#}", silent.unwrap_err()).contains("seeds"));
    }

    #[test]
    fn a_test_stands_in_the_place_of_seeds() {
        let shown_by_seeds = "# kinds: nfe\n# troubles: late,lost\n# seeds: 50\n# breaks: a, b\n";
        let by_test = |line: &str| read(&TEXT.replace(shown_by_seeds, &format!("# test: {line}\n")));
        let mutant = by_test("-p x --test it one::is_one").unwrap();
        assert!(matches!(mutant.detector, Detector::Test(test) if test.function() == "is_one"));
        assert!(by_test("-p x one::is_one").is_err());
        let both = TEXT.replace("# seeds", "# test: -p x --test it one::is_one\n# seeds");
        assert!(format!("{:#}", read(&both).unwrap_err()).contains("both"));
    }

    #[test]
    fn a_patch_fits_a_tree_without_git_or_says_why_not() {
        let root = std::env::temp_dir().join(format!("xtask-mutants-{}", std::process::id()));
        fs::create_dir_all(root.join("crates/x/src")).unwrap();
        let (patch, file) = (root.join("one-is-two.patch"), root.join("crates/x/src/one.rs"));
        fs::write(&patch, TEXT).unwrap();
        fs::write(&file, "zero\nzero\none\ntwo\nfour\n").unwrap();
        let mutant = Mutant::read(patch, TEXT).unwrap();
        assert_eq!(mutant.apply_error(&root).unwrap(), None);
        mutant.change(&root).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "zero\nzero\none\nthree\nfour\n");
        assert!(mutant.apply_error(&root).unwrap().is_some_and(|why| why.contains("one.rs")));
        fs::remove_dir_all(&root).unwrap();
    }
}
