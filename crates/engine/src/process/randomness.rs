//! Randomness of the operating system, drawn here only. A simulation replaces it on its own thread by a seeded series.

use fiscal::value::ChaveAcesso;
use zeroize::Zeroizing;

/// The system gives no randomness, so nothing that must be unguessable may be made.
#[derive(Debug, thiserror::Error)]
#[error("o sistema operacional não forneceu números aleatórios: {0}")]
pub(crate) struct NoRandomness(#[from] getrandom::Error);

/// `true` if a code may stand in a key beside this number. A number with more digits than a key holds excludes no code.
pub(crate) fn is_allowed(code: u32, numero: Option<u64>) -> bool {
    let numero = numero.and_then(|numero| u32::try_from(numero).ok());
    ChaveAcesso::code_is_allowed(code, numero.unwrap_or(0))
}

/// Returns 32 random bytes for a secret.
pub(crate) fn secret() -> Result<Zeroizing<[u8; 32]>, NoRandomness> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(bytes.as_mut_slice())?;
    Ok(bytes)
}

/// Returns a random number for jitter and batch numbers; 0 without randomness, which none of them needs for secrecy.
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

/// Seeded randomness, on the calling thread only.
#[cfg(feature = "simulated")]
pub mod seeded {
    use std::cell::Cell;

    thread_local! {
        static STATE: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// Seeds all further draws of this thread.
    pub fn seed(seed: u64) {
        STATE.set(Some(seed));
    }

    /// `true` on a thread that belongs to a simulation.
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
