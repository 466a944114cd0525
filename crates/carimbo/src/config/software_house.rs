//! `[responsavel_tecnico]`: the software house of the operator. The keys depend on each other, so they are checked
//! after all are read.

use engine::company::software_house::{SoftwareHouse, SoftwareHouseSecret};
use fiscal::value::Cnpj;
use std::fmt;
use zeroize::Zeroizing;

/// Values of the keys.
#[derive(Clone, Default)]
pub(crate) struct SoftwareHouseKeys {
    pub(super) cnpj: Option<String>,
    pub(super) contato: Option<String>,
    pub(super) email: Option<String>,
    pub(super) fone: Option<String>,
    pub(super) id_csrt: Option<u8>,
    pub(super) csrt: Option<Zeroizing<String>>,
}

impl SoftwareHouseKeys {
    /// Returns the software house, `None` when no key is set, or an error with the missing keys.
    pub(crate) fn house(&self) -> Result<Option<SoftwareHouse>, String> {
        let named = [("cnpj", &self.cnpj), ("contato", &self.contato), ("email", &self.email), ("fone", &self.fone)];
        let has_csrt = self.id_csrt.is_some() || self.csrt.is_some();
        if !has_csrt && named.iter().all(|(_, value)| value.is_none()) {
            return Ok(None);
        }
        let missing: Vec<&str> = named.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| *name).collect();
        let (Some(cnpj), Some(contato), Some(email), Some(fone)) = (&self.cnpj, &self.contato, &self.email, &self.fone)
        else {
            return Err(format!("responsavel_tecnico: falta {}", missing.join(", ")));
        };
        let csrt = match (self.id_csrt, &self.csrt) {
            (Some(id), Some(secret)) => Some(SoftwareHouseSecret { id, secret: secret.clone() }),
            (None, None) => None,
            _ => return Err("responsavel_tecnico: id_csrt e csrt só valem juntos".to_owned()),
        };
        Ok(Some(SoftwareHouse::new(cnpj, contato, email, fone, csrt)))
    }
}

/// Reads a CNPJ and removes its mask.
pub(super) fn cnpj(text: &str) -> Result<String, String> {
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let cnpj = Cnpj::parse(&plain).map_err(|_| format!("\"{text}\" não é um CNPJ"))?;
    Ok(cnpj.as_str().to_owned())
}

/// Reads six to fourteen digits, as the layout requires.
pub(super) fn fone(text: &str) -> Result<String, String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if (6..=14).contains(&digits.len()) { Ok(digits) } else { Err(format!("\"{text}\" não tem de 6 a 14 dígitos")) }
}

/// Reads the secret. No message repeats it.
pub(super) fn csrt(text: &str) -> Result<Zeroizing<String>, String> {
    let fits = (16..=36).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(Zeroizing::new(text.to_owned())) } else { Err("o CSRT tem de 16 a 36 letras e dígitos".to_owned()) }
}

/// Reads a text of `least` to `most` characters.
pub(super) fn text(value: &str, least: usize, most: usize) -> Result<String, String> {
    let fits = (least..=most).contains(&value.chars().count());
    if fits { Ok(value.to_owned()) } else { Err(format!("o texto deve ter de {least} a {most} caracteres")) }
}

impl fmt::Debug for SoftwareHouseKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SoftwareHouseKeys").field("cnpj", &self.cnpj).finish_non_exhaustive()
    }
}
