//! Check of a message against the layout of its version (E160), in the namespace of its provider.
//!
//! Law: the XSD of each version of ABRASF, and that of GovDigital.

use super::address::MunicipalAddress;
use super::book::ReturnMessage;
use super::envelope::EnvelopeMessage;
use super::operation::AbrasfService;
use super::provider::SignedPart;
use fiscal::abrasf::AbrasfVersion;
use fiscal::layout;
use fiscal::xml::{Element, Node};

/// Most faults returned of a message.
const FAULT_LIMIT: usize = 5;

/// Deviations from the layout.
pub(super) fn problems(address: &MunicipalAddress, message: &EnvelopeMessage) -> Vec<ReturnMessage> {
    let hall = address.server;
    let version = AbrasfVersion::parse(hall.layout());
    let Some(layout) = version.and_then(|version| version.layout(&message.root.name)) else {
        return vec![ReturnMessage::about("E160", format!("{} não é da versão {}", message.root.name, hall.versao))];
    };
    let unwrapped = unwrapped(address, message);
    let root = unwrapped.as_ref().unwrap_or(&message.root);
    let faults = layout::check_in(layout, &hall.dados, root);
    // A provider that waives the signature of the lot waives it in the layout too.
    let is_waived = |fault: &layout::LayoutFault| {
        fault.path.ends_with("Signature") && !hall.signs(SignedPart::Lote, address.ambiente)
    };
    faults
        .iter()
        .filter(|fault| !is_waived(fault))
        .take(FAULT_LIMIT)
        .map(|fault| ReturnMessage::about("E160", format!("{}: {}", fault.path, fault.message)))
        .collect()
}

/// The query in the form of the layout, of a provider that wraps or signs it otherwise.
fn unwrapped(address: &MunicipalAddress, message: &EnvelopeMessage) -> Option<Element> {
    let MunicipalAddress { server: hall, ambiente, .. } = *address;
    match message.operation {
        AbrasfService::ByRps if hall.pedido_na_consulta => {
            let pedido = message.root.child("Pedido")?;
            Some(Element { nodes: pedido.nodes.clone(), ..message.root.clone() })
        }
        AbrasfService::ByRps if hall.signs(SignedPart::ConsultaRps, ambiente) => Some(unsigned(&message.root)),
        AbrasfService::BatchResult if hall.signs(SignedPart::ConsultaLote, ambiente) => Some(unsigned(&message.root)),
        _ => None,
    }
}

fn unsigned(root: &Element) -> Element {
    let is_kept = |node: &Node| !matches!(node, Node::Element(child) if child.name == "Signature");
    Element { nodes: root.nodes.iter().filter(|node| is_kept(node)).cloned().collect(), ..root.clone() }
}
