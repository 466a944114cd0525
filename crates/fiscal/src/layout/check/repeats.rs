//! Reuse of results between equally built elements, such as the items of an NF-e. A result without faults holds for the
//! next element too, except for its values, most of which are equal as well. No fault is reported here: where one is
//! possible, the element is checked in full.

use super::{Checker, value};
use crate::layout::schema::{Base, Element, Simple};
use crate::xml::ElementView;

/// Faultless elements of one declaration, no two built alike.
#[derive(Default)]
pub(super) struct FaultlessElements<'d>(Vec<FaultlessElement<'d>>);

/// An element without faults.
struct FaultlessElement<'d> {
    element: ElementView<'d>,
    leaves: ValuePositions,
}

/// The values below an element: distance from it, and type.
type ValuePositions = Vec<(u32, &'static Simple)>;

/// Record of an element while it is checked.
pub(super) struct ElementRecord<'d> {
    element: ElementView<'d>,
    leaves: ValuePositions,
    /// Part of it must be checked each time.
    unrepeatable: bool,
}

/// Most elements remembered; an NF-e has few kinds of items.
const MOST_REMEMBERED: usize = 6;

impl<'d> Checker<'d> {
    /// Checks a further occurrence of a repeated element.
    pub(super) fn repeated(
        &mut self,
        declared: &'static Element,
        element: ElementView<'d>,
        known: &mut FaultlessElements<'d>,
    ) {
        if self.record.is_some() {
            return self.element(declared, element);
        }
        if self.is_faultless_again(element, known) {
            return self.own_attributes(declared, element);
        }
        let told = self.faults.len();
        self.record = Some(ElementRecord { element, leaves: Vec::new(), unrepeatable: false });
        self.element(declared, element);
        let gathered = self.record.take().filter(|gathered| !gathered.unrepeatable && self.faults.len() == told);
        if let Some(ElementRecord { element, leaves, .. }) = gathered {
            if known.0.len() >= MOST_REMEMBERED {
                known.0.remove(0);
            }
            known.0.push(FaultlessElement { element, leaves });
        }
    }

    /// True when the element is built like a faultless one and its values are valid.
    fn is_faultless_again(&self, element: ElementView<'d>, known: &FaultlessElements<'d>) -> bool {
        let alike = known.0.iter().rev().find(|right| element.is_built_like(right.element));
        alike.is_some_and(|right| {
            right.leaves.iter().all(|(distance, simple)| right.has_valid_value(element, *distance, simple))
        })
    }

    /// Records a value under check and its type.
    pub(super) fn record_value(&mut self, simple: &'static Simple, element: ElementView<'d>) {
        if let Some(gathering) = &mut self.record {
            gathering.unrepeatable |= simple.base == Base::Id;
            gathering.leaves.push((element.distance_from(gathering.element), simple));
        }
    }

    /// Marks the element as dependent on more than its names and values.
    pub(super) fn mark_unrepeatable(&mut self) {
        if let Some(gathering) = &mut self.record {
            gathering.unrepeatable = true;
        }
    }
}

impl<'d> FaultlessElement<'d> {
    fn has_valid_value(&self, element: ElementView<'d>, distance: u32, simple: &'static Simple) -> bool {
        let text = |of: ElementView<'d>| of.at_distance(distance).and_then(ElementView::only_text);
        let (own, before) = (text(element), text(self.element));
        own.is_some() && (own == before || own.is_some_and(|own| value::check(simple, own).is_ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{self, LayoutFault};
    use crate::xml::{self, FlatDocument, Node};
    use std::collections::HashSet;

    const NOTE: &str = include_str!("../../../tests/golden/nfe/ibscbs_200_reducao_60/expected.xml");

    /// Faults of a document with reuse, and without it.
    fn both(document: &xml::Element) -> (Vec<LayoutFault>, Vec<LayoutFault>) {
        let document = FlatDocument::of(document);
        let (layout, root) = (&layout::NFE, document.root());
        let mut each = Checker {
            faults: Vec::new(),
            path: Vec::new(),
            ids: HashSet::new(),
            namespace: layout.namespace,
            record: None,
        };
        // during a recording nothing is reused
        each.record = Some(ElementRecord { element: root, leaves: Vec::new(), unrepeatable: true });
        each.element(layout.root, root);
        (layout::check_view(layout, layout.namespace, root), each.faults)
    }

    fn children(element: &mut xml::Element) -> Vec<&mut xml::Element> {
        let elements = element.nodes.iter_mut();
        elements.filter_map(|node| if let Node::Element(child) = node { Some(&mut **child) } else { None }).collect()
    }

    /// An NF-e with this number of items, numbered differently.
    fn note(items: usize) -> xml::Element {
        let mut note = xml::read(NOTE.as_bytes()).unwrap();
        let inf = children(&mut note).remove(0);
        let at = inf.nodes.iter().position(|node| matches!(node, Node::Element(child) if child.name == "det")).unwrap();
        let det = inf.nodes[at].clone();
        inf.nodes.retain(|node| !matches!(node, Node::Element(child) if child.name == "det"));
        for item in (1..=items).rev() {
            let mut det = det.clone();
            if let Node::Element(det) = &mut det {
                det.attributes[0].1 = item.to_string();
            }
            inf.nodes.insert(at, det);
        }
        note
    }

    /// Changes something at random in an element.
    fn change(element: &mut xml::Element, mut draw: impl FnMut(usize) -> usize) {
        let mut place = element;
        while !children(place).is_empty() && draw(5) > 0 {
            let count = children(place).len();
            place = children(place).swap_remove(draw(count));
        }
        let count = place.nodes.len().max(1);
        let at = draw(count).min(place.nodes.len());
        match draw(9) {
            0 => drop((at < place.nodes.len()).then(|| place.nodes.remove(at))),
            1 => {
                let twice = place.nodes.get(at).cloned();
                place.nodes.extend(twice);
            }
            2 => place.nodes.reverse(),
            3 => place.name = "vProd".into(),
            4 => place.attributes.push(("a".into(), "1".to_owned())),
            5 => place.namespace = "urn:other".into(),
            6 => place.nodes.push(Node::Text("x".to_owned())),
            _ => {
                place.nodes =
                    vec![Node::Text(["1.00", "", "-1", "ABC", " 2", "102", "0.0000000001"][draw(7)].to_owned())]
            }
        }
    }

    #[test]
    fn what_is_remembered_tells_what_looking_at_each_tells() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut draw = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % u64::try_from(below.max(1)).unwrap()).unwrap()
        };
        let (remembered, each) = both(&note(9));
        assert_eq!(remembered, each);
        let mut wrong = 0;
        for _ in 0..3_000 {
            let mut note = note(8);
            for _ in 0..=draw(3) {
                let inf = children(&mut note).remove(0);
                let mut items: Vec<_> = children(inf).into_iter().filter(|child| child.name == "det").collect();
                let count = items.len();
                if let Some(item) = items.get_mut(draw(count)) {
                    change(item, &mut draw);
                }
            }
            let (remembered, each) = both(&note);
            assert_eq!(remembered, each);
            wrong += usize::from(each.len() > 1);
        }
        assert!(wrong > 1_500, "{wrong} notes were wrong");
    }
}
