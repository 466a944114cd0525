//! An NFS-e for its form: the authority's part, and the DPS inside.

use crate::form::dfe::{Dfe, Unreadable};
use crate::form::stored::Element;

/// Paths that NT 009 moves: in the current layout, and in NT 009's.
const MOVED: [(&str, &str); 6] = [
    ("IBSCBS/finNFSe", "finNFSe"),
    ("IBSCBS/indDest", "indDest"),
    ("IBSCBS/dest", "dest"),
    ("IBSCBS/valores/trib/gIBSCBS/CST", "IBSCBS/valores/trib/CST"),
    ("IBSCBS/valores/trib/gIBSCBS/cClassTrib", "IBSCBS/valores/trib/cClassTrib"),
    ("valores/vDedRed/vDR", "valores/vAjusteBC/vAjusteBCISSQN"),
];

fn moved(path: &str) -> Option<&'static str> {
    MOVED.iter().find(|(from, _)| *from == path).map(|(_, to)| *to)
}

/// An NFS-e, or a DPS without note.
#[derive(Clone, Copy)]
pub(in crate::form) struct Note<'x> {
    pub(super) dfe: Dfe<'x>,
    /// `infNFSe`; `None` for a DPS alone.
    nfse: Option<Element<'x>>,
    /// `infDPS`.
    dps: Element<'x>,
}

impl<'x> Note<'x> {
    pub(in crate::form) fn of(dfe: Dfe<'x>) -> Result<Note<'x>, Unreadable> {
        let signed = dfe.signed();
        if signed.name() == "infDPS" {
            return Ok(Note { dfe, nfse: None, dps: signed });
        }
        let dps = signed.at("DPS/infDPS").ok_or(Unreadable::NoForm)?;
        Ok(Note { dfe, nfse: Some(signed), dps })
    }

    /// True for a generated note.
    pub(super) fn is_made(&self) -> bool {
        self.nfse.is_some()
    }

    /// Text of the authority's part; empty when there is none.
    pub(in crate::form) fn nfse(&self, path: &str) -> &'x str {
        self.nfse.and_then(|nfse| nfse.text_at(path)).unwrap_or_default()
    }

    /// Text of the DPS, in either layout; empty when there is none.
    pub(in crate::form) fn dps(&self, path: &str) -> &'x str {
        let moved = || self.dps.text_at(moved(path)?);
        self.dps.text_at(path).or_else(moved).unwrap_or_default()
    }

    /// Group of the DPS, in either layout.
    pub(in crate::form) fn group(&self, path: &str) -> Option<Element<'x>> {
        self.dps.at(path).or_else(|| self.dps.at(moved(path)?))
    }

    /// Group of the authority's part.
    pub(super) fn told(&self, path: &str) -> Option<Element<'x>> {
        self.nfse.and_then(|nfse| nfse.at(path))
    }
}
