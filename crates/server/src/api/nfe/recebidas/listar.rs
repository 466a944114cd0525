//! `GET /v1/nfe/recebidas`: the notes received by the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::tipo::Tipo;
use store::Sight;
use store::notes::Window;
use store::received::{ReceivedDocument, ReceivedFilter, Situacao};

use super::view::{self, ReceivedView};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::jobs::period::AskedPeriod;
use crate::api::notas::filter::AMBIENTES;
use crate::api::query::{Page, PageView, Query};
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
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedNotesView>, ApiError> {
    let (filter, dates, page) = read(query.as_deref())?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, filter.cpf_cnpj).await?;
    let filter = ReceivedFilter { periodo: dates.open(time), ..filter };
    let window = Window { limit: page.limite, skip: page.skip() };
    let (found, total) = app.store().received_documents(Sight::of(&caller), filter, window).await?;
    let receivers = found.iter().map(|note| note.cpf_cnpj).collect();
    let records = app.store().company_records(caller.tenant_id, receivers).await?;
    let own_time = |cpf_cnpj| StateTime::of_record(records.get(&cpf_cnpj));
    let one = |note: ReceivedDocument| {
        let time = own_time(note.cpf_cnpj);
        view::note(note, time)
    };
    Ok(Json(ReceivedNotesView { notas: found.into_iter().map(one).collect(), page: page.view(total) }))
}

fn read(query: Option<&str>) -> Result<(ReceivedFilter, AskedPeriod, Page), ApiError> {
    let mut query = Query::new(query);
    let filter = ReceivedFilter {
        tipo: Some(Tipo::Nfe),
        cpf_cnpj: query.cpf_cnpj("cpf_cnpj"),
        ambiente: query.choice("ambiente", &AMBIENTES),
        emitente: query.cpf_cnpj("emitente"),
        situacao: query.choice("situacao", &SITUACOES),
        completa: query.choice("tipo", &TIPOS),
        manifestacao: query.choice("manifestacao", &MANIFESTACOES).map(|said| said.map(str::to_owned)),
        chave: query.chave("chave"),
        ..ReceivedFilter::default()
    };
    let (dates, page) = (AskedPeriod::read(&mut query), Page::read(&mut query));
    query.finish().map(|()| (filter, dates, page))
}
