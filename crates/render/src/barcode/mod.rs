//! Code 128 for access keys: digits two by two in set C, letters in set A.
//!
//! Law: MOC 7.0, Anexo II, 2 (structure, check symbol, quiet zones) and joint note NTCJ 2025.001 (keys with letters:
//! the switch between the sets). Symbol widths of ISO/IEC 15417.
//! Must not know: paper, fonts, PDF.

mod widths;

use fiscal::value::ChaveAcesso;
use std::fmt;
use widths::{STOP, WIDTHS};

/// A complete barcode with check symbol and stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code128 {
    symbols: Vec<u8>,
}

/// The text has a character other than digits and capital letters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Code 128 de chave de acesso só leva dígitos e letras maiúsculas: {0:?} não é um deles")]
pub struct NotEncodable(pub char);

/// A bar or the space after it, in modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarStripe {
    /// True for a black bar.
    pub is_bar: bool,
    /// Width in modules, 1 to 4; a quiet zone has 10.
    pub modules: u8,
}

impl Code128 {
    /// Barcode of an access key.
    pub fn of_key(chave: &ChaveAcesso) -> Self {
        // a parsed key has digits and capital letters only
        Self::close(encode(chave.as_str().as_bytes()))
    }

    /// Barcode of a text of digits and capital letters, such as the second barcode of a contingency DANFE.
    pub fn of_text(text: &str) -> Result<Self, NotEncodable> {
        match text.chars().find(|c| !(c.is_ascii_digit() || c.is_ascii_uppercase())) {
            Some(foreign) => Err(NotEncodable(foreign)),
            None => Ok(Self::close(encode(text.as_bytes()))),
        }
    }

    /// Values of all symbols, from the start to the stop.
    pub fn symbols(&self) -> &[u8] {
        &self.symbols
    }

    /// Check symbol: the weighted sum modulo 103.
    pub fn check_symbol(&self) -> u8 {
        self.symbols[self.symbols.len() - 2]
    }

    /// Width in modules, both quiet zones included: 297 for a key without letters.
    pub fn modules(&self) -> u32 {
        self.stripes().map(|stripe| u32::from(stripe.modules)).sum()
    }

    /// Bars and spaces from left to right, beginning and ending with a quiet zone.
    pub fn stripes(&self) -> impl Iterator<Item = BarStripe> {
        let quiet = BarStripe { is_bar: false, modules: QUIET_ZONE };
        let symbols = self.symbols.iter().flat_map(|symbol| stripes_of(*symbol));
        std::iter::once(quiet).chain(symbols).chain(std::iter::once(quiet))
    }

    fn close(mut symbols: Vec<u8>) -> Self {
        let weighted =
            symbols.iter().zip(std::iter::once(1).chain(1_u32..)).map(|(symbol, weight)| u32::from(*symbol) * weight);
        let check = weighted.sum::<u32>() % 103;
        symbols.extend([u8::try_from(check).unwrap_or_default(), STOP]);
        Self { symbols }
    }
}

/// A line of `#` and blanks, one character per module: for a terminal and for tests.
impl fmt::Display for Code128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stripe in self.stripes() {
            let sign = if stripe.is_bar { "#" } else { " " };
            f.write_str(&sign.repeat(usize::from(stripe.modules)))?;
        }
        Ok(())
    }
}

fn stripes_of(symbol: u8) -> impl Iterator<Item = BarStripe> {
    let widths = WIDTHS[usize::from(symbol)].bytes();
    widths.enumerate().map(|(place, width)| BarStripe { is_bar: place % 2 == 0, modules: width - b'0' })
}

/// Start and data, in the order of NTCJ 2025.001: begin in C; an odd digit before a letter goes to A; from A back to C
/// for four digits or more, or for the last pairs of the text, after one digit in A when they are odd.
fn encode(text: &[u8]) -> Vec<u8> {
    let mut pairs = digits(text) >= 2;
    let mut symbols = vec![if pairs { START_C } else { START_A }];
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let run = digits(rest);
        let back_to_c = run.is_multiple_of(2) && (run >= 4 || (run >= 2 && run == rest.len()));
        if !pairs && back_to_c {
            symbols.push(CODE_C);
            pairs = true;
        } else if pairs && run < 2 {
            symbols.push(CODE_A);
            pairs = false;
        } else if pairs {
            symbols.push((rest[0] - b'0') * 10 + (rest[1] - b'0'));
            rest = &rest[2..];
        } else {
            symbols.push(first - b' ');
            rest = after;
        }
    }
    symbols
}

/// Number of leading digits.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

const START_A: u8 = 103;
const START_C: u8 = 105;
const CODE_A: u8 = 101;
const CODE_C: u8 = 99;
const QUIET_ZONE: u8 = 10;

#[cfg(test)]
mod tests;
