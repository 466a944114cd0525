//! Types of vehicle (`tpVeic`), and the species (`espVeic`) allowed for each.
//!
//! Law: the NF-e portal's "Tabela de Tipo e Espécie de Veículo" (NT 2021.004 v1.35: J19-10, J20-10, J20-20), in force
//! since 2020-03-12.

/// True when the table has the type, with or without its leading zero.
pub fn type_exists(tpVeic: &str) -> bool {
    species_of(tpVeic).is_some()
}

/// True when the table has the species.
pub fn species_exists(espVeic: &str) -> bool {
    espVeic.parse().is_ok_and(|code: u8| ROWS.iter().any(|(_, species)| species.contains(&code)))
}

/// True when the table allows the species for the type.
pub fn is_compatible(tpVeic: &str, espVeic: &str) -> bool {
    let species = species_of(tpVeic).unwrap_or_default();
    espVeic.parse().is_ok_and(|code: u8| species.contains(&code))
}

fn species_of(tpVeic: &str) -> Option<&'static [u8]> {
    let code: u8 = tpVeic.parse().ok()?;
    let at = ROWS.binary_search_by_key(&code, |(kind, _)| *kind).ok()?;
    ROWS.get(at).map(|(_, species)| *species)
}

/// Species: 1 passengers, 2 load, 3 both, 5 traction, 6 special.
static ROWS: [(u8, &[u8]); 20] = [
    (2, &[1]),
    (3, &[1, 2]),
    (4, &[1, 2, 6]),
    (5, &[1, 2, 6]),
    (6, &[1, 6]),
    (7, &[1, 6]),
    (8, &[1, 6]),
    (10, &[1, 2, 6]),
    (11, &[1, 2, 6]),
    (13, &[3, 6]),
    (14, &[2, 6]),
    (17, &[5, 6]),
    (18, &[5]),
    (19, &[5]),
    (20, &[5]),
    (21, &[1, 2]),
    (22, &[1, 6]),
    (23, &[2, 6]),
    (25, &[3, 6]),
    (26, &[6]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_car_carries_people() {
        assert!(type_exists("06") && type_exists("6") && !type_exists("09") && !type_exists(""));
        assert!(species_exists("1") && !species_exists("4") && !species_exists("x"));
        assert!(is_compatible("06", "1") && !is_compatible("06", "2") && !is_compatible("09", "1"));
    }

    #[test]
    fn the_table_is_sorted_and_whole() {
        assert!(ROWS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(ROWS.iter().map(|(_, species)| species.len()).sum::<usize>(), 39);
    }
}
