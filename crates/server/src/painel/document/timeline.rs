//! History of a document, from its job's log: requests and answers verbatim.

use maud::{Markup, html};
use store::jobs::LogLine;

use super::path;
use super::records::DocumentRecords;
use crate::painel::words;

/// The lines of the log, oldest first; the newest ones of a long log.
pub(super) fn timeline(records: &DocumentRecords, live: Option<&str>) -> Markup {
    let mut lines: Vec<&LogLine> = records.log.iter().collect();
    // a warning may be written before an earlier line
    lines.sort_by_key(|line| line.at_ms);
    let skipped = lines.len().saturating_sub(MOST_LINES);
    html! {
        section id="historia" data-vivo=[live] aria-labelledby="historia-titulo" {
            h2 id="historia-titulo" { "História" }
            @if lines.is_empty() { p class="vazio" { "Nada aconteceu ainda." } }
            @if skipped > 0 {
                p { (skipped) " passos mais antigos estão na " a href={ (path(records.job.id)) "/arquivo/log" } { "história completa" } "." }
            }
            ol class="historia" { @for line in lines.into_iter().skip(skipped) { (entry(line, records)) } }
        }
    }
}

fn entry(line: &LogLine, records: &DocumentRecords) -> Markup {
    let at = words::moment_with_seconds(&records.time.at(line.at_ms.div_euclid(1_000)));
    let (head, body) = exchange(&line.text);
    html! {
        li {
            (at) br;
            (head)
            @if let Some((summary, body)) = body { details { summary { (summary) } pre { (body) } } }
        }
    }
}

/// A line of a request or a reply as its head and its verbatim body; all others whole.
fn exchange(text: &str) -> (&str, Option<(&'static str, &str)>) {
    let summary = match () {
        () if text.starts_with("Pedido: ") => "O que foi enviado",
        () if text.starts_with("Resposta em ") => "O que a autoridade respondeu",
        () => return (text, None),
    };
    match text.split_once(" bytes: ") {
        Some((head, body)) if !body.starts_with('(') => (head, Some((summary, body))),
        _ => (text, None),
    }
}

const MOST_LINES: usize = 200;

#[cfg(test)]
mod tests {
    use super::exchange;

    #[test]
    fn a_verbatim_answer_is_shown_apart() {
        let (head, body) = exchange("Resposta em 12 ms: HTTP 200, 9 bytes: <retorno>");
        assert_eq!(
            (head, body),
            ("Resposta em 12 ms: HTTP 200, 9", Some(("O que a autoridade respondeu", "<retorno>")))
        );
        let signed = "Pedido: POST https://sp/ws, NFeAutorizacao4, 9 bytes: (o documento assinado, guardado com o job)";
        assert_eq!(exchange(signed), (signed, None));
        assert_eq!(exchange("Autorizada."), ("Autorizada.", None));
    }
}
