//! Kinds of fault that a run may meet. A run without a kind shows that a finding needs it.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunFault {
    /// A message or its answer does not arrive.
    Lost,
    /// A message is processed after its sender has gone.
    Late,
    /// Messages and answers take seconds.
    Slow,
    /// A message arrives twice.
    Doubled,
    /// Registered documents are unknown to queries for a while.
    Hidden,
    /// Authorities stop working and resume.
    Outage,
    /// The contingency authority opens and closes.
    Svc,
    /// Codes of the service, status 503 and garbage in place of an answer.
    Service,
    /// Codes of success other than the usual ones.
    Success,
    /// A protocol with another digest.
    Digest,
    /// A refusal that names another document.
    OtherKey,
    /// Code 999 in place of the answer to a document that was registered.
    Uncatalogued,
    /// Refusals of queries.
    Question,
    /// Answers by receipt.
    Receipt,
    /// Processes end at any commit.
    Crash,
    /// Wall clocks jump.
    Clock,
    /// The database is restored from a copy.
    Restore,
    /// Rules refuse documents.
    Rules,
}

const ALL: &[(RunFault, &str)] = &[
    (RunFault::Lost, "lost"),
    (RunFault::Late, "late"),
    (RunFault::Slow, "slow"),
    (RunFault::Doubled, "doubled"),
    (RunFault::Hidden, "hidden"),
    (RunFault::Outage, "outage"),
    (RunFault::Svc, "svc"),
    (RunFault::Service, "service"),
    (RunFault::Success, "success"),
    (RunFault::Digest, "digest"),
    (RunFault::OtherKey, "otherkey"),
    (RunFault::Uncatalogued, "uncatalogued"),
    (RunFault::Question, "question"),
    (RunFault::Receipt, "receipt"),
    (RunFault::Crash, "crash"),
    (RunFault::Clock, "clock"),
    (RunFault::Restore, "restore"),
    (RunFault::Rules, "rules"),
];

/// A set of fault kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunFaults(u32);

impl RunFaults {
    pub fn all() -> RunFaults {
        RunFaults(ALL.iter().fold(0, |bits, (trouble, _)| bits | 1 << *trouble as u32))
    }

    /// Reads words with commas between; `all` is every kind, and a word behind `-` is removed.
    pub fn parse(words: &str) -> Result<RunFaults, String> {
        let mut bits = 0;
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, out) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
            let found = ALL.iter().find(|(_, known)| *known == name).map(|(trouble, _)| 1 << *trouble as u32);
            let found = if name == "all" { Some(RunFaults::all().0) } else { found };
            let found = found.ok_or_else(|| format!("no trouble is called {name}"))?;
            bits = if out { bits & !found } else { bits | found };
        }
        Ok(RunFaults(bits))
    }

    pub fn has(self, trouble: RunFault) -> bool {
        self.0 & (1 << trouble as u32) != 0
    }

    /// The words, as `parse` reads them.
    pub fn words(self) -> String {
        let words = ALL.iter().filter(|(trouble, _)| self.has(*trouble)).map(|(_, word)| *word);
        words.collect::<Vec<_>>().join(",")
    }
}
