//! Answers altered by a fault: scripted refusals, the identity of another RPS. The memory stays as it is.

use super::book::ReturnMessage;
use super::envelope::EnvelopeMessage;
use super::operation::AbrasfService;
use super::rps::{PartyIdentity, RpsIdentity};
use super::{MunicipalAnswer, MunicipalRequest, query};
use crate::faults::FaultType;
use fiscal::xml::Element;

/// The scripted refusal that replaces the answer to an operation, if any.
pub(super) fn refusal(visit: &MunicipalRequest<'_>, operation: AbrasfService) -> Option<MunicipalAnswer> {
    let problem = scripted(visit, FaultType::Cstat)?;
    Some(query::refused(visit, operation, &[problem]))
}

fn scripted(visit: &MunicipalRequest<'_>, tipo: FaultType) -> Option<ReturnMessage> {
    let (codigo, mensagem) = visit.drawn.codigo_of(tipo)?;
    Some(ReturnMessage::with_replaced_text(codigo, mensagem))
}

/// The answer to send: where the fault asks for it, every RPS in it carries the identity of another.
pub(super) fn altered_answer(
    visit: &MunicipalRequest<'_>,
    message: &EnvelopeMessage,
    answer: MunicipalAnswer,
) -> MunicipalAnswer {
    if !visit.meets(FaultType::OtherDocument) {
        return answer;
    }
    let emitente = deep(&message.root, "Prestador").map(PartyIdentity::read).unwrap_or_default().document;
    let another = |id: &RpsIdentity| visit.world.municipal().another_rps(visit.office(), &emitente, id);
    if let Some(problem) = scripted(visit, FaultType::OtherDocument) {
        let named = match deep(&message.root, "IdentificacaoRps") {
            Some(id) if is_of_lot(message.operation) => problem.of(&another(&RpsIdentity::read(id))),
            _ => problem,
        };
        return MunicipalAnswer { about: answer.about, ..query::refused(visit, message.operation, &[named]) };
    }
    MunicipalAnswer { content: with_other_identities(&answer.content, another), ..answer }
}

/// True for operations whose refusals name an RPS.
fn is_of_lot(operation: AbrasfService) -> bool {
    matches!(operation, AbrasfService::BatchNow | AbrasfService::BatchResult)
}

fn deep<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    element.children().find_map(|child| if child.name == name { Some(child) } else { deep(child, name) })
}

const OPEN: &str = "<IdentificacaoRps";
const CLOSE: &str = "</IdentificacaoRps>";

/// Replaces every identification of an RPS by that of another.
fn with_other_identities(content: &str, another: impl Fn(&RpsIdentity) -> RpsIdentity) -> String {
    let mut parts = content.split(OPEN);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(OPEN);
        match read(part) {
            Some((attributes, id, rest)) => {
                text.push_str(&format!("{attributes}>{}{CLOSE}{rest}", another(&id).leaves()));
            }
            None => text.push_str(part),
        }
    }
    text
}

/// Attributes of the element, its identification, and the text behind it.
fn read(part: &str) -> Option<(&str, RpsIdentity, &str)> {
    let (inside, rest) = part.split_once(CLOSE)?;
    let (attributes, leaves) = inside.split_once('>')?;
    let element = fiscal::xml::read(format!("<r>{leaves}</r>").as_bytes()).ok()?;
    Some((attributes, RpsIdentity::read(&element), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_identification_is_replaced_where_it_stands() {
        let one = |numero: &str| RpsIdentity { numero: numero.into(), serie: "A".into(), tipo: "1".into() };
        let text = |numero: &str| {
            format!("<a>{OPEN} x=\"1\">{}{CLOSE}</a>{OPEN}>{}{CLOSE}<b/>", one(numero).leaves(), one(numero).leaves())
        };
        assert_eq!(with_other_identities(&text("1"), |id| RpsIdentity { numero: "7".into(), ..id.clone() }), text("7"));
        assert_eq!(with_other_identities("<b/>", RpsIdentity::clone), "<b/>");
    }
}
