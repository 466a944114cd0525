//! Mistakes seen in published forms of other programs, one test each.

use crate::documents::{answered, case, numbered, replaced, within};
use render::form::{self, DanfeLayout, Dfe, EpecRegistration, ParsedDocument, PrintOptions, PrintedStatus, value};
use render::paper::{Frame, Ink, Length, Sheet, SheetMark, TextRotation};

/// Draws a document and passes the sheets to `judge`.
fn drawn(xml: &str, options: &PrintOptions, judge: impl FnOnce(Dfe<'_>, &[Sheet<'_>])) {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap().with_status(&options.status);
    judge(note, &form::sheets(note, options).unwrap());
}

fn in_both_layouts(xml: &str, judge: impl Fn(Dfe<'_>, &[Sheet<'_>])) {
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        for landscape in [false, true] {
            let options = PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
            drawn(xml, &options, &judge);
        }
    }
}

/// All texts of the sheets, without blanks.
fn said(sheets: &[Sheet<'_>]) -> String {
    sheets.iter().flat_map(Sheet::texts).flat_map(|line| line.text.split_whitespace()).collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn every_one_of_990_items_stands_exactly_once_and_the_sheets_are_counted_right() {
    for count in [1, 12, 13, 30, 200, 990] {
        in_both_layouts(&numbered(&case("cobranca"), count), |_, sheets| {
            let all = said(sheets);
            for number in 1..=count {
                let name = format!("PRODUTONUMERO{number:05}");
                assert_eq!(all.matches(&name).count(), 1, "{name} of {count}");
            }
            for (place, sheet) in sheets.iter().enumerate() {
                let folio = format!("FOLHA {}/{}", place + 1, sheets.len());
                assert_eq!(sheet.texts().filter(|line| line.text == folio.as_str()).count(), 1, "{folio} of {count}");
                let items = sheet.texts().filter(|line| line.text.starts_with("PRODUTO NUMERO")).count();
                assert!(items > 0 || count == 1, "sheet {} of {count} items is empty", place + 1);
            }
        });
    }
}

#[test]
fn all_of_120_instalments_are_told() {
    let xml = case("cobranca");
    let dups: String = (1..=120)
        .map(|n| format!("<dup><nDup>D{n:03}</nDup><dVenc>2027-01-20</dVenc><vDup>{}.50</vDup></dup>", 5000 + n))
        .collect();
    let start = xml.find("<dup>").unwrap();
    let end = xml.rfind("</dup>").unwrap() + "</dup>".len();
    let xml = format!("{}{dups}{}", &xml[..start], &xml[end..]);
    in_both_layouts(&xml, |_, sheets| {
        let all = said(sheets);
        for n in 1..=120 {
            for told in [format!("D{n:03}"), format!("5.{n:03},50")] {
                assert_eq!(all.matches(&told).count(), 1, "{told}");
            }
        }
    });
}

#[test]
fn a_unit_price_of_any_length_keeps_to_its_column() {
    let xml = replaced(&case("cobranca"), "qCom", "99999999999.9999");
    let xml = replaced(&xml, "vUnCom", "9999999999.9876543219");
    in_both_layouts(&xml, |_, sheets| {
        let find = |text: &str| {
            let mut found = sheets.iter().flat_map(Sheet::texts).filter(|line| line.text == text);
            found.next().unwrap_or_else(|| panic!("{text}")).ink()
        };
        let (quantity, price) = (find("99.999.999.999,9999"), find("9.999.999.999,9876543219"));
        assert!(!quantity.overlaps(&price) && quantity.right() < price.x, "{quantity:?} {price:?}");
    });
}

#[test]
fn unit_prices_show_every_decimal_they_have() {
    for (written, shown) in [("0.1234567891", "0,1234567891"), ("5.0000000000", "5,00"), ("2.5", "2,50"), ("7", "7,00")]
    {
        let xml = replaced(&case("cobranca"), "vUnCom", written);
        in_both_layouts(&xml, |_, sheets| {
            assert!(sheets.iter().flat_map(Sheet::texts).any(|line| line.text == shown), "{written}");
        });
    }
}

#[test]
fn a_mark_lies_behind_the_data_and_is_pale() {
    let options = PrintOptions {
        status: PrintedStatus::Cancelled { protocol: "135260000000009 - 21/11/2026 10:00:01".to_owned() },
        ..PrintOptions::default()
    };
    drawn(&numbered(&case("cobranca"), 200), &options, |_, sheets| {
        assert!(sheets.len() > 2);
        for sheet in sheets {
            let Some(SheetMark::Text(line)) = sheet.drawn().nth(1) else { panic!("the mark is drawn first") };
            assert_eq!((line.text.as_ref(), line.rotation), ("CANCELADA", TextRotation::Rising));
            assert!(matches!(line.ink, Ink::Grey(190..)), "{:?}", line.ink);
            // the mark, and the protocol below it
            assert_eq!(sheet.texts().filter(|line| line.rotation == TextRotation::Rising).count(), 2);
        }
    });
}

#[test]
fn long_names_and_codes_without_blanks_are_whole() {
    let name = "RAZAOSOCIALDEMASIADAMENTECOMPRIDASEMNENHUMESPACOEMBRANCO12345";
    let code = "CODIGOCOMSESSENTASINAISSEMNENHUMESPACO0123456789ABCDEFGHIJKL";
    let product = "PRODUTODECENTOEVINTELETRASSEMESPACO".repeat(4);
    let xml = replaced(&case("cobranca"), "xNome", &name[..60]);
    let xml = replaced(&replaced(&xml, "cProd", code), "xProd", &product[..120]);
    in_both_layouts(&xml, |_, sheets| {
        let all = said(sheets);
        // emitter in the box and on the stub, addressee in the block
        assert!(all.matches(&name[..60]).count() >= 3, "{all}");
        assert!(all.contains(&product[..20]) && !all.contains("..."), "{all}");
        let letters: String = code.chars().take(12).collect();
        assert!(all.contains(&letters[..8]), "{all}");
    });
}

#[test]
fn words_of_5000_letters_are_told_to_the_last() {
    let words: Vec<String> = (1..=500).map(|number| format!("PALAVRA{number:03}")).collect();
    let xml = case("cobranca");
    let xml = if xml.contains("<infCpl>") {
        replaced(&xml, "infCpl", &words.join(" "))
    } else {
        within(&xml, "infNFe", &format!("<infAdic><infCpl>{}</infCpl></infAdic>", words.join(" ")))
    };
    for count in [1, 13, 40] {
        in_both_layouts(&numbered(&xml, count), |_, sheets| {
            let all = said(sheets);
            for word in &words {
                assert_eq!(all.matches(word.as_str()).count(), 1, "{word} beside {count} items");
            }
        });
    }
}

#[test]
fn a_receipt_is_as_long_as_its_items() {
    let xml = numbered(&case("nfce"), 500);
    drawn(&xml, &PrintOptions::default(), |_, sheets| {
        let all = said(sheets);
        for number in 1..=500 {
            assert_eq!(all.matches(&format!("PRODUTONUMERO{number:05}")).count(), 1, "{number}");
        }
        for sheet in sheets {
            // most that PDF readers accept
            assert!(sheet.height <= Length::decipoints(144_000));
        }
    });
}

/// Frames of the widest bar code on a sheet.
fn bars<'s>(sheet: &'s Sheet<'_>) -> &'s [Frame] {
    let fills = sheet.marks.iter().filter_map(|mark| match mark {
        SheetMark::Fill { frames, .. } => Some(frames.as_slice()),
        _ => None,
    });
    // bars all have one height
    let mut codes = fills.filter(|frames| frames.len() > 20 && frames.iter().all(|bar| bar.height == frames[0].height));
    codes.next().unwrap()
}

#[test]
fn bars_are_wide_enough_and_stand_within_the_margins() {
    let letters = "35261112ABC34501DE35550010000000011100001234";
    let digits = case("cobranca");
    let with_letters = digits.replace("35261111222333000181550010000000011847362510", letters);
    for (xml, least) in [(digits, Length::mm(60)), (with_letters, Length::mm(115))] {
        for tpImp in ["1", "3"] {
            drawn(&replaced(&xml, "tpImp", tpImp), &PrintOptions::default(), |_, sheets| {
                for sheet in sheets {
                    let bars = bars(sheet);
                    let (first, last) = (bars[0], bars[bars.len() - 1]);
                    let narrowest = bars.iter().map(|bar| bar.width).min().unwrap();
                    assert!(narrowest >= Length::tenths(2), "{narrowest:?}");
                    // quiet zones of ten modules belong to the code
                    assert!(last.right() - first.x + narrowest * 20 >= least - Length::mm(1), "{tpImp}");
                    assert!(
                        first.x - narrowest * 10 >= Length::mm(2)
                            && last.right() + narrowest * 10 <= sheet.width - Length::mm(2)
                    );
                    assert!(first.height >= Length::mm(8));
                }
                if tpImp == "3" {
                    assert_eq!(sheets.len(), 1);
                }
            });
        }
    }
}

#[test]
fn the_clock_is_the_emitters() {
    let xml = replaced(&case("producao"), "dhEmi", "2026-11-20T22:15:00-05:00");
    let xml = answered(&xml, "100", "312260000000001", "2026-11-21T03:20:30+00:00");
    in_both_layouts(&xml, |_, sheets| {
        let all = said(sheets);
        assert!(all.contains("312260000000001-20/11/202622:20:30"), "{all}");
    });
}

#[test]
fn every_contingency_says_what_it_is_in_both_environments() {
    let phrase = [
        ("1", ""),
        ("4", "DANFE impresso em contingência - EPEC regularmente recebida pela Receita Federal do Brasil"),
        ("5", "DANFE em Contingência - impresso em decorrência de problemas técnicos"),
        ("6", "Contingência desde 20/11/2026 09:00:00: SEFAZ FORA DO AR"),
        ("7", "Contingência desde 20/11/2026 09:00:00: SEFAZ FORA DO AR"),
    ];
    for (tpEmis, phrase) in phrase {
        for (tpAmb, test) in [("1", false), ("2", true)] {
            let xml = replaced(&replaced(&case("producao"), "tpEmis", tpEmis), "tpAmb", tpAmb);
            let reasons = "<dhCont>2026-11-20T09:00:00-03:00</dhCont><xJust>SEFAZ FORA DO AR</xJust>";
            let xml = if tpEmis == "1" { xml } else { xml.replacen("</ide>", &format!("{reasons}</ide>"), 1) };
            let epec = (tpEmis == "4").then(|| EpecRegistration {
                number: "891260000000001".to_owned(),
                moment: "2026-11-20T09:05:00-03:00".to_owned(),
            });
            let authorised = matches!(tpEmis, "1" | "6" | "7");
            let xml = if authorised { answered(&xml, "100", "1", "2026-11-20T09:10:00-03:00") } else { xml };
            let second_bars = tpEmis == "5";
            let options = PrintOptions { epec, ..PrintOptions::default() };
            drawn(&xml, &options, |_, sheets| {
                let all = said(sheets);
                assert!(all.contains(&squeezed(phrase)), "{tpEmis} {tpAmb}: {all}");
                let mark = sheets[0]
                    .texts()
                    .any(|line| line.rotation == TextRotation::Rising && line.text == "SEM VALOR FISCAL");
                assert_eq!(mark, test, "{tpEmis} {tpAmb}");
                assert_eq!(all.contains("EMITIDAEMAMBIENTEDEHOMOLOGAÇÃO"), test);
                assert_eq!(all.contains("PROTOCOLODEAUTORIZAÇÃODOEPEC"), tpEmis == "4");
                assert_eq!(all.contains("DADOSDANF-e"), second_bars);
                let codes = sheets[0]
                    .marks
                    .iter()
                    .filter_map(|mark| if let SheetMark::Fill { frames, .. } = mark { Some(frames) } else { None })
                    .filter(|frames| frames.len() > 20);
                let widths: Vec<Length> =
                    codes.map(|frames| frames.iter().map(|bar| bar.width).min().unwrap()).collect();
                assert_eq!(widths.len(), if second_bars { 2 } else { 1 });
                assert!(widths.iter().all(|narrowest| *narrowest >= Length::tenths(2)), "{widths:?}");
            });
        }
    }
}

#[test]
fn a_note_without_authorisation_or_denied_is_none_that_is_valid() {
    let production = case("producao");
    for (xml, mark) in [
        (production.clone(), "SEM VALOR FISCAL"),
        (answered(&production, "110", "1", "2026-11-20T10:00:00-03:00"), "DENEGADA"),
        (answered(&production, "302", "1", "2026-11-20T10:00:00-03:00"), "DENEGADA"),
    ] {
        drawn(&xml, &PrintOptions::default(), |_, sheets| {
            assert!(
                sheets
                    .iter()
                    .all(|sheet| sheet.texts().any(|line| line.rotation == TextRotation::Rising && line.text == mark))
            );
        });
    }
}

#[test]
fn origin_and_code_stand_together_whichever_the_regime() {
    for (name, classic, reform) in [("icmssn102", "0102", "CSOSN 0102"), ("icms00", "000", "CST 000")] {
        for (layout, shown) in [(DanfeLayout::Classic, classic), (DanfeLayout::Reform, reform)] {
            drawn(&case(name), &PrintOptions { layout: Some(layout), ..PrintOptions::default() }, |_, sheets| {
                assert!(sheets[0].texts().any(|line| line.text == shown), "{name} {shown}");
            });
        }
    }
}

#[test]
fn what_the_table_has_no_column_for_stands_in_the_description() {
    for (name, told) in [
        ("medicamento", vec!["ANVISA", "PMC"]),
        ("retirada_e_entrega", vec!["LOCAL DE RETIRADA", "LOCAL DE ENTREGA"]),
        ("importacao_direta", vec!["DI:"]),
        ("produto_nve_extipi_fci_pedido", vec!["FCI:", "Pedido:"]),
        ("armas", vec!["Arma nº"]),
        ("veiculo_venda", vec!["Chassi:"]),
        ("combustivel_glp", vec!["ANP:"]),
        ("referencia_refnfe", vec!["Documentos referenciados: 35261011222333000181550010000000771123456703"]),
        ("referencia_refnf_modelo_1", vec!["NF modelo 02 série 0 nº 5 de 11/07, 12.ABC.345/01DE-35"]),
        ("referencia_refnfp_produtor", vec!["NF de produtor modelo 04 série 0 nº 9 de 10/26, 111.444.777-35"]),
        ("referencia_refecf", vec!["cupom fiscal 2D ECF 1 COO 123, cupom fiscal 2C ECF 2 COO 000124"]),
        ("icms10", vec!["ICMS ST: base"]),
    ] {
        in_both_layouts(&case(name), |_, sheets| {
            let all = said(sheets);
            for text in &told {
                assert!(all.contains(&squeezed(text)), "{name}: {text} in {all}");
            }
        });
    }
}

#[test]
fn an_ampersand_is_printed_once_and_accents_stay() {
    let xml = replaced(&case("cobranca"), "xNome", "JOSÉ &amp; IRMÃOS &lt;COMÉRCIO&gt;");
    in_both_layouts(&xml, |_, sheets| {
        let all = said(sheets);
        assert!(all.contains("JOSÉ&IRMÃOS<COMÉRCIO>") && !all.contains("&amp;"), "{all}");
    });
}

#[test]
fn a_registration_with_letters_has_its_mask() {
    in_both_layouts(&case("cnpj_alfanumerico"), |note, sheets| {
        let cnpj = value::taxpayer(note.text("emit/CNPJ"));
        assert!(cnpj.bytes().any(|byte| byte.is_ascii_alphabetic()) && cnpj.contains('/'), "{cnpj}");
        assert!(said(sheets).contains(&cnpj));
    });
}

#[test]
fn the_simplified_form_has_all_it_must() {
    let xml =
        replaced(&answered(&case("producao"), "100", "135260000000001", "2026-11-20T10:00:01-03:00"), "tpImp", "3");
    for (presence, title, items) in [("1", "DANFESimplificado", true), ("2", "DANFESimplificado-Etiqueta", false)] {
        drawn(&replaced(&xml, "indPres", presence), &PrintOptions::default(), |note, sheets| {
            let all = said(sheets);
            let told = [
                title.to_owned(),
                value::key(note.chave()),
                "135260000000001 20/11/2026 10:00:01".to_owned(),
                note.text("emit/xNome").to_owned(),
                value::taxpayer(note.text("emit/CNPJ")),
                note.text("emit/IE").to_owned(),
                note.text("dest/xNome").to_owned(),
                value::taxpayer(note.first(&["dest/CNPJ", "dest/CPF"])),
                note.number(),
                value::date(note.text("ide/dhEmi")),
                value::amount(note.text("total/ICMSTot/vNF")),
            ];
            for told in told {
                assert!(all.contains(&squeezed(&told)), "{told} in {all}");
            }
            let product = squeezed(note.text("det/prod/xProd"));
            assert_eq!(all.contains(&product), items, "{product} in {all}");
        });
    }
}

#[test]
fn a_preview_has_no_key_no_bars_and_no_number_of_its_own() {
    for numbered in [false, true] {
        let options = PrintOptions { status: PrintedStatus::Preview { numbered }, ..PrintOptions::default() };
        drawn(&case("producao"), &options, |note, sheets| {
            let all = said(sheets);
            assert!(all.contains("PRÉVIA:ACHAVEDEACESSO") && all.contains("SEMVALORFISCAL"), "{all}");
            assert_eq!(all.contains(&value::nine(note.text("ide/nNF"))), numbered, "{all}");
            assert!(!sheets[0].marks.iter().any(|mark| matches!(mark, SheetMark::Fill { .. })));
        });
    }
}

#[test]
fn the_layout_changes_at_midnight_of_brasilia() {
    for (dhEmi, new) in [
        ("2026-11-30T23:59:59-03:00", false),
        ("2026-12-01T00:00:00-03:00", true),
        ("2026-11-30T21:59:59-05:00", false),
        ("2026-11-30T22:00:00-05:00", true),
        ("2026-12-01T00:30:00-02:00", false),
    ] {
        drawn(&replaced(&case("producao"), "dhEmi", dhEmi), &PrintOptions::default(), |_, sheets| {
            assert_eq!(said(sheets).contains("TOTALDOIBS/CBS/IS"), new, "{dhEmi}");
        });
    }
}
