//! The network of a simulated machine: calls of the engine to the authorities, and their answers.

use crate::authority::{Health, Message};
use crate::machine::Life;
use crate::world::{Fate, Plan, World, about, key_in};
use authority::call::{Call, Reply};
use authority::table::Service;
use authority::transport::{CallError, Handshake, Sent};
use engine::{CallTransport, PendingReply};
use signing::Certificate;
use std::sync::Arc;
use store::MemoryDatabase;

/// Transport of a machine to the authorities.
pub struct Network {
    world: Arc<World>,
    life: Arc<Life>,
    database: MemoryDatabase,
    strangers: outbound::Gate,
    name: String,
}

impl Network {
    pub fn of(world: &Arc<World>, life: &Arc<Life>, database: &MemoryDatabase, name: &str) -> Network {
        let (world, life, database) = (Arc::clone(world), Arc::clone(life), database.clone());
        Network { world, life, database, strangers: outbound::Gate::default(), name: name.to_owned() }
    }

    async fn carry(&self, message: Message) -> Result<Reply, CallError> {
        self.alive().await;
        let plan = {
            let mut world = self.world.lock();
            world.under_way += 1;
            let plan = world.plan(&message);
            world.note(|| {
                let Plan { fate, oddity, way_ms, patience_ms } = plan;
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
        let outcome = self.travel(&message, plan).await;
        drop(under_way);
        self.alive().await;
        outcome
    }

    async fn travel(&self, message: &Message, plan: Plan) -> Result<Reply, CallError> {
        let health = self.world.lock().authorities.health(&message.authority, message.service);
        if plan.fate == Fate::Unsent || health == Health::Unreachable {
            self.world.sleep(plan.way_ms).await;
            return Err(error(Sent::No, "connect", "conexão recusada"));
        }
        if let Fate::Late(ms) = plan.fate {
            arrive_later(&self.world, message, plan, ms);
        }
        if matches!(plan.fate, Fate::Late(_) | Fate::LostBefore) {
            return self.give_up(plan).await;
        }
        let Some(reply) = self.arrive(message, plan).await else { return self.give_up(plan).await };
        if plan.fate == Fate::LostAfter {
            return self.give_up(plan).await;
        }
        self.world.sleep(plan.way_ms).await;
        Ok(reply)
    }

    /// Delivers a message. It arrives even when its sender ends meanwhile.
    async fn arrive(&self, message: &Message, plan: Plan) -> Option<Reply> {
        let (world, on_its_way) = (Arc::clone(&self.world), message.clone());
        world.lock().orphans += 1;
        let arrival = tokio::spawn(async move {
            world.sleep(plan.way_ms).await;
            let processed = world.lock().process(&on_its_way, plan.oddity);
            if let Fate::Doubled(ms) = plan.fate
                && !was_turned_away(&on_its_way, &processed.word)
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

    async fn give_up(&self, plan: Plan) -> Result<Reply, CallError> {
        self.world.sleep(plan.patience_ms).await;
        Err(error(Sent::Maybe, "closed", "a conexão foi fechada antes da resposta"))
    }

    /// Counts the pair of a document's state and the answer to it.
    fn reach(&self, message: &Message, word: &str) {
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

    async fn alive(&self) {
        if !self.life.passes_call() {
            std::future::pending::<()>().await;
        }
    }
}

/// Delivers a message later, independent of its sender.
fn arrive_later(world: &Arc<World>, message: &Message, plan: Plan, ms: u64) {
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
fn was_turned_away(message: &Message, word: &str) -> bool {
    message.service == Service::Autorizacao && word.parse::<u16>().is_ok_and(|code| code != 100)
}

struct UnderWay<'w>(&'w World);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut world = self.0.lock();
        world.under_way = world.under_way.saturating_sub(1);
    }
}

fn error(sent: Sent, kind: &'static str, cause: &str) -> CallError {
    CallError { sent, cause: cause.to_owned(), kind }
}

impl CallTransport for Network {
    fn send<'c>(&'c self, call: &'c Call, _: &'c Certificate) -> PendingReply<'c> {
        let message = Message::of(call);
        Box::pin(self.carry(message))
    }

    fn handshake(&self, _: &Call) -> Option<Arc<Handshake>> {
        None
    }

    fn strangers(&self) -> &outbound::Gate {
        &self.strangers
    }
}
