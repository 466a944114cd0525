//! State shared by all simulated machines: the authorities, the messages between, the random numbers of the seed and
//! the trace.

use crate::authority::municipal::is_municipal;
use crate::authority::{AnswerOddity, AuthorityModel, ModelAnswer, SentMessage, is_national};
use crate::faults::{RunFault, RunFaults};
use crate::run_random::RunRandom;
use crate::time::TrueTime;
use authority::table::AuthorityService;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Longest delay until a message is processed, and longest time that a document is not found: with the longest transit,
/// both are within the quiet time of its family.
const MOST_MS: u64 = 150_000;
const MOST_SERVICE_MS: u64 = 30_000;

/// Environment shared by every machine of a run.
pub struct RunEnvironment {
    pub time: TrueTime,
    inner: Mutex<EnvironmentState>,
}

/// The environment under its lock.
pub struct EnvironmentState {
    pub authorities: AuthorityModel,
    /// Kinds of fault of this run.
    pub troubles: RunFaults,
    /// True while messages meet faults.
    pub is_troubled: bool,
    /// Percentages of messages that meet faults.
    pub trouble_percent: TroublePercent,
    /// Messages under way.
    pub under_way: u32,
    /// Milliseconds of the run at which messages or answers arrive, or senders give up; with their number.
    pub arrivals: BTreeMap<u64, u32>,
    /// Messages under way whose senders have gone.
    pub orphans: u32,
    /// Pairs of a document's state and the answer to it.
    pub reached: BTreeSet<String>,
    dice: RunRandom,
    trace: Option<Vec<String>>,
    /// True to print lines as they come: a run that does not end shows its position.
    pub is_printed: bool,
    time: TrueTime,
}

/// An expected arrival. Unregisters on drop.
struct ArrivalEntry<'w> {
    world: &'w RunEnvironment,
    at_ms: u64,
}

impl Drop for ArrivalEntry<'_> {
    fn drop(&mut self) {
        let mut world = self.world.lock();
        if let Some(count) = world.arrivals.get_mut(&self.at_ms) {
            *count -= 1;
            if *count == 0 {
                world.arrivals.remove(&self.at_ms);
            }
        }
    }
}

/// Percentages of messages that meet a fault, by kind of message.
#[derive(Debug, Clone, Copy)]
pub struct TroublePercent {
    /// Documents and events.
    pub documents: u64,
    /// Queries for documents.
    pub questions: u64,
    /// Everything else.
    pub others: u64,
}

/// Delivery of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFate {
    /// Message and answer arrive.
    Delivered,
    /// The connection is refused.
    Unsent,
    /// The message does not arrive.
    LostBefore,
    /// The answer does not arrive.
    LostAfter,
    /// The sender loses the connection, and the message is processed so many milliseconds later.
    Late(u64),
    /// The message is processed again so many milliseconds later.
    Doubled(u64),
}

/// Planned course of a message.
#[derive(Debug, Clone, Copy)]
pub struct MessagePlan {
    pub fate: MessageFate,
    /// Deviation of its answer.
    pub oddity: AnswerOddity,
    /// Milliseconds of transit, each way.
    pub transit_ms: u64,
    /// Milliseconds after which a sender without an answer gives up.
    pub give_up_ms: u64,
}

impl RunEnvironment {
    /// An environment in which everything works.
    pub fn new(dice: RunRandom, troubles: RunFaults, is_traced: bool) -> RunEnvironment {
        let time = TrueTime::begin();
        let inner = EnvironmentState {
            authorities: AuthorityModel::new(time),
            troubles,
            is_troubled: true,
            trouble_percent: TroublePercent { documents: 30, questions: 30, others: 30 },
            under_way: 0,
            arrivals: BTreeMap::new(),
            orphans: 0,
            reached: BTreeSet::new(),
            dice,
            trace: is_traced.then(Vec::new),
            is_printed: false,
            time,
        };
        RunEnvironment { time, inner: Mutex::new(inner) }
    }

    /// Locks the state. Never held over an await.
    pub fn lock(&self) -> MutexGuard<'_, EnvironmentState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps, and registers the end so that time does not leap over it.
    pub async fn sleep(&self, ms: u64) {
        let at_ms = self.time.elapsed_ms() + ms;
        *self.lock().arrivals.entry(at_ms).or_default() += 1;
        let _entry = ArrivalEntry { world: self, at_ms };
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }

    /// Adds a line to the trace.
    pub fn trace_line(&self, line: impl FnOnce() -> String) {
        self.lock().trace_line(line);
    }

    pub fn trace(&self) -> Vec<String> {
        self.lock().trace.clone().unwrap_or_default()
    }
}

impl EnvironmentState {
    /// Adds a line to the trace.
    pub fn trace_line(&mut self, line: impl FnOnce() -> String) {
        let ms = self.time.elapsed_ms();
        if let Some(trace) = &mut self.trace {
            let line = format!("{:>8}.{:03} s  {}", ms / 1_000, ms % 1_000, line());
            if self.is_printed {
                println!("{line}");
            }
            trace.push(line);
        }
    }

    /// Draws the course of a message.
    pub fn plan(&mut self, message: &SentMessage) -> MessagePlan {
        let is_slow = self.is_troubled && self.troubles.has(RunFault::Slow) && self.dice.percent(20);
        let way_ms = if is_slow { self.dice.between(40, 25_000) } else { self.dice.between(1, 40) };
        let patience_ms = if self.dice.percent(30) { 60_000 } else { 4 };
        let percent = match message.service {
            AuthorityService::Autorizacao | AuthorityService::RecepcaoEvento => self.trouble_percent.documents,
            AuthorityService::ConsultaProtocolo | AuthorityService::RetAutorizacao => self.trouble_percent.questions,
            _ => self.trouble_percent.others,
        };
        let calm = MessagePlan {
            fate: MessageFate::Delivered,
            oddity: AnswerOddity::None,
            transit_ms: way_ms,
            give_up_ms: patience_ms,
        };
        if !self.is_troubled || !self.dice.percent(percent) {
            return calm;
        }
        let most_ms = if is_national(message) || is_municipal(message) { MOST_SERVICE_MS } else { MOST_MS };
        let fates = self.fates(most_ms);
        let oddities = self.oddities(message.service, most_ms);
        let of_fate = self.dice.percent(if oddities.is_empty() { 100 } else { 55 }) && !fates.is_empty();
        let fate = if of_fate { self.dice.pick(&fates).copied() } else { None };
        let oddity = if of_fate { None } else { self.dice.pick(&oddities).copied() };
        let oddity = oddity.unwrap_or(AnswerOddity::None);
        // The answer is lost too, so that the engine queries for the hidden document.
        let fate = if matches!(oddity, AnswerOddity::Hidden(_)) { Some(MessageFate::LostAfter) } else { fate };
        MessagePlan { fate: fate.unwrap_or(MessageFate::Delivered), oddity, ..calm }
    }

    fn fates(&mut self, most_ms: u64) -> Vec<MessageFate> {
        let after = self.delay_ms(most_ms);
        let kinds = [
            (RunFault::Lost, MessageFate::LostBefore),
            (RunFault::Lost, MessageFate::LostAfter),
            (RunFault::Lost, MessageFate::Unsent),
            (RunFault::Late, MessageFate::Late(after)),
            (RunFault::Late, MessageFate::Late(after / 7)),
            (RunFault::Doubled, MessageFate::Doubled(after)),
        ];
        let troubles = self.troubles;
        kinds.into_iter().filter(|(trouble, _)| troubles.has(*trouble)).map(|(_, fate)| fate).collect()
    }

    /// Draws from milliseconds to minutes, short delays as likely as long ones, up to `most_ms`.
    fn delay_ms(&mut self, most_ms: u64) -> u64 {
        let exponent = self.dice.below(20);
        self.dice.between(2, 4 << exponent).min(most_ms)
    }

    fn oddities(&mut self, service: AuthorityService, most_ms: u64) -> Vec<AnswerOddity> {
        let delay = self.delay_ms(most_ms);
        let (code, odd) = (self.dice.between(0, 3), self.dice.between(0, 3));
        let processed = self.dice.percent(50);
        let code = if self.dice.percent(5) { 3 } else { code % 3 };
        let service_code = [108, 109, 108, 656][usize::try_from(code).unwrap_or(0)];
        let success = [121, 199, 120, 150][usize::try_from(odd).unwrap_or(0)];
        let refused = [999, 252, 226, 526][usize::try_from(odd).unwrap_or(0)];
        let all = [
            (RunFault::Service, AnswerOddity::Service(service_code)),
            (RunFault::Service, AnswerOddity::Gateway { processed }),
            (RunFault::Service, AnswerOddity::Garbage),
        ];
        let of_documents = [
            (RunFault::Success, AnswerOddity::Success(success)),
            (RunFault::Digest, AnswerOddity::Digest),
            (RunFault::OtherKey, AnswerOddity::OtherKey { processed }),
            (RunFault::Uncatalogued, AnswerOddity::Uncatalogued),
            (RunFault::Receipt, AnswerOddity::Receipt(delay)),
            (RunFault::Hidden, AnswerOddity::Hidden(delay)),
        ];
        let of_questions = [(RunFault::Question, AnswerOddity::Question(refused))];
        let special: &[(RunFault, AnswerOddity)] = match service {
            AuthorityService::Autorizacao => &of_documents,
            AuthorityService::ConsultaProtocolo | AuthorityService::RetAutorizacao => &of_questions,
            _ => &[],
        };
        let troubles = self.troubles;
        let kinds = all.iter().chain(special);
        kinds.filter(|(trouble, _)| troubles.has(*trouble)).map(|(_, oddity)| *oddity).collect()
    }

    /// Hands a message to its authority.
    pub fn process(&mut self, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
        let processed = self.authorities.process(message, oddity);
        self.trace_line(|| {
            let about = about(message);
            format!("{} {} {about} processed: {}", message.authority, message.name, processed.word)
        });
        processed
    }
}

/// End of the key that a message is about.
pub fn about(message: &SentMessage) -> String {
    let text = crate::authority::sefaz::document_in(message);
    let chave = key_in(&text);
    if message.authority == authority::nfse_nacional::AUTHORITY {
        return if chave.is_empty() { message.url.rsplit('/').next().unwrap_or_default().to_owned() } else { chave };
    }
    if crate::authority::municipal::is_municipal(message) {
        return chave;
    }
    let (numero, tpEmis) = (chave.get(28..34).unwrap_or_default(), chave.get(34..35).unwrap_or_default());
    let modelo = chave.get(20..22).unwrap_or_default();
    if chave.is_empty() { String::new() } else { format!("{modelo}/{numero}/tpEmis{tpEmis}/…{}", &chave[35..]) }
}

/// First access key in a text.
pub fn key_in(text: &str) -> String {
    if let Some(identity) = crate::authority::nfse::identity_in(text) {
        return identity.to_owned();
    }
    if let Some(identity) = crate::authority::municipal::identity_in(text) {
        return identity;
    }
    let marks = ["Id=\"NFe", "Id=\"CTe", "<chNFe>", "<chCTe>"];
    let keys = marks.iter().filter_map(|mark| text.split_once(mark)?.1.get(..44));
    keys.filter(|key| key.bytes().all(|byte| byte.is_ascii_digit())).map(str::to_owned).next().unwrap_or_default()
}
