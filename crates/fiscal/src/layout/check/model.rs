//! Children against a content model, with recovery: after a fault the rest is still checked, and an error is reported
//! once.
//!
//! Law: XML Schema 1.0 part 1, 3.8 and 3.9. The official schemas obey "unique particle attribution", so the next tag
//! alone decides, and a greedy walk is complete. Every skipped child and every missing part is reported, so no fault
//! means that the children match.

use super::repeats::FaultlessElements;
use super::text;
use super::{Checker, FaultKind, PathStep};
use crate::layout::nearest::nearest;
use crate::layout::schema::{Body, Particle};
use crate::xml::{ChildNodes, ElementView, is_same};

/// Children that are searched to distinguish a misplaced element from a missing one. The bound prevents quadratic cost
/// on a hostile document.
const LOOKAHEAD: usize = 100;

/// The children of an element during the walk.
struct ChildWalk<'d> {
    nodes: ChildNodes<'d>,
    /// Elements reported as misplaced; their absence from the right place is not reported again.
    misplaced: Vec<&'d str>,
    parent: &'d str,
}

impl<'d> ChildWalk<'d> {
    fn next(&mut self) -> Option<ElementView<'d>> {
        loop {
            let node = self.nodes.clone().next()?;
            if !node.is_text() {
                return Some(node);
            }
            self.advance();
        }
    }

    fn advance(&mut self) {
        self.nodes.next();
    }

    /// True when one of the next elements could begin this part.
    fn comes_later(&self, particle: &Particle) -> bool {
        let further = self.nodes.clone().skip(1).take(LOOKAHEAD);
        further.filter(|node| !node.is_text()).any(|node| starts(particle, node.name()))
    }
}

/// Parts that may follow the current sequence, innermost first.
struct FollowingParts<'r> {
    /// The enclosing part, while it may repeat.
    again: Option<&'static Particle>,
    following: &'static [Particle],
    outer: Option<&'r FollowingParts<'r>>,
    /// Occurrence index of the repeated part, for the path.
    index: Option<u32>,
}

impl FollowingParts<'_> {
    fn takes(&self, name: &str) -> bool {
        self.again.is_some_and(|particle| starts(particle, name))
            || self.following.iter().any(|particle| starts(particle, name))
            || self.outer.is_some_and(|outer| outer.takes(name))
    }
}

impl<'d> Checker<'d> {
    /// Checks all children of an element against its content.
    pub(super) fn children(&mut self, content: &'static Particle, element: ElementView<'d>) {
        let mut walk = ChildWalk { nodes: element.nodes(), misplaced: Vec::new(), parent: element.name() };
        let nothing = FollowingParts { again: None, following: &[], outer: None, index: None };
        self.sequence(std::slice::from_ref(content), &nothing, &mut walk);
    }

    fn sequence(&mut self, particles: &'static [Particle], rest: &FollowingParts, walk: &mut ChildWalk<'d>) {
        let mut at = 0;
        while let Some(child) = walk.next() {
            let begun = |part: &usize| starts(&particles[*part], child.name());
            // a group whose first parts are missing is entered too, to report them
            let entered = |part: &usize| holds(&particles[*part], child.name());
            let parts = at..particles.len();
            let found = parts
                .clone()
                .find(begun)
                .or_else(|| if rest.takes(child.name()) { None } else { parts.clone().find(entered) });
            match found {
                Some(found) => {
                    let passed = particles[at..found].iter().filter(|particle| !is_optional(particle));
                    if let Some(before) = passed.clone().find(|particle| walk.comes_later(particle)) {
                        self.misplaced(child, before, walk);
                        continue;
                    }
                    passed.for_each(|particle| self.missing(particle, walk));
                    let rest = FollowingParts {
                        again: None,
                        following: &particles[found + 1..],
                        outer: Some(rest),
                        index: rest.index,
                    };
                    self.particle(&particles[found], &rest, walk);
                    at = found + 1;
                }
                None if rest.takes(child.name()) => break,
                None => self.unexpected(child, particles, at, walk),
            }
        }
        for particle in particles[at..].iter().filter(|particle| !is_optional(particle)) {
            self.missing(particle, walk);
        }
    }

    /// Checks a part that holds the next child, as often as a child begins it again.
    fn particle(&mut self, particle: &'static Particle, rest: &FollowingParts, walk: &mut ChildWalk<'d>) {
        let mut count = 0;
        let mut known = FaultlessElements::default();
        while count < particle.max {
            let Some(child) = walk.next().filter(|child| count == 0 || starts(particle, child.name())) else { break };
            let index = if particle.max > 1 { Some(count) } else { rest.index };
            count += 1;
            let again = (count < particle.max).then_some(particle);
            let inner = FollowingParts { again, following: &[], outer: Some(rest), index };
            match particle.body {
                Body::Element(declared) => {
                    walk.advance();
                    self.path.push(PathStep { name: declared.name, index });
                    // the first occurrence has no earlier one to compare with
                    match count > 1 {
                        true => self.repeated(declared, child, &mut known),
                        false => self.element(declared, child),
                    }
                    self.path.pop();
                }
                Body::Sequence(particles) => self.sequence(particles, &inner, walk),
                Body::Choice(alternatives) => {
                    if let Some(alternative) = alternatives.iter().find(|alternative| starts(alternative, child.name()))
                    {
                        self.particle(alternative, &inner, walk);
                    }
                }
                Body::Any => walk.advance(),
            }
        }
        if count < particle.min && !is_optional(particle) {
            let names = text::either(&names(particle));
            let message = format!("{names}: são pelo menos {} ocorrências, e há {count}.", particle.min);
            self.fault(FaultKind::Missing, message);
        }
    }

    fn missing(&mut self, particle: &'static Particle, walk: &ChildWalk) {
        let names = names(particle);
        if names.iter().any(|name| walk.misplaced.contains(name)) {
            return;
        }
        match names.as_slice() {
            [name] => self.fault_below(name, FaultKind::Missing, format!("Falta {name} em {}.", walk.parent)),
            [] => self.fault(FaultKind::Missing, format!("{} está vazio.", walk.parent)),
            _ => {
                self.fault(FaultKind::Missing, format!("Falta em {} um destes: {}.", walk.parent, text::either(&names)))
            }
        }
    }

    fn misplaced(&mut self, child: ElementView<'d>, before: &'static Particle, walk: &mut ChildWalk<'d>) {
        let message = format!("{} está fora de ordem: vem depois de {}.", child.name(), text::either(&names(before)));
        self.fault_below(child.name(), FaultKind::Unexpected, message);
        walk.misplaced.push(child.name());
        walk.advance();
    }

    /// Reports a child that fits neither the rest of this sequence nor the parts after it.
    fn unexpected(
        &mut self,
        child: ElementView<'d>,
        particles: &'static [Particle],
        at: usize,
        walk: &mut ChildWalk<'d>,
    ) {
        if self.is_full() {
            return walk.advance();
        }
        let name = child.name();
        let message = match particles[..at].iter().find(|particle| holds(particle, name)) {
            Some(Particle { max, body: Body::Element(_), .. }) => repeated(name, *max),
            Some(_) => {
                format!(
                    "{name} não pode estar aqui: está repetido, fora de ordem, ou exclui outro que já foi informado."
                )
            }
            None => unknown(name, walk.parent, particles, at),
        };
        self.fault_below(name, FaultKind::Unexpected, message);
        walk.advance();
    }
}

fn repeated(name: &str, max: u32) -> String {
    match max {
        1 => format!("{name} está repetido ou fora de ordem: ocorre uma única vez."),
        max => format!("{name} está repetido ou fora de ordem: são no máximo {max} ocorrências seguidas."),
    }
}

fn unknown(name: &str, parent: &str, particles: &'static [Particle], at: usize) -> String {
    let expected: Vec<&str> = particles[at..].iter().flat_map(names).collect();
    match (nearest(name, particles.iter().flat_map(names)), expected.as_slice()) {
        (Some(meant), _) => format!("{name} não existe em {parent}; o nome certo é {meant}?"),
        (None, []) => format!("{name} não existe em {parent}; aqui nada mais é esperado."),
        (None, expected) => format!("{name} não existe em {parent}; aqui se espera {}.", text::either(expected)),
    }
}

/// True when a tag can begin this part.
fn starts(particle: &Particle, name: &str) -> bool {
    match particle.body {
        Body::Element(declared) => is_same(declared.name, name),
        Body::Any => true,
        Body::Choice(alternatives) => alternatives.iter().any(|alternative| starts(alternative, name)),
        Body::Sequence(particles) => {
            for particle in particles {
                if starts(particle, name) {
                    return true;
                }
                if !is_optional(particle) {
                    return false;
                }
            }
            false
        }
    }
}

/// True when a tag is anywhere in this part.
fn holds(particle: &Particle, name: &str) -> bool {
    match particle.body {
        Body::Element(declared) => is_same(declared.name, name),
        Body::Any => false,
        Body::Choice(parts) | Body::Sequence(parts) => parts.iter().any(|part| holds(part, name)),
    }
}

/// True when the part may be absent.
fn is_optional(particle: &Particle) -> bool {
    particle.min == 0
        || match particle.body {
            Body::Element(_) | Body::Any => false,
            Body::Sequence(particles) => particles.iter().all(is_optional),
            Body::Choice(alternatives) => alternatives.iter().any(is_optional),
        }
}

/// Tags that can begin this part; of a sequence, up to its first required part.
fn names(particle: &'static Particle) -> Vec<&'static str> {
    match particle.body {
        Body::Element(declared) => vec![declared.name],
        Body::Any => Vec::new(),
        Body::Choice(alternatives) => alternatives.iter().flat_map(names).collect(),
        Body::Sequence(particles) => {
            let end = particles.iter().position(|particle| !is_optional(particle)).map_or(particles.len(), |at| at + 1);
            particles[..end].iter().flat_map(names).collect()
        }
    }
}
