//! Differences between documents of the SEFAZ family. Each has a static row (`nfe`, `cte`), found by its model in the
//! table of authorities. A missing feature is `None`.

use super::UnreadableReply;
use crate::answer::{AuthorizationAnswer, VoidAnswer};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::table::endpoint::Endpoint;
use crate::table::service::{AuthorityService, WsdlService};
use fiscal::cstat::CodeClass;
use fiscal::value::{Codigo, TpAmb};

/// Names and features of a document model.
#[derive(Debug)]
pub struct SefazDialect {
    /// Default namespace of every message.
    pub namespace: &'static str,
    /// Data element around a message in its envelope.
    pub(super) data: &'static str,
    pub(super) services: &'static [WsdlService],
    /// Tag of the access key.
    pub(super) chave: &'static str,
    /// Root of a document's protocol.
    pub(super) protocol: &'static str,
    pub(super) authorization: AuthorizationNames,
    pub(super) query: QueryNames,
    pub(super) status: QueryNames,
    pub(super) event: EventNames,
    pub(super) distribution: DistributionNames,
    /// Query by the receipt of a lote.
    pub receipt: Option<ReceiptService>,
    /// Voiding of unused numbers.
    pub void: Option<VoidingService>,
    pub(super) classify: fn(u16) -> CodeClass,
}

#[derive(Debug)]
pub(super) struct AuthorizationNames {
    pub(super) submission: SubmissionForm,
    pub(super) answer: &'static str,
    /// Root of the document with its protocol, as stored and returned.
    pub(super) archive: &'static str,
}

/// Form of a document's submission.
#[derive(Debug)]
pub(super) enum SubmissionForm {
    /// Inside of this lote element; a single document has `indSinc` 1.
    Lote(&'static str),
    /// Alone, gzip in base64.
    Packed,
}

/// Root of a query, and root of its answer.
#[derive(Debug)]
pub(super) struct QueryNames {
    pub(super) asks: &'static str,
    pub(super) answer: &'static str,
}

#[derive(Debug)]
pub(super) struct EventNames {
    /// Lote element; without one, events are sent alone.
    pub(super) lote: Option<&'static str>,
    pub(super) answer: &'static str,
    /// Root of an event, and root of its registration.
    pub(super) sent: &'static str,
    pub(super) registered: &'static str,
    /// Root of event and registration together.
    pub(super) archive: &'static str,
    /// Version of lote and archive.
    pub(super) versao: &'static str,
    /// True for a code that registers an event.
    pub(super) is_done: fn(u16) -> bool,
    /// True for a code of an event registered before.
    pub(super) is_duplicate: fn(u16) -> bool,
    /// True for an event type that ends its document.
    pub(super) cancels: fn(tpEvento: &str) -> bool,
}

#[derive(Debug)]
pub(super) struct DistributionNames {
    pub(super) versao: &'static str,
    /// Group of a query by key.
    pub(super) by_key: Option<&'static str>,
}

/// Query by the receipt of a lote.
#[derive(Debug, Clone, Copy)]
pub struct ReceiptService {
    /// Builds the call.
    pub ask: fn(&Endpoint, TpAmb, nRec: &str) -> AuthorityCall,
    /// Reads the reply.
    pub read: fn(&AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply>,
}

/// Voiding of unused numbers.
#[derive(Debug, Clone, Copy)]
pub struct VoidingService {
    /// Builds the call from a signed request.
    pub ask: fn(&Endpoint, signed: &str) -> AuthorityCall,
    /// Reads the reply.
    pub read: fn(&AuthorityReply) -> Result<VoidAnswer, UnreadableReply>,
    /// Request and answer as stored and returned.
    pub archive: fn(signed: &str, answered: &str) -> String,
}

impl SefazDialect {
    /// Names of a service; `None` when the document lacks it.
    pub fn official(&self, service: AuthorityService) -> Option<&'static WsdlService> {
        self.services.iter().find(|official| official.service == service)
    }

    /// All services of the document.
    pub fn services(&self) -> &'static [WsdlService] {
        self.services
    }

    /// Meaning of a code for the document it is about.
    pub fn class(&self, codigo: &Codigo) -> CodeClass {
        codigo.number().map_or(CodeClass::Rejected, self.classify)
    }

    /// True for a code that blocks further queries because of undue use (656 of the NF-e, 678 of the CT-e).
    pub fn is_undue_use(&self, codigo: &Codigo) -> bool {
        self.class(codigo) == CodeClass::UndueUse
    }

    /// True for an event type that ends its document.
    pub fn is_cancellation(&self, tpEvento: &str) -> bool {
        (self.event.cancels)(tpEvento)
    }
}
