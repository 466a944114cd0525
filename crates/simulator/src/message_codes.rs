//! Codes that are answered before a document is looked at.

/// Codes of stages 1 and 2 of the NF-e.
pub(crate) fn is_of_nfe(cStat: u16) -> bool {
    matches!(
        cStat,
        108 | 109 | 113 | 114 | 214 | 215 | 225 | 239 | 243 | 280
            ..=286
                | 402
                | 404
                | 410
                | 416
                | 450
                | 452
                | 476
                | 516
                | 517
                | 560
                | 565
                | 568
                | 587
                | 588
                | 656
                | 764
                | 765
                | 775
                | 776
                | 999
    )
}

/// Codes of stages A to C of the CT-e.
pub(crate) fn is_of_cte(cStat: u16) -> bool {
    matches!(
        cStat,
        108 | 109 | 113 | 114 | 214 | 215 | 225 | 239 | 243 | 244 | 280
            ..=286 | 402 | 404 | 410 | 513 | 598 | 599 | 678 | 999
    )
}
