//! Parties of a transport, each in a box of lines.
//!
//! Law: MOC CT-e 4.00, Anexo II (the boxes of dispatcher and receiver may be omitted when there is none, and the payer
//! may take their place).

use super::DacteContext;
use crate::form::dfe::Dfe;
use crate::form::grid::{PADDING, STROKE, block};
use crate::form::value;
use crate::paper::{Frame, Length, Sheet, TextStyle, Typeface, text};

/// Height of a box.
pub(super) const HEIGHT: Length = Length::mm(20);
/// Height of a box as wide as the form.
pub(super) const WIDE_HEIGHT: Length = Length::tenths(107);

const LINE: Length = Length::tenths(33);
const LABEL: TextStyle = TextStyle::new(Typeface::Serif, 60);
const PLAIN: TextStyle = TextStyle::new(Typeface::Serif, 80);

/// A party: its title on the form, and its place in the document.
#[derive(Clone, Copy)]
pub(super) struct TransportParty<'x> {
    title: &'static str,
    group: &'static str,
    address: &'static str,
    cte: Dfe<'x>,
}

/// A label, its text, and its share of the line.
type LabelledText = (&'static str, String, i32);

/// Parties with a box, in rows. The payer takes the place of an absent party, else a box below as wide as the form.
pub(super) struct PartyBoxes<'x> {
    pub(super) rows: Vec<Vec<TransportParty<'x>>>,
    /// Payer in a box as wide as the form.
    pub(super) payer: Option<TransportParty<'x>>,
}

/// Groups of a party in the document.
const REM: (&str, &str) = ("rem", "enderReme");
const EXPED: (&str, &str) = ("exped", "enderExped");
const RECEB: (&str, &str) = ("receb", "enderReceb");
const DEST: (&str, &str) = ("dest", "enderDest");

impl<'x> PartyBoxes<'x> {
    /// Parties of cargo.
    pub(super) fn of(context: &DacteContext<'x>) -> PartyBoxes<'x> {
        let cte = context.cte;
        let party = |title, (group, address)| TransportParty { title, group, address, cte };
        let mut all = vec![party("REMETENTE", REM), party("DESTINATÁRIO", DEST)];
        let others = [party("EXPEDIDOR", EXPED), party("RECEBEDOR", RECEB)];
        all.extend(others.into_iter().filter(|party| cte.group(party.group).is_some()));
        let payer = TransportParty { title: "TOMADOR DO SERVIÇO", ..payer(cte) };
        let across = if context.landscape { 4 } else { 2 };
        let has_room = all.len() % across != 0;
        if has_room {
            all.push(payer);
        }
        let rows = all.chunks(across).map(<[TransportParty<'_>]>::to_vec).collect();
        PartyBoxes { rows, payer: (!has_room).then_some(payer) }
    }
}

/// Party that pays.
fn payer(cte: Dfe<'_>) -> TransportParty<'_> {
    let (group, address) = match cte.text("ide/toma3/toma") {
        "0" => REM,
        "1" => EXPED,
        "2" => RECEB,
        "3" => DEST,
        _ if cte.group("ide/toma4").is_some() => ("ide/toma4", "enderToma"),
        _ => ("toma", "enderToma"),
    };
    TransportParty { title: "", group, address, cte }
}

/// Name of the payer's role.
pub(super) fn role(cte: Dfe<'_>) -> &'static str {
    match cte.first(&["ide/toma3/toma", "ide/toma4/toma"]) {
        "0" => "Remetente",
        "1" => "Expedidor",
        "2" => "Recebedor",
        "3" => "Destinatário",
        "4" => "Outros",
        _ => "",
    }
}

/// User of a service of transport.
pub(super) fn user<'x>(context: &DacteContext<'x>) -> TransportParty<'x> {
    TransportParty { title: "TOMADOR / USUÁRIO DO SERVIÇO", ..payer(context.cte) }
}

impl<'x> TransportParty<'x> {
    fn at(&self, tag: &str) -> &'x str {
        self.cte.text(&format!("{}/{tag}", self.group))
    }

    fn place(&self, tag: &str) -> &'x str {
        self.cte.text(&format!("{}/{}/{tag}", self.group, self.address))
    }

    fn street(&self) -> String {
        self.cte.address(&format!("{}/{}", self.group, self.address), &["xLgr", "nro", "xCpl", "xBairro"])
    }

    fn town(&self) -> String {
        [self.place("xMun"), self.place("UF")]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" - ")
    }

    fn document(&self) -> String {
        value::taxpayer(if self.at("CNPJ").is_empty() { self.at("CPF") } else { self.at("CNPJ") })
    }

    /// Draws five lines.
    pub(super) fn draw(self, sheet: &mut Sheet<'x>, frame: Frame) {
        sheet.outline(frame, STROKE);
        let cep = value::cep(self.place("CEP"));
        let ie = self.at("IE").to_owned();
        let lines = [
            (2, vec![(self.title, self.at("xNome").to_owned(), 1)]),
            (2, vec![("ENDEREÇO", self.street(), 1)]),
            (1, vec![("MUNICÍPIO", self.town(), 68), ("CEP", cep, 32)]),
            (1, vec![("CNPJ/CPF", self.document(), 58), ("FONE", value::phone(self.at("fone")), 42)]),
            (1, vec![("INSCRIÇÃO ESTADUAL", ie, 58), ("PAÍS", self.place("xPais").to_owned(), 42)]),
        ];
        draw_lines(sheet, frame, lines);
    }

    /// Draws three lines, as wide as the form.
    pub(super) fn draw_wide(self, sheet: &mut Sheet<'x>, frame: Frame) {
        sheet.outline(frame, STROKE);
        let cep = value::cep(self.place("CEP"));
        let lines = [
            (
                1,
                vec![
                    (self.title, self.at("xNome").to_owned(), 60),
                    ("CNPJ/CPF", self.document(), 18),
                    ("INSCRIÇÃO ESTADUAL", self.at("IE").to_owned(), 22),
                ],
            ),
            (1, vec![("ENDEREÇO", self.street(), 78), ("FONE", value::phone(self.at("fone")), 22)]),
            (1, vec![("MUNICÍPIO", self.town(), 60), ("CEP", cep, 18), ("PAÍS", self.place("xPais").to_owned(), 22)]),
        ];
        draw_lines(sheet, frame, lines);
    }
}

/// Draws lines from the top of a box, each with the number of lines of smallest type that it may take.
fn draw_lines<'x>(sheet: &mut Sheet<'x>, frame: Frame, lines: impl IntoIterator<Item = (i32, Vec<LabelledText>)>) {
    let mut room = Frame { y: frame.y + PADDING / 2, height: frame.height - PADDING / 2, ..frame };
    for (high, told) in lines {
        let height = LINE.max(LABEL.leading() * high);
        let (line, below) = room.split_top(height);
        let shares: Vec<i32> = told.iter().map(|(_, _, share)| *share).collect();
        for (part, (label, content, _)) in line.columns(&shares).into_iter().zip(told) {
            draw_labelled(sheet, part, label, &content);
        }
        room = below;
    }
}

/// Draws a label and its content on one line.
fn draw_labelled<'x>(sheet: &mut Sheet<'x>, frame: Frame, label: &'static str, content: &str) {
    let room = Frame { x: frame.x + PADDING, width: frame.width - PADDING * 2, ..frame };
    let (size, fits) = match text::fitting(content, PLAIN.face, room.width - label_width(label), PLAIN.size, LABEL.size)
    {
        Some(size) => (size, true),
        None => (LABEL.size, false),
    };
    let style = TextStyle { size, ..PLAIN };
    // both on one base line
    let drop = if fits { style.face.ascent(size) - LABEL.face.ascent(LABEL.size) } else { Length::ZERO };
    sheet.line(Frame { y: room.y + drop, height: room.height - drop, ..room }, LABEL, label);
    let (_, room) = room.split_left(label_width(label));
    if fits {
        sheet.line(room, style, content.to_owned());
    } else {
        block(sheet, room, style, content);
    }
}

fn label_width(label: &str) -> Length {
    LABEL.face.width(label, LABEL.size) + PADDING * 2
}
