//! `GET /v1/nfse/recebidas`: the NFS-e received by the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use store::received::{Parte, ReceivedFilter};

use super::view::{self, ReceivedNfseView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::NationalNfse;
use crate::api::error::ApiError;
use crate::api::query::{PageView, Query};
use crate::api::recebidos::listar::{ReceivedQuery, STANDS_OR_NOT};
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct ReceivedNfsesView = "ListaDeNfseRecebidas": "Uma página de NFS-e recebidas." {
        notas: Vec<ReceivedNfseView> = "As desta página.",
        #[flatten] page: PageView,
    }
}

/// `GET /v1/nfse/recebidas?cpf_cnpj&emitente&prestador&papel&competencia&de&ate&situacao&ambiente&chave&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedNfsesView>, ApiError> {
    let asked = ReceivedQuery::read::<NationalNfse>(query.as_deref(), own)?;
    let (notas, page) = asked.received_page(&app, &caller, view::nfse).await?;
    Ok(Json(ReceivedNfsesView { notas, page }))
}

fn own(query: &mut Query<'_>, filter: ReceivedFilter) -> ReceivedFilter {
    ReceivedFilter {
        parte: query.choice("papel", &Parte::ALL.map(|parte| (parte.word(), parte))),
        prestador: query.cpf_cnpj("prestador"),
        competencia: query.month("competencia"),
        situacao: query.choice("situacao", &STANDS_OR_NOT),
        chave: query.chave_nfse("chave"),
        ..filter
    }
}
