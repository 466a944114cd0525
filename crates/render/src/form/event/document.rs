//! Events of an NF-e, an NFC-e, a CT-e or a CT-e OS: contents of `procEventoNFe` and `procEventoCTe`.
//!
//! Law: MOC 7.0 and MOC CT-e 4.00 (contents of an event).

use super::subject::{NOTE, Subject, TRANSPORT};
use super::{Code, Told};
use crate::form::dfe::Dfe;
use crate::form::grid::{Cell, Grid};
use crate::form::options::Standing;
use crate::form::stored::{Document, Element};
use crate::form::value;
use std::borrow::Cow;

/// A registered event.
pub(super) struct Event<'x> {
    subject: &'static Subject,
    asked: Element<'x>,
    answered: Option<Element<'x>>,
    parties: Parties<'x>,
}

/// Parties of the event's document.
#[derive(Default)]
struct Parties<'x> {
    emitter: Party<'x>,
    addressee: Party<'x>,
    carrier: Party<'x>,
    /// Total of the document.
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
        if let Ok(note) = Dfe::of(document) {
            let party = |group: &str| Party {
                name: note.text(&format!("{group}/xNome")),
                document: note.first(&DOCUMENTS.map(|tag| format!("{group}/{tag}")).each_ref().map(String::as_str)),
                registration: note.text(&format!("{group}/IE")),
            };
            let (emitter, addressee, carrier) = (party("emit"), party(addressee(note)), party("transp/transporta"));
            return Parties { emitter, addressee, carrier, value: note.first(&[NOTE.total, TRANSPORT.total]) };
        }
        // the summary of a received note names its emitter only
        let Some(summary) = document.root().filter(|root| root.name() == "resNFe") else { return Parties::default() };
        let at = |tag: &str| summary.text_at(tag).unwrap_or_default();
        let document = DOCUMENTS.iter().map(|tag| at(tag)).find(|text| !text.is_empty()).unwrap_or_default();
        let emitter = Party { name: at("xNome"), document, registration: at("IE") };
        Parties { emitter, value: at("vNF"), ..Parties::default() }
    }

    /// Rows of the parties and the total; `None` when nothing is known.
    fn grid(&self, subject: &Subject) -> Option<Grid<'x>> {
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
                Cell::text(subject.addressee.0, addressee.name),
                Cell::text("CNPJ / CPF / DOCUMENTO", value::taxpayer(addressee.document)).wide(400),
                Cell::text("INSCRIÇÃO ESTADUAL", addressee.registration).wide(370),
            ]);
        }
        Some(Grid { title: subject.parties, rows })
    }
}

/// Group of the addressee; of a transport, the payer's.
fn addressee(dfe: Dfe<'_>) -> &'static str {
    match dfe.text("ide/toma3/toma") {
        "0" => "rem",
        "1" => "exped",
        "2" => "receb",
        _ if dfe.group("ide/toma4").is_some() => "ide/toma4",
        _ if dfe.group("toma").is_some() => "toma",
        _ => "dest",
    }
}

const DOCUMENTS: [&str; 3] = ["CNPJ", "CPF", "idEstrangeiro"];

impl<'x> Event<'x> {
    /// Reads an event, with the parties of its document when that is known.
    pub(super) fn of(root: Element<'x>, note: Option<&'x Document<'_>>) -> Option<Event<'x>> {
        let alone = || root.child("infEvento").map(|asked| (&NOTE, asked));
        let within = |subject: &Subject| root.child(subject.envelope.root)?.child("infEvento");
        let found = [&NOTE, &TRANSPORT].into_iter().find_map(|subject| Some((subject, within(subject)?)));
        let (subject, asked) = found.or_else(alone)?;
        Some(Event {
            subject,
            asked,
            answered: root.at(subject.answer),
            parties: note.map(Parties::of).unwrap_or_default(),
        })
    }

    /// Text of the event's detail; in a transport's event it is one element deeper.
    fn said(&self, path: &str) -> &'x str {
        let Some(detail) = self.asked.child("detEvento") else { return "" };
        let inner = detail
            .children()
            .next()
            .filter(|inner| inner.children().next().is_some() && inner.name().starts_with("ev"));
        inner.unwrap_or(detail).text_at(path).unwrap_or_default()
    }

    fn asked(&self, path: &str) -> &'x str {
        self.asked.text_at(path).unwrap_or_default()
    }

    fn answered(&self, path: &str) -> &'x str {
        self.answered.and_then(|answer| answer.text_at(path)).unwrap_or_default()
    }

    /// Meaning of the addressee's declaration, whose XML has only its number. Law: NT 2020.001, 2.
    fn declaration(&self) -> &'static str {
        match self.asked("tpEvento") {
            "210200" => "O destinatário confirma a operação e, se houve circulação de mercadoria, o recebimento dela.",
            "210210" => "O destinatário declara ciência da nota. Não é a manifestação final dele.",
            "210220" => "O destinatário declara que desconhece a operação.",
            "210240" => "O destinatário declara que a operação não se realizou.",
            _ => "",
        }
    }

    /// Corrections of a transport, one per field.
    fn corrections(&self) -> Vec<String> {
        let detail = self.asked.at("detEvento/evCCeCTe");
        let all = detail.into_iter().flat_map(|detail| detail.children().filter(|child| child.name() == "infCorrecao"));
        all.map(|correction| {
            let at = |tag: &str| correction.text_at(tag).unwrap_or_default();
            let item = if at("nroItemAlterado").is_empty() {
                String::new()
            } else {
                format!(" (item {})", at("nroItemAlterado"))
            };
            format!("{} / {}{item}: {}", at("grupoAlterado"), at("campoAlterado"), at("valorAlterado"))
        })
        .collect()
    }

    /// Party authorised to download the note, by name when the note has it.
    fn actor(&self) -> String {
        let document = [self.said("autXML/CNPJ"), self.said("autXML/CPF")].concat();
        match &self.parties.carrier {
            carrier if carrier.document == document && !document.is_empty() => {
                format!("{} - {}", value::taxpayer(&document), carrier.name)
            }
            _ => value::taxpayer(&document),
        }
    }

    /// Author of the event, with the role in the note.
    fn author(&self) -> String {
        let author = [self.asked("CNPJ"), self.asked("CPF")].concat();
        let role = match () {
            () if author.is_empty() => return author,
            () if author == self.parties.emitter.document => "EMITENTE",
            () if author == self.parties.addressee.document || !self.declaration().is_empty() => {
                self.subject.addressee.1
            }
            () => "",
        };
        [value::taxpayer(&author), role.to_owned()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" - ")
    }
}

impl<'x> Told<'x> for Event<'x> {
    fn name(&self) -> &'static str {
        self.subject.name(self.asked("tpEvento"), self.chave())
    }

    fn chave(&self) -> &'x str {
        self.asked(self.subject.envelope.key)
    }

    fn protocol(&self) -> String {
        super::protocol(self.answered("nProt"), self.answered("dhRegEvento"), self.asked("dhEvento"))
    }

    fn paragraphs(&self) -> Vec<(&'static str, Cow<'x, str>)> {
        let of = |tag: &str| self.said(tag);
        let may_name_others = match of("tpAutorizacao") {
            "0" => "Não",
            "1" => "Sim",
            other => other,
        };
        let terms = self.subject.envelope.accented(self.asked("tpEvento"), "xCondUso", of("xCondUso"));
        let told: [(&'static str, Cow<'x, str>); 10] = [
            ("DECLARAÇÃO", self.declaration().into()),
            ("CORREÇÃO", of("xCorrecao").into()),
            ("CORREÇÕES", self.corrections().join("\n").into()),
            ("OBSERVAÇÃO", of("xObs").into()),
            ("JUSTIFICATIVA", of("xJust").into()),
            ("PROTOCOLO DE AUTORIZAÇÃO", of("nProt").into()),
            ("CHAVE DE ACESSO DA NOTA SUBSTITUTA", value::key(of("chNFeRef")).into()),
            ("TRANSPORTADOR AUTORIZADO A OBTER A NOTA (CNPJ / CPF)", self.actor().into()),
            ("O TRANSPORTADOR PODE AUTORIZAR SUBCONTRATADOS OU REDESPACHADOS", may_name_others.into()),
            ("CONDIÇÕES DE USO", terms.into()),
        ];
        told.into_iter().filter(|(_, content)| !content.is_empty()).collect()
    }

    fn grids(&self) -> Vec<Grid<'x>> {
        let answer = [self.answered("cStat"), self.answered("xMotivo")];
        let answer: Vec<&str> = answer.into_iter().filter(|part| !part.is_empty()).collect();
        let event = Grid {
            title: "EVENTO",
            rows: vec![
                vec![
                    Cell::text("TIPO", self.asked("tpEvento")).wide(250),
                    Cell::text("SEQUÊNCIA", self.asked("nSeqEvento")).wide(250),
                    Cell::text("DATA E HORA", value::zoned(self.asked("dhEvento"))),
                    Cell::text("AUTOR DO EVENTO", self.author()),
                ],
                vec![
                    Cell::text("SITUAÇÃO", answer.join(" - ")),
                    Cell::text("PROTOCOLO", self.protocol()).bold().wide(900),
                ],
            ],
        };
        let chave = self.chave();
        let key = Cell::text("CHAVE DE ACESSO", value::key(chave)).bold().centred();
        // the key's parts: the event holds no more about its note
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
        let note = Grid { title: self.subject.title, rows: vec![vec![key], told] };
        [event, note].into_iter().chain(self.parties.grid(self.subject)).collect()
    }

    fn is_test(&self) -> bool {
        self.asked("tpAmb") == "2"
    }

    fn standing(&self) -> Standing {
        Standing::Cancelled { protocol: self.protocol() }
    }

    fn code(&self) -> Code {
        Code::Bars
    }
}
