//! What every handler can reach.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use engine::Engine;
use lookup::Lookup;
use outbound::Reach;
use store::Store;
use store::accounts::Caller;
use uuid::Uuid;

use crate::api::rate::Gate;
use crate::api::status;
use crate::edge::Edge;
use crate::password::Passwords;
use crate::token::Tokens;

/// Bounds of one request.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest body taken, bytes.
    pub body_bytes: usize,
    /// Longest a request may take, seconds.
    pub request_s: u64,
    /// Longest its body may take to arrive, seconds.
    pub body_s: u64,
    /// Requests that a credential may make in a window, 0 for any number.
    pub requests: u32,
    /// Length of that window, seconds.
    pub window_s: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { body_bytes: 8 << 20, request_s: 30, body_s: 20, requests: 2000, window_s: 1 }
    }
}

/// The shared state. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    lookup: Lookup,
    limits: Limits,
    gate: Gate,
    kept_status: status::Kept,
    edge: Edge,
    tokens: Tokens,
    passwords: Passwords,
    reach: Reach,
    works_here: bool,
    started: Instant,
    /// When the use of each key was last written.
    key_uses: Mutex<HashMap<Uuid, i64>>,
}

impl App {
    /// Wires it. `reach` says where URLs of callers may lead; `works_here` whether this process has workers.
    pub(crate) fn new(
        engine: Engine,
        lookup: Lookup,
        limits: Limits,
        edge: Edge,
        reach: Reach,
        works_here: bool,
    ) -> anyhow::Result<App> {
        let tokens = Tokens::new(&*engine.store().token_key()?)?;
        let (started, key_uses) = (Instant::now(), Mutex::default());
        let gate = Gate::new(limits.requests, limits.window_s);
        let (passwords, kept_status) = (Passwords::new(), status::Kept::default());
        let inner = Inner {
            engine,
            lookup,
            limits,
            gate,
            kept_status,
            edge,
            tokens,
            passwords,
            reach,
            works_here,
            started,
            key_uses,
        };
        Ok(App { inner: Arc::new(inner) })
    }
    /// The use cases.
    pub(crate) fn engine(&self) -> &Engine {
        &self.inner.engine
    }
    /// CEP, CNPJ and NCM.
    pub(crate) fn lookup(&self) -> &Lookup {
        &self.inner.lookup
    }
    /// The store, for what needs no use case.
    pub(crate) fn store(&self) -> &Store {
        self.inner.engine.store()
    }
    /// Bounds.
    pub(crate) fn limits(&self) -> Limits {
        self.inner.limits
    }
    /// How many requests each credential may make.
    pub(crate) fn gate(&self) -> &Gate {
        &self.inner.gate
    }
    /// What `/status` said last.
    pub(crate) fn kept_status(&self) -> &status::Kept {
        &self.inner.kept_status
    }
    /// Who stands between us and the callers.
    pub(crate) fn edge(&self) -> &Edge {
        &self.inner.edge
    }
    /// Signs and reads login tokens.
    pub(crate) fn tokens(&self) -> &Tokens {
        &self.inner.tokens
    }
    /// Hashes and verifies passwords.
    pub(crate) fn passwords(&self) -> &Passwords {
        &self.inner.passwords
    }
    /// Where the URLs that callers give may lead.
    pub(crate) fn reach(&self) -> &Reach {
        &self.inner.reach
    }
    /// Whether this process carries documents.
    pub(crate) fn works_here(&self) -> bool {
        self.inner.works_here
    }
    /// Seconds since the start.
    pub(crate) fn uptime_s(&self) -> u64 {
        self.inner.started.elapsed().as_secs()
    }
    /// Seconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        jiff::Timestamp::now().as_second()
    }

    /// Notes the use of a key, at most once a minute, without making the request wait for it.
    pub(crate) fn note_use(&self, caller: &Caller) {
        let now = self.now();
        {
            let mut uses = self.inner.key_uses.lock().unwrap_or_else(PoisonError::into_inner);
            let last = uses.insert(caller.api_key_id, now);
            if let Some(last) = last.filter(|last| now - last < KEY_USE_EVERY_S) {
                uses.insert(caller.api_key_id, last);
                return;
            }
        }
        let (store, caller) = (self.store().clone(), caller.clone());
        tokio::spawn(async move {
            if let Err(error) = store.touch_api_key(&caller, now).await {
                tracing::warn!(error.cause = %error, "the use of a key could not be noted");
            }
        });
    }
}

const KEY_USE_EVERY_S: i64 = 60;
