//! The DANFSe v2.0 over all golden DPS, each made into an NFS-e: fields, geometry, code, marks, and the forms of
//! events.
//!
//! Law: NT SE/CGNFS-e 008/2026.

mod authority;
mod events;
mod fields;
mod sheets;

use crate::documents::declarations;
use authority::made;
use render::form::{self, Dfe, ParsedDocument, PrintOptions};
use render::paper::Sheet;

/// Name and XML of every golden case as an NFS-e.
fn notes() -> Vec<(String, String)> {
    declarations().into_iter().map(|(name, dps)| (name, made(&dps))).collect()
}

/// A golden DPS by name.
fn dps(name: &str) -> String {
    declarations().into_iter().find(|(found, _)| found == name).unwrap().1
}

/// A golden DPS as an NFS-e.
fn note(name: &str) -> String {
    made(&dps(name))
}

/// Draws a document and passes its only sheet to `judge`.
fn drawn<T>(xml: &str, options: &PrintOptions, judge: impl FnOnce(Dfe<'_>, &Sheet<'_>) -> T) -> T {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap().with_status(&options.status);
    let sheets = form::sheets(note, options).unwrap();
    assert_eq!(sheets.len(), 1, "the law wants one sheet");
    judge(note, &sheets[0])
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// All texts of the sheet, without blanks.
fn said(sheet: &Sheet<'_>) -> String {
    sheet.texts().flat_map(|line| line.text.split_whitespace()).collect()
}
