//! Admission of an RPS and choice of its municipal provider. The configuration decides; without it the convênio (a
//! município that emits nationally has no RPS), then the row of the município.
//!
//! Law: `docs/contract.md`, "NFS-e" (choice of protocol).
//! Must not know: the protocol of a municipal provider.

use crate::Engine;
use crate::acceptance::provider::{ProviderDecision, ProviderTarget, unconfirmed};
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::municipal_provider::NoMunicipalProvider;
use crate::family::own_host;
use authority::abrasf::ProviderChoice;
use fiscal::finding::Violation;
use fiscal::nfse::convention::Convention;
use fiscal::tipo::{DPS, RPS};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::Value;
use std::sync::Arc;
use store::accounts::Caller;
use uuid::Uuid;

impl Engine {
    /// Decides which provider receives an RPS of a company.
    pub(crate) async fn municipal_decision(
        &self,
        tenant: Uuid,
        issuer: &FamilyIssuer,
        ambiente: TpAmb,
    ) -> Result<ProviderDecision, store::Error> {
        let Some(municipio) = own_host::municipality(issuer) else {
            return Ok(ProviderDecision::NotConfigured(NO_MUNICIPALITY.to_owned()));
        };
        let mut told = Vec::new();
        match own_host::provider(issuer) {
            Some(provider) if own_host::is_national(provider) => {
                return Ok(ProviderDecision::Elsewhere(national(CONFIGURED)));
            }
            Some(_) => {}
            None => match self.convention(tenant, issuer.company.cpf_cnpj, ambiente, municipio).await? {
                Some(convention) if convention.is_open() => return Ok(ProviderDecision::Elsewhere(national(EMITTER))),
                Some(_) => {}
                None => match self.inner.table.providers().national(municipio) {
                    Some(city) => return Ok(ProviderDecision::Elsewhere(national(&table_reason(&city.sources())))),
                    None => {
                        let name = self.provider_of_row(municipio, ambiente, None);
                        told.extend(name.map(|name| unconfirmed(CITY_HALL, &name)));
                    }
                },
            },
        }
        match self.municipal_provider(tenant, issuer, ambiente, municipio).await {
            Ok(hall) => Ok(ProviderDecision::Taken(ProviderTarget {
                notices: told,
                host: None,
                city_hall: Some(Arc::new(hall)),
            })),
            Err(NoMunicipalProvider::NotUsable(why)) => Ok(ProviderDecision::NotConfigured(why)),
            Err(NoMunicipalProvider::Store(error)) => Err(error),
        }
    }

    /// Provider of a município's row, if that row alone is enough to call it. A convênio on record wins over a table
    /// that has the national emitter there.
    pub(crate) fn provider_of_row(
        &self,
        municipio: u32,
        ambiente: TpAmb,
        convention: Option<Convention>,
    ) -> Option<String> {
        let providers = self.inner.table.providers();
        if convention.is_none() && providers.national(municipio).is_some() {
            return None;
        }
        let resolved = providers.resolve(municipio, ambiente, &ProviderChoice::default()).ok()?;
        Some(resolved.row.provider.to_lowercase())
    }

    /// Model of the documents by which a company declares its services, for routes that serve both.
    pub async fn model_of_services(&self, caller: &Caller, cpf_cnpj: CnpjCpf) -> Result<u8, store::Error> {
        let issuer = match self.issuer(store::Visibility::of(caller), cpf_cnpj, &crate::family::RPS).await {
            Ok(issuer) => issuer,
            // either route reports the missing configuration
            Err(NotIssuer::UnknownCompany | NotIssuer::NotConfigured) => return Ok(DPS),
            Err(NotIssuer::Store(error)) => return Err(error),
        };
        let ambiente = issuer.ambiente(caller.ambiente);
        let Some(municipio) = own_host::municipality(&issuer) else { return Ok(DPS) };
        let is_municipal = match own_host::provider(&issuer) {
            Some(provider) => !own_host::is_national(provider),
            // a company of the Simples issues by the national emitter whatever the row has
            None if self.simples_duty(&issuer, &Value::Null).is_some() => false,
            None => match self.convention(caller.tenant_id, cpf_cnpj, ambiente, municipio).await? {
                Some(convention) if convention.is_open() => false,
                convention => self.provider_of_row(municipio, ambiente, convention).is_some(),
            },
        };
        Ok(if is_municipal { RPS } else { DPS })
    }
}

fn national(why: &str) -> Violation {
    let mensagem = format!(
        "{why}, e esta rota emite por um provedor municipal (ABRASF). Emita a DPS por POST /v1/nfse/emitir; se o município recebe por provedor próprio, \
         configure provedor em PUT /v1/empresas/{{cpf_cnpj}}/nfse."
    );
    Violation::of("cpf_cnpj", "provedor_nacional", &mensagem)
}

const CONFIGURED: &str = "O provedor de NFS-e configurado na empresa é do padrão nacional";
/// Reason taken from the table, with its sources.
fn table_reason(sources: &str) -> String {
    format!(
        "O município da empresa usa o emissor nacional da NFS-e ({sources}; o convênio não pôde ser consultado agora)"
    )
}

const EMITTER: &str = "O município da empresa usa o emissor nacional da NFS-e";
const CITY_HALL: &str = "à prefeitura";
const NO_MUNICIPALITY: &str = "A empresa não tem o município configurado, e ele decide quem recebe o RPS. Informe codigo_municipio em PUT \
                               /v1/empresas/{cpf_cnpj}/nfse.";
