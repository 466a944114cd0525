//! Formats of leaves, derived from their official types. The caller may send a number or a text, with or without mask,
//! with or without leading zeros.

use super::decimal::{self, Decimals};
use super::{moment, text};
use crate::finding::repeated;
use crate::layout::{Base, Simple};
use crate::value::{Cnpj, Cpf, bare_chave};
use crate::xml::Writer;
use serde_json::Value;
use std::borrow::Cow;

/// Format of a leaf.
#[derive(Clone, Copy)]
pub(super) enum Format {
    /// A number with decimals; `positive` types refuse zero.
    Decimal { decimals: Decimals, positive: bool },
    /// A value of a list. Its leading zeros may be missing or too many.
    Code(&'static Simple),
    /// Digits of a fixed width (0: free), masks removed; a JSON number gets its zeros back.
    Digits { width: u8 },
    /// An integer without leading zeros.
    Integer,
    /// A CNPJ. Zeros when the company is established abroad.
    Cnpj { abroad: bool },
    /// A CPF, eleven digits.
    Cpf,
    /// Inscrição estadual. Where `ISENTO` is not a value, it means that there is none.
    Ie { exempt: bool },
    /// Upper-case letters and digits.
    Plate,
    /// An access key, as it is printed or as an `Id` writes it.
    Key,
    /// A country by its two capital letters in ISO 3166.
    Country,
    /// A date, `AAAA-MM-DD`.
    Date,
    /// An instant with its UTC offset.
    Instant,
    /// Free text.
    Text,
    /// Free text of any characters, in lines.
    Lines,
}

/// Error of a value that cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) codigo: &'static str,
    pub(super) mensagem: String,
}

/// Outcome of writing a value, for notices to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Written unchanged.
    Whole,
    /// Decimals were rounded away.
    Rounded,
    /// Characters were dropped.
    Dropped,
    /// Nothing written: after rounding the value is a zero, which the type refuses.
    Vanished,
    /// Nothing written: the value is a zero or `ISENTO`, which the type refuses.
    Nothing,
}

impl Format {
    /// Returns the format of a type.
    pub(super) fn of(tag: &str, simple: &'static Simple) -> Format {
        if let Some(digits) = simple.name.strip_prefix("TDec") {
            return number(digits.trim_start_matches('_'));
        }
        if let Some((_, digits)) = simple.name.strip_prefix("TSDec").and_then(|digits| digits.split_once('V')) {
            return number(digits);
        }
        if !simple.values.is_empty() {
            return Format::Code(simple);
        }
        match simple.name {
            "TData" | "TSData" => return Format::Date,
            "TDateTimeUTC" | "TSDateTimeUTC" => return Format::Instant,
            "TSerie" | "TNF" | "TSSerieDPS" | "TSNumDPS" => return Format::Integer,
            // the only text type of the NFS-e that allows any character
            "TSDesc2000" => return Format::Lines,
            "TSCodPaisISO" => return Format::Country,
            "TChNFe" | "TChDFe" | "TChDFeRTC" => return Format::Key,
            "TLatitude" | "TLongitude" => {
                return Format::Decimal { decimals: Decimals { least: 6, most: 6 }, positive: false };
            }
            "TIe" | "TIeDest" => return Format::Ie { exempt: true },
            "TIeDestNaoIsento" | "TIeST" => return Format::Ie { exempt: false },
            _ => {}
        }
        if simple.base == Base::Date {
            return Format::Date;
        }
        match (tag, simple.patterns) {
            ("CNPJ" | "CNPJFab" | "CNPJProd" | "CNPJPag" | "CNPJReceb", _) => {
                Format::Cnpj { abroad: simple.name == "TCnpjOpc" }
            }
            ("CPF" | "CPFRespTec", _) => Format::Cpf,
            ("placa", _) => Format::Plate,
            (_, [pattern]) if is_digits(pattern.source) => Format::Digits { width: width(pattern.source) },
            _ => Format::Text,
        }
    }

    /// True when a value of the caller may leave an optional element unwritten.
    pub(super) fn may_vanish(self) -> bool {
        matches!(self, Format::Decimal { positive: true, .. } | Format::Ie { exempt: false })
    }

    /// Returns the format with zero counted as absent.
    pub(super) fn without_zero(self) -> Format {
        match self {
            Format::Decimal { decimals, .. } => Format::Decimal { decimals, positive: true },
            other => other,
        }
    }

    /// True when an absent value may be written as zero.
    pub(super) fn zero(self) -> bool {
        matches!(self, Format::Decimal { .. })
    }

    /// Writes the opening tag and the value, and returns its amount in ten-thousandths. On an error nothing is written.
    pub(super) fn write(self, value: &Value, leaf: &Leaf<'_>, xml: &mut Writer) -> Result<(Written, i64), Refused> {
        match value {
            Value::String(text) => self.write_str(text, false, leaf, xml),
            Value::Number(number) => self.write_str(number.as_str(), true, leaf, xml),
            Value::Bool(_) | Value::Null => Err(Refused::kind("um texto ou um número")),
            Value::Array(_) | Value::Object(_) => Err(Refused::kind("um texto ou um número, não um grupo")),
        }
    }

    /// Writes a text, or the text of a JSON number, as `write` does.
    pub(super) fn write_str(
        self,
        text: &str,
        is_number: bool,
        leaf: &Leaf<'_>,
        xml: &mut Writer,
    ) -> Result<(Written, i64), Refused> {
        if let Format::Decimal { decimals, positive } = self {
            let mut scratch = String::new();
            let digits =
                decimal::read(text.trim_ascii(), decimals, &mut scratch).ok_or_else(|| Refused::number(text))?;
            if positive && leaf.optional && digits.is_zero() {
                return Ok((if digits.rounded { Written::Vanished } else { Written::Nothing }, 0));
            }
            xml.raw(leaf.open);
            digits.write(decimals, xml);
            let sum = if leaf.counts { digits.ten_thousandths() } else { 0 };
            return Ok((if digits.rounded { Written::Rounded } else { Written::Whole }, sum));
        }
        let none = matches!(self, Format::Ie { exempt: false }) && text.trim().eq_ignore_ascii_case("ISENTO");
        if none && leaf.optional {
            return Ok((Written::Nothing, 0));
        }
        let (text, written) = self.text(text, is_number, leaf.offset_hours)?;
        xml.raw(leaf.open);
        xml.text(&text);
        Ok((written, if leaf.counts { small(&text) } else { 0 }))
    }

    /// Returns the text of a value that can be written unchanged, and the zeros to append. `write` would write the same
    /// more slowly; most values take this path.
    #[inline]
    pub(super) fn as_it_came(self, value: &Value) -> Option<(&str, &'static str)> {
        let (text, is_number) = match value {
            Value::String(text) => (text.as_str(), false),
            Value::Number(number) => (number.as_str(), true),
            _ => return None,
        };
        let official = match self {
            Format::Text => text::is_official(text),
            Format::Decimal { decimals, .. } => return Some((text, decimal::lacks(text, decimals)?)),
            Format::Code(simple) => simple.values.contains(&text),
            Format::Key => is_key(text),
            Format::Digits { width } => {
                let whole = !is_number || text.len() >= usize::from(width);
                whole && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
            }
            _ => false,
        };
        official.then_some((text, ""))
    }

    /// Returns the amount of an unchanged value, in ten-thousandths.
    #[inline]
    pub(super) fn counted(self, text: &str) -> i64 {
        if self.zero() { decimal::ten_thousandths(text) } else { small(text) }
    }

    fn text(self, given: &str, is_number: bool, offset_hours: i8) -> Result<(Cow<'_, str>, Written), Refused> {
        let text = match self {
            Format::Code(simple) => code(simple, given),
            Format::Digits { width } => digits(given, if is_number { width } else { 0 }),
            Format::Integer => integer(given.trim()).into(),
            Format::Cnpj { abroad: true } if is_zeros(given) => Cow::Borrowed(NO_CNPJ),
            Format::Cnpj { .. } => {
                Cnpj::parse(given).map_err(|invalid| Refused::document(&invalid))?.to_string().into()
            }
            Format::Cpf => Cpf::parse(given).map_err(|invalid| Refused::document(&invalid))?.to_string().into(),
            Format::Ie { .. } | Format::Plate | Format::Country => unmasked(&given.to_uppercase()).into_owned().into(),
            Format::Key => bare_chave(given),
            Format::Date => {
                moment::date(given, offset_hours).ok_or_else(|| Refused::moment(given, "AAAA-MM-DD"))?.into()
            }
            Format::Instant => {
                let instant = moment::instant(given, offset_hours);
                instant.ok_or_else(|| Refused::moment(given, "AAAA-MM-DDThh:mm:ss-03:00"))?.into()
            }
            Format::Lines => return Ok(text::lines(given).into()),
            Format::Text | Format::Decimal { .. } => Cow::Borrowed(given),
        };
        // no control character may reach the XML, whatever the format
        Ok(match text {
            Cow::Borrowed(text) => text::clean(text).into(),
            Cow::Owned(text) => text::clean(&text).into_owned().into(),
        })
    }
}

/// CNPJ of a company that is not established in Brazil (MOC CT-e 4.00, anexo I).
const NO_CNPJ: &str = "00000000000000";

fn is_zeros(given: &str) -> bool {
    let bare = unmasked(given.trim());
    !bare.is_empty() && bare.bytes().all(|byte| byte == b'0')
}

/// Context of a leaf beside its value.
pub(super) struct Leaf<'a> {
    /// Opening tag, e.g. `<vProd>`.
    pub(super) open: &'a str,
    /// The layout allows the element to be absent.
    pub(super) optional: bool,
    /// The value takes part in a sum.
    pub(super) counts: bool,
    /// UTC offset of the issuer's state.
    pub(super) offset_hours: i8,
}

impl Refused {
    fn kind(expected: &str) -> Refused {
        Refused { codigo: "tipo_invalido", mensagem: format!("Informe {expected}.") }
    }
    fn number(text: &str) -> Refused {
        let text = repeated(text);
        let mensagem = format!(
            "\"{text}\" não é um número. Informe um número JSON ou um texto com ponto decimal, como \"1234.56\"."
        );
        Refused { codigo: "tipo_invalido", mensagem }
    }
    fn moment(text: &str, shape: &str) -> Refused {
        let text = repeated(text);
        Refused { codigo: "valor_invalido", mensagem: format!("\"{text}\" não é uma data válida. Informe {shape}.") }
    }
    fn document(invalid: &dyn std::fmt::Display) -> Refused {
        Refused { codigo: "digito_invalido", mensagem: format!("Corrija o documento: {invalid}.") }
    }
}

/// Parses the number of decimals from a type name (`1302Opc`, `0302a04`, `1104v`, `03v00a04Max100Opc`, `0302_04RTC`):
/// the last pair of digits before the suffix is the maximum.
fn number(name: &str) -> Format {
    let head = name.split("Max").next().unwrap_or(name);
    let positive = name.contains("Op") || name.contains("temperatura");
    let mut digits = head.bytes().rev().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
    let most = digits.next().unwrap_or(2) + 10 * digits.next().unwrap_or(0);
    let least = if most > 4 { 2 } else { most };
    Format::Decimal { decimals: Decimals { least, most }, positive }
}

/// True when a pattern allows only digits.
fn is_digits(pattern: &str) -> bool {
    pattern.bytes().all(|byte| {
        matches!(byte, b'0'..=b'9' | b'[' | b']' | b'{' | b'}' | b'-' | b',' | b'|' | b'(' | b')' | b'\\' | b'd')
    })
}

/// Width of `[0-9]{8}`, or of the last alternative; 0 when the width is open.
fn width(pattern: &str) -> u8 {
    let last = pattern.rsplit('|').next().unwrap_or(pattern);
    let width = last.strip_prefix("[0-9]").or_else(|| last.strip_prefix("\\d"));
    width.and_then(|braced| braced.strip_prefix('{')?.strip_suffix('}')?.parse().ok()).unwrap_or(0)
}

/// Returns the list value that is meant: as given, or with zeros added or removed.
fn code<'a>(simple: &'static Simple, given: &'a str) -> Cow<'a, str> {
    let text = given.trim();
    let among = |text: &str| simple.values.iter().find(|value| **value == text).copied();
    let meant = among(text).or_else(|| {
        if simple.values.iter().any(|value| value.contains('.')) {
            among(&rate(text)?)
        } else if text.bytes().all(|byte| byte.is_ascii_digit()) {
            let bare = integer(text);
            (1..=7).find_map(|width| among(&format!("{bare:0>width$}")))
        } else {
            among(&text.to_uppercase())
        }
    });
    Cow::Borrowed(meant.unwrap_or(given))
}

/// Formats a rate with two decimals, as lists of rates write it.
fn rate(text: &str) -> Option<String> {
    let cents = Decimals { least: 2, most: 2 };
    let mut rate = Writer::default();
    decimal::read(text, cents, &mut String::new()).filter(|digits| !digits.rounded)?.write(cents, &mut rate);
    Some(rate.finish())
}

/// Removes the mask of digits and restores lost leading zeros. A long code that lacks more than one digit stays short:
/// an NCM of four digits is an error of the caller, not lost zeros.
fn digits(given: &str, width: u8) -> Cow<'_, str> {
    let bare = unmasked(given);
    let width = usize::from(width);
    let lost_zeros = bare.len() < width && (width < 7 || bare.len() + 1 == width);
    if lost_zeros { Cow::Owned(format!("{bare:0>width$}")) } else { bare }
}

/// Removes the punctuation of a formatted number.
pub fn unmasked(given: &str) -> Cow<'_, str> {
    const MASK: [char; 7] = ['.', '/', '-', ' ', '(', ')', '+'];
    if given.contains(MASK) { Cow::Owned(given.replace(MASK, "")) } else { Cow::Borrowed(given) }
}

/// True when a text has exactly the characters of an access key.
fn is_key(text: &str) -> bool {
    const POSITIONS: usize = 44;
    text.len() == POSITIONS && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Removes leading zeros.
fn integer(text: &str) -> &str {
    let bare = text.trim_start_matches('0');
    if bare.is_empty() && !text.is_empty() { "0" } else { bare }
}

/// Converts a code to ten-thousandths, so that conditions can be read from the sums.
fn small(text: &str) -> i64 {
    text.parse::<i64>().map_or(0, |code| code.saturating_mul(10_000))
}
