//! Access keys and protocol numbers in answers of authorities, checked by form before they are used in a path, page or
//! document.

use super::ChaveNfse;

/// True for the form of an access key: 44 positions, or 50 for a national NFS-e. Its check digit is not checked.
pub fn has_chave_form(text: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    match text.as_bytes() {
        bytes if bytes.len() == 44 => bytes.iter().enumerate().all(|(at, byte)| match at {
            6..18 => is_letter(byte),
            _ => byte.is_ascii_digit(),
        }),
        bytes => bytes.len() == 50 && ChaveNfse::parse(text).is_ok(),
    }
}

/// A protocol number (`nProt`): 15 to 17 digits. `None` for other texts.
///
/// Law: the schemas of NF-e and CT-e (`TProt`).
pub fn protocol(text: &str) -> Option<&str> {
    is_digits(text, 15, 17).then_some(text)
}

/// The number of a document or event of the national NFS-e (`nDFSe`): up to 15 digits. `None` for other texts.
pub fn dfe_number(text: &str) -> Option<&str> {
    is_digits(text, 1, 15).then_some(text)
}

fn is_digits(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_of_the_right_count_are_a_protocol() {
        for text in ["135260000000001", "13526000000000123"] {
            assert_eq!(protocol(text), Some(text));
        }
        for text in
            ["", "1", "13526000000000", "135260000000001234", "13526000000000x", "../../etc/passwd", "<b>13526000</b>"]
        {
            assert_eq!(protocol(text), None, "{text}");
        }
        let chave = "35261111222333000181550010000000011847362510";
        assert!(has_chave_form(chave) && has_chave_form(&chave.replace("11222333000181", "12ABC34501DE35")));
        for text in ["", "1", &chave[1..], &format!("{chave}0"), &chave.replace("2510", "25/.")] {
            assert!(!has_chave_form(text), "{text}");
        }
        assert!(
            !has_chave_form("../../../../../../../../../../../../etc/passwd")
                && !has_chave_form(&"<b>".repeat(15)[..44])
        );
        assert_eq!((dfe_number("1"), dfe_number("1234567890123456"), dfe_number("1/2")), (Some("1"), None, None));
    }
}
