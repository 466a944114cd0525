//! The pages of one installation, by their set.

use std::sync::OnceLock;

use super::static_answer::StaticAnswer;

/// Pages and files by their name.
pub(super) type Pages = Vec<(&'static str, StaticAnswer)>;

/// Pages of one installation. Each set is made once, at the first request for one of its pages.
#[derive(Default)]
pub(crate) struct OwnPages {
    of_law: OnceLock<Pages>,
    in_full: OnceLock<Pages>,
}

/// A set of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageSet {
    /// Pages that list the installation's changes of the printed law.
    OfLaw,
    /// Recipes and their page, as valid from the first day of the full reform on.
    InFull,
}

impl OwnPages {
    /// Pages of a set, once they are made.
    pub(super) fn cell(&self, set: PageSet) -> &OnceLock<Pages> {
        match set {
            PageSet::OfLaw => &self.of_law,
            PageSet::InFull => &self.in_full,
        }
    }
}
