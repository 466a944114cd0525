//! Fields of a list's address as they were typed, and the problem of each.

use fiscal::value::CnpjCpf;
use jiff::civil::Date;
use store::notes::Period;
use uuid::Uuid;

use super::address::{list_address, value};
use crate::api::instant::CivilTime;

/// Fields of a list's address.
pub(in crate::painel) struct ListFilters {
    path: &'static str,
    /// Fields with a text, in the order of the form.
    typed: Vec<(&'static str, String)>,
    /// Field and problem.
    problems: Vec<(&'static str, String)>,
}

impl ListFilters {
    /// Reads the fields of a list at a path.
    pub(in crate::painel) fn read(
        path: &'static str,
        query: &str,
        fields: impl IntoIterator<Item = &'static str>,
    ) -> ListFilters {
        let typed = fields.into_iter().filter_map(|name| value(query, name).map(|text| (name, text))).collect();
        ListFilters { path, typed, problems: Vec::new() }
    }

    /// Text of a field, empty when absent.
    pub(in crate::painel) fn text(&self, name: &str) -> &str {
        self.typed.iter().find(|(field, _)| *field == name).map_or("", |(_, text)| text)
    }

    /// Problem of a field.
    pub(in crate::painel) fn problem(&self, name: &str) -> Option<&str> {
        self.problems.iter().find(|(field, _)| *field == name).map(|(_, problem)| problem.as_str())
    }

    /// Adds a problem of a field.
    pub(in crate::painel) fn refuse(&mut self, name: &'static str, problem: impl Into<String>) {
        self.problems.push((name, problem.into()));
    }

    /// True when a field has a problem.
    pub(in crate::painel) fn is_wrong(&self) -> bool {
        !self.problems.is_empty()
    }

    /// True when something is filtered.
    pub(in crate::painel) fn narrows(&self) -> bool {
        !self.typed.is_empty()
    }

    /// Address of a page of this list.
    pub(in crate::painel) fn address(&self, page: Option<(&str, Uuid)>) -> String {
        let mut fields: Vec<(&str, String)> = self.typed.iter().map(|(name, text)| (*name, text.clone())).collect();
        fields.extend(page.map(|(name, id)| (name, id.to_string())));
        list_address(self.path, &fields)
    }

    /// Text of a field; `None` when absent.
    pub(in crate::painel) fn given(&self, name: &str) -> Option<String> {
        Some(self.text(name).to_owned()).filter(|text| !text.is_empty())
    }

    /// Value of a field, or its problem when it has none.
    pub(in crate::painel) fn parsed<T>(
        &mut self,
        name: &'static str,
        problem: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.given(name)?;
        let parsed = parse(&text);
        if parsed.is_none() {
            self.refuse(name, problem);
        }
        parsed
    }

    /// Value of a field with a list of choices.
    pub(in crate::painel) fn choice<T>(
        &mut self,
        name: &'static str,
        choices: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        self.parsed(name, "Escolha uma das opções da lista.", choices)
    }

    pub(in crate::painel) fn document_number(&mut self, name: &'static str) -> Option<CnpjCpf> {
        let text = self.given(name)?;
        match CnpjCpf::parse(&text) {
            Ok(number) => Some(number),
            Err(wrong) => {
                self.refuse(name, format!("Este CNPJ ou CPF não confere: {wrong}."));
                None
            }
        }
    }

    pub(in crate::painel) fn date(&mut self, name: &'static str) -> Option<Date> {
        self.parsed(name, "Escreva a data como 2026-11-20.", |text| {
            text.parse().ok().filter(|_| text.len() == "AAAA-MM-DD".len())
        })
    }

    /// The days from `de` to `ate`, both included.
    pub(in crate::painel) fn period(&mut self, time: CivilTime) -> Period {
        let (de, ate) = (self.date("de"), self.date("ate"));
        if de.zip(ate).is_some_and(|(de, ate)| ate < de) {
            self.refuse("ate", "O último dia vem antes do primeiro.");
        }
        time.days(de, ate)
    }
}
