//! The authorities as a model: what they have registered, whether they work, and the answers that they write.
//!
//! One authority per name of the engine's table, each with a book of its own. Must not know: engine, store.

mod answer;
mod book;
pub mod municipal;
pub mod nfse;
pub mod sefaz;
mod text;

pub use answer::Oddity;
pub use book::{Book, HeldDocument};

use crate::time::TrueTime;
use authority::call::{Call, Reply};
use authority::table::Service;
use std::collections::BTreeMap;

/// Whether an authority works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It works.
    Working,
    /// It answers this code to everything: 108 or 109.
    Stopped(u16),
    /// A gateway answers 503 in its place.
    Gateway,
    /// It takes connections and never answers.
    Silent,
    /// It takes no connections.
    Unreachable,
}

/// Trouble of an authority as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// How it fails.
    pub health: Health,
    /// Questions for documents are answered all the same.
    pub spares_questions: bool,
    /// The status service is answered all the same, and says that everything works.
    pub spares_status: bool,
}

/// All authorities.
pub struct Authorities {
    /// The true time.
    pub time: TrueTime,
    books: BTreeMap<String, Book>,
    outages: BTreeMap<String, Outage>,
    /// Whether the contingency authority takes documents of the state.
    pub svc_is_open: bool,
    /// Whether a number of retail may be used once for each way of emission, as at some authorities.
    pub retail_counts_by_way: bool,
    /// Sales that a rule refuses.
    pub refused_sales: Vec<String>,
    next_protocol: u64,
}

/// A message on its way, as an authority sees it.
#[derive(Debug, Clone)]
pub struct Message {
    /// Name of the authority.
    pub authority: String,
    /// What is asked for.
    pub service: Service,
    /// Official name of the service.
    pub name: &'static str,
    /// Address.
    pub url: String,
    /// Body as text.
    pub body: String,
    /// Milliseconds of the run at which it was received, when it waits inside the authority; dates are judged by that.
    pub received_ms: Option<u64>,
}

impl Message {
    /// The message of a call.
    pub fn of(call: &Call) -> Message {
        Message {
            authority: call.authority.clone(),
            service: call.service,
            name: call.name,
            url: call.url.clone(),
            body: String::from_utf8_lossy(&call.body).into_owned(),
            received_ms: None,
        }
    }
}

/// Whether it goes to the Sefin Nacional.
pub fn is_national(message: &Message) -> bool {
    message.authority == authority::nfse_nacional::AUTHORITY
}

/// What an authority did with a message.
pub struct Processed {
    /// The answer; nothing from one that is silent.
    pub reply: Option<Reply>,
    /// The answer in a word, for traces.
    pub word: String,
}

impl Authorities {
    /// All of them working, with empty books.
    pub fn new(time: TrueTime) -> Authorities {
        Authorities {
            time,
            books: BTreeMap::new(),
            outages: BTreeMap::new(),
            svc_is_open: false,
            retail_counts_by_way: false,
            refused_sales: Vec::new(),
            next_protocol: 1,
        }
    }

    /// Whether a service of an authority works now.
    pub fn health(&self, authority: &str, service: Service) -> Health {
        let Some(outage) = self.outages.get(authority) else { return Health::Working };
        let is_spared = match service {
            Service::ConsultaProtocolo | Service::RetAutorizacao => outage.spares_questions,
            Service::StatusServico => outage.spares_status,
            _ => false,
        };
        if is_spared { Health::Working } else { outage.health }
    }

    /// An authority stops working.
    pub fn begin_outage(&mut self, authority: &str, outage: Outage) {
        self.outages.insert(authority.to_owned(), outage);
    }

    /// An authority works again.
    pub fn end_outage(&mut self, authority: &str) {
        self.outages.remove(authority);
    }

    /// All authorities work.
    pub fn heal(&mut self) {
        self.outages.clear();
        for book in self.books.values_mut() {
            book.reveal();
        }
    }

    /// Every document that any authority holds, with the name of the authority.
    pub fn documents(&self) -> impl Iterator<Item = (&str, &HeldDocument)> {
        self.books.iter().flat_map(|(name, book)| book.documents().map(move |document| (name.as_str(), document)))
    }

    /// Does what a message asks for, and answers in this way.
    pub fn process(&mut self, message: &Message, oddity: Oddity) -> Processed {
        match self.health(&message.authority, message.service) {
            Health::Working => {}
            Health::Stopped(_) if is_national(message) || municipal::is_municipal(message) => return answer::gateway(),
            Health::Stopped(code) => return answer::of_service(message, code),
            Health::Gateway => return answer::gateway(),
            Health::Silent | Health::Unreachable => return Processed { reply: None, word: "silence".to_owned() },
        }
        let (is_national, is_municipal) = (is_national(message), municipal::is_municipal(message));
        let oddity = match oddity {
            // codes of the SEFAZ; the Sefin has none of the service
            Oddity::Service(_) | Oddity::Question(_) if is_national => Oddity::Gateway { processed: false },
            Oddity::Service(_) if is_municipal => Oddity::Gateway { processed: false },
            oddity => oddity,
        };
        if is_municipal && oddity != (Oddity::Gateway { processed: false }) {
            return municipal::process(self, message, oddity);
        }
        if let Some(instead) = answer::unprocessed(message, oddity) {
            return instead;
        }
        if is_national { nfse::process(self, message, oddity) } else { sefaz::process(self, message, oddity) }
    }

    fn book(&mut self, authority: &str) -> &mut Book {
        self.books.entry(authority.to_owned()).or_default()
    }

    fn protocol_number(&mut self) -> String {
        self.next_protocol += 1;
        format!("135{:012}", self.next_protocol)
    }
}
