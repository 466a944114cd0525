//! Jobs and their documents: acceptance, claims by lease, the commit points of a document's lifecycle.
//!
//! Times are seconds since 1970, given by the caller. Every state change is guarded by the lease of the worker that
//! makes it.

pub(crate) mod act;
mod acts_on;
pub(crate) mod analysis;
mod claim;
pub(crate) mod company_queue;
mod contingency;
pub(crate) mod document;
mod emission_mode;
mod event;
mod exclusive_act;
pub(crate) mod files;
mod finish;
mod hand_emission;
pub(crate) mod job;
mod lease;
pub(crate) mod log;
pub(crate) mod missing_endpoint;
pub(crate) mod new_job;
mod number_request;
pub(crate) mod operation;
pub(crate) mod order;
mod packed;
mod read;
pub(crate) mod record;
pub(crate) mod register;
mod release;
pub mod report;
mod reserve;
mod search;
mod substituted;
mod superseded;
mod swap;
mod transmissions;
mod undo;
mod void;
pub(crate) mod withdraw;

pub use act::{EventAct, JobAct, NewAct, NewVoid, VoidAct};
pub use acts_on::JobAuthor;
pub use analysis::{DueAnalysis, ForeignEvent, ForeignEvents};
pub use claim::{ClaimRequest, ClaimedJob};
pub use contingency::RegisteredEpec;
pub use document::{AuthorityNote, Contingencia, JobDocument, RefusalReason};
pub use emission_mode::EmissionModeChange;
pub use event::{EventOutcome, RegisteredEvent};
pub use files::{ArchivedDocument, StoredFile};
pub use finish::DocumentOutcome;
pub use job::{Job, JobFailure, JobStatus, Lease};
pub use lease::{AuthorityReceipt, SignedDocument};
pub use log::LogLine;
pub use new_job::{EarlierDocument, HandEmission, NewJob, RegistrationResult};
pub use number_request::NumberRequest;
pub use operation::Operacao;
pub use packed::LongText;
pub use read::QueueDepth;
pub use search::JobSearch;
pub use superseded::SupersededOutcome;
pub use transmissions::Transmission;
pub use undo::WithdrawalResult;
pub use void::{VoidEnd, VoidOutcome};
