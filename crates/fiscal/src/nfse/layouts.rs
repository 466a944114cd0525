//! The two layouts of a DPS: the package in force, and its changes by NT 009.
//!
//! Law: package of 2026-07-27; NT 009 v1.01 of 2026-09-11 with Anexo VI v1.04.01, as far as `layout::DPS_NT009`
//! contains it. The NT prints no day. The layout of an environment is known by observation, chosen by the operator, or
//! shown by the host's own answer (E1235 with `finNFSe`).

use super::calendar::EffectiveDay;
use crate::layout::{self, Body, Complex, ContentModel, Layout, Particle};
use crate::map::members;
use crate::value::TpAmb;
use crate::xml::Element;
use jiff::civil::date;

/// A layout of the DPS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DpsLayout {
    /// The package in force (1.01 of 2026-07-27).
    #[default]
    #[serde(rename = "atual")]
    Current,
    /// The package as changed by NT 009.
    Nt009,
}

/// Day on which the Sefin of an environment began to accept only NT 009.
struct LayoutSwitch {
    ambiente: TpAmb,
    day: Option<EffectiveDay>,
}

/// No day is known for production: one client switches on 2026-12-01, the author of another expects 2027-01-01, and no
/// acceptance was observed there.
const TURNS: [LayoutSwitch; 2] = [
    LayoutSwitch {
        ambiente: TpAmb::Homologacao,
        day: Some(EffectiveDay {
            from: date(2026, 10, 31),
            source: "registros de mudanças de dois clientes públicos da Sefin Nacional",
        }),
    },
    LayoutSwitch { ambiente: TpAmb::Producao, day: None },
];

impl DpsLayout {
    /// Returns the layout that the Sefin Nacional expects for a declaration of this instant, as far as a day is known.
    pub fn of_day(ambiente: TpAmb, dhEmi: &str) -> DpsLayout {
        let turn = TURNS.iter().find(|turn| turn.ambiente == ambiente).and_then(|turn| turn.day.as_ref());
        if turn.is_some_and(|day| day.has_come(dhEmi)) { DpsLayout::Nt009 } else { DpsLayout::Current }
    }
    /// Returns the layout of a document: NT 009 has `finNFSe` beside the parties.
    pub fn of(dps: &Element) -> DpsLayout {
        if dps.at("infDPS/finNFSe").is_some() { DpsLayout::Nt009 } else { DpsLayout::Current }
    }
    /// Returns the other layout.
    pub fn other(self) -> DpsLayout {
        match self {
            DpsLayout::Current => DpsLayout::Nt009,
            DpsLayout::Nt009 => DpsLayout::Current,
        }
    }
    /// Returns the word for configuration and history.
    pub fn word(self) -> &'static str {
        match self {
            DpsLayout::Current => "atual",
            DpsLayout::Nt009 => "nt009",
        }
    }
    /// Parses the word.
    pub fn from_word(word: &str) -> Option<DpsLayout> {
        [DpsLayout::Current, DpsLayout::Nt009].into_iter().find(|layout| layout.word() == word)
    }
    /// Returns the layout table.
    pub fn table(self) -> &'static Layout {
        match self {
            DpsLayout::Current => &layout::DPS,
            DpsLayout::Nt009 => &layout::DPS_NT009,
        }
    }
    /// The content of `infDPS`.
    pub(super) fn inf_dps(self) -> Option<&'static Complex> {
        let ContentModel::Group(root) = &self.table().root.kind else { return None };
        let element = members(root).into_iter().find(|element| element.name == "infDPS")?;
        match &element.kind {
            ContentModel::Group(complex) => Some(complex),
            ContentModel::Leaf(_) | ContentModel::Foreign(_) => None,
        }
    }
    /// Returns the members of `infDPS` in order.
    pub(super) fn parts(self) -> &'static [Particle] {
        match self.inf_dps().and_then(|complex| complex.content.as_ref()).map(|content| &content.body) {
            Some(Body::Sequence(parts)) => parts,
            _ => &[],
        }
    }
}

/// Element that the Sefin names when it receives the other layout.
const SIGN: &str = "finNFSe";
/// Code of a refusal by the schema, which registers nothing (rules of reception).
const BY_THE_SCHEMA: &str = "E1235";

/// True when a refusal shows that the host expects the other layout.
pub fn indicates_other_layout(codigo: &str, texts: &[&str]) -> bool {
    codigo == BY_THE_SCHEMA && texts.iter().any(|text| text.contains(SIGN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_of_an_environment_begins_in_the_offset_of_the_instant() {
        for (ambiente, dhEmi, expected) in [
            (TpAmb::Homologacao, "2026-10-30T23:59:59-03:00", DpsLayout::Current),
            (TpAmb::Homologacao, "2026-10-30T23:59:59-05:00", DpsLayout::Current),
            (TpAmb::Homologacao, "2026-10-31T00:00:00-03:00", DpsLayout::Nt009),
            (TpAmb::Homologacao, "2026-10-31T00:00:00-02:00", DpsLayout::Nt009),
            // no day was published
            (TpAmb::Producao, "2027-06-01T00:00:00-03:00", DpsLayout::Current),
        ] {
            assert_eq!(DpsLayout::of_day(ambiente, dhEmi), expected, "{ambiente:?} {dhEmi}");
        }
    }

    #[test]
    fn only_a_refusal_by_the_schema_that_names_the_sign_asks_for_the_other() {
        assert!(indicates_other_layout("E1235", &["Falha no esquema XML do DF-e", "infDPS: falta finNFSe"]));
        assert!(!indicates_other_layout("E1235", &["Falha no esquema XML do DF-e", ""]));
        assert!(!indicates_other_layout("E0901", &["finNFSe"]));
        for layout in [DpsLayout::Current, DpsLayout::Nt009] {
            assert_eq!(DpsLayout::from_word(layout.word()), Some(layout));
            assert_eq!(layout.other().other(), layout);
            assert!(!layout.parts().is_empty());
        }
    }
}
