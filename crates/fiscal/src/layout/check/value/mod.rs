//! A text against a simple type.
//!
//! Law: XML Schema 1.0 part 2: white space (4.3.6) first, then the lexical form of the built-in ancestor, then the
//! facets.

mod lexical;

use std::borrow::Cow;

use super::text::{either, quoted};
use crate::layout::schema::{Base, Pattern, Simple, WhiteSpace};

/// The value after white space processing, or the fault.
pub(super) fn check<'t>(simple: &Simple, text: &'t str) -> Result<Cow<'t, str>, String> {
    let value = normalized(simple.white_space, text);
    // XML Schema would drop blanks around a date; libxml2 mostly refuses them, and so does this check
    let is_calendar = matches!(simple.base, Base::Date | Base::DateTime | Base::GYear | Base::GYearMonth);
    lexical(simple.base, if is_calendar { text } else { &value })?;
    if !simple.values.is_empty() && !simple.values.contains(&&*value) {
        return Err(format!("Valor {} não aceito: {}.", quoted(&value), either(simple.values)));
    }
    lengths(simple, &value)?;
    if let Some(pattern) = simple.patterns.iter().find(|pattern| !pattern.is_match(&value)) {
        return Err(explain_pattern(simple, &value, pattern));
    }
    bounds(simple, &value)?;
    digits(simple, &value)?;
    Ok(value)
}

fn normalized(white_space: WhiteSpace, text: &str) -> Cow<'_, str> {
    const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];
    let replaced = || text.replace(['\t', '\n', '\r'], " ");
    match white_space {
        WhiteSpace::Preserve => Cow::Borrowed(text),
        WhiteSpace::Replace => Cow::Owned(replaced()),
        WhiteSpace::Collapse if !text.contains(BLANKS) => Cow::Borrowed(text),
        WhiteSpace::Collapse => {
            Cow::Owned(replaced().split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
        }
    }
}

fn lexical(base: Base, value: &str) -> Result<(), String> {
    let (right, what) = match base {
        Base::String | Base::Token => return Ok(()),
        Base::Decimal => (lexical::is_decimal(value), "um número decimal"),
        Base::Integer => (lexical::integer(value).is_some(), "um número inteiro"),
        Base::NonNegativeInteger => {
            (lexical::integer(value).is_some_and(|sign| sign >= 0), "um inteiro maior ou igual a zero")
        }
        Base::PositiveInteger => (lexical::integer(value).is_some_and(|sign| sign > 0), "um inteiro maior que zero"),
        Base::Byte => (lexical::is_within(value, "-128", "127"), "um inteiro de -128 a 127"),
        Base::Int => (lexical::is_within(value, "-2147483648", "2147483647"), "um inteiro de -2147483648 a 2147483647"),
        Base::UnsignedShort => (lexical::is_unsigned_short(value), "um inteiro de 0 a 65535"),
        Base::Date => (lexical::is_date(value), "uma data AAAA-MM-DD"),
        Base::DateTime => (lexical::is_date_time(value), "data e hora AAAA-MM-DDThh:mm:ss, com ou sem fuso"),
        Base::GYear => (lexical::is_year(value), "um ano AAAA"),
        Base::GYearMonth => (lexical::year_month(value).is_some(), "ano e mês AAAA-MM"),
        Base::Base64Binary => (lexical::base64_length(value).is_some(), "base64"),
        Base::AnyUri => (lexical::is_any_uri(value), "um URI"),
        Base::Id => (lexical::is_id(value), "um identificador XML (letra no começo, sem espaços)"),
        Base::Boolean => (matches!(value, "true" | "false" | "1" | "0"), "true, false, 1 ou 0"),
    };
    if right { Ok(()) } else { Err(format!("Valor {} não aceito: esperado {what}.", quoted(value))) }
}

fn lengths(simple: &Simple, value: &str) -> Result<(), String> {
    if simple.min_length.is_none() && simple.max_length.is_none() {
        return Ok(());
    }
    let (length, unit) = match simple.base {
        Base::Base64Binary => (lexical::base64_length(value).unwrap_or(0), "bytes"),
        _ => (value.chars().count(), "caracteres"),
    };
    let fits = |bound: Option<u32>, holds: fn(&usize, &usize) -> bool| {
        bound.is_none_or(|bound| usize::try_from(bound).is_ok_and(|bound| holds(&length, &bound)))
    };
    if fits(simple.min_length, usize::ge) && fits(simple.max_length, usize::le) {
        return Ok(());
    }
    let range = match (simple.min_length, simple.max_length) {
        (Some(min), Some(max)) if min == max => format!("são {min} {unit}"),
        (Some(min), Some(max)) => format!("são de {min} a {max} {unit}"),
        (Some(min), None) => format!("são pelo menos {min} {unit}"),
        (None, max) => format!("são no máximo {} {unit}", max.unwrap_or_default()),
    };
    Err(format!("Valor {} não aceito: {range}, e há {length}.", quoted(value)))
}

fn explain_pattern(simple: &Simple, value: &str, pattern: &Pattern) -> String {
    let trimmed = value.trim();
    if value.is_empty() {
        return format!("Está vazio; esperado: {}.", pattern.in_words());
    }
    if trimmed != value && simple.patterns.iter().all(|pattern| pattern.is_match(trimmed)) {
        return format!("Valor {} não aceito: há espaço no começo ou no fim.", quoted(value));
    }
    if let Some(control) = value.chars().find(|character| character.is_control()) {
        return format!("Valor não aceito: contém o caractere de controle U+{:04X}.", u32::from(control));
    }
    if let Some(foreign) = value.chars().find(|character| u32::from(*character) > LAST_CHARACTER) {
        return format!("Valor {} não aceito: o caractere {foreign} não existe no documento fiscal.", quoted(value));
    }
    format!("Valor {} não aceito; esperado: {}.", quoted(value), pattern.in_words())
}

/// `ÿ`, the last character of the texts of all layouts (`TString`).
const LAST_CHARACTER: u32 = 0xFF;

/// Bounds. Among the official types only `gYearMonth` and whole numbers have them.
fn bounds(simple: &Simple, value: &str) -> Result<(), String> {
    let wrong = |bound: &str, word: &str| Err(format!("Valor {} não aceito: {word} {bound}.", quoted(value)));
    if let Some(bound) = simple.min_inclusive
        && !lexical::at_least(simple.base, value, bound)
    {
        return wrong(bound, "o menor é");
    }
    if let Some(bound) = simple.max_inclusive
        && !lexical::at_least(simple.base, bound, value)
    {
        return wrong(bound, "o maior é");
    }
    Ok(())
}

fn digits(simple: &Simple, value: &str) -> Result<(), String> {
    if simple.total_digits.is_none() && simple.fraction_digits.is_none() {
        return Ok(());
    }
    let (whole, fraction) = lexical::digits(value);
    let within = |count: usize, bound: Option<u32>| {
        bound.is_none_or(|bound| u32::try_from(count).is_ok_and(|count| count <= bound))
    };
    if within(whole + fraction, simple.total_digits) && within(fraction, simple.fraction_digits) {
        return Ok(());
    }
    let most = |bound: Option<u32>| bound.map_or("quantos se quiser".to_owned(), |bound| bound.to_string());
    let (total, decimals) = (most(simple.total_digits), most(simple.fraction_digits));
    Err(format!("Valor {} não aceito: dígitos no máximo {total}, dos quais decimais {decimals}.", quoted(value)))
}
