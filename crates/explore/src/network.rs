//! The network of a simulated machine: calls of the engine to the authorities, and their answers.

use crate::authority::{AuthorityState, SentMessage};
use crate::process_life::ProcessLife;
use crate::run_environment::{MessageFate, MessagePlan, RunEnvironment, about, key_in};
use authority::call::{AuthorityCall, AuthorityReply};
use authority::table::AuthorityService;
use authority::transport::{CallError, Handshake, SendStatus};
use engine::authorities::transport::{CallTransport, PendingReply};
use signing::Certificate;
use std::sync::Arc;
use store::MemoryDatabase;

/// Transport of a machine to the authorities.
pub struct MachineNetwork {
    world: Arc<RunEnvironment>,
    life: Arc<ProcessLife>,
    database: MemoryDatabase,
    strangers: outbound::UrlGuard,
    name: String,
}

impl MachineNetwork {
    pub fn of(
        world: &Arc<RunEnvironment>,
        life: &Arc<ProcessLife>,
        database: &MemoryDatabase,
        name: &str,
    ) -> MachineNetwork {
        let (world, life, database) = (Arc::clone(world), Arc::clone(life), database.clone());
        MachineNetwork { world, life, database, strangers: outbound::UrlGuard::default(), name: name.to_owned() }
    }

    async fn deliver_call(&self, message: SentMessage) -> Result<AuthorityReply, CallError> {
        self.halt_if_ended().await;
        let plan = {
            let mut world = self.world.lock();
            world.under_way += 1;
            let plan = world.plan(&message);
            world.trace_line(|| {
                let MessagePlan { fate, oddity, transit_ms: way_ms, give_up_ms: patience_ms } = plan;
                let sender = &self.name;
                format!(
                    "{sender} → {} {} {} {fate:?} {oddity:?} way {way_ms} ms, patience {patience_ms} ms",
                    message.authority,
                    message.name,
                    about(&message)
                )
            });
            plan
        };
        let under_way = UnderWay(&self.world);
        let outcome = self.transmit(&message, plan).await;
        drop(under_way);
        self.halt_if_ended().await;
        outcome
    }

    async fn transmit(&self, message: &SentMessage, plan: MessagePlan) -> Result<AuthorityReply, CallError> {
        let health = self.world.lock().authorities.health(&message.authority, message.service);
        if plan.fate == MessageFate::Unsent || health == AuthorityState::Unreachable {
            self.world.sleep(plan.transit_ms).await;
            return Err(error(SendStatus::No, "connect", "conexão recusada"));
        }
        if let MessageFate::Late(ms) = plan.fate {
            arrive_later(&self.world, message, plan, ms);
        }
        if matches!(plan.fate, MessageFate::Late(_) | MessageFate::LostBefore) {
            return self.give_up(plan).await;
        }
        let Some(reply) = self.arrive(message, plan).await else { return self.give_up(plan).await };
        if plan.fate == MessageFate::LostAfter {
            return self.give_up(plan).await;
        }
        self.world.sleep(plan.transit_ms).await;
        Ok(reply)
    }

    /// Delivers a message. It arrives even when its sender ends meanwhile.
    async fn arrive(&self, message: &SentMessage, plan: MessagePlan) -> Option<AuthorityReply> {
        let (world, on_its_way) = (Arc::clone(&self.world), message.clone());
        world.lock().orphans += 1;
        let arrival = tokio::spawn(async move {
            world.sleep(plan.transit_ms).await;
            let processed = world.lock().process(&on_its_way, plan.oddity);
            if let MessageFate::Doubled(ms) = plan.fate
                && !registered_nothing(&on_its_way, &processed.word)
            {
                arrive_later(&world, &on_its_way, plan, ms);
            }
            world.lock().orphans -= 1;
            processed
        });
        let processed = arrival.await.ok()?;
        self.reach(message, &processed.word);
        processed.reply
    }

    async fn give_up(&self, plan: MessagePlan) -> Result<AuthorityReply, CallError> {
        self.world.sleep(plan.give_up_ms).await;
        Err(error(SendStatus::Maybe, "closed", "a conexão foi fechada antes da resposta"))
    }

    /// Counts the pair of a document's state and the answer to it.
    fn reach(&self, message: &SentMessage, word: &str) {
        let key = key_in(&crate::authority::sefaz::document_in(message));
        let state = if key.is_empty() {
            "none".to_owned()
        } else {
            let sql = format!("SELECT state || '/' || tipo_emissao FROM documents WHERE asked_by = '{key}'");
            let rows = self.database.rows(&sql).unwrap_or_default();
            rows.into_iter().flatten().next().unwrap_or_else(|| "unknown".to_owned())
        };
        self.world.lock().reached.insert(format!("{state} {} {word}", message.name));
    }

    async fn halt_if_ended(&self) {
        if !self.life.may_call() {
            std::future::pending::<()>().await;
        }
    }
}

/// Delivers a message later, independent of its sender.
fn arrive_later(world: &Arc<RunEnvironment>, message: &SentMessage, plan: MessagePlan, ms: u64) {
    let (world, mut message) = (Arc::clone(world), message.clone());
    // Half of the late messages wait inside the authority, the others in the network.
    message.received_ms = Some(world.time.elapsed_ms()).filter(|_| ms.is_multiple_of(2));
    world.lock().orphans += 1;
    tokio::spawn(async move {
        world.sleep(ms).await;
        let mut world = world.lock();
        world.process(&message, plan.oddity);
        world.orphans -= 1;
    });
}

/// True when an authority answered a document by a code that registers nothing. A second copy of the message may be
/// registered afterwards: a limit of every issuer, and a test of the model (`crates/fiscal/tests/evidence/limits.rs`).
fn registered_nothing(message: &SentMessage, word: &str) -> bool {
    message.service == AuthorityService::Autorizacao && word.parse::<u16>().is_ok_and(|code| code != 100)
}

struct UnderWay<'w>(&'w RunEnvironment);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut world = self.0.lock();
        world.under_way = world.under_way.saturating_sub(1);
    }
}

fn error(sent: SendStatus, kind: &'static str, cause: &str) -> CallError {
    CallError { sent, cause: cause.to_owned(), kind }
}

impl CallTransport for MachineNetwork {
    fn send<'c>(&'c self, call: &'c AuthorityCall, _: &'c Certificate) -> PendingReply<'c> {
        let message = SentMessage::of(call);
        Box::pin(self.deliver_call(message))
    }

    fn handshake(&self, _: &AuthorityCall) -> Option<Arc<Handshake>> {
        None
    }

    fn strangers(&self) -> &outbound::UrlGuard {
        &self.strangers
    }
}
