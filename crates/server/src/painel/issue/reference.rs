//! References that the form proposes: `referencia_externa` keeps a document from being issued twice.

use store::Visibility;
use store::accounts::Caller;
use store::jobs::Job;
use uuid::Uuid;

use crate::api::error::ApiError;
use crate::app::App;

/// Remark of the page about a recipe.
pub(super) const RECIPE_REMARK: &str = "Empresas, pessoas, chaves e valores da receita são inventados: troque-os pelos seus. Alíquotas e códigos são do seu produto e do \
     seu Estado; confira com quem responde pela sua contabilidade.";

/// A reference of a new document.
pub(super) fn fresh(app: &App) -> String {
    let chance = Uuid::new_v4().simple().to_string().to_uppercase();
    format!("PAINEL{}{}", app.today().strftime("%Y%m%d"), chance.get(..8).unwrap_or_default())
}

/// A free reference after that of an earlier document: its own with a suffix.
pub(super) async fn after(app: &App, caller: &Caller, job: &Job) -> Result<String, ApiError> {
    let own = job
        .referencia
        .clone()
        .unwrap_or_else(|| format!("DOC{}", job.id.simple().to_string().get(20..).unwrap_or_default().to_uppercase()));
    // a reference belongs to one order of the account, in whatever environment
    let sight = Visibility::whole(caller.tenant_id);
    for proposal in proposals(&own) {
        match app.store().job_by_reference(sight, &proposal).await {
            Err(store::Error::NotFound) => return Ok(proposal),
            found => found.map(drop)?,
        }
    }
    Ok(fresh(app))
}

/// `PED1C1`, `PED1C2` … for `PED1`; `PED1C3` … for `PED1C2`.
fn proposals(own: &str) -> impl Iterator<Item = String> {
    let (base, last) = own
        .rsplit_once('C')
        .and_then(|(base, number)| Some((base, number.parse::<u32>().ok().filter(|_| number.len() <= 3)?)))
        .filter(|(base, _)| !base.is_empty())
        .unwrap_or((own, 0));
    let base: String = base.chars().take(LONGEST_BASE).collect();
    (last.saturating_add(1)..).take(MOST_PROPOSALS).map(move |number| format!("{base}C{number}"))
}

/// A reference has up to 120 letters.
const LONGEST_BASE: usize = 110;
const MOST_PROPOSALS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_is_counted_on() {
        let first = |own: &str| proposals(own).next().unwrap();
        assert_eq!(
            (first("PED1001"), first("PED1001C1"), first("C1")),
            ("PED1001C1".into(), "PED1001C2".into(), "C1C1".into())
        );
        assert_eq!(first(&"A".repeat(120)).len(), 112);
        assert_eq!(first("ABC2026"), "ABC2026C1");
    }
}
