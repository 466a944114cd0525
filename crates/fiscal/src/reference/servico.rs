//! Items of the ISSQN's list of services (`cListServ`).
//!
//! Law: the list annexed to Lei Complementar 116/2003 with its changes up to LC 183/2021, as the NF-e portal publishes
//! it (NT 2021.004 v1.35, U06-10). Items are numbered without gaps, except for vetoes, so the table has the first and
//! last item of each chapter.

/// True when the list has the item, in the document's form (`14.01`).
pub fn exists(cListServ: &str) -> bool {
    let Some((chapter, item)) = cListServ.split_once('.').filter(|_| cListServ.len() == 5) else { return false };
    let (Ok(chapter), Ok(item)) = (chapter.parse::<u8>(), item.parse::<u8>()) else { return false };
    let begin = CHAPTERS.partition_point(|(known, ..)| *known < chapter);
    let parts = CHAPTERS.iter().skip(begin).take_while(|(known, ..)| *known == chapter);
    parts.into_iter().any(|(_, first, last)| (*first..=*last).contains(&item))
}

/// Chapter, first and last item. A chapter with a veto inside has two rows.
#[rustfmt::skip]
static CHAPTERS: [(u8, u8, u8); 42] = [
    (1, 1, 9), (2, 1, 1), (3, 2, 5), (4, 1, 23), (5, 1, 9), (6, 1, 6), (7, 1, 13), (7, 16, 22), (8, 1, 2), (9, 1, 3), (10, 1, 10),
    (11, 1, 5), (12, 1, 17), (13, 2, 5), (14, 1, 14), (15, 1, 18), (16, 1, 2), (17, 1, 6), (17, 8, 25), (18, 1, 1), (19, 1, 1),
    (20, 1, 3), (21, 1, 1), (22, 1, 1), (23, 1, 1), (24, 1, 1), (25, 1, 5), (26, 1, 1), (27, 1, 1), (28, 1, 1), (29, 1, 1),
    (30, 1, 1), (31, 1, 1), (32, 1, 1), (33, 1, 1), (34, 1, 1), (35, 1, 1), (36, 1, 1), (37, 1, 1), (38, 1, 1), (39, 1, 1), (40, 1, 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_200_items() {
        let codes = (0..100).flat_map(|chapter| (0..100).map(move |item| format!("{chapter:02}.{item:02}")));
        assert_eq!(codes.filter(|code| exists(code)).count(), 200);
        assert!(CHAPTERS.is_sorted());
    }

    #[test]
    fn vetoed_items_and_other_writings_are_none() {
        for known in ["01.09", "03.02", "07.13", "07.16", "11.05", "14.14", "17.25", "25.05", "40.01"] {
            assert!(exists(known), "{known}");
        }
        for none in [
            "03.01", "07.14", "07.15", "13.01", "17.07", "41.01", "00.01", "14.15", "1.01", "0107", "14.1", "14-01",
            "", "01.1A",
        ] {
            assert!(!exists(none), "{none}");
        }
    }
}
