//! Inscrição estadual: length and check digits of the 27 states, by the rules of SINTEGRA.

use super::{Uf, modulo};
use modulo::{complement_11, digit, digit_11, weighted_sum};

/// Reason why an IE is invalid for its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidIe {
    /// Wrong length or characters.
    #[error("a inscrição estadual não tem o formato da UF")]
    Shape,
    /// The check digits do not match.
    #[error("o dígito verificador da inscrição estadual não confere")]
    CheckDigits,
}

/// Rule of a state for its IE.
struct IeRule {
    /// Allowed lengths, the shortest first; a shorter number is padded with zeros to the first.
    lengths: &'static [usize],
    /// First digits of every number.
    prefix: &'static str,
    /// Checks the check digits of a padded number.
    verifies: fn(&[u8]) -> bool,
}

/// Checks an IE (mask allowed) against the rule of its state.
pub fn check(uf: Uf, text: &str) -> Result<(), InvalidIe> {
    let positions: Vec<u8> = text.bytes().filter(|byte| !modulo::is_mask(*byte)).collect();
    if uf == Uf::SP && matches!(positions.first(), Some(b'P' | b'p')) {
        return check_sp_rural(&positions[1..]);
    }
    let rule = rule(uf);
    let shortest = rule.lengths.first().copied().unwrap_or(0);
    let mut padded = vec![b'0'; shortest.saturating_sub(positions.len())];
    padded.extend_from_slice(&positions);
    let shaped = padded.iter().all(u8::is_ascii_digit)
        && padded.iter().any(|position| *position != b'0')
        && rule.lengths.contains(&padded.len())
        && padded.starts_with(rule.prefix.as_bytes());
    if !shaped {
        return Err(InvalidIe::Shape);
    }
    if (rule.verifies)(&padded) { Ok(()) } else { Err(InvalidIe::CheckDigits) }
}

/// The rule of a state.
fn rule(uf: Uf) -> IeRule {
    let rule = |lengths, prefix, verifies| IeRule { lengths, prefix, verifies };
    match uf {
        Uf::AC => rule(&[13], "01", two_digits_11),
        Uf::AL => rule(&[9], "24", times_ten),
        Uf::AP => rule(&[9], "03", ap),
        Uf::BA => rule(&[8, 9], "", ba),
        Uf::DF => rule(&[13], "07", two_digits_11),
        Uf::GO => rule(&[9], "", go),
        Uf::MA => rule(&[9], "12", one_digit_11),
        Uf::MG => rule(&[13], "", mg),
        Uf::MT => rule(&[11], "", one_digit_11),
        Uf::PE => rule(&[9, 14], "", pe),
        Uf::PR => rule(&[10], "", pr),
        Uf::RJ => rule(&[8], "", rj),
        Uf::RN => rule(&[9, 10], "20", times_ten),
        Uf::RO => rule(&[9, 14], "", ro),
        Uf::RR => rule(&[9], "24", rr),
        Uf::RS => rule(&[10], "", one_digit_11),
        Uf::SP => rule(&[12], "", sp),
        Uf::TO => rule(&[9, 11], "", to),
        Uf::AM | Uf::CE | Uf::ES | Uf::MS | Uf::PA | Uf::PB | Uf::PI | Uf::SC | Uf::SE => rule(&[9], "", one_digit_11),
    }
}

/// The digits before the last `count`, and the last ones.
fn split(ie: &[u8], count: usize) -> (&[u8], &[u8]) {
    ie.split_at(ie.len().saturating_sub(count))
}

/// True when the last digit is this one.
fn ends_with(ie: &[u8], expected: u8) -> bool {
    ie.last() == Some(&(expected + b'0'))
}

/// Σ of digits by weights from the left.
fn sum_by(positions: &[u8], weights: &[u32]) -> u32 {
    positions.iter().zip(weights).map(|(position, weight)| u32::from(position - b'0') * weight).sum()
}

fn one_digit_11(ie: &[u8]) -> bool {
    ends_with(ie, digit_11(split(ie, 1).0))
}

fn two_digits_11(ie: &[u8]) -> bool {
    one_digit_11(split(ie, 1).0) && one_digit_11(ie)
}

/// AL and RN: the sum times ten, modulo 11; weights grow without cycling.
fn times_ten(ie: &[u8]) -> bool {
    let sum = weighted_sum(split(ie, 1).0, 10);
    ends_with(ie, digit(sum * 10 % 11))
}

fn ap(ie: &[u8]) -> bool {
    let base = split(ie, 1).0;
    let (plus, of_eleven) = match modulo::ascii(base).parse::<u32>().unwrap_or(0) {
        ..=3_017_000 => (5, 0),
        3_017_001..=3_019_022 => (9, 1),
        _ => (0, 0),
    };
    let expected = match 11 - (weighted_sum(base, 9) + plus) % 11 {
        11 => of_eleven,
        10 => 0,
        other => digit(other),
    };
    ends_with(ie, expected)
}

/// The second digit is computed first, over the base; the first over base and second.
fn ba(ie: &[u8]) -> bool {
    let (base, digits) = split(ie, 2);
    let deciding = ie[ie.len() - 8];
    let dv = |positions: &[u8]| {
        let sum = weighted_sum(positions, 9);
        if matches!(deciding, b'6' | b'7' | b'9') { complement_11(sum) } else { digit((10 - sum % 10) % 10) }
    };
    let second = dv(base);
    let mut with_second = base.to_vec();
    with_second.push(second + b'0');
    digits == [dv(&with_second) + b'0', second + b'0']
}

fn go(ie: &[u8]) -> bool {
    let base = split(ie, 1).0;
    let in_the_exception = (10_103_105..=10_119_997).contains(&modulo::ascii(base).parse::<u32>().unwrap_or(0));
    let expected = match weighted_sum(base, 9) % 11 {
        1 => u8::from(in_the_exception),
        rest => complement_11(rest),
    };
    ends_with(ie, expected)
}

fn mg(ie: &[u8]) -> bool {
    let (base, digits) = split(ie, 2);
    let widened = [&base[..3], b"0", &base[3..]].concat();
    let digit_sum = |product: u32| product / 10 + product % 10;
    let sum: u32 = widened
        .iter()
        .zip([1, 2].iter().cycle())
        .map(|(position, by)| digit_sum(u32::from(position - b'0') * by))
        .sum();
    let first = digit((10 - sum % 10) % 10);
    let second = complement_11(sum_by(split(ie, 1).0, &[3, 2, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]));
    digits == [first + b'0', second + b'0']
}

fn pe(ie: &[u8]) -> bool {
    if ie.len() == 9 {
        return two_digits_11(ie);
    }
    let rest = sum_by(split(ie, 1).0, &[5, 4, 3, 2, 1, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    ends_with(ie, digit(11 - rest))
}

fn pr(ie: &[u8]) -> bool {
    let (base, digits) = split(ie, 2);
    let first = complement_11(weighted_sum(base, 7));
    let second = complement_11(weighted_sum(split(ie, 1).0, 7));
    digits == [first + b'0', second + b'0']
}

fn rj(ie: &[u8]) -> bool {
    ends_with(ie, complement_11(weighted_sum(split(ie, 1).0, 7)))
}

/// In old numbers of nine digits only digits four to eight are weighted.
fn ro(ie: &[u8]) -> bool {
    let sum = if ie.len() == 9 { weighted_sum(&ie[3..8], 6) } else { weighted_sum(&ie[..13], 9) };
    ends_with(ie, digit(11 - sum % 11))
}

fn rr(ie: &[u8]) -> bool {
    ends_with(ie, digit(sum_by(split(ie, 1).0, &[1, 2, 3, 4, 5, 6, 7, 8]) % 9))
}

const SP_FIRST: [u32; 8] = [1, 3, 4, 5, 6, 7, 8, 10];

fn sp(ie: &[u8]) -> bool {
    let first = digit(sum_by(&ie[..8], &SP_FIRST) % 11);
    let second = digit(sum_by(&ie[..11], &[3, 2, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
    ie[8] == first + b'0' && ie[11] == second + b'0'
}

/// Rural producers: `P`, eight digits, one check digit, three digits.
fn check_sp_rural(ie: &[u8]) -> Result<(), InvalidIe> {
    if ie.len() != 12 || !ie.iter().all(u8::is_ascii_digit) {
        return Err(InvalidIe::Shape);
    }
    let right = ie[8] == digit(sum_by(&ie[..8], &SP_FIRST) % 11) + b'0';
    if right { Ok(()) } else { Err(InvalidIe::CheckDigits) }
}

/// Old numbers of eleven digits have the kind of company in digits three and four, which are not weighted.
fn to(ie: &[u8]) -> bool {
    if ie.len() == 9 {
        return one_digit_11(ie);
    }
    let weighed = [&ie[..2], &ie[4..10]].concat();
    ends_with(ie, digit_11(&weighed))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [(Uf, &str); 30] = [
        (Uf::AC, "0100482300112"),
        (Uf::AL, "240000048"),
        (Uf::AP, "030123459"),
        (Uf::AM, "999999990"),
        (Uf::BA, "12345663"),
        (Uf::BA, "61234557"),
        (Uf::BA, "100000306"),
        (Uf::CE, "060000015"),
        (Uf::DF, "0730000100109"),
        (Uf::ES, "999999990"),
        (Uf::GO, "109876547"),
        (Uf::MA, "120000385"),
        (Uf::MT, "00130000019"),
        (Uf::MS, "283123451"),
        (Uf::MG, "0623079040081"),
        (Uf::PA, "159999995"),
        (Uf::PB, "060000015"),
        (Uf::PR, "1234567850"),
        (Uf::PE, "032141840"),
        (Uf::PI, "012345679"),
        (Uf::RJ, "99999993"),
        (Uf::RN, "200400401"),
        (Uf::RN, "2000400400"),
        (Uf::RS, "2243658792"),
        (Uf::RO, "00000000625213"),
        (Uf::RR, "240066281"),
        (Uf::SC, "251040852"),
        (Uf::SP, "110042490114"),
        (Uf::SE, "271234563"),
        (Uf::TO, "29010227836"),
    ];

    #[test]
    fn accepts_the_published_number_of_every_state() {
        for (uf, ie) in KNOWN {
            assert_eq!(check(uf, ie), Ok(()), "{uf} {ie}");
        }
        assert_eq!(Uf::ALL.into_iter().filter(|uf| !KNOWN.iter().any(|(known, _)| known == uf)).count(), 0);
    }

    #[test]
    fn refuses_every_number_whose_last_digit_was_changed() {
        for (uf, ie) in KNOWN {
            let last = u32::from(ie.as_bytes()[ie.len() - 1] - b'0');
            for other in (0..10).filter(|digit| *digit != last) {
                let changed = format!("{}{other}", &ie[..ie.len() - 1]);
                assert_eq!(check(uf, &changed), Err(InvalidIe::CheckDigits), "{uf} {changed}");
            }
        }
    }

    #[test]
    fn takes_masks_and_lost_zeros_and_refuses_other_shapes() {
        assert_eq!(check(Uf::SP, "110.042.490.114"), Ok(()));
        assert_eq!(check(Uf::MT, "130000019"), Ok(()));
        assert_eq!(check(Uf::SP, "P-01100424.3/002"), Ok(()));
        assert_eq!(check(Uf::SP, "P-01100424.4/002"), Err(InvalidIe::CheckDigits));
        for wrong in ["", "ISENTO", "000000000000", "1100424901140", "11004249O114"] {
            assert_eq!(check(Uf::SP, wrong), Err(InvalidIe::Shape), "{wrong}");
        }
    }
}
