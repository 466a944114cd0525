//! Authorisers: those of states, and those of more than one.

use fiscal::value::Uf;

/// Kinds of authoriser, as distinguished in protocol numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AuthorizerType {
    State(Uf),
    Svrs,
    Svan,
    Svsp,
    SvcAn,
    SvcRs,
    SvcSp,
    National,
}

impl AuthorizerType {
    /// Reads the path segment: `sp`, `svrs`, `svan`, `svsp`, `svc-an`, `svc-rs`, `svc-sp`, `an`.
    pub(crate) fn from_segment(segment: &str) -> Option<AuthorizerType> {
        SHARED.iter().find(|(_, name)| *name == segment).map(|(kind, _)| *kind).or_else(|| {
            let lower = segment.chars().all(|letter| letter.is_ascii_lowercase());
            lower.then(|| Uf::from_sigla(&segment.to_uppercase())).flatten().map(AuthorizerType::State)
        })
    }
}

/// Authorities of more than one state.
const SHARED: [(AuthorizerType, &str); 7] = [
    (AuthorizerType::Svrs, "svrs"),
    (AuthorizerType::Svan, "svan"),
    (AuthorizerType::Svsp, "svsp"),
    (AuthorizerType::SvcAn, "svc-an"),
    (AuthorizerType::SvcRs, "svc-rs"),
    (AuthorizerType::SvcSp, "svc-sp"),
    (AuthorizerType::National, "an"),
];

/// An authority, as addresses name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct AuthorityAddress(pub(crate) AuthorizerType);

impl AuthorityAddress {
    pub(crate) fn from_segment(segment: &str) -> Option<AuthorityAddress> {
        AuthorizerType::from_segment(segment).map(AuthorityAddress)
    }
    pub(crate) fn segment(self) -> String {
        match self.0 {
            AuthorizerType::State(uf) => uf.sigla().to_lowercase(),
            shared => SHARED.iter().find(|(kind, _)| *kind == shared).map_or("", |(_, name)| name).to_owned(),
        }
    }
    /// Ambiente Nacional.
    pub(crate) fn is_national(self) -> bool {
        self.0 == AuthorizerType::National
    }
    /// SEFAZ Virtual do Rio Grande do Sul.
    pub(crate) fn is_svrs(self) -> bool {
        self.0 == AuthorizerType::Svrs
    }
    /// `cOrgao` of its answers to events.
    pub(crate) fn cOrgao(self) -> u8 {
        if self.is_national() { NATIONAL } else { self.cUF() }
    }
    /// Offset of its date-times: the state's own, Brasília's for the shared ones.
    pub(crate) fn offset_hours(self) -> i8 {
        match self.0 {
            AuthorizerType::State(uf) => uf.utc_offset_hours(),
            _ => -3,
        }
    }
    /// `cUF` when the request names none.
    pub(crate) fn cUF(self) -> u8 {
        match self.0 {
            AuthorizerType::State(uf) => uf.code(),
            AuthorizerType::Svrs | AuthorizerType::SvcRs => Uf::RS.code(),
            AuthorizerType::Svsp | AuthorizerType::SvcSp => Uf::SP.code(),
            AuthorizerType::Svan | AuthorizerType::SvcAn | AuthorizerType::National => Uf::DF.code(),
        }
    }
}

/// `cOrgao` of the Ambiente Nacional.
pub(crate) const NATIONAL: u8 = 91;
