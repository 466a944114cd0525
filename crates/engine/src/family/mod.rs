//! Families: all differences between documents, one static row each, on one screen per file. A missing feature is
//! `None`, which callers check; no comparison with a model stands outside this folder.
//!
//! Side by side: `docs/concepts/families.md`, written from the rows. A row holds functions of `fiscal` and plain data;
//! `steps` and `contingency` use them.

mod cte;
pub(crate) mod emission;
pub(crate) mod event;
pub(crate) mod issuer;
pub mod layouts;
pub(crate) mod marks;
#[cfg(test)]
mod matrix;
pub(crate) mod member_path;
pub(crate) mod municipal_provider;
mod nfce;
mod nfe;
mod nfse;
pub(crate) mod offline;
pub(crate) mod own_host;
pub(crate) mod policy;
pub(crate) mod qr;
mod rps;

pub(crate) use cte::{CTE, CTE_OS};
pub(crate) use nfce::NFCE;
pub(crate) use nfe::NFE;
pub(crate) use nfse::DPS;
pub(crate) use rps::RPS;

/// Re-exported so that the rest of the engine names `authority::sefaz` only for the NF-e's own parts.
pub(crate) use authority::sefaz::{STATUS_EVERY_S, UnreadableReply};
pub(crate) use authority::wire::WireProtocol;

use crate::family::event::act_history::ActHistory;
use crate::family::event::event_type::EventType;
use crate::family::event::ordered_event::{EventHeader, OrderedEvent};
use crate::order::Order;
use crate::order::event_error::EventError;
use authority::answer::{AuthorizationAnswer, Protocol};
use authority::call::{AuthorityCall, AuthorityReply};
use authority::table::{AuthorityRole, Endpoint};
use fiscal::abrasf::{AbrasfDialect, UnsignedMessage};
use fiscal::document::{BuildContext, BuiltDocument, RequestedNumber, ReusableBody};
use fiscal::evidence::{AnswerMarks, AnsweredMessage};
use fiscal::finding::{Notice, Violation};
use fiscal::law::Law;
use fiscal::nota::{NotaItems, NotaReview};
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, ChaveAcesso, TpAmb};
use issuer::FamilyIssuer;
use jiff::{SignedDuration, Timestamp};
use member_path::MemberPath;
use offline::OfflineRules;
use policy::ContingencyPolicy;
use qr::{NoCsc, QrVersion};
use serde_json::Value;
use signing::SigningAlgorithm;
use store::jobs::{JobDocument, Operacao};
use store::numbers::NumberedKind;

/// A kind of document.
pub(crate) struct Family {
    /// Kind of its numbers, stored with every document.
    pub(crate) counted: NumberedKind,
    /// Name in the contract's routes and lists.
    pub(crate) tipo: Tipo,
    /// Model, as endpoints are listed by it.
    pub(crate) modelo: u8,
    pub(crate) builder: DocumentBuilder,
    /// Protocol of its authorities.
    pub(crate) wire: WireProtocol,
    /// Query by the receipt of a batch, where documents are received in batches.
    pub(crate) receipt: Option<ReceiptQuery>,
    pub(crate) contingency: ContingencyRules,
    pub(crate) acts: ActRules,
    pub(crate) numbers: NumberRules,
    /// Compares a protocol with the document that was sent.
    pub(crate) marks: fn(&JobDocument, &Protocol, &str, AnsweredMessage) -> AnswerMarks,
    /// The authority's answer to the same bytes sent again.
    pub(crate) repetition: RepetitionAnswer,
    /// True if each município decides which provider receives it: the national system, or a provider of its own.
    pub(crate) municipal: bool,
    /// True if the Ambiente Nacional distributes such documents to the companies that they concern.
    pub(crate) handed_out: bool,
    /// Rules of documents with two layouts side by side.
    pub(crate) layouts: Option<layouts::LayoutRow>,
}

/// Answer of a family's authorities to a document that they have, sent again byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RepetitionAnswer {
    /// A refusal that leaves the first one as it is (NF-e and CT-e 204): the same bytes may be sent again at once.
    IsRefused,
    /// Differs between authorities: nothing is sent again before its absence is proven.
    AfterProof,
}

/// `true` if a written document is of an issuer without inscrição estadual, at an instant in an environment.
type IsUnregistered = fn(&str, Timestamp, TpAmb, &Law) -> bool;

/// Functions from the caller's `nota` to a signed document.
pub(crate) struct DocumentBuilder {
    pub(crate) numbering: fn(&Value) -> RequestedNumber,
    /// Builds the document, or returns everything that stops it.
    pub(crate) build: fn(&Value, &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>>,
    /// Builds a payload that `build` has accepted before.
    pub(crate) write: fn(&Value, &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>>,
    /// Builds the document from its body written before.
    pub(crate) around: Option<BodyReuse>,
    /// Returns all findings about a payload.
    pub(crate) review: fn(&Value, &BuildContext<'_>) -> NotaReview,
    pub(crate) listed: ListedFields,
    /// Its items; a document of transport has none.
    pub(crate) items: Option<for<'a> fn(&'a Value) -> NotaItems<'a>>,
    /// Path of the groups in the caller's payload: `nota`, `nota.infNFe`.
    pub(crate) home: fn(&Value) -> &'static str,
    /// The groups themselves.
    pub(crate) groups: for<'a> fn(&'a Value) -> &'a Value,
    /// Version of the QR code that is written beside the signed part, after signing.
    pub(crate) code: fn(&FamilyIssuer, TpAmb, &Value) -> Result<Option<QrVersion>, NoCsc>,
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
    pub(crate) algorithm: fn(Option<&FamilyIssuer>) -> SigningAlgorithm,
}

/// Functions that build a document again from its body written before.
pub(crate) struct BodyReuse {
    /// Removes the items from a payload: they are its longest part, and not needed for it.
    pub(crate) take: fn(&mut Value),
    pub(crate) write: fn(&Value, &BuildContext<'_>, ReusableBody<'_>) -> Result<BuiltDocument, Vec<Violation>>,
}

/// Members of a payload, below its groups, that lists of documents show; for paths.
pub(crate) struct ListedFields {
    pub(crate) price: MemberPath,
    /// The recipient.
    pub(crate) receiver: MemberPath,
}

/// Query by receipt.
pub(crate) struct ReceiptQuery {
    pub(crate) call: fn(&Endpoint, TpAmb, &str) -> AuthorityCall,
    pub(crate) read: fn(&AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply>,
    /// Reads one document's answer, where a batch may hold several.
    pub(crate) read_of: Option<ReadOf>,
    /// True if the receipt stays the protocol of the document.
    pub(crate) is_kept: bool,
}

/// Reads the answer for the document of an identity.
type ReadOf = fn(&AuthorityReply, &str) -> Result<AuthorizationAnswer, UnreadableReply>;

/// Contingency rules of a kind of document.
pub(crate) struct ContingencyRules {
    /// Reads the choices of a payload.
    pub(crate) asked: for<'a> fn(&'a Value) -> EmissionChoice<'a>,
    /// `tpEmis` of documents that are given out before their authority has them.
    pub(crate) given_out: &'static [u8],
    /// The one of them that needs no authority.
    pub(crate) offline: Option<OfflineRules>,
    /// `tpEmis` at each contingency authority.
    pub(crate) svc: &'static [(&'static str, u8)],
    /// Codes by which a contingency authority reports itself open.
    pub(crate) svc_open: &'static [u16],
    /// Policy of the word `contingencia` in the company's configuration.
    pub(crate) policy: fn(Option<&str>) -> ContingencyPolicy,
    /// Seconds for which its authority must have been out before one in doubt is issued again under another number;
    /// `None`: it waits.
    pub(crate) doubt_s: Option<fn(&DoubtSeconds) -> i64>,
    /// True if the buyer waits at the counter: a quarter more of them may wait in the queue.
    pub(crate) at_the_counter: bool,
    /// True if no document of contingency may take a number under which one may have been sent normally (MOC CT-e 4.00,
    /// 11.5.3).
    pub(crate) number_of_its_own: bool,
}

impl ContingencyRules {
    /// Rules for a single authority without contingency: a document waits.
    pub(crate) const NONE: ContingencyRules = ContingencyRules {
        asked: |_| EmissionChoice::default(),
        given_out: &[],
        offline: None,
        svc: &[],
        svc_open: &[],
        policy: |_| ContingencyPolicy::Nothing,
        doubt_s: None,
        at_the_counter: false,
        number_of_its_own: false,
    };
}

/// Seconds of outage, as the operator set them, before a document in doubt gets a second one.
pub(crate) struct DoubtSeconds {
    pub(crate) nfe_s: i64,
    pub(crate) nfce_s: i64,
}

/// Choices of a payload about its emission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct EmissionChoice<'a> {
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
pub(crate) struct ActRules {
    pub(crate) possible: &'static [Operacao],
    /// True if a document of contingency can replace the cancelled one (NT 2018.004).
    pub(crate) substitution: bool,
    /// Type of the event that an order registers.
    pub(crate) kind: fn(&Order) -> Option<EventType>,
    /// Checks the event: its notices, or everything that stops it.
    pub(crate) check: fn(&OrderedEvent<'_>) -> Result<Vec<Notice>, EventError>,
    /// Returns the unsigned event and its `Id`; `None` when the order is of no such event.
    pub(crate) write: fn(&OrderedEvent<'_>, &EventHeader) -> Option<(String, String)>,
    /// Builds the message to a provider in place of an event, where there are none.
    pub(crate) message: Option<ProviderMessage>,
    /// Key of the document that a signed one replaces, by the identity of the latter: the authority cancels the other
    /// when it authorises this one, and no answer of it names the other.
    pub(crate) replaced: ReplacedKey,
    /// Checks an event against the document's own history: notices, or an error. `None` where no such rule exists.
    pub(crate) history: Option<HistoryCheck>,
    /// cStat of a document that is not authorised any more, perhaps by our own lost event.
    pub(crate) not_authorised: u16,
    /// True if an authority's answer that it is cancelled already is believed, though a query does not show it.
    pub(crate) refusal_is_proof: bool,
}

/// Builds the unsigned message to a provider for an ordered event; `None` when the order is of no such event.
type ProviderMessage = fn(&OrderedEvent<'_>, &AbrasfDialect) -> Option<UnsignedMessage>;

/// Returns that key; `None`: it replaces none, or the authority's answer names the other.
type ReplacedKey = fn(&str, &str, TpAmb) -> Option<Chave>;

/// Checks an event against the history of its document: notices, or the reason why it is impossible.
type HistoryCheck = fn(&ActHistory<'_>) -> Result<Vec<Notice>, String>;

/// Source of numbers, and the meaning of refusals for them.
pub(crate) struct NumberRules {
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
pub(crate) fn of(counted: NumberedKind) -> Option<&'static Family> {
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
    pub(crate) fn is_municipal(&self) -> bool {
        matches!(self.wire, WireProtocol::Abrasf)
    }

    /// `true` if documents of this `tpEmis` are given out before their authority has them.
    pub(crate) fn is_given_out(&self, tpEmis: u8) -> bool {
        self.contingency.given_out.contains(&tpEmis)
    }

    /// `true` if it is given out as soon as it is signed: an EPEC must be registered first.
    pub(crate) fn is_given_out_at_once(&self, tpEmis: u8) -> bool {
        self.is_given_out(tpEmis) && tpEmis != emission::EPEC
    }

    /// Role of the authority in charge of a document of this `tpEmis`: a contingency authority knows only its own (MOC
    /// 7.0, anexo III, 2.1.3.4 c, f).
    pub(crate) fn role(&self, tpEmis: u8) -> AuthorityRole {
        match self.contingency.svc.iter().any(|(_, svc)| *svc == tpEmis) {
            true => AuthorityRole::Contingency,
            false => AuthorityRole::Normal,
        }
    }

    /// `true` if an authority with this status accepts documents (108, 109, 114: it does not).
    pub(crate) fn is_open(&self, cStat: u16) -> bool {
        cStat == IN_OPERATION || self.contingency.svc_open.contains(&cStat)
    }

    /// `tpEmis` at a contingency authority.
    pub(crate) fn svc(&self, authority: &str) -> Option<u8> {
        self.contingency.svc.iter().find(|(name, _)| *name == authority).map(|(_, tpEmis)| *tpEmis)
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
            let services =
                |wire: WireProtocol| wire.services().iter().map(|official| official.name).collect::<Vec<_>>();
            assert_eq!(services(authority::table::wire(family.modelo).unwrap()), services(family.wire));
        }
    }

    #[test]
    fn a_contingency_authority_answers_for_its_own_documents_only() {
        assert_eq!(
            (NFE.role(1), NFE.role(6), NFE.role(7)),
            (AuthorityRole::Normal, AuthorityRole::Contingency, AuthorityRole::Contingency)
        );
        assert_eq!((NFE.svc("SVC-AN"), NFE.svc("SVC-RS"), NFE.svc("SP")), (Some(6), Some(7), None));
        assert_eq!(
            (CTE.svc("SVC-SP"), CTE.role(8), CTE.role(6)),
            (Some(8), AuthorityRole::Contingency, AuthorityRole::Normal)
        );
        assert_eq!(
            (NFCE.role(9), NFCE.role(7), CTE.role(2)),
            (AuthorityRole::Normal, AuthorityRole::Normal, AuthorityRole::Normal)
        );
    }

    #[test]
    fn what_113_means_is_the_familys() {
        assert_eq!((NFE.is_open(107), NFE.is_open(113), NFE.is_open(114)), (true, false, false));
        assert_eq!((CTE.is_open(107), CTE.is_open(113), CTE.is_open(114)), (true, true, false));
    }

    #[test]
    fn a_company_without_a_setting_goes_on() {
        let policy = |word, family: &Family| (family.contingency.policy)(word);
        assert_eq!(policy(None, &NFE), ContingencyPolicy::Automatic);
        assert_eq!(policy(None, &NFCE), ContingencyPolicy::Offline);
        assert_eq!(policy(Some("nenhuma"), &NFE), ContingencyPolicy::Nothing);
        assert_eq!(policy(Some("nenhuma"), &NFCE), ContingencyPolicy::Nothing);
        assert_eq!(policy(Some("svc"), &NFE), ContingencyPolicy::Svc);
        assert_eq!(policy(Some("epec"), &NFE), ContingencyPolicy::Epec);
        assert_eq!(
            (policy(None, &CTE), policy(Some("offline"), &CTE_OS)),
            (ContingencyPolicy::Automatic, ContingencyPolicy::Offline)
        );
    }
}
