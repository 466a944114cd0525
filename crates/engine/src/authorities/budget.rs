//! Hourly budgets that keep us below the limits of "consumo indevido" (656), by subject of a query.
//!
//! Law: MOC 7.0, visão geral, and the notes on consumo indevido (authorities count over an hour and block for another).
//! The store counts, so that every process, job and route that queries one subject uses one bucket, and a restart does
//! not refill it. Sends of documents need no budget: a document is sent again only after a query by key, which has one.

use crate::{Engine, family};
use authority::table::{AuthorityService, Endpoint};
use std::time::Duration;
use store::authorities::{BudgetUsage, BudgetedCall};

/// Calls that an hour allows of one service about one subject, whatever the family of the document calls the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HourlyBudget {
    service: AuthorityService,
    per_hour: u32,
    /// Calls that may follow each other as quickly as failures allow; the others keep a distance.
    quick_calls: u32,
}

/// A query by key: the authorities block above 10.
pub(crate) const QUERY_BY_KEY: HourlyBudget =
    HourlyBudget { quick_calls: 6, ..unspaced(AuthorityService::ConsultaProtocolo, 10) };
/// A query by key for an event in doubt: it leaves two of the bucket to the document.
pub(crate) const QUERY_OF_EVENT: HourlyBudget =
    HourlyBudget { quick_calls: 5, ..unspaced(AuthorityService::ConsultaProtocolo, 8) };
/// A query by key at a caller's request, from the bucket of the documents.
pub(crate) const QUERY_BY_KEY_ASIDE: HourlyBudget = unspaced(AuthorityService::ConsultaProtocolo, 8);
/// A caller's query of one NFS-e, in a bucket of its own: the Sefin publishes no limit, and these must not use up the
/// queries that a declaration in doubt needs.
pub(crate) const CALLER_QUERY: HourlyBudget = unspaced(AuthorityService::ConsultaProtocolo, 20);
/// All such queries of a company.
pub(crate) const CALLER_QUERIES: HourlyBudget = unspaced(AuthorityService::ConsultaProtocolo, 600);
/// A query by receipt: the authorities block above 40.
pub(crate) const RECEIPT: HourlyBudget = unspaced(AuthorityService::RetAutorizacao, 40);
/// Sends of an event type on one key: the authorities block above 20 equal refusals.
pub(crate) const EVENT: HourlyBudget = unspaced(AuthorityService::RecepcaoEvento, 20);
/// Requests to void numbers, in all: the authorities block above 20.
pub(crate) const VOID: HourlyBudget = unspaced(AuthorityService::Inutilizacao, 20);
/// Queries of the service's status, in all: the authorities block above 40.
pub(crate) const STATUS: HourlyBudget = unspaced(AuthorityService::StatusServico, 40);
/// Searches in the register of taxpayers, in all: the authorities block above 40, and other programs of the company may
/// query too.
pub(crate) const CADASTRO: HourlyBudget = unspaced(AuthorityService::ConsultaCadastro, 35);
/// Budgets with a limit of the authorities.
const ALL: [HourlyBudget; 6] = [QUERY_BY_KEY, RECEIPT, EVENT, VOID, STATUS, CADASTRO];

/// Calls that an hour allows of a service as the store names it: authority, then service.
pub(crate) fn per_hour(servico: &str) -> Option<u32> {
    let (_, name) = servico.rsplit_once(' ')?;
    let mut services = family::all().flat_map(|family| family.wire.services());
    let service = services.find(|official| official.name == name)?.service;
    ALL.iter().find(|budget| budget.service == service).map(|budget| budget.per_hour)
}

/// A budget without distance between its calls.
const fn unspaced(service: AuthorityService, per_hour: u32) -> HourlyBudget {
    HourlyBudget { service, per_hour, quick_calls: per_hour }
}

/// Distance between two queries that are not quick: an authority that comes and goes, or stays away for a while, must
/// not leave a document waiting for the next hour.
const APART_MS: i64 = 12 * 60 * 1_000;
/// An hour, and a minute for clocks that differ and calls that arrive late.
const WINDOW_MS: i64 = 3_660_000;

impl Engine {
    /// Counts a call about to be made. `Some` is the wait until it may be made; then nothing is counted.
    pub(crate) async fn count_call(
        &self,
        budget: HourlyBudget,
        transmitter: &str,
        endpoint: &Endpoint,
        about: &str,
    ) -> Result<Option<Duration>, store::Error> {
        let spending = BudgetedCall {
            transmissor: transmitter.to_owned(),
            servico: format!("{} {}", endpoint.authority, endpoint.name),
            sobre: about.to_owned(),
            most: budget.per_hour,
            quick: budget.quick_calls,
            apart_ms: APART_MS,
            window_ms: WINDOW_MS,
            now_ms: self.now().as_millisecond(),
        };
        let wait = self.store().spend_budget(spending).await?;
        // whole seconds, rounded up: a job requeued a moment too early would be requeued again
        Ok(wait.map(|ms| Duration::from_secs(ms.unsigned_abs().div_ceil(1_000))))
    }

    /// Calls of a company within the hour, by authority and service.
    pub(crate) async fn counted_calls(&self, transmitter: &str) -> Result<Vec<BudgetUsage>, store::Error> {
        let since_ms = self.now().as_millisecond() - WINDOW_MS;
        self.store().budget_usage(transmitter.to_owned(), since_ms).await
    }

    /// Deletes counts older than the hour.
    pub(crate) async fn delete_old_counts(&self) -> Result<(), store::Error> {
        self.store().forget_budgets(self.now().as_millisecond() - WINDOW_MS).await
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
