//! Findings about a caller's document: violations (`Violation`) and notices (`Notice`), all of them at once.

use crate::value::Codigo;
use serde::Serialize;

/// A finding that stops the document from being built or accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Path in the caller's payload, e.g. `nota.produtos[0].vProd`.
    pub campo: String,
    /// Stable machine-readable code: `campo_obrigatorio`, `valor_invalido`.
    pub codigo: &'static str,
    /// Problem and remedy, in Portuguese.
    pub mensagem: String,
    /// Nearest correct name or value.
    pub sugestao: Option<String>,
}

/// A finding that does not stop the document (`avisos` of the contract).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Notice {
    /// Path in the caller's payload.
    pub campo: String,
    /// `campo_desconhecido`, `assumido_zero`, `assumido_padrao`, `rejeicao_prevista`, …
    pub codigo: String,
    /// Assumption or consequence, in Portuguese.
    pub mensagem: String,
    /// Nearest correct name.
    pub sugestao: Option<String>,
    /// The authority's code, of a `rejeicao_prevista`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub codigo_status: Option<Codigo>,
}

impl Violation {
    /// A violation without a suggestion.
    pub fn of(campo: &str, codigo: &'static str, mensagem: &str) -> Violation {
        Violation { campo: campo.to_owned(), codigo, mensagem: mensagem.to_owned(), sugestao: None }
    }
}

impl Notice {
    /// A notice without a code of the authority.
    pub fn of(campo: String, codigo: &str, mensagem: &str, sugestao: Option<&str>) -> Notice {
        Notice {
            campo,
            codigo: codigo.to_owned(),
            mensagem: mensagem.to_owned(),
            sugestao: sugestao.map(str::to_owned),
            codigo_status: None,
        }
    }
}

/// Most findings of one kind that are collected from one document. A hostile payload could cause millions.
pub const MOST_FOUND: usize = 1_000;

/// Most findings of one kind that are reported at once.
pub const MOST_REPORTED: usize = 100;

/// Longest text of a caller that is quoted in a message or a path, in characters.
const LONGEST_EXCERPT: usize = 60;

/// The first `MOST_REPORTED` notices, and one with the number of the others.
pub fn shortened(mut notices: Vec<Notice>) -> Vec<Notice> {
    let more = notices.len().saturating_sub(MOST_REPORTED);
    if more > 0 {
        // predicted rejections come first, then the caller's misspelled names
        notices.sort_by_key(|notice| (notice.codigo_status.is_none(), notice.codigo != "campo_desconhecido"));
        notices.truncate(MOST_REPORTED);
        let least = if more + MOST_REPORTED >= MOST_FOUND { "ao menos " } else { "" };
        notices.push(Notice {
            campo: "nota".to_owned(),
            codigo: "avisos_omitidos".to_owned(),
            mensagem: format!(
                "Há {least}mais {more} avisos. Corrija os que estão aqui e verifique a nota de novo com verificar-campos."
            ),
            sugestao: None,
            codigo_status: None,
        });
    }
    notices
}

/// A caller's text, shortened to be quoted.
pub fn excerpt(text: &str) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(LONGEST_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_remarks_are_told_and_the_others_counted() {
        let notice = |at: usize| Notice {
            campo: format!("nota.a{at}"),
            codigo: "campo_desconhecido".to_owned(),
            mensagem: String::new(),
            sugestao: None,
            codigo_status: None,
        };
        assert_eq!(shortened((0..100).map(notice).collect()).len(), 100);
        let told = shortened((0..101).map(notice).collect());
        assert_eq!((told.len(), told[100].codigo.as_str()), (101, "avisos_omitidos"));
        assert!(told[100].mensagem.starts_with("Há mais 1 avisos."));
        assert!(shortened((0..1_000).map(notice).collect())[100].mensagem.starts_with("Há ao menos mais 900"));
    }

    #[test]
    fn a_long_text_is_repeated_by_its_beginning() {
        assert_eq!(excerpt("ação"), "ação");
        assert_eq!(excerpt(&"é".repeat(1_000)).chars().count(), 61);
    }
}
