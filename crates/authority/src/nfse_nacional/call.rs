//! The calls: `/nfse`, `/dps`, `/nfse/{chave}/eventos`.

use super::AUTHORITY;
use super::packed::pack;
use crate::call::{Call, Method};
use crate::table::{Endpoint, Service};
use fiscal::value::ChaveNfse;

/// Where the Sefin answers; the address of produção restrita was published in two forms, so it is the operator's to
/// say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sefin {
    base: String,
    authority: String,
    given: bool,
}

impl Sefin {
    /// With the address that every path is put behind, e.g. `https://sefin.nfse.gov.br/SefinNacional`.
    pub fn at(base: &str) -> Sefin {
        Sefin { base: base.trim_end_matches('/').to_owned(), authority: AUTHORITY.to_owned(), given: false }
    }

    /// Of a row of the table.
    pub fn of(endpoint: &Endpoint) -> Sefin {
        Sefin { authority: endpoint.authority.clone(), given: endpoint.given, ..Sefin::at(&endpoint.url) }
    }

    /// Hands a signed DPS in: the NFS-e comes back at once.
    pub fn issue(&self, signed: &str) -> Call {
        let body = format!(r#"{{"dpsXmlGZipB64":"{}"}}"#, pack(signed));
        self.post(Service::Autorizacao, "NFSe", "nfse", body)
    }

    /// The NFS-e of a key.
    pub fn nfse(&self, chave: &ChaveNfse) -> Call {
        self.ask(Method::Get, Service::ConsultaProtocolo, "NFSe", &format!("nfse/{}", chave.as_str()))
    }

    /// The key that a DPS became, for those who are named in it.
    pub fn dps(&self, id: &str) -> Call {
        self.ask(Method::Get, Service::ConsultaProtocolo, "DPS", &format!("dps/{id}"))
    }

    /// Whether a DPS became an NFS-e; any certificate may ask.
    pub fn exists(&self, id: &str) -> Call {
        self.ask(Method::Head, Service::ConsultaProtocolo, "DPS", &format!("dps/{id}"))
    }

    /// Hands a signed request of an event in.
    pub fn event(&self, chave: &ChaveNfse, signed: &str) -> Call {
        self.event_on(chave.as_str(), signed)
    }

    pub(super) fn event_on(&self, chave: &str, signed: &str) -> Call {
        let body = format!(r#"{{"pedidoRegistroEventoXmlGZipB64":"{}"}}"#, pack(signed));
        self.post(Service::RecepcaoEvento, "Eventos", &format!("nfse/{chave}/eventos"), body)
    }

    /// One event of a note.
    pub fn event_of(&self, chave: &ChaveNfse, tipoEvento: &str, numero: u16) -> Call {
        let path = format!("nfse/{}/eventos/{tipoEvento}/{numero}", chave.as_str());
        self.ask(Method::Get, Service::RecepcaoEvento, "Eventos", &path)
    }

    /// Everything that was registered on a note.
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

/// A question behind an address.
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
