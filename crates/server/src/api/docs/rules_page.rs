//! Builder of a page of rules: an introduction, then tables, each with an anchor of its own.
//!
//! Must not know: any rule. Each family writes its rows.

use std::fmt::Write as _;

use super::markdown::to_html;
use super::page::frame;

/// A page under construction.
pub(super) struct RulesPage {
    body: String,
    contents: Vec<(usize, String, String)>,
    columns: &'static [&'static str],
}

impl RulesPage {
    /// Begins with the introduction and the number of rules checked before a document is sent.
    pub(super) fn begin(lead: &str, asked: usize, columns: &'static [&'static str]) -> RulesPage {
        let mut body = to_html(lead);
        let _ = write!(body, "<p>{asked} regras são conferidas antes do envio.</p>");
        RulesPage { body, contents: Vec::new(), columns }
    }

    /// Adds a table under its title; text common to its rows may precede it.
    pub(super) fn table<R>(
        &mut self,
        anchor: &str,
        (title, lead): (&str, &str),
        rows: impl IntoIterator<Item = R>,
        row: impl Fn(&mut String, R),
    ) {
        let lead = if lead.is_empty() { String::new() } else { format!("<p>{lead}</p>") };
        let _ = write!(
            self.body,
            "<h2 id=\"{anchor}\"><a href=\"#{anchor}\">{title}</a></h2>{lead}<div class=\"tabela\"><table class=\"regras\"><thead><tr>"
        );
        self.columns.iter().for_each(|column| _ = write!(self.body, "<th>{column}</th>"));
        self.body.push_str("</tr></thead><tbody>");
        rows.into_iter().for_each(|one| row(&mut self.body, one));
        self.body.push_str("</tbody></table></div>");
        self.contents.push((2, title.to_owned(), anchor.to_owned()));
    }

    /// Ends the page.
    pub(super) fn end(self, title: &str, address: &str) -> String {
        frame(title, address, &self.body, &self.contents)
    }
}
