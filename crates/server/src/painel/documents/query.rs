//! Filters of the list, from the address: what was typed, what it means, and what is wrong with it.

use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Serie};
use jiff::civil::Date;
use store::emissions::{EmissionFilter, EmissionState, PageCursor};
use uuid::Uuid;

use super::words::{self, STATES};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::navigation::DOCUMENTS;
use crate::painel::panel_session::PanelSession;

/// Filters as they were typed, and as they are understood.
pub(in crate::painel) struct DocumentQuery {
    /// Fields with a text, in the order of the form.
    typed: Vec<(&'static str, String)>,
    /// Field and problem.
    problems: Vec<(&'static str, String)>,
    /// `None` while something is wrong.
    pub(super) filter: Option<EmissionFilter>,
}

/// Fields of the form.
const FIELDS: [&str; 11] =
    ["estado", "tipo", "empresa", "destinatario", "nome", "serie", "numero", "de", "ate", "referencia", "chave"];
/// Fields of links that the form carries along.
const REISSUE: &str = "reemissao";
/// Characters of a field that are read.
const LONGEST: usize = 200;

impl DocumentQuery {
    /// Text of a field, empty when absent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.typed.iter().find(|(field, _)| *field == name).map_or("", |(_, text)| text)
    }

    /// Problem of a field.
    pub(super) fn problem(&self, name: &str) -> Option<&str> {
        self.problems.iter().find(|(field, _)| *field == name).map(|(_, problem)| problem.as_str())
    }

    /// True when something is filtered.
    pub(super) fn narrows(&self) -> bool {
        !self.typed.is_empty()
    }

    /// True for the rejections that nothing followed.
    pub(super) fn is_not_reissued(&self) -> bool {
        self.text(REISSUE) == "nao"
    }

    /// Address of a page of this list.
    pub(super) fn address(&self, page: Option<(&str, Uuid)>) -> String {
        let mut fields: Vec<(&str, String)> = self.typed.iter().map(|(name, text)| (*name, text.clone())).collect();
        fields.extend(page.map(|(name, id)| (name, id.to_string())));
        address(&fields)
    }
}

/// Address of the list with these fields.
pub(in crate::painel) fn address(fields: &[(&str, String)]) -> String {
    if fields.is_empty() {
        return DOCUMENTS.path.to_owned();
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    format!("{}?{query}", DOCUMENTS.path)
}

/// Address of the list of a state.
pub(in crate::painel) fn state_address(state: EmissionState, beside: &[(&str, String)]) -> String {
    let mut fields = vec![("estado", words::of(state).word.to_owned())];
    fields.extend(beside.iter().cloned());
    address(&fields)
}

/// Place in the list that an address names; a wrong one is the first page.
pub(in crate::painel) fn cursor_of(query: &str) -> PageCursor {
    let id = |name: &str| -> Option<Uuid> { value(query, name)?.parse().ok() };
    match (id("antes"), id("depois")) {
        (Some(id), _) => PageCursor::OlderThan(id),
        (None, Some(id)) => PageCursor::NewerThan(id),
        (None, None) => PageCursor::Newest,
    }
}

/// First value of a field, trimmed and bounded; `None` when empty.
pub(in crate::painel) fn value(query: &str, name: &str) -> Option<String> {
    let (_, text) = form_urlencoded::parse(query.as_bytes()).find(|(field, _)| field == name)?;
    Some(text.trim().chars().take(LONGEST).collect()).filter(|text: &String| !text.is_empty())
}

/// Reads the filters of an address.
pub(super) async fn read(app: &App, visitor: &PanelSession, query: &str) -> Result<DocumentQuery, ApiError> {
    let fields = FIELDS.into_iter().chain([REISSUE]);
    let typed = fields.filter_map(|name| value(query, name).map(|text| (name, text))).collect();
    let mut made = DocumentQuery { typed, problems: Vec::new(), filter: None };
    let mut filter = EmissionFilter::of(visitor.at.caller.ambiente);
    filter.state = made.choice("estado", |word| STATES.iter().find(|row| row.word == word).map(|row| row.state));
    filter.tipo = made.choice("tipo", Tipo::from_word);
    filter.emitente = made.document_number("empresa");
    filter.destinatario = made.document_number("destinatario");
    filter.serie = made.parsed("serie", "A série tem de 1 a 5 letras ou dígitos.", |text| Serie::parse(text).ok());
    filter.numero = made.parsed("numero", "O número do documento tem só dígitos, até 15.", number);
    filter.chave = made.parsed("chave", "A chave de acesso tem 44 posições; a da NFS-e, 50.", key);
    filter.referencia = made.given("referencia");
    filter.nome = made.given("nome");
    filter.not_reissued = made.is_not_reissued();
    if filter.not_reissued {
        filter.state = Some(EmissionState::Rejected);
    }
    let (de, ate) = (made.date("de"), made.date("ate"));
    if de.zip(ate).is_some_and(|(de, ate)| ate < de) {
        made.problems.push(("ate", "O último dia vem antes do primeiro.".to_owned()));
    }
    let time = CivilTime::of_issuer(app.store(), visitor.at.caller.tenant_id, filter.emitente).await?;
    filter.periodo = time.days(de, ate);
    made.filter = made.problems.is_empty().then_some(filter);
    Ok(made)
}

/// A number of a document, with or without dots and leading zeros.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(|letter| *letter != '.').collect();
    let is_number = (1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// An access key of 44 or 50 positions, with or without blanks and the letters before it.
pub(super) fn key(text: &str) -> Option<String> {
    let letters: String = text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    let key = ["NFE", "CTE", "NFS"].iter().find_map(|prefix| letters.strip_prefix(prefix)).unwrap_or(&letters);
    (matches!(key.len(), 44 | 50) && key.bytes().filter(u8::is_ascii_digit).count() >= 30).then(|| key.to_owned())
}

impl DocumentQuery {
    fn given(&self, name: &str) -> Option<String> {
        Some(self.text(name).to_owned()).filter(|text| !text.is_empty())
    }

    fn parsed<T>(&mut self, name: &'static str, problem: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.given(name)?;
        let parsed = parse(&text);
        if parsed.is_none() {
            self.problems.push((name, problem.to_owned()));
        }
        parsed
    }

    fn choice<T>(&mut self, name: &'static str, choices: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.parsed(name, "Escolha uma das opções da lista.", choices)
    }

    fn document_number(&mut self, name: &'static str) -> Option<CnpjCpf> {
        let text = self.given(name)?;
        match CnpjCpf::parse(&text) {
            Ok(number) => Some(number),
            Err(wrong) => {
                self.problems.push((name, format!("Este CNPJ ou CPF não confere: {wrong}.")));
                None
            }
        }
    }

    fn date(&mut self, name: &'static str) -> Option<Date> {
        self.parsed(name, "Escreva a data como 2026-11-20.", |text| {
            text.parse().ok().filter(|_| text.len() == "AAAA-MM-DD".len())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_keys_are_read_as_people_copy_them() {
        assert_eq!(
            (number("1.234"), number("007"), number("12a"), number(""), number("-1")),
            (Some(1234), Some(7), None, None, None)
        );
        let chave = "35261111222333000181550010000000011000000019";
        let spaced = "NFe 3526 1111 2223 3300 0181 5500 1000 0000 0110 0000 0019";
        assert_eq!((key(chave).as_deref(), key(spaced).as_deref()), (Some(chave), Some(chave)));
        assert_eq!((key("Maria da Silva"), key("123")), (None, None));
    }

    #[test]
    fn an_address_keeps_its_fields() {
        let fields = [("nome", "João & Filhos".to_owned()), ("estado", "erro".to_owned())];
        assert_eq!(address(&fields), "/painel/documentos?nome=Jo%C3%A3o+%26+Filhos&estado=erro");
        assert_eq!(value("nome=+x+&nome=y", "nome").as_deref(), Some("x"));
        assert_eq!(cursor_of("antes=x"), PageCursor::Newest);
    }
}
