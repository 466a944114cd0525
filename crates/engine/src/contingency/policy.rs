//! Which way a document goes while its authority's circuit is not closed: the company's setting and what its SVC says.
//! Pure.
//!
//! Law: MOC 7.0, anexo III, 2.1.3 (SVC only while it answers 107) and anexo IV (offline, model 65); `reference/cte.md`
//! §7 (offline only when neither home nor SVC can be reached).

use crate::family::policy::Policy;

/// What is known of the SVC of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Svc {
    /// It answered 107 lately and takes documents.
    Working,
    /// Somebody asks it just now.
    BeingAsked,
    /// 113, 114, or no answer.
    Off,
}

/// The way instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detour {
    Svc,
    Epec,
    Offline,
    /// It will be known in a moment.
    Soon,
    /// There is none: the document waits.
    None,
}

/// The way instead of the normal one.
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
