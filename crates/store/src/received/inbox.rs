//! The inbox: received documents of every type, newest first, from an id on, so that the last page costs as much as the
//! first. A search tries a bounded number of documents per page.
//!
//! Reason: docs/decisions/store.md, "The inbox of received documents".

use super::read::{COLUMNS, read_document};
use super::{ReceivedDocument, ReceivedFilter};
use crate::conditions::{Conditions, Period};
use crate::dialect::SqlDialect;
use crate::emissions::addressees::{self, NameTable};
use crate::emissions::{BoundedCount, MOST_COUNTED, PageCursor};
use crate::row::{Row, first};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

/// Filter of the inbox; absent members do not restrict.
#[derive(Debug, Clone, Default)]
pub struct InboxFilter {
    pub of_document: ReceivedFilter,
    /// Beginnings of words of the issuer's name.
    pub nome: Option<String>,
    /// Lowest and highest total, decimals with two places.
    pub valor: (Option<String>, Option<String>),
    /// Received after this entry.
    pub after: Option<Uuid>,
    /// Received within this period.
    pub recebida: Period,
    /// NF-e whose conclusive manifestation is open, authorised within this period.
    pub open: Option<Period>,
}

/// An entry of the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxEntry {
    /// Place in the order of receipt.
    pub id: Uuid,
    pub document: ReceivedDocument,
}

/// A page of the inbox, newest first.
#[derive(Debug, Clone, Default)]
pub struct InboxPage {
    pub entries: Vec<InboxEntry>,
    /// `true` if there are newer entries than this page.
    pub has_newer: bool,
    /// `true` if there are older entries than this page.
    pub has_older: bool,
    /// Last document that was tried, when the page is not full and as many as a page may try were.
    pub stopped_at: Option<Uuid>,
}

impl Store {
    /// Returns a page of the inbox of an environment.
    pub async fn received_inbox(
        &self,
        sight: Visibility,
        ambiente: TpAmb,
        mut filter: InboxFilter,
        cursor: PageCursor,
        limit: u32,
    ) -> Result<InboxPage, Error> {
        if !sight.is_visible(ambiente) {
            return Ok(InboxPage::default());
        }
        filter.of_document.reach = sight.reach();
        let search = InboxSearch { tenant: sight.tenant(), ambiente, filter };
        self.read(ListInbox { search, cursor, limit }).await
    }

    /// Counts entries of the inbox, up to [`MOST_COUNTED`].
    pub async fn count_received_inbox(
        &self,
        sight: Visibility,
        ambiente: TpAmb,
        mut filter: InboxFilter,
    ) -> Result<BoundedCount, Error> {
        if !sight.is_visible(ambiente) {
            return Ok(BoundedCount::default());
        }
        filter.of_document.reach = sight.reach();
        let search = InboxSearch { tenant: sight.tenant(), ambiente, filter };
        self.read(CountInbox { search }).await
    }
}

/// Names of issuers.
const ISSUERS: NameTable = NameTable { table: "issuer_words", party: "emitente" };
/// Documents that a page or a count tries.
pub(super) const MOST_TRIED: usize = 10_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScanOrder {
    Older,
    Newer,
}

impl ScanOrder {
    const fn than(self) -> &'static str {
        match self {
            ScanOrder::Older => "n.id <",
            ScanOrder::Newer => "n.id >",
        }
    }

    const fn sql(self) -> &'static str {
        match self {
            ScanOrder::Older => "DESC",
            ScanOrder::Newer => "ASC",
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct InboxSearch {
    pub(super) tenant: Uuid,
    pub(super) ambiente: TpAmb,
    pub(super) filter: InboxFilter,
}

/// The statements of a search.
pub(super) struct InboxStatements {
    /// `FROM` with its index.
    from: String,
    /// Conditions that the index carries.
    walked: Conditions,
    conditions: Conditions,
    /// True if the index follows the order of the list.
    is_ordered: bool,
}

impl InboxSearch {
    /// `None` when no issuer has such a name.
    async fn statements<T: Tx>(
        &self,
        tx: &mut T,
        order: ScanOrder,
        from: Option<Uuid>,
    ) -> Result<Option<InboxStatements>, Error> {
        let issuers = match &self.filter.nome {
            Some(nome) => {
                let mut found = addressees::with_name(tx, ISSUERS, self.tenant, self.ambiente, nome).await?;
                found.truncate(addressees::MOST_FOLLOWED);
                if found.is_empty() {
                    return Ok(None);
                }
                Some(found)
            }
            None => None,
        };
        self.spelled(tx.dialect(), issuers.as_deref(), order.than(), from).map(Some)
    }

    pub(super) fn spelled(
        &self,
        dialect: SqlDialect,
        issuers: Option<&[String]>,
        than: &str,
        from: Option<Uuid>,
    ) -> Result<InboxStatements, Error> {
        let filter = &self.filter;
        let mut conditions = filter.of_document.conditions(self.tenant);
        conditions.and_value("n.ambiente =", words::ambiente(self.ambiente));
        let one = match (issuers, &filter.of_document.emitente) {
            (Some([one]), _) => Some(one.as_str()),
            (_, emitente) => emitente.as_ref().map(CnpjCpf::as_str),
        };
        match issuers {
            Some([one]) => conditions.and_value("n.emitente =", one),
            Some(several) => {
                let place = conditions.params().len() + 1;
                let listed = dialect.values_in(&format!("${place}"));
                conditions.and_listed(&format!("n.emitente IN (SELECT value FROM {listed})"), words::json(&several)?);
            }
            None => {}
        }
        let (lowest, highest) = &filter.valor;
        for (comparison, amount) in [(">=", lowest), ("<=", highest)] {
            if let Some(amount) = amount {
                conditions.and_value(&format!("{VALUE} {comparison}"), padded(amount));
            }
        }
        let (index, mut walked) = self.walk(one);
        for part in [&mut conditions, &mut walked] {
            part.and_optional("n.id >", filter.after);
            part.and_optional(than, from);
            part.and_made_within("n.id", &filter.recebida);
        }
        if let Some(period) = &filter.open {
            conditions.and(OPEN);
            conditions.and_optional("n.autorizada_em >=", period.from);
            conditions.and_optional("n.autorizada_em <", period.until);
        }
        let hint = dialect.index_hint(index);
        let from = format!("FROM received_notes n {hint}");
        Ok(InboxStatements { from, walked, conditions, is_ordered: filter.open.is_none() })
    }

    /// The index of the most selective member, with its own conditions.
    fn walk(&self, issuer: Option<&str>) -> (&'static str, Conditions) {
        let mut walked = Conditions::of_tenant("n.tenant_id", self.tenant);
        let ambiente = words::ambiente(self.ambiente);
        let ReceivedFilter { cpf_cnpj, tipo, .. } = &self.filter.of_document;
        if self.filter.open.is_some() {
            return ("received_open", walked);
        }
        if let Some(issuer) = issuer {
            walked.and_value("n.emitente =", issuer);
            return ("received_notes_by_issuer", walked);
        }
        if let Some(company) = cpf_cnpj {
            walked.and_value("n.cpf_cnpj =", company.as_str());
            walked.and_value("n.ambiente =", ambiente);
            return ("received_inbox_of_company", walked);
        }
        if let Some(tipo) = tipo {
            walked.and_value("n.tipo =", tipo.word());
            return ("received_notes_by_age", walked);
        }
        walked.and_value("n.ambiente =", ambiente);
        ("received_inbox", walked)
    }
}

/// A total as a text of one width, so that texts compare as amounts do: layouts write no leading zeros, and two
/// decimals or none.
const VALUE: &str =
    "SUBSTR('0000000000000000000' || CASE WHEN n.valor LIKE '%.__' THEN n.valor ELSE n.valor || '.00' END,
    LENGTH(CASE WHEN n.valor LIKE '%.__' THEN n.valor ELSE n.valor || '.00' END) + 1)";

/// An amount in the width of [`VALUE`].
fn padded(amount: &str) -> String {
    let amount = if amount.contains('.') { amount.to_owned() } else { format!("{amount}.00") };
    format!("{amount:0>19}")
}

/// Condition of the partial index, literally.
const OPEN: &str = "n.tipo = 'nfe' AND n.situacao = 'autorizada' AND COALESCE(n.manifestacao, 'ciencia') = 'ciencia'
    AND (n.destinatario IS NULL OR n.destinatario = n.cpf_cnpj)";

impl InboxStatements {
    /// The last of the documents that may be tried.
    pub(super) fn bound_sql(&self, order: &str) -> String {
        let last = MOST_TRIED - 1;
        format!("SELECT n.id {} WHERE {} ORDER BY n.id {order} LIMIT 1 OFFSET {last}", self.from, self.walked.text())
    }

    pub(super) fn list_sql(&self, order: &str, limit: usize) -> String {
        format!(
            "SELECT n.id, {COLUMNS} {} WHERE {} ORDER BY n.id {order} LIMIT {limit}",
            self.from,
            self.conditions.text()
        )
    }

    fn count_sql(&self) -> String {
        let limit = MOST_COUNTED + 1;
        let found = format!("SELECT 1 AS one {} WHERE {} LIMIT {limit}", self.from, self.conditions.text());
        format!("SELECT COUNT(*) FROM ({found}) AS found")
    }

    /// Limits a search along the order of the list to the documents that may be tried; returns the last of them.
    async fn limit<T: Tx>(&mut self, tx: &mut T, order: ScanOrder) -> Result<Option<Uuid>, Error> {
        if !self.is_ordered {
            return Ok(None);
        }
        let bound: Option<Uuid> = first(tx.query(&self.bound_sql(order.sql()), self.walked.params()).await?)?;
        let comparison = if order == ScanOrder::Older { "n.id >=" } else { "n.id <=" };
        self.conditions.and_optional(comparison, bound);
        Ok(bound)
    }
}

struct ListInbox {
    search: InboxSearch,
    cursor: PageCursor,
    limit: u32,
}

/// Entries in the order of a scan, and the last document tried when there may be more.
async fn scan<T: Tx>(
    tx: &mut T,
    search: &InboxSearch,
    order: ScanOrder,
    from: Option<Uuid>,
    limit: usize,
) -> Result<(Vec<InboxEntry>, Option<Uuid>), Error> {
    let Some(mut statements) = search.statements(tx, order, from).await? else { return Ok((Vec::new(), None)) };
    let bound = statements.limit(tx, order).await?;
    let rows = tx.query(&statements.list_sql(order.sql(), limit), statements.conditions.params()).await?;
    let entries: Vec<InboxEntry> = rows.into_iter().map(read_entry).collect::<Result<_, _>>()?;
    let stopped_at = bound.filter(|_| entries.len() < limit);
    Ok((entries, stopped_at))
}

fn read_entry(mut row: Row) -> Result<InboxEntry, Error> {
    Ok(InboxEntry { id: row.read()?, document: read_document(row)? })
}

impl StoreOperation for ListInbox {
    type Output = InboxPage;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<InboxPage, Error> {
        let most = self.limit as usize;
        let (order, from) = match self.cursor {
            PageCursor::Newest => (ScanOrder::Older, None),
            PageCursor::OlderThan(id) => (ScanOrder::Older, Some(id)),
            PageCursor::NewerThan(id) => (ScanOrder::Newer, Some(id)),
        };
        // One entry beyond the page shows that the list goes on.
        let (mut entries, stopped_at) = scan(tx, &self.search, order, from, most + 1).await?;
        let goes_on = entries.len() > most;
        entries.truncate(most);
        if order == ScanOrder::Older {
            return Ok(InboxPage { entries, has_newer: from.is_some(), has_older: goes_on, stopped_at });
        }
        entries.reverse();
        let older = match entries.last() {
            Some(last) => !scan(tx, &self.search, ScanOrder::Older, Some(last.id), 1).await?.0.is_empty(),
            None => false,
        };
        Ok(InboxPage { entries, has_newer: goes_on, has_older: older, stopped_at: None })
    }
}

struct CountInbox {
    search: InboxSearch,
}

impl StoreOperation for CountInbox {
    type Output = BoundedCount;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<BoundedCount, Error> {
        let Some(mut statements) = self.search.statements(tx, ScanOrder::Older, None).await? else {
            return Ok(BoundedCount::default());
        };
        let bound = statements.limit(tx, ScanOrder::Older).await?;
        let found: i64 =
            first(tx.query(&statements.count_sql(), statements.conditions.params()).await?)?.unwrap_or_default();
        let (n, most) = (found.unsigned_abs(), u64::from(MOST_COUNTED));
        Ok(BoundedCount { n: n.min(most), or_more: n > most || bound.is_some() })
    }
}

crate::dyn_operation::erasable!(ListInbox, CountInbox);

#[cfg(test)]
mod tests;
