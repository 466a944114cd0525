//! Paths of payload members in findings, in the caller's own spelling: by the contract's names, or by the tags of the
//! official tree.

use super::Family;
use serde_json::Value;

/// A member below the groups: by the contract's names, and by its official tags.
pub(crate) type MemberPath = [&'static str; 2];

/// Instant, `tpEmis`, and begin and reason of a contingency.
pub(crate) const DH_EMI: MemberPath = ["identificacao.dhEmi", "ide.dhEmi"];
pub(crate) const TP_EMIS: MemberPath = ["identificacao.tpEmis", "ide.tpEmis"];
pub(crate) const DH_CONT: MemberPath = ["identificacao.dhCont", "ide.dhCont"];
pub(crate) const X_JUST: MemberPath = ["identificacao.xJust", "ide.xJust"];

impl Family {
    /// Path of a member in the spelling that exists deeper in this payload; where neither does, in that of the tree it
    /// is written in.
    pub(crate) fn path(&self, nota: &Value, [ours, official]: MemberPath) -> String {
        let (home, groups) = ((self.builder.home)(nota), (self.builder.groups)(nota));
        let (by_name, by_tag) = (existing_members(groups, ours), existing_members(groups, official));
        let is_official = by_tag > by_name || (by_tag == by_name && home != "nota");
        format!("{home}.{}", if is_official { official } else { ours })
    }
}

/// Count of the path's members that exist.
fn existing_members(groups: &Value, path: &str) -> usize {
    let mut at = Some(groups);
    path.split('.')
        .take_while(|name| {
            at = at.and_then(|group| group.get(*name));
            at.is_some()
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{CTE, CTE_OS, ListedFields, NFE};
    use serde_json::json;

    #[test]
    fn a_path_is_spelled_as_the_payload_is() {
        let ListedFields { price, receiver } = CTE.builder.listed;
        for (nota, spelled) in [
            (json!({ "valores": { "vTPrest": 1 } }), "nota.valores.vTPrest"),
            (json!({ "vPrest": { "vTPrest": 1 } }), "nota.vPrest.vTPrest"),
            (json!({}), "nota.valores.vTPrest"),
            (json!({ "infCte": { "vPrest": { "vTPrest": 1 } } }), "nota.infCte.vPrest.vTPrest"),
            (json!({ "infCte": { "valores": {} } }), "nota.infCte.valores.vTPrest"),
            (json!({ "infCte": {} }), "nota.infCte.vPrest.vTPrest"),
        ] {
            assert_eq!(CTE.path(&nota, price), spelled, "{nota}");
        }
        assert_eq!(CTE.path(&json!({ "infCte": { "dest": {} } }), receiver), "nota.infCte.dest");
        assert_eq!(CTE_OS.path(&json!({ "infCte": {} }), CTE_OS.builder.listed.receiver), "nota.infCte.toma");
        assert_eq!(CTE.path(&json!({ "ide": { "tpEmis": 2 } }), TP_EMIS), "nota.ide.tpEmis");
        let total = NFE.builder.listed.price;
        assert_eq!(NFE.path(&json!({ "total": { "vNF": 1 } }), total), "nota.total.vNF");
        assert_eq!(NFE.path(&json!({ "total": { "ICMSTot": {} } }), total), "nota.total.ICMSTot.vNF");
        assert_eq!(NFE.path(&json!({ "infNFe": { "ide": {} } }), DH_CONT), "nota.infNFe.ide.dhCont");
    }
}
