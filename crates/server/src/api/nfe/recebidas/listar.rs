//! `GET /v1/nfe/recebidas`: the notes received by the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use store::received::{ReceivedFilter, Situacao};

use super::view::{self, ReceivedView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::Nfe;
use crate::api::error::ApiError;
use crate::api::query::{PageView, Query};
use crate::api::recebidos::listar::ReceivedQuery;
use crate::api::view::view;
use crate::app::App;

const SITUACOES: [(&str, Situacao); 3] =
    [("autorizada", Situacao::Autorizada), ("cancelada", Situacao::Cancelada), ("denegada", Situacao::Denegada)];
const TIPOS: [(&str, bool); 2] = [("resumo", false), ("completa", true)];
const MANIFESTACOES: [(&str, Option<&str>); 5] = [
    ("pendente", None),
    ("ciencia", Some("ciencia")),
    ("confirmacao", Some("confirmacao")),
    ("desconhecimento", Some("desconhecimento")),
    ("nao_realizada", Some("nao_realizada")),
];

view! {
    pub(crate) struct ReceivedNotesView = "ListaDeNotasRecebidas": "Uma página de notas recebidas." {
        notas: Vec<ReceivedView> = "As desta página.",
        #[flatten] page: PageView,
    }
}

/// `GET /v1/nfe/recebidas?cpf_cnpj&emitente&de&ate&situacao&tipo&manifestacao&ambiente&chave&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedNotesView>, ApiError> {
    let asked = ReceivedQuery::read::<Nfe>(query.as_deref(), own)?;
    let (notas, page) = asked.received_page(&app, &caller, view::note).await?;
    Ok(Json(ReceivedNotesView { notas, page }))
}

fn own(query: &mut Query<'_>, filter: ReceivedFilter) -> ReceivedFilter {
    ReceivedFilter {
        situacao: query.choice("situacao", &SITUACOES),
        completa: query.choice("tipo", &TIPOS),
        manifestacao: query.choice("manifestacao", &MANIFESTACOES).map(|said| said.map(str::to_owned)),
        chave: query.chave("chave"),
        ..filter
    }
}
