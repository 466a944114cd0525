//! `GET /v1/nfe/recebidas`, `GET /v1/cte/recebidos` and `GET /v1/nfse/recebidas`: documents issued to the companies of
//! the account by others, newest first, in pages.

use fiscal::finding::Notice;
use store::Visibility;
use store::accounts::Caller;
use store::notes::ListWindow;
use store::received::{ReceivedDocument, ReceivedFilter, Situacao};

use crate::api::documento::document_type::DistributedType;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::jobs::period::RequestedPeriod;
use crate::api::notas::filter::AMBIENTES;
use crate::api::query::{PageParameters, PageView, Query};
use crate::app::App;

/// States of documents that are never denied.
pub(crate) const STANDS_OR_NOT: [(&str, Situacao); 2] =
    [("autorizada", Situacao::Autorizada), ("cancelada", Situacao::Cancelada)];

/// A requested list of received documents.
pub(crate) struct ReceivedQuery {
    filter: ReceivedFilter,
    dates: RequestedPeriod,
    page: PageParameters,
    avisos: Vec<Notice>,
}

impl ReceivedQuery {
    /// Reads the parameters of every list, and those of this one.
    pub(crate) fn read<F: DistributedType>(
        query: Option<&str>,
        own: fn(&mut Query<'_>, ReceivedFilter) -> ReceivedFilter,
    ) -> Result<ReceivedQuery, ApiError> {
        let mut query = Query::new(query);
        let filter = ReceivedFilter {
            tipo: Some(F::TIPO),
            cpf_cnpj: query.cpf_cnpj("cpf_cnpj"),
            ambiente: query.choice("ambiente", &AMBIENTES),
            emitente: query.cpf_cnpj("emitente"),
            ..ReceivedFilter::default()
        };
        let filter = own(&mut query, filter);
        let (dates, page) = (RequestedPeriod::read(&mut query), PageParameters::read(&mut query));
        query.finish().map(|avisos| ReceivedQuery { filter, dates, page, avisos })
    }

    /// A page of the list: the view of each document, in the civil time of the receiving company.
    pub(crate) async fn received_page<V>(
        self,
        app: &App,
        caller: &Caller,
        shown: fn(ReceivedDocument, CivilTime) -> V,
    ) -> Result<(Vec<V>, PageView), ApiError> {
        let ReceivedQuery { filter, dates, page, avisos } = self;
        let time = CivilTime::of_issuer(app.store(), caller.tenant_id, filter.cpf_cnpj).await?;
        let filter = ReceivedFilter { periodo: dates.open(time), ..filter };
        let window = ListWindow { limit: page.limite, skip: page.skip() };
        let (found, total) = app.store().received_documents(Visibility::of(caller), filter, window).await?;
        let receivers = found.iter().map(|one| one.cpf_cnpj).collect();
        let records = app.store().company_records(caller.tenant_id, receivers).await?;
        let one = |one: ReceivedDocument| {
            let time = CivilTime::of_record(records.get(&one.cpf_cnpj));
            shown(one, time)
        };
        let page = page.view_of(&found, total, avisos);
        Ok((found.into_iter().map(one).collect(), page))
    }
}
