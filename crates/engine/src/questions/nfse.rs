//! A question about an NFS-e that no job carries: what its authority has under a key, or under the identity of a
//! declaration, and what was registered on it. It need not be a note of ours, only one in which the company is named.
//!
//! Law: OpenAPI of the Sefin Nacional (2025-12); `spec/not-shown.md` 11.2 (silence is never "not there"). The count of
//! questions is the store's. Must not know: how the answer is written.

use crate::authorities::bridge::Channel;
use crate::authorities::budget;
use crate::authorities::call::NoAnswer;
use crate::authorities::certificates::Unusable;
use crate::authorities::note_events::NoteEvents;
use crate::authorities::undue_use;
use crate::family::host;
use crate::family::issuer::{Issuer, NotIssuer};
use crate::{Engine, family};
use authority::nfse_nacional::{DpsAnswer, Issued, NfseAnswer, Said, Sefin, read_dps, read_nfse};
use authority::table::{Endpoint, Role, Service};
use fiscal::finding::Violation;
use fiscal::nfse::registered::RegisteredEvent;
use fiscal::value::{Chave, ChaveNfse, CnpjCpf, Codigo, Serie, TpAmb, Uf};
use std::sync::Arc;
use std::time::Duration;
use store::Sight;
use store::accounts::Caller;
use store::jobs::Job;

/// A person waits for the answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(25);

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Search {
    /// The company whose certificate is shown.
    pub cpf_cnpj: CnpjCpf,
    /// By what.
    pub by: SearchKey,
    /// Environment; absent: that of the note, when it is ours, or that in which the company issues by this credential.
    pub ambiente: Option<TpAmb>,
}

/// What a note is looked for by.
#[derive(Debug, Clone)]
pub enum SearchKey {
    /// Its key.
    Chave(ChaveNfse),
    /// The `Id` of its declaration.
    Dps(String),
    /// Series and number of a declaration of the company, issued in its município.
    Number(Serie, u64),
}

/// What was found, and where it was looked for.
#[derive(Debug, Clone)]
pub struct SearchAnswer {
    /// Environment that was asked.
    pub ambiente: TpAmb,
    /// The note; `None`: its authority says that there is none.
    pub note: Option<FoundNote>,
}

/// A note as its authority has it.
#[derive(Debug, Clone)]
pub struct FoundNote {
    /// Its key.
    pub chave: ChaveNfse,
    /// Its XML, byte by byte.
    pub xml: String,
    /// What was registered on it, in the order of the answer.
    pub events: Vec<RegisteredEvent>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// No such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// A number says nothing without the município where the company issues.
    #[error("a empresa não tem município configurado")]
    NoMunicipality,
    /// The series and the number of no declaration.
    #[error("a série ou o número não pode ser o de uma DPS")]
    Identity(Vec<Violation>),
    /// No certificate to show; says what to do.
    #[error("{0}")]
    Certificate(String),
    /// So many questions were asked this hour; seconds to wait.
    #[error("limite de consultas por hora")]
    TooOften(i64),
    /// The authority refuses the question.
    #[error("a consulta foi recusada")]
    Refused(Vec<Said>),
    /// The same by a city hall: its code and its text.
    #[error("{0} {1}")]
    RefusedByCode(Codigo, String),
    /// Nobody knows how to ask the company's city hall; what to configure.
    #[error("{0}")]
    NotConfigured(String),
    /// The authority did not answer; Portuguese.
    #[error("{0}")]
    NoAnswer(String),
    /// Store.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<Unusable> for SearchError {
    fn from(why: Unusable) -> SearchError {
        match why {
            Unusable::Store(error) => SearchError::Store(error),
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
    /// Asks the Sefin for a note and for its events.
    pub async fn search_nfse(&self, caller: &Caller, search: &Search) -> Result<SearchAnswer, SearchError> {
        let issuer = self.asker(caller, search.cpf_cnpj).await?;
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
        let asked = self.asked_for(&channel, &issuer, &search.by);
        let found = match tokio::time::timeout(PATIENCE, asked).await {
            Ok(note) => note?,
            Err(_elapsed) => {
                let why = format!("a autoridade não respondeu em {} s", PATIENCE.as_secs());
                return Err(SearchError::NoAnswer(why));
            }
        };
        let Some((found, events)) = found else { return Ok(SearchAnswer { ambiente, note: None }) };
        // what a company of the account asked is written down for the one that issued the note
        self.learn(caller.tenant_id, found.chave, &events).await?;
        let events = events.into_iter().map(|(event, _)| event).collect();
        let note = Some(FoundNote { chave: found.chave, xml: found.xml, events });
        Ok(SearchAnswer { ambiente, note })
    }

    /// Brings a note of ours to what was registered on it, for a caller who wants the event itself; or says why the
    /// authority could not be asked (Portuguese).
    pub(crate) async fn fetch_events(&self, job: &Job, chave: ChaveNfse) -> Result<Result<(), String>, store::Error> {
        match self.bring_events(job, chave).await {
            Ok(()) => Ok(Ok(())),
            Err(SearchError::Store(error)) => Err(error),
            Err(why) => Ok(Err(why.to_string())),
        }
    }

    async fn bring_events(&self, job: &Job, chave: ChaveNfse) -> Result<(), SearchError> {
        let (tenant, company, ambiente) = (job.tenant_id, job.cpf_cnpj, job.ambiente);
        let certificate = self.certificate(tenant, company).await?;
        let host = self.host_of_note(tenant, company, ambiente, &chave).await?;
        let uf = Chave::from(chave).uf().unwrap_or(Uf::DF);
        let channel = Channel { host, ..Channel::to_state(uf, &family::DPS, ambiente, certificate) };
        self.count_question(&channel, chave.as_str()).await?;
        let asked = tokio::time::timeout(PATIENCE, self.note_events(&channel, &chave)).await;
        let events = asked.map_err(|_elapsed| {
            SearchError::NoAnswer(format!("a autoridade não respondeu em {} s", PATIENCE.as_secs()))
        })??;
        Ok(self.learn(tenant, chave, &events).await?)
    }

    /// The company; it may only take services, and then its record alone says where it stands.
    async fn asker(&self, caller: &Caller, cpf_cnpj: CnpjCpf) -> Result<Issuer, SearchError> {
        match self.issuer(caller.tenant_id, cpf_cnpj, &family::DPS).await {
            Err(NotIssuer::NotConfigured) => {
                Ok(Issuer::unconfigured(self.store().company(caller.tenant_id, cpf_cnpj).await?))
            }
            found => Ok(found?),
        }
    }

    async fn environment_of(&self, caller: &Caller, issuer: &Issuer, by: &SearchKey) -> Result<TpAmb, store::Error> {
        if let SearchKey::Chave(chave) = by {
            match self.store().job_by_chave(Sight::of(caller), chave.as_str()).await {
                Ok(job) => return Ok(job.ambiente),
                Err(store::Error::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(issuer.ambiente(caller.ambiente))
    }

    async fn asked_for(
        &self,
        channel: &Channel,
        issuer: &Issuer,
        by: &SearchKey,
    ) -> Result<Option<(Issued, NoteEvents)>, SearchError> {
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
        let endpoint = self.count_question(channel, chave.as_str()).await?;
        let call = Sefin::of(&endpoint).nfse(&chave);
        match self.call(&call, channel, read_nfse).await? {
            NfseAnswer::Found(issued) => {
                let events = self.note_events(channel, &issued.chave).await?;
                Ok(Some((issued, events)))
            }
            NfseAnswer::NotFound => Ok(None),
            NfseAnswer::Refused(said) => Err(SearchError::Refused(said)),
        }
    }

    /// The key that a declaration became.
    async fn key_of(&self, channel: &Channel, id: &str) -> Result<Option<ChaveNfse>, SearchError> {
        let endpoint = self.count_question(channel, id).await?;
        let call = Sefin::of(&endpoint).dps(id);
        match self.call(&call, channel, read_dps).await? {
            DpsAnswer::Found(chave) => Ok(Some(chave)),
            DpsAnswer::NotFound => Ok(None),
            DpsAnswer::Refused(said) => Err(SearchError::Refused(said)),
        }
    }

    /// Counts a question about one thing, apart from those that a document in doubt needs, and among all of the
    /// company's.
    async fn count_question(&self, channel: &Channel, about: &str) -> Result<Arc<Endpoint>, SearchError> {
        let endpoint = self.endpoint_at(channel, Service::ConsultaProtocolo)?;
        let transmitter = undue_use::transmitter(&channel.certificate);
        for (budget, about) in [(budget::WISHES, "consulta".to_owned()), (budget::WISH, format!("consulta {about}"))] {
            if let Some(wait) = self.spend(budget, &transmitter, &endpoint, &about).await? {
                return Err(SearchError::TooOften(i64::try_from(wait.as_secs()).unwrap_or(HOUR).saturating_add(1)));
            }
        }
        Ok(endpoint)
    }

    fn endpoint_at(&self, channel: &Channel, service: Service) -> Result<Arc<Endpoint>, SearchError> {
        let found = self.endpoint(channel, service, Role::Normal);
        found.map_err(|error| SearchError::NoAnswer(error.to_string()))
    }
}

const HOUR: i64 = 3_600;

/// The identity of a declaration of the company.
fn identity(issuer: &Issuer, serie: Serie, numero: u64) -> Result<String, SearchError> {
    let cLocEmi = host::municipality(issuer).ok_or(SearchError::NoMunicipality)?;
    fiscal::nfse::identity(cLocEmi, issuer.company.cpf_cnpj, serie, numero).map_err(SearchError::Identity)
}
