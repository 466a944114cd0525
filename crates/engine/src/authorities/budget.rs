//! Budgets that keep us from ever earning "consumo indevido" (656): how often one thing may be asked in an hour.
//!
//! Law: `reference/nfe.md` §4.7 (authorities count over an hour and block for another). The store counts, so that every
//! process, every job and every route that asks about one thing spends from one bucket, and a restart does not fill it.
//! Sends of documents need no budget of their own: a document goes again only after a query by key, which has one.

use crate::{Engine, family};
use authority::table::{Endpoint, Service};
use std::time::Duration;
use store::authorities::{Spending, Spent};

/// How many calls of one service about one thing an hour takes, whatever the service is called in the family of the
/// document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    service: Service,
    per_hour: u32,
    /// So many of them as quickly as failures allow, the others apart.
    quick: u32,
}

/// A query by key: the authorities block above 10.
pub(crate) const QUERY_BY_KEY: Budget = Budget { quick: 6, ..at_once(Service::ConsultaProtocolo, 10) };
/// The same bucket, for what is in less need than a document in doubt: an event in doubt leaves it two.
pub(crate) const QUERY_OF_EVENT: Budget = Budget { quick: 5, ..at_once(Service::ConsultaProtocolo, 8) };
/// The same bucket, for a caller's wish.
pub(crate) const QUERY_BY_KEY_ASIDE: Budget = at_once(Service::ConsultaProtocolo, 8);
/// A caller's wish to know of one NFS-e, in a bucket of its own: the Sefin publishes no limit, and ours must not be
/// those questions that a declaration in doubt needs.
pub(crate) const WISH: Budget = at_once(Service::ConsultaProtocolo, 20);
/// Every such wish of a company.
pub(crate) const WISHES: Budget = at_once(Service::ConsultaProtocolo, 600);
/// A query by receipt: the authorities block above 40.
pub(crate) const RECEIPT: Budget = at_once(Service::RetAutorizacao, 40);
/// One kind of event on one key: the authorities block above 20 that are refused alike.
pub(crate) const EVENT: Budget = at_once(Service::RecepcaoEvento, 20);
/// Requests to void numbers, in all: the authorities block above 20.
pub(crate) const VOID: Budget = at_once(Service::Inutilizacao, 20);
/// Questions about the status of the service, in all: the authorities block above 40.
pub(crate) const STATUS: Budget = at_once(Service::StatusServico, 40);
/// Searches in the register of taxpayers, in all: the authorities block above 40, and other programs of the company may
/// ask too.
pub(crate) const CADASTRO: Budget = at_once(Service::ConsultaCadastro, 35);
/// Every budget.
const ALL: [Budget; 6] = [QUERY_BY_KEY, RECEIPT, EVENT, VOID, STATUS, CADASTRO];

/// How many calls an hour takes of a service as the store names it: authority, then service.
pub(crate) fn per_hour(servico: &str) -> Option<u32> {
    let (_, name) = servico.rsplit_once(' ')?;
    let mut services = family::all().flat_map(|family| family.wire.services());
    let service = services.find(|official| official.name == name)?.service;
    ALL.iter().find(|budget| budget.service == service).map(|budget| budget.per_hour)
}

/// As many as that, however quickly.
const fn at_once(service: Service, per_hour: u32) -> Budget {
    Budget { service, per_hour, quick: per_hour }
}

/// Between two questions that are not quick: an authority that comes and goes, or stays away for a while, must not
/// leave a document waiting for the next hour.
const APART_MS: i64 = 12 * 60 * 1_000;
/// An hour, and a minute for clocks that differ and calls that take their time to arrive.
const WINDOW_MS: i64 = 3_660_000;

impl Engine {
    /// Counts a call about to be made; `Some` is the wait until it may be made, and then nothing is counted.
    pub(crate) async fn spend(
        &self,
        budget: Budget,
        transmitter: &str,
        endpoint: &Endpoint,
        about: &str,
    ) -> Result<Option<Duration>, store::Error> {
        let spending = Spending {
            transmissor: transmitter.to_owned(),
            servico: format!("{} {}", endpoint.authority, endpoint.name),
            sobre: about.to_owned(),
            most: budget.per_hour,
            quick: budget.quick,
            apart_ms: APART_MS,
            window_ms: WINDOW_MS,
            now_ms: self.now().as_millisecond(),
        };
        let wait = self.store().spend(spending).await?;
        // whole seconds, rounded up: a job that came a moment too early would come again and again
        Ok(wait.map(|ms| Duration::from_secs(ms.unsigned_abs().div_ceil(1_000))))
    }

    /// What a company spent within the hour, by authority and service.
    pub(crate) async fn spendings(&self, transmitter: &str) -> Result<Vec<Spent>, store::Error> {
        let since_ms = self.now().as_millisecond() - WINDOW_MS;
        self.store().spendings(transmitter.to_owned(), since_ms).await
    }

    /// What no hour remembers is forgotten.
    pub(crate) async fn forget_spent(&self) -> Result<(), store::Error> {
        self.store().forget_spent(self.now().as_millisecond() - WINDOW_MS).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_takes_as_many_questions_of_every_family() {
        assert_eq!(per_hour("SP NFeConsultaProtocolo4"), Some(10));
        assert_eq!(per_hour("SP CTeConsultaV4"), Some(10));
        assert_eq!(per_hour("SVRS CTeStatusServicoV4"), Some(40));
        assert_eq!((per_hour("SP NFeAutorizacao4"), per_hour("SP outro")), (None, None));
    }
}
