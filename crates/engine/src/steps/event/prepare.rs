//! Preparation of an event: written, signed and stored before it is sent.

use super::{Acting, name};
use crate::acceptance::event::ordered::Occasion;
use crate::authorities::certificates::places;
use crate::crash_point;
use crate::family::Family;
use crate::family::issuer::{Issuer, NotIssuer};
use crate::process::local_time;
use crate::steps::work::failure;
use crate::steps::{Halt, Step, Work};

/// Returns the signed event that may be sent now.
pub(super) async fn run(work: &mut Work, acting: &Acting) -> Result<String, Halt> {
    let held = work.engine.store().hold_event(work.lease, acting.new_event()).await;
    let nSeqEvento = held.map_err(exhausted)?;
    stored(work, acting, nSeqEvento).await
}

/// Builds the event anew under the next number, since its own belongs to another event.
pub(super) async fn again(work: &mut Work, acting: &Acting) -> Result<String, Halt> {
    work.note("O número de sequência pertence a um evento registrado por outro sistema; usando o seguinte.");
    let held = work.engine.store().renumber_event(work.lease, acting.new_event()).await;
    crash_point("event.renumbered");
    let nSeqEvento = held.map_err(exhausted)?;
    stored(work, acting, nSeqEvento).await
}

async fn stored(work: &mut Work, acting: &Acting, nSeqEvento: u16) -> Result<String, Halt> {
    let now = local_time::written(work.engine.now(), acting.channel.civil);
    let said = acting.said(work, &now).await?;
    let occasion = Occasion { ambiente: work.job.ambiente, autor: work.job.cpf_cnpj, nSeqEvento };
    let family = acting.channel.family;
    let issuer = issuer(work, family).await?;
    let algorithm = (family.builder.algorithm)(issuer.as_ref());
    let certificate = &acting.channel.certificate;
    let unreadable = || Halt::Store(store::Error::Corrupt("o pedido de evento é ilegível"));
    let signed = match (family.acts.message, said.dialect) {
        (Some(message), dialect) => {
            let unsigned = dialect.and_then(|dialect| message(&said, dialect)).ok_or_else(unreadable)?;
            signing::sign_elements(algorithm, unsigned.xml, &places(&unsigned.signatures), certificate)
        }
        (None, _) => {
            let (xml, id) = (family.acts.write)(&said, &occasion).ok_or_else(unreadable)?;
            signing::sign_by(algorithm, xml, &id, certificate)
        }
    };
    let signed = signed.map_err(|error| {
        let why = format!("O evento não pôde ser assinado: {error}.");
        Halt::Step(Step::GiveUp { failure: failure("certificado_invalido", "assinatura", why) })
    })?;
    let (name, chave) = (name(work.job.operacao), acting.chave.as_str());
    work.note(format!("Evento de {name} da nota {chave}, sequência {nSeqEvento}, assinado."));
    let lines = work.lines();
    work.engine.store().begin_event(work.lease, signed.xml.clone(), work.engine.now_s(), lines).await?;
    crash_point("event.stored");
    work.job.event_xml = Some(signed.xml.clone());
    Ok(signed.xml)
}

/// Issuer whose settings count; `None` for a company that is gone or issues no such documents.
async fn issuer(work: &Work, family: &Family) -> Result<Option<Issuer>, Halt> {
    match work.issuer(family) {
        Ok(issuer) => Ok(Some(issuer)),
        Err(NotIssuer::UnknownCompany | NotIssuer::NotConfigured) => Ok(None),
        Err(NotIssuer::Store(error)) => Err(Halt::Store(error)),
    }
}

fn exhausted(error: store::Error) -> Halt {
    match error {
        store::Error::EventsExhausted => {
            let why = "A nota já tem o máximo de eventos deste tipo que a lei permite.";
            Halt::Step(Step::GiveUp { failure: failure("limite_de_eventos", "validacao", why) })
        }
        error => Halt::Store(error),
    }
}
