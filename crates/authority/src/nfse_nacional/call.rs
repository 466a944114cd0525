//! Calls to the Sefin: `/nfse`, `/dps`, `/nfse/{chave}/eventos`.

use super::AUTHORITY;
use super::packed::pack;
use crate::call::{Call, Method};
use crate::table::{Endpoint, Service};
use fiscal::value::ChaveNfse;

/// Address of the Sefin. That of produção restrita was published in two forms, so the operator may replace it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sefin {
    base: String,
    authority: String,
    given: bool,
}

impl Sefin {
    /// Builds calls below a base address, e.g. `https://sefin.nfse.gov.br/SefinNacional`.
    pub fn at(base: &str) -> Sefin {
        Sefin { base: base.trim_end_matches('/').to_owned(), authority: AUTHORITY.to_owned(), given: false }
    }

    /// Builds calls to a row of the table.
    pub fn of(endpoint: &Endpoint) -> Sefin {
        Sefin { authority: endpoint.authority.clone(), given: endpoint.given, ..Sefin::at(&endpoint.url) }
    }

    /// Submits a signed DPS; the answer holds the NFS-e.
    pub fn issue(&self, signed: &str) -> Call {
        let body = format!(r#"{{"dpsXmlGZipB64":"{}"}}"#, pack(signed));
        self.post(Service::Autorizacao, "NFSe", "nfse", body)
    }

    /// Queries the NFS-e of a key.
    pub fn nfse(&self, chave: &ChaveNfse) -> Call {
        self.ask(Method::Get, Service::ConsultaProtocolo, "NFSe", &format!("nfse/{}", chave.as_str()))
    }

    /// Queries the key of a DPS's NFS-e; allowed to the parties of the DPS only.
    pub fn dps(&self, id: &str) -> Call {
        self.ask(Method::Get, Service::ConsultaProtocolo, "DPS", &format!("dps/{id}"))
    }

    /// Queries the existence of a DPS's NFS-e; allowed to any certificate.
    pub fn exists(&self, id: &str) -> Call {
        self.ask(Method::Head, Service::ConsultaProtocolo, "DPS", &format!("dps/{id}"))
    }

    /// Submits a signed request of an event.
    pub fn event(&self, chave: &ChaveNfse, signed: &str) -> Call {
        self.event_on(chave.as_str(), signed)
    }

    pub(super) fn event_on(&self, chave: &str, signed: &str) -> Call {
        let body = format!(r#"{{"pedidoRegistroEventoXmlGZipB64":"{}"}}"#, pack(signed));
        self.post(Service::RecepcaoEvento, "Eventos", &format!("nfse/{chave}/eventos"), body)
    }

    /// Queries an event of a note.
    pub fn event_of(&self, chave: &ChaveNfse, tipoEvento: &str, numero: u16) -> Call {
        let path = format!("nfse/{}/eventos/{tipoEvento}/{numero}", chave.as_str());
        self.ask(Method::Get, Service::RecepcaoEvento, "Eventos", &path)
    }

    /// Queries all events of a note.
    pub fn events(&self, chave: &ChaveNfse) -> Call {
        self.ask(Method::Get, Service::RecepcaoEvento, "Eventos", &format!("nfse/{}/eventos", chave.as_str()))
    }

    fn post(&self, service: Service, name: &'static str, path: &str, body: String) -> Call {
        let mut call = self.ask(Method::Post, service, name, path);
        call.headers.push(("content-type", "application/json".to_owned()));
        call.body = body.into_bytes();
        call
    }

    fn ask(&self, method: Method, service: Service, name: &'static str, path: &str) -> Call {
        Call { given: self.given, ..ask(&self.base, &self.authority, method, service, name, path) }
    }
}

/// A query below a base address.
pub(super) fn ask(
    base: &str,
    authority: &str,
    method: Method,
    service: Service,
    name: &'static str,
    path: &str,
) -> Call {
    Call {
        method,
        url: format!("{}/{path}", base.trim_end_matches('/')),
        headers: vec![("accept", "application/json".to_owned())],
        body: Vec::new(),
        authority: authority.to_owned(),
        service,
        name,
        given: false,
        hidden: Vec::new(),
    }
}
