//! Manifestation of a company on a document that it received (manifestação do destinatário; of an NFS-e, that of a
//! party): a job of its own, whose event goes to the Ambiente Nacional, or to the Sefin.
//!
//! Law: NT 2020.001 v1.60, anexo II of the NFS-e; `docs/contract.md`, "Jobs" (202 and a job). The document need not
//! have been distributed yet: its key is enough.

use super::prediction;
use crate::acceptance::texts;
use crate::family::Family;
use crate::family::event::event_type::EventDestination;
use crate::family::event::ordered_event::{OrderedEvent, PrecedingEvent};
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::own_host;
use crate::order::event_error::EventError;
use crate::order::manifestation::ManifestationRequest;
use crate::order::{JobScope, Order};
use crate::process::crash::crash_point;
use crate::process::local_time;
use crate::{Engine, family};
use authority::table::AuthorityRole;
use fiscal::event::NfeEventKind;
use fiscal::finding::{Notice, Violation};
use fiscal::layout::LayoutFault;
use fiscal::nfse::event_matrix;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, TpAmb};
use store::Visibility;
use store::accounts::Caller;
use store::events::NewEvent;
use store::jobs::{NewAct, NewJob, RegistrationResult};
use store::received::Parte;

/// Reason why nothing was registered.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration of NF-e, which decides the environment.
    #[error("empresa sem configuração de NF-e")]
    NotConfigured,
    /// The party as which the company acts is neither given nor known.
    #[error("não se sabe o papel da empresa na nota")]
    NoPart,
    /// The note has its full count of manifestations of this type.
    #[error("a nota já tem o máximo de manifestações deste tipo")]
    Exhausted,
    /// The layout of the event refuses the request.
    #[error("o evento não pode ser montado")]
    Invalid(Vec<LayoutFault>),
    /// The layout refuses the request, by the members of the interface.
    #[error("o evento não pode ser montado")]
    Refused(Vec<Violation>),
    #[error(transparent)]
    Store(store::Error),
}

impl From<store::Error> for ManifestError {
    fn from(error: store::Error) -> ManifestError {
        match error {
            store::Error::EventsExhausted => ManifestError::Exhausted,
            error => ManifestError::Store(error),
        }
    }
}

impl From<NotIssuer> for ManifestError {
    fn from(why: NotIssuer) -> ManifestError {
        match why {
            NotIssuer::UnknownCompany => ManifestError::UnknownCompany,
            NotIssuer::NotConfigured => ManifestError::NotConfigured,
            NotIssuer::Store(error) => ManifestError::Store(error),
        }
    }
}

impl From<EventError> for ManifestError {
    fn from(why: EventError) -> ManifestError {
        match why {
            EventError::Invalid(faults) => ManifestError::Invalid(faults),
            EventError::Refused(violations) => ManifestError::Refused(violations),
            EventError::Store(error) => error.into(),
            // the other errors concern documents of ours
            _ => ManifestError::Invalid(Vec::new()),
        }
    }
}

impl Engine {
    /// Registers the job; a reference used before returns its job.
    pub async fn manifest(
        &self,
        caller: &Caller,
        mut said: ManifestationRequest,
    ) -> Result<RegistrationResult, ManifestError> {
        let tipo = match said.chave {
            Chave::Acesso(_) => Tipo::Nfe,
            Chave::Nfse(_) | Chave::Rps(_) => Tipo::Nfse,
        };
        let family = family::handed_out(tipo).ok_or(ManifestError::NotConfigured)?;
        let issuer = self.party(Visibility::of(caller), said.cpf_cnpj, family).await?;
        let ambiente = issuer.ambiente(caller.ambiente);
        if tipo == Tipo::Nfse && said.papel.is_none() {
            said.papel = Some(self.part_of(caller, ambiente, &said).await?);
        }
        let told = said.justificativa.as_mut().map(|text| texts::clean(text, "justificativa")).unwrap_or_default();
        let (chave, papel) = (said.chave, said.papel);
        let mut job = self.manifestation(caller, family, &issuer, said)?;
        job.notices = self.predictions(&job, &chave, papel).await?;
        job.notices.extend(told);
        let registered = self.register_for(caller, job).await?;
        crash_point("event.registered");
        let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = &registered;
        tracing::info!(job.id = %job.id, job.kind = job.operacao.word(), "registered");
        Ok(registered)
    }

    /// Party as which a company acts when the request names none: its role in the distributed note, when it has one
    /// role alone.
    async fn part_of(
        &self,
        caller: &Caller,
        ambiente: TpAmb,
        said: &ManifestationRequest,
    ) -> Result<Parte, ManifestError> {
        let (sight, chave) = (Visibility::whole(caller.tenant_id), said.chave.to_string());
        let note = match self.store().received_document(sight, Tipo::Nfse, chave, Some(said.cpf_cnpj)).await {
            Ok(found) if found.note.ambiente == ambiente => found.note,
            Ok(_) | Err(store::Error::NotFound) => return Err(ManifestError::NoPart),
            Err(error) => return Err(error.into()),
        };
        match Parte::of(&said.cpf_cnpj, &note.facts).as_slice() {
            [parte] => Ok(*parte),
            _ => Err(ManifestError::NoPart),
        }
    }

    /// Predicted refusals, as far as the note is stored here.
    async fn predictions(
        &self,
        job: &NewJob,
        chave: &Chave,
        papel: Option<Parte>,
    ) -> Result<Vec<Notice>, store::Error> {
        let Some(NewAct::Event(event)) = &job.act else { return Ok(Vec::new()) };
        let elsewhere = matches!(chave, Chave::Nfse(chave) if chave.own_municipality().is_some())
            && own_host::parse_name(&job.authority).is_none();
        let mut told: Vec<Notice> = elsewhere
            .then(|| event_matrix::predicted_notice("E0831", "chave", GENERATED_ELSEWHERE))
            .into_iter()
            .collect();
        let found = self
            .store()
            .received_document(
                Visibility::whole(job.tenant_id),
                job.tipo,
                chave.as_str().to_owned(),
                Some(job.cpf_cnpj),
            )
            .await;
        let found = match found {
            Ok(found) if found.note.ambiente == job.ambiente => found,
            Ok(_) | Err(store::Error::NotFound) => return Ok(told),
            Err(error) => return Err(error),
        };
        match (chave, NfeEventKind::from_code(&event.tpEvento)) {
            (Chave::Nfse(_), _) => told.extend(prediction::predict_national(&event.tpEvento, papel, &found)),
            (Chave::Acesso(_), Some(kind)) => told.extend(prediction::predict(kind, &found.note, self.now_s())),
            (Chave::Acesso(_), None) | (Chave::Rps(_), _) => {}
        }
        Ok(told)
    }

    /// Makes the job, once the layout accepts its event.
    fn manifestation(
        &self,
        caller: &Caller,
        family: &'static Family,
        issuer: &FamilyIssuer,
        said: ManifestationRequest,
    ) -> Result<NewJob, ManifestError> {
        let (chave, ambiente) = (said.chave, issuer.ambiente(caller.ambiente));
        let order = Order::Manifestacao(said);
        let kind = (family.acts.kind)(&order).ok_or_else(|| ManifestError::Invalid(Vec::new()))?;
        let now = local_time::written(self.now(), issuer.civil);
        let event = OrderedEvent {
            order: &order,
            chave,
            nProt: "",
            numero: None,
            dialect: None,
            former: PrecedingEvent::default(),
            now: &now,
        };
        (family.acts.check)(&event)?;
        let role =
            if kind.receiver == EventDestination::National { AuthorityRole::National } else { AuthorityRole::Normal };
        let table = &self.inner.table;
        let own = match chave {
            Chave::Nfse(chave) => {
                chave.own_municipality().and_then(|codigo| own_host::of_row_in_use(table, ambiente, codigo))
            }
            Chave::Acesso(_) | Chave::Rps(_) => None,
        };
        let own = own.as_ref().map(|host| host.authority.as_str());
        let authority = own.or_else(|| chave.uf().and_then(|uf| table.authority(uf, family.modelo, role)));
        let authority = authority.unwrap_or(NATIONAL);
        let belongs = JobScope { tenant_id: caller.tenant_id, tipo: family.tipo, ambiente, authority };
        let event = NewEvent { chave, tpEvento: kind.code.to_owned(), most: kind.most };
        let payload = order.to_payload();
        Ok(NewJob { act: Some(NewAct::Event(event)), ..order.job(payload, belongs) })
    }
}

/// Reason of E0831.
const GENERATED_ELSEWHERE: &str =
    "A nota foi gerada pelo servidor próprio do município, que não está na tabela do operador.";

/// Authority name for the concurrency limit where the table has none.
const NATIONAL: &str = "AN";
