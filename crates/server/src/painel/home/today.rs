//! The documents of today, in Brasília, by state.

use fiscal::value::Uf;
use maud::{Markup, html};
use store::Visibility;
use store::emissions::{EmissionFilter, EmissionState};

use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::documents::query::state_address;
use crate::painel::documents::words::short_count;
use crate::painel::panel_session::PanelSession;

/// States whose documents of today are counted, with the heading of their number. Their totals per day are kept.
const DECIDED: [(EmissionState, &str); 4] = [
    (EmissionState::Authorized, "Autorizadas"),
    (EmissionState::Rejected, "Rejeitadas"),
    (EmissionState::Denied, "Denegadas"),
    (EmissionState::Cancelled, "Canceladas"),
];

/// A number per state, each a link to its list.
pub(super) async fn numbers(app: &App, visitor: &PanelSession) -> Result<Markup, ApiError> {
    let (sight, today) = (Visibility::of(&visitor.at.caller), app.today());
    let all = || EmissionFilter::of(visitor.at.caller.ambiente);
    let waiting = EmissionFilter { state: Some(EmissionState::Pending), ..all() };
    let waiting = app.store().count_emissions(sight, waiting).await?;
    let mut shown = vec![("Em andamento", short_count(waiting), state_address(EmissionState::Pending, &[]))];
    for (state, heading) in DECIDED {
        let days = CivilTime::in_state(Uf::DF).days(Some(today), Some(today));
        let filter = EmissionFilter { state: Some(state), periodo: days, ..all() };
        let count = app.store().count_emissions(sight, filter).await?;
        if count.n > 0 || !matches!(state, EmissionState::Denied | EmissionState::Cancelled) {
            let day = [("de", today.to_string()), ("ate", today.to_string())];
            shown.push((heading, short_count(count), state_address(state, &day)));
        }
    }
    Ok(html! {
        ul class="numeros" {
            @for (heading, number, to) in shown { li { a href=(to) { strong { (number) } (heading) } } }
        }
    })
}
