//! The printed form of an event: carta de correção, cancellation and the like, one sheet or as many as its text needs.
//!
//! Law: MOC 7.0 gives no drawing for it; it says what the registered event (`procEventoNFe`) says, in the blocks of the DANFE.

use super::grid::{Cell, Grid, PADDING, STROKE, TITLE, title};
use super::note::{Note, Unreadable};
use super::stored::{Document, Element};
use super::value;
use crate::barcode::Code128;
use crate::paper::{Align, Face, Frame, Length, Sheet, Style, text};
use crate::pdf;

const MARGIN: Length = Length::mm(10);
const HEAD: Length = Length::mm(30);
const HEADING: Style = Style::new(Face::SerifBold, 140).aligned(Align::Centre);
const BODY: Style = Style::new(Face::Serif, 100);
const NO_INVOICE: &str =
    "Não é documento fiscal: representa o evento registrado, que se consulta pela chave de acesso.";

/// The form of a registered event as a PDF, with the parties of its note (`nfeProc`, `NFe`, `resNFe`) when that is known.
pub fn pdf(xml: &[u8], note: Option<&[u8]>) -> Result<Vec<u8>, Unreadable> {
    let document = Document::read(xml)?;
    let note = note.map(Document::read).transpose()?;
    let sheets = sheets(&document, note.as_ref())?;
    let event = document.root().and_then(Event::of).ok_or(Unreadable::NotANote)?;
    Ok(pdf::write(&format!("{} {}", event.name(), event.asked("chNFe")), &sheets, &[]))
}

/// Number and moment of a registered event, as forms say them.
pub fn registration(xml: &[u8]) -> Option<String> {
    let document = Document::read(xml).ok()?;
    let event = Event::of(document.root()?)?;
    protocol(event.answered("nProt"), Some(event.answered("dhRegEvento")))
}

/// The same of its parts; none without a number.
pub fn protocol(number: &str, moment: Option<&str>) -> Option<String> {
    let moment = moment.map(value::moment).filter(|moment| !moment.is_empty());
    (!number.is_empty()).then(|| moment.map_or(number.to_owned(), |moment| format!("{number} - {moment}")))
}

/// The sheets of the form of a `procEventoNFe`.
pub fn sheets<'x>(document: &'x Document<'_>, note: Option<&'x Document<'_>>) -> Result<Vec<Sheet<'x>>, Unreadable> {
    let event = document.root().and_then(Event::of).ok_or(Unreadable::NotANote)?;
    let event = Event { parties: note.map(Parties::of).unwrap_or_default(), ..event };
    let room = event.body();
    let mut lines: Vec<(Style, &str)> = Vec::new();
    for (heading, content) in event.paragraphs() {
        lines.push((Style::new(Face::SerifBold, 100), heading));
        lines.extend(text::lines(content, BODY.face, BODY.size, room.width).into_iter().map(|line| (BODY, line)));
        lines.push((BODY, ""));
    }
    let on_a_sheet = room.height.fits(BODY.leading()).max(1);
    if lines.is_empty() {
        lines.push((BODY, ""));
    }
    let pages = lines.chunks(on_a_sheet).count();
    Ok(lines.chunks(on_a_sheet).enumerate().map(|(place, lines)| event.draw(lines, place + 1, pages)).collect())
}

/// What was registered.
struct Event<'x> {
    asked: Element<'x>,
    answered: Option<Element<'x>>,
    parties: Parties<'x>,
}

/// Who stands in the note of which the event speaks.
#[derive(Default)]
struct Parties<'x> {
    emitter: Party<'x>,
    addressee: Party<'x>,
    /// `vNF`.
    value: &'x str,
}

#[derive(Default)]
struct Party<'x> {
    name: &'x str,
    /// CNPJ, CPF or foreign document.
    document: &'x str,
    registration: &'x str,
}

impl<'x> Parties<'x> {
    fn of(document: &'x Document<'_>) -> Parties<'x> {
        if let Ok(note) = Note::of(document) {
            let party = |group: &str| Party {
                name: note.text(&format!("{group}/xNome")),
                document: note.first(&DOCUMENTS.map(|tag| format!("{group}/{tag}")).each_ref().map(String::as_str)),
                registration: note.text(&format!("{group}/IE")),
            };
            return Parties { emitter: party("emit"), addressee: party("dest"), value: note.text("total/ICMSTot/vNF") };
        }
        // the summary of a received note names its emitter only
        let Some(summary) = document.root().filter(|root| root.name() == "resNFe") else { return Parties::default() };
        let at = |tag: &str| summary.text_at(tag).unwrap_or_default();
        let document = DOCUMENTS.iter().map(|tag| at(tag)).find(|text| !text.is_empty()).unwrap_or_default();
        let emitter = Party { name: at("xNome"), document, registration: at("IE") };
        Parties { emitter, addressee: Party::default(), value: at("vNF") }
    }

    /// A row for each, and what the note is worth; none when nothing is known.
    fn grid(&self) -> Option<Grid<'x>> {
        if self.emitter.name.is_empty() && self.emitter.document.is_empty() {
            return None;
        }
        let mut rows = vec![vec![
            Cell::text("EMITENTE - NOME / RAZÃO SOCIAL", self.emitter.name),
            Cell::text("CNPJ / CPF", value::taxpayer(self.emitter.document)).wide(400),
            Cell::text("INSCRIÇÃO ESTADUAL", self.emitter.registration).wide(370),
        ]];
        let addressee = &self.addressee;
        if !addressee.name.is_empty() || !addressee.document.is_empty() {
            rows.push(vec![
                Cell::text("DESTINATÁRIO - NOME / RAZÃO SOCIAL", addressee.name),
                Cell::text("CNPJ / CPF / DOCUMENTO", value::taxpayer(addressee.document)).wide(400),
                Cell::text("INSCRIÇÃO ESTADUAL", addressee.registration).wide(370),
            ]);
        }
        Some(Grid { title: "PARTES DA NOTA FISCAL", rows })
    }
}

const DOCUMENTS: [&str; 3] = ["CNPJ", "CPF", "idEstrangeiro"];

impl<'x> Event<'x> {
    fn of(root: Element<'x>) -> Option<Event<'x>> {
        let asked = root.at("evento/infEvento").or_else(|| root.child("infEvento"))?;
        Some(Event { asked, answered: root.at("retEvento/infEvento"), parties: Parties::default() })
    }

    fn asked(&self, path: &str) -> &'x str {
        self.asked.text_at(path).unwrap_or_default()
    }

    fn answered(&self, path: &str) -> &'x str {
        self.answered.and_then(|answer| answer.text_at(path)).unwrap_or_default()
    }

    fn name(&self) -> &'static str {
        match self.asked("tpEvento") {
            "110110" => "CARTA DE CORREÇÃO ELETRÔNICA",
            "110111" => "CANCELAMENTO DE NF-e",
            "110112" => "CANCELAMENTO POR SUBSTITUIÇÃO DE NFC-e",
            "110140" => "EVENTO PRÉVIO DE EMISSÃO EM CONTINGÊNCIA",
            "110150" => "ATOR INTERESSADO NA NF-e",
            "210200" => "CONFIRMAÇÃO DA OPERAÇÃO",
            "210210" => "CIÊNCIA DA OPERAÇÃO",
            "210220" => "DESCONHECIMENTO DA OPERAÇÃO",
            "210240" => "OPERAÇÃO NÃO REALIZADA",
            _ => "EVENTO DE NF-e",
        }
    }

    /// What the event says, each part with its heading.
    fn paragraphs(&self) -> Vec<(&'static str, &'x str)> {
        let told = [
            ("CORREÇÃO", "detEvento/xCorrecao"),
            ("JUSTIFICATIVA", "detEvento/xJust"),
            ("CHAVE DA NOTA SUBSTITUTA", "detEvento/chNFeRef"),
            ("CONDIÇÕES DE USO", "detEvento/xCondUso"),
        ];
        let told = told.into_iter().map(|(heading, path)| (heading, self.asked(path)));
        told.filter(|(_, content)| !content.is_empty()).collect()
    }

    fn draw(&self, lines: &[(Style, &'x str)], page: usize, pages: usize) -> Sheet<'x> {
        let mut sheet = Sheet::new(Length::mm(210), Length::mm(297));
        let whole = whole(&sheet);
        let (head, below) = whole.split_top(HEAD);
        self.draw_head(&mut sheet, head, page, pages);
        let mut below = below;
        for grid in self.grids() {
            let (frame, next) = below.split_top(grid.height());
            grid.draw(&mut sheet, frame);
            below = next;
        }
        let room = title(&mut sheet, below, "CONTEÚDO DO EVENTO");
        sheet.outline(room, STROKE);
        let mut line = self.body();
        for (style, content) in lines {
            sheet.line(line, *style, *content);
            line = line.split_top(BODY.leading()).1;
        }
        if self.asked("tpAmb") == "2" {
            sheet.watermark(Face::SerifBold, Length::decipoints(700), Length::ZERO, "SEM VALOR FISCAL");
        }
        sheet
    }

    fn draw_head(&self, sheet: &mut Sheet<'x>, frame: Frame, page: usize, pages: usize) {
        sheet.outline(frame, STROKE);
        let room = frame.inside(PADDING * 2);
        let mut used = sheet.lines(room, HEADING, [self.name()]);
        used += sheet.lines(
            room.split_top(used).1,
            BODY.aligned(Align::Centre),
            [NO_INVOICE.to_owned(), format!("FOLHA {page}/{pages}")],
        );
        let bars = room.split_top(used + PADDING).1;
        if let Ok(code) = Code128::of_text(self.asked("chNFe")) {
            let width = Length::mm(120);
            let x = bars.x + (bars.width - width) / 2;
            sheet.bars(Frame { x, width, ..bars }, &code);
        }
    }

    fn grids(&self) -> Vec<Grid<'x>> {
        let protocol = protocol(self.answered("nProt"), Some(self.answered("dhRegEvento"))).unwrap_or_default();
        let author = [self.asked("CNPJ"), self.asked("CPF")].concat();
        let event = Grid {
            title: "EVENTO",
            rows: vec![
                vec![
                    Cell::text("TIPO", self.asked("tpEvento")).wide(250),
                    Cell::text("SEQUÊNCIA", self.asked("nSeqEvento")).wide(250),
                    Cell::text("DATA E HORA", value::moment(self.asked("dhEvento"))),
                    Cell::text("AUTOR", value::taxpayer(&author)),
                ],
                vec![
                    Cell::text("SITUAÇÃO", self.answered("xMotivo")),
                    Cell::text("PROTOCOLO", protocol).bold().wide(900),
                ],
            ],
        };
        let chave = self.asked("chNFe");
        let key = Cell::text("CHAVE DE ACESSO", value::key(chave)).bold().centred();
        // what the key says of its note: an event has no more of it
        let part = |from: usize, to: usize| chave.get(from..to).unwrap_or_default();
        let issuer = part(6, 20);
        let issuer = issuer.strip_prefix("000").filter(|_| self.asked("CPF") == &issuer[3..]).unwrap_or(issuer);
        let month = if chave.is_empty() { String::new() } else { format!("{}/20{}", part(4, 6), part(2, 4)) };
        let told = vec![
            Cell::text("EMITENTE", value::taxpayer(issuer)),
            Cell::text("MODELO", part(20, 22)).wide(200),
            Cell::text("SÉRIE", part(22, 25)).wide(200),
            Cell::text("NÚMERO", value::nine(part(25, 34))).wide(400),
            Cell::text("MÊS DA EMISSÃO", month).wide(350),
            Cell::money("VALOR TOTAL", self.parties.value).wide(400),
        ];
        let note = Grid { title: "NOTA FISCAL", rows: vec![vec![key], told] };
        [event, note].into_iter().chain(self.parties.grid()).collect()
    }

    /// The room of the words, the same on every sheet.
    fn body(&self) -> Frame {
        let sheet = Sheet::new(Length::mm(210), Length::mm(297));
        let grids = self.grids().iter().map(Grid::height).sum::<Length>();
        whole(&sheet).split_top(HEAD + grids + TITLE).1.inside(PADDING * 2)
    }
}

fn whole(sheet: &Sheet<'_>) -> Frame {
    Frame::new(Length::ZERO, Length::ZERO, sheet.width, sheet.height).inside(MARGIN)
}
