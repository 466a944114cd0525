//! Calls to the Sefin: `/nfse`, `/dps`, `/nfse/{chave}/eventos`.

use super::AUTHORITY;
use super::packed::pack;
use crate::call::{AuthorityCall, CallMethod};
use crate::table::endpoint::Endpoint;
use crate::table::service::AuthorityService;
use fiscal::value::ChaveNfse;

/// Address of the Sefin. That of produção restrita was published in two forms, so the operator may replace it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SefinEndpoint {
    base: String,
    authority: String,
    given: bool,
}

impl SefinEndpoint {
    /// Builds calls below a base address, e.g. `https://sefin.nfse.gov.br/SefinNacional`.
    pub fn at(base: &str) -> SefinEndpoint {
        SefinEndpoint { base: base.trim_end_matches('/').to_owned(), authority: AUTHORITY.to_owned(), given: false }
    }

    /// Builds calls to a row of the table.
    pub fn of(endpoint: &Endpoint) -> SefinEndpoint {
        SefinEndpoint {
            authority: endpoint.authority.clone(),
            given: endpoint.from_company,
            ..SefinEndpoint::at(&endpoint.url)
        }
    }

    /// Submits a signed DPS; the answer holds the NFS-e.
    pub fn issue(&self, signed: &str) -> AuthorityCall {
        let body = format!(r#"{{"dpsXmlGZipB64":"{}"}}"#, pack(signed));
        self.post(AuthorityService::Autorizacao, "NFSe", "nfse", body)
    }

    /// Queries the NFS-e of a key.
    pub fn nfse(&self, chave: &ChaveNfse) -> AuthorityCall {
        self.ask(CallMethod::Get, AuthorityService::ConsultaProtocolo, "NFSe", &format!("nfse/{}", chave.as_str()))
    }

    /// Queries the key of a DPS's NFS-e; allowed to the parties of the DPS only.
    pub fn dps(&self, id: &str) -> AuthorityCall {
        self.ask(CallMethod::Get, AuthorityService::ConsultaProtocolo, "DPS", &format!("dps/{id}"))
    }

    /// Queries the existence of a DPS's NFS-e; allowed to any certificate.
    pub fn exists(&self, id: &str) -> AuthorityCall {
        self.ask(CallMethod::Head, AuthorityService::ConsultaProtocolo, "DPS", &format!("dps/{id}"))
    }

    /// Submits a signed request of an event.
    pub fn event(&self, chave: &ChaveNfse, signed: &str) -> AuthorityCall {
        self.event_on(chave.as_str(), signed)
    }

    pub(super) fn event_on(&self, chave: &str, signed: &str) -> AuthorityCall {
        let body = format!(r#"{{"pedidoRegistroEventoXmlGZipB64":"{}"}}"#, pack(signed));
        self.post(AuthorityService::RecepcaoEvento, "Eventos", &format!("nfse/{chave}/eventos"), body)
    }

    /// Queries an event of a note.
    pub fn event_of(&self, chave: &ChaveNfse, tipoEvento: &str, numero: u16) -> AuthorityCall {
        let path = format!("nfse/{}/eventos/{tipoEvento}/{numero}", chave.as_str());
        self.ask(CallMethod::Get, AuthorityService::RecepcaoEvento, "Eventos", &path)
    }

    /// Queries all events of a note.
    pub fn events(&self, chave: &ChaveNfse) -> AuthorityCall {
        self.ask(
            CallMethod::Get,
            AuthorityService::RecepcaoEvento,
            "Eventos",
            &format!("nfse/{}/eventos", chave.as_str()),
        )
    }

    fn post(&self, service: AuthorityService, name: &'static str, path: &str, body: String) -> AuthorityCall {
        let mut call = self.ask(CallMethod::Post, service, name, path);
        call.headers.push(("content-type", "application/json".to_owned()));
        call.body = body.into_bytes();
        call
    }

    fn ask(&self, method: CallMethod, service: AuthorityService, name: &'static str, path: &str) -> AuthorityCall {
        AuthorityCall { from_company: self.given, ..ask(&self.base, &self.authority, method, service, name, path) }
    }
}

/// A query below a base address.
pub(super) fn ask(
    base: &str,
    authority: &str,
    method: CallMethod,
    service: AuthorityService,
    name: &'static str,
    path: &str,
) -> AuthorityCall {
    AuthorityCall {
        method,
        url: format!("{}/{path}", base.trim_end_matches('/')),
        headers: vec![("accept", "application/json".to_owned())],
        body: Vec::new(),
        authority: authority.to_owned(),
        service,
        name,
        from_company: false,
        secrets: Vec::new(),
    }
}
