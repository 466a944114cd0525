//! Lots: documents of one company that are about to leave at the same moment share one message, where their authority
//! takes lots of several.
//!
//! Each was signed and stored by its own job before it joins, and is alone again once the lot was answered: a document
//! in doubt is queried by its own identity, and a repetition is sent alone. A lot therefore needs no row of its own,
//! and its loss loses nothing.
//! Law: ABRASF, manual de integração (RecepcionarLoteRps: one prestador, several RPS).

use super::exchange::{not_held, reply_line, request_line};
use super::{ClaimedWork, Halt};
use crate::authorities::budget;
use crate::authorities::call::{CallExchange, NoAnswer};
use crate::authorities::health::Channel;
use crate::family::UnreadableReply;
use crate::family::municipal_provider::SignedRps;
use crate::process::crash::crash_point;
use authority::answer::AuthorizationAnswer;
use authority::call::AuthorityReply;
use authority::table::Endpoint;
use fiscal::abrasf::substitution;
use fiscal::value::{CnpjCpf, TpAmb};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::jobs::Lease;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

/// Longest wait of a lot for the next document in preparation, or for the lot before it. A lone document does not wait.
const MEMBER_WAIT: Duration = Duration::from_millis(300);
/// Longest wait of a lot in all.
const MAX_WAIT: Duration = Duration::from_secs(3);
/// Time within which an undecided answer about a lot serves its other members: less than lies between two queries.
const UNDECIDED_LIFETIME: SignedDuration = SignedDuration::from_secs(4);
/// Time within which a decisive answer about a lot serves its other members: a lot is processed once.
const DECIDED_LIFETIME: SignedDuration = SignedDuration::from_mins(2);

/// The lots of a process.
#[derive(Default)]
pub(crate) struct LotRegistry {
    open_lots: Mutex<HashMap<LotKey, OpenLot>>,
    answers: Mutex<HashMap<(LotKey, String), LotQuerySlot>>,
}

/// Last answer about a lot; locked during the query.
type LotQuerySlot = Arc<tokio::sync::Mutex<Option<LotQueryAnswer>>>;

/// Key of the documents that may share a lot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct LotKey {
    tenant: Uuid,
    company: CnpjCpf,
    ambiente: TpAmb,
    authority: String,
}

/// The open lot of a key, and the counts around it.
#[derive(Default)]
struct OpenLot {
    /// Documents in preparation.
    preparing: usize,
    /// Lots that were sent and not yet answered.
    in_transit: usize,
    /// The leader's declaration while the lot is open. The leader sends the lot.
    open: Option<SignedRps>,
    members: Vec<LotMember>,
    changed: Arc<Notify>,
}

/// A member that is not the leader.
struct LotMember {
    lease: Lease,
    declaration: SignedRps,
    caller: oneshot::Sender<LotReply>,
    has_left: Arc<AtomicBool>,
}

/// Outcome of a lot, copied to each member.
#[derive(Clone)]
struct LotReply {
    lot: Option<u64>,
    /// Lines of the job log.
    lines: [String; 3],
    answer: Result<Arc<AuthorityReply>, NoAnswer>,
}

/// Outcome of a query about a lot, and its instant.
struct LotQueryAnswer {
    at: Timestamp,
    reply: LotReply,
}

/// Reservation of a document in preparation that may join a lot.
pub(super) struct LotReservation {
    lots: Arc<LotRegistry>,
    key: LotKey,
    is_used: bool,
}

/// Role of a document in a lot.
enum LotRole {
    /// Sends the lot.
    Leader(LotLeader),
    Member(oneshot::Receiver<LotReply>, Arc<AtomicBool>),
    /// There is no lot for it.
    Alone,
}

/// The leader of a lot.
pub(super) struct LotLeader {
    lots: Arc<LotRegistry>,
    key: LotKey,
    has_left: bool,
}

impl LotRegistry {
    fn open_lots(&self) -> MutexGuard<'_, HashMap<LotKey, OpenLot>> {
        self.open_lots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve_lot(self: &Arc<LotRegistry>, key: LotKey) -> LotReservation {
        self.open_lots().entry(key.clone()).or_default().preparing += 1;
        LotReservation { lots: Arc::clone(self), key, is_used: false }
    }

    /// Changes the state of a key, notifies the leader, and drops an unused key.
    fn update_lot<T>(&self, key: &LotKey, change: impl FnOnce(&mut OpenLot) -> T) -> T {
        let mut lots = self.open_lots();
        let lot = lots.entry(key.clone()).or_default();
        let changed = change(lot);
        lot.changed.notify_one();
        if lot.preparing == 0 && lot.in_transit == 0 && lot.open.is_none() {
            lots.remove(key);
        }
        changed
    }

    /// The slot for answers about a lot. Drops slots that no query holds and no answer can serve.
    fn query_slot(&self, key: LotKey, nRec: &str, now: Timestamp) -> LotQuerySlot {
        let mut slots = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| {
            Arc::strong_count(slot) > 1
                || slot
                    .try_lock()
                    .is_ok_and(|last| last.as_ref().is_some_and(|known| known.is_within(DECIDED_LIFETIME, now)))
        });
        Arc::clone(slots.entry((key, nRec.to_owned())).or_default())
    }
}

impl OpenLot {
    /// `true` if waiting may help: another document may join, and there is room.
    fn may_grow(&self, most: usize) -> bool {
        (self.preparing > 0 || self.in_transit > 0) && self.members.len() + 1 < most
    }

    fn has_room_for(&self, declaration: &SignedRps, most: usize) -> bool {
        let all = self.open.iter().chain(self.members.iter().map(|member| &member.declaration));
        self.members.len() + 1 < most && all.into_iter().all(|other| other.fits_in_lot_with(declaration))
    }
}

impl LotQueryAnswer {
    fn is_within(&self, age: SignedDuration, now: Timestamp) -> bool {
        (SignedDuration::ZERO..age).contains(&now.duration_since(self.at))
    }
}

impl LotReservation {
    fn join_lot(mut self, lease: Lease, declaration: &SignedRps, most: usize) -> LotRole {
        self.is_used = true;
        let (lots, key) = (Arc::clone(&self.lots), self.key.clone());
        self.lots.update_lot(&self.key, |lot| {
            lot.preparing = lot.preparing.saturating_sub(1);
            if lot.open.is_none() {
                lot.open = Some(declaration.clone());
                return LotRole::Leader(LotLeader { lots, key, has_left: false });
            }
            if !lot.has_room_for(declaration, most) {
                return LotRole::Alone;
            }
            let (caller, reply) = oneshot::channel();
            let has_left = Arc::new(AtomicBool::new(false));
            let declaration = declaration.clone();
            lot.members.push(LotMember { lease, declaration, caller, has_left: Arc::clone(&has_left) });
            LotRole::Member(reply, has_left)
        })
    }
}

impl Drop for LotReservation {
    fn drop(&mut self) {
        if !self.is_used {
            self.lots.update_lot(&self.key, |lot| lot.preparing = lot.preparing.saturating_sub(1));
        }
    }
}

impl LotLeader {
    /// Waits briefly for documents in preparation, then closes the lot and returns its members.
    async fn close_lot(&mut self, most: usize) -> Vec<LotMember> {
        let longest = Instant::now() + MAX_WAIT;
        loop {
            let (may_grow, changed) = {
                let lots = self.lots.open_lots();
                let Some(lot) = lots.get(&self.key) else { break };
                (lot.may_grow(most), Arc::clone(&lot.changed))
            };
            let until = longest.min(Instant::now() + MEMBER_WAIT);
            if !may_grow || timeout_at(until, changed.notified()).await.is_err() {
                break;
            }
        }
        self.has_left = true;
        self.lots.update_lot(&self.key, |lot| {
            lot.in_transit += 1;
            lot.open = None;
            std::mem::take(&mut lot.members)
        })
    }
}

impl Drop for LotLeader {
    // a leader cancelled before sending drops the members' channels, and each is sent alone
    fn drop(&mut self) {
        let has_left = self.has_left;
        let members = self.lots.update_lot(&self.key, |lot| match has_left {
            true => {
                lot.in_transit = lot.in_transit.saturating_sub(1);
                Vec::new()
            }
            false => {
                lot.open = None;
                std::mem::take(&mut lot.members)
            }
        });
        drop(members);
    }
}

/// Reserves a lot for the document that the job is about to build, where the authority takes lots of several.
pub(super) fn expect_document(work: &mut ClaimedWork, channel: &Channel) {
    if most(channel) > 1 {
        work.lot_reservation = Some(work.engine.inner.lots.reserve_lot(lot_key(work)));
    }
}

fn most(channel: &Channel) -> usize {
    channel.city_hall.as_ref().map_or(1, |hall| usize::try_from(hall.lot_most()).unwrap_or(1))
}

fn lot_key(work: &ClaimedWork) -> LotKey {
    let job = &work.job;
    LotKey { tenant: job.tenant_id, company: job.cpf_cnpj, ambiente: job.ambiente, authority: job.authority.clone() }
}

/// Sends the document in a lot. `None`: it is sent alone, as is every document that is not sent for the first time.
pub(super) async fn send_in_lot(
    work: &mut ClaimedWork,
    channel: &Channel,
    endpoint: &Endpoint,
    signed: &str,
) -> Option<Result<AuthorizationAnswer, NoAnswer>> {
    // a substitution joins no lot: the reservation ends, and no leader waits for it
    if substitution::is_request(signed) {
        work.lot_reservation = None;
        return None;
    }
    // a message of its own is a lot of one, numbered as its document is
    work.lot = channel.city_hall.as_ref().and(work.job.document.as_ref()).map(|document| document.numero);
    let reservation = work.lot_reservation.take()?;
    let declaration = SignedRps::of(&work.asked_by().ok()?, signed)?;
    match reservation.join_lot(work.lease, &declaration, most(channel)) {
        LotRole::Alone => None,
        LotRole::Leader(mut leader) => {
            let members = still_held(work, leader.close_lot(most(channel)).await).await;
            if members.is_empty() {
                // documents that come meanwhile wait for this one as for any lot
                work.lot_leader = Some(leader);
                return None;
            }
            send_as_leader(work, channel, endpoint, &declaration, members).await
        }
        LotRole::Member(reply, has_left) => {
            // from here on the leader may send it at any moment
            work.forget();
            match reply.await {
                Ok(reply) => {
                    work.lot = reply.lot;
                    Some(read_authorize(work, channel, reply).await)
                }
                Err(_) if has_left.load(Ordering::SeqCst) => Some(Err(NoAnswer::NoReply(LOST_ANSWER.to_owned()))),
                Err(_) => None,
            }
        }
    }
}

/// Keeps the members whose leases hold. Any other leaves the lot before it is sent, and finds out by itself.
async fn still_held(work: &ClaimedWork, members: Vec<LotMember>) -> Vec<LotMember> {
    let mut held = Vec::with_capacity(members.len());
    for member in members {
        if work.engine.hold(&member.lease).await.is_ok() {
            held.push(member);
        }
    }
    held
}

async fn send_as_leader(
    work: &mut ClaimedWork,
    channel: &Channel,
    endpoint: &Endpoint,
    own: &SignedRps,
    members: Vec<LotMember>,
) -> Option<Result<AuthorizationAnswer, NoAnswer>> {
    let all: Vec<&SignedRps> = std::iter::once(own).chain(members.iter().map(|member| &member.declaration)).collect();
    let numero = lot_number(work.engine.now());
    let call = work.engine.lot(channel, endpoint, numero, &all)?;
    let line = format!("Enviado a {} ({}) no lote {numero}, de {} RPS.", call.authority, call.name, all.len());
    let (wire, asked_by) = (channel.family.wire, work.asked_by().ok()?);
    if let Err(error) = work.engine.hold(&work.lease).await {
        return Some(Err(NoAnswer::NotSent(not_held(&error))));
    }
    crash_point("lot.before");
    members.iter().for_each(|member| member.has_left.store(true, Ordering::SeqCst));
    work.forget();
    let exchange = work.engine.exchange(&call, channel, move |reply| wire.read_authorize_of(reply, &asked_by)).await;
    crash_point("lot.reply");
    let lines = [line, request_line(&call, true), reply_line(&call, &exchange, true)];
    let reply = LotReply { lot: Some(numero), lines, answer: reply_of(&exchange) };
    for member in members {
        // the job of a member whose receiver is gone is queried by its new holder
        let _ = member.caller.send(reply.clone());
    }
    work.lot = reply.lot;
    reply.lines.into_iter().for_each(|line| work.log(line));
    Some(exchange.answer)
}

/// Number of a lot. Differs from those of its documents, each of which is the number of its own lot when it is sent
/// again.
fn lot_number(now: Timestamp) -> u64 {
    now.as_millisecond().unsigned_abs()
}

fn reply_of<T>(exchange: &CallExchange<T>) -> Result<Arc<AuthorityReply>, NoAnswer> {
    match (&exchange.reply, &exchange.answer) {
        (Some(reply), _) => Ok(Arc::new(reply.clone())),
        (None, Err(none)) => Err(none.clone()),
        (None, Ok(_)) => Err(NoAnswer::NoReply(LOST_ANSWER.to_owned())),
    }
}

async fn read_authorize(
    work: &mut ClaimedWork,
    channel: &Channel,
    reply: LotReply,
) -> Result<AuthorizationAnswer, NoAnswer> {
    reply.lines.into_iter().for_each(|line| work.log(line));
    let (wire, asked_by) = (channel.family.wire, work.asked_by());
    let asked_by = asked_by.map_err(|_| NoAnswer::NoReply(LOST_ANSWER.to_owned()))?;
    read(reply.answer?, move |reply| wire.read_authorize_of(reply, &asked_by)).await
}

/// Reads an answer on a blocking thread: an answer about a lot is large, and each member reads it.
async fn read(
    reply: Arc<AuthorityReply>,
    read: impl FnOnce(&AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply> + Send + 'static,
) -> Result<AuthorizationAnswer, NoAnswer> {
    let answer = tokio::task::spawn_blocking(move || read(&reply)).await;
    match answer {
        Ok(answer) => answer.map_err(|unreadable| NoAnswer::NoReply(unreadable.to_string())),
        Err(error) => Err(NoAnswer::NoReply(format!("a leitura foi interrompida por uma falha: {error}"))),
    }
}

/// Queries the lot of a document, once for all members that ask within a moment. `None`: it was received alone.
pub(super) async fn by_receipt(
    work: &mut ClaimedWork,
    channel: &Channel,
    endpoint: &Endpoint,
    nRec: &str,
) -> Result<Option<Result<AuthorizationAnswer, NoAnswer>>, Halt> {
    let Some((receipt, read_of)) = channel.family.receipt.as_ref().and_then(|it| Some((it, it.read_of?))) else {
        return Ok(None);
    };
    let document = work.document()?;
    if document.numero_lote.is_none_or(|lot| lot == document.numero) {
        return Ok(None);
    }
    let asked_by = work.asked_by()?;
    let slot = work.engine.inner.lots.query_slot(lot_key(work), nRec, work.engine.now());
    let mut last = slot.lock().await;
    if let Some(known) = last.as_ref().filter(|known| known.is_within(DECIDED_LIFETIME, work.engine.now())) {
        let by = asked_by.clone();
        let answer = match known.reply.answer.clone() {
            Ok(reply) => read(reply, move |reply| read_of(reply, &by)).await,
            Err(none) => Err(none),
        };
        let decides = matches!(&answer, Ok(answer) if !matches!(answer, AuthorizationAnswer::Pending { .. } | AuthorizationAnswer::Unavailable(_)));
        if decides || known.is_within(UNDECIDED_LIFETIME, work.engine.now()) {
            work.log("O lote foi consultado há pouco por outro RPS dele.");
            known.reply.lines.iter().for_each(|line| work.log(line.as_str()));
            return Ok(Some(answer));
        }
    }
    let line = format!("Consultando o lote pelo protocolo ({}).", endpoint.name);
    work.count_call(budget::RECEIPT, endpoint, nRec, &line).await?;
    let unsigned = || Halt::Store(store::Error::Corrupt("um recibo de quem não recebe lotes"));
    let call = work.engine.receipt_query(channel, endpoint, receipt, nRec).ok_or_else(unsigned)?;
    let exchange = work.engine.exchange(&call, channel, move |reply| read_of(reply, &asked_by)).await;
    let reply = LotReply {
        lot: None,
        lines: [line, request_line(&call, true), reply_line(&call, &exchange, true)],
        answer: reply_of(&exchange),
    };
    reply.lines.iter().skip(1).for_each(|line| work.log(line.as_str()));
    *last = Some(LotQueryAnswer { at: work.engine.now(), reply });
    Ok(Some(exchange.answer))
}

/// Reason text of a lot whose answer was lost with its leader.
const LOST_ANSWER: &str = "o lote em que o RPS seguiu ficou sem resposta";
