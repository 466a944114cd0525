//! Head of the sheets: the receipt stub, the emitter beside the title, the codes for machines, key and protocol.
//!
//! Law: MOC CT-e 4.00, Anexo II (further sheets repeat it in the same size; the three variable fields below the key).

use super::DacteContext;
use crate::form::dfe::FormError;
use crate::form::grid::{Grid, GridCell, PADDING, ROW, STROKE, block, draw_row, fitted};
use crate::form::{emitter, key, value};
use crate::paper::{Frame, Length, Sheet, SheetMark, TextAlign, TextStyle, Typeface};

/// Height of the header.
pub(super) const HEIGHT: Length = Length::mm(60);
/// Height of the stub.
pub(super) const STUB: Length = Length::mm(16);
/// Gap between the stub and the form.
pub(super) const TEAR: Length = Length::mm(3);

const TITLE: Length = Length::mm(10);
const BARS: Length = Length::mm(20);
/// Path of the text of a CT-e for many senders or addressees.
pub(super) const GLOBALISED: &str = "infCTeNorm/infGlobalizado/xObs";
/// Side of the QR code with its quiet zone: 25 mm at least.
const QR: Length = Length::mm(27);
const PROVISION: &str = "CFOP - NATUREZA DA PRESTAÇÃO";
const AUTHENTICITY: &str = "Consulta de autenticidade no portal nacional do CT-e www.cte.fazenda.gov.br/portal ou no site da Sefaz Autorizadora";
const TEST: &str = "EMITIDO EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL";
const RECEIVED: &str = "DECLARO QUE RECEBI OS VOLUMES DESTE CONHECIMENTO EM PERFEITO ESTADO PELO QUE DOU POR CUMPRIDO O PRESENTE CONTRATO DE TRANSPORTE";
const CARRIED: &str =
    "DECLARO QUE RECEBI O SERVIÇO DESTE CONHECIMENTO PELO QUE DOU POR CUMPRIDO O PRESENTE CONTRATO DE TRANSPORTE";
const SMALL: TextStyle = TextStyle::new(Typeface::Serif, 60);
const BOLD: TextStyle = TextStyle::new(Typeface::SerifBold, 100);

/// Draws the stub, which the receiver signs.
pub(super) fn draw_stub<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) {
    let cte = context.cte;
    let (rest, number) = frame.split_left(frame.width - Length::mm(32));
    let (declaration, fields) = rest.split_top(Length::mm(5));
    [number, declaration].into_iter().for_each(|part| sheet.outline(part, STROKE));
    block(sheet, declaration.inside(PADDING), SMALL, if context.is_service() { CARRIED } else { RECEIVED });
    let columns = fields.columns(&[5, 5, 4]);
    let labels = [["NOME", "RG"], ["ASSINATURA / CARIMBO", ""], ["CHEGADA DATA/HORA", "SAÍDA DATA/HORA"]];
    for (column, labels) in columns.into_iter().zip(labels) {
        let two = if labels[1].is_empty() { vec![column] } else { halves(column) };
        for (part, label) in two.into_iter().zip(labels) {
            sheet.outline(part, STROKE);
            sheet.line(part.inside(PADDING), SMALL, label);
        }
    }
    let name = if context.is_service() { "CT-e OS" } else { "CT-e" };
    let lines = [name.to_owned(), format!("Nº {}", cte.number()), format!("SÉRIE {}", cte.series())];
    sheet.lines(number.inside(PADDING * 2), BOLD.aligned(TextAlign::Centre), lines);
    let y = frame.bottom() + TEAR / 2;
    let to = (frame.right(), y);
    sheet.marks.push(SheetMark::Rule { from: (frame.x, y), to, thickness: STROKE, dashed: true });
}

fn halves(frame: Frame) -> Vec<Frame> {
    let (top, below) = frame.split_top(frame.height / 2);
    vec![top, below]
}

/// Draws the number of the sheet and of all sheets.
pub(super) fn draw_folio(sheet: &mut Sheet<'_>, room: Frame, page: usize, pages: usize) {
    fitted(sheet, room, Typeface::SerifBold, TextAlign::Centre, format!("{page}/{pages}").into());
}

/// Draws the header; returns the room of the sheet's number.
pub(super) fn draw<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) -> Result<Frame, FormError> {
    let (top, below) = frame.split_top(HEIGHT - ROW);
    let right = Length::mm(if context.landscape { 142 } else { 115 });
    let (left, right) = top.split_left(top.width - right);
    let (issuer, types) = left.split_top(left.height - ROW * 2);
    let codes = CodePlacement::of(context, right.width);
    let beside = if codes.qr_at_emitter { QR + PADDING * 2 } else { Length::ZERO };
    let (issuer, square) = issuer.split_left(issuer.width - beside);
    draw_emitter(sheet, issuer, context);
    let (name, rest) = right.split_top(TITLE);
    draw_title(sheet, name, context);
    let (numbers, rest) = rest.split_top(ROW);
    let folio = draw_numbers(sheet, numbers, context);
    let (machine, field) = rest.split_top(BARS + ROW);
    let (bars, qr) = machine.split_left(machine.width - if codes.qr_at_bars { QR } else { Length::ZERO });
    draw_key(sheet, bars, context);
    if codes.qr_at_bars || codes.qr_at_emitter {
        draw_qr(sheet, if codes.qr_at_bars { qr } else { square }, context)?;
    }
    draw_field(sheet, field, context);
    draw_types(sheet, types, context);
    let (label, protocol) = protocol(context);
    let provision = [context.cte.text("ide/CFOP"), context.cte.text("ide/natOp")].join(" - ");
    let row = vec![
        GridCell::text(PROVISION, provision),
        GridCell::text(label, protocol).bold().centred().wide(if context.landscape { 1420 } else { 1150 }),
    ];
    Grid { title: "", rows: vec![row] }.draw_least(sheet, below);
    Ok(folio)
}

/// Position of the QR code: beside the bars, or beside the emitter when a key with letters needs the whole width.
struct CodePlacement {
    qr_at_bars: bool,
    qr_at_emitter: bool,
}

impl CodePlacement {
    fn of(context: &DacteContext<'_>, width: Length) -> CodePlacement {
        let has = !context.cte.qr_code().is_empty();
        let at_bars = has && key::width(context.cte) + QR <= width;
        CodePlacement { qr_at_bars: at_bars, qr_at_emitter: has && !at_bars }
    }
}

fn draw_emitter<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) {
    let cte = context.cte;
    let named = |name: &str, text: String| if text.is_empty() { text } else { format!("{name} {text}") };
    let more = [
        named("CNPJ", value::taxpayer(cte.text("emit/CNPJ"))) + &named("CPF", value::taxpayer(cte.text("emit/CPF"))),
        named("IE", cte.text("emit/IE").to_owned()),
    ];
    let more: Vec<String> = more.into_iter().filter(|line| !line.is_empty()).collect();
    emitter::draw(sheet, frame, cte, context.logo, &more);
}

fn draw_title<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) {
    let (name, modal) = frame.split_left(frame.width - Length::mm(30));
    [name, modal].into_iter().for_each(|part| sheet.outline(part, STROKE));
    let (title, words) = match context.is_service() {
        true => ("DACTE OS", "Documento Auxiliar do Conhecimento de Transporte Eletrônico para Outros Serviços"),
        false => ("DACTE", "Documento Auxiliar do Conhecimento de Transporte Eletrônico"),
    };
    let room = name.inside(PADDING);
    let used = sheet.lines(room, TextStyle::new(Typeface::SerifBold, 140).aligned(TextAlign::Centre), [title]);
    let below = Frame { y: room.y + used, height: room.height - used, ..room };
    sheet.line(below, SMALL.aligned(TextAlign::Centre), words);
    let room = modal.inside(PADDING);
    sheet.line(room, SMALL.aligned(TextAlign::Centre), "MODAL");
    let (_, room) = room.split_top(SMALL.leading() + PADDING);
    fitted(
        sheet,
        room,
        Typeface::SerifBold,
        TextAlign::Centre,
        super::modal::name(context.cte.text("ide/modal")).into(),
    );
}

/// Draws the cells from model to SUFRAMA; returns the room of the sheet's number.
fn draw_numbers<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) -> Frame {
    let cte = context.cte;
    let (model, series, number, folio) = (120, 110, 250, 110);
    let mut row = vec![
        GridCell::text("MODELO", cte.text("ide/mod")).centred().wide(model),
        GridCell::text("SÉRIE", cte.series()).centred().wide(series),
        GridCell::text("NÚMERO", cte.number()).centred().wide(number),
        GridCell::text("FL", "").centred().wide(folio),
        GridCell::text("DATA E HORA DE EMISSÃO", value::moment(cte.text("ide/dhEmi"))).centred(),
    ];
    if !context.is_service() {
        row.push(GridCell::text("SUFRAMA DO DEST.", cte.text("dest/ISUF")).centred().wide(230));
    }
    draw_row(sheet, frame, row);
    let x = frame.x + Length::tenths(model + series + number);
    let cell = Frame { x, width: Length::tenths(folio), ..frame };
    let below = PADDING / 2 + SMALL.leading();
    Frame { y: cell.y + below, height: cell.height - below, ..cell }
}

fn draw_key<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) {
    let (bars, digits) = frame.split_top(BARS);
    sheet.outline(bars, STROKE);
    let (label, room) = bars.inside(PADDING).split_top(SMALL.leading());
    sheet.line(label, SMALL, "CONTROLE DO FISCO");
    // modules wider than 0.3 mm are not allowed
    let width = if context.cte.chave().is_empty() { room.width } else { key::width(context.cte).min(bars.width) };
    let x = bars.x + (bars.width - width) / 2;
    key::draw(sheet, Frame { x, width, ..room }, context.cte);
    let chave = GridCell::text("CHAVE DE ACESSO", value::key(context.cte.chave())).bold().centred();
    draw_row(sheet, digits, vec![chave]);
}

fn draw_qr<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) -> Result<(), FormError> {
    sheet.outline(frame, STROKE);
    let side = frame.width.min(frame.height).min(QR);
    let (x, y) = (frame.x + (frame.width - side) / 2, frame.y + (frame.height - side) / 2);
    sheet.qr(Frame::new(x, y, side, side), context.cte.qr_code()).map_err(|_| FormError::QrCode)
}

/// Draws variable field 1: the address to verify authenticity, and the note that a test has no validity.
fn draw_field<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) {
    sheet.outline(frame, STROKE);
    let (room, began) = (frame.inside(PADDING), sheet.marks.len());
    let mut used = Length::ZERO;
    if context.cte.is_test() {
        used += sheet.lines(room, TextStyle::new(Typeface::SerifBold, 70).aligned(TextAlign::Centre), [TEST]);
    }
    if context.cte.may_be_looked_up() {
        used += block(sheet, room.split_top(used).1, SMALL.aligned(TextAlign::Centre), AUTHENTICITY);
    }
    sheet.move_down(began, (room.height - used) / 2);
}

/// Draws the types of the transport and its payer.
fn draw_types<'x>(sheet: &mut Sheet<'x>, frame: Frame, context: &DacteContext<'x>) {
    let cte = context.cte;
    let first = vec![
        GridCell::text("TIPO DO CT-E", kind(cte.text("ide/tpCTe"))),
        GridCell::text("TIPO DO SERVIÇO", service(cte.text("ide/tpServ"))),
    ];
    // a whole paragraph, which no cell holds
    let globalised = if cte.text(GLOBALISED).is_empty() { "" } else { "Ver observações" };
    let second = match context.is_service() {
        true => vec![GridCell::text("PERCURSO DO VEÍCULO", route(context))],
        false => vec![
            GridCell::text("TOMADOR DO SERVIÇO", super::party::role(cte)),
            GridCell::text("CT-E GLOBALIZADO", yes(cte.text("ide/indGlobalizado") == "1")).wide(220),
            GridCell::text("INF. DO CT-E GLOBALIZADO", globalised).wide(360),
        ],
    };
    Grid { title: "", rows: vec![first, second] }.draw_least(sheet, frame);
}

fn yes(is: bool) -> &'static str {
    if is { "Sim" } else { "Não" }
}

/// States on the route.
fn route(context: &DacteContext<'_>) -> String {
    let states = context.cte.all("ide", "infPercurso").filter_map(|state| state.text_at("UFPer"));
    states.collect::<Vec<_>>().join(" - ")
}

fn kind(tpCTe: &str) -> &str {
    match tpCTe {
        "0" => "Normal",
        "1" => "Complemento de Valores",
        "3" => "Substituto",
        other => other,
    }
}

fn service(tpServ: &str) -> &str {
    match tpServ {
        "0" => "Normal",
        "1" => "Subcontratação",
        "2" => "Redespacho",
        "3" => "Redespacho Intermediário",
        "4" => "Serviço Vinculado a Multimodal",
        "6" => "Transporte de Pessoas",
        "7" => "Transporte de Valores",
        "8" => "Excesso de Bagagem",
        other => other,
    }
}

/// Variable field 2: the evidence that the document may circulate.
fn protocol(context: &DacteContext<'_>) -> (&'static str, String) {
    let cte = context.cte;
    let text = match cte.protocol("nProt") {
        "" if cte.is_pending() => "EMITIDO EM CONTINGÊNCIA - pendente de autorização".to_owned(),
        "" => String::new(),
        number => format!("{number} - {}", cte.answered_at()),
    };
    ("PROTOCOLO DE AUTORIZAÇÃO DE USO", text)
}
