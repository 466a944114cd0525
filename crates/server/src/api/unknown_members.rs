//! Members of a body that mean nothing to us: ignored by contract (`spec/interface.md`, What the service does, 7), named in
//! `avisos` with the nearest right name.

use fiscal::finding::{MOST_FOUND, Notice, repeated, shortened};
use serde_json::{Map, Value};

/// A notice for each member that is not among the known ones.
pub(crate) fn unknown_members(body: &Map<String, Value>, known: &[&str]) -> Vec<Notice> {
    let unknown = body.keys().filter(|name| !known.contains(&name.as_str()));
    shortened(unknown.take(MOST_FOUND).map(|name| notice(name, known)).collect())
}

fn notice(name: &str, known: &[&str]) -> Notice {
    let sugestao = nearest(name, known);
    let hint = sugestao.map_or_else(String::new, |known| format!(" Você quis dizer {known}?"));
    let name = repeated(name).into_owned();
    let mensagem = format!("O campo {name} não existe e foi ignorado.{hint}");
    Notice::of(name, "campo_desconhecido", &mensagem, sugestao)
}

/// The known name of which this one may be a misspelling.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let comparable = known.iter().copied().filter(|_| name.len() <= LONGEST);
    let nearest = comparable.max_by_key(|known| similarity(name, known));
    nearest.filter(|known| similarity(name, known) >= ALIKE)
}

/// Per cent of letters two names share in order.
fn similarity(one: &str, other: &str) -> usize {
    let longest = one.chars().count().max(other.chars().count()).max(1);
    100 - 100 * strsim::damerau_levenshtein(one, other).min(longest) / longest
}

/// From here on a name is taken for a misspelling of another.
const ALIKE: usize = 70;
/// Comparing costs the product of the lengths, and none of our names is as long.
const LONGEST: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_misspelled_member_is_named_with_the_right_one() {
        let body = json!({ "cpf_cnpj": "", "referencia_extrena": "A1", "loja": 3 });
        let notices = unknown_members(body.as_object().unwrap(), &["cpf_cnpj", "referencia_externa"]);
        assert_eq!(notices[0].sugestao.as_deref(), Some("referencia_externa"));
        assert_eq!((notices[1].campo.as_str(), &notices[1].sugestao), ("loja", &None));
    }
}
