//! The first sheet has items whatever the blocks above them, shows the payments, and its stub names goods and emitter.

use crate::documents::{case, golden, numbered, replaced, within};
use render::form::value::{amount, date};
use render::form::{self, DanfeLayout, Dfe, ParsedDocument, PrintOptions};
use render::paper::{Sheet, TextRotation};

fn squeezed<'s>(sheets: impl IntoIterator<Item = &'s Sheet<'s>>) -> String {
    let texts: Vec<String> = sheets.into_iter().flat_map(Sheet::texts).map(|line| line.text.to_string()).collect();
    texts.iter().flat_map(|text| text.split_whitespace()).collect()
}

fn in_all_layouts(xml: &str, judge: impl Fn(&str, Dfe<'_>, &[Sheet<'_>])) {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap();
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        for landscape in [false, true] {
            let options = PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
            judge(&format!("{layout:?} {landscape}"), note, &form::sheets(note, &options).unwrap());
        }
    }
}

/// A document with many instalments and volumes, places of pick-up and delivery, and every optional row of the totals.
fn crowded(instalments: usize, volumes: usize, items: usize) -> String {
    let xml = numbered(&replaced(&case("retirada_e_entrega"), "tpImp", "1"), items);
    let dups: String = (1..=instalments)
        .map(|n| format!("<dup><nDup>D{n:03}</nDup><dVenc>2027-01-20</dVenc><vDup>{}.50</vDup></dup>", 5000 + n))
        .collect();
    let vols: String = (1..=volumes)
        .map(|n| format!("<vol><qVol>{n}</qVol><esp>ESPECIE{n:03}</esp><marca>M</marca><nVol>N{n:03}</nVol><pesoL>{n}.100</pesoL><pesoB>{n}.200</pesoB></vol>"))
        .collect();
    let charges = format!(
        "<cobr><fat><nFat>F1</nFat><vOrig>10.00</vOrig><vDesc>1.00</vDesc><vLiq>9.00</vLiq></fat>{dups}</cobr>"
    );
    let xml = within(&xml, "transp", &vols);
    let issqn = "<ISSQNtot><vServ>0.00</vServ></ISSQNtot>";
    let mono = "<qBCMono>1.00</qBCMono><vICMSMono>1.00</vICMSMono><vICMSUFDest>1.00</vICMSUFDest>";
    within(&within(&within(&xml, "infNFe", &charges), "total", issqn), "ICMSTot", mono)
}

#[test]
fn products_begin_on_the_first_sheet_whatever_stands_above_them() {
    for (instalments, volumes) in [(3, 1), (15, 6), (40, 12), (120, 30)] {
        for items in [1, 40] {
            in_all_layouts(&crowded(instalments, volumes, items), |name, _, sheets| {
                let about = format!("{name}, {instalments} duplicatas, {volumes} volumes, {items} items");
                assert!(sheets[0].texts().any(|line| line.text.starts_with("PRODUTO NUMERO 00001")), "{about}");
                let all = squeezed(sheets);
                for n in 1..=instalments {
                    assert_eq!(all.matches(&format!("D{n:03}")).count(), 1, "{about}: D{n:03}");
                }
                for n in 1..=volumes {
                    assert_eq!(all.matches(&format!("ESPECIE{n:03}")).count(), 1, "{about}: volume {n}");
                }
            });
        }
    }
}

#[test]
fn a_note_without_invoice_says_how_it_was_paid() {
    for name in ["pagamento_misto_com_troco", "pagamento_pix", "pagamento_outros", "producao", "cobranca"] {
        in_all_layouts(&case(name), |layout, note, sheets| {
            let all = squeezed(sheets);
            let said = all.to_lowercase();
            assert!(said.contains("pagamento"), "{name} {layout}: {all}");
            for paid in note.all("pag", "detPag") {
                let told = format!(":{}", amount(paid.text_at("vPag").unwrap()));
                assert!(all.contains(&told), "{name} {layout}: {told} in {all}");
            }
            if !note.text("pag/vTroco").is_empty() {
                assert!(said.contains("troco") && all.contains(&amount(note.text("pag/vTroco"))), "{name} {layout}");
            }
        });
    }
    in_all_layouts(&case("pagamento_misto_com_troco"), |layout, _, sheets| {
        assert!(sheets[0].texts().any(|line| line.text == "PAGAMENTO"), "{layout}");
        assert!(squeezed(sheets).contains("Dinheiro:"), "{layout}");
    });
}

#[test]
fn thirty_ways_of_payment_are_all_told() {
    let many: String =
        (1..=30).map(|n| format!("<detPag><tPag>01</tPag><vPag>{}.77</vPag></detPag>", 100 + n)).collect();
    let xml = case("producao");
    let (before, after) = xml.split_once("<pag>").unwrap();
    let xml = format!("{before}<pag>{many}{}", &after[after.find("</pag>").unwrap()..]);
    in_all_layouts(&xml, |layout, _, sheets| {
        let all = squeezed(sheets);
        for n in 1..=30 {
            assert_eq!(all.matches(&format!("Dinheiro:{},77", 100 + n)).count(), 1, "{layout}: {n} in {all}");
        }
    });
}

#[test]
fn the_stub_of_either_form_names_what_is_received_by_whom() {
    in_all_layouts(&case("producao"), |layout, note, sheets| {
        let stub = |line: &&render::paper::TextLine<'_>| match layout.ends_with("true") {
            true => line.rotation == TextRotation::Up,
            false => line.room.y < render::paper::Length::mm(20),
        };
        let said: String = sheets[0].texts().filter(stub).flat_map(|line| line.text.split_whitespace()).collect();
        for told in [
            note.text("emit/xNome").to_owned(),
            note.text("dest/xNome").to_owned(),
            date(note.text("ide/dhEmi")),
            format!("R$ {}", amount(note.text("total/ICMSTot/vNF"))),
            note.number(),
            "DATA DE RECEBIMENTO".to_owned(),
        ] {
            let told: String = told.split_whitespace().collect();
            assert!(said.contains(&told), "{layout}: {told} in {said}");
        }
        assert!(!said.contains("..."), "{layout}: {said}");
    });
}

#[test]
fn notes_of_credit_and_debit_say_so_and_of_which_kind() {
    let (_, xml) = golden().into_iter().find(|(_, xml)| xml.contains("<finNFe>1</finNFe>")).unwrap();
    for (purpose, said) in [
        ("<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>", "NOTA DE CRÉDITO 03 - RETORNO POR RECUSA"),
        ("<finNFe>6</finNFe><tpNFDebito>06</tpNFDebito>", "NOTA DE DÉBITO 06 - PAGAMENTO ANTECIPADO"),
    ] {
        let xml = replaced(&xml, "tpImp", "1").replace("<finNFe>1</finNFe>", purpose);
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let options = PrintOptions::default();
        let sheets = form::sheets(Dfe::of(&root).unwrap(), &options).unwrap();
        assert!(sheets[0].texts().any(|line| line.text.contains(said)), "{said}");
    }
}
