//! Substitution in one request: where the municipal provider takes cancellation and new note together, the RPS is put
//! into that request before it is signed.
//!
//! Law: ABRASF, manual de integração 2.0x (SubstituirNfse). Where the provider lacks the operation, the RPS names the
//! note that it replaces, and nothing is done here.
//! Must not know: the layout of the request.

use super::settle::{self, Verdict};
use super::work::failure;
use super::{Halt, Step, Work, ask};
use crate::acceptance::event::municipal::ERROR;
use crate::authorities::bridge::Channel;
use crate::authorities::budget;
use crate::crash_point;
use authority::answer::{Rejection, Situation};
use authority::table::Service;
use fiscal::abrasf::message::Cancellation;
use fiscal::abrasf::{RpsId, substitution};
use fiscal::cstat::Class;
use fiscal::document::Built;
use fiscal::evidence::Question;
use fiscal::lifecycle::Happened;
use store::Sight;

/// Wraps a built RPS in the substitution request, if it replaces a note and the provider has the operation.
pub(super) async fn request(work: &mut Work, channel: &Channel, built: &mut Built) -> Result<(), Halt> {
    let Some(hall) = channel.city_hall.as_deref().filter(|hall| hall.substitutes()) else { return Ok(()) };
    let asked_by = &built.ids.asked_by;
    let Some(before) = (channel.family.acts.replaced)(&built.xml, asked_by, channel.ambiente) else { return Ok(()) };
    let numero = match work.engine.store().job_by_chave(Sight::whole(work.job.tenant_id), before.as_str()).await {
        Ok(job) => job.document.and_then(|document| document.numero_nota),
        Err(store::Error::NotFound) => None,
        Err(error) => return Err(error.into()),
    };
    let (Some(numero), Ok(rps)) = (numero, asked_by.parse::<RpsId>()) else { return Ok(()) };
    let (numero, justificativa) = (numero.to_string(), reason(&rps));
    let what = Cancellation {
        numero: &numero,
        municipio: rps.municipio,
        prestador: rps.who(),
        codigo: Some(ERROR),
        motivo: ERROR,
        justificativa: &justificativa,
    };
    let Some(request) = substitution::substitute(hall.dialect(), &built.xml, &built.ids.id, &what) else {
        return Ok(());
    };
    (built.xml, built.signatures) = (request.xml, request.signatures);
    work.note(format!("A nota {numero} é substituída por este RPS, num só pedido (SubstituirNfse)."));
    crash_point("in_place.written");
    Ok(())
}

/// `true` if a refusal of a substitution may concern the replaced note, as an earlier sending of the same request left
/// it.
pub(super) fn may_be_of_the_other(work: &Work, signed: &str, said: &Rejection) -> Result<bool, Halt> {
    let family = work.family()?;
    let is_refusal = matches!(family.wire.class(&said.codigo), Class::Rejected | Class::Cancelled);
    Ok(is_refusal && (family.acts.replaced)(signed, &work.asked_by()?, work.job.ambiente).is_some())
}

/// Queries the RPS before a refusal is believed: "already substituted" may be the effect of this very request, whose
/// answer was lost. No answer leaves the document in doubt; an unknown RPS was refused.
pub(super) async fn refused(work: &mut Work, channel: &Channel, signed: &str, said: Rejection) -> Result<Step, Halt> {
    work.note(format!("A autoridade recusou a substituição: {} {}.", said.codigo, said.xMotivo));
    let asked_by = work.asked_by()?;
    let endpoint = work.endpoint_of(channel, Service::ConsultaProtocolo, work.role()?)?;
    work.spend(budget::QUERY_BY_KEY, &endpoint, &asked_by, &ask::asking_by_key(&endpoint)).await?;
    let call = work.engine.rps_query(channel, &endpoint, &asked_by).ok_or_else(ask::no_identity)?;
    let wire = channel.family.wire;
    match work.call(&call, channel, move |reply| wire.read_query(reply)).await {
        Ok(Situation::NeverSeen(_)) => settle::rejected(work, said).await,
        Ok(Situation::Authorized(protocol)) => {
            settle::with_protocol(work, Verdict::Authorized, protocol, signed, Question::Identity).await
        }
        _ => {
            work.mark(Happened::NoReply).await?;
            let why = "A prefeitura recusou a substituição e não disse o que tem deste RPS; ele será consultado antes de qualquer reenvio.";
            Ok(Step::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
        }
    }
}

/// Reason for the provider's record, where it requires one.
fn reason(rps: &RpsId) -> String {
    format!("Nota substituída pela do RPS {} da série {}", rps.numero, rps.serie)
}
