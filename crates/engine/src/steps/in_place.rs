//! A note in the place of another: where its city hall takes both in one request, the RPS that was built is put into that request before it is signed.
//!
//! Law: ABRASF, manual de integração 2.0x (SubstituirNfse). Where the provider does not have it the RPS names the one that it replaces, and no more is done
//! here. Must not know: how the request is written.

use super::{Halt, Work};
use crate::acceptance::event::municipal::ERROR;
use crate::authorities::bridge::Channel;
use crate::crash_point;
use fiscal::abrasf::message::Cancellation;
use fiscal::abrasf::{RpsId, substitution};
use fiscal::document::Built;
use store::Sight;

/// Makes the request of what was built, where it takes a note's place.
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

/// What the city hall keeps as the reason, where it asks for one.
fn reason(rps: &RpsId) -> String {
    format!("Nota substituída pela do RPS {} da série {}", rps.numero, rps.serie)
}
