//! Defaults for values that the caller leaves out: a tree weaker than the payload, with notices about assumed values.
//!
//! Law: `docs/contract.md`, "NFS-e". Never filled in: the service's code, text and value, rates, retentions, NBS,
//! classification of IBS and CBS.

use super::focus_names::insert_at;
use super::groups;
use super::layouts::DpsLayout;
use super::simples::by_crt;
use crate::document::BuildContext;
use crate::finding::Notice;
use crate::map::{self, GroupScope};
use crate::value::{CivilOffset, CnpjCpf, amount};
use serde_json::{Map, Value};

/// Tree of defaults, weaker than the payload, and its notices.
#[derive(Default)]
pub(super) struct DpsDefaults {
    pub(super) root: Map<String, Value>,
    pub(super) notices: Vec<Notice>,
}

/// Inputs of the defaults.
pub(super) struct DefaultInputs<'a, 'c> {
    pub(super) root: &'a Map<String, Value>,
    pub(super) context: &'a BuildContext<'c>,
    pub(super) prestador: CnpjCpf,
    pub(super) dhEmi: &'a str,
    pub(super) municipio: u32,
}

/// Codes of `opSimpNac`.
const MEI: &str = "2";
const SMALL: &str = "3";

impl DpsDefaults {
    pub(super) fn of(known: &DefaultInputs<'_, '_>) -> DpsDefaults {
        let mut defaults = DpsDefaults::default();
        defaults.identification(known);
        defaults.issuer(known);
        let regime = defaults.regime(known);
        defaults.taxes(known, &regime);
        defaults
    }

    fn identification(&mut self, known: &DefaultInputs<'_, '_>) {
        self.silent("verAplic", known.context.verProc.get(..20).unwrap_or(known.context.verProc));
        self.silent("dhEmi", known.dhEmi);
        let root = groups::scope(known.root, &[]);
        self.assume(&root, "", "dCompet", known.dhEmi.get(..10).unwrap_or_default());
        self.assume(&root, "", "tpEmit", "1");
        let municipio = known.municipio.to_string();
        self.assume(&root, "", "cLocEmi", &municipio);
        let place = groups::scope(known.root, &["serv", "locPrest"]);
        if place.text("cPaisPrestacao").is_none() {
            self.assume(&place, "serv.locPrest.", "cLocPrestacao", &municipio);
        }
    }

    fn issuer(&mut self, known: &DefaultInputs<'_, '_>) {
        let prest = groups::scope(known.root, &["prest"]);
        if crate::nota::issuer::DOCUMENT.iter().all(|name| prest.text(name).is_none()) {
            self.silent(&format!("prest.{}", known.prestador.tag()), known.prestador.as_str());
        }
        if let Some(IM) = known.context.emitente.get("IM").and_then(Value::as_str).filter(|IM| !IM.trim().is_empty()) {
            self.silent("prest.IM", IM.trim());
        }
    }

    /// Fills in the regime from the payload, the configuration or the company's CRT. Returns `opSimpNac`.
    fn regime(&mut self, known: &DefaultInputs<'_, '_>) -> String {
        let given = groups::scope(known.root, &["prest", "regTrib"]);
        let configured = |name: &str| plain(known.context.configuracao?.get("regime")?.get(name)?);
        let mut taken = |name: &'static str, by_crt: Option<&str>| -> Option<String> {
            if let Some(text) = given.text(name) {
                return Some(text.trim().to_owned());
            }
            if let Some(text) = configured(name) {
                self.silent(&format!("prest.regTrib.{name}"), &text);
                return Some(text);
            }
            let text = by_crt?.to_owned();
            self.assume(&given, "prest.regTrib.", name, &text);
            Some(text)
        };
        let by_crt = by_crt(known.context.CRT_on(&competence(known)).and_then(plain).as_deref());
        let regime = taken("opSimpNac", Some(by_crt)).unwrap_or_default();
        if regime == SMALL {
            taken("regApTribSN", Some("1"));
        }
        taken("regEspTrib", Some("0"));
        regime
    }

    fn taxes(&mut self, known: &DefaultInputs<'_, '_>, regime: &str) {
        let issqn = groups::scope(known.root, &["valores", "trib", "tribMun"]);
        self.assume(&issqn, "valores.trib.tribMun.", "tribISSQN", "1");
        self.assume(&issqn, "valores.trib.tribMun.", "tpRetISSQN", "1");
        self.purpose(known);
        let total = groups::scope(known.root, &["valores", "trib", "totTrib"]);
        if !total.is_empty() {
            return;
        }
        let home = total.base_path();
        let mut tell =
            |codigo: &str, mensagem: &str| self.notices.push(Notice::of(home.clone(), codigo, mensagem, None));
        match regime {
            MEI => {
                tell("assumido_padrao", "totTrib não foi informado: para o MEI será usado indTotTrib 0.");
                self.silent("valores.trib.totTrib.indTotTrib", "0");
            }
            SMALL => match known.context.configuracao.and_then(|it| plain(it.get("percentual_simples")?)) {
                Some(percentual) if amount(&percentual).is_some() => {
                    let mensagem = format!(
                        "totTrib não foi informado: será usado pTotTribSN {percentual}, da configuração da empresa."
                    );
                    tell("assumido_padrao", &mensagem);
                    self.silent("valores.trib.totTrib.pTotTribSN", &percentual);
                }
                _ => {
                    tell(
                        "assumido_zero",
                        "totTrib não foi informado: será usado pTotTribSN 0.00. Informe o percentual, ou cadastre percentual_simples.",
                    );
                    self.silent("valores.trib.totTrib.pTotTribSN", "0.00");
                }
            },
            _ => {
                tell(
                    "assumido_padrao",
                    "totTrib não foi informado: será usado pTotTrib com 0.00 para União, Estado e Município.",
                );
                for name in ["pTotTribFed", "pTotTribEst", "pTotTribMun"] {
                    self.silent(&format!("valores.trib.totTrib.pTotTrib.{name}"), "0.00");
                }
            }
        }
    }

    /// Fills in purpose and addressee: inside the group `IBSCBS` if there is one; by NT 009 beside the parties, in
    /// every document.
    fn purpose(&mut self, known: &DefaultInputs<'_, '_>) {
        let reform = groups::scope(known.root, &["IBSCBS"]);
        let root = groups::scope(known.root, &[]);
        for tag in ["finNFSe", "indDest"] {
            match (known.context.leiaute, reform.is_empty()) {
                (DpsLayout::Current, true) => {}
                (DpsLayout::Current, false) => self.assume(&reform, "IBSCBS.", tag, "0"),
                (DpsLayout::Nt009, false) => self.assume(&root, "", tag, "0"),
                (DpsLayout::Nt009, true) if root.text(tag).is_none() => self.silent(tag, "0"),
                (DpsLayout::Nt009, true) => {}
            }
        }
    }

    /// Fills in a value without a notice: the service determines it.
    fn silent(&mut self, path: &str, value: &str) {
        insert_at(&mut self.root, path, Value::String(value.to_owned()));
    }

    /// Fills in a value that the caller left out, with a notice.
    fn assume(&mut self, group: &GroupScope<'_>, path: &str, tag: &str, value: &str) {
        if group.text(tag).is_some() {
            return;
        }
        self.silent(&format!("{path}{tag}"), value);
        let mensagem = format!("{tag} não foi informado: será usado \"{value}\".");
        self.notices.push(Notice::of(format!("{}.{tag}", group.base_path()), "assumido_padrao", &mensagem, None));
    }
}

/// Day of `dCompet`: the Sefin compares `opSimpNac` with the register of the Simples on that day (E0160).
fn competence(known: &DefaultInputs<'_, '_>) -> String {
    let offset = CivilOffset::of_municipio(known.municipio).hours();
    let given = groups::scope(known.root, &[]).text("dCompet").and_then(|text| map::date(text, offset));
    given.unwrap_or_else(|| known.dhEmi.to_owned())
}

/// Returns a text, or a number as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
