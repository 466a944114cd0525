//! Paths of the national NFS-e: environment, host and route.

use crate::faults::FaultTarget;
use fiscal::value::TpAmb;
use http::Method;

/// Host of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NationalHost {
    Sefin,
    /// Own server of a município, by its IBGE code.
    Municipality(u32),
    /// Ambiente de Dados Nacional.
    Adn,
    Parameters,
}

impl NationalHost {
    /// Name in faults and requests.
    pub(super) fn segment(self) -> String {
        match self {
            NationalHost::Sefin => "sefin".to_owned(),
            NationalHost::Municipality(codigo) => codigo.to_string(),
            NationalHost::Adn => "adn".to_owned(),
            NationalHost::Parameters => "parametrizacao".to_owned(),
        }
    }
    /// `ambGer` of documents made by this host.
    pub(super) fn ambGer(self) -> u8 {
        if matches!(self, NationalHost::Municipality(_)) { 1 } else { 2 }
    }
}

/// A path, read as far as the host.
pub(crate) struct NationalAddress {
    pub(super) ambiente: TpAmb,
    pub(super) host: NationalHost,
    rest: Vec<String>,
}

/// Route of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NationalRoute<'p> {
    Issue,
    Note(&'p str),
    Dps(&'p str),
    DpsExists(&'p str),
    Register(&'p str),
    /// Events of a note: all, those of a kind, or one.
    Events(&'p str, Option<&'p str>, Option<&'p str>),
    /// Documents from an NSU on.
    Distribution(&'p str),
    EventsOfNote(&'p str),
    Agreement(&'p str),
    /// Município, service, month.
    Rates(&'p str, &'p str, Option<&'p str>),
    SpecialRegimes(&'p str, &'p str, &'p str),
    Withholding(&'p str, &'p str),
    /// Município, benefit, month.
    Benefit(&'p str, &'p str, &'p str),
    /// A route that answers that it moved.
    Moved,
}

/// Names of the services in faults.
pub(crate) const SERVICES: [&str; 8] = [
    "POST /nfse",
    "GET /nfse",
    "GET /dps",
    "HEAD /dps",
    "POST /nfse/eventos",
    "GET /nfse/eventos",
    "GET /contribuintes",
    "GET /parametrizacao",
];

/// Names of authorities in a template.
const AUTHORITIES: [&str; 2] = ["sefin-nacional", "an"];
/// Prefix of the own server of a município there, before its IBGE code.
const OWN: &str = "propria-";

impl NationalAddress {
    /// Reads `/nfse/{prod|hom}/…`, or `/nfse/{authority}/{prod|hom}/{service}/…` as the template of a table of
    /// authorities writes it; `None` when it is none of these paths.
    pub(crate) fn from_path(path: &str) -> Option<NationalAddress> {
        let mut segments = path.trim_matches('/').split('/');
        if segments.next() != Some("nfse") {
            return None;
        }
        let mut first = segments.next()?;
        let own = first.strip_prefix(OWN).and_then(|codigo| codigo.parse().ok()).map(NationalHost::Municipality);
        if own.is_some() || AUTHORITIES.contains(&first) {
            first = segments.next()?;
        }
        let ambiente = match first {
            "prod" => TpAmb::Producao,
            "hom" => TpAmb::Homologacao,
            _ => return None,
        };
        let host = match segments.next()? {
            "NFSe" | "DPS" | "Eventos" => own.unwrap_or(NationalHost::Sefin),
            "SefinNacional" => NationalHost::Sefin,
            "contribuintes" => NationalHost::Adn,
            "parametrizacao" => NationalHost::Parameters,
            "municipios" => NationalHost::Municipality(segments.next()?.parse().ok()?),
            _ => return None,
        };
        Some(NationalAddress { ambiente, host, rest: segments.map(str::to_owned).collect() })
    }

    /// The path behind the host's address.
    pub(super) fn path_below_host(&self) -> String {
        format!("/{}", self.rest.join("/"))
    }

    /// Route of a method at this path.
    pub(super) fn requested_route(&self, method: &Method) -> Option<NationalRoute<'_>> {
        let rest: Vec<&str> = self.rest.iter().map(String::as_str).collect();
        match self.host {
            NationalHost::Sefin | NationalHost::Municipality(_) => of_documents(method, &rest),
            NationalHost::Adn | NationalHost::Parameters if *method != Method::GET => None,
            NationalHost::Adn => match rest.as_slice() {
                ["DFe", nsu] => Some(NationalRoute::Distribution(nsu)),
                ["NFSe", chave, "Eventos"] => Some(NationalRoute::EventsOfNote(chave)),
                _ => None,
            },
            NationalHost::Parameters => match rest.as_slice() {
                [municipio, "convenio"] => Some(NationalRoute::Agreement(municipio)),
                [municipio, servico, "historicoaliquotas"] => Some(NationalRoute::Rates(municipio, servico, None)),
                [municipio, servico, mes, "aliquota"] => Some(NationalRoute::Rates(municipio, servico, Some(mes))),
                [municipio, servico, mes, "regimes_especiais"] => {
                    Some(NationalRoute::SpecialRegimes(municipio, servico, mes))
                }
                [municipio, mes, "retencoes"] => Some(NationalRoute::Withholding(municipio, mes)),
                [municipio, numero, mes, "beneficio"] => Some(NationalRoute::Benefit(municipio, numero, mes)),
                _ => None,
            },
        }
    }
}

fn of_documents<'p>(method: &Method, rest: &[&'p str]) -> Option<NationalRoute<'p>> {
    match (method.as_str(), rest) {
        ("POST", ["nfse"]) => Some(NationalRoute::Issue),
        ("GET", ["nfse", chave]) => Some(NationalRoute::Note(chave)),
        ("GET", ["dps", id]) => Some(NationalRoute::Dps(id)),
        ("HEAD", ["dps", id]) => Some(NationalRoute::DpsExists(id)),
        ("POST", ["nfse", chave, "eventos"]) => Some(NationalRoute::Register(chave)),
        ("GET", ["nfse", chave, "eventos"]) => Some(NationalRoute::Events(chave, None, None)),
        ("GET", ["nfse", chave, "eventos", tipo]) => Some(NationalRoute::Events(chave, Some(tipo), None)),
        ("GET", ["nfse", chave, "eventos", tipo, numero]) => {
            Some(NationalRoute::Events(chave, Some(tipo), Some(numero)))
        }
        ("GET", ["DANFSe" | "ParametrosMunicipais"]) => Some(NationalRoute::Moved),
        _ => None,
    }
}

impl NationalRoute<'_> {
    /// Target of the route in faults.
    pub(super) fn target(&self) -> FaultTarget {
        let at = match self {
            NationalRoute::Issue => 0,
            NationalRoute::Note(_) | NationalRoute::Moved => 1,
            NationalRoute::Dps(_) => 2,
            NationalRoute::DpsExists(_) => 3,
            NationalRoute::Register(_) => 4,
            NationalRoute::Events(..) => 5,
            NationalRoute::Distribution(_) | NationalRoute::EventsOfNote(_) => 6,
            NationalRoute::Agreement(_)
            | NationalRoute::Rates(..)
            | NationalRoute::SpecialRegimes(..)
            | NationalRoute::Withholding(..)
            | NationalRoute::Benefit(..) => 7,
        };
        let name = SERVICES.get(at).copied().unwrap_or_default();
        FaultTarget {
            name,
            service: None,
            packed: true,
            takes_documents: *self == NationalRoute::Issue,
            registers: matches!(self, NationalRoute::Issue | NationalRoute::Register(_)),
            names_documents: matches!(self, NationalRoute::Issue | NationalRoute::Note(_) | NationalRoute::Dps(_)),
            shows_digests: matches!(self, NationalRoute::Issue | NationalRoute::Note(_)),
            municipal: false,
        }
    }
    /// The member of the request's JSON that holds a document.
    pub(super) fn member(&self) -> Option<&'static str> {
        match self {
            NationalRoute::Issue => Some("dpsXmlGZipB64"),
            NationalRoute::Register(_) => Some("pedidoRegistroEventoXmlGZipB64"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_methods_tell_what_is_asked() {
        let target = |method: Method, path: &str| {
            let address = NationalAddress::from_path(path)?;
            address.requested_route(&method).map(|ask| (address.host, ask.target().name))
        };
        let base = "/nfse/hom/SefinNacional";
        for (method, path, name) in [
            (Method::POST, "/nfse", "POST /nfse"),
            (Method::GET, "/nfse/35", "GET /nfse"),
            (Method::GET, "/dps/DPS1", "GET /dps"),
            (Method::HEAD, "/dps/DPS1", "HEAD /dps"),
            (Method::POST, "/nfse/35/eventos", "POST /nfse/eventos"),
            (Method::GET, "/nfse/35/eventos/101101/1", "GET /nfse/eventos"),
        ] {
            assert_eq!(target(method, &format!("{base}{path}")), Some((NationalHost::Sefin, name)), "{path}");
        }
        assert_eq!(
            target(Method::POST, "/nfse/prod/municipios/2927408/nfse").unwrap().0,
            NationalHost::Municipality(2_927_408)
        );
        assert_eq!(target(Method::GET, "/nfse/hom/contribuintes/DFe/0").unwrap().1, "GET /contribuintes");
        assert_eq!(target(Method::GET, "/nfse/hom/parametrizacao/3550308/convenio").unwrap().1, "GET /parametrizacao");
        assert_eq!(
            target(Method::GET, "/nfse/sefin-nacional/hom/DPS/dps/DPS1").unwrap(),
            (NationalHost::Sefin, "GET /dps")
        );
        let own = target(Method::GET, "/nfse/propria-2927408/hom/DPS/dps/DPS1").unwrap();
        assert_eq!(own, (NationalHost::Municipality(2_927_408), "GET /dps"));
        assert_eq!(target(Method::GET, "/nfse/an/hom/contribuintes/DFe/0").unwrap().0, NationalHost::Adn);
        assert_eq!(target(Method::DELETE, "/nfse/hom/SefinNacional/nfse"), None);
        assert_eq!(target(Method::POST, "/nfse/hom/contribuintes/DFe/0"), None);
        for path in ["/nfse/sp/hom/NFeAutorizacao4", "/nfse/x/SefinNacional/nfse", "/nfe/sp/hom/NFeAutorizacao4"] {
            assert!(NationalAddress::from_path(path).is_none(), "{path}");
        }
    }
}
