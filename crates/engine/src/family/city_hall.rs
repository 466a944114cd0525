//! The city hall that takes a company's services in, as whoever writes or sends a message needs it.
//!
//! Law: `reference/nfse.md` §8. Must not know: how it is found.

use authority::abrasf::{Company, Resolved};
use fiscal::abrasf::{Dialect, Mode, RpsId, message};
use std::sync::Arc;

/// A city hall, for one company.
#[derive(Debug)]
pub(crate) struct CityHall {
    pub(crate) resolved: Resolved,
    /// Who asks, by which credentials.
    pub(crate) company: Arc<Company>,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoCityHall {
    /// Portuguese, says what to configure.
    #[error("{0}")]
    NotUsable(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// An RPS of a stored message, that may travel with others.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) id: RpsId,
    /// `Rps`, signed.
    pub(crate) xml: String,
}

/// Most RPS of a lot (ABRASF, manual de integração 2.0x).
const MOST: u32 = 50;

impl CityHall {
    /// Most RPS that a message to it may carry.
    pub(crate) fn lot_most(&self) -> u32 {
        match self.dialect().mode {
            Mode::Lote => self.dialect().version.lot_most().min(MOST),
            Mode::Sincrono | Mode::Gerar => 1,
        }
    }

    /// What its provider wants of a message.
    pub(crate) fn dialect(&self) -> &Dialect {
        &self.resolved.dialect
    }
}

impl Declaration {
    /// The only one of a message.
    pub(crate) fn of(asked_by: &str, signed: &str) -> Option<Declaration> {
        Some(Declaration { id: asked_by.parse().ok()?, xml: signed[message::rps_of(signed)?].to_owned() })
    }

    /// Whether one lot may hold both: it names one prestador, and what is signed in it by the number alone.
    pub(crate) fn goes_with(&self, other: &Declaration) -> bool {
        let of = |it: &Declaration| (it.id.municipio, it.id.prestador, it.id.inscricao_municipal.clone());
        of(self) == of(other) && self.id.numero != other.id.numero
    }
}
