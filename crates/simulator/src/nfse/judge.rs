//! What refuses a DPS besides what is stored: its identity, the convention of the município, the registers, and the table of rules of the fiscal core.
//!
//! Law: anexo I of 2026-02-09. Rules that the DPS alone decides stand in `fiscal::nfse::rules`; here are those that need a clock, an address, a município or
//! a register, and the arithmetic that the Sefin does anyway.

mod benefit;
mod rate;

use super::address::Host;
use super::answer::Problem;
use super::municipality::{Convenio, Municipality};
use super::settings::{Nfse as Settings, Provider};
use super::{Asked, VERSAO, amounts, document_of, incidence, services, write};
use fiscal::nfse::rules;
use fiscal::value::{CnpjCpf, municipio};
use fiscal::xml::Element;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use std::borrow::Cow;

/// A DPS and what is known around it.
pub(super) struct Facts<'a> {
    pub(super) asked: &'a Asked<'a>,
    pub(super) dps: &'a Element,
    pub(super) inf: &'a Element,
    pub(super) settings: &'a Settings,
    /// Município of issue, when there is one of its code.
    pub(super) local: Option<Cow<'a, Municipality>>,
    /// Município the ISSQN is due to.
    pub(super) due: Option<Cow<'a, Municipality>>,
    /// The prestador, where a register has him.
    pub(super) provider: Option<&'a Provider>,
    pub(super) dCompet: Date,
}

impl<'a> Facts<'a> {
    pub(super) fn of(asked: &'a Asked<'a>, dps: &'a Element, inf: &'a Element, settings: &'a Settings) -> Facts<'a> {
        let municipality = |code: Option<&str>| code?.parse().ok().and_then(|code| settings.municipality(code));
        let prestador = inf.child("prest").and_then(document_of).unwrap_or_default();
        Facts {
            asked,
            dps,
            inf,
            settings,
            local: municipality(inf.text_at("cLocEmi")),
            due: municipality(incidence::of(inf)),
            provider: settings.contribuintes.get(prestador),
            dCompet: inf.text_at("dCompet").and_then(|text| text.parse().ok()).unwrap_or(Date::MAX),
        }
    }
    pub(super) fn text(&self, path: &str) -> &'a str {
        self.inf.text_at(path).unwrap_or_default()
    }
    pub(super) fn has(&self, path: &str) -> bool {
        self.inf.at(path).is_some()
    }
    pub(super) fn regime(&self) -> &'a str {
        self.text("prest/regTrib/opSimpNac")
    }
    fn is_mei(&self) -> bool {
        self.regime() == "2"
    }
    /// Whether the município the ISSQN is due to is active.
    pub(super) fn is_active(&self) -> bool {
        self.due.as_ref().is_some_and(|due| due.is_active(self.dCompet))
    }
}

/// A code and whether its rule is broken.
pub(super) type Rule = (&'static str, bool);

/// Everything that refuses it.
pub(super) fn problems(facts: &Facts<'_>) -> Vec<Problem> {
    let mut all: Vec<Problem> = rules::broken(facts.dps).into_iter().map(Problem::from).collect();
    let mut broken = |rules: &[Rule]| {
        all.extend(rules.iter().filter(|(_, is_broken)| *is_broken).map(|(codigo, _)| Problem::new(codigo)));
    };
    broken(&identification(facts));
    broken(&convention(facts));
    broken(&prestador(facts));
    broken(&tomador(facts));
    broken(&service(facts));
    broken(&benefit::rules(facts));
    broken(&rate::rules(facts));
    broken(&sums(facts));
    all
}

fn identification(facts: &Facts<'_>) -> [Rule; 8] {
    let emission: Option<Timestamp> = facts.text("dhEmi").parse().ok();
    let serie = facts.text("serie").parse::<u32>().unwrap_or_default();
    [
        ("E0001", facts.dps.attribute("versao") != Some(VERSAO)),
        ("E0004", facts.inf.attribute("Id") != Some(identity(facts).as_str())),
        ("E0006", facts.text("tpAmb") != facts.asked.ambiente.code()),
        ("E0008", emission.is_none_or(|emission| emission > facts.asked.now)),
        ("E0010", !OWN_SERIES.contains(&serie)),
        ("E9996", facts.text("tpEmit") != "1"),
        ("E0042", facts.has("subst") && !is_own_key(facts)),
        ("E0078", facts.text("subst/cMotivo") == "99" && !facts.has("subst/xMotivo")),
    ]
}

/// Series of applications of their own.
const OWN_SERIES: std::ops::RangeInclusive<u32> = 1..=49_999;

/// The Id that the fields say.
fn identity(facts: &Facts<'_>) -> String {
    let issuer = facts.inf.child("prest").and_then(document_of).unwrap_or_default();
    let kind = if issuer.len() == 11 { 1 } else { 2 };
    let (place, serie, number) = (facts.text("cLocEmi"), facts.text("serie"), facts.text("nDPS"));
    format!("DPS{place}{kind}{issuer:0>14}{serie:0>5}{number:0>15}")
}

/// Whether the note to be substituted has a right key, of this issuer in this município.
fn is_own_key(facts: &Facts<'_>) -> bool {
    let key = facts.text("subst/chSubstda");
    let issuer = facts.inf.child("prest").and_then(document_of).unwrap_or_default();
    let right = key.get(..49).map(write::check_digit).map(|digit| digit.to_string());
    right.as_deref() == key.get(49..)
        && key.get(..7) == Some(facts.text("cLocEmi"))
        && key.get(9..23) == Some(format!("{issuer:0>14}").as_str())
}

fn convention(facts: &Facts<'_>) -> [Rule; 4] {
    let local = facts.local.as_deref();
    let is_here = match facts.asked.host {
        // the own server of a município issues for itself alone
        Host::Municipality(codigo) => facts.text("cLocEmi") == format!("{codigo:07}"),
        _ => true,
    };
    let emits_here = |local: &Municipality| match facts.asked.host {
        Host::Municipality(_) => local.endereco_proprio,
        _ => local.emissor_nacional,
    };
    let convenio = local.map(|local| local.convenio);
    [
        ("E0016", local.is_some_and(|local| facts.dCompet < local.ativo_desde) && !facts.is_mei()),
        ("E0037", convenio.is_none_or(|convenio| convenio == Convenio::Ausente) || !is_here),
        ("E0038", convenio == Some(Convenio::Inativo)),
        ("E0039", convenio == Some(Convenio::Ativo) && !local.is_some_and(emits_here) && !facts.is_mei()),
    ]
}

fn prestador(facts: &Facts<'_>) -> [Rule; 11] {
    let invalid = |tag: &str| facts.inf.text_at(tag).is_some_and(|number| CnpjCpf::parse(number).is_err());
    let known = facts.provider;
    let said = facts.inf.text_at("prest/IM");
    let is_elsewhere =
        |provider: &Provider| provider.municipio.is_some_and(|codigo| format!("{codigo:07}") != facts.text("cLocEmi"));
    let differs = |provider: &Provider| provider.opSimpNac.as_deref().is_some_and(|right| right != facts.regime());
    [
        ("E0080", invalid("prest/CNPJ")),
        ("E0096", invalid("prest/CPF")),
        ("E0082", facts.settings.cadastro_fechado && known.is_none()),
        ("E0084", known.is_some_and(is_elsewhere) && !facts.is_mei()),
        ("E0116", said.is_none() && known.is_some_and(|known| known.IM.is_some()) && !facts.is_mei()),
        ("E0119", said.is_some() && known.is_some_and(|known| known.im_nao_autorizada)),
        ("E0120", said.is_some() && known.is_some_and(|known| known.IM.as_deref() != said)),
        ("E0121", facts.has("prest/xNome")),
        ("E0124", said.is_some() && known.is_some_and(|known| known.im_inativa)),
        ("E0128", facts.has("prest/end")),
        ("E0160", known.is_some_and(differs)),
    ]
}

fn tomador(facts: &Facts<'_>) -> [Rule; 5] {
    let invalid = |tag: &str| facts.inf.text_at(tag).is_some_and(|number| CnpjCpf::parse(number).is_err());
    let number = facts.inf.text_at("toma/CNPJ");
    let known = |number: &str| facts.settings.contribuintes.contains_key(number);
    let home = facts.inf.text_at("toma/end/endNac/cMun");
    [
        ("E0188", invalid("toma/CNPJ")),
        ("E0190", facts.settings.cadastro_fechado && number.is_some_and(|number| !known(number))),
        ("E0202", number.is_some() && number == facts.inf.text_at("prest/CNPJ")),
        ("E0206", invalid("toma/CPF")),
        ("E0238", home.is_some_and(|code| code.parse().ok().and_then(municipio::find).is_none())),
    ]
}

fn service(facts: &Facts<'_>) -> [Rule; 5] {
    let code = facts.text("serv/cServ/cTribNac");
    let due = facts.due.as_deref();
    let own = facts.inf.text_at("serv/cServ/cTribMun");
    let unknown =
        |due: &Municipality, own: &str| !due.codigos_municipais.is_empty() && !due.codigos_municipais.contains(own);
    let regime = facts.text("prest/regTrib/regEspTrib");
    [
        ("E0310", services::name(code).is_none()),
        ("E0312", due.is_some_and(|due| due.servicos_excluidos.contains(code)) && !facts.is_mei()),
        ("E0314", due.zip(own).is_some_and(|(due, own)| unknown(due, own)) && !facts.is_mei()),
        ("E0177", due.is_some_and(|due| due.regimes_vedados.contains(regime))),
        ("E0440", facts.has("valores/vDedRed") && facts.is_active() && due.is_some_and(|due| !due.admite_deducao)),
    ]
}

/// The arithmetic of what would be written must not fall below zero.
fn sums(facts: &Facts<'_>) -> [Rule; 2] {
    let amounts = amounts::of(facts.inf, facts.due.as_deref());
    let below = |amount: Option<Decimal>| amount.is_some_and(|amount| amount < Decimal::ZERO);
    [("E0427", below(amounts.vBC)), ("E0428", below(Some(amounts.vLiq)))]
}
