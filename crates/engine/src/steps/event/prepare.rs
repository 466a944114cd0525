//! Preparation of an event: written, signed and stored before it is sent.

use super::{EventTask, name};
use crate::authorities::certificates::signing_elements;
use crate::family::Family;
use crate::family::event::ordered_event::EventHeader;
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::process::crash::crash_point;
use crate::process::local_time;
use crate::steps::claimed_work::failure;
use crate::steps::{ClaimedWork, Halt, NextStep};

/// Returns the signed event that may be sent now.
pub(super) async fn run(work: &mut ClaimedWork, acting: &EventTask) -> Result<String, Halt> {
    let held = work.engine.store().hold_event(work.lease, acting.new_event()).await;
    let nSeqEvento = held.map_err(exhausted)?;
    stored(work, acting, nSeqEvento).await
}

/// Builds the event anew under the next number, since its own belongs to another event.
pub(super) async fn rebuild_renumbered(work: &mut ClaimedWork, acting: &EventTask) -> Result<String, Halt> {
    work.log("O número de sequência pertence a um evento registrado por outro sistema; usando o seguinte.");
    let held = work.engine.store().renumber_event(work.lease, acting.new_event()).await;
    crash_point("event.renumbered");
    let nSeqEvento = held.map_err(exhausted)?;
    stored(work, acting, nSeqEvento).await
}

async fn stored(work: &mut ClaimedWork, acting: &EventTask, nSeqEvento: u16) -> Result<String, Halt> {
    let now = local_time::written(work.engine.now(), acting.channel.civil);
    let said = acting.ordered_event(work, &now).await?;
    let occasion = EventHeader { ambiente: work.job.ambiente, autor: work.job.cpf_cnpj, nSeqEvento };
    let family = acting.channel.family;
    let issuer = issuer(work, family).await?;
    let algorithm = (family.builder.algorithm)(issuer.as_ref());
    let certificate = &acting.channel.certificate;
    let unreadable = || Halt::Store(store::Error::Corrupt("o pedido de evento é ilegível"));
    let signed = match (family.acts.message, said.dialect) {
        (Some(message), dialect) => {
            let unsigned = dialect.and_then(|dialect| message(&said, dialect)).ok_or_else(unreadable)?;
            signing::sign_elements(algorithm, unsigned.xml, &signing_elements(&unsigned.signatures), certificate)
        }
        (None, _) => {
            let (xml, id) = (family.acts.write)(&said, &occasion).ok_or_else(unreadable)?;
            signing::sign_by(algorithm, xml, &id, certificate)
        }
    };
    let signed = signed.map_err(|error| {
        let why = format!("O evento não pôde ser assinado: {error}.");
        Halt::Step(NextStep::GiveUp { failure: failure("certificado_invalido", "assinatura", why) })
    })?;
    let (name, chave) = (name(work.job.operacao), acting.chave.as_str());
    work.log(format!("Evento de {name} da nota {chave}, sequência {nSeqEvento}, assinado."));
    let lines = work.take_lines();
    work.engine.store().begin_event(work.lease, signed.xml.clone(), work.engine.now_s(), lines).await?;
    crash_point("event.stored");
    work.job.event_xml = Some(signed.xml.clone());
    Ok(signed.xml)
}

/// Issuer whose settings count; `None` for a company that is gone or issues no such documents.
async fn issuer(work: &ClaimedWork, family: &Family) -> Result<Option<FamilyIssuer>, Halt> {
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
            Halt::Step(NextStep::GiveUp { failure: failure("limite_de_eventos", "validacao", why) })
        }
        error => Halt::Store(error),
    }
}
