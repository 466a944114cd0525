//! Matters that need a person: an entry for each that has rows.

use engine::acceptance::assisted::ConfirmationList;
use fiscal::value::Uf;
use jiff::ToSpan as _;
use maud::{Markup, html};
use store::Visibility;
use store::emissions::{EmissionFilter, EmissionState, PageCursor};

use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::documents::query::state_address;
use crate::painel::documents::words::short_count;
use crate::painel::navigation::ORDERS;
use crate::painel::panel_session::PanelSession;
use crate::painel::pending::{self, PendingMatter};
use crate::painel::received;
use crate::painel::words::civil_instant;

/// A matter with entries.
struct OpenNeed {
    number: String,
    what: &'static str,
    /// Further fact, such as a deadline.
    beside: Option<Markup>,
    to: String,
    urgent: bool,
}

/// The matters that have entries, the most urgent first.
pub(super) async fn list(app: &App, visitor: &PanelSession) -> Result<Markup, ApiError> {
    let mut needs = document_needs(app, visitor).await?;
    needs.extend(order_need(app, visitor).await?);
    needs.extend(received_need(app, visitor).await?);
    for matter in PendingMatter::ALL {
        let count = pending::count(app, visitor, matter).await?;
        if count > 0 {
            let (number, to) = (count.to_string(), matter.path());
            needs.push(OpenNeed { number, what: matter.on_home(), beside: None, to, urgent: matter.is_urgent() });
        }
    }
    needs.sort_by_key(|need| !need.urgent);
    Ok(html! {
        @if needs.is_empty() {
            p class="vazio" { "Nada agora: o que precisar de uma pessoa aparece aqui." }
        } @else {
            ul class="numeros" {
                @for need in &needs {
                    li {
                        a href=(need.to) class=(if need.urgent { "urgente" } else { "atencao" }) {
                            strong { (need.number) } (need.what)
                            @if let Some(beside) = &need.beside { br; span class="fraca" { (beside) } }
                        }
                    }
                }
            }
        }
    })
}

async fn document_needs(app: &App, visitor: &PanelSession) -> Result<Vec<OpenNeed>, ApiError> {
    let sight = Visibility::of(&visitor.at.caller);
    let all = || EmissionFilter::of(visitor.at.caller.ambiente);
    // what failed or was refused longer ago is history, in the list of all
    let since = app.today().saturating_sub(RECENT_DAYS.days());
    let days = CivilTime::in_state(Uf::DF).days(Some(since), None);
    let recent = [("de", since.to_string())];
    let of_state = |state| EmissionFilter { state: Some(state), ..all() };
    let rejected = EmissionFilter { not_reissued: true, periodo: days, ..of_state(EmissionState::Rejected) };
    let failed = EmissionFilter { periodo: days, ..of_state(EmissionState::Failed) };
    let not_reissued = [("reemissao", "nao".to_owned()), recent[0].clone()];
    let matters = [
        (
            of_state(EmissionState::InDoubt),
            "em dúvida: não se sabe se a autoridade as recebeu",
            state_address(EmissionState::InDoubt, &[]),
            true,
        ),
        (
            of_state(EmissionState::Contingency),
            "em contingência: a autoridade ainda deve recebê-las",
            state_address(EmissionState::Contingency, &[]),
            true,
        ),
        (
            rejected,
            "rejeitadas e não emitidas de novo (30 dias)",
            state_address(EmissionState::Rejected, &not_reissued),
            true,
        ),
        (failed, "pararam com erro antes de sair (30 dias)", state_address(EmissionState::Failed, &recent), true),
    ];
    let mut needs = Vec::new();
    for (filter, what, to, urgent) in matters {
        let count = app.store().count_emissions(sight, filter.clone()).await?;
        if count.n == 0 && !count.or_more {
            continue;
        }
        let beside = match filter.state {
            Some(EmissionState::Contingency) => nearest_deadline(app, sight, filter).await?,
            _ => None,
        };
        needs.push(OpenNeed { number: short_count(count), what, beside, to, urgent });
    }
    Ok(needs)
}

/// Days in which a refusal or a failure waits on this page.
const RECENT_DAYS: i64 = 30;

/// The nearest deadline of the oldest documents in contingency.
async fn nearest_deadline(app: &App, sight: Visibility, filter: EmissionFilter) -> Result<Option<Markup>, ApiError> {
    let oldest = PageCursor::NewerThan(uuid::Uuid::nil());
    let page = app.store().emissions(sight, filter, oldest, 50).await?;
    let deadlines = page.jobs.iter().filter_map(|job| job.document.as_ref()?.contingencia.as_ref()?.prazo_transmissao);
    let Some(first) = deadlines.min() else { return Ok(None) };
    let is_over = first < app.now();
    let shown = civil_instant(first, CivilTime::in_state(Uf::DF));
    Ok(Some(html! { @if is_over { "prazo vencido em " } @else { "primeiro prazo: " } (shown) }))
}

async fn order_need(app: &App, visitor: &PanelSession) -> Result<Option<OpenNeed>, ApiError> {
    let (_, waiting) = app.engine().list_prepared(&visitor.at.caller, ConfirmationList::Waiting, 1, 0).await?;
    Ok((waiting > 0).then(|| OpenNeed {
        number: waiting.to_string(),
        what: "esperam a sua decisão",
        beside: None,
        to: ORDERS.path.to_owned(),
        urgent: false,
    }))
}

/// Received NF-e whose time for a manifestation ends soon.
async fn received_need(app: &App, visitor: &PanelSession) -> Result<Option<OpenNeed>, ApiError> {
    let (count, to) = received::nearing_deadlines(app, visitor).await?;
    let what = "recebidas sem manifestação, com o prazo acabando (15 dias)";
    Ok((count.n > 0).then(|| OpenNeed { number: short_count(count), what, beside: None, to, urgent: true }))
}
