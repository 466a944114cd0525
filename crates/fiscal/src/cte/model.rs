//! The two models, with their differences as data.

use super::groups::{INF_CTE, INF_CTE_OS};
use crate::finding::Violation;
use crate::layout::{self, Body, Complex, ContentModel, Element, Layout, Particle};
use crate::map::{self, ElementMapping, GroupScope, members};
use crate::nota::root_scope;
use serde_json::{Map, Value};
use std::sync::OnceLock;

pub(super) struct CteModel {
    /// `mod`.
    pub(super) modelo: u8,
    pub(super) layout: &'static Layout,
    /// The contract's names, from `infCte` down.
    pub(super) map: &'static ElementMapping,
    /// True when the root has an attribute `versao`.
    pub(super) root_has_version: bool,
    /// Groups whose `xNome` is fixed in homologação (rules 646 to 649). They are the ones that may be the tomador by
    /// index.
    pub(super) roles: &'static [PartyRole],
    valid: OnceLock<Vec<&'static str>>,
}

/// A party of the transport.
pub(super) struct PartyRole {
    pub(super) tag: &'static str,
    pub(super) address: &'static str,
    /// The contract's name.
    pub(super) name: &'static str,
}

const fn role(tag: &'static str, address: &'static str, name: &'static str) -> PartyRole {
    PartyRole { tag, address, name }
}

pub(super) static CTE: CteModel = CteModel {
    modelo: 57,
    layout: &layout::CTE,
    map: &INF_CTE,
    root_has_version: false,
    // in the order of `toma3/toma`: 0, 1, 2, 3
    roles: &[
        role("rem", "enderReme", "remetente"),
        role("exped", "enderExped", "expedidor"),
        role("receb", "enderReceb", "recebedor"),
        role("dest", "enderDest", "destinatario"),
    ],
    valid: OnceLock::new(),
};

pub(super) static CTE_OS: CteModel = CteModel {
    modelo: 67,
    layout: &layout::CTE_OS,
    map: &INF_CTE_OS,
    root_has_version: true,
    roles: &[],
    valid: OnceLock::new(),
};

impl CteModel {
    /// The model of a number; anything but 67 is a CT-e.
    pub(super) fn of(modelo: u8) -> &'static CteModel {
        if modelo == CTE_OS.modelo { &CTE_OS } else { &CTE }
    }

    /// The type of `infCte`.
    pub(super) fn inf_cte(&self) -> Option<&'static Complex> {
        let ContentModel::Group(root) = &self.layout.root.kind else { return None };
        let element = members(root).into_iter().find(|element| element.name == "infCte")?;
        match &element.kind {
            ContentModel::Group(complex) => Some(complex),
            ContentModel::Leaf(_) | ContentModel::Foreign(_) => None,
        }
    }

    /// The members of `infCte` in order, with the alternatives of a normal document and of a complement side by side.
    pub(super) fn parts(&self) -> Vec<&'static Particle> {
        let Some(Body::Sequence(parts)) =
            self.inf_cte().and_then(|complex| complex.content.as_ref()).map(|it| &it.body)
        else {
            return Vec::new();
        };
        parts
            .iter()
            .flat_map(
                |part| if let Body::Choice(branches) = &part.body { branches } else { std::slice::from_ref(part) },
            )
            .collect()
    }

    /// Names allowed directly below `nota`.
    pub(super) fn root_names(&'static self) -> &'static [&'static str] {
        self.valid.get_or_init(|| {
            let mut names = self.inf_cte().map_or_else(Vec::new, |complex| map::valid_names(complex, Some(self.map)));
            names.push("tomador");
            names
        })
    }

    /// Names of the groups of a normal document, directly below `nota`.
    pub(super) fn normal_names(&'static self) -> Vec<&'static str> {
        let normal = self.parts().into_iter().find_map(|part| match &part.body {
            Body::Element(Element { name: "infCTeNorm", kind: ContentModel::Group(complex), .. }) => Some(*complex),
            _ => None,
        });
        let mut names = normal.map_or_else(Vec::new, |complex| map::valid_names(complex, self.map.child("infCTeNorm")));
        names.push("infCTeNorm");
        names
    }

    /// The scope of a member of `infCte`.
    pub(super) fn scope<'a>(&self, root: &'a Map<String, Value>, tag: &'static str) -> GroupScope<'a> {
        root_scope(root).below(self.map.child(tag), tag)
    }

    /// The scope of a party's address.
    pub(super) fn address<'a>(&self, party: &GroupScope<'a>, of: &'static str, tag: &'static str) -> GroupScope<'a> {
        party.below(self.map.child(of).and_then(|place| place.child(tag)), tag)
    }

    /// True when `tomador` is inside of `identificacao`, as in the official tree.
    pub(super) fn has_tomador_in_ide(&self, root: &Map<String, Value>) -> bool {
        let inside = |ide: &Value| ["toma3", "toma4", "tomador"].iter().any(|name| ide.get(*name).is_some());
        ["ide", "identificacao"].iter().filter_map(|name| root.get(*name)).any(inside)
    }
}

/// `identificacao`, whose names are equal in both models.
pub(super) fn ide(root: &Map<String, Value>) -> GroupScope<'_> {
    CTE.scope(root, "ide")
}

/// Name and text of the requested model.
pub(super) fn requested_model<'a>(ide: &GroupScope<'a>) -> Option<(&'static str, &'a str)> {
    let said = |name| Some((name, ide.text(name)?.trim()));
    ["modelo", "mod"].into_iter().filter_map(said).find(|(_, words)| !words.is_empty())
}

/// Refuses a requested model other than 57 and 67.
pub(super) fn refuse_other(nota: &Value) -> Option<Violation> {
    let ide = ide(nota.as_object()?);
    let (name, _) = requested_model(&ide)?;
    let known = super::modelo(nota).is_some_and(|modelo| [CTE.modelo, CTE_OS.modelo].contains(&modelo));
    let mensagem = format!("{name} é 57 (CT-e) ou 67 (CT-e OS); sem ele, 57.");
    (!known).then(|| Violation::of(&format!("{}.{name}", ide.base_path()), "valor_invalido", &mensagem))
}
