//! Sheets of an event's form: head, blocks, and texts that continue.

use super::{EventContents, LookupCode};
use crate::barcode::Code128;
use crate::form::dfe::FormError;
use crate::form::grid::{PADDING, STROKE, TITLE, title};
use crate::paper::{Frame, Length, Sheet, TextAlign, TextStyle, Typeface, text};

const MARGIN: Length = Length::mm(10);
const HEAD: Length = Length::mm(30);
const HEADING: TextStyle = TextStyle::new(Typeface::SerifBold, 140).aligned(TextAlign::Centre);
const BODY: TextStyle = TextStyle::new(Typeface::Serif, 100);
const NO_INVOICE: &str =
    "Não é documento fiscal: representa o evento registrado, que se consulta pela chave de acesso.";

const NO_KEY: &str = "Não é documento fiscal: representa o cancelamento confirmado, que se consulta no portal da prefeitura pelo número da nota.";

/// Sheets of the event, as many as its texts need.
pub(super) fn sheets<'x>(event: &dyn EventContents<'x>) -> Result<Vec<Sheet<'x>>, FormError> {
    let room = body(event);
    let mut lines: Vec<(TextStyle, String)> = Vec::new();
    for (heading, content) in event.paragraphs() {
        if !lines.is_empty() {
            lines.push((BODY, String::new()));
        }
        lines.push((TextStyle::new(Typeface::SerifBold, 100), heading.to_owned()));
        let broken = text::lines(&content, BODY.face, BODY.size, room.width);
        lines.extend(broken.into_iter().map(|line| (BODY, line.to_owned())));
    }
    let on_a_sheet = room.height.fits(BODY.leading()).max(1);
    if lines.is_empty() {
        lines.push((BODY, String::new()));
    }
    let pages = lines.chunks(on_a_sheet).count();
    lines.chunks(on_a_sheet).enumerate().map(|(place, lines)| draw(event, lines, place + 1, pages)).collect()
}

fn draw<'x>(
    event: &dyn EventContents<'x>,
    lines: &[(TextStyle, String)],
    page: usize,
    pages: usize,
) -> Result<Sheet<'x>, FormError> {
    let mut sheet = paper();
    let (head, mut below) = whole(&sheet).split_top(HEAD);
    draw_head(event, &mut sheet, head, &format!("FOLHA {page}/{pages}"))?;
    for grid in event.grids() {
        let (frame, next) = below.split_top(grid.height(below.width));
        grid.draw(&mut sheet, frame);
        below = next;
    }
    let room = title(&mut sheet, below, "CONTEÚDO DO EVENTO");
    // the frame ends with the text
    let height = if page == pages { BODY.leading().times(lines.len()) + PADDING * 4 } else { room.height };
    sheet.outline(Frame { height: height.min(room.height), ..room }, STROKE);
    let mut line = body(event);
    for (style, content) in lines {
        sheet.line(line, *style, content.clone());
        line = line.split_top(BODY.leading()).1;
    }
    if event.is_test() {
        sheet.watermark(Typeface::SerifBold, Length::decipoints(700), Length::ZERO, "SEM VALOR FISCAL");
    }
    Ok(sheet)
}

fn draw_head<'x>(
    event: &dyn EventContents<'x>,
    sheet: &mut Sheet<'x>,
    frame: Frame,
    folio: &str,
) -> Result<(), FormError> {
    sheet.outline(frame, STROKE);
    let room = frame.inside(PADDING * 2);
    let code = event.code();
    // a square is at the right of the text, bars below it
    let (words, square) = match &code {
        LookupCode::Bars | LookupCode::None => (room, Frame::default()),
        LookupCode::Address(_) => room.split_left(room.width - room.height),
    };
    let mut used = sheet.lines(words, HEADING, [event.name()]);
    let about = if matches!(code, LookupCode::None) { NO_KEY } else { NO_INVOICE };
    let about = text::lines(about, BODY.face, BODY.size, words.width).into_iter().map(str::to_owned);
    let about = about.chain([folio.to_owned()]);
    used += sheet.lines(words.split_top(used).1, BODY.aligned(TextAlign::Centre), about);
    match code {
        LookupCode::None => {}
        LookupCode::Address(address) => sheet.qr(square, &address).map_err(|_| FormError::QrCode)?,
        LookupCode::Bars => {
            let bars = room.split_top(used + PADDING).1;
            if let Ok(code) = Code128::of_text(event.chave()) {
                let width = Length::mm(120);
                let x = bars.x + (bars.width - width) / 2;
                sheet.bars(Frame { x, width, ..bars }, &code);
            }
        }
    }
    Ok(())
}

/// Room of the texts, equal on every sheet.
fn body(event: &dyn EventContents<'_>) -> Frame {
    let whole = whole(&paper());
    let grids = event.grids().iter().map(|grid| grid.height(whole.width)).sum::<Length>();
    whole.split_top(HEAD + grids + TITLE).1.inside(PADDING * 2)
}

fn paper<'x>() -> Sheet<'x> {
    Sheet::new(Length::mm(210), Length::mm(297))
}

fn whole(sheet: &Sheet<'_>) -> Frame {
    Frame::new(Length::ZERO, Length::ZERO, sheet.width, sheet.height).inside(MARGIN)
}
