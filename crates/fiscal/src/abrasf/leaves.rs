//! Leaves of each version's layout, under the names of the payload.
//!
//! Law: the XSD of each version. Must not know the meaning of a leaf.

use super::AbrasfVersion;
use super::names::{canonical, fold};
use crate::layout::{Body, Complex, ContentModel, Element, Particle, Simple};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A leaf of the layout.
#[derive(Clone)]
pub(super) struct PayloadLeaf {
    /// Path of tags below `InfRps` or the declaration: `Servico/Valores/Aliquota`. The path of a party's document ends
    /// in its wrapper.
    pub(super) path: String,
    /// Type of the value; of a document, the type of the CNPJ.
    pub(super) simple: &'static Simple,
    /// Set for a CNPJ or CPF, whose tag depends on the value.
    pub(super) document: Option<DocumentWrapper>,
    /// Type of the CPF, for a document that may be one.
    pub(super) person: Option<&'static Simple>,
}

/// Wrapper of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DocumentWrapper {
    /// `CpfCnpj {Cpf | Cnpj}`.
    Choice,
    /// `Cnpj` bare: the layout takes no CPF.
    Bare,
}

/// Leaves of a version by canonical path.
pub(super) fn of(version: AbrasfVersion) -> &'static BTreeMap<String, PayloadLeaf> {
    static LEAVES: OnceLock<Vec<BTreeMap<String, PayloadLeaf>>> = OnceLock::new();
    let all = LEAVES.get_or_init(|| {
        let one = |version: &AbrasfVersion| {
            let mut leaves = BTreeMap::new();
            if let Some(inf) = version.inf() {
                collect(inf, "", &mut leaves);
            }
            leaves
        };
        AbrasfVersion::ALL.iter().map(one).collect()
    });
    let at = AbrasfVersion::ALL.iter().position(|one| *one == version).unwrap_or_default();
    &all[at]
}

/// True when any version has this leaf.
pub(super) fn is_known(path: &str) -> bool {
    AbrasfVersion::ALL.iter().any(|version| of(*version).contains_key(path))
}

/// True when a version has a leaf below this path.
pub(super) fn is_group(path: &str) -> bool {
    let below = |leaf: &String| leaf.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    AbrasfVersion::ALL.iter().any(|version| of(*version).keys().any(below))
}

fn collect(complex: &'static Complex, path: &str, leaves: &mut BTreeMap<String, PayloadLeaf>) {
    let Some(content) = &complex.content else { return };
    each(content, &mut |element| {
        let own = if path.is_empty() { element.name.to_owned() } else { format!("{path}/{}", element.name) };
        match element.kind {
            ContentModel::Leaf(simple) => {
                let bare = (element.name == "Cnpj").then_some(DocumentWrapper::Bare);
                let held = if bare.is_some() { path.to_owned() } else { own.clone() };
                add(leaves, &own, PayloadLeaf { path: held, simple, document: bare, person: None });
            }
            ContentModel::Group(group) if element.name == "CpfCnpj" => {
                if let Some(simple) = element.child("Cnpj").and_then(Element::text) {
                    let person = element.child("Cpf").and_then(Element::text);
                    add(
                        leaves,
                        &own,
                        PayloadLeaf { path: own.clone(), simple, document: Some(DocumentWrapper::Choice), person },
                    );
                } else {
                    collect(group, &own, leaves);
                }
            }
            ContentModel::Group(group) => collect(group, &own, leaves),
            ContentModel::Foreign(_) => {}
        }
    });
}

fn add(leaves: &mut BTreeMap<String, PayloadLeaf>, path: &str, leaf: PayloadLeaf) {
    let folded: Vec<String> = path.split('/').map(fold).collect();
    leaves.entry(canonical(&folded.join("/"))).or_insert(leaf);
}

fn each(particle: &'static Particle, act: &mut dyn FnMut(&'static Element)) {
    match &particle.body {
        Body::Element(element) => act(element),
        Body::Sequence(parts) | Body::Choice(parts) => parts.iter().for_each(|part| each(part, act)),
        Body::Any => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_the_common_leaves_and_its_own() {
        for version in AbrasfVersion::ALL {
            let leaves = of(version);
            for path in [
                "rps/identificacaorps/numero",
                "rps/dataemissao",
                "rps/rpssubstituido/serie",
                "servico/issretido",
                "servico/valores/aliquota",
                "prestador/cpfcnpj",
                "tomador/identificacaotomador/cpfcnpj",
                "tomador/razaosocial",
                "intermediario/identificacaointermediario/cpfcnpj",
                "construcaocivil/art",
                "incentivofiscal",
            ] {
                assert!(leaves.contains_key(path), "{version} {path}");
            }
        }
        assert_eq!(of(AbrasfVersion::V204)["tomador/razaosocial"].path, "TomadorServico/RazaoSocial");
        assert_eq!(of(AbrasfVersion::V100)["construcaocivil/art"].path, "ContrucaoCivil/Art");
        assert_eq!(of(AbrasfVersion::GovDigital201)["tomador/niftomador"].path, "Tomador/IdentificacaoTomador/NIF");
        assert_eq!(of(AbrasfVersion::V100)["prestador/cpfcnpj"].document, Some(DocumentWrapper::Bare));
        assert!(is_group("tomador/endereco") && !is_group("tomador/razaosocial") && is_known("deducao/valordedutivel"));
    }
}
