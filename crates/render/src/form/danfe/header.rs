//! What stands at the top of the sheets: the receipt stub, and the emitter beside the DANFE box and the key.
//!
//! Law: MOC 7.0, Anexo II, 3.1.1 to 3.1.3, 3.7 (sizes of type) and 3.9 (fields 1 and 2); NTCJ 2025.001 (bars of a key with letters).

use super::Context;
use crate::barcode::Code128;
use crate::form::grid::{PADDING, STROKE, fitted};
use crate::form::value;
use crate::paper::{Align, Face, Frame, Length, Mark, Sheet, Style, text};

/// Height of the header.
pub(super) const HEIGHT: Length = Length::mm(36);
/// Height of the stub of a portrait form; its width on a landscape one.
pub(super) const STUB: Length = Length::mm(18);
/// Between the stub and the form.
pub(super) const TEAR: Length = Length::mm(3);

const BOX: Length = Length::mm(35);
const AUTHENTICITY: &str = "Consulta de autenticidade no portal nacional da NF-e www.nfe.fazenda.gov.br/portal ou no site da Sefaz Autorizadora";
const SMALL: Style = Style::new(Face::Serif, 60);
const PLAIN: Style = Style::new(Face::Serif, 80);
const BOLD: Style = Style::new(Face::SerifBold, 100);

/// Emitter, DANFE box and key.
pub(super) fn draw<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &Context<'x>, page: usize, pages: usize) {
    let key = Length::tenths(context.key_column());
    let (emitter, rest) = frame.split_left(frame.width - BOX - key);
    let (danfe, key) = rest.split_left(BOX);
    draw_emitter(sheet, emitter, context);
    draw_box(sheet, danfe, context, page, pages);
    draw_key(sheet, key, context);
}

fn draw_emitter<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &Context<'x>) {
    sheet.outline(frame, STROKE);
    let mut room = frame.inside(PADDING);
    if let Some(logo) = context.logo {
        let (side, beside) = room.split_left((room.width / 3).min(Length::mm(26)));
        sheet.marks.push(Mark::Picture { frame: contained(side.inside(PADDING), logo), index: 0 });
        room = beside;
    }
    let note = context.note;
    let centred = |face, size| Style::new(face, size).aligned(Align::Centre);
    let name = note.text("emit/xNome");
    let mut style = centred(Face::SerifBold, 120);
    let mut lines = text::lines(name, style.face, style.size, room.width);
    while lines.len() > 3 && style.size > Length::decipoints(60) {
        style.size -= Length::decipoints(5);
        lines = text::lines(name, style.face, style.size, room.width);
    }
    let used = sheet.lines(room, style, lines);
    let (_, room) = room.split_top(used);
    fitted_block(sheet, room, &emitter_address(context));
}

fn emitter_address(context: &Context<'_>) -> String {
    let at = |tag: &str| context.note.text(&format!("emit/enderEmit/{tag}"));
    let street: Vec<&str> = ["xLgr", "nro", "xCpl"].iter().map(|tag| at(tag)).filter(|part| !part.is_empty()).collect();
    let mut lines = vec![street.join(", "), at("xBairro").to_owned()];
    lines.push(format!("{} - {}  CEP {}", at("xMun"), at("UF"), value::cep(at("CEP"))));
    if !at("fone").is_empty() {
        lines.push(format!("Fone {}", value::phone(at("fone"))));
    }
    lines.join("\n")
}

/// Bold lines in the middle, 8 points or what fits.
fn fitted_block(sheet: &mut Sheet<'_>, room: Frame, content: &str) {
    let mut style = Style::new(Face::SerifBold, 80).aligned(Align::Centre);
    loop {
        let lines = text::lines(content, style.face, style.size, room.width);
        let most = room.height.fits(style.leading());
        if lines.len() <= most || style.size <= Length::decipoints(35) {
            sheet.lines(room, style, lines.into_iter().take(most).map(str::to_owned).collect::<Vec<_>>());
            return;
        }
        style.size -= Length::decipoints(5);
    }
}

/// The largest frame of a picture's proportions, in the middle of another.
fn contained(room: Frame, (width, height): (u32, u32)) -> Frame {
    let side = |pixels: u32| i64::from(pixels.max(1));
    let (across, down) = (i64::from(room.width.thousandths()), i64::from(room.height.thousandths()));
    let by_height = down * side(width) / side(height);
    let (across, down) =
        if by_height <= across { (by_height, down) } else { (across, across * side(height) / side(width)) };
    let length = |thousandths: i64| Length::new(i32::try_from(thousandths).unwrap_or(i32::MAX));
    let (across, down) = (length(across), length(down));
    Frame::new(room.x + (room.width - across) / 2, room.y + (room.height - down) / 2, across, down)
}

fn draw_box<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &Context<'x>, page: usize, pages: usize) {
    sheet.outline(frame, STROKE);
    let note = context.note;
    let room = frame.inside(PADDING);
    let centred = |style: Style| style.aligned(Align::Centre);
    let used = sheet.lines(room, centred(Style::new(Face::SerifBold, 120)), ["DANFE"]);
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
    let lines = [
        format!("Nº {}", value::nine(note.text("ide/nNF"))),
        format!("SÉRIE {:0>3}", note.text("ide/serie")),
        format!("FOLHA {page}/{pages}"),
    ];
    sheet.lines(below, centred(BOLD), lines);
}

fn draw_key<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &Context<'x>) {
    let (bars, rest) = frame.split_top(Length::mm(12));
    let (key, field) = rest.split_top(Length::tenths(85));
    for part in [bars, key, field] {
        sheet.outline(part, STROKE);
    }
    if let Ok(code) = Code128::of_text(context.note.chave()) {
        let room = bars.inside(Length::tenths(10));
        // the quiet zones belong to the code
        sheet.bars(Frame { x: bars.x + Length::tenths(2), width: bars.width - Length::tenths(4), ..room }, &code);
    }
    let room = key.inside(PADDING);
    sheet.line(room, SMALL, "CHAVE DE ACESSO");
    let (_, line) = room.split_top(SMALL.leading());
    fitted(sheet, line, Face::SerifBold, Align::Centre, value::key(context.note.chave()).into());
    let field = field.inside(PADDING);
    match context.contingency_code() {
        Some((code, _)) => {
            sheet.bars(Frame { height: Length::mm(11), ..field }, &code);
            let text = "DANFE em Contingência - impresso em decorrência de problemas técnicos";
            let (_, below) = field.split_top(Length::mm(11));
            fitted(sheet, below, Face::Serif, Align::Centre, text.into());
        }
        None => {
            let style = PLAIN.aligned(Align::Centre);
            let lines = text::lines(AUTHENTICITY, style.face, style.size, field.width);
            sheet.lines(field, style, lines);
        }
    }
}

/// The stub that the receiver signs; at the top of a portrait form, at the left of a landscape one.
pub(super) fn draw_stub<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &Context<'x>) {
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
    let text = format!(
        "RECEBEMOS DE {} OS PRODUTOS / SERVIÇOS CONSTANTES DA NOTA FISCAL ELETRÔNICA INDICADA AO LADO. EMISSÃO: {} \
         VALOR TOTAL: R$ {} DESTINATÁRIO: {}",
        note.text("emit/xNome"),
        value::date(note.text("ide/dhEmi")),
        value::amount(note.text("total/ICMSTot/vNF")),
        note.text("dest/xNome"),
    );
    small_block(sheet, declaration.inside(PADDING), &text);
    sheet.line(date.inside(PADDING), SMALL, "DATA DE RECEBIMENTO");
    sheet.line(signature.inside(PADDING), SMALL, "IDENTIFICAÇÃO E ASSINATURA DO RECEBEDOR");
    let lines = [
        "NF-e".to_owned(),
        format!("Nº {}", value::nine(note.text("ide/nNF"))),
        format!("SÉRIE {:0>3}", note.text("ide/serie")),
    ];
    sheet.lines(number.inside(PADDING * 2), BOLD.aligned(Align::Centre), lines);
    let y = frame.bottom() + TEAR / 2;
    let to = (frame.right(), y);
    sheet.marks.push(Mark::Rule { from: (frame.x, y), to, thickness: STROKE, dashed: true });
}

fn small_block(sheet: &mut Sheet<'_>, room: Frame, content: &str) {
    let mut style = SMALL;
    loop {
        let lines = text::lines(content, style.face, style.size, room.width);
        let most = room.height.fits(style.leading());
        if lines.len() <= most || style.size <= Length::decipoints(35) {
            sheet.lines(room, style, lines.into_iter().take(most).map(str::to_owned).collect::<Vec<_>>());
            return;
        }
        style.size -= Length::decipoints(5);
    }
}

/// The stub of a landscape form: a strip at the left, read from the bottom up.
pub(super) fn draw_strip<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &Context<'x>) {
    let note = context.note;
    sheet.outline(frame, STROKE);
    let third = frame.width / 3;
    let text = format!(
        "RECEBEMOS DE {} OS PRODUTOS / SERVIÇOS DA NF-e Nº {} SÉRIE {:0>3}",
        note.text("emit/xNome"),
        value::nine(note.text("ide/nNF")),
        note.text("ide/serie"),
    );
    let style = text::fitting(&text, Face::Serif, frame.height, Length::decipoints(80), Length::decipoints(35))
        .map_or(Style::new(Face::Serif, 35), |size| Style { size, ..SMALL });
    let mut column = Frame { width: third, ..frame };
    for line in [text.as_str(), "DATA DE RECEBIMENTO ____/____/________", "IDENTIFICAÇÃO E ASSINATURA DO RECEBEDOR"] {
        sheet.upwards(
            column.inside(PADDING),
            style,
            text::shortened(line, style.face, style.size, frame.height - PADDING * 2),
        );
        column.x += third;
        sheet.down(column.x, frame.y, frame.height, STROKE);
    }
    let x = frame.right() + TEAR / 2;
    sheet.marks.push(Mark::Rule { from: (x, frame.y), to: (x, frame.bottom()), thickness: STROKE, dashed: true });
}
