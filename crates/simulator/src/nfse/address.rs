//! Paths of the national NFS-e: environment, host and route.

use crate::faults::Target;
use fiscal::value::TpAmb;
use http::Method;

/// Host of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Host {
    Sefin,
    /// Own server of a município, by its IBGE code.
    Municipality(u32),
    /// Ambiente de Dados Nacional.
    Adn,
    Parameters,
}

impl Host {
    /// Name in faults and requests.
    pub(super) fn segment(self) -> String {
        match self {
            Host::Sefin => "sefin".to_owned(),
            Host::Municipality(codigo) => codigo.to_string(),
            Host::Adn => "adn".to_owned(),
            Host::Parameters => "parametrizacao".to_owned(),
        }
    }
    /// `ambGer` of documents made by this host.
    pub(super) fn ambGer(self) -> u8 {
        if matches!(self, Host::Municipality(_)) { 1 } else { 2 }
    }
}

/// A path, read as far as the host.
pub(crate) struct Address {
    pub(super) ambiente: TpAmb,
    pub(super) host: Host,
    rest: Vec<String>,
}

/// Route of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask<'p> {
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

impl Address {
    /// Reads `/nfse/{prod|hom}/…`, or `/nfse/{authority}/{prod|hom}/{service}/…` as the template of a table of
    /// authorities writes it; `None` when it is none of these paths.
    pub(crate) fn from_path(path: &str) -> Option<Address> {
        let mut segments = path.trim_matches('/').split('/');
        if segments.next() != Some("nfse") {
            return None;
        }
        let mut first = segments.next()?;
        let own = first.strip_prefix(OWN).and_then(|codigo| codigo.parse().ok()).map(Host::Municipality);
        if own.is_some() || AUTHORITIES.contains(&first) {
            first = segments.next()?;
        }
        let ambiente = match first {
            "prod" => TpAmb::Producao,
            "hom" => TpAmb::Homologacao,
            _ => return None,
        };
        let host = match segments.next()? {
            "NFSe" | "DPS" | "Eventos" => own.unwrap_or(Host::Sefin),
            "SefinNacional" => Host::Sefin,
            "contribuintes" => Host::Adn,
            "parametrizacao" => Host::Parameters,
            "municipios" => Host::Municipality(segments.next()?.parse().ok()?),
            _ => return None,
        };
        Some(Address { ambiente, host, rest: segments.map(str::to_owned).collect() })
    }

    /// The path behind the host's address.
    pub(super) fn behind(&self) -> String {
        format!("/{}", self.rest.join("/"))
    }

    /// Route of a method at this path.
    pub(super) fn ask(&self, method: &Method) -> Option<Ask<'_>> {
        let rest: Vec<&str> = self.rest.iter().map(String::as_str).collect();
        match self.host {
            Host::Sefin | Host::Municipality(_) => of_documents(method, &rest),
            Host::Adn | Host::Parameters if *method != Method::GET => None,
            Host::Adn => match rest.as_slice() {
                ["DFe", nsu] => Some(Ask::Distribution(nsu)),
                ["NFSe", chave, "Eventos"] => Some(Ask::EventsOfNote(chave)),
                _ => None,
            },
            Host::Parameters => match rest.as_slice() {
                [municipio, "convenio"] => Some(Ask::Agreement(municipio)),
                [municipio, servico, "historicoaliquotas"] => Some(Ask::Rates(municipio, servico, None)),
                [municipio, servico, mes, "aliquota"] => Some(Ask::Rates(municipio, servico, Some(mes))),
                [municipio, servico, mes, "regimes_especiais"] => Some(Ask::SpecialRegimes(municipio, servico, mes)),
                [municipio, mes, "retencoes"] => Some(Ask::Withholding(municipio, mes)),
                [municipio, numero, mes, "beneficio"] => Some(Ask::Benefit(municipio, numero, mes)),
                _ => None,
            },
        }
    }
}

fn of_documents<'p>(method: &Method, rest: &[&'p str]) -> Option<Ask<'p>> {
    match (method.as_str(), rest) {
        ("POST", ["nfse"]) => Some(Ask::Issue),
        ("GET", ["nfse", chave]) => Some(Ask::Note(chave)),
        ("GET", ["dps", id]) => Some(Ask::Dps(id)),
        ("HEAD", ["dps", id]) => Some(Ask::DpsExists(id)),
        ("POST", ["nfse", chave, "eventos"]) => Some(Ask::Register(chave)),
        ("GET", ["nfse", chave, "eventos"]) => Some(Ask::Events(chave, None, None)),
        ("GET", ["nfse", chave, "eventos", tipo]) => Some(Ask::Events(chave, Some(tipo), None)),
        ("GET", ["nfse", chave, "eventos", tipo, numero]) => Some(Ask::Events(chave, Some(tipo), Some(numero))),
        ("GET", ["DANFSe" | "ParametrosMunicipais"]) => Some(Ask::Moved),
        _ => None,
    }
}

impl Ask<'_> {
    /// Target of the route in faults.
    pub(super) fn target(&self) -> Target {
        let at = match self {
            Ask::Issue => 0,
            Ask::Note(_) | Ask::Moved => 1,
            Ask::Dps(_) => 2,
            Ask::DpsExists(_) => 3,
            Ask::Register(_) => 4,
            Ask::Events(..) => 5,
            Ask::Distribution(_) | Ask::EventsOfNote(_) => 6,
            Ask::Agreement(_) | Ask::Rates(..) | Ask::SpecialRegimes(..) | Ask::Withholding(..) | Ask::Benefit(..) => 7,
        };
        let name = SERVICES.get(at).copied().unwrap_or_default();
        Target {
            name,
            service: None,
            packed: true,
            takes_documents: *self == Ask::Issue,
            registers: matches!(self, Ask::Issue | Ask::Register(_)),
            names_documents: matches!(self, Ask::Issue | Ask::Note(_) | Ask::Dps(_)),
            shows_digests: matches!(self, Ask::Issue | Ask::Note(_)),
            municipal: false,
        }
    }
    /// The member of the request's JSON that holds a document.
    pub(super) fn member(&self) -> Option<&'static str> {
        match self {
            Ask::Issue => Some("dpsXmlGZipB64"),
            Ask::Register(_) => Some("pedidoRegistroEventoXmlGZipB64"),
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
            let address = Address::from_path(path)?;
            address.ask(&method).map(|ask| (address.host, ask.target().name))
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
            assert_eq!(target(method, &format!("{base}{path}")), Some((Host::Sefin, name)), "{path}");
        }
        assert_eq!(
            target(Method::POST, "/nfse/prod/municipios/2927408/nfse").unwrap().0,
            Host::Municipality(2_927_408)
        );
        assert_eq!(target(Method::GET, "/nfse/hom/contribuintes/DFe/0").unwrap().1, "GET /contribuintes");
        assert_eq!(target(Method::GET, "/nfse/hom/parametrizacao/3550308/convenio").unwrap().1, "GET /parametrizacao");
        assert_eq!(target(Method::GET, "/nfse/sefin-nacional/hom/DPS/dps/DPS1").unwrap(), (Host::Sefin, "GET /dps"));
        let own = target(Method::GET, "/nfse/propria-2927408/hom/DPS/dps/DPS1").unwrap();
        assert_eq!(own, (Host::Municipality(2_927_408), "GET /dps"));
        assert_eq!(target(Method::GET, "/nfse/an/hom/contribuintes/DFe/0").unwrap().0, Host::Adn);
        assert_eq!(target(Method::DELETE, "/nfse/hom/SefinNacional/nfse"), None);
        assert_eq!(target(Method::POST, "/nfse/hom/contribuintes/DFe/0"), None);
        for path in ["/nfse/sp/hom/NFeAutorizacao4", "/nfse/x/SefinNacional/nfse", "/nfe/sp/hom/NFeAutorizacao4"] {
            assert!(Address::from_path(path).is_none(), "{path}");
        }
    }
}
