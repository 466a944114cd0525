//! Symbols computed by hand from the official examples, and every code decoded from its stripes.

use super::*;

const NUMERIC: &str = "35261111222333000181550010000000011123456784";
const LETTERS: &str = "35261112ABC34501DE35550010000000011100001234";

/// Checks data symbols and check symbol of a text.
fn check(text: &str, data: &[u8], check_symbol: u8) {
    let code = Code128::of_text(text).unwrap();
    assert_eq!(code.symbols(), [data, &[check_symbol, STOP]].concat());
    assert_eq!(code.check_symbol(), check_symbol);
    assert_eq!(read_back(&code.to_string()).as_deref(), Ok(text));
}

#[test]
fn encodes_the_example_of_the_manual() {
    check("09758364", &[105, 9, 75, 83, 64], 48);
}

#[test]
fn encodes_the_example_of_the_joint_note() {
    check("5225AB83", &[105, 52, 25, 101, 33, 34, 99, 83], 30);
}

#[test]
fn puts_the_odd_digit_before_a_letter_in_set_a() {
    // 105 + 1·12 + 2·101 + 3·19 + 4·33 = 508 = 4·103 + 96
    check("123A", &[105, 12, 101, 19, 33], 96);
}

#[test]
fn encodes_a_key_without_letters_in_297_modules() {
    let code = Code128::of_text(NUMERIC).unwrap();
    assert_eq!((code.check_symbol(), code.modules()), (2, 297));
    assert_eq!(read_back(&code.to_string()).as_deref(), Ok(NUMERIC));
}

#[test]
fn encodes_a_key_with_letters() {
    let data = [
        105, 35, 26, 11, 12, 101, 33, 34, 35, 19, 99, 45, 1, 101, 36, 37, 99, 35, 55, 0, 10, 0, 0, 0, 1, 11, 0, 0, 12,
        34,
    ];
    check(LETTERS, &data, 18);
}

#[test]
fn reads_back_every_shape_of_text() {
    for text in
        ["A", "1", "A1", "1A", "12", "A12", "A123", "A1234B", "A12345B", "A123B1", "AB12CD34EF5678GH9", "000000"]
    {
        let code = Code128::of_text(text).unwrap();
        assert_eq!(read_back(&code.to_string()).as_deref(), Ok(text));
    }
}

#[test]
fn reads_back_a_key_with_letters_in_every_place_a_cnpj_can_have_them() {
    for places in 0_u16..4096 {
        let cnpj: String = (0..12).map(|place| if places >> place & 1 == 1 { 'Z' } else { '7' }).collect();
        let text = format!("352611{cnpj}35550010000000011100001234");
        let code = Code128::of_text(&text).unwrap();
        assert_eq!(read_back(&code.to_string()).as_deref(), Ok(text.as_str()));
        assert!(code.modules() <= 539, "wider than the joint note reserves: {text}");
    }
}

#[test]
fn refuses_what_a_key_cannot_have() {
    assert_eq!(Code128::of_text("12a"), Err(NotEncodable('a')));
    assert_eq!(Code128::of_text("12 34"), Err(NotEncodable(' ')));
}

#[test]
fn every_symbol_is_its_own_and_has_eleven_modules() {
    let (stop, symbols) = WIDTHS.split_last().unwrap();
    let modules = |widths: &str| widths.bytes().map(|width| u32::from(width - b'0')).sum::<u32>();
    assert!(symbols.iter().all(|widths| widths.len() == 6 && modules(widths) == 11));
    assert!(symbols.iter().all(|widths| widths.bytes().step_by(2).map(|bar| bar - b'0').sum::<u8>() % 2 == 0));
    assert_eq!((stop.len(), modules(stop)), (7, 13));
    assert_eq!(symbols.iter().collect::<std::collections::BTreeSet<_>>().len(), 106);
}

/// A scanner: decodes modules to symbols to text by the standard's state machine, independent of the encoder's rules.
fn read_back(modules: &str) -> Result<String, String> {
    let bars = modules.trim();
    if modules.len() - bars.len() != 20 {
        return Err("the quiet zones are not ten modules each".into());
    }
    let symbols = symbols_of(bars)?;
    let [start, data @ .., check, STOP] = symbols.as_slice() else { return Err("no stop".into()) };
    let sum: u64 = data.iter().zip(1..).map(|(symbol, weight)| u64::from(*symbol) * weight).sum();
    if (u64::from(*start) + sum) % 103 != u64::from(*check) {
        return Err("the check symbol is wrong".into());
    }
    let mut set = *start;
    let mut text = String::new();
    for symbol in data {
        match (set, *symbol) {
            (START_C, value @ 0..=99) => text.push_str(&format!("{value:02}")),
            (START_C, CODE_A) => set = START_A,
            (START_A, CODE_C) => set = START_C,
            (START_A, value @ 0..=63) => text.push(char::from(value + 32)),
            other => return Err(format!("{other:?} means nothing")),
        }
    }
    Ok(text)
}

fn symbols_of(bars: &str) -> Result<Vec<u8>, String> {
    let mut widths = String::new();
    let mut rest = bars;
    while let Some(sign) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(sign).len();
        widths.push_str(&run.to_string());
        rest = &rest[run..];
    }
    let mut symbols = Vec::new();
    while !widths.is_empty() {
        let length = if widths.len() == 7 { 7 } else { 6 };
        let symbol: String = widths.drain(..length).collect();
        let value = WIDTHS.iter().position(|known| *known == symbol).ok_or(symbol)?;
        symbols.push(u8::try_from(value).unwrap());
    }
    Ok(symbols)
}
