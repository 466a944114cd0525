//! Additional data: the texts of the form, in their box on the first sheet and on further sheets.
//!
//! Law: MOC 7.0, Anexo II, 3.1.8, 3.1.9, 3.5 (continuation) and 3.9; NT 2026.010, 4.5 (QR code only when the document
//! has one).

use super::DanfeContext;
use super::{blocks, charges};
use crate::form::dfe::{Dfe, FormError};
use crate::form::grid::{PADDING, STROKE, title};
use crate::form::nfe::sum;
use crate::form::stored::StoredElement;
use crate::form::value;
use crate::paper::{Frame, Length, Sheet, TextAlign, TextStyle, Typeface, text};

/// Type of the texts.
pub(super) const TYPE: TextStyle = TextStyle::new(Typeface::Serif, 60);
const LABEL: TextStyle = TextStyle::new(Typeface::SerifBold, 60);
const FISCAL: Length = Length::mm(60);
/// Side of the QR code with its quiet zone.
const QR: Length = Length::mm(26);

/// Lines of the box, and the text that did not fit it.
#[derive(Default)]
pub(super) struct ExtraText {
    inside: Vec<String>,
    fiscal: Vec<String>,
    /// Text that continues on other sheets.
    pub(super) rest: String,
}

/// Height of the box with its title.
pub(super) fn height(context: &DanfeContext<'_>) -> Length {
    match (context.note.qr_code().is_empty(), context.landscape) {
        (false, _) => Length::mm(36),
        (true, false) => Length::mm(28),
        (true, true) => Length::mm(20),
    }
}

/// Cuts the texts for a box as wide as the form.
pub(super) fn words(context: &DanfeContext<'_>, width: Length) -> ExtraText {
    let note = context.note;
    let room = Frame::new(Length::ZERO, Length::ZERO, width, height(context));
    let (own, fiscal, _) = boxes(note, room);
    let lines =
        |frame: Frame| (frame.height - crate::form::grid::TITLE - PADDING - LABEL.leading()).fits(TYPE.leading());
    let (inside, rest) = text::cut(&complementary(context), TYPE, own.width - PADDING * 2, lines(own));
    // the authority's text: the emitter writes nothing here (3.1.9)
    let (for_fisco, fiscal_rest) = text::cut(note.protocol("xMsg"), TYPE, fiscal.width - PADDING * 2, lines(fiscal));
    let rest = [rest, fiscal_rest].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    ExtraText { inside, fiscal: for_fisco, rest }
}

fn boxes(note: Dfe<'_>, frame: Frame) -> (Frame, Frame, Option<Frame>) {
    let (rest, qr) = if note.qr_code().is_empty() {
        (frame, None)
    } else {
        let (left, right) = frame.split_left(frame.width - QR - PADDING * 2);
        (left, Some(right))
    };
    let (own, fiscal) = rest.split_left(rest.width - FISCAL);
    (own, fiscal, qr)
}

/// Draws the box.
pub(super) fn draw<'x>(
    sheet: &mut Sheet<'x>,
    frame: Frame,
    context: &DanfeContext<'x>,
    words: &ExtraText,
) -> Result<(), FormError> {
    let below = title(sheet, frame, "DADOS ADICIONAIS");
    let (own, fiscal, qr) = boxes(context.note, below);
    for (frame, label, lines) in
        [(own, "INFORMAÇÕES COMPLEMENTARES", &words.inside), (fiscal, "RESERVADO AO FISCO", &words.fiscal)]
    {
        sheet.outline(frame, STROKE);
        let room = frame.inside(PADDING / 2);
        let room = Frame { x: frame.x + PADDING, width: frame.width - PADDING * 2, ..room };
        sheet.line(room, LABEL, label);
        let (_, room) = room.split_top(LABEL.leading());
        sheet.lines(room, TYPE, lines.clone());
    }
    if let Some(frame) = qr {
        sheet.outline(frame, STROKE);
        let room = frame.inside(PADDING);
        sheet.line(room, LABEL.aligned(TextAlign::Centre), "QR CODE");
        let side = Frame::new(room.x, room.y + LABEL.leading(), QR, QR);
        sheet.qr(side, context.note.qr_code()).map_err(|_| FormError::QrCode)?;
    }
    Ok(())
}

/// Draws the continuation under its own head; returns the text that did not fit.
pub(super) fn draw_rest(sheet: &mut Sheet<'_>, frame: Frame, rest: &str) -> String {
    let below = title(sheet, frame, "CONTINUAÇÃO DAS INFORMAÇÕES COMPLEMENTARES");
    let room = below.inside(PADDING);
    let (lines, rest) = text::cut(rest, TYPE, room.width, room.height.fits(TYPE.leading()));
    let used = sheet.lines(room, TYPE, lines);
    let height = if rest.is_empty() { used + PADDING * 2 } else { below.height };
    sheet.outline(Frame { height, ..below }, STROKE);
    rest
}

/// Complementary information of the form.
fn complementary(context: &DanfeContext<'_>) -> String {
    let note = context.note;
    let mut parts: Vec<String> = Vec::new();
    parts.extend(situation(note));
    parts.extend(purpose(note));
    parts.extend(fiscal_words(note));
    parts.push(note.text("infAdic/infCpl").to_owned());
    parts.extend(note.all("infAdic", "obsCont").map(|own| {
        let name = own.attribute("xCampo").unwrap_or_default();
        format!("{name}: {}", own.text_at("xTexto").unwrap_or_default())
    }));
    parts.extend(references(note));
    parts.extend(embarkation(note));
    parts.extend(without_block(context));
    if !context.reform {
        parts.extend(ibs_cbs(note));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Credit and debit notes move no goods: the form names the kind of each (NT 2025.002, B25 and B25.1).
fn purpose(note: Dfe<'_>) -> Option<String> {
    let (name, kinds, kind) = match note.text("ide/finNFe") {
        "5" => ("NOTA DE CRÉDITO", CREDIT, note.text("ide/tpNFCredito")),
        "6" => ("NOTA DE DÉBITO", DEBIT, note.text("ide/tpNFDebito")),
        _ => return None,
    };
    let words = kinds.iter().find(|(code, _)| *code == kind).map_or("", |(_, words)| *words);
    Some(format!("{name} {kind} {words}").trim_end().to_owned())
}

/// `tpNFCredito`.
const CREDIT: &[(&str, &str)] = &[
    ("01", "- MULTA E JUROS"),
    ("02", "- CRÉDITO PRESUMIDO DE IBS SOBRE O SALDO DEVEDOR NA ZFM"),
    ("03", "- RETORNO POR RECUSA OU DESTINATÁRIO NÃO LOCALIZADO"),
    ("04", "- REDUÇÃO DE VALORES"),
    ("05", "- TRANSFERÊNCIA DE CRÉDITO NA SUCESSÃO"),
    ("06", "- RETORNO POR RECUSA PARCIAL"),
];

/// `tpNFDebito`.
const DEBIT: &[(&str, &str)] = &[
    ("01", "- TRANSFERÊNCIA DE CRÉDITOS PARA COOPERATIVAS"),
    ("02", "- ANULAÇÃO DE CRÉDITO POR SAÍDA IMUNE OU ISENTA"),
    ("03", "- DÉBITOS DE NOTAS NÃO PROCESSADAS NA APURAÇÃO"),
    ("04", "- MULTA E JUROS"),
    ("05", "- TRANSFERÊNCIA DE CRÉDITO NA SUCESSÃO"),
    ("06", "- PAGAMENTO ANTECIPADO"),
    ("07", "- PERDA EM ESTOQUE"),
    ("08", "- DESENQUADRAMENTO DO SIMPLES NACIONAL"),
];

/// Contents without a block, or without room in theirs.
fn without_block(context: &DanfeContext<'_>) -> Vec<String> {
    let note = context.note;
    let mut parts: Vec<String> = Vec::new();
    if !context.bounds.sites {
        parts.extend(blocks::site_in_words(note, "LOCAL DE RETIRADA", "retirada"));
        parts.extend(blocks::site_in_words(note, "LOCAL DE ENTREGA", "entrega"));
    }
    parts.extend(charges::without_cell(context));
    parts.extend(blocks::further_volumes(context));
    parts.extend(
        sum::without_a_cell(note)
            .map(|part| format!("{}: {}", part.label.to_uppercase(), value::amount(&part.amount.to_string()))),
    );
    parts
}

/// Texts about the emission that the form must have (MOC 7.0, Anexo III: a contingency with its beginning and its
/// reason).
pub(in crate::form::nfe) fn situation(note: Dfe<'_>) -> Vec<String> {
    let mut said = Vec::new();
    if note.is_test() {
        said.push("EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL".to_owned());
    }
    said.extend(match note.text("ide/tpEmis") {
        "4" => Some(EPEC.to_owned()),
        "2" | "5" => Some(SECURITY_PAPER.to_owned()),
        _ => None,
    });
    if !note.text("ide/dhCont").is_empty() {
        let since = value::moment(note.text("ide/dhCont"));
        said.push(format!("Contingência desde {since}: {}", note.text("ide/xJust")));
    }
    said
}

const EPEC: &str = "DANFE impresso em contingência - EPEC regularmente recebida pela Receita Federal do Brasil";
/// Also printed in the field of the second bars.
pub(super) const SECURITY_PAPER: &str = "DANFE em Contingência - impresso em decorrência de problemas técnicos";

/// IBS and CBS as a text, for notes in the classic layout.
fn ibs_cbs(note: Dfe<'_>) -> Option<String> {
    note.group("total/IBSCBSTot")?;
    let totals = [
        ("CBS", "IBSCBSTot/gCBS/vCBS"),
        ("IBS UF", "IBSCBSTot/gIBS/gIBSUF/vIBSUF"),
        ("IBS MUN", "IBSCBSTot/gIBS/gIBSMun/vIBSMun"),
        ("IS", "ISTot/vIS"),
    ];
    let told = totals.into_iter().filter_map(|(name, path)| {
        let amount = note.text(&format!("total/{path}"));
        (!amount.is_empty()).then(|| format!("{name}: {}", value::amount(amount)))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("  "))
}

/// Place where goods leave the country.
fn embarkation(note: Dfe<'_>) -> Option<String> {
    let exported = note.group("exporta")?;
    let at = |tag: &str| exported.text_at(tag).unwrap_or_default();
    let (place, state, dispatch) = (at("xLocExporta"), at("UFSaidaPais"), at("xLocDespacho"));
    let dispatch = if dispatch.is_empty() { String::new() } else { format!("; DESPACHO: {dispatch}") };
    Some(format!("EMBARQUE: {place} - {state}{dispatch}"))
}

/// Documents that the note refers to.
fn references(note: Dfe<'_>) -> Option<String> {
    let told: Vec<String> =
        note.all("ide", "NFref").filter_map(|reference| document_reference(reference.children().next()?)).collect();
    (!told.is_empty()).then(|| format!("Documentos referenciados: {}", told.join(", ")))
}

/// A document by its key, or one on paper by its identification.
fn document_reference(document: StoredElement<'_>) -> Option<String> {
    let at = |tag: &str| document.text_at(tag).unwrap_or_default();
    let of = |name: &str| {
        let (year, month) = at("AAMM").split_at_checked(2).unwrap_or_default();
        let emitter = value::taxpayer(document.text_at("CNPJ").unwrap_or(at("CPF")));
        format!("{name} modelo {} série {} nº {} de {month}/{year}, {emitter}", at("mod"), at("serie"), at("nNF"))
    };
    match document.name() {
        "refNFe" | "refNFeSig" | "refCTe" => Some(document.text().to_owned()),
        "refNF" => Some(of("NF")),
        "refNFP" => Some(of("NF de produtor")),
        "refECF" => Some(format!("cupom fiscal {} ECF {} COO {}", at("mod"), at("nECF"), at("nCOO"))),
        _ => None,
    }
}

/// Texts of the emitter to the tax office, printed with the emitter's other texts, not in the office's own field
/// (3.1.8).
fn fiscal_words(note: Dfe<'_>) -> Vec<String> {
    let mut parts = vec![note.text("infAdic/infAdFisco").to_owned()];
    parts.extend(note.all("infAdic", "obsFisco").map(|own| {
        let name = own.attribute("xCampo").unwrap_or_default();
        format!("{name}: {}", own.text_at("xTexto").unwrap_or_default())
    }));
    parts
}
