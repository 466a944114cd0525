//! A document of any family: the context it is built in, and the built result.
//!
//! Number, code and key are fixed before the first send. Must not know: the families.

use crate::abrasf::dialect::AbrasfDialect;
use crate::finding::Notice;
use crate::law::Law;
use crate::map::GroupScope;
use crate::regime::RegimeCalendar;
use crate::value::{ChaveAcesso, Serie, TpAmb};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::ops::Range;

pub use crate::nfse::layouts::DpsLayout;

/// Data of the service that completes a payload.
pub struct BuildContext<'a> {
    /// Model of the document: 55, 65, 57 or 67, else [`crate::tipo::DPS`] or [`crate::tipo::RPS`].
    pub modelo: u8,
    /// Environment of the authority.
    pub ambiente: TpAmb,
    /// Validation rules in force.
    pub law: &'a Law,
    /// The company record as an `emitente` group of the contract (`CNPJCPF`, `xNome`, `IE`, `CRT`, `xLgr`, …); fills
    /// what `nota.emitente` leaves out.
    pub emitente: &'a Map<String, Value>,
    /// Dated regimes of the company. The regime of the document's day has precedence over `emitente`'s CRT.
    pub regimes: Option<&'a RegimeCalendar>,
    /// The company's configuration for this type of document (`rntrc`, `taf`), in families that have one.
    pub configuracao: Option<&'a Map<String, Value>>,
    pub serie: Serie,
    pub numero: u64,
    /// Random code of the access key, already checked by `ChaveAcesso::code_is_allowed`.
    pub codigo: u32,
    /// `dhEmi` when the payload gives none, RFC 3339 with the state's offset, no fraction.
    pub dhEmi: &'a str,
    /// 1, or another value in contingency.
    pub tpEmis: u8,
    /// `dhCont` and `xJust`, in contingency.
    pub contingencia: Option<(&'a str, &'a str)>,
    /// `verProc` when the payload gives none.
    pub verProc: &'a str,
    /// `infRespTec` of the software that calls this service, when the operator configured it.
    pub software_house: Option<SoftwareHouse<'a>>,
    /// Dialect of the municipal provider, for an RPS.
    pub dialeto: Option<&'a AbrasfDialect>,
    /// Layout of a DPS of the national NFS-e; unused by the other families.
    pub leiaute: DpsLayout,
}

impl<'a> BuildContext<'a> {
    /// A text of the company's configuration; `None` when it is blank.
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        self.configuracao?.get(name)?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// The `emit` group of a payload, completed by the company's record and its regime on the date of `moment`.
    pub(crate) fn issuer_on(&self, emit: GroupScope<'a>, moment: &str) -> GroupScope<'a> {
        let regime = self.regimes.and_then(|regimes| regimes.on(moment));
        regime.into_iter().fold(emit, GroupScope::or).or(self.emitente)
    }

    /// The company's CRT on the date of `moment`.
    pub(crate) fn CRT_on(&self, moment: &str) -> Option<&'a Value> {
        let regime = self.regimes.and_then(|regimes| regimes.on(moment));
        regime.unwrap_or(self.emitente).get("CRT")
    }

    /// The date of `dhEmi`.
    pub(crate) fn day(&self) -> &'a str {
        self.dhEmi.split('T').next().unwrap_or_default()
    }
}

/// The software house configured by the operator, for documents whose payload has no `infRespTec`.
#[derive(Clone, Copy)]
pub struct SoftwareHouse<'a> {
    /// `CNPJ`, `xContato`, `email`, `fone` and, with a CSRT, `idCSRT`.
    pub record: &'a Map<String, Value>,
    /// CSRT, the secret that the authority issued.
    pub csrt: Option<&'a str>,
}

/// Series and number that a payload requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestedNumber {
    pub serie: Option<Serie>,
    /// Number, above zero.
    pub numero: Option<u64>,
}

/// Identifiers of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentIds {
    /// `Id` of the signed element.
    pub id: String,
    /// Identifier in queries to the authority: the access key, or the identity of a DPS or an RPS.
    pub asked_by: String,
    /// Access key. `None` for an NFS-e, whose key the authority composes.
    pub chave: Option<ChaveAcesso>,
}

impl DocumentIds {
    /// Identifiers of a document that is queried by its access key; `prefix` is that of its `Id` (`NFe`, `CTe`).
    pub fn by_key(prefix: &str, chave: ChaveAcesso) -> DocumentIds {
        DocumentIds { id: format!("{prefix}{chave}"), asked_by: chave.as_str().to_owned(), chave: Some(chave) }
    }
}

/// An element to be signed. Its Signature follows it as a sibling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedElement {
    /// Range of the element in the unsigned text.
    pub element: Range<usize>,
    /// `Id` of the element. Empty for the root: the reference then covers the whole text, and the Signature is the last
    /// child.
    pub id: String,
}

/// A built document.
#[derive(Debug, Clone)]
pub struct BuiltDocument {
    pub ids: DocumentIds,
    /// Canonical, unsigned, valid against the layout except for the missing Signature.
    pub xml: String,
    /// Elements of `xml` to be signed, inner elements first: one in most families; none or several in a message to a
    /// municipal provider.
    pub signatures: Vec<SignedElement>,
    /// `dhEmi` as written.
    pub dhEmi: String,
    /// Total of the document: `vNF`, `vTPrest`; two decimals.
    pub valor: Decimal,
    /// CNPJ or CPF of the addressee.
    pub destinatario: Option<String>,
    /// True when the addressee has a foreign document (`idEstrangeiro`).
    pub estrangeiro: bool,
    /// Notices for the caller.
    pub notices: Vec<Notice>,
    /// The part that can be reused in the same document under another number, in families that support it.
    pub body: Option<WrittenBody>,
}

/// The body of a document: everything except number, code, instant of issue and form of emission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenBody {
    /// Range of the body in the text.
    pub at: Range<usize>,
    /// `BuiltDocument::valor`.
    pub valor: Decimal,
    /// Day of writing, because some totals depend on it.
    pub day: String,
}

/// The body of an earlier document, of the same payload for the same company.
#[derive(Debug, Clone, Copy)]
pub struct ReusableBody<'a> {
    /// Text of the body.
    pub(crate) xml: &'a str,
    pub(crate) valor: Decimal,
}

impl WrittenBody {
    /// The body as written in `xml`, for a document of `context`; `None` on another day.
    pub fn reuse_in<'a>(&self, xml: &'a str, context: &BuildContext<'_>) -> Option<ReusableBody<'a>> {
        (self.day == context.day()).then_some(ReusableBody { xml, valor: self.valor })
    }
}
