//! A receipt as bytes for an ESC/POS printer: text in code page 850, a QR code drawn by the printer, a cut. No other
//! command is sent.
//!
//! Law: Epson ESC/POS command reference: `ESC @`, `ESC t`, `ESC a`, `ESC E`, `GS !`, `GS ( k`, `GS v 0`, `GS V`.

use super::output::{ReceiptOutput, TextEmphasis};
use super::page::encoded;
use super::raster::DotRaster;
use crate::form::dfe::FormError;
use crate::form::options::ReceiptPaper;
use crate::paper::text::joint;
use fast_qr::{ECL, QRBuilder};

const ESC: u8 = 0x1B;
const GS: u8 = 0x1D;
/// Number of code page 850 in the printers' table.
const PAGE_850: u8 = 2;

/// Printer output.
pub(super) struct EscPosPrinter {
    out: Vec<u8>,
    /// Letters of font A in a line.
    columns: usize,
    /// Dots in a line, eight to the millimetre.
    dots: usize,
}

impl EscPosPrinter {
    pub(super) fn new(paper: ReceiptPaper) -> EscPosPrinter {
        let (columns, dots) = match paper {
            ReceiptPaper::Wide => (48, 576),
            ReceiptPaper::Narrow => (32, 384),
        };
        EscPosPrinter { out: vec![ESC, b'@', ESC, b't', PAGE_850], columns, dots }
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        self.out
    }

    /// Prints dots in the middle, unscaled.
    pub(super) fn picture(&mut self, dots: &DotRaster) {
        let word = |number: usize| u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes();
        self.align(1);
        self.out.extend([GS, b'v', b'0', 0]);
        self.out.extend(word(dots.across));
        self.out.extend(word(dots.down));
        self.out.extend_from_slice(&dots.rows);
        self.align(0);
    }

    /// Feeds to the knife and cuts, leaving a point.
    pub(super) fn cut(&mut self) {
        self.out.extend([GS, b'V', 66, 0]);
    }

    fn align(&mut self, how: u8) {
        self.out.extend([ESC, b'a', how]);
    }

    fn bold(&mut self, is: bool) {
        self.out.extend([ESC, b'E', u8::from(is)]);
    }

    fn tall(&mut self, is: bool) {
        self.out.extend([GS, b'!', u8::from(is)]);
    }

    fn line(&mut self, line: &[u8]) {
        self.out.extend_from_slice(line);
        self.out.push(b'\n');
    }

    fn both(&mut self, left: &str, right: &str) {
        let (left, mut right) = (encoded(left), encoded(right));
        if right.len() > self.columns * 2 / 3 {
            // too long for one line: below, at the right
            broken(&left, self.columns).iter().for_each(|line| self.line(line));
            right = broken(&right, self.columns).join(&b'\n');
            self.align(2);
            self.line(&right);
            return self.align(0);
        }
        let mut lines = broken(&left, self.columns - right.len() - 1).into_iter();
        let mut first = lines.next().unwrap_or_default();
        first.resize(self.columns - right.len(), b' ');
        first.extend(right);
        self.line(&first);
        lines.for_each(|line| self.line(&line));
    }

    /// A command of the QR code: `GS ( k`, its length, the symbol's number, the function and its parameters.
    fn symbol(&mut self, what: u8, parameters: &[u8]) {
        let length = u16::try_from(parameters.len() + 2).unwrap_or(u16::MAX);
        self.out.extend([GS, b'(', b'k']);
        self.out.extend(length.to_le_bytes());
        self.out.extend([49, what]);
        self.out.extend_from_slice(parameters);
    }

    /// Dots of a module: the symbol is at least 22 mm wide and never wider than the paper.
    fn module(&self, modules: usize) -> u8 {
        let least = LEAST_QR.div_ceil(modules.max(1));
        let most = self.dots / (modules + QUIET);
        u8::try_from(least.max(3).min(most).clamp(1, 16)).unwrap_or(3)
    }
}

/// Width of a symbol without its quiet zone, in dots: 22 mm.
const LEAST_QR: usize = 176;
/// Modules of the quiet zone, both sides.
const QUIET: usize = 8;

impl ReceiptOutput for EscPosPrinter {
    fn print_text(&mut self, voice: TextEmphasis, content: &str) {
        self.align(u8::from(voice != TextEmphasis::Left));
        self.bold(matches!(voice, TextEmphasis::Bold | TextEmphasis::Loud));
        self.tall(voice == TextEmphasis::Loud);
        for paragraph in content.split('\n') {
            for line in broken(&encoded(paragraph), self.columns) {
                self.line(&line);
            }
        }
        self.tall(false);
        self.bold(false);
        self.align(0);
    }

    fn pair(&mut self, left: &str, right: &str) {
        self.both(left, right);
    }

    fn strong_pair(&mut self, left: &str, right: &str) {
        self.bold(true);
        self.both(left, right);
        self.bold(false);
    }

    fn rule(&mut self) {
        let line = vec![b'-'; self.columns];
        self.line(&line);
    }

    fn qr(&mut self, content: &str) -> Result<(), FormError> {
        if content.is_empty() {
            return Ok(());
        }
        let code = QRBuilder::new(content).ecl(ECL::M).build().map_err(|_| FormError::QrCode)?;
        self.align(1);
        // model 2, size of a module, correction level M, data, print
        self.symbol(65, &[50, 0]);
        self.symbol(67, &[self.module(code.size)]);
        self.symbol(69, &[49]);
        let mut data = vec![48];
        data.extend(content.bytes());
        self.symbol(80, &data);
        self.symbol(81, &[48]);
        self.align(0);
        Ok(())
    }
}

/// Lines of at most `columns` letters: broken at blanks, inside a word only when it is longer than a line.
fn broken(text: &[u8], columns: usize) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for word in text.split(|letter| *letter == b' ').filter(|word| !word.is_empty()) {
        let fits = lines.last().is_some_and(|line| line.len() + 1 + word.len() <= columns);
        if let Some(line) = lines.last_mut().filter(|_| fits) {
            line.push(b' ');
            line.extend_from_slice(word);
        } else {
            let mut rest = word;
            while rest.len() > columns.max(1) {
                let (line, after) = rest.split_at(joint(rest, columns.max(1)));
                lines.push(line.to_vec());
                rest = after;
            }
            lines.push(rest.to_vec());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_longer_than_a_line_are_broken() {
        let lines = broken(b"um  dois tres 0123456789", 8);
        assert_eq!(lines, [b"um dois".to_vec(), b"tres".to_vec(), b"01234567".to_vec(), b"89".to_vec()]);
        assert!(broken(b"  ", 8).is_empty());
        let address = broken(b"em https://www.nfce.fazenda.sp.gov.br/NFCeConsultaPublica", 48);
        assert_eq!(
            address,
            [b"em".to_vec(), b"https://www.nfce.fazenda.sp.gov.br/".to_vec(), b"NFCeConsultaPublica".to_vec()]
        );
    }

    #[test]
    fn a_symbol_is_wide_enough_to_be_read_and_fits_the_paper() {
        for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
            let printer = EscPosPrinter::new(paper);
            for modules in (21..=125).step_by(4) {
                let width = usize::from(printer.module(modules)) * modules;
                assert!(width >= LEAST_QR && width + usize::from(printer.module(modules)) * QUIET <= printer.dots);
            }
        }
    }
}
