//! Fallback mode of a document while its authority's circuit is not closed, from the company's setting and the status
//! of its SVC. Pure.
//!
//! Law: MOC 7.0, anexo III, 2.1.3 (SVC only while it answers 107) and anexo IV (offline, model 65). CT-e offline only
//! when neither home nor SVC can be reached: our choice, since the text of NT 2026.004 was not seen.

use crate::family::policy::Policy;

/// Status of a state's SVC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Svc {
    /// Answered 107 lately and accepts documents.
    Working,
    /// A query is under way.
    BeingAsked,
    /// Answered 113 or 114, or not at all.
    Off,
}

/// Mode in place of the normal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detour {
    Svc,
    Epec,
    Offline,
    /// Known in a moment.
    Soon,
    /// None: the document waits.
    None,
}

/// Returns the mode in place of the normal one.
pub(crate) fn detour(policy: Policy, svc: impl FnOnce() -> Svc) -> Detour {
    match policy {
        Policy::Nothing => Detour::None,
        Policy::Epec => Detour::Epec,
        Policy::Automatic | Policy::Svc | Policy::Offline => match svc() {
            Svc::Working => Detour::Svc,
            Svc::BeingAsked => Detour::Soon,
            Svc::Off if policy == Policy::Offline => Detour::Offline,
            Svc::Off => Detour::None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_svc_is_used_only_while_it_says_107() {
        assert_eq!(detour(Policy::Automatic, || Svc::Working), Detour::Svc);
        assert_eq!(detour(Policy::Svc, || Svc::Off), Detour::None);
        assert_eq!(detour(Policy::Automatic, || Svc::BeingAsked), Detour::Soon);
        assert_eq!(detour(Policy::Offline, || Svc::Off), Detour::Offline);
        assert_eq!(detour(Policy::Offline, || Svc::Working), Detour::Svc);
        assert_eq!(detour(Policy::Offline, || Svc::BeingAsked), Detour::Soon);
        assert_eq!(detour(Policy::Epec, || Svc::Working), Detour::Epec);
        assert_eq!(detour(Policy::Nothing, || Svc::Working), Detour::None);
    }
}
