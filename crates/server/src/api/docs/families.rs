//! Document families whose `nota` is described by its layout: in the OpenAPI document, and on a page of its fields.
//!
//! A new family is a row.

use fiscal::map::GroupMember;

use super::nota::LeftOut;

/// A family and its layout.
pub(super) struct FamilyFields {
    /// Prefix of its components' names.
    pub(super) prefix: &'static str,
    /// Name of the document with its article, in the genitive.
    pub(super) of: &'static str,
    /// Last part of the page's address.
    pub(super) page: &'static str,
    /// Its models, as the search shows them.
    pub(super) models: &'static str,
    pub(super) members: fn() -> Vec<GroupMember>,
    /// Treatment of the groups that a payload may omit.
    pub(super) left_out: LeftOut,
}

/// All families.
pub(super) const FAMILIES: &[FamilyFields] = &[
    FamilyFields {
        prefix: "Nfe",
        of: "da NF-e (modelo 55)",
        page: "nfe",
        models: "55",
        members: fiscal::nfe::describe::members,
        left_out: LeftOut::Unsaid,
    },
    FamilyFields {
        prefix: "Nfce",
        of: "da NFC-e (modelo 65)",
        page: "nfce",
        models: "65",
        members: fiscal::nfe::describe::consumer_members,
        left_out: LeftOut::Unsaid,
    },
    FamilyFields {
        prefix: "Cte",
        of: "do CT-e (modelo 57)",
        page: "cte",
        models: "57",
        members: fiscal::cte::describe::members,
        left_out: LeftOut::Unsaid,
    },
    FamilyFields {
        prefix: "CteOs",
        of: "do CT-e OS (modelo 67)",
        page: "cte-os",
        models: "67",
        members: fiscal::cte::describe::services_members,
        left_out: LeftOut::Unsaid,
    },
    FamilyFields {
        prefix: "Nfse",
        of: "da NFS-e nacional (DPS)",
        page: "nfse",
        models: "NFS-e",
        members: fiscal::nfse::describe::members,
        left_out: LeftOut::Shown,
    },
    FamilyFields {
        prefix: "NfseMunicipal",
        of: "da NFS-e municipal (RPS)",
        page: "nfse-municipal",
        models: "NFS-e",
        members: fiscal::abrasf::describe::members,
        left_out: LeftOut::Unsaid,
    },
];

/// All members of a family, by the last part of its page's address.
pub(crate) fn members(page: &str) -> Option<Vec<GroupMember>> {
    let family = FAMILIES.iter().find(|one| one.page == page)?;
    Some((family.members)())
}
