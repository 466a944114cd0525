//! Addresses of mails: what a document or a person writes, checked before it stands in a command or a header.

use lettre::Address;

/// Longest address, in bytes (RFC 5321, 4.5.3.1.3).
const LONGEST: usize = 254;
/// Most addresses of one field.
const MOST: usize = 3;

/// Reason why a text names no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    #[error("não tem a forma de um e-mail, como nome@empresa.com.br")]
    Form,
    #[error("tem mais de {MOST} endereços")]
    TooMany,
}

/// Reads one address.
pub fn single_address(text: &str) -> Result<String, AddressFault> {
    let text = text.trim();
    let plain = |letter: char| !letter.is_whitespace() && !letter.is_control() && !"\"<>()[]\\,;:".contains(letter);
    let domain = text.rsplit_once('@').map(|(_, domain)| domain).ok_or(AddressFault::Form)?;
    if text.len() > LONGEST || !text.chars().all(plain) || !domain.contains('.') {
        return Err(AddressFault::Form);
    }
    text.parse::<Address>().map_err(|_| AddressFault::Form)?;
    Ok(text.to_owned())
}

/// Reads the addresses of a field, separated by `;` or `,`, each once.
pub fn addresses(text: &str) -> Result<Vec<String>, AddressFault> {
    let mut read: Vec<String> = Vec::new();
    for part in text.split([';', ',']).map(str::trim).filter(|part| !part.is_empty()) {
        let address = single_address(part)?;
        if !read.iter().any(|other| other.eq_ignore_ascii_case(&address)) {
            read.push(address);
        }
        if read.len() > MOST {
            return Err(AddressFault::TooMany);
        }
    }
    if read.is_empty() { Err(AddressFault::Form) } else { Ok(read) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_cannot_hold_a_header() {
        for wrong in [
            "",
            "a",
            "a@b",
            "a@b.com\r\nBcc: c@d.com",
            "a@b.com\nBcc: c@d.com",
            "a b@c.com",
            "<a@b.com>",
            "Maria <a@b.com>",
            "a@b.com>",
            "\"a b\"@c.com",
            "a@[127.0.0.1]",
            "a@b..com",
        ] {
            assert_eq!(single_address(wrong), Err(AddressFault::Form), "{wrong:?}");
        }
        assert_eq!(single_address(" a.b+c@d.com.br ").unwrap(), "a.b+c@d.com.br");
    }

    #[test]
    fn a_field_may_name_a_few_addresses() {
        assert_eq!(addresses("a@b.com; c@d.com,A@b.com").unwrap(), ["a@b.com", "c@d.com"]);
        assert_eq!(addresses("a@b.com;c@b.com;d@b.com;e@b.com"), Err(AddressFault::TooMany));
        assert_eq!(addresses("a@b.com; x"), Err(AddressFault::Form));
        assert_eq!(addresses(" ; "), Err(AddressFault::Form));
    }
}
