//! Items of an emission, and those that a rejection names.
//!
//! Law: `docs/contract.md`, "Reports and search". The authority names an item as `[nItem:3]` in its text; a predicted
//! rejection names it by its path in the caller's payload.

use crate::order::Order;
use crate::order::emission::IssueRequest;
use crate::{Engine, family};
use fiscal::nota::NotaItems as Given;
use serde_json::Value;
use std::sync::Arc;
use store::Visibility;
use store::jobs::{Job, JobDocument};
use uuid::Uuid;

/// Items of a job.
pub struct JobItems {
    /// The emission.
    pub job: Job,
    /// In the document's order.
    pub items: Vec<JobItem>,
}

/// An item of the document.
pub struct JobItem {
    /// From 1, as `nItem`.
    pub item: usize,
    /// As the caller wrote it.
    pub produto: Value,
    /// True if the rejection names this item.
    pub caused_rejection: bool,
}

impl Engine {
    /// Returns an emission and its order; of a job that acts on another's document, those of that document. The order
    /// is `None` once it is forgotten.
    pub async fn emission_order(
        &self,
        sight: Visibility,
        job: Uuid,
    ) -> Result<(Job, Option<Arc<IssueRequest>>), store::Error> {
        let asked = self.store().job(sight, job).await?;
        let job = match asked.alvo {
            Some(alvo) => self.store().job(sight, alvo).await?,
            None => asked,
        };
        let order = Order::emission(&job);
        Ok((job, order))
    }

    /// Returns the items of a job; of a job that acts on another's document, those of that document.
    pub async fn items(&self, sight: Visibility, job: Uuid) -> Result<JobItems, store::Error> {
        let (job, order) = self.emission_order(sight, job).await?;
        let given = given_items(order.as_deref());
        let guilty = job.document.as_ref().map(|document| items_named_by_reason(document, &given)).unwrap_or_default();
        let items = given.items.iter().cloned().zip(1..);
        let items = items.map(|(produto, item)| JobItem { item, produto, caused_rejection: guilty.contains(&item) });
        Ok(JobItems { items: items.collect(), job })
    }
}

/// Items of an emission as the caller gave them; empty for a document without items.
pub(crate) fn given_items(order: Option<&IssueRequest>) -> Given<'_> {
    let items = |order: &IssueRequest| family::of_modelo(order.modelo)?.builder.items;
    let given = order.and_then(|order| Some(items(order)?(&order.nota)));
    given.unwrap_or_else(|| Given { campo: "nota".to_owned(), items: &[] })
}

/// Numbers (from 1) of the items that a rejection names.
fn items_named_by_reason(document: &JobDocument, given: &Given<'_>) -> Vec<usize> {
    if document.state != fiscal::lifecycle::DocumentState::Rejected {
        return Vec::new();
    }
    let by_path = document.campo.as_deref().and_then(|campo| given.position_in(campo)?.checked_add(1));
    let mut guilty = document.xMotivo.as_deref().map(item_numbers).unwrap_or_default();
    guilty.extend(by_path);
    guilty
}

/// Numbers of every `[nItem: 3]` in the authority's text.
pub(crate) fn item_numbers(xMotivo: &str) -> Vec<usize> {
    let after = xMotivo.split("[nItem:").skip(1);
    let digits = after.map(|rest| rest.trim_start().split(|letter: char| !letter.is_ascii_digit()).next());
    digits.filter_map(|digits| digits?.parse().ok()).filter(|item| *item > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_items_that_the_authority_names() {
        assert_eq!(item_numbers("Rejeição: NCM inexistente [nItem:3]"), [3]);
        assert_eq!(item_numbers("Rejeição: GTIN incompatível [nItem: 12; NCM esperada:1] [nItem:2]"), [12, 2]);
        assert!(item_numbers("Rejeição: Duplicidade de NF-e").is_empty());
        assert!(item_numbers("Rejeição: [nItem:0]").is_empty());
    }
}
