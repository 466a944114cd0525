//! Path of an object in the caller's payload. Kept as steps; formatted only for messages.

use std::borrow::Cow;
use std::rc::Rc;

/// Path of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PayloadPath {
    Start(Cow<'static, str>),
    Under(Rc<PayloadStep>),
}

/// A member name, or several joined by slashes, below another object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PayloadStep {
    above: PayloadPath,
    name: &'static str,
}

impl PayloadPath {
    /// Path of an object whose members need no prefix.
    pub(super) const NONE: PayloadPath = PayloadPath::Start(Cow::Borrowed(""));

    /// Returns the path of a member.
    pub(super) fn below(&self, name: &'static str) -> PayloadPath {
        PayloadPath::Under(Rc::new(PayloadStep { above: self.clone(), name }))
    }

    /// Formats the path, e.g. `nota.total.icmsTot`.
    pub(super) fn spelled(&self) -> String {
        match self {
            PayloadPath::Start(path) => path.clone().into_owned(),
            PayloadPath::Under(step) => step.above.to(step.name),
        }
    }

    /// Formats the path of a member.
    pub(super) fn to(&self, name: &str) -> String {
        join(&self.spelled(), &name.replace('/', "."))
    }
}

/// Joins two parts: `a.b`.
fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_spelled_from_its_steps() {
        assert_eq!(PayloadPath::NONE.below("ide").spelled(), "ide");
        let path = PayloadPath::Start("nota".into()).below("impostos/icms");
        assert_eq!(path.spelled(), "nota.impostos.icms");
        assert_eq!(path.below("a").to("b/c"), "nota.impostos.icms.a.b.c");
    }

    #[test]
    fn the_same_steps_are_the_same_path() {
        let path = |start: &'static str| PayloadPath::Start(start.into()).below("a");
        assert_eq!(path("nota"), path("nota"));
        assert_ne!(path("nota"), path("evento"));
        assert_ne!(path("nota"), path("nota").below("a"));
    }
}
