//! Randomness of the operating system: the one place that draws it.

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
    getrandom::u64().unwrap_or(0)
}
