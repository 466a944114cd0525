//! How a form is printed: what whoever asks may choose, and what the document itself cannot tell.

use crate::paper::Length;
use crate::pdf::picture::Picture;

/// How to print.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which of the two layouts of A4; none lets the date decide.
    pub layout: Option<Layout>,
    /// Lying; none does as `tpImp` says.
    pub landscape: Option<bool>,
    /// What became of the document, or that it is none yet.
    pub standing: Standing,
    /// The EPEC under which it was issued.
    pub epec: Option<Epec>,
    /// The company's logo.
    pub logo: Option<Picture>,
    /// Width of a receipt.
    pub paper: Paper,
    /// Issued in homologação, for a document that does not say so itself.
    pub homologacao: bool,
    /// Leaves out the items of a receipt, at the wish of the consumer (division II).
    pub summary: bool,
}

/// The two official layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// MOC 7.0, Anexo II.
    Classic,
    /// NT 2026.010.
    Reform,
}

/// The registration of an EPEC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epec {
    /// Its protocol.
    pub number: String,
    /// When it was registered, as the authority wrote it; empty when that is not known.
    pub moment: String,
}

/// Where a document stands beyond what its XML says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// As its protocol says, or given out in contingency.
    #[default]
    Stored,
    /// Cancelled after it was authorised.
    Cancelled {
        /// Number and moment of the cancellation; empty when they are not known.
        protocol: String,
    },
    /// Cancelled because another took its place.
    Substituted,
    /// A rule refused it.
    Rejected {
        /// Code and words of the authority.
        reason: String,
    },
    /// The emitter or the addressee may not trade.
    Denied {
        /// Code and words of the authority.
        reason: String,
    },
    /// Given up before any authority had it.
    Abandoned {
        /// What stopped it.
        reason: String,
    },
    /// No authority has judged it yet, and it may not go out before.
    Unanswered,
    /// Nothing was issued: it has no key, and a number only when the payload asked for one.
    Preview {
        /// The payload asked for a number.
        numbered: bool,
    },
}

/// Widths of receipt paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 80 mm.
    #[default]
    Wide,
    /// 58 mm.
    Narrow,
}

impl Paper {
    /// Width of the paper.
    pub fn width(self) -> Length {
        match self {
            Paper::Wide => Length::mm(80),
            Paper::Narrow => Length::mm(58),
        }
    }
}
