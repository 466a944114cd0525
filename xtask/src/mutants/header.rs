//! First lines of a patch.

use anyhow::{Context as _, Result};

/// The first lines of a patch, each `# word: text`.
pub(super) struct PatchHeader<'t>(pub(super) &'t str);

impl<'t> PatchHeader<'t> {
    /// Returns the text of a word.
    pub(super) fn find(&self, word: &str) -> Option<&'t str> {
        let mut lines = self.0.lines();
        lines.find_map(|line| line.strip_prefix('#')?.trim().strip_prefix(word)?.strip_prefix(':')).map(str::trim)
    }

    /// Returns the text of a required word.
    pub(super) fn text(&self, word: &str) -> Result<&'t str> {
        self.find(word).with_context(|| format!("its first lines do not say `# {word}: …`"))
    }
}
