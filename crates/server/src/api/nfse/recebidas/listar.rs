//! `GET /v1/nfse/recebidas`: the NFS-e handed out to the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::tipo::Tipo;
use store::Sight;
use store::notes::Window;
use store::received::{Parte, ReceivedDocument, ReceivedFilter, Situacao};

use super::view::{self, ReceivedNfseView};
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
    pub(crate) struct ReceivedNfsesView = "ListaDeNfseRecebidas": "Uma página de NFS-e recebidas." {
        notas: Vec<ReceivedNfseView> = "As desta página.",
        #[flatten] page: PageView,
    }
}

/// `GET /v1/nfse/recebidas?cpf_cnpj&emitente&prestador&papel&competencia&de&ate&situacao&ambiente&chave&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedNfsesView>, ApiError> {
    let (filter, dates, page) = read(query.as_deref())?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, filter.cpf_cnpj).await?;
    let filter = ReceivedFilter { periodo: dates.open(time), ..filter };
    let window = Window { limit: page.limite, skip: page.skip() };
    let (found, total) = app.store().received_documents(Sight::of(&caller), filter, window).await?;
    let receivers = found.iter().map(|one| one.cpf_cnpj).collect();
    let records = app.store().company_records(caller.tenant_id, receivers).await?;
    let shown = |one: ReceivedDocument| {
        let time = StateTime::of_record(records.get(&one.cpf_cnpj));
        view::nfse(one, time)
    };
    Ok(Json(ReceivedNfsesView { notas: found.into_iter().map(shown).collect(), page: page.view(total) }))
}

fn read(query: Option<&str>) -> Result<(ReceivedFilter, AskedPeriod, Page), ApiError> {
    let mut query = Query::new(query);
    let filter = ReceivedFilter {
        tipo: Some(Tipo::Nfse),
        parte: query.choice("papel", &Parte::ALL.map(|parte| (parte.word(), parte))),
        cpf_cnpj: query.cpf_cnpj("cpf_cnpj"),
        ambiente: query.choice("ambiente", &AMBIENTES),
        emitente: query.cpf_cnpj("emitente"),
        prestador: query.cpf_cnpj("prestador"),
        competencia: query.month("competencia"),
        situacao: query.choice("situacao", &SITUACOES),
        chave: query.chave_nfse("chave"),
        ..ReceivedFilter::default()
    };
    let (dates, page) = (AskedPeriod::read(&mut query), Page::read(&mut query));
    query.finish().map(|()| (filter, dates, page))
}
