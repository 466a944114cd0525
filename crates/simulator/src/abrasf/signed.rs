//! Signatures of a message: those that its provider requires must be present, and all that are present must hold.
//!
//! Law: XML-DSig over the element of an `Id`; each `Rps`, then the lot, `Pedido` of a cancellation and the element
//! around it and an `Rps`, the whole of a query (`provider`).

use super::book::Problem;
use super::envelope::Message;
use super::hall::Signed;
use super::operation::Operation;
use super::{Visit, rps::Party};
use crate::nfse;
use crate::signature::{self, InPlace};
use fiscal::xml::{self, Element};

/// Errors of the signatures; `prestador` must be their signer.
pub(super) fn problems(visit: &Visit<'_>, message: &Message, prestador: &Party) -> Vec<Problem> {
    let alone = standing_alone(message);
    let message = alone.as_ref().unwrap_or(message);
    let found = signature::examine_all(&signature::NFSE, &message.root, &message.source, visit.world, visit.now);
    let wrong = |what: &str| Problem::about("E174", what.to_owned());
    let mut problems = Vec::new();
    for (parent, what) in demanded(visit, message) {
        match own(parent, &found) {
            None => problems.push(wrong(&format!("{what} sem assinatura"))),
            Some(signature) if !is_about(parent, signature, asks(message.operation)) => {
                problems.push(wrong(&format!("a assinatura de {what} é de {:?}", signature.uri)));
            }
            Some(_) => {}
        }
    }
    for signature in &found {
        let signer = signature.signer.as_ref().map(|signer| signer.holder()).unwrap_or_default();
        if !signature.faults.is_empty() {
            problems.push(wrong(&format!("assinatura de {:?} inválida: {:?}", signature.uri, signature.faults)));
        } else if !nfse::same_taxpayer(signer, &prestador.document) {
            problems.push(wrong(&format!("assinatura de {signer}, prestador {}", prestador.document)));
        }
    }
    problems
}

/// A query is signed as a whole, and verified without the envelope around it.
fn standing_alone(message: &Message) -> Option<Message> {
    let source = message.source.get(message.root.span.clone()).filter(|_| asks(message.operation))?.to_owned();
    let root = xml::read(source.as_bytes()).ok()?;
    Some(Message { operation: message.operation, root, source, credentials: Vec::new() })
}

fn asks(operation: Operation) -> bool {
    matches!(operation, Operation::ByRps | Operation::BatchResult | Operation::BatchState)
}

/// Parents of the required signatures.
fn demanded<'m>(visit: &Visit<'_>, message: &'m Message) -> Vec<(&'m Element, String)> {
    let (hall, ambiente, root) = (visit.address.hall, visit.address.ambiente, &message.root);
    let mut all = Vec::new();
    if hall.signs(Signed::Rps, ambiente) {
        all.extend(rps_of(message).into_iter().enumerate().map(|(at, rps)| (rps, format!("Rps[{at}]"))));
    }
    if hall.signs(Signed::Lote, ambiente) && matches!(message.operation, Operation::Batch | Operation::BatchNow) {
        all.push((root, "LoteRps".to_owned()));
    }
    if hall.signs(Signed::Cancelamento, ambiente)
        && let Some(pedido) = root.child("Pedido").or_else(|| root.at("SubstituicaoNfse/Pedido"))
        && matches!(message.operation, Operation::Cancel | Operation::Substitute)
    {
        all.push((pedido, "Pedido".to_owned()));
        if message.operation == Operation::Substitute {
            all.push((root, "SubstituicaoNfse".to_owned()));
        }
    }
    let question = match message.operation {
        Operation::ByRps => hall.signs(Signed::ConsultaRps, ambiente),
        Operation::BatchResult | Operation::BatchState => hall.signs(Signed::ConsultaLote, ambiente),
        _ => false,
    };
    if question {
        all.push((root, root.name.to_string()));
    }
    all
}

/// The `Rps` of a message.
pub(super) fn rps_of(message: &Message) -> Vec<&Element> {
    let holder = match message.operation {
        Operation::Batch | Operation::BatchNow => message.root.at("LoteRps/ListaRps"),
        Operation::Single => Some(&message.root),
        Operation::Substitute => message.root.child("SubstituicaoNfse"),
        _ => None,
    };
    holder.map(|holder| holder.children().filter(|child| child.name == "Rps").collect()).unwrap_or_default()
}

/// The signature that is a child of this element.
fn own<'f>(parent: &Element, found: &'f [InPlace]) -> Option<&'f InPlace> {
    let signature = parent.children().find(|child| child.name == "Signature")?;
    found.iter().find(|one| one.start == signature.span.start)
}

/// True when the signature is about the signed element of that parent, or about the parent; of a query, about the
/// whole.
fn is_about(parent: &Element, signature: &InPlace, is_question: bool) -> bool {
    if is_question {
        return signature.uri.is_empty();
    }
    let id_of =
        |element: &Element| element.attribute("Id").or_else(|| element.attribute("id")).unwrap_or_default().to_owned();
    let Some(id) = signature.uri.strip_prefix('#').filter(|id| !id.is_empty()) else { return false };
    parent.children().next().is_some_and(|first| id_of(first) == id) || id_of(parent) == id
}
