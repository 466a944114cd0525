//! The marks of a sheet as a content stream. Numbers are written from whole thousandths: no rounding differs between machines.
//!
//! Law: ISO 32000-1, 8.2 (operators) and 9.4 (text).

use super::font::Used;
use crate::paper::{Face, Frame, Length, Line, Mark, Sheet, Turn};

/// Writes a sheet; the glyphs it uses are added to `used`.
pub(super) fn write(sheet: &Sheet<'_>, used: &mut Used) -> Vec<u8> {
    let mut stream =
        Stream { out: Vec::with_capacity(sheet.marks.len() * 48), height: sheet.height, font: None, grey: 0 };
    for mark in &sheet.marks {
        stream.mark(mark, used);
    }
    stream.out
}

struct Stream {
    out: Vec<u8>,
    height: Length,
    /// Typeface and size that hold now.
    font: Option<(Face, Length)>,
    /// Grey of fillings, text included, that holds now.
    grey: u8,
}

impl Stream {
    fn mark(&mut self, mark: &Mark<'_>, used: &mut Used) {
        match mark {
            Mark::Text(line) => self.text(line, used),
            Mark::Rule { from, to, thickness, dashed } => {
                self.thick(*thickness);
                self.op(if *dashed { "[3 2] 0 d" } else { "" });
                self.point(*from);
                self.op("m");
                self.point(*to);
                self.op("l S");
                self.op(if *dashed { "[] 0 d" } else { "" });
            }
            Mark::Outline { frame, thickness } => {
                self.thick(*thickness);
                self.rectangle(*frame);
                self.op("S");
            }
            Mark::Fill { frames, grey } => {
                self.shade(*grey);
                for frame in frames {
                    self.rectangle(*frame);
                }
                self.op("f");
            }
            Mark::Picture { frame, index } => self.picture(*frame, *index),
        }
    }

    fn text(&mut self, line: &Line<'_>, used: &mut Used) {
        self.shade(line.grey);
        self.op("BT");
        if self.font != Some((line.face, line.size)) {
            self.font = Some((line.face, line.size));
            self.out.extend_from_slice(format!("/F{} ", line.face as usize).as_bytes());
            self.number(line.size);
            self.op("Tf");
        }
        self.out.extend_from_slice(match line.turned {
            Turn::Level => b"1 0 0 1 ",
            Turn::Up => b"0 1 -1 0 ",
            Turn::Rising => b".7071 .7071 -.7071 .7071 ",
        });
        self.point(line.at);
        self.out.extend_from_slice(b"Tm<");
        for letter in line.text.chars() {
            let id = used.glyph(line.face, letter);
            self.out.extend(id.to_be_bytes().into_iter().flat_map(hexadecimal));
        }
        self.op(">Tj ET");
    }

    fn picture(&mut self, frame: Frame, index: usize) {
        self.out.extend_from_slice(b"q ");
        self.number(frame.width);
        self.out.extend_from_slice(b"0 0 ");
        self.number(frame.height);
        self.point((frame.x, frame.bottom()));
        self.op(&format!("cm /P{index} Do Q"));
    }

    fn rectangle(&mut self, frame: Frame) {
        self.point((frame.x, frame.bottom()));
        self.number(frame.width);
        self.number(frame.height);
        self.op("re");
    }

    fn thick(&mut self, thickness: Length) {
        self.number(thickness);
        self.op("w");
    }

    fn shade(&mut self, grey: u8) {
        if self.grey != grey {
            self.grey = grey;
            let thousandths = u32::from(grey) * 1000 / 255;
            self.op(&format!("{}.{:03} g", thousandths / 1000, thousandths % 1000));
        }
    }

    /// PDF counts from the lower edge.
    fn point(&mut self, (x, y): (Length, Length)) {
        self.number(x);
        self.number(self.height - y);
    }

    /// A length in points with two decimals, and a blank.
    fn number(&mut self, length: Length) {
        let hundredths = (length.thousandths() + 5).div_euclid(10);
        if hundredths < 0 {
            self.out.push(b'-');
        }
        let magnitude = hundredths.unsigned_abs();
        self.digits(magnitude / 100);
        let rest = magnitude % 100;
        if rest > 0 {
            self.out.push(b'.');
            self.out.push(digit(rest / 10));
            if !rest.is_multiple_of(10) {
                self.out.push(digit(rest % 10));
            }
        }
        self.out.push(b' ');
    }

    fn digits(&mut self, number: u32) {
        if number >= 10 {
            self.digits(number / 10);
        }
        self.out.push(digit(number % 10));
    }

    fn op(&mut self, operator: &str) {
        if !operator.is_empty() {
            self.out.extend_from_slice(operator.as_bytes());
            self.out.push(b'\n');
        }
    }
}

fn digit(number: u32) -> u8 {
    b'0' + u8::try_from(number % 10).unwrap_or_default()
}

fn hexadecimal(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}
