//! `limite` and `pagina` of a listing (`spec/not-shown.md` §1): 20 per page unless asked, at most 100.

use super::code;
use super::error::{ApiError, Problem};

/// A page asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    /// Entries per page.
    pub(crate) limite: usize,
    /// From 1.
    pub(crate) pagina: usize,
}

impl Page {
    /// Reads a query; unknown parameters are ignored, a bad value is named.
    pub(crate) fn read(query: Option<&str>) -> Result<Page, ApiError> {
        let mut problems = Vec::new();
        let limite = whole(query, "limite", 20, 100, &mut problems);
        let pagina = whole(query, "pagina", 1, 1_000_000, &mut problems);
        if problems.is_empty() { Ok(Page { limite, pagina }) } else { Err(ApiError::from_problems(problems)) }
    }

    /// The entries of this page.
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        let start = self.limite.saturating_mul(self.pagina - 1).min(all.len());
        &all[start..start.saturating_add(self.limite).min(all.len())]
    }
}

fn whole(query: Option<&str>, name: &str, default: usize, most: usize, problems: &mut Vec<Problem>) -> usize {
    let Some(text) = parameter(query, name) else { return default };
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => number,
        _ => {
            let mensagem = format!("{name} deve ser um número inteiro de 1 a {most}.");
            problems.push(Problem::new(&code::REQUISICAO_INVALIDA, name, mensagem));
            default
        }
    }
}

/// The value of a query parameter, as it stands (our parameters hold no escaped characters).
pub(crate) fn parameter<'a>(query: Option<&'a str>, name: &str) -> Option<&'a str> {
    let pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_and_bounded() {
        assert_eq!(Page::read(None).unwrap(), Page { limite: 20, pagina: 1 });
        assert_eq!(Page::read(Some("x=1&pagina=2&limite=3")).unwrap().of(&[1, 2, 3, 4]), [4]);
        assert!(Page::read(Some("pagina=99")).unwrap().of(&[1]).is_empty());
        let error = Page::read(Some("limite=101&pagina=0")).unwrap_err().body("/", "id");
        assert_eq!(error["erros"].as_array().unwrap().len(), 2);
    }
}
