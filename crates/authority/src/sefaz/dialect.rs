//! Differences between documents of the SEFAZ family: one static row each, found by the model in the table of
//! authorities. A missing feature is `None`.
//!
//! Law: MOC 7.0, anexo I (NF-e, NFC-e); MOC CT-e 4.00, anexo I (documents one by one, neither receipt nor voiding).

use super::lote::{RECEIPT, ReceiptService, VOID, VoidingService};
use crate::table::AuthorityService;
use fiscal::cstat::{self, CodeClass};
use fiscal::event;
use fiscal::value::Codigo;

/// NF-e and NFC-e (models 55 and 65).
pub static NFE: SefazDialect = SefazDialect {
    namespace: "http://www.portalfiscal.inf.br/nfe",
    data: "nfeDadosMsg",
    services: &[
        WsdlService {
            service: AuthorityService::Autorizacao,
            name: "NFeAutorizacao4",
            operation: "nfeAutorizacaoLote",
        },
        WsdlService {
            service: AuthorityService::RetAutorizacao,
            name: "NFeRetAutorizacao4",
            operation: "nfeRetAutorizacaoLote",
        },
        WsdlService {
            service: AuthorityService::ConsultaProtocolo,
            name: "NFeConsultaProtocolo4",
            operation: "nfeConsultaNF",
        },
        WsdlService {
            service: AuthorityService::StatusServico,
            name: "NFeStatusServico4",
            operation: "nfeStatusServicoNF",
        },
        WsdlService {
            service: AuthorityService::Inutilizacao,
            name: "NFeInutilizacao4",
            operation: "nfeInutilizacaoNF",
        },
        WsdlService {
            service: AuthorityService::RecepcaoEvento,
            name: "NFeRecepcaoEvento4",
            operation: "nfeRecepcaoEvento",
        },
        WsdlService {
            service: AuthorityService::ConsultaCadastro,
            name: "CadConsultaCadastro4",
            operation: "consultaCadastro",
        },
        WsdlService {
            service: AuthorityService::DistribuicaoDFe,
            name: "NFeDistribuicaoDFe",
            operation: "nfeDistDFeInteresse",
        },
    ],
    chave: "chNFe",
    protocol: "protNFe",
    authorization: AuthorizationNames {
        submission: SubmissionForm::Lote("enviNFe"),
        answer: "retEnviNFe",
        archive: "nfeProc",
    },
    query: QueryNames { asks: "consSitNFe", answer: "retConsSitNFe" },
    status: QueryNames { asks: "consStatServ", answer: "retConsStatServ" },
    event: EventNames {
        lote: Some("envEvento"),
        answer: "retEnvEvento",
        sent: "evento",
        registered: "retEvento",
        archive: "procEventoNFe",
        versao: "1.00",
        is_done: |cStat| matches!(cStat, 135 | 136 | 155),
        is_duplicate: |cStat| cStat == 573,
        cancels: |tpEvento| event::TpEvento::from_code(tpEvento).is_some_and(event::TpEvento::is_cancellation),
    },
    distribution: DistributionNames { versao: "1.01", by_key: Some("consChNFe") },
    receipt: Some(RECEIPT),
    void: Some(VOID),
    classify: cstat::class,
};

/// CT-e (model 57).
pub static CTE: SefazDialect = CTE_57;

/// CT-e OS (model 67): only its authorisation differs from the CT-e.
pub static CTE_OS: SefazDialect = SefazDialect {
    services: &[
        WsdlService { service: AuthorityService::Autorizacao, name: "CTeRecepcaoOSV4", operation: "cteRecepcaoOS" },
        CTE_QUERY,
        CTE_STATUS,
        CTE_EVENT,
        CTE_DISTRIBUTION,
    ],
    authorization: AuthorizationNames { submission: SubmissionForm::Packed, answer: "retCTeOS", archive: "cteOSProc" },
    ..CTE_57
};

const CTE_57: SefazDialect = SefazDialect {
    namespace: "http://www.portalfiscal.inf.br/cte",
    data: "cteDadosMsg",
    services: &[
        WsdlService { service: AuthorityService::Autorizacao, name: "CTeRecepcaoSincV4", operation: "cteRecepcao" },
        CTE_QUERY,
        CTE_STATUS,
        CTE_EVENT,
        CTE_DISTRIBUTION,
    ],
    chave: "chCTe",
    protocol: "protCTe",
    authorization: AuthorizationNames { submission: SubmissionForm::Packed, answer: "retCTe", archive: "cteProc" },
    query: QueryNames { asks: "consSitCTe", answer: "retConsSitCTe" },
    status: QueryNames { asks: "consStatServCTe", answer: "retConsStatServCTe" },
    event: EventNames {
        lote: None,
        answer: "retEventoCTe",
        sent: "eventoCTe",
        registered: "retEventoCTe",
        archive: "procEventoCTe",
        versao: "4.00",
        is_done: cstat::cte::is_registered,
        is_duplicate: cstat::cte::is_duplicate_event,
        cancels: |tpEvento| tpEvento == event::cte::TpEvento::Cancelamento.code(),
    },
    distribution: DistributionNames { versao: "1.00", by_key: None },
    receipt: None,
    void: None,
    classify: cstat::cte::class,
};

const CTE_QUERY: WsdlService =
    WsdlService { service: AuthorityService::ConsultaProtocolo, name: "CTeConsultaV4", operation: "cteConsultaCT" };
const CTE_STATUS: WsdlService = WsdlService {
    service: AuthorityService::StatusServico,
    name: "CTeStatusServicoV4",
    operation: "cteStatusServicoCT",
};
const CTE_EVENT: WsdlService = WsdlService {
    service: AuthorityService::RecepcaoEvento,
    name: "CTeRecepcaoEventoV4",
    operation: "cteRecepcaoEvento",
};
const CTE_DISTRIBUTION: WsdlService = WsdlService {
    service: AuthorityService::DistribuicaoDFe,
    name: "CTeDistribuicaoDFe",
    operation: "cteDistDFeInteresse",
};

/// Names and features of a document model.
#[derive(Debug)]
pub struct SefazDialect {
    /// Default namespace of every message.
    pub namespace: &'static str,
    /// Data element around a message in its envelope.
    pub(super) data: &'static str,
    services: &'static [WsdlService],
    /// Tag of the access key.
    pub(super) chave: &'static str,
    /// Root of a document's protocol.
    pub(super) protocol: &'static str,
    pub(super) authorization: AuthorizationNames,
    pub(super) query: QueryNames,
    pub(super) status: QueryNames,
    pub(super) event: EventNames,
    pub(super) distribution: DistributionNames,
    /// Query by the receipt of a lote.
    pub receipt: Option<ReceiptService>,
    /// Voiding of unused numbers.
    pub void: Option<VoidingService>,
    classify: fn(u16) -> CodeClass,
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

#[derive(Debug)]
pub(super) struct AuthorizationNames {
    pub(super) submission: SubmissionForm,
    pub(super) answer: &'static str,
    /// Root of the document with its protocol, as stored and returned.
    pub(super) archive: &'static str,
}

/// Form of a document's submission.
#[derive(Debug)]
pub(super) enum SubmissionForm {
    /// Inside of this lote element; a single document has `indSinc` 1.
    Lote(&'static str),
    /// Alone, gzip in base64.
    Packed,
}

/// Root of a query, and root of its answer.
#[derive(Debug)]
pub(super) struct QueryNames {
    pub(super) asks: &'static str,
    pub(super) answer: &'static str,
}

#[derive(Debug)]
pub(super) struct EventNames {
    /// Lote element; without one, events are sent alone.
    pub(super) lote: Option<&'static str>,
    pub(super) answer: &'static str,
    /// Root of an event, and root of its registration.
    pub(super) sent: &'static str,
    pub(super) registered: &'static str,
    /// Root of event and registration together.
    pub(super) archive: &'static str,
    /// Version of lote and archive.
    pub(super) versao: &'static str,
    /// True for a code that registers an event.
    pub(super) is_done: fn(u16) -> bool,
    /// True for a code of an event registered before.
    pub(super) is_duplicate: fn(u16) -> bool,
    /// True for an event type that ends its document.
    pub(super) cancels: fn(tpEvento: &str) -> bool,
}

#[derive(Debug)]
pub(super) struct DistributionNames {
    pub(super) versao: &'static str,
    /// Group of a query by key.
    pub(super) by_key: Option<&'static str>,
}

impl SefazDialect {
    /// Names of a service; `None` when the document lacks it.
    pub fn official(&self, service: AuthorityService) -> Option<&'static WsdlService> {
        self.services.iter().find(|official| official.service == service)
    }

    /// All services of the document.
    pub fn services(&self) -> &'static [WsdlService] {
        self.services
    }

    /// Meaning of a code for the document it is about.
    pub fn class(&self, codigo: &Codigo) -> CodeClass {
        codigo.number().map_or(CodeClass::Rejected, self.classify)
    }

    /// True for a code that blocks further queries because of undue use (656 of the NF-e, 678 of the CT-e).
    pub fn is_undue_use(&self, codigo: &Codigo) -> bool {
        self.class(codigo) == CodeClass::UndueUse
    }

    /// True for an event type that ends its document.
    pub fn is_cancellation(&self, tpEvento: &str) -> bool {
        (self.event.cancels)(tpEvento)
    }
}
