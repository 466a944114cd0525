//! Query of a municipal provider outside jobs: the note that it wrote from a company's RPS.
//!
//! Law: ABRASF, ConsultarNfsePorRps; `docs/contract.md`, "NFS-e" (a missing answer is never "not there"). The store
//! counts the queries.
//! Must not know: the form of the answer at the edge.

use super::nfse::{MAX_WAIT, SearchError};
use crate::authorities::health::Channel;
use crate::authorities::{budget, undue_use};
use crate::family::municipal_provider::NoMunicipalProvider;
use crate::family::own_host;
use crate::{Engine, family};
use authority::abrasf::MunicipalIssuer;
use authority::answer::DocumentSituation;
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::abrasf::answer::{self, IssuedNfse};
use fiscal::value::{CnpjCpf, RpsId, Serie, TpAmb, Uf};
use std::sync::Arc;
use store::accounts::Caller;

/// A search for the note of an RPS.
#[derive(Debug, Clone)]
pub struct RpsSearch {
    /// Company of the RPS.
    pub cpf_cnpj: CnpjCpf,
    pub serie: Serie,
    pub numero: u64,
    /// Registration at the município, when it is not the configured one.
    pub inscricao_municipal: Option<String>,
    /// Environment; absent: that in which the company issues by this credential.
    pub ambiente: Option<TpAmb>,
}

/// Answer of the provider, and its environment.
#[derive(Debug, Clone)]
pub struct RpsAnswer {
    /// Environment of the query.
    pub ambiente: TpAmb,
    pub rps: RpsId,
    /// The note; `None`: the provider answers that there is none.
    pub note: Option<IssuedNfse>,
}

impl Engine {
    /// Queries the municipal provider of a company for the note of an RPS.
    pub async fn search_rps(&self, caller: &Caller, search: &RpsSearch) -> Result<RpsAnswer, SearchError> {
        let issuer = self.issuer(store::Visibility::of(caller), search.cpf_cnpj, &family::RPS).await?;
        let ambiente = search.ambiente.unwrap_or_else(|| issuer.ambiente(caller.ambiente));
        let municipio = own_host::municipality(&issuer).ok_or(SearchError::NoMunicipality)?;
        let mut hall = self.municipal_provider(caller.tenant_id, &issuer, ambiente, municipio).await.map_err(
            |none| match none {
                NoMunicipalProvider::NotUsable(why) => SearchError::NotConfigured(why),
                NoMunicipalProvider::Store(error) => SearchError::Store(error),
            },
        )?;
        if let Some(registration) = &search.inscricao_municipal {
            let company =
                MunicipalIssuer { inscricao_municipal: Some(registration.clone()), ..hall.company.as_ref().clone() };
            hall.company = Arc::new(company);
        }
        let rps = RpsId {
            municipio,
            prestador: search.cpf_cnpj,
            inscricao_municipal: hall.company.inscricao_municipal.clone(),
            tipo: RPS,
            serie: search.serie,
            numero: search.numero,
        };
        let certificate = self.certificate(caller.tenant_id, search.cpf_cnpj).await?;
        let (uf, city_hall) = (issuer.uf.unwrap_or(Uf::DF), Some(Arc::new(hall)));
        let channel = Channel { city_hall, ..Channel::to_state(uf, &family::RPS, ambiente, certificate) };
        let asked = self.note_of_rps(&channel, &rps);
        let note = tokio::time::timeout(MAX_WAIT, asked).await.unwrap_or_else(|_elapsed| {
            let why = format!("a prefeitura não respondeu em {} s", MAX_WAIT.as_secs());
            Err(SearchError::NoAnswer(why))
        })?;
        Ok(RpsAnswer { ambiente, rps, note })
    }

    async fn note_of_rps(&self, channel: &Channel, rps: &RpsId) -> Result<Option<IssuedNfse>, SearchError> {
        let endpoint = self.endpoint(channel, AuthorityService::ConsultaProtocolo, AuthorityRole::Normal);
        let endpoint = endpoint.map_err(|error| SearchError::NoAnswer(error.to_string()))?;
        let (asked_by, transmitter) = (rps.to_string(), undue_use::transmitter(&channel.certificate));
        for (budget, about) in
            [(budget::CALLER_QUERIES, "consulta".to_owned()), (budget::CALLER_QUERY, format!("consulta {asked_by}"))]
        {
            if let Some(wait) = self.count_call(budget, &transmitter, &endpoint, &about).await? {
                return Err(SearchError::TooOften(i64::try_from(wait.as_secs()).unwrap_or(i64::MAX)));
            }
        }
        let call = self.rps_query(channel, &endpoint, &asked_by).ok_or_else(|| {
            SearchError::NoAnswer("o provedor do município não responde por RPS com esta instalação".to_owned())
        })?;
        let wire = channel.family.wire;
        match self.call(&call, channel, move |reply| wire.read_query(reply)).await? {
            DocumentSituation::Authorized(protocol) | DocumentSituation::Denied(protocol) => {
                note(&protocol.xml).map(Some)
            }
            DocumentSituation::Cancelled { protocol: Some(protocol), .. } => note(&protocol.xml).map(Some),
            DocumentSituation::NeverSeen(_) => Ok(None),
            DocumentSituation::Refused(said)
            | DocumentSituation::Unavailable(said)
            | DocumentSituation::OtherKey(said) => Err(SearchError::RefusedByCode(said.codigo, said.xMotivo)),
            DocumentSituation::Cancelled { protocol: None, .. } | DocumentSituation::Named(_) => {
                Err(SearchError::NoAnswer("a prefeitura respondeu sem a nota".to_owned()))
            }
        }
    }
}

/// `Tipo` of an RPS proper.
const RPS: u8 = 1;

fn note(xml: &str) -> Result<IssuedNfse, SearchError> {
    let read = answer::read(xml).ok().and_then(|reply| reply.notes.into_iter().next());
    read.ok_or_else(|| SearchError::NoAnswer("a prefeitura devolveu uma nota ilegível".to_owned()))
}
