//! A document of any family on its way to its XML: what is known before it is written, and what was written.
//!
//! Law: `design.md` §3.2 (number, code and key are fixed before the first send). Must not know: which families there
//! are.

use crate::abrasf::Dialect;
use crate::finding::Notice;
use crate::law::Law;
use crate::map::Scope;
use crate::regime::RegimeCalendar;
use crate::value::{ChaveAcesso, Serie, TpAmb};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::ops::Range;

pub use crate::nfse::layouts::DpsLayout;

/// What the service knows and the payload need not say.
pub struct Context<'a> {
    /// One of the family's: 55, 65, 57, 67.
    pub modelo: u8,
    /// Environment the document goes to.
    pub ambiente: TpAmb,
    /// The law that it is judged by.
    pub law: &'a Law,
    /// The company record as an `emitente` group of the contract (`CNPJCPF`, `xNome`, `IE`, `CRT`, `xLgr`, …); fills
    /// what `nota.emitente` leaves out.
    pub emitente: &'a Map<String, Value>,
    /// Dated regimes of the company: the one in force on the day of the document stands before `emitente`'s CRT.
    pub regimes: Option<&'a RegimeCalendar>,
    /// The company's configuration for this type of document (`rntrc`, `taf`), where the family fills something from
    /// it.
    pub configuracao: Option<&'a Map<String, Value>>,
    /// Series to use.
    pub serie: Serie,
    /// Number to use.
    pub numero: u64,
    /// Random code of the access key, already checked by `ChaveAcesso::code_is_allowed`.
    pub codigo: u32,
    /// `dhEmi` when the payload gives none, RFC 3339 with the state's offset, no fraction.
    pub dhEmi: &'a str,
    /// 1 normally; others in contingency.
    pub tpEmis: u8,
    /// `dhCont` and `xJust` in contingency.
    pub contingencia: Option<(&'a str, &'a str)>,
    /// `verProc` when the payload gives none.
    pub verProc: &'a str,
    /// `infRespTec` of the software that calls this service, when the operator named one.
    pub software_house: Option<SoftwareHouse<'a>>,
    /// What the provider of the company's city hall wants of an RPS; nothing to the other families.
    pub dialeto: Option<&'a Dialect>,
    /// Layout of a DPS of the national NFS-e; nothing to the other families.
    pub leiaute: DpsLayout,
}

impl<'a> Context<'a> {
    /// What is configured under a name, as text.
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        self.configuracao?.get(name)?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// The `emit` group of a payload, completed by the company as it is on the date of a moment.
    pub(crate) fn issuer_on(&self, emit: Scope<'a>, moment: &str) -> Scope<'a> {
        let regime = self.regimes.and_then(|regimes| regimes.on(moment));
        regime.into_iter().fold(emit, Scope::or).or(self.emitente)
    }

    /// The company's CRT on the date of a moment.
    pub(crate) fn CRT_on(&self, moment: &str) -> Option<&'a Value> {
        let regime = self.regimes.and_then(|regimes| regimes.on(moment));
        regime.unwrap_or(self.emitente).get("CRT")
    }

    /// The date of `dhEmi`.
    pub(crate) fn day(&self) -> &'a str {
        self.dhEmi.split('T').next().unwrap_or_default()
    }
}

/// The software house the operator named, for documents whose payload names none.
#[derive(Clone, Copy)]
pub struct SoftwareHouse<'a> {
    /// `CNPJ`, `xContato`, `email`, `fone` and, with a CSRT, `idCSRT`.
    pub record: &'a Map<String, Value>,
    /// The secret that the authority gave it.
    pub csrt: Option<&'a str>,
}

/// Series and number that a payload asks for, where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numbering {
    /// Series.
    pub serie: Option<Serie>,
    /// Number, above zero.
    pub numero: Option<u64>,
}

/// What a document is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ids {
    /// `Id` of the signed element.
    pub id: String,
    /// What its authority is asked by: the access key, or the identity of a DPS or an RPS.
    pub asked_by: String,
    /// Its access key, where we compose it; of an NFS-e the authority does.
    pub chave: Option<ChaveAcesso>,
}

impl Ids {
    /// Of a document that is asked for by its access key; `prefix` is that of its `Id` (`NFe`, `CTe`).
    pub fn by_key(prefix: &str, chave: ChaveAcesso) -> Ids {
        Ids { id: format!("{prefix}{chave}"), asked_by: chave.as_str().to_owned(), chave: Some(chave) }
    }
}

/// An element that is signed. Its Signature stands right behind it, as its sibling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedElement {
    /// Where it stands in the text that is not signed yet.
    pub element: Range<usize>,
    /// Its `Id`. Empty for the root: the reference is to the whole text, and the Signature its last child.
    pub id: String,
}

/// A document that could be built.
#[derive(Debug, Clone)]
pub struct Built {
    /// What it is known by.
    pub ids: Ids,
    /// Canonical, unsigned, valid against the layout except for the missing Signature.
    pub xml: String,
    /// The elements of `xml` that are signed, what is inside of another before it: one in most families, of a message
    /// to a city hall several or none.
    pub signatures: Vec<SignedElement>,
    /// `dhEmi` as written.
    pub dhEmi: String,
    /// What it is worth: `vNF`, `vTPrest`; two decimals.
    pub valor: Decimal,
    /// CNPJ or CPF of the addressee, when there is one.
    pub destinatario: Option<String>,
    /// Whether the addressee is named by a foreign document (`idEstrangeiro`).
    pub estrangeiro: bool,
    /// Remarks for the caller.
    pub notices: Vec<Notice>,
    /// What of it may be put into the same note under another number, where its family can write the rest around it.
    pub body: Option<BodyWritten>,
}

/// The body of a document: all that is neither of its number and code, nor of the minute of its instant, nor of the way
/// it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyWritten {
    /// Where it stands in the text.
    pub at: Range<usize>,
    /// [`Built::valor`].
    pub valor: Decimal,
    /// The day on which it was written: some totals tell theirs.
    pub day: String,
}

/// A body that was written before, of the same payload for the same company.
#[derive(Debug, Clone, Copy)]
pub struct BodyBefore<'a> {
    /// As it stood in the text.
    pub(crate) xml: &'a str,
    pub(crate) valor: Decimal,
}

impl BodyWritten {
    /// This text of it, to be put into a document of that context; `None` on another day.
    pub fn before<'a>(&self, xml: &'a str, context: &Context<'_>) -> Option<BodyBefore<'a>> {
        (self.day == context.day()).then_some(BodyBefore { xml, valor: self.valor })
    }
}
