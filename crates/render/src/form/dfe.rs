//! A stored document as the forms read it: the document, its protocol, nothing else.

use super::event;
use super::options::{Epec, Standing};
use super::stored::{Document, Element};
use super::value;
use super::{FORMS, Form};
use fiscal::xml;
use std::borrow::Cow;

/// A document that can be printed.
#[derive(Clone, Copy)]
pub struct Dfe<'x> {
    form: &'static Form,
    whole: Element<'x>,
    inf: Element<'x>,
    prot: Option<Element<'x>>,
    standing: &'x Standing,
}

/// What the parts of a document are called, and what its law calls it when it counts for nothing.
#[derive(Debug)]
pub(super) struct Words {
    /// The document itself, without its authorisation.
    pub(super) root: &'static str,
    /// What is signed.
    pub(super) inf: &'static str,
    /// What its `Id` begins with, before the key; empty when it holds none.
    pub(super) id: &'static str,
    pub(super) protocol: &'static str,
    /// Text of its QR code.
    pub(super) qr_code: &'static str,
    pub(super) number: &'static str,
    /// `tpEmis` of one that is given out before its authority has it.
    pub(super) offline: &'static str,
    /// `tpEmis` of those that count on security paper.
    pub(super) on_security_paper: &'static [&'static str],
    /// Last letter of what is said of it: an NF-e is `CANCELADA`, a CT-e `CANCELADO`.
    pub(super) ending: char,
}

/// No form can be drawn from the bytes.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// Not XML.
    #[error(transparent)]
    Malformed(#[from] xml::Malformed),
    /// A document without a form here.
    #[error("não há formulário deste documento")]
    NoForm,
    /// The text of its QR code is longer than a QR code can be.
    #[error("o texto do QR Code do documento não cabe em um QR Code")]
    QrCode,
}

impl<'x> Dfe<'x> {
    /// From the document alone (`NFe`, `CTe`) or with its authorisation (`nfeProc`, `cteProc`).
    pub fn of(document: &'x Document<'_>) -> Result<Dfe<'x>, Unreadable> {
        let root = document.root().ok_or(Unreadable::NoForm)?;
        let found = FORMS.into_iter().find_map(|form| {
            let whole = if root.name() == form.words.root { Some(root) } else { root.child(form.words.root) };
            Some((form, whole?))
        });
        let (form, whole) = found.ok_or(Unreadable::NoForm)?;
        let inf = whole.child(form.words.inf).ok_or(Unreadable::NoForm)?;
        Ok(Dfe { form, whole, inf, prot: root.at(form.words.protocol), standing: &Standing::Stored })
    }

    /// Which forms it has.
    pub(super) fn form(&self) -> &'static Form {
        self.form
    }

    /// Last letter of what is said of it.
    pub(super) fn ending(&self) -> char {
        self.form.words.ending
    }

    /// The same document, where it stands told.
    pub fn standing(self, standing: &'x Standing) -> Dfe<'x> {
        Dfe { standing, ..self }
    }

    /// The text at a path below `infNFe` (`infCte`); empty when there is none.
    pub fn text(&self, path: &str) -> &'x str {
        self.inf.text_at(path).unwrap_or_default()
    }

    /// The first of several paths that says something.
    pub fn first(&self, paths: &[&str]) -> &'x str {
        paths.iter().map(|path| self.text(path)).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// What is signed, as a whole.
    pub(super) fn signed(&self) -> Element<'x> {
        self.inf
    }

    /// A group below `infNFe` (`infCte`).
    pub fn group(&self, path: &str) -> Option<Element<'x>> {
        self.inf.at(path)
    }

    /// Groups of one name within a group (`""` is the document itself).
    pub fn all(&self, path: &str, name: &'static str) -> impl Iterator<Item = Element<'x>> + use<'x> {
        let within = if path.is_empty() { Some(self.inf) } else { self.inf.at(path) };
        within.into_iter().flat_map(move |group| group.children().filter(move |child| child.name() == name))
    }

    /// The access key; empty while nothing was issued.
    pub fn chave(&self) -> &'x str {
        if self.is_preview() {
            return "";
        }
        match self.inf.attribute("Id") {
            Some(Cow::Borrowed(id)) if !self.form.words.id.is_empty() => {
                id.strip_prefix(self.form.words.id).unwrap_or(id)
            }
            // one with references is no key
            _ => "",
        }
    }

    /// The text of the protocol; empty when there is none.
    pub fn protocol(&self, tag: &str) -> &'x str {
        self.prot.and_then(|prot| prot.text_at(tag)).unwrap_or_default()
    }

    /// When the authority answered, on the clock of the emitter.
    pub fn answered_at(&self) -> String {
        value::moment_beside(self.protocol("dhRecbto"), self.text("ide/dhEmi"))
    }

    /// The registration of its EPEC, on the clock of the emitter.
    pub fn registered_as(&self, epec: &Epec) -> String {
        event::protocol(&epec.number, &epec.moment, self.text("ide/dhEmi"))
    }

    /// A text beside what is signed, by its path: `infNFeSupl/urlChave`.
    pub fn supplement(&self, path: &str) -> &'x str {
        self.whole.text_at(path).unwrap_or_default()
    }

    /// Its number in nine digits; blanks to be filled while it has none.
    pub fn number(&self) -> String {
        match self.standing {
            Standing::Preview { numbered: false } => "___.___.___".to_owned(),
            _ => value::nine(self.text(self.form.words.number)),
        }
    }

    /// Its series in three digits.
    pub fn series(&self) -> String {
        format!("{:0>3}", self.text("ide/serie"))
    }

    /// What a person reads of `enderEmit` or `enderDest`: the given parts that are told, with commas.
    pub fn address(&self, group: &str, tags: &[&str]) -> String {
        let told = tags.iter().map(|tag| self.text(&format!("{group}/{tag}"))).filter(|part| !part.is_empty());
        told.collect::<Vec<_>>().join(", ")
    }

    /// What became of it, beyond what its XML says.
    pub(super) fn fate(&self) -> &'x Standing {
        self.standing
    }

    /// Nothing was issued.
    pub fn is_preview(&self) -> bool {
        matches!(self.standing, Standing::Preview { .. })
    }

    /// An authority knows it, or may: whoever looks it up finds more than nothing.
    pub fn may_be_looked_up(&self) -> bool {
        !matches!(self.standing, Standing::Preview { .. } | Standing::Rejected { .. } | Standing::Abandoned { .. })
    }

    /// A town as people read it: one abroad with its country.
    pub fn town(&self, group: &str) -> Cow<'x, str> {
        let at = |tag: &str| self.text(&format!("{group}/{tag}"));
        match (at("UF"), at("xPais")) {
            ("EX", country) if !country.is_empty() => format!("{} - {country}", at("xMun")).into(),
            _ => at("xMun").into(),
        }
    }

    /// It may circulate, as far as its XML goes: only then does it carry a code that a machine reads.
    pub fn may_be_scanned(&self) -> bool {
        *self.standing == Standing::Stored && !self.is_denied()
    }

    /// The text of its QR code; empty for a document that nobody should look up by it.
    pub fn qr_code(&self) -> &'x str {
        if self.may_be_scanned() { self.supplement(self.form.words.qr_code) } else { "" }
    }

    /// Issued offline, and not yet authorised.
    pub fn is_pending(&self) -> bool {
        self.text("ide/tpEmis") == self.form.words.offline
            && !self.is_authorised()
            && *self.standing == Standing::Stored
    }

    /// Printed on security paper, where that still counts.
    pub fn is_on_security_paper(&self) -> bool {
        self.form.words.on_security_paper.contains(&self.text("ide/tpEmis"))
    }

    /// Issued in homologação.
    pub fn is_test(&self) -> bool {
        self.text("ide/tpAmb") == "2"
    }

    /// The authority has authorised it (100, 120, 150).
    pub fn is_authorised(&self) -> bool {
        matches!(self.protocol("cStat"), "100" | "120" | "150")
    }

    /// The authority has denied it.
    pub fn is_denied(&self) -> bool {
        matches!(self.protocol("cStat"), "110" | "301" | "302" | "303")
    }
}
