//! Families: everything that differs between documents, one static row each, on one screen per file. What a document
//! does not have is `None`, and whoever asks looks at that; no comparison with a model stands outside of this room.
//!
//! Side by side: `docs/concepts/families.md`, written from the rows. They are plain functions of `fiscal` and plain
//! data: what is done with them is the business of `steps` and `contingency`.

pub(crate) mod city_hall;
mod cte;
pub(crate) mod emission;
pub(crate) mod host;
pub(crate) mod issuer;
pub(crate) mod layouts;
#[cfg(test)]
mod matrix;
mod nfce;
mod nfe;
mod nfse;
pub(crate) mod offline;
pub(crate) mod ours;
pub(crate) mod policy;
pub(crate) mod qr;
mod rps;
pub(crate) mod spelled;

pub(crate) use cte::{CTE, CTE_OS};
pub(crate) use nfce::NFCE;
pub(crate) use nfe::NFE;
pub(crate) use nfse::DPS;
pub(crate) use rps::RPS;

/// Nothing else of the engine names the SEFAZ family of authorities, but what is the NF-e's alone.
pub(crate) use authority::sefaz::{STATUS_EVERY_S, Unreadable};
pub(crate) use authority::wire::Wire;

use crate::acceptance::event::EventError;
use crate::acceptance::event::kind::EventType;
use crate::acceptance::event::ordered::{Occasion, OrderedEvent};
use crate::acceptance::event::transport::history::History;
use crate::acceptance::order::Order;
use authority::answer::{Answer, Protocol};
use authority::call::{Call, Reply};
use authority::table::{Endpoint, Role};
use fiscal::abrasf::{Dialect, Unsigned};
use fiscal::document::{BodyBefore, Built, Context, Numbering};
use fiscal::evidence::{Marks, Question};
use fiscal::finding::{Notice, Violation};
use fiscal::law::Law;
use fiscal::nota::{Items, Review};
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, ChaveAcesso, TpAmb};
use issuer::Issuer;
use jiff::{SignedDuration, Timestamp};
use offline::Offline;
use policy::Policy;
use qr::{NoCsc, Version};
use serde_json::Value;
use signing::Algorithm;
use spelled::Spelled;
use store::jobs::{Document, Operacao};
use store::numbers::Counted;

/// One kind of document.
pub(crate) struct Family {
    /// What its numbers count: the word that is kept with every document.
    pub(crate) counted: Counted,
    /// As the contract's routes and lists call it.
    pub(crate) tipo: Tipo,
    /// Its model, as endpoints are listed by it.
    pub(crate) modelo: u8,
    pub(crate) builder: Builder,
    /// How its authorities are spoken to.
    pub(crate) wire: Wire,
    /// Asking by the receipt of a batch, where documents are taken in batches.
    pub(crate) receipt: Option<Receipt>,
    pub(crate) detours: Detours,
    pub(crate) acts: Acts,
    pub(crate) numbers: Numbers,
    /// The marks of a protocol beside the document that was sent.
    pub(crate) marks: fn(&Document, &Protocol, &str, Question) -> Marks,
    /// The answer to the same bytes once more.
    pub(crate) repetition: Repetition,
    /// Whether each município decides who takes it in: the national system, or a provider of its own.
    pub(crate) municipal: bool,
    /// Whether the Ambiente Nacional hands out those that others issued to a company.
    pub(crate) handed_out: bool,
    /// Of documents that have two layouts side by side.
    pub(crate) layouts: Option<layouts::LayoutRow>,
}

/// The answer of a family's authorities to a document that they have, sent once more byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// A refusal that leaves the first one as it is (NF-e and CT-e 204): the same bytes may go again at once.
    IsRefused,
    /// Not the same everywhere: nothing goes again before its absence is proven.
    AfterProof,
}

/// Whether a written document is of an issuer without inscrição estadual, at an instant in an environment.
type IsUnregistered = fn(&str, Timestamp, TpAmb, &Law) -> bool;

/// From the caller's `nota` to a signed document.
pub(crate) struct Builder {
    pub(crate) numbering: fn(&Value) -> Numbering,
    /// Builds, or says everything that stops it.
    pub(crate) build: fn(&Value, &Context<'_>) -> Result<Built, Vec<Violation>>,
    /// The same of a payload that `build` has accepted before.
    pub(crate) write: fn(&Value, &Context<'_>) -> Result<Built, Vec<Violation>>,
    /// The same around what was written before.
    pub(crate) around: Option<Around>,
    /// Everything that can be said of a payload.
    pub(crate) review: fn(&Value, &Context<'_>) -> Review,
    pub(crate) told: Told,
    /// Its items; a document of transport has none.
    pub(crate) items: Option<for<'a> fn(&'a Value) -> Items<'a>>,
    /// Where the groups stand in the caller's payload, for paths: `nota`, `nota.infNFe`.
    pub(crate) home: fn(&Value) -> &'static str,
    /// The groups themselves.
    pub(crate) groups: for<'a> fn(&'a Value) -> &'a Value,
    /// The QR code that is written beside what is signed, once that is signed.
    pub(crate) code: fn(&Issuer, TpAmb, &Value) -> Result<Option<Version>, NoCsc>,
    /// Root element of the document: its printed form is found by it.
    pub(crate) root: &'static str,
    /// Whether it is dated when it is sent, not when its number is taken: retail is refused five minutes after its
    /// instant (704).
    pub(crate) dated_at_sending: fn(&Value) -> bool,
    /// Whether what was written is of an issuer without inscrição estadual, which has an authority of its own; `None`:
    /// there are no such issuers.
    pub(crate) unregistered: Option<IsUnregistered>,
    /// For how many seconds before now it is dated, where an authority refuses an instant that its own clock has not
    /// reached.
    pub(crate) dated_back_s: i64,
    /// What it is signed by, its events too, as its issuer chose where there is a choice.
    pub(crate) algorithm: fn(Option<&Issuer>) -> Algorithm,
}

/// Writing a document again around what was written of it before.
pub(crate) struct Around {
    /// Takes the items off a payload: nothing else of it is as long, and they are not needed for it.
    pub(crate) take: fn(&mut Value),
    pub(crate) write: fn(&Value, &Context<'_>, BodyBefore<'_>) -> Result<Built, Vec<Violation>>,
}

/// Where a payload tells what lists of documents show, below its groups: for paths.
pub(crate) struct Told {
    pub(crate) price: Spelled,
    /// Who gets what it is about.
    pub(crate) receiver: Spelled,
}

/// A question by receipt.
pub(crate) struct Receipt {
    pub(crate) call: fn(&Endpoint, TpAmb, &str) -> Call,
    pub(crate) read: fn(&Reply) -> Result<Answer, Unreadable>,
    /// What the answer says of one of several, where a batch may hold several.
    pub(crate) read_of: Option<ReadOf>,
    /// Whether people know the document by it afterwards.
    pub(crate) is_kept: bool,
}

/// Reads what is said of the document of an identity.
type ReadOf = fn(&Reply, &str) -> Result<Answer, Unreadable>;

/// The ways of a document whose authority does not work.
pub(crate) struct Detours {
    /// What a payload asks for.
    pub(crate) asked: for<'a> fn(&'a Value) -> EmissionRequest<'a>,
    /// `tpEmis` of documents that are given out before their authority has them.
    pub(crate) given_out: &'static [u8],
    /// The one of them that asks nobody.
    pub(crate) offline: Option<Offline>,
    /// `tpEmis` at each contingency authority.
    pub(crate) svc: &'static [(&'static str, u8)],
    /// Codes by which one of them says that it takes documents.
    pub(crate) svc_open: &'static [u16],
    /// What `contingencia` of the company's configuration means.
    pub(crate) policy: fn(Option<&str>) -> Policy,
    /// Seconds for which its authority must have been out before one in doubt is issued again under another number;
    /// `None`: it waits.
    pub(crate) doubt_s: Option<fn(&Doubt) -> i64>,
    /// Somebody stands at the counter: a quarter more of them may wait.
    pub(crate) at_the_counter: bool,
    /// Whether no document of contingency takes a number under which one may have been sent normally (MOC CT-e 4.00,
    /// 11.5.3).
    pub(crate) number_of_its_own: bool,
}

impl Detours {
    /// There is one authority and no way around it: a document waits.
    pub(crate) const NONE: Detours = Detours {
        asked: |_| EmissionRequest::default(),
        given_out: &[],
        offline: None,
        svc: &[],
        svc_open: &[],
        policy: |_| Policy::Nothing,
        doubt_s: None,
        at_the_counter: false,
        number_of_its_own: false,
    };
}

/// For how many seconds its authority must have been out before a document in doubt gets a second one, as the operator
/// set it.
pub(crate) struct Doubt {
    pub(crate) nfe_s: i64,
    pub(crate) nfce_s: i64,
}

/// What a payload asks for, as far as the caller may choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct EmissionRequest<'a> {
    /// `tpEmis` of a way that is the issuer's own choice.
    pub(crate) chosen: Option<u8>,
    /// `tpEmis` of a contingency authority, which only the state opens.
    pub(crate) svc: Option<u8>,
    /// No contingency authority takes such a document.
    pub(crate) svc_refuses: bool,
    pub(crate) dhCont: Option<&'a str>,
    pub(crate) xJust: Option<&'a str>,
    /// The instant that the payload gives itself.
    pub(crate) dhEmi: Option<&'a str>,
}

/// What can be done to a document that is authorised.
pub(crate) struct Acts {
    pub(crate) possible: &'static [Operacao],
    /// Whether one of contingency can take the place of the cancelled one (NT 2018.004).
    pub(crate) substitution: bool,
    /// Which event an order registers.
    pub(crate) kind: fn(&Order) -> Option<EventType>,
    /// Remarks on what the event says, or everything that stops it.
    pub(crate) check: fn(&OrderedEvent<'_>) -> Result<Vec<Notice>, EventError>,
    /// The unsigned event and its `Id`; `None` when the order is of no such event.
    pub(crate) write: fn(&OrderedEvent<'_>, &Occasion) -> Option<(String, String)>,
    /// The message to a provider in place of an event, where there are none.
    pub(crate) message: Option<Message>,
    /// The key of the document in whose place a signed one is issued, by what it is asked by: who authorises it cancels
    /// the other, and says so in no answer.
    pub(crate) replaced: Replaced,
    /// What a document's own history says of an event: remarks, or why it cannot be. Looked at only where there is such
    /// a rule.
    pub(crate) history: Option<Look>,
    /// cStat of a document that is not authorised any more, perhaps by our own lost event.
    pub(crate) not_authorised: u16,
    /// Whether an authority that says it is cancelled already is believed, though a query does not show it.
    pub(crate) refusal_is_proof: bool,
}

/// What is sent to a provider for an ordered event, unsigned; `None` when the order is of no such event.
type Message = fn(&OrderedEvent<'_>, &Dialect) -> Option<Unsigned>;

/// That key; `None`: it takes nobody's place, or its authority's answer names whose.
type Replaced = fn(&str, &str, TpAmb) -> Option<Chave>;

/// Remarks on an event beside the history of its document, or why it cannot be.
type Look = fn(&History<'_>) -> Result<Vec<Notice>, String>;

/// Where a number comes from, and what a refusal means for it.
pub(crate) struct Numbers {
    /// The group of the company's configuration with a series of its own, before the one for its whole type.
    pub(crate) configured_in: Option<&'static str>,
    /// What its layout calls a number.
    pub(crate) tag: &'static str,
    /// The number was voided.
    pub(crate) voided: Option<u16>,
    /// The same number is still being processed.
    pub(crate) still_processing: Option<u16>,
    /// How the text of a refusal names the document that has the number: `[chNFe:` and a key.
    pub(crate) named_by: &'static str,
    /// Its authority's code of a number that another system used.
    pub(crate) used_before: Option<&'static str>,
}

/// cStat 107: the service works.
pub(crate) const IN_OPERATION: u16 = 107;

static ALL: [&Family; 6] = [&NFE, &NFCE, &CTE, &CTE_OS, &DPS, &RPS];

/// The row of a document, by what its numbers count.
pub(crate) fn of(counted: Counted) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.counted == counted)
}

/// The row of a model.
pub(crate) fn of_modelo(modelo: u8) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.modelo == modelo)
}

/// A row of a document type: those of one type speak alike.
pub(crate) fn of_tipo(tipo: Tipo) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.tipo == tipo)
}

/// The row by which documents of a type are asked for that others issued; none where nobody hands them out.
pub(crate) fn handed_out(tipo: Tipo) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.tipo == tipo && family.handed_out)
}

/// The random code in an access key.
pub(crate) fn code_of(chave: &ChaveAcesso) -> u32 {
    chave.parts().cNF
}

/// Every row.
pub(crate) fn all() -> impl Iterator<Item = &'static Family> {
    ALL.into_iter()
}

impl Family {
    /// The instant that a document made now is dated.
    pub(crate) fn dated(&self, now: Timestamp) -> Timestamp {
        now.saturating_sub(SignedDuration::from_secs(self.builder.dated_back_s)).unwrap_or(now)
    }

    /// Whether a city hall takes it in, and a provider's row says how.
    pub(crate) fn is_of_city_halls(&self) -> bool {
        matches!(self.wire, Wire::Abrasf)
    }

    /// Whether documents of this `tpEmis` are given out before their authority has them.
    pub(crate) fn is_given_out(&self, tpEmis: u8) -> bool {
        self.detours.given_out.contains(&tpEmis)
    }

    /// Whether it is given out as soon as it is signed: an EPEC must be registered first.
    pub(crate) fn asks_nobody(&self, tpEmis: u8) -> bool {
        self.is_given_out(tpEmis) && tpEmis != emission::EPEC
    }

    /// Who answers for a document of this `tpEmis`: a contingency authority knows only its own (MOC 7.0, anexo III,
    /// 2.1.3.4 c, f).
    pub(crate) fn role(&self, tpEmis: u8) -> Role {
        match self.detours.svc.iter().any(|(_, svc)| *svc == tpEmis) {
            true => Role::Contingency,
            false => Role::Normal,
        }
    }

    /// Whether an authority that says this of its service takes documents (108, 109, 114: it does not).
    pub(crate) fn is_open(&self, cStat: u16) -> bool {
        cStat == IN_OPERATION || self.detours.svc_open.contains(&cStat)
    }

    /// `tpEmis` at a contingency authority.
    pub(crate) fn svc(&self, authority: &str) -> Option<u8> {
        self.detours.svc.iter().find(|(name, _)| *name == authority).map(|(_, tpEmis)| *tpEmis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_what_it_counts_and_by_its_model() {
        for family in all() {
            assert_eq!(of(family.counted).map(|found| found.modelo), Some(family.modelo));
            assert_eq!(of_modelo(family.modelo).map(|found| found.counted), Some(family.counted));
            assert_eq!(Tipo::of_modelo(family.modelo), Some(family.tipo));
            let services = |wire: Wire| wire.services().iter().map(|official| official.name).collect::<Vec<_>>();
            assert_eq!(services(authority::table::wire(family.modelo).unwrap()), services(family.wire));
        }
    }

    #[test]
    fn a_contingency_authority_answers_for_its_own_documents_only() {
        assert_eq!((NFE.role(1), NFE.role(6), NFE.role(7)), (Role::Normal, Role::Contingency, Role::Contingency));
        assert_eq!((NFE.svc("SVC-AN"), NFE.svc("SVC-RS"), NFE.svc("SP")), (Some(6), Some(7), None));
        assert_eq!((CTE.svc("SVC-SP"), CTE.role(8), CTE.role(6)), (Some(8), Role::Contingency, Role::Normal));
        assert_eq!((NFCE.role(9), NFCE.role(7), CTE.role(2)), (Role::Normal, Role::Normal, Role::Normal));
    }

    #[test]
    fn what_113_means_is_the_familys() {
        assert_eq!((NFE.is_open(107), NFE.is_open(113), NFE.is_open(114)), (true, false, false));
        assert_eq!((CTE.is_open(107), CTE.is_open(113), CTE.is_open(114)), (true, true, false));
    }

    #[test]
    fn a_company_without_a_setting_goes_on() {
        let policy = |word, family: &Family| (family.detours.policy)(word);
        assert_eq!(policy(None, &NFE), Policy::Automatic);
        assert_eq!(policy(None, &NFCE), Policy::Offline);
        assert_eq!(policy(Some("nenhuma"), &NFE), Policy::Nothing);
        assert_eq!(policy(Some("nenhuma"), &NFCE), Policy::Nothing);
        assert_eq!(policy(Some("svc"), &NFE), Policy::Svc);
        assert_eq!(policy(Some("epec"), &NFE), Policy::Epec);
        assert_eq!((policy(None, &CTE), policy(Some("offline"), &CTE_OS)), (Policy::Automatic, Policy::Offline));
    }
}
