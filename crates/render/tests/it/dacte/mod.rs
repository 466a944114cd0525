//! DACTE and DACTE OS, over all golden documents of transport: fields, geometry, codes, sheets.
//!
//! Law: MOC CT-e 4.00, Anexo II.

mod events;
mod fields;
mod sheets;

use crate::documents::{replaced, transports};
use render::form::{self, Dfe, ParsedDocument, PrintOptions};
use render::paper::Sheet;

/// A golden case by name.
fn case(name: &str) -> String {
    transports().into_iter().find(|(found, _)| found == name).unwrap().1
}

fn standing() -> PrintOptions {
    PrintOptions { landscape: Some(false), ..PrintOptions::default() }
}

fn lying() -> PrintOptions {
    PrintOptions { landscape: Some(true), ..PrintOptions::default() }
}

/// Draws a document and passes the sheets to `judge`.
fn drawn(xml: &str, options: &PrintOptions, judge: impl FnOnce(Dfe<'_>, &[Sheet<'_>])) {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let cte = Dfe::of(&root).unwrap().with_status(&options.status);
    judge(cte, &form::sheets(cte, options).unwrap());
}

/// The document with its authority's answer, in production.
fn authorised(xml: &str) -> String {
    let cte = xml.split_once("?>").map_or(xml, |(_, rest)| rest);
    let cte = replaced(cte, "tpAmb", "1");
    let root = if cte.contains("<CTeOS") { "cteOSProc" } else { "cteProc" };
    format!(
        "<{root} versao=\"4.00\" xmlns=\"http://www.portalfiscal.inf.br/cte\">{cte}<protCTe versao=\"4.00\"><infProt><tpAmb>1</tpAmb>\
         <verAplic>1</verAplic><chCTe/><dhRecbto>2026-11-20T10:00:01-03:00</dhRecbto><nProt>143260000000001</nProt><digVal/><cStat>100</cStat>\
         <xMotivo/></infProt></protCTe></{root}>"
    )
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// All texts of the sheets, without blanks.
fn said(sheets: &[Sheet<'_>]) -> String {
    sheets.iter().flat_map(Sheet::texts).flat_map(|line| line.text.split_whitespace()).collect()
}

/// Key of a carried note, by its number.
fn note_key(number: usize) -> String {
    format!("43261112ABC34501DE35550010{number:08}11847362513")
}

/// The document with `count` carried notes, each with its own key.
fn carrying(xml: &str, count: usize) -> String {
    let (before, rest) = xml.split_once("<infNFe>").unwrap();
    let (_, after) = rest.rsplit_once("</infNFe>").unwrap();
    let notes: String =
        (1..=count).map(|number| format!("<infNFe><chave>{}</chave></infNFe>", note_key(number))).collect();
    format!("{before}{notes}{after}")
}
