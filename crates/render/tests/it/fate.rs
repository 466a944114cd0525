//! A document without validity is marked on every sheet and has no code for machines, in every form of it.

use crate::documents::{answered, case, numbered, replaced, within};
use render::form::{self, DanfeLayout, Dfe, ParsedDocument, PrintOptions, PrintedStatus, ReceiptPaper};
use render::paper::{Sheet, SheetMark, TextRotation};

const REASON: &str = "539 - Rejeição: Duplicidade de NF-e, com diferença na Chave de Acesso [nRec:351000000000001]";

/// Texts that a form must have by status, without blanks.
fn fates() -> Vec<(PrintedStatus, Vec<&'static str>)> {
    let reason = REASON.to_owned();
    let protocol = "135260000000009 - 21/11/2026 10:00:01".to_owned();
    vec![
        (
            PrintedStatus::Rejected { reason: reason.clone() },
            vec!["SEMVALORFISCAL", "REJEITADA:539-Rejeição:Duplicidade"],
        ),
        (PrintedStatus::Denied { reason }, vec!["SEMVALORFISCAL", "DENEGADA", "539-Rejeição:Duplicidade"]),
        (PrintedStatus::Abandoned { reason: "certificado vencido".to_owned() }, vec!["NÃOEMITIDA:certificadovencido"]),
        (PrintedStatus::Unanswered, vec!["SEMVALORFISCAL", "AINDANÃOAUTORIZADA"]),
        (PrintedStatus::Cancelled { protocol }, vec!["CANCELADA", "135260000000009-21/11/202610:00:01"]),
    ]
}

pub(crate) fn squeezed(sheet: &Sheet<'_>) -> String {
    sheet.texts().flat_map(|line| line.text.split_whitespace()).collect()
}

/// True when the sheet has a bar or QR code, the only marks of many boxes.
pub(crate) fn has_a_code(sheet: &Sheet<'_>) -> bool {
    sheet.drawn().any(|mark| matches!(mark, SheetMark::Fill { frames, .. } if frames.len() > 20))
}

fn forms() -> Vec<(String, String, PrintOptions)> {
    let mut forms = Vec::new();
    let note = numbered(&case("producao"), 60);
    let note = answered(&note, "100", "135260000000001", "2026-11-20T10:00:01-03:00");
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        for landscape in [false, true] {
            let options = PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
            forms.push((format!("{layout:?} {landscape}"), note.clone(), options));
        }
    }
    for presence in ["1", "2"] {
        let label = replaced(&replaced(&note, "tpImp", "3"), "indPres", presence);
        forms.push((format!("label {presence}"), label, PrintOptions::default()));
    }
    for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
        for name in ["nfce_producao", "nfce_offline"] {
            let code = "<infNFeSupl><qrCode>https://www.nfce.fazenda.sp.gov.br/qrcode?p=3526|2|1|1|FAAC</qrCode>\
                        <urlChave>https://www.nfce.fazenda.sp.gov.br/consulta</urlChave></infNFeSupl>";
            let xml = within(&case(name), "NFe", code);
            forms.push((format!("{name} {paper:?}"), xml, PrintOptions { paper, ..PrintOptions::default() }));
        }
    }
    forms
}

#[test]
fn what_proves_nothing_says_so_on_every_sheet_and_has_no_code() {
    for (name, xml, options) in forms() {
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let plain = form::sheets(Dfe::of(&root).unwrap(), &options).unwrap();
        assert!(plain.iter().all(has_a_code), "{name} has no code to begin with");
        for (standing, told) in fates() {
            let options = PrintOptions { status: standing, ..options.clone() };
            let note = Dfe::of(&root).unwrap().with_status(&options.status);
            for sheet in form::sheets(note, &options).unwrap() {
                let said = squeezed(&sheet);
                for told in &told {
                    assert!(said.contains(told), "{name} {:?}: {told} is not in {said}", options.status);
                }
                assert!(!has_a_code(&sheet), "{name} {:?} has a code", options.status);
                assert!(!said.contains("ConsultepelaChave"), "{name}: {said}");
                for line in sheet.texts().filter(|line| line.rotation == TextRotation::Rising) {
                    // rising by 45 degrees, it extends this far to the right and upwards
                    let reach = line.width.part(7071, 10_000);
                    let (end, top) = (line.at.0 + reach, line.at.1 - reach);
                    let edge = line.size.part(7071, 10_000);
                    assert!(
                        line.at.0 >= edge / 4 && end <= sheet.width && top >= edge,
                        "{name}: {:?} leaves",
                        line.text
                    );
                }
                let across = sheet.texts().filter(|line| line.rotation == TextRotation::Rising).count();
                assert_eq!(across, if name.contains("true") || name.contains("false") { 2 } else { 0 }, "{name}");
            }
        }
    }
}

#[test]
fn a_receipt_printer_is_told_the_same() {
    for (name, xml, options) in forms().into_iter().filter(|(name, ..)| name.starts_with("nfce")) {
        const CODE: &[u8] = b"\x1D(k";
        let has_code = |bytes: &[u8]| bytes.windows(CODE.len()).any(|part| part == CODE);
        let plain = form::escpos(xml.as_bytes(), &options).unwrap().unwrap();
        assert!(has_code(&plain), "{name}");
        for (standing, word) in [
            (PrintedStatus::Rejected { reason: "539 - Duplicidade".to_owned() }, "REJEITADA: 539 - Duplicidade"),
            (PrintedStatus::Cancelled { protocol: "135 - 21/11/2026".to_owned() }, "NOTA CANCELADA"),
            (PrintedStatus::Denied { reason: "302".to_owned() }, "NOTA DENEGADA"),
        ] {
            let options = PrintOptions { status: standing, ..options.clone() };
            let bytes = form::escpos(xml.as_bytes(), &options).unwrap().unwrap();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            // at the top and at the end
            assert_eq!(text.matches(word).count(), 2, "{name}: {text}");
            assert!(text.contains("SEM VALOR FISCAL") && !has_code(&bytes), "{name}: {text}");
        }
    }
}
