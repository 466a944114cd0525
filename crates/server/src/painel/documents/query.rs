//! Filters of the list, from the address: what was typed, what it means, and what is wrong with it.

use fiscal::tipo::Tipo;
use fiscal::value::Serie;
use store::emissions::{EmissionFilter, EmissionState};

use super::words::{self, STATES};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::filters::ListFilters;
use crate::painel::filters::address::list_address;
use crate::painel::navigation::DOCUMENTS;
use crate::painel::panel_session::PanelSession;

/// Filters as they were typed, and as they are understood.
pub(in crate::painel) struct DocumentQuery {
    pub(super) typed: ListFilters,
    /// `None` while something is wrong.
    pub(super) filter: Option<EmissionFilter>,
}

/// Fields of the form.
const FIELDS: [&str; 11] =
    ["estado", "tipo", "empresa", "destinatario", "nome", "serie", "numero", "de", "ate", "referencia", "chave"];
/// Fields of links that the form carries along.
const REISSUE: &str = "reemissao";

impl DocumentQuery {
    /// True for the rejections that nothing followed.
    pub(super) fn is_not_reissued(&self) -> bool {
        is_not_reissued(&self.typed)
    }
}

fn is_not_reissued(typed: &ListFilters) -> bool {
    typed.text(REISSUE) == "nao"
}

/// Address of the list with these fields.
pub(in crate::painel) fn address(fields: &[(&str, String)]) -> String {
    list_address(DOCUMENTS.path, fields)
}

/// Address of the list of a state.
pub(in crate::painel) fn state_address(state: EmissionState, beside: &[(&str, String)]) -> String {
    let mut fields = vec![("estado", words::of(state).word.to_owned())];
    fields.extend(beside.iter().cloned());
    address(&fields)
}

/// Reads the filters of an address.
pub(super) async fn read(app: &App, visitor: &PanelSession, query: &str) -> Result<DocumentQuery, ApiError> {
    let mut typed = ListFilters::read(DOCUMENTS.path, query, FIELDS.into_iter().chain([REISSUE]));
    let mut filter = EmissionFilter::of(visitor.at.caller.ambiente);
    filter.state = typed.choice("estado", |word| STATES.iter().find(|row| row.word == word).map(|row| row.state));
    filter.tipo = typed.choice("tipo", Tipo::from_word);
    filter.emitente = typed.document_number("empresa");
    filter.destinatario = typed.document_number("destinatario");
    filter.serie = typed.parsed("serie", "A série tem de 1 a 5 letras ou dígitos.", |text| Serie::parse(text).ok());
    filter.numero = typed.parsed("numero", "O número do documento tem só dígitos, até 15.", number);
    filter.chave = typed.parsed("chave", "A chave de acesso tem 44 posições; a da NFS-e, 50.", key);
    filter.referencia = typed.given("referencia");
    filter.nome = typed.given("nome");
    filter.not_reissued = is_not_reissued(&typed);
    if filter.not_reissued {
        filter.state = Some(EmissionState::Rejected);
    }
    let time = CivilTime::of_issuer(app.store(), visitor.at.caller.tenant_id, filter.emitente).await?;
    filter.periodo = typed.period(time);
    let filter = (!typed.is_wrong()).then_some(filter);
    Ok(DocumentQuery { typed, filter })
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
}
