//! Mandatory rules without a function of their own, each with the reason.

/// Reason for a rule to have no function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OmissionReason {
    /// The function of another rule finds the fault, with an equal code.
    FoundBy(&'static str),
    /// The service cannot send the field or value: NFA-e (`procEmi` 1, 2), NFF (`tpEmis` 3), PAA (`procEmi` 4).
    NotIssuedHere,
    /// The deciding table was never published, or is not in force on any day yet.
    NoTable,
    /// The deciding table was published, but is not available to this service.
    UnseenTable,
    /// The schema refuses the document first.
    BySchema,
}

/// Returns the reason of a rule that has one.
pub fn reason(id: &str, cStat: u16) -> Option<OmissionReason> {
    ASIDE.iter().find(|row| (row.0, row.1) == (id, cStat)).map(|row| row.2)
}

#[rustfmt::skip]
pub(super) const ASIDE: &[(&str, u16, OmissionReason)] = {
    use OmissionReason::{BySchema, FoundBy, NoTable, NotIssuedHere, UnseenTable};
    &[
        ("B09-30", 315, NoTable), ("B09-50", 315, NoTable), ("I05-30", 779, NoTable), ("I09-10", 734, NoTable),
        ("UB56-20", 1037, NoTable), ("UB89b-10", 1227, NoTable), ("UB99b-10", 1257, NoTable), ("I08-191", 159, UnseenTable),
        ("B26-20", 451, NotIssuedHere), ("B26-30", 370, NotIssuedHere), ("B26-50", 957, NotIssuedHere), ("C21-20", 1178, NotIssuedHere),
        ("D01-20", 369, NotIssuedHere), ("I86-10", 820, NotIssuedHere), ("I87-10", 833, NotIssuedHere), ("ZE01-10", 819, NotIssuedHere),
        ("ZE01-20", 834, NotIssuedHere), ("ZG02-10", 1180, NotIssuedHere),
        ("NA09-20", 697, FoundBy("NA09-10")),
        ("ZX02-232", 396, FoundBy("ZX02-224")), ("ZX02-240", 396, FoundBy("ZX02-224")), ("ZX02-272", 396, FoundBy("ZX02-224")),
        ("ZX02-288", 396, FoundBy("ZX02-224")), ("ZX02-300", 396, FoundBy("ZX02-224")), ("ZX02-312", 396, FoundBy("ZX02-224")),
        ("ZX02-324", 396, FoundBy("ZX02-224")), ("ZX02-326", 396, FoundBy("ZX02-224")),
        ("ZX02-292", 400, BySchema), ("ZX02-316", 400, BySchema),
    ]
};
