//! Formats of leaves, derived from their official types. The caller may send a number or a text, with or without mask,
//! with or without leading zeros.

use super::decimal::{self, DecimalPlaces};
use super::{moment, text};
use crate::finding::excerpt;
use crate::layout::{Base, Simple};
use crate::value::{Cnpj, Cpf, bare_chave};
use crate::xml::CanonicalWriter;
use serde_json::Value;
use std::borrow::Cow;

/// Format of a leaf.
#[derive(Clone, Copy)]
pub(super) enum LeafFormat {
    /// A number with decimals; `positive` types refuse zero.
    Decimal { decimals: DecimalPlaces, positive: bool },
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
pub(super) struct FormatError {
    pub(super) codigo: &'static str,
    pub(super) mensagem: String,
}

/// Outcome of writing a value, for notices to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteOutcome {
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

impl<'a> From<text::CleanText<'a>> for (Cow<'a, str>, WriteOutcome) {
    fn from(clean: text::CleanText<'a>) -> (Cow<'a, str>, WriteOutcome) {
        (clean.text, if clean.lost { WriteOutcome::Dropped } else { WriteOutcome::Whole })
    }
}

impl LeafFormat {
    /// Returns the format of a type.
    pub(super) fn of(tag: &str, simple: &'static Simple) -> LeafFormat {
        if let Some(digits) = simple.name.strip_prefix("TDec") {
            return number(digits.trim_start_matches('_'));
        }
        if let Some((_, digits)) = simple.name.strip_prefix("TSDec").and_then(|digits| digits.split_once('V')) {
            return number(digits);
        }
        if !simple.values.is_empty() {
            return LeafFormat::Code(simple);
        }
        match simple.name {
            "TData" | "TSData" => return LeafFormat::Date,
            "TDateTimeUTC" | "TSDateTimeUTC" => return LeafFormat::Instant,
            "TSerie" | "TNF" | "TSSerieDPS" | "TSNumDPS" => return LeafFormat::Integer,
            // the only text type of the NFS-e that allows any character
            "TSDesc2000" => return LeafFormat::Lines,
            "TSCodPaisISO" => return LeafFormat::Country,
            "TChNFe" | "TChDFe" | "TChDFeRTC" => return LeafFormat::Key,
            "TLatitude" | "TLongitude" => {
                return LeafFormat::Decimal { decimals: DecimalPlaces { least: 6, most: 6 }, positive: false };
            }
            "TIe" | "TIeDest" => return LeafFormat::Ie { exempt: true },
            "TIeDestNaoIsento" | "TIeST" => return LeafFormat::Ie { exempt: false },
            _ => {}
        }
        if simple.base == Base::Date {
            return LeafFormat::Date;
        }
        match (tag, simple.patterns) {
            ("CNPJ" | "CNPJFab" | "CNPJProd" | "CNPJPag" | "CNPJReceb", _) => {
                LeafFormat::Cnpj { abroad: simple.name == "TCnpjOpc" }
            }
            ("CPF" | "CPFRespTec", _) => LeafFormat::Cpf,
            ("placa", _) => LeafFormat::Plate,
            (_, [pattern]) if is_digits(pattern.source) => LeafFormat::Digits { width: width(pattern.source) },
            _ => LeafFormat::Text,
        }
    }

    /// True when a value of the caller may leave an optional element unwritten.
    pub(super) fn may_vanish(self) -> bool {
        matches!(self, LeafFormat::Decimal { positive: true, .. } | LeafFormat::Ie { exempt: false })
    }

    /// Returns the format with zero counted as absent.
    pub(super) fn without_zero(self) -> LeafFormat {
        match self {
            LeafFormat::Decimal { decimals, .. } => LeafFormat::Decimal { decimals, positive: true },
            other => other,
        }
    }

    /// True when an absent value may be written as zero.
    pub(super) fn zero(self) -> bool {
        matches!(self, LeafFormat::Decimal { .. })
    }

    /// Writes the opening tag and the value, and returns its amount in ten-thousandths. On an error nothing is written.
    pub(super) fn write(
        self,
        value: &Value,
        leaf: &LeafContext<'_>,
        xml: &mut CanonicalWriter,
    ) -> Result<(WriteOutcome, i64), FormatError> {
        match value {
            Value::String(text) => self.write_str(text, false, leaf, xml),
            Value::Number(number) => self.write_str(number.as_str(), true, leaf, xml),
            Value::Bool(_) | Value::Null => Err(FormatError::kind("um texto ou um número")),
            Value::Array(_) | Value::Object(_) => Err(FormatError::kind("um texto ou um número, não um grupo")),
        }
    }

    /// Writes a text, or the text of a JSON number, as `write` does.
    pub(super) fn write_str(
        self,
        text: &str,
        is_number: bool,
        leaf: &LeafContext<'_>,
        xml: &mut CanonicalWriter,
    ) -> Result<(WriteOutcome, i64), FormatError> {
        if let LeafFormat::Decimal { decimals, positive } = self {
            let mut scratch = String::new();
            let digits =
                decimal::read(text.trim_ascii(), decimals, &mut scratch).ok_or_else(|| FormatError::number(text))?;
            if positive && leaf.optional && digits.is_zero() {
                return Ok((if digits.rounded { WriteOutcome::Vanished } else { WriteOutcome::Nothing }, 0));
            }
            xml.raw(leaf.open);
            digits.write(decimals, xml);
            let sum = if leaf.counts { digits.ten_thousandths() } else { 0 };
            return Ok((if digits.rounded { WriteOutcome::Rounded } else { WriteOutcome::Whole }, sum));
        }
        let none = matches!(self, LeafFormat::Ie { exempt: false }) && text.trim().eq_ignore_ascii_case("ISENTO");
        if none && leaf.optional {
            return Ok((WriteOutcome::Nothing, 0));
        }
        let (text, written) = self.text(text, is_number, leaf.offset_hours)?;
        xml.raw(leaf.open);
        xml.text(&text);
        Ok((written, if leaf.counts { small(&text) } else { 0 }))
    }

    /// Returns the text of a value that can be written unchanged, and the zeros to append. `write` would write the same
    /// more slowly; most values take this path.
    #[inline]
    pub(super) fn unchanged_text(self, value: &Value) -> Option<(&str, &'static str)> {
        let (text, is_number) = match value {
            Value::String(text) => (text.as_str(), false),
            Value::Number(number) => (number.as_str(), true),
            _ => return None,
        };
        let official = match self {
            LeafFormat::Text => text::is_official(text),
            LeafFormat::Decimal { decimals, .. } => return Some((text, decimal::missing_suffix(text, decimals)?)),
            LeafFormat::Code(simple) => simple.values.contains(&text),
            LeafFormat::Key => is_key(text),
            LeafFormat::Digits { width } => {
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

    fn text(self, given: &str, is_number: bool, offset_hours: i8) -> Result<(Cow<'_, str>, WriteOutcome), FormatError> {
        let text = match self {
            LeafFormat::Code(simple) => code(simple, given),
            LeafFormat::Digits { width } => digits(given, if is_number { width } else { 0 }),
            LeafFormat::Integer => integer(given.trim()).into(),
            LeafFormat::Cnpj { abroad: true } if is_zeros(given) => Cow::Borrowed(NO_CNPJ),
            LeafFormat::Cnpj { .. } => {
                Cnpj::parse(given).map_err(|invalid| FormatError::document(&invalid))?.to_string().into()
            }
            LeafFormat::Cpf => Cpf::parse(given).map_err(|invalid| FormatError::document(&invalid))?.to_string().into(),
            LeafFormat::Ie { .. } | LeafFormat::Plate | LeafFormat::Country => {
                unmasked(&given.to_uppercase()).into_owned().into()
            }
            LeafFormat::Key => bare_chave(given),
            LeafFormat::Date => {
                moment::date(given, offset_hours).ok_or_else(|| FormatError::moment(given, "AAAA-MM-DD"))?.into()
            }
            LeafFormat::Instant => {
                let instant = moment::instant(given, offset_hours);
                instant.ok_or_else(|| FormatError::moment(given, "AAAA-MM-DDThh:mm:ss-03:00"))?.into()
            }
            LeafFormat::Lines => return Ok(text::lines(given).into()),
            LeafFormat::Text | LeafFormat::Decimal { .. } => Cow::Borrowed(given),
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
pub(super) struct LeafContext<'a> {
    /// Opening tag, e.g. `<vProd>`.
    pub(super) open: &'a str,
    /// The layout allows the element to be absent.
    pub(super) optional: bool,
    /// The value takes part in a sum.
    pub(super) counts: bool,
    /// UTC offset of the issuer's state.
    pub(super) offset_hours: i8,
}

impl FormatError {
    fn kind(expected: &str) -> FormatError {
        FormatError { codigo: "tipo_invalido", mensagem: format!("Informe {expected}.") }
    }
    fn number(text: &str) -> FormatError {
        let text = excerpt(text);
        let mensagem = format!(
            "\"{text}\" não é um número. Informe um número JSON ou um texto com ponto decimal, como \"1234.56\"."
        );
        FormatError { codigo: "tipo_invalido", mensagem }
    }
    fn moment(text: &str, shape: &str) -> FormatError {
        let text = excerpt(text);
        FormatError {
            codigo: "valor_invalido",
            mensagem: format!("\"{text}\" não é uma data válida. Informe {shape}."),
        }
    }
    fn document(invalid: &dyn std::fmt::Display) -> FormatError {
        FormatError { codigo: "digito_invalido", mensagem: format!("Corrija o documento: {invalid}.") }
    }
}

/// Parses the number of decimals from a type name (`1302Opc`, `0302a04`, `1104v`, `03v00a04Max100Opc`, `0302_04RTC`):
/// the last pair of digits before the suffix is the maximum.
fn number(name: &str) -> LeafFormat {
    let head = name.split("Max").next().unwrap_or(name);
    let positive = name.contains("Op") || name.contains("temperatura");
    let mut digits = head.bytes().rev().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
    let most = digits.next().unwrap_or(2) + 10 * digits.next().unwrap_or(0);
    let least = if most > 4 { 2 } else { most };
    LeafFormat::Decimal { decimals: DecimalPlaces { least, most }, positive }
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
    let cents = DecimalPlaces { least: 2, most: 2 };
    let mut rate = CanonicalWriter::default();
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
