//! Memory of the national NFS-e: notes, events, numbers, distributed items, counts of DPS.

use crate::faults::SeededRandom;
use crate::ledger::ArrivalCounts;
use crate::taxpayer::same_taxpayer;
use crate::visibility::QueryVisibility;
use fiscal::value::TpAmb;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Status of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NfseStanding {
    /// In force.
    Autorizada,
    /// Cancelled by its issuer, by analysis or by the município.
    Cancelada,
    /// Cancelled because of a substitute.
    Substituida,
}

/// A registered event.
#[derive(Debug, Clone, Serialize)]
pub struct NfseEvent {
    /// Six digits.
    pub tipo: String,
    /// `nSeqEvento`.
    pub numero: u16,
    /// `Id` of `infEvento`.
    pub id: String,
    /// Time of reception.
    pub dhProc: String,
    /// For 305102 and 305103: the kind that is blocked; for 205208: the Id of the rejection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sobre: Option<String>,
    #[serde(skip)]
    pub(super) xml: Arc<str>,
}

/// A note.
#[derive(Debug, Clone, Serialize)]
pub struct StoredNfse {
    /// Key, 50 positions.
    pub chave: String,
    pub ambiente: TpAmb,
    /// 1 the município's own server, 2 the Sefin.
    pub ambGer: u8,
    /// `Id` of `infDPS`.
    pub id_dps: String,
    /// base64 DigestValue of the DPS.
    pub digest: String,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// CNPJ or CPF of the taker of the service.
    pub tomador: Option<String>,
    /// CNPJ or CPF of the intermediary.
    pub intermediario: Option<String>,
    /// Number, by the authority.
    pub nNFSe: u64,
    /// 100 or 107.
    pub cStat: u16,
    /// Time of processing.
    pub dhProc: String,
    pub situacao: NfseStanding,
    /// Events, in order.
    pub eventos: Vec<NfseEvent>,
    #[serde(skip)]
    pub(super) xml: Arc<str>,
    #[serde(skip)]
    pub(super) made_at: Timestamp,
    #[serde(skip)]
    pub(super) visibility: QueryVisibility,
}

impl StoredNfse {
    /// The document, as in answers.
    pub fn xml(&self) -> &str {
        &self.xml
    }
    pub(crate) fn made_at(&self) -> Timestamp {
        self.made_at
    }
    /// Every party named in it.
    pub(super) fn parties(&self) -> impl Iterator<Item = &str> {
        [Some(self.emitente.as_str()), self.tomador.as_deref(), self.intermediario.as_deref()].into_iter().flatten()
    }
    /// True when a taxpayer is named in it.
    pub(super) fn names(&self, taxpayer: &str) -> bool {
        self.parties().any(|party| same_taxpayer(party, taxpayer))
    }
    pub(super) fn has(&self, tipo: &str) -> bool {
        self.eventos.iter().any(|event| event.tipo == tipo)
    }
}

/// An item of the ADN's distribution.
#[derive(Debug, Clone)]
pub(super) struct FeedItem {
    pub(super) nsu: u64,
    pub(super) chave: String,
    /// Name of the kind of event; `None` for a note.
    pub(super) event: Option<&'static str>,
    pub(super) xml: Arc<str>,
    pub(super) at: Timestamp,
}

/// Registered notes of all hosts.
pub(crate) struct NationalNotes {
    notes: HashMap<(TpAmb, String), StoredNfse>,
    by_dps: HashMap<(TpAmb, u8, String), String>,
    /// Last numbers: of notes by issuer, of documents by município.
    sequences: HashMap<(TpAmb, u8, String), u64>,
    feeds: HashMap<(TpAmb, String), Vec<FeedItem>>,
    counts: HashMap<String, ArrivalCounts>,
    chance: SeededRandom,
    seed: u64,
}

impl NationalNotes {
    pub(crate) fn new(seed: u64) -> NationalNotes {
        NationalNotes {
            notes: HashMap::new(),
            by_dps: HashMap::new(),
            sequences: HashMap::new(),
            feeds: HashMap::new(),
            counts: HashMap::new(),
            chance: SeededRandom::new(seed),
            seed,
        }
    }
    pub(crate) fn clear(&mut self) {
        *self = NationalNotes::new(self.seed);
    }
    pub(crate) fn note(&self, ambiente: TpAmb, chave: &str) -> Option<&StoredNfse> {
        self.notes.get(&(ambiente, chave.to_owned()))
    }
    pub(crate) fn all(&self) -> impl Iterator<Item = &StoredNfse> {
        self.notes.values()
    }
    /// The note of a DPS at the host where it was sent: neither Sefin nor município knows the other's notes.
    pub(super) fn of_dps(&self, ambiente: TpAmb, ambGer: u8, id: &str) -> Option<&StoredNfse> {
        self.note(ambiente, self.by_dps.get(&(ambiente, ambGer, id.to_owned()))?)
    }
    /// Removes the notes that fit; returns their number.
    pub(crate) fn forget(&mut self, fits: impl Fn(&StoredNfse) -> bool) -> usize {
        let before = self.notes.len();
        self.notes.retain(|_, note| !fits(note));
        before - self.notes.len()
    }
    /// Makes every note visible to queries; returns the number of hidden ones.
    pub(crate) fn reveal(&mut self) -> usize {
        self.notes.values_mut().map(|note| usize::from(note.visibility.reveal())).sum()
    }
    pub(crate) fn hidden(&self) -> usize {
        self.notes.values().filter(|note| !note.visibility.is_reached()).count()
    }
    /// Counts of a DPS, by its Id.
    pub(crate) fn counts(&self, id: &str) -> ArrivalCounts {
        self.counts.get(id).copied().unwrap_or_default()
    }
    pub(super) fn count(&mut self, id: &str) -> &mut ArrivalCounts {
        self.counts.entry(id.to_owned()).or_default()
    }
    /// The next number of a name.
    pub(super) fn next(&mut self, ambiente: TpAmb, ambGer: u8, name: &str) -> u64 {
        let sequence = self.sequences.entry((ambiente, ambGer, name.to_owned())).or_default();
        *sequence += 1;
        *sequence
    }
    /// Nine random digits.
    pub(super) fn nine_random_digits(&mut self) -> u64 {
        self.chance.next() % 1_000_000_000
    }
    /// Stores a note and distributes it to every party named in it.
    pub(super) fn store_national_note(&mut self, note: StoredNfse) {
        self.count(&note.id_dps).gravada += 1;
        self.by_dps.insert((note.ambiente, note.ambGer, note.id_dps.clone()), note.chave.clone());
        let piece =
            FeedItem { nsu: 0, chave: note.chave.clone(), event: None, xml: Arc::clone(&note.xml), at: note.made_at };
        self.distribute(&note, &piece);
        self.notes.insert((note.ambiente, note.chave.clone()), note);
    }
    /// Stores an event of a note, and the status that follows from it.
    pub(super) fn register(
        &mut self,
        ambiente: TpAmb,
        chave: &str,
        event: NfseEvent,
        name: Option<&'static str>,
        at: Timestamp,
    ) {
        let Some(note) = self.notes.get_mut(&(ambiente, chave.to_owned())) else { return };
        match event.tipo.as_str() {
            "101101" | "105104" | "305101" => note.situacao = NfseStanding::Cancelada,
            "105102" => note.situacao = NfseStanding::Substituida,
            _ => {}
        }
        let piece = FeedItem { nsu: 0, chave: chave.to_owned(), event: name, xml: Arc::clone(&event.xml), at };
        note.eventos.push(event);
        let note = note.clone();
        self.distribute(&note, &piece);
    }
    fn distribute(&mut self, note: &StoredNfse, piece: &FeedItem) {
        let mut parties: Vec<&str> = note.parties().collect();
        parties.sort_unstable();
        parties.dedup();
        for party in parties {
            let feed = self.feeds.entry((note.ambiente, party.to_owned())).or_default();
            let nsu = feed.len() as u64 + 1;
            feed.push(FeedItem { nsu, ..piece.clone() });
        }
    }
    /// Items distributed to a taxpayer, by NSU.
    pub(super) fn feed(&self, ambiente: TpAmb, taxpayer: &str) -> &[FeedItem] {
        self.feeds.get(&(ambiente, taxpayer.to_owned())).map_or(&[], Vec::as_slice)
    }
}
