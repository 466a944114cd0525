//! Unknown members of a body: ignored by contract (`docs/contract.md`, "Emission"), and listed in `avisos` with the
//! nearest known name.

use fiscal::finding::{MOST_FOUND, Notice, excerpt, shortened};
use fiscal::map::{SynonymTable, synonym_in};
use serde_json::{Map, Value};

/// A notice for each member that is not among the known ones.
pub(crate) fn unknown_members(body: &Map<String, Value>, known: &[&'static str]) -> Vec<Notice> {
    let unknown = body.keys().filter(|name| !known.contains(&name.as_str()));
    shortened(unknown.take(MOST_FOUND).map(|name| notice(name, known)).collect())
}

/// Known name that an unknown one stands for, by its meaning or by its letters.
pub(crate) fn right_name(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let comparable = known.iter().copied().filter(|_| name.len() <= LONGEST);
    let nearest = comparable.max_by_key(|known| similarity(name, known));
    synonym_in(MEANINGS, name, known).or_else(|| nearest.filter(|known| similarity(name, known) >= ALIKE))
}

fn notice(name: &str, known: &[&'static str]) -> Notice {
    misnamed(name, known, UNKNOWN, |name| format!("O campo {name} não existe e foi ignorado."))
}

/// Notice of an unknown name, with the known one when there is one.
pub(crate) fn misnamed(
    name: &str,
    known: &[&'static str],
    codigo: &'static str,
    sentence: impl Fn(&str) -> String,
) -> Notice {
    let sugestao = right_name(name, known);
    let hint = sugestao.map_or_else(String::new, |known| format!(" Você quis dizer {known}?"));
    let name = excerpt(name).into_owned();
    let mensagem = sentence(&name) + &hint;
    Notice::of(name, codigo, &mensagem, sugestao)
}

/// Code of an unknown member.
pub(crate) const UNKNOWN: &str = "campo_desconhecido";

/// Similarity of two names in per cent, by edit distance.
fn similarity(one: &str, other: &str) -> usize {
    let longest = one.chars().count().max(other.chars().count()).max(1);
    100 - 100 * strsim::damerau_levenshtein(one, other).min(longest) / longest
}

/// Similarity from which a name counts as a misspelling, per cent.
const ALIKE: usize = 70;
/// Longest name that is compared: the comparison costs the product of the lengths, and all known names are shorter.
const LONGEST: usize = 80;

/// Synonyms of members of bodies and arguments of tools.
#[rustfmt::skip]
const MEANINGS: &SynonymTable = &[
    ("empresa emitente cnpj cpf cpfcnpj cnpjemitente documentoemitente", "cpf_cnpj cnpj emitente"),
    ("nfe nfce cte nfse dados payload corpo conteudo documentofiscal notafiscal invoice", "nota"),
    ("referencia refexterna idexterno externalid identificador idempotencia", "referencia_externa ref"),
    ("webhook callback urlwebhook notificacao", "webhook_url"),
    ("token confirmacao tokenconfirmacao", "token_confirmacao"),
    ("id idconfirmacao confirmacaoid", "id_confirmacao job_id"),
    ("job idjob jobid operacao", "job_id"),
    ("chaveacesso chavedeacesso chavenfe accesskey", "chave"),
    ("motivo razao reason justificacao texto", "justificativa correcao"),
    ("correcao textocorrecao correcoes", "correcao correcoes"),
    ("tipo tipodocumento modelo documenttype", "documento tipo"),
    ("documento", "documento tipo cpf_cnpj"),
    ("termo busca query search produto texto", "descricao"),
    ("ncm codigoncm code", "codigo"),
    ("codigopostal postalcode zip zipcode", "cep"), ("rua endereco street", "logradouro"),
    ("municipio city", "cidade"), ("estado state", "uf"),
    ("inicio datainicial desde since", "de"), ("fim datafinal ate until", "ate"),
    ("numeroinicial inicio primeiro", "numero_inicial"), ("numerofinal fim ultimo", "numero_final"),
    ("cliente tomador comprador", "destinatario"), ("situacao estado", "status"),
    ("caminho campo group path", "grupo"), ("page", "pagina"), ("limit porpagina quantidade", "limite"),
    ("total valortotal", "valor"),
];

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

    #[test]
    fn a_word_of_the_same_meaning_is_named_with_the_right_one() {
        assert_eq!(right_name("empresa", &["cpf_cnpj", "nota"]), Some("cpf_cnpj"));
        assert_eq!(right_name("motivo", &["chave", "justificativa"]), Some("justificativa"));
        assert_eq!(right_name("xyz", &["chave", "justificativa"]), None);
    }
}
