//! Whose documents a caller may see: those of its tenant, of both environments or of homologação alone.
//!
//! Law: `spec/not-shown.md` §3. Every question that shows documents takes a `Sight` and not a tenant, so that no
//! handler can forget the environment of its credential. Must not know: what is shown.

use crate::accounts::Caller;
use fiscal::value::TpAmb;
use uuid::Uuid;

/// Whether a credential of one environment is shown documents of another.
pub fn shows(credential: TpAmb, document: TpAmb) -> bool {
    credential == TpAmb::Producao || document == TpAmb::Homologacao
}

/// What may be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    tenant: Uuid,
    /// This environment alone.
    only: Option<TpAmb>,
}

impl Sight {
    /// Of a credential: one of homologação sees homologação only, one of production sees both.
    pub fn of(caller: &Caller) -> Sight {
        let only = (!shows(caller.ambiente, TpAmb::Producao)).then_some(caller.ambiente);
        Sight { tenant: caller.tenant_id, only }
    }

    /// Of the service itself, which carries on with what is a tenant's in either environment.
    pub fn whole(tenant: Uuid) -> Sight {
        Sight { tenant, only: None }
    }

    /// The tenant.
    pub fn tenant(self) -> Uuid {
        self.tenant
    }

    /// Whether a document of this environment is seen.
    pub fn sees(self, ambiente: TpAmb) -> bool {
        self.only.is_none_or(|only| only == ambiente)
    }

    /// The one environment, when there is only one.
    pub(crate) fn only(self) -> Option<TpAmb> {
        self.only
    }

    /// A filter by environment as far as it can be seen; `None` when nothing of it can.
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
        let caller = |ambiente| Caller { tenant_id: Uuid::nil(), api_key_id: Uuid::nil(), ambiente, permissao };
        let (test, live) = (Sight::of(&caller(Homologacao)), Sight::of(&caller(Producao)));
        assert!(test.sees(Homologacao) && !test.sees(Producao));
        assert!(live.sees(Homologacao) && live.sees(Producao));
        assert_eq!(test.narrow(None), Some(Some(Homologacao)));
        assert_eq!(test.narrow(Some(Producao)), None);
        assert_eq!((live.narrow(None), live.narrow(Some(Producao))), (Some(None), Some(Some(Producao))));
    }
}
