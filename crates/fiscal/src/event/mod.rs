//! Events on documents: one builder for every kind (MOC 7.0, visão geral, 5.8, and the technical note of each kind).
//!
//! A kind of the NF-e is a variant of `TpEvento`, its row in `TpEvento::row`, a variant of `Detail` and what `detail`
//! writes for it; those of the CT-e stand in `cte`. The envelope is a row of `family`, with the layouts of what events
//! say. Must not know who sends an event, or what becomes of the document.

pub mod cte;
mod detail;
mod epec;
pub mod family;
#[cfg(test)]
mod tests;

pub use detail::Detail;
pub use epec::Epec;

use crate::layout::{self, Fault};
use crate::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use crate::xml::Writer;
use family::NFE;

/// The kinds of events that are written here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of the events")]
pub enum TpEvento {
    CartaCorrecao,
    Cancelamento,
    CancelamentoPorSubstituicao,
    Epec,
    AtorInteressado,
    Confirmacao,
    Ciencia,
    Desconhecimento,
    NaoRealizada,
}

/// Who takes an event in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    /// The authority of the document's state; `cOrgao` is the state.
    Authorizer,
    /// The Ambiente Nacional; `cOrgao` is 91.
    National,
}

/// What the law says of a kind.
struct Row {
    tpEvento: &'static str,
    descEvento: &'static str,
    receiver: Receiver,
    most: u8,
    told_by_query: bool,
}

const fn row(tpEvento: &'static str, descEvento: &'static str, receiver: Receiver, most: u8, told: bool) -> Row {
    Row { tpEvento, descEvento, receiver, most, told_by_query: told }
}

impl TpEvento {
    /// All kinds.
    pub const ALL: [TpEvento; 9] = [
        TpEvento::CartaCorrecao,
        TpEvento::Cancelamento,
        TpEvento::CancelamentoPorSubstituicao,
        TpEvento::Epec,
        TpEvento::AtorInteressado,
        TpEvento::Confirmacao,
        TpEvento::Ciencia,
        TpEvento::Desconhecimento,
        TpEvento::NaoRealizada,
    ];

    fn row(self) -> Row {
        use Receiver::{Authorizer, National};
        match self {
            TpEvento::CartaCorrecao => row("110110", "Carta de Correcao", Authorizer, 20, true),
            TpEvento::Cancelamento => row("110111", "Cancelamento", Authorizer, 1, true),
            TpEvento::CancelamentoPorSubstituicao => {
                row("110112", "Cancelamento por substituicao", Authorizer, 1, true)
            }
            TpEvento::Epec => row("110140", "EPEC", National, 1, true),
            TpEvento::AtorInteressado => row("110150", "Ator interessado na NF-e", National, 20, false),
            // who has said one of the conclusive ones may say it once more (NT 2020.001 v1.60, 3 E)
            TpEvento::Confirmacao => row("210200", "Confirmacao da Operacao", National, 2, false),
            TpEvento::Ciencia => row("210210", "Ciencia da Operacao", National, 1, false),
            TpEvento::Desconhecimento => row("210220", "Desconhecimento da Operacao", National, 2, false),
            TpEvento::NaoRealizada => row("210240", "Operacao nao Realizada", National, 2, false),
        }
    }

    /// `tpEvento`.
    pub fn code(self) -> &'static str {
        self.row().tpEvento
    }

    /// `descEvento`.
    pub fn description(self) -> &'static str {
        self.row().descEvento
    }

    /// Who takes it in.
    pub fn receiver(self) -> Receiver {
        self.row().receiver
    }

    /// The highest `nSeqEvento` that a document may have (cStat 594 above).
    pub fn most(self) -> u8 {
        self.row().most
    }

    /// Whether the query by key gives the event back: only cancellations, corrections and EPEC are.
    pub fn is_told_by_query(self) -> bool {
        self.row().told_by_query
    }

    /// Whether it is the addressee who says it (manifestação do destinatário).
    pub fn is_manifestation(self) -> bool {
        matches!(self, TpEvento::Confirmacao | TpEvento::Ciencia | TpEvento::Desconhecimento | TpEvento::NaoRealizada)
    }

    /// Whether it ends its document.
    pub fn is_cancellation(self) -> bool {
        matches!(self, TpEvento::Cancelamento | TpEvento::CancelamentoPorSubstituicao)
    }

    /// By `tpEvento`.
    pub fn from_code(tpEvento: &str) -> Option<TpEvento> {
        TpEvento::ALL.into_iter().find(|kind| kind.code() == tpEvento)
    }
}

/// What every event says.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    /// The document.
    pub chave: ChaveAcesso,
    /// Environment.
    pub ambiente: TpAmb,
    /// Author.
    pub autor: CnpjCpf,
    /// RFC 3339 with offset, no fraction.
    pub dhEvento: &'a str,
    /// From 1.
    pub nSeqEvento: u16,
}

/// Canonical, unsigned `<evento xmlns=… versao="1.00">…</evento>` and its `Id`.
pub fn build(envelope: &Envelope<'_>, detail: &Detail<'_>) -> (String, String) {
    let kind = detail.kind();
    let cOrgao = match kind.receiver() {
        Receiver::Authorizer => envelope.chave.parts().uf.code(),
        Receiver::National => NATIONAL,
    };
    NFE.wrap(envelope, cOrgao, kind.code(), |xml| detail.write(xml))
}

/// What the layout of its kind finds wrong in a detail.
pub fn check(detail: &Detail<'_>) -> Vec<Fault> {
    let mut xml = Writer::with_capacity(1_024);
    xml.open_with("detEvento", &[("xmlns", NFE.namespace), (NFE.detail_version, NFE.versao)]);
    detail.write(&mut xml);
    xml.close("detEvento");
    let written = crate::xml::read(xml.finish().as_bytes());
    match ((NFE.det_evento)(detail.kind().code()), written) {
        (Some(layout), Ok(element)) => layout::check(layout, &element),
        _ => Vec::new(),
    }
}

/// `cOrgao` of the Ambiente Nacional.
const NATIONAL: u8 = 91;

fn fixed(tpEvento: &str, tag: &str) -> &'static str {
    NFE.fixed(tpEvento, tag)
}

/// `12ABC34501DE35` or `11144477735`, as a leaf with its tag.
fn person(xml: &mut Writer, person: CnpjCpf) {
    xml.leaf(person.tag(), person.as_str());
}

/// The state's code as a leaf.
fn orgao_autor(xml: &mut Writer, uf: Uf) {
    xml.leaf("cOrgaoAutor", &uf.code().to_string());
}
