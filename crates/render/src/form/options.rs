//! Options of a form: the caller's choices, and the facts that the document itself lacks.

use crate::paper::Length;
use crate::pdf::picture::Picture;

/// Options of a form.
#[derive(Clone, Debug, Default)]
pub struct PrintOptions {
    /// Layout of A4 sheets; `None` decides by the date.
    pub layout: Option<DanfeLayout>,
    /// Landscape; `None` follows `tpImp`.
    pub landscape: Option<bool>,
    /// Status of the document.
    pub status: PrintedStatus,
    /// EPEC under which it was issued.
    pub epec: Option<EpecRegistration>,
    /// The company's logo.
    pub logo: Option<Picture>,
    /// Width of a receipt.
    pub paper: ReceiptPaper,
    /// Marks homologação for a document that does not state it.
    pub homologacao: bool,
    /// Omits the items of a receipt, when the consumer asks for that (division II).
    pub summary: bool,
}

/// Official layouts of the DANFE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DanfeLayout {
    /// MOC 7.0, Anexo II.
    Classic,
    /// NT 2026.010.
    Reform,
}

/// Registration of an EPEC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpecRegistration {
    /// Protocol number.
    pub number: String,
    /// Moment of registration as the authority wrote it; empty when unknown.
    pub moment: String,
}

/// Status of a document beyond its XML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PrintedStatus {
    /// Valid by its protocol, or issued in contingency.
    #[default]
    Stored,
    /// Cancelled after it was authorised.
    Cancelled {
        /// Number and moment of the cancellation; empty when unknown.
        protocol: String,
    },
    /// Cancelled because another document replaced it.
    Substituted,
    /// Refused by a rule.
    Rejected {
        /// Code and text of the authority.
        reason: String,
    },
    /// Denied: emitter or addressee may not trade.
    Denied {
        /// Code and text of the authority.
        reason: String,
    },
    /// Abandoned before any authority had it.
    Abandoned {
        /// Cause.
        reason: String,
    },
    /// Not answered by any authority yet, and not to be handed out before.
    Unanswered,
    /// Nothing was issued: it has no key, and a number only when the payload had one.
    Preview {
        /// The payload had a number.
        numbered: bool,
    },
}

/// Width of receipt paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReceiptPaper {
    /// 80 mm.
    #[default]
    Wide,
    /// 58 mm.
    Narrow,
}

impl ReceiptPaper {
    /// Width of the paper.
    pub fn width(self) -> Length {
        match self {
            ReceiptPaper::Wide => Length::mm(80),
            ReceiptPaper::Narrow => Length::mm(58),
        }
    }
}
