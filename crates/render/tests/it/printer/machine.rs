//! An emulated receipt printer: reads the bytes by Epson's command reference and refuses unknown commands.

/// Characters of page 850 for the bytes from 0x80 on (IBM CDRA; equal to Python's `cp850`).
const PAGE_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// A line on paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) bold: bool,
    pub(crate) tall: bool,
    pub(crate) align: u8,
}

/// A QR code, with the dots of its modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) text: String,
    pub(crate) module: u8,
}

/// A printed element.
#[derive(Debug)]
pub(crate) enum Part {
    Line(Line),
    Code(Code),
    /// Rows of bytes of eight dots.
    Picture(Vec<Vec<u8>>),
}

/// A cut paper, from its top down.
#[derive(Debug, Default)]
pub(crate) struct Slip {
    pub(crate) parts: Vec<Part>,
}

impl Slip {
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.parts.iter().filter_map(|part| if let Part::Line(line) = part { Some(line) } else { None })
    }
}

#[derive(Default)]
pub(crate) struct Printer {
    page: Option<u8>,
    bold: bool,
    tall: bool,
    align: u8,
    model: u8,
    module: u8,
    level: u8,
    stored: String,
    current: String,
    paper: Slip,
    cut: Vec<Slip>,
}

impl Printer {
    pub(crate) fn print(bytes: &[u8]) -> Vec<Slip> {
        let mut printer = Printer::default();
        let mut rest = bytes.iter().copied();
        while let Some(byte) = rest.next() {
            match byte {
                0x1B => printer.escape(&mut rest),
                0x1D => printer.group(&mut rest),
                b'\n' => printer.feed(),
                0x20..=0x7E => printer.current.push(char::from(byte)),
                0x80.. => {
                    assert_eq!(printer.page, Some(2), "an accent before its page was chosen");
                    printer.current.push(PAGE_850.chars().nth(usize::from(byte - 0x80)).unwrap());
                }
                other => panic!("a printer does not know {other:#x}"),
            }
        }
        assert!(printer.current.is_empty() && printer.paper.parts.is_empty(), "something was left in the printer");
        printer.cut
    }

    fn escape(&mut self, rest: &mut impl Iterator<Item = u8>) {
        match rest.next().unwrap() {
            b'@' => *self = Printer { cut: std::mem::take(&mut self.cut), ..Printer::default() },
            b't' => self.page = rest.next(),
            b'a' => {
                assert!(self.current.is_empty(), "ESC a works at the beginning of a line only");
                self.align = rest.next().filter(|how| *how <= 2).unwrap();
            }
            b'E' => self.bold = rest.next().unwrap() & 1 == 1,
            other => panic!("ESC {other:#x}"),
        }
    }

    fn group(&mut self, rest: &mut impl Iterator<Item = u8>) {
        match rest.next().unwrap() {
            b'!' => self.tall = rest.next().filter(|size| *size <= 1).unwrap() == 1,
            b'V' => {
                assert_eq!((rest.next(), rest.next()), (Some(66), Some(0)));
                assert!(self.current.is_empty(), "a line was cut off");
                self.cut.push(std::mem::take(&mut self.paper));
            }
            b'v' => {
                assert_eq!((rest.next(), rest.next()), (Some(b'0'), Some(0)));
                let mut word = || usize::from(u16::from_le_bytes([rest.next().unwrap(), rest.next().unwrap()]));
                let (across, down) = (word(), word());
                assert!(self.align == 1 && self.current.is_empty());
                let row = |rest: &mut dyn Iterator<Item = u8>| (0..across).map(|_| rest.next().unwrap()).collect();
                self.paper.parts.push(Part::Picture((0..down).map(|_| row(rest)).collect()));
            }
            b'(' => {
                assert_eq!(rest.next(), Some(b'k'));
                let length = u16::from_le_bytes([rest.next().unwrap(), rest.next().unwrap()]);
                let data: Vec<u8> = (0..length).map(|_| rest.next().unwrap()).collect();
                self.symbol(&data);
            }
            other => panic!("GS {other:#x}"),
        }
    }

    fn symbol(&mut self, data: &[u8]) {
        match data {
            [49, 65, model @ (49..=51), 0] => self.model = *model,
            [49, 67, module @ 1..=16] => self.module = *module,
            [49, 69, level @ (48..=51)] => self.level = *level,
            [49, 80, 48, text @ ..] if text.len() <= 7089 => self.stored = String::from_utf8(text.to_vec()).unwrap(),
            [49, 81, 48] => {
                // model 2, level M
                assert_eq!((self.model, self.level), (50, 49));
                assert_eq!(self.align, 1);
                self.paper.parts.push(Part::Code(Code { text: self.stored.clone(), module: self.module }));
            }
            other => panic!("GS ( k {other:?}"),
        }
    }

    fn feed(&mut self) {
        let text = std::mem::take(&mut self.current);
        self.paper.parts.push(Part::Line(Line { text, bold: self.bold, tall: self.tall, align: self.align }));
    }
}
