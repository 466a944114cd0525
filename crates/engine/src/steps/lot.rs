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
    told: oneshot::Sender<LotReply>,
    has_left: Arc<AtomicBool>,
}

/// Outcome of a lot, copied to each member.
#[derive(Clone)]
struct LotReply {
    lot: Option<u64>,
    /// Lines of the job log.
    lines: [String; 3],
    came: Result<Arc<AuthorityReply>, NoAnswer>,
}

/// Outcome of a query about a lot, and its instant.
struct LotQueryAnswer {
    at: Timestamp,
    ride: LotReply,
}

/// Reservation of a document in preparation that may join a lot.
pub(super) struct LotReservation {
    lots: Arc<LotRegistry>,
    gate: LotKey,
    is_used: bool,
}

/// Role of a document in a lot.
enum LotRole {
    /// Sends the lot.
    Drives(LotLeader),
    Rides(oneshot::Receiver<LotReply>, Arc<AtomicBool>),
    /// There is no lot for it.
    Alone,
}

/// The leader of a lot.
pub(super) struct LotLeader {
    lots: Arc<LotRegistry>,
    gate: LotKey,
    has_left: bool,
}

impl LotRegistry {
    fn open_lots(&self) -> MutexGuard<'_, HashMap<LotKey, OpenLot>> {
        self.open_lots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve_lot(self: &Arc<LotRegistry>, gate: LotKey) -> LotReservation {
        self.open_lots().entry(gate.clone()).or_default().preparing += 1;
        LotReservation { lots: Arc::clone(self), gate, is_used: false }
    }

    /// Changes the state of a key, notifies the leader, and drops an unused key.
    fn update_lot<T>(&self, gate: &LotKey, change: impl FnOnce(&mut OpenLot) -> T) -> T {
        let mut gates = self.open_lots();
        let loading = gates.entry(gate.clone()).or_default();
        let changed = change(loading);
        loading.changed.notify_one();
        if loading.preparing == 0 && loading.in_transit == 0 && loading.open.is_none() {
            gates.remove(gate);
        }
        changed
    }

    /// The slot for answers about a lot. Drops slots that no query holds and no answer can serve.
    fn query_slot(&self, gate: LotKey, nRec: &str, now: Timestamp) -> LotQuerySlot {
        let mut heard = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        heard.retain(|_, cell| {
            Arc::strong_count(cell) > 1
                || cell
                    .try_lock()
                    .is_ok_and(|heard| heard.as_ref().is_some_and(|heard| heard.is_within(DECIDED_LIFETIME, now)))
        });
        Arc::clone(heard.entry((gate, nRec.to_owned())).or_default())
    }
}

impl OpenLot {
    /// `true` if waiting may help: another document may join, and there is room.
    fn may_grow(&self, most: usize) -> bool {
        (self.preparing > 0 || self.in_transit > 0) && self.members.len() + 1 < most
    }

    fn has_room_for(&self, declaration: &SignedRps, most: usize) -> bool {
        let all = self.open.iter().chain(self.members.iter().map(|rider| &rider.declaration));
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
        let (lots, gate) = (Arc::clone(&self.lots), self.gate.clone());
        self.lots.update_lot(&self.gate, |loading| {
            loading.preparing = loading.preparing.saturating_sub(1);
            if loading.open.is_none() {
                loading.open = Some(declaration.clone());
                return LotRole::Drives(LotLeader { lots, gate, has_left: false });
            }
            if !loading.has_room_for(declaration, most) {
                return LotRole::Alone;
            }
            let (told, ride) = oneshot::channel();
            let has_left = Arc::new(AtomicBool::new(false));
            let declaration = declaration.clone();
            loading.members.push(LotMember { lease, declaration, told, has_left: Arc::clone(&has_left) });
            LotRole::Rides(ride, has_left)
        })
    }
}

impl Drop for LotReservation {
    fn drop(&mut self) {
        if !self.is_used {
            self.lots.update_lot(&self.gate, |loading| loading.preparing = loading.preparing.saturating_sub(1));
        }
    }
}

impl LotLeader {
    /// Waits briefly for documents in preparation, then closes the lot and returns its members.
    async fn close_lot(&mut self, most: usize) -> Vec<LotMember> {
        let longest = Instant::now() + MAX_WAIT;
        loop {
            let (may_grow, changed) = {
                let gates = self.lots.open_lots();
                let Some(loading) = gates.get(&self.gate) else { break };
                (loading.may_grow(most), Arc::clone(&loading.changed))
            };
            let until = longest.min(Instant::now() + MEMBER_WAIT);
            if !may_grow || timeout_at(until, changed.notified()).await.is_err() {
                break;
            }
        }
        self.has_left = true;
        self.lots.update_lot(&self.gate, |loading| {
            loading.in_transit += 1;
            loading.open = None;
            std::mem::take(&mut loading.members)
        })
    }
}

impl Drop for LotLeader {
    // a leader cancelled before sending drops the members' channels, and each is sent alone
    fn drop(&mut self) {
        let has_left = self.has_left;
        let aboard = self.lots.update_lot(&self.gate, |loading| match has_left {
            true => {
                loading.in_transit = loading.in_transit.saturating_sub(1);
                Vec::new()
            }
            false => {
                loading.open = None;
                std::mem::take(&mut loading.members)
            }
        });
        drop(aboard);
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
    let ticket = work.lot_reservation.take()?;
    let declaration = SignedRps::of(&work.asked_by().ok()?, signed)?;
    match ticket.join_lot(work.lease, &declaration, most(channel)) {
        LotRole::Alone => None,
        LotRole::Drives(mut driver) => {
            let riders = still_held(work, driver.close_lot(most(channel)).await).await;
            if riders.is_empty() {
                // documents that come meanwhile wait for this one as for any lot
                work.lot_leader = Some(driver);
                return None;
            }
            send_as_leader(work, channel, endpoint, &declaration, riders).await
        }
        LotRole::Rides(ride, has_left) => {
            // from here on the leader may send it at any moment
            work.forget();
            match ride.await {
                Ok(ride) => {
                    work.lot = ride.lot;
                    Some(read_authorize(work, channel, ride).await)
                }
                Err(_) if has_left.load(Ordering::SeqCst) => Some(Err(NoAnswer::NoReply(LOST_ANSWER.to_owned()))),
                Err(_) => None,
            }
        }
    }
}

/// Keeps the members whose leases hold. Any other leaves the lot before it is sent, and finds out by itself.
async fn still_held(work: &ClaimedWork, riders: Vec<LotMember>) -> Vec<LotMember> {
    let mut held = Vec::with_capacity(riders.len());
    for rider in riders {
        if work.engine.hold(&rider.lease).await.is_ok() {
            held.push(rider);
        }
    }
    held
}

async fn send_as_leader(
    work: &mut ClaimedWork,
    channel: &Channel,
    endpoint: &Endpoint,
    own: &SignedRps,
    riders: Vec<LotMember>,
) -> Option<Result<AuthorizationAnswer, NoAnswer>> {
    let all: Vec<&SignedRps> = std::iter::once(own).chain(riders.iter().map(|rider| &rider.declaration)).collect();
    let numero = lot_number(work.engine.now());
    let call = work.engine.lot(channel, endpoint, numero, &all)?;
    let line = format!("Enviado a {} ({}) no lote {numero}, de {} RPS.", call.authority, call.name, all.len());
    let (wire, asked_by) = (channel.family.wire, work.asked_by().ok()?);
    if let Err(error) = work.engine.hold(&work.lease).await {
        return Some(Err(NoAnswer::NotSent(not_held(&error))));
    }
    crash_point("lot.before");
    riders.iter().for_each(|rider| rider.has_left.store(true, Ordering::SeqCst));
    work.forget();
    let exchange = work.engine.exchange(&call, channel, move |reply| wire.read_authorize_of(reply, &asked_by)).await;
    crash_point("lot.reply");
    let lines = [line, request_line(&call, true), reply_line(&call, &exchange, true)];
    let ride = LotReply { lot: Some(numero), lines, came: reply_of(&exchange) };
    for rider in riders {
        // the job of a member whose receiver is gone is queried by its new holder
        let _ = rider.told.send(ride.clone());
    }
    work.lot = ride.lot;
    ride.lines.into_iter().for_each(|line| work.log(line));
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
    ride: LotReply,
) -> Result<AuthorizationAnswer, NoAnswer> {
    ride.lines.into_iter().for_each(|line| work.log(line));
    let (wire, asked_by) = (channel.family.wire, work.asked_by());
    let asked_by = asked_by.map_err(|_| NoAnswer::NoReply(LOST_ANSWER.to_owned()))?;
    read(ride.came?, move |reply| wire.read_authorize_of(reply, &asked_by)).await
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
    let cell = work.engine.inner.lots.query_slot(lot_key(work), nRec, work.engine.now());
    let mut heard = cell.lock().await;
    if let Some(known) = heard.as_ref().filter(|heard| heard.is_within(DECIDED_LIFETIME, work.engine.now())) {
        let by = asked_by.clone();
        let answer = match known.ride.came.clone() {
            Ok(reply) => read(reply, move |reply| read_of(reply, &by)).await,
            Err(none) => Err(none),
        };
        let decides = matches!(&answer, Ok(answer) if !matches!(answer, AuthorizationAnswer::Pending { .. } | AuthorizationAnswer::Unavailable(_)));
        if decides || known.is_within(UNDECIDED_LIFETIME, work.engine.now()) {
            work.log("O lote foi consultado há pouco por outro RPS dele.");
            known.ride.lines.iter().for_each(|line| work.log(line.as_str()));
            return Ok(Some(answer));
        }
    }
    let line = format!("Consultando o lote pelo protocolo ({}).", endpoint.name);
    work.count_call(budget::RECEIPT, endpoint, nRec, &line).await?;
    let unsigned = || Halt::Store(store::Error::Corrupt("um recibo de quem não recebe lotes"));
    let call = work.engine.receipt_query(channel, endpoint, receipt, nRec).ok_or_else(unsigned)?;
    let exchange = work.engine.exchange(&call, channel, move |reply| read_of(reply, &asked_by)).await;
    let ride = LotReply {
        lot: None,
        lines: [line, request_line(&call, true), reply_line(&call, &exchange, true)],
        came: reply_of(&exchange),
    };
    ride.lines.iter().skip(1).for_each(|line| work.log(line.as_str()));
    *heard = Some(LotQueryAnswer { at: work.engine.now(), ride });
    Ok(Some(exchange.answer))
}

/// Reason text of a lot whose answer was lost with its leader.
const LOST_ANSWER: &str = "o lote em que o RPS seguiu ficou sem resposta";
