//! `GET /v1/cte/recebidos`: the CT-e received by the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::tipo::Tipo;
use store::Sight;
use store::notes::Window;
use store::received::{Papel, ReceivedDocument, ReceivedFilter, Situacao};

use super::view::{self, ReceivedCteView};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::jobs::period::AskedPeriod;
use crate::api::notas::filter::AMBIENTES;
use crate::api::query::{Page, PageView, Query};
use crate::api::view::view;
use crate::app::App;

const SITUACOES: [(&str, Situacao); 2] = [("autorizada", Situacao::Autorizada), ("cancelada", Situacao::Cancelada)];

view! {
    pub(crate) struct ReceivedCtesView = "ListaDeCteRecebidos": "Uma página de CT-e recebidos." {
        notas: Vec<ReceivedCteView> = "Os desta página.",
        #[flatten] page: PageView,
    }
}

/// `GET /v1/cte/recebidos?cpf_cnpj&emitente&papel&de&ate&situacao&ambiente&chave&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedCtesView>, ApiError> {
    let (filter, dates, page) = read(query.as_deref())?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, filter.cpf_cnpj).await?;
    let filter = ReceivedFilter { periodo: dates.open(time), ..filter };
    let window = Window { limit: page.limite, skip: page.skip() };
    let (found, total) = app.store().received_documents(Sight::of(&caller), filter, window).await?;
    let receivers = found.iter().map(|one| one.cpf_cnpj).collect();
    let records = app.store().company_records(caller.tenant_id, receivers).await?;
    let shown = |one: ReceivedDocument| {
        let time = StateTime::of_record(records.get(&one.cpf_cnpj));
        view::cte(one, time)
    };
    Ok(Json(ReceivedCtesView { notas: found.into_iter().map(shown).collect(), page: page.view(total) }))
}

fn read(query: Option<&str>) -> Result<(ReceivedFilter, AskedPeriod, Page), ApiError> {
    let mut query = Query::new(query);
    let filter = ReceivedFilter {
        tipo: Some(Tipo::Cte),
        papel: query.choice("papel", &Papel::ALL.map(|papel| (papel.word(), papel))),
        cpf_cnpj: query.cpf_cnpj("cpf_cnpj"),
        ambiente: query.choice("ambiente", &AMBIENTES),
        emitente: query.cpf_cnpj("emitente"),
        situacao: query.choice("situacao", &SITUACOES),
        chave: query.chave("chave"),
        ..ReceivedFilter::default()
    };
    let (dates, page) = (AskedPeriod::read(&mut query), Page::read(&mut query));
    query.finish().map(|()| (filter, dates, page))
}
