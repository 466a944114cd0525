//! Totals of lists against a plain count: random notes of random days, every filter, random periods.

use crate::notes::cancel;
use crate::world::{CNPJ, NOW, OTHER_CNPJ, World, chave_of, on_both, outcome, prepared, reserve};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use store::Visibility;
use store::jobs::{NewJob, NumberRequest, SignedDocument};
use store::notes::{ListWindow, NoteFilter, Period};
use store::numbers::{NumberedKind, Series};
use uuid::Uuid;

/// 2026-11-10, 00:00 in Brasília; the notes lie in the days after it.
const FIRST_DAY: i64 = 1_794_279_600;
const DAYS: u64 = 12;
const NOTES: usize = 96;

/// xorshift64*: repeatable.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) % end
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()].clone()
    }

    /// A random instant, sometimes at the very edge of a day of some state.
    fn second(&mut self) -> i64 {
        let day = FIRST_DAY + i64::try_from(self.below(DAYS)).unwrap() * 86_400;
        let edge = self.one_of(&[-3_600, 0, 3_600, 7_200]);
        match self.below(3) {
            0 => day + edge,
            1 => day + edge - 1,
            _ => day + i64::try_from(self.below(86_400)).unwrap(),
        }
    }

    /// A random period, sometimes open at either end.
    fn period(&mut self) -> Period {
        let (one, other) = (self.second(), self.second());
        let ends = (Some(one.min(other)), Some(one.max(other)));
        let (from, until) = self.one_of(&[ends, ends, ends, (ends.0, None), (None, ends.1), (None, None)]);
        Period { from, until }
    }

    fn id(&mut self) -> Uuid {
        let ms = self.second().unsigned_abs() * 1_000 + self.one_of(&[0, 1, 999]);
        let tail = u128::from(self.below(1 << 50)) << 8 | u128::from(self.below(256));
        Uuid::from_u128((u128::from(ms) << 80) | (7 << 76) | (2 << 62) | tail)
    }
}

/// Expected properties of a note.
#[derive(Debug, Clone)]
struct Note {
    id: Uuid,
    tipo: &'static str,
    state: DocumentState,
    emitente: CnpjCpf,
    destinatario: CnpjCpf,
    ambiente: TpAmb,
    serie: Serie,
    numero: u64,
    chave: String,
}

const STATES: [DocumentState; 4] =
    [DocumentState::Authorized, DocumentState::Cancelled, DocumentState::Denied, DocumentState::Rejected];
const ENVIRONMENTS: [TpAmb; 2] = [TpAmb::Producao, TpAmb::Homologacao];

fn companies() -> [CnpjCpf; 2] {
    [CNPJ, OTHER_CNPJ].map(|text| CnpjCpf::parse(text).unwrap())
}

/// A note that ends authorised, denied or rejected, by the service's own path.
async fn issue(world: &World, chance: &mut Chance) -> Note {
    let (id, [emitente, destinatario]) = (chance.id(), [(); 2].map(|()| chance.one_of(&companies())));
    let (tipo, counted) = chance.one_of(&[("nfe", NumberedKind::Nfe), ("nfce", NumberedKind::Nfce)]);
    let (ambiente, serie) = (chance.one_of(&ENVIRONMENTS), chance.one_of(&[1, 2].map(Serie::from)));
    let job = NewJob { id, tipo: Tipo::from_word(tipo).unwrap(), ambiente, ..world.job_of(emitente.as_str()) };
    world.register(job).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    let series = Series { cpf_cnpj: emitente, counted, serie, ambiente };
    let numero = world.store.reserve(lease, NumberRequest { series, ..reserve(None) }, NOW).await.unwrap().numero;
    let chave = chave_of(id);
    let sent = SignedDocument { numero, destinatario: Some(destinatario.as_str().to_owned()), ..prepared(chave) };
    world.store.begin_sending(lease, sent, NOW, Vec::new()).await.unwrap();
    let state = chance.one_of(&[
        DocumentState::Authorized,
        DocumentState::Authorized,
        DocumentState::Denied,
        DocumentState::Rejected,
    ]);
    world.store.settle(lease, outcome(state), NOW, Vec::new()).await.unwrap();
    Note { id, tipo, state, emitente, destinatario, ambiente, serie, numero, chave: chave.to_string() }
}

impl Note {
    fn fits(&self, filter: &NoteFilter) -> bool {
        let second = i64::try_from(self.id.get_timestamp().unwrap().to_unix().0).unwrap();
        let NoteFilter { tipo, state, emitente, destinatario, ambiente, serie, numero, chave, periodo, reach: _ } =
            filter;
        tipo.as_ref().is_none_or(|tipo| tipo == self.tipo)
            && state.is_none_or(|state| state == self.state)
            && emitente.is_none_or(|emitente| emitente == self.emitente)
            && destinatario.is_none_or(|destinatario| destinatario == self.destinatario)
            && ambiente.is_none_or(|ambiente| ambiente == self.ambiente)
            && serie.is_none_or(|serie| serie == self.serie)
            && numero.is_none_or(|numero| numero == self.numero)
            && chave.as_ref().is_none_or(|chave| *chave == self.chave)
            && periodo.from.is_none_or(|from| second >= from)
            && periodo.until.is_none_or(|until| second < until)
    }
}

/// Every combination of the counted criteria; the other criteria now and then.
fn filters(chance: &mut Chance, notes: &[Note]) -> Vec<NoteFilter> {
    let mut filters = Vec::new();
    let mut all: Vec<NoteFilter> = vec![NoteFilter::default()];
    let given = |all: &[NoteFilter], more: &dyn Fn(NoteFilter) -> Vec<NoteFilter>| -> Vec<NoteFilter> {
        all.iter().flat_map(|filter| [vec![filter.clone()], more(filter.clone())].concat()).collect()
    };
    all =
        given(&all, &|f| ["nfe", "nfce"].map(|tipo| NoteFilter { tipo: Some(tipo.to_owned()), ..f.clone() }).to_vec());
    all = given(&all, &|f| STATES.map(|state| NoteFilter { state: Some(state), ..f.clone() }).to_vec());
    all = given(&all, &|f| companies().map(|emitente| NoteFilter { emitente: Some(emitente), ..f.clone() }).to_vec());
    all = given(&all, &|f| ENVIRONMENTS.map(|tpAmb| NoteFilter { ambiente: Some(tpAmb), ..f.clone() }).to_vec());
    all = given(&all, &|f| [1, 2].map(|serie| NoteFilter { serie: Some(Serie::from(serie)), ..f.clone() }).to_vec());
    for kind in all {
        let periodo = chance.period();
        let note = chance.one_of(notes);
        filters.push(match chance.below(8) {
            0 => NoteFilter { destinatario: Some(note.destinatario), periodo, ..kind },
            1 => NoteFilter { numero: Some(note.numero), periodo, ..kind },
            2 => NoteFilter { chave: Some(note.chave), periodo, ..kind },
            _ => NoteFilter { periodo, ..kind },
        });
    }
    filters
}

async fn compare(world: &World, chance: &mut Chance, notes: &[Note]) {
    for filter in filters(chance, notes) {
        let mut expected: Vec<Uuid> = notes.iter().filter(|note| note.fits(&filter)).map(|note| note.id).collect();
        expected.sort_by(|one, other| other.cmp(one));
        let (jobs, total) = world
            .store
            .notes(Visibility::whole(world.tenant), filter.clone(), ListWindow { limit: NOTES, skip: 0 })
            .await
            .unwrap();
        let found: Vec<Uuid> = jobs.iter().map(|job| job.id).collect();
        assert_eq!((found, total), (expected.clone(), expected.len() as u64), "{filter:?}");
    }
}

on_both! {
    async fn a_total_is_what_a_plain_count_gives_whatever_the_filter_and_the_period(world) {
        let mut chance = Chance(0x5eed_0003);
        let mut notes = Vec::new();
        for _ in 0..NOTES {
            notes.push(issue(&world, &mut chance).await);
        }
        compare(&world, &mut chance, &notes).await;
        // A cancellation leaves the note in its day.
        for note in notes.iter_mut().filter(|note| note.state == DocumentState::Authorized).step_by(3) {
            cancel(&world, note.id).await;
            note.state = DocumentState::Cancelled;
        }
        compare(&world, &mut chance, &notes).await;
    }
}
