//! How the authority of a family is spoken to, whatever its protocol: one set of questions, and answers as the same
//! values. What only one protocol knows (receipts, voiding, the status of a service) is asked of [`Wire::sefaz`].

use crate::abrasf;
use crate::answer::{Answer, Batch, EventAnswer, FoundEvent, Situation};
use crate::call::{Call, Reply};
use crate::nfse_nacional;
use crate::sefaz::{Dialect, Official, Unreadable, Wanted};
use crate::table::{Endpoint, Service};
use fiscal::cstat::Class;
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf, Codigo, TpAmb, Uf};

/// A protocol.
#[derive(Debug, Clone, Copy)]
pub enum Wire {
    /// SOAP, in the words of a document.
    Sefaz(&'static Dialect),
    /// REST of the national NFS-e.
    NfseNacional,
    /// SOAP of the city halls that speak ABRASF; each endpoint brings its provider's row.
    Abrasf,
}

impl Wire {
    /// The words of a document of the SEFAZ family.
    pub fn sefaz(self) -> Option<&'static Dialect> {
        match self {
            Wire::Sefaz(dialect) => Some(dialect),
            Wire::NfseNacional | Wire::Abrasf => None,
        }
    }

    /// Names of a service, when there is such a service.
    pub fn official(self, service: Service) -> Option<&'static Official> {
        self.services().iter().find(|official| official.service == service)
    }

    /// Every service there is.
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

    /// One signed document. `id_lote` is ours to choose, 1–15 digits; not every protocol says it.
    pub fn authorize(self, endpoint: &Endpoint, id_lote: u64, signed: &str) -> Call {
        match self {
            Wire::Sefaz(dialect) => dialect.authorize(endpoint, id_lote, signed),
            Wire::NfseNacional => nfse_nacional::issue(endpoint, signed),
            Wire::Abrasf => abrasf::authorize(endpoint, signed),
        }
    }

    /// Reads the answer to it.
    pub fn read_authorize(self, reply: &Reply) -> Result<Answer, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_authorize(reply),
            Wire::NfseNacional => nfse_nacional::read_authorize(reply),
            Wire::Abrasf => abrasf::read_authorize(reply, None),
        }
    }

    /// Likewise, of an answer that may be about several documents what it says of the one of this identity.
    pub fn read_authorize_of(self, reply: &Reply, asked_by: &str) -> Result<Answer, Unreadable> {
        match self {
            Wire::Sefaz(_) | Wire::NfseNacional => self.read_authorize(reply),
            Wire::Abrasf => abrasf::read_authorize(reply, Some(asked_by)),
        }
    }

    /// What became of the document of an identity: its access key, the `Id` of a DPS, or the identity of an RPS. `None`
    /// when it is no such identity.
    pub fn query(self, endpoint: &Endpoint, ambiente: TpAmb, asked_by: &str) -> Option<Call> {
        match self {
            Wire::Sefaz(dialect) => Some(dialect.query(endpoint, ambiente, &ChaveAcesso::parse(asked_by).ok()?)),
            Wire::NfseNacional => Some(nfse_nacional::dps(endpoint, asked_by)),
            Wire::Abrasf => abrasf::query(endpoint, asked_by),
        }
    }

    /// Reads the answer to it.
    pub fn read_query(self, reply: &Reply) -> Result<Situation, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_query(reply),
            Wire::NfseNacional => nfse_nacional::read_query(reply),
            Wire::Abrasf => abrasf::read_query(reply),
        }
    }

    /// The document of a key that [`Situation::Named`] gave; `None` where a query gives all there is.
    pub fn fetch(self, endpoint: &Endpoint, chave: &Chave) -> Option<Call> {
        match (self, chave) {
            (Wire::NfseNacional, Chave::Nfse(chave)) => Some(nfse_nacional::nfse(endpoint, chave)),
            _ => None,
        }
    }

    /// Reads the answer to it.
    pub fn read_fetched(self, reply: &Reply) -> Result<Situation, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_query(reply),
            Wire::NfseNacional => nfse_nacional::read_fetched(reply),
            Wire::Abrasf => abrasf::read_query(reply),
        }
    }

    /// One signed event of a document.
    pub fn event(self, endpoint: &Endpoint, id_lote: u64, chave: &Chave, signed: &str) -> Call {
        match self {
            Wire::Sefaz(dialect) => dialect.event(endpoint, id_lote, signed),
            Wire::NfseNacional => nfse_nacional::event(endpoint, chave.as_str(), signed),
            Wire::Abrasf => abrasf::event(endpoint, signed),
        }
    }

    /// Reads the answer to it.
    pub fn read_event(self, reply: &Reply) -> Result<EventAnswer, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_event(reply),
            Wire::NfseNacional => nfse_nacional::read_registered(reply),
            Wire::Abrasf => abrasf::read_event(reply),
        }
    }

    /// Whether an event is registered: the document's query tells all of its events, or each is asked for by its kind
    /// and number.
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

    /// Whether that question is about the one event alone: an answer without it is then the authority's word that it is
    /// not there.
    pub fn asks_for_one_event(self) -> bool {
        matches!(self, Wire::NfseNacional)
    }

    /// Reads the answer to it.
    pub fn read_query_event(self, reply: &Reply) -> Result<(Situation, Vec<FoundEvent>), Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_query_with_events(reply),
            Wire::NfseNacional => nfse_nacional::read_query_event(reply),
            Wire::Abrasf => abrasf::read_query_event(reply),
        }
    }

    /// A question for documents that others issued to a company, which is in `uf`; nothing where they are not asked for
    /// in this way.
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

    /// Reads the answer to it.
    pub fn read_distribution(self, reply: &Reply) -> Result<Batch, Unreadable> {
        match self {
            Wire::Sefaz(dialect) => dialect.read_distribution(reply).map(Batch::from),
            Wire::NfseNacional => nfse_nacional::read_distribution(reply),
            Wire::Abrasf => Err(Unreadable::Content("as prefeituras não distribuem documentos".to_owned())),
        }
    }

    /// Whether such a document can be asked for by its key, beside its number.
    pub fn hands_out_by_key(self) -> bool {
        self.sefaz().is_some_and(Dialect::hands_out_by_key)
    }

    /// What a code means for the document it is about.
    pub fn class(self, codigo: &Codigo) -> Class {
        match self {
            Wire::Sefaz(dialect) => dialect.class(codigo),
            Wire::NfseNacional => nfse_nacional::class(codigo),
            Wire::Abrasf => abrasf::class(codigo),
        }
    }

    /// Whether a code silences us.
    pub fn is_undue_use(self, codigo: &Codigo) -> bool {
        self.class(codigo) == Class::UndueUse
    }

    /// A document as it is kept: signed bytes and protocol spliced, or what the authority wrote, which holds them.
    pub fn archive(self, signed: &str, protocol: &str) -> String {
        match self {
            Wire::Sefaz(dialect) => dialect.archive(signed, protocol),
            Wire::NfseNacional | Wire::Abrasf => protocol.to_owned(),
        }
    }

    /// An event likewise.
    pub fn archive_event(self, signed_event: &str, answered: &str) -> String {
        match self {
            Wire::Sefaz(dialect) => dialect.archive_event(signed_event, answered),
            Wire::NfseNacional | Wire::Abrasf => answered.to_owned(),
        }
    }
}
