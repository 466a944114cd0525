//! The state that every handler shares.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::Engine;
use engine::process::work_pool::NotDone;
use fiscal::value::brasilia;
use lookup::Lookup;
use outbound::AddressPolicy;
use store::Store;
use store::accounts::Caller;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::api::docs::own_pages::OwnPages;
use crate::edge::{Edge, McpSettings};
use crate::http::ConnectionBounds;
use crate::in_flight::{BodyOwner, InFlightBudget};
use crate::limits::{AccountLimits, LoginLimits};
use crate::oidc::OidcProvider;
use crate::password::HashQueue;
use crate::rate_limiter::RateLimiter;
use crate::status_cache::StatusCache;
use crate::token::TokenSigner;

/// Bounds of requests, connections, logins and accounts.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// Largest request body, bytes; most routes accept less (`api::size`).
    pub body_bytes: usize,
    /// Memory of all request bodies in flight, bytes; one caller may use half of it.
    pub bodies_bytes: usize,
    /// Requests in flight of a credential, 0 for no bound.
    pub under_way: usize,
    /// Open connections in all; fewer where the process may open fewer files.
    pub connections: usize,
    /// Open connections of an address; trusted proxies are not bounded by it.
    pub connections_per_address: usize,
    /// Longest wait for the head of a request, and between two requests, seconds.
    pub idle_s: u64,
    /// Longest time in which a peer reads none of the bytes written to it, seconds.
    pub write_s: u64,
    /// Longest duration of a request, seconds.
    pub request_s: u64,
    /// Longest wait of the synchronous routes for the end of a job, in addition to `request_s`, seconds.
    pub wait_s: u64,
    /// Longest time for a request body to arrive, seconds.
    pub body_s: u64,
    /// Requests of a credential in a window, 0 for no bound.
    pub requests: u32,
    /// Length of that window, seconds.
    pub window_s: u32,
    /// Bounds of failed logins.
    pub logins: LoginLimits,
    /// Bounds of an account's rows.
    pub account: AccountLimits,
}

impl Default for ServiceLimits {
    fn default() -> ServiceLimits {
        ServiceLimits {
            body_bytes: 8 << 20,
            bodies_bytes: 160 << 20,
            under_way: 256,
            connections: 2048,
            connections_per_address: 512,
            idle_s: 30,
            write_s: 30,
            request_s: 30,
            wait_s: 60,
            body_s: 20,
            requests: 2000,
            window_s: 1,
            logins: LoginLimits::default(),
            account: AccountLimits::default(),
        }
    }
}

impl ServiceLimits {
    /// Largest JSON tree of a single body, bytes.
    pub(crate) fn most_tree(self) -> usize {
        self.body_bytes.saturating_mul(6).max(48 << 20)
    }

    /// Memory budget of bodies in flight, per caller and in all: at least enough for the largest allowed body.
    fn bodies(self) -> Arc<InFlightBudget<BodyOwner>> {
        let largest = self.most_tree().saturating_add(self.body_bytes).saturating_mul(2);
        let of_one = (self.bodies_bytes / 2).max(largest);
        InFlightBudget::new(of_one, self.bodies_bytes.max(of_one))
    }

    /// Bounds of a listener of the API in a process that may open `files` files.
    pub(crate) fn listener(self, edge: &Edge, files: usize) -> ConnectionBounds {
        ConnectionBounds {
            in_all: self.connections.min(files.saturating_sub(FILES_OF_OTHERS)).max(1),
            of_one: self.connections_per_address,
            trusted: edge.trusted_proxies.clone(),
            idle: Duration::from_secs(self.idle_s),
            write: Duration::from_secs(self.write_s),
        }
    }

    /// Budget of requests in flight per credential.
    fn requests_under_way(self) -> Arc<InFlightBudget<Uuid>> {
        let most = if self.under_way == 0 { usize::MAX } else { self.under_way };
        InFlightBudget::new(most, usize::MAX)
    }
}

/// Features that are not verified against a real authority and that the operator switched on.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnverifiedFeatures {
    /// Manifestations of an NFS-e by the parties.
    pub manifests_services: bool,
}

/// The shared state. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App {
    inner: Arc<AppState>,
    /// True when the operator configured an SMTP server.
    sends_mail: bool,
}

struct AppState {
    engine: Engine,
    lookup: Lookup,
    limits: ServiceLimits,
    gate: RateLimiter,
    bodies: Arc<InFlightBudget<BodyOwner>>,
    under_way: Arc<InFlightBudget<Uuid>>,
    kept_status: StatusCache,
    edge: Edge,
    tokens: TokenSigner,
    panel_tokens: TokenSigner,
    half_tokens: TokenSigner,
    oidc: Option<OidcProvider>,
    passwords: HashQueue,
    reach: AddressPolicy,
    manifests_services: bool,
    works_here: bool,
    own_pages: OwnPages,
    started: Instant,
    /// Time of the last write of each key's use, seconds since 1970.
    key_uses: Mutex<HashMap<Uuid, i64>>,
}

impl App {
    /// Builds the state. `reach` bounds the hosts that URLs of callers may name; `opened` lists unverified features
    /// that are on; `works_here` is true when this process has workers.
    pub(crate) fn new(
        engine: Engine,
        lookup: Lookup,
        limits: ServiceLimits,
        edge: Edge,
        reach: AddressPolicy,
        opened: UnverifiedFeatures,
        works_here: bool,
    ) -> anyhow::Result<App> {
        let token_key = engine.store().token_key()?;
        let tokens = TokenSigner::new(&token_key)?;
        // derived keys: a token of the panel is not valid at the API, nor one of half a sign-in at either
        let derived =
            |of: &[u8]| TokenSigner::new(&openssl::sha::sha256(&Zeroizing::new([of, token_key.as_slice()].concat())));
        let (panel_tokens, half_tokens) = (derived(b"painel")?, derived(b"meia entrada")?);
        let oidc = edge.oidc.clone().map(OidcProvider::new).transpose()?;
        let (started, key_uses) = (Instant::now(), Mutex::default());
        let gate = RateLimiter::new(limits.requests, limits.window_s);
        let (bodies, under_way) = (limits.bodies(), limits.requests_under_way());
        let (passwords, kept_status) = (HashQueue::new(), StatusCache::default());
        let inner = AppState {
            engine,
            lookup,
            limits,
            gate,
            bodies,
            under_way,
            kept_status,
            edge,
            tokens,
            panel_tokens,
            half_tokens,
            oidc,
            passwords,
            reach,
            manifests_services: opened.manifests_services,
            works_here,
            own_pages: OwnPages::default(),
            started,
            key_uses,
        };
        Ok(App { inner: Arc::new(inner), sends_mail: false })
    }
    /// Sets whether an SMTP server is configured.
    pub(crate) fn with_mail(self, sends_mail: bool) -> App {
        App { sends_mail, ..self }
    }
    /// True when mails can leave this service.
    pub(crate) fn sends_mail(&self) -> bool {
        self.sends_mail
    }
    /// Pages and examples that depend on the day or on the configuration.
    pub(crate) fn own_pages(&self) -> &OwnPages {
        &self.inner.own_pages
    }
    /// Today's date in Brasília.
    pub(crate) fn today(&self) -> jiff::civil::Date {
        let now = jiff::Timestamp::from_second(self.engine().now_s()).unwrap_or_default();
        brasilia::day(now)
    }
    pub(crate) fn engine(&self) -> &Engine {
        &self.inner.engine
    }
    /// Lookups of CEP, CNPJ and NCM.
    pub(crate) fn lookup(&self) -> &Lookup {
        &self.inner.lookup
    }
    /// Runs a use case: on this task when its payload is small, else through `engine::heavy`, so that its computation
    /// does not delay other requests.
    pub(crate) async fn dispatch_use_case<T: Send + 'static>(
        &self,
        tenant: Uuid,
        big: bool,
        case: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, NotDone> {
        if big { self.engine().heavy().run_use_case(tenant, case).await } else { Ok(case.await) }
    }
    pub(crate) fn mcp(&self) -> &McpSettings {
        &self.inner.edge.mcp
    }
    /// True when manifestations of an NFS-e by its parties are switched on.
    pub(crate) fn manifests_services(&self) -> bool {
        self.inner.manifests_services
    }
    /// The store, for handlers that need no use case.
    pub(crate) fn store(&self) -> &Store {
        self.inner.engine.store()
    }
    pub(crate) fn limits(&self) -> ServiceLimits {
        self.inner.limits
    }
    /// The rate limiter of credentials.
    pub(crate) fn rate_limiter(&self) -> &RateLimiter {
        &self.inner.gate
    }
    /// Memory budget of request bodies in flight.
    pub(crate) fn body_budget(&self) -> &Arc<InFlightBudget<BodyOwner>> {
        &self.inner.bodies
    }
    /// Budget of requests in flight per credential.
    pub(crate) fn requests_in_flight(&self) -> &Arc<InFlightBudget<Uuid>> {
        &self.inner.under_way
    }
    /// The cached answer of `/status`.
    pub(crate) fn status_cache(&self) -> &StatusCache {
        &self.inner.kept_status
    }
    /// Trusted proxies, allowed origins and the public URL.
    pub(crate) fn edge(&self) -> &Edge {
        &self.inner.edge
    }
    /// Signs and reads login tokens.
    pub(crate) fn tokens(&self) -> &TokenSigner {
        &self.inner.tokens
    }
    /// Signs and reads the cookies of the panel.
    pub(crate) fn panel_tokens(&self) -> &TokenSigner {
        &self.inner.panel_tokens
    }
    /// Signs and reads the cookies between the password and the code of the second factor.
    pub(crate) fn half_tokens(&self) -> &TokenSigner {
        &self.inner.half_tokens
    }
    /// The provider of sign-ins, if one is configured.
    pub(crate) fn oidc(&self) -> Option<&OidcProvider> {
        self.inner.oidc.as_ref()
    }
    /// Hashes and verifies passwords.
    pub(crate) fn passwords(&self) -> &HashQueue {
        &self.inner.passwords
    }
    /// Hosts that URLs of callers may name.
    pub(crate) fn reach(&self) -> &AddressPolicy {
        &self.inner.reach
    }
    /// True when this process has workers.
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

    /// Records the use of a key at most once a minute, in a task of its own: the request does not wait for it.
    pub(crate) fn record_key_use(&self, caller: &Caller) {
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

/// Files and sockets reserved for the store, the authorities, webhooks and metrics.
pub(crate) const FILES_OF_OTHERS: usize = 256;
const KEY_USE_EVERY_S: i64 = 60;
