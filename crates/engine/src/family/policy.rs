//! What a company wants when its authority does not work.

/// `contingencia` of the company's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    /// `nenhuma`: documents wait.
    Nothing,
    /// `automatica`: the best way there is; today SVC.
    Automatic,
    /// `svc`.
    Svc,
    /// `epec`, model 55 only.
    Epec,
    /// `offline`: without asking anybody, where no contingency authority takes it.
    Offline,
}

impl Policy {
    /// As the configuration says it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Policy::Nothing => "nenhuma",
            Policy::Automatic => "automatica",
            Policy::Svc => "svc",
            Policy::Epec => "epec",
            Policy::Offline => "offline",
        }
    }
}
