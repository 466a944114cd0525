//! Output of the demonstration: lines for a reader, colours only on a terminal.

use std::fmt::Display;
use std::io::IsTerminal as _;

/// Standard output, a terminal or a pipe.
pub(super) struct DemoOutput {
    colours: bool,
}

impl DemoOutput {
    /// Uses colours on a terminal unless `NO_COLOR` is set.
    pub(super) fn new() -> DemoOutput {
        DemoOutput { colours: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
    }

    /// Prints the first line.
    pub(super) fn title(&self, text: &str) {
        println!("\n  {}\n", self.paint("1", text));
    }

    /// Prints a heading.
    pub(super) fn heading(&self, text: &str) {
        println!("\n  {}\n", self.paint("1", text));
    }

    /// Prints a success.
    pub(super) fn print_success(&self, what: &str, detail: impl Display) {
        println!("  {} {} {detail}", self.paint("32", "✓"), pad(what, 26));
    }

    /// Prints a rejection or failure.
    pub(super) fn print_failure(&self, what: &str, detail: impl Display) {
        println!("  {} {} {detail}", self.paint("31", "✗"), pad(what, 26));
    }

    /// Prints a detail below the last line.
    pub(super) fn detail(&self, name: &str, value: impl Display) {
        println!("      {} {value}", self.paint("2", &pad(name, 10)));
    }

    /// Prints a line to copy.
    pub(super) fn code(&self, text: &str) {
        println!("    {}", self.paint("36", text));
    }

    /// Prints plain text.
    pub(super) fn paragraph(&self, text: &str) {
        println!("  {text}");
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colours { format!("\u{1b}[{colour}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Pads with spaces, counted in characters, not bytes.
fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// Formats a duration as `1,42 s`.
pub(super) fn seconds(elapsed: std::time::Duration) -> String {
    format!("{},{:02} s", elapsed.as_secs(), elapsed.subsec_millis() / 10)
}

/// Formats `1234.50` as `R$ 1.234,50`.
pub(super) fn reais(decimal: &str) -> String {
    let (whole, cents) = decimal.split_once('.').unwrap_or((decimal, "00"));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    format!("R$ {grouped},{cents}")
}

/// Formats an access key in groups of four.
pub(super) fn grouped_key(chave: &str) -> String {
    let groups: Vec<String> =
        chave.as_bytes().chunks(4).map(|group| String::from_utf8_lossy(group).into_owned()).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_and_time_are_written_as_brazilians_write_them() {
        assert_eq!(reais("1234567.50"), "R$ 1.234.567,50");
        assert_eq!(reais("100"), "R$ 100,00");
        assert_eq!(seconds(std::time::Duration::from_millis(1427)), "1,42 s");
        assert_eq!(grouped_key("3526111122"), "3526 1111 22");
    }
}
