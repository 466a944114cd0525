//! CTeRecepcaoSincV4 and CTeRecepcaoOSV4: a single document, checked and answered at once.
//!
//! Law: MOC CT-e 4.00 anexo I for the order: state (410, 513, 114), signature (290 to 298, 213), magic values (ours),
//! rules, databases.

use super::rules::{self, ReceivedCte};
use super::{ServiceMessage, reception, settle};
use crate::magic;
use crate::sefaz::{Refusal, ServiceAnswer, ServiceRequest, document_checks, root};
use crate::signature;
use crate::simulator_state::SimulatorState;
use fiscal::cte::rules::{key_of, party_document};
use fiscal::value::Uf;
use fiscal::xml::Element;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let document = &message.payload;
    let chave = key_of(document).to_owned();
    world.ledger().count(&chave).recebida += 1;
    served(world, request, &chave)?;
    let source = document_checks::standing_alone(
        request.body.get(document.span.clone()).unwrap_or_default(),
        request.place.dialect().namespace,
    );
    let examined = signature::examine(document, "infCte", &source, world, request.now);
    let verdict = match verdict(world, request, document, &examined) {
        Err(refusal) if (request.place.dialect().of_the_message)(refusal.cStat) => return Err(refusal),
        verdict => verdict,
    };
    let settled =
        settle::settle(world, request, settle::CheckedCte { document, verdict, digest: examined.digest, source })?;
    let content = reception(request, &settled.outcome, &settled.protocol_xml);
    Ok(ServiceAnswer { xml: root(&request.place, &content), cStat: settled.outcome.cStat, chaves: vec![chave] })
}

/// 410, 513, 114: documents of the key's state are not accepted here.
fn served(world: &SimulatorState, request: &ServiceRequest<'_>, chave: &str) -> Result<(), Refusal> {
    let place = request.place;
    let contingency = place.contingency().is_some();
    let uf = chave.get(..2).and_then(|code| code.parse().ok()).and_then(Uf::from_code);
    let settings = world.settings();
    let wrong = [
        (if contingency { 513 } else { 410 }, !uf.is_some_and(|uf| place.serves(uf))),
        (114, uf.is_some_and(|uf| !request.is_late_message() && !settings.is_open(&place, uf))),
    ];
    let codes: Vec<u16> = wrong.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| cStat).collect();
    settings.first_on(&codes).map_or(Ok(()), |cStat| Err(Refusal::new(cStat)))
}

/// Signature, magic values and rules.
fn verdict(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    document: &Element,
    examined: &signature::ExaminedSignature,
) -> Result<(), Refusal> {
    let settings = world.settings();
    let signer = examined.signer.as_deref();
    let mut faults = examined.faults.clone();
    let issuer = document.at("infCte/emit").map_or("", party_document);
    let same = document_checks::same_base(signer.map_or("", |signer| signer.holder()), issuer);
    faults.extend((faults.is_empty() && !same).then_some(213));
    if let Some(cStat) = settings.first_on(&faults) {
        return Err(Refusal::new(cStat));
    }
    let Some(inf) = document.child("infCte") else {
        return Err(Refusal::new(215));
    };
    match request.scripted_code().or_else(|| magic::of_transport(inf)) {
        Some(100) => Ok(()),
        Some(cStat) => Err(Refusal::new(cStat)),
        None => {
            let signer = signer.map(|signer| signer.public_key.as_slice());
            rules::first_broken(&ReceivedCte { document, request, signer }, &settings).map_or(Ok(()), Err)
        }
    }
}
