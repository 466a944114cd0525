//! A tool, its action and the context of a call.

use std::net::IpAddr;
use std::pin::Pin;

use axum::extract::State;
use rmcp::model::JsonObject;
use serde_json::Value;
use store::accounts::Caller;
use store::audit::{Actor, ActorKind};

use super::admission::ElicitationModes;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::permission::RequiredPermission;
use crate::api::schema::SchemaField;
use crate::app::App;

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Purpose, right and wrong uses, and cost, for the model.
    pub(super) description: &'static str,
    pub(super) takes: &'static [SchemaField],
    pub(super) gives: ToolOutput,
    pub(super) effect: ToolEffect,
    /// True when the result has texts of third parties.
    pub(super) third_parties: bool,
    pub(super) call: ToolAction,
}

impl Tool {
    /// Need that its caller must meet.
    pub(super) fn need(&self) -> RequiredPermission {
        match self.effect {
            ToolEffect::Reads | ToolEffect::Asks => RequiredPermission::Read,
            ToolEffect::ReadsAccount => RequiredPermission::ReadAccount,
            ToolEffect::Prepares | ToolEffect::Issues => RequiredPermission::Assist,
        }
    }
}

/// An object of the interface, as the result of a tool.
pub(super) struct ToolOutput {
    pub(super) object: &'static str,
    /// Paths of the described members, such as `notas.chave`.
    pub(super) reads: &'static [&'static str],
}

/// Action of a tool.
#[derive(Clone, Copy)]
pub(super) enum ToolAction {
    /// Returns the answer of a handler.
    Gives(fn(ToolContext, JsonObject) -> ToolFuture),
    /// Asks for a person's approval: `confirmation`.
    Confirms(ExpectedOrder),
}

/// Orders whose token a confirmation accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedOrder {
    /// An NF-e to issue.
    Nfe,
    Anything,
}

/// Effect of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolEffect {
    /// Changes nothing and calls no outside source.
    Reads,
    /// Changes nothing and reads what belongs to no single company.
    ReadsAccount,
    /// Changes nothing and may call an outside source.
    Asks,
    /// Stores an order for a person's decision.
    Prepares,
    /// Issues an approved order.
    Issues,
}

/// A call in progress.
pub(super) type ToolFuture = Pin<Box<dyn Future<Output = Result<Value, ApiError>> + Send>>;

/// Context of a call: caller, request and client.
#[derive(Clone)]
pub(super) struct ToolContext {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) request_id: String,
    /// Address of the client.
    pub(super) address: Option<IpAddr>,
    pub(super) elicitation_modes: ElicitationModes,
    /// True for a revision without sessions.
    pub(super) stateless: bool,
    /// Origin of the panel (`http://127.0.0.1:8080`); empty when unknown.
    pub(super) base: String,
}

impl ToolContext {
    /// The shared state, as handlers take it.
    pub(super) fn state(&self) -> State<App> {
        State(self.app.clone())
    }

    /// Actor for the audit trail.
    pub(super) fn actor(&self) -> Actor {
        Actor {
            kind: ActorKind::ApiKey(self.caller.api_key_id),
            ambiente: self.caller.ambiente,
            request_id: Some(self.request_id.clone()),
            address: self.address,
        }
    }

    /// The caller, as handlers take it.
    pub(super) fn authenticated(&self) -> AuthenticatedCaller {
        AuthenticatedCaller(self.caller.clone())
    }
}
