//! Geometry, legibility, decoded codes, further sheets, and marks of documents without validity.

use super::{authorised, carrying, case, drawn, lying, note_key, said, squeezed, standing};
use crate::documents::{longest, replaced, transports, within};
use crate::fate::has_a_code;
use crate::geometry::judged;
use crate::judges::Printed;
use render::form::{self, Dfe, ParsedDocument, PrintOptions, PrintedStatus, value};
use render::paper::{Length, Sheet, TextRotation, Typeface};

const SIX: Length = Length::decipoints(60);

#[test]
fn every_golden_case_stands_in_its_frames_and_is_legible() {
    let mut small = Vec::new();
    for (name, xml) in transports() {
        for options in [standing(), lying()] {
            drawn(&xml, &options, |_, sheets| {
                judged(&format!("{name} {:?}", options.landscape), sheets);
                let level = sheets.iter().flat_map(Sheet::texts).filter(|line| line.rotation == TextRotation::Level);
                small.extend(
                    level
                        .filter(|line| line.size < SIX)
                        .map(|line| format!("{name} {:?}: {:?}", options.landscape, line.text)),
                );
            });
        }
    }
    assert!(small.is_empty(), "{} too small:\n{}", small.len(), small.join("\n"));
}

#[test]
fn the_longest_texts_stand_in_their_frames() {
    for (name, xml) in transports() {
        for (letter, spaced) in [('W', false), ('Ç', true), ('i', true)] {
            let xml = longest(&xml, letter, spaced);
            let long: String = (1..2000).map(|place| if place % 11 == 0 { ' ' } else { letter }).collect();
            let xml =
                ["xObs", "infAdFisco", "xTexto", "descOutros", "xSeg", "nApol", "xDescServ", "proPred", "xOutCat"]
                    .iter()
                    .fold(xml, |xml, tag| replaced(&xml, tag, long.trim()));
            for options in [standing(), lying()] {
                drawn(&xml, &options, |_, sheets| judged(&format!("{name} of {letter}"), sheets));
            }
        }
    }
}

#[test]
fn every_note_carried_stands_once_and_every_sheet_has_the_head_and_its_number() {
    for count in [1, 2, 17, 30, 50, 300] {
        let xml = authorised(&carrying(&case("exemplo_interestadual"), count));
        for options in [standing(), lying()] {
            drawn(&xml, &options, |cte, sheets| {
                judged(&format!("{count} notes"), sheets);
                let all = said(sheets);
                for number in 1..=count {
                    assert_eq!(all.matches(&note_key(number)).count(), 1, "{number} of {count}");
                }
                for (place, sheet) in sheets.iter().enumerate() {
                    let folio = format!("{}/{}", place + 1, sheets.len());
                    let bold =
                        sheet.texts().filter(|line| line.face == Typeface::SerifBold && line.text == folio.as_str());
                    assert_eq!(bold.count(), 1, "{folio}");
                    let texts = crate::fate::squeezed(sheet);
                    for told in ["DACTE", "CHAVEDEACESSO", cte.chave(), "143260000000001", "11.222.333/0001-81"] {
                        assert!(texts.contains(told), "{told} is not on sheet {} of {count}", place + 1);
                    }
                    assert!(has_a_code(sheet), "{count}");
                }
            });
        }
    }
}

#[test]
fn everything_that_may_come_many_times_goes_on() {
    let xml = case("exemplo_interestadual");
    let components: String =
        (1..=40).map(|n| format!("<Comp><xNome>PARCELA {n:02}</xNome><vComp>{n}.07</vComp></Comp>")).collect();
    let xml = within(&xml, "vPrest", &components);
    let words: String = (1..=400).map(|n| format!("PALAVRA{n:03} ")).collect();
    let xml = within(&xml, "imp", &format!("<infAdFisco>{}</infAdFisco>", words.trim()));
    let cars: String = (1..=30)
        .map(|n| {
            format!(
                "<veicNovos><chassi>CHASSI{n:03}</chassi><cCor>1</cCor><xCor>AZUL</xCor><cMod>M</cMod><vUnit>1.00</vUnit><vFrete>1.00</vFrete></veicNovos>"
            )
        })
        .collect();
    let xml = within(&xml, "infCTeNorm", &cars);
    let others: String = (1..=60)
        .map(|n| {
            format!("<infOutros><tpDoc>99</tpDoc><descOutros>ROMANEIO DE ENTREGA DA CARGA FRACIONADA</descOutros><nDoc>DOC{n:03}</nDoc></infOutros>")
        })
        .collect();
    let xml = within(&xml, "infDoc", &others);
    for options in [standing(), lying()] {
        drawn(&xml, &options, |_, sheets| {
            judged("many", sheets);
            let all = said(sheets);
            let counted = [("PARCELA", 40, 2), ("PALAVRA", 400, 3), ("CHASSI", 30, 3), ("DOC", 60, 3)];
            for (word, count, width) in counted {
                for number in 1..=count {
                    let told = format!("{word}{number:0width$}");
                    assert_eq!(all.matches(&told).count(), 1, "{told} {:?}", options.landscape);
                }
            }
        });
    }
}

/// Observations of maximal length: the part without room on the first sheet continues under its title.
#[test]
fn long_observations_go_on_on_a_further_sheet() {
    let numbered = |name: &str, count: usize| {
        let words: Vec<String> = (1..=count).map(|number| format!("{name}{number:03}")).collect();
        words.join(" ")
    };
    let own = |n: usize| {
        format!("<ObsCont xCampo=\"CAMPO{n}\"><xTexto>{}</xTexto></ObsCont>", numbered(&format!("AVISO{n}N"), 14))
    };
    let told: String = (0..10).map(own).collect();
    let told = format!("<compl><xObs>{}</xObs>{told}</compl><emit>", numbered("ESCRITO", 180));
    let fisco = format!("<infAdFisco>{}</infAdFisco>", numbered("TRIBUTO", 180));
    for (name, title) in [
        ("exemplo_interestadual", "OBSERVAÇÕES (CONTINUAÇÃO)"),
        ("exemplo_pessoas", "OBSERVAÇÕES GERAIS (CONTINUAÇÃO)"),
    ] {
        let xml = case(name);
        assert!(!xml.contains("<compl>") && xml.contains("<emit>"), "{name} gets its words here");
        let xml = authorised(&within(&xml.replacen("<emit>", &told, 1), "imp", &fisco));
        for options in [standing(), lying()] {
            drawn(&xml, &options, |_, sheets| {
                judged(name, sheets);
                let all = said(sheets);
                let notices = (0..10).map(|n| (format!("AVISO{n}N"), 14));
                for (word, count) in notices.chain([("ESCRITO".to_owned(), 180), ("TRIBUTO".to_owned(), 180)]) {
                    for number in 1..=count {
                        let told = format!("{word}{number:03}");
                        assert_eq!(all.matches(&told).count(), 1, "{name}: {told} {:?}", options.landscape);
                    }
                }
                if options.landscape == Some(true) {
                    assert!(sheets.len() > 1 && said(&sheets[..1]).contains("ESCRITO001"), "{name}");
                    assert!(said(&sheets[1..]).contains(&squeezed(title)), "{name}");
                }
            });
        }
    }
}

#[test]
fn files_are_sound_and_both_codes_are_read() {
    let letters = case("os_fretamento_continuo");
    let thirty = carrying(&case("exemplo_interestadual"), 30);
    let cases = [
        ("57", authorised(&thirty)),
        ("57-teste", case("exemplo_subcontratacao")),
        ("67-letras", authorised(&letters)),
    ];
    let offline = case("contingencia_off_line");
    for (name, xml) in cases.into_iter().chain([("57-sem-rede", offline)]) {
        for options in [standing(), lying()] {
            let pdf = form::pdf(xml.as_bytes(), &options).unwrap();
            let printed = Printed::new(&format!("dacte-{name}-{:?}", options.landscape), &pdf);
            printed.is_sound();
            let root = ParsedDocument::read(xml.as_bytes()).unwrap();
            let cte = Dfe::of(&root).unwrap();
            let text = printed.text();
            for told in
                [value::key(cte.chave()), value::amount(cte.text("vPrest/vTPrest")), cte.protocol("nProt").to_owned()]
            {
                assert!(text.contains(&squeezed(&told)), "{name}: {told}");
            }
            let mut codes = printed.codes();
            codes.sort();
            let mut expected = [cte.chave().to_owned(), cte.supplement("infCTeSupl/qrCodCTe").to_owned()];
            expected.sort();
            assert_eq!(codes, expected, "{name} {:?}", options.landscape);
        }
    }
}

/// A key with letters on a CT-e of cargo: the QR code leaves its place to the bars.
#[test]
fn bars_of_a_key_full_of_letters_are_read() {
    let xml = authorised(&case("exemplo_interestadual"));
    let xml =
        xml.replace("43261111222333000181570010000001011202611019", "432611W1X2Y3Z4A5B681570010000001011202611019");
    for options in [standing(), lying()] {
        let printed = Printed::new(
            &format!("dacte-letters-{:?}", options.landscape),
            &form::pdf(xml.as_bytes(), &options).unwrap(),
        );
        let codes = printed.codes();
        assert!(codes.contains(&"432611W1X2Y3Z4A5B681570010000001011202611019".to_owned()), "{codes:?}");
        assert_eq!(codes.len(), 2, "{codes:?}");
    }
}

#[test]
fn the_fields_below_the_key_say_how_it_was_issued() {
    let normal = authorised(&case("exemplo_interestadual"));
    let said_of = |xml: &str| {
        let mut text = String::new();
        drawn(xml, &standing(), |_, sheets| text = said(sheets));
        text
    };
    let consulted = squeezed("Consulta de autenticidade no portal nacional do CT-e");
    let protocol = squeezed("143260000000001 - 20/11/2026 10:00:01");
    for xml in [normal.clone(), authorised(&case("contingencia_svc"))] {
        let text = said_of(&xml);
        assert!(text.contains(&consulted) && text.contains(&protocol) && !text.contains("HOMOLOGAÇÃO-"), "{text}");
    }
    let text = said_of(&case("exemplo_interestadual"));
    assert!(text.contains(&squeezed("EMITIDO EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL")), "{text}");
    let offline = replaced(&case("contingencia_off_line"), "tpAmb", "1");
    let text = said_of(&offline);
    for told in [
        "EMITIDO EM CONTINGÊNCIA - pendente de autorização",
        "DACTE em Contingência - impresso em decorrência de problemas técnicos",
    ] {
        assert!(text.contains(&squeezed(told)), "{told} is not in {text}");
    }
    drawn(&offline, &standing(), |_, sheets| {
        assert!(sheets[0].texts().all(|line| line.rotation == TextRotation::Level), "it counts, and has no mark");
    });
    let text = said_of(&authorised(&offline));
    assert!(text.contains(&protocol) && !text.contains("pendentedeautorização"), "{text}");
}

#[test]
fn what_proves_nothing_says_so_on_every_sheet_and_has_no_code() {
    let xml = authorised(&carrying(&case("exemplo_interestadual"), 100));
    let reason = || "539 - Duplicidade".to_owned();
    let fates = [
        (PrintedStatus::Cancelled { protocol: "143260000000009".to_owned() }, "CANCELADO|143260000000009"),
        (PrintedStatus::Rejected { reason: reason() }, "SEM VALOR FISCAL|REJEITADO: 539 - Duplicidade"),
        (PrintedStatus::Denied { reason: reason() }, "DENEGADO|539 - Duplicidade"),
        (PrintedStatus::Abandoned { reason: reason() }, "NÃO EMITIDO: 539"),
        (PrintedStatus::Unanswered, "AINDA NÃO AUTORIZADO"),
        (PrintedStatus::Preview { numbered: false }, "SEM VALOR FISCAL|PRÉVIA|___.___.___"),
    ];
    for (standing, words) in fates {
        for landscape in [Some(false), Some(true)] {
            let options = PrintOptions { status: standing.clone(), landscape, ..PrintOptions::default() };
            drawn(&xml, &options, |_, sheets| {
                assert!(sheets.len() > 1);
                for sheet in sheets {
                    let text = crate::fate::squeezed(sheet);
                    for word in words.split('|') {
                        assert!(text.contains(&squeezed(word)), "{word} is not in {text}");
                    }
                    assert!(!has_a_code(sheet), "{standing:?} has a code");
                }
            });
        }
    }
}

#[test]
fn a_service_without_modal_or_user_has_no_empty_blocks() {
    let text_of = |name: &str| {
        let mut text = String::new();
        drawn(&case(name), &standing(), |_, sheets| text = said(sheets));
        text
    };
    let valuables = text_of("os_valores");
    assert!(!valuables.contains("MODALRODOVIÁRIO") && valuables.contains("TransportedeValores"), "{valuables}");
    let people = text_of("exemplo_pessoas");
    assert!(people.contains("PERCURSODOVEÍCULOSC") && people.contains("SEGURODAVIAGEM"), "{people}");
    let complement = text_of("complemento_de_valor");
    assert!(complement.contains("CT-ECOMPLEMENTADO") && !complement.contains("RNTRC"), "{complement}");
}

#[test]
fn a_file_is_called_what_its_form_is() {
    for (name, title) in [("exemplo_interestadual", "DACTE "), ("exemplo_pessoas", "DACTE OS ")] {
        let xml = case(name);
        let pdf = form::pdf(xml.as_bytes(), &PrintOptions::default()).unwrap();
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let told = format!("/Title({title}{})", Dfe::of(&root).unwrap().chave());
        assert!(pdf.windows(told.len()).any(|part| part == told.as_bytes()), "{told}");
        assert!(form::escpos(xml.as_bytes(), &PrintOptions::default()).unwrap().is_none());
    }
}
