//! All crash points of the engine that a round can reach, and the conditions of each.

use rust_decimal::Decimal;
use simulator::faults::{Fault, FaultType};
use std::collections::BTreeSet;
use std::path::Path;

const AUTHORISATION: [&str; 3] = ["NFeAutorizacao4", "CTeRecepcaoSincV4", "CTeRecepcaoOSV4"];
const QUERY: [&str; 2] = ["NFeConsultaProtocolo4", "CTeConsultaV4"];
const EVENT: [&str; 2] = ["NFeRecepcaoEvento4", "CTeRecepcaoEventoV4"];
const VOID: [&str; 1] = ["NFeInutilizacao4"];
/// Services that receive a national NFS-e and a lot of RPS.
const SERVICE: [&str; 2] = ["POST /nfse", "RecepcionarLoteRps"];
const SERVICE_QUERY: [&str; 3] = ["GET /dps", "ConsultarLoteRps", "ConsultarNfsePorRps"];
/// Delay of a message at the authority, during which its document is not found; less than the quiet time of these
/// processes.
const LATE_MS: u64 = 500;
/// Text in a document that the SVC does not accept.
const NORMAL: &str = "<tpEmis>1</tpEmis>";

/// Faults and acts of a round besides posting notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scene {
    /// No faults, and time for most of the work that earlier processes left. Otherwise the oldest notes, which every
    /// process resumes first, would exceed the query limits of an hour, and rightly wait for the next.
    Calm,
    /// Nothing more.
    Plain,
    /// Replies to authorisations are lost.
    LostReply,
    /// Requests are lost before they are processed.
    LostRequest,
    /// The authority answers by receipt.
    Batch,
    /// The authority reports that it has the document already.
    Duplicate,
    /// Connections are lost, and their messages are processed some time later.
    Late,
    /// Successes under unlisted codes, refusals about other documents and of queries, documents that queries do not
    /// find yet.
    Odd,
    /// A note asks for a number that another one holds.
    TakenNumber,
    /// An authorised note is cancelled.
    Cancel,
    /// A cancellation whose reply is lost.
    CancelLost,
    /// An authorised note is corrected.
    Correct,
    /// A correction whose reply is lost.
    CorrectLost,
    /// Numbers are voided.
    Void,
    /// A voiding whose reply is lost.
    VoidLost,
    /// The state's authority does not work (109), its SVC and the Ambiente Nacional do.
    Stopped,
    /// The state's authority processes documents but answers nothing, queries neither: sales with unknown outcome are
    /// issued again.
    Mute,
    /// The state's authority answers nothing and processes nothing.
    Dead,
    /// The previous process ran in `Mute`: the first documents of its sales are found and cancelled.
    AfterMute,
    /// The previous process ran in `Dead`: no authority has the first documents of its sales.
    AfterDead,
}

/// A mark in the engine (`engine::process::crash::crash_point`).
pub(crate) struct Point {
    pub(crate) name: &'static str,
    pub(crate) scene: Scene,
}

const fn point(name: &'static str, scene: Scene) -> Point {
    Point { name, scene }
}

pub(crate) const POINTS: &[Point] = &[
    point("issue.registered", Scene::Plain),
    point("prepare.reserved", Scene::Plain),
    point("prepare.sending", Scene::Plain),
    point("send.before", Scene::Plain),
    point("send.reply", Scene::Plain),
    point("send.no_reply", Scene::LostReply),
    point("send.duplicate", Scene::Duplicate),
    point("send.pending", Scene::Batch),
    point("again.committed", Scene::LostReply),
    point("ask.in_doubt", Scene::Plain),
    point("spend.logged", Scene::LostReply),
    point("ask.reply", Scene::LostReply),
    point("ask.receipt_reply", Scene::Batch),
    point("ask.repeated", Scene::LostRequest),
    point("ask.repeated", Scene::Late),
    point("ask.never_seen", Scene::LostRequest),
    point("send.undecided", Scene::Odd),
    point("settle.mixed_up", Scene::Odd),
    point("settle.before", Scene::Plain),
    point("settle.committed", Scene::Plain),
    point("give_up.committed", Scene::TakenNumber),
    point("event.registered", Scene::Cancel),
    point("event.stored", Scene::Cancel),
    point("event.before", Scene::Cancel),
    point("event.reply", Scene::Cancel),
    point("event.asked", Scene::CancelLost),
    point("event.before_settle", Scene::Cancel),
    point("event.committed", Scene::Cancel),
    // passed by another kind of event as well
    point("event.registered", Scene::Correct),
    point("event.stored", Scene::Correct),
    point("event.before", Scene::Correct),
    point("event.reply", Scene::Correct),
    point("event.asked", Scene::CorrectLost),
    point("event.before_settle", Scene::Correct),
    point("void.registered", Scene::Void),
    point("void.stored", Scene::Void),
    point("void.before", Scene::Void),
    point("void.reply", Scene::Void),
    point("void.reply", Scene::VoidLost),
    point("void.before_settle", Scene::Void),
    point("void.committed", Scene::Void),
    point("resume.rerouted", Scene::Stopped),
    point("issued.sending", Scene::Plain),
    point("announce.stored", Scene::Stopped),
    point("announce.before", Scene::Stopped),
    point("announce.reply", Scene::Stopped),
    point("announce.committed", Scene::Stopped),
    point("twin.set_aside", Scene::Mute),
    point("twin.before_settle", Scene::AfterMute),
    point("twin.settled", Scene::AfterMute),
    point("twin.dropped", Scene::AfterDead),
    point("webhook.claimed", Scene::Plain),
    point("webhook.reply", Scene::Plain),
    point("webhook.recorded", Scene::Plain),
];

impl Scene {
    /// `true` if the authority is out: documents use contingency where they can.
    pub(crate) fn is_outage(self) -> bool {
        matches!(self, Scene::Stopped | Scene::Mute | Scene::Dead)
    }

    /// Returns the outage of the previous process.
    pub(crate) fn after(self) -> Option<Scene> {
        match self {
            Scene::AfterMute => Some(Scene::Mute),
            Scene::AfterDead => Some(Scene::Dead),
            _ => None,
        }
    }
}

/// The faults of a round: a background of lost requests and replies everywhere, and what the scene needs.
pub(crate) fn faults(scene: Scene, seed: u64) -> Vec<Fault> {
    if scene == Scene::Calm {
        return Vec::new();
    }
    let seldom = Decimal::new(8, 2);
    let often = Decimal::new(60, 2);
    let (tipo, services): (FaultType, &[&str]) = match scene {
        Scene::Stopped => return on_each(&AUTHORISATION, stopped),
        Scene::Mute => return silence(FaultType::ResetAfter),
        Scene::Dead => return silence(FaultType::ResetBefore),
        Scene::Late => return late(seed),
        Scene::Odd => return odd(seed),
        Scene::LostReply => (FaultType::ResetAfter, &AUTHORISATION),
        Scene::LostRequest => (FaultType::ResetBefore, &AUTHORISATION),
        Scene::Batch => (FaultType::Async, &AUTHORISATION),
        Scene::Duplicate => (FaultType::Duplicate204, &AUTHORISATION),
        Scene::VoidLost => (FaultType::ResetAfter, &VOID),
        Scene::CancelLost | Scene::CorrectLost => (FaultType::ResetAfter, &EVENT),
        _ => (FaultType::ResetAfter, &[]),
    };
    let mut faults = on_each(services, |service| Fault::new(tipo).on(service).with_chance(often, seed));
    let services = SERVICE.iter().chain(&SERVICE_QUERY);
    let everywhere = AUTHORISATION.iter().chain(&QUERY).chain(&EVENT).chain(&VOID).chain(services);
    for (service, turn) in everywhere.zip(1..) {
        let seed = seed.wrapping_add(turn);
        faults.push(Fault::new(FaultType::ResetAfter).on(service).with_chance(seldom, seed));
        faults.push(Fault::new(FaultType::ResetBefore).on(service).with_chance(seldom, seed.wrapping_add(7)));
    }
    faults
}

fn late(seed: u64) -> Vec<Fault> {
    let often = Decimal::new(60, 2);
    let services = AUTHORISATION.iter().chain(&SERVICE).zip(seed..);
    services
        .map(|(service, seed)| Fault::new(FaultType::Late).on(service).ms(LATE_MS).with_chance(often, seed))
        .collect()
}

fn odd(seed: u64) -> Vec<Fault> {
    let quarter = Decimal::new(25, 2);
    let mut faults = Vec::new();
    for (service, seed) in AUTHORISATION.iter().chain(&SERVICE).zip(seed..) {
        let on = |tipo| Fault::new(tipo).on(service).with_chance(quarter, seed);
        faults.push(on(FaultType::Invisible).ms(LATE_MS));
        faults.push(on(FaultType::OtherDocument));
        if !SERVICE.contains(service) {
            faults.push(on(FaultType::OddSuccess).cStat(121));
            faults.push(on(FaultType::OtherDocument).cStat(539));
        }
    }
    let refused = |service: &str, code: &str| Fault::new(FaultType::Cstat).on(service).codigo(code);
    faults.push(refused("ConsultarLoteRps", "E160").with_chance(quarter, seed));
    faults.push(refused("ConsultarNfsePorRps", "E183").with_chance(quarter, seed));
    faults.extend(on_each(&QUERY, |service| {
        Fault::new(FaultType::Cstat).cStat(999).on(service).with_chance(quarter, seed)
    }));
    faults
}

fn on_each(services: &[&str], fault: impl Fn(&str) -> Fault) -> Vec<Fault> {
    services.iter().map(|service| fault(service)).collect()
}

/// The normal authority does not work.
fn stopped(service: &str) -> Fault {
    Fault::new(FaultType::Cstat).cStat(109).on(service).containing(NORMAL).times(u64::MAX)
}

/// Faults of a normal authority that answers nothing, queries neither.
fn silence(tipo: FaultType) -> Vec<Fault> {
    let mut silent = on_each(&AUTHORISATION, |service| Fault::new(tipo).on(service).containing(NORMAL).times(u64::MAX));
    silent.extend(on_each(&QUERY, |service| Fault::new(FaultType::ResetBefore).on(service).times(u64::MAX)));
    silent
}

/// Points that no round reaches: the first is followed by a person's work; the second needs an event of another system
/// (`engine/tests/it/correction.rs` simulates it); the third a Sefin that gives a key twice (`tests/it/suites/nfse`).
const LEFT_OUT: &[&str] = &[
    "settle.divergent",
    "event.renumbered",
    "settle.repeated",
    // documents of others (`tests/it/suites/evidence`)
    "elsewhere.uncertain",
    "elsewhere.readopted",
];
/// Points of the distribution of received documents, which this run does not use: reached by `received`.
const DISTRIBUTION: &[&str] = &["received.before", "received.reply", "received.committed"];
/// Points of the search for alerts, reached by `alerts`.
const ALERTS: &[&str] = &["alerts.before", "alerts.certificates"];
/// Points of an EPEC that the Ambiente Nacional refuses, reached by `refused`.
const REFUSED: &[&str] = &["announce.refused"];
/// Points of a note that its authority names, reached by `services`.
const SERVICES: &[&str] = &["ask.fetched"];
/// Points of several RPS in one message, reached by `city_halls`.
const LOTS: &[&str] = &["lot.before", "lot.reply"];
/// Points of a file for the accountant, reached by `exports`.
const EXPORTS: &[&str] = &["export.claimed", "export.part", "export.before_end", "export.ended"];
/// Points of a mail, reached by the check with a mail server (`xtask/src/test/interface/mail.py`).
const MAILS: &[&str] = &["mail.claimed", "mail.marked", "mail.reply", "mail.recorded"];
/// Points of a municipal note that substitutes another, reached by `in_place`.
const IN_PLACE: &[&str] = &["in_place.written"];

#[test]
fn every_crash_point_of_the_engine_is_visited() {
    let mut marked = BTreeSet::new();
    collect(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src")), &mut marked);
    let visited = POINTS
        .iter()
        .map(|point| point.name)
        .chain(LEFT_OUT.iter().copied())
        .chain(DISTRIBUTION.iter().copied())
        .chain(ALERTS.iter().copied())
        .chain(REFUSED.iter().copied())
        .chain(SERVICES.iter().copied())
        .chain(LOTS.iter().copied())
        .chain(IN_PLACE.iter().copied())
        .chain(EXPORTS.iter().copied())
        .chain(MAILS.iter().copied())
        .map(str::to_owned);
    assert_eq!(marked, visited.collect());
}

/// The names given to `crash_point` in a folder of sources.
fn collect(folder: &Path, marked: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, marked);
        } else {
            let source = std::fs::read_to_string(&path).unwrap();
            let marks = source.split("crash_point(\"").skip(1);
            marked.extend(marks.filter_map(|rest| rest.split_once('"')).map(|(name, _)| name.to_owned()));
        }
    }
}
