//! The authorities as a model: their registered documents, their state, and the answers that they write.
//!
//! An authority per name of the engine's table, each with a registry of its own.
//! Must not know: engine, store.

mod answer;
mod book;
pub mod municipal;
pub mod nfse;
pub mod sefaz;
mod text;

pub use answer::AnswerOddity;
pub use book::{AuthorityBook, HeldDocument};

use crate::time::TrueTime;
use authority::call::{AuthorityCall, AuthorityReply};
use authority::table::AuthorityService;
use std::collections::BTreeMap;

/// State of an authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorityState {
    Working,
    /// Answers this code to everything: 108 or 109.
    Stopped(u16),
    /// A gateway answers 503 in its place.
    Gateway,
    /// Accepts connections and never answers.
    Silent,
    /// Accepts no connections.
    Unreachable,
}

/// Outage of a whole authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuthorityOutage {
    pub health: AuthorityState,
    /// Queries for documents are answered all the same.
    pub spares_questions: bool,
    /// The status service is answered all the same, and reports that everything works.
    pub spares_status: bool,
}

pub struct AuthorityModel {
    pub time: TrueTime,
    books: BTreeMap<String, AuthorityBook>,
    outages: BTreeMap<String, AuthorityOutage>,
    /// True when the contingency authority takes documents of the state.
    pub svc_is_open: bool,
    /// True when a number of retail may be used once for each way of emission, as at some authorities.
    pub retail_counts_by_way: bool,
    /// Sales that a rule refuses.
    pub refused_sales: Vec<String>,
    next_protocol: u64,
}

/// A message as an authority receives it.
#[derive(Debug, Clone)]
pub struct SentMessage {
    /// Name of the authority.
    pub authority: String,
    pub service: AuthorityService,
    /// Official name of the service.
    pub name: &'static str,
    pub url: String,
    /// Body as text.
    pub body: String,
    /// Milliseconds of the run at which it was received, when it waits inside the authority; its dates are compared
    /// with this time.
    pub received_ms: Option<u64>,
}

impl SentMessage {
    pub fn of(call: &AuthorityCall) -> SentMessage {
        SentMessage {
            authority: call.authority.clone(),
            service: call.service,
            name: call.name,
            url: call.url.clone(),
            body: String::from_utf8_lossy(&call.body).into_owned(),
            received_ms: None,
        }
    }
}

/// True when the message goes to the Sefin Nacional.
pub fn is_national(message: &SentMessage) -> bool {
    message.authority == authority::nfse_nacional::AUTHORITY
}

/// Result of processing a message.
pub struct ModelAnswer {
    /// The answer; `None` from an authority that is silent.
    pub reply: Option<AuthorityReply>,
    /// Short form of the answer, for traces.
    pub word: String,
}

impl AuthorityModel {
    /// All authorities working, with empty registries.
    pub fn new(time: TrueTime) -> AuthorityModel {
        AuthorityModel {
            time,
            books: BTreeMap::new(),
            outages: BTreeMap::new(),
            svc_is_open: false,
            retail_counts_by_way: false,
            refused_sales: Vec::new(),
            next_protocol: 1,
        }
    }

    /// Current state of a service of an authority.
    pub fn health(&self, authority: &str, service: AuthorityService) -> AuthorityState {
        let Some(outage) = self.outages.get(authority) else { return AuthorityState::Working };
        let is_spared = match service {
            AuthorityService::ConsultaProtocolo | AuthorityService::RetAutorizacao => outage.spares_questions,
            AuthorityService::StatusServico => outage.spares_status,
            _ => false,
        };
        if is_spared { AuthorityState::Working } else { outage.health }
    }

    pub fn begin_outage(&mut self, authority: &str, outage: AuthorityOutage) {
        self.outages.insert(authority.to_owned(), outage);
    }

    pub fn end_outage(&mut self, authority: &str) {
        self.outages.remove(authority);
    }

    /// Ends all outages.
    pub fn heal(&mut self) {
        self.outages.clear();
        for book in self.books.values_mut() {
            book.reveal();
        }
    }

    /// Every registered document, with the name of its authority.
    pub fn documents(&self) -> impl Iterator<Item = (&str, &HeldDocument)> {
        self.books.iter().flat_map(|(name, book)| book.documents().map(move |document| (name.as_str(), document)))
    }

    /// Processes a message, and answers with a deviation.
    pub fn process(&mut self, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
        match self.health(&message.authority, message.service) {
            AuthorityState::Working => {}
            AuthorityState::Stopped(_) if is_national(message) || municipal::is_municipal(message) => {
                return answer::gateway();
            }
            AuthorityState::Stopped(code) => return answer::of_service(message, code),
            AuthorityState::Gateway => return answer::gateway(),
            AuthorityState::Silent | AuthorityState::Unreachable => {
                return ModelAnswer { reply: None, word: "silence".to_owned() };
            }
        }
        let (is_national, is_municipal) = (is_national(message), municipal::is_municipal(message));
        let oddity = match oddity {
            // These are codes of the SEFAZ; the Sefin has none of the service.
            AnswerOddity::Service(_) | AnswerOddity::Question(_) if is_national => {
                AnswerOddity::Gateway { processed: false }
            }
            AnswerOddity::Service(_) if is_municipal => AnswerOddity::Gateway { processed: false },
            oddity => oddity,
        };
        if is_municipal && oddity != (AnswerOddity::Gateway { processed: false }) {
            return municipal::process(self, message, oddity);
        }
        if let Some(instead) = answer::unprocessed(message, oddity) {
            return instead;
        }
        if is_national { nfse::process(self, message, oddity) } else { sefaz::process(self, message, oddity) }
    }

    fn book(&mut self, authority: &str) -> &mut AuthorityBook {
        self.books.entry(authority.to_owned()).or_default()
    }

    fn protocol_number(&mut self) -> String {
        self.next_protocol += 1;
        format!("135{:012}", self.next_protocol)
    }
}
