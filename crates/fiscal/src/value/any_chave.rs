//! The access key of a document of any type: 44 positions, or the 50 of a national NFS-e.

use super::{ChaveAcesso, InvalidChave, Uf, modulo};
use std::fmt;

/// An access key. Which kind it is is told by its length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Chave {
    /// Of NF-e, NFC-e, CT-e.
    Acesso(ChaveAcesso),
    /// Of a national NFS-e; its authority composes it.
    Nfse(ChaveNfse),
}

/// The key of a national NFS-e (manual of the contributors, `chNFSe`): 50 digits, the first twelve positions of the CNPJ may be letters.
///
/// Only its shape is checked. It is never composed here, and of keys with letters the official texts contradict each other about the
/// check digit and even about where the letters stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChaveNfse([u8; 50]);

impl Chave {
    /// Reads a key of either length.
    pub fn parse(text: &str) -> Result<Chave, InvalidChave> {
        match text.len() {
            50 => ChaveNfse::parse(text).map(Chave::Nfse),
            _ => ChaveAcesso::parse(text).map(Chave::Acesso),
        }
    }
    /// All positions.
    pub fn as_str(&self) -> &str {
        match self {
            Chave::Acesso(chave) => chave.as_str(),
            Chave::Nfse(chave) => chave.as_str(),
        }
    }
    /// The state that it begins with: that of the issuer, or of the município where the note is generated.
    pub fn uf(&self) -> Option<Uf> {
        Uf::from_code(self.as_str().get(..2)?.parse().ok()?)
    }
    /// The key of 44 positions, when it is one.
    pub fn acesso(&self) -> Option<ChaveAcesso> {
        match self {
            Chave::Acesso(chave) => Some(*chave),
            Chave::Nfse(_) => None,
        }
    }
}

impl ChaveNfse {
    /// Reads a key.
    pub fn parse(text: &str) -> Result<ChaveNfse, InvalidChave> {
        let key: [u8; 50] = text.as_bytes().try_into().map_err(|_| InvalidChave::Shape)?;
        let letters_allowed = |at: usize| (9..21).contains(&at);
        let shaped =
            |(at, byte): (usize, &u8)| byte.is_ascii_digit() || (letters_allowed(at) && byte.is_ascii_uppercase());
        if key.iter().enumerate().all(shaped) { Ok(ChaveNfse(key)) } else { Err(InvalidChave::Shape) }
    }
    /// The 50 positions.
    pub fn as_str(&self) -> &str {
        modulo::ascii(&self.0)
    }
    /// The município whose own server generated the note (`ambGer` 1), by its IBGE code; `None`: the Sefin Nacional did.
    pub fn own_municipality(&self) -> Option<u32> {
        let codigo = self.as_str().get(..7).filter(|_| self.0[7] == b'1')?;
        codigo.parse().ok()
    }
}

impl From<ChaveAcesso> for Chave {
    fn from(chave: ChaveAcesso) -> Chave {
        Chave::Acesso(chave)
    }
}

impl From<ChaveNfse> for Chave {
    fn from(chave: ChaveNfse) -> Chave {
        Chave::Nfse(chave)
    }
}

impl fmt::Display for Chave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Chave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chave({self})")
    }
}

impl fmt::Debug for ChaveNfse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChaveNfse({})", self.as_str())
    }
}

super::text_serde!(Chave);

#[cfg(test)]
mod tests {
    use super::*;

    const OF_GOODS: &str = "35261111222333000181550010000000011123456784";
    const OF_SERVICES: &str = "35503082212ABC34501DE35000000000000626113234567896";

    #[test]
    fn the_length_tells_what_a_key_is_of() {
        let goods = Chave::parse(OF_GOODS).unwrap();
        assert_eq!((goods.as_str(), goods.acesso()), (OF_GOODS, ChaveAcesso::parse(OF_GOODS).ok()));
        let services = Chave::parse(OF_SERVICES).unwrap();
        assert_eq!((services.as_str(), services.acesso()), (OF_SERVICES, None));
        let generated = |by: &str| ChaveNfse::parse(&format!("3550308{by}{}", &OF_SERVICES[8..])).unwrap();
        assert_eq!((generated("2").own_municipality(), generated("1").own_municipality()), (None, Some(3_550_308)));
        assert_eq!(serde_json::from_str::<Chave>(&serde_json::to_string(&services).unwrap()).unwrap(), services);
    }

    #[test]
    fn refuses_what_is_no_key() {
        let with_letter_in_number = OF_SERVICES.replace("6261", "6A61");
        for text in ["", "35", &OF_GOODS[..43], &OF_SERVICES[..49], with_letter_in_number.as_str()] {
            assert_eq!(Chave::parse(text), Err(InvalidChave::Shape), "{text}");
        }
        assert_eq!(Chave::parse(&OF_GOODS.replace("784", "785")), Err(InvalidChave::CheckDigit));
    }
}
