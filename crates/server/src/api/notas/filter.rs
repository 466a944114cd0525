//! Filters of a list of documents, from the query.

use fiscal::finding::Notice;
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Serie, TpAmb};
use store::notes::{NoteFilter, Period};

use crate::api::error::ApiError;
use crate::api::jobs::period::RequestedPeriod;
use crate::api::query::{PageParameters, Query};

pub(crate) const TIPOS: [(&str, &str); 5] =
    [("nfe", "nfe"), ("nfse", "nfse"), ("nfce", "nfce"), ("mdfe", "mdfe"), ("cte", "cte")];
pub(crate) const AMBIENTES: [(&str, TpAmb); 2] = [("producao", TpAmb::Producao), ("homologacao", TpAmb::Homologacao)];
/// Document status; a voided range of numbers is no document, but is listed like one.
const STATUS: [(&str, Option<DocumentState>); 5] = [
    ("autorizada", Some(DocumentState::Authorized)),
    ("cancelada", Some(DocumentState::Cancelled)),
    ("rejeitada", Some(DocumentState::Rejected)),
    ("denegada", Some(DocumentState::Denied)),
    ("inutilizada", None),
];

/// A requested list of documents.
pub(super) struct NoteListRequest {
    /// Everything but the period.
    pub(super) filter: NoteFilter,
    /// The period, in days.
    pub(super) dates: RequestedPeriod,
    pub(super) page: PageParameters,
    /// True for voided ranges of numbers, which are no documents.
    pub(super) voided: bool,
    /// Notices of parameters without effect.
    pub(super) avisos: Vec<Notice>,
}

impl NoteListRequest {
    /// Reads every parameter.
    pub(super) fn read(query: Option<&str>) -> Result<NoteListRequest, ApiError> {
        let mut query = Query::new(query);
        let status = query.choice("status", &STATUS);
        let filter = NoteFilter {
            tipo: query.choice("tipo", &TIPOS).map(str::to_owned),
            state: status.flatten(),
            emitente: query.cpf_cnpj("emitente"),
            destinatario: query.cpf_cnpj("destinatario"),
            ambiente: query.choice("ambiente", &AMBIENTES),
            serie: query.number::<u16>("serie", 0, 999).map(Serie::from),
            numero: query.number("numero", 1, 999_999_999),
            chave: query.chave("chave"),
            periodo: Period::default(),
            reach: None,
        };
        let (dates, page) = (RequestedPeriod::read(&mut query), PageParameters::read(&mut query));
        let voided = status == Some(None);
        query.finish().map(|avisos| NoteListRequest { filter, dates, page, voided, avisos })
    }
}
