//! Emitter's box at the head of a sheet, with the logo.
//!
//! Law: MOC 7.0, Anexo II, 3.1.2; MOC CT-e 4.00, Anexo II (name, whole address, telephone; a logo that covers nothing).

use super::dfe::Dfe;
use super::grid::{PADDING, STROKE, block, contained};
use super::value;
use crate::paper::{Frame, Length, Sheet, SheetMark, TextAlign, TextStyle, Typeface};

/// Draws the box; each text of `more` has a line below the address.
pub(super) fn draw(sheet: &mut Sheet<'_>, frame: Frame, dfe: Dfe<'_>, logo: Option<(u32, u32)>, more: &[String]) {
    sheet.outline(frame, STROKE);
    let mut room = frame.inside(PADDING);
    if let Some(logo) = logo {
        let (side, beside) = room.split_left((room.width / 3).min(Length::mm(26)));
        sheet.marks.push(SheetMark::Picture { frame: contained(side.inside(PADDING), logo), index: 0 });
        room = beside;
    }
    let name = TextStyle::new(Typeface::SerifBold, 120).aligned(TextAlign::Centre);
    let (began, three) = (sheet.marks.len(), Frame { height: name.leading() * 3, ..room });
    let used = block(sheet, three, name, dfe.text("emit/xNome"));
    let (_, below) = room.split_top(used);
    let style = TextStyle::new(Typeface::SerifBold, 80).aligned(TextAlign::Centre);
    let mut lines = address(dfe, style, room.width);
    lines.extend_from_slice(more);
    let used = used + block(sheet, below, style, &lines.join("\n"));
    sheet.move_down(began, (room.height - used) / 2);
}

fn address(dfe: Dfe<'_>, style: TextStyle, width: Length) -> Vec<String> {
    let at = |tag: &str| dfe.text(&format!("emit/enderEmit/{tag}"));
    let street = [dfe.address("emit/enderEmit", &["xLgr", "nro"]), at("xCpl").to_owned(), at("xBairro").to_owned()];
    let town = [format!("{} - {}", at("xMun"), at("UF")), named("CEP", value::cep(at("CEP")))];
    let mut lines = join_in_lines(&street, ", ", style, width);
    lines.extend(join_in_lines(&town, "  ", style, width));
    lines.extend(join_in_lines(&[named("Fone", value::phone(at("fone")))], "", style, width));
    lines
}

fn named(name: &str, content: String) -> String {
    if content.is_empty() { content } else { format!("{name} {content}") }
}

/// Joins parts in as few lines as possible. A part that fits a line is never broken.
pub(super) fn join_in_lines(parts: &[String], between: &str, style: TextStyle, width: Length) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let longer = lines.last().map(|line| [line, between, part].concat());
        match (lines.last_mut(), longer.filter(|line| style.face.width(line, style.size) <= width)) {
            (Some(line), Some(longer)) => *line = longer,
            _ => lines.push(part.clone()),
        }
    }
    lines
}
