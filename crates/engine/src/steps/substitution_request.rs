//! Substitution in one request: where the municipal provider takes cancellation and new note together, the RPS is put
//! into that request before it is signed.
//!
//! Law: ABRASF, manual de integração 2.0x (SubstituirNfse). Where the provider lacks the operation, the RPS names the
//! note that it replaces, and nothing is done here.
//! Must not know: the layout of the request.

use super::claimed_work::failure;
use super::key_query::{asking_by_key, no_identity};
use super::settle::{self, ProtocolVerdict};
use super::{ClaimedWork, Halt, NextStep};
use crate::authorities::budget;
use crate::authorities::health::Channel;
use crate::family::event::rps::ERROR;
use crate::process::crash::crash_point;
use authority::answer::{DocumentSituation, Rejection};
use authority::table::AuthorityService;
use fiscal::abrasf::message::CancellationRequest;
use fiscal::abrasf::substitution;
use fiscal::cstat::CodeClass;
use fiscal::document::BuiltDocument;
use fiscal::evidence::AnsweredMessage;
use fiscal::lifecycle::LifecycleEvent;
use fiscal::value::RpsId;
use store::Visibility;

/// Wraps a built RPS in the substitution request, if it replaces a note and the provider has the operation.
pub(super) async fn wrap_request(
    work: &mut ClaimedWork,
    channel: &Channel,
    built: &mut BuiltDocument,
) -> Result<(), Halt> {
    let Some(hall) = channel.city_hall.as_deref().filter(|hall| hall.substitutes()) else { return Ok(()) };
    let asked_by = &built.ids.asked_by;
    let Some(before) = (channel.family.acts.replaced)(&built.xml, asked_by, channel.ambiente) else { return Ok(()) };
    let numero = match work.engine.store().job_by_chave(Visibility::whole(work.job.tenant_id), before.as_str()).await {
        Ok(job) => job.document.and_then(|document| document.numero_nota),
        Err(store::Error::NotFound) => None,
        Err(error) => return Err(error.into()),
    };
    let (Some(numero), Ok(rps)) = (numero, asked_by.parse::<RpsId>()) else { return Ok(()) };
    let (numero, justificativa) = (numero.to_string(), reason(&rps));
    let what = CancellationRequest {
        numero: &numero,
        municipio: rps.municipio,
        prestador: rps.issuer(),
        codigo: Some(ERROR),
        motivo: ERROR,
        justificativa: &justificativa,
    };
    let Some(request) = substitution::substitute(hall.dialect(), &built.xml, &built.ids.id, &what) else {
        return Ok(());
    };
    (built.xml, built.signatures) = (request.xml, request.signatures);
    work.log(format!("A nota {numero} é substituída por este RPS, num só pedido (SubstituirNfse)."));
    crash_point("in_place.written");
    Ok(())
}

/// `true` if a refusal of a substitution may concern the replaced note, as an earlier sending of the same request left
/// it.
pub(super) fn may_concern_replaced(work: &ClaimedWork, signed: &str, said: &Rejection) -> Result<bool, Halt> {
    let family = work.family()?;
    let is_refusal = matches!(family.wire.class(&said.codigo), CodeClass::Rejected | CodeClass::Cancelled);
    Ok(is_refusal && (family.acts.replaced)(signed, &work.asked_by()?, work.job.ambiente).is_some())
}

/// Queries the RPS before a refusal is believed: "already substituted" may be the effect of this very request, whose
/// answer was lost. No answer leaves the document in doubt; an unknown RPS was refused.
pub(super) async fn check_refusal(
    work: &mut ClaimedWork,
    channel: &Channel,
    signed: &str,
    said: Rejection,
) -> Result<NextStep, Halt> {
    work.log(format!("A autoridade recusou a substituição: {} {}.", said.codigo, said.xMotivo));
    let asked_by = work.asked_by()?;
    let endpoint = work.endpoint_of(channel, AuthorityService::ConsultaProtocolo, work.role()?)?;
    work.count_call(budget::QUERY_BY_KEY, &endpoint, &asked_by, &asking_by_key(&endpoint)).await?;
    let call = work.engine.rps_query(channel, &endpoint, &asked_by).ok_or_else(no_identity)?;
    let wire = channel.family.wire;
    match work.call(&call, channel, move |reply| wire.read_query(reply)).await {
        Ok(DocumentSituation::NeverSeen(_)) => settle::rejected(work, said).await,
        Ok(DocumentSituation::Authorized(protocol)) => {
            settle::with_protocol(work, ProtocolVerdict::Authorized, protocol, signed, AnsweredMessage::Identity).await
        }
        _ => {
            work.mark(LifecycleEvent::NoReply).await?;
            let why = "A prefeitura recusou a substituição e não disse o que tem deste RPS; ele será consultado antes de qualquer reenvio.";
            Ok(NextStep::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
        }
    }
}

/// Reason for the provider's record, where it requires one.
fn reason(rps: &RpsId) -> String {
    format!("Nota substituída pela do RPS {} da série {}", rps.numero, rps.serie)
}
