//! The element `infNFe` in the layout.

use crate::layout::{self, Body, Complex, ContentModel, Particle};
use crate::map::members;

/// Returns the content of `infNFe`.
pub(super) fn inf_nfe() -> Option<&'static Complex> {
    let ContentModel::Group(nfe) = &layout::NFE.root.kind else { return None };
    let element = members(nfe).into_iter().find(|element| element.name == "infNFe")?;
    match &element.kind {
        ContentModel::Group(complex) => Some(complex),
        ContentModel::Leaf(_) | ContentModel::Foreign(_) => None,
    }
}

pub(super) fn inf_nfe_particles() -> &'static [Particle] {
    match inf_nfe().and_then(|complex| complex.content.as_ref()).map(|content| &content.body) {
        Some(Body::Sequence(parts)) => parts,
        _ => &[],
    }
}
