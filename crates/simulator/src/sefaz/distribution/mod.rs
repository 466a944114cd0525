//! NFeDistribuicaoDFe and CTeDistribuicaoDFe of the Ambiente Nacional: distNSU, consNSU, and consChNFe of the first.
//!
//! Law: NT 2014.002 v1.30: rules H01–H19 (3.10.2), lots of 50 (3.5), 90 days, resNFe (3.11), undue use (3.11.4). Of NT
//! 2015.002 (CT-e) only the receivers of each document were available: its rules are taken to be the same, as its codes
//! in practice are (137, 138, 593, 656).

mod cte;
mod nfe;

use super::message::ServiceMessage;
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, document_checks, query, root};
use crate::clock::seconds_between;
use crate::dialect::DialectKind;
use crate::distribution_queue::{
    DistributionQueue, DistributionQueues, DistributionRules, DocZip, DocumentRole, NsuEntry,
};
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::simulator_state::SimulatorState;
use crate::soap::base64;
use fiscal::value::{Cnpj, Cpf};
use fiscal::xml::Element;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;

/// Documents of a lot.
const LOT: usize = 50;
/// Seconds for which a document is distributed.
const RETENTION_S: i64 = 90 * 86_400;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let asked = &message.payload;
    let company = asked.text_at("CNPJ").or_else(|| asked.text_at("CPF")).unwrap_or("").to_owned();
    let codes = faults_of_the_request(request, asked, &company);
    if let Some(cStat) = world.settings().first_on(&codes) {
        return Err(Refusal::new(cStat));
    }
    let limited = world.settings().limites && world.settings().first_on(&[656]).is_some();
    let handing = rules_of(request);
    let of_type = |one: &&LedgerDocument| handing.tipo.modelos().contains(&one.modelo);
    let ledger = world.ledger();
    let mut documents: Vec<&LedgerDocument> =
        ledger.documents().filter(of_type).filter(|one| one.ambiente == request.place.ambiente).collect();
    documents.sort_by(|one, other| (one.received_at, &one.chave).cmp(&(other.received_at, &other.chave)));
    let mut desk = world.distribution_queues();
    desk.assign_numbers(handing, documents.into_iter());
    let asking = CompanyQuery { world, request, handing, ledger: &ledger, company, limited };
    match (asked.text_at("distNSU/ultNSU"), asked.text_at("consNSU/NSU"), asked.text_at("consChNFe/chNFe")) {
        (Some(after), _, _) => asking.answer_sequence(&mut desk, number(after)),
        (_, Some(nsu), _) => asking.answer_single(&mut desk, number(nsu)),
        (_, _, chave) => asking.by_key(&mut desk, chave.unwrap_or("")),
    }
}

/// Distribution of the documents of a service.
fn rules_of(request: &ServiceRequest<'_>) -> &'static DistributionRules {
    match request.place.dialect().kind {
        DialectKind::Nfe => &nfe::HANDING,
        DialectKind::Cte => &cte::HANDING,
    }
}

/// H01–H05.
fn faults_of_the_request(request: &ServiceRequest<'_>, asked: &Element, company: &str) -> Vec<u16> {
    let transmitter = request.transmitter();
    let same_base = document_checks::same_base(transmitter, company);
    [
        (252, asked.text_at("tpAmb") != Some(request.place.ambiente.code())),
        (489, company.len() == 14 && Cnpj::parse(company).is_err()),
        (490, company.len() == 11 && Cpf::parse(company).is_err()),
        (593, company.len() == 14 && !same_base),
        (472, company.len() == 11 && !same_base),
    ]
    .into_iter()
    .filter(|(_, broken)| *broken)
    .map(|(cStat, _)| cStat)
    .collect()
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

/// A query whose company may ask it.
struct CompanyQuery<'a> {
    world: &'a SimulatorState,
    request: &'a ServiceRequest<'a>,
    handing: &'static DistributionRules,
    ledger: &'a Ledger,
    company: String,
    limited: bool,
}

impl CompanyQuery<'_> {
    fn now(&self) -> i64 {
        self.request.now.as_second()
    }

    fn is_on(&self, cStat: u16) -> bool {
        self.world.settings().first_on(&[cStat]).is_some()
    }

    fn company_queue<'d>(&self, desk: &'d mut DistributionQueues) -> &'d mut DistributionQueue {
        desk.queue_of(self.handing.tipo, self.request.place.ambiente, &self.company)
    }

    /// Answers the entries after a number.
    fn answer_sequence(&self, desk: &mut DistributionQueues, after: u64) -> Result<ServiceAnswer, Refusal> {
        let now = self.now();
        let shelf = self.company_queue(desk);
        if let Some(why) = shelf.undue_sequence_query(after, now).filter(|_| self.limited) {
            let last = shelf.last_given();
            return Ok(self.written(&Refusal::with(656, why), last, shelf.highest(), ""));
        }
        if after > shelf.highest() && self.is_on(589) {
            return Ok(self.written(&Refusal::new(589), 0, 0, ""));
        }
        let skip = usize::try_from(after).unwrap_or(usize::MAX);
        let numbered = shelf.entries.iter().zip(1_u64..).skip(skip);
        let entries: Vec<(NsuEntry, u64)> = numbered
            .filter(|(entry, _)| self.is_kept(entry))
            .take(LOT)
            .map(|(entry, nsu)| (entry.clone(), nsu))
            .collect();
        let highest = shelf.highest();
        // A lot that is not full has reached the end, even when expired entries follow.
        let ended = if entries.len() < LOT { highest } else { entries.last().map_or(highest, |(_, nsu)| *nsu) };
        let (ended, highest) = self.request.drawn.nsu().map_or((ended, highest), |nsu| (nsu, nsu));
        shelf.record_answer(ended, now);
        let zips: String = entries.iter().map(|(entry, nsu)| self.zipped(entry, Some(*nsu))).collect();
        let cStat = if zips.is_empty() { 137 } else { 138 };
        Ok(self.written(&Refusal::new(cStat), ended, highest, &zips))
    }

    /// Answers the document of a number.
    fn answer_single(&self, desk: &mut DistributionQueues, nsu: u64) -> Result<ServiceAnswer, Refusal> {
        let now = self.now();
        let shelf = self.company_queue(desk);
        let highest = shelf.highest();
        if let Some(why) = shelf.undue_single_query(now).filter(|_| self.limited) {
            return Ok(self.written(&Refusal::with(656, why), 0, 0, ""));
        }
        if nsu > highest && self.is_on(589) {
            return Ok(self.written(&Refusal::new(589), 0, 0, ""));
        }
        let place = usize::try_from(nsu).ok().and_then(|nsu| nsu.checked_sub(1));
        let entry = place.and_then(|place| shelf.entries.get(place)).filter(|entry| self.is_kept(entry)).cloned();
        Ok(match entry {
            Some(entry) => {
                let zip = self.zipped(&entry, Some(nsu));
                self.written(&Refusal::new(138), nsu, highest, &zip)
            }
            None => self.written(&Refusal::new(137), nsu, highest, ""),
        })
    }

    /// H07–H19.
    fn by_key(&self, desk: &mut DistributionQueues, chave: &str) -> Result<ServiceAnswer, Refusal> {
        let shelf = self.company_queue(desk);
        if let Some(why) = shelf.undue_single_query(self.now()).filter(|_| self.limited) {
            return Ok(self.written(&Refusal::with(656, why), 0, 0, ""));
        }
        let mut codes = query::key_faults(chave, self.request.now);
        if chave.get(20..22) != Some("55") && !codes.contains(&618) {
            codes.push(618);
        }
        let document = self.ledger.document(self.request.place.ambiente, chave);
        let role = document.and_then(|document| {
            let base = |number: &str| document_checks::same_base(number, &self.company);
            (self.handing.interested)(document)
                .into_iter()
                .find(|(number, _)| base(number))
                .map(|(_, interest)| interest)
        });
        let late = document.is_some_and(|document| !self.is_recent(document));
        let standing = document.map(|document| document.situacao);
        codes.extend(
            [
                (217, document.is_none()),
                (632, late),
                (640, document.is_some() && role.is_none()),
                (641, role == Some(DocumentRole::Issuer)),
                (653, standing == Some(LedgerStatus::Cancelada)),
                (654, standing == Some(LedgerStatus::Denegada)),
            ]
            .into_iter()
            .filter(|(_, broken)| *broken)
            .map(|(cStat, _)| cStat),
        );
        if let Some(cStat) = self.world.settings().first_on(&codes) {
            return Ok(self.written(&Refusal::new(cStat), 0, 0, ""));
        }
        let Some(document) = document else { return Err(Refusal::new(217)) };
        // An addressee without a manifestation gets the summary (3, note 1).
        let waits = role == Some(DocumentRole::Addressee) && !desk.released(document, &self.company);
        let zipped = if waits { DocZip::Summary } else { DocZip::Whole };
        let zip = self.zipped(&NsuEntry { chave: chave.to_owned(), zipped }, None);
        Ok(self.written(&Refusal::new(138), 0, 0, &zip))
    }

    fn is_kept(&self, entry: &NsuEntry) -> bool {
        self.ledger.document(self.request.place.ambiente, &entry.chave).is_some_and(|document| self.is_recent(document))
    }

    fn is_recent(&self, document: &LedgerDocument) -> bool {
        seconds_between(document.received_at, self.request.now) <= RETENTION_S
    }

    /// `docZip`; empty when the simulator does not hold the document any more.
    fn zipped(&self, entry: &NsuEntry, nsu: Option<u64>) -> String {
        let document = self.ledger.document(self.request.place.ambiente, &entry.chave);
        let made = document.and_then(|document| (self.handing.zipped)(document, &entry.zipped));
        let Some((schema, xml)) = made else { return String::new() };
        let nsu = nsu.map(|nsu| format!(" NSU=\"{nsu:015}\"")).unwrap_or_default();
        format!("<docZip{nsu} schema=\"{schema}\">{}</docZip>", packed(&xml))
    }

    fn written(&self, said: &Refusal, ultNSU: u64, maxNSU: u64, zips: &str) -> ServiceAnswer {
        let lot = if zips.is_empty() { String::new() } else { format!("<loteDistDFeInt>{zips}</loteDistDFeInt>") };
        let status =
            format!("<cStat>{}</cStat><xMotivo>{}</xMotivo>", said.cStat, said.xMotivo_of(self.request.place.service));
        let content = content(self.request, &status, ultNSU, maxNSU, &lot);
        ServiceAnswer { xml: root(&self.request.place, &content), cStat: said.cStat, chaves: Vec::new() }
    }
}

fn content(request: &ServiceRequest<'_>, status: &str, ultNSU: u64, maxNSU: u64, lot: &str) -> String {
    let tpAmb = request.place.ambiente.code();
    let dh = request.dh();
    let dhResp = if rules_of(request).offset { &dh } else { dh.get(..LOCAL).unwrap_or(&dh) };
    format!(
        "<tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic>{status}<dhResp>{dhResp}</dhResp><ultNSU>{ultNSU:015}</ultNSU>\
         <maxNSU>{maxNSU:015}</maxNSU>{lot}"
    )
}

/// Characters of a time without its offset.
const LOCAL: usize = 19;

/// The reply of a request that was refused at once.
pub(super) fn refused(request: &ServiceRequest<'_>, status: &str) -> String {
    content(request, status, 0, 0, "")
}

fn packed(xml: &str) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail; if it did, the client would find no gzip.
    let bytes = gzip.write_all(xml.as_bytes()).and_then(|()| gzip.finish()).unwrap_or_default();
    base64(&bytes)
}
