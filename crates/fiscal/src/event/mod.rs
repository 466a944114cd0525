//! Events of NF-e and NFC-e: one builder for every kind.
//!
//! Law: MOC 7.0, visão geral, 5.8, and the technical note of each kind.
//!
//! A kind is a variant of `NfeEventKind`, its row in `NfeEventKind::row`, a variant of `EventDetail` and its writing in
//! `detail`; the kinds of the CT-e are in `cte`. The envelope is a row of `family`, with the layouts of the contents.
//! Must not know the sender of an event, or its effect on the document.

pub mod cte;
mod detail;
mod epec;
pub mod family;
#[cfg(test)]
mod tests;

pub use detail::EventDetail;
pub use epec::EpecSummary;

use crate::layout::{self, LayoutFault};
use crate::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use crate::xml::CanonicalWriter;
use family::NFE;

/// The kinds of events that this service writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NfeEventKind {
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

/// Authority that receives an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventReceiver {
    /// The authority of the document's state; `cOrgao` is the state.
    Authorizer,
    /// The Ambiente Nacional; `cOrgao` is 91.
    National,
}

/// Facts about a kind.
struct NfeEventRow {
    tpEvento: &'static str,
    descEvento: &'static str,
    receiver: EventReceiver,
    most: u8,
    returned_by_query: bool,
}

const fn row(
    tpEvento: &'static str,
    descEvento: &'static str,
    receiver: EventReceiver,
    most: u8,
    told: bool,
) -> NfeEventRow {
    NfeEventRow { tpEvento, descEvento, receiver, most, returned_by_query: told }
}

impl NfeEventKind {
    /// All kinds.
    pub const ALL: [NfeEventKind; 9] = [
        NfeEventKind::CartaCorrecao,
        NfeEventKind::Cancelamento,
        NfeEventKind::CancelamentoPorSubstituicao,
        NfeEventKind::Epec,
        NfeEventKind::AtorInteressado,
        NfeEventKind::Confirmacao,
        NfeEventKind::Ciencia,
        NfeEventKind::Desconhecimento,
        NfeEventKind::NaoRealizada,
    ];

    fn row(self) -> NfeEventRow {
        use EventReceiver::{Authorizer, National};
        match self {
            NfeEventKind::CartaCorrecao => row("110110", "Carta de Correcao", Authorizer, 20, true),
            NfeEventKind::Cancelamento => row("110111", "Cancelamento", Authorizer, 1, true),
            NfeEventKind::CancelamentoPorSubstituicao => {
                row("110112", "Cancelamento por substituicao", Authorizer, 1, true)
            }
            NfeEventKind::Epec => row("110140", "EPEC", National, 1, true),
            NfeEventKind::AtorInteressado => row("110150", "Ator interessado na NF-e", National, 20, false),
            // a conclusive statement may be repeated once (NT 2020.001 v1.60, 3 E)
            NfeEventKind::Confirmacao => row("210200", "Confirmacao da Operacao", National, 2, false),
            NfeEventKind::Ciencia => row("210210", "Ciencia da Operacao", National, 1, false),
            NfeEventKind::Desconhecimento => row("210220", "Desconhecimento da Operacao", National, 2, false),
            NfeEventKind::NaoRealizada => row("210240", "Operacao nao Realizada", National, 2, false),
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

    pub fn receiver(self) -> EventReceiver {
        self.row().receiver
    }

    /// Highest `nSeqEvento` of a document (cStat 594 above).
    pub fn most(self) -> u8 {
        self.row().most
    }

    /// True when the query by key returns the event: cancellations, corrections and EPEC.
    pub fn is_returned_by_query(self) -> bool {
        self.row().returned_by_query
    }

    /// True for an event of the addressee (manifestação do destinatário).
    pub fn is_manifestation(self) -> bool {
        matches!(
            self,
            NfeEventKind::Confirmacao
                | NfeEventKind::Ciencia
                | NfeEventKind::Desconhecimento
                | NfeEventKind::NaoRealizada
        )
    }

    /// True for an event that ends its document.
    pub fn is_cancellation(self) -> bool {
        matches!(self, NfeEventKind::Cancelamento | NfeEventKind::CancelamentoPorSubstituicao)
    }

    /// The kind of a `tpEvento`.
    pub fn from_code(tpEvento: &str) -> Option<NfeEventKind> {
        NfeEventKind::ALL.into_iter().find(|kind| kind.code() == tpEvento)
    }
}

/// Data common to all events.
#[derive(Debug, Clone, Copy)]
pub struct EventEnvelope<'a> {
    /// Key of the document.
    pub chave: ChaveAcesso,
    pub ambiente: TpAmb,
    pub autor: CnpjCpf,
    /// RFC 3339 with offset, no fraction.
    pub dhEvento: &'a str,
    /// Sequence number of its kind for the document, from 1.
    pub nSeqEvento: u16,
}

/// Canonical, unsigned `<evento xmlns=… versao="1.00">…</evento>` and its `Id`.
pub fn build(envelope: &EventEnvelope<'_>, detail: &EventDetail<'_>) -> (String, String) {
    let kind = detail.kind();
    let cOrgao = match kind.receiver() {
        EventReceiver::Authorizer => envelope.chave.parts().uf.code(),
        EventReceiver::National => NATIONAL,
    };
    NFE.wrap(envelope, cOrgao, kind.code(), |xml| detail.write(xml))
}

/// Faults of a detail by the layout of its kind.
pub fn check(detail: &EventDetail<'_>) -> Vec<LayoutFault> {
    let mut xml = CanonicalWriter::with_capacity(1_024);
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

/// A CNPJ or CPF as a leaf with its tag.
fn person(xml: &mut CanonicalWriter, person: CnpjCpf) {
    xml.leaf(person.tag(), person.as_str());
}

/// The state's code as a leaf.
fn orgao_autor(xml: &mut CanonicalWriter, uf: Uf) {
    xml.leaf("cOrgaoAutor", &uf.code().to_string());
}
