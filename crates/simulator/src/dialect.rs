//! Differences between the families of documents: a row per model and a row per namespace. Other modules read these
//! rows and compare no model numbers.
//!
//! Law: MOC 7.0 visão geral (NF-e, NFC-e); MOC CT-e 4.00 visão geral (CT-e, CT-e OS); the authorisers of the states as
//! listed at the national portals.

use crate::authorizer::AuthorizerType;
use crate::message_codes;
use fiscal::layout::{self, Layout};
use fiscal::value::Uf;

/// Kind of service. Each family has its own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ServiceKind {
    Autorizacao,
    RetAutorizacao,
    ConsultaProtocolo,
    StatusServico,
    Inutilizacao,
    RecepcaoEvento,
    ConsultaCadastro,
    DistribuicaoDFe,
}

/// Names of a service on the wire.
pub(crate) struct ServiceWire {
    pub(crate) service: ServiceKind,
    /// Official name.
    pub(crate) name: &'static str,
    pub(crate) operation: &'static str,
    /// Another name of the operation that clients use.
    pub(crate) other_action: Option<&'static str>,
    /// Root element of the request.
    pub(crate) request: &'static str,
    /// Root element of the reply.
    pub(crate) reply: &'static str,
    /// `versao` of the layout.
    pub(crate) versao: &'static str,
    /// True when the message always comes as base64 of its gzip.
    pub(crate) packed: bool,
    /// Layout of the request; one service has none in any package that is compiled.
    pub(crate) layout: Option<&'static Layout>,
}

impl ServiceWire {
    /// True where an answer carries protocols.
    pub(crate) fn names_documents(&self) -> bool {
        matches!(self.service, ServiceKind::Autorizacao | ServiceKind::RetAutorizacao | ServiceKind::ConsultaProtocolo)
    }
}

/// Set of services, one for each namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DialectKind {
    /// NF-e and NFC-e.
    Nfe,
    /// CT-e and CT-e OS.
    Cte,
}

/// Properties shared by the services of a namespace.
pub(crate) struct SoapDialect {
    pub(crate) kind: DialectKind,
    /// Default namespace of every message.
    pub(crate) namespace: &'static str,
    /// Element around a message in its envelope.
    pub(crate) data: &'static str,
    /// Element around an answer; named after the operation when `None`.
    pub(crate) result: Option<&'static str>,
    /// Largest message, in bytes (214).
    pub(crate) largest: usize,
    /// Code of a packed message that cannot be unpacked.
    pub(crate) unpacking: u16,
    /// Codes of a message whose root, version or layout is wrong: of an authorisation, of any other service.
    pub(crate) misshapen: [ShapeCodes; 2],
    /// Codes of prefixes, foreign declarations and blanks, in the order of the checks.
    pub(crate) form: [(TextDefect, u16); 3],
    /// Code of undue use.
    pub(crate) undue_use: u16,
    /// True for a code that is answered before a document is looked at.
    pub(crate) of_the_message: fn(u16) -> bool,
    /// Official text of a code.
    pub(crate) motivo: fn(u16) -> Option<&'static str>,
    /// First digit of protocol numbers; 1 for an authority of a state.
    digits: &'static [(AuthorizerType, u8)],
    /// Authorities of contingency and the `tpEmis` that they take: the one of the states `by_svc_rs`, and the one of
    /// the other states.
    contingencies: [(AuthorizerType, u8); 2],
    by_svc_rs: &'static [Uf],
    /// `versao` of a message, on the root of the document or below.
    pub(crate) versao_of: fn(&fiscal::xml::Element) -> Option<&str>,
}

/// Codes of a message that does not fit its service.
pub(crate) struct ShapeCodes {
    pub(crate) root: u16,
    pub(crate) versao: u16,
    pub(crate) layout: u16,
}

/// A defect of the text of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextDefect {
    Prefixed,
    Foreign,
    Blanks,
}

/// A model of document.
pub(crate) struct ModelFamily {
    /// First segment of the addresses.
    pub(crate) segment: &'static str,
    pub(crate) modelo: u8,
    pub(crate) dialect: &'static SoapDialect,
    pub(crate) services: &'static [ServiceWire],
    /// States with an authority of their own.
    own: &'static [Uf],
    /// States served by SVAN.
    svan: &'static [Uf],
    /// States served by São Paulo for others.
    svsp: &'static [Uf],
}

pub(crate) static FAMILIES: [ModelFamily; 4] = [
    ModelFamily {
        segment: "nfe",
        modelo: 55,
        dialect: &NFE,
        services: &OF_NFE,
        own: &OWN_55,
        svan: &[Uf::MA],
        svsp: &[],
    },
    ModelFamily { segment: "nfce", modelo: 65, dialect: &NFE, services: &OF_NFE, own: &OWN_65, svan: &[], svsp: &[] },
    ModelFamily { segment: "cte", modelo: 57, dialect: &CTE, services: &OF_CTE, own: &OWN_CTE, svan: &[], svsp: &SVSP },
    ModelFamily {
        segment: "cte",
        modelo: 67,
        dialect: &CTE,
        services: &OF_CTE_OS,
        own: &OWN_CTE,
        svan: &[],
        svsp: &SVSP,
    },
];

impl ModelFamily {
    /// The service of this name at addresses that begin with this segment.
    pub(crate) fn find(segment: &str, name: &str) -> Option<(&'static ModelFamily, &'static ServiceWire)> {
        let families = FAMILIES.iter().filter(|family| family.segment == segment);
        families
            .flat_map(|family| family.services.iter().map(move |wire| (family, wire)))
            .find(|(_, it)| it.name == name)
    }

    /// Every service.
    pub(crate) fn services() -> impl Iterator<Item = &'static ServiceWire> {
        let mut seen = Vec::new();
        let all = FAMILIES.iter().flat_map(|family| family.services);
        all.filter(move |wire| {
            let new = !seen.contains(&wire.name);
            seen.push(wire.name);
            new
        })
    }

    /// True when an authority answers for the documents of a state. An address of the state's own answers for it,
    /// whichever authority serves it.
    pub(crate) fn serves(&self, authority: AuthorizerType, uf: Uf) -> bool {
        let [rest, rs] = self.dialect.contingencies;
        match authority {
            AuthorizerType::State(own) => own == uf,
            AuthorizerType::Svrs => ![self.own, self.svan, self.svsp].iter().any(|states| states.contains(&uf)),
            AuthorizerType::Svan => self.svan.contains(&uf),
            AuthorizerType::Svsp => self.svsp.contains(&uf),
            AuthorizerType::National => true,
            svc => {
                (svc == rs.0 && self.dialect.by_svc_rs.contains(&uf))
                    || (svc == rest.0 && !self.dialect.by_svc_rs.contains(&uf))
            }
        }
    }
}

impl SoapDialect {
    /// `tpEmis` of the contingency authority.
    pub(crate) fn contingency(&self, authority: AuthorizerType) -> Option<u8> {
        self.contingencies.iter().find(|(kind, _)| *kind == authority).map(|(_, tpEmis)| *tpEmis)
    }

    /// First digit of a protocol number.
    pub(crate) fn digit(&self, authority: AuthorizerType) -> u8 {
        self.digits.iter().find(|(kind, _)| *kind == authority).map_or(1, |(_, digit)| *digit)
    }

    /// Codes of a message that does not fit its service.
    pub(crate) fn shape_codes(&self, service: ServiceKind) -> &ShapeCodes {
        let [authorization, other] = &self.misshapen;
        if service == ServiceKind::Autorizacao { authorization } else { other }
    }

    /// Namespace of a service.
    pub(crate) fn wsdl(&self, wire: &ServiceWire) -> String {
        format!("{}/wsdl/{}", self.namespace, wire.name)
    }
}

static NFE: SoapDialect = SoapDialect {
    kind: DialectKind::Nfe,
    namespace: "http://www.portalfiscal.inf.br/nfe",
    data: "nfeDadosMsg",
    result: Some("nfeResultMsg"),
    largest: 500 * 1024,
    unpacking: 416,
    misshapen: [ShapeCodes { root: 565, versao: 568, layout: 225 }, ShapeCodes { root: 516, versao: 517, layout: 215 }],
    form: [(TextDefect::Prefixed, 404), (TextDefect::Foreign, 587), (TextDefect::Blanks, 588)],
    undue_use: 656,
    of_the_message: message_codes::is_of_nfe,
    motivo: fiscal::cstat::motivo,
    digits: &[
        (AuthorizerType::National, 2),
        (AuthorizerType::SvcAn, 2),
        (AuthorizerType::Svrs, 3),
        (AuthorizerType::SvcRs, 3),
        (AuthorizerType::Svan, 4),
    ],
    contingencies: [(AuthorizerType::SvcAn, 6), (AuthorizerType::SvcRs, 7)],
    by_svc_rs: &[Uf::AM, Uf::BA, Uf::GO, Uf::MA, Uf::MS, Uf::MT, Uf::PE, Uf::PR],
    versao_of: |payload| payload.attribute("versao"),
};

static CTE: SoapDialect = SoapDialect {
    kind: DialectKind::Cte,
    namespace: "http://www.portalfiscal.inf.br/cte",
    data: "cteDadosMsg",
    result: None,
    largest: 512 * 1024,
    unpacking: 244,
    misshapen: [ShapeCodes { root: 215, versao: 215, layout: 215 }, ShapeCodes { root: 215, versao: 215, layout: 215 }],
    form: [(TextDefect::Foreign, 598), (TextDefect::Blanks, 599), (TextDefect::Prefixed, 404)],
    undue_use: 678,
    of_the_message: message_codes::is_of_cte,
    motivo: fiscal::cstat::cte::motivo,
    digits: &[
        (AuthorizerType::Svrs, 3),
        (AuthorizerType::Svsp, 5),
        (AuthorizerType::SvcRs, 7),
        (AuthorizerType::SvcSp, 8),
    ],
    contingencies: [(AuthorizerType::SvcSp, 8), (AuthorizerType::SvcRs, 7)],
    by_svc_rs: &[Uf::AP, Uf::MS, Uf::MT, Uf::PE, Uf::RR, Uf::SP],
    // The document of 57 has the attribute one element below its root.
    versao_of: |payload| payload.attribute("versao").or_else(|| payload.child("infCte")?.attribute("versao")),
};

static OF_NFE: [ServiceWire; 8] = [
    ServiceWire {
        other_action: Some("nfeAutorizacaoLoteZip"),
        ..plain(
            ServiceKind::Autorizacao,
            ["NFeAutorizacao4", "nfeAutorizacaoLote", "enviNFe", "retEnviNFe"],
            &layout::ENVI_NFE,
        )
    },
    plain(
        ServiceKind::RetAutorizacao,
        ["NFeRetAutorizacao4", "nfeRetAutorizacaoLote", "consReciNFe", "retConsReciNFe"],
        &layout::CONS_RECI_NFE,
    ),
    plain(
        ServiceKind::ConsultaProtocolo,
        ["NFeConsultaProtocolo4", "nfeConsultaNF", "consSitNFe", "retConsSitNFe"],
        &layout::CONS_SIT_NFE,
    ),
    plain(
        ServiceKind::StatusServico,
        ["NFeStatusServico4", "nfeStatusServicoNF", "consStatServ", "retConsStatServ"],
        &layout::CONS_STAT_SERV,
    ),
    plain(
        ServiceKind::Inutilizacao,
        ["NFeInutilizacao4", "nfeInutilizacaoNF", "inutNFe", "retInutNFe"],
        &layout::INUT_NFE,
    ),
    ServiceWire {
        versao: "1.00",
        ..plain(
            ServiceKind::RecepcaoEvento,
            ["NFeRecepcaoEvento4", "nfeRecepcaoEvento", "envEvento", "retEnvEvento"],
            &layout::ENV_EVENTO,
        )
    },
    ServiceWire {
        service: ServiceKind::ConsultaCadastro,
        name: "CadConsultaCadastro4",
        operation: "consultaCadastro",
        // As in the tables of clients (sped-nfe); no official text has it.
        other_action: Some("consultaCadastro4"),
        request: "ConsCad",
        reply: "retConsCad",
        versao: "2.00",
        packed: false,
        layout: None,
    },
    ServiceWire {
        versao: "1.01",
        ..plain(
            ServiceKind::DistribuicaoDFe,
            ["NFeDistribuicaoDFe", "nfeDistDFeInteresse", "distDFeInt", "retDistDFeInt"],
            &layout::DIST_DFE_INT,
        )
    },
];

static OF_CTE: [ServiceWire; 5] = [
    ServiceWire {
        packed: true,
        ..plain(ServiceKind::Autorizacao, ["CTeRecepcaoSincV4", "cteRecepcao", "CTe", "retCTe"], &layout::CTE)
    },
    plain(
        ServiceKind::ConsultaProtocolo,
        ["CTeConsultaV4", "cteConsultaCT", "consSitCTe", "retConsSitCTe"],
        &layout::CONS_SIT_CTE,
    ),
    plain(
        ServiceKind::StatusServico,
        ["CTeStatusServicoV4", "cteStatusServicoCT", "consStatServCTe", "retConsStatServCTe"],
        &layout::CONS_STAT_SERV_CTE,
    ),
    plain(
        ServiceKind::RecepcaoEvento,
        ["CTeRecepcaoEventoV4", "cteRecepcaoEvento", "eventoCTe", "retEventoCTe"],
        &layout::EVENTO_CTE,
    ),
    ServiceWire {
        versao: "1.00",
        ..plain(
            ServiceKind::DistribuicaoDFe,
            ["CTeDistribuicaoDFe", "cteDistDFeInteresse", "distDFeInt", "retDistDFeInt"],
            &layout::CTE_DIST_DFE_INT,
        )
    },
];

/// Every service but the authorisation is among those of 57.
static OF_CTE_OS: [ServiceWire; 1] = [ServiceWire {
    packed: true,
    ..plain(ServiceKind::Autorizacao, ["CTeRecepcaoOSV4", "cteRecepcaoOS", "CTeOS", "retCTeOS"], &layout::CTE_OS)
}];

/// A service without packing: name, operation, root of the request, root of the reply.
const fn plain(
    service: ServiceKind,
    [name, operation, request, reply]: [&'static str; 4],
    layout: &'static Layout,
) -> ServiceWire {
    ServiceWire {
        service,
        name,
        operation,
        other_action: None,
        request,
        reply,
        versao: "4.00",
        packed: false,
        layout: Some(layout),
    }
}

const OWN_55: [Uf; 10] = [Uf::AM, Uf::BA, Uf::GO, Uf::MG, Uf::MS, Uf::MT, Uf::PE, Uf::PR, Uf::RS, Uf::SP];
const OWN_65: [Uf; 8] = [Uf::AM, Uf::GO, Uf::MG, Uf::MS, Uf::MT, Uf::PR, Uf::RS, Uf::SP];
const OWN_CTE: [Uf; 6] = [Uf::MG, Uf::MS, Uf::MT, Uf::PR, Uf::RS, Uf::SP];
const SVSP: [Uf; 3] = [Uf::AP, Uf::PE, Uf::RR];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_served_by_one_normal_and_one_contingency_authority() {
        for (family, uf) in FAMILIES.iter().flat_map(|family| Uf::ALL.map(|uf| (family, uf))) {
            let by = |kinds: &[AuthorizerType]| kinds.iter().filter(|kind| family.serves(**kind, uf)).count();
            let own = usize::from(family.own.contains(&uf));
            assert_eq!(
                own + by(&[AuthorizerType::Svrs, AuthorizerType::Svan, AuthorizerType::Svsp]),
                1,
                "{uf:?} {}",
                family.modelo
            );
            assert_eq!(by(&family.dialect.contingencies.map(|(kind, _)| kind)), 1, "{uf:?} {}", family.modelo);
        }
    }

    #[test]
    fn the_authorities_are_those_of_the_table_of_addresses() {
        use authority::table::{AuthorityRole, AuthorityService, EndpointTable};
        let table = EndpointTable::builtin();
        for (family, uf) in FAMILIES.iter().flat_map(|family| Uf::ALL.map(|uf| (family, uf))) {
            for role in [AuthorityRole::Normal, AuthorityRole::Contingency] {
                let ambiente = fiscal::value::TpAmb::Homologacao;
                let Ok(endpoint) = table.endpoint(uf, family.modelo, ambiente, AuthorityService::StatusServico, role)
                else {
                    continue;
                };
                let segment = endpoint.authority.to_lowercase();
                let kind = AuthorizerType::from_segment(&segment).unwrap_or_else(|| panic!("{segment}"));
                assert!(family.serves(kind, uf), "{segment} {uf:?} {}", family.modelo);
            }
        }
    }
}
