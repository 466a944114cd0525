//! Amounts, dates and numbers in Brazilian format. A text of another form is returned unchanged.

pub use fiscal::value::masked as taxpayer;

/// An amount with all its decimals, at least two: `1234.5` is `1.234,50`.
pub fn amount(text: &str) -> String {
    decimals(text, 2)
}

/// A quantity, weight or unit price without trailing zeros beyond `least` decimals.
pub fn quantity(text: &str, least: usize) -> String {
    let Some((whole, fraction)) = text.split_once('.') else { return decimals(text, least) };
    let kept = fraction.trim_end_matches('0').len().max(least).min(fraction.len());
    decimals(text[..whole.len() + 1 + kept].trim_end_matches('.'), least)
}

/// A rate: `18.0000` is `18,00%`.
pub fn rate(text: &str) -> String {
    if text.is_empty() { String::new() } else { quantity(text, 2) + "%" }
}

fn decimals(text: &str, least: usize) -> String {
    let (sign, magnitude) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    if !are_digits(whole) || !(fraction.is_empty() || are_digits(fraction)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + whole.len() / 3 + least + 2);
    out.push_str(sign);
    group(&mut out, whole, 3, '.');
    if least + fraction.len() > 0 {
        out.push(',');
        out.push_str(fraction);
        out.extend(std::iter::repeat_n('0', least.saturating_sub(fraction.len())));
    }
    out
}

/// Digits in groups of three: `1234567` is `1.234.567`.
pub fn thousands(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    group(&mut out, digits, 3, '.');
    out
}

/// A document's number in nine digits: `000.000.123`.
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

/// Writes digits in groups, counted from the right.
fn group(out: &mut String, digits: &str, size: usize, by: char) {
    let count = if digits.is_ascii() { digits.len() } else { digits.chars().count() };
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (count - place).is_multiple_of(size) {
            out.push(by);
        }
        out.push(digit);
    }
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

/// Time of an instant in its own offset.
pub fn time(text: &str) -> String {
    text.get(11..19).unwrap_or_default().to_owned()
}

/// `DD/MM/AAAA HH:MM:SS`.
pub fn moment(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{} {}", date(text), time(text)).trim_end().to_owned() }
}

/// An instant with its offset: `DD/MM/AAAA HH:MM:SS (UTC-03:00)`.
pub fn zoned(text: &str) -> String {
    match text.get(19..) {
        None | Some("") => moment(text),
        Some("Z") => format!("{} (UTC)", moment(text)),
        Some(offset) => format!("{} (UTC{offset})", moment(text)),
    }
}

/// An instant in the offset of another one. Authorities answer in their own offset or in UTC, and a form shows the
/// emitter's time (DANFE NFC-e manual, 3.1.7). An unreadable instant is returned unchanged.
pub fn moment_beside(text: &str, like: &str) -> String {
    match (minute(text), offset(text), offset(like)) {
        (Some(minute), Some(from), Some(to)) => {
            let local = minute - from + to;
            let (year, month, day) = civil(local.div_euclid(1440));
            let (hour, minute) = (local.rem_euclid(1440) / 60, local.rem_euclid(60));
            let second = text.get(16..19).unwrap_or_default();
            format!("{day:02}/{month:02}/{year:04} {hour:02}:{minute:02}{second}")
        }
        _ => moment(text),
    }
}

/// Number and moment of a registration, in the offset of another instant; empty without a number.
pub(crate) fn registration_text(number: &str, moment: &str, like: &str) -> String {
    let moment = moment_beside(moment, like);
    match (number, moment.as_str()) {
        ("", _) => String::new(),
        (number, "") => number.to_owned(),
        (number, moment) => format!("{number} - {moment}"),
    }
}

/// Minutes since 1970; `None`, which sorts before all instants, for an unreadable text.
pub(crate) fn instant(text: &str) -> Option<i64> {
    Some(minute(text)? - offset(text)?)
}

/// Minutes since 1970 of an instant's civil time.
fn minute(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute) = (number(11, 13)?, number(14, 16)?);
    // days from civil, H. Hinnant
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let of_era = (y - era * 400) * 365 + (y - era * 400) / 4 - (y - era * 400) / 100 + of_year;
    Some((era * 146_097 + of_era - 719_468) * 1440 + hour * 60 + minute)
}

/// Minutes east of Greenwich.
fn offset(text: &str) -> Option<i64> {
    let zone = text.get(19..)?;
    if zone == "Z" {
        return Some(0);
    }
    let sign = match zone.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    Some(sign * (hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?))
}

/// Year, month and day of a day number since 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let (era, of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let mp = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// A CEP with its mask.
pub fn cep(text: &str) -> String {
    if text.len() == 8 && text.is_ascii() { format!("{}-{}", &text[..5], &text[5..]) } else { text.to_owned() }
}

/// A telephone with its area code in parentheses.
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
        assert_eq!(zoned("2026-11-20T23:59:01-05:00"), "20/11/2026 23:59:01 (UTC-05:00)");
        assert_eq!((zoned("2026-11-20T23:59:01Z"), zoned("")), ("20/11/2026 23:59:01 (UTC)".into(), String::new()));
        assert_eq!(date("2026-12-01"), "01/12/2026");
        assert_eq!(date("hoje"), "hoje");
    }

    #[test]
    fn an_authority_in_another_offset_is_read_on_the_emitters_clock() {
        let amazonas = "2026-11-20T23:30:00-04:00";
        assert_eq!(moment_beside("2026-11-21T03:59:07+00:00", amazonas), "20/11/2026 23:59:07");
        assert_eq!(moment_beside("2027-01-01T00:10:00-03:00", amazonas), "31/12/2026 23:10:00");
        assert_eq!(moment_beside("2028-02-29T23:59:59-05:00", amazonas), "01/03/2028 00:59:59");
        assert_eq!(moment_beside("2026-11-20T23:59:01-04:00", amazonas), "20/11/2026 23:59:01");
        assert_eq!(moment_beside("2026-11-20T10:00:00", amazonas), "20/11/2026 10:00:00");
        assert_eq!(moment_beside("", amazonas), "");
    }

    #[test]
    fn masks_take_letters() {
        assert_eq!(key("35261112"), "3526 1112");
        assert_eq!(nine("123"), "000.000.123");
        assert_eq!(cep("01001000"), "01001-000");
        assert_eq!(phone("11987654321"), "(11) 98765-4321");
    }
}
