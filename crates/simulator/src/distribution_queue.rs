//! Distribution of the Ambiente Nacional: a number (NSU) per interested company for each document and event, and the
//! times of its queries.
//!
//! Law: NT 2014.002 v1.30: 3.4 (numbers), 3.11.4 (undue use, 656). Numbers are assigned at a query, in the order in
//! which documents were received: the Ambiente Nacional "need not be in step with the authorities" (3.5). The receivers
//! of each document are the family's (`DistributionRules`).

use crate::ledger::{LedgerDocument, LedgerEvent};
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use fiscal::xml::Element;
use std::collections::{HashMap, HashSet, VecDeque};

/// Distribution of a type of document. Each type has numbers and limits of its own.
pub(crate) struct DistributionRules {
    pub(crate) tipo: Tipo,
    /// Parties of a document, each once, in its strongest role. An issuer gets nothing of its own documents.
    pub(crate) interested: fn(&LedgerDocument) -> Vec<(String, DocumentRole)>,
    /// Entry of a party when the document arrives.
    pub(crate) first: fn(DocumentRole) -> Option<DocZip>,
    /// True when a party receives an event; the flag is true once the addressee's manifestation has released the
    /// document.
    pub(crate) receives: fn(&LedgerEvent, &(String, DocumentRole), bool) -> bool,
    /// True when an event gives the waiting parties the whole document.
    pub(crate) releases: fn(&LedgerEvent) -> bool,
    /// Schema and text of an entry.
    pub(crate) zipped: fn(&LedgerDocument, &DocZip) -> Option<(&'static str, String)>,
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
pub(crate) struct NsuEntry {
    pub(crate) chave: String,
    pub(crate) zipped: DocZip,
}

/// Role of a company in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentRole {
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
pub(crate) struct DistributionQueue {
    pub(crate) entries: Vec<NsuEntry>,
    /// End of the last answer to `distNSU`, its time, and whether it left nothing.
    last: Option<LastAnswer>,
    blocked_until: i64,
    /// Times of `consNSU` and `consChNFe`.
    single_query_times: VecDeque<i64>,
}

#[derive(Debug, Clone, Copy)]
struct LastAnswer {
    nsu: u64,
    at: i64,
    end: bool,
}

/// State of the distribution of a document.
#[derive(Debug)]
struct DistributionProgress {
    interested: Vec<(String, DocumentRole)>,
    /// Events distributed so far.
    events: usize,
    /// Addressees whose manifestation released the whole document; until then they, and no others, wait for it.
    released: HashSet<String>,
}

/// The queues of all companies.
#[derive(Debug, Default)]
pub(crate) struct DistributionQueues {
    company_queues: HashMap<(Tipo, TpAmb, String), DistributionQueue>,
    distributed: HashMap<(TpAmb, String), DistributionProgress>,
}

/// Reasons of undue use, in the words of the manual.
pub(crate) const WAIT_AN_HOUR: &str = ". Deve ser aguardado 1 hora para efetuar nova solicitacao caso nao existam mais documentos a serem pesquisados. Tente apos 1 hora";
pub(crate) const IN_SEQUENCE: &str = ". Deve ser utilizado o ultNSU nas solicitacoes subsequentes. Tente apos 1 hora";
pub(crate) const TOO_MANY_QUERIES: &str = ". Ultrapassou o limite de 20 consultas por hora. Tente apos 1 hora";

const HOUR: i64 = 3_600;
const SINGLE_QUERIES_PER_HOUR: usize = 20;

impl DistributionQueues {
    /// Assigns numbers to the documents that arrived since the last call; `documents` in the order of their reception.
    pub(crate) fn assign_numbers<'d>(
        &mut self,
        handing: &DistributionRules,
        documents: impl Iterator<Item = &'d LedgerDocument>,
    ) {
        for document in documents {
            self.assign_numbers_of(handing, document);
        }
    }

    fn assign_numbers_of(&mut self, handing: &DistributionRules, document: &LedgerDocument) {
        let key = (document.ambiente, document.chave.clone());
        if !self.distributed.contains_key(&key) {
            let interested = (handing.interested)(document);
            for (number, interest) in &interested {
                if let Some(zipped) = (handing.first)(*interest) {
                    self.enqueue_entry(handing, document, number, zipped);
                }
            }
            self.distributed
                .insert(key.clone(), DistributionProgress { interested, events: 0, released: HashSet::new() });
        }
        let Some(mut seen) = self.distributed.remove(&key) else { return };
        for (place, event) in document.eventos.iter().enumerate().skip(seen.events) {
            self.distribute_event(handing, document, place, event, &mut seen);
        }
        seen.events = document.eventos.len();
        self.distributed.insert(key, seen);
    }

    fn distribute_event(
        &mut self,
        handing: &DistributionRules,
        document: &LedgerDocument,
        place: usize,
        event: &LedgerEvent,
        seen: &mut DistributionProgress,
    ) {
        for one in &seen.interested {
            if (handing.receives)(event, one, seen.released.contains(&one.0)) {
                self.enqueue_entry(handing, document, &one.0, DocZip::Event(place));
            }
        }
        if !(handing.releases)(event) {
            return;
        }
        let waits = |one: &&(String, DocumentRole)| one.1 == DocumentRole::Addressee && !seen.released.contains(&one.0);
        let waiting: Vec<(String, DocumentRole)> = seen.interested.iter().filter(waits).cloned().collect();
        for one in waiting {
            self.enqueue_entry(handing, document, &one.0, DocZip::Whole);
            // Events held back until the addressee's manifestation follow now.
            for (earlier, event) in document.eventos.iter().enumerate().take(place) {
                if (handing.receives)(event, &one, true) && !(handing.receives)(event, &one, false) {
                    self.enqueue_entry(handing, document, &one.0, DocZip::Event(earlier));
                }
            }
            seen.released.insert(one.0);
        }
    }

    fn enqueue_entry(&mut self, handing: &DistributionRules, document: &LedgerDocument, number: &str, zipped: DocZip) {
        let shelf = self.queue_of(handing.tipo, document.ambiente, number);
        shelf.entries.push(NsuEntry { chave: document.chave.clone(), zipped });
    }

    pub(crate) fn queue_of(&mut self, tipo: Tipo, ambiente: TpAmb, number: &str) -> &mut DistributionQueue {
        self.company_queues.entry((tipo, ambiente, number.to_owned())).or_default()
    }

    /// True when an addressee has released the whole document.
    pub(crate) fn released(&self, document: &LedgerDocument, number: &str) -> bool {
        let seen = self.distributed.get(&(document.ambiente, document.chave.clone()));
        seen.is_some_and(|seen| seen.released.contains(number))
    }
}

/// Parties of a document, each once, in the role in which it is added first.
pub(crate) struct InterestedParties(Vec<(String, DocumentRole)>);

impl InterestedParties {
    pub(crate) fn of(document: &LedgerDocument) -> InterestedParties {
        InterestedParties(vec![(document.emitente.clone(), DocumentRole::Issuer)])
    }

    pub(crate) fn add(&mut self, number: Option<&str>, interest: DocumentRole) {
        if let Some(number) = number.filter(|number| self.0.iter().all(|(known, _)| known != number)) {
            self.0.push((number.to_owned(), interest));
        }
    }

    pub(crate) fn all(self) -> Vec<(String, DocumentRole)> {
        self.0
    }
}

/// CNPJ or CPF of a party; a foreign party has none.
pub(crate) fn number_of(party: &Element) -> Option<&str> {
    let number = party.text_at("CNPJ").or_else(|| party.text_at("CPF"))?;
    number.bytes().any(|digit| digit != b'0').then_some(number)
}

impl DistributionQueue {
    /// Highest number assigned.
    pub(crate) fn highest(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Last number of the last answer; repeated in a 656.
    pub(crate) fn last_given(&self) -> u64 {
        self.last.map_or(0, |last| last.nsu)
    }

    /// Reason for which a query after this number is undue now, if any.
    pub(crate) fn undue_sequence_query(&mut self, after: u64, now: i64) -> Option<&'static str> {
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
    pub(crate) fn undue_single_query(&mut self, now: i64) -> Option<&'static str> {
        if now < self.blocked_until {
            self.blocked_until = now + HOUR;
            return Some(TOO_MANY_QUERIES);
        }
        while self.single_query_times.front().is_some_and(|at| *at <= now - HOUR) {
            self.single_query_times.pop_front();
        }
        self.single_query_times.push_back(now);
        if self.single_query_times.len() <= SINGLE_QUERIES_PER_HOUR {
            return None;
        }
        self.blocked_until = now + HOUR;
        Some(TOO_MANY_QUERIES)
    }

    /// Records an answer that ended at this number.
    pub(crate) fn record_answer(&mut self, nsu: u64, now: i64) {
        self.last = Some(LastAnswer { nsu, at: now, end: nsu >= self.highest() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(entries: usize) -> DistributionQueue {
        let entry = NsuEntry { chave: String::new(), zipped: DocZip::Summary };
        DistributionQueue { entries: vec![entry; entries], ..DistributionQueue::default() }
    }

    #[test]
    fn who_asks_again_at_the_end_is_blocked_and_every_call_starts_the_hour_again() {
        let mut shelf = shelf(0);
        assert_eq!(shelf.undue_sequence_query(0, 0), None);
        shelf.record_answer(0, 0);
        assert_eq!(shelf.undue_sequence_query(0, 3_599), Some(WAIT_AN_HOUR));
        assert_eq!(shelf.undue_sequence_query(0, 3_600), Some(WAIT_AN_HOUR));
        assert_eq!(shelf.undue_sequence_query(0, 3_600 + 3_600), None);
    }

    #[test]
    fn the_walk_goes_on_from_where_it_ended() {
        let mut shelf = shelf(120);
        shelf.record_answer(50, 0);
        assert_eq!(shelf.undue_sequence_query(50, 1), None);
        shelf.record_answer(100, 1);
        assert_eq!(shelf.undue_sequence_query(50, 2), Some(IN_SEQUENCE));
        assert_eq!(shelf.last_given(), 100);
    }

    #[test]
    fn twenty_questions_about_one_document_an_hour() {
        let mut shelf = shelf(1);
        assert!((0..20).all(|second| shelf.undue_single_query(second).is_none()));
        assert_eq!(shelf.undue_single_query(20), Some(TOO_MANY_QUERIES));
        assert_eq!(shelf.undue_single_query(20 + 3_600), None);
    }
}
