//! Patterns of the schemas in words for people: no message shows an expression.

use crate::layout::schema::{Pattern, Simple};

/// What a value of a type looks like, as the second half of a sentence.
pub(super) fn of(simple: &Simple, pattern: &Pattern) -> String {
    let source = pattern.source;
    let known = KNOWN.iter().find(|(begin, _)| source.starts_with(begin)).map(|(_, words)| (*words).to_owned());
    let words = known.or_else(|| decimal(simple.name)).or_else(|| alternatives(source));
    words.map_or_else(|| "não tem a forma que o leiaute pede".to_owned(), |words| format!("esperado {words}"))
}

/// How a pattern begins, and what it means.
const KNOWN: &[(&str, &str)] = &[
    ("[!-ÿ]{8}|[!-ÿ]{10}", "um código de 8 ou 10 caracteres"),
    ("[!-ÿ]", "um texto de letras, números e sinais, sem espaço no começo ou no fim"),
    ("[0-9]{6}[A-Z0-9]{12}[0-9]{26}", KEY),
    ("[0-9]{6}[0-9A-Z]{12}[0-9]{26}", KEY),
    ("[0-9]{0}|[A-Z0-9]{12}[0-9]{2}", CNPJ_OR_NONE),
    ("[0-9]{0}|[0-9A-Z]{12}[0-9]{2}", CNPJ_OR_NONE),
    ("([!-ÿ]{8}|[!-ÿ]{10}|SEM CBENEF)?", "um código de 8 ou 10 caracteres, ou SEM CBENEF"),
    ("([!-ÿ]{0}|[!-ÿ]{5,20})?", "um texto de 5 a 20 caracteres"),
    ("SEM GTIN|", "um GTIN de 8, 12, 13 ou 14 dígitos, ou SEM GTIN"),
    ("[0-9A-Z]{12}[0-9]{2}", CNPJ),
    ("[A-Z0-9]{12}[0-9]{2}", CNPJ),
    ("[A-Z0-9]{8}", "a raiz de um CNPJ, de 8 posições"),
    ("[A-Z0-9]+", "letras maiúsculas e números"),
    ("[A-Z]{2,3}[0-9]{4}|", "uma placa, como ABC1234 ou ABC1D23"),
    ("[^@]+@", "um endereço de e-mail"),
    ("[123567][0-9]", "um CFOP de quatro dígitos, que começa por 1, 2, 3, 5, 6 ou 7"),
    ("[1-9][0-9]|0?[1-9]", "um número de 1 a 99"),
    ("0|[1-9]{1}[0-9]{0,2}", "um número de 0 a 999"),
    ("(([0-1][0-9])|([2][0-3])):", "um horário, hh:mm:ss"),
    ("[0-9]\\.[0-9]{6}|[1-8][0-9]", "uma latitude de -90 a 90, com seis casas decimais"),
    ("[0-9]\\.[0-9]{6}|[1-9][0-9]", "uma longitude de -180 a 180, com seis casas decimais"),
    ("(((20(([02468][048])", "uma data, AAAA-MM-DD, com a hora e o fuso onde o campo os tem"),
];
const KEY: &str = "uma chave de acesso, de 44 caracteres";
const CNPJ: &str = "um CNPJ, de 14 posições";
const CNPJ_OR_NONE: &str = "um CNPJ, de 14 posições, ou nada";

/// `TDec_1302`: two digits say how many stand before the point, two how many behind; `Opc` refuses zero.
fn decimal(name: &str) -> Option<String> {
    let digits = name.strip_prefix("TDec")?.trim_start_matches('_');
    let (whole, places) = (digits.get(..2)?.parse::<u8>().ok()?, digits.get(2..4)?.parse::<u8>().ok()?);
    let above = if name.contains("Opc") { ", maior que zero" } else { "" };
    Some(format!("um número de até {whole} dígitos antes do ponto e {places} depois{above}"))
}

/// Alternatives that are each a run of digits or a word.
fn alternatives(source: &str) -> Option<String> {
    let each: Vec<String> = source.split('|').map(run).collect::<Option<_>>()?;
    let (last, first) = each.split_last()?;
    Some(if first.is_empty() { last.clone() } else { format!("{} ou {last}", first.join(", ")) })
}

/// `[0-9]{8}`, `\d{3}`, `[0-9]{6,14}`, `[1-9]{1}[0-9]{0,8}`, `ISENTO`.
fn run(source: &str) -> Option<String> {
    if !source.is_empty() && source.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Some(source.to_owned());
    }
    if let Some(rest) = source.strip_prefix("[1-9]{1}") {
        let (least, most) = bounds(rest.strip_prefix("[0-9]")?)?;
        return Some(format!("um número de {} a {} dígitos, sem zeros à esquerda", least + 1, most + 1));
    }
    let rest = source.strip_prefix("[0-9]").or_else(|| source.strip_prefix("\\d"))?;
    Some(match bounds(rest)? {
        (1, 1) => "um dígito".to_owned(),
        (least, most) if least == most => format!("{most} dígitos"),
        (0, most) => format!("até {most} dígitos"),
        (least, most) => format!("de {least} a {most} dígitos"),
    })
}

/// `{8}`, `{6,14}`.
fn bounds(braced: &str) -> Option<(u32, u32)> {
    let inside = braced.strip_prefix('{')?.strip_suffix('}')?;
    let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
    Some((least.parse().ok()?, most.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::schema::{Base, WhiteSpace};

    fn said(name: &'static str, source: &'static str) -> String {
        let simple = Simple {
            name,
            base: Base::String,
            white_space: WhiteSpace::Preserve,
            patterns: &[],
            values: &[],
            min_length: None,
            max_length: None,
            min_inclusive: None,
            max_inclusive: None,
            total_digits: None,
            fraction_digits: None,
        };
        of(&simple, &Pattern::new(source))
    }

    #[test]
    fn a_pattern_is_said_in_words() {
        for (name, source, expected) in [
            ("TRNTRC", "[0-9]{8}|ISENTO", "esperado 8 dígitos ou ISENTO"),
            ("TFone", "[0-9]{6,14}", "esperado de 6 a 14 dígitos"),
            ("TNF", "[1-9]{1}[0-9]{0,8}", "esperado um número de 1 a 9 dígitos, sem zeros à esquerda"),
            ("", "M|G|E", "esperado M, G ou E"),
            ("TCST", "\\d{3}", "esperado 3 dígitos"),
            (
                "TDec_1302Opc",
                "0\\.[0-9]{1}[1-9]{1}",
                "esperado um número de até 13 dígitos antes do ponto e 2 depois, maior que zero",
            ),
            ("", "(a|b)+", "não tem a forma que o leiaute pede"),
        ] {
            assert_eq!(said(name, source), expected, "{source}");
        }
    }
}
