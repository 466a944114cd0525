//! CPF, the number of a person: eleven digits, the last two modulo 11 (MOC 7.0, anexo I).

use super::modulo;
use std::fmt;

/// 9 digits and two check digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cpf([u8; 11]);

/// Reason why a text is no CPF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCpf {
    /// Not 11 digits after removing the mask.
    #[error("o CPF tem 11 dígitos")]
    Shape,
    /// The check digits do not match, or all digits are equal.
    #[error("os dígitos verificadores do CPF não conferem")]
    CheckDigits,
}

impl Cpf {
    /// Reads a CPF with or without mask.
    pub fn parse(text: &str) -> Result<Cpf, InvalidCpf> {
        let positions: [u8; 11] = modulo::unmask(text).ok_or(InvalidCpf::Shape)?;
        if !positions.iter().all(u8::is_ascii_digit) {
            return Err(InvalidCpf::Shape);
        }
        let all_equal = positions.iter().all(|position| *position == positions[0]);
        let first = modulo::complement_11(modulo::weighted_sum(&positions[..9], 10));
        let second = modulo::complement_11(modulo::weighted_sum(&positions[..10], 11));
        if all_equal || positions[9..] != [first + b'0', second + b'0'] {
            return Err(InvalidCpf::CheckDigits);
        }
        Ok(Cpf(positions))
    }
    /// The 11 digits, without mask.
    pub fn as_str(&self) -> &str {
        modulo::ascii(&self.0)
    }
}

impl fmt::Display for Cpf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Cpf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cpf({self})")
    }
}

super::text_serde!(Cpf);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_the_check_digits_of_known_numbers() {
        assert_eq!(Cpf::parse("12345678909").unwrap().as_str(), "12345678909");
        assert_eq!(Cpf::parse("111.444.777-35").unwrap().as_str(), "11144477735");
    }

    #[test]
    fn refuses_wrong_digits_repeated_digits_and_wrong_lengths() {
        assert_eq!(Cpf::parse("12345678900"), Err(InvalidCpf::CheckDigits));
        assert_eq!(Cpf::parse("11111111111"), Err(InvalidCpf::CheckDigits));
        assert_eq!(Cpf::parse("1234567890"), Err(InvalidCpf::Shape));
        assert_eq!(Cpf::parse("1234567890A"), Err(InvalidCpf::Shape));
    }
}
