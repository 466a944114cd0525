//! The table inside the binary and its search, over all entries.

use super::*;
use jiff::civil::date;

const DAY: Date = date(2026, 11, 21);

fn all<'s>(termo: &'s str) -> NcmSearch<'s> {
    NcmSearch { termo, so_inicio: false, apenas_finais: false }
}

#[test]
fn the_table_inside_the_binary_is_whole() {
    let table = NcmTable::builtin();
    assert_eq!((table.vigencia(), table.ato()), ("Vigente em 13/08/2026", "Resolução Gecex nº 926/2026"));
    assert_eq!(table.entries().len(), 15_156);
    assert_eq!(table.entries().iter().filter(|entry| entry.is_final()).count(), 10_515);
    let horse = table.find("01012100", DAY).unwrap();
    assert_eq!((&*horse.descricao, &*horse.ato, &*horse.numero_ato), ("Reprodutores de raça pura", "Res Camex", "272"));
    assert_eq!(horse.inicio, date(2022, 4, 1));
    assert_eq!(&*table.find("0106", DAY).unwrap().descricao, "Outros animais vivos.");
    assert!(table.entries().iter().all(|entry| !entry.descricao.contains(['<', '>', '\u{a0}', '\t'])));
    assert!(table.find("0", DAY).is_none() && table.find("99999999", DAY).is_none());
}

#[test]
fn every_code_is_found_by_its_own_text() {
    let table = NcmTable::builtin();
    let mut texts: Vec<&str> = table.entries().iter().map(|entry| &*entry.descricao).collect();
    texts.sort_unstable();
    texts.dedup();
    for text in texts {
        let shouted = text.to_uppercase();
        let found = table.search(NcmSearch { so_inicio: true, ..all(&shouted) }, date(2026, 8, 13));
        let own = table.entries().iter().filter(|entry| &*entry.descricao == text);
        for entry in own.filter(|entry| entry.is_valid_on(date(2026, 8, 13))) {
            assert!(found.iter().any(|hit| hit.codigo == entry.codigo), "{} by {text}", entry.codigo);
        }
    }
}

#[test]
fn a_term_is_literal_and_may_stand_anywhere() {
    let table = NcmTable::builtin();
    let codes = |search: NcmSearch<'_>| -> Vec<String> {
        table.search(search, DAY).into_iter().map(|entry| entry.codigo.to_string()).collect()
    };
    let anywhere = codes(all("asininos"));
    assert!(anywhere.contains(&"0101".to_owned()) && anywhere.is_sorted());
    let finals = codes(NcmSearch { apenas_finais: true, ..all("asininos") });
    assert!(!finals.is_empty() && finals.iter().all(|code| code.len() == 8 && anywhere.contains(code)));
    let beginning = codes(NcmSearch { so_inicio: true, ..all("asininos") });
    assert_eq!(beginning, ["01013000"]);
    assert!(codes(NcmSearch { so_inicio: true, ..all("raça pura") }).is_empty() && !codes(all("raça pura")).is_empty());
    assert_eq!(codes(all("ASININOS")), anywhere);
    assert_eq!(codes(all("racas puras")), [""; 0]);
    assert_eq!(codes(all("raca pura")), codes(all("Raça\u{a0}Pura")));
    assert_eq!(codes(all("as.ninos")), [""; 0]);
    assert_eq!(codes(all("  ")), [""; 0]);
    assert!(table.search(all("%"), DAY).iter().all(|entry| entry.descricao.contains('%')));
}

#[test]
fn validity_is_of_a_day_and_only_eight_digits_are_valid() {
    let table = NcmTable::builtin();
    let ended = table.entries().iter().find(|entry| entry.fim == date(2026, 9, 30)).unwrap();
    let next_day = date(2026, 10, 1);
    if ended.is_final() {
        assert!(table.is_valid_on(&ended.codigo, ended.fim) && !table.is_valid_on(&ended.codigo, next_day));
    }
    assert!(table.search(all(&ended.descricao), next_day).iter().all(|entry| entry.codigo != ended.codigo));
    assert!(table.is_valid_on("01012100", DAY) && !table.is_valid_on("01012100", date(2022, 3, 31)));
    assert!(!table.is_valid_on("0101", DAY) && !table.is_valid_on("00000000", DAY));
}

#[test]
fn a_text_that_is_no_table_says_why() {
    let line = |text: &str| match NcmTable::read(text) {
        Err(wrong) => wrong.to_string(),
        Ok(_) => panic!("taken: {text}"),
    };
    assert!(line("").contains("linha 1"));
    assert!(line("v\ta\n0101\t01/04/2022").contains("linha 2: faltam colunas"));
    assert!(line("v\ta\n0101\t2022-04-01\t31/12/9999\tx\t1\t2021\tCavalos").contains("DD/MM/AAAA"));
    assert!(line("v\ta\n010X\t01/04/2022\t31/12/9999\tx\t1\t2021\tCavalos").contains("dígitos"));
    assert!(line("v\ta\n0101\t01/04/2022\t31/12/9999\tx\t1\t2021\t- ").contains("sem descrição"));
    assert!(line("v\ta\n01012100\t01/04/2022\t31/12/9999\tx\t1\t2021\tCavalos").contains("1 códigos finais"));
}

#[test]
fn dashes_and_markup_of_a_text_go_and_a_less_than_stays() {
    assert_eq!(clean("-- Aves da espécie <i>Gallus domesticus</i>"), "Aves da espécie Gallus domesticus");
    assert_eq!(clean("- H<sub>2</sub>O < 5 <b"), "H2O < 5 <b");
}

#[test]
fn what_is_asked_for_every_note_says_what_the_table_says() {
    let table = NcmTable::builtin();
    let mut valid = 0;
    let mut same = |codigo: &str, day: Date| {
        let is = is_valid_on(codigo, day);
        assert_eq!(is, table.is_valid_on(codigo, day), "{codigo} on {day}");
        valid += usize::from(is);
    };
    for NcmEntry { codigo, inicio, fim, .. } in table.entries() {
        for day in [inicio.yesterday().ok(), Some(*inicio), Some(*fim), fim.tomorrow().ok()].into_iter().flatten() {
            same(codigo, day);
        }
    }
    for codigo in ["", "0", "00000000", "99999999", "0101210", "010121000", "0101210x", "+1012100", "01012100"] {
        [DAY, Date::MIN, Date::MAX, date(-2024, 1, 1)].into_iter().for_each(|day| same(codigo, day));
    }
    assert!(valid > 20_000, "{valid}");
}
