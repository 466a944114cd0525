//! Memory of the authorities: documents, events, voided numbers, receipts, protocol numbers, and the received requests.

use crate::faults::{DrawnFaults, FaultType, SeededRandom};
use crate::service_address::ServiceAddress;
use crate::visibility::QueryVisibility;
use fiscal::value::{ChaveAcesso, ChaveParts, TpAmb};
use jiff::Timestamp;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

/// Status of a stored document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerStatus {
    /// 100, 120, 150.
    Autorizada,
    /// Cancelled by an event.
    Cancelada,
    /// 110, 301, 302, 303.
    Denegada,
}

/// A registered event.
#[derive(Debug, Clone, Serialize)]
pub struct LedgerEvent {
    pub tpEvento: String,
    pub nSeqEvento: u16,
    /// 135, 136 or 155.
    pub cStat: u16,
    pub nProt: String,
    /// As received.
    #[serde(skip)]
    pub(crate) evento: Arc<str>,
    /// `<retEvento>` as answered.
    #[serde(skip)]
    pub(crate) ret_evento: String,
}

impl LedgerDocument {
    /// True when the issuer has no inscrição estadual; `None` of a document whose XML is not held.
    pub(crate) fn lacks_issuer_ie(&self) -> bool {
        let emit = self.xml.as_deref().and_then(|xml| xml.split_once("<emit>")?.1.split_once("</emit>"));
        emit.is_some_and(|(emit, _)| !emit.contains("<IE>"))
    }
}

/// A stored document.
#[derive(Debug, Clone, Serialize)]
pub struct LedgerDocument {
    pub chave: String,
    pub ambiente: TpAmb,
    /// Path segment of the authority that registered it.
    pub autoridade: String,
    /// 55, 65, 57 or 67.
    pub modelo: u8,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// CNPJ or CPF of the addressee.
    pub destinatario: Option<String>,
    pub serie: u16,
    pub nNF: u32,
    pub situacao: LedgerStatus,
    /// Code of its protocol.
    pub cStat: u16,
    /// Text of its protocol.
    pub xMotivo: String,
    /// Protocol number.
    pub nProt: String,
    /// base64 digest.
    pub digVal: String,
    /// Time of reception, as written in the protocol.
    pub dhRecbto: String,
    /// Receipt number.
    pub nRec: String,
    /// Events, in order.
    pub eventos: Vec<LedgerEvent>,
    /// Kinds of the records that others made of it: passed by a post, on a transport document, seen by SUFRAMA. Their
    /// events are not shown.
    pub registros: Vec<String>,
    /// Protocol (`protNFe`, `protCTe`) as answered.
    #[serde(skip)]
    pub(crate) protocol_xml: String,
    /// The signed document; left out when too many are held.
    #[serde(skip)]
    pub(crate) xml: Option<Arc<str>>,
    #[serde(skip)]
    pub(crate) received_at: Timestamp,
    #[serde(skip)]
    pub(crate) issued_at: Option<Timestamp>,
    #[serde(skip)]
    pub(crate) tpEmis: u8,
    /// `tpEmis` of the contingency authority that registered it; `None` of any other.
    #[serde(skip)]
    pub(crate) contingency: Option<u8>,
    #[serde(skip)]
    pub(crate) visibility: QueryVisibility,
}

/// Names of issuers in their documents, by state, number and registration.
pub(crate) type KnownIssuers = BTreeMap<(u8, String, String), String>;

/// A note announced at the Ambiente Nacional before it could be sent.
#[derive(Debug, Clone)]
pub(crate) struct PendingEpec {
    pub(crate) ambiente: TpAmb,
    pub(crate) chave: String,
    /// Values that the note must repeat: dhEmi, tpNF, IE, vNF, vICMS, vST, addressee.
    pub(crate) repeated_values: Vec<String>,
    pub(crate) at: Timestamp,
    /// True once the note has come.
    pub(crate) settled: bool,
    pub(crate) event: LedgerEvent,
}

/// Counts of a key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ArrivalCounts {
    /// Authorisation requests that carried it.
    pub recebida: u64,
    /// Requests that reached the database (authorised, denied, rejected as duplicate).
    pub processada: u64,
    /// Rejections by a rule.
    pub rejeitada: u64,
    /// Times it was authorised or denied; more than one would be a fault of the simulator.
    pub gravada: u64,
    /// Queries by key.
    pub consultada: u64,
    /// Events that named it.
    pub eventos: u64,
}

/// A request, as the control plane shows it.
#[derive(Debug, Clone, Serialize)]
pub struct RequestRecord {
    /// Order of arrival.
    pub sequencia: u64,
    /// Time by the simulator's clock.
    pub em: String,
    /// Official service name.
    pub servico: &'static str,
    /// Path segment of the authority.
    pub autoridade: String,
    pub ambiente: TpAmb,
    /// 55, 65, 57 or 67; services shared by CT-e and CT-e OS count as 57, the national NFS-e as 0.
    pub modelo: u8,
    /// CNPJ or CPF of the TLS certificate.
    pub transmissor: String,
    /// Keys in it.
    pub chaves: Vec<String>,
    /// Code answered (the document's, where there is one); absent when a fault came before.
    pub cStat: Option<u16>,
    /// First code of the national NFS-e or of a municipal provider, whose codes are no numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codigo: Option<String>,
    /// Fault applied.
    pub falha: Option<crate::faults::FaultType>,
}

/// Identity of a number: documents that agree in it are duplicates (MOC 7.0 visão geral).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct NumberIdentity {
    ambiente: TpAmb,
    /// cUF, then issuer, model, series and number, as in the key.
    parts: String,
    /// Model 65 only.
    tpEmis: Option<u8>,
}

impl NumberIdentity {
    fn of(ambiente: TpAmb, chave: &str) -> NumberIdentity {
        let at = |range: std::ops::Range<usize>| chave.get(range).unwrap_or_default();
        NumberIdentity {
            ambiente,
            parts: format!("{}{}", at(0..2), at(6..34)),
            tpEmis: (at(20..22) == "65").then(|| at(34..35).parse().unwrap_or(0)),
        }
    }
}

/// A range of voided numbers.
#[derive(Debug, Clone, Serialize)]
pub struct VoidedRange {
    pub ambiente: TpAmb,
    /// cUF, issuer, model and series as in the key; the year does not enter.
    pub serie: String,
    /// First number.
    pub de: u32,
    /// Last number.
    pub ate: u32,
    /// Id of the request.
    pub id: String,
    pub nProt: String,
}

/// A batch whose result is queried by receipt.
#[derive(Debug, Clone)]
pub(crate) struct BatchReceipt {
    pub(crate) transmitter: String,
    pub(crate) polls_left: u32,
    pub(crate) protocols: String,
}

/// Most documents whose XML is held.
const XML_HELD: usize = 20_000;
const RECEIVED_HELD: usize = 10_000;

/// Registered documents of all authorities.
pub(crate) struct Ledger {
    documents: HashMap<(TpAmb, String), LedgerDocument>,
    /// Keys of a number: more than one where books are apart.
    by_number: HashMap<NumberIdentity, Vec<String>>,
    epecs: HashMap<NumberIdentity, PendingEpec>,
    /// Events on documents that have not come (136).
    unbound: HashMap<(TpAmb, String), Vec<LedgerEvent>>,
    /// Issuers of authorised documents, which an open register knows.
    pub(crate) issuers: KnownIssuers,
    pub(crate) receipts: HashMap<String, BatchReceipt>,
    pub(crate) voided: Vec<VoidedRange>,
    pub(crate) counts: HashMap<String, ArrivalCounts>,
    sequences: HashMap<(u8, u8, TpAmb), u64>,
    pub(crate) received: VecDeque<RequestRecord>,
    pub(crate) requests: u64,
    pub(crate) by_service: BTreeMap<&'static str, u64>,
    chance: SeededRandom,
    seed: u64,
}

impl Ledger {
    pub(crate) fn new(seed: u64) -> Ledger {
        Ledger {
            documents: HashMap::new(),
            by_number: HashMap::new(),
            epecs: HashMap::new(),
            unbound: HashMap::new(),
            issuers: KnownIssuers::new(),
            receipts: HashMap::new(),
            voided: Vec::new(),
            counts: HashMap::new(),
            sequences: HashMap::new(),
            received: VecDeque::new(),
            requests: 0,
            by_service: BTreeMap::new(),
            chance: SeededRandom::new(seed),
            seed,
        }
    }
    pub(crate) fn clear(&mut self) {
        *self = Ledger::new(self.seed);
    }

    pub(crate) fn document(&self, ambiente: TpAmb, chave: &str) -> Option<&LedgerDocument> {
        self.documents.get(&(ambiente, chave.to_owned()))
    }
    pub(crate) fn document_mut(&mut self, ambiente: TpAmb, chave: &str) -> Option<&mut LedgerDocument> {
        self.documents.get_mut(&(ambiente, chave.to_owned()))
    }
    /// The stored document of this key, else one with its number.
    pub(crate) fn same_number(&self, ambiente: TpAmb, chave: &str) -> Option<&LedgerDocument> {
        self.same_number_where(ambiente, chave, |_| true)
    }
    /// The stored document of this key, else one with its number, among those that fit.
    pub(crate) fn same_number_where(
        &self,
        ambiente: TpAmb,
        chave: &str,
        fits: impl Fn(&LedgerDocument) -> bool,
    ) -> Option<&LedgerDocument> {
        let keys = self.by_number.get(&NumberIdentity::of(ambiente, chave)).map_or(&[][..], Vec::as_slice);
        let under_number = || keys.iter().filter_map(|key| self.document(ambiente, key)).filter(|one| fits(one));
        under_number().find(|one| one.chave == chave).or_else(|| under_number().next())
    }
    /// The first other document of the issuer and model of a key.
    pub(crate) fn another(&self, ambiente: TpAmb, chave: &str) -> Option<&LedgerDocument> {
        let is_another = |one: &&LedgerDocument| {
            one.ambiente == ambiente && one.chave != chave && one.chave.get(6..22) == chave.get(6..22)
        };
        self.documents.values().filter(is_another).min_by(|one, other| one.chave.cmp(&other.chave))
    }
    /// The key of [`Ledger::another`], or of the next number.
    pub(crate) fn another_key(&self, ambiente: TpAmb, chave: &str) -> String {
        let next = || {
            let parts = ChaveAcesso::parse(chave).ok()?.parts();
            let nNF = parts.nNF % 999_999_999 + 1;
            Some(ChaveAcesso::compose(&ChaveParts { nNF, ..parts }).as_str().to_owned())
        };
        let stored = self.another(ambiente, chave).map(|one| one.chave.clone());
        stored.or_else(next).unwrap_or_else(|| chave.to_owned())
    }
    /// Removes the documents that fit, with the receipts that name them; returns their number.
    pub(crate) fn forget(&mut self, fits: impl Fn(&LedgerDocument) -> bool) -> usize {
        let lost: Vec<(TpAmb, String)> =
            self.documents.iter().filter(|(_, one)| fits(one)).map(|(key, _)| key.clone()).collect();
        for key in &lost {
            self.documents.remove(key);
            self.receipts.retain(|_, receipt| !receipt.protocols.contains(&key.1));
            if let Some(keys) = self.by_number.get_mut(&NumberIdentity::of(key.0, &key.1)) {
                keys.retain(|stored| *stored != key.1);
            }
        }
        lost.len()
    }
    /// Makes every document visible to queries; returns the number of hidden ones.
    pub(crate) fn reveal(&mut self) -> usize {
        self.documents.values_mut().map(|one| usize::from(one.visibility.reveal())).sum()
    }
    pub(crate) fn hidden(&self) -> usize {
        self.documents.values().filter(|one| !one.visibility.is_reached()).count()
    }
    /// True for a document of a batch whose receipt still answers 105.
    pub(crate) fn is_queued(&self, chave: &str) -> bool {
        let waits = |receipt: &BatchReceipt| receipt.polls_left > 0 && receipt.protocols.contains(chave);
        self.receipts.values().any(waits)
    }
    pub(crate) fn store(&mut self, mut document: LedgerDocument) {
        if self.documents.len() >= XML_HELD {
            document.xml = None;
        }
        let key = (document.ambiente, document.chave.clone());
        document.eventos.extend(self.unbound.remove(&key).unwrap_or_default());
        self.counts.entry(document.chave.clone()).or_default().gravada += 1;
        self.by_number
            .entry(NumberIdentity::of(document.ambiente, &document.chave))
            .or_default()
            .push(document.chave.clone());
        self.documents.insert(key, document);
    }
    /// The events of a key, also of a document that has not come.
    pub(crate) fn events(&self, ambiente: TpAmb, chave: &str) -> &[LedgerEvent] {
        let key = (ambiente, chave.to_owned());
        match self.documents.get(&key) {
            Some(document) => &document.eventos,
            None => self.unbound.get(&key).map_or(&[], Vec::as_slice),
        }
    }
    /// Stores an event on a document that has not come.
    pub(crate) fn store_unbound(&mut self, ambiente: TpAmb, chave: &str, event: LedgerEvent) {
        self.unbound.entry((ambiente, chave.to_owned())).or_default().push(event);
    }
    pub(crate) fn documents(&self) -> impl Iterator<Item = &LedgerDocument> {
        self.documents.values()
    }
    /// The EPEC of the number of this key, whatever its key.
    pub(crate) fn epec_of_number(&self, ambiente: TpAmb, chave: &str) -> Option<&PendingEpec> {
        self.epecs.get(&NumberIdentity::of(ambiente, chave))
    }
    pub(crate) fn store_epec(&mut self, epec: PendingEpec) {
        self.epecs.insert(NumberIdentity::of(epec.ambiente, &epec.chave), epec);
    }
    pub(crate) fn epecs(&self) -> impl Iterator<Item = &PendingEpec> {
        self.epecs.values()
    }
    /// Settles the EPEC of a note that has come: the announcement becomes the note's first event.
    pub(crate) fn settle_epec(&mut self, ambiente: TpAmb, chave: &str) -> Option<LedgerEvent> {
        let epec = self.epecs.get_mut(&NumberIdentity::of(ambiente, chave)).filter(|epec| epec.chave == chave)?;
        epec.settled = true;
        Some(epec.event.clone())
    }
    /// The voided range that holds the number of this key.
    pub(crate) fn voided_range(&self, ambiente: TpAmb, chave: &ChaveAcesso) -> Option<&VoidedRange> {
        let (serie, number) = (void_series(chave.as_str()), chave.parts().nNF);
        self.voided.iter().find(|range| {
            range.ambiente == ambiente && range.serie == serie && (range.de..=range.ate).contains(&number)
        })
    }
    /// True when a number of a series (see `VoidedRange::serie`) is used by a document, or announced by an EPEC.
    pub(crate) fn is_number_used(&self, ambiente: TpAmb, serie: &str, numbers: std::ops::RangeInclusive<u32>) -> bool {
        let within = |chave: &str, at: TpAmb| {
            let number = chave.get(25..34).and_then(|number| number.parse().ok()).unwrap_or(0);
            at == ambiente && void_series(chave) == serie && numbers.contains(&number)
        };
        self.documents.values().any(|one| within(&one.chave, one.ambiente))
            || self.epecs.values().any(|epec| within(&epec.chave, epec.ambiente))
    }

    /// `nProt`: kind of authority, cUF, year, ten digits.
    pub(crate) fn next_protocol(&mut self, place: &ServiceAddress, cUF: u8, now: Timestamp) -> String {
        let authority = place.authority;
        let sequence = self.next_in(place.digit(), cUF, place.ambiente);
        let year = crate::clock::year(now, authority.offset_hours()).rem_euclid(100);
        format!("{}{cUF:02}{year:02}{sequence:010}", place.digit())
    }
    /// `nProt` of an event: that of the authority, or 891, year, ten digits at the Ambiente Nacional.
    pub(crate) fn next_event_protocol(&mut self, place: &ServiceAddress, cUF: u8, now: Timestamp) -> String {
        if !place.authority.is_national() {
            return self.next_protocol(place, cUF, now);
        }
        self.next_national_protocol(place.ambiente, now)
    }
    /// `nProt` of an event at the Ambiente Nacional.
    pub(crate) fn next_national_protocol(&mut self, ambiente: TpAmb, now: Timestamp) -> String {
        let sequence = self.next_in(2, 91, ambiente);
        let year = crate::clock::year(now, -3).rem_euclid(100);
        format!("891{year:02}{sequence:010}")
    }
    /// `nRec`: cUF, kind of authority, twelve digits.
    pub(crate) fn next_receipt(&mut self, place: &ServiceAddress, cUF: u8) -> String {
        let sequence = self.next_in(place.digit(), cUF, place.ambiente);
        format!("{cUF:02}{}{sequence:012}", place.digit())
    }
    fn next_in(&mut self, digit: u8, cUF: u8, ambiente: TpAmb) -> u64 {
        let sequence = self.sequences.entry((digit, cUF, ambiente)).or_default();
        *sequence += 1;
        *sequence
    }
    /// [`Ledger::wrong_digest`], where the fault asks for one.
    pub(crate) fn wrong_digest_for(&mut self, drawn: &DrawnFaults) -> Option<String> {
        (drawn.kind() == Some(FaultType::WrongDigval)).then(|| self.wrong_digest())
    }
    /// A digest of no document, the same for the same seed.
    pub(crate) fn wrong_digest(&mut self) -> String {
        let bytes: Vec<u8> = (0..3).flat_map(|_| self.chance.next().to_be_bytes()).take(20).collect();
        crate::soap::base64(&bytes)
    }

    pub(crate) fn record_request(&mut self, received: RequestRecord) {
        *self.by_service.entry(received.servico).or_default() += 1;
        if self.received.len() >= RECEIVED_HELD {
            self.received.pop_front();
        }
        self.received.push_back(received);
    }
    pub(crate) fn count(&mut self, chave: &str) -> &mut ArrivalCounts {
        self.counts.entry(chave.to_owned()).or_default()
    }
}

/// cUF, issuer, model and series of a key.
pub(crate) fn void_series(chave: &str) -> String {
    format!("{}{}", chave.get(0..2).unwrap_or_default(), chave.get(6..25).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(authority: &str) -> ServiceAddress {
        ServiceAddress::from_path(&format!("/nfe/{authority}/hom/NFeAutorizacao4")).unwrap()
    }

    #[test]
    fn protocol_numbers_have_fifteen_digits_and_never_repeat() {
        let mut ledger = Ledger::new(1);
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        assert_eq!(ledger.next_protocol(&place("sp"), 35, now), "135260000000001");
        assert_eq!(ledger.next_protocol(&place("sp"), 35, now), "135260000000002");
        assert_eq!(ledger.next_protocol(&place("svrs"), 33, now), "333260000000001");
        assert_eq!(ledger.next_receipt(&place("sp"), 35), "351000000000003");
    }

    #[test]
    fn the_number_of_model_65_includes_its_kind_of_emission() {
        let natural = |chave: &str| NumberIdentity::of(TpAmb::Homologacao, chave);
        let (one, other_code, offline) = (
            "35261111222333000181650010000000011123456787",
            "35261111222333000181650010000000011765432101",
            "35261111222333000181650010000000019123456787",
        );
        assert_eq!(natural(one), natural(other_code));
        assert_ne!(natural(one), natural(offline));
        assert_eq!(natural(&one.replacen("65", "55", 1)), natural(&offline.replacen("65", "55", 1)));
    }
}
