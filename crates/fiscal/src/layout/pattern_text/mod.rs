//! Patterns of the schemas in Portuguese, for messages, because `[1-9]{1}[0-9]{0,8}` is unreadable for users.
//!
//! Law: XML Schema 1.0 part 2, appendix F, as far as the official schemas use it. A pattern without a short sentence is
//! a row of `ROWS`.

mod expression;

use super::schema::Pattern;
use expression::{CharacterSet, PatternBranch, PatternPiece};

impl Pattern {
    /// The accepted texts in Portuguese, for display: `2 ou 8 dígitos`.
    pub fn in_words(&self) -> String {
        describe_pattern(self)
    }
}

/// The texts that an official pattern accepts: `2 ou 8 dígitos`.
fn describe_pattern(pattern: &Pattern) -> String {
    let source = pattern.source;
    if let Some((_, words)) = ROWS.iter().find(|(row, _)| *row == source) {
        return (*words).to_owned();
    }
    if source.contains("-02-29") {
        return calendar(source).to_owned();
    }
    if source.contains("-90\\.") || source.contains("-180\\.") {
        return "graus com seis casas decimais, como -23.550520".to_owned();
    }
    if source.contains("chNFe=") || source.contains("chCTe=") {
        return "o endereço de consulta que o QR code leva".to_owned();
    }
    let branches = expression::read(source);
    if branches.iter().all(|branch| branch.is_number()) && branches.iter().any(PatternBranch::has_point) {
        return number(&branches, pattern);
    }
    if let Some(words) = of_one_kind(&branches) {
        return words;
    }
    let mut said: Vec<String> = branches.iter().map(sequence).collect();
    said.dedup();
    joined(&said, " ou ")
}

/// Alternatives that differ in their lengths alone: `2 ou 8 dígitos`.
fn of_one_kind(branches: &[PatternBranch]) -> Option<String> {
    let alone = |branch: &PatternBranch| match branch.pieces.as_slice() {
        [PatternPiece { set, least, most }] if !matches!(set, CharacterSet::Text(_) | CharacterSet::Among(_)) => {
            Some((set.clone(), *least, *most))
        }
        _ => None,
    };
    let (last, rest) = branches.split_last()?;
    let (set, least, most) = alone(last)?;
    let before: Option<Vec<(CharacterSet, u32, Option<u32>)>> = rest.iter().map(alone).collect();
    let before = before.filter(|before| !before.is_empty() && before.iter().all(|(other, ..)| *other == set))?;
    let lengths = before.iter().map(|(_, least, most)| match most {
        Some(most) if most != least => format!("de {least} a {most}"),
        _ => least.to_string(),
    });
    let said: Vec<String> = lengths.chain([piece(&PatternPiece { set, least, most })]).collect();
    Some(joined(&said, " ou "))
}

/// Patterns whose meaning is more than their characters.
const ROWS: &[(&str, &str)] = &[
    ("[0-9]{6}[A-Z0-9]{12}[0-9]{26}", KEY),
    ("[0-9]{6}[0-9A-Z]{12}[0-9]{26}", KEY),
    ("[A-Z0-9]{12}[0-9]{2}", CNPJ),
    ("[0-9A-Z]{12}[0-9]{2}", CNPJ),
    ("[0-9]{0}|[A-Z0-9]{12}[0-9]{2}", CNPJ_OR_NONE),
    ("[0-9]{0}|[0-9A-Z]{12}[0-9]{2}", CNPJ_OR_NONE),
    ("[A-Z0-9]{8}", "a raiz de um CNPJ, de 8 posições"),
    ("([!-ÿ]{8}|[!-ÿ]{10}|SEM CBENEF)?", "um código de 8 ou 10 caracteres, ou SEM CBENEF"),
    ("([!-ÿ]{0}|[!-ÿ]{5,20})?", "um texto de 5 a 20 caracteres"),
    ("SEM GTIN|[0-9]{0}|[0-9]{8}|[0-9]{12,14}", "um GTIN de 8, 12, 13 ou 14 dígitos, ou SEM GTIN"),
    ("(([0-1][0-9])|([2][0-3])):([0-5][0-9]):([0-5][0-9])", "uma hora hh:mm:ss"),
    ("(0[1-9]|1[0-2])([/][2][0-9][0-9][0-9])", "mês e ano MM/AAAA"),
    ("[0-9]{2}[0]{1}[1-9]{1}|[0-9]{2}[1]{1}[0-2]{1}", "ano e mês AAMM, 4 dígitos"),
    ("[1-9]|[1][0-9]|[2][0-9]|[3][0-1]", "um dia de 1 a 31"),
    ("[1-9]{1}[0-9]{0,1}|[1-8]{1}[0-9]{2}|[9]{1}[0-8]{1}[0-9]{1}|[9]{1}[9]{1}[0]{1}", "um número de 1 a 990"),
    ("[1-9][0-9]|0?[1-9]", "um número de 1 a 99"),
    ("[0-9]{1,4}|[0-8][0-9]{4}", "um número de 0 a 89999"),
    ("0[7-9]|1[0-4]|90", "um código de 07 a 14, ou 90"),
    ("[1,2,3,5,6,7]{1}[0-9]{3}", "4 dígitos, o primeiro deles 1, 2, 3, 5, 6 ou 7"),
    (
        "[123567][0-9]([0-9][1-9]|[1-9][0-9])",
        "4 dígitos, o primeiro deles 1, 2, 3, 5, 6 ou 7, e os dois últimos diferentes de 00",
    ),
    (
        "(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])",
        "um endereço IPv4",
    ),
    ("[A-F0-9]{8}-[A-F0-9]{4}-[A-F0-9]{4}-[A-F0-9]{4}-[A-F0-9]{12}", "um GUID em maiúsculas"),
    ("[^@]+@[^\\.]+\\..+", "um e-mail"),
    ("[\\s\\S]*[^\\s][\\s\\S]*", "um texto que não seja só de espaços"),
    ("[\\s\\S!-ÿ]{1}[\\s\\S -ÿ]{0,}[\\s\\S!-ÿ]{1}|[\\s\\S!-ÿ]{1}", "um texto"),
    ("[!-ÿ]{1}[ -ÿ]{0,}[!-ÿ]{1}|[!-ÿ]{1}", "um texto sem espaço no começo nem no fim"),
    ("[A-Z]{2,3}[0-9]{4}|[A-Z]{3,4}[0-9]{3}|[A-Z0-9]{7}", "uma placa sem hífen, como ABC1D23"),
    ("[A-Z0-9]+", "letras maiúsculas sem acento ou dígitos"),
    ("[0-9]{2}.[0-9]{2}", "um item como 01.07"),
    ("4\\.(0[0-9]|[1-9][0-9])", "uma versão como 4.00"),
];

const KEY: &str = "uma chave de acesso, de 44 posições";
const CNPJ: &str = "um CNPJ, de 14 posições";
const CNPJ_OR_NONE: &str = "um CNPJ, de 14 posições, ou nada";

/// Dates and instants of the official types, whose patterns include leap years.
fn calendar(source: &str) -> &'static str {
    match (source.contains('T'), source.ends_with(":00") || source.ends_with(":00))")) {
        (false, _) => "uma data AAAA-MM-DD",
        (true, false) => "data e hora AAAA-MM-DDThh:mm:ss",
        (true, true) => "data e hora com fuso, como AAAA-MM-DDThh:mm:ss-03:00",
    }
}

/// A decimal number, by its digits on both sides of the point.
fn number(branches: &[PatternBranch], pattern: &Pattern) -> String {
    let whole = branches.iter().map(PatternBranch::most_before_point).max().unwrap_or_default();
    let fractions = || branches.iter().filter_map(PatternBranch::behind_point);
    let least = fractions().map(|(least, _)| least).min().unwrap_or_default();
    let most = fractions().map(|(_, most)| most).max().unwrap_or_default();
    let places = if least == most {
        counted(least, "casa decimal", "casas decimais")
    } else {
        format!("de {least} a {most} casas decimais")
    };
    let takes = |text: &str| (0..=most).any(|zeros| pattern.is_match(&decimal(text, zeros)));
    let mut words = if takes("100") && !takes("101") {
        "um número de 0 a 100".to_owned()
    } else {
        format!("um número com até {} antes do ponto", counted(whole, "dígito", "dígitos"))
    };
    words.push_str(&format!(" e {places} depois dele"));
    if !takes("0") {
        words.push_str(", maior que zero");
    }
    words
}

/// `100.00`.
fn decimal(whole: &str, zeros: u32) -> String {
    let zeros: String = (0..zeros).map(|_| '0').collect();
    if zeros.is_empty() { whole.to_owned() } else { format!("{whole}.{zeros}") }
}

/// A single alternative: `NFe seguido de 6 dígitos, 12 letras maiúsculas ou dígitos e 26 dígitos`.
fn sequence(branch: &PatternBranch) -> String {
    if branch.pieces.is_empty() {
        return "nada".to_owned();
    }
    if let Some((least, most)) = branch.natural() {
        return format!("um número inteiro sem zeros à esquerda, de {least} a {most} dígitos")
            .replace("de 1 a 1 dígitos", "de 1 dígito");
    }
    let said: Vec<String> = branch.pieces.iter().map(piece).collect();
    match said.split_first() {
        Some((first, rest)) if !rest.is_empty() => format!("{first} e depois {}", joined(rest, " e ")),
        _ => said.concat(),
    }
}

fn piece(piece: &PatternPiece) -> String {
    let (one, many) = match &piece.set {
        CharacterSet::Text(text) => return text.clone(),
        CharacterSet::Digits => ("dígito", "dígitos"),
        CharacterSet::Among(values) => return format!("um dígito de {values}"),
        CharacterSet::Letters => ("letra maiúscula", "letras maiúsculas"),
        CharacterSet::LettersAndDigits => ("letra maiúscula ou dígito", "letras maiúsculas ou dígitos"),
        CharacterSet::AnyLettersAndDigits => ("letra ou dígito", "letras ou dígitos"),
        CharacterSet::Visible => ("caractere sem espaço", "caracteres sem espaços"),
        CharacterSet::Any => ("caractere", "caracteres"),
    };
    match (piece.least, piece.most) {
        (_, Some(0)) => "nada".to_owned(),
        (least, Some(most)) if least == most => counted(least, one, many),
        (0, Some(most)) => format!("até {}", counted(most, one, many)),
        (least, Some(most)) => format!("de {least} a {}", counted(most, one, many)),
        (least, None) => format!("pelo menos {}", counted(least, one, many)),
    }
}

fn counted(count: u32, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// `a, b ou c`.
fn joined(words: &[String], last: &str) -> String {
    match words.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
        None => String::new(),
    }
}
