//! Operations of ABRASF by their official names.

use crate::table::service::{AuthorityService, WsdlService};
use fiscal::abrasf::SubmissionMode;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AbrasfOperation {
    RecepcionarLoteRpsSincrono,
    RecepcionarLoteRps,
    GerarNfse,
    ConsultarLoteRps,
    ConsultarSituacaoLoteRps,
    ConsultarNfsePorRps,
    CancelarNfse,
    SubstituirNfse,
}

impl AbrasfOperation {
    pub const ALL: [AbrasfOperation; 8] = [
        AbrasfOperation::RecepcionarLoteRpsSincrono,
        AbrasfOperation::RecepcionarLoteRps,
        AbrasfOperation::GerarNfse,
        AbrasfOperation::ConsultarLoteRps,
        AbrasfOperation::ConsultarSituacaoLoteRps,
        AbrasfOperation::ConsultarNfsePorRps,
        AbrasfOperation::CancelarNfse,
        AbrasfOperation::SubstituirNfse,
    ];

    /// Finds an operation by its official name.
    pub fn from_name(name: &str) -> Option<AbrasfOperation> {
        AbrasfOperation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            AbrasfOperation::RecepcionarLoteRpsSincrono => "RecepcionarLoteRpsSincrono",
            AbrasfOperation::RecepcionarLoteRps => "RecepcionarLoteRps",
            AbrasfOperation::GerarNfse => "GerarNfse",
            AbrasfOperation::ConsultarLoteRps => "ConsultarLoteRps",
            AbrasfOperation::ConsultarSituacaoLoteRps => "ConsultarSituacaoLoteRps",
            AbrasfOperation::ConsultarNfsePorRps => "ConsultarNfsePorRps",
            AbrasfOperation::CancelarNfse => "CancelarNfse",
            AbrasfOperation::SubstituirNfse => "SubstituirNfse",
        }
    }

    /// Root of its message, without `Envio`.
    pub const fn message(self) -> &'static str {
        match self {
            AbrasfOperation::RecepcionarLoteRpsSincrono => "EnviarLoteRpsSincrono",
            AbrasfOperation::RecepcionarLoteRps => "EnviarLoteRps",
            AbrasfOperation::ConsultarNfsePorRps => "ConsultarNfseRps",
            AbrasfOperation::GerarNfse
            | AbrasfOperation::ConsultarLoteRps
            | AbrasfOperation::ConsultarSituacaoLoteRps
            | AbrasfOperation::CancelarNfse
            | AbrasfOperation::SubstituirNfse => self.name(),
        }
    }

    /// True for queries, which neither issue nor cancel an NFS-e.
    pub fn is_query(self) -> bool {
        matches!(
            self,
            AbrasfOperation::ConsultarLoteRps
                | AbrasfOperation::ConsultarSituacaoLoteRps
                | AbrasfOperation::ConsultarNfsePorRps
        )
    }

    /// Service of the operation in the terms shared by all authorities.
    pub fn service(self) -> AuthorityService {
        match self {
            // a replacement issues a new NFS-e
            AbrasfOperation::RecepcionarLoteRpsSincrono
            | AbrasfOperation::RecepcionarLoteRps
            | AbrasfOperation::GerarNfse
            | AbrasfOperation::SubstituirNfse => AuthorityService::Autorizacao,
            AbrasfOperation::ConsultarLoteRps | AbrasfOperation::ConsultarSituacaoLoteRps => {
                AuthorityService::RetAutorizacao
            }
            AbrasfOperation::ConsultarNfsePorRps => AuthorityService::ConsultaProtocolo,
            AbrasfOperation::CancelarNfse => AuthorityService::RecepcaoEvento,
        }
    }

    /// Operation that receives a declaration in a mode.
    pub fn of_mode(mode: SubmissionMode) -> AbrasfOperation {
        match mode {
            SubmissionMode::Sincrono => AbrasfOperation::RecepcionarLoteRpsSincrono,
            SubmissionMode::Lote => AbrasfOperation::RecepcionarLoteRps,
            SubmissionMode::Gerar => AbrasfOperation::GerarNfse,
        }
    }

    /// Operation of a service; the mode selects the one that receives declarations.
    pub fn of_service(service: AuthorityService, mode: SubmissionMode) -> Option<AbrasfOperation> {
        match service {
            AuthorityService::Autorizacao => Some(AbrasfOperation::of_mode(mode)),
            AuthorityService::RetAutorizacao => Some(AbrasfOperation::ConsultarLoteRps),
            AuthorityService::ConsultaProtocolo => Some(AbrasfOperation::ConsultarNfsePorRps),
            AuthorityService::RecepcaoEvento => Some(AbrasfOperation::CancelarNfse),
            AuthorityService::StatusServico
            | AuthorityService::Inutilizacao
            | AuthorityService::ConsultaCadastro
            | AuthorityService::DistribuicaoDFe => None,
        }
    }
}

/// Services under their operation names in the usual mode.
pub(crate) static SERVICES: [WsdlService; 4] = [
    official(AbrasfOperation::RecepcionarLoteRpsSincrono, AuthorityService::Autorizacao),
    official(AbrasfOperation::ConsultarLoteRps, AuthorityService::RetAutorizacao),
    official(AbrasfOperation::ConsultarNfsePorRps, AuthorityService::ConsultaProtocolo),
    official(AbrasfOperation::CancelarNfse, AuthorityService::RecepcaoEvento),
];

const fn official(operation: AbrasfOperation, service: AuthorityService) -> WsdlService {
    WsdlService { service, name: operation.name(), operation: operation.name() }
}
