//! CNPJ or CPF, as in the contract's `cpf_cnpj` and `CNPJCPF`.

use super::{Cnpj, Cpf, modulo};
use std::fmt;

/// A company or a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CnpjCpf {
    /// A company.
    Cnpj(Cnpj),
    /// A person.
    Cpf(Cpf),
}

/// Reason why a text is neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCnpjCpf {
    /// 14 positions were given.
    #[error(transparent)]
    Cnpj(#[from] super::InvalidCnpj),
    /// 11 digits were given.
    #[error(transparent)]
    Cpf(#[from] super::InvalidCpf),
    /// Neither 11 nor 14 positions.
    #[error("informe um CPF (11 dígitos) ou um CNPJ (14 posições)")]
    Length,
}

impl CnpjCpf {
    /// Reads either, with or without mask.
    pub fn parse(text: &str) -> Result<CnpjCpf, InvalidCnpjCpf> {
        match text.bytes().filter(|byte| !modulo::is_mask(*byte)).count() {
            11 => Ok(CnpjCpf::Cpf(Cpf::parse(text)?)),
            14 => Ok(CnpjCpf::Cnpj(Cnpj::parse(text)?)),
            _ => Err(InvalidCnpjCpf::Length),
        }
    }
    /// Without mask.
    pub fn as_str(&self) -> &str {
        match self {
            CnpjCpf::Cnpj(cnpj) => cnpj.as_str(),
            CnpjCpf::Cpf(cpf) => cpf.as_str(),
        }
    }
    /// The tag of the official layouts: `CNPJ` or `CPF`.
    pub fn tag(&self) -> &'static str {
        match self {
            CnpjCpf::Cnpj(_) => "CNPJ",
            CnpjCpf::Cpf(_) => "CPF",
        }
    }
}

impl fmt::Display for CnpjCpf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

super::text_serde!(CnpjCpf);

/// A CNPJ or CPF with its mask, letters included, for display; a text of another length unchanged.
pub fn masked(text: &str) -> String {
    match text.len() {
        14 if text.is_ascii() => {
            format!("{}.{}.{}/{}-{}", &text[..2], &text[2..5], &text[5..8], &text[8..12], &text[12..])
        }
        11 if text.is_ascii() => format!("{}.{}.{}-{}", &text[..3], &text[3..6], &text[6..9], &text[9..]),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_a_company_from_a_person_by_the_length() {
        assert_eq!(CnpjCpf::parse("111.444.777-35").unwrap().tag(), "CPF");
        assert_eq!(CnpjCpf::parse("11.222.333/0001-81").unwrap().tag(), "CNPJ");
        assert_eq!(CnpjCpf::parse("123"), Err(InvalidCnpjCpf::Length));
        assert!(matches!(CnpjCpf::parse("11222333000180"), Err(InvalidCnpjCpf::Cnpj(_))));
        assert!(matches!(CnpjCpf::parse("11144477734"), Err(InvalidCnpjCpf::Cpf(_))));
    }

    #[test]
    fn people_read_a_mask_and_what_fits_none_stays() {
        assert_eq!(masked("12ABC34501DE35"), "12.ABC.345/01DE-35");
        assert_eq!(masked("11144477735"), "111.444.777-35");
        assert_eq!(
            (masked("").as_str(), masked("123").as_str(), masked("çãoçãoção").as_str()),
            ("", "123", "çãoçãoção")
        );
    }
}
