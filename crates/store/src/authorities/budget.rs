//! Call budgets: calls counted within an hour, one row per subject, so that every process continues from the same
//! count, also after a restart.

use crate::row::{only, params};
use crate::tx::{Lane, StoreOperation, Tx};
use crate::words;
use crate::{Error, Store};

/// A call about to be made, with the limits of its kind.
#[derive(Debug, Clone)]
pub struct BudgetedCall {
    /// CNPJ or CPF that the authority counts by.
    pub transmissor: String,
    /// Authority and service.
    pub servico: String,
    /// Subject of the call (a key, a receipt); empty for the service as a whole.
    pub sobre: String,
    /// Most calls in the window.
    pub most: u32,
    /// Calls in the window that need no spacing.
    pub quick: u32,
    /// Least spacing of the calls after those, milliseconds, so that some are left when the authority answers again.
    pub apart_ms: i64,
    /// Length of the window, milliseconds.
    pub window_ms: i64,
    /// Now, milliseconds since 1970.
    pub now_ms: i64,
}

/// Budget usage of one service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetUsage {
    /// Authority and service.
    pub servico: String,
    /// Calls about the subject with the most calls.
    pub most: u32,
    /// Number of subjects.
    pub subjects: u32,
}

impl Store {
    /// Returns the usage of a transmitter since this millisecond, by service.
    pub async fn budget_usage(&self, transmissor: String, since_ms: i64) -> Result<Vec<BudgetUsage>, Error> {
        self.read(ReadBudgetUsage { transmissor, since_ms }).await
    }
    /// Counts a call if it may be made now; otherwise counts nothing and returns the milliseconds until it may.
    pub async fn spend_budget(&self, spending: BudgetedCall) -> Result<Option<i64>, Error> {
        self.write(SpendBudget { spending }).await
    }
    /// Returns the calls counted about one subject within the window, without counting another.
    pub async fn subject_usage(&self, spending: BudgetedCall) -> Result<u32, Error> {
        self.read(CountSubjectCalls { spending }).await
    }
    /// Deletes subjects whose last call lies before this millisecond.
    pub async fn forget_budgets(&self, before_ms: i64) -> Result<(), Error> {
        self.write(ForgetBudgets { before_ms }).await
    }
}

/// The calls within the window, oldest first.
fn recent_calls(stored: String, spending: &BudgetedCall) -> Result<Vec<i64>, Error> {
    let mut calls: Vec<i64> = words::read_json(stored)?;
    calls.retain(|at| spending.now_ms - at < spending.window_ms);
    calls.sort_unstable();
    Ok(calls)
}

struct SpendBudget {
    spending: BudgetedCall,
}

impl StoreOperation for SpendBudget {
    type Output = Option<i64>;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<i64>, Error> {
        let BudgetedCall { transmissor, servico, sobre, most, quick, apart_ms, window_ms, now_ms } = &self.spending;
        let mut key = params![transmissor, servico, sobre];
        let sql = "INSERT INTO budgets (transmissor, servico, sobre, calls, last_at) VALUES ($1, $2, $3, '[]', $4)
                   ON CONFLICT (transmissor, servico, sobre) DO NOTHING";
        let mut first = key.clone();
        first.push((*now_ms).into());
        tx.execute(sql, &first).await?;
        let lock = tx.dialect().for_update();
        let sql = format!("SELECT calls FROM budgets WHERE transmissor = $1 AND servico = $2 AND sobre = $3 {lock}");
        let stored: String = only(tx.query(&sql, &key).await?)?.read()?;
        let mut calls = recent_calls(stored, &self.spending)?;
        if let Some(leaves) = calls.len().checked_sub(*most as usize).and_then(|spent| calls.get(spent)) {
            return Ok(Some(leaves + window_ms - now_ms));
        }
        let last = calls.last().filter(|_| calls.len() >= *quick as usize);
        if let Some(wait) = last.map(|last| last + apart_ms - now_ms).filter(|wait| *wait > 0) {
            return Ok(Some(wait));
        }
        calls.push(*now_ms);
        key.extend(params![words::json(&calls)?, *now_ms]);
        let sql = "UPDATE budgets SET calls = $4, last_at = $5 WHERE transmissor = $1 AND servico = $2 AND sobre = $3";
        tx.execute(sql, &key).await?;
        Ok(None)
    }
}

struct CountSubjectCalls {
    spending: BudgetedCall,
}

impl StoreOperation for CountSubjectCalls {
    type Output = u32;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u32, Error> {
        let BudgetedCall { transmissor, servico, sobre, .. } = &self.spending;
        let sql = "SELECT calls FROM budgets WHERE transmissor = $1 AND servico = $2 AND sobre = $3";
        let rows = tx.query(sql, &params![transmissor, servico, sobre]).await?;
        let stored: Option<String> = crate::row::first(rows)?;
        let calls = stored.map(|stored| recent_calls(stored, &self.spending)).transpose()?.unwrap_or_default();
        Ok(u32::try_from(calls.len()).unwrap_or(u32::MAX))
    }
}

struct ReadBudgetUsage {
    transmissor: String,
    since_ms: i64,
}

impl StoreOperation for ReadBudgetUsage {
    type Output = Vec<BudgetUsage>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<BudgetUsage>, Error> {
        let sql = "SELECT servico, calls FROM budgets WHERE transmissor = $1 AND last_at > $2 ORDER BY servico";
        let mut all: Vec<BudgetUsage> = Vec::new();
        for mut row in tx.query(sql, &params![&self.transmissor, self.since_ms]).await? {
            let (servico, calls): (String, String) = (row.read()?, row.read()?);
            let calls: Vec<i64> = words::read_json(calls)?;
            let recent = calls.iter().filter(|at| **at > self.since_ms).count();
            let recent = u32::try_from(recent).unwrap_or(u32::MAX);
            match all.last_mut().filter(|spent| spent.servico == servico) {
                Some(spent) => {
                    spent.most = spent.most.max(recent);
                    spent.subjects += 1;
                }
                None => all.push(BudgetUsage { servico, most: recent, subjects: 1 }),
            }
        }
        Ok(all)
    }
}

struct ForgetBudgets {
    before_ms: i64,
}

impl StoreOperation for ForgetBudgets {
    type Output = ();
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        tx.execute("DELETE FROM budgets WHERE last_at < $1", &params![self.before_ms]).await.map(drop)
    }
}

crate::dyn_operation::erasable!(SpendBudget, CountSubjectCalls, ReadBudgetUsage, ForgetBudgets);
