//! NF-e (55) and NFC-e (65): from the caller's `nota` to canonical XML.
//!
//! Law: MOC 7.0 anexo I (layout, rules), `spec/not-shown.md` §4 for what is filled in.

mod consumer;
pub mod describe;
mod elsewhere;
mod emission;
mod groups;
pub mod items;
pub mod official;
mod part;
pub mod qr;
pub mod review;
pub mod rules;
mod size;
pub mod summary;
mod supplement;
mod totals;
mod verdict;
mod write;

use crate::finding::{Notice, Violation};
use crate::map::Remarks;
use crate::nota::root_scope;
use crate::value::{ChaveAcesso, TpAmb};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::ops::Range;

pub use crate::nota::SoftwareHouse;
pub use emission::Asked;
pub use supplement::supplement;

/// What the service knows and the payload need not say.
pub struct Context<'a> {
    /// 55 or 65.
    pub modelo: u8,
    /// Environment the document goes to.
    pub ambiente: TpAmb,
    /// The company record as an `emitente` group of the contract (`CNPJCPF`, `xNome`, `IE`, `CRT`, `xLgr`, …); fills what `nota.emitente` leaves out.
    pub emitente: &'a Map<String, Value>,
    /// Number to use.
    pub serie: u16,
    /// Number to use.
    pub nNF: u32,
    /// Random code, already checked by `ChaveAcesso::cNF_is_allowed`.
    pub cNF: u32,
    /// `dhEmi` when the payload gives none, RFC 3339 with the state's offset, no fraction.
    pub dhEmi: &'a str,
    /// 1 normally; 4, 5, 6, 7, 9 in contingency.
    pub tpEmis: u8,
    /// `dhCont` and `xJust` in contingency.
    pub contingencia: Option<(&'a str, &'a str)>,
    /// `verProc` when the payload gives none.
    pub verProc: &'a str,
    /// `infRespTec` of the software that calls this service, when the operator named one.
    pub software_house: Option<SoftwareHouse<'a>>,
}

/// A document that could be built.
#[derive(Debug, Clone)]
pub struct Built {
    /// Its key.
    pub chave: ChaveAcesso,
    /// `<NFe xmlns=…><infNFe Id=… versao="4.00">…</infNFe></NFe>`, canonical, unsigned, valid against the layout except for the missing Signature.
    pub xml: String,
    /// `Id` of `infNFe`.
    pub id: String,
    /// Where `infNFe` stands in `xml`: what is signed.
    pub infNFe: Range<usize>,
    /// `dhEmi` as written.
    pub dhEmi: String,
    /// `total/ICMSTot/vNF`.
    pub vNF: Decimal,
    /// CNPJ or CPF of the addressee, when there is one.
    pub destinatario: Option<String>,
    /// How it identifies its consumer, as the QR code tells it.
    pub consumer: qr::Consumer,
    /// Remarks for the caller.
    pub notices: Vec<Notice>,
}

/// Series and number the payload asks for, if it does (`identificacao.serie`, `identificacao.nNF`), read leniently; used to reserve before building.
pub fn numbering(nota: &Value) -> (Option<u16>, Option<u32>) {
    let Value::Object(root) = official::groups(nota) else { return (None, None) };
    let ide = root_scope(root).below(groups::INF_NFE.child("ide"), "ide");
    let number = |name: &str| ide.text(name).and_then(|text| text.trim().parse::<u32>().ok());
    (number("serie").and_then(|serie| u16::try_from(serie).ok()), number("nNF").filter(|nNF| *nNF > 0))
}

/// Writes the document without the final check against the layout and without remarks: for a payload that `build` has accepted
/// before, and whose remarks its caller has read.
pub fn write(nota: &Value, context: &Context<'_>) -> Result<Built, Vec<Violation>> {
    let draft = write::draft(official::groups(nota), context, Remarks::Dropped)?;
    if draft.violations.is_empty() { Ok(draft.built) } else { Err(draft.violations) }
}

/// Builds the document, or says everything that stops it. Paths start with `nota.`.
pub fn build(nota: &Value, context: &Context<'_>) -> Result<Built, Vec<Violation>> {
    official::refuse(nota)?;
    let groups = official::groups(nota);
    let draft = write::draft(groups, context, Remarks::Kept);
    match draft.and_then(|draft| verdict::judge(groups, context, draft)) {
        Ok(built) => Ok(Built { notices: official::remarks(nota, built.notices), ..built }),
        Err(violations) => Err(official::refusals(nota, violations)),
    }
}
