//! Amounts, dates and numbers as people in Brazil read them. What is not of the expected shape is shown as it is.

/// An amount with all its decimals, two at the least: `1234.5` is `1.234,50`.
pub fn amount(text: &str) -> String {
    decimals(text, 2)
}

/// A quantity, weight or unit price: trailing zeros beyond the least number of decimals go.
pub fn quantity(text: &str, least: usize) -> String {
    let Some((whole, fraction)) = text.split_once('.') else { return decimals(text, least) };
    let kept = fraction.trim_end_matches('0').len().max(least).min(fraction.len());
    let exact = format!("{whole}.{}", &fraction[..kept]);
    decimals(exact.trim_end_matches('.'), least)
}

/// A rate: `18.0000` is `18,00%`.
pub fn rate(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{}%", quantity(text, 2)) }
}

fn decimals(text: &str, least: usize) -> String {
    let (sign, magnitude) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    if !are_digits(whole) || !(fraction.is_empty() || are_digits(fraction)) {
        return text.to_owned();
    }
    let mut out = format!("{sign}{}", thousands(whole));
    if least + fraction.len() > 0 {
        out.push(',');
        out.push_str(fraction);
        out.extend(std::iter::repeat_n('0', least.saturating_sub(fraction.len())));
    }
    out
}

/// Groups of three: `1234567` is `1.234.567`.
pub fn thousands(digits: &str) -> String {
    grouped(digits, 3, '.')
}

/// A number of a document in nine digits: `000.000.123`.
pub fn nine(digits: &str) -> String {
    thousands(&format!("{digits:0>9}"))
}

/// An access key in groups of four.
pub fn key(chave: &str) -> String {
    let mut out = String::with_capacity(chave.len() * 5 / 4);
    for (place, letter) in chave.chars().enumerate() {
        if place > 0 && place % 4 == 0 {
            out.push(' ');
        }
        out.push(letter);
    }
    out
}

fn grouped(digits: &str, size: usize, by: char) -> String {
    let count = digits.chars().count();
    let mut out = String::with_capacity(count + count / size);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (count - place).is_multiple_of(size) {
            out.push(by);
        }
        out.push(digit);
    }
    out
}

/// `AAAA-MM-DD…` as `DD/MM/AAAA`.
pub fn date(text: &str) -> String {
    match text.as_bytes() {
        [year @ .., b'-', m1, m2, b'-', d1, d2] if year.len() == 4 && text.is_ascii() => {
            format!("{}{}/{}{}/{}", char::from(*d1), char::from(*d2), char::from(*m1), char::from(*m2), &text[..4])
        }
        _ => text.get(..10).filter(|day| day.len() < text.len()).map_or_else(|| text.to_owned(), date),
    }
}

/// The time of an instant, as its own offset has it.
pub fn time(text: &str) -> String {
    text.get(11..19).unwrap_or_default().to_owned()
}

/// `DD/MM/AAAA HH:MM:SS`.
pub fn moment(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{} {}", date(text), time(text)).trim_end().to_owned() }
}

/// A CNPJ or CPF with its mask, letters included.
pub fn taxpayer(text: &str) -> String {
    match text.len() {
        14 if text.is_ascii() => {
            format!("{}.{}.{}/{}-{}", &text[..2], &text[2..5], &text[5..8], &text[8..12], &text[12..])
        }
        11 if text.is_ascii() => format!("{}.{}.{}-{}", &text[..3], &text[3..6], &text[6..9], &text[9..]),
        _ => text.to_owned(),
    }
}

/// A CEP with its mask.
pub fn cep(text: &str) -> String {
    if text.len() == 8 && text.is_ascii() { format!("{}-{}", &text[..5], &text[5..]) } else { text.to_owned() }
}

/// A telephone with the parentheses of its area.
pub fn phone(text: &str) -> String {
    match text.len() {
        10 if text.is_ascii() => format!("({}) {}-{}", &text[..2], &text[2..6], &text[6..]),
        11 if text.is_ascii() => format!("({}) {}-{}", &text[..2], &text[2..7], &text[7..]),
        _ => text.to_owned(),
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_in_brazil() {
        assert_eq!(amount("1234567.5"), "1.234.567,50");
        assert_eq!(amount("0.00"), "0,00");
        assert_eq!(amount("-12.3"), "-12,30");
        assert_eq!(amount(""), "");
        assert_eq!(amount("abc"), "abc");
        assert_eq!(quantity("10.0000", 0), "10");
    }

    #[test]
    fn unit_prices_keep_what_they_have() {
        assert_eq!(quantity("0.1234567890", 2), "0,123456789");
        assert_eq!(quantity("5.0000000000", 2), "5,00");
        assert_eq!(rate("18.0000"), "18,00%");
        assert_eq!(rate("0.65"), "0,65%");
    }

    #[test]
    fn dates_are_of_their_own_offset() {
        assert_eq!(moment("2026-11-20T23:59:01-05:00"), "20/11/2026 23:59:01");
        assert_eq!(date("2026-12-01"), "01/12/2026");
        assert_eq!(date("hoje"), "hoje");
    }

    #[test]
    fn masks_take_letters() {
        assert_eq!(taxpayer("12ABC34501DE35"), "12.ABC.345/01DE-35");
        assert_eq!(taxpayer("11144477735"), "111.444.777-35");
        assert_eq!(key("35261112"), "3526 1112");
        assert_eq!(nine("123"), "000.000.123");
        assert_eq!(cep("01001000"), "01001-000");
        assert_eq!(phone("11987654321"), "(11) 98765-4321");
    }
}
