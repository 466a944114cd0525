//! Events of the CT-e and CT-e OS, whose content is written along its layout from the caller's members, under the
//! official tags.
//!
//! Law: MOC CT-e 4.00 anexo I, chapters of each event; the XSDs `ev…_v4.00`. Must not know the sender of an event, or
//! its effect on the document.

mod corrections;
mod rows;

pub use corrections::{CteCorrection, merged, refusals};

use self::rows::{CteEventRow, ROWS};
use super::{EventEnvelope, family};
use crate::finding::{Notice, Violation};
use crate::layout::Layout;
use crate::map::{self, ElementMapping, GroupScope, LayerOrigin, LayoutWalker, NoticePolicy};
use crate::nota::layout_check;
use crate::value::ChaveAcesso;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha1::{Digest as _, Sha1};

/// The kinds of events that this service writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum CteEventKind {
    CartaCorrecao,
    Cancelamento,
    RegistroMultimodal,
    InformacoesGtv,
    ComprovanteEntrega,
    CancelamentoComprovanteEntrega,
    InsucessoEntrega,
    CancelamentoInsucessoEntrega,
    Desacordo,
    CancelamentoDesacordo,
}

/// Author of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventAuthor {
    /// The carrier that issued the document (632).
    Issuer,
    /// The customer of the service (755).
    Tomador,
}

/// Count of the kinds with a route of their own.
const OWN_ROUTES: usize = 2;

impl CteEventKind {
    /// Names of the kinds that `POST /v1/cte/eventos` takes, in the order of their rows.
    pub const COMMON_ROUTE: [&'static str; ROWS.len() - OWN_ROUTES] = {
        let mut words = [""; ROWS.len() - OWN_ROUTES];
        let (mut row, mut word) = (0, 0);
        while row < ROWS.len() {
            if !ROWS[row].has_own_route {
                words[word] = ROWS[row].word;
                word += 1;
            }
            row += 1;
        }
        words
    };

    /// All kinds.
    pub fn all() -> impl Iterator<Item = CteEventKind> {
        ROWS.iter().map(|row| row.kind)
    }

    fn row(self) -> &'static CteEventRow {
        ROWS.iter().find(|row| row.kind == self).unwrap_or(&ROWS[0])
    }

    /// `tpEvento`.
    pub fn code(self) -> &'static str {
        self.row().tpEvento
    }

    /// Name in the contract.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// Highest `nSeqEvento` of a document (636 above).
    pub fn most(self) -> u16 {
        self.row().most
    }

    pub fn author(self) -> EventAuthor {
        self.row().author
    }

    /// The kind whose last event it refers to: a letter repeats the earlier one, a cancellation names the event that it
    /// cancels.
    pub fn follows(self) -> Option<CteEventKind> {
        self.row().follows
    }

    /// True when it cancels another event, from which its content follows.
    pub fn undoes(self) -> bool {
        self.follows().is_some_and(|followed| followed != self)
    }

    /// Models of documents that may have it (595, 721, 732).
    pub fn models(self) -> &'static [u8] {
        self.row().models
    }

    /// True when it names the protocol of the authorisation (`nProt`).
    pub fn names_protocol(self) -> bool {
        self.row().names_protocol
    }

    /// Title of its printed form.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// `descEvento`.
    pub fn description(self) -> &'static str {
        family::CTE.fixed(self.code(), "descEvento")
    }

    /// The kind of a `tpEvento`.
    pub fn from_code(tpEvento: &str) -> Option<CteEventKind> {
        CteEventKind::all().find(|kind| kind.code() == tpEvento)
    }

    /// The kind of a name in the contract.
    pub fn from_word(word: &str) -> Option<CteEventKind> {
        CteEventKind::all().find(|kind| kind.word() == word)
    }

    fn layout(self) -> Option<&'static Layout> {
        (family::CTE.det_evento)(self.code())
    }
}

impl From<CteEventKind> for &'static str {
    fn from(kind: CteEventKind) -> &'static str {
        kind.word()
    }
}

impl TryFrom<String> for CteEventKind {
    type Error = &'static str;

    fn try_from(word: String) -> Result<CteEventKind, &'static str> {
        CteEventKind::from_word(&word).ok_or("não é um evento do CT-e")
    }
}

/// Content of an event, written by its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CteEventContent {
    kind: CteEventKind,
    xml: String,
    /// Notices about members that were not written.
    pub notices: Vec<Notice>,
}

impl CteEventContent {
    pub fn kind(&self) -> CteEventKind {
        self.kind
    }
}

/// Writes the content of an event from members under official tags (`nProt`, `xJust`, …; a letter of correction also
/// takes `correcoes` of `grupo`, `campo`, `valor` and `item`), or returns every violation. Texts fixed by law are
/// filled in. Instants without an offset are in `offset_hours`; paths are relative to the members.
pub fn body(
    kind: CteEventKind,
    said: &Map<String, Value>,
    offset_hours: i8,
) -> Result<CteEventContent, Vec<Violation>> {
    let Some(layout) = kind.layout() else { return Err(Vec::new()) };
    let place = places(kind);
    let mut walker = LayoutWalker::new(1_024, offset_hours, NoticePolicy::Kept);
    let fixed = fixed(kind);
    let scope = GroupScope::at("").with(said, "", LayerOrigin::Caller).forced(&fixed);
    walker.group(layout.root, Some(place), &scope);
    let mut violations = std::mem::take(&mut walker.violations);
    let xml = std::mem::take(&mut walker.xml).finish();
    let whole = xml.replacen('>', &format!(" xmlns=\"{}\">", layout.namespace), 1);
    let scope = GroupScope::at("").with(said, "", LayerOrigin::Caller);
    layout_check::check_layout(layout, &whole, &mut violations, |path| map::locate(path, Some(place), &scope));
    if violations.is_empty() { Ok(CteEventContent { kind, xml, notices: walker.notices }) } else { Err(violations) }
}

/// Canonical, unsigned `<eventoCTe xmlns=… versao="4.00">…</eventoCTe>` and its `Id`.
pub fn build(envelope: &EventEnvelope<'_>, body: &CteEventContent) -> (String, String) {
    let cOrgao = envelope.chave.parts().uf.code();
    family::CTE.wrap(envelope, cOrgao, body.kind.code(), |xml| xml.raw(&body.xml))
}

/// `hashEntrega` and `hashTentativaEntrega`: SHA-1 of the key and the picture (a signature, a photograph), which is not
/// stored.
pub fn delivery_hash(chave: &ChaveAcesso, picture: &[u8]) -> String {
    STANDARD.encode(Sha1::new().chain_update(chave.as_str()).chain_update(STANDARD.encode(picture)).finalize())
}

/// Texts fixed by law for this kind.
fn fixed(kind: CteEventKind) -> Map<String, Value> {
    let texts = ["descEvento", "xCondUso", "indDesacordoOper"].into_iter();
    let texts = texts.map(|tag| (tag, family::CTE.fixed(kind.code(), tag))).filter(|(_, text)| !text.is_empty());
    texts.map(|(tag, text)| (tag.to_owned(), Value::String(text.to_owned()))).collect()
}

fn places(kind: CteEventKind) -> &'static ElementMapping {
    match kind {
        CteEventKind::CartaCorrecao => &CORRECTIONS,
        _ => &OTHER,
    }
}

static CORRECTIONS: ElementMapping =
    ElementMapping::of("evCCeCTe").places(&[&[ElementMapping::of("infCorrecao").names(&["correcoes"]).places(&[&[
        ElementMapping::of("grupoAlterado").names(&["grupo"]),
        ElementMapping::of("campoAlterado").names(&["campo"]),
        ElementMapping::of("valorAlterado").names(&["valor"]),
        ElementMapping::of("nroItemAlterado").names(&["item"]),
    ]])]]);

static OTHER: ElementMapping = ElementMapping::of("").places(&[&[
    ElementMapping::of("infEntrega").alone_as("chNFe"),
    ElementMapping::of("infGTV").places(&[&[
        ElementMapping::of("infEspecie"),
        ElementMapping::of("rem").places(&[DOCUMENTS]),
        ElementMapping::of("dest").places(&[DOCUMENTS]),
    ]]),
]]);
const DOCUMENTS: &[ElementMapping] = &[
    ElementMapping::of("CNPJ").names(&["CNPJCPF", "cpf_cnpj"]),
    ElementMapping::of("CPF").names(&["CNPJCPF", "cpf_cnpj"]),
];

#[cfg(test)]
mod tests;
