//! The 44-position access key (MOC 7.0, visão geral, 2.2.6.1).

use super::{Cnpj, CnpjCpf, Cpf, Uf, modulo};
use std::borrow::Cow;
use std::fmt;

/// A key with correct shape and check digit. Letters are allowed in the CNPJ positions only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChaveAcesso([u8; 44]);

/// Parts of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChaveParts {
    /// State of the issuer.
    pub uf: Uf,
    /// Two digits year and month of `dhEmi` in its own offset, e.g. `2611`.
    pub aamm: u16,
    /// Issuer.
    pub emitente: CnpjCpf,
    /// 55, 65, 57, 67.
    pub modelo: u8,
    /// 0 to 999.
    pub serie: u16,
    /// 1 to 999999999.
    pub nNF: u32,
    /// Form of emission; contingency changes the key.
    pub tpEmis: u8,
    /// 8 random digits.
    pub cNF: u32,
}

/// Reason why a text is no access key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidChave {
    /// Not `[0-9]{6}[0-9A-Z]{12}[0-9]{26}`.
    #[error("a chave de acesso tem 44 posições")]
    Shape,
    /// Not 50 positions, for an NFS-e.
    #[error("a chave da NFS-e tem 50 posições (no XML, as que vêm depois de NFS no Id de infNFSe)")]
    NfseShape,
    /// The check digit does not match.
    #[error("o dígito verificador da chave de acesso não confere")]
    CheckDigit,
    /// The first two digits are no state.
    #[error("os dois primeiros dígitos da chave de acesso não são código de UF")]
    Uf,
    /// Positions 7 to 20 are neither CNPJ nor CPF.
    #[error("o CNPJ ou CPF dentro da chave de acesso é inválido")]
    Emitente,
}

/// The positions of a key that is printed in blocks, or prefixed as in an `Id`: without blanks and marks, in capitals.
pub fn bare_chave(text: &str) -> Cow<'_, str> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    let is_mark = |letter: char| letter.is_whitespace() || matches!(letter, '.' | '/' | '-');
    let bare: String = text.chars().filter(|letter| !is_mark(*letter)).collect::<String>().to_uppercase();
    let number = ["NFE", "CTE", "NFSE"].iter().find_map(|letters| bare.strip_prefix(letters)).map(str::to_owned);
    Cow::Owned(number.unwrap_or(bare))
}

impl ChaveAcesso {
    /// Composes a key with its check digit.
    pub fn compose(parts: &ChaveParts) -> ChaveAcesso {
        let mut key = [b'0'; 44];
        write_digits(&mut key[0..2], u32::from(parts.uf.code()));
        write_digits(&mut key[2..6], u32::from(parts.aamm));
        let emitente = parts.emitente.as_str().as_bytes();
        key[20 - emitente.len()..20].copy_from_slice(emitente);
        write_digits(&mut key[20..22], u32::from(parts.modelo));
        write_digits(&mut key[22..25], u32::from(parts.serie));
        write_digits(&mut key[25..34], parts.nNF);
        write_digits(&mut key[34..35], u32::from(parts.tpEmis));
        write_digits(&mut key[35..43], parts.cNF);
        key[43] = modulo::digit_11(&key[..43]) + b'0';
        ChaveAcesso(key)
    }
    pub fn parse(text: &str) -> Result<ChaveAcesso, InvalidChave> {
        let key: [u8; 44] = text.as_bytes().try_into().map_err(|_| InvalidChave::Shape)?;
        let letters_allowed = |at: usize| (6..18).contains(&at);
        let shaped =
            |(at, byte): (usize, &u8)| byte.is_ascii_digit() || (letters_allowed(at) && byte.is_ascii_uppercase());
        if !key.iter().enumerate().all(shaped) {
            return Err(InvalidChave::Shape);
        }
        if key[43] != modulo::digit_11(&key[..43]) + b'0' {
            return Err(InvalidChave::CheckDigit);
        }
        uf(&key).ok_or(InvalidChave::Uf)?;
        emitente(&key).ok_or(InvalidChave::Emitente)?;
        Ok(ChaveAcesso(key))
    }
    /// The 44 positions.
    pub fn as_str(&self) -> &str {
        modulo::ascii(&self.0)
    }
    /// The check digit.
    pub fn cDV(&self) -> u8 {
        self.0[43] - b'0'
    }
    /// True when both have the same issuer, model, series and number.
    pub fn has_number_of(&self, other: &ChaveAcesso) -> bool {
        let number = |chave: &ChaveAcesso| {
            let ChaveParts { emitente, modelo, serie, nNF, .. } = chave.parts();
            (emitente, modelo, serie, nNF)
        };
        number(self) == number(other)
    }
    /// The parts of the key.
    #[expect(clippy::unreachable, reason = "parse and compose take no key whose state or issuer cannot be read back")]
    pub fn parts(&self) -> ChaveParts {
        let key = &self.0;
        let (Some(uf), Some(emitente)) = (uf(key), emitente(key)) else { unreachable!() };
        ChaveParts {
            uf,
            aamm: narrow(number(&key[2..6])),
            emitente,
            modelo: narrow(number(&key[20..22])),
            serie: narrow(number(&key[22..25])),
            nNF: number(&key[25..34]),
            tpEmis: narrow(number(&key[34..35])),
            cNF: number(&key[35..43]),
        }
    }
    /// True when `cNF` may be used with this number (cStat 897): not eight equal digits, not a run such as 12345678
    /// (wrapping from 9 to 0), not the number itself.
    pub fn code_is_allowed(cNF: u32, nNF: u32) -> bool {
        let mut digits = [b'0'; 8];
        write_digits(&mut digits, cNF);
        let steps_by = |step: u8| digits.windows(2).all(|pair| (pair[0] - b'0' + step) % 10 == pair[1] - b'0');
        cNF <= 99_999_999 && cNF != nNF && !steps_by(0) && !steps_by(1)
    }
}

/// State of a key.
fn uf(key: &[u8; 44]) -> Option<Uf> {
    Uf::from_code(narrow(number(&key[0..2])))
}

/// Issuer of a key. `00000000191` is a CPF and, padded, a CNPJ: the series reserved for persons (910 to 969) decide.
fn emitente(key: &[u8; 44]) -> Option<CnpjCpf> {
    let text = modulo::ascii(&key[6..20]);
    let of_a_person = text.starts_with("000") && (910..=969).contains(&number(&key[22..25]));
    let cpf = || Cpf::parse(text.get(3..)?).ok().map(CnpjCpf::Cpf);
    let cnpj = || Cnpj::parse(text).ok().map(CnpjCpf::Cnpj);
    if of_a_person { cpf().or_else(cnpj) } else { cnpj().or_else(cpf) }
}

/// Writes a number right-aligned over zeros.
fn write_digits(positions: &mut [u8], mut number: u32) {
    for position in positions.iter_mut().rev() {
        *position = b'0' + modulo::digit(number % 10);
        number /= 10;
    }
}

/// Digits as a number.
fn number(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'))
}

/// Converts a number whose width ensures that it fits.
fn narrow<T: TryFrom<u32> + Default>(number: u32) -> T {
    T::try_from(number).unwrap_or_default()
}

impl fmt::Display for ChaveAcesso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ChaveAcesso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChaveAcesso({self})")
    }
}

super::text_serde!(ChaveAcesso);

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 6] = [
        "35261111222333000181550010000000011123456784",
        "35261111222333000181650010000000011123456787",
        "35261112ABC34501DE35550010000000011100001234",
        "28170800156225000131650110000151341562040828",
        "41180678393592000146558900000006041028190697",
        "43261111222333000181570010000000421876543210",
    ];

    #[test]
    fn reads_known_keys_and_composes_them_again_from_their_parts() {
        for text in KEYS {
            let key = ChaveAcesso::parse(text).unwrap();
            assert_eq!(ChaveAcesso::compose(&key.parts()).as_str(), text);
        }
    }

    #[test]
    fn knows_what_a_key_is_composed_of() {
        let parts = ChaveAcesso::parse(KEYS[2]).unwrap().parts();
        assert_eq!((parts.uf, parts.aamm, parts.modelo), (Uf::SP, 2611, 55));
        assert_eq!((parts.serie, parts.nNF, parts.tpEmis, parts.cNF), (1, 1, 1, 10_000_123));
        assert_eq!(parts.emitente.as_str(), "12ABC34501DE35");
    }

    #[test]
    fn keeps_the_cpf_of_a_rural_producer() {
        let mut parts = ChaveAcesso::parse(KEYS[0]).unwrap().parts();
        parts.emitente = CnpjCpf::parse("11144477735").unwrap();
        parts.serie = 920;
        let key = ChaveAcesso::compose(&parts);
        assert_eq!(&key.as_str()[6..20], "00011144477735");
        assert_eq!(ChaveAcesso::parse(key.as_str()).unwrap().parts(), parts);
    }

    #[test]
    fn refuses_a_key_with_a_wrong_digit_shape_state_or_issuer() {
        let with = |at: std::ops::Range<usize>, text: &str| {
            let mut key = KEYS[0].to_owned();
            key.replace_range(at, text);
            let digit = modulo::digit_11(&key.as_bytes()[..43]);
            key.replace_range(43.., &digit.to_string());
            ChaveAcesso::parse(&key)
        };
        assert_eq!(ChaveAcesso::parse(&KEYS[0][..43]), Err(InvalidChave::Shape));
        assert_eq!(ChaveAcesso::parse(&KEYS[0].replace("784", "785")), Err(InvalidChave::CheckDigit));
        assert_eq!(with(0..2, "99"), Err(InvalidChave::Uf));
        assert_eq!(with(6..8, "12"), Err(InvalidChave::Emitente));
        assert_eq!(with(0..1, "A"), Err(InvalidChave::Shape));
    }

    #[test]
    fn forbids_the_random_codes_that_anybody_could_guess() {
        for cNF in [0, 11_111_111, 12_345_678, 90_123_456, 1_234_567, 67_890_123, 100_000_000] {
            assert!(!ChaveAcesso::code_is_allowed(cNF, 1), "{cNF}");
        }
        assert!(!ChaveAcesso::code_is_allowed(4_711, 4_711));
        assert!(ChaveAcesso::code_is_allowed(84_736_251, 1));
    }
}
