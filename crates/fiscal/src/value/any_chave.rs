//! The access key of a document of any type: 44 positions, or 50 for a national NFS-e; and the identity of a municipal
//! one, which has no key.

use super::{ChaveAcesso, InvalidChave, RpsId, TpAmb, Uf, modulo};
use std::fmt;

/// An access key. Its length determines the kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Chave {
    /// Key of NF-e, NFC-e, CT-e.
    Acesso(ChaveAcesso),
    /// Key of a national NFS-e, composed by its authority.
    Nfse(ChaveNfse),
    /// Identity of a municipal NFS-e: its RPS, in its environment. Internal to this service.
    Rps(ChaveRps),
}

/// Identity of a municipal NFS-e: `H` or `P` for its environment, then the text of its [`RpsId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChaveRps {
    text: [u8; LONGEST],
    len: u8,
}

/// Prefix of the key in `infNFSe/@Id`.
const NFSE_PREFIX: &str = "NFS";

/// Buffer size; the longest identity has 65 positions.
const LONGEST: usize = 72;

/// The key of a national NFS-e (manual of the contributors, `chNFSe`): 50 digits, of which the first twelve positions
/// of the CNPJ may be letters.
///
/// Only its shape is checked. It is never composed here, and for keys with letters the official texts contradict each
/// other about the check digit and about the positions of the letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChaveNfse([u8; 50]);

impl Chave {
    /// Reads a key of either length; of an NFS-e also its `Id`.
    pub fn parse(text: &str) -> Result<Chave, InvalidChave> {
        match text.len() {
            _ if text.get(1..4) == Some("RPS") => ChaveRps::parse(text).map(Chave::Rps),
            _ if text.starts_with(NFSE_PREFIX) => ChaveNfse::parse(text).map(Chave::Nfse),
            45.. => ChaveNfse::parse(text).map(Chave::Nfse),
            _ => ChaveAcesso::parse(text).map(Chave::Acesso),
        }
    }
    /// All positions.
    pub fn as_str(&self) -> &str {
        match self {
            Chave::Acesso(chave) => chave.as_str(),
            Chave::Nfse(chave) => chave.as_str(),
            Chave::Rps(chave) => chave.as_str(),
        }
    }
    /// State of its first two digits: the issuer's, or that of the município where the NFS-e is generated.
    pub fn uf(&self) -> Option<Uf> {
        let digits = self.as_str().trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        Uf::from_code(digits.get(..2)?.parse().ok()?)
    }
    /// The key, unless it is the internal one of a municipal NFS-e.
    pub fn public(self) -> Option<Chave> {
        match self {
            Chave::Acesso(_) | Chave::Nfse(_) => Some(self),
            Chave::Rps(_) => None,
        }
    }
    /// The identity of an RPS; `None` for other keys.
    pub fn rps(&self) -> Option<RpsId> {
        match self {
            Chave::Rps(chave) => chave.rps(),
            Chave::Acesso(_) | Chave::Nfse(_) => None,
        }
    }
    /// The key of 44 positions; `None` for other keys.
    pub fn acesso(&self) -> Option<ChaveAcesso> {
        match self {
            Chave::Acesso(chave) => Some(*chave),
            Chave::Nfse(_) | Chave::Rps(_) => None,
        }
    }
}

impl ChaveRps {
    /// The identity of an RPS in an environment; `None` when it is too long.
    pub fn of(ambiente: TpAmb, rps: &RpsId) -> Option<ChaveRps> {
        let word = if ambiente == TpAmb::Producao { 'P' } else { 'H' };
        ChaveRps::parse(&format!("{word}{rps}")).ok()
    }
    pub fn parse(text: &str) -> Result<ChaveRps, InvalidChave> {
        let identity = text.strip_prefix(['H', 'P']).ok_or(InvalidChave::Shape)?;
        let is_one = identity.parse::<RpsId>().is_ok_and(|rps| rps.to_string() == identity);
        let graphic = text.bytes().all(|letter| letter.is_ascii_graphic());
        let len = u8::try_from(text.len()).map_err(|_| InvalidChave::Shape)?;
        if !is_one || !graphic || text.len() > LONGEST {
            return Err(InvalidChave::Shape);
        }
        let mut letters = [0; LONGEST];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        Ok(ChaveRps { text: letters, len })
    }
    pub fn as_str(&self) -> &str {
        modulo::ascii(&self.text[..usize::from(self.len)])
    }
    /// Text of the RPS identity, without the environment.
    pub fn identity(&self) -> &str {
        self.as_str().get(1..).unwrap_or_default()
    }
    /// The identity of the RPS.
    pub fn rps(&self) -> Option<RpsId> {
        self.identity().parse().ok()
    }
}

impl ChaveNfse {
    /// Reads a key, or the `Id` of an NFS-e, in which `NFS` precedes the key.
    pub fn parse(text: &str) -> Result<ChaveNfse, InvalidChave> {
        let positions = text.strip_prefix(NFSE_PREFIX).unwrap_or(text);
        let key: [u8; 50] = positions.as_bytes().try_into().map_err(|_| InvalidChave::NfseShape)?;
        let letters_allowed = |at: usize| (9..21).contains(&at);
        let shaped =
            |(at, byte): (usize, &u8)| byte.is_ascii_digit() || (letters_allowed(at) && byte.is_ascii_uppercase());
        if key.iter().enumerate().all(shaped) { Ok(ChaveNfse(key)) } else { Err(InvalidChave::NfseShape) }
    }
    /// The 50 positions.
    pub fn as_str(&self) -> &str {
        modulo::ascii(&self.0)
    }
    /// IBGE code of the município whose own server generated the NFS-e (`ambGer` 1); `None` for the Sefin Nacional.
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

impl From<ChaveRps> for Chave {
    fn from(chave: ChaveRps) -> Chave {
        Chave::Rps(chave)
    }
}

impl fmt::Debug for ChaveRps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChaveRps({})", self.as_str())
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
    fn a_municipal_note_is_known_by_its_rps_in_its_environment() {
        let rps: RpsId = "RPS3138203-11222333000181-1-1-15-123-4/5".parse().unwrap();
        let test = Chave::from(ChaveRps::of(TpAmb::Homologacao, &rps).unwrap());
        let live = Chave::from(ChaveRps::of(TpAmb::Producao, &rps).unwrap());
        assert_ne!(test, live);
        assert_eq!(Chave::parse(test.as_str()), Ok(test));
        assert_eq!((test.rps(), test.uf(), test.acesso(), test.public()), (Some(rps), Some(Uf::MG), None, None));
        assert_eq!(serde_json::from_str::<Chave>(&serde_json::to_string(&live).unwrap()).unwrap(), live);
        for text in [
            "HRPS",
            "XRPS3138203-11222333000181-1-1-15-",
            "HRPS3138203-11222333000181-1-1-015-",
            "HRPS3138203-11222333000181-1-1-15-é",
        ] {
            assert_eq!(Chave::parse(text), Err(InvalidChave::Shape), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_key() {
        let with_letter_in_number = OF_SERVICES.replace("6261", "6A61");
        for text in ["", "35", &OF_GOODS[..43]] {
            assert_eq!(Chave::parse(text), Err(InvalidChave::Shape), "{text}");
        }
        for text in ["NFS", "NFS35", &OF_SERVICES[..49], with_letter_in_number.as_str()] {
            assert_eq!(Chave::parse(text), Err(InvalidChave::NfseShape), "{text}");
        }
        assert_eq!(Chave::parse(&format!("NFS{OF_SERVICES}")), Chave::parse(OF_SERVICES));
        assert_eq!(Chave::parse(&OF_GOODS.replace("784", "785")), Err(InvalidChave::CheckDigit));
    }
}
