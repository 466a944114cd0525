//! Fallback mode of a document while its authority's circuit is not closed, from the company's setting and the status
//! of its SVC. Pure.
//!
//! Law: MOC 7.0, anexo III, 2.1.3 (SVC only while it answers 107) and anexo IV (offline, model 65). CT-e offline only
//! when neither home nor SVC can be reached: our choice, since the text of NT 2026.004 was not seen.

use crate::family::policy::ContingencyPolicy;

/// Status of a state's SVC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SvcStatus {
    /// Answered 107 lately and accepts documents.
    Working,
    /// A query is under way.
    BeingAsked,
    /// Answered 113 or 114, or not at all.
    Off,
}

/// Mode in place of the normal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FallbackMode {
    Svc,
    Epec,
    Offline,
    /// Known in a moment.
    Soon,
    /// None: the document waits.
    None,
}

/// Returns the mode in place of the normal one.
pub(crate) fn fallback_mode(policy: ContingencyPolicy, svc: impl FnOnce() -> SvcStatus) -> FallbackMode {
    match policy {
        ContingencyPolicy::Nothing => FallbackMode::None,
        ContingencyPolicy::Epec => FallbackMode::Epec,
        ContingencyPolicy::Automatic | ContingencyPolicy::Svc | ContingencyPolicy::Offline => match svc() {
            SvcStatus::Working => FallbackMode::Svc,
            SvcStatus::BeingAsked => FallbackMode::Soon,
            SvcStatus::Off if policy == ContingencyPolicy::Offline => FallbackMode::Offline,
            SvcStatus::Off => FallbackMode::None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_svc_is_used_only_while_it_says_107() {
        assert_eq!(fallback_mode(ContingencyPolicy::Automatic, || SvcStatus::Working), FallbackMode::Svc);
        assert_eq!(fallback_mode(ContingencyPolicy::Svc, || SvcStatus::Off), FallbackMode::None);
        assert_eq!(fallback_mode(ContingencyPolicy::Automatic, || SvcStatus::BeingAsked), FallbackMode::Soon);
        assert_eq!(fallback_mode(ContingencyPolicy::Offline, || SvcStatus::Off), FallbackMode::Offline);
        assert_eq!(fallback_mode(ContingencyPolicy::Offline, || SvcStatus::Working), FallbackMode::Svc);
        assert_eq!(fallback_mode(ContingencyPolicy::Offline, || SvcStatus::BeingAsked), FallbackMode::Soon);
        assert_eq!(fallback_mode(ContingencyPolicy::Epec, || SvcStatus::Working), FallbackMode::Epec);
        assert_eq!(fallback_mode(ContingencyPolicy::Nothing, || SvcStatus::Working), FallbackMode::None);
    }
}
