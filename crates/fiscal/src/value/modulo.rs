//! Check-digit arithmetic and mask removal shared by CNPJ, CPF, access key and IE.

/// The `N` positions of a text without `.`, `/`, `-` and blanks; `None` when the count differs.
pub(super) fn unmask<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut positions = [0; N];
    let mut filled = 0;
    for byte in text.bytes().filter(|byte| !is_mask(*byte)) {
        *positions.get_mut(filled)? = byte;
        filled += 1;
    }
    (filled == N).then_some(positions)
}

/// True for a byte of a document number's mask.
pub(super) fn is_mask(byte: u8) -> bool {
    matches!(byte, b'.' | b'/' | b'-' | b' ')
}

/// Value of a position: its ASCII code less 48, for digits and letters (technical note 2025.001).
fn value(position: u8) -> u32 {
    u32::from(position.saturating_sub(b'0'))
}

/// Σ position × weight, weights 2 to `last` cycling from the right.
pub(super) fn weighted_sum(positions: &[u8], last: u32) -> u32 {
    positions.iter().rev().zip((2..=last).cycle()).map(|(position, weight)| value(*position) * weight).sum()
}

/// 11 less the remainder of the sum (weights 2..9), with 10 and 11 as 0.
pub(super) fn digit_11(positions: &[u8]) -> u8 {
    complement_11(weighted_sum(positions, 9))
}

/// 11 less the remainder, with 10 and 11 as 0.
pub(super) fn complement_11(sum: u32) -> u8 {
    match sum % 11 {
        0 | 1 => 0,
        rest => digit(11 - rest),
    }
}

/// A number below 10 as a digit.
pub(super) fn digit(number: u32) -> u8 {
    u8::try_from(number % 10).unwrap_or(0)
}

/// Positions as text; they are ASCII, checked when read.
pub(super) fn ascii(positions: &[u8]) -> &str {
    std::str::from_utf8(positions).unwrap_or("")
}
