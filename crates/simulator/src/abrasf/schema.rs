//! A message against the layout of its version (E160), in the namespace of its provider.
//!
//! Law: the XSD of each version of ABRASF, and that of GovDigital.

use super::book::Problem;
use super::envelope::Message;
use super::hall::Hall;
use super::operation::Operation;
use fiscal::abrasf::Version;
use fiscal::layout;
use fiscal::xml::Element;

/// Faults told of one message; who sends it knows after the first few.
const TOLD: usize = 5;

/// Where it strays from the layout.
pub(super) fn problems(hall: &Hall, message: &Message) -> Vec<Problem> {
    let version = Version::parse(hall.layout());
    let Some(layout) = version.and_then(|version| version.layout(&message.root.name)) else {
        return vec![Problem::about("E160", format!("{} não é da versão {}", message.root.name, hall.versao))];
    };
    let unwrapped = unwrapped(hall, message);
    let root = unwrapped.as_ref().unwrap_or(&message.root);
    let faults = layout::check_in(layout, &hall.dados, root);
    faults.iter().take(TOLD).map(|fault| Problem::about("E160", format!("{}: {}", fault.path, fault.message))).collect()
}

/// The query of a provider that wraps what it asks for, as the layout has it.
fn unwrapped(hall: &Hall, message: &Message) -> Option<Element> {
    if !hall.pedido_na_consulta || message.operation != Operation::ByRps {
        return None;
    }
    let pedido = message.root.child("Pedido")?;
    Some(Element { nodes: pedido.nodes.clone(), ..message.root.clone() })
}
