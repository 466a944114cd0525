//! Words of addressees' names: written once per addressee and name, searched by their beginnings.
//!
//! Reason: docs/decisions/store.md, "A name is found through the words of its addressee".

use crate::Error;
use crate::row::params;
use crate::tx::{SqlStep, Tx};
use crate::words;
use fiscal::fold::fold_words;
use fiscal::value::TpAmb;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;

/// Name of the addressee of a new job.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NewAddressee {
    /// Folded words, in order, each once.
    words: Vec<String>,
}

impl NewAddressee {
    /// The words of a name; `None` when it has none.
    pub fn named(nome: &str) -> Option<NewAddressee> {
        let words = search_words(nome, MOST_WORDS);
        (!words.is_empty()).then_some(NewAddressee { words })
    }

    /// Statement that adds the words that are not known yet.
    pub(crate) fn step(
        &self,
        tx: &impl Tx,
        tenant: Uuid,
        ambiente: TpAmb,
        destinatario: &str,
    ) -> Result<SqlStep<'static>, Error> {
        static SPELLED: crate::dialect::PerDialect<String> = crate::dialect::PerDialect::new();
        let sql = SPELLED.of(tx.dialect(), |dialect| {
            format!(
                "INSERT INTO addressee_words (tenant_id, ambiente, word, destinatario)
                 SELECT $1, $2, value, $3 FROM {} WHERE 1 = 1 ON CONFLICT DO NOTHING",
                dialect.values_in("$4")
            )
        });
        let params = params![tenant, words::ambiente(ambiente), destinatario, words::json(&self.words)?];
        Ok(SqlStep::new(sql, params))
    }
}

/// Distinct folded words, sorted, so that concurrent writers take their rows in one order.
pub(crate) fn search_words(text: &str, most: usize) -> Vec<String> {
    let folded = fold_words(text);
    let mut found: Vec<String> = folded
        .split(' ')
        .filter(|word| !word.is_empty())
        .take(most)
        .map(|word| word.chars().take(LONGEST_WORD).collect())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A table of the words of names.
#[derive(Clone, Copy)]
pub(crate) struct NameTable {
    pub(crate) table: &'static str,
    /// Column with the number of the party that has the name.
    pub(crate) party: &'static str,
}

/// Names of addressees.
pub(super) const ADDRESSEES: NameTable = NameTable { table: "addressee_words", party: "destinatario" };

/// Returns the parties that have, for each word, one that begins with it: at most one beyond [`MOST_FOLLOWED`].
pub(crate) async fn with_name<T: Tx>(
    tx: &mut T,
    names: NameTable,
    tenant: Uuid,
    ambiente: TpAmb,
    nome: &str,
) -> Result<Vec<String>, Error> {
    let mut asked = search_words(nome, MOST_ASKED);
    // The longest word leaves the fewest addressees.
    asked.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let Some((first, others)) = asked.split_first() else { return Ok(Vec::new()) };
    let mut params = params![tenant, words::ambiente(ambiente), first.as_str(), beyond(first)];
    let NameTable { table, party } = names;
    let mut sql = format!(
        "SELECT DISTINCT w.{party} FROM {table} w
         WHERE w.tenant_id = $1 AND w.ambiente = $2 AND w.word >= $3 AND w.word < $4"
    );
    for word in others {
        let at = params.len();
        params.extend(params![word.as_str(), beyond(word)]);
        sql.push_str(&format!(
            " AND EXISTS (SELECT 1 FROM {table} x WHERE x.tenant_id = $1 AND x.ambiente = $2
                AND x.{party} = w.{party} AND x.word >= ${} AND x.word < ${})",
            at + 1,
            at + 2
        ));
    }
    params.extend(params![i64::try_from(MOST_FOLLOWED + 1).unwrap_or(i64::MAX)]);
    sql.push_str(&format!(" LIMIT ${}", params.len()));
    tx.query(&sql, &params).await?.into_iter().map(|mut row| row.read()).collect()
}

/// A text above every one that begins with this word, in the order of bytes.
fn beyond(word: &str) -> String {
    format!("{word}\u{10ffff}")
}

/// Parties of a name whose documents a search follows.
pub(crate) const MOST_FOLLOWED: usize = 200;
/// Words of a name that are written, and that a search uses.
pub(crate) const MOST_WORDS: usize = 12;
const MOST_ASKED: usize = 6;
/// Characters of a word.
const LONGEST_WORD: usize = 40;

/// Addressees whose words this process has written lately: their next documents write nothing.
#[derive(Debug, Default)]
pub(crate) struct RecentAddressees(Mutex<HashSet<u64>>);

impl RecentAddressees {
    pub(crate) fn has(&self, addressee: u64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&addressee)
    }

    /// Remembers an addressee after the commit of its words.
    pub(crate) fn remember(&self, addressee: u64) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(addressee);
    }
}

/// Addressees remembered by a process: 1 MB.
const MOST_KNOWN: usize = 65_536;

/// Digest of an addressee with its name.
pub(crate) fn digest(tenant: Uuid, ambiente: TpAmb, destinatario: &str, addressee: &NewAddressee) -> u64 {
    let mut hasher = DefaultHasher::new();
    (tenant, words::ambiente(ambiente), destinatario, addressee).hash(&mut hasher);
    hasher.finish()
}
