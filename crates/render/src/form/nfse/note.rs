//! An NFS-e for its form: the authority's part, and the DPS inside.

use crate::form::dfe::{Dfe, FormError};
use crate::form::stored::StoredElement;

/// Paths that NT 009 moves: in the current layout, and in NT 009's.
const MOVED: [(&str, &str); 6] = [
    ("IBSCBS/finNFSe", "finNFSe"),
    ("IBSCBS/indDest", "indDest"),
    ("IBSCBS/dest", "dest"),
    ("IBSCBS/valores/trib/gIBSCBS/CST", "IBSCBS/valores/trib/CST"),
    ("IBSCBS/valores/trib/gIBSCBS/cClassTrib", "IBSCBS/valores/trib/cClassTrib"),
    ("valores/vDedRed/vDR", "valores/vAjusteBC/vAjusteBCISSQN"),
];

fn moved_path(path: &str) -> Option<&'static str> {
    MOVED.iter().find(|(from, _)| *from == path).map(|(_, to)| *to)
}

/// An NFS-e, or a DPS without note.
#[derive(Clone, Copy)]
pub(in crate::form) struct NationalNote<'x> {
    pub(super) dfe: Dfe<'x>,
    /// `infNFSe`; `None` for a DPS alone.
    nfse: Option<StoredElement<'x>>,
    /// `infDPS`.
    dps: StoredElement<'x>,
}

impl<'x> NationalNote<'x> {
    pub(in crate::form) fn of(dfe: Dfe<'x>) -> Result<NationalNote<'x>, FormError> {
        let signed = dfe.signed();
        if signed.name() == "infDPS" {
            return Ok(NationalNote { dfe, nfse: None, dps: signed });
        }
        let dps = signed.at("DPS/infDPS").ok_or(FormError::NoForm)?;
        Ok(NationalNote { dfe, nfse: Some(signed), dps })
    }

    /// True for a generated note.
    pub(super) fn has_authority_part(&self) -> bool {
        self.nfse.is_some()
    }

    /// Text of the authority's part; empty when there is none.
    pub(in crate::form) fn nfse(&self, path: &str) -> &'x str {
        self.nfse.and_then(|nfse| nfse.text_at(path)).unwrap_or_default()
    }

    /// Text of the DPS, in either layout; empty when there is none.
    pub(in crate::form) fn dps(&self, path: &str) -> &'x str {
        let moved = || self.dps.text_at(moved_path(path)?);
        self.dps.text_at(path).or_else(moved).unwrap_or_default()
    }

    /// Group of the DPS, in either layout.
    pub(in crate::form) fn group(&self, path: &str) -> Option<StoredElement<'x>> {
        self.dps.at(path).or_else(|| self.dps.at(moved_path(path)?))
    }

    /// Group of the authority's part.
    pub(super) fn authority_group(&self, path: &str) -> Option<StoredElement<'x>> {
        self.nfse.and_then(|nfse| nfse.at(path))
    }
}
