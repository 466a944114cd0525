//! Output of a receipt: the page of a PDF or a receipt printer.

use crate::form::dfe::FormError;
use crate::form::roll::ReceiptRoll;

/// Alignment and weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEmphasis {
    /// At the left.
    Left,
    /// In the middle.
    Centred,
    /// In the middle, bold.
    Bold,
    /// In the middle, bold and larger.
    Loud,
}

/// Receives a receipt from the top downwards.
pub(super) trait ReceiptOutput {
    /// Prints a text in as many lines as it needs; nothing for an empty one.
    fn print_text(&mut self, voice: TextEmphasis, content: &str);
    /// Prints a text at the left and one at the right of a line; a long left text continues below.
    fn pair(&mut self, left: &str, right: &str);
    /// Prints a bold pair.
    fn strong_pair(&mut self, left: &str, right: &str);
    /// Prints a line across.
    fn rule(&mut self);
    /// Prints a QR code in the middle; nothing for an empty text.
    fn qr(&mut self, content: &str) -> Result<(), FormError>;
}

impl ReceiptOutput for ReceiptRoll<'_> {
    fn print_text(&mut self, voice: TextEmphasis, content: &str) {
        match voice {
            TextEmphasis::Left => self.left(content),
            TextEmphasis::Centred => self.centred(content),
            TextEmphasis::Bold => self.bold(content),
            TextEmphasis::Loud => self.large_text(content),
        }
    }

    fn pair(&mut self, left: &str, right: &str) {
        ReceiptRoll::pair(self, left, right);
    }

    fn strong_pair(&mut self, left: &str, right: &str) {
        ReceiptRoll::strong_pair(self, left, right);
    }

    fn rule(&mut self) {
        ReceiptRoll::rule(self);
    }

    fn qr(&mut self, content: &str) -> Result<(), FormError> {
        ReceiptRoll::qr(self, content)
    }
}
