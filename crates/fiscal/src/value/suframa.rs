//! Inscrição SUFRAMA: its check digit and its region.
//!
//! Law: MOC 7.0 anexo I, E18-20 and E18-30; MOC CT-e 4.00 anexo I, G130 and G131.

/// True for nine digits with a correct check digit: weights 2 to 9 from the right, modulo 11.
pub(crate) fn is_right(isuf: &str) -> bool {
    let digits: Vec<u32> = isuf.chars().filter_map(|digit| digit.to_digit(10)).collect();
    let Some((check, base)) = digits.split_last().filter(|_| digits.len() == 9) else { return false };
    let sum: u32 = base.iter().rev().zip(2..).map(|(digit, weight)| digit * weight).sum();
    *check == if sum % 11 < 2 { 0 } else { 11 - sum % 11 }
}

/// True for a place in the region: Acre, Amazonas, Rondônia, Roraima, and Macapá and Santana of Amapá.
pub(crate) fn covers(uf: &str, cMun: &str) -> bool {
    matches!(uf, "AC" | "AM" | "RO" | "RR") || (uf == "AP" && matches!(cMun, "1600303" | "1600600"))
}
