//! Facts about an item of the Simples Nacional: its activity (`cAtivSN`), and the kind of revenue of its cClassTrib
//! (`tpRBSN`).
//!
//! Source: tables of activities and of cClassTrib in the base of the Receita Federal's own calculator of 2026-08-07
//! (migrations V0047 and V0049 to V0051), in force from 2027-01-01; used by rule UB14-90 (1277) of NT 2026.005.

use super::Anexo;

/// True for the activity of untaxed operations.
pub fn is_untaxed(cAtivSN: &str) -> bool {
    ACTIVITIES.iter().any(|(codigo, anexo)| *codigo == cAtivSN && anexo.is_none())
}

/// Kind of revenue of a cClassTrib: 0 none, 1 internal, 2 internal without IBS and CBS, 3 direct export, 4 indirect
/// export, 5 half internal and half export, 9 not for the Simples. `None` for a class that the table does not have.
pub fn tpRBSN(cClassTrib: &str) -> Option<u8> {
    REVENUES.iter().find(|(_, classes)| classes.contains(&cClassTrib)).map(|(tpRBSN, _)| *tpRBSN)
}

/// Codes of activity, each with the annex of its DAS.
const ACTIVITIES: &[(&str, Option<Anexo>)] = &[
    ("01", Some(Anexo::I)),
    ("02", Some(Anexo::I)),
    ("03", Some(Anexo::II)),
    ("04", Some(Anexo::II)),
    ("05", Some(Anexo::III)),
    ("06", Some(Anexo::III)),
    ("07", Some(Anexo::III)),
    ("08", Some(Anexo::III)),
    ("09", Some(Anexo::III)),
    ("10", Some(Anexo::III)),
    ("11", Some(Anexo::III)),
    ("12", Some(Anexo::III)),
    ("13", Some(Anexo::IV)),
    ("14", Some(Anexo::IV)),
    ("90", None),
];

/// Kinds of revenue, each with its cClassTrib.
#[rustfmt::skip]
const REVENUES: &[(u8, &[&str])] = &[
    (0, &[
        "200019", "410001", "410002", "410003", "410017", "410022", "410026", "410029", "410030", "410032", "410036",
        "410037", "410999", "550002", "550003", "550006", "550007", "550008", "550009", "550010", "550019", "550020",
        "620007", "800001", "800002", "810001", "811001", "811002", "811003", "820005", "820006", "820008", "820009",
        "830001",
    ]),
    (1, &[
        "000001", "000002", "000003", "000004", "000005", "010002", "011001", "011002", "011003", "011004", "011005",
        "200002", "200003", "200004", "200005", "200006", "200007", "200008", "200009", "200010", "200011", "200012",
        "200013", "200014", "200015", "200020", "200021", "200022", "200023", "200024", "200025", "200027", "200028",
        "200029", "200030", "200031", "200032", "200033", "200034", "200035", "200036", "200037", "200038", "200039",
        "200040", "200041", "200042", "200043", "200044", "200045", "200046", "200047", "200048", "200049", "200050",
        "200051", "200052", "200053", "220003", "221001", "221004", "400001", "400002", "410014", "410016", "410019",
        "410020", "410024", "410031", "515001", "550011", "550012", "550013", "550015", "550016", "550017", "550018",
        "550022", "550023", "550024", "550025",
    ]),
    (2, &[
        "410008", "410009", "410010", "410011", "510001", "620006",
    ]),
    (3, &[
        "200001", "410004", "410013", "410027",
    ]),
    (4, &[
        "550001", "550004", "550005", "550014", "550021",
    ]),
    (5, &[
        "222001",
    ]),
    (9, &[
        "010001", "200016", "200017", "200018", "200026", "200054", "220001", "220002", "221002", "221003", "410005",
        "410006", "410007", "410012", "410015", "410018", "410021", "410023", "410025", "410028", "410033", "410034",
        "410035", "620001", "620002", "620003", "620004", "620005", "820001", "820002", "820003", "820004", "820007",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_class_has_one_revenue() {
        let classes: Vec<&str> = REVENUES.iter().flat_map(|(_, classes)| classes.iter().copied()).collect();
        assert_eq!(classes.iter().collect::<BTreeSet<_>>().len(), classes.len());
        assert_eq!(classes.len(), 164);
        assert_eq!(
            ["000001", "200001", "410001", "620001", "999999"].map(tpRBSN),
            [Some(1), Some(3), Some(0), Some(9), None]
        );
    }

    #[test]
    fn only_90_is_without_taxation() {
        assert!(is_untaxed("90") && !is_untaxed("01") && !is_untaxed(""));
    }
}
