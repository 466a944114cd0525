//! Protocols of the authorities: the same queries and answers for every family. Services of a single protocol
//! (receipts, voiding, status) are reached by `WireProtocol::sefaz`.

use crate::abrasf;
use crate::answer::{Answer, Batch, EventAnswer, FoundEvent, Situation};
use crate::call::{Call, Reply};
use crate::nfse_nacional;
use crate::sefaz::{Dialect, Official, Unreadable, Wanted};
use crate::table::{Endpoint, Service};
use fiscal::cstat::Class;
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf, Codigo, TpAmb, Uf};

/// Protocol of an authority.
#[derive(Debug, Clone, Copy)]
pub enum Wire {
    /// SOAP of a document of the SEFAZ family.
    Sefaz(&'static Dialect),
    /// REST of the national NFS-e.
    NfseNacional,
    /// SOAP of the ABRASF providers; each endpoint holds its provider's row.
    Abrasf,
}

impl Wire {
    /// Dialect of a document of the SEFAZ family.
    pub fn sefaz(self) -> Option<&'static Dialect> {
        match self {
            Wire::Sefaz(dialect) => Some(dialect),
            Wire::NfseNacional | Wire::Abrasf => None,
        }
    }

    /// Names of a service; `None` when the protocol lacks it.
    pub fn official(self, service: Service) -> Option<&'static Official> {
        self.services().iter().find(|official| official.service == service)
    }

    /// All services of the protocol.
    pub fn services(self) -> &'static [Official] {
        match self {
            Wire::Sefaz(dialect) => dialect.services(),
            Wire::NfseNacional => &nfse_nacional::SERVICES,
            Wire::Abrasf => &abrasf::SERVICES,
        }
    }

    /// Namespace of a service; empty where messages have none.
    pub(crate) fn namespace(self, service: &str) -> String {
        match self {
            Wire::Sefaz(dialect) => format!("{}/wsdl/{service}", dialect.namespace),
            Wire::NfseNacional | Wire::Abrasf => String::new(),
        }
    }

    /// Submits a signed document. The caller chooses `id_lote`, 1–15 digits; not every protocol sends it.
    pub fn authorize(self, endpoint: &Endpoint, id_lote: u64, signed: &str) -> Call {
        match self {
            Wire::Sefaz(dialect) => dialect.authorize(endpoint, id_lote, signed),
            Wire::NfseNacional => nfse_nacional::issue(endpoint, signed),
            Wire::Abrasf => abrasf::authorize(endpoint, signed),
        }
    }

    /// Reads the answer to `authorize`.
    pub fn read_authorize(self, reply: &Reply) -> Result<Answer, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_authorize(reply),
            Wire::NfseNacional => nfse_nacional::read_authorize(reply),
            Wire::Abrasf => abrasf::read_authorize(reply, None),
        }
    }

    /// Reads the answer to `authorize` for the document of one identity; the answer may concern several.
    pub fn read_authorize_of(self, reply: &Reply, asked_by: &str) -> Result<Answer, Unreadable> {
        match self {
            Wire::Sefaz(_) | Wire::NfseNacional => self.read_authorize(reply),
            Wire::Abrasf => abrasf::read_authorize(reply, Some(asked_by)),
        }
    }

    /// Queries a document by its identity: its access key, the `Id` of a DPS, or the identity of an RPS. `None` for
    /// another text.
    pub fn query(self, endpoint: &Endpoint, ambiente: TpAmb, asked_by: &str) -> Option<Call> {
        match self {
            Wire::Sefaz(dialect) => Some(dialect.query(endpoint, ambiente, &ChaveAcesso::parse(asked_by).ok()?)),
            Wire::NfseNacional => Some(nfse_nacional::dps(endpoint, asked_by)),
            Wire::Abrasf => abrasf::query(endpoint, asked_by),
        }
    }

    /// Reads the answer to `query`.
    pub fn read_query(self, reply: &Reply) -> Result<Situation, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_query(reply),
            Wire::NfseNacional => nfse_nacional::read_query(reply),
            Wire::Abrasf => abrasf::read_query(reply),
        }
    }

    /// Fetches the document of a key from `DocumentSituation::Named`; `None` where a query returns the document itself.
    pub fn fetch(self, endpoint: &Endpoint, chave: &Chave) -> Option<Call> {
        match (self, chave) {
            (Wire::NfseNacional, Chave::Nfse(chave)) => Some(nfse_nacional::nfse(endpoint, chave)),
            _ => None,
        }
    }

    /// Reads the answer to `fetch`.
    pub fn read_fetched(self, reply: &Reply) -> Result<Situation, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_query(reply),
            Wire::NfseNacional => nfse_nacional::read_fetched(reply),
            Wire::Abrasf => abrasf::read_query(reply),
        }
    }

    /// Submits a signed event of a document.
    pub fn event(self, endpoint: &Endpoint, id_lote: u64, chave: &Chave, signed: &str) -> Call {
        match self {
            Wire::Sefaz(dialect) => dialect.event(endpoint, id_lote, signed),
            Wire::NfseNacional => nfse_nacional::event(endpoint, chave.as_str(), signed),
            Wire::Abrasf => abrasf::event(endpoint, signed),
        }
    }

    /// Reads the answer to `event`.
    pub fn read_event(self, reply: &Reply) -> Result<EventAnswer, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_event(reply),
            Wire::NfseNacional => nfse_nacional::read_registered(reply),
            Wire::Abrasf => abrasf::read_event(reply),
        }
    }

    /// Queries an event: by the document's query, which returns all of its events, or by type and number.
    pub fn query_event(
        self,
        endpoint: &Endpoint,
        ambiente: TpAmb,
        chave: &Chave,
        tpEvento: &str,
        nSeqEvento: u16,
    ) -> Option<Call> {
        match (self, chave) {
            (Wire::Sefaz(dialect), Chave::Acesso(chave)) => Some(dialect.query(endpoint, ambiente, chave)),
            (Wire::NfseNacional, Chave::Nfse(chave)) => {
                Some(nfse_nacional::event_of(endpoint, chave, tpEvento, nSeqEvento))
            }
            (Wire::Abrasf, Chave::Rps(chave)) => abrasf::query(endpoint, chave.identity()),
            _ => None,
        }
    }

    /// True when that query covers the single event: an answer without it then proves that it does not exist.
    pub fn asks_for_one_event(self) -> bool {
        matches!(self, Wire::NfseNacional)
    }

    /// Reads the answer to `query_event`.
    pub fn read_query_event(self, reply: &Reply) -> Result<(Situation, Vec<FoundEvent>), Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_query_with_events(reply),
            Wire::NfseNacional => nfse_nacional::read_query_event(reply),
            Wire::Abrasf => abrasf::read_query_event(reply),
        }
    }

    /// Queries documents issued to a company in `uf`; `None` where the protocol has no such query.
    pub fn distribution(
        self,
        endpoint: &Endpoint,
        ambiente: TpAmb,
        uf: Uf,
        company: CnpjCpf,
        wanted: Wanted,
    ) -> Option<Call> {
        match self {
            Wire::Sefaz(dialect) => dialect.distribution(endpoint, ambiente, Some(uf), company, wanted),
            Wire::NfseNacional => nfse_nacional::distribution(endpoint, company, wanted),
            Wire::Abrasf => None,
        }
    }

    /// Reads the answer to `distribution`.
    pub fn read_distribution(self, reply: &Reply) -> Result<Batch, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_distribution(reply).map(Batch::from),
            Wire::NfseNacional => nfse_nacional::read_distribution(reply),
            Wire::Abrasf => Err(Unreadable::Content("as prefeituras não distribuem documentos".to_owned())),
        }
    }

    /// True when such a document can be queried by key besides by number.
    pub fn hands_out_by_key(self) -> bool {
        self.sefaz().is_some_and(Dialect::hands_out_by_key)
    }

    /// Meaning of a code for the document it is about.
    pub fn class(self, codigo: &Codigo) -> Class {
        match self {
            Wire::Sefaz(dialect) => dialect.class(codigo),
            Wire::NfseNacional => nfse_nacional::class(codigo),
            Wire::Abrasf => abrasf::class(codigo),
        }
    }

    /// True for a code that blocks further queries because of undue use.
    pub fn is_undue_use(self, codigo: &Codigo) -> bool {
        self.class(codigo) == Class::UndueUse
    }

    /// Document as stored: signed bytes and protocol joined, or the authority's own document, which contains them.
    pub fn archive(self, signed: &str, protocol: &str) -> String {
        match self {
            Wire::Sefaz(dialect) => dialect.archive(signed, protocol),
            Wire::NfseNacional | Wire::Abrasf => protocol.to_owned(),
        }
    }

    /// Event as stored: signed bytes and answer joined, or the authority's own event.
    pub fn archive_event(self, signed_event: &str, answered: &str) -> String {
        match self {
            Wire::Sefaz(dialect) => dialect.archive_event(signed_event, answered),
            Wire::NfseNacional | Wire::Abrasf => answered.to_owned(),
        }
    }
}
