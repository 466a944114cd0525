//! Lots: documents of one company that are about to leave at the same moment share one message, where their authority
//! takes lots of several.
//!
//! Each was signed and stored by its own job before it joins, and is alone again once the lot was answered: a document
//! in doubt is queried by its own identity, and a repetition is sent alone. A lot therefore needs no row of its own,
//! and its loss loses nothing.
//! Law: ABRASF, manual de integração (RecepcionarLoteRps: one prestador, several RPS).

use super::exchange::{answered, asked, not_held};
use super::{Halt, Work};
use crate::authorities::bridge::Channel;
use crate::authorities::budget;
use crate::authorities::call::{Exchange, NoAnswer};
use crate::crash_point;
use crate::family::Unreadable;
use crate::family::city_hall::Declaration;
use authority::answer::Answer;
use authority::call::Reply;
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
const NEXT: Duration = Duration::from_millis(300);
/// Longest wait of a lot in all.
const LONGEST: Duration = Duration::from_secs(3);
/// Time within which an undecided answer about a lot serves its other members: less than lies between two queries.
const FRESH: SignedDuration = SignedDuration::from_secs(4);
/// Time within which a decisive answer about a lot serves its other members: a lot is processed once.
const LASTING: SignedDuration = SignedDuration::from_mins(2);

/// The lots of a process.
#[derive(Default)]
pub(crate) struct Lots {
    gates: Mutex<HashMap<Gate, Loading>>,
    heard: Mutex<HashMap<(Gate, String), Cell>>,
}

/// Last answer about a lot; locked during the query.
type Cell = Arc<tokio::sync::Mutex<Option<Heard>>>;

/// Key of the documents that may share a lot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Gate {
    tenant: Uuid,
    company: CnpjCpf,
    ambiente: TpAmb,
    authority: String,
}

/// The open lot of a key, and the counts around it.
#[derive(Default)]
struct Loading {
    /// Documents in preparation.
    coming: usize,
    /// Lots that were sent and not yet answered.
    away: usize,
    /// The leader's declaration while the lot is open. The leader sends the lot.
    open: Option<Declaration>,
    aboard: Vec<Rider>,
    changed: Arc<Notify>,
}

/// A member that is not the leader.
struct Rider {
    lease: Lease,
    declaration: Declaration,
    told: oneshot::Sender<Ride>,
    has_left: Arc<AtomicBool>,
}

/// Outcome of a lot, copied to each member.
#[derive(Clone)]
struct Ride {
    lot: Option<u64>,
    /// Lines of the job log.
    lines: [String; 3],
    came: Result<Arc<Reply>, NoAnswer>,
}

/// Outcome of a query about a lot, and its instant.
struct Heard {
    at: Timestamp,
    ride: Ride,
}

/// Reservation of a document in preparation that may join a lot.
pub(super) struct Ticket {
    lots: Arc<Lots>,
    gate: Gate,
    is_used: bool,
}

/// Role of a document in a lot.
enum Seat {
    /// Sends the lot.
    Drives(Driver),
    Rides(oneshot::Receiver<Ride>, Arc<AtomicBool>),
    /// There is no lot for it.
    Alone,
}

/// The leader of a lot.
pub(super) struct Driver {
    lots: Arc<Lots>,
    gate: Gate,
    has_left: bool,
}

impl Lots {
    fn gates(&self) -> MutexGuard<'_, HashMap<Gate, Loading>> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ticket(self: &Arc<Lots>, gate: Gate) -> Ticket {
        self.gates().entry(gate.clone()).or_default().coming += 1;
        Ticket { lots: Arc::clone(self), gate, is_used: false }
    }

    /// Changes the state of a key, notifies the leader, and drops an unused key.
    fn at<T>(&self, gate: &Gate, change: impl FnOnce(&mut Loading) -> T) -> T {
        let mut gates = self.gates();
        let loading = gates.entry(gate.clone()).or_default();
        let changed = change(loading);
        loading.changed.notify_one();
        if loading.coming == 0 && loading.away == 0 && loading.open.is_none() {
            gates.remove(gate);
        }
        changed
    }

    /// The slot for answers about a lot. Drops slots that no query holds and no answer can serve.
    fn cell(&self, gate: Gate, nRec: &str, now: Timestamp) -> Cell {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.retain(|_, cell| {
            Arc::strong_count(cell) > 1
                || cell.try_lock().is_ok_and(|heard| heard.as_ref().is_some_and(|heard| heard.is_within(LASTING, now)))
        });
        Arc::clone(heard.entry((gate, nRec.to_owned())).or_default())
    }
}

impl Loading {
    /// `true` if waiting may help: another document may join, and there is room.
    fn may_grow(&self, most: usize) -> bool {
        (self.coming > 0 || self.away > 0) && self.aboard.len() + 1 < most
    }

    fn has_room_for(&self, declaration: &Declaration, most: usize) -> bool {
        let all = self.open.iter().chain(self.aboard.iter().map(|rider| &rider.declaration));
        self.aboard.len() + 1 < most && all.into_iter().all(|other| other.goes_with(declaration))
    }
}

impl Heard {
    fn is_within(&self, age: SignedDuration, now: Timestamp) -> bool {
        (SignedDuration::ZERO..age).contains(&now.duration_since(self.at))
    }
}

impl Ticket {
    fn board(mut self, lease: Lease, declaration: &Declaration, most: usize) -> Seat {
        self.is_used = true;
        let (lots, gate) = (Arc::clone(&self.lots), self.gate.clone());
        self.lots.at(&self.gate, |loading| {
            loading.coming = loading.coming.saturating_sub(1);
            if loading.open.is_none() {
                loading.open = Some(declaration.clone());
                return Seat::Drives(Driver { lots, gate, has_left: false });
            }
            if !loading.has_room_for(declaration, most) {
                return Seat::Alone;
            }
            let (told, ride) = oneshot::channel();
            let has_left = Arc::new(AtomicBool::new(false));
            let declaration = declaration.clone();
            loading.aboard.push(Rider { lease, declaration, told, has_left: Arc::clone(&has_left) });
            Seat::Rides(ride, has_left)
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.is_used {
            self.lots.at(&self.gate, |loading| loading.coming = loading.coming.saturating_sub(1));
        }
    }
}

impl Driver {
    /// Waits briefly for documents in preparation, then closes the lot and returns its members.
    async fn depart(&mut self, most: usize) -> Vec<Rider> {
        let longest = Instant::now() + LONGEST;
        loop {
            let (may_grow, changed) = {
                let gates = self.lots.gates();
                let Some(loading) = gates.get(&self.gate) else { break };
                (loading.may_grow(most), Arc::clone(&loading.changed))
            };
            let until = longest.min(Instant::now() + NEXT);
            if !may_grow || timeout_at(until, changed.notified()).await.is_err() {
                break;
            }
        }
        self.has_left = true;
        self.lots.at(&self.gate, |loading| {
            loading.away += 1;
            loading.open = None;
            std::mem::take(&mut loading.aboard)
        })
    }
}

impl Drop for Driver {
    // a leader cancelled before sending drops the members' channels, and each is sent alone
    fn drop(&mut self) {
        let has_left = self.has_left;
        let aboard = self.lots.at(&self.gate, |loading| match has_left {
            true => {
                loading.away = loading.away.saturating_sub(1);
                Vec::new()
            }
            false => {
                loading.open = None;
                std::mem::take(&mut loading.aboard)
            }
        });
        drop(aboard);
    }
}

/// Reserves a lot for the document that the job is about to build, where the authority takes lots of several.
pub(super) fn expect(work: &mut Work, channel: &Channel) {
    if most(channel) > 1 {
        work.ticket = Some(work.engine.inner.lots.ticket(gate(work)));
    }
}

fn most(channel: &Channel) -> usize {
    channel.city_hall.as_ref().map_or(1, |hall| usize::try_from(hall.lot_most()).unwrap_or(1))
}

fn gate(work: &Work) -> Gate {
    let job = &work.job;
    Gate { tenant: job.tenant_id, company: job.cpf_cnpj, ambiente: job.ambiente, authority: job.authority.clone() }
}

/// Sends the document in a lot. `None`: it is sent alone, as is every document that is not sent for the first time.
pub(super) async fn travel(
    work: &mut Work,
    channel: &Channel,
    endpoint: &Endpoint,
    signed: &str,
) -> Option<Result<Answer, NoAnswer>> {
    // a substitution joins no lot: the reservation ends, and no leader waits for it
    if substitution::is_request(signed) {
        work.ticket = None;
        return None;
    }
    // a message of its own is a lot of one, numbered as its document is
    work.lot = channel.city_hall.as_ref().and(work.job.document.as_ref()).map(|document| document.numero);
    let ticket = work.ticket.take()?;
    let declaration = Declaration::of(&work.asked_by().ok()?, signed)?;
    match ticket.board(work.lease, &declaration, most(channel)) {
        Seat::Alone => None,
        Seat::Drives(mut driver) => {
            let riders = held(work, driver.depart(most(channel)).await).await;
            if riders.is_empty() {
                // documents that come meanwhile wait for this one as for any lot
                work.driver = Some(driver);
                return None;
            }
            drive(work, channel, endpoint, &declaration, riders).await
        }
        Seat::Rides(ride, has_left) => {
            // from here on the leader may send it at any moment
            work.forget();
            match ride.await {
                Ok(ride) => {
                    work.lot = ride.lot;
                    Some(read_authorize(work, channel, ride).await)
                }
                Err(_) if has_left.load(Ordering::SeqCst) => Some(Err(NoAnswer::NoReply(LEFT.to_owned()))),
                Err(_) => None,
            }
        }
    }
}

/// Keeps the members whose leases hold. Any other leaves the lot before it is sent, and finds out by itself.
async fn held(work: &Work, riders: Vec<Rider>) -> Vec<Rider> {
    let mut held = Vec::with_capacity(riders.len());
    for rider in riders {
        if work.engine.hold(&rider.lease).await.is_ok() {
            held.push(rider);
        }
    }
    held
}

async fn drive(
    work: &mut Work,
    channel: &Channel,
    endpoint: &Endpoint,
    own: &Declaration,
    riders: Vec<Rider>,
) -> Option<Result<Answer, NoAnswer>> {
    let all: Vec<&Declaration> = std::iter::once(own).chain(riders.iter().map(|rider| &rider.declaration)).collect();
    let numero = number(work.engine.now());
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
    let lines = [line, asked(&call, true), answered(&call, &exchange, true)];
    let ride = Ride { lot: Some(numero), lines, came: came(&exchange) };
    for rider in riders {
        // the job of a member whose receiver is gone is queried by its new holder
        let _ = rider.told.send(ride.clone());
    }
    work.lot = ride.lot;
    ride.lines.into_iter().for_each(|line| work.note(line));
    Some(exchange.answer)
}

/// Number of a lot. Differs from those of its documents, each of which is the number of its own lot when it is sent
/// again.
fn number(now: Timestamp) -> u64 {
    now.as_millisecond().unsigned_abs()
}

fn came<T>(exchange: &Exchange<T>) -> Result<Arc<Reply>, NoAnswer> {
    match (&exchange.reply, &exchange.answer) {
        (Some(reply), _) => Ok(Arc::new(reply.clone())),
        (None, Err(none)) => Err(none.clone()),
        (None, Ok(_)) => Err(NoAnswer::NoReply(LEFT.to_owned())),
    }
}

async fn read_authorize(work: &mut Work, channel: &Channel, ride: Ride) -> Result<Answer, NoAnswer> {
    ride.lines.into_iter().for_each(|line| work.note(line));
    let (wire, asked_by) = (channel.family.wire, work.asked_by());
    let asked_by = asked_by.map_err(|_| NoAnswer::NoReply(LEFT.to_owned()))?;
    read(ride.came?, move |reply| wire.read_authorize_of(reply, &asked_by)).await
}

/// Reads an answer on a blocking thread: an answer about a lot is large, and each member reads it.
async fn read(
    reply: Arc<Reply>,
    read: impl FnOnce(&Reply) -> Result<Answer, Unreadable> + Send + 'static,
) -> Result<Answer, NoAnswer> {
    let answer = tokio::task::spawn_blocking(move || read(&reply)).await;
    match answer {
        Ok(answer) => answer.map_err(|unreadable| NoAnswer::NoReply(unreadable.to_string())),
        Err(error) => Err(NoAnswer::NoReply(format!("a leitura foi interrompida por uma falha: {error}"))),
    }
}

/// Queries the lot of a document, once for all members that ask within a moment. `None`: it was received alone.
pub(super) async fn by_receipt(
    work: &mut Work,
    channel: &Channel,
    endpoint: &Endpoint,
    nRec: &str,
) -> Result<Option<Result<Answer, NoAnswer>>, Halt> {
    let Some((receipt, read_of)) = channel.family.receipt.as_ref().and_then(|it| Some((it, it.read_of?))) else {
        return Ok(None);
    };
    let document = work.document()?;
    if document.numero_lote.is_none_or(|lot| lot == document.numero) {
        return Ok(None);
    }
    let asked_by = work.asked_by()?;
    let cell = work.engine.inner.lots.cell(gate(work), nRec, work.engine.now());
    let mut heard = cell.lock().await;
    if let Some(known) = heard.as_ref().filter(|heard| heard.is_within(LASTING, work.engine.now())) {
        let by = asked_by.clone();
        let answer = match known.ride.came.clone() {
            Ok(reply) => read(reply, move |reply| read_of(reply, &by)).await,
            Err(none) => Err(none),
        };
        let decides =
            matches!(&answer, Ok(answer) if !matches!(answer, Answer::Pending { .. } | Answer::Unavailable(_)));
        if decides || known.is_within(FRESH, work.engine.now()) {
            work.note("O lote foi consultado há pouco por outro RPS dele.");
            known.ride.lines.iter().for_each(|line| work.note(line.as_str()));
            return Ok(Some(answer));
        }
    }
    let line = format!("Consultando o lote pelo protocolo ({}).", endpoint.name);
    work.spend(budget::RECEIPT, endpoint, nRec, &line).await?;
    let unsigned = || Halt::Store(store::Error::Corrupt("um recibo de quem não recebe lotes"));
    let call = work.engine.receipt_query(channel, endpoint, receipt, nRec).ok_or_else(unsigned)?;
    let exchange = work.engine.exchange(&call, channel, move |reply| read_of(reply, &asked_by)).await;
    let ride =
        Ride { lot: None, lines: [line, asked(&call, true), answered(&call, &exchange, true)], came: came(&exchange) };
    ride.lines.iter().skip(1).for_each(|line| work.note(line.as_str()));
    *heard = Some(Heard { at: work.engine.now(), ride });
    Ok(Some(exchange.answer))
}

/// Reason text of a lot whose answer was lost with its leader.
const LEFT: &str = "o lote em que o RPS seguiu ficou sem resposta";
