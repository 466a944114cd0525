//! Hosts: a call goes to the authority of the table or to the own server of a município, chosen for a job, for a note
//! and for a company.
//!
//! A job stores the name of its authority, so that a document in doubt is queried at the host that has it, whatever was
//! configured since; a key shows which host generated its note (`ambGer`).
//! Law: manual of the national NFS-e (`ambGer`, structure of the key).

use crate::Engine;
use crate::authorities::health::Channel;
use crate::family::municipal_provider::NoMunicipalProvider;
use crate::family::{self, Family, issuer::FamilyIssuer, own_host};
use authority::table::{AuthorityRole, AuthorityService, Endpoint, NoEndpoint, OwnHost};
use fiscal::value::{ChaveNfse, CnpjCpf, TpAmb, Uf};
use std::sync::Arc;
use uuid::Uuid;

/// Reason why there is no address to call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoHost {
    #[error(
        "o endereço próprio do município {municipio:07} não está mais configurado: informe {} na configuração de NFS-e da empresa, ou a linha dele na \
         tabela do operador",
        own_host::url_member(*ambiente)
    )]
    Unknown { municipio: u32, ambiente: TpAmb },
    /// A municipal provider that cannot be called; the text names the configuration.
    #[error("{0}")]
    CityHall(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<NoMunicipalProvider> for NoHost {
    fn from(why: NoMunicipalProvider) -> NoHost {
        match why {
            NoMunicipalProvider::NotUsable(why) => NoHost::CityHall(why),
            NoMunicipalProvider::Store(error) => NoHost::Store(error),
        }
    }
}

/// Name of such an authority for jobs and circuit: its documents have no other way.
pub(crate) fn unregistered_name(authority: &str) -> String {
    format!("{authority}{UNREGISTERED}")
}

/// `true` if a job goes to such an authority, by its name.
pub(crate) fn is_unregistered(authority: &str) -> bool {
    authority.ends_with(UNREGISTERED)
}

const UNREGISTERED: &str = "/SEM-IE";

impl Engine {
    /// Address of a service for a channel; the normal authority of a document may be a município's own server.
    pub(crate) fn endpoint(
        &self,
        channel: &Channel,
        service: AuthorityService,
        role: AuthorityRole,
    ) -> Result<Endpoint, NoEndpoint> {
        let Channel { uf, family, ambiente, .. } = channel;
        if let Some(hall) = &channel.city_hall {
            let none = NoEndpoint { uf: *uf, modelo: family.modelo, ambiente: *ambiente, service, role };
            return hall.resolved.endpoint(service, &hall.company).ok_or(none);
        }
        let own = channel.host.as_ref().filter(|_| role == AuthorityRole::Normal);
        match own.and_then(|host| self.inner.table.endpoint_of(host, service)) {
            Some(endpoint) => Ok(endpoint),
            None => self.inner.table.endpoint(*uf, family.modelo, *ambiente, service, channel.role(role)),
        }
    }

    /// Name of the authority of a written document whose issuer has no inscrição estadual and need not have one.
    pub(crate) fn unregistered_authority(
        &self,
        uf: Uf,
        family: &Family,
        ambiente: TpAmb,
        written: &str,
    ) -> Option<String> {
        let authority = self.inner.table.authority(uf, family.modelo, AuthorityRole::Unregistered)?;
        let is_unregistered = family.builder.unregistered?;
        is_unregistered(written, self.now(), ambiente, self.law()).then(|| unregistered_name(authority))
    }

    /// A state that the authority of a channel serves: the document's own, or another that it serves as normal
    /// authority.
    pub(crate) fn served_state(&self, channel: &Channel) -> Uf {
        let of = |uf, role| self.inner.table.authority(uf, channel.family.modelo, role);
        let serves = |uf: &Uf| of(*uf, AuthorityRole::Normal) == of(channel.uf, AuthorityRole::Unregistered);
        if channel.unregistered { Uf::ALL.into_iter().find(serves).unwrap_or(channel.uf) } else { channel.uf }
    }

    /// Address that receives a signed document; some documents have an operation of their own.
    pub(crate) fn endpoint_for(
        &self,
        channel: &Channel,
        signed: &str,
        role: AuthorityRole,
    ) -> Result<Endpoint, NoEndpoint> {
        let Some(hall) = &channel.city_hall else { return self.endpoint(channel, AuthorityService::Autorizacao, role) };
        let Channel { uf, family, ambiente, .. } = channel;
        let none = NoEndpoint {
            uf: *uf,
            modelo: family.modelo,
            ambiente: *ambiente,
            service: AuthorityService::Autorizacao,
            role,
        };
        hall.submission_endpoint(signed).ok_or(none)
    }

    /// Own server of a job, by the name of its authority; `None`: the document goes to the authority of the table.
    pub(crate) async fn host_named(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
        authority: &str,
    ) -> Result<Option<Arc<OwnHost>>, NoHost> {
        let Some((municipio, is_given)) = own_host::parse_name(authority) else { return Ok(None) };
        let found = match is_given {
            true => self.given_host(tenant, company, ambiente, municipio).await?,
            false => own_host::of_row(&self.inner.table, ambiente, municipio),
        };
        found.map(Arc::new).map(Some).ok_or(NoHost::Unknown { municipio, ambiente })
    }

    /// Own server that generated a note, if one is known; `None`: the Sefin Nacional is queried.
    pub(crate) async fn host_of_note(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
        chave: &ChaveNfse,
    ) -> Result<Option<Arc<OwnHost>>, store::Error> {
        let Some(municipio) = chave.own_municipality() else { return Ok(None) };
        let given = self.given_host(tenant, company, ambiente, municipio).await?;
        let found = given.or_else(|| own_host::of_row_in_use(&self.inner.table, ambiente, municipio));
        Ok(found.map(Arc::new))
    }

    /// Own server where a company issues, as far as it is known without a query.
    pub(crate) async fn host_of_company(
        &self,
        tenant: Uuid,
        issuer: &FamilyIssuer,
        ambiente: TpAmb,
    ) -> Result<Option<Arc<OwnHost>>, store::Error> {
        let Some(municipio) = own_host::municipality(issuer) else { return Ok(None) };
        let table = &self.inner.table;
        let found = match own_host::provider(issuer) {
            Some(own_host::OWN) => own_host::given(tenant, issuer, ambiente, municipio)
                .or_else(|| own_host::of_row(table, ambiente, municipio)),
            Some(_) => None,
            None => {
                let convention = self.cached_convention(ambiente, municipio).await?;
                let is_national = convention.is_some_and(|convention| convention.is_open());
                own_host::of_row_in_use(table, ambiente, municipio).filter(|_| !is_national)
            }
        };
        Ok(found.map(Arc::new))
    }

    async fn given_host(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
        municipio: u32,
    ) -> Result<Option<OwnHost>, store::Error> {
        let company = match self.store().company(tenant, company).await {
            Ok(company) => company,
            Err(store::Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let issuer = FamilyIssuer::new(company, &family::DPS);
        Ok(issuer.and_then(|issuer| own_host::given(tenant, &issuer, ambiente, municipio)))
    }
}
