//! Identity of an RPS, by which the provider is queried before there is an NFS-e.
//!
//! Law: ABRASF, `tcIdentificacaoRps` and `tcIdentificacaoPrestador`: the number counts by prestador, series and kind.

use super::{CnpjCpf, Serie};
use std::fmt;
use std::str::FromStr;

/// Identity of an RPS. Its text is `RPS3138203-11222333000181-1-A-15-12345`: município, document, kind, series, number,
/// registration.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RpsId {
    /// Code of the IBGE.
    pub municipio: u32,
    /// CNPJ or CPF of the issuer.
    pub prestador: CnpjCpf,
    /// Municipal registration of the issuer.
    pub inscricao_municipal: Option<String>,
    /// 1 RPS, 2 nota conjugada, 3 cupom.
    pub tipo: u8,
    /// Digits or letters, at most five.
    pub serie: Serie,
    /// At most fifteen digits.
    pub numero: u64,
}

/// The text is no identity of an RPS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("identificação de RPS inválida: é RPS<município>-<CNPJ ou CPF>-<tipo>-<série>-<número>-<inscrição municipal>")]
pub struct InvalidRpsId;

impl fmt::Display for RpsId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RpsId { municipio, prestador, tipo, serie, numero, .. } = self;
        let registration = self.inscricao_municipal.as_deref().unwrap_or_default();
        write!(f, "RPS{municipio}-{prestador}-{tipo}-{serie}-{numero}-{registration}")
    }
}

impl FromStr for RpsId {
    type Err = InvalidRpsId;

    fn from_str(text: &str) -> Result<RpsId, InvalidRpsId> {
        // the registration comes last, because it may hold hyphens
        let mut parts = text.strip_prefix("RPS").ok_or(InvalidRpsId)?.splitn(6, '-');
        let mut part = || parts.next().ok_or(InvalidRpsId);
        Ok(RpsId {
            municipio: part()?.parse().map_err(|_| InvalidRpsId)?,
            prestador: CnpjCpf::parse(part()?).map_err(|_| InvalidRpsId)?,
            tipo: part()?.parse().map_err(|_| InvalidRpsId)?,
            serie: Serie::parse(part()?).map_err(|_| InvalidRpsId)?,
            numero: part()?.parse().map_err(|_| InvalidRpsId)?,
            inscricao_municipal: Some(part()?).filter(|text| !text.is_empty()).map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_and_its_text_are_one() {
        for (document, serie, registration) in [
            ("11222333000181", "1", Some("12345")),
            ("11144477735", "NF", None),
            ("12ABC34501DE35", "A", Some("1-2-3/4")),
        ] {
            let id = RpsId {
                municipio: 3_138_203,
                prestador: CnpjCpf::parse(document).unwrap(),
                inscricao_municipal: registration.map(str::to_owned),
                tipo: 1,
                serie: Serie::parse(serie).unwrap(),
                numero: 999_999_999_999_999,
            };
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for text in [
            "",
            "RPS",
            "RPS3138203-11222333000181-1-1-15",
            "DPS3138203-11222333000181-1-1-15-",
            "RPSx-11222333000181-1-1-15-",
        ] {
            assert_eq!(text.parse::<RpsId>(), Err(InvalidRpsId), "{text}");
        }
    }
}
