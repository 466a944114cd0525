//! Lists of emissions in every state, newest first: along an index, page by page from an id, so that the last page
//! costs as much as the first.
//!
//! Law: docs/concepts/panel.md, "Lists". Reason: docs/decisions/store.md, "Lists of emissions try candidates of one
//! index". Must not know: the words of the interface.

pub mod addressees;
mod direction;
mod filter;
mod merge;
mod ranges;
mod scan;

pub use filter::{EmissionFilter, EmissionState};

use crate::jobs::job::Job;
use crate::jobs::record;
use crate::notes;
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use direction::ScanDirection;
use ranges::{CandidateRanges, most_selective};
use scan::scan;
use uuid::Uuid;

/// Place in a list from which a page is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PageCursor {
    /// The newest entries.
    #[default]
    Newest,
    /// Entries older than this one, the newest of them first.
    OlderThan(Uuid),
    /// Entries newer than this one: those that directly precede it.
    NewerThan(Uuid),
}

/// A page of a list, newest first.
#[derive(Debug, Clone, Default)]
pub struct EmissionPage {
    /// In the form of lists.
    pub jobs: Vec<Job>,
    /// `true` if the list has newer entries than this page.
    pub has_newer: bool,
    /// `true` if the list has older entries than this page.
    pub has_older: bool,
    /// Last candidate that was tried, when the page is not full and as many as a page may try were.
    pub stopped_at: Option<Uuid>,
    /// `true` if more addressees than a search follows have such a name.
    pub too_many_addressees: bool,
    /// Number of the list's entries, where the newest page was all of it or tried as many candidates as a page may.
    pub count: Option<BoundedCount>,
}

/// A number of entries that is counted up to a bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BoundedCount {
    pub n: u64,
    /// `true` if there may be more.
    pub or_more: bool,
}

/// Entries beyond which a list is not counted.
pub const MOST_COUNTED: u32 = 1_000;

impl Store {
    /// Returns a page of emissions. Entries of an environment that is not visible are never part of it.
    pub async fn emissions(
        &self,
        sight: Visibility,
        mut filter: EmissionFilter,
        cursor: PageCursor,
        limit: u32,
    ) -> Result<EmissionPage, Error> {
        if !sight.is_visible(filter.ambiente) {
            return Ok(EmissionPage::default());
        }
        filter.reach = sight.reach();
        self.read(ListEmissions { tenant: sight.tenant(), filter, cursor, limit }).await
    }

    /// Counts emissions: exactly where totals are kept, else up to [`MOST_COUNTED`].
    pub async fn count_emissions(&self, sight: Visibility, mut filter: EmissionFilter) -> Result<BoundedCount, Error> {
        if !sight.is_visible(filter.ambiente) {
            return Ok(BoundedCount::default());
        }
        filter.reach = sight.reach();
        self.read(CountEmissions { tenant: sight.tenant(), filter }).await
    }
}

struct ListEmissions {
    tenant: Uuid,
    filter: EmissionFilter,
    cursor: PageCursor,
    limit: u32,
}

impl StoreOperation for ListEmissions {
    type Output = EmissionPage;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<EmissionPage, Error> {
        let most = self.limit as usize;
        let (ranges, too_many_addressees) = ranges_of(tx, self.tenant, &self.filter).await?;
        let (direction, from) = match self.cursor {
            PageCursor::Newest => (ScanDirection::Older, None),
            PageCursor::OlderThan(id) => (ScanDirection::Older, Some(id)),
            PageCursor::NewerThan(id) => (ScanDirection::Newer, Some(id)),
        };
        // One entry beyond the page shows that the list goes on.
        let mut found = scan(tx, &ranges, direction, from, most + 1).await?;
        let goes_on = found.ids.len() > most;
        found.ids.truncate(most);
        if direction == ScanDirection::Newer {
            found.ids.reverse();
        }
        let older = match (direction, found.ids.last()) {
            (ScanDirection::Newer, Some(last)) => {
                !scan(tx, &ranges, ScanDirection::Older, Some(*last), 1).await?.ids.is_empty()
            }
            (ScanDirection::Newer, None) => false,
            (ScanDirection::Older, _) => goes_on,
        };
        let newer = match (direction, from) {
            (ScanDirection::Newer, _) => goes_on,
            (ScanDirection::Older, None) => false,
            (ScanDirection::Older, Some(_)) => true,
        };
        let is_counted = from.is_none() && !goes_on;
        let or_more = found.stopped_at.is_some() || too_many_addressees;
        Ok(EmissionPage {
            jobs: listed_jobs(tx, self.tenant, &found.ids).await?,
            has_newer: newer,
            has_older: older,
            stopped_at: found.stopped_at,
            too_many_addressees,
            count: is_counted.then_some(BoundedCount { n: found.ids.len() as u64, or_more }),
        })
    }
}

/// Reads jobs in the form of lists, newest first.
async fn listed_jobs<T: Tx>(tx: &mut T, tenant: Uuid, ids: &[Uuid]) -> Result<Vec<Job>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = ids.iter().map(|id| id.simple().to_string()).collect();
    let sql = record::listed(&tx.dialect().ids_in("$2"));
    tx.query(&sql, &params![tenant, words::json(&ids)?]).await?.into_iter().map(record::read_job).collect()
}

/// Ranges of index entries in which the entries of a filter lie, and whether a name has too many addressees.
async fn ranges_of<T: Tx>(tx: &mut T, tenant: Uuid, filter: &EmissionFilter) -> Result<(CandidateRanges, bool), Error> {
    let Some(nome) = filter.nome.as_deref() else { return Ok((most_selective(tx.dialect(), tenant, filter), false)) };
    let mut found = addressees::with_name(tx, addressees::ADDRESSEES, tenant, filter.ambiente, nome).await?;
    let too_many = found.len() > addressees::MOST_FOLLOWED;
    found.truncate(addressees::MOST_FOLLOWED);
    Ok((CandidateRanges::of_addressees(tx.dialect(), tenant, filter, found), too_many))
}

struct CountEmissions {
    tenant: Uuid,
    filter: EmissionFilter,
}

impl StoreOperation for CountEmissions {
    type Output = BoundedCount;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<BoundedCount, Error> {
        if let Some(kept) = self.filter.as_counted_notes() {
            return Ok(BoundedCount { n: notes::total(tx, self.tenant, &kept).await?, or_more: false });
        }
        let (ranges, too_many) = ranges_of(tx, self.tenant, &self.filter).await?;
        let most = MOST_COUNTED as usize;
        let found = scan(tx, &ranges, ScanDirection::Older, None, most + 1).await?;
        let or_more = found.ids.len() > most || found.stopped_at.is_some() || too_many;
        Ok(BoundedCount { n: found.ids.len().min(most) as u64, or_more })
    }
}

crate::dyn_operation::erasable!(ListEmissions, CountEmissions);

#[cfg(test)]
mod tests;
