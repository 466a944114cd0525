//! Emission type of a document: its `tpEmis`, and beginning and reason of a type that is not normal.
//!
//! Law: MOC 7.0 anexo III (EPEC, FS-DA) and anexo IV (offline), rules 556 to 558. The type of a document is fixed with
//! its number, since it is part of the key.

use crate::family::member_path::{DH_CONT, MemberPath, X_JUST};
use crate::family::{EmissionChoice, Family};
use fiscal::finding::Notice;
use fiscal::value::CivilOffset;
use jiff::Timestamp;
use serde_json::Value;

/// `verProc` when the payload gives none (at most 20 positions).
pub(crate) const VER_PROC: &str = concat!("Carimbo ", env!("CARGO_PKG_VERSION"));
/// `tpEmis` of a normal emission.
pub(crate) const NORMAL: u8 = 1;
/// `tpEmis` of an offline CT-e or CT-e OS.
pub(crate) const CTE_OFFLINE: u8 = 2;
/// `tpEmis` of an NF-e announced by EPEC.
pub(crate) const EPEC: u8 = 4;
/// `tpEmis` of an NF-e printed on security paper.
pub(crate) const FS_DA: u8 = 5;
/// `tpEmis` at SVC-AN.
pub(crate) const SVC_AN: u8 = 6;
/// `tpEmis` at SVC-RS.
pub(crate) const SVC_RS: u8 = 7;
/// `tpEmis` at SVC-SP, of CT-e.
pub(crate) const SVC_SP: u8 = 8;
/// `tpEmis` of an offline NFC-e, or NF-e with the DANFE Simplificado Tipo 2.
pub(crate) const OFFLINE: u8 = 9;

/// `tpEmis` with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestedEmission {
    pub(crate) tpEmis: u8,
    reasons: Option<(String, String)>,
    notices: Vec<Notice>,
}

/// `xJust` of a payload that gives none.
const NO_REASON: &str = "Sem comunicacao com a SEFAZ autorizadora";

impl RequestedEmission {
    /// Reads the type that the payload asks for; `now` in the same civil time.
    pub(crate) fn requested(
        family: &Family,
        nota: &Value,
        place: impl Into<CivilOffset>,
        now: &str,
    ) -> RequestedEmission {
        let asked = (family.contingency.asked)(nota);
        let instant = |text: &str| text.parse::<Timestamp>().ok();
        let emitted = family.dhEmi(&asked, place).filter(|dhEmi| instant(dhEmi) < instant(now));
        // no contingency begins after a document issued in it (588)
        let now = emitted.as_deref().unwrap_or(now);
        match asked.chosen {
            // security paper carries the issuer's own statement: nothing is filled in, and without it the authority
            // refuses (557)
            Some(FS_DA) => {
                let reasons = asked.dhCont.zip(asked.xJust);
                let reasons = reasons.map(|(dhCont, xJust)| (dhCont.to_owned(), xJust.to_owned()));
                RequestedEmission { tpEmis: FS_DA, reasons, notices: Vec::new() }
            }
            Some(tpEmis) => RequestedEmission::with_defaults(tpEmis, asked, |member| family.path(nota, member), now),
            None => RequestedEmission { tpEmis: NORMAL, reasons: None, notices: Vec::new() },
        }
    }

    fn with_defaults(
        tpEmis: u8,
        asked: EmissionChoice<'_>,
        path: impl Fn(MemberPath) -> String,
        now: &str,
    ) -> RequestedEmission {
        let notices = [("dhCont", DH_CONT, asked.dhCont, now), ("xJust", X_JUST, asked.xJust, NO_REASON)]
            .into_iter()
            .filter(|(_, _, given, _)| given.is_none())
            .map(|(name, member, _, filled)| assumed(tpEmis, path(member), name, filled))
            .collect();
        let reasons = (asked.dhCont.unwrap_or(now).to_owned(), asked.xJust.unwrap_or(NO_REASON).to_owned());
        RequestedEmission { tpEmis, reasons: Some(reasons), notices }
    }

    /// `dhCont` and `xJust`.
    pub(crate) fn reasons(&self) -> Option<(&str, &str)> {
        self.reasons.as_ref().map(|(dhCont, xJust)| (dhCont.as_str(), xJust.as_str()))
    }

    /// Notices about the values filled in for the caller.
    pub(crate) fn into_notices(self) -> Vec<Notice> {
        self.notices
    }
}

fn assumed(tpEmis: u8, campo: String, name: &str, filled: &str) -> Notice {
    let way = if tpEmis == EPEC { "com EPEC" } else { "offline" };
    Notice {
        campo,
        codigo: "assumido_padrao".to_owned(),
        mensagem: format!(
            "A emissão {way} (tpEmis {tpEmis}) exige {name}, que não veio: foi preenchido com \"{filled}\"."
        ),
        sugestao: None,
        codigo_status: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{CTE, NFCE, NFE};
    use fiscal::value::Uf;
    use serde_json::json;

    const NOW: &str = "2026-11-20T10:00:00-03:00";

    #[test]
    fn is_normal_unless_an_nfce_asks_to_be_offline() {
        let nine = json!({"identificacao": {"tpEmis": 9}});
        assert_eq!(RequestedEmission::requested(&NFCE, &json!({}), Uf::SP, NOW).tpEmis, 1);
        assert_eq!(RequestedEmission::requested(&NFE, &nine, Uf::SP, NOW).reasons(), None);
        assert_eq!(RequestedEmission::requested(&NFCE, &nine, Uf::SP, NOW).tpEmis, 9);
    }

    #[test]
    fn security_paper_states_its_own_reasons() {
        let bare = RequestedEmission::requested(&NFE, &json!({"identificacao": {"tpEmis": 5}}), Uf::SP, NOW);
        assert_eq!((bare.tpEmis, bare.reasons(), bare.notices.len()), (5, None, 0));
        let told = json!({"identificacao": {"tpEmis": 5, "dhCont": NOW, "xJust": "SEM INTERNET NA LOJA"}});
        assert_eq!(
            RequestedEmission::requested(&NFE, &told, Uf::SP, NOW).reasons(),
            Some((NOW, "SEM INTERNET NA LOJA"))
        );
        assert_eq!(RequestedEmission::requested(&NFCE, &told, Uf::SP, NOW).tpEmis, 1);
    }

    #[test]
    fn the_contingency_of_a_cte_has_begun_when_it_is_issued() {
        let offline = |dhEmi: &str| {
            let nota = json!({"identificacao": {"tpEmis": 2, "dhEmi": dhEmi}});
            RequestedEmission::requested(&CTE, &nota, Uf::SP, NOW).reasons().unwrap().0.to_owned()
        };
        assert_eq!(offline("2026-11-20T09:30:00-03:00"), "2026-11-20T09:30:00-03:00");
        assert_eq!(offline("2026-11-20T10:02:00-03:00"), NOW);
        assert_eq!(offline("ontem"), NOW);
        let nine = json!({"identificacao": {"tpEmis": 9, "dhEmi": "2026-11-20T09:30:00-03:00"}});
        assert_eq!(RequestedEmission::requested(&NFCE, &nine, Uf::SP, NOW).reasons().unwrap().0, NOW);
        assert_eq!(RequestedEmission::requested(&CTE, &nine, Uf::SP, NOW).tpEmis, 1);
    }

    #[test]
    fn reasons_that_are_not_given_are_filled_and_told() {
        let emission = RequestedEmission::requested(
            &NFCE,
            &json!({"identificacao": {"tpEmis": 9, "xJust": "LOJA SEM INTERNET"}}),
            Uf::SP,
            NOW,
        );
        assert_eq!(emission.reasons(), Some((NOW, "LOJA SEM INTERNET")));
        let told: Vec<String> = emission.into_notices().into_iter().map(|notice| notice.campo).collect();
        assert_eq!(told, ["nota.identificacao.dhCont"]);
    }
}
