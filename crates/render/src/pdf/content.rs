//! The marks of a sheet as a content stream: first strokes, fills and pictures, then the letters in one text object.
//! Numbers are written from whole thousandths, so rounding never differs between machines.
//!
//! Law: ISO 32000-1, 8.2 (operators), 8.5 (paths) and 9.4 (text).

use super::font::UsedLetters;
use super::letters::{self, LetterSet};
use crate::paper::{Frame, Ink, Length, SheetMark, TextLine, TextRotation, Typeface};

/// Writes the marks of a sheet of this height; adds the letters used to `used`.
pub(super) fn write(out: &mut Vec<u8>, marks: &[SheetMark<'_>], height: Length, used: &mut UsedLetters) {
    out.reserve(marks.len() * 24);
    let mut stream = ContentStream::on(out, hundredths(height));
    // letters in another ink than black are drawn below
    let below = |mark: &&SheetMark<'_>| !matches!(mark, SheetMark::Text(line) if line.ink == Ink::BLACK);
    for mark in marks.iter().filter(below) {
        stream.mark(mark, used);
    }
    stream.stroke();
    let mut letters = marks
        .iter()
        .filter_map(|mark| match mark {
            SheetMark::Text(line) if line.ink == Ink::BLACK => Some(line),
            _ => None,
        })
        .peekable();
    if letters.peek().is_some() {
        stream.ink(Ink::BLACK);
        stream.op("BT");
        stream.at = Some((0, 0));
        letters.for_each(|line| stream.text(line, used));
        stream.op("ET");
    }
}

/// Output and its current graphics state. Coordinates are hundredths of a point, from the lower edge.
struct ContentStream<'o> {
    out: &'o mut Vec<u8>,
    height: i32,
    /// Typeface and size.
    font: Option<(Typeface, Length)>,
    /// Ink of fills, text included.
    ink: Ink,
    /// Thickness of strokes, and `true` when dashed.
    pen: Option<(Length, bool)>,
    /// A path was begun and not stroked yet.
    open: bool,
    /// Start of the last horizontal text.
    at: Option<(i32, i32)>,
    /// Distance from a line down to the next.
    leading: i32,
}

impl<'o> ContentStream<'o> {
    /// Begins a stream; `height` is in hundredths of a point.
    fn on(out: &'o mut Vec<u8>, height: i32) -> ContentStream<'o> {
        ContentStream { out, height, font: None, ink: Ink::BLACK, pen: None, open: false, at: None, leading: 0 }
    }

    fn mark(&mut self, mark: &SheetMark<'_>, used: &mut UsedLetters) {
        match mark {
            SheetMark::Rule { from, to, thickness, dashed } => {
                self.pen(*thickness, *dashed);
                self.point(*from);
                self.op("m");
                self.point(*to);
                self.op("l");
            }
            SheetMark::Outline { frame, thickness } => {
                self.pen(*thickness, false);
                self.rectangle(*frame);
            }
            SheetMark::Text(line) => {
                self.stroke();
                self.ink(line.ink);
                self.op("BT");
                self.text(line, used);
                self.op("ET");
            }
            SheetMark::Fill { frames, grey } => {
                self.stroke();
                self.ink(Ink::Grey(*grey));
                frames.iter().for_each(|frame| self.rectangle(*frame));
                self.op("f");
            }
            SheetMark::Picture { frame, index } => {
                self.stroke();
                self.picture(*frame, *index);
            }
        }
    }

    /// Writes a text, positioned relative to the last one: rows of a table become alike and compress well.
    fn text(&mut self, line: &TextLine<'_>, used: &mut UsedLetters) {
        if self.font != Some((line.face, line.size)) {
            self.font = Some((line.face, line.size));
            self.out.extend_from_slice(&[b'/', b'F', b'0' + line.face as u8, b' ']);
            self.number(hundredths(line.size));
            self.op("Tf");
        }
        let (x, y) = (hundredths(line.at.0), self.height - hundredths(line.at.1));
        let mut show = "Tj";
        match (line.rotation, self.at) {
            (TextRotation::Level, Some((from, above))) => match (x - from, y - above) {
                (0, down) if down == -self.leading && down != 0 => show = "'",
                (across, down) => {
                    self.number(across);
                    self.number(down);
                    let straight = across == 0 && down < 0;
                    self.out.extend_from_slice(if straight { b"TD" } else { b"Td" });
                    self.leading = if straight { -down } else { self.leading };
                }
            },
            (turned, _) => {
                self.out.extend_from_slice(match turned {
                    TextRotation::Level => b"1 0 0 1 ",
                    TextRotation::Up => b"0 1 -1 0 ",
                    TextRotation::Rising => b".7071 .7071 -.7071 .7071 ",
                });
                self.number(x);
                self.number(y);
                self.out.extend_from_slice(b"Tm");
            }
        }
        self.at = (line.rotation == TextRotation::Level).then_some((x, y));
        self.letters(line, used);
        self.op(show);
    }

    fn letters(&mut self, line: &TextLine<'_>, used: &mut UsedLetters) {
        self.out.push(b'(');
        let set = if letters::reads_as_written(&line.text) {
            self.out.extend_from_slice(line.text.as_bytes());
            if line.text.bytes().any(|byte| byte.is_ascii_lowercase()) {
                LetterSet::Portuguese
            } else {
                LetterSet::Capitals
            }
        } else {
            self.letter_by_letter(line)
        };
        self.out.push(b')');
        used.add(line.face, set);
    }

    /// Writes the letters one by one and returns their set; a letter missing in the face is written as `?`.
    fn letter_by_letter(&mut self, line: &TextLine<'_>) -> LetterSet {
        let mut set = LetterSet::Capitals;
        for letter in line.text.chars() {
            let mut letter = letter;
            let mut asked = letters::set_of(letter);
            if asked == LetterSet::Whole && line.face.holds(letter).is_none() {
                (letter, asked) = ('?', LetterSet::Capitals);
            }
            set = set.max(asked);
            letters::write(self.out, letter);
        }
        set
    }

    fn picture(&mut self, frame: Frame, index: usize) {
        self.out.extend_from_slice(b"q ");
        self.number(hundredths(frame.width));
        self.out.extend_from_slice(b"0 0 ");
        self.number(hundredths(frame.height));
        self.point((frame.x, frame.bottom()));
        self.op(&format!("cm /P{index} Do Q"));
    }

    fn rectangle(&mut self, frame: Frame) {
        self.point((frame.x, frame.bottom()));
        self.number(hundredths(frame.width));
        self.number(hundredths(frame.height));
        self.op("re");
    }

    /// Continues a path, or begins another when thickness or dashes change.
    fn pen(&mut self, thickness: Length, dashed: bool) {
        if self.pen != Some((thickness, dashed)) {
            self.stroke();
            let was = self.pen.replace((thickness, dashed)).is_some_and(|(_, dashed)| dashed);
            self.number(hundredths(thickness));
            self.op("w");
            if was != dashed {
                self.op(if dashed { "[3 2] 0 d" } else { "[] 0 d" });
            }
        }
        self.open = true;
    }

    /// Strokes the open path.
    fn stroke(&mut self) {
        if std::mem::take(&mut self.open) {
            self.op("S");
        }
    }

    fn ink(&mut self, ink: Ink) {
        if self.ink == ink {
            return;
        }
        self.ink = ink;
        match ink {
            Ink::Grey(grey) => {
                let thousandths = u32::from(grey) * 1000 / 255;
                self.op(&format!("{}.{:03} g", thousandths / 1000, thousandths % 1000));
            }
            Ink::Red => self.op("1 0 0 rg"),
        }
    }

    fn point(&mut self, (x, y): (Length, Length)) {
        self.number(hundredths(x));
        self.number(self.height - hundredths(y));
    }

    /// Writes hundredths of a point as points, and a blank.
    fn number(&mut self, hundredths: i32) {
        // from the last character to the first: a blank, two decimals, the point, at most eight digits, the minus
        let (mut text, mut at) = ([b' '; 13], 12);
        let mut put = |sign: u8| {
            at -= 1;
            text[at] = sign;
        };
        let magnitude = hundredths.unsigned_abs();
        let (mut whole, rest) = (magnitude / 100, magnitude % 100);
        if rest > 0 {
            if !rest.is_multiple_of(10) {
                put(digit(rest));
            }
            put(digit(rest / 10));
            put(b'.');
        }
        if whole == 0 && rest == 0 {
            put(b'0');
        }
        while whole > 0 {
            put(digit(whole));
            whole /= 10;
        }
        if hundredths < 0 {
            put(b'-');
        }
        self.out.extend_from_slice(&text[at..]);
    }

    fn op(&mut self, operator: &str) {
        self.out.extend_from_slice(operator.as_bytes());
        self.out.push(b'\n');
    }
}

fn hundredths(length: Length) -> i32 {
    (length.thousandths() + 5).div_euclid(10)
}

fn digit(number: u32) -> u8 {
    b'0' + u8::try_from(number % 10).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::ContentStream;

    #[test]
    fn numbers_are_short_and_exact() {
        for (hundredths, written) in [
            (0, "0 "),
            (5, ".05 "),
            (50, ".5 "),
            (100, "1 "),
            (-1250, "-12.5 "),
            (84_189, "841.89 "),
            (i32::MAX, "21474836.47 "),
            (i32::MIN, "-21474836.48 "),
        ] {
            let mut out = Vec::new();
            ContentStream::on(&mut out, 0).number(hundredths);
            assert_eq!(String::from_utf8(out).unwrap(), written);
        }
    }
}
