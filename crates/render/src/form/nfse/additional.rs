//! Texts: the complementary information, the totals of Lei 12.741, and the stub that the taker signs.
//!
//! Law: NT 008, 2.1.12 and 2.1.13, notes 7 to 11. The stub is optional: it is omitted when the texts need its room.

use super::block::{BlockPart, DanfseBlock, FreeText};
use super::formats;
use super::note::NationalNote;
use super::page::{DanfsePage, across};
use super::row::{CAPITALS, CONTENT};
use crate::form::stored::StoredElement;
use crate::form::value;
use crate::paper::{Frame, Length};

const LIMIT: usize = 2000;
const STUB: Length = Length::tenths(67);
const STUB_GAP: Length = Length::tenths(10);
const STROKE: Length = Length::decipoints(5);

pub(super) fn block<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let told = formats::cut(&labelled_texts(note).join(" | "), LIMIT);
    DanfseBlock::new(vec![
        BlockPart::Strip("INFORMAÇÕES COMPLEMENTARES"),
        BlockPart::Words(FreeText::new("", &told)),
        BlockPart::Plain(taxes(note).into()),
    ])
}

fn labelled_texts(note: &NationalNote<'_>) -> Vec<String> {
    let items = note.group("serv/infoCompl/gItemPed").into_iter().flat_map(|group| group.children());
    let items: Vec<&str> = items.map(|item| item.text()).collect();
    let items = items.join(", ");
    let house = note.dps("serv/obra/inscImobFisc");
    let house = if house.is_empty() { note.dps("IBSCBS/imovel/inscImobFisc") } else { house };
    let parts = [
        ("Inf. Cont.:", note.dps("serv/infoCompl/xInfComp")),
        ("NFS-e Subst.:", note.dps("subst/chSubstda")),
        ("Doc. Ref.:", note.dps("serv/infoCompl/docRef")),
        ("Cod. Obra:", note.dps("serv/obra/cObra")),
        ("Insc. Imob.:", house),
        ("Cod. Evt.:", note.dps("serv/atvEvento/idAtvEvt")),
        ("Doc. Tec.:", note.dps("serv/infoCompl/idDocTec")),
        ("Núm. Ped.:", note.dps("serv/infoCompl/xPed")),
        ("Item Ped.:", &items),
        ("Inf. A. T. Mun.:", note.nfse("xOutInf")),
    ];
    let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
    parts.map(|(name, text)| format!("{name} {text}")).collect()
}

/// Line of the approximate taxes, always present: amounts, rates, or the only rate of the Simples; dashes when the
/// emitter states none.
fn taxes(note: &NationalNote<'_>) -> String {
    let at = |path: &str| note.dps(&format!("valores/trib/totTrib/{path}"));
    let rate = |text: &str| if text.is_empty() { String::new() } else { format!("{} %", value::amount(text)) };
    let parts = |group: &str, shown: fn(&str) -> String| {
        ["Fed", "Est", "Mun"].map(|of| shown(at(&format!("{group}/{group}{of}"))))
    };
    let begins = "Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012:";
    let said = match () {
        () if has(note, "vTotTrib").is_some() => parts("vTotTrib", formats::money),
        () if has(note, "pTotTrib").is_some() => parts("pTotTrib", rate),
        () if !at("pTotTribSN").is_empty() => return format!("{begins} {}", rate(at("pTotTribSN"))),
        () => [const { String::new() }; 3],
    };
    let [federal, state, municipal] = said.map(|text| if text.is_empty() { "-".to_owned() } else { text });
    format!("{begins} Federais: {federal} ; Estaduais: {state} ; Municipais: {municipal}")
}

fn has<'x>(note: &NationalNote<'x>, group: &str) -> Option<StoredElement<'x>> {
    note.group(&format!("valores/trib/totTrib/{group}"))
}

/// Height of the stub; zero for a DPS without note.
pub(super) fn stub_height(note: &NationalNote<'_>) -> Length {
    if note.has_authority_part() { STUB + STUB_GAP } else { Length::ZERO }
}

/// Draws the stub above a height.
pub(super) fn draw_stub<'x>(page: &mut DanfsePage<'x>, note: &NationalNote<'x>, bottom: Length) {
    let y = bottom - STUB;
    let number = formats::join_with_dashes(&[note.nfse("nNFSe"), note.dfe.chave()]);
    let cells = [
        ("DATA CIENTIFICAÇÃO", across(0, 1), String::new()),
        ("IDENTIFICAÇÃO E ASSINATURA", across(1, 1), String::new()),
        ("Nº NFS-e / CHAVE NFS-e", across(2, 2), number),
    ];
    let (x, width) = across(0, 4);
    page.sheet.outline(Frame::new(x, y, width, STUB), STROKE);
    for (place, (label, (x, width), content)) in cells.into_iter().enumerate() {
        if place > 0 {
            page.sheet.down(x, y, STUB, STROKE);
        }
        let room = Frame::new(x, y, width, STUB).inside(Length::tenths(6));
        page.sheet.line(room, CAPITALS, label);
        page.sheet.line(room.split_top(CAPITALS.leading()).1, CONTENT, content);
    }
}
