//! Description of the declaration (DPS) for the API reference.
//!
//! Law: the layout, the map of `groups`, and the values that `defaults` fills in. The lists below repeat the latter by
//! name; a test checks every name against the layout.

use super::groups::INF_DPS;
use super::layouts::DpsLayout;
use crate::map::{GroupMember, MemberBody, MemberRequirement, describe};

/// Describes the members of `nota`: those of `infDPS`.
pub fn members() -> Vec<GroupMember> {
    let Some(complex) = DpsLayout::Current.inf_dps() else { return Vec::new() };
    let mut members = describe(complex, Some(&INF_DPS));
    // an attribute that the service writes
    members.retain(|member| member.name != "Id");
    by_official_document(&mut members);
    for (path, need) in FILLED {
        if let Some(member) = find(&mut members, path) {
            member.need = *need;
        }
    }
    members
}

/// Members that the caller need not send, and their source.
const FILLED: &[(&str, MemberRequirement)] = &[
    ("tpAmb", MemberRequirement::Service),
    ("dhEmi", MemberRequirement::Service),
    ("verAplic", MemberRequirement::Service),
    ("serie", MemberRequirement::Company),
    ("nDPS", MemberRequirement::Service),
    ("dCompet", MemberRequirement::SameAs("dia de dhEmi")),
    ("tpEmit", MemberRequirement::Assumed("1")),
    ("cLocEmi", MemberRequirement::Company),
    ("prest", MemberRequirement::Company),
    ("prest.CNPJ", MemberRequirement::Company),
    ("prest.CPF", MemberRequirement::Company),
    ("prest.IM", MemberRequirement::Company),
    ("prest.regTrib", MemberRequirement::Company),
    ("prest.regTrib.opSimpNac", MemberRequirement::Company),
    ("prest.regTrib.regApTribSN", MemberRequirement::Company),
    ("prest.regTrib.regEspTrib", MemberRequirement::Company),
    ("serv.cLocPrestacao", MemberRequirement::SameAs("cLocEmi")),
    ("valores.trib", MemberRequirement::Service),
    ("valores.trib.tribMun", MemberRequirement::Service),
    ("valores.trib.tribMun.tribISSQN", MemberRequirement::Assumed("1")),
    ("valores.trib.tribMun.tpRetISSQN", MemberRequirement::Assumed("1")),
    ("valores.trib.totTrib", MemberRequirement::Service),
    ("IBSCBS.finNFSe", MemberRequirement::Assumed("0")),
    ("IBSCBS.indDest", MemberRequirement::Assumed("0")),
];

/// Lists CNPJ and CPF under their own tags. Both may be sent under one name.
fn by_official_document(members: &mut [GroupMember]) {
    for member in members {
        match &mut member.body {
            MemberBody::Group(list) => by_official_document(list),
            MemberBody::Value(_) if member.tag.ends_with("/CPF") => {
                member.aliases.retain(|alias| *alias != "CPF");
                member.aliases.insert(0, member.name);
                member.name = "CPF";
            }
            MemberBody::Value(_) => {}
        }
    }
}

/// Returns a member by its path of names.
fn find<'m>(members: &'m mut [GroupMember], path: &str) -> Option<&'m mut GroupMember> {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let member = members.iter_mut().find(|member| member.name == name)?;
    if rest.is_empty() {
        return Some(member);
    }
    match &mut member.body {
        MemberBody::Group(list) => find(list, rest),
        MemberBody::Value(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_lists_is_one_of_the_layout() {
        let mut members = members();
        for (path, need) in FILLED {
            assert_eq!(find(&mut members, path).unwrap_or_else(|| panic!("{path}")).need, *need, "{path}");
        }
    }

    #[test]
    fn the_names_of_the_contract_lead_to_official_elements() {
        let mut nota = members();
        for (path, tag) in [
            ("toma.xNome", "toma/xNome"),
            ("toma.CPF", "toma/CPF"),
            ("toma.CNPJ", "toma/CNPJ"),
            ("serv.cTribNac", "serv/cServ/cTribNac"),
            ("valores.vServ", "valores/vServPrest/vServ"),
            ("valores.vDedRed.documentos.docDedRed.tpDedRed", "valores/vDedRed/documentos/docDedRed/tpDedRed"),
            ("valores.trib.tribFed.piscofins.tpRetPisCofins", "valores/trib/tribFed/piscofins/tpRetPisCofins"),
            ("IBSCBS.cIndOp", "IBSCBS/cIndOp"),
            ("subst.chSubstda", "subst/chSubstda"),
        ] {
            assert_eq!(find(&mut nota, path).unwrap_or_else(|| panic!("{path}")).tag, tag, "{path}");
        }
        assert!(find(&mut nota, "Id").is_none());
    }

    /// The smallest payload consists of the members marked as required outside optional groups.
    #[test]
    fn what_is_needed_is_what_nothing_fills() {
        let mut nota = members();
        for path in ["serv", "serv.cTribNac", "serv.xDescServ", "valores", "valores.vServ"] {
            assert_eq!(find(&mut nota, path).unwrap().need, MemberRequirement::Required, "{path}");
        }
        let needed: Vec<&str> =
            nota.iter().filter(|member| member.need == MemberRequirement::Required).map(|member| member.name).collect();
        assert_eq!(needed, ["serv", "valores"]);
    }
}
