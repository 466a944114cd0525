//! Distribution of the Ambiente Nacional: a number (NSU) per interested company for each document and event, and the
//! times of its queries.
//!
//! Law: NT 2014.002 v1.30: 3.4 (numbers), 3.11.4 (undue use, 656). Numbers are assigned at a query, in the order in
//! which documents were received: the Ambiente Nacional "need not be in step with the authorities" (3.5). The receivers
//! of each document are the family's (`DistributionRules`).

use crate::ledger::{Document, Event};
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use fiscal::xml::Element;
use std::collections::{HashMap, HashSet, VecDeque};

/// Distribution of a type of document. Each type has numbers and limits of its own.
pub(crate) struct Handing {
    pub(crate) tipo: Tipo,
    /// Parties of a document, each once, in its strongest role. An issuer gets nothing of its own documents.
    pub(crate) interested: fn(&Document) -> Vec<(String, Interest)>,
    /// Entry of a party when the document arrives.
    pub(crate) first: fn(Interest) -> Option<DocZip>,
    /// True when a party receives an event; the flag is true once the addressee's manifestation has released the
    /// document.
    pub(crate) receives: fn(&Event, &(String, Interest), bool) -> bool,
    /// True when an event gives the waiting parties the whole document.
    pub(crate) releases: fn(&Event) -> bool,
    /// Schema and text of an entry.
    pub(crate) zipped: fn(&Document, &DocZip) -> Option<(&'static str, String)>,
    /// True when the time of an answer is written with its offset.
    pub(crate) offset: bool,
}

/// Content of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DocZip {
    /// resNFe.
    Summary,
    /// The document with its protocol.
    Whole,
    /// The document without the keys of other documents in it.
    Masked,
    /// An event with its registration, by its index among the document's events.
    Event(usize),
}

/// An entry of a company's sequence; its NSU is its position, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) chave: String,
    pub(crate) zipped: DocZip,
}

/// Role of a company in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interest {
    Issuer,
    Addressee,
    /// Named in `transporta`.
    Carrier,
    /// Party of a transport: sends, hands over, receives, pays.
    Party,
    /// Named in `autXML`.
    Third,
}

/// A company's sequence of entries, and its latest queries.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    pub(crate) entries: Vec<Entry>,
    /// End of the last answer to `distNSU`, its time, and whether it left nothing.
    last: Option<Given>,
    blocked_until: i64,
    /// Times of `consNSU` and `consChNFe`.
    points: VecDeque<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Given {
    nsu: u64,
    at: i64,
    end: bool,
}

/// State of the distribution of a document.
#[derive(Debug)]
struct Seen {
    interested: Vec<(String, Interest)>,
    /// Events distributed so far.
    events: usize,
    /// Addressees whose manifestation released the whole document; until then they, and no others, wait for it.
    released: HashSet<String>,
}

/// The queues of all companies.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    shelves: HashMap<(Tipo, TpAmb, String), Shelf>,
    seen: HashMap<(TpAmb, String), Seen>,
}

/// Reasons of undue use, in the words of the manual.
pub(crate) const WAIT_AN_HOUR: &str = ". Deve ser aguardado 1 hora para efetuar nova solicitacao caso nao existam mais documentos a serem pesquisados. Tente apos 1 hora";
pub(crate) const IN_SEQUENCE: &str = ". Deve ser utilizado o ultNSU nas solicitacoes subsequentes. Tente apos 1 hora";
pub(crate) const TOO_MANY_POINTS: &str = ". Ultrapassou o limite de 20 consultas por hora. Tente apos 1 hora";

const HOUR: i64 = 3_600;
const POINTS_PER_HOUR: usize = 20;

impl Desk {
    /// Assigns numbers to the documents that arrived since the last call; `documents` in the order of their reception.
    pub(crate) fn pick_up<'d>(&mut self, handing: &Handing, documents: impl Iterator<Item = &'d Document>) {
        for document in documents {
            self.pick_up_one(handing, document);
        }
    }

    fn pick_up_one(&mut self, handing: &Handing, document: &Document) {
        let key = (document.ambiente, document.chave.clone());
        if !self.seen.contains_key(&key) {
            let interested = (handing.interested)(document);
            for (number, interest) in &interested {
                if let Some(zipped) = (handing.first)(*interest) {
                    self.put(handing, document, number, zipped);
                }
            }
            self.seen.insert(key.clone(), Seen { interested, events: 0, released: HashSet::new() });
        }
        let Some(mut seen) = self.seen.remove(&key) else { return };
        for (place, event) in document.eventos.iter().enumerate().skip(seen.events) {
            self.hand_out(handing, document, place, event, &mut seen);
        }
        seen.events = document.eventos.len();
        self.seen.insert(key, seen);
    }

    fn hand_out(&mut self, handing: &Handing, document: &Document, place: usize, event: &Event, seen: &mut Seen) {
        for one in &seen.interested {
            if (handing.receives)(event, one, seen.released.contains(&one.0)) {
                self.put(handing, document, &one.0, DocZip::Event(place));
            }
        }
        if !(handing.releases)(event) {
            return;
        }
        let waits = |one: &&(String, Interest)| one.1 == Interest::Addressee && !seen.released.contains(&one.0);
        let waiting: Vec<(String, Interest)> = seen.interested.iter().filter(waits).cloned().collect();
        for one in waiting {
            self.put(handing, document, &one.0, DocZip::Whole);
            // Events held back until the addressee's manifestation follow now.
            for (earlier, event) in document.eventos.iter().enumerate().take(place) {
                if (handing.receives)(event, &one, true) && !(handing.receives)(event, &one, false) {
                    self.put(handing, document, &one.0, DocZip::Event(earlier));
                }
            }
            seen.released.insert(one.0);
        }
    }

    fn put(&mut self, handing: &Handing, document: &Document, number: &str, zipped: DocZip) {
        let shelf = self.shelf(handing.tipo, document.ambiente, number);
        shelf.entries.push(Entry { chave: document.chave.clone(), zipped });
    }

    pub(crate) fn shelf(&mut self, tipo: Tipo, ambiente: TpAmb, number: &str) -> &mut Shelf {
        self.shelves.entry((tipo, ambiente, number.to_owned())).or_default()
    }

    /// True when an addressee has released the whole document.
    pub(crate) fn released(&self, document: &Document, number: &str) -> bool {
        let seen = self.seen.get(&(document.ambiente, document.chave.clone()));
        seen.is_some_and(|seen| seen.released.contains(number))
    }
}

/// Parties of a document, each once, in the role in which it is added first.
pub(crate) struct Parties(Vec<(String, Interest)>);

impl Parties {
    pub(crate) fn of(document: &Document) -> Parties {
        Parties(vec![(document.emitente.clone(), Interest::Issuer)])
    }

    pub(crate) fn add(&mut self, number: Option<&str>, interest: Interest) {
        if let Some(number) = number.filter(|number| self.0.iter().all(|(known, _)| known != number)) {
            self.0.push((number.to_owned(), interest));
        }
    }

    pub(crate) fn all(self) -> Vec<(String, Interest)> {
        self.0
    }
}

/// CNPJ or CPF of a party; a foreign party has none.
pub(crate) fn number_of(party: &Element) -> Option<&str> {
    let number = party.text_at("CNPJ").or_else(|| party.text_at("CPF"))?;
    number.bytes().any(|digit| digit != b'0').then_some(number)
}

impl Shelf {
    /// Highest number assigned.
    pub(crate) fn highest(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Last number of the last answer; repeated in a 656.
    pub(crate) fn last_given(&self) -> u64 {
        self.last.map_or(0, |last| last.nsu)
    }

    /// Reason for which a query after this number is undue now, if any.
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

    /// Counts a query for one document; returns the reason when it is undue.
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

    /// Records an answer that ended at this number.
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
