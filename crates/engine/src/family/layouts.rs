//! Layout of a DPS: the operator's choice, the layout that the host last asked for, or that of the day.
//!
//! Law: NT 009 of the NFS-e, which prints no day (`fiscal::nfse::layouts`). A host that refuses one layout by its
//! schema and names `finNFSe` takes the other; this is stored with the answers of the national system, so that all
//! processes know it and a restart forgets nothing.

use crate::Engine;
use crate::family::Family;
use fiscal::document::DpsLayout;
use fiscal::value::TpAmb;
use fiscal::xml::Element;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use store::lookups::CachedLookup;

/// Layout functions of a family with two layouts.
pub(crate) struct LayoutRow {
    /// Layout of its national authority for a document of an instant, as far as a day is known.
    pub(crate) of_day: fn(TpAmb, &str) -> DpsLayout,
    /// Layout of a document.
    pub(crate) of: fn(&Element) -> DpsLayout,
    /// `true` if a layout can hold the whole payload.
    pub(crate) says_all: fn(&Value, DpsLayout) -> bool,
    /// `true` if a refusal asks for the other layout, by its code and its texts.
    pub(crate) is_asked: fn(&str, &[&str]) -> bool,
}

/// Operator's choice for an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayoutChoice {
    /// The host's layout, as it last asked for or as its day has it.
    #[default]
    Automatic,
    /// A fixed layout for every host.
    Fixed(DpsLayout),
}

impl LayoutChoice {
    /// Reads the word of the configuration.
    pub fn read(word: &str) -> Option<LayoutChoice> {
        match word {
            "automatico" => Some(LayoutChoice::Automatic),
            word => DpsLayout::from_word(word).map(LayoutChoice::Fixed),
        }
    }
}

/// Choices for both environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayoutChoices {
    /// Produção restrita.
    pub homologacao: LayoutChoice,
    /// Production.
    pub producao: LayoutChoice,
}

impl LayoutChoices {
    fn of(self, ambiente: TpAmb) -> LayoutChoice {
        match ambiente {
            TpAmb::Homologacao => self.homologacao,
            TpAmb::Producao => self.producao,
        }
    }
}

/// Layouts that hosts asked for, as this process knows them; few hosts take a DPS.
#[derive(Default)]
pub(crate) struct HostLayouts(Mutex<HashMap<String, DpsLayout>>);

impl HostLayouts {
    fn of(&self, host: &str) -> Option<DpsLayout> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(host).copied()
    }

    fn remember(&self, host: String, layout: DpsLayout) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(host, layout);
    }
}

/// A DPS whose layout is needed.
pub(crate) struct LayoutQuery<'a> {
    pub(crate) ambiente: TpAmb,
    /// The own server of a município; `None`: the Sefin Nacional.
    pub(crate) host: Option<&'a str>,
    pub(crate) nota: &'a Value,
    pub(crate) dhEmi: &'a str,
}

impl LayoutQuery<'_> {
    fn name(&self) -> String {
        name(self.ambiente, self.host)
    }

    /// Layout of a host that has asked for none: a day is known of the Sefin alone.
    fn of_day(&self, row: &LayoutRow) -> DpsLayout {
        match self.host {
            None => (row.of_day)(self.ambiente, self.dhEmi),
            Some(_) => DpsLayout::Current,
        }
    }
}

/// Name under which the layout of a host is stored.
fn name(ambiente: TpAmb, host: Option<&str>) -> String {
    format!("leiaute da DPS {} {}", ambiente.word(), host.unwrap_or("sefin"))
}

impl Engine {
    /// `true` if the host decides the layout of its environment.
    pub(crate) fn follows_hosts(&self, ambiente: TpAmb) -> bool {
        self.layout_choices().of(ambiente) == LayoutChoice::Automatic
    }

    /// Layout for acceptance, from this process's memory without a query.
    pub(crate) fn cached_layout(&self, family: &Family, query: &LayoutQuery<'_>) -> DpsLayout {
        let Some(row) = &family.layouts else { return DpsLayout::default() };
        self.chosen(row, query, self.inner.host_layouts.of(&query.name()))
    }

    /// Layout in which a document is built.
    pub(crate) async fn layout_of(&self, family: &Family, query: &LayoutQuery<'_>) -> Result<DpsLayout, store::Error> {
        let row = family.layouts.as_ref().filter(|_| self.follows_hosts(query.ambiente));
        let Some(row) = row else { return Ok(self.cached_layout(family, query)) };
        let name = query.name();
        let said = match self.store().municipal(&name).await? {
            Some(kept) => kept.body.as_deref().and_then(DpsLayout::from_word),
            None => None,
        };
        if let Some(said) = said {
            self.inner.host_layouts.remember(name, said);
        }
        Ok(self.chosen(row, query, said))
    }

    /// Stores the layout that a host asked for.
    pub(crate) async fn store_layout(
        &self,
        ambiente: TpAmb,
        host: Option<&str>,
        layout: DpsLayout,
    ) -> Result<(), store::Error> {
        let name = name(ambiente, host);
        let source = host.unwrap_or("sefin").to_owned();
        let answer = CachedLookup { source, body: Some(layout.word().to_owned()), fetched_at: self.now_s() };
        self.store().cache_municipal(&name, answer).await?;
        self.inner.host_layouts.remember(name, layout);
        Ok(())
    }

    fn chosen(&self, row: &LayoutRow, query: &LayoutQuery<'_>, said: Option<DpsLayout>) -> DpsLayout {
        let layout = match self.layout_choices().of(query.ambiente) {
            LayoutChoice::Fixed(layout) => return layout,
            LayoutChoice::Automatic => said.unwrap_or_else(|| query.of_day(row)),
        };
        // a payload that only the other layout can hold uses that one
        let other = layout.other();
        let says_all = |layout: DpsLayout| (row.says_all)(query.nota, layout);
        if !says_all(layout) && says_all(other) { other } else { layout }
    }

    fn layout_choices(&self) -> LayoutChoices {
        self.inner.circuit_monitor.options.layouts
    }
}
