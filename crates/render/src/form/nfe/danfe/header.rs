//! Head of the sheets: the receipt stub, and the emitter beside the DANFE box and the key.
//!
//! Law: MOC 7.0, Anexo II, 3.1.1 to 3.1.3, 3.7 (sizes of type) and 3.9 (fields 1 and 2); NTCJ 2025.001 (bars of a key
//! with letters).

use super::DanfeContext;
use super::extra::SECURITY_PAPER;
use crate::form::dfe::Dfe;
use crate::form::grid::{PADDING, STROKE, block, fitted};
use crate::form::{emitter, key, value};
use crate::paper::{Frame, Length, Sheet, SheetMark, TextAlign, TextStyle, Typeface, text};

/// Height of the header.
pub(super) const HEIGHT: Length = Length::mm(36);
/// Height of the stub of a portrait form; its width on a landscape one.
pub(super) const STUB: Length = Length::mm(18);
/// Gap between the stub and the form.
pub(super) const TEAR: Length = Length::mm(3);

const BOX: Length = Length::mm(35);
const AUTHENTICITY: &str = "Consulta de autenticidade no portal nacional da NF-e www.nfe.fazenda.gov.br/portal ou no site da Sefaz Autorizadora";
const SMALL: TextStyle = TextStyle::new(Typeface::Serif, 60);
const PLAIN: TextStyle = TextStyle::new(Typeface::Serif, 80);
const BOLD: TextStyle = TextStyle::new(Typeface::SerifBold, 100);

/// Draws emitter, DANFE box and key; returns the room of the sheet's number.
pub(super) fn draw<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DanfeContext<'x>) -> Frame {
    let key = Length::tenths(context.key_column());
    let (issuer, rest) = frame.split_left(frame.width - BOX - key);
    let (danfe, key) = rest.split_left(BOX);
    emitter::draw(sheet, issuer, context.note, context.logo, &[]);
    let folio = draw_box(sheet, danfe, context);
    draw_key(sheet, key, context);
    folio
}

/// Draws the number of the sheet and of all sheets.
pub(super) fn draw_folio(sheet: &mut Sheet<'_>, room: Frame, page: usize, pages: usize) {
    sheet.line(room, BOLD.aligned(TextAlign::Centre), format!("FOLHA {page}/{pages}"));
}

fn draw_box<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DanfeContext<'x>) -> Frame {
    sheet.outline(frame, STROKE);
    let note = context.note;
    let room = frame.inside(PADDING);
    let centred = |style: TextStyle| style.aligned(TextAlign::Centre);
    let used = sheet.lines(room, centred(TextStyle::new(Typeface::SerifBold, 120)), ["DANFE"]);
    let (_, room) = room.split_top(used);
    let words = ["DOCUMENTO AUXILIAR", "DA NOTA FISCAL", "ELETRÔNICA"];
    let used = sheet.lines(room, centred(PLAIN), words);
    let (_, room) = room.split_top(used + PADDING);
    let (kind, below) = room.split_top(Length::mm(7));
    let (names, digit) = kind.split_left(kind.width - Length::mm(8));
    sheet.lines(Frame { x: names.x + Length::mm(3), ..names }, PLAIN, ["0 - ENTRADA", "1 - SAÍDA"]);
    let square = Frame::new(digit.x, digit.y + PADDING, Length::mm(6), Length::mm(6));
    sheet.outline(square, STROKE);
    sheet.line(Frame { y: square.y + Length::tenths(9), ..square }, centred(BOLD), note.text("ide/tpNF"));
    let lines = [format!("Nº {}", note.number()), format!("SÉRIE {}", note.series())];
    let used = sheet.lines(below, centred(BOLD), lines);
    below.split_top(used).1
}

fn draw_key<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DanfeContext<'x>) {
    let (bars, rest) = frame.split_top(Length::mm(12));
    let (key, field) = rest.split_top(Length::tenths(85));
    for part in [bars, key, field] {
        sheet.outline(part, STROKE);
    }
    key::draw(sheet, bars, context.note);
    let room = key.inside(PADDING);
    sheet.line(room, SMALL, "CHAVE DE ACESSO");
    let (_, line) = room.split_top(SMALL.leading());
    fitted(sheet, line, Typeface::SerifBold, TextAlign::Centre, value::key(context.note.chave()).into());
    let field = field.inside(PADDING);
    match context.contingency_code() {
        Some((code, _)) => {
            sheet.bars(Frame { height: Length::mm(11), ..field }, &code);
            let (_, below) = field.split_top(Length::mm(11));
            fitted(sheet, below, Typeface::Serif, TextAlign::Centre, SECURITY_PAPER.into());
        }
        None if !context.note.may_be_looked_up() => {}
        None => {
            block(sheet, field, PLAIN.aligned(TextAlign::Centre), AUTHENTICITY);
        }
    }
}

/// Draws the stub, which the receiver signs: at the top of a portrait form, at the left of a landscape one.
pub(super) fn draw_stub<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DanfeContext<'x>) {
    let note = context.note;
    let (number, rest) = {
        let (left, right) = frame.split_left(frame.width - Length::mm(32));
        (right, left)
    };
    let (declaration, fields) = rest.split_top(Length::mm(9));
    let (date, signature) = fields.split_left(Length::mm(42));
    for part in [number, declaration, date, signature] {
        sheet.outline(part, STROKE);
    }
    block(sheet, declaration.inside(PADDING), SMALL, &received(note, false));
    sheet.line(date.inside(PADDING), SMALL, "DATA DE RECEBIMENTO");
    sheet.line(signature.inside(PADDING), SMALL, "IDENTIFICAÇÃO E ASSINATURA DO RECEBEDOR");
    let lines = ["NF-e".to_owned(), format!("Nº {}", note.number()), format!("SÉRIE {}", note.series())];
    sheet.lines(number.inside(PADDING * 2), BOLD.aligned(TextAlign::Centre), lines);
    let y = frame.bottom() + TEAR / 2;
    let to = (frame.right(), y);
    sheet.marks.push(SheetMark::Rule { from: (frame.x, y), to, thickness: STROKE, dashed: true });
}

/// Text that the receiver signs.
fn received(note: Dfe<'_>, numbered: bool) -> String {
    let which = match numbered {
        true => format!("NF-e Nº {} SÉRIE {}", note.number(), note.series()),
        false => "NOTA FISCAL ELETRÔNICA INDICADA AO LADO".to_owned(),
    };
    format!(
        "RECEBEMOS DE {} OS PRODUTOS / SERVIÇOS CONSTANTES DA {which}. EMISSÃO: {} VALOR TOTAL: R$ {} DESTINATÁRIO: {}",
        note.text("emit/xNome"),
        value::date(note.text("ide/dhEmi")),
        value::amount(note.text("total/ICMSTot/vNF")),
        note.text("dest/xNome"),
    )
}

/// Lines of a text along a strip, in the largest type in which they fit.
fn declaration(content: &str, room: Frame) -> (TextStyle, Vec<String>) {
    let mut style = SMALL;
    loop {
        let lines = text::lines(content, style.face, style.size, room.height);
        if room.width.fits(style.leading()) >= lines.len() || style.size <= Length::decipoints(35) {
            return (style, lines.into_iter().map(str::to_owned).collect());
        }
        style.size -= Length::decipoints(5);
    }
}

/// Draws the stub of a landscape form: a strip at the left, read from the bottom up.
pub(super) fn draw_strip<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DanfeContext<'x>) {
    let note = context.note;
    sheet.outline(frame, STROKE);
    let third = frame.width / 3;
    let (first, rest) = frame.split_left(third);
    let room = Frame { x: first.x + PADDING / 2, width: third - PADDING, ..first.inside(PADDING) };
    let (style, lines) = declaration(&received(note, true), room);
    let share = room.width / i32::try_from(lines.len()).unwrap_or(1).max(1);
    for (place, line) in (0..).zip(lines) {
        sheet.upwards(Frame { x: room.x + share * place, width: share, ..room }, style, line);
    }
    sheet.down(first.right(), frame.y, frame.height, STROKE);
    let mut column = Frame { width: third, ..rest };
    for line in ["DATA DE RECEBIMENTO ____/____/________", "IDENTIFICAÇÃO E ASSINATURA DO RECEBEDOR"] {
        sheet.upwards(column.inside(PADDING), SMALL, line);
        column.x += third;
        sheet.down(column.x, frame.y, frame.height, STROKE);
    }
    let x = frame.right() + TEAR / 2;
    sheet.marks.push(SheetMark::Rule { from: (x, frame.y), to: (x, frame.bottom()), thickness: STROKE, dashed: true });
}
