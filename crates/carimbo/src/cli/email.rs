//! Form of an e-mail address, checked before an account is created: a mistyped address could not log in.

use anyhow::bail;

/// Longest address, in bytes (RFC 5321, 4.5.3.1.3).
const LONGEST: usize = 254;

/// Returns the trimmed address in small letters, or an error that names the expected form.
pub(super) fn normalized_email(text: &str) -> anyhow::Result<String> {
    let text = text.trim();
    if !has_form(text) {
        bail!("\"{text}\" não tem a forma de um e-mail; informe um como nome@empresa.com.br. Nada foi criado");
    }
    Ok(text.to_lowercase())
}

fn has_form(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let plain = |letter: char| !letter.is_whitespace() && !letter.is_control() && !"@,;<>()[]\\\"".contains(letter);
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    text.len() <= LONGEST
        && !local.is_empty()
        && local.chars().all(plain)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && domain.contains('.')
        && domain.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::normalized_email;

    #[test]
    fn takes_what_people_have_and_refuses_what_they_mistype() {
        for good in ["dono@exemplo.com.br", "Maria.Silva+nfe@loja-1.com", "joão@padaria.br"] {
            assert_eq!(normalized_email(good).unwrap(), good.to_lowercase());
        }
        for wrong in [
            "",
            "dono",
            "dono@",
            "@loja.com",
            "dono@loja",
            "a b@loja.com",
            "a@b@loja.com",
            "dono@loja..com",
            "dono@loja.com,",
        ] {
            let told = normalized_email(wrong).unwrap_err().to_string();
            assert!(told.contains("nome@empresa.com.br"), "{told}");
        }
    }
}
