//! Emission data of a `nota`: `identificacao.tpEmis` 2 (offline) with start and reason, the instant of issue, and
//! whether an SVC takes the document.
//!
//! Law: NT 2026.004 (the only mode that the issuer may choose; EPEC and FS-DA have ended) and rules 517, 587, 588. Must
//! not know whether the installation offers the mode: the caller refuses it otherwise.

use super::{defaults, model, official};
use serde_json::Value;

/// `tpEmis` of a document issued while no authority can be reached (NT 2026.004).
pub(super) const OFFLINE: u8 = 2;

/// `tpCTe` of a document that is neither a complement nor a substitute.
const NORMAL: u8 = 0;

/// Emission data of a payload. Only `tpEmis` is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CteEmissionRequest<'a> {
    /// True for `tpEmis` 2.
    pub offline: bool,
    /// True for a complement or a substitute, which no SVC authorises (517).
    pub svc_refuses: bool,
    /// `dhCont`.
    pub dhCont: Option<&'a str>,
    /// `xJust`.
    pub xJust: Option<&'a str>,
    /// `dhEmi`, as the caller wrote it.
    pub dhEmi: Option<&'a str>,
}

impl<'a> CteEmissionRequest<'a> {
    /// Reads `nota` leniently; unreadable members count as absent.
    pub fn of(nota: &'a Value) -> CteEmissionRequest<'a> {
        let Some(root) = official::groups(nota).as_object() else { return CteEmissionRequest::default() };
        let ide = model::ide(root);
        CteEmissionRequest {
            offline: ide.text("tpEmis").is_some_and(|tpEmis| tpEmis.trim().parse() == Ok(OFFLINE)),
            svc_refuses: defaults::tpCTe(root, &ide).parse() != Ok(NORMAL),
            dhCont: ide.text("dhCont"),
            xJust: ide.text("xJust"),
            dhEmi: ide.text("dhEmi"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn offline_is_all_that_an_issuer_may_choose() {
        let asked = |tpEmis: Value| CteEmissionRequest::of(&json!({ "identificacao": { "tpEmis": tpEmis } })).offline;
        assert!(asked(json!(2)) && asked(json!("2 ")));
        assert!(
            [json!(1), json!("7"), json!(8), json!(9), json!("off"), json!(null)].into_iter().all(|way| !asked(way))
        );
        assert_eq!(CteEmissionRequest::of(&json!([])), CteEmissionRequest::default());
    }

    #[test]
    fn an_svc_takes_what_is_normal_and_nothing_else() {
        let refused = |nota: Value| CteEmissionRequest::of(&nota).svc_refuses;
        let of = |tpCTe: Value| json!({ "identificacao": { "tpCTe": tpCTe } });
        assert!([json!(1), json!("3"), json!(" 1 ")].into_iter().all(|kind| refused(of(kind))));
        assert!(refused(json!({ "infCte": { "ide": { "tpCTe": "3" } } })));
        assert!([json!(0), json!("0"), json!("00"), json!(null)].into_iter().all(|kind| !refused(of(kind))));
        assert!(!refused(json!({ "identificacao": {} })));
        let implied = ["complementado", "infCteComp", "substituicao"].map(|group| json!({ group: ["4326"] }));
        assert!(implied.into_iter().all(refused));
    }

    #[test]
    fn the_reasons_are_read_from_either_tree() {
        let ide =
            json!({ "tpEmis": "2", "dhCont": "2026-11-20T09:00:00-03:00", "xJust": "SEM REDE", "dhEmi": "2026-11-20" });
        for nota in [json!({ "identificacao": ide }), json!({ "infCte": { "ide": ide } })] {
            let asked = CteEmissionRequest::of(&nota);
            let expected = (true, Some("2026-11-20T09:00:00-03:00"), Some("SEM REDE"), Some("2026-11-20"));
            assert_eq!((asked.offline, asked.dhCont, asked.xJust, asked.dhEmi), expected);
        }
    }
}
