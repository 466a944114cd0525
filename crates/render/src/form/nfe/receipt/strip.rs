//! Output of a receipt: the page of a PDF or a receipt printer.

use crate::form::dfe::Unreadable;
use crate::form::roll::Roll;

/// Alignment and weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
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
pub(super) trait Strip {
    /// Prints a text in as many lines as it needs; nothing for an empty one.
    fn say(&mut self, voice: Voice, content: &str);
    /// Prints a text at the left and one at the right of a line; a long left text continues below.
    fn pair(&mut self, left: &str, right: &str);
    /// Prints a bold pair.
    fn strong_pair(&mut self, left: &str, right: &str);
    /// Prints a line across.
    fn rule(&mut self);
    /// Prints a QR code in the middle; nothing for an empty text.
    fn qr(&mut self, content: &str) -> Result<(), Unreadable>;
}

impl Strip for Roll<'_> {
    fn say(&mut self, voice: Voice, content: &str) {
        match voice {
            Voice::Left => self.left(content),
            Voice::Centred => self.centred(content),
            Voice::Bold => self.bold(content),
            Voice::Loud => self.loud(content),
        }
    }

    fn pair(&mut self, left: &str, right: &str) {
        Roll::pair(self, left, right);
    }

    fn strong_pair(&mut self, left: &str, right: &str) {
        Roll::strong_pair(self, left, right);
    }

    fn rule(&mut self) {
        Roll::rule(self);
    }

    fn qr(&mut self, content: &str) -> Result<(), Unreadable> {
        Roll::qr(self, content)
    }
}
