//! Documents that a caller may see: those of its tenant, of both environments or of homologação alone, of every company
//! or of those in which a user has a role.
//!
//! Law: docs/contract.md, "Environments". Every query that shows documents takes a `Visibility` and not a tenant, so
//! that no handler can forget the environment of its credential.

use crate::accounts::Caller;
use crate::roles::CompanyReach;
use fiscal::value::TpAmb;
use uuid::Uuid;

/// `true` if a credential of one environment may see documents of another.
pub fn may_see(credential: TpAmb, document: TpAmb) -> bool {
    credential == TpAmb::Producao || document == TpAmb::Homologacao
}

/// The tenant and the environments that a query may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visibility {
    tenant: Uuid,
    /// The only visible environment; `None` for both.
    only: Option<TpAmb>,
    /// Bound of the visible companies; `None` for every one.
    reach: Option<CompanyReach>,
}

impl Visibility {
    /// Visibility of a credential: homologação sees homologação only, production sees both; a user sees the companies
    /// of the roles that its caller has.
    pub fn of(caller: &Caller) -> Visibility {
        let only = (!may_see(caller.ambiente, TpAmb::Producao)).then_some(caller.ambiente);
        Visibility { tenant: caller.tenant_id, only, reach: caller.granted.and_then(|granted| granted.reach()) }
    }

    /// Visibility of the service itself, which processes both environments of a tenant.
    pub fn whole(tenant: Uuid) -> Visibility {
        Visibility { tenant, only: None, reach: None }
    }

    /// The part of one environment, which a caller of this visibility must see.
    pub fn within(self, ambiente: TpAmb) -> Visibility {
        Visibility { only: Some(ambiente), ..self }
    }

    pub fn tenant(self) -> Uuid {
        self.tenant
    }

    /// `true` if documents of this environment are visible.
    pub fn is_visible(self, ambiente: TpAmb) -> bool {
        self.only.is_none_or(|only| only == ambiente)
    }

    /// The only visible environment; `None` for both.
    pub(crate) fn only_environment(self) -> Option<TpAmb> {
        self.only
    }

    /// Bound of the visible companies; `None` for every one.
    pub(crate) fn reach(self) -> Option<CompanyReach> {
        self.reach
    }

    /// Narrows an environment filter to the visible ones; `None` when nothing is left.
    pub(crate) fn narrow(self, asked: Option<TpAmb>) -> Option<Option<TpAmb>> {
        match (self.only, asked) {
            (Some(only), Some(asked)) if only != asked => None,
            (only, asked) => Some(only.or(asked)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TpAmb::{Homologacao, Producao};

    #[test]
    fn homologacao_sees_itself_and_production_sees_both() {
        let permissao = crate::accounts::Permissao::Completa;
        let caller =
            |ambiente| Caller { tenant_id: Uuid::nil(), api_key_id: Uuid::nil(), ambiente, permissao, granted: None };
        let (test, live) = (Visibility::of(&caller(Homologacao)), Visibility::of(&caller(Producao)));
        assert!(test.is_visible(Homologacao) && !test.is_visible(Producao));
        assert!(live.is_visible(Homologacao) && live.is_visible(Producao));
        assert!(!live.within(Producao).is_visible(Homologacao) && live.within(Homologacao).is_visible(Homologacao));
        assert_eq!(test.narrow(None), Some(Some(Homologacao)));
        assert_eq!(test.narrow(Some(Producao)), None);
        assert_eq!((live.narrow(None), live.narrow(Some(Producao))), (Some(None), Some(Some(Producao))));
    }
}
