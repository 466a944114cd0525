//! Who is being asked: model, authority, environment and service, read from the path of the address.
//!
//! Law: MOC 7.0 visão geral (services), `reference/nfe.md` §3.2 (who serves which state).

use fiscal::value::{TpAmb, Uf};

/// The services played here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Service {
    Autorizacao,
    RetAutorizacao,
    ConsultaProtocolo,
    StatusServico,
    Inutilizacao,
    RecepcaoEvento,
    ConsultaCadastro,
    DistribuicaoDFe,
}

/// What is said of a service on the wire.
struct Wire {
    service: Service,
    name: &'static str,
    operation: &'static str,
    request: &'static str,
    reply: &'static str,
    versao: &'static str,
}

const WIRE: [Wire; 8] = [
    Wire {
        service: Service::Autorizacao,
        name: "NFeAutorizacao4",
        operation: "nfeAutorizacaoLote",
        request: "enviNFe",
        reply: "retEnviNFe",
        versao: "4.00",
    },
    Wire {
        service: Service::RetAutorizacao,
        name: "NFeRetAutorizacao4",
        operation: "nfeRetAutorizacaoLote",
        request: "consReciNFe",
        reply: "retConsReciNFe",
        versao: "4.00",
    },
    Wire {
        service: Service::ConsultaProtocolo,
        name: "NFeConsultaProtocolo4",
        operation: "nfeConsultaNF",
        request: "consSitNFe",
        reply: "retConsSitNFe",
        versao: "4.00",
    },
    Wire {
        service: Service::StatusServico,
        name: "NFeStatusServico4",
        operation: "nfeStatusServicoNF",
        request: "consStatServ",
        reply: "retConsStatServ",
        versao: "4.00",
    },
    Wire {
        service: Service::Inutilizacao,
        name: "NFeInutilizacao4",
        operation: "nfeInutilizacaoNF",
        request: "inutNFe",
        reply: "retInutNFe",
        versao: "4.00",
    },
    Wire {
        service: Service::RecepcaoEvento,
        name: "NFeRecepcaoEvento4",
        operation: "nfeRecepcaoEvento",
        request: "envEvento",
        reply: "retEnvEvento",
        versao: "1.00",
    },
    Wire {
        service: Service::ConsultaCadastro,
        name: "CadConsultaCadastro4",
        operation: "consultaCadastro",
        request: "ConsCad",
        reply: "retConsCad",
        versao: "2.00",
    },
    Wire {
        service: Service::DistribuicaoDFe,
        name: "NFeDistribuicaoDFe",
        operation: "nfeDistDFeInteresse",
        request: "distDFeInt",
        reply: "retDistDFeInt",
        versao: "1.01",
    },
];

impl Service {
    pub(crate) const ALL: [Service; 8] = [
        Service::Autorizacao,
        Service::RetAutorizacao,
        Service::ConsultaProtocolo,
        Service::StatusServico,
        Service::Inutilizacao,
        Service::RecepcaoEvento,
        Service::ConsultaCadastro,
        Service::DistribuicaoDFe,
    ];
    pub(crate) fn from_name(name: &str) -> Option<Service> {
        WIRE.iter().find(|wire| wire.name == name).map(|wire| wire.service)
    }
    pub(crate) fn name(self) -> &'static str {
        self.wire().name
    }
    pub(crate) fn operation(self) -> &'static str {
        self.wire().operation
    }
    /// What else a client may call it: a batch that comes packed (MOC 7.0, visão geral, 5.1.1), and the register as the tables of clients have it,
    /// though no official text does (sped-nfe).
    pub(crate) fn other_action(self) -> Option<&'static str> {
        match self {
            Service::Autorizacao => Some("nfeAutorizacaoLoteZip"),
            Service::ConsultaCadastro => Some("consultaCadastro4"),
            _ => None,
        }
    }
    /// Root element of the request.
    pub(crate) fn request(self) -> &'static str {
        self.wire().request
    }
    /// Root element of the reply.
    pub(crate) fn reply(self) -> &'static str {
        self.wire().reply
    }
    /// `versao` of the layout.
    pub(crate) fn versao(self) -> &'static str {
        self.wire().versao
    }
    pub(crate) fn namespace(self) -> String {
        format!("http://www.portalfiscal.inf.br/nfe/wsdl/{}", self.name())
    }
    fn wire(self) -> &'static Wire {
        WIRE.iter().find(|wire| wire.service == self).unwrap_or(&WIRE[0])
    }
}

/// Kinds of authoriser, as protocol numbers tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    State(Uf),
    Svrs,
    Svan,
    SvcAn,
    SvcRs,
    National,
}

/// An authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Authority(Kind);

const OWN: [Uf; 10] = [Uf::AM, Uf::BA, Uf::GO, Uf::MG, Uf::MS, Uf::MT, Uf::PE, Uf::PR, Uf::RS, Uf::SP];
/// Those of model 65 (`reference/nfe.md` §3.2).
const OWN_OF_65: [Uf; 8] = [Uf::AM, Uf::GO, Uf::MG, Uf::MS, Uf::MT, Uf::PR, Uf::RS, Uf::SP];
const BY_SVC_RS: [Uf; 8] = [Uf::AM, Uf::BA, Uf::GO, Uf::MA, Uf::MS, Uf::MT, Uf::PE, Uf::PR];

impl Authority {
    /// From the path segment: `sp`, `svrs`, `svan`, `svc-an`, `svc-rs`, `an`.
    pub(crate) fn from_segment(segment: &str) -> Option<Authority> {
        Some(Authority(match segment {
            "svrs" => Kind::Svrs,
            "svan" => Kind::Svan,
            "svc-an" => Kind::SvcAn,
            "svc-rs" => Kind::SvcRs,
            "an" => Kind::National,
            sigla if sigla.chars().all(|letter| letter.is_ascii_lowercase()) => {
                Kind::State(Uf::from_sigla(&sigla.to_uppercase())?)
            }
            _ => return None,
        }))
    }
    pub(crate) fn segment(self) -> String {
        match self.0 {
            Kind::State(uf) => uf.sigla().to_lowercase(),
            Kind::Svrs => "svrs".to_owned(),
            Kind::Svan => "svan".to_owned(),
            Kind::SvcAn => "svc-an".to_owned(),
            Kind::SvcRs => "svc-rs".to_owned(),
            Kind::National => "an".to_owned(),
        }
    }
    /// Whether documents of a state and model are answered here. An address of the state's own answers for it whoever the
    /// authority is.
    fn serves(self, uf: Uf, modelo: u8) -> bool {
        match self.0 {
            Kind::State(own) => own == uf,
            Kind::Svrs if modelo == 65 => !OWN_OF_65.contains(&uf),
            Kind::Svrs => !OWN.contains(&uf) && uf != Uf::MA,
            Kind::Svan => modelo == 55 && uf == Uf::MA,
            Kind::SvcAn => !BY_SVC_RS.contains(&uf),
            Kind::SvcRs => BY_SVC_RS.contains(&uf),
            Kind::National => true,
        }
    }
    /// Ambiente Nacional.
    pub(crate) fn is_national(self) -> bool {
        self.0 == Kind::National
    }
    /// `cOrgao` of its answers to events.
    pub(crate) fn cOrgao(self) -> u8 {
        if self.is_national() { NATIONAL } else { self.cUF() }
    }
    /// Whether events addressed to this `cOrgao` come here.
    pub(crate) fn takes_events_for(self, cOrgao: &str) -> bool {
        match cOrgao.parse::<u8>() {
            Ok(NATIONAL) => self.is_national(),
            Ok(code) => {
                !self.is_national() && Uf::from_code(code).is_some_and(|uf| self.serves(uf, 55) || self.serves(uf, 65))
            }
            Err(_) => false,
        }
    }
    /// `tpEmis` of the contingency authoriser: 6 or 7.
    pub(crate) fn contingency(self) -> Option<u8> {
        match self.0 {
            Kind::SvcAn => Some(6),
            Kind::SvcRs => Some(7),
            _ => None,
        }
    }
    /// First digit of a protocol number.
    pub(crate) fn digit(self) -> u8 {
        match self.0 {
            Kind::State(_) => 1,
            Kind::National | Kind::SvcAn => 2,
            Kind::Svrs | Kind::SvcRs => 3,
            Kind::Svan => 4,
        }
    }
    /// Offset of its date-times: the state's own, Brasília's for the shared ones.
    pub(crate) fn offset_hours(self) -> i8 {
        match self.0 {
            Kind::State(uf) => uf.utc_offset_hours(),
            _ => -3,
        }
    }
    /// `cUF` when the request names none.
    pub(crate) fn cUF(self) -> u8 {
        match self.0 {
            Kind::State(uf) => uf.code(),
            Kind::Svrs | Kind::SvcRs => Uf::RS.code(),
            Kind::Svan | Kind::SvcAn | Kind::National => Uf::DF.code(),
        }
    }
}

/// `cOrgao` of the Ambiente Nacional.
const NATIONAL: u8 = 91;

/// Where a request arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) modelo: u8,
    pub(crate) authority: Authority,
    pub(crate) ambiente: TpAmb,
    pub(crate) service: Service,
}

impl Place {
    /// Whether documents of a state are answered here.
    pub(crate) fn serves(&self, uf: Uf) -> bool {
        self.authority.serves(uf, self.modelo)
    }
    /// From `/{nfe|nfce}/{authority}/{prod|hom}/{service}`.
    pub(crate) fn from_path(path: &str) -> Option<Place> {
        let mut segments = path.trim_matches('/').split('/');
        let place = Place {
            modelo: match segments.next()? {
                "nfe" => 55,
                "nfce" => 65,
                _ => return None,
            },
            authority: Authority::from_segment(segments.next()?)?,
            ambiente: match segments.next()? {
                "prod" => TpAmb::Producao,
                "hom" => TpAmb::Homologacao,
                _ => return None,
            },
            service: Service::from_name(segments.next()?)?,
        };
        // the Ambiente Nacional alone distributes documents
        let distributes = place.service != Service::DistribuicaoDFe || place.authority.is_national();
        (segments.next().is_none() && distributes).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_paths_of_the_template() {
        let place = Place::from_path("/nfe/svc-an/hom/NFeAutorizacao4").unwrap();
        assert_eq!((place.modelo, place.ambiente, place.service), (55, TpAmb::Homologacao, Service::Autorizacao));
        assert_eq!(place.authority.contingency(), Some(6));
        assert_eq!(place.authority.segment(), "svc-an");
        for wrong in [
            "/",
            "/nfe/xx/hom/NFeAutorizacao4",
            "/nfe/SP/hom/NFeAutorizacao4",
            "/nfe/sp/hom/NFeAutorizacao",
            "/nfe/sp/hom/NFeAutorizacao4/x",
        ] {
            assert!(Place::from_path(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn every_state_is_served_by_one_normal_and_one_contingency_authority() {
        for (uf, modelo, own) in
            Uf::ALL.into_iter().flat_map(|uf| [(uf, 55, OWN.contains(&uf)), (uf, 65, OWN_OF_65.contains(&uf))])
        {
            let serves = |name: &&&str| Authority::from_segment(name).unwrap().serves(uf, modelo);
            let by = |names: &[&str]| names.iter().filter(serves).count();
            assert_eq!(usize::from(own) + by(&["svrs", "svan"]), 1, "{uf:?} {modelo}");
            assert_eq!(by(&["svc-an", "svc-rs"]), 1, "{uf:?}");
        }
    }
}
