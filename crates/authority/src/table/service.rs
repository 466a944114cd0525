//! Services of the authorities, and their official names.

/// Service of an authority. Each `WireProtocol` has its own official names, and may lack some services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AuthorityService {
    Autorizacao,
    RetAutorizacao,
    ConsultaProtocolo,
    StatusServico,
    Inutilizacao,
    RecepcaoEvento,
    ConsultaCadastro,
    DistribuicaoDFe,
}

impl AuthorityService {
    pub const ALL: [AuthorityService; 8] = [
        AuthorityService::Autorizacao,
        AuthorityService::RetAutorizacao,
        AuthorityService::ConsultaProtocolo,
        AuthorityService::StatusServico,
        AuthorityService::Inutilizacao,
        AuthorityService::RecepcaoEvento,
        AuthorityService::ConsultaCadastro,
        AuthorityService::DistribuicaoDFe,
    ];
}

/// A service by its names in the WSDL.
#[derive(Debug, PartialEq, Eq)]
pub struct WsdlService {
    pub service: AuthorityService,
    /// Official name, e.g. `NFeAutorizacao4`.
    pub name: &'static str,
    /// Operation, e.g. `nfeAutorizacaoLote`.
    pub operation: &'static str,
}
