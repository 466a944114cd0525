//! Signatures of a message: those that its provider requires must be present, and all that are present must hold.
//!
//! Law: XML-DSig over the element of an `Id`; each `Rps`, then the lot, `Pedido` of a cancellation and the element
//! around it and an `Rps`, the whole of a query (`provider`).

use super::book::ReturnMessage;
use super::envelope::EnvelopeMessage;
use super::operation::AbrasfService;
use super::provider::SignedPart;
use super::{MunicipalRequest, rps::PartyIdentity};
use crate::signature::{self, PlacedSignature};
use crate::taxpayer::same_taxpayer;
use fiscal::xml::{self, Element};

/// Errors of the signatures; `prestador` must be their signer.
pub(super) fn problems(
    visit: &MunicipalRequest<'_>,
    message: &EnvelopeMessage,
    prestador: &PartyIdentity,
) -> Vec<ReturnMessage> {
    let alone = standing_alone(message);
    let message = alone.as_ref().unwrap_or(message);
    let found = signature::examine_all(&signature::NFSE, &message.root, &message.source, visit.world, visit.now);
    let wrong = |what: &str| ReturnMessage::about("E174", what.to_owned());
    let mut problems = Vec::new();
    for (parent, what) in required_signatures(visit, message) {
        match child_signature(parent, &found) {
            None => problems.push(wrong(&format!("{what} sem assinatura"))),
            Some(signature) if !is_about(parent, signature, is_signed_query(message.operation)) => {
                problems.push(wrong(&format!("a assinatura de {what} é de {:?}", signature.uri)));
            }
            Some(_) => {}
        }
    }
    for signature in &found {
        let signer = signature.signer.as_ref().map(|signer| signer.holder()).unwrap_or_default();
        if !signature.faults.is_empty() {
            problems.push(wrong(&format!("assinatura de {:?} inválida: {:?}", signature.uri, signature.faults)));
        } else if !same_taxpayer(signer, &prestador.document) {
            problems.push(wrong(&format!("assinatura de {signer}, prestador {}", prestador.document)));
        }
    }
    problems
}

/// A query is signed as a whole, and verified without the envelope around it.
fn standing_alone(message: &EnvelopeMessage) -> Option<EnvelopeMessage> {
    let source =
        message.source.get(message.root.span.clone()).filter(|_| is_signed_query(message.operation))?.to_owned();
    let root = xml::read(source.as_bytes()).ok()?;
    Some(EnvelopeMessage { operation: message.operation, root, source, credentials: Vec::new() })
}

fn is_signed_query(operation: AbrasfService) -> bool {
    matches!(operation, AbrasfService::ByRps | AbrasfService::BatchResult | AbrasfService::BatchState)
}

/// Parents of the required signatures.
fn required_signatures<'m>(visit: &MunicipalRequest<'_>, message: &'m EnvelopeMessage) -> Vec<(&'m Element, String)> {
    let (hall, ambiente, root) = (visit.address.server, visit.address.ambiente, &message.root);
    let mut all = Vec::new();
    if hall.signs(SignedPart::Rps, ambiente) {
        all.extend(rps_of(message).into_iter().enumerate().map(|(at, rps)| (rps, format!("Rps[{at}]"))));
    }
    if hall.signs(SignedPart::Lote, ambiente)
        && matches!(message.operation, AbrasfService::Batch | AbrasfService::BatchNow)
    {
        all.push((root, "LoteRps".to_owned()));
    }
    if hall.signs(SignedPart::Cancelamento, ambiente)
        && let Some(pedido) = root.child("Pedido").or_else(|| root.at("SubstituicaoNfse/Pedido"))
        && matches!(message.operation, AbrasfService::Cancel | AbrasfService::Substitute)
    {
        all.push((pedido, "Pedido".to_owned()));
        if message.operation == AbrasfService::Substitute {
            all.push((root, "SubstituicaoNfse".to_owned()));
        }
    }
    let question = match message.operation {
        AbrasfService::ByRps => hall.signs(SignedPart::ConsultaRps, ambiente),
        AbrasfService::BatchResult | AbrasfService::BatchState => hall.signs(SignedPart::ConsultaLote, ambiente),
        _ => false,
    };
    if question {
        all.push((root, root.name.to_string()));
    }
    all
}

/// The `Rps` of a message.
pub(super) fn rps_of(message: &EnvelopeMessage) -> Vec<&Element> {
    let holder = match message.operation {
        AbrasfService::Batch | AbrasfService::BatchNow => message.root.at("LoteRps/ListaRps"),
        AbrasfService::Single => Some(&message.root),
        AbrasfService::Substitute => message.root.child("SubstituicaoNfse"),
        _ => None,
    };
    holder.map(|holder| holder.children().filter(|child| child.name == "Rps").collect()).unwrap_or_default()
}

/// The signature that is a child of this element.
fn child_signature<'f>(parent: &Element, found: &'f [PlacedSignature]) -> Option<&'f PlacedSignature> {
    let signature = parent.children().find(|child| child.name == "Signature")?;
    found.iter().find(|one| one.start == signature.span.start)
}

/// True when the signature is about the signed element of that parent, or about the parent; of a query, about the
/// whole.
fn is_about(parent: &Element, signature: &PlacedSignature, is_question: bool) -> bool {
    if is_question {
        return signature.uri.is_empty();
    }
    let id_of =
        |element: &Element| element.attribute("Id").or_else(|| element.attribute("id")).unwrap_or_default().to_owned();
    let Some(id) = signature.uri.strip_prefix('#').filter(|id| !id.is_empty()) else { return false };
    parent.children().next().is_some_and(|first| id_of(first) == id) || id_of(parent) == id
}
