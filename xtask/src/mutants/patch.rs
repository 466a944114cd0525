//! A mutant: a patch of the product, and in its first lines what it breaks and which seeds show it.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where mutants live.
pub(crate) const FOLDER: &str = "crates/explore/mutants";

/// A fault that was mended, to be put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// Of the file, without its ending.
    pub(crate) name: String,
    /// The fault in a sentence.
    pub(crate) fault: String,
    /// Kinds of documents of the exploration.
    pub(super) kinds: String,
    /// Its troubles.
    pub(super) troubles: String,
    /// How many seeds are looked at, at most.
    pub(super) seeds: u64,
    /// Promises, any of which shows the fault.
    pub(super) breaks: Vec<String>,
    /// Files that the patch changes, from the root.
    pub(super) files: Vec<String>,
    path: PathBuf,
}

/// Every mutant; those of one crate follow one another, so that less is compiled.
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
        let said = |word: &str| {
            let line =
                text.lines().find_map(|line| line.strip_prefix('#')?.trim().strip_prefix(word)?.strip_prefix(':'));
            line.map(|line| line.trim().to_owned()).with_context(|| format!("its first lines do not say `# {word}: …`"))
        };
        let files: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix("+++ b/")).map(str::to_owned).collect();
        if files.is_empty() {
            bail!("it changes no file");
        }
        Ok(Mutant {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            fault: said("fault")?,
            kinds: said("kinds")?,
            troubles: said("troubles")?,
            seeds: said("seeds")?.parse().context("seeds")?,
            breaks: said("breaks")?.split(',').map(|word| word.trim().to_owned()).collect(),
            files,
            path,
        })
    }

    /// Why the patch does not apply to a tree; `None` when it does.
    pub(crate) fn misfit(&self, root: &Path) -> Result<Option<String>> {
        let output = shell::capture(self.apply(root).arg("--check").arg(&self.path))?;
        Ok((!output.success).then(|| output.text.lines().next().unwrap_or_default().to_owned()))
    }

    /// Changes the files of a tree.
    pub(super) fn change(&self, root: &Path) -> Result<()> {
        shell::expect(self.apply(root).arg(&self.path)).map(drop)
    }

    /// `git apply` works in a tree without `.git` too. In a folder of another tree it would leave out, without a
    /// word, what lies elsewhere: it looks for `.git` in the root alone.
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

    #[test]
    fn the_first_lines_say_what_is_broken_and_how_it_is_found() {
        let mutant = Mutant::read("x/one-is-two.patch".into(), TEXT).unwrap();
        assert_eq!((mutant.name.as_str(), mutant.fault.as_str(), mutant.seeds), ("one-is-two", "One is two.", 50));
        assert_eq!(
            (mutant.breaks, mutant.files),
            (vec!["a".to_owned(), "b".to_owned()], vec!["crates/x/src/one.rs".to_owned()])
        );
        let silent = Mutant::read("x.patch".into(), &TEXT.replace("# seeds: 50\n", ""));
        assert!(format!("{:#}", silent.unwrap_err()).contains("seeds"));
    }

    #[test]
    fn a_patch_fits_a_tree_without_git_or_says_why_not() {
        let root = std::env::temp_dir().join(format!("xtask-mutants-{}", std::process::id()));
        fs::create_dir_all(root.join("crates/x/src")).unwrap();
        let (patch, file) = (root.join("one-is-two.patch"), root.join("crates/x/src/one.rs"));
        fs::write(&patch, TEXT).unwrap();
        fs::write(&file, "zero\nzero\none\ntwo\nfour\n").unwrap();
        let mutant = Mutant::read(patch, TEXT).unwrap();
        assert_eq!(mutant.misfit(&root).unwrap(), None);
        mutant.change(&root).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "zero\nzero\none\nthree\nfour\n");
        assert!(mutant.misfit(&root).unwrap().is_some_and(|why| why.contains("one.rs")));
        fs::remove_dir_all(&root).unwrap();
    }
}
