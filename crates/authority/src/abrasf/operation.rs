//! Operations of ABRASF by their official names.

use crate::sefaz::Official;
use crate::table::Service;
use fiscal::abrasf::Mode;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    RecepcionarLoteRpsSincrono,
    RecepcionarLoteRps,
    GerarNfse,
    ConsultarLoteRps,
    ConsultarSituacaoLoteRps,
    ConsultarNfsePorRps,
    CancelarNfse,
    SubstituirNfse,
}

impl Operation {
    pub const ALL: [Operation; 8] = [
        Operation::RecepcionarLoteRpsSincrono,
        Operation::RecepcionarLoteRps,
        Operation::GerarNfse,
        Operation::ConsultarLoteRps,
        Operation::ConsultarSituacaoLoteRps,
        Operation::ConsultarNfsePorRps,
        Operation::CancelarNfse,
        Operation::SubstituirNfse,
    ];

    /// Finds an operation by its official name.
    pub fn from_name(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Operation::RecepcionarLoteRpsSincrono => "RecepcionarLoteRpsSincrono",
            Operation::RecepcionarLoteRps => "RecepcionarLoteRps",
            Operation::GerarNfse => "GerarNfse",
            Operation::ConsultarLoteRps => "ConsultarLoteRps",
            Operation::ConsultarSituacaoLoteRps => "ConsultarSituacaoLoteRps",
            Operation::ConsultarNfsePorRps => "ConsultarNfsePorRps",
            Operation::CancelarNfse => "CancelarNfse",
            Operation::SubstituirNfse => "SubstituirNfse",
        }
    }

    /// Root of its message, without `Envio`.
    pub const fn message(self) -> &'static str {
        match self {
            Operation::RecepcionarLoteRpsSincrono => "EnviarLoteRpsSincrono",
            Operation::RecepcionarLoteRps => "EnviarLoteRps",
            Operation::ConsultarNfsePorRps => "ConsultarNfseRps",
            Operation::GerarNfse
            | Operation::ConsultarLoteRps
            | Operation::ConsultarSituacaoLoteRps
            | Operation::CancelarNfse
            | Operation::SubstituirNfse => self.name(),
        }
    }

    /// True for queries, which neither issue nor cancel an NFS-e.
    pub fn is_asking(self) -> bool {
        matches!(
            self,
            Operation::ConsultarLoteRps | Operation::ConsultarSituacaoLoteRps | Operation::ConsultarNfsePorRps
        )
    }

    /// Service of the operation in the terms shared by all authorities.
    pub fn service(self) -> Service {
        match self {
            // a replacement issues a new NFS-e
            Operation::RecepcionarLoteRpsSincrono
            | Operation::RecepcionarLoteRps
            | Operation::GerarNfse
            | Operation::SubstituirNfse => Service::Autorizacao,
            Operation::ConsultarLoteRps | Operation::ConsultarSituacaoLoteRps => Service::RetAutorizacao,
            Operation::ConsultarNfsePorRps => Service::ConsultaProtocolo,
            Operation::CancelarNfse => Service::RecepcaoEvento,
        }
    }

    /// Operation that receives a declaration in a mode.
    pub fn taking(mode: Mode) -> Operation {
        match mode {
            Mode::Sincrono => Operation::RecepcionarLoteRpsSincrono,
            Mode::Lote => Operation::RecepcionarLoteRps,
            Mode::Gerar => Operation::GerarNfse,
        }
    }

    /// Operation of a service; the mode selects the one that receives declarations.
    pub fn of_service(service: Service, mode: Mode) -> Option<Operation> {
        match service {
            Service::Autorizacao => Some(Operation::taking(mode)),
            Service::RetAutorizacao => Some(Operation::ConsultarLoteRps),
            Service::ConsultaProtocolo => Some(Operation::ConsultarNfsePorRps),
            Service::RecepcaoEvento => Some(Operation::CancelarNfse),
            Service::StatusServico | Service::Inutilizacao | Service::ConsultaCadastro | Service::DistribuicaoDFe => {
                None
            }
        }
    }
}

/// Services under their operation names in the usual mode.
pub(crate) static SERVICES: [Official; 4] = [
    official(Operation::RecepcionarLoteRpsSincrono, Service::Autorizacao),
    official(Operation::ConsultarLoteRps, Service::RetAutorizacao),
    official(Operation::ConsultarNfsePorRps, Service::ConsultaProtocolo),
    official(Operation::CancelarNfse, Service::RecepcaoEvento),
];

const fn official(operation: Operation, service: Service) -> Official {
    Official { service, name: operation.name(), operation: operation.name() }
}
