//! Sheets of the form: a head on each, the blocks on the first, and texts that continue.

use super::fields::{blocks, named};
use super::note::AbrasfNote;
use crate::form::grid::{Grid, PADDING, STROKE, TITLE, block, contained, title};
use crate::form::options::{PrintOptions, PrintedStatus};
use crate::form::status_mark::StatusMark;
use crate::form::value;
use crate::paper::{self, Frame, Length, Sheet, TextAlign, TextStyle, Typeface, text};

const MARGIN: Length = Length::mm(10);
const HEAD: Length = Length::mm(26);
/// Width of the number and the fields beside it.
const IDENTITY: Length = Length::mm(58);
const HEADING: TextStyle = TextStyle::new(Typeface::SerifBold, 120).aligned(TextAlign::Centre);
const BESIDE: TextStyle = TextStyle::new(Typeface::Serif, 80).aligned(TextAlign::Centre);
const SMALL: TextStyle = TextStyle::new(Typeface::Serif, 80);
const LARGE: TextStyle = TextStyle::new(Typeface::SerifBold, 110);
const BODY: TextStyle = TextStyle::new(Typeface::Serif, 90);
const PART: TextStyle = TextStyle::new(Typeface::SerifBold, 80);

pub(super) fn sheets<'x>(note: &AbrasfNote<'x>, options: &PrintOptions) -> Vec<Sheet<'x>> {
    let grids = blocks(note);
    let above = grids.iter().map(|grid| grid.height(whole().width)).sum::<Length>();
    let first = words_room(HEAD + above);
    let others = words_room(HEAD);
    let lines = words(note, first.width);
    let on_first = first.height.fits(BODY.leading()).min(lines.len());
    let on_others = others.height.fits(BODY.leading()).max(1);
    let (head, tail) = lines.split_at(on_first);
    let pages = 1 + tail.chunks(on_others).count();
    let mark = mark_of(note, options);
    let draw = |page: usize, grids: Vec<Grid<'x>>, lines: &[(TextStyle, String)]| {
        let mut sheet = paper();
        let (top, mut below) = whole().split_top(HEAD);
        draw_head(&mut sheet, top, note, options, (page, pages));
        for grid in grids {
            let (frame, next) = below.split_top(grid.height(below.width));
            grid.draw(&mut sheet, frame);
            below = next;
        }
        draw_words(&mut sheet, below, lines);
        mark.iter().for_each(|mark| mark.draw(&mut sheet));
        sheet
    };
    let mut sheets = vec![draw(1, grids, head)];
    sheets.extend(tail.chunks(on_others).enumerate().map(|(place, lines)| draw(place + 2, Vec::new(), lines)));
    sheets
}

/// Texts of the note, in lines of this width.
fn words(note: &AbrasfNote<'_>, width: Length) -> Vec<(TextStyle, String)> {
    let mut lines: Vec<(TextStyle, String)> = Vec::new();
    let mut part = |heading: &str, content: &str| {
        if content.is_empty() {
            return;
        }
        if !lines.is_empty() {
            lines.push((BODY, String::new()));
        }
        lines.push((PART, heading.to_owned()));
        // the layouts collapse line breaks: clients write them as `\s\n`
        let content = content.replace("\\s\\n", "\n");
        let broken = text::lines(&content, BODY.face, BODY.size, width);
        lines.extend(broken.into_iter().map(|line| (BODY, line.to_owned())));
    };
    part("DISCRIMINAÇÃO DOS SERVIÇOS", note.declared_text("Servico/Discriminacao"));
    part("DEDUÇÕES", &deductions(note));
    part("INFORMAÇÕES COMPLEMENTARES", note.declared_text("InformacoesComplementares"));
    part("OUTRAS INFORMAÇÕES DA PREFEITURA", note.generated_text("OutrasInformacoes"));
    let credit = note.generated_text("ValorCredito");
    if !credit.is_empty() {
        part("CRÉDITO", &format!("R$ {}", value::amount(credit)));
    }
    lines
}

/// A line for each deducted document (2.04).
fn deductions(note: &AbrasfNote<'_>) -> String {
    let each = note.all("Deducao").map(|deduction| {
        let of = |tag: &str| deduction.text_at(tag).unwrap_or_default();
        let described = of("DescricaoDeducao");
        format!(
            "{} {} {}: R$ {} de R$ {}",
            of("TipoDeducao"),
            described,
            value::date(of("DataEmissao")),
            value::amount(of("ValorUtilizadoDeducao")),
            value::amount(of("ValorDedutivel"))
        )
    });
    each.collect::<Vec<_>>().join("\n")
}

fn draw_words(sheet: &mut Sheet<'_>, frame: Frame, lines: &[(TextStyle, String)]) {
    let room = title(sheet, frame, "DESCRIÇÃO");
    sheet.outline(room, STROKE);
    let mut line = room.inside(PADDING * 2);
    for (style, content) in lines {
        sheet.line(line, *style, content.clone());
        line = line.split_top(BODY.leading()).1;
    }
}

fn draw_head<'x>(
    sheet: &mut Sheet<'x>,
    frame: Frame,
    note: &AbrasfNote<'x>,
    options: &PrintOptions,
    (page, pages): (usize, usize),
) {
    sheet.outline(frame, STROKE);
    let (mut words, identity) = frame.split_left(frame.width - IDENTITY);
    sheet.down(identity.x, identity.y, identity.height, STROKE);
    if let Some(logo) = options.logo.as_ref() {
        let (side, beside) = words.split_left(Length::mm(28));
        let frame = contained(side.inside(PADDING * 2), (logo.width, logo.height));
        sheet.marks.push(paper::SheetMark::Picture { frame, index: 0 });
        words = beside;
    }
    let room = words.inside(PADDING * 2);
    let made = if note.is_issued() { NAME } else { RPS };
    let used = block(sheet, room, HEADING, made);
    let city = format!("Município de {}", named(note.city(), ""));
    let mut below = vec![city];
    if note.is_issued() {
        below.push("Confira esta nota no portal da prefeitura, pelo número e pelo código de verificação.".to_owned());
    }
    if options.homologacao {
        below.push("Emitida em ambiente de testes (homologação): sem valor fiscal.".to_owned());
    }
    block(sheet, room.split_top(used + PADDING).1, BESIDE, &below.join("\n"));
    draw_identity(sheet, identity.inside(PADDING * 2), note, (page, pages));
}

fn draw_identity(sheet: &mut Sheet<'_>, frame: Frame, note: &AbrasfNote<'_>, (page, pages): (usize, usize)) {
    let mut lines: Vec<(TextStyle, String)> = Vec::new();
    if note.is_issued() {
        lines.push((LARGE, format!("Nº {}", note.generated_text("Numero"))));
        lines.push((SMALL, format!("Código de verificação: {}", note.generated_text("CodigoVerificacao"))));
        lines.push((SMALL, format!("Emitida em {}", value::moment(note.generated_text("DataEmissao")))));
    }
    if !note.cancelled_at().is_empty() {
        lines.push((SMALL, format!("Cancelada em {}", value::moment(note.cancelled_at()))));
    }
    if !note.substituted_by().is_empty() {
        lines.push((SMALL, format!("Substituída pela NFS-e {}", note.substituted_by())));
    }
    lines.push((SMALL, format!("Folha {page}/{pages}")));
    let mut room = frame;
    for (style, line) in lines {
        let used = block(sheet, Frame { height: style.leading(), ..room }, style, &line);
        room = room.split_top(used).1;
    }
}

const NAME: &str = "NOTA FISCAL DE SERVIÇOS ELETRÔNICA - NFS-e";
const RPS: &str = "RECIBO PROVISÓRIO DE SERVIÇOS - RPS";

/// Mark of the form: by the status, by the note's own cancellation, as a test, or because there is no note.
fn mark_of(note: &AbrasfNote<'_>, options: &PrintOptions) -> Option<StatusMark> {
    let mark = |words: &'static str, why: &str| Some(StatusMark { words: words.into(), reason: why.to_owned() });
    match note.dfe.document_status() {
        PrintedStatus::Stored if !note.substituted_by().is_empty() => mark("SUBSTITUÍDA", NO_VALUE),
        PrintedStatus::Stored if !note.cancelled_at().is_empty() => mark("CANCELADA", NO_VALUE),
        PrintedStatus::Stored if !note.is_issued() => mark(NO_VALUE, "RPS de que nenhuma NFS-e foi gerada"),
        PrintedStatus::Stored if options.homologacao => mark(NO_VALUE, ""),
        _ => StatusMark::of_document_status(note.dfe),
    }
}

const NO_VALUE: &str = "SEM VALOR FISCAL";

/// Room of the texts below the blocks.
fn words_room(above: Length) -> Frame {
    whole().split_top(above + TITLE).1.inside(PADDING * 2)
}

fn paper<'x>() -> Sheet<'x> {
    Sheet::new(Length::mm(210), Length::mm(297))
}

fn whole() -> Frame {
    Frame::new(Length::ZERO, Length::ZERO, Length::mm(210), Length::mm(297)).inside(MARGIN)
}
