//! The rule table: one function and one line each. We warn by it, the simulator rejects by it.
//!
//! Law: MOC 7.0 anexo I (ids and conditions) and the technical notes since ([`Rule::source`]); order of the authority's
//! stages. A rule knows the document, the `Facts` and the official tables (`crate::reference`, `crate::ncm`), asked
//! about the day of the note: what needs a database of the authority (duplicates, registry) is not here. What a state
//! chose stands in `options`.

pub mod book;
mod borders;
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
mod note;
pub mod options;
mod papers;
mod parties;
mod payment;
mod place;
mod products;
mod qr;
mod reception;
mod recopi;
mod reference;
mod references;
mod retail;
mod retail_taxes;
mod services;
mod table;
mod taxes;
mod totals;
mod transport;
mod unregistered;

pub use note::{Item, Note};
pub use parties::NAME_IN_HOMOLOGACAO;
pub use retail::DESCRIPTION_IN_HOMOLOGACAO;
pub use table::RULES;
pub use unregistered::is_of_an_unregistered_issuer;

use crate::cstat;
use crate::finding::{MOST_FOUND, MOST_TOLD};
use crate::law::{Breach, Circumstances, Documento, Effect, Law, RuleKey, Terms};
use crate::value::{TpAmb, brasilia};
use crate::xml::View;
use jiff::civil::Date;
use options::Options;
use std::sync::LazyLock;

/// A validation rule of the manual.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Id in MOC 7.0 anexo I, e.g. `W16-10`.
    pub id: &'static str,
    /// Code the authority answers.
    pub cStat: u16,
    /// Documents it applies to.
    pub on: Model,
    /// Speaks only of items that carry `IBSCBS`: a document without one need not be asked.
    pub of_reform: bool,
    /// Finds every place that breaks it.
    pub check: Check,
}

/// A rule's function.
pub type Check = fn(&Note<'_>, &Facts<'_>, &mut Vec<Broken>);

/// Which models a rule applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// 55 and 65.
    Both,
    /// 55 only.
    NFe,
    /// 65 only.
    NFCe,
    /// 65, and 55 with the DANFE simplificado tipo 2 (`tpImp` 6, NT 2026.002).
    Retail,
}

/// Which kind of authority is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authorizer {
    /// The one that answers for the state day by day.
    Normal,
    /// The contingency of the national environment: `tpEmis` 6.
    SvcAn,
    /// The contingency of Rio Grande do Sul: `tpEmis` 7.
    SvcRs,
}

impl Authorizer {
    /// Who a document with this `tpEmis` is meant for.
    pub fn by(tpEmis: u8) -> Authorizer {
        match tpEmis {
            6 => Authorizer::SvcAn,
            7 => Authorizer::SvcRs,
            _ => Authorizer::Normal,
        }
    }

    /// The `tpEmis` a contingency authority answers for.
    pub fn tpEmis(self) -> Option<u8> {
        match self {
            Authorizer::Normal => None,
            Authorizer::SvcAn => Some(6),
            Authorizer::SvcRs => Some(7),
        }
    }
}

/// What a rule may know beside the document. Made by [`Facts::new`], so that a fact more concerns nobody who does not
/// know it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Facts<'l> {
    /// The law it is judged by.
    pub law: &'l Law,
    /// Moment of reception.
    pub now: jiff::Timestamp,
    /// Environment of the authority.
    pub ambiente: TpAmb,
    /// Who is asked.
    pub asked: Authorizer,
    /// Whether what comes after the writing stands (signature, `infNFeSupl`): rules about that are asked only then.
    pub finished: bool,
    /// What the issuer's state chose, when it is not what is officially known of it.
    pub chosen: Option<Options>,
}

impl<'l> Facts<'l> {
    /// A finished document at the authority of every day, by the printed law.
    pub fn new(now: jiff::Timestamp, ambiente: TpAmb) -> Facts<'static> {
        Facts { law: Law::printed(), now, ambiente, asked: Authorizer::Normal, finished: true, chosen: None }
    }

    /// The same by the law of an installation.
    #[must_use]
    pub fn under(self, law: &Law) -> Facts<'_> {
        Facts { law, ..self }
    }

    /// The same, at another authority.
    #[must_use]
    pub fn at(self, asked: Authorizer) -> Facts<'l> {
        Facts { asked, ..self }
    }

    /// The same in a state that chose otherwise.
    #[must_use]
    pub fn choosing(self, options: Options) -> Facts<'l> {
        Facts { chosen: Some(options), ..self }
    }

    /// The day of the reception, in Brasília.
    pub(crate) fn today(&self) -> Date {
        brasilia::day(self.now)
    }

    /// What the issuer's state chose.
    pub(crate) fn options(&self, note: &Note<'_>) -> Options {
        self.chosen.unwrap_or_else(|| Options::of(note.uf()))
    }

    /// Whether a rule of the book refuses, where, when and for whom a note is received; whatever decides it.
    pub fn enforces(&self, note: &Note<'_>, id: &str, cStat: u16) -> bool {
        book::entry(id, cStat).is_some_and(|entry| {
            let terms = self.law.terms(&entry.key(), &entry.terms).of(self.ambiente);
            terms.effect_on(&self.circumstances(note)) == Effect::Rejeicao
        })
    }

    fn circumstances(&self, note: &Note<'_>) -> Circumstances {
        Circumstances {
            received: self.today(),
            issued: note.day(),
            uf: note.uf(),
            crt: note.text("emit/CRT").parse().ok(),
        }
    }

    /// The same of a document that is not signed yet.
    #[must_use]
    pub fn of_a_draft(self) -> Facts<'l> {
        Facts { finished: false, ..self }
    }
}

/// Where a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// XML path as in `layout::Fault::path`; a parameter of the QR code as `infNFeSupl/qrCode?tpAmb`.
    pub path: String,
    /// 1-based item, for ` [nItem:N]`.
    pub item: Option<u32>,
    /// What else the authority appends to its text, e.g. `[R$ 200000.00]`.
    pub extra: Option<String>,
}

impl Broken {
    /// At a path below `infNFe`.
    pub(crate) fn at(path: &str) -> Broken {
        Broken::under(format!("infNFe/{path}"))
    }

    /// At a whole path.
    pub(crate) fn under(path: String) -> Broken {
        Broken { path, item: None, extra: None }
    }

    /// With what the authority appends.
    pub(crate) fn about(self, extra: String) -> Broken {
        Broken { extra: Some(extra), ..self }
    }

    /// What the authority appends to its text.
    pub fn appended(&self) -> String {
        let item = self.item.map(|item| format!("[nItem:{item}]"));
        item.into_iter().chain(self.extra.clone()).collect::<Vec<_>>().join(" ")
    }
}

impl Rule {
    /// What it is known by.
    pub fn key(&self) -> RuleKey {
        RuleKey { documento: Documento::Nfe, id: self.id, codigo: self.cStat }
    }

    /// The authority's text, verbatim, without the placeholder of the item.
    pub fn xMotivo(&self) -> &'static str {
        place::own_text(self.id).or_else(|| cstat::motivo(self.cStat)).unwrap_or("Rejeição")
    }

    /// The document that decides condition and text.
    pub fn source(&self) -> &'static str {
        book::entry(self.id, self.cStat).map_or("", |entry| entry.source)
    }

    /// The field it is first looked for by, as a path of the XML.
    pub fn field(&self) -> Option<&'static str> {
        book::field(self.id, self.cStat)
    }

    /// What to do about it, where the authority's text does not say.
    pub fn remedy(&self) -> Option<&'static str> {
        place::remedy(self.cStat)
    }

    /// Looks for the rule in a document it applies to.
    pub fn look(&self, note: &Note<'_>, facts: &Facts, found: &mut Vec<Broken>) {
        let applies = match self.on {
            Model::Both => true,
            Model::NFe => note.is_55(),
            Model::NFCe => !note.is_55(),
            Model::Retail => note.is_retail(),
        };
        if applies && (!self.of_reform || note.is_of_reform()) {
            (self.check)(note, facts, found);
        }
    }
}

/// The rules that act on a document where, when and for whom it is received, in the order of the authority, with what
/// each does.
pub fn in_force<'f>(note: &Note<'_>, facts: &'f Facts<'_>) -> impl Iterator<Item = (&'static Rule, Effect)> + use<'f> {
    let met = facts.circumstances(note);
    RULES.iter().zip(printed()).filter_map(move |(rule, printed)| {
        let terms = facts.law.terms(&rule.key(), printed).of(facts.ambiente);
        Some((rule, terms.effect_on(&met))).filter(|(_, effect)| *effect != Effect::Nada)
    })
}

/// The printed terms of each rule of the table: looked up in the book once, not for each document.
pub(crate) fn printed() -> &'static [&'static Terms] {
    static PRINTED: LazyLock<Vec<&'static Terms>> = LazyLock::new(|| {
        let terms = |rule: &Rule| book::entry(rule.id, rule.cStat).map_or(&Terms::NEVER, |entry| &entry.terms);
        RULES.iter().map(terms).collect()
    });
    &PRINTED
}

/// The rules a read `NFe` breaks, in the order in which the authority looks; of each the first hundred places, a
/// thousand in all.
pub fn predict(nfe: View<'_>, facts: &Facts<'_>) -> Vec<Breach<Rule, Broken>> {
    Note::of(nfe).map_or_else(Vec::new, |note| broken_in(&note, facts))
}

/// The rules a note breaks that was read.
pub(in crate::nfe) fn broken_in(note: &Note<'_>, facts: &Facts<'_>) -> Vec<Breach<Rule, Broken>> {
    let mut predicted = Vec::new();
    let mut found = Vec::new();
    for (rule, effect) in in_force(note, facts) {
        rule.look(note, facts, &mut found);
        if found.is_empty() {
            // nearly every rule, of every document
            continue;
        }
        found.truncate(MOST_TOLD);
        predicted.extend(found.drain(..).map(|broken| Breach { rule, effect, broken }));
        if predicted.len() >= MOST_FOUND {
            predicted.truncate(MOST_FOUND);
            break;
        }
    }
    predicted
}

#[cfg(test)]
mod tests;
