//! Memory of the municipal providers: notes, lots, numbers, counts of RPS.

use super::rps::RpsIdentity;
use crate::faults::SeededRandom;
use crate::ledger::ArrivalCounts;
use crate::visibility::QueryVisibility;
use fiscal::value::TpAmb;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Status of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MunicipalStanding {
    /// In force.
    Normal,
    /// Cancelled by its issuer or by the city.
    Cancelada,
    /// Replaced by another.
    Substituida,
}

/// A city in an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct CityEnvironment {
    /// IBGE code.
    pub cidade: u32,
    pub ambiente: TpAmb,
}

/// A municipal note.
#[derive(Debug, Clone, Serialize)]
pub struct MunicipalNote {
    /// City and environment of the note.
    #[serde(flatten)]
    pub office: CityEnvironment,
    /// Provider and version.
    pub provedor: String,
    /// Number, by the city.
    pub numero: u64,
    /// Verification code.
    pub codigo_verificacao: String,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// RPS of the note.
    pub rps: RpsIdentity,
    /// `ValorServicos`.
    pub valor_servicos: Decimal,
    /// `ValorIss`.
    pub valor_iss: Decimal,
    /// Protocol of its lot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocolo: Option<String>,
    /// Time of issue.
    pub emitida_em: Timestamp,
    pub situacao: MunicipalStanding,
    /// Number of its substitute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substituida_por: Option<u64>,
    /// `InfNfse`.
    #[serde(skip)]
    pub(super) inf: Arc<str>,
    /// `Confirmacao` of its cancellation.
    #[serde(skip)]
    pub(super) confirmation: Option<Arc<str>>,
    #[serde(skip)]
    pub(super) visibility: QueryVisibility,
}

/// State of a lot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LotState {
    /// The texts of its `Rps`, standing alone, and the queries that still find it waiting.
    Waiting { rps: Vec<String>, queries: u32, until: Timestamp },
    /// The numbers of its notes.
    Done(Vec<u64>),
    /// The list of its answer.
    Failed(String),
}

#[derive(Debug, Clone)]
pub(super) struct RpsLot {
    pub(super) numero: String,
    pub(super) prestador: String,
    pub(super) ids: Vec<RpsIdentity>,
    pub(super) state: LotState,
    pub(super) visibility: QueryVisibility,
}

type RpsKey = (CityEnvironment, String, RpsIdentity);

/// Registered notes and lots of all cities.
pub(crate) struct MunicipalNotes {
    notes: HashMap<(CityEnvironment, u64), MunicipalNote>,
    by_rps: HashMap<RpsKey, u64>,
    lots: HashMap<(CityEnvironment, String), RpsLot>,
    sequences: HashMap<CityEnvironment, u64>,
    protocols: u64,
    counts: HashMap<RpsKey, ArrivalCounts>,
    chance: SeededRandom,
    seed: u64,
}

impl MunicipalNotes {
    pub(crate) fn new(seed: u64) -> MunicipalNotes {
        MunicipalNotes {
            notes: HashMap::new(),
            by_rps: HashMap::new(),
            lots: HashMap::new(),
            sequences: HashMap::new(),
            protocols: 0,
            counts: HashMap::new(),
            chance: SeededRandom::new(seed),
            seed,
        }
    }
    pub(crate) fn clear(&mut self) {
        *self = MunicipalNotes::new(self.seed);
    }
    pub(crate) fn all(&self) -> impl Iterator<Item = &MunicipalNote> {
        self.notes.values()
    }
    pub(crate) fn note(&self, office: CityEnvironment, numero: u64) -> Option<&MunicipalNote> {
        self.notes.get(&(office, numero))
    }
    pub(super) fn note_mut(&mut self, office: CityEnvironment, numero: u64) -> Option<&mut MunicipalNote> {
        self.notes.get_mut(&(office, numero))
    }
    pub(super) fn of_rps(&self, office: CityEnvironment, emitente: &str, rps: &RpsIdentity) -> Option<&MunicipalNote> {
        self.note(office, *self.by_rps.get(&(office, emitente.to_owned(), rps.clone()))?)
    }
    /// The next number of a city. Year and sequence are each city's own affair; ours counts from 26000001 on.
    pub(super) fn next(&mut self, office: CityEnvironment) -> u64 {
        let sequence = self.sequences.entry(office).or_insert(26_000_000);
        *sequence += 1;
        *sequence
    }
    pub(super) fn protocol(&mut self) -> String {
        self.protocols += 1;
        format!("P{:07}", self.protocols)
    }
    /// A verification code of eight characters.
    pub(super) fn next_verification_code(&mut self) -> String {
        format!("{:08X}", self.chance.next() & 0xffff_ffff)
    }
    pub(super) fn store_municipal_note(&mut self, note: MunicipalNote) {
        self.count(note.office, &note.emitente, &note.rps).gravada += 1;
        self.by_rps.insert((note.office, note.emitente.clone(), note.rps.clone()), note.numero);
        self.notes.insert((note.office, note.numero), note);
    }
    pub(super) fn store_lot(&mut self, office: CityEnvironment, protocolo: String, lot: RpsLot) {
        self.lots.insert((office, protocolo), lot);
    }
    pub(super) fn lot_mut(&mut self, office: CityEnvironment, protocolo: &str) -> Option<&mut RpsLot> {
        self.lots.get_mut(&(office, protocolo.to_owned()))
    }
    /// The protocol of a waiting, visible lot with this RPS.
    pub(super) fn protocol_of_waiting_lot(
        &self,
        office: CityEnvironment,
        emitente: &str,
        rps: &RpsIdentity,
    ) -> Option<String> {
        let holds = |lot: &RpsLot| {
            let is_waiting = matches!(lot.state, LotState::Waiting { .. });
            lot.prestador == emitente && lot.ids.contains(rps) && is_waiting && lot.visibility.is_reached()
        };
        self.lots.iter().find(|((of, _), lot)| *of == office && holds(lot)).map(|((_, protocolo), _)| protocolo.clone())
    }
    /// Another RPS of the same prestador: that of a note, else the next number.
    pub(super) fn another_rps(&self, office: CityEnvironment, emitente: &str, rps: &RpsIdentity) -> RpsIdentity {
        let is_another = |note: &&MunicipalNote| note.office == office && note.emitente == emitente && note.rps != *rps;
        let stored = self.notes.values().filter(is_another).map(|note| &note.rps).min().cloned();
        stored.unwrap_or_else(|| {
            let next = rps.numero.parse::<u64>().map_or(0, |number| number.saturating_add(1));
            RpsIdentity { numero: next.to_string(), ..rps.clone() }
        })
    }
    /// Removes the notes that fit, with their lots; returns the number of notes.
    pub(crate) fn forget(&mut self, fits: impl Fn(&MunicipalNote) -> bool) -> usize {
        let lost: Vec<(CityEnvironment, u64)> =
            self.notes.iter().filter(|(_, note)| fits(note)).map(|(key, _)| *key).collect();
        for (office, numero) in &lost {
            self.notes.remove(&(*office, *numero));
            let is_theirs = |lot: &RpsLot| matches!(&lot.state, LotState::Done(numbers) if numbers.contains(numero));
            self.lots.retain(|(of, _), lot| of != office || !is_theirs(lot));
        }
        lost.len()
    }
    /// Makes every note and lot visible to queries; returns the number of hidden ones.
    pub(crate) fn reveal(&mut self) -> usize {
        let notes = self.notes.values_mut().map(|note| &mut note.visibility);
        let all = notes.chain(self.lots.values_mut().map(|lot| &mut lot.visibility));
        all.map(|visibility| usize::from(visibility.reveal())).sum()
    }
    pub(crate) fn hidden(&self) -> usize {
        let notes = self.notes.values().map(|note| note.visibility);
        notes.chain(self.lots.values().map(|lot| lot.visibility)).filter(|one| !one.is_reached()).count()
    }
    /// Counts of an RPS.
    pub(crate) fn counts(&self, office: CityEnvironment, emitente: &str, rps: &RpsIdentity) -> ArrivalCounts {
        self.counts.get(&(office, emitente.to_owned(), rps.clone())).copied().unwrap_or_default()
    }
    pub(super) fn count(&mut self, office: CityEnvironment, emitente: &str, rps: &RpsIdentity) -> &mut ArrivalCounts {
        self.counts.entry((office, emitente.to_owned(), rps.clone())).or_default()
    }
}
