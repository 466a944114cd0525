//! Prefixes of GTIN assigned by GS1.
//!
//! Law: the NF-e portal's table "Prefixo GS1" (NT 2017.001, NT 2021.003 v1.40: I03-20, I12-20), as published on
//! 2026-06-26. Prefixes that the sheet calls special (circulation inside a shop, coupons, refunds) are in the table
//! too, and so valid.

/// True for a GTIN of 8, 12, 13 or 14 digits with a prefix of the table, and for any other text, which has no prefix.
pub fn has_a_known_prefix(gtin: &str) -> bool {
    let prefix = match gtin.len() {
        // of twelve digits the leading zero is omitted; of fourteen the first is the packaging level
        12 => gtin.get(..2),
        8 | 13 => gtin.get(..3),
        14 => gtin.get(1..4),
        _ => None,
    };
    let Some(Ok(prefix)) = prefix.map(str::parse::<u16>) else { return true };
    let after = RANGES.partition_point(|(first, _)| *first <= prefix);
    after.checked_sub(1).and_then(|at| RANGES.get(at)).is_some_and(|(_, last)| prefix <= *last)
}

/// First and last prefix of each run, sorted.
#[rustfmt::skip]
static RANGES: [(u16, u16); 52] = [
    (0, 139), (200, 380), (383, 383), (385, 385), (387, 387), (389, 389), (400, 440), (450, 471), (474, 509), (520, 521),
    (528, 531), (535, 535), (539, 549), (560, 560), (569, 579), (590, 590), (594, 594), (599, 601), (603, 604), (608, 609),
    (611, 611), (613, 613), (615, 616), (618, 629), (640, 649), (690, 709), (729, 746), (750, 750), (754, 755), (759, 771),
    (773, 773), (775, 775), (777, 780), (784, 784), (786, 786), (789, 790), (800, 850), (858, 860), (865, 865), (867, 880),
    (884, 885), (888, 888), (890, 890), (893, 893), (896, 896), (899, 919), (930, 951), (955, 955), (958, 958), (960, 969),
    (977, 984), (990, 999),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_the_table_are_known_and_gaps_are_not() {
        for known in ["7891000315507", "2000000000008", "9788535914849", "0412345678903", "96385074", "036000291452"] {
            assert!(has_a_known_prefix(known), "{known}");
        }
        for gap in ["1400000000007", "3810000000005", "4410000000000", "13810000000002", "9700000000007", "19912345"] {
            assert!(!has_a_known_prefix(gap), "{gap}");
        }
        assert!(has_a_known_prefix("13890000000003") && has_a_known_prefix("SEM GTIN 1234") && has_a_known_prefix(""));
    }

    /// The sheet has 701 of the thousand prefixes.
    #[test]
    fn the_ranges_are_sorted_apart_and_whole() {
        assert!(RANGES.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
        let known: u16 = RANGES.iter().map(|(first, last)| last - first + 1).sum();
        assert_eq!(known, 701);
    }
}
