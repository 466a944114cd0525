//! The município that the ISSQN of a declaration is due to, and the refusals predicted from its rate for the service.
//!
//! Law: anexo I of 2026-02-09 (E0312, E0617 to E0640); `docs/contract.md`, "NFS-e" (rules that depend on a município's
//! parameters are predicted only when these were read).

use super::convention::Convention;
use super::municipal::{self, MunicipalBenefit, SpecialRegime, WithholdingLaw};
use super::review::located;
use super::rules::{self, NfseRuleContext};
use super::{dps_wrapper, incidence, moved_members};
use crate::finding::Notice;
use crate::law::{Law, RuleEffect};
use crate::value::{TpAmb, amount};
use crate::xml::{self, Element};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;

/// Query to a município about a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MunicipalQuery {
    /// IBGE code of the município.
    pub municipio: u32,
    /// Code of the service.
    pub cTribNac: String,
    /// `AAAA-MM-DD`.
    pub dCompet: String,
    /// Benefit that the declaration names.
    pub nBM: Option<String>,
    /// True when the declaration names a special regime.
    pub is_special: bool,
    /// True when the tax is not withheld; a law of the município may require the tomador to withhold it.
    pub is_unwithheld: bool,
}

/// Parameters of a município.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MunicipalParameters {
    pub convention: Convention,
    /// Rate for the service, in per cent; `None` when the município does not administer the service.
    pub rate: Option<String>,
    /// Benefit, if it was queried; the inner `None` means that it does not exist.
    pub benefit: Option<Option<MunicipalBenefit>>,
    /// Special regimes, if queried.
    pub regimes: Vec<SpecialRegime>,
    /// Services whose tax must be withheld by its law, if queried.
    pub withheld: Vec<WithholdingLaw>,
}

/// Returns the query for a declaration; `None` for one without ISSQN.
pub fn municipal_query(dps: &str) -> Option<MunicipalQuery> {
    let root = xml::read(dps.as_bytes()).ok()?;
    let inf = root.child("infDPS")?;
    Some(MunicipalQuery {
        municipio: incidence::of(inf)?.parse().ok()?,
        cTribNac: inf.text_at("serv/cServ/cTribNac")?.to_owned(),
        dCompet: inf.text_at("dCompet")?.to_owned(),
        nBM: municipal::declared_benefit(inf).map(str::to_owned),
        is_special: municipal::declared_regime(inf).is_some(),
        is_unwithheld: inf.text_at("valores/trib/tribMun/tpRetISSQN") == Some("1"),
    })
}

/// Circumstances of a declaration's reception.
pub struct ReceptionContext<'l> {
    /// Law that applies.
    pub law: &'l Law,
    /// Moment of reception.
    pub now: Timestamp,
    /// Environment that receives it.
    pub ambiente: TpAmb,
}

/// Returns the refusals that the município's answer predicts and that were unknown before it.
pub fn predicted_refusals(
    nota: &Value,
    dps: &str,
    asked: &ReceptionContext<'_>,
    answered: &MunicipalParameters,
) -> Vec<Notice> {
    let ReceptionContext { law, now, ambiente } = *asked;
    let Ok(read) = xml::read(dps.as_bytes()) else { return Vec::new() };
    let root = moved_members::as_package(&read);
    let Some(inf) = root.child("infDPS") else { return Vec::new() };
    let is_mei = inf.text_at("prest/regTrib/opSimpNac") == Some("2");
    let mut told = match &answered.rate {
        None if is_mei || !answered.convention.active => Vec::new(),
        None => rules::book::mensagem(UNADMINISTERED)
            .map(|mensagem| {
                (
                    SERVICE.to_owned(),
                    super::review::rejection_notice(UNADMINISTERED, mensagem, None, RuleEffect::Rejeicao),
                )
            })
            .into_iter()
            .collect(),
        Some(rate) => {
            let Some(rate) = amount(rate) else { return Vec::new() };
            let benefit = answered.benefit.as_ref().and_then(Option::as_ref);
            let terms = Some(municipal::terms(answered.convention.active, rate, benefit));
            let before = NfseRuleContext { law, now, ambiente, terms: None };
            let known: BTreeSet<&str> = rules::predict(&root, &before).into_iter().map(|it| it.rule.codigo).collect();
            let after = rules::predict(&root, &NfseRuleContext { terms, ..before });
            let new = after.into_iter().filter(|it| !known.contains(it.rule.codigo));
            let new = new.map(|it| (it.breach.path, super::review::rejection(it.rule, it.effect)));
            let low = terms.iter().flat_map(|terms| municipal::by_floor(inf, terms)).map(official);
            new.chain(low).collect()
        }
    };
    told.extend(predict_by_choices(inf, answered));
    dps_wrapper::remarks(nota, located(dps_wrapper::groups(nota), told))
}

/// Returns refusals by the benefit and the special regime, and a notice on the law of withholding, which refuses
/// nothing.
fn predict_by_choices(inf: &Element, answered: &MunicipalParameters) -> Vec<(String, Notice)> {
    let benefit = answered.benefit.as_ref();
    let benefit = benefit.map(|found| municipal::by_benefit(inf, found.as_ref(), answered.convention.active));
    let foretold = benefit.unwrap_or_default().into_iter().chain(municipal::by_regimes(inf, &answered.regimes));
    let mut told: Vec<(String, Notice)> = foretold.map(official).collect();
    if municipal::misses_withholding(inf, &answered.withheld) {
        let path = municipal::withholding_path();
        told.push((path.to_owned(), Notice::of(path.to_owned(), "retencao_do_municipio", WITHHOLDING, None)));
    }
    told
}

fn official((codigo, path): municipal::CodeAtPath) -> (String, Notice) {
    let mensagem = rules::book::mensagem(codigo).unwrap_or("Rejeição");
    (path.to_owned(), super::review::rejection_notice(codigo, mensagem, None, RuleEffect::Rejeicao))
}

const WITHHOLDING: &str = "O município do ISSQN tem lei que manda reter o imposto deste serviço, e a nota diz que ninguém retém (tpRetISSQN 1). A autoridade não \
                           recusa por isso; confira com o tomador quem deve recolher.";

const UNADMINISTERED: &str = "E0312";
const SERVICE: &str = "serv/cServ/cTribNac";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A service due where it is performed, of a provider outside the Simples.
    fn dps(rate: &str) -> String {
        let rate = if rate.is_empty() { String::new() } else { format!("<pAliq>{rate}</pAliq>") };
        format!(
            "<DPS><infDPS><dCompet>2026-11-20</dCompet><cLocEmi>3550308</cLocEmi><prest><regTrib><opSimpNac>1</opSimpNac><regEspTrib>0</regEspTrib>\
             </regTrib></prest><serv><locPrest><cLocPrestacao>3509502</cLocPrestacao></locPrest><cServ><cTribNac>070201</cTribNac></cServ></serv>\
             <valores><vServPrest><vServ>100.00</vServ></vServPrest><trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>1</tpRetISSQN>{rate}</tribMun>\
             </trib></valores></infDPS></DPS>"
        )
    }

    fn codes(dps: &str, active: bool, rate: Option<&str>) -> Vec<String> {
        let convention = Convention { exists: true, active, emitter: active, by_default: None };
        let rate = rate.map(str::to_owned);
        let answered =
            MunicipalParameters { convention, rate, benefit: None, regimes: Vec::new(), withheld: Vec::new() };
        let nota = json!({ "serv": { "cServ": { "cTribNac": "070201" } } });
        let asked = ReceptionContext { law: Law::printed(), now: Timestamp::UNIX_EPOCH, ambiente: TpAmb::Homologacao };
        let told = predicted_refusals(&nota, dps, &asked, &answered);
        told.iter().map(|told| told.codigo_status.as_ref().unwrap().to_string()).collect()
    }

    #[test]
    fn the_municipality_is_asked_about_the_service_on_its_day() {
        let asked = MunicipalQuery {
            municipio: 3_509_502,
            cTribNac: "070201".to_owned(),
            dCompet: "2026-11-20".to_owned(),
            nBM: None,
            is_special: false,
            is_unwithheld: true,
        };
        assert_eq!(municipal_query(&dps("")), Some(asked));
        assert_eq!(municipal_query(&dps("").replace("<tribISSQN>1", "<tribISSQN>4")), None);
        assert_eq!(municipal_query("<DPS"), None);
    }

    #[test]
    fn an_answer_foretells_what_only_it_decides() {
        assert!(codes(&dps("3.00"), true, Some("3")).contains(&"E0617".to_owned()));
        assert!(codes(&dps(""), false, Some("3")).contains(&"E0619".to_owned()));
        assert_eq!(codes(&dps(""), true, Some("3")), Vec::<String>::new());
        assert_eq!(codes(&dps(""), true, None), ["E0312"]);
    }
}
