//! Events of an NF-e, an NFC-e, a CT-e or a CT-e OS: contents of `procEventoNFe` and `procEventoCTe`.
//!
//! Law: MOC 7.0 and MOC CT-e 4.00 (contents of an event).

use super::subject::{EventSubject, NOTE, TRANSPORT};
use super::{EventContents, LookupCode};
use crate::form::dfe::Dfe;
use crate::form::grid::{Grid, GridCell};
use crate::form::options::PrintedStatus;
use crate::form::stored::{ParsedDocument, StoredElement};
use crate::form::value;
use std::borrow::Cow;

/// A registered event.
pub(super) struct SefazEvent<'x> {
    subject: &'static EventSubject,
    request: StoredElement<'x>,
    answered: Option<StoredElement<'x>>,
    parties: EventParties<'x>,
}

/// Parties of the event's document.
#[derive(Default)]
struct EventParties<'x> {
    emitter: EventParty<'x>,
    addressee: EventParty<'x>,
    carrier: EventParty<'x>,
    /// Total of the document.
    value: &'x str,
}

#[derive(Default)]
struct EventParty<'x> {
    name: &'x str,
    /// CNPJ, CPF or foreign document.
    document: &'x str,
    registration: &'x str,
}

impl<'x> EventParties<'x> {
    fn of(document: &'x ParsedDocument<'_>) -> EventParties<'x> {
        if let Ok(note) = Dfe::of(document) {
            let party = |group: &str| EventParty {
                name: note.text(&format!("{group}/xNome")),
                document: note.first(&DOCUMENTS.map(|tag| format!("{group}/{tag}")).each_ref().map(String::as_str)),
                registration: note.text(&format!("{group}/IE")),
            };
            let (emitter, addressee, carrier) = (party("emit"), party(addressee(note)), party("transp/transporta"));
            return EventParties { emitter, addressee, carrier, value: note.first(&[NOTE.total, TRANSPORT.total]) };
        }
        // the summary of a received note names its emitter only
        let Some(summary) = document.root().filter(|root| root.name() == "resNFe") else {
            return EventParties::default();
        };
        let at = |tag: &str| summary.text_at(tag).unwrap_or_default();
        let document = DOCUMENTS.iter().map(|tag| at(tag)).find(|text| !text.is_empty()).unwrap_or_default();
        let emitter = EventParty { name: at("xNome"), document, registration: at("IE") };
        EventParties { emitter, value: at("vNF"), ..EventParties::default() }
    }

    /// Rows of the parties and the total; `None` when nothing is known.
    fn grid(&self, subject: &EventSubject) -> Option<Grid<'x>> {
        if self.emitter.name.is_empty() && self.emitter.document.is_empty() {
            return None;
        }
        let mut rows = vec![vec![
            GridCell::text("EMITENTE - NOME / RAZÃO SOCIAL", self.emitter.name),
            GridCell::text("CNPJ / CPF", value::taxpayer(self.emitter.document)).wide(400),
            GridCell::text("INSCRIÇÃO ESTADUAL", self.emitter.registration).wide(370),
        ]];
        let addressee = &self.addressee;
        if !addressee.name.is_empty() || !addressee.document.is_empty() {
            rows.push(vec![
                GridCell::text(subject.addressee.0, addressee.name),
                GridCell::text("CNPJ / CPF / DOCUMENTO", value::taxpayer(addressee.document)).wide(400),
                GridCell::text("INSCRIÇÃO ESTADUAL", addressee.registration).wide(370),
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

impl<'x> SefazEvent<'x> {
    /// Reads an event, with the parties of its document when that is known.
    pub(super) fn of(root: StoredElement<'x>, note: Option<&'x ParsedDocument<'_>>) -> Option<SefazEvent<'x>> {
        let alone = || root.child("infEvento").map(|asked| (&NOTE, asked));
        let within = |subject: &EventSubject| root.child(subject.envelope.root)?.child("infEvento");
        let found = [&NOTE, &TRANSPORT].into_iter().find_map(|subject| Some((subject, within(subject)?)));
        let (subject, asked) = found.or_else(alone)?;
        Some(SefazEvent {
            subject,
            request: asked,
            answered: root.at(subject.answer),
            parties: note.map(EventParties::of).unwrap_or_default(),
        })
    }

    /// Text of the event's detail; in a transport's event it is one element deeper.
    fn detail_text(&self, path: &str) -> &'x str {
        let Some(detail) = self.request.child("detEvento") else { return "" };
        let inner = detail
            .children()
            .next()
            .filter(|inner| inner.children().next().is_some() && inner.name().starts_with("ev"));
        inner.unwrap_or(detail).text_at(path).unwrap_or_default()
    }

    fn request_text(&self, path: &str) -> &'x str {
        self.request.text_at(path).unwrap_or_default()
    }

    fn answered(&self, path: &str) -> &'x str {
        self.answered.and_then(|answer| answer.text_at(path)).unwrap_or_default()
    }

    /// Meaning of the addressee's declaration, whose XML has only its number. Law: NT 2020.001, 2.
    fn declaration(&self) -> &'static str {
        match self.request_text("tpEvento") {
            "210200" => "O destinatário confirma a operação e, se houve circulação de mercadoria, o recebimento dela.",
            "210210" => "O destinatário declara ciência da nota. Não é a manifestação final dele.",
            "210220" => "O destinatário declara que desconhece a operação.",
            "210240" => "O destinatário declara que a operação não se realizou.",
            _ => "",
        }
    }

    /// Corrections of a transport, one per field.
    fn corrections(&self) -> Vec<String> {
        let detail = self.request.at("detEvento/evCCeCTe");
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
    fn authorised_party(&self) -> String {
        let document = [self.detail_text("autXML/CNPJ"), self.detail_text("autXML/CPF")].concat();
        match &self.parties.carrier {
            carrier if carrier.document == document && !document.is_empty() => {
                format!("{} - {}", value::taxpayer(&document), carrier.name)
            }
            _ => value::taxpayer(&document),
        }
    }

    /// Author of the event, with the role in the note.
    fn author(&self) -> String {
        let author = [self.request_text("CNPJ"), self.request_text("CPF")].concat();
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

impl<'x> EventContents<'x> for SefazEvent<'x> {
    fn name(&self) -> &'static str {
        self.subject.name(self.request_text("tpEvento"), self.chave())
    }

    fn chave(&self) -> &'x str {
        self.request_text(self.subject.envelope.key)
    }

    fn protocol(&self) -> String {
        value::registration_text(self.answered("nProt"), self.answered("dhRegEvento"), self.request_text("dhEvento"))
    }

    fn paragraphs(&self) -> Vec<(&'static str, Cow<'x, str>)> {
        let of = |tag: &str| self.detail_text(tag);
        let may_name_others = match of("tpAutorizacao") {
            "0" => "Não",
            "1" => "Sim",
            other => other,
        };
        let terms = self.subject.envelope.accented(self.request_text("tpEvento"), "xCondUso", of("xCondUso"));
        let told: [(&'static str, Cow<'x, str>); 10] = [
            ("DECLARAÇÃO", self.declaration().into()),
            ("CORREÇÃO", of("xCorrecao").into()),
            ("CORREÇÕES", self.corrections().join("\n").into()),
            ("OBSERVAÇÃO", of("xObs").into()),
            ("JUSTIFICATIVA", of("xJust").into()),
            ("PROTOCOLO DE AUTORIZAÇÃO", of("nProt").into()),
            ("CHAVE DE ACESSO DA NOTA SUBSTITUTA", value::key(of("chNFeRef")).into()),
            ("TRANSPORTADOR AUTORIZADO A OBTER A NOTA (CNPJ / CPF)", self.authorised_party().into()),
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
                    GridCell::text("TIPO", self.request_text("tpEvento")).wide(250),
                    GridCell::text("SEQUÊNCIA", self.request_text("nSeqEvento")).wide(250),
                    GridCell::text("DATA E HORA", value::zoned(self.request_text("dhEvento"))),
                    GridCell::text("AUTOR DO EVENTO", self.author()),
                ],
                vec![
                    GridCell::text("SITUAÇÃO", answer.join(" - ")),
                    GridCell::text("PROTOCOLO", self.protocol()).bold().wide(900),
                ],
            ],
        };
        let chave = self.chave();
        let key = GridCell::text("CHAVE DE ACESSO", value::key(chave)).bold().centred();
        // the key's parts: the event holds no more about its note
        let part = |from: usize, to: usize| chave.get(from..to).unwrap_or_default();
        let issuer = part(6, 20);
        let issuer = issuer.strip_prefix("000").filter(|_| self.request_text("CPF") == &issuer[3..]).unwrap_or(issuer);
        let month = if chave.is_empty() { String::new() } else { format!("{}/20{}", part(4, 6), part(2, 4)) };
        let told = vec![
            GridCell::text("EMITENTE", value::taxpayer(issuer)),
            GridCell::text("MODELO", part(20, 22)).wide(200),
            GridCell::text("SÉRIE", part(22, 25)).wide(200),
            GridCell::text("NÚMERO", value::nine(part(25, 34))).wide(400),
            GridCell::text("MÊS DA EMISSÃO", month).wide(350),
            GridCell::money("VALOR TOTAL", self.parties.value).wide(400),
        ];
        let note = Grid { title: self.subject.title, rows: vec![vec![key], told] };
        [event, note].into_iter().chain(self.parties.grid(self.subject)).collect()
    }

    fn is_test(&self) -> bool {
        self.request_text("tpAmb") == "2"
    }

    fn resulting_status(&self) -> PrintedStatus {
        PrintedStatus::Cancelled { protocol: self.protocol() }
    }

    fn code(&self) -> LookupCode {
        LookupCode::Bars
    }
}
