//! Codes of the municipal providers, with their texts and their form in answers.
//!
//! Law: the numbers are those of the annex of ABRASF 1.00, the words are ours (`book.tsv`). E174 was seen at a provider
//! for a message that is not signed; E180 and E181 are ours, for errors that every provider numbers as it likes (from
//! E162 on nothing is common).

use super::rps::RpsIdentity;
use crate::soap::escaped;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// An entry of `ListaMensagemRetorno`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReturnMessage {
    pub(super) codigo: String,
    /// Appended to the official text.
    about: Option<String>,
    /// Replaces the official text.
    replacement_text: Option<String>,
    /// RPS of a lot that the entry is about.
    rps: Option<RpsIdentity>,
}

static BOOK: LazyLock<HashMap<&'static str, (&'static str, &'static str)>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let mut columns = line.split('\t');
        Some((columns.next()?, (columns.next()?, columns.next()?)))
    };
    include_str!("book.tsv").lines().filter_map(read).collect()
});

impl ReturnMessage {
    pub(super) fn new(codigo: &str) -> ReturnMessage {
        ReturnMessage { codigo: codigo.to_owned(), about: None, replacement_text: None, rps: None }
    }
    /// With its own text, if given.
    pub(super) fn with_replaced_text(codigo: &str, words: Option<&str>) -> ReturnMessage {
        ReturnMessage { replacement_text: words.map(str::to_owned), ..ReturnMessage::new(codigo) }
    }
    pub(super) fn about(codigo: &str, about: impl Into<String>) -> ReturnMessage {
        ReturnMessage { about: Some(about.into()), ..ReturnMessage::new(codigo) }
    }
    pub(super) fn of(self, rps: &RpsIdentity) -> ReturnMessage {
        ReturnMessage { rps: Some(rps.clone()), ..self }
    }
    /// Removes the RPS: the entry is about the message as a whole.
    pub(super) fn without_rps(self) -> ReturnMessage {
        ReturnMessage { rps: None, ..self }
    }
    fn texts(&self) -> (String, &'static str) {
        let (message, remedy) = BOOK.get(self.codigo.as_str()).copied().unwrap_or(("Erro simulado.", ""));
        let message = self.replacement_text.as_deref().unwrap_or(message);
        let message = match &self.about {
            Some(about) => format!("{message} ({about})"),
            None => message.to_owned(),
        };
        // tsDescricaoMensagemAlerta has 200 characters.
        (message.chars().take(200).collect(), remedy)
    }
}

/// The list of an answer: of the lot where every entry names an RPS, else of the message.
pub(super) fn list(problems: &[ReturnMessage]) -> String {
    let in_lot = problems.iter().all(|problem| problem.rps.is_some());
    let mut xml = String::new();
    for problem in problems {
        let (message, remedy) = problem.texts();
        let message = escaped(message.trim());
        xml.push_str("<MensagemRetorno>");
        if let (true, Some(rps)) = (in_lot, &problem.rps) {
            let _ = write!(xml, "<IdentificacaoRps>{}</IdentificacaoRps>", rps.leaves());
        }
        let _ = write!(xml, "<Codigo>{}</Codigo><Mensagem>{message}</Mensagem>", escaped(&problem.codigo));
        if !in_lot && !remedy.is_empty() {
            let remedy: String = remedy.chars().take(200).collect();
            let _ = write!(xml, "<Correcao>{}</Correcao>", escaped(remedy.trim()));
        }
        xml.push_str("</MensagemRetorno>");
    }
    let name = if in_lot { "ListaMensagemRetornoLote" } else { "ListaMensagemRetorno" };
    format!("<{name}>{xml}</{name}>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_book_is_read() {
        assert_eq!(BOOK.len(), include_str!("book.tsv").lines().count());
        assert!(BOOK.keys().all(|codigo| codigo.len() <= 4));
    }

    #[test]
    fn a_list_is_of_the_lot_when_every_problem_names_its_rps() {
        let rps = RpsIdentity { numero: "1".into(), serie: "A".into(), tipo: "1".into() };
        let of_lot = list(&[ReturnMessage::new("E10").of(&rps)]);
        assert!(
            of_lot.starts_with("<ListaMensagemRetornoLote><MensagemRetorno><IdentificacaoRps><Numero>1</Numero>"),
            "{of_lot}"
        );
        let of_message = list(&[ReturnMessage::about("E160", "falta <Rps>")]);
        assert!(of_message.contains("(falta &lt;Rps&gt;)</Mensagem><Correcao>"), "{of_message}");
    }
}
