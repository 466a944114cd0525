//! Numbers that no document has, among the newest of each series.

use fiscal::value::masked;
use maud::{Markup, html};
use store::Visibility;
use store::numbers::{SequenceRange, Series};

use super::table;
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::panel_session::PanelSession;

/// Gaps of the session's environment, with their series. Whether a number is unused is not known of a series of a
/// restored database before its authority was asked.
pub(super) async fn recent(app: &App, visitor: &PanelSession) -> Result<Vec<(Series, SequenceRange)>, ApiError> {
    let caller = &visitor.at.caller;
    let mut sequences = app.store().numberings(Visibility::of(caller), None).await?;
    sequences.retain(|sequence| {
        let series = &sequence.series;
        series.ambiente == caller.ambiente && series.counted.modelo().is_some() && sequence.last.is_some()
    });
    sequences.truncate(MOST_SERIES);
    let each = u32::try_from(NUMBERS_IN_ALL / sequences.len().max(1))
        .unwrap_or(MOST_NUMBERS)
        .clamp(LEAST_NUMBERS, MOST_NUMBERS);
    let mut found = Vec::new();
    for sequence in sequences {
        let is_uncertain =
            app.engine().restored().is_some() && app.store().is_uncleared(caller.tenant_id, sequence.series).await?;
        if is_uncertain {
            continue;
        }
        let gaps = app.store().recent_gaps(caller.tenant_id, sequence.series, each, MOST_GAPS).await?;
        found.extend(gaps.into_iter().map(|gap| (sequence.series, gap)));
    }
    Ok(found)
}

/// Series that are looked at, a query or two for each.
const MOST_SERIES: usize = 200;
/// Numbers that are looked at: of all series together, and of each.
const NUMBERS_IN_ALL: usize = 20_000;
const MOST_NUMBERS: u32 = 10_000;
const LEAST_NUMBERS: u32 = 100;
/// Gaps shown of a series.
const MOST_GAPS: u32 = 100;

pub(super) async fn show(app: &App, visitor: &PanelSession) -> Result<Markup, ApiError> {
    let found = recent(app, visitor).await?;
    let rows = html! {
        @for (series, gap) in &found {
            tr {
                td class="nome" { (range(gap)) }
                td data-coluna="Empresa" { (masked(series.cpf_cnpj.as_str())) }
                td data-coluna="Modelo" { (series.counted.modelo().map(|modelo| modelo.to_string()).unwrap_or_default()) }
                td data-coluna="Série" { (series.serie.as_str()) }
                td class="numero" data-coluna="Quantos" { (gap.until - gap.from + 1) }
            }
        }
    };
    Ok(html! {
        p { "Números entre o primeiro e o último usados que nenhum documento tem. Da NF-e e da NFC-e, a lei pede que sejam declarados (inutilizados) até o dia 10 do mês seguinte; do CT-e nada se declara." }
        p class="fraca" { "São olhados os números mais novos de cada série, de até " (MOST_SERIES) " séries." }
        @if found.is_empty() { p class="vazio" { "Nenhuma lacuna." } }
        @else { (table("Lacunas", &["Números", "Empresa", "Modelo", "Série", "Quantos"], rows)) }
    })
}

fn range(gap: &SequenceRange) -> String {
    if gap.from == gap.until { gap.from.to_string() } else { format!("{} a {}", gap.from, gap.until) }
}
