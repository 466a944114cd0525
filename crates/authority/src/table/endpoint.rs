//! An address to call.

use super::service::AuthorityService;
use crate::abrasf::provider_call::ProviderCall;
use std::sync::Arc;

/// An address to call, with the names that its service has there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Name of the authority, e.g. `SP`, `SVRS`, `SVC-AN`, `AN`.
    pub authority: String,
    pub service: AuthorityService,
    /// Official name of the service, e.g. `NFeAutorizacao4`.
    pub name: &'static str,
    /// Namespace of the WSDL, e.g. `http://www.portalfiscal.inf.br/nfe/wsdl/NFeAutorizacao4`.
    pub namespace: String,
    /// Operation of the WSDL, e.g. `nfeAutorizacaoLote`.
    pub operation: &'static str,
    /// SOAPAction.
    pub action: String,
    /// Full https address.
    pub url: String,
    /// Named quirks of the authority (see the table).
    pub quirks: Vec<String>,
    /// Row, dialect and issuer of a call to a municipal provider.
    pub provider: Option<Arc<ProviderCall>>,
    /// The address comes from a company's configuration, not the operator's.
    pub from_company: bool,
}

impl Endpoint {
    /// True when the authority has this quirk.
    pub fn has_quirk(&self, name: &str) -> bool {
        self.quirks.iter().any(|quirk| quirk == name)
    }
}
