//! A receipt printer, played: reads the bytes by Epson's command reference and refuses everything it does not know.

use crate::documents::{golden, replaced};
use render::form::{self, Note, Options, Paper, value};

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
        let root = fiscal::xml::read(xml.as_bytes()).unwrap();
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
