//! Documents of several addressees in the order of a list: each addressee's are read a few at a time, as the merge
//! uses them up, so that the work follows the documents that are tried, not the number of addressees.

use super::direction::ScanDirection;
use crate::Error;
use crate::conditions::first_id_at;
use crate::notes::Period;
use crate::row::{Params, Value, params};
use crate::tx::Tx;
use std::collections::VecDeque;
use uuid::Uuid;

/// Documents that an addressee's first reading takes, and the factor and bound of the next ones.
const FIRST: usize = 8;
const GROWTH: usize = 4;
const MOST: usize = 1_024;
/// An addressee with so few read documents is read along with one that has none left.
const FEW: usize = 2;

/// Documents of an addressee that were read and not yet taken.
struct ReadAhead {
    destinatario: String,
    ids: VecDeque<Uuid>,
    /// Last one that was read.
    from: Option<Uuid>,
    /// Number of documents of the next reading.
    next: usize,
    ended: bool,
    /// Already part of the reading under way.
    was_read: bool,
}

impl ReadAhead {
    /// Form of its next statement: after a document or not, and its bound.
    fn reading(&self) -> (bool, usize) {
        (self.from.is_some(), self.next)
    }
}

/// A merge under way.
pub(super) struct AddresseeMerge {
    tenant: Uuid,
    periodo: Period,
    direction: ScanDirection,
    addressees: Vec<ReadAhead>,
}

impl AddresseeMerge {
    /// A merge that begins after `from`.
    pub(super) fn new(
        tenant: Uuid,
        periodo: Period,
        addressees: &[String],
        direction: ScanDirection,
        from: Option<Uuid>,
    ) -> AddresseeMerge {
        let new = |destinatario: &String| ReadAhead {
            destinatario: destinatario.clone(),
            ids: VecDeque::new(),
            from,
            next: FIRST,
            ended: false,
            was_read: false,
        };
        AddresseeMerge { tenant, periodo, direction, addressees: addressees.iter().map(new).collect() }
    }

    /// Takes the next documents; fewer than `most` when there are no more.
    pub(super) async fn take<T: Tx>(&mut self, tx: &mut T, most: usize) -> Result<Vec<Uuid>, Error> {
        let mut taken = Vec::new();
        while taken.len() < most {
            if self.addressees.iter().any(|one| one.ids.is_empty() && !one.ended) {
                self.read_ahead(tx).await?;
            }
            let heads = self.addressees.iter_mut().filter(|one| !one.ids.is_empty());
            let next = match self.direction {
                ScanDirection::Older => heads.max_by_key(|one| one.ids.front().copied()),
                ScanDirection::Newer => heads.min_by_key(|one| one.ids.front().copied()),
            };
            let Some(id) = next.and_then(|one| one.ids.pop_front()) else { break };
            taken.push(id);
        }
        Ok(taken)
    }

    /// Reads on for the addressees whose documents are nearly used up.
    async fn read_ahead<T: Tx>(&mut self, tx: &mut T) -> Result<(), Error> {
        let (tenant, periodo, direction) = (self.tenant, self.periodo, self.direction);
        let mut wanting: Vec<&mut ReadAhead> =
            self.addressees.iter_mut().filter(|one| !one.ended && one.ids.len() <= FEW).collect();
        let mut readings: Vec<(bool, usize)> = wanting.iter().map(|one| one.reading()).collect();
        readings.sort_unstable();
        readings.dedup();
        for reading in readings {
            let (sql, ends) = statement(tx, periodo, direction, reading);
            let mut alike: Vec<&mut &mut ReadAhead> =
                wanting.iter_mut().filter(|one| !one.was_read && one.reading() == reading).collect();
            let each = alike.iter().map(|one| parameters(tenant, one, &ends)).collect();
            for (rows, one) in tx.query_each(&sql, each).await?.into_iter().zip(&mut alike) {
                one.was_read = true;
                one.ended = rows.len() < one.next;
                for mut row in rows {
                    one.ids.push_back(row.read()?);
                }
            }
        }
        for one in wanting {
            one.was_read = false;
            one.next = (one.next * GROWTH).min(MOST);
        }
        for one in &mut self.addressees {
            one.from = one.ids.back().copied().or(one.from);
        }
        Ok(())
    }
}

/// Text of the statement, and the ends of the period. The bound stands in the text: PostgreSQL plans without the value
/// of a parameter, and would read all documents of an addressee.
fn statement(
    tx: &impl Tx,
    periodo: Period,
    direction: ScanDirection,
    (goes_on, most): (bool, usize),
) -> (String, Vec<Value>) {
    let (beyond, order) = if direction == ScanDirection::Older { ('<', "DESC") } else { ('>', "ASC") };
    let hint = tx.dialect().index_hint("jobs_by_addressee");
    let mut text = format!("SELECT id FROM jobs {hint} WHERE tenant_id = $1 AND destinatario = $2");
    let mut ends = Vec::new();
    for (than, end) in [(">=", periodo.from), ("<", periodo.until)] {
        if let Some(end) = end {
            ends.push(first_id_at(end).into());
            text.push_str(&format!(" AND id {than} ${}", 2 + ends.len()));
        }
    }
    if goes_on {
        text.push_str(&format!(" AND id {beyond} ${}", 3 + ends.len()));
    }
    (format!("{text} ORDER BY id {order} LIMIT {most}"), ends)
}

fn parameters(tenant: Uuid, one: &ReadAhead, ends: &[Value]) -> Params {
    let mut all = params![tenant, one.destinatario.as_str()];
    all.extend(ends.iter().cloned());
    all.extend(one.from.map(Value::from));
    all
}
