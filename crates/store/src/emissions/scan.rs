//! Walk along the candidates of a list, in growing portions, until enough of them meet its condition.

use super::direction::ScanDirection;
use super::merge::AddresseeMerge;
use super::ranges::CandidateRanges;
use crate::Error;
use crate::row::{Params, Row, Value};
use crate::tx::Tx;
use uuid::Uuid;

/// Result of a walk, in its direction.
pub(super) struct ScanResult {
    pub(super) ids: Vec<Uuid>,
    /// The last candidate tried, when the walk ended before the list did.
    pub(super) stopped_at: Option<Uuid>,
}

/// Candidates of each portion. All of them are as many as a page may try.
const PORTIONS: [usize; 4] = [64, 256, 1_024, 4_096];

/// Finds up to `most` entries.
pub(super) async fn scan<T: Tx>(
    tx: &mut T,
    ranges: &CandidateRanges,
    direction: ScanDirection,
    from: Option<Uuid>,
    most: usize,
) -> Result<ScanResult, Error> {
    let (mut ids, mut from) = (Vec::new(), from);
    let mut merge = ranges.addressees.as_ref().map(|addressees| {
        AddresseeMerge::new(addressees.tenant, addressees.periodo, &addressees.found, direction, from)
    });
    for portion in PORTIONS.into_iter().filter(|portion| most <= 64 || *portion > 256) {
        let candidates = match &mut merge {
            Some(merge) => {
                let ids = merge.take(tx, portion).await?;
                judged(tx, ranges, ids).await?
            }
            None => next_candidates(tx, ranges, direction, from, portion).await?,
        };
        let is_last = candidates.len() < portion;
        from = candidates.last().map(|(id, _)| *id).or(from);
        ids.extend(candidates.into_iter().filter(|(_, is_entry)| *is_entry).map(|(id, _)| id));
        ids.dedup();
        if ids.len() >= most || is_last {
            ids.truncate(most);
            return Ok(ScanResult { ids, stopped_at: None });
        }
    }
    Ok(ScanResult { ids, stopped_at: from })
}

/// The next candidates in the order of the walk, each with whether it is an entry.
async fn next_candidates<T: Tx>(
    tx: &mut T,
    ranges: &CandidateRanges,
    direction: ScanDirection,
    from: Option<Uuid>,
    portion: usize,
) -> Result<Vec<(Uuid, bool)>, Error> {
    let order = if direction == ScanDirection::Older { "DESC" } else { "ASC" };
    let before = ranges.params.len();
    let from_at = from.map(|_| before + 1);
    let sql = ranges.sql(order, from_at, before + 1 + usize::from(from.is_some()));
    let limit = Value::Int(i64::try_from(portion).unwrap_or(i64::MAX));
    let params: Params = ranges.params.iter().cloned().chain(from.map(Value::from)).chain([limit]).collect();
    tx.query(&sql, &params).await?.into_iter().map(read).collect()
}

/// Candidates in their order, each with whether it is an entry.
async fn judged<T: Tx>(tx: &mut T, ranges: &CandidateRanges, ids: Vec<Uuid>) -> Result<Vec<(Uuid, bool)>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = ranges.entry(ranges.params.len() + 1);
    let params = |id: &Uuid| -> Params { ranges.params.iter().cloned().chain([Value::from(*id)]).collect() };
    let found = tx.query_each(&sql, ids.iter().map(params).collect()).await?;
    Ok(ids.into_iter().zip(found).map(|(id, rows)| (id, !rows.is_empty())).collect())
}

fn read(mut row: Row) -> Result<(Uuid, bool), Error> {
    Ok((row.read()?, row.read::<i64>()? != 0))
}
