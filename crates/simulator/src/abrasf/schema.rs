//! Check of a message against the layout of its version (E160), in the namespace of its provider.
//!
//! Law: the XSD of each version of ABRASF, and that of GovDigital.

use super::address::Address;
use super::book::Problem;
use super::envelope::Message;
use super::hall::Signed;
use super::operation::Operation;
use fiscal::abrasf::Version;
use fiscal::layout;
use fiscal::xml::{Element, Node};

/// Most faults returned of a message.
const TOLD: usize = 5;

/// Deviations from the layout.
pub(super) fn problems(address: &Address, message: &Message) -> Vec<Problem> {
    let hall = address.hall;
    let version = Version::parse(hall.layout());
    let Some(layout) = version.and_then(|version| version.layout(&message.root.name)) else {
        return vec![Problem::about("E160", format!("{} não é da versão {}", message.root.name, hall.versao))];
    };
    let unwrapped = unwrapped(address, message);
    let root = unwrapped.as_ref().unwrap_or(&message.root);
    let faults = layout::check_in(layout, &hall.dados, root);
    // A provider that waives the signature of the lot waives it in the layout too.
    let is_waived =
        |fault: &layout::Fault| fault.path.ends_with("Signature") && !hall.signs(Signed::Lote, address.ambiente);
    faults
        .iter()
        .filter(|fault| !is_waived(fault))
        .take(TOLD)
        .map(|fault| Problem::about("E160", format!("{}: {}", fault.path, fault.message)))
        .collect()
}

/// The query in the form of the layout, of a provider that wraps or signs it otherwise.
fn unwrapped(address: &Address, message: &Message) -> Option<Element> {
    let Address { hall, ambiente, .. } = *address;
    match message.operation {
        Operation::ByRps if hall.pedido_na_consulta => {
            let pedido = message.root.child("Pedido")?;
            Some(Element { nodes: pedido.nodes.clone(), ..message.root.clone() })
        }
        Operation::ByRps if hall.signs(Signed::ConsultaRps, ambiente) => Some(unsigned(&message.root)),
        Operation::BatchResult if hall.signs(Signed::ConsultaLote, ambiente) => Some(unsigned(&message.root)),
        _ => None,
    }
}

fn unsigned(root: &Element) -> Element {
    let is_kept = |node: &Node| !matches!(node, Node::Element(child) if child.name == "Signature");
    Element { nodes: root.nodes.iter().filter(|node| is_kept(node)).cloned().collect(), ..root.clone() }
}
