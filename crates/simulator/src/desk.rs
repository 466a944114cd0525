//! What the Ambiente Nacional hands out: a number (NSU) per interested company for each document and event, and who asked when.
//!
//! Law: NT 2014.002 v1.30: item 3 (who receives what), 3.4 (numbers), 3.11.4 (undue use, 656). Numbers are given when somebody
//! asks, in the order in which documents were received: the Ambiente Nacional "need not be in step with the authorities" (3.5).

use crate::ledger::{Document, Event};
use fiscal::value::TpAmb;
use fiscal::xml;
use std::collections::{HashMap, HashSet, VecDeque};

/// What stands under a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DocZip {
    /// resNFe.
    Summary,
    /// nfeProc.
    Whole,
    /// procEventoNFe, by its place among the document's events.
    Event(usize),
}

/// An entry of a company's sequence; its number is its place, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) chave: String,
    pub(crate) zipped: DocZip,
}

/// How a company stands in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interest {
    Issuer,
    Addressee,
    /// Named in `transporta`.
    Carrier,
    /// Named in `autXML`.
    Third,
}

/// A company's sequence and its way of asking.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    pub(crate) entries: Vec<Entry>,
    /// Where the last answer to `distNSU` ended, when it was given, and whether nothing was left.
    last: Option<Given>,
    blocked_until: i64,
    /// `consNSU` and `consChNFe`.
    points: VecDeque<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Given {
    nsu: u64,
    at: i64,
    end: bool,
}

/// How much of a document was handed out.
#[derive(Debug)]
struct Seen {
    interested: Vec<(String, Interest)>,
    /// Events looked at.
    events: usize,
    /// Addressees (and no others) wait for the whole document until they have said something.
    released: HashSet<String>,
}

/// Every company's.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    shelves: HashMap<(TpAmb, String), Shelf>,
    seen: HashMap<(TpAmb, String), Seen>,
}

/// Why a question is undue use, in the words of the manual.
pub(crate) const WAIT_AN_HOUR: &str = ". Deve ser aguardado 1 hora para efetuar nova solicitacao caso nao existam mais documentos a serem pesquisados. Tente apos 1 hora";
pub(crate) const IN_SEQUENCE: &str = ". Deve ser utilizado o ultNSU nas solicitacoes subsequentes. Tente apos 1 hora";
pub(crate) const TOO_MANY_POINTS: &str = ". Ultrapassou o limite de 20 consultas por hora. Tente apos 1 hora";

const HOUR: i64 = 3_600;
const POINTS_PER_HOUR: usize = 20;

impl Desk {
    /// Gives numbers to what came since the last time; `documents` in the order of their reception.
    pub(crate) fn pick_up<'d>(&mut self, documents: impl Iterator<Item = &'d Document>) {
        for document in documents {
            self.pick_up_one(document);
        }
    }

    fn pick_up_one(&mut self, document: &Document) {
        let key = (document.ambiente, document.chave.clone());
        if !self.seen.contains_key(&key) {
            let interested = interested(document);
            for (number, interest) in &interested {
                match interest {
                    Interest::Issuer => {}
                    Interest::Addressee => self.put(document, number, DocZip::Summary),
                    Interest::Carrier | Interest::Third => self.put(document, number, DocZip::Whole),
                }
            }
            self.seen.insert(key.clone(), Seen { interested, events: 0, released: HashSet::new() });
        }
        let Some(mut seen) = self.seen.remove(&key) else { return };
        for (place, event) in document.eventos.iter().enumerate().skip(seen.events) {
            self.hand_out(document, place, event, &mut seen);
        }
        seen.events = document.eventos.len();
        self.seen.insert(key, seen);
    }

    fn hand_out(&mut self, document: &Document, place: usize, event: &Event, seen: &mut Seen) {
        let kind = EventGroup::of(&event.tpEvento);
        for (number, interest) in &seen.interested {
            let released = seen.released.contains(number);
            let receives = match (kind, interest) {
                (EventGroup::Manifestation { .. }, Interest::Issuer | Interest::Third) => true,
                (EventGroup::Manifestation { .. }, _) | (_, Interest::Issuer) => false,
                (EventGroup::Cancellation, _) => true,
                (EventGroup::Other, Interest::Addressee) => released,
                (EventGroup::Other, Interest::Carrier | Interest::Third) => true,
            };
            if receives {
                self.put(document, number, DocZip::Event(place));
            }
        }
        if kind != (EventGroup::Manifestation { releases: true }) {
            return;
        }
        let waiting: Vec<String> = seen
            .interested
            .iter()
            .filter(|(number, interest)| *interest == Interest::Addressee && !seen.released.contains(number))
            .map(|(number, _)| number.clone())
            .collect();
        for number in waiting {
            self.put(document, &number, DocZip::Whole);
            // what came before the addressee spoke comes now
            for (earlier, event) in document.eventos.iter().enumerate().take(place) {
                if EventGroup::of(&event.tpEvento) == EventGroup::Other {
                    self.put(document, &number, DocZip::Event(earlier));
                }
            }
            seen.released.insert(number);
        }
    }

    fn put(&mut self, document: &Document, number: &str, zipped: DocZip) {
        self.shelf(document.ambiente, number).entries.push(Entry { chave: document.chave.clone(), zipped });
    }

    pub(crate) fn shelf(&mut self, ambiente: TpAmb, number: &str) -> &mut Shelf {
        self.shelves.entry((ambiente, number.to_owned())).or_default()
    }

    /// Whether an addressee has released the whole document.
    pub(crate) fn released(&self, document: &Document, number: &str) -> bool {
        let seen = self.seen.get(&(document.ambiente, document.chave.clone()));
        seen.is_some_and(|seen| seen.released.contains(number))
    }
}

/// Events by who receives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EventGroup {
    Cancellation,
    /// Any but "desconhecimento" gives the addressee the whole document.
    Manifestation {
        releases: bool,
    },
    Other,
}

impl EventGroup {
    fn of(tpEvento: &str) -> EventGroup {
        match tpEvento {
            "110111" | "110112" => EventGroup::Cancellation,
            "210200" | "210210" | "210240" => EventGroup::Manifestation { releases: true },
            "210220" => EventGroup::Manifestation { releases: false },
            _ => EventGroup::Other,
        }
    }
}

/// Who has to do with a document, each once, in the strongest role: an issuer gets nothing of his own, an addressee waits.
pub(crate) fn interested(document: &Document) -> Vec<(String, Interest)> {
    let mut found = vec![(document.emitente.clone(), Interest::Issuer)];
    let mut add = |number: Option<&str>, interest| {
        if let Some(number) = number.filter(|number| found.iter().all(|(known, _)| known != number)) {
            found.push((number.to_owned(), interest));
        }
    };
    add(document.destinatario.as_deref(), Interest::Addressee);
    let Some(root) = document.xml.as_deref().and_then(|text| xml::read(text.as_bytes()).ok()) else { return found };
    let number = |element: &xml::Element| {
        element.text_at("CNPJ").or_else(|| element.text_at("CPF")).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    add(root.at("infNFe/transp/transporta").and_then(number).as_deref(), Interest::Carrier);
    for third in root.at("infNFe").into_iter().flat_map(|inf| inf.children()).filter(|child| child.name == "autXML") {
        add(number(third).as_deref(), Interest::Third);
    }
    found
}

impl Shelf {
    /// Highest number given.
    pub(crate) fn highest(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Where the last answer ended; told with a 656.
    pub(crate) fn last_given(&self) -> u64 {
        self.last.map_or(0, |last| last.nsu)
    }

    /// Why asking for what is behind this number is undue now.
    pub(crate) fn undue_walk(&mut self, after: u64, now: i64) -> Option<&'static str> {
        let recent = self.last.filter(|last| now < last.at + HOUR);
        let why = match recent {
            _ if now < self.blocked_until => WAIT_AN_HOUR,
            Some(last) if last.end => WAIT_AN_HOUR,
            Some(last) if last.nsu != after => IN_SEQUENCE,
            _ => return None,
        };
        self.blocked_until = now + HOUR;
        Some(why)
    }

    /// Counts a question about one document; why it is undue, when it is.
    pub(crate) fn undue_point(&mut self, now: i64) -> Option<&'static str> {
        if now < self.blocked_until {
            self.blocked_until = now + HOUR;
            return Some(TOO_MANY_POINTS);
        }
        while self.points.front().is_some_and(|at| *at <= now - HOUR) {
            self.points.pop_front();
        }
        self.points.push_back(now);
        if self.points.len() <= POINTS_PER_HOUR {
            return None;
        }
        self.blocked_until = now + HOUR;
        Some(TOO_MANY_POINTS)
    }

    /// An answer was given that ended at this number.
    pub(crate) fn gave(&mut self, nsu: u64, now: i64) {
        self.last = Some(Given { nsu, at: now, end: nsu >= self.highest() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(entries: usize) -> Shelf {
        let entry = Entry { chave: String::new(), zipped: DocZip::Summary };
        Shelf { entries: vec![entry; entries], ..Shelf::default() }
    }

    #[test]
    fn who_asks_again_at_the_end_is_blocked_and_every_call_starts_the_hour_again() {
        let mut shelf = shelf(0);
        assert_eq!(shelf.undue_walk(0, 0), None);
        shelf.gave(0, 0);
        assert_eq!(shelf.undue_walk(0, 3_599), Some(WAIT_AN_HOUR));
        assert_eq!(shelf.undue_walk(0, 3_600), Some(WAIT_AN_HOUR));
        assert_eq!(shelf.undue_walk(0, 3_600 + 3_600), None);
    }

    #[test]
    fn the_walk_goes_on_from_where_it_ended() {
        let mut shelf = shelf(120);
        shelf.gave(50, 0);
        assert_eq!(shelf.undue_walk(50, 1), None);
        shelf.gave(100, 1);
        assert_eq!(shelf.undue_walk(50, 2), Some(IN_SEQUENCE));
        assert_eq!(shelf.last_given(), 100);
    }

    #[test]
    fn twenty_questions_about_one_document_an_hour() {
        let mut shelf = shelf(1);
        assert!((0..20).all(|second| shelf.undue_point(second).is_none()));
        assert_eq!(shelf.undue_point(20), Some(TOO_MANY_POINTS));
        assert_eq!(shelf.undue_point(20 + 3_600), None);
    }
}
