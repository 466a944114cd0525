//! Circuits and blocks. A circuit is changed only by a process that has read its present version.

use super::{AuthorityStates, Circuit, CircuitKey, CircuitState, CompanyBlock};
use crate::row::{Params, Row, params, unexpected};
use crate::tx::{Lane, StoreOperation, Tx};
use crate::words;
use crate::{Error, Store};

impl CircuitState {
    /// Every state with its word.
    pub const ALL: [(&'static str, CircuitState); 3] =
        [("closed", CircuitState::Closed), ("open", CircuitState::Open), ("half_open", CircuitState::HalfOpen)];

    fn word(self) -> &'static str {
        CircuitState::ALL.iter().find(|(_, state)| *state == self).map_or("", |(word, _)| word)
    }

    fn read(word: &str) -> Result<CircuitState, Error> {
        CircuitState::ALL.iter().find(|(known, _)| *known == word).map(|(_, state)| *state).ok_or_else(unexpected)
    }
}

impl CircuitKey {
    /// `$1`, `$2`, `$3` of every statement about a circuit.
    fn params(&self) -> Params {
        params![&self.authority, self.modelo, words::ambiente(self.ambiente)]
    }
}

impl Store {
    /// Returns all circuits, and the blocks that end after `now`.
    pub async fn authorities(&self, now: i64) -> Result<AuthorityStates, Error> {
        self.read(ReadAuthorities { now }).await
    }
    /// Writes a circuit's state over the version that was read; `false` when another process wrote first.
    pub async fn change_circuit(&self, circuit: Circuit) -> Result<bool, Error> {
        self.write(ChangeCircuit { circuit }).await
    }
    /// Claims the right to query a status service: `true` for exactly one caller in `every_s` seconds.
    pub async fn claim_poll(&self, key: CircuitKey, now: i64, every_s: i64) -> Result<bool, Error> {
        self.write(ClaimPoll { key, now, every_s }).await
    }
    /// Stores the last answer of an authority's status service.
    pub async fn save_status_answer(
        &self,
        key: CircuitKey,
        cStat: u16,
        xMotivo: String,
        now: i64,
    ) -> Result<(), Error> {
        self.write(SaveStatusAnswer { key, cStat, xMotivo, now }).await
    }
    /// Blocks a company at an authority until an instant, after a cStat 656. A block is never shortened.
    pub async fn save_block(&self, block: CompanyBlock) -> Result<(), Error> {
        self.write(SaveBlock { block }).await
    }
}

struct ReadAuthorities {
    now: i64,
}

impl StoreOperation for ReadAuthorities {
    type Output = AuthorityStates;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<AuthorityStates, Error> {
        // A single statement, so that both parts can be read beside a writer: circuits first, then blocks.
        let sql = "SELECT authority, modelo, ambiente, state, since, opened_at, reason, polled_at, cStat, xMotivo, told_at, version
                   FROM circuits
                   UNION ALL SELECT authority, 0, 0, transmissor, until_at, NULL, NULL, 0, NULL, NULL, NULL, 0
                   FROM blocks WHERE until_at > $1";
        let mut overview = AuthorityStates::default();
        for mut row in tx.query(sql, &params![self.now]).await? {
            let (authority, modelo, ambiente): (String, u8, u8) = (row.read()?, row.read()?, row.read()?);
            if modelo == 0 {
                overview.blocks.push(CompanyBlock { transmissor: row.read()?, authority, until: row.read()? });
                continue;
            }
            let key = CircuitKey { authority, modelo, ambiente: words::read_ambiente(ambiente)? };
            overview.circuits.push(read_circuit(key, row)?);
        }
        Ok(overview)
    }
}

fn read_circuit(key: CircuitKey, mut row: Row) -> Result<Circuit, Error> {
    let state = CircuitState::read(&row.read::<String>()?)?;
    let (since, opened_at, reason, polled_at) = (row.read()?, row.read()?, row.read()?, row.read()?);
    let (cStat, xMotivo): (Option<u16>, Option<String>) = (row.read()?, row.read()?);
    let (told_at, version) = (row.read()?, row.read()?);
    Ok(Circuit {
        key,
        state,
        since,
        opened_at,
        reason,
        polled_at,
        status_answer: cStat.zip(xMotivo),
        status_answered_at: told_at,
        version,
    })
}

struct ChangeCircuit {
    circuit: Circuit,
}

impl StoreOperation for ChangeCircuit {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let Circuit { key, state, since, opened_at, reason, version, .. } = &self.circuit;
        let sql = "INSERT INTO circuits (authority, modelo, ambiente, state, since, opened_at, reason, polled_at, version)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 1)
                   ON CONFLICT (authority, modelo, ambiente) DO UPDATE SET state = excluded.state, since = excluded.since,
                       opened_at = excluded.opened_at, reason = excluded.reason, version = circuits.version + 1
                   WHERE circuits.version = $8";
        let mut params = key.params();
        params.extend(params![state.word(), *since, *opened_at, reason.as_ref(), *version]);
        Ok(tx.execute(sql, &params).await? == 1)
    }
}

struct ClaimPoll {
    key: CircuitKey,
    now: i64,
    every_s: i64,
}

impl StoreOperation for ClaimPoll {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "INSERT INTO circuits (authority, modelo, ambiente, state, since, polled_at, version)
                   VALUES ($1, $2, $3, 'closed', $4, $4, 1)
                   ON CONFLICT (authority, modelo, ambiente) DO UPDATE SET polled_at = excluded.polled_at
                   WHERE circuits.polled_at <= $5 OR circuits.polled_at > $6";
        let mut params = self.key.params();
        // An instant further ahead than clocks differ was written by a clock that has been set back since.
        let (due, ahead) = (self.now.saturating_sub(self.every_s), self.now.saturating_add(self.every_s));
        params.extend(params![self.now, due, ahead]);
        Ok(tx.execute(sql, &params).await? == 1)
    }
}

struct SaveStatusAnswer {
    key: CircuitKey,
    cStat: u16,
    xMotivo: String,
    now: i64,
}

impl StoreOperation for SaveStatusAnswer {
    type Output = ();
    const LANE: Lane = Lane::Urgent;
    // A lost answer is queried again.
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql =
            "INSERT INTO circuits (authority, modelo, ambiente, state, since, polled_at, cStat, xMotivo, told_at, version)
                   VALUES ($1, $2, $3, 'closed', $6, 0, $4, $5, $6, 1)
                   ON CONFLICT (authority, modelo, ambiente) DO UPDATE SET cStat = excluded.cStat,
                       xMotivo = excluded.xMotivo, told_at = excluded.told_at";
        let mut params = self.key.params();
        params.extend(params![self.cStat, &self.xMotivo, self.now]);
        tx.execute(sql, &params).await.map(drop)
    }
}

struct SaveBlock {
    block: CompanyBlock,
}

impl StoreOperation for SaveBlock {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "INSERT INTO blocks (transmissor, authority, until_at) VALUES ($1, $2, $3)
                   ON CONFLICT (transmissor, authority) DO UPDATE SET until_at = excluded.until_at
                   WHERE blocks.until_at < excluded.until_at";
        let CompanyBlock { transmissor, authority, until } = &self.block;
        tx.execute(sql, &params![transmissor, authority, *until]).await.map(drop)
    }
}

crate::dyn_operation::erasable!(ReadAuthorities, ChangeCircuit, ClaimPoll, SaveStatusAnswer, SaveBlock);
