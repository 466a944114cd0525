//! CNPJ, numeric or with letters.

use super::modulo;
use std::fmt;

/// 12 positions `[0-9A-Z]` and two check digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cnpj([u8; 14]);

/// Reason why a text is no CNPJ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCnpj {
    /// Not 14 positions of digits and letters after removing the mask.
    #[error("o CNPJ tem 14 posições: 12 letras ou dígitos e 2 dígitos verificadores")]
    Shape,
    /// The check digits do not match.
    #[error("os dígitos verificadores do CNPJ não conferem")]
    CheckDigits,
}

impl Cnpj {
    /// Reads a CNPJ with or without mask, lower case allowed.
    pub fn parse(text: &str) -> Result<Cnpj, InvalidCnpj> {
        let mut positions: [u8; 14] = modulo::unmask(text).ok_or(InvalidCnpj::Shape)?;
        positions.make_ascii_uppercase();
        let (base, digits) = positions.split_at(12);
        if !base.iter().all(u8::is_ascii_alphanumeric) || !digits.iter().all(u8::is_ascii_digit) {
            return Err(InvalidCnpj::Shape);
        }
        let all_zero = positions.iter().all(|position| *position == b'0');
        let first = modulo::digit_11(base);
        let second = modulo::digit_11(&positions[..13]);
        if all_zero || digits != [first + b'0', second + b'0'] {
            return Err(InvalidCnpj::CheckDigits);
        }
        Ok(Cnpj(positions))
    }
    /// The 14 positions, without mask.
    pub fn as_str(&self) -> &str {
        modulo::ascii(&self.0)
    }
    /// The first 8 positions, equal for all branches of a company.
    pub fn root(&self) -> &str {
        &self.as_str()[..8]
    }
}

impl fmt::Display for Cnpj {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Cnpj {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cnpj({self})")
    }
}

super::text_serde!(Cnpj);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_the_check_digits_of_known_numbers() {
        for (base, digits) in [
            ("12ABC34501DE", "35"),
            ("112223330001", "81"),
            ("1A2B3C4D0001", "79"),
            ("12ABC3450001", "88"),
            ("AAAAAAAAAAAA", "45"),
            ("ZZZZZZZZZZZZ", "62"),
            ("000000000001", "91"),
        ] {
            let whole = format!("{base}{digits}");
            assert_eq!(Cnpj::parse(&whole).map(|cnpj| cnpj.to_string()), Ok(whole));
        }
    }

    #[test]
    fn takes_a_mask_and_lower_case() {
        assert_eq!(Cnpj::parse("12.abc.345/01de-35"), Cnpj::parse("12ABC34501DE35"));
        assert_eq!(Cnpj::parse("11.222.333/0001-81").unwrap().root(), "11222333");
    }

    #[test]
    fn refuses_wrong_digits_wrong_lengths_and_zeros() {
        assert_eq!(Cnpj::parse("11222333000182"), Err(InvalidCnpj::CheckDigits));
        assert_eq!(Cnpj::parse("00000000000000"), Err(InvalidCnpj::CheckDigits));
        assert_eq!(Cnpj::parse("1122233300018"), Err(InvalidCnpj::Shape));
        assert_eq!(Cnpj::parse("112223330001811"), Err(InvalidCnpj::Shape));
        assert_eq!(Cnpj::parse("12ABC34501DEA5"), Err(InvalidCnpj::Shape));
        assert_eq!(Cnpj::parse("12ABÇ34501DE35"), Err(InvalidCnpj::Shape));
    }
}
