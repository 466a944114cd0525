//! Dialect of NF-e and NFC-e, and the services of them alone: the receipt of a lote (consReciNFe) and the voiding of
//! numbers (inutNFe).
//!
//! Law: MOC 7.0, anexo I.

use super::call::{message, plain};
use super::dialect::{
    AuthorizationNames, DistributionNames, EventNames, QueryNames, ReceiptService, SefazDialect, SubmissionForm,
    VoidingService,
};
use super::payload::ReplyPayload;
use super::reply::{checked_protocol, child, of_lote, rejection, words};
use super::{UnreadableReply, splice};
use crate::answer::{AuthorizationAnswer, VoidAnswer};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::table::endpoint::Endpoint;
use crate::table::service::{AuthorityService, WsdlService};
use fiscal::cstat::{self, CodeClass};
use fiscal::event;
use fiscal::value::TpAmb;

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
        cancels: |tpEvento| event::NfeEventKind::from_code(tpEvento).is_some_and(event::NfeEventKind::is_cancellation),
    },
    distribution: DistributionNames { versao: "1.01", by_key: Some("consChNFe") },
    receipt: Some(RECEIPT),
    void: Some(VOID),
    classify: cstat::class,
};

const RECEIPT: ReceiptService = ReceiptService { ask: receipt, read: read_receipt };
const VOID: VoidingService = VoidingService { ask: void, read: read_void, archive: proc_inut };

/// NFeRetAutorizacao4.
pub fn receipt(endpoint: &Endpoint, ambiente: TpAmb, nRec: &str) -> AuthorityCall {
    message(&NFE, endpoint, "consReciNFe", &[("tpAmb", ambiente.code()), ("nRec", nRec)])
}

/// Reads retConsReciNFe.
pub fn read_receipt(reply: &AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply> {
    let payload = ReplyPayload::find(reply, "retConsReciNFe")?;
    // 106, 223, 248…: the query was refused, which proves nothing about the document
    of_lote(&NFE, &payload, "nRec", |_, said| AuthorizationAnswer::Unavailable(said))
}

/// NFeInutilizacao4 with a signed request.
pub fn void(endpoint: &Endpoint, signed_request: &str) -> AuthorityCall {
    plain(&NFE, endpoint, &[signed_request])
}

/// Reads retInutNFe.
pub fn read_void(reply: &AuthorityReply) -> Result<VoidAnswer, UnreadableReply> {
    let payload = ReplyPayload::find(reply, "retInutNFe")?;
    let message = payload.element();
    let info = child(message, "infInut")?;
    let said = rejection(info)?;
    let optional = |name| info.text_at(name).filter(|text| !text.is_empty()).map(words);
    Ok(match (said.codigo.number(), NFE.class(&said.codigo)) {
        (Some(102), _) if optional("nProt").is_none() => {
            return Err(UnreadableReply::Content("cStat 102 sem nProt".to_owned()));
        }
        (Some(102 | 563), _) => VoidAnswer::Voided {
            codigo: said.codigo,
            xMotivo: said.xMotivo,
            nProt: optional("nProt").map(checked_protocol).transpose()?,
            dhRecbto: optional("dhRecbto"),
            xml: payload.verbatim(message)?,
        },
        (_, CodeClass::ServiceDown | CodeClass::UndueUse) => VoidAnswer::Unavailable(said),
        _ => VoidAnswer::Rejected(said),
    })
}

/// ProcInutNFe: the exact bytes sent and received, joined, with the XML declaration.
pub fn proc_inut(signed_request: &str, ret_inut: &str) -> String {
    let open = r#"<ProcInutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">"#;
    splice(open, &[signed_request, ret_inut], "</ProcInutNFe>")
}
