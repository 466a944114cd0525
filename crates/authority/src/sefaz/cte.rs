//! Dialects of the CT-e and of the CT-e OS.
//!
//! Law: MOC CT-e 4.00, anexo I (documents one by one, neither receipt nor voiding).

use super::dialect::{AuthorizationNames, DistributionNames, EventNames, QueryNames, SefazDialect, SubmissionForm};
use crate::table::service::{AuthorityService, WsdlService};
use fiscal::cstat;
use fiscal::event;

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
        cancels: |tpEvento| tpEvento == event::cte::CteEventKind::Cancelamento.code(),
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
