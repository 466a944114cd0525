//! A receipt printer, played: reads the bytes by Epson's command reference and refuses everything it does not know.

use crate::documents::{golden, replaced};
use render::form::{self, Document, Note, Options, Paper, value};
use render::pdf::picture::Picture;

/// What a page 850 printer prints for the bytes from 0x80 on (IBM CDRA; the same as Python's `cp850`).
const PAGE_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// A line on paper.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    text: String,
    bold: bool,
    tall: bool,
    align: u8,
}

/// Papers that were cut off, each with its lines and the QR codes drawn on it.
#[derive(Debug, Default)]
struct Slip {
    lines: Vec<Line>,
    codes: Vec<(String, u8)>,
    /// Rows of bytes of eight dots.
    pictures: Vec<Vec<Vec<u8>>>,
}

#[derive(Default)]
struct Printer {
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
    fn print(bytes: &[u8]) -> Vec<Slip> {
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
        assert!(printer.current.is_empty() && printer.paper.lines.is_empty(), "something was left in the printer");
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
                self.paper.pictures.push((0..down).map(|_| row(rest)).collect());
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
                self.paper.codes.push((self.stored.clone(), self.module));
            }
            other => panic!("GS ( k {other:?}"),
        }
    }

    fn feed(&mut self) {
        let text = std::mem::take(&mut self.current);
        self.paper.lines.push(Line { text, bold: self.bold, tall: self.tall, align: self.align });
    }
}

fn papers(xml: &str, options: &Options) -> Vec<Slip> {
    Printer::print(&form::escpos(xml.as_bytes(), options).unwrap().unwrap())
}

fn squeezed<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.flat_map(str::split_whitespace).collect()
}

#[test]
fn every_receipt_says_what_it_must_on_both_papers() {
    for (name, xml) in golden().into_iter().filter(|(name, _)| name.starts_with("nfce")) {
        let root = Document::read(xml.as_bytes()).unwrap();
        let note = Note::of(&root).unwrap();
        for (paper, columns) in [(Paper::Wide, 48), (Paper::Narrow, 32)] {
            let printed = papers(&xml, &Options { paper, ..Options::default() });
            for paper in &printed {
                let long = paper.lines.iter().find(|line| line.text.chars().count() > columns);
                assert_eq!(long, None, "{name}");
                let text = squeezed(paper.lines.iter().map(|line| line.text.as_str()));
                let mut told = vec![
                    note.text("emit/xNome").to_owned(),
                    value::taxpayer(note.text("emit/CNPJ")),
                    value::amount(note.text("total/ICMSTot/vNF")),
                    value::key(note.chave()),
                    note.number(),
                    value::moment(note.text("ide/dhEmi")),
                    note.supplement("urlChave").to_owned(),
                ];
                for det in note.all("", "det") {
                    let at = |path: &str| det.text_at(path).unwrap_or_default();
                    told.extend(["prod/cProd", "prod/xProd"].map(|path| at(path).to_owned()));
                    told.push(value::amount(at("prod/vProd")));
                }
                for told in told {
                    assert!(text.contains(&squeezed(std::iter::once(told.as_str()))), "{name}: {told:?} in {text}");
                }
                let code = note.supplement("qrCode");
                let codes: Vec<&str> = paper.codes.iter().map(|(code, _)| code.as_str()).collect();
                assert_eq!(codes, if code.is_empty() { vec![] } else { vec![code] }, "{name}");
            }
        }
    }
}

/// A golden receipt that waits for its authorisation.
fn offline() -> String {
    let found =
        golden().into_iter().find(|(_, xml)| xml.contains("<mod>65</mod>") && xml.contains("<tpEmis>9</tpEmis>"));
    found.unwrap().1
}

#[test]
fn a_receipt_that_waits_for_authorisation_is_cut_in_two_copies() {
    let printed = papers(&offline(), &Options::default());
    assert_eq!(printed.len(), 2);
    for (paper, whose) in printed.iter().zip(["Via do Consumidor", "Via do Estabelecimento"]) {
        let loud: Vec<&str> = paper
            .lines
            .iter()
            .filter(|line| line.bold && line.tall && line.align == 1)
            .map(|line| line.text.as_str())
            .collect();
        let said = |text: &str| loud.iter().filter(|line| **line == text).count();
        assert_eq!((said("EMITIDA EM CONTINGÊNCIA"), said("Pendente de autorização")), (2, 2), "{loud:?}");
        assert!(squeezed(paper.lines.iter().map(|line| line.text.as_str())).contains(&whose.replace(' ', "")));
    }
}

#[test]
fn accents_are_printed_and_no_text_commands_the_printer() {
    let xml = replaced(&offline(), "xNome", "AÇOUGUE JOÃO &amp; IRMÃOS ÀÉÍÓÚÂÊÔÕÜ nº 1ª – “X”\u{7f}漢");
    for paper in papers(&xml, &Options::default()) {
        let text: Vec<&str> = paper.lines.iter().map(|line| line.text.as_str()).collect();
        let text = text.join(" ");
        assert!(text.contains("AÇOUGUE JOÃO & IRMÃOS ÀÉÍÓÚÂÊÔÕÜ nº 1ª - \"X\""), "{text}");
    }
}

#[test]
fn items_may_be_left_out_and_other_forms_are_no_receipts() {
    let xml = offline();
    let name = "CAFE SUPERIOR EM GRAOS";
    let xml = replaced(&xml, "xProd", name);
    let has = |summary| {
        let printed = papers(&xml, &Options { summary, ..Options::default() });
        printed[0].lines.iter().any(|line| line.text.contains(name))
    };
    assert!(has(false) && !has(true));
    let a4 = golden().into_iter().find(|(name, _)| name == "cobranca").unwrap().1;
    assert!(form::escpos(a4.as_bytes(), &Options::default()).unwrap().is_none());
}

/// Left half black, right half white.
fn half(width: u32, height: u32) -> Vec<u8> {
    let pixels: Vec<u8> =
        (0..height).flat_map(|_| (0..width).flat_map(|x| [if x < width / 2 { 0 } else { 255 }; 3])).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

#[test]
fn a_logo_is_drawn_at_the_head_of_every_copy() {
    // the same picture as PNG and as JPEG
    for file in [half(200, 80).as_slice(), include_bytes!("half.jpg")] {
        let logo = Some(Picture::read(file).unwrap());
        for (paper, dots) in [(Paper::Wide, 576), (Paper::Narrow, 384)] {
            let printed = papers(&offline(), &Options { paper, logo: logo.clone(), ..Options::default() });
            assert_eq!(printed.len(), 2);
            for slip in &printed {
                let [picture] = slip.pictures.as_slice() else { panic!("{} pictures", slip.pictures.len()) };
                // 200 by 80 pixels in 15 mm of height
                assert_eq!((picture.len(), picture[0].len()), (120, 300_usize.div_ceil(8)));
                assert!(picture[0].len() * 8 <= dots);
                // a JPEG is not quite black beside an edge
                let black = |row: &[u8]| row.iter().map(|byte| byte.count_ones()).sum::<u32>();
                assert!(picture.iter().all(|row| (145..=155).contains(&black(row))), "{:?}", picture[60]);
                assert!(picture.iter().all(|row| row[..17].iter().all(|byte| *byte == 0xFF)), "{:?}", picture[60]);
            }
        }
    }
    assert!(papers(&offline(), &Options::default()).iter().all(|slip| slip.pictures.is_empty()));
}

#[test]
fn a_jpeg_that_cannot_be_decoded_leaves_the_receipt_without_a_logo() {
    let mut file = include_bytes!("half.jpg").to_vec();
    let scan = file.windows(2).position(|marker| marker == [0xFF, 0xDA]).unwrap();
    // tables of the decoder gone, headers whole
    let tables = file.windows(2).position(|marker| marker == [0xFF, 0xC4]).unwrap();
    file.drain(tables..scan);
    let logo = Picture::read(&file).unwrap();
    assert_eq!(logo.grey(), None);
    let printed = papers(&offline(), &Options { logo: Some(logo), ..Options::default() });
    assert!(printed.iter().all(|slip| slip.pictures.is_empty() && !slip.lines.is_empty()));
}
