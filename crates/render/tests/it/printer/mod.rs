//! Output of a receipt printer for the bytes it receives: `machine` emulates it, `picture` draws its papers.

mod machine;
mod picture;

use crate::documents::{golden, replaced};
use crate::judges::Printed;
use machine::{Code, Part, Printer, Slip};
use render::form::{self, Dfe, ParsedDocument, PrintOptions, ReceiptPaper, value};
use render::pdf::picture::Picture;

impl Slip {
    fn codes(&self) -> impl Iterator<Item = &Code> {
        self.parts.iter().filter_map(|part| if let Part::Code(code) = part { Some(code) } else { None })
    }

    fn pictures(&self) -> impl Iterator<Item = &Vec<Vec<u8>>> {
        self.parts.iter().filter_map(|part| if let Part::Picture(rows) = part { Some(rows) } else { None })
    }
}

fn papers(xml: &str, options: &PrintOptions) -> Vec<Slip> {
    Printer::print(&form::escpos(xml.as_bytes(), options).unwrap().unwrap())
}

fn squeezed<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.flat_map(str::split_whitespace).collect()
}

#[test]
fn every_receipt_says_what_it_must_on_both_papers() {
    for (name, xml) in golden().into_iter().filter(|(name, _)| name.starts_with("nfce")) {
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let note = Dfe::of(&root).unwrap();
        for (paper, columns) in [(ReceiptPaper::Wide, 48), (ReceiptPaper::Narrow, 32)] {
            let printed = papers(&xml, &PrintOptions { paper, ..PrintOptions::default() });
            for paper in &printed {
                let long = paper.lines().find(|line| line.text.chars().count() > columns);
                assert_eq!(long, None, "{name}");
                let text = squeezed(paper.lines().map(|line| line.text.as_str()));
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
                let code = note.supplement("infNFeSupl/qrCode");
                let codes: Vec<&str> = paper.codes().map(|code| code.text.as_str()).collect();
                assert_eq!(codes, if code.is_empty() { vec![] } else { vec![code] }, "{name}");
            }
        }
    }
}

/// A golden receipt whose authorisation is pending.
fn offline() -> String {
    let found =
        golden().into_iter().find(|(_, xml)| xml.contains("<mod>65</mod>") && xml.contains("<tpEmis>9</tpEmis>"));
    found.unwrap().1
}

#[test]
fn a_receipt_that_waits_for_authorisation_is_cut_in_two_copies() {
    let printed = papers(&offline(), &PrintOptions::default());
    assert_eq!(printed.len(), 2);
    for (paper, whose) in printed.iter().zip(["Via do Consumidor", "Via do Estabelecimento"]) {
        let loud: Vec<&str> = paper
            .lines()
            .filter(|line| line.bold && line.tall && line.align == 1)
            .map(|line| line.text.as_str())
            .collect();
        let said = |text: &str| loud.iter().filter(|line| **line == text).count();
        assert_eq!((said("EMITIDA EM CONTINGÊNCIA"), said("Pendente de autorização")), (2, 2), "{loud:?}");
        assert!(squeezed(paper.lines().map(|line| line.text.as_str())).contains(&whose.replace(' ', "")));
    }
}

#[test]
fn accents_are_printed_and_no_text_commands_the_printer() {
    let xml = replaced(&offline(), "xNome", "AÇOUGUE JOÃO &amp; IRMÃOS ÀÉÍÓÚÂÊÔÕÜ nº 1ª – “X”\u{7f}漢");
    for paper in papers(&xml, &PrintOptions::default()) {
        let text: Vec<&str> = paper.lines().map(|line| line.text.as_str()).collect();
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
        let printed = papers(&xml, &PrintOptions { summary, ..PrintOptions::default() });
        printed[0].lines().any(|line| line.text.contains(name))
    };
    assert!(has(false) && !has(true));
    let a4 = golden().into_iter().find(|(name, _)| name == "cobranca").unwrap().1;
    assert!(form::escpos(a4.as_bytes(), &PrintOptions::default()).unwrap().is_none());
}

/// A picture with a black left half and a white right half.
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
    // one picture as PNG and as JPEG
    for file in [half(200, 80).as_slice(), include_bytes!("../half.jpg")] {
        let logo = Some(Picture::read(file).unwrap());
        for (paper, dots) in [(ReceiptPaper::Wide, 576), (ReceiptPaper::Narrow, 384)] {
            let printed = papers(&offline(), &PrintOptions { paper, logo: logo.clone(), ..PrintOptions::default() });
            assert_eq!(printed.len(), 2);
            for slip in &printed {
                let pictures: Vec<_> = slip.pictures().collect();
                let [picture] = pictures.as_slice() else { panic!("{} pictures", pictures.len()) };
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
    assert!(papers(&offline(), &PrintOptions::default()).iter().all(|slip| slip.pictures().next().is_none()));
}

#[test]
fn a_jpeg_that_cannot_be_decoded_leaves_the_receipt_without_a_logo() {
    let mut file = include_bytes!("../half.jpg").to_vec();
    let scan = file.windows(2).position(|marker| marker == [0xFF, 0xDA]).unwrap();
    // tables of the decoder removed, headers whole
    let tables = file.windows(2).position(|marker| marker == [0xFF, 0xC4]).unwrap();
    file.drain(tables..scan);
    let logo = Picture::read(&file).unwrap();
    assert_eq!(logo.grey(), None);
    let printed = papers(&offline(), &PrintOptions { logo: Some(logo), ..PrintOptions::default() });
    assert!(printed.iter().all(|slip| slip.pictures().next().is_none() && slip.lines().next().is_some()));
}

#[test]
fn a_picture_of_the_paper_shows_its_words_and_its_code() {
    for (name, xml) in golden().into_iter().filter(|(_, xml)| xml.contains("<mod>65</mod>") && xml.contains("<qrCode>"))
    {
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let note = Dfe::of(&root).unwrap();
        for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
            let slips = papers(&xml, &PrintOptions { paper, ..PrintOptions::default() });
            let drawn = Printed::new(&format!("escpos-{name}-{paper:?}"), &picture::pdf(&slips));
            assert_eq!(drawn.codes(), [note.supplement("infNFeSupl/qrCode")], "{name} {paper:?}");
            let said = drawn.text();
            for told in [value::key(note.chave()), value::amount(note.text("total/ICMSTot/vNF")), note.number()] {
                assert!(said.contains(&squeezed(std::iter::once(told.as_str()))), "{name} {paper:?}: {told} in {said}");
            }
        }
    }
}
