//! The table of NF-e rules: one function and one row each. The service warns by it, the simulator rejects by it.
//!
//! Law: MOC 7.0, anexo I (ids and conditions), and later technical notes (`NfeRule::source`); order of the authority's
//! stages. A rule reads the document, the `NfeRuleContext` and the official tables (`crate::reference`, `crate::ncm`)
//! on the document's day. Rules that need a database of the authority (duplicates, registry) are absent. The choices of
//! the states are in `options`.

pub mod book;
mod borders;
mod broken_field;
mod complements;
mod delivery;
mod difal;
mod exemption;
mod extras;
mod fcp;
mod federal;
mod fuels;
mod groups;
mod ibscbs;
mod identification;
mod imports;
mod indirect_export;
mod items;
mod net;
mod nfe_view;
mod official_tables;
pub mod options;
mod papers;
mod parties;
mod payment;
mod products;
mod qr;
mod reception;
mod recopi;
mod referenced_documents;
mod remedies;
mod retail;
mod retail_taxes;
mod services;
mod table;
mod taxes;
mod totals;
mod transport;
mod unregistered;

pub use broken_field::BrokenField;
pub use nfe_view::{NfeItem, NfeView};
pub use parties::NAME_IN_HOMOLOGACAO;
pub use retail::DESCRIPTION_IN_HOMOLOGACAO;
pub use table::RULES;
pub use unregistered::is_of_an_unregistered_issuer;

use crate::cstat;
use crate::finding::{MOST_FOUND, MOST_REPORTED};
use crate::law::{Law, ReceptionFacts, RuleBreach, RuleEffect, RuleFamily, RuleKey, RuleTerms};
use crate::value::{TpAmb, brasilia};
use crate::xml::ElementView;
use jiff::civil::Date;
use options::StateChoices;
use std::sync::LazyLock;

/// Validation rule of the manual.
#[derive(Clone, Copy)]
pub struct NfeRule {
    /// Id in MOC 7.0 anexo I, e.g. `W16-10`.
    pub id: &'static str,
    /// Code that the authority answers.
    pub cStat: u16,
    /// Models that the rule applies to.
    pub on: RuleModels,
    /// True for a rule about items with `IBSCBS`; documents without such an item skip it.
    pub of_reform: bool,
    /// Finds every place that breaks the rule.
    pub check: RuleCheck,
}

/// Function of a rule.
pub type RuleCheck = fn(&NfeView<'_>, &NfeRuleContext<'_>, &mut Vec<BrokenField>);

/// Models that a rule applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleModels {
    /// 55 and 65.
    Both,
    /// 55 only.
    NFe,
    /// 65 only.
    NFCe,
    /// 65, and 55 with the DANFE simplificado tipo 2 (`tpImp` 6, NT 2026.002).
    Retail,
}

/// Kind of authority that receives a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorizerKind {
    /// The state's normal authority.
    Normal,
    /// Contingency of the national environment: `tpEmis` 6.
    SvcAn,
    /// Contingency of Rio Grande do Sul: `tpEmis` 7.
    SvcRs,
}

impl AuthorizerKind {
    /// Returns the authority that a document with this `tpEmis` is meant for.
    pub fn by(tpEmis: u8) -> AuthorizerKind {
        match tpEmis {
            6 => AuthorizerKind::SvcAn,
            7 => AuthorizerKind::SvcRs,
            _ => AuthorizerKind::Normal,
        }
    }

    /// Returns the `tpEmis` of a contingency authority.
    pub fn tpEmis(self) -> Option<u8> {
        match self {
            AuthorizerKind::Normal => None,
            AuthorizerKind::SvcAn => Some(6),
            AuthorizerKind::SvcRs => Some(7),
        }
    }
}

/// Circumstances that a rule may know beside the document. Made by `NfeRuleContext::new`, so that a new field does not
/// affect callers that do not use it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NfeRuleContext<'l> {
    /// Law that applies.
    pub law: &'l Law,
    /// Moment of reception.
    pub now: jiff::Timestamp,
    /// Environment of the authority.
    pub ambiente: TpAmb,
    /// Authority that receives the document.
    pub asked: AuthorizerKind,
    /// True for a complete document, with signature and `infNFeSupl`. Rules about these are skipped otherwise.
    pub finished: bool,
    /// Choices of the issuer's state, when they differ from its official ones.
    pub chosen: Option<StateChoices>,
}

impl<'l> NfeRuleContext<'l> {
    /// A complete document at the state's normal authority, under the printed law.
    pub fn new(now: jiff::Timestamp, ambiente: TpAmb) -> NfeRuleContext<'static> {
        NfeRuleContext {
            law: Law::printed(),
            now,
            ambiente,
            asked: AuthorizerKind::Normal,
            finished: true,
            chosen: None,
        }
    }

    /// Replaces the law by that of an installation.
    #[must_use]
    pub fn under(self, law: &Law) -> NfeRuleContext<'_> {
        NfeRuleContext { law, ..self }
    }

    /// Replaces the authority.
    #[must_use]
    pub fn at(self, asked: AuthorizerKind) -> NfeRuleContext<'l> {
        NfeRuleContext { asked, ..self }
    }

    /// Replaces the choices of the state.
    #[must_use]
    pub fn choosing(self, options: StateChoices) -> NfeRuleContext<'l> {
        NfeRuleContext { chosen: Some(options), ..self }
    }

    /// Day of reception in Brasília.
    pub(crate) fn today(&self) -> Date {
        brasilia::day(self.now)
    }

    /// Choices of the issuer's state.
    pub(crate) fn options(&self, note: &NfeView<'_>) -> StateChoices {
        self.chosen.unwrap_or_else(|| StateChoices::of(note.uf()))
    }

    /// True when a rule of the book rejects under these circumstances, even a rule without a function here.
    pub fn enforces(&self, note: &NfeView<'_>, id: &str, cStat: u16) -> bool {
        book::entry(id, cStat).is_some_and(|entry| {
            let terms = self.law.terms(&entry.key(), &entry.terms).of(self.ambiente);
            terms.effect_on(&self.circumstances(note)) == RuleEffect::Rejeicao
        })
    }

    fn circumstances(&self, note: &NfeView<'_>) -> ReceptionFacts {
        ReceptionFacts {
            received: self.today(),
            issued: note.day(),
            uf: note.uf(),
            crt: note.text("emit/CRT").parse().ok(),
        }
    }

    /// Marks the document as not signed yet.
    #[must_use]
    pub fn of_a_draft(self) -> NfeRuleContext<'l> {
        NfeRuleContext { finished: false, ..self }
    }
}

impl NfeRule {
    /// Key of the rule in the rule book.
    pub fn key(&self) -> RuleKey {
        RuleKey { documento: RuleFamily::Nfe, id: self.id, codigo: self.cStat }
    }

    /// Text of the authority, verbatim, without the placeholder of the item.
    pub fn xMotivo(&self) -> &'static str {
        remedies::own_text(self.id).or_else(|| cstat::motivo(self.cStat)).unwrap_or("Rejeição")
    }

    /// Document that defines condition and text.
    pub fn source(&self) -> &'static str {
        book::entry(self.id, self.cStat).map_or("", |entry| entry.source)
    }

    /// Field where the rule is broken first, as an XML path.
    pub fn field(&self) -> Option<&'static str> {
        book::field(self.id, self.cStat)
    }

    /// Remedy, where the authority's text states none.
    pub fn remedy(&self) -> Option<&'static str> {
        remedies::remedy(self.cStat)
    }

    /// Checks the rule against a document of its models.
    pub fn find_breaks(&self, note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut Vec<BrokenField>) {
        let applies = match self.on {
            RuleModels::Both => true,
            RuleModels::NFe => note.is_55(),
            RuleModels::NFCe => !note.is_55(),
            RuleModels::Retail => note.is_retail(),
        };
        if applies && (!self.of_reform || note.is_of_reform()) {
            (self.check)(note, facts, found);
        }
    }
}

/// Returns the rules in force for a document under these circumstances, in the authority's order, with the effect of
/// each.
pub fn in_force<'f>(
    note: &NfeView<'_>,
    facts: &'f NfeRuleContext<'_>,
) -> impl Iterator<Item = (&'static NfeRule, RuleEffect)> + use<'f> {
    let met = facts.circumstances(note);
    RULES.iter().zip(printed()).filter_map(move |(rule, printed)| {
        let terms = facts.law.terms(&rule.key(), printed).of(facts.ambiente);
        Some((rule, terms.effect_on(&met))).filter(|(_, effect)| *effect != RuleEffect::Nada)
    })
}

/// Printed terms of each rule of the table, looked up in the book once.
pub(crate) fn printed() -> &'static [&'static RuleTerms] {
    static PRINTED: LazyLock<Vec<&'static RuleTerms>> = LazyLock::new(|| {
        let terms = |rule: &NfeRule| book::entry(rule.id, rule.cStat).map_or(&RuleTerms::NEVER, |entry| &entry.terms);
        RULES.iter().map(terms).collect()
    });
    &PRINTED
}

/// Returns the rules that an `NFe` breaks, in the authority's order: at most a hundred places per rule, a thousand in
/// total.
pub fn predict(nfe: ElementView<'_>, facts: &NfeRuleContext<'_>) -> Vec<RuleBreach<NfeRule, BrokenField>> {
    NfeView::of(nfe).map_or_else(Vec::new, |note| broken_in(&note, facts))
}

/// Returns the rules that a document breaks.
pub(in crate::nfe) fn broken_in(
    note: &NfeView<'_>,
    facts: &NfeRuleContext<'_>,
) -> Vec<RuleBreach<NfeRule, BrokenField>> {
    let mut predicted = Vec::new();
    let mut found = Vec::new();
    for (rule, effect) in in_force(note, facts) {
        rule.find_breaks(note, facts, &mut found);
        if found.is_empty() {
            // nearly every rule of every document
            continue;
        }
        found.truncate(MOST_REPORTED);
        predicted.extend(found.drain(..).map(|broken| RuleBreach { rule, effect, breach: broken }));
        if predicted.len() >= MOST_FOUND {
            predicted.truncate(MOST_FOUND);
            break;
        }
    }
    predicted
}

#[cfg(test)]
mod tests;
