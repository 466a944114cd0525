//! Check of `<?xml version="1.0" encoding="UTF-8"?>`, because quick-xml accepts anything between `<?xml` and `?>`.
//!
//! Law: XML 1.0, 2.8 and 4.3.3.

/// The fault of a document's declaration, or `None`. `text` goes from `<?xml` to `?>`.
pub(super) fn fault(text: &str) -> Option<String> {
    let inside = text.strip_prefix("<?xml").and_then(|rest| rest.strip_suffix("?>"));
    let Some((version, rest)) = inside.and_then(|inside| pseudo_attribute(inside, "version")) else {
        return Some("a declaração XML não começa por version".to_owned());
    };
    let minor = version.strip_prefix("1.").unwrap_or_default();
    if minor.is_empty() || !minor.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(format!("versão {version} de XML"));
    }
    let (encoding, rest) = pseudo_attribute(rest, "encoding").map_or((None, rest), |(value, rest)| (Some(value), rest));
    let is_utf8 = |encoding: &&str| ["utf-8", "utf8"].contains(&encoding.to_ascii_lowercase().as_str());
    if let Some(encoding) = encoding.filter(|encoding| !is_utf8(encoding)) {
        return Some(format!("codificação {encoding}: só UTF-8 é aceita"));
    }
    let rest = match pseudo_attribute(rest, "standalone") {
        Some(("yes" | "no", rest)) => rest,
        Some((value, _)) => return Some(format!("standalone {value}")),
        None => rest,
    };
    (!rest.bytes().all(is_blank)).then(|| "declaração XML mal escrita".to_owned())
}

/// Reads a blank, the name, `=` and a quoted value; returns the value and the rest.
fn pseudo_attribute<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let rest = text.trim_start_matches(BLANKS);
    let rest = rest.strip_prefix(name).filter(|_| rest.len() < text.len())?;
    let rest = rest.trim_start_matches(BLANKS).strip_prefix('=')?.trim_start_matches(BLANKS);
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest[1..].split_once(quote)
}

const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

fn is_blank(byte: u8) -> bool {
    BLANKS.contains(&char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn takes_what_xml_takes() {
        for text in [
            "<?xml version=\"1.0\"?>",
            "<?xml version='1.0' encoding='utf-8'?>",
            "<?xml  version = \"1.0\"\nencoding=\"UTF-8\" standalone='yes' ?>",
            "<?xml version=\"1.0\" standalone=\"no\"?>",
            "<?xml version=\"1.0\" encoding=\"utf8\"?>",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn refuses_what_xml_refuses() {
        for text in [
            "<?xml?>",
            "<?xml encoding=\"UTF-8\"?>",
            "<?xmlversion=\"1.0\"?>",
            "<?xml version=\"1.0?>",
            "<?xml version=\"2.0\"?>",
            "<?xml version=\"1.0\"encoding=\"UTF-8\"?>",
            "<?xml version=\"1.0\" encoding=\"UTF-8?>",
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
            "<?xml version=\"1.0\" standalone=\"talvez\"?>",
            "<?xml version=\"1.0\" standalone=\"yes\" encoding=\"UTF-8\"?>",
            "<?xml version=\"1.0\" x?>",
        ] {
            assert!(fault(text).is_some(), "{text}");
        }
    }
}
