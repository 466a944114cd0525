//! Writing a caller's value into a leaf, by the type of the leaf; rate, item and line breaks also by the dialect.
//!
//! Law: the simple types of ABRASF, manual de integração 2.0x (rate, item, line breaks). A payload's rate is always
//! percent. Dates and numbers are read as in the national layout.

use super::{AbrasfDialect, ItemMask, RateUnit};
use crate::finding::excerpt;
use crate::layout::{Base, Simple};
use crate::map;
use crate::value::{CnpjCpf, number};
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::Value;

/// A value that cannot be written: code and remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RefusedValue {
    pub(super) codigo: &'static str,
    pub(super) mensagem: String,
}

/// A written text, and the loss it suffered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WrittenValue {
    pub(super) text: String,
    pub(super) loss: Option<ValueLoss>,
}

/// Loss of information that the caller is notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueLoss {
    /// More than two decimals of money.
    Decimals,
    /// Control characters.
    Characters,
    /// The national part of an item of the list of services.
    NationalItem,
}

/// A leaf to be written.
pub(super) struct LeafTarget<'a> {
    pub(super) dialect: &'a AbrasfDialect,
    pub(super) simple: &'static Simple,
    /// Offset in hours of the município's state, for an instant without one.
    pub(super) offset_hours: i8,
}

/// The text of a scalar value.
pub(super) fn plain(value: &Value) -> Result<String, RefusedValue> {
    match value {
        Value::String(text) => Ok(text.trim().to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(true) => Ok("true".to_owned()),
        Value::Bool(false) => Ok("false".to_owned()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(RefusedValue::of("tipo_invalido", "Informe um texto ou um número, não um grupo."))
        }
    }
}

impl LeafTarget<'_> {
    /// Writes a text of the caller as the leaf takes it.
    pub(super) fn write(&self, given: &str) -> Result<WrittenValue, RefusedValue> {
        match self.simple.name {
            "tsValor" => money(given),
            "tsAliquota" => self.rate(given).map(WrittenValue::lossless),
            "tsSimNao" => Ok(WrittenValue::lossless(yes_or_no(given).unwrap_or(given).to_owned())),
            "tsItemListaServico" => Ok(self.item(given)),
            "tsDiscriminacao" => self.join_lines(given),
            "tsUf" => Ok(clean(&given.to_uppercase())),
            "tsCep" => Ok(WrittenValue::lossless(digits(given, 8))),
            "tsCodigoPaisBacen" | "tsCodigoPaisIbge" => Ok(WrittenValue::lossless(digits(given, 4))),
            "tsTelefone" if self.simple.max_length == Some(11) => Ok(WrittenValue::lossless(digits(given, 0))),
            "tsCodigoNbs" | "tsCodNBS" => Ok(WrittenValue::lossless(digits(given, 0))),
            _ => self.by_base(given),
        }
    }

    fn by_base(&self, given: &str) -> Result<WrittenValue, RefusedValue> {
        let wrong = |shape: &str| {
            let mensagem = format!("\"{}\" não é uma data válida. Informe {shape}.", excerpt(given));
            RefusedValue { codigo: "valor_invalido", mensagem }
        };
        match self.simple.base {
            Base::Date => {
                map::date(given, self.offset_hours).map(WrittenValue::lossless).ok_or_else(|| wrong("AAAA-MM-DD"))
            }
            Base::DateTime => {
                let instant = map::instant(given, self.offset_hours);
                // the municipal layouts have the local time without an offset
                let local = instant.and_then(|text| text.get(..19).map(str::to_owned));
                local.map(WrittenValue::lossless).ok_or_else(|| wrong("AAAA-MM-DDThh:mm:ss"))
            }
            Base::Int | Base::Byte | Base::NonNegativeInteger => Ok(WrittenValue::lossless(digits(given, 0))),
            _ if !self.simple.values.is_empty() => Ok(WrittenValue::lossless(listed_value(self.simple.values, given))),
            _ => Ok(clean(given)),
        }
    }

    /// The rate in the provider's unit; refused when it would be rounded.
    fn rate(&self, given: &str) -> Result<String, RefusedValue> {
        let percent = number(given).ok_or_else(|| RefusedValue::number(given))?;
        let rate = match self.dialect.aliquota {
            Some(RateUnit::Percent) => percent,
            Some(RateUnit::Fraction) => percent / Decimal::ONE_HUNDRED,
            // zero is equal in both units
            None if percent.is_zero() => percent,
            None => return Err(RefusedValue::of("empresa_sem_configuracao", WHICH_UNIT)),
        };
        let mut rate = rate.normalize();
        if rate.scale() < 2 {
            rate.rescale(2);
        }
        let most = self.simple.fraction_digits.unwrap_or(2);
        if rate.scale() > most {
            let mensagem = format!(
                "A alíquota de {percent}% não cabe no leiaute da prefeitura, que leva {rate} com no máximo {most} casas decimais. Confirme a alíquota com a prefeitura."
            );
            return Err(RefusedValue { codigo: "valor_invalido", mensagem });
        }
        Ok(rate.to_string())
    }

    /// An item such as `01.07` in the provider's form. Of `010701`, the form of the national layout, the first four
    /// digits are used.
    fn item(&self, given: &str) -> WrittenValue {
        let lost = is_national_item(given).then_some(ValueLoss::NationalItem);
        WrittenValue { text: self.masked(given), loss: lost }
    }

    fn masked(&self, given: &str) -> String {
        let listed = self.simple.values.iter().any(|value| value.len() == 5);
        let mask = match self.dialect.item {
            ItemMask::AsGiven if listed => ItemMask::Padded,
            mask => mask,
        };
        let Some((group, item)) = item_of(given) else { return given.trim().to_owned() };
        match mask {
            ItemMask::AsGiven if is_national_item(given) => format!("{group}.{item:02}"),
            ItemMask::AsGiven => given.trim().to_owned(),
            ItemMask::Dotted => format!("{group}.{item:02}"),
            ItemMask::Padded => format!("{group:02}.{item:02}"),
            ItemMask::Digits => format!("{group}{item:02}"),
            ItemMask::PaddedDigits => format!("{group:02}{item:02}"),
        }
    }

    /// Lines joined by the provider's replacement of a line break, because the layouts collapse a real one.
    fn join_lines(&self, given: &str) -> Result<WrittenValue, RefusedValue> {
        let unix = given.replace("\r\n", "\n").replace('\r', "\n");
        let mut lost = None;
        let lines: Vec<String> = unix
            .trim()
            .split('\n')
            .map(|line| {
                let cleaned = clean(line);
                lost = lost.or(cleaned.loss);
                cleaned.text
            })
            .collect();
        let (text, breaks) = (lines.join(&self.dialect.line_break), lines.len().saturating_sub(1));
        let (count, most) = (text.chars().count(), self.simple.max_length.map_or(usize::MAX, |most| most as usize));
        if count > most && breaks > 0 {
            let mensagem = format!(
                "O texto tem {count} caracteres como é enviado, e o leiaute leva {most}: cada uma das {breaks} quebras de linha vai como \"{}\" e conta {}. \
                 Encurte-o ou tire quebras.",
                self.dialect.line_break,
                self.dialect.line_break.chars().count()
            );
            return Err(RefusedValue { codigo: "valor_invalido", mensagem });
        }
        Ok(WrittenValue { text, loss: lost })
    }
}

/// Refusal of a rate whose unit no source names.
const WHICH_UNIT: &str = "Não se sabe se o provedor do município quer a alíquota em percentual (2.00) ou em fração (0.02), e o serviço não adivinha: informe \
                          aliquota (\"percentual\" ou \"fracao\") em PUT /v1/empresas/{cpf_cnpj}/nfse, depois de provar em homologação. Nesta nota a alíquota \
                          é sempre percentual.";

impl WrittenValue {
    const fn lossless(text: String) -> WrittenValue {
        WrittenValue { text, loss: None }
    }
}

impl RefusedValue {
    pub(super) fn of(codigo: &'static str, mensagem: &str) -> RefusedValue {
        RefusedValue { codigo, mensagem: mensagem.to_owned() }
    }

    fn number(given: &str) -> RefusedValue {
        let given = excerpt(given);
        let mensagem = format!(
            "\"{given}\" não é um número. Informe um número JSON ou um texto com ponto decimal, como \"1234.56\"."
        );
        RefusedValue { codigo: "tipo_invalido", mensagem }
    }
}

/// A document with correct check digits.
pub(super) fn document(given: &str) -> Result<CnpjCpf, RefusedValue> {
    CnpjCpf::parse(given).map_err(|invalid| RefusedValue {
        codigo: "digito_invalido",
        mensagem: format!("Corrija o documento: {invalid}."),
    })
}

/// Rounded to the cent, half away from zero.
pub(super) fn cents(value: Decimal) -> Decimal {
    let mut cents = value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    cents.rescale(2);
    cents
}

fn money(given: &str) -> Result<WrittenValue, RefusedValue> {
    let value = number(given).ok_or_else(|| RefusedValue::number(given))?;
    let lost = (cents(value) != value).then_some(ValueLoss::Decimals);
    Ok(WrittenValue { text: cents(value).to_string(), loss: lost })
}

fn yes_or_no(given: &str) -> Option<&'static str> {
    match given.to_lowercase().as_str() {
        "1" | "true" | "sim" | "s" => Some("1"),
        "2" | "false" | "não" | "nao" | "n" => Some("2"),
        _ => None,
    }
}

/// The listed value equal to the text, else the one that differs only in leading zeros.
fn listed_value(values: &[&str], given: &str) -> String {
    let found = values.iter().find(|value| **value == given);
    let zeros = || {
        let bare = given.trim_start_matches('0');
        let is_number = !given.is_empty() && given.bytes().all(|byte| byte.is_ascii_digit());
        values.iter().find(|value| is_number && value.trim_start_matches('0') == bare)
    };
    found.or_else(zeros).map_or_else(|| given.to_owned(), |value| (*value).to_owned())
}

/// Digits without their mask, padded with leading zeros to `width`. A text that is no number stays, and the layout
/// refuses it.
fn digits(given: &str, width: usize) -> String {
    let bare = map::unmasked(given);
    if bare.is_empty() || !bare.bytes().all(|byte| byte.is_ascii_digit()) {
        return given.to_owned();
    }
    format!("{bare:0>width$}")
}

/// Group and item of the list of LC 116.
fn item_of(given: &str) -> Option<(u32, u32)> {
    let given = given.trim();
    let (group, item) = match given.split_once('.') {
        Some(parts) => parts,
        None if given.is_ascii() && matches!(given.len(), 3 | 4) => given.split_at(given.len() - 2),
        None if is_national_item(given) => (given.get(..2)?, given.get(2..4)?),
        None => return None,
    };
    // `1.07.01` is the national item with dots
    let item = item.split('.').next()?;
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 2);
    Some((number(group)?, number(item)?))
}

fn is_national_item(given: &str) -> bool {
    let given = given.trim();
    let bare = given.replace('.', "");
    (given.len() == 6 || given.matches('.').count() == 2)
        && bare.len() == 6
        && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text of one line: no control characters, no doubled blanks.
fn clean(given: &str) -> WrittenValue {
    let is_lost =
        |letter: char| (letter.is_control() && !letter.is_whitespace()) || matches!(letter, '\u{fffe}' | '\u{ffff}');
    let lost = given.contains(is_lost).then_some(ValueLoss::Characters);
    let kept = given.replace(is_lost, "");
    WrittenValue { text: kept.split_whitespace().collect::<Vec<_>>().join(" "), loss: lost }
}

#[cfg(test)]
mod tests {
    use super::super::{AbrasfVersion, leaves};
    use super::*;

    fn write(dialect: &AbrasfDialect, path: &str, given: &str) -> Result<String, &'static str> {
        let simple = leaves::of(dialect.version)[path].simple;
        let place = LeafTarget { dialect, simple, offset_hours: -3 };
        place.write(given).map(|written| written.text).map_err(|refused| refused.codigo)
    }

    #[test]
    fn a_rate_is_written_in_the_unit_of_the_provider_and_never_rounded() {
        let rate = |version, aliquota, given| {
            let dialect = AbrasfDialect { aliquota: Some(aliquota), ..AbrasfDialect::official(version) };
            write(&dialect, "servico/valores/aliquota", given)
        };
        for (version, unit, given, written) in [
            (AbrasfVersion::V100, RateUnit::Fraction, "2", Ok("0.02")),
            (AbrasfVersion::V100, RateUnit::Fraction, "2.79", Ok("0.0279")),
            (AbrasfVersion::V204, RateUnit::Percent, "2.0", Ok("2.00")),
            (AbrasfVersion::V204, RateUnit::Percent, "2e0", Ok("2.00")),
            (AbrasfVersion::V204, RateUnit::Percent, "2,5", Err("tipo_invalido")),
            (AbrasfVersion::V204, RateUnit::Percent, "2.125", Err("valor_invalido")),
            (AbrasfVersion::V204, RateUnit::Fraction, "5", Ok("0.05")),
            (AbrasfVersion::V204, RateUnit::Fraction, "2.5", Err("valor_invalido")),
            (AbrasfVersion::GovDigital201, RateUnit::Percent, "2.0125", Ok("2.0125")),
            (AbrasfVersion::GovDigital201, RateUnit::Fraction, "dois", Err("tipo_invalido")),
        ] {
            assert_eq!(rate(version, unit, given), written.map(str::to_owned), "{version} {given}");
        }
        let unknown = AbrasfDialect { aliquota: None, ..AbrasfDialect::official(AbrasfVersion::V202) };
        let rate = |given| write(&unknown, "servico/valores/aliquota", given);
        assert_eq!((rate("3"), rate("0").as_deref()), (Err("empresa_sem_configuracao"), Ok("0.00")));
    }

    #[test]
    fn a_long_text_counts_its_line_breaks_as_they_are_sent() {
        let write = |text: &str| write(&AbrasfDialect::official(AbrasfVersion::V204), "servico/discriminacao", text);
        let lines = |breaks: usize, letters: usize| format!("{}{}", "a\n".repeat(breaks), "b".repeat(letters));
        assert_eq!(write(&lines(100, 1_500)).map(|sent| sent.chars().count()), Ok(2_000));
        assert_eq!(write(&lines(100, 1_501)), Err("valor_invalido"));
    }

    #[test]
    fn the_national_part_of_an_item_is_told_as_lost() {
        let dialect = AbrasfDialect::official(AbrasfVersion::V202);
        let simple = leaves::of(dialect.version)["servico/itemlistaservico"].simple;
        let place = LeafTarget { dialect: &dialect, simple, offset_hours: -3 };
        for (given, text, lost) in [
            ("01.07.01", "1.07", Some(ValueLoss::NationalItem)),
            ("010701", "1.07", Some(ValueLoss::NationalItem)),
            ("1.07", "1.07", None),
        ] {
            assert_eq!(place.write(given).unwrap(), WrittenValue { text: text.to_owned(), loss: lost });
        }
    }

    #[test]
    fn an_item_is_written_as_the_provider_has_it() {
        let item = |version, item, given: &str| {
            write(&AbrasfDialect { item, ..AbrasfDialect::official(version) }, "servico/itemlistaservico", given)
                .unwrap()
        };
        assert_eq!(item(AbrasfVersion::V203, ItemMask::AsGiven, "1.07"), "01.07");
        assert_eq!(item(AbrasfVersion::V201, ItemMask::AsGiven, "107"), "107");
        assert_eq!(item(AbrasfVersion::V201, ItemMask::AsGiven, "010701"), "1.07");
        assert_eq!(item(AbrasfVersion::V201, ItemMask::Padded, "107"), "01.07");
        assert_eq!(item(AbrasfVersion::V201, ItemMask::Digits, "01.07"), "107");
        assert_eq!(item(AbrasfVersion::V201, ItemMask::PaddedDigits, "1.07"), "0107");
        assert_eq!(item(AbrasfVersion::V201, ItemMask::Dotted, "14.01"), "14.01");
        assert_eq!(item(AbrasfVersion::V201, ItemMask::Dotted, "x"), "x");
    }

    #[test]
    fn values_are_written_as_their_types_take_them() {
        let dialect = AbrasfDialect::official(AbrasfVersion::V204);
        for (path, given, written) in [
            ("servico/valores/valorservicos", "1000", "1000.00"),
            ("servico/valores/valorservicos", "0.005", "0.01"),
            ("servico/issretido", "false", "2"),
            ("servico/codigocnae", "6209-1/00", "6209100"),
            ("tomador/endereco/cep", "1310100", "01310100"),
            ("tomador/endereco/uf", "mg", "MG"),
            ("competencia", "20/11/2026", "2026-11-20"),
            ("competencia", "2026-11-20T23:30:00-03:00", "2026-11-20"),
            ("rps/dataemissao", "2026-11-21T01:00:00Z", "2026-11-20"),
            ("servico/discriminacao", "uma\r\n duas\u{7}", "uma\\s\\nduas"),
            ("tomador/razaosocial", " A  B\tC ", "A B C"),
        ] {
            assert_eq!(write(&dialect, path, given).as_deref(), Ok(written), "{path}");
        }
        let first = AbrasfDialect::official(AbrasfVersion::V100);
        assert_eq!(write(&first, "rps/dataemissao", "2026-11-20T10:00:00-03:00").as_deref(), Ok("2026-11-20T10:00:00"));
        assert_eq!(write(&first, "tomador/contato/telefone", "(35) 3821-0000").as_deref(), Ok("3538210000"));
        assert_eq!(write(&dialect, "competencia", "ontem"), Err("valor_invalido"));
        let gov = AbrasfDialect::official(AbrasfVersion::GovDigital201);
        assert_eq!(write(&gov, "servico/valores/cst", "1").as_deref(), Ok("01"));
    }
}
