//! Protocols of the authorities: the same queries and answers for every family. Services of a single protocol
//! (receipts, voiding, status) are reached by `WireProtocol::sefaz`.

use crate::abrasf;
use crate::answer::{AuthorizationAnswer, DistributionBatch, DocumentSituation, EventAnswer, FoundEvent};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::nfse_nacional;
use crate::sefaz::{RequestedDocuments, SefazDialect, UnreadableReply};
use crate::table::endpoint::Endpoint;
use crate::table::service::{AuthorityService, WsdlService};
use fiscal::cstat::CodeClass;
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf, Codigo, TpAmb, Uf};

/// Protocol of an authority.
#[derive(Debug, Clone, Copy)]
pub enum WireProtocol {
    /// SOAP of a document of the SEFAZ family.
    Sefaz(&'static SefazDialect),
    /// REST of the national NFS-e.
    NfseNacional,
    /// SOAP of the ABRASF providers; each endpoint holds its provider's row.
    Abrasf,
}

impl WireProtocol {
    /// Dialect of a document of the SEFAZ family.
    pub fn sefaz(self) -> Option<&'static SefazDialect> {
        match self {
            WireProtocol::Sefaz(dialect) => Some(dialect),
            WireProtocol::NfseNacional | WireProtocol::Abrasf => None,
        }
    }

    /// Names of a service; `None` when the protocol lacks it.
    pub fn official(self, service: AuthorityService) -> Option<&'static WsdlService> {
        self.services().iter().find(|official| official.service == service)
    }

    /// All services of the protocol.
    pub fn services(self) -> &'static [WsdlService] {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.services(),
            WireProtocol::NfseNacional => &nfse_nacional::SERVICES,
            WireProtocol::Abrasf => &abrasf::SERVICES,
        }
    }

    /// Namespace of a service; empty where messages have none.
    pub(crate) fn namespace(self, service: &str) -> String {
        match self {
            WireProtocol::Sefaz(dialect) => format!("{}/wsdl/{service}", dialect.namespace),
            WireProtocol::NfseNacional | WireProtocol::Abrasf => String::new(),
        }
    }

    /// Submits a signed document. The caller chooses `id_lote`, 1–15 digits; not every protocol sends it.
    pub fn authorize(self, endpoint: &Endpoint, id_lote: u64, signed: &str) -> AuthorityCall {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.authorize(endpoint, id_lote, signed),
            WireProtocol::NfseNacional => nfse_nacional::issue(endpoint, signed),
            WireProtocol::Abrasf => abrasf::authorize(endpoint, signed),
        }
    }

    /// Reads the answer to `authorize`.
    pub fn read_authorize(self, reply: &AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply> {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.read_authorize(reply),
            WireProtocol::NfseNacional => nfse_nacional::read_authorize(reply),
            WireProtocol::Abrasf => abrasf::read_authorize(reply, None),
        }
    }

    /// Reads the answer to `authorize` for the document of one identity; the answer may concern several.
    pub fn read_authorize_of(
        self,
        reply: &AuthorityReply,
        asked_by: &str,
    ) -> Result<AuthorizationAnswer, UnreadableReply> {
        match self {
            WireProtocol::Sefaz(_) | WireProtocol::NfseNacional => self.read_authorize(reply),
            WireProtocol::Abrasf => abrasf::read_authorize(reply, Some(asked_by)),
        }
    }

    /// Queries a document by its identity: its access key, the `Id` of a DPS, or the identity of an RPS. `None` for
    /// another text.
    pub fn query(self, endpoint: &Endpoint, ambiente: TpAmb, asked_by: &str) -> Option<AuthorityCall> {
        match self {
            WireProtocol::Sefaz(dialect) => {
                Some(dialect.query(endpoint, ambiente, &ChaveAcesso::parse(asked_by).ok()?))
            }
            WireProtocol::NfseNacional => Some(nfse_nacional::dps(endpoint, asked_by)),
            WireProtocol::Abrasf => abrasf::query(endpoint, asked_by),
        }
    }

    /// Reads the answer to `query`.
    pub fn read_query(self, reply: &AuthorityReply) -> Result<DocumentSituation, UnreadableReply> {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.read_query(reply),
            WireProtocol::NfseNacional => nfse_nacional::read_query(reply),
            WireProtocol::Abrasf => abrasf::read_query(reply),
        }
    }

    /// Fetches the document of a key from `DocumentSituation::Named`; `None` where a query returns the document itself.
    pub fn fetch(self, endpoint: &Endpoint, chave: &Chave) -> Option<AuthorityCall> {
        match (self, chave) {
            (WireProtocol::NfseNacional, Chave::Nfse(chave)) => Some(nfse_nacional::nfse(endpoint, chave)),
            _ => None,
        }
    }

    /// Reads the answer to `fetch`.
    pub fn read_fetched(self, reply: &AuthorityReply) -> Result<DocumentSituation, UnreadableReply> {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.read_query(reply),
            WireProtocol::NfseNacional => nfse_nacional::read_fetched(reply),
            WireProtocol::Abrasf => abrasf::read_query(reply),
        }
    }

    /// Submits a signed event of a document.
    pub fn event(self, endpoint: &Endpoint, id_lote: u64, chave: &Chave, signed: &str) -> AuthorityCall {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.event(endpoint, id_lote, signed),
            WireProtocol::NfseNacional => nfse_nacional::event(endpoint, chave.as_str(), signed),
            WireProtocol::Abrasf => abrasf::event(endpoint, signed),
        }
    }

    /// Reads the answer to `event`.
    pub fn read_event(self, reply: &AuthorityReply) -> Result<EventAnswer, UnreadableReply> {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.read_event(reply),
            WireProtocol::NfseNacional => nfse_nacional::read_registered(reply),
            WireProtocol::Abrasf => abrasf::read_event(reply),
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
    ) -> Option<AuthorityCall> {
        match (self, chave) {
            (WireProtocol::Sefaz(dialect), Chave::Acesso(chave)) => Some(dialect.query(endpoint, ambiente, chave)),
            (WireProtocol::NfseNacional, Chave::Nfse(chave)) => {
                Some(nfse_nacional::event_of(endpoint, chave, tpEvento, nSeqEvento))
            }
            (WireProtocol::Abrasf, Chave::Rps(chave)) => abrasf::query(endpoint, chave.identity()),
            _ => None,
        }
    }

    /// True when that query covers the single event: an answer without it then proves that it does not exist.
    pub fn asks_for_one_event(self) -> bool {
        matches!(self, WireProtocol::NfseNacional)
    }

    /// Reads the answer to `query_event`.
    pub fn read_query_event(
        self,
        reply: &AuthorityReply,
    ) -> Result<(DocumentSituation, Vec<FoundEvent>), UnreadableReply> {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.read_query_with_events(reply),
            WireProtocol::NfseNacional => nfse_nacional::read_query_event(reply),
            WireProtocol::Abrasf => abrasf::read_query_event(reply),
        }
    }

    /// Queries documents issued to a company in `uf`; `None` where the protocol has no such query.
    pub fn distribution(
        self,
        endpoint: &Endpoint,
        ambiente: TpAmb,
        uf: Uf,
        company: CnpjCpf,
        wanted: RequestedDocuments,
    ) -> Option<AuthorityCall> {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.distribution(endpoint, ambiente, Some(uf), company, wanted),
            WireProtocol::NfseNacional => nfse_nacional::distribution(endpoint, company, wanted),
            WireProtocol::Abrasf => None,
        }
    }

    /// Reads the answer to `distribution`.
    pub fn read_distribution(self, reply: &AuthorityReply) -> Result<DistributionBatch, UnreadableReply> {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.read_distribution(reply).map(DistributionBatch::from),
            WireProtocol::NfseNacional => nfse_nacional::read_distribution(reply),
            WireProtocol::Abrasf => {
                Err(UnreadableReply::Content("as prefeituras não distribuem documentos".to_owned()))
            }
        }
    }

    /// True when such a document can be queried by key besides by number.
    pub fn has_query_by_key(self) -> bool {
        self.sefaz().is_some_and(SefazDialect::has_query_by_key)
    }

    /// Meaning of a code for the document it is about.
    pub fn class(self, codigo: &Codigo) -> CodeClass {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.class(codigo),
            WireProtocol::NfseNacional => nfse_nacional::class(codigo),
            WireProtocol::Abrasf => abrasf::class(codigo),
        }
    }

    /// True for a code that blocks further queries because of undue use.
    pub fn is_undue_use(self, codigo: &Codigo) -> bool {
        self.class(codigo) == CodeClass::UndueUse
    }

    /// Document as stored: signed bytes and protocol joined, or the authority's own document, which contains them.
    pub fn archive(self, signed: &str, protocol: &str) -> String {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.archive(signed, protocol),
            WireProtocol::NfseNacional | WireProtocol::Abrasf => protocol.to_owned(),
        }
    }

    /// Event as stored: signed bytes and answer joined, or the authority's own event.
    pub fn archive_event(self, signed_event: &str, answered: &str) -> String {
        match self {
            WireProtocol::Sefaz(dialect) => dialect.archive_event(signed_event, answered),
            WireProtocol::NfseNacional | WireProtocol::Abrasf => answered.to_owned(),
        }
    }
}
