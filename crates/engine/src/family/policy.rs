//! Contingency policy of a company.

/// `contingencia` of the company's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContingencyPolicy {
    /// `nenhuma`: documents wait.
    Nothing,
    /// `automatica`: the best way there is; today SVC.
    Automatic,
    /// `svc`.
    Svc,
    /// `epec`, model 55 only.
    Epec,
    /// `offline`: without any authority, where no contingency authority accepts it.
    Offline,
}

impl ContingencyPolicy {
    /// Word of the configuration.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ContingencyPolicy::Nothing => "nenhuma",
            ContingencyPolicy::Automatic => "automatica",
            ContingencyPolicy::Svc => "svc",
            ContingencyPolicy::Epec => "epec",
            ContingencyPolicy::Offline => "offline",
        }
    }
}
