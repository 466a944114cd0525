//! Flaws found by reviewers of the gallery: one test for each that was fixed.

use crate::documents::{answered, case, replaced, within};
use render::form::{
    self, DanfeLayout, Dfe, EpecRegistration, ParsedDocument, PrintOptions, PrintedStatus, ReceiptPaper, event, value,
};
use render::paper::{Length, Sheet, SheetMark};

fn drawn<T>(xml: &str, options: &PrintOptions, judge: impl FnOnce(&[Sheet<'_>]) -> T) -> T {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap().with_status(&options.status);
    judge(&form::sheets(note, options).unwrap())
}

fn lines(xml: &str, options: &PrintOptions) -> Vec<String> {
    drawn(xml, options, |sheets| sheets.iter().flat_map(Sheet::texts).map(|line| line.text.to_string()).collect())
}

fn authorised() -> String {
    answered(&case("producao"), "100", "135260000000001", "2026-11-20T10:00:01-03:00")
}

#[test]
fn taxes_without_amounts_are_not_named() {
    let before = authorised();
    let (start, _) = before.split_once("</total>").unwrap();
    let start = start.split_once("<IBSCBSTot>").map_or(start, |(start, _)| start);
    let behind = before.split_once("</total>").unwrap().1;
    let classic = PrintOptions { layout: Some(DanfeLayout::Classic), ..PrintOptions::default() };
    let empty = format!("{start}<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS></IBSCBSTot></total>{behind}");
    let said = lines(&empty, &classic).join("\n");
    assert!(!said.contains("CBS:") && !said.contains("IBS UF:"), "{said}");
    let some = "<IBSCBSTot><vBCIBSCBS>10.00</vBCIBSCBS><gCBS><vCBS>0.09</vCBS></gCBS></IBSCBSTot>";
    let said = lines(&format!("{start}{some}</total>{behind}"), &classic).join("\n");
    assert!(said.contains("CBS: 0,09") && !said.contains("IBS UF:"), "{said}");
}

#[test]
fn an_addressee_abroad_stands_with_his_country_and_goods_with_their_port() {
    let xml = authorised();
    let (before, after) = xml.split_once("<enderDest>").unwrap();
    let place = replaced(&replaced(after, "xMun", "EXTERIOR"), "UF", "EX");
    let place = place.replacen("</enderDest>", "<cPais>2496</cPais><xPais>ESTADOS UNIDOS</xPais></enderDest>", 1);
    let port = "<exporta><UFSaidaPais>SP</UFSaidaPais><xLocExporta>PORTO DE SANTOS</xLocExporta></exporta>";
    let xml = within(&format!("{before}<enderDest>{place}"), "infNFe", port);
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        let said = lines(&xml, &PrintOptions { layout: Some(layout), ..PrintOptions::default() });
        assert!(said.iter().any(|line| line == "EXTERIOR - ESTADOS UNIDOS"), "{said:?}");
        assert!(said.iter().any(|line| line == "EMBARQUE: PORTO DE SANTOS - SP"), "{said:?}");
    }
    let at_home = lines(&authorised(), &PrintOptions::default());
    assert!(!at_home.iter().any(|line| line.contains("BRASIL") || line.contains("EMBARQUE")), "{at_home:?}");
}

#[test]
fn parts_of_the_emitters_address_are_not_torn() {
    let xml = replaced(&authorised(), "xLgr", "AVENIDA DOS AUTONOMISTAS");
    let xml = replaced(&replaced(&xml, "nro", "1828"), "CEP", "06020010");
    let xml = xml.replacen("<xBairro>", "<xCpl>GALPAO 3</xCpl><xBairro>", 1);
    let letters =
        xml.replace("35261111222333000181550010000000011847362510", "35261112ABC34501DE35550010000000011100001234");
    for xml in [xml, letters] {
        let said = lines(&xml, &PrintOptions::default());
        let has = |text: &str| said.iter().any(|line| line.contains(text));
        assert!(has("GALPAO 3") && has("CEP 06020-010") && has("AUTONOMISTAS, 1828"), "{said:?}");
    }
}

#[test]
fn what_no_authority_knows_invites_nobody_to_look_it_up() {
    let invites = |standing: PrintedStatus| {
        let options = PrintOptions { status: standing, ..PrintOptions::default() };
        lines(&authorised(), &options).iter().any(|line| line.contains("Consulta de autenticidade"))
    };
    assert!(invites(PrintedStatus::Stored) && invites(PrintedStatus::Cancelled { protocol: String::new() }));
    assert!(invites(PrintedStatus::Unanswered) && invites(PrintedStatus::Denied { reason: String::new() }));
    for standing in [
        PrintedStatus::Preview { numbered: true },
        PrintedStatus::Rejected { reason: "610".to_owned() },
        PrintedStatus::Abandoned { reason: "certificado vencido".to_owned() },
    ] {
        assert!(!invites(standing.clone()), "{standing:?}");
    }
}

#[test]
fn an_epec_stands_on_the_emitters_clock() {
    let xml = replaced(&replaced(&case("producao"), "tpEmis", "4"), "dhEmi", "2026-11-20T08:00:00-05:00");
    let epec =
        EpecRegistration { number: "891260000000001".to_owned(), moment: "2026-11-20T10:05:00-03:00".to_owned() };
    for tpImp in ["1", "3"] {
        let options = PrintOptions { epec: Some(epec.clone()), ..PrintOptions::default() };
        let said = lines(&replaced(&xml, "tpImp", tpImp), &options);
        assert!(said.iter().any(|line| line == "891260000000001 - 20/11/2026 08:05:00"), "{tpImp}: {said:?}");
    }
}

#[test]
fn a_label_names_no_code_that_the_address_has_not() {
    let label = replaced(&authorised(), "tpImp", "3");
    let (before, after) = label.split_once("<dest>").unwrap();
    let (address, rest) = after.split_once("<CEP>").unwrap();
    let without = format!("{before}<dest>{address}{}", rest.split_once("</CEP>").unwrap().1);
    let has = |xml: &str| lines(xml, &PrintOptions::default()).iter().any(|line| line.contains("CEP"));
    assert!(has(&label) && !has(&without));
}

#[test]
fn marks_stand_in_the_order_in_which_one_reads() {
    for landscape in [false, true] {
        let options = PrintOptions { landscape: Some(landscape), ..PrintOptions::default() };
        let said = lines(&authorised(), &options);
        let place = |text: &str| said.iter().position(|line| line == text).unwrap_or_else(|| panic!("{text}"));
        let order = [
            "DANFE",
            "CHAVE DE ACESSO",
            "NATUREZA DA OPERAÇÃO",
            "DESTINATÁRIO / REMETENTE",
            "TRANSPORTADOR / VOLUMES TRANSPORTADOS",
            "DADOS DOS PRODUTOS / SERVIÇOS",
            "CFOP",
            "5102",
            "DADOS ADICIONAIS",
        ];
        let places: Vec<usize> = order.map(place).into();
        assert!(places.is_sorted(), "{places:?} {said:?}");
    }
}

const KEY: &str = "35261111222333000181550010000000011847362510";

fn happened(tpEvento: &str, chave: &str, author: &str, detail: &str) -> String {
    format!(
        "<procEventoNFe versao=\"1.00\"><evento versao=\"1.00\"><infEvento><cOrgao>91</cOrgao><tpAmb>1</tpAmb><CNPJ>{author}</CNPJ>\
         <chNFe>{chave}</chNFe><dhEvento>2026-11-20T22:30:00-05:00</dhEvento><tpEvento>{tpEvento}</tpEvento><nSeqEvento>1</nSeqEvento>\
         <detEvento versao=\"1.00\">{detail}</detEvento></infEvento></evento><retEvento versao=\"1.00\"><infEvento><cStat>135</cStat>\
         <xMotivo>Evento registrado e vinculado a NF-e</xMotivo><dhRegEvento>2026-11-21T00:30:07-03:00</dhRegEvento>\
         <nProt>891260000000009</nProt></infEvento></retEvento></procEventoNFe>"
    )
}

/// Texts of an event's form, and the lower edge of their frame.
fn event_form(xml: &str, note: Option<&str>) -> (Vec<String>, Length) {
    let document = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = note.map(|note| ParsedDocument::read(note.as_bytes()).unwrap());
    let sheets = event::sheets(&document, note.as_ref()).unwrap();
    let ends = sheets[0].marks.iter().filter_map(|mark| match mark {
        SheetMark::Outline { frame, .. } => Some(frame.bottom()),
        _ => None,
    });
    (sheets.iter().flat_map(Sheet::texts).map(|line| line.text.to_string()).collect(), ends.max().unwrap())
}

fn has(said: &[String], text: &str) -> bool {
    said.iter().any(|line| line.contains(text))
}

#[test]
fn an_event_speaks_on_the_clock_of_its_author() {
    let xml = happened("110111", KEY, "11222333000181", "<xJust>Pedido desfeito pelo cliente</xJust>");
    let (said, end) = event_form(&xml, None);
    assert!(has(&said, "20/11/2026 22:30:00 (UTC-05:00)"), "{said:?}");
    assert!(has(&said, "891260000000009 - 20/11/2026 22:30:07"), "{said:?}");
    assert!(has(&said, "135 - Evento registrado"), "{said:?}");
    assert_eq!(event::registration(xml.as_bytes()).unwrap(), "891260000000009 - 20/11/2026 22:30:07");
    // two lines of text must not fill a sheet
    assert!(end < Length::mm(150), "{end:?}");
}

#[test]
fn a_cancelled_receipt_is_named_as_one() {
    let receipt = KEY.replacen("8155", "8165", 1);
    for (chave, title) in [(KEY, "CANCELAMENTO DE NF-e"), (receipt.as_str(), "CANCELAMENTO DE NFC-e")] {
        let (said, _) = event_form(&happened("110111", chave, "11222333000181", "<xJust>Desistência</xJust>"), None);
        assert!(said.iter().any(|line| line == title), "{said:?}");
    }
}

#[test]
fn the_form_of_an_actor_names_him_and_what_he_may() {
    for (may, word) in [("0", "Não"), ("1", "Sim")] {
        let detail = format!("<autXML><CNPJ>60701190000104</CNPJ></autXML><tpAutorizacao>{may}</tpAutorizacao>");
        let (said, _) = event_form(&happened("110150", KEY, "11222333000181", &detail), Some(&authorised()));
        let heading = said.iter().position(|line| line.starts_with("TRANSPORTADOR AUTORIZADO")).unwrap();
        assert_eq!(said[heading + 1], "60.701.190/0001-04");
        assert!(said.iter().any(|line| line == word), "{said:?}");
        assert!(has(&said, "11.222.333/0001-81 - EMITENTE"), "{said:?}");
    }
}

#[test]
fn a_word_of_the_addressee_says_what_it_means() {
    for (tpEvento, title, means) in [
        ("210200", "CONFIRMAÇÃO DA OPERAÇÃO", "confirma a operação"),
        ("210210", "CIÊNCIA DA OPERAÇÃO", "declara ciência"),
        ("210220", "DESCONHECIMENTO DA OPERAÇÃO", "desconhece a operação"),
        ("210240", "OPERAÇÃO NÃO REALIZADA", "não se realizou"),
    ] {
        let (said, _) = event_form(&happened(tpEvento, KEY, "12ABC34501DE35", ""), None);
        assert!(has(&said, title) && has(&said, means), "{said:?}");
        assert!(has(&said, "12.ABC.345/01DE-35 - DESTINATÁRIO"), "{said:?}");
    }
}

#[test]
fn conditions_of_use_are_read_with_their_accents() {
    let plain = "A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N, de 15 de dezembro de 1970 e pode ser utilizada para regularizacao de erro ocorrido na emissao de documento fiscal, desde que o erro nao esteja relacionado com: I - as variaveis que determinam o valor do imposto tais como: base de calculo, aliquota, diferenca de preco, quantidade, valor da operacao ou da prestacao; II - a correcao de dados cadastrais que implique mudanca do remetente ou do destinatario; III - a data de emissao ou de saida.";
    let detail = format!("<xCorrecao>Uma correção qualquer</xCorrecao><xCondUso>{plain}</xCondUso>");
    let (said, _) = event_form(&happened("110110", KEY, "11222333000181", &detail), None);
    assert!(has(&said, "A Carta de Correção é disciplinada pelo § 1º-A"), "{said:?}");
}

#[test]
fn a_file_is_called_what_its_form_is() {
    let receipt = case("nfce_producao");
    for (xml, title) in [
        (authorised(), "DANFE "),
        (replaced(&authorised(), "tpImp", "3"), "DANFE Simplificado "),
        (replaced(&authorised(), "tpImp", "6"), "DANFE Simplificado Tipo 2 "),
        (receipt, "DANFE NFC-e "),
    ] {
        let pdf = form::pdf(xml.as_bytes(), &PrintOptions::default()).unwrap();
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let title = format!("{title}{}", Dfe::of(&root).unwrap().chave());
        let told = [format!("/Title({title})"), format!(">{title}</rdf:li>")];
        for told in told {
            assert!(pdf.windows(told.len()).any(|part| part == told.as_bytes()), "{told}");
        }
    }
}

#[test]
fn date_and_time_of_a_receipt_are_not_torn_apart() {
    let xml = case("nfce_producao");
    let moment = value::moment(Dfe::of(&ParsedDocument::read(xml.as_bytes()).unwrap()).unwrap().text("ide/dhEmi"));
    for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
        let options = PrintOptions { paper, ..PrintOptions::default() };
        assert!(lines(&xml, &options).iter().any(|line| line == &moment), "{paper:?} {moment}");
        let bytes = form::escpos(xml.as_bytes(), &options).unwrap().unwrap();
        assert!(bytes.windows(moment.len()).any(|part| part == moment.as_bytes()), "{paper:?} {moment}");
    }
}
