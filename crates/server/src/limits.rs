//! Bounds of logins and of accounts.

use std::num::NonZeroU32;

/// Failed logins in a quarter of an hour, beside the five of an e-mail from one address.
#[derive(Debug, Clone, Copy)]
pub struct LoginLimits {
    /// Failed logins with an e-mail, from any address.
    pub of_an_email: NonZeroU32,
    /// Failed logins from an address, with any e-mail.
    pub of_an_address: NonZeroU32,
    /// Failed logins of all e-mails and addresses together.
    pub in_all: NonZeroU32,
}

impl Default for LoginLimits {
    fn default() -> LoginLimits {
        const OF_AN_EMAIL: NonZeroU32 = NonZeroU32::new(30).unwrap();
        const OF_AN_ADDRESS: NonZeroU32 = NonZeroU32::new(60).unwrap();
        const IN_ALL: NonZeroU32 = NonZeroU32::new(300).unwrap();
        LoginLimits { of_an_email: OF_AN_EMAIL, of_an_address: OF_AN_ADDRESS, in_all: IN_ALL }
    }
}

/// Bounds of an account, 0 for no bound.
#[derive(Debug, Clone, Copy)]
pub struct AccountLimits {
    /// API keys, including those revoked within a day.
    pub keys: u32,
    /// Companies.
    pub companies: u32,
    /// Unconfirmed prepared emissions of a key.
    pub open_preparations: u32,
}

impl AccountLimits {
    /// Most API keys, if there is a bound.
    pub(crate) fn keys(self) -> Option<u32> {
        Some(self.keys).filter(|most| *most > 0)
    }
    /// Most companies, if there is a bound.
    pub(crate) fn companies(self) -> Option<u32> {
        Some(self.companies).filter(|most| *most > 0)
    }
    /// Most open preparations of a key, if there is a bound.
    pub(crate) fn open_preparations(self) -> Option<u32> {
        Some(self.open_preparations).filter(|most| *most > 0)
    }
}

impl Default for AccountLimits {
    fn default() -> AccountLimits {
        AccountLimits { keys: 100, companies: 10_000, open_preparations: 50 }
    }
}
