//! An error with its causes on one line, from the failed action to the last cause.

use store::os_errors;

pub(super) fn error_line(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in error.chain().map(os_errors::error_text) {
        // an error that already contains the text of its cause would repeat it
        if parts.last().is_none_or(|last| !last.ends_with(&part)) {
            parts.push(part);
        }
    }
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::error_line;
    use anyhow::Context as _;

    #[test]
    fn a_cause_is_said_in_portuguese_wherever_it_stands() {
        let missing = std::fs::read("/nada/aqui").context("/nada/aqui").context("a lista não pôde ser lida");
        assert_eq!(error_line(&missing.unwrap_err()), "a lista não pôde ser lida: /nada/aqui: não existe");
        assert_eq!(error_line(&anyhow::anyhow!("só isto")), "só isto");
    }
}
