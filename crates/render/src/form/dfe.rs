//! A stored document for the forms: the document and its protocol alone.

use super::options::{EpecRegistration, PrintedStatus};
use super::stored::{ParsedDocument, StoredElement};
use super::value;
use super::{FORMS, FormKind};
use fiscal::xml;
use std::borrow::Cow;

/// A printable document.
#[derive(Clone, Copy)]
pub struct Dfe<'x> {
    form: &'static FormKind,
    whole: StoredElement<'x>,
    inf: StoredElement<'x>,
    prot: Option<StoredElement<'x>>,
    status: &'x PrintedStatus,
}

/// Tags of a document kind, and the ending of its status words.
#[derive(Debug)]
pub(super) struct DocumentTags {
    /// Root of the document without its authorisation.
    pub(super) root: &'static str,
    /// Element that is signed.
    pub(super) inf: &'static str,
    /// Prefix of the `Id` before the key; empty when the `Id` holds no key.
    pub(super) id: &'static str,
    pub(super) protocol: &'static str,
    /// Path of the QR code's text.
    pub(super) qr_code: &'static str,
    pub(super) number: &'static str,
    /// `tpEmis` of a document issued before its authority has it.
    pub(super) offline: &'static str,
    /// `tpEmis` values of documents on security paper.
    pub(super) on_security_paper: &'static [&'static str],
    /// Last letter of its status words: an NF-e is `CANCELADA`, a CT-e `CANCELADO`.
    pub(super) ending: char,
}

/// Reasons why no form can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// Not XML.
    #[error(transparent)]
    Malformed(#[from] xml::MalformedXml),
    /// The document has no form here.
    #[error("não há formulário deste documento")]
    NoForm,
    /// The text is too long for a QR code.
    #[error("o texto do QR Code do documento não cabe em um QR Code")]
    QrCode,
}

impl<'x> Dfe<'x> {
    /// Finds the form of a document alone (`NFe`, `CTe`) or with its authorisation (`nfeProc`, `cteProc`).
    pub fn of(document: &'x ParsedDocument<'_>) -> Result<Dfe<'x>, FormError> {
        let root = document.root().ok_or(FormError::NoForm)?;
        let found = FORMS.into_iter().find_map(|form| {
            let whole = if root.name() == form.words.root { Some(root) } else { root.child(form.words.root) };
            Some((form, whole?))
        });
        let (form, whole) = found.ok_or(FormError::NoForm)?;
        let inf = whole.child(form.words.inf).ok_or(FormError::NoForm)?;
        Ok(Dfe { form, whole, inf, prot: root.at(form.words.protocol), status: &PrintedStatus::Stored })
    }

    /// Form of the document's root element.
    pub(super) fn form(&self) -> &'static FormKind {
        self.form
    }

    /// Last letter of its status words.
    pub(super) fn ending(&self) -> char {
        self.form.words.ending
    }

    /// Sets the status of the document.
    pub fn with_status(self, standing: &'x PrintedStatus) -> Dfe<'x> {
        Dfe { status: standing, ..self }
    }

    /// Text at a path below `infNFe` (`infCte`); empty when there is none.
    pub fn text(&self, path: &str) -> &'x str {
        self.inf.text_at(path).unwrap_or_default()
    }

    /// First text of several paths that is not empty.
    pub fn first(&self, paths: &[&str]) -> &'x str {
        paths.iter().map(|path| self.text(path)).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// The signed element.
    pub(super) fn signed(&self) -> StoredElement<'x> {
        self.inf
    }

    /// Group below `infNFe` (`infCte`).
    pub fn group(&self, path: &str) -> Option<StoredElement<'x>> {
        self.inf.at(path)
    }

    /// Groups of one name within a group (`""` is the document itself).
    pub fn all(&self, path: &str, name: &'static str) -> impl Iterator<Item = StoredElement<'x>> + use<'x> {
        let within = if path.is_empty() { Some(self.inf) } else { self.inf.at(path) };
        within.into_iter().flat_map(move |group| group.children().filter(move |child| child.name() == name))
    }

    /// Access key; empty in a preview.
    pub fn chave(&self) -> &'x str {
        if self.is_preview() {
            return "";
        }
        match self.inf.attribute("Id") {
            Some(Cow::Borrowed(id)) if !self.form.words.id.is_empty() => {
                id.strip_prefix(self.form.words.id).unwrap_or(id)
            }
            // a value with XML references is no key
            _ => "",
        }
    }

    /// Text of the protocol; empty when there is none.
    pub fn protocol(&self, tag: &str) -> &'x str {
        self.prot.and_then(|prot| prot.text_at(tag)).unwrap_or_default()
    }

    /// Moment of the authority's answer, in the emitter's offset.
    pub fn answered_at(&self) -> String {
        value::moment_beside(self.protocol("dhRecbto"), self.text("ide/dhEmi"))
    }

    /// Number and moment of its EPEC, in the emitter's offset.
    pub fn registered_as(&self, epec: &EpecRegistration) -> String {
        value::registration_text(&epec.number, &epec.moment, self.text("ide/dhEmi"))
    }

    /// Text beside the signed element, by its path: `infNFeSupl/urlChave`.
    pub fn supplement(&self, path: &str) -> &'x str {
        self.whole.text_at(path).unwrap_or_default()
    }

    /// Number in nine digits; blanks for a preview without number.
    pub fn number(&self) -> String {
        match self.status {
            PrintedStatus::Preview { numbered: false } => "___.___.___".to_owned(),
            _ => value::nine(self.text(self.form.words.number)),
        }
    }

    /// Series in three digits.
    pub fn series(&self) -> String {
        format!("{:0>3}", self.text("ide/serie"))
    }

    /// Address from the given tags of `enderEmit` or `enderDest`: present parts, separated by commas.
    pub fn address(&self, group: &str, tags: &[&str]) -> String {
        let told = tags.iter().map(|tag| self.text(&format!("{group}/{tag}"))).filter(|part| !part.is_empty());
        told.collect::<Vec<_>>().join(", ")
    }

    /// Status of the document beyond its XML.
    pub(super) fn document_status(&self) -> &'x PrintedStatus {
        self.status
    }

    /// True when nothing was issued.
    pub fn is_preview(&self) -> bool {
        matches!(self.status, PrintedStatus::Preview { .. })
    }

    /// True when an authority has the document, or may have it.
    pub fn may_be_looked_up(&self) -> bool {
        !matches!(
            self.status,
            PrintedStatus::Preview { .. } | PrintedStatus::Rejected { .. } | PrintedStatus::Abandoned { .. }
        )
    }

    /// Name of a town; one abroad with its country.
    pub fn town(&self, group: &str) -> Cow<'x, str> {
        let at = |tag: &str| self.text(&format!("{group}/{tag}"));
        match (at("UF"), at("xPais")) {
            ("EX", country) if !country.is_empty() => format!("{} - {country}", at("xMun")).into(),
            _ => at("xMun").into(),
        }
    }

    /// True when the XML allows circulation; only then the form has a code for machines.
    pub fn may_be_scanned(&self) -> bool {
        *self.status == PrintedStatus::Stored && !self.is_denied()
    }

    /// Text of the QR code; empty for a document that must not be looked up by it.
    pub fn qr_code(&self) -> &'x str {
        if self.may_be_scanned() { self.supplement(self.form.words.qr_code) } else { "" }
    }

    /// True when it was issued offline and is not authorised yet.
    pub fn is_pending(&self) -> bool {
        self.text("ide/tpEmis") == self.form.words.offline
            && !self.is_authorised()
            && *self.status == PrintedStatus::Stored
    }

    /// True for a document on security paper, where that is still accepted.
    pub fn is_on_security_paper(&self) -> bool {
        self.form.words.on_security_paper.contains(&self.text("ide/tpEmis"))
    }

    /// True in homologação.
    pub fn is_test(&self) -> bool {
        self.text("ide/tpAmb") == "2"
    }

    /// True when the authority has authorised it (100, 120, 150).
    pub fn is_authorised(&self) -> bool {
        matches!(self.protocol("cStat"), "100" | "120" | "150")
    }

    /// True when the authority has denied it.
    pub fn is_denied(&self) -> bool {
        matches!(self.protocol("cStat"), "110" | "301" | "302" | "303")
    }
}
