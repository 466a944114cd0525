//! `GET /v1/cte/recebidos`: the CT-e received by the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use store::received::{Papel, ReceivedFilter};

use super::view::{self, ReceivedCteView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::Cte;
use crate::api::error::ApiError;
use crate::api::query::{PageView, Query};
use crate::api::recebidos::listar::{ReceivedQuery, STANDS_OR_NOT};
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct ReceivedCtesView = "ListaDeCteRecebidos": "Uma página de CT-e recebidos." {
        notas: Vec<ReceivedCteView> = "Os desta página.",
        #[flatten] page: PageView,
    }
}

/// `GET /v1/cte/recebidos?cpf_cnpj&emitente&papel&de&ate&situacao&ambiente&chave&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedCtesView>, ApiError> {
    let asked = ReceivedQuery::read::<Cte>(query.as_deref(), own)?;
    let (notas, page) = asked.received_page(&app, &caller, view::cte).await?;
    Ok(Json(ReceivedCtesView { notas, page }))
}

fn own(query: &mut Query<'_>, filter: ReceivedFilter) -> ReceivedFilter {
    ReceivedFilter {
        papel: query.choice("papel", &Papel::ALL.map(|papel| (papel.word(), papel))),
        situacao: query.choice("situacao", &STANDS_OR_NOT),
        chave: query.chave("chave"),
        ..filter
    }
}
