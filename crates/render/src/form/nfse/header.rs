//! Head of the DANFSe and identification of the note: key, numbers, moments, situation, QR code. The official logo is
//! not shipped (its licence is unknown): its place stays empty.
//!
//! Law: NT 008, 2.1.1, 2.1.2 and 2.4.3.

use super::block::{BlockPart, DanfseBlock};
use super::note::NationalNote;
use super::page::{DanfsePage, across};
use super::row::{BESIDE, field, row};
use super::{codes, formats};
use crate::form::dfe::FormError;
use crate::form::options::PrintedStatus;
use crate::form::value;
use crate::paper::{Frame, Ink, Length, TextAlign, TextStyle, Typeface, text};

const TOP: Length = Length::tenths(30);
const HEIGHT: Length = Length::tenths(116);
/// Start of the identification.
const BELOW: Length = Length::tenths(147);
const KEY_ROW: Length = Length::tenths(77);
const TITLE: TextStyle = TextStyle::new(Typeface::SansBold, 90).aligned(TextAlign::Centre);
const TOWN: TextStyle = TextStyle::new(Typeface::Sans, 80);
const SMALL: TextStyle = TextStyle::new(Typeface::Sans, 60);
const TEST: &str = "NFS-e SEM VALIDADE JURÍDICA";
/// Side of the QR code; the symbol without its quiet zone is 15.2 mm.
const QR: Length = Length::tenths(174);
const PORTAL: &str = "https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=";
const AUTHENTICITY: &str = "A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR ou pela consulta da chave de acesso no portal nacional da NFS-e";

/// Item of the list of services that no município taxes.
const NO_TOWN: &str = "99";

/// Address of a note's query.
pub(in crate::form) fn address(chave: &str) -> String {
    format!("{PORTAL}{chave}")
}

/// Draws the head and the QR code; returns the start of the blocks.
pub(super) fn draw<'x>(page: &mut DanfsePage<'x>, note: &NationalNote<'x>) -> Result<Length, FormError> {
    let (x, width) = across(0, 4);
    page.shade(Frame::new(x, TOP, width, HEIGHT));
    draw_titles(page, note);
    draw_place(page, note);
    draw_qr(page, note)?;
    Ok(BELOW)
}

fn draw_titles<'x>(page: &mut DanfsePage<'x>, note: &NationalNote<'x>) {
    let (x, width) = across(1, 2);
    let is_test = note.dps("tpAmb") == "2";
    let height = TITLE.leading() * if is_test { 3 } else { 2 };
    let room = Frame::new(x, TOP + (HEIGHT - height) / 2, width, height);
    let used = page.sheet.lines(room, TITLE, ["DANFSe v2.0", "Documento Auxiliar da NFS-e"]);
    if is_test {
        let began = page.sheet.marks.len();
        page.sheet.line(room.split_top(used).1, TITLE, TEST);
        page.sheet.tint(began, Ink::Red);
    }
}

/// Draws generator and município.
fn draw_place<'x>(page: &mut DanfsePage<'x>, note: &NationalNote<'x>) {
    let (x, width) = across(3, 1);
    let room = Frame::new(x + BESIDE, TOP + Length::tenths(4), width - BESIDE, HEIGHT - Length::tenths(4));
    if !note.dps("serv/cServ/cTribNac").starts_with(NO_TOWN) {
        let town = format!("Município: {}", formats::cut(&town(note), 37));
        let lines = text::lines(&town, TOWN.face, TOWN.size, room.width).into_iter().take(2).map(str::to_owned);
        page.sheet.lines(room, TOWN, lines);
    }
    let at = |tenths: i32| Frame { y: Length::tenths(tenths), height: SMALL.leading(), ..room };
    let generator = dashed(codes::words(codes::GENERATOR, note.nfse("ambGer")));
    page.sheet.line(at(98), SMALL, format!("Ambiente Gerador: {generator}"));
    let environment = dashed(codes::words(codes::ENVIRONMENT, note.dps("tpAmb")));
    page.sheet.line(at(121), SMALL, format!("Tipo de Ambiente: {environment}"));
}

fn town(note: &NationalNote<'_>) -> String {
    let emitted = note.dps("cLocEmi");
    let name = if note.nfse("xLocEmi").is_empty() { formats::town(emitted) } else { note.nfse("xLocEmi") };
    let state = note.nfse("emit/enderNac/UF");
    let state = if state.is_empty() { formats::state(emitted) } else { state };
    formats::join_with_dashes(&[name, state])
}

fn dashed(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// Draws the QR code beside the identification; a document without a key has none.
fn draw_qr<'x>(page: &mut DanfsePage<'x>, note: &NationalNote<'x>) -> Result<(), FormError> {
    let chave = note.dfe.chave();
    if chave.is_empty() {
        return Ok(());
    }
    let centre = Length::tenths(1748 + 76);
    let square = Frame::new(centre - QR / 2, Length::tenths(167 + 76) - QR / 2, QR, QR);
    page.sheet.qr(square, &address(chave)).map_err(|_| FormError::QrCode)?;
    let (x, width) = across(3, 1);
    let room = Frame::new(x, Length::tenths(334), width, SMALL.leading() * 3);
    let lines = text::lines(AUTHENTICITY, SMALL.face, SMALL.size, width).into_iter().take(3).map(str::to_owned);
    page.sheet.lines(room, SMALL.aligned(TextAlign::Centre), lines);
    Ok(())
}

/// Identification from key to purpose.
pub(super) fn identification<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let number = match note.dfe.document_status() {
        PrintedStatus::Preview { numbered: false } => "",
        _ => note.dps("nDPS"),
    };
    let purpose = formats::cut(codes::words(codes::PURPOSE, note.dps("IBSCBS/finNFSe")), 40);
    let rows = [
        row([field("CHAVE DE ACESSO DA NFS-e", note.dfe.chave()).spanning(3)]).of(KEY_ROW),
        row([
            field("NÚMERO DA NFS-e", note.nfse("nNFSe")),
            field("COMPETÊNCIA DA NFS-e", value::date(note.dps("dCompet"))),
            field("DATA E HORA DA EMISSÃO DA NFS-e", value::moment(note.nfse("dhProc"))),
        ]),
        row([
            field("NÚMERO DA DPS", number),
            field("SÉRIE DA DPS", note.dps("serie")),
            field("DATA E HORA DA EMISSÃO DA DPS", value::moment(note.dps("dhEmi"))),
        ]),
        row([
            field("EMITENTE DA NFS-e", codes::words(codes::EMITTER, note.dps("tpEmit"))).shaded(),
            field("SITUAÇÃO DA NFS-e", formats::cut(codes::words(codes::SITUATION, note.nfse("cStat")), 40)),
            field("FINALIDADE", purpose),
        ]),
    ];
    DanfseBlock::new(rows.into_iter().map(|row| BlockPart::Row(row.with_capitals())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_below_the_code_take_three_lines() {
        let lines = text::lines(AUTHENTICITY, SMALL.face, SMALL.size, across(3, 1).1);
        assert_eq!(lines.len(), 3, "{lines:?}");
    }
}
