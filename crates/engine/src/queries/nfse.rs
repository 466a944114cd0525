//! Queries of an NFS-e outside jobs: the authority's note under a key, or under the identity of a declaration, and its
//! events. It need not be a note of ours, only one in which the company is named.
//!
//! Law: OpenAPI of the Sefin Nacional (2025-12); `docs/contract.md`, "NFS-e" (a missing answer is never "not there").
//! The store counts the queries.
//! Must not know: the form of the answer at the edge.

use crate::authorities::budget;
use crate::authorities::call::NoAnswer;
use crate::authorities::certificates::CertificateUnusable;
use crate::authorities::health::Channel;
use crate::authorities::note_events::NoteEvents;
use crate::authorities::undue_use;
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::own_host;
use crate::{Engine, family};
use authority::nfse_nacional::{DpsAnswer, NfseAnswer, ReceivedNfse, SefinEndpoint, SefinMessage, read_dps, read_nfse};
use authority::table::{AuthorityRole, AuthorityService, Endpoint};
use fiscal::finding::Violation;
use fiscal::nfse::registered::RegisteredNfseEvent;
use fiscal::value::{Chave, ChaveNfse, CnpjCpf, Codigo, Serie, TpAmb, Uf};
use std::time::Duration;
use store::Visibility;
use store::accounts::Caller;
use store::jobs::Job;

/// Longest wait for an answer; a person waits for it.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(25);

/// A search for a note.
#[derive(Debug, Clone)]
pub struct NfseSearch {
    /// Company whose certificate is used.
    pub cpf_cnpj: CnpjCpf,
    pub by: SearchKey,
    /// Environment; absent: that of the note, when it is ours, or that in which the company issues by this credential.
    pub ambiente: Option<TpAmb>,
}

/// Identifier of the note.
#[derive(Debug, Clone)]
pub enum SearchKey {
    /// Key of the note.
    Chave(ChaveNfse),
    /// `Id` of its declaration.
    Dps(String),
    /// Series and number of a declaration of the company, issued in its município.
    Number(Serie, u64),
}

/// Result of a search, and its environment.
#[derive(Debug, Clone)]
pub struct SearchAnswer {
    /// Environment of the query.
    pub ambiente: TpAmb,
    /// The note; `None`: its authority answers that there is none.
    pub note: Option<FoundNote>,
}

/// A note as its authority has it.
#[derive(Debug, Clone)]
pub struct FoundNote {
    pub chave: ChaveNfse,
    /// XML, byte by byte.
    pub xml: String,
    /// Registered events, in the order of the answer.
    pub events: Vec<RegisteredNfseEvent>,
}

/// Reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// A number identifies a declaration only with the município where the company issues.
    #[error("a empresa não tem município configurado")]
    NoMunicipality,
    /// Series and number of no declaration.
    #[error("a série ou o número não pode ser o de uma DPS")]
    Identity(Vec<Violation>),
    /// No usable certificate; the text names the remedy.
    #[error("{0}")]
    Certificate(String),
    /// The hour's queries are used up; seconds to wait.
    #[error("limite de consultas por hora")]
    TooOften(i64),
    /// The authority refuses the query.
    #[error("a consulta foi recusada")]
    Refused(Vec<SefinMessage>),
    /// A municipal provider refuses the query: its code and its text.
    #[error("{0} {1}")]
    RefusedByCode(Codigo, String),
    /// No known way to query the company's municipal provider; the text names the configuration.
    #[error("{0}")]
    NotConfigured(String),
    /// The authority did not answer; Portuguese.
    #[error("{0}")]
    NoAnswer(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<CertificateUnusable> for SearchError {
    fn from(why: CertificateUnusable) -> SearchError {
        match why {
            CertificateUnusable::Store(error) => SearchError::Store(error),
            unusable => SearchError::Certificate(unusable.to_string()),
        }
    }
}

impl From<NotIssuer> for SearchError {
    fn from(why: NotIssuer) -> SearchError {
        match why {
            NotIssuer::UnknownCompany => SearchError::UnknownCompany,
            NotIssuer::NotConfigured => SearchError::NoMunicipality,
            NotIssuer::Store(error) => SearchError::Store(error),
        }
    }
}

impl From<NoAnswer> for SearchError {
    fn from(why: NoAnswer) -> SearchError {
        SearchError::NoAnswer(why.to_string())
    }
}

impl Engine {
    /// Queries the Sefin for a note and for its events.
    pub async fn search_nfse(&self, caller: &Caller, search: &NfseSearch) -> Result<SearchAnswer, SearchError> {
        let issuer = self.querying_company(caller, search.cpf_cnpj).await?;
        let ambiente = match search.ambiente {
            Some(ambiente) => ambiente,
            None => self.environment_of(caller, &issuer, &search.by).await?,
        };
        let certificate = self.certificate(caller.tenant_id, search.cpf_cnpj).await?;
        let (uf, tenant) = (issuer.uf.unwrap_or(Uf::DF), caller.tenant_id);
        let host = match &search.by {
            SearchKey::Chave(chave) => self.host_of_note(tenant, search.cpf_cnpj, ambiente, chave).await?,
            SearchKey::Dps(_) | SearchKey::Number(..) => self.host_of_company(tenant, &issuer, ambiente).await?,
        };
        let channel = Channel { host, ..Channel::to_state(uf, &family::DPS, ambiente, certificate) };
        let asked = self.find_note(&channel, &issuer, &search.by);
        let found = match tokio::time::timeout(MAX_WAIT, asked).await {
            Ok(note) => note?,
            Err(_elapsed) => {
                let why = format!("a autoridade não respondeu em {} s", MAX_WAIT.as_secs());
                return Err(SearchError::NoAnswer(why));
            }
        };
        let Some((found, events)) = found else { return Ok(SearchAnswer { ambiente, note: None }) };
        // the events are stored for the company of the account that issued the note
        self.update_note(caller.tenant_id, found.chave, &events).await?;
        let events = events.into_iter().map(|(event, _)| event).collect();
        let note = Some(FoundNote { chave: found.chave, xml: found.xml, events });
        Ok(SearchAnswer { ambiente, note })
    }

    /// Updates a note of ours by its registered events, for a caller who wants the event itself; or returns the reason
    /// why the authority could not be queried (Portuguese).
    pub(crate) async fn fetch_events(&self, job: &Job, chave: ChaveNfse) -> Result<Result<(), String>, store::Error> {
        match self.update_events(job, chave).await {
            Ok(()) => Ok(Ok(())),
            Err(SearchError::Store(error)) => Err(error),
            Err(why) => Ok(Err(why.to_string())),
        }
    }

    async fn update_events(&self, job: &Job, chave: ChaveNfse) -> Result<(), SearchError> {
        let (tenant, company, ambiente) = (job.tenant_id, job.cpf_cnpj, job.ambiente);
        let certificate = self.certificate(tenant, company).await?;
        let host = self.host_of_note(tenant, company, ambiente, &chave).await?;
        let uf = Chave::from(chave).uf().unwrap_or(Uf::DF);
        let channel = Channel { host, ..Channel::to_state(uf, &family::DPS, ambiente, certificate) };
        self.count_query(&channel, chave.as_str()).await?;
        let asked = tokio::time::timeout(MAX_WAIT, self.note_events(&channel, &chave)).await;
        let events = asked.map_err(|_elapsed| {
            SearchError::NoAnswer(format!("a autoridade não respondeu em {} s", MAX_WAIT.as_secs()))
        })??;
        Ok(self.update_note(tenant, chave, &events).await?)
    }

    /// The company; one that only takes services is known by its record alone.
    async fn querying_company(&self, caller: &Caller, cpf_cnpj: CnpjCpf) -> Result<FamilyIssuer, SearchError> {
        match self.issuer(Visibility::of(caller), cpf_cnpj, &family::DPS).await {
            Err(NotIssuer::NotConfigured) => {
                Ok(FamilyIssuer::unconfigured(self.store().company(caller.tenant_id, cpf_cnpj).await?))
            }
            found => Ok(found?),
        }
    }

    async fn environment_of(
        &self,
        caller: &Caller,
        issuer: &FamilyIssuer,
        by: &SearchKey,
    ) -> Result<TpAmb, store::Error> {
        if let SearchKey::Chave(chave) = by {
            match self.store().job_by_chave(Visibility::of(caller), chave.as_str()).await {
                Ok(job) => return Ok(job.ambiente),
                Err(store::Error::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(issuer.ambiente(caller.ambiente))
    }

    async fn find_note(
        &self,
        channel: &Channel,
        issuer: &FamilyIssuer,
        by: &SearchKey,
    ) -> Result<Option<(ReceivedNfse, NoteEvents)>, SearchError> {
        let chave = match by {
            SearchKey::Chave(chave) => *chave,
            SearchKey::Dps(id) => match self.key_of(channel, id).await? {
                Some(chave) => chave,
                None => return Ok(None),
            },
            SearchKey::Number(serie, numero) => {
                match self.key_of(channel, &identity(issuer, *serie, *numero)?).await? {
                    Some(chave) => chave,
                    None => return Ok(None),
                }
            }
        };
        let endpoint = self.count_query(channel, chave.as_str()).await?;
        let call = SefinEndpoint::of(&endpoint).nfse(&chave);
        match self.call(&call, channel, read_nfse).await? {
            NfseAnswer::Found(issued) => {
                let events = self.note_events(channel, &issued.chave).await?;
                Ok(Some((issued, events)))
            }
            NfseAnswer::NotFound => Ok(None),
            NfseAnswer::Refused(said) => Err(SearchError::Refused(said)),
        }
    }

    /// Key of the note that was written from a declaration.
    async fn key_of(&self, channel: &Channel, id: &str) -> Result<Option<ChaveNfse>, SearchError> {
        let endpoint = self.count_query(channel, id).await?;
        let call = SefinEndpoint::of(&endpoint).dps(id);
        match self.call(&call, channel, read_dps).await? {
            DpsAnswer::Found(chave) => Ok(Some(chave)),
            DpsAnswer::NotFound => Ok(None),
            DpsAnswer::Refused(said) => Err(SearchError::Refused(said)),
        }
    }

    /// Counts a query about one subject, apart from those that a document in doubt needs, and among all of the
    /// company's.
    async fn count_query(&self, channel: &Channel, about: &str) -> Result<Endpoint, SearchError> {
        let endpoint = self.endpoint_at(channel, AuthorityService::ConsultaProtocolo)?;
        let transmitter = undue_use::transmitter(&channel.certificate);
        for (budget, about) in
            [(budget::CALLER_QUERIES, "consulta".to_owned()), (budget::CALLER_QUERY, format!("consulta {about}"))]
        {
            if let Some(wait) = self.count_call(budget, &transmitter, &endpoint, &about).await? {
                return Err(SearchError::TooOften(i64::try_from(wait.as_secs()).unwrap_or(HOUR).saturating_add(1)));
            }
        }
        Ok(endpoint)
    }

    fn endpoint_at(&self, channel: &Channel, service: AuthorityService) -> Result<Endpoint, SearchError> {
        let found = self.endpoint(channel, service, AuthorityRole::Normal);
        found.map_err(|error| SearchError::NoAnswer(error.to_string()))
    }
}

const HOUR: i64 = 3_600;

/// Identity of a declaration of the company.
fn identity(issuer: &FamilyIssuer, serie: Serie, numero: u64) -> Result<String, SearchError> {
    let cLocEmi = own_host::municipality(issuer).ok_or(SearchError::NoMunicipality)?;
    fiscal::nfse::identity(cLocEmi, issuer.company.cpf_cnpj, serie, numero).map_err(SearchError::Identity)
}
