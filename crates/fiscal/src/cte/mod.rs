//! CT-e (57, cargo) and CT-e OS (67, passengers, valuables, excess baggage): from the caller's `nota` to canonical XML.
//!
//! Law: MOC CT-e 4.00 anexo I with its notes up to NT 2026.004; `spec/interface.md` and `spec/not-shown.md` for the contract.

mod defaults;
mod foreseen;
mod groups;
mod model;
pub mod official;
pub mod qr;
pub mod review;
mod supplement;
mod write;

use crate::finding::{Notice, Violation};
use crate::map::{self, Remarks};
use crate::nota::{SoftwareHouse, root_scope};
use crate::value::{ChaveAcesso, TpAmb};
use model::Model;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::ops::Range;

pub use supplement::supplement;

/// What the service knows and the payload need not say.
pub struct Context<'a> {
    /// 57 or 67.
    pub modelo: u8,
    /// Environment the document goes to.
    pub ambiente: TpAmb,
    /// The company record as an `emitente` group of the contract (`CNPJCPF`, `xNome`, `IE`, `CRT`, `xLgr`, …); fills what `nota.emitente` leaves out.
    pub emitente: &'a Map<String, Value>,
    /// Registration at ANTT, of a 57 whose payload gives none: 8 digits or `ISENTO`.
    pub rntrc: Option<&'a str>,
    /// Termo de Autorização de Fretamento, of a 67 whose payload gives none: 12 digits.
    pub taf: Option<&'a str>,
    /// Number to use.
    pub serie: u16,
    /// Number to use.
    pub nCT: u32,
    /// Random code, already checked by `ChaveAcesso::cNF_is_allowed`.
    pub cCT: u32,
    /// `dhEmi` when the payload gives none, RFC 3339 with the state's offset, no fraction.
    pub dhEmi: &'a str,
    /// 1 normally; 2 offline, 7 (SVC-RS) and 8 (SVC-SP) in contingency.
    pub tpEmis: u8,
    /// `dhCont` and `xJust` of what is issued offline.
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
    /// `<CTe xmlns=…><infCte Id=… versao="4.00">…</infCte><infCTeSupl>…</infCTeSupl></CTe>` or `<CTeOS …>`, canonical, unsigned, valid against the
    /// layout except for the missing Signature. What is issued offline has no `infCTeSupl` yet: its QR code is signed (`supplement`).
    pub xml: String,
    /// `Id` of `infCte`.
    pub id: String,
    /// Where `infCte` stands in `xml`: what is signed.
    pub infCte: Range<usize>,
    /// `dhEmi` as written.
    pub dhEmi: String,
    /// `vPrest/vTPrest`.
    pub vTPrest: Decimal,
    /// CNPJ or CPF of the addressee (57) or of who takes the service (67), when there is one.
    pub destinatario: Option<String>,
    /// Remarks for the caller.
    pub notices: Vec<Notice>,
}

/// The model a payload asks for (`identificacao.modelo` or `mod`), read leniently.
pub fn modelo(nota: &Value) -> Option<u8> {
    let root = official::groups(nota).as_object()?;
    let ide = model::ide(root);
    ["modelo", "mod"].iter().find_map(|name| ide.text(name))?.trim().parse().ok()
}

/// Series and number the payload asks for, if it does (`identificacao.serie`, `identificacao.nCT`), read leniently; used to reserve before building.
pub fn numbering(nota: &Value) -> (Option<u16>, Option<u32>) {
    let Some(root) = official::groups(nota).as_object() else { return (None, None) };
    let ide = model::ide(root);
    let number = |names: &[&str]| names.iter().find_map(|name| ide.text(name)?.trim().parse::<u32>().ok());
    let serie = number(&["serie"]).and_then(|serie| u16::try_from(serie).ok());
    (serie, number(&["nCT", "numero", "nNF"]).filter(|nCT| *nCT > 0))
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
    let review::Looked { built, violations } = review::look(official::groups(nota), context)?;
    if violations.is_empty() {
        Ok(Built { notices: official::remarks(nota, built.notices), ..built })
    } else {
        Err(official::refusals(nota, violations))
    }
}

/// The caller's path of an XML path below the root.
fn campo(model: &'static Model, root: &Map<String, Value>, path: &str) -> String {
    let path = path.strip_prefix("infCte/").unwrap_or(path);
    match path.strip_prefix("ide/").filter(|rest| rest.starts_with("toma")) {
        // who takes the service stands beside `identificacao` in the contract
        Some(rest) if !model.ide_says_tomador(root) => map::locate(rest, model.map.child("ide"), &root_scope(root)),
        _ => map::locate(path, Some(model.map), &root_scope(root)),
    }
}
