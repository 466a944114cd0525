//! Geometry, type, code, marks, and texts without room on the sheet.

use super::{dps, drawn, made, note, notes, said, squeezed};
use crate::documents::{declarations, longest, replaced, within};
use crate::fate::has_a_code;
use crate::geometry::judged;
use crate::judges::Printed;
use render::form::{self, Dfe, ParsedDocument, PrintOptions, PrintedStatus};
use render::paper::{Ink, Length, SheetMark, TextRotation, Typeface};

const PORTAL: &str = "https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=";

#[test]
fn every_golden_note_stands_in_its_frames_in_legal_type() {
    for (name, xml) in notes() {
        drawn(&xml, &PrintOptions::default(), |_, sheet| {
            judged(&name, std::slice::from_ref(sheet));
            for line in sheet.texts() {
                let (least, face) = match line.text.as_ref() {
                    text if text.starts_with("DANFSe v2")
                        || text.ends_with("da NFS-e") && line.size > Length::decipoints(80) =>
                    {
                        (90, Typeface::SansBold)
                    }
                    text if text.starts_with("Município: ") => (80, Typeface::Sans),
                    _ if line.face == Typeface::SansBold => (60, Typeface::SansBold),
                    _ if line.at.1 < Length::tenths(450) && line.at.0 > Length::tenths(1500) => (60, Typeface::Sans),
                    _ => (70, Typeface::Sans),
                };
                assert!(line.size >= Length::decipoints(least), "{name}: {:?} {:?}", line.text, line.size);
                assert_eq!(line.face, face, "{name}: {:?}", line.text);
            }
        });
    }
}

#[test]
fn the_longest_texts_stand_in_their_frames() {
    for (name, dps) in declarations() {
        for (letter, spaced) in [('W', false), ('Ç', true), ('i', true)] {
            let long: String = (1..=2000).map(|place| if spaced && place % 11 == 0 { ' ' } else { letter }).collect();
            let short: String = long.chars().take(80).collect();
            let stretched = longest(&dps, letter, spaced);
            let xml = ["xDescServ", "xInfComp", "docRef"].iter().fold(stretched, |xml, tag| replaced(&xml, tag, &long));
            let xml = ["xNome", "email", "xLgr"].iter().fold(xml, |xml, tag| replaced(&xml, tag, &short));
            for xml in [made(&xml), xml] {
                drawn(&xml, &PrintOptions::default(), |_, sheet| {
                    judged(&format!("{name} of {letter}"), std::slice::from_ref(sheet))
                });
            }
        }
    }
}

/// The fullest note: four parties, and both texts of maximal length.
fn full() -> String {
    let words = |word: &str, count: usize| (1..=count).map(|n| format!("{word}{n:03} ")).collect::<String>();
    let xml = dps("ibs_cbs_destinatario");
    let party = "<end><endNac><cMun>3304557</cMun><CEP>20040002</CEP></endNac><xLgr>Avenida Rio Branco</xLgr><nro>1</nro><xBairro>Centro</xBairro></end>\
                 <email>a@exemplo.com.br</email>";
    let xml = xml.replace("<xNome>BELTRANO</xNome>", &format!("<xNome>BELTRANO</xNome>{party}"));
    let taker = xml.split_once("<toma>").unwrap().1.split_once("</toma>").unwrap().0.to_owned();
    let xml = xml.replace("</toma>", &format!("</toma><interm>{taker}</interm>"));
    let xml = replaced(&xml, "xDescServ", words("SERVICO", 180).trim());
    let more = format!("<infoCompl><xInfComp>{}</xInfComp></infoCompl>", words("INFORMA", 180).trim());
    made(&within(&xml, "serv", &more))
}

#[test]
fn texts_that_one_sheet_has_no_room_for_end_in_dots_and_the_totals_stay() {
    drawn(&full(), &PrintOptions::default(), |_, sheet| {
        judged("full", std::slice::from_ref(sheet));
        let all = said(sheet);
        assert!(all.contains("SERVICO060") && all.contains("INFORMA060"), "{all}");
        // 1,300 letters are 118 words of eleven
        assert!(!all.contains("SERVICO119") && all.matches("...").count() == 2, "{all}");
        assert!(all.contains(&squeezed("Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012: Federais: 0,00 %")));
        assert!(all.contains("INTERMEDIÁRIODAOPERAÇÃOCNPJ/CPF/NIF12.ABC.345/01DE-35"));
    });
}

#[test]
fn a_text_that_fits_is_whole_and_the_stub_gives_way_to_it() {
    let stub = squeezed("IDENTIFICAÇÃO E ASSINATURA");
    drawn(&note("minima"), &PrintOptions::default(), |note, sheet| {
        let all = said(sheet);
        assert!(all.contains(&format!("{stub}NºNFS-e/CHAVENFS-e17/{}", note.chave())), "{all}");
    });
    let words: String = (1..=117).map(|n| format!("SERVICO{n:03} ")).collect();
    let more: String = (1..=170).map(|n| format!("INFORMA{n:03} ")).collect();
    let xml = replaced(&dps("informacoes_complementares"), "xDescServ", words.trim());
    drawn(&made(&replaced(&xml, "xInfComp", more.trim())), &PrintOptions::default(), |_, sheet| {
        let all = said(sheet);
        for n in 1..=117 {
            assert!(all.contains(&format!("SERVICO{n:03}")), "{n}");
        }
        for n in 1..=170 {
            assert!(all.contains(&format!("INFORMA{n:03}")), "{n}");
        }
        judged("whole", std::slice::from_ref(sheet));
    });
    drawn(&full(), &PrintOptions::default(), |_, sheet| assert!(!said(sheet).contains(&stub)));
}

/// Two thousand letters of every width, in words and without a blank, in the fullest note and in the barest: each line
/// is between the title of the block and the totals below it, and inside of its width.
#[test]
fn two_thousand_letters_of_information_stay_in_their_block() {
    let bare = dps("informacoes_complementares");
    let texts = ["W", "i", "Ç", "Informação ", "a|", "2026-11-20/NF-e 123,45; ", "(ii) "];
    for text in texts.map(|word| word.repeat(2_000).chars().take(2_000).collect::<String>()) {
        let text = text.trim().to_owned();
        for xml in [full(), made(&bare), bare.clone()] {
            drawn(&replaced(&xml, "xInfComp", &text), &PrintOptions::default(), |_, sheet| {
                judged(&text.chars().take(8).collect::<String>(), std::slice::from_ref(sheet));
                let at = |begins: &str| sheet.texts().find(|line| line.text.starts_with(begins)).unwrap().at.1;
                let (title, totals) = (at("INFORMAÇÕES COMPLEMENTARES"), at("Totais Aproximados"));
                assert!(title < totals && totals < Length::tenths(2940), "{text}");
                let inside = sheet.texts().filter(|line| line.at.1 > title && line.at.1 < totals).count();
                assert!(inside > 0, "{text}");
            });
        }
    }
}

#[test]
fn the_code_is_read_and_leads_to_the_portal() {
    for name in ["minima", "exemplo_cnpj_alfanumerico", "pessoa_fisica", "exemplo_retencoes_ibs_cbs"] {
        let xml = note(name);
        let printed =
            Printed::new(&format!("danfse-code-{name}"), &form::pdf(xml.as_bytes(), &PrintOptions::default()).unwrap());
        let document = ParsedDocument::read(xml.as_bytes()).unwrap();
        let chave = Dfe::of(&document).unwrap().chave();
        assert_eq!(chave.len(), 50);
        assert_eq!(printed.codes(), [format!("{PORTAL}{chave}")], "{name}");
    }
}

#[test]
fn the_code_is_as_large_as_the_law_wants() {
    drawn(&note("minima"), &PrintOptions::default(), |_, sheet| {
        let modules = sheet.drawn().find_map(|mark| match mark {
            SheetMark::Fill { frames, .. } if frames.len() > 20 => Some(frames),
            _ => None,
        });
        let modules = modules.unwrap();
        let left = modules.iter().map(|frame| frame.x).min().unwrap();
        let right = modules.iter().map(render::paper::Frame::right).max().unwrap();
        assert!(right - left >= Length::tenths(152), "{:?}", right - left);
    });
}

/// Texts across the sheet, with their ink.
fn marks(xml: &str, standing: PrintedStatus) -> Vec<(String, Ink)> {
    drawn(xml, &PrintOptions { status: standing, ..PrintOptions::default() }, |_, sheet| {
        judged("marked", std::slice::from_ref(sheet));
        let across = sheet.texts().filter(|line| line.rotation == TextRotation::Rising);
        across
            .map(|line| {
                assert!(line.size >= Length::decipoints(120) && line.face == Typeface::Sans, "{:?}", line.text);
                (line.text.to_string(), line.ink)
            })
            .collect()
    })
}

#[test]
fn what_was_cancelled_or_substituted_says_so_in_the_grey_of_the_law() {
    let xml = note("minima");
    let law = Ink::Grey(166);
    assert_eq!(marks(&xml, PrintedStatus::Stored), []);
    let cancelled = PrintedStatus::Cancelled { protocol: "992 - 21/11/2026 10:00:01".to_owned() };
    assert_eq!(marks(&xml, cancelled.clone()), [("CANCELADA".to_owned(), law)]);
    assert_eq!(marks(&xml, PrintedStatus::Substituted), [("SUBSTITUÍDA".to_owned(), law)]);
    for standing in [cancelled, PrintedStatus::Substituted] {
        // the query shows the same status
        drawn(&xml, &PrintOptions { status: standing, ..PrintOptions::default() }, |_, sheet| {
            assert!(has_a_code(sheet))
        });
    }
}

#[test]
fn what_no_authority_made_says_so_and_has_no_code() {
    let xml = dps("minima");
    let reason = || "E0014 - Conjunto já informado".to_owned();
    for (standing, words) in [
        (PrintedStatus::Stored, ["DPS de que nenhuma NFS-e foi gerada", "SEM VALOR FISCAL"]),
        (PrintedStatus::Preview { numbered: false }, ["PRÉVIA: nada foi emitido", "SEM VALOR FISCAL"]),
        (PrintedStatus::Unanswered, ["AINDA NÃO AUTORIZADA: aguarda a resposta da autoridade", "SEM VALOR FISCAL"]),
        (
            PrintedStatus::Rejected { reason: reason() },
            ["REJEITADA: E0014 - Conjunto já informado", "SEM VALOR FISCAL"],
        ),
    ] {
        let found: Vec<String> = marks(&xml, standing.clone()).into_iter().map(|(words, _)| words).collect();
        assert_eq!(found, words);
        let numbered = !matches!(standing, PrintedStatus::Preview { .. });
        drawn(&xml, &PrintOptions { status: standing, ..PrintOptions::default() }, |_, sheet| {
            assert!(!has_a_code(sheet));
            let all = said(sheet);
            assert!(all.contains("CHAVEDEACESSODANFS-e-NÚMERODANFS-e-"), "{all}");
            assert!(all.contains(if numbered { "NÚMERODADPS1" } else { "NÚMERODADPS-" }), "{all}");
            assert!(!all.contains("Aautenticidade") && !all.contains("ASSINATURA"), "{all}");
        });
    }
}

#[test]
fn a_test_is_told_in_red_and_a_real_note_is_not() {
    const TEST: &str = "NFS-e SEM VALIDADE JURÍDICA";
    let red = |xml: &str| {
        drawn(xml, &PrintOptions::default(), |_, sheet| {
            sheet.texts().filter(|line| line.ink == Ink::Red).map(|line| line.text.to_string()).collect::<Vec<_>>()
        })
    };
    assert_eq!(red(&note("minima")), [TEST]);
    let real = replaced(&note("minima"), "tpAmb", "1");
    assert!(red(&real).is_empty());
    drawn(&real, &PrintOptions::default(), |_, sheet| {
        let all = said(sheet);
        assert!(all.contains("TipodeAmbiente:Produção") && !all.contains("SEMVALIDADE"), "{all}");
    });
    let printed = Printed::new("danfse-red", &form::pdf(note("minima").as_bytes(), &PrintOptions::default()).unwrap());
    assert!(printed.has_red());
}

#[test]
fn blocks_of_nobody_are_one_line() {
    let told = |xml: &str| drawn(xml, &PrintOptions::default(), |_, sheet| said(sheet));
    let all = told(&note("sem_tomador"));
    for line in [
        "TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e",
        "DESTINATÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e",
        "INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e",
    ] {
        assert!(all.contains(&squeezed(line)), "{line} is not in {all}");
    }
    let all = told(&note("ibs_cbs"));
    assert!(all.contains(&squeezed("O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO")), "{all}");
    assert!(told(&note("intermediario")).contains("INTERMEDIÁRIODAOPERAÇÃOCNPJ/CPF/NIF"));
    assert!(told(&note("nao_incidencia")).contains(&squeezed("OPERAÇÃO NÃO SUJEITA AO ISSQN")));
}

#[test]
fn contributions_withheld_in_the_old_way_are_summed_and_have_no_row_after_2026() {
    let xml = replaced(&note("exemplo_retencoes_ibs_cbs"), "tpRetPisCofins", "1");
    let told = |xml: &str| drawn(xml, &PrintOptions::default(), |_, sheet| said(sheet));
    let all = told(&xml);
    // 465.00 + 65.00 + 300.00
    assert!(all.contains("ContribuiçõesSociais-RetidasR$830,00"), "{all}");
    assert!(all.contains("PIS-DébitoApuraçãoPrópriaR$0,00COFINS-DébitoApuraçãoPrópriaR$0,00"), "{all}");
    let later = told(&replaced(&note("exemplo_retencoes_ibs_cbs"), "dCompet", "2027-01-01"));
    assert!(later.contains("ContribuiçõesSociais-RetidasR$465,00") && !later.contains("PIS-Débito"), "{later}");
    // reimbursed 7.77, ISSQN 500.00, and the contributions 365.00 while the base excludes them
    let excluded = |amount: &str| format!("ExclusõeseReduçõesdaBasedeCálculoR${amount}");
    assert!(all.contains(&excluded("872,77")), "{all}");
    assert!(later.contains(&excluded("507,77")), "{later}");
}

#[test]
fn a_note_of_nt_009_prints_what_the_layout_in_force_prints() {
    let golden = [
        ("ibs_cbs", include_str!("../../../../fiscal/tests/golden/nfse_nt009/ibs_cbs.xml")),
        ("ibs_cbs_destinatario", include_str!("../../../../fiscal/tests/golden/nfse_nt009/ibs_cbs_destinatario.xml")),
    ];
    let told = |xml: &str| drawn(xml, &PrintOptions::default(), |_, sheet| said(sheet));
    for (name, dps) in golden {
        let printed = told(&made(dps));
        assert_eq!(printed, told(&note(name)), "{name}");
        let debit = told(&made(&replaced(dps, "finNFSe", "2")));
        assert!(debit.contains("NFS-ededébito"), "{debit}");
    }
}

#[test]
fn a_service_that_is_no_business_of_a_town_names_none_in_the_head() {
    let told = |code: &str| {
        drawn(&replaced(&note("minima"), "cTribNac", code), &PrintOptions::default(), |_, sheet| said(sheet))
    };
    assert!(told("010101").contains("Município:SãoPaulo/SP"));
    assert!(!told("990101").contains("Município:"));
}

#[test]
fn a_file_is_called_what_its_form_is() {
    let xml = note("minima");
    let pdf = form::pdf(xml.as_bytes(), &PrintOptions::default()).unwrap();
    let document = ParsedDocument::read(xml.as_bytes()).unwrap();
    let title = format!("/Title(DANFSe {})", Dfe::of(&document).unwrap().chave());
    assert!(pdf.windows(title.len()).any(|part| part == title.as_bytes()), "{title}");
    assert!(form::has_form("NFSe") && form::has_form("DPS"));
    assert!(form::escpos(xml.as_bytes(), &PrintOptions::default()).unwrap().is_none());
    assert!(form::pdf(b"<NFSe><infNFSe Id=\"NFS1\"/></NFSe>", &PrintOptions::default()).is_err());
}
