//! The trail as CSV, for spreadsheets: semicolons, every cell in quotes, UTF-8 with its mark.

use store::audit::AuditEntry;

use super::act_words;
use crate::api::instant::CivilTime;

/// A file of these entries; `is_cut` when there are more.
pub(super) fn file(entries: &[AuditEntry], is_cut: bool) -> String {
    let mut text = "\u{feff}".to_owned();
    line(&mut text, &["quando", "tipo", "quem", "ato", "o que fez", "alvo", "detalhes", "endereço", "requisição"]);
    for entry in entries {
        let when = CivilTime::of(None).at(entry.em).to_string();
        let who = entry.ator_nome.clone().or(entry.ator_id.map(|id| id.to_string())).unwrap_or_default();
        let cells = [
            when.as_str(),
            &entry.ator,
            &who,
            &entry.ato,
            act_words::name(&entry.ato),
            &entry.alvo,
            &act_words::details(&entry.detalhes, true),
            entry.endereco.as_deref().unwrap_or_default(),
            entry.requisicao_id.as_deref().unwrap_or_default(),
        ];
        line(&mut text, &cells);
    }
    if is_cut {
        let notice = format!("Só as {} linhas mais novas: filtre por período para ver as outras.", entries.len());
        line(&mut text, &[&notice]);
    }
    text
}

fn line(text: &mut String, cells: &[&str]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(';');
        }
        text.push('"');
        if is_formula(cell) {
            text.push('\'');
        }
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    }
    text.push_str("\r\n");
}

/// True for text that a spreadsheet would calculate.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches([' ', '"']).starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_becomes_text_and_quotes_are_doubled() {
        let mut text = String::new();
        line(&mut text, &["=1+1", "+55", "-2", "@x", "\tx", " =2", "diz \"oi\"; tchau", "ana@loja.com"]);
        let told =
            "\"'=1+1\";\"'+55\";\"'-2\";\"'@x\";\"'\tx\";\"' =2\";\"diz \"\"oi\"\"; tchau\";\"ana@loja.com\"\r\n";
        assert_eq!(text, told);
    }

    #[test]
    fn a_cut_file_says_so() {
        assert!(!file(&[], false).contains("mais novas"));
        assert!(file(&[], true).contains("mais novas"));
    }
}
