//! Papers of a receipt printer as pages of a PDF, dot by dot: letters of font A in cells of 12 by 24 dots, eight dots
//! to the millimetre. For viewing and for zbar; the crate itself does not draw these.

use super::machine::{Code, Line, Part, Slip};
use fast_qr::{ECL, QRBuilder};
use pdf_writer::{Content, Name, Pdf, Rect, Ref, Str};

/// Points in a dot.
const DOT: f32 = 0.354_330_7;
/// Width of a letter, and distance of the lines.
const LETTER: i16 = 12;
const LEADING: i16 = 30;
/// Size of Courier that fills a cell, and its horizontal scale in percent; letters of double height are half as wide
/// for their height.
const PLAIN: (i16, f32) = (22, 90.9);
const TALL: (i16, f32) = (44, 45.45);
const EDGE: i16 = 24;

/// A page for each paper.
pub(crate) fn pdf(slips: &[Slip]) -> Vec<u8> {
    let (mut pdf, count) = (Pdf::new(), i32::try_from(slips.len()).unwrap());
    let (catalog, tree, fonts) = (Ref::new(1), Ref::new(2), [Ref::new(3), Ref::new(4)]);
    pdf.catalog(catalog).pages(tree);
    for (id, name) in fonts.into_iter().zip(["Courier", "Courier-Bold"]) {
        let mut font = pdf.type1_font(id);
        font.base_font(Name(name.as_bytes())).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    let page = |place: i32| Ref::new(5 + place * 2);
    pdf.pages(tree).kids((0..count).map(page)).count(count);
    for (place, slip) in (0..).zip(slips) {
        let paper = Paper::of(slip);
        let (id, content) = (page(place), Ref::new(page(place).get() + 1));
        pdf.stream(content, &paper.draw(slip));
        let mut sheet = pdf.page(id);
        sheet.parent(tree).media_box(Rect::new(0.0, 0.0, points(paper.width), points(paper.height))).contents(content);
        let mut resources = sheet.resources();
        resources.fonts().pair(Name(b"F0"), fonts[0]).pair(Name(b"F1"), fonts[1]);
    }
    pdf.finish()
}

/// A paper in dots: 58 or 80 mm wide, of any length.
struct Paper {
    width: i16,
    columns: i16,
    height: i16,
}

impl Paper {
    fn of(slip: &Slip) -> Paper {
        // the rules across it show its width
        let longest = slip.lines().map(|line| line.text.chars().count()).max().unwrap_or_default();
        let (width, columns) = if longest > 32 { (640, 48) } else { (464, 32) };
        Paper { width, columns, height: slip.parts.iter().map(height).sum::<i16>() + EDGE * 2 }
    }

    fn draw(&self, slip: &Slip) -> Vec<u8> {
        let mut content = Content::new();
        content.transform([DOT, 0.0, 0.0, DOT, 0.0, 0.0]);
        let mut top = EDGE;
        for part in &slip.parts {
            match part {
                Part::Line(line) => self.line(&mut content, line, top),
                Part::Code(code) => self.code(&mut content, code, top),
                Part::Picture(rows) => self.picture(&mut content, rows, top),
            }
            top += height(part);
        }
        content.finish().into_vec()
    }

    fn line(&self, content: &mut Content, line: &Line, top: i16) {
        let letters = i16::try_from(line.text.chars().count()).unwrap();
        let before = match line.align {
            0 => 0,
            1 => (self.columns - letters) * LETTER / 2,
            _ => (self.columns - letters) * LETTER,
        };
        let x = (self.width - self.columns * LETTER) / 2 + before;
        let (size, narrow) = if line.tall { TALL } else { PLAIN };
        // Latin letters have one place in both pages
        let text: Vec<u8> = line.text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect();
        content.begin_text().set_font(Name(if line.bold { b"F1" } else { b"F0" }), f32::from(size));
        content.set_horizontal_scaling(narrow).next_line(f32::from(x), f32::from(self.height - top - size));
        content.show(Str(&text)).end_text();
    }

    fn code(&self, content: &mut Content, code: &Code, top: i16) {
        let drawn = QRBuilder::new(code.text.as_str()).ecl(ECL::M).build().unwrap();
        let module = i16::from(code.module);
        let left = (self.width - i16::try_from(drawn.size).unwrap() * module) / 2;
        for (row, y) in (0..drawn.size).zip(0_i16..) {
            for (_, x) in (0..drawn.size).zip(0_i16..).filter(|(place, _)| drawn[row][*place].value()) {
                self.dots(content, left + x * module, top + LEADING + y * module, module, module);
            }
        }
        content.fill_nonzero();
    }

    fn picture(&self, content: &mut Content, rows: &[Vec<u8>], top: i16) {
        let across = i16::try_from(rows.first().map_or(0, Vec::len) * 8).unwrap();
        let left = (self.width - across) / 2;
        for (row, y) in rows.iter().zip(0_i16..) {
            for x in (0..across).filter(|x| row[usize::try_from(x / 8).unwrap()] & (0x80 >> (x % 8)) != 0) {
                self.dots(content, left + x, top + y, 1, 1);
            }
        }
        content.fill_nonzero();
    }

    fn dots(&self, content: &mut Content, x: i16, top: i16, across: i16, down: i16) {
        content.rect(f32::from(x), f32::from(self.height - top - down), f32::from(across), f32::from(down));
    }
}

/// Height of a part.
fn height(part: &Part) -> i16 {
    match part {
        Part::Line(line) if line.tall => LEADING + 24,
        Part::Line(_) => LEADING,
        Part::Code(code) => {
            let size = QRBuilder::new(code.text.as_str()).ecl(ECL::M).build().unwrap().size;
            i16::try_from(size).unwrap() * i16::from(code.module) + LEADING * 2
        }
        Part::Picture(rows) => i16::try_from(rows.len()).unwrap() + LEADING / 2,
    }
}

#[expect(clippy::float_arithmetic, reason = "sizes on paper, no money")]
fn points(dots: i16) -> f32 {
    f32::from(dots) * DOT
}
