//! Families: all differences between documents, one static row each, on one screen per file. A missing feature is
//! `None`, which callers check; no comparison with a model stands outside this folder.
//!
//! Side by side: `docs/concepts/families.md`, written from the rows. A row holds functions of `fiscal` and plain data;
//! `steps` and `contingency` use them.

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

/// Re-exported so that the rest of the engine names `authority::sefaz` only for the NF-e's own parts.
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

/// A kind of document.
pub(crate) struct Family {
    /// Kind of its numbers, stored with every document.
    pub(crate) counted: Counted,
    /// Name in the contract's routes and lists.
    pub(crate) tipo: Tipo,
    /// Model, as endpoints are listed by it.
    pub(crate) modelo: u8,
    pub(crate) builder: Builder,
    /// Protocol of its authorities.
    pub(crate) wire: Wire,
    /// Query by the receipt of a batch, where documents are received in batches.
    pub(crate) receipt: Option<Receipt>,
    pub(crate) detours: Detours,
    pub(crate) acts: Acts,
    pub(crate) numbers: Numbers,
    /// Compares a protocol with the document that was sent.
    pub(crate) marks: fn(&Document, &Protocol, &str, Question) -> Marks,
    /// The authority's answer to the same bytes sent again.
    pub(crate) repetition: Repetition,
    /// True if each município decides which provider receives it: the national system, or a provider of its own.
    pub(crate) municipal: bool,
    /// True if the Ambiente Nacional distributes such documents to the companies that they concern.
    pub(crate) handed_out: bool,
    /// Rules of documents with two layouts side by side.
    pub(crate) layouts: Option<layouts::LayoutRow>,
}

/// Answer of a family's authorities to a document that they have, sent again byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// A refusal that leaves the first one as it is (NF-e and CT-e 204): the same bytes may be sent again at once.
    IsRefused,
    /// Differs between authorities: nothing is sent again before its absence is proven.
    AfterProof,
}

/// `true` if a written document is of an issuer without inscrição estadual, at an instant in an environment.
type IsUnregistered = fn(&str, Timestamp, TpAmb, &Law) -> bool;

/// Functions from the caller's `nota` to a signed document.
pub(crate) struct Builder {
    pub(crate) numbering: fn(&Value) -> Numbering,
    /// Builds the document, or returns everything that stops it.
    pub(crate) build: fn(&Value, &Context<'_>) -> Result<Built, Vec<Violation>>,
    /// Builds a payload that `build` has accepted before.
    pub(crate) write: fn(&Value, &Context<'_>) -> Result<Built, Vec<Violation>>,
    /// Builds the document from its body written before.
    pub(crate) around: Option<Around>,
    /// Returns all findings about a payload.
    pub(crate) review: fn(&Value, &Context<'_>) -> Review,
    pub(crate) told: Told,
    /// Its items; a document of transport has none.
    pub(crate) items: Option<for<'a> fn(&'a Value) -> Items<'a>>,
    /// Path of the groups in the caller's payload: `nota`, `nota.infNFe`.
    pub(crate) home: fn(&Value) -> &'static str,
    /// The groups themselves.
    pub(crate) groups: for<'a> fn(&'a Value) -> &'a Value,
    /// Version of the QR code that is written beside the signed part, after signing.
    pub(crate) code: fn(&Issuer, TpAmb, &Value) -> Result<Option<Version>, NoCsc>,
    /// Root element of the document; selects its printed form.
    pub(crate) root: &'static str,
    /// `true` if the document is dated when it is sent, not when its number is taken: retail is refused five minutes
    /// after its instant (704).
    pub(crate) dated_at_sending: fn(&Value) -> bool,
    /// `true` if a written document is of an issuer without inscrição estadual, which has an authority of its own;
    /// `None`: there are no such issuers.
    pub(crate) unregistered: Option<IsUnregistered>,
    /// Seconds before now by which it is dated, where an authority refuses an instant that its own clock has not
    /// reached.
    pub(crate) dated_back_s: i64,
    /// Algorithm of its signatures, its events too, as its issuer chose where there is a choice.
    pub(crate) algorithm: fn(Option<&Issuer>) -> Algorithm,
}

/// Functions that build a document again from its body written before.
pub(crate) struct Around {
    /// Removes the items from a payload: they are its longest part, and not needed for it.
    pub(crate) take: fn(&mut Value),
    pub(crate) write: fn(&Value, &Context<'_>, BodyBefore<'_>) -> Result<Built, Vec<Violation>>,
}

/// Members of a payload, below its groups, that lists of documents show; for paths.
pub(crate) struct Told {
    pub(crate) price: Spelled,
    /// The recipient.
    pub(crate) receiver: Spelled,
}

/// Query by receipt.
pub(crate) struct Receipt {
    pub(crate) call: fn(&Endpoint, TpAmb, &str) -> Call,
    pub(crate) read: fn(&Reply) -> Result<Answer, Unreadable>,
    /// Reads one document's answer, where a batch may hold several.
    pub(crate) read_of: Option<ReadOf>,
    /// True if the receipt stays the protocol of the document.
    pub(crate) is_kept: bool,
}

/// Reads the answer for the document of an identity.
type ReadOf = fn(&Reply, &str) -> Result<Answer, Unreadable>;

/// Contingency rules of a kind of document.
pub(crate) struct Detours {
    /// Reads the choices of a payload.
    pub(crate) asked: for<'a> fn(&'a Value) -> EmissionRequest<'a>,
    /// `tpEmis` of documents that are given out before their authority has them.
    pub(crate) given_out: &'static [u8],
    /// The one of them that needs no authority.
    pub(crate) offline: Option<Offline>,
    /// `tpEmis` at each contingency authority.
    pub(crate) svc: &'static [(&'static str, u8)],
    /// Codes by which a contingency authority reports itself open.
    pub(crate) svc_open: &'static [u16],
    /// Policy of the word `contingencia` in the company's configuration.
    pub(crate) policy: fn(Option<&str>) -> Policy,
    /// Seconds for which its authority must have been out before one in doubt is issued again under another number;
    /// `None`: it waits.
    pub(crate) doubt_s: Option<fn(&Doubt) -> i64>,
    /// True if the buyer waits at the counter: a quarter more of them may wait in the queue.
    pub(crate) at_the_counter: bool,
    /// True if no document of contingency may take a number under which one may have been sent normally (MOC CT-e 4.00,
    /// 11.5.3).
    pub(crate) number_of_its_own: bool,
}

impl Detours {
    /// Rules for a single authority without contingency: a document waits.
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

/// Seconds of outage, as the operator set them, before a document in doubt gets a second one.
pub(crate) struct Doubt {
    pub(crate) nfe_s: i64,
    pub(crate) nfce_s: i64,
}

/// Choices of a payload about its emission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct EmissionRequest<'a> {
    /// `tpEmis` of a mode that is the issuer's own choice.
    pub(crate) chosen: Option<u8>,
    /// `tpEmis` of a contingency authority, which only the state opens.
    pub(crate) svc: Option<u8>,
    /// True if no contingency authority accepts such a document.
    pub(crate) svc_refuses: bool,
    pub(crate) dhCont: Option<&'a str>,
    pub(crate) xJust: Option<&'a str>,
    /// Instant that the payload itself gives.
    pub(crate) dhEmi: Option<&'a str>,
}

/// Acts on authorised documents.
pub(crate) struct Acts {
    pub(crate) possible: &'static [Operacao],
    /// True if a document of contingency can replace the cancelled one (NT 2018.004).
    pub(crate) substitution: bool,
    /// Type of the event that an order registers.
    pub(crate) kind: fn(&Order) -> Option<EventType>,
    /// Checks the event: its notices, or everything that stops it.
    pub(crate) check: fn(&OrderedEvent<'_>) -> Result<Vec<Notice>, EventError>,
    /// Returns the unsigned event and its `Id`; `None` when the order is of no such event.
    pub(crate) write: fn(&OrderedEvent<'_>, &Occasion) -> Option<(String, String)>,
    /// Builds the message to a provider in place of an event, where there are none.
    pub(crate) message: Option<Message>,
    /// Key of the document that a signed one replaces, by the identity of the latter: the authority cancels the other
    /// when it authorises this one, and no answer of it names the other.
    pub(crate) replaced: Replaced,
    /// Checks an event against the document's own history: notices, or an error. `None` where no such rule exists.
    pub(crate) history: Option<Look>,
    /// cStat of a document that is not authorised any more, perhaps by our own lost event.
    pub(crate) not_authorised: u16,
    /// True if an authority's answer that it is cancelled already is believed, though a query does not show it.
    pub(crate) refusal_is_proof: bool,
}

/// Builds the unsigned message to a provider for an ordered event; `None` when the order is of no such event.
type Message = fn(&OrderedEvent<'_>, &Dialect) -> Option<Unsigned>;

/// Returns that key; `None`: it replaces none, or the authority's answer names the other.
type Replaced = fn(&str, &str, TpAmb) -> Option<Chave>;

/// Checks an event against the history of its document: notices, or the reason why it is impossible.
type Look = fn(&History<'_>) -> Result<Vec<Notice>, String>;

/// Source of numbers, and the meaning of refusals for them.
pub(crate) struct Numbers {
    /// Group of the company's configuration with a series of its own, before the one for its whole type.
    pub(crate) configured_in: Option<&'static str>,
    /// Tag of the number in the layout.
    pub(crate) tag: &'static str,
    /// Code of a voided number.
    pub(crate) voided: Option<u16>,
    /// Code of a number that is still being processed.
    pub(crate) still_processing: Option<u16>,
    /// Text before the key of the document that has the number, in a refusal: `[chNFe:`.
    pub(crate) named_by: &'static str,
    /// The authority's code of a number that another system used.
    pub(crate) used_before: Option<&'static str>,
}

/// cStat 107: the service works.
pub(crate) const IN_OPERATION: u16 = 107;

static ALL: [&Family; 6] = [&NFE, &NFCE, &CTE, &CTE_OS, &DPS, &RPS];

/// Finds a family by the kind of its numbers.
pub(crate) fn of(counted: Counted) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.counted == counted)
}

/// Finds a family by its model.
pub(crate) fn of_modelo(modelo: u8) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.modelo == modelo)
}

/// Finds a family of a document type; those of one type share their protocol.
pub(crate) fn of_tipo(tipo: Tipo) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.tipo == tipo)
}

/// Finds the family by which received documents of a type are queried; `None` where they are not distributed.
pub(crate) fn handed_out(tipo: Tipo) -> Option<&'static Family> {
    ALL.into_iter().find(|family| family.tipo == tipo && family.handed_out)
}

/// The random code in an access key.
pub(crate) fn code_of(chave: &ChaveAcesso) -> u32 {
    chave.parts().cNF
}

pub(crate) fn all() -> impl Iterator<Item = &'static Family> {
    ALL.into_iter()
}

impl Family {
    /// Instant of emission of a document built now.
    pub(crate) fn dated(&self, now: Timestamp) -> Timestamp {
        now.saturating_sub(SignedDuration::from_secs(self.builder.dated_back_s)).unwrap_or(now)
    }

    /// `true` if a municipal provider receives it, by the dialect of the provider's row.
    pub(crate) fn is_of_city_halls(&self) -> bool {
        matches!(self.wire, Wire::Abrasf)
    }

    /// `true` if documents of this `tpEmis` are given out before their authority has them.
    pub(crate) fn is_given_out(&self, tpEmis: u8) -> bool {
        self.detours.given_out.contains(&tpEmis)
    }

    /// `true` if it is given out as soon as it is signed: an EPEC must be registered first.
    pub(crate) fn asks_nobody(&self, tpEmis: u8) -> bool {
        self.is_given_out(tpEmis) && tpEmis != emission::EPEC
    }

    /// Role of the authority in charge of a document of this `tpEmis`: a contingency authority knows only its own (MOC
    /// 7.0, anexo III, 2.1.3.4 c, f).
    pub(crate) fn role(&self, tpEmis: u8) -> Role {
        match self.detours.svc.iter().any(|(_, svc)| *svc == tpEmis) {
            true => Role::Contingency,
            false => Role::Normal,
        }
    }

    /// `true` if an authority with this status accepts documents (108, 109, 114: it does not).
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
