//! External programs check the files: qpdf the structure, poppler text and fonts, zbar the codes of the rasterised
//! page. A missing program is a failure; `cargo xtask test tools` installs them.

use crate::documents::{case, golden, longest, replaced, with_items};
use render::form::{self, DanfeLayout, Dfe, ParsedDocument, PrintOptions, ReceiptPaper, event, value};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file in a folder of its own, deleted after the test.
pub(crate) struct Printed {
    folder: PathBuf,
}

impl Printed {
    pub(crate) fn new(name: &str, pdf: &[u8]) -> Printed {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("printed-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("form.pdf"), pdf).unwrap();
        Printed { folder }
    }

    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).current_dir(&self.folder).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{program}: {said}{}", String::from_utf8_lossy(&output.stderr));
        said
    }

    /// Checks that qpdf finds no fault and that every font is embedded with a map to letters.
    pub(crate) fn is_sound(&self) {
        let said = self.run("qpdf", &["--check", "form.pdf"]);
        assert!(!said.contains("WARNING"), "{said}");
        let fonts = self.run("pdffonts", &["form.pdf"]);
        let rows: Vec<&str> = fonts.lines().skip(2).collect();
        assert!(!rows.is_empty(), "{fonts}");
        for row in rows {
            let words: Vec<&str> = row.split_whitespace().collect();
            let flags = &words[words.len() - 5..words.len() - 2];
            assert_eq!(flags, ["yes", "yes", "yes"], "{row}");
        }
    }

    /// All its text, without blanks: a value may be broken over lines.
    pub(crate) fn text(&self) -> String {
        self.run("pdftotext", &["-raw", "form.pdf", "-"]).split_whitespace().collect()
    }

    /// Codes that zbar reads from the first page.
    pub(crate) fn codes(&self) -> Vec<String> {
        self.run("pdftoppm", &["-r", "200", "-gray", "-singlefile", "-f", "1", "-l", "1", "form.pdf", "page"]);
        let kinds = ["-Sdisable", "-Scode128.enable", "-Sqrcode.enable"];
        self.run("zbarimg", &[&["--quiet", "--raw"], &kinds[..], &["page.pgm"]].concat())
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// True when the first page, rasterised, has a solid red point.
    pub(crate) fn has_red(&self) -> bool {
        self.run("pdftoppm", &["-r", "150", "-singlefile", "-f", "1", "-l", "1", "form.pdf", "colour"]);
        let pixels = std::fs::read(self.folder.join("colour.ppm")).unwrap();
        // three bytes each, after a head of three lines
        let body = pixels.splitn(4, |byte| *byte == b'\n').nth(3).unwrap();
        body.chunks(3).any(|pixel| pixel == [255, 0, 0])
    }
}

impl Drop for Printed {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A word that only the complementary information of a test has.
const COUNTED: &str = "TESTE";

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Texts that a DANFE must show of a note, formatted.
fn must_show(note: Dfe<'_>) -> Vec<String> {
    let plain = [
        "ide/natOp",
        "emit/xNome",
        "emit/IE",
        "dest/xNome",
        "emit/enderEmit/xLgr",
        "dest/enderDest/xMun",
        "infAdic/infCpl",
    ];
    let money = ["vProd", "vNF", "vBC", "vICMS", "vDesc", "vFrete", "vIPI"];
    let mut told: Vec<String> = plain.iter().map(|path| note.text(path).to_owned()).collect();
    told.extend(money.iter().map(|tag| value::amount(note.text(&format!("total/ICMSTot/{tag}")))));
    told.push(value::key(note.chave()));
    told.push(value::taxpayer(note.first(&["emit/CNPJ", "emit/CPF"])));
    told.push(value::date(note.text("ide/dhEmi")));
    told.push(value::nine(note.text("ide/nNF")));
    for det in note.all("", "det") {
        let at = |path: &str| det.text_at(path).unwrap_or_default();
        told.extend([at("prod/cProd").to_owned(), at("prod/xProd").to_owned(), at("prod/CFOP").to_owned()]);
        told.push(value::amount(at("prod/vProd")));
        told.push(value::quantity(at("prod/vUnCom"), 2));
    }
    for dup in note.all("cobr", "dup") {
        told.push(value::amount(dup.text_at("vDup").unwrap_or_default()));
    }
    // a text that continues elsewhere is counted by its words
    told.retain(|text| !text.is_empty() && text.len() < 600);
    told
}

fn danfe_is_right(name: &str, xml: &str, layout: DanfeLayout, landscape: bool) {
    let options = PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
    let printed =
        Printed::new(&format!("{name}-{layout:?}-{landscape}"), &form::pdf(xml.as_bytes(), &options).unwrap());
    printed.is_sound();
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap();
    let text = printed.text();
    for told in must_show(note) {
        assert!(text.contains(&squeezed(&told)), "{name} {layout:?} {landscape}: {told:?} is not in {text}");
    }
    let words = |text: &str| text.matches(COUNTED).count();
    assert_eq!(words(&text), words(note.text("infAdic/infCpl")), "{name} {layout:?} {landscape}");
    let codes = printed.codes();
    assert!(codes.contains(&note.chave().to_owned()), "{name} {layout:?} {landscape}: {codes:?}");
}

fn all_layouts(name: &str, xml: &str) {
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        danfe_is_right(name, xml, layout, false);
        danfe_is_right(name, xml, layout, true);
    }
}

#[test]
fn a_danfe_is_a_sound_file_with_its_text_and_its_key() {
    all_layouts("cobranca", &case("cobranca"));
}

#[test]
fn bars_of_a_key_with_letters_are_read() {
    let xml = case("cobranca")
        .replace("35261111222333000181550010000000011847362510", "35261112ABC34501DE35550010000000011100001234");
    all_layouts("letters", &xml);
}

#[test]
fn thirty_items_and_a_long_note_are_all_there() {
    let xml = with_items(&case("cobranca"), 30);
    let words = "INFORMACAO COMPLEMENTAR DE TESTE ".repeat(100);
    let xml = if xml.contains("<infCpl>") {
        replaced(&xml, "infCpl", words.trim())
    } else {
        xml.replace("</infNFe>", &format!("<infAdic><infCpl>{}</infCpl></infAdic></infNFe>", words.trim()))
    };
    all_layouts("thirty", &xml);
}

#[test]
fn accents_and_long_names_are_whole() {
    let xml = longest(&case("cobranca"), 'Ç', true);
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        danfe_is_right("accents", &xml, layout, false);
    }
}

#[test]
fn receipts_show_their_qr_code_and_their_text() {
    for (name, xml) in golden().into_iter().filter(|(name, _)| name.starts_with("nfce")) {
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let note = Dfe::of(&root).unwrap();
        for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
            let options = PrintOptions { paper, ..PrintOptions::default() };
            let printed = Printed::new(&format!("{name}-{paper:?}"), &form::pdf(xml.as_bytes(), &options).unwrap());
            printed.is_sound();
            let text = printed.text();
            for told in [
                note.text("emit/xNome").to_owned(),
                value::amount(note.text("total/ICMSTot/vNF")),
                value::key(note.chave()),
            ] {
                assert!(text.contains(&squeezed(&told)), "{name}: {told:?} is not in {text}");
            }
            if !note.supplement("infNFeSupl/qrCode").is_empty() {
                assert_eq!(printed.codes(), [note.supplement("infNFeSupl/qrCode")], "{name} {paper:?}");
            }
        }
    }
}

#[test]
fn a_correction_says_all_that_was_corrected() {
    let correction = "A razão social do destinatário é EMPRESA & FILHOS ".repeat(20);
    let xml = format!(
        "<procEventoNFe versao=\"1.00\"><evento versao=\"1.00\"><infEvento><cOrgao>35</cOrgao><tpAmb>1</tpAmb>\
         <CNPJ>11222333000181</CNPJ><chNFe>35261111222333000181550010000000011847362510</chNFe>\
         <dhEvento>2026-11-21T10:00:00-03:00</dhEvento><tpEvento>110110</tpEvento><nSeqEvento>2</nSeqEvento>\
         <detEvento versao=\"1.00\"><xCorrecao>{}</xCorrecao></detEvento></infEvento></evento><retEvento versao=\"1.00\">\
         <infEvento><xMotivo>Evento registrado e vinculado a NF-e</xMotivo><dhRegEvento>2026-11-21T10:00:01-03:00</dhRegEvento>\
         <nProt>135260000000009</nProt></infEvento></retEvento></procEventoNFe>",
        correction.trim().replace('&', "&amp;")
    );
    let printed = Printed::new("correction", &event::pdf(xml.as_bytes(), None).unwrap());
    printed.is_sound();
    let text = printed.text();
    for told in [correction.trim(), "CARTA DE CORREÇÃO", "135260000000009", "21/11/2026 10:00:01"] {
        assert!(text.contains(&squeezed(told)), "{told:?} is not in {text}");
    }
    assert_eq!(printed.codes(), ["35261111222333000181550010000000011847362510"]);
}

/// The longest text of a QR code: version 3, issued offline, signed by a key of 2048 bits, of the state with the
/// longest address, for a consumer with CNPJ (NT 2025.001).
fn signed_offline(key: &str) -> String {
    let signature: String = (0..342).map(|place| char::from(b"AbC9/+xYz7"[place % 10])).chain("==".chars()).collect();
    format!(
        "https://portalsped.fazenda.mg.gov.br/portalnfce/sistema/qrcode.xhtml?p={key}|3|1|20|9999999.99|1|12ABC34501DE35|{signature}"
    )
}

#[test]
fn the_longest_qr_code_is_read_from_every_paper() {
    let (name, xml) =
        golden().into_iter().find(|(_, xml)| xml.contains("<mod>65</mod>") && xml.contains("<qrCode>")).unwrap();
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let long = signed_offline(Dfe::of(&root).unwrap().chave());
    let xml = replaced(&replaced(&xml, "tpEmis", "9"), "qrCode", &long);
    for (model, print) in [("65", "4"), ("55", "6")] {
        let xml = replaced(&replaced(&xml, "mod", model), "tpImp", print);
        for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
            let options = PrintOptions { paper, ..PrintOptions::default() };
            let printed =
                Printed::new(&format!("long-{name}-{model}-{paper:?}"), &form::pdf(xml.as_bytes(), &options).unwrap());
            printed.is_sound();
            assert_eq!(printed.codes(), std::slice::from_ref(&long), "{model} {paper:?}");
        }
    }
}

#[test]
fn both_bar_codes_of_security_paper_are_read() {
    for party in ["<CNPJ>12ABC34501DE35</CNPJ>", "<CNPJ>99999999000191</CNPJ>"] {
        let xml = replaced(&case("producao"), "tpEmis", "5");
        let (before, after) = xml.split_once("<dest>").unwrap();
        let rest = after.split_once("<xNome>").unwrap().1;
        let xml = format!("{before}<dest>{party}<xNome>{rest}");
        for landscape in [false, true] {
            let options = PrintOptions { landscape: Some(landscape), ..PrintOptions::default() };
            let letters = party.contains("ABC");
            let printed =
                Printed::new(&format!("fs-da-{letters}-{landscape}"), &form::pdf(xml.as_bytes(), &options).unwrap());
            let codes = printed.codes();
            let root = ParsedDocument::read(xml.as_bytes()).unwrap();
            let note = Dfe::of(&root).unwrap();
            assert!(codes.contains(&note.chave().to_owned()), "{codes:?}");
            let data = codes.iter().find(|code| code.len() == 36).unwrap();
            // state and kind of emission, the party, the total in cents
            assert!(data[2..].starts_with(&format!("5{}", note.text("dest/CNPJ"))), "{codes:?}");
            assert_eq!(data[17..31], format!("{:0>14}", note.text("total/ICMSTot/vNF").replace('.', "")));
            // field 2 shows the text of the bars
            assert!(printed.text().contains(data.as_str()), "{codes:?}");
        }
    }
}

#[test]
fn bars_of_labels_are_read_whatever_the_key() {
    let digits = replaced(&case("cobranca"), "tpImp", "3");
    let letters = "35261112ABC34501DE35550010000000011100001234";
    for (xml, key) in [
        (digits.clone(), "35261111222333000181550010000000011847362510"),
        (digits.replace("35261111222333000181550010000000011847362510", letters), letters),
    ] {
        let printed =
            Printed::new(&format!("label-{key}"), &form::pdf(xml.as_bytes(), &PrintOptions::default()).unwrap());
        printed.is_sound();
        assert_eq!(printed.codes(), [key]);
    }
}
