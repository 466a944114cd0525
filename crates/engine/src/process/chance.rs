//! Randomness of the operating system: the one place that draws it. A simulation replaces it on its own thread by that
//! of a seed.

use fiscal::value::ChaveAcesso;
use zeroize::Zeroizing;

/// The system gives no randomness: nothing that needs to be unguessable may be made.
#[derive(Debug, thiserror::Error)]
#[error("o sistema operacional não forneceu números aleatórios: {0}")]
pub(crate) struct NoChance(#[from] getrandom::Error);

/// Whether a code may stand in a key beside this number; one with more digits than a key has is like none of them.
pub(crate) fn is_allowed(code: u32, numero: Option<u64>) -> bool {
    let numero = numero.and_then(|numero| u32::try_from(numero).ok());
    ChaveAcesso::code_is_allowed(code, numero.unwrap_or(0))
}

/// 32 bytes for a secret.
pub(crate) fn secret() -> Result<Zeroizing<[u8; 32]>, NoChance> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(bytes.as_mut_slice())?;
    Ok(bytes)
}

/// A draw for jitter and batch numbers. Nothing secret hangs on it: without randomness, zero does.
pub(crate) fn draw() -> u64 {
    u64().unwrap_or(0)
}

fn u64() -> Result<u64, getrandom::Error> {
    #[cfg(feature = "simulated")]
    if let Some(drawn) = seeded::draw() {
        return Ok(drawn);
    }
    getrandom::u64()
}

/// Chance of a seed, on the thread that asks for it and on no other.
#[cfg(feature = "simulated")]
pub mod seeded {
    use std::cell::Cell;

    thread_local! {
        static STATE: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// Draws by this seed on this thread from here on.
    pub fn seed(seed: u64) {
        STATE.set(Some(seed));
    }

    /// This thread belongs to a simulation.
    pub(crate) fn is_seeded() -> bool {
        STATE.get().is_some()
    }

    /// SplitMix64.
    pub(super) fn draw() -> Option<u64> {
        let state = STATE.get()?.wrapping_add(0x9E37_79B9_7F4A_7C15);
        STATE.set(Some(state));
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Some(mixed ^ (mixed >> 31))
    }
}
